//! `spirdna probe`: measures what a Vulkan device does with floats in compute shaders, and writes a host
//! profile of it. What other stages do is not measured: a profile is one of compute.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use spirdna_case::profile::{profile_from_measurement, profile_to_toml};
use spirdna_vulkan::{Device, DeviceInfo, MeasuredFloat, Options};

use crate::Streams;
use crate::error::{CliError, Exit};
use crate::run::{RunDevice, parse_device};

/// The longest that a measurement may take on the device.
const TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Args)]
pub(crate) struct Arguments {
    /// vulkan, vulkan:N or vulkan:name.
    #[arg(long, default_value = "vulkan", value_parser = parse_device)]
    device: RunDevice,
    /// The subgroup size to write; what the device has when absent.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=128))]
    subgroup_size: Option<u32>,
    /// The file to write; the profile is printed when absent.
    #[arg(short, long, value_name = "PROFILE.toml")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let RunDevice::Vulkan(choice) = &a.device else {
        let text = "--device: only a Vulkan device is measured".to_owned();
        return Err(CliError::Usage(text));
    };
    if let Some(size) = a.subgroup_size
        && !size.is_power_of_two()
    {
        let text = format!("--subgroup-size {size} is no power of two");
        return Err(CliError::Usage(text));
    }
    let options = Options {
        timeout: TIMEOUT,
        ..Options::default()
    };
    let mut device = Device::open(choice.clone(), options)?;
    let floats = device.measure_floats()?;
    let size = a
        .subgroup_size
        .unwrap_or_else(|| device.measured_subgroup_size());
    let profile = profile_from_measurement(device.info(), size, &floats);
    let mut text = head(device.info());
    let widths = [
        ("f16", floats.f16),
        ("f32", Some(floats.f32)),
        ("f64", floats.f64),
    ];
    for (name, seen) in widths {
        let _ = writeln!(
            text,
            "# {name}: {}",
            seen.map_or("absent".to_owned(), words)
        );
    }
    let body = profile_to_toml(&profile).map_err(|error| CliError::Profile {
        path: a.output.clone().unwrap_or_default(),
        error,
    })?;
    text.push_str(&body);
    match &a.output {
        Some(path) => fs::write(path, text).map_err(|error| CliError::Write {
            path: path.clone(),
            error,
        })?,
        None => write!(streams.out, "{text}")?,
    }
    Ok(Exit::Success)
}

/// Whose profile it is, as comments.
fn head(info: &DeviceInfo) -> String {
    let (major, minor, patch) = info.api_version;
    let line = |text: &str| text.replace(|c: char| c.is_control(), " ");
    format!(
        "# {}, {}, Vulkan {major}.{minor}.{patch}; measured in compute shaders that declare nothing\n",
        line(&info.name),
        line(&info.driver.to_string())
    )
}

/// A measurement in words.
fn words(seen: MeasuredFloat) -> String {
    let denormals = match (seen.keeps_denorms, seen.flushes_denorms) {
        (true, _) => "denormals kept",
        (false, true) => "denormals flushed",
        (false, false) => "denormals neither kept nor flushed throughout",
    };
    let say = |yes: bool, one: &'static str, other: &'static str| if yes { one } else { other };
    [
        denormals,
        say(
            seen.nearest_even,
            "rounds to nearest even",
            "rounds otherwise",
        ),
        say(seen.fused_fma, "fma rounds once", "fma rounds twice"),
        say(
            seen.keeps_nan_payload,
            "the first NaN is the result",
            "NaNs lose their payload",
        ),
        say(
            seen.min_drops_nan,
            "a number beats a NaN in min",
            "a NaN may win min",
        ),
    ]
    .join(", ")
}

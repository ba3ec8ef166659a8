//! The processes that the lab starts: one compiles with RADV, many run prepared cases on a device. Owns
//! their command lines' meaning; who starts them says how they are called.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use spirdna_case::exec::{VulkanExecutor, VulkanOptions};
use spirdna_vulkan::listing::Compiler;
use spirdna_vulkan::{Device, DeviceChoice, Options as DeviceOptions};

use crate::error::LabError;
use crate::measure::{self, measure};
use crate::pool::serve;
use crate::prepared::Sheet;
use crate::radv::{self, Answer, Request};
use crate::row::{Row, Verdict};

/// Compiles the requests of a file for the family that the environment names, an answer a line.
///
/// # Errors
/// The file cannot be read, there is no such device, or the stream fails.
pub fn compile(requests: &Path, out: &mut dyn Write) -> Result<(), LabError> {
    let text = std::fs::read_to_string(requests).map_err(LabError::file(requests))?;
    let requests: Vec<Request> =
        serde_json::from_str(&text).map_err(|e| LabError::Unclear(e.to_string()))?;
    let family = std::env::var("RADV_FORCE_FAMILY").unwrap_or_default();
    let names = radv::FAMILIES.iter().find(|(_, f, _)| *f == family);
    let name = names.map_or("RADV", |(name, ..)| name);
    let compiler = Compiler::open(name).map_err(|e| LabError::Unclear(e.to_string()))?;
    for request in &requests {
        let answer: Answer = radv::compile(&compiler, request);
        let text = serde_json::to_string(&answer).map_err(|e| LabError::Unclear(e.to_string()))?;
        writeln!(out, "{text}")
            .and_then(|()| out.flush())
            .map_err(LabError::file(Path::new("standard output")))?;
    }
    Ok(())
}

/// How a child runs cases.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The device.
    pub device: DeviceChoice,
    /// The subgroup size to translate for; the device's best when `None`.
    pub subgroup_size: Option<u32>,
    /// How long the device may take for a dispatch.
    pub timeout: Duration,
    /// What is done beside the comparison.
    pub measure: measure::Options,
}

/// Opens a device and runs the sheets named on `input`, a row a line.
///
/// # Errors
/// The device cannot be opened, or the streams fail.
pub fn run(place: &Place, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), LabError> {
    let open = || {
        let options = DeviceOptions {
            timeout: place.timeout,
            ..DeviceOptions::default()
        };
        let device = Device::open(place.device.clone(), options)
            .map_err(|e| LabError::Unclear(e.to_string()))?;
        let options = VulkanOptions {
            subgroup_size: place.subgroup_size,
            ..VulkanOptions::default()
        };
        Ok(VulkanExecutor::new(device, options))
    };
    let mut device: VulkanExecutor = open()?;
    let stream = LabError::file(Path::new("standard streams"));
    serve(input, out, &mut |path| {
        let row = measure(path, &mut device, &place.measure);
        row.unwrap_or_else(|error| Row {
            verdict: Verdict::Failed(error.to_string()),
            ..measure::row(&Sheet::new("?", "", "", "", 0), path)
        })
    })
    .map_err(stream)
}

//! `spirdna draws`: renders draw files, the translations beside the modules that they were compiled from, and
//! says how their pictures compare. For a machine that has only this program; a crate's test runs some.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use spirdna_case::draw::{DrawCase, DrawRunner, Image, Picture, judge, png};
use spirdna_case::exec::RunError;
use spirdna_vulkan::draw::Format;
use spirdna_vulkan::{Device, DeviceChoice, Options};

use crate::Streams;
use crate::error::{CliError, Exit};
use crate::options::Translation;
use crate::run::{RunDevice, parse_device};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Draw files, or folders of them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// vulkan, vulkan:N or vulkan:name.
    #[arg(long, default_value = "vulkan", value_parser = parse_device)]
    device: RunDevice,
    #[command(flatten)]
    translation: Translation,
    /// Only cases whose name contains this.
    #[arg(long)]
    filter: Option<String>,
    /// Load the validation layer; what it objects to is a failure.
    #[arg(long)]
    validate: bool,
    /// Write the first target of each picture here, as NAME.png and NAME.original.png (formats of four bytes a
    /// pixel).
    #[arg(long, value_name = "FOLDER")]
    png: Option<PathBuf>,
    /// Write the rows here.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let RunDevice::Vulkan(choice) = &a.device else {
        return Err(CliError::Usage("draws need a Vulkan device".to_owned()));
    };
    let mut files = Vec::new();
    for path in &a.paths {
        find(path, &mut files)?;
    }
    let mut runner = open(a, choice)?;
    let mut rows = Vec::new();
    let mut counts: BTreeMap<&'static str, u32> = BTreeMap::new();
    for file in files {
        let cases = DrawCase::load(&file).map_err(|e| CliError::Usage(e.to_string()))?;
        let mut original = None;
        for case in cases {
            let filter = a.filter.as_deref().unwrap_or_default();
            if !case.name.contains(filter) {
                continue;
            }
            let (verdict, text) = match compare(&mut runner, &case, &mut original) {
                Ok((picture, found)) => {
                    if let Some(folder) = &a.png {
                        write(folder, &case, "", &picture)?;
                        if let Some(original) = &original {
                            write(folder, &case, ".original", original)?;
                        }
                    }
                    match found.is_empty() {
                        true => ("equal", String::new()),
                        false => ("differs", found.join("; ")),
                    }
                }
                Err(RunError::Unsupported(text)) => ("refused", text),
                Err(e) => ("fails", e.to_string()),
            };
            *counts.entry(verdict).or_default() += 1;
            if verdict != "equal" {
                writeln!(streams.out, "{verdict} {}: {text}", case.name)?;
            }
            rows.push(serde_json::json!({
                "name": case.name, "verdict": verdict, "text": text,
            }));
            // A device that is lost stays so.
            if verdict == "fails" {
                runner = open(a, choice)?;
                original = None;
            }
        }
    }
    let name = runner.device().info().name.clone();
    writeln!(streams.out, "{name}: {counts:?}")?;
    if let Some(path) = &a.json {
        let all = serde_json::json!({ "device": name, "rows": rows });
        std::fs::write(path, format!("{all:#}\n"))?;
    }
    let bad = counts.contains_key("differs") || counts.contains_key("fails");
    Ok(match bad || rows.is_empty() {
        true => Exit::Failed,
        false => Exit::Success,
    })
}

fn open(a: &Arguments, choice: &DeviceChoice) -> Result<DrawRunner, CliError> {
    let options = Options {
        timeout: Duration::from_secs(60),
        validation: a.validate,
        ..Options::default()
    };
    let mut runner = DrawRunner::new(Device::open(choice.clone(), options)?);
    runner.profile = a.translation.profile()?;
    runner.options = a.translation.options()?;
    Ok(runner)
}

/// Draw files at a path, in order.
fn find(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), CliError> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path)?;
        let mut inside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        inside.sort();
        for path in inside {
            if path.is_dir() || path.to_string_lossy().ends_with(".draw.toml") {
                find(&path, files)?;
            }
        }
    } else {
        files.push(path.to_owned());
    }
    Ok(())
}

/// The picture of the translations, and how it differs from that of the modules, which is made once.
fn compare(
    runner: &mut DrawRunner,
    case: &DrawCase,
    original: &mut Option<Picture>,
) -> Result<(Picture, Vec<String>), RunError> {
    let picture = runner.run(case)?;
    if original.is_none() && case.original.is_some() {
        *original = Some(runner.run_original(case)?);
    }
    let found = judge(case, &picture, original.as_ref());
    Ok((picture, found))
}

fn write(folder: &Path, case: &DrawCase, suffix: &str, picture: &Picture) -> Result<(), CliError> {
    let Some(Image { format, data }) = picture.colors.first() else {
        return Ok(());
    };
    if !matches!(format, Format::R8G8B8A8Unorm | Format::R8G8B8A8Srgb) {
        return Ok(());
    }
    let rgb: Vec<u8> = data
        .as_chunks::<4>()
        .0
        .iter()
        .flat_map(|[r, g, b, _]| [*r, *g, *b])
        .collect();
    let [width, height] = case.size;
    let file = folder.join(format!("{}{suffix}.png", case.name));
    std::fs::create_dir_all(folder)?;
    std::fs::write(file, png::encode(width, height, &rgb))?;
    Ok(())
}

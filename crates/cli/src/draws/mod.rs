//! `spirdna draws`: renders draw files, the translations beside the modules that they were compiled from, and
//! says how their pictures compare. For a machine that has only this program; a crate's test runs some.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use spirdna_case::draw::{DrawCase, DrawRunner, Picture, judge};
use spirdna_case::exec::RunError;
use spirdna_vulkan::{Device, DeviceChoice, Options};

use crate::Streams;
use crate::error::{CliError, Exit};
use crate::options::Translation;
use crate::run::{RunDevice, parse_device};

use pictures::Sheet;

mod pictures;

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
    /// Write the first target of each picture here, as NAME.png and NAME.original.png (formats of four bytes
    /// or floats a pixel).
    #[arg(long, value_name = "FOLDER")]
    png: Option<PathBuf>,
    /// Write one PNG of all pictures, each original left of the translation, and say how many pixels differ.
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,
    /// Write all targets here as they lie in memory: NAME.color0.bin and NAME.original.color0.bin.
    #[arg(long, value_name = "FOLDER")]
    dump: Option<PathBuf>,
    /// Write the translated modules here, as NAME.vert.spv and NAME.frag.spv.
    #[arg(long, value_name = "FOLDER")]
    spirv: Option<PathBuf>,
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
    let mut sheet = Sheet::default();
    let mut counts: BTreeMap<&'static str, u32> = BTreeMap::new();
    for file in files {
        let cases = DrawCase::load(&file).map_err(|e| CliError::Usage(e.to_string()))?;
        let mut original = None;
        for case in cases {
            let filter = a.filter.as_deref().unwrap_or_default();
            if !case.name.contains(filter) {
                continue;
            }
            if let Some(folder) = &a.spirv {
                modules(folder, &runner, &case)?;
            }
            let (verdict, text) = match compare(&mut runner, &case, &mut original) {
                Ok((picture, found)) => {
                    let mut pictures = vec![("", &picture)];
                    pictures.extend(original.iter().map(|picture| (".original", picture)));
                    for (suffix, picture) in pictures {
                        if let Some(folder) = &a.png {
                            pictures::write(folder, &case, suffix, picture)?;
                        }
                        if let Some(folder) = &a.dump {
                            pictures::dump(folder, &case, suffix, picture)?;
                        }
                    }
                    if let (Some(_), Some(original)) = (&a.sheet, &original)
                        && let Some([bits, bytes]) = sheet.add(&case, original, &picture)?
                    {
                        let of = case.size[0] * case.size[1];
                        writeln!(
                            streams.out,
                            "{}: {bits} of {of} pixels differ in the target, {bytes} in the sheet",
                            case.name
                        )?;
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
    if let Some(path) = &a.sheet {
        sheet.write(path)?;
    }
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

/// Writes the modules that are not refused.
fn modules(folder: &Path, runner: &DrawRunner, case: &DrawCase) -> Result<(), CliError> {
    std::fs::create_dir_all(folder)?;
    let stages = [(&case.vertex, 0, "vert"), (&case.pixel, 1, "frag")];
    for (shader, set, stage) in stages {
        if let Ok((made, _)) = runner.translate(case, shader, set) {
            let words = made.words.iter();
            let bytes: Vec<u8> = words.flat_map(|w| w.to_le_bytes()).collect();
            std::fs::write(folder.join(format!("{}.{stage}.spv", case.name)), bytes)?;
        }
    }
    Ok(())
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

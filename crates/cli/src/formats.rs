//! `spirdna formats`: every buffer format through every formatted buffer instruction on a device, the machine or
//! the reference, against exact rational arithmetic; and the page of what has been found. `tests/formats.rs` runs
//! part of it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use spirdna_case::exec::{
    Executor, MachineExecutor, MachineSetup, ReferenceExecutor, VulkanExecutor, VulkanOptions,
};
use spirdna_isa::format::BufferFormat;
use spirdna_proof::formats::record::{self, Row};
use spirdna_proof::formats::{self, Expected, Verdict, Way};
use spirdna_proof::record::device_name;
use spirdna_vulkan::{Device, Options};

use crate::Streams;
use crate::error::{CliError, Exit};
use crate::options::Translation;
use crate::run::{RunDevice, parse_device};

#[derive(Args)]
pub(crate) struct Arguments {
    /// reference, machine, vulkan, vulkan:N or vulkan:name.
    #[arg(long, default_value = "reference", value_parser = parse_device)]
    device: RunDevice,
    /// The subgroup size to translate for.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=128))]
    subgroup_size: Option<u32>,
    #[command(flatten)]
    translation: Translation,
    /// Only formats whose name contains one of these.
    #[arg(long)]
    filter: Vec<String>,
    /// Only one format in OF, beginning with number N.
    #[arg(long, value_name = "N/OF", value_parser = crate::prove::parse_part, default_value = "0/1")]
    turn: (usize, usize),
    /// Only V#s that the translator knows, or that it does not.
    #[arg(long, value_enum)]
    vsharp: Option<Known>,
    /// Write a row of each format that was right to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// The page of the rows of a folder, `docs/formats.md`; nothing runs.
    #[arg(long)]
    markdown: bool,
    /// The folder with the rows of the page.
    #[arg(long, default_value = "seeds/formats")]
    rows: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Known {
    Known,
    RunTime,
}

/// Where the programs run, its subgroup size, and how rows name it.
struct Place {
    executor: Box<dyn Executor>,
    size: u32,
    name: String,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    if a.markdown {
        write!(
            streams.out,
            "{}",
            record::page(&record::load_folder(&a.rows)?)
        )?;
        return Ok(Exit::Success);
    }
    let named = |f: &BufferFormat| {
        let name = f.to_string();
        a.filter.is_empty() || a.filter.iter().any(|part| name.contains(part.as_str()))
    };
    let (turn, of) = a.turn;
    let list: Vec<BufferFormat> = BufferFormat::all()
        .filter(named)
        .enumerate()
        .filter(|(i, _)| i % of == turn)
        .map(|(_, f)| f)
        .collect();
    let mut place = open(a)?;
    let mut expected = Expected::default();
    let mut rows = Vec::new();
    let mut reports = Vec::new();
    let (mut right, mut wrong, mut elements) = (0, 0, 0);
    for path in formats::Path::ALL {
        let skipped = match a.vsharp {
            None => false,
            Some(Known::Known) => path != formats::Path::Known,
            Some(Known::RunTime) => path != formats::Path::RunTime,
        };
        if skipped {
            continue;
        }
        for way in Way::ALL {
            let start = Instant::now();
            let mut sum = [0; 4];
            for part in formats::parts(path, way, &list).map_err(CliError::Usage)? {
                let outcome = match place.executor.run(&part.case) {
                    Ok(outcome) => outcome,
                    Err(e) => {
                        writeln!(streams.err, "WRONG {}: {e}", part.case.name)?;
                        wrong += 1;
                        continue;
                    }
                };
                let fault = outcome.faults.first().map(|f| format!("a fault: {f}"));
                for mut verdict in part.judge(&outcome.memory, &mut expected) {
                    verdict.first.extend(fault.clone());
                    for text in &verdict.first {
                        writeln!(streams.err, "WRONG {text}")?;
                    }
                    let good = verdict.first.is_empty();
                    let moved = verdict.instructions * verdict.elements;
                    elements += moved;
                    let counts = [1, usize::from(!good), moved, verdict.wrong];
                    for (sum, n) in sum.iter_mut().zip(counts) {
                        *sum += n;
                    }
                    if good {
                        right += 1;
                        rows.push(row(&place, path, way, &verdict));
                    } else {
                        wrong += 1;
                    }
                    reports.push(report(path, way, &verdict));
                }
            }
            if !a.json {
                let [formats, bad, moved, differ] = sum;
                writeln!(
                    streams.out,
                    "{:<9}{:<6} {formats:>3} formats, {bad} wrong; {moved:>9} elements, {differ} wrong; {:.1} s",
                    path.name(),
                    way.name(),
                    start.elapsed().as_secs_f64()
                )?;
            }
        }
    }
    if let Some(path) = &a.out {
        save(path, &record::text(&rows))?;
    }
    if a.json {
        let all = json!({
            "device": place.name, "subgroup_size": place.size,
            "elements": elements, "right": right, "wrong": wrong, "formats": reports,
        });
        writeln!(streams.out, "{all:#}")?;
    } else {
        writeln!(
            streams.out,
            "{elements} elements of {} formats on {}, S = {}: {right} right, {wrong} wrong",
            list.len(),
            place.name,
            place.size
        )?;
    }
    Ok(if wrong == 0 && right > 0 {
        Exit::Success
    } else {
        Exit::Failed
    })
}

fn save(path: &Path, text: &str) -> Result<(), CliError> {
    std::fs::write(path, text).map_err(|error| CliError::Write {
        path: path.to_owned(),
        error,
    })
}

fn report(path: formats::Path, way: Way, v: &Verdict) -> Value {
    json!({
        "format": v.format.to_string(), "vsharp": path.name(), "way": way.name(),
        "instructions": v.instructions, "elements": v.elements, "wrong": v.wrong, "first": v.first,
    })
}

fn row(place: &Place, path: formats::Path, way: Way, v: &Verdict) -> Row {
    Row {
        format: v.format,
        path,
        way,
        subgroup_size: place.size,
        device: place.name.clone(),
        instructions: v.instructions,
        elements: v.elements,
        hash: record::conversions_hash(v.format),
    }
}

fn open(a: &Arguments) -> Result<Place, CliError> {
    let translate = a.translation.options()?;
    let profile = a.translation.profile()?;
    let asked = a.subgroup_size;
    Ok(match &a.device {
        RunDevice::Reference => Place {
            executor: Box::new(ReferenceExecutor::default()),
            size: 0,
            name: "the reference".to_owned(),
        },
        RunDevice::Machine => Place {
            size: asked.unwrap_or(32),
            name: "the machine".to_owned(),
            executor: Box::new(MachineExecutor::new(MachineSetup {
                subgroup_size: Some(asked.unwrap_or(32)),
                profile,
                translate,
                ..MachineSetup::default()
            })),
        },
        RunDevice::Vulkan(choice) => {
            let options = Options {
                timeout: Duration::from_secs(300),
                ..Options::default()
            };
            let device = Device::open(choice.clone(), options)?;
            let size = asked.unwrap_or_else(|| device.measured_subgroup_size());
            Place {
                size,
                name: device_name(&device.info().name),
                executor: Box::new(VulkanExecutor::new(
                    device,
                    VulkanOptions {
                        subgroup_size: Some(size),
                        profile,
                        translate,
                        ..VulkanOptions::default()
                    },
                )),
            }
        }
    })
}

//! `spirdna flow`: random programs of control flow, the reference against a device or the machine, in
//! this process. For long runs on a machine that has only this program. A program that differs can be
//! made small there too (`reduce`).

mod reduce;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use spirdna_case::Case;
use spirdna_case::exec::{
    Executor, Failure, Host, MachineExecutor, MachineSetup, Outcome, ReferenceExecutor, RunError,
    VulkanExecutor, VulkanOptions, may_be_dropped, same_memory,
};
use spirdna_case::flow::{Family, FlowSpec, flow_case, flow_case_text, flow_program};
use spirdna_translate::options::Options as Translation;
use spirdna_vulkan::{Device, Options};

use crate::Streams;
use crate::error::{CliError, Exit};
use crate::options::DivergenceName;
use crate::run::{RunDevice, parse_device};

#[derive(Args)]
pub(crate) struct Arguments {
    /// machine, vulkan, vulkan:N or vulkan:name.
    #[arg(long, default_value = "machine", value_parser = parse_device)]
    device: RunDevice,
    /// The subgroup size to translate for.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=128))]
    subgroup_size: Option<u32>,
    /// 32 or 64; both in turn when absent.
    #[arg(long)]
    wave: Option<u32>,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Programs.
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// Programs whose waves hand values to each other.
    #[arg(long, conflicts_with_all = ["lanes", "arrays"])]
    shared: bool,
    /// Ifs and loops of lanes, as compilers make them.
    #[arg(long, conflicts_with = "arrays")]
    lanes: bool,
    /// Ifs and loops of lanes that keep arrays in registers, and pick their elements by trees of comparisons.
    #[arg(long)]
    arrays: bool,
    /// Programs of a few blocks, for drivers that compile slowly.
    #[arg(long)]
    small: bool,
    /// What becomes of branches on masks where S = W.
    #[arg(long, value_enum, default_value = "uniform")]
    divergence: DivergenceName,
    /// Write the case files to this folder instead of running them.
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Make each program that differs small while it still differs, and say how it differs.
    #[arg(long)]
    reduce: bool,
    /// Seconds that making one program small may take.
    #[arg(long, default_value_t = 240)]
    seconds: u64,
    /// Write the SPIR-V of programs that differ, and of what they are made into, to this folder.
    #[arg(long, value_name = "DIR")]
    spirv: Option<PathBuf>,
}

/// Where programs run.
enum Place {
    Machine(Box<MachineExecutor>),
    Vulkan(Box<VulkanExecutor>),
}

impl Place {
    fn run(&mut self, case: &Case) -> Result<Outcome, RunError> {
        match self {
            Place::Machine(machine) => machine.run(case),
            Place::Vulkan(device) => device.run(case),
        }
    }
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    if !matches!(a.wave, None | Some(32 | 64)) {
        return Err(CliError::Usage("--wave is 32 or 64".to_owned()));
    }
    let translate = Translation {
        divergence: a.divergence.divergence(),
        ..Translation::default()
    };
    let mut place = match &a.device {
        RunDevice::Reference => {
            let text = "the programs are compared with the reference".to_owned();
            return Err(CliError::Usage(text));
        }
        RunDevice::Machine => Place::Machine(Box::new(MachineExecutor::new(MachineSetup {
            subgroup_size: a.subgroup_size,
            translate,
            ..MachineSetup::default()
        }))),
        RunDevice::Vulkan(choice) => {
            let options = Options {
                timeout: Duration::from_secs(120),
                ..Options::default()
            };
            let device = Device::open(choice.clone(), options)?;
            Place::Vulkan(Box::new(VulkanExecutor::new(
                device,
                VulkanOptions {
                    subgroup_size: a.subgroup_size,
                    translate,
                    ..VulkanOptions::default()
                },
            )))
        }
    };
    let end = a.first.checked_add(a.count).filter(|_| a.count > 0);
    let end = end.ok_or_else(|| CliError::Usage("there are no such programs".to_owned()))?;
    let (mut same, mut wrong) = (0u64, 0u64);
    for seed in a.first..end {
        let spec = FlowSpec {
            wave: a.wave.unwrap_or(FlowSpec::of(seed).wave),
            family: match (a.shared, a.lanes, a.arrays) {
                (true, ..) => Family::Shared,
                (_, true, _) => Family::Lanes,
                (.., true) => Family::Arrays,
                _ => Family::Plain,
            },
            small: a.small,
            seed,
        };
        let name = spec.name();
        if let Some(folder) = &a.write {
            let path = folder.join(format!("{name}.case.toml"));
            std::fs::write(&path, flow_case_text(spec))
                .map_err(|error| CliError::Write { path, error })?;
            continue;
        }
        match one(spec, &mut place)? {
            Ok(failures) if failures.is_empty() => same += 1,
            Ok(failures) => {
                wrong += 1;
                for failure in failures {
                    writeln!(streams.err, "{name}: {failure}")?;
                }
                if let Some(folder) = &a.spirv {
                    let path = folder.join(format!("{name}.spv"));
                    write_spirv(&path, &flow_case(spec)?, &place)?;
                }
                if a.reduce {
                    let program = flow_program(spec);
                    let limit = Duration::from_secs(a.seconds);
                    let small = reduce::report(&program, &mut place, limit, streams)?;
                    if let Some(folder) = &a.spirv {
                        let path = folder.join(format!("{name}.reduced.spv"));
                        write_spirv(&path, &small.case("reduced.case.toml")?, &place)?;
                    }
                }
            }
            Err(error) => {
                wrong += 1;
                writeln!(streams.err, "{name}: {error}")?;
            }
        }
    }
    writeln!(streams.out, "{same} programs alike, {wrong} not")?;
    Ok(if wrong == 0 {
        Exit::Success
    } else {
        Exit::Failed
    })
}

/// Writes what a case becomes at a place.
fn write_spirv(path: &Path, case: &Case, place: &Place) -> Result<(), CliError> {
    let made = match place {
        Place::Machine(machine) => machine.translations(case),
        Place::Vulkan(device) => device.translations(case),
    };
    let made = made.map_err(|e| CliError::Usage(e.to_string()))?;
    let words = made.iter().flat_map(|t| &t.words);
    let bytes: Vec<u8> = words.flat_map(|w| w.to_le_bytes()).collect();
    let error = |error| CliError::Write {
        path: path.to_owned(),
        error,
    };
    std::fs::write(path, bytes).map_err(error)
}

/// One program; what differs from the reference, as text.
fn one(spec: FlowSpec, place: &mut Place) -> Result<Result<Vec<String>, RunError>, CliError> {
    let case = flow_case(spec)?;
    let expected = match ReferenceExecutor::default().run(&case) {
        Ok(expected) => expected,
        Err(error) => return Ok(Err(error)),
    };
    let outcome = match place.run(&case) {
        Ok(outcome) => outcome,
        Err(error) => return Ok(Err(error)),
    };
    let failures = same_memory(&case, &outcome, &expected, "the reference");
    let mut texts: Vec<String> = failures.iter().map(Failure::to_string).collect();
    if let Place::Machine(machine) = place {
        let findings = machine.findings().iter().filter(|f| !may_be_dropped(f));
        texts.extend(findings.map(|f| f.to_string()));
    }
    Ok(Ok(texts))
}

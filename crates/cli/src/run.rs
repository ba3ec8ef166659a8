//! `spirdna run`: runs case files, one line a case. A device works in a child process with a time
//! limit, because a driver may hang or crash.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use spirdna_case::exec::{
    Executor, Failure, Host, MachineExecutor, MachineSetup, Outcome, ReferenceExecutor, RunError,
    VulkanExecutor, VulkanOptions, judge, same_as_original, same_memory,
};
use spirdna_case::{Case, CaseError};
use spirdna_vulkan::child::{ChildError, lavapipe_unoptimised, lavapipe_width, run_in_child};
use spirdna_vulkan::{Device, DeviceChoice, Options};

use crate::Streams;
use crate::error::{CliError, Exit, run_exit};
use crate::options::Translation;

/// Seconds of `--timeout` at most: a year.
const MAX_TIMEOUT: f64 = 31_536_000.0;

/// Lines of a failure that are printed.
const LINES: usize = 12;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Case files.
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// reference, machine, vulkan, vulkan:N or vulkan:name.
    #[arg(long, default_value = "reference", value_parser = parse_device)]
    device: RunDevice,
    /// The subgroup size to translate for.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=128))]
    subgroup_size: Option<u32>,
    #[command(flatten)]
    translation: Translation,
    /// Seconds that a case may take.
    #[arg(long, default_value_t = 120.0, value_name = "S")]
    timeout: f64,
    /// Do not run the reference beside a device: compare with the case's expectations and original alone.
    #[arg(long)]
    no_reference: bool,
    /// Require the Vulkan validation layer.
    #[arg(long)]
    validation: bool,
    /// Write a memory region to a file after the run (of the last case).
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_dump)]
    dump: Vec<(String, PathBuf)>,
    /// Run in this process, not in a child.
    #[arg(long, hide = true)]
    in_process: bool,
}

/// Where cases run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunDevice {
    /// The reference interpreter.
    Reference,
    /// The translation on the SPIR-V machine.
    Machine,
    /// A Vulkan device.
    Vulkan(DeviceChoice),
}

pub(crate) fn parse_device(text: &str) -> Result<RunDevice, String> {
    match text.split_once(':') {
        None if text == "reference" => Ok(RunDevice::Reference),
        None if text == "machine" => Ok(RunDevice::Machine),
        None if text == "vulkan" => Ok(RunDevice::Vulkan(DeviceChoice::Default)),
        Some(("vulkan", which)) if !which.is_empty() => {
            Ok(RunDevice::Vulkan(match which.parse() {
                Ok(index) => DeviceChoice::Index(index),
                Err(_) => DeviceChoice::Name(which.to_owned()),
            }))
        }
        _ => Err("there are reference, machine, vulkan, vulkan:N and vulkan:name".to_owned()),
    }
}

fn parse_dump(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(file)))
        }
        _ => Err("needs NAME=FILE".to_owned()),
    }
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    if !(a.timeout > 0.0 && a.timeout <= MAX_TIMEOUT) {
        return Err(CliError::Usage(format!(
            "--timeout needs seconds above 0 and at most {MAX_TIMEOUT}"
        )));
    }
    // Read wherever the cases run, so that an unusable file or model is told before the first.
    let profile = a.translation.profile()?;
    let translate = a.translation.options()?;
    let mut exit = Exit::Success;
    match &a.device {
        RunDevice::Reference => {
            if translate.loop_budget.is_some() {
                let text = "the reference has no --loop-budget: --timeout ends its loops";
                return Err(CliError::Usage(text.to_owned()));
            }
            let mut executor = reference(a);
            for path in &a.cases {
                exit = exit.and(one(a, path, &mut Place::Reference(&mut executor), streams)?);
            }
        }
        RunDevice::Machine => {
            let mut executor = MachineExecutor::new(MachineSetup {
                subgroup_size: a.subgroup_size,
                no_facts: a.translation.no_facts,
                bind: a.translation.bind,
                profile: a.translation.profile()?,
                translate: a.translation.options()?,
                budget: None,
                time: Some(Duration::from_secs_f64(a.timeout)),
            });
            for path in &a.cases {
                exit = exit.and(one(a, path, &mut Place::Machine(&mut executor), streams)?);
            }
        }
        RunDevice::Vulkan(choice) => match streams.program.clone() {
            Some(program) if !a.in_process => {
                for path in &a.cases {
                    exit = exit.and(in_child(a, &program, path, streams)?);
                }
            }
            _ => {
                let options = Options {
                    validation: a.validation,
                    timeout: Duration::from_secs_f64(a.timeout),
                    ..Options::default()
                };
                let device = Device::open(choice.clone(), options)?;
                let options = VulkanOptions {
                    subgroup_size: a.subgroup_size,
                    no_facts: a.translation.no_facts,
                    bind: a.translation.bind,
                    profile,
                    translate,
                };
                let mut executor = VulkanExecutor::new(device, options);
                for path in &a.cases {
                    exit = exit.and(one(a, path, &mut Place::Vulkan(&mut executor), streams)?);
                }
            }
        },
    }
    Ok(exit)
}

/// The reference, with the time that a case may take.
fn reference(a: &Arguments) -> ReferenceExecutor {
    ReferenceExecutor {
        options: spirdna_reference::Options {
            time_limit: Some(Duration::from_secs_f64(a.timeout)),
            ..spirdna_reference::Options::default()
        },
    }
}

/// An executor, by kind: a device runs the original module too.
enum Place<'a> {
    Reference(&'a mut ReferenceExecutor),
    Machine(&'a mut MachineExecutor),
    Vulkan(&'a mut VulkanExecutor),
}

/// What became of a case.
struct Verdict {
    exit: Exit,
    failures: Vec<String>,
    notes: Vec<String>,
}

/// Runs one case and prints its line. Errors of the case do not end the others.
fn one(
    a: &Arguments,
    path: &Path,
    place: &mut Place<'_>,
    streams: &mut Streams<'_>,
) -> Result<Exit, CliError> {
    let loaded = Case::load(path);
    let wave = loaded
        .as_ref()
        .ok()
        .and_then(|c| c.dispatches.first())
        .map_or(1, |d| d.launch.wave.lanes());
    let verdict = match loaded {
        Ok(case) => judged(a, &case, place)?,
        Err(e) => unusable(e),
    };
    let word = match verdict.exit {
        Exit::Success => "pass",
        Exit::Failed => "FAIL",
        Exit::Unusable => "unusable",
        Exit::Refused => "refused",
        Exit::Device => "device lost",
    };
    let name = match place {
        Place::Reference(e) => e.name(),
        Place::Machine(e) => format!("{}, S = {}", e.name(), e.subgroup_size(wave)),
        Place::Vulkan(e) => format!("{}, S = {}", e.name(), e.subgroup_size(wave)),
    };
    writeln!(streams.out, "{word}  {}  on {name}", path.display())?;
    for failure in &verdict.failures {
        for line in failure.lines().take(LINES) {
            writeln!(streams.err, "  {line}")?;
        }
    }
    for note in &verdict.notes {
        writeln!(streams.err, "  note: {note}")?;
    }
    Ok(verdict.exit)
}

fn unusable(e: CaseError) -> Verdict {
    let e = CliError::from(e);
    Verdict {
        exit: e.exit(),
        failures: vec![e.to_string()],
        notes: Vec::new(),
    }
}

fn judged(a: &Arguments, case: &Case, place: &mut Place<'_>) -> Result<Verdict, CliError> {
    let ran = match place {
        Place::Reference(e) => e.run(case).map(|o| (judge(case, &o), o)),
        Place::Machine(e) => on_host(a, case, *e),
        Place::Vulkan(e) => on_host(a, case, *e),
    };
    let (failures, outcome) = match ran {
        Ok(ran) => ran,
        Err(error) => {
            return Ok(Verdict {
                exit: run_exit(&error),
                failures: vec![format!("{}: {error}", case.path.display())],
                notes: Vec::new(),
            });
        }
    };
    for (name, file) in &a.dump {
        let region = outcome
            .memory
            .find(name)
            .and_then(|id| outcome.memory.get(id));
        let Some(region) = region else {
            let text = format!("--dump: {} has no region `{name}`", case.path.display());
            return Err(CliError::Usage(text));
        };
        std::fs::write(file, &region.bytes).map_err(|error| CliError::Write {
            path: file.clone(),
            error,
        })?;
    }
    // An access outside every region is unusable input: the case does not hold what it runs on.
    let faults = failures.iter().any(|f| matches!(f, Failure::Fault(_)));
    let exit = match failures.as_slice() {
        [] => Exit::Success,
        _ if faults => Exit::Unusable,
        _ => Exit::Failed,
    };
    let failures = failures
        .iter()
        .map(|f| format!("{}: {f}", case.path.display()))
        .collect();
    Ok(Verdict {
        exit,
        failures,
        notes: outcome.notes,
    })
}

/// Judges a translation's result, also by what the original module and the reference leave.
fn on_host<H: Host>(
    a: &Arguments,
    case: &Case,
    host: &mut H,
) -> Result<(Vec<Failure>, Outcome), RunError> {
    let outcome = host.run(case)?;
    let mut failures = judge(case, &outcome);
    if host.can_compare_original(case) {
        let original = host.run_original(case)?;
        failures.extend(same_as_original(case, &outcome, &original));
    }
    // After an access outside every region nothing more is promised, and Fast has bits of its own.
    let exact = a.translation.is_exact() && outcome.faults.is_empty();
    if exact && !a.no_reference {
        let reference = reference(a).run(case)?;
        failures.extend(same_memory(case, &outcome, &reference, "the reference"));
    }
    Ok((failures, outcome))
}

/// A device as [`parse_device`] reads it.
pub(crate) fn device_argument(device: &RunDevice) -> String {
    match device {
        RunDevice::Reference => "reference".to_owned(),
        RunDevice::Machine => "machine".to_owned(),
        RunDevice::Vulkan(DeviceChoice::Default) => "vulkan".to_owned(),
        RunDevice::Vulkan(DeviceChoice::Index(n)) => format!("vulkan:{n}"),
        RunDevice::Vulkan(DeviceChoice::Name(name)) => format!("vulkan:{name}"),
    }
}

/// Runs one case in a child process of this program and passes on what it prints.
fn in_child(
    a: &Arguments,
    program: &Path,
    path: &Path,
    streams: &mut Streams<'_>,
) -> Result<Exit, CliError> {
    let mut command = Command::new(program);
    command.arg("run").arg("--in-process");
    command.arg("--timeout").arg(a.timeout.to_string());
    command.arg("--device").arg(device_argument(&a.device));
    let profile = a.translation.profile()?;
    let size = a.subgroup_size.or(profile.map(|p| p.subgroup_size));
    if let Some(size) = size {
        command.arg("--subgroup-size").arg(size.to_string());
        lavapipe_width(&mut command, size);
    }
    lavapipe_unoptimised(&mut command);
    command.args(a.translation.arguments());
    if a.validation {
        command.arg("--validation");
    }
    if a.no_reference {
        command.arg("--no-reference");
    }
    for (name, file) in &a.dump {
        let mut dump = std::ffi::OsString::from(format!("{name}="));
        dump.push(file);
        command.arg("--dump").arg(dump);
    }
    // Last, after `--`: a file's name may begin with a dash.
    command.arg("--").arg(path);
    // The device's own limit comes first; the child's covers compilation and what does not return.
    let limit = Duration::from_secs_f64(a.timeout + 10.0);
    let output = match run_in_child(command, limit) {
        Ok(output) => output,
        Err(ChildError::Timeout { limit, stderr, .. }) => {
            streams.err.write_all(&stderr)?;
            let seconds = limit.as_secs_f64();
            let text = format!("{}: no result within {seconds} s", path.display());
            return Err(CliError::Child(text));
        }
        Err(e) => return Err(CliError::Child(format!("{}: {e}", path.display()))),
    };
    streams.out.write_all(&output.stdout)?;
    streams.err.write_all(&output.stderr)?;
    match output.status.code().and_then(Exit::from_code) {
        Some(exit) => Ok(exit),
        None => {
            let text = format!(
                "{}: the device process ended with {}",
                path.display(),
                output.status
            );
            Err(CliError::Child(text))
        }
    }
}

//! `spirdna bisect`: the first step of a case at which a device's translation and the reference differ.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use spirdna_case::exec::{
    Executor, MachineExecutor, MachineSetup, ReferenceExecutor, VulkanExecutor, VulkanOptions,
};
use spirdna_lab::bisect::bisect;
use spirdna_lab::fault::Fault;
use spirdna_vulkan::child::{ChildError, lavapipe_unoptimised, lavapipe_width, run_in_child};
use spirdna_vulkan::{Device, Options};

use crate::Streams;
use crate::error::{CliError, Exit};
use crate::options::Translation;
use crate::run::{RunDevice, device_argument, parse_device};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The case file.
    case: PathBuf,
    /// machine, vulkan, vulkan:N or vulkan:name.
    #[arg(long, default_value = "vulkan", value_parser = parse_device)]
    device: RunDevice,
    /// The subgroup size to translate for.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=128))]
    subgroup_size: Option<u32>,
    #[command(flatten)]
    translation: Translation,
    /// Seconds that a run may take, and forty times as long all of them.
    #[arg(long, default_value_t = 60, value_name = "S")]
    timeout: u64,
    /// The folder for the case file that shows the difference.
    #[arg(short, long, default_value = ".", value_name = "DIR")]
    out: PathBuf,
    /// Tell each run, on standard error.
    #[arg(long)]
    verbose: bool,
    /// Give the device another word wherever the code has a certain one: WORD=WORD.
    #[arg(long, hide = true, value_parser = Fault::parse)]
    fault: Option<Fault>,
    /// Run in this process, not in a child.
    #[arg(long, hide = true)]
    in_process: bool,
}

/// Runs of a search: more than its binary search takes.
const RUNS: u64 = 40;

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    if let (RunDevice::Vulkan(_), Some(program), false) =
        (&a.device, &streams.program, a.in_process)
    {
        let program = program.clone();
        return in_child(a, &program, streams);
    }
    let (profile, translate) = (a.translation.profile()?, a.translation.options()?);
    let (no_facts, bind) = (a.translation.no_facts, a.translation.bind);
    let time = Duration::from_secs(a.timeout);
    match &a.device {
        RunDevice::Reference => search(a, &mut ReferenceExecutor::default(), streams),
        RunDevice::Machine => {
            let mut machine = MachineExecutor::new(MachineSetup {
                subgroup_size: a.subgroup_size,
                no_facts,
                bind,
                profile,
                translate,
                budget: None,
                time: Some(time),
            });
            search(a, &mut machine, streams)
        }
        RunDevice::Vulkan(choice) => {
            let options = Options {
                timeout: time,
                ..Options::default()
            };
            let device = Device::open(choice.clone(), options)?;
            let options = VulkanOptions {
                subgroup_size: a.subgroup_size,
                no_facts,
                bind,
                profile,
                translate,
            };
            search(a, &mut VulkanExecutor::new(device, options), streams)
        }
    }
}

fn search(
    a: &Arguments,
    device: &mut dyn Executor,
    streams: &mut Streams<'_>,
) -> Result<Exit, CliError> {
    let verbose = a.verbose;
    let mut progress = |text: &str| {
        if verbose {
            // The search is worth more than the remark.
            let _ = writeln!(streams.err, "  {text}");
        }
    };
    let answer = bisect(&a.case, device, a.fault, &a.out, &mut progress)?;
    write!(streams.out, "{}", answer.text)?;
    Ok(if answer.alike {
        Exit::Success
    } else {
        Exit::Failed
    })
}

/// Searches in a child process of this program, and passes on what it prints.
fn in_child(a: &Arguments, program: &Path, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let mut command = Command::new(program);
    command.arg("bisect").arg("--in-process");
    command.arg("--timeout").arg(a.timeout.to_string());
    command.arg("--device").arg(device_argument(&a.device));
    command.arg("--out").arg(&a.out);
    if let Some(size) = a.subgroup_size {
        command.arg("--subgroup-size").arg(size.to_string());
        lavapipe_width(&mut command, size);
    }
    lavapipe_unoptimised(&mut command);
    command.args(a.translation.arguments());
    if a.verbose {
        command.arg("--verbose");
    }
    if let Some(fault) = a.fault {
        command.arg("--fault").arg(fault.to_string());
    }
    command.arg("--").arg(&a.case);
    let limit = Duration::from_secs(a.timeout.saturating_mul(RUNS));
    let output = match run_in_child(command, limit) {
        Ok(output) => output,
        Err(ChildError::Timeout { limit, stderr, .. }) => {
            streams.err.write_all(&stderr)?;
            let text = format!("no result within {} s", limit.as_secs());
            return Err(CliError::Child(text));
        }
        Err(e) => return Err(CliError::Child(e.to_string())),
    };
    streams.out.write_all(&output.stdout)?;
    streams.err.write_all(&output.stderr)?;
    match output.status.code().and_then(Exit::from_code) {
        Some(exit) => Ok(exit),
        None => {
            let text = format!("the device process ended with {}", output.status);
            Err(CliError::Child(text))
        }
    }
}

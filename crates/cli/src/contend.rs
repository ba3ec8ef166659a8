//! `spirdna contend`: atomics of many lanes on one address, on a device or the machine. For a machine that
//! has only this program; `tests/contention.rs` runs part of it.

use std::time::Duration;

use clap::Args;
use spirdna_case::exec::{Executor, MachineExecutor, MachineSetup, VulkanExecutor, VulkanOptions};
use spirdna_isa::WaveSize;
use spirdna_proof::memory::contended::{Contention, atomics};
use spirdna_proof::{Depth, Selection};
use spirdna_vulkan::{Device, Options};

use crate::Streams;
use crate::error::{CliError, Exit};
use crate::options::Translation;
use crate::run::{RunDevice, parse_device};

/// Atomics in a module: small ones compile fast.
const TOGETHER: usize = 8;

#[derive(Args)]
pub(crate) struct Arguments {
    /// machine, vulkan, vulkan:N or vulkan:name.
    #[arg(long, default_value = "machine", value_parser = parse_device)]
    device: RunDevice,
    /// The subgroup size to translate for.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=128))]
    subgroup_size: Option<u32>,
    #[command(flatten)]
    translation: Translation,
    /// 32 or 64; both when absent.
    #[arg(long)]
    wave: Option<u32>,
    /// Opcodes whose name contains one of these.
    #[arg(long)]
    filter: Vec<String>,
    /// How often each module runs.
    #[arg(long, default_value_t = 1)]
    repeat: u32,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let waves: &[WaveSize] = match a.wave {
        None => &[WaveSize::W32, WaveSize::W64],
        Some(32) => &[WaveSize::W32],
        Some(64) => &[WaveSize::W64],
        Some(_) => return Err(CliError::Usage("--wave is 32 or 64".to_owned())),
    };
    let mut place: Box<dyn Executor> = match &a.device {
        RunDevice::Reference => {
            let text = "on the reference no two lanes come at once".to_owned();
            return Err(CliError::Usage(text));
        }
        RunDevice::Machine => Box::new(MachineExecutor::new(MachineSetup {
            subgroup_size: a.subgroup_size,
            profile: a.translation.profile()?,
            translate: a.translation.options()?,
            ..MachineSetup::default()
        })),
        RunDevice::Vulkan(choice) => {
            let options = Options {
                timeout: Duration::from_secs(120),
                ..Options::default()
            };
            let device = Device::open(choice.clone(), options)?;
            let options = VulkanOptions {
                subgroup_size: a.subgroup_size,
                profile: a.translation.profile()?,
                translate: a.translation.options()?,
                ..VulkanOptions::default()
            };
            Box::new(VulkanExecutor::new(device, options))
        }
    };
    let (mut right, mut wrong) = (0, 0);
    for &wave in waves {
        let mut selection = Selection::all(Depth::Long);
        selection.filter.clone_from(&a.filter);
        let all = atomics(&selection, wave);
        // Of one target and one memory each.
        let mut groups: Vec<Vec<_>> = Vec::new();
        for atomic in all {
            let same = |group: &&mut Vec<_>| {
                group.len() < TOGETHER && group.first().is_some_and(|first| atomic.goes_with(first))
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.push(atomic),
                None => groups.push(vec![atomic]),
            }
        }
        for (i, group) in groups.into_iter().enumerate() {
            let count = group.len();
            let name = format!("contention w{} {i}", wave.lanes());
            let contention = Contention::new(name, group, wave).map_err(CliError::Usage)?;
            for _ in 0..a.repeat.max(1) {
                let bad = match place.run(&contention.case) {
                    Ok(outcome) => contention.judge(&outcome.memory),
                    Err(e) => vec![format!("{}: {e}", contention.case.name)],
                };
                for text in &bad {
                    writeln!(streams.err, "WRONG {text}")?;
                }
                wrong += bad.len();
                right += count.saturating_sub(bad.len());
            }
        }
    }
    writeln!(streams.out, "{right} atomics in an order, {wrong} not")?;
    Ok(if wrong == 0 && right > 0 {
        Exit::Success
    } else {
        Exit::Failed
    })
}

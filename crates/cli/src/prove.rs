//! `spirdna prove`: runs generated programs for every opcode on the reference and on a Vulkan device and
//! writes what agrees as proof rows. Batches run in child processes of this program.

use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use clap::{Args, ValueEnum};
use spirdna_case::exec::{VulkanExecutor, VulkanOptions};
use spirdna_isa::WaveSize;
use spirdna_proof::pool::{self, Errand, Tally};
use spirdna_proof::{Depth, Selection};
use spirdna_vulkan::child::{lavapipe_unoptimised, lavapipe_width};
use spirdna_vulkan::{Device, DeviceChoice, Options};

use crate::Streams;
use crate::error::{CliError, Exit};
use crate::options::{MemoryName, read_profile};
use crate::run::{RunDevice, device_argument, parse_device};

#[derive(Args)]
pub(crate) struct Arguments {
    /// vulkan, vulkan:N or vulkan:name.
    #[arg(long, default_value = "vulkan", value_parser = parse_device)]
    device: RunDevice,
    /// The subgroup size to translate for.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=128))]
    subgroup_size: u32,
    /// Write the proof rows to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The small fixed set instead of every instance.
    #[arg(long)]
    ci: bool,
    /// Only opcodes whose name contains this; may be given several times.
    #[arg(long)]
    filter: Vec<String>,
    /// Instances in a module at most; 16 at S = 1, where a module holds all lanes of a wave in each invocation
    /// and NVIDIA's compiler gets larger ones wrong; elsewhere what the generators take.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    items: Option<u16>,
    /// Only batches whose name contains this; may be given several times. What a batch is made of depends on
    /// the other options and on --processes.
    #[arg(long, conflicts_with = "out")]
    batch: Vec<String>,
    /// Only these of the instances of a batch, by number.
    #[arg(long, value_name = "FROM..TO", value_parser = parse_range, requires = "batch")]
    claims: Option<Range<usize>>,
    /// Only this wave size.
    #[arg(long, value_parser = parse_wave)]
    wave: Option<WaveSize>,
    /// One opcode form in OF, beginning with number N.
    #[arg(long, value_name = "N/OF", value_parser = parse_part, default_value = "0/1")]
    turn: (usize, usize),
    /// Device processes at once.
    #[arg(long, default_value_t = 2)]
    processes: usize,
    /// Seconds that a batch may take, compilation included.
    #[arg(long, default_value_t = 300, value_name = "S")]
    timeout: u64,
    /// Translate by this host profile instead of what the device says of itself; no rows are written then.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    profile: Option<PathBuf>,
    /// How guest addresses become places on the host; no rows are written for another than the windows.
    #[arg(long, value_enum, default_value = "window")]
    memory: MemoryName,
    /// Print the time of every batch.
    #[arg(long)]
    time: bool,
    /// The shard of a child process.
    #[arg(long, hide = true, value_parser = parse_part, requires_all = ["results", "skip"])]
    shard: Option<(usize, usize)>,
    /// Where a child process writes.
    #[arg(long, hide = true)]
    results: Option<PathBuf>,
    /// What a child process leaves out.
    #[arg(long, hide = true)]
    skip: Option<PathBuf>,
}

pub(crate) fn parse_part(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(n, of)| Some((n.parse().ok()?, of.parse().ok()?)));
    parts
        .filter(|(n, of)| n < of)
        .ok_or_else(|| "needs N/OF with N below OF".to_owned())
}

fn items(a: &Arguments) -> usize {
    match (a.items, a.subgroup_size) {
        (Some(items), _) => usize::from(items),
        (None, 1) => 16,
        (None, _) => usize::MAX,
    }
}

fn parse_range(text: &str) -> Result<Range<usize>, String> {
    let parts = text.split_once("..");
    let parts = parts.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    parts.ok_or_else(|| "needs FROM..TO".to_owned())
}

fn parse_wave(text: &str) -> Result<WaveSize, String> {
    let lanes = text.parse().ok();
    lanes
        .and_then(WaveSize::from_lanes)
        .ok_or_else(|| "there are 32 and 64".to_owned())
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let RunDevice::Vulkan(choice) = &a.device else {
        let text = "a proof needs a Vulkan device".to_owned();
        return Err(CliError::Usage(text));
    };
    // Read here too, so that an unusable file is told before the first process starts.
    a.profile.as_deref().map(read_profile).transpose()?;
    if a.out.is_some() && a.memory != MemoryName::Window {
        let text = "rows are written for --memory window alone".to_owned();
        return Err(CliError::Usage(text));
    }
    let depth = if a.ci { Depth::Ci } else { Depth::Long };
    let mut selection = Selection {
        turn: a.turn,
        filter: a.filter.clone(),
        items: items(a),
        batches: a.batch.clone(),
        claims: a.claims.clone(),
        ..Selection::all(depth)
    };
    if let Some(wave) = a.wave {
        selection.waves = vec![wave];
    }
    if let (Some(shard), Some(results), Some(skip)) = (a.shard, &a.results, &a.skip) {
        let errand = Errand {
            shard,
            results: results.clone(),
            skip: skip.clone(),
        };
        pool::child(&selection, &errand, &mut || open(a, choice))?;
        return Ok(Exit::Success);
    }
    let Some(program) = streams.program.clone() else {
        return Err(CliError::Usage("there is no program to start".to_owned()));
    };
    let patience = Duration::from_secs(a.timeout);
    let command = |errand: &Errand| {
        let mut command = Command::new(&program);
        let (n, of) = errand.shard;
        command
            .args(["prove", "--device", &device_argument(&a.device)])
            .args(["--subgroup-size", &a.subgroup_size.to_string()])
            .args(["--turn", &format!("{}/{}", a.turn.0, a.turn.1)])
            .args(["--timeout", &a.timeout.to_string()])
            .args(["--shard", &format!("{n}/{of}")])
            .arg("--results")
            .arg(&errand.results)
            .arg("--skip")
            .arg(&errand.skip);
        if a.ci {
            command.arg("--ci");
        }
        for filter in &a.filter {
            command.args(["--filter", filter]);
        }
        if let Some(items) = a.items {
            command.args(["--items", &items.to_string()]);
        }
        for batch in &a.batch {
            command.args(["--batch", batch]);
        }
        if let Some(Range { start, end }) = &a.claims {
            command.args(["--claims", &format!("{start}..{end}")]);
        }
        if let Some(profile) = &a.profile {
            command.arg("--profile").arg(profile);
        }
        if let Some(memory) = a.memory.to_possible_value() {
            command.args(["--memory", memory.get_name()]);
        }
        if let Some(wave) = a.wave {
            command.args(["--wave", &wave.lanes().to_string()]);
        }
        lavapipe_width(&mut command, a.subgroup_size);
        lavapipe_unoptimised(&mut command);
        command
    };
    let tally = pool::run(a.processes.max(1), patience, &command)?;
    report(a, &tally, streams)
}

fn open(a: &Arguments, choice: &DeviceChoice) -> Result<VulkanExecutor, String> {
    let options = Options {
        timeout: Duration::from_secs(a.timeout),
        ..Options::default()
    };
    let device = Device::open(choice.clone(), options).map_err(|e| e.to_string())?;
    let profile = a.profile.as_deref().map(read_profile).transpose();
    let options = VulkanOptions {
        subgroup_size: Some(a.subgroup_size),
        profile: profile.map_err(|e| e.to_string())?,
        translate: spirdna_translate::options::Options {
            memory: a.memory.into(),
            ..Default::default()
        },
        ..VulkanOptions::default()
    };
    Ok(VulkanExecutor::new(device, options))
}

fn report(a: &Arguments, tally: &Tally, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    if let Some(why) = &tally.unusable {
        return Err(CliError::Child(why.clone()));
    }
    for text in &tally.wrong {
        writeln!(streams.err, "WRONG  {text}")?;
    }
    if a.time {
        for (name, seconds) in &tally.batches {
            writeln!(streams.out, "{seconds:8.3} s  {name}")?;
        }
    }
    for (text, reason) in &tally.refused {
        writeln!(streams.out, "refused  {text}: {reason}")?;
    }
    for note in &tally.notes {
        writeln!(streams.out, "note  {note}")?;
    }
    if tally.keys.is_empty() {
        let text = "no instruction is selected".to_owned();
        return Err(CliError::Usage(text));
    }
    let file = tally.rows(a.subgroup_size);
    let tuples: u64 = file.rows.iter().map(|r| r.tuples).sum();
    writeln!(
        streams.out,
        "{} of {} keys proven with {tuples} tuples on {}, S = {}; {} batches, {} instances refused, \
         {} wrong",
        file.rows.len(),
        tally.keys.len(),
        tally.device,
        a.subgroup_size,
        tally.batches.len(),
        tally.refused.len(),
        tally.wrong.len(),
    )?;
    if let Some(path) = &a.out {
        file.save(path)?;
    }
    Ok(if tally.wrong.is_empty() {
        Exit::Success
    } else {
        Exit::Failed
    })
}

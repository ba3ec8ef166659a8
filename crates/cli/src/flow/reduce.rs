//! `spirdna flow --reduce`: what of a program makes it differ from the reference, and how.

use std::time::{Duration, Instant};

use spirdna_case::Case;
use spirdna_case::exec::{Executor, Outcome, ReferenceExecutor, VulkanOptions};
use spirdna_case::flow::{FlowProgram, reduce};
use spirdna_case::profile::profile_from_device;
use spirdna_reference::Options;

use super::Place;
use crate::Streams;
use crate::error::CliError;

/// Lane-instructions that a smaller program may take on the reference: far more than a random one does,
/// and far fewer than one without an end.
const STEPS: u64 = 400_000;

/// Threads whose words are shown.
const SHOWN: usize = 8;

/// Makes the program small, prints it with what differs, and what other translations of it give.
pub(super) fn report(
    program: &FlowProgram,
    place: &mut Place,
    limit: Duration,
    streams: &mut Streams<'_>,
) -> Result<FlowProgram, CliError> {
    let begin = Instant::now();
    let mut tried = 0u32;
    let small = reduce(program, &mut |trial| {
        if begin.elapsed() > limit {
            return false;
        }
        tried += 1;
        trial
            .case("trial.case.toml")
            .is_ok_and(|case| run_both(&case, place).is_some_and(|(a, b)| !same(&a, &b)))
    });
    let seconds = begin.elapsed().as_secs();
    writeln!(
        streams.out,
        "reduced in {seconds} s with {tried} trials to:\n{}",
        small.case_text()
    )?;
    for (name, program) in [("the program", program), ("reduced", &small)] {
        let case = program.case("program.case.toml")?;
        write_differences(name, &case, place, streams)?;
        variants(name, &case, place, streams)?;
    }
    Ok(small)
}

/// What the reference and the place leave; `None` where one of them does not run it.
fn run_both(case: &Case, place: &mut Place) -> Option<(Outcome, Outcome)> {
    let mut reference = ReferenceExecutor {
        options: Options {
            step_limit: STEPS,
            ..Options::default()
        },
    };
    let expected = reference.run(case).ok()?;
    Some((expected, place.run(case).ok()?))
}

fn words(outcome: &Outcome) -> Vec<u32> {
    let regions = outcome.memory.regions().iter();
    let bytes: Vec<u8> = regions.flat_map(|r| r.bytes.iter().copied()).collect();
    let word = |c: &[u8]| c.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
    bytes.chunks(4).map(word).collect()
}

fn same(a: &Outcome, b: &Outcome) -> bool {
    words(a) == words(b)
}

/// A line for each lane that differs: its four dwords (LDS, v2 with EXEC, s11 with s10, v1 with masks).
fn write_differences(
    name: &str,
    case: &Case,
    place: &mut Place,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    let Some((expected, got)) = run_both(case, place) else {
        writeln!(streams.out, "{name}: does not run")?;
        return Ok(());
    };
    let (expected, got) = (words(&expected), words(&got));
    let lanes = expected.chunks(4).zip(got.chunks(4)).enumerate();
    let differ: Vec<_> = lanes.filter(|(_, (a, b))| a != b).collect();
    for (lane, (a, b)) in differ.iter().take(SHOWN) {
        writeln!(
            streams.out,
            "{name}: thread {lane}: expected {a:08x?}, got {b:08x?}"
        )?;
    }
    let all: Vec<usize> = differ.iter().map(|(lane, _)| *lane).collect();
    writeln!(streams.out, "{name}: threads that differ: {all:?}")?;
    Ok(())
}

/// Runs other translations of the program on the same device: whether each differs.
fn variants(
    name: &str,
    case: &Case,
    place: &mut Place,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    let Place::Vulkan(device) = place else {
        return Ok(());
    };
    let own = device.options().clone();
    let size = own.subgroup_size.unwrap_or(32);
    let profile = profile_from_device(device.device().info(), size);
    for (text, uniform, maximal, subgroup_size) in [
        ("as it was", None, None, None),
        ("no reconvergence mode", Some(false), Some(false), None),
        ("uniform control flow", Some(true), Some(false), None),
        ("maximal reconvergence", Some(false), Some(true), None),
        ("S = 1", None, None, Some(1)),
    ] {
        let mut profile = profile.clone();
        if let Some(on) = uniform {
            profile.subgroup_uniform_control_flow &= on;
        }
        if let Some(on) = maximal {
            profile.maximal_reconvergence &= on;
        }
        device.set_options(VulkanOptions {
            profile: Some(profile),
            subgroup_size: subgroup_size.or(own.subgroup_size),
            ..own.clone()
        });
        let ran = device.run(case);
        let judged = match (ran, ReferenceExecutor::default().run(case)) {
            (Ok(got), Ok(expected)) if same(&got, &expected) => "alike".to_owned(),
            (Ok(_), Ok(_)) => "differs".to_owned(),
            (Err(e), _) | (_, Err(e)) => e.to_string(),
        };
        writeln!(streams.out, "{name}, {text}: {judged}")?;
    }
    device.set_options(own);
    Ok(())
}

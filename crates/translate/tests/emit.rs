//! Emission on small IR modules: every module passes `spirv-val` at every wave and subgroup size, is the
//! same each time, and, executed on lavapipe, writes what plain Rust says it must (`programs.rs` states
//! each program twice: as IR, and as the words that memory must hold afterwards).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    reason = "a failed step is a failed test; a child tells its parent what it found"
)]

#[path = "emit/atomics.rs"]
mod atomics;
#[path = "emit/floats.rs"]
mod floats;
#[path = "emit/flow.rs"]
mod flow;
#[path = "emit/harness.rs"]
mod harness;
#[path = "emit/lanes.rs"]
mod lanes;
#[path = "emit/memory.rs"]
mod memory;
#[path = "emit/programs.rs"]
mod programs;
#[path = "emit/values.rs"]
mod values;

use harness::{emit_program, execute_all, on_lavapipe, profile, spirv_val};
use programs::programs;
use spirdna_isa::WaveSize;

const WAVES: [WaveSize; 2] = [WaveSize::W32, WaveSize::W64];
const SUBGROUPS: [u32; 6] = [1, 4, 8, 16, 32, 64];

#[test]
fn every_module_is_valid_at_every_size() {
    let mut modules = Vec::new();
    for wave in WAVES {
        for s in SUBGROUPS {
            if s > wave.lanes() {
                continue;
            }
            for program in programs(wave) {
                let emitted = emit_program(&program, &profile(s)).expect(program.name);
                modules.push((
                    format!("{}-w{}-s{s}", program.name, wave.lanes()),
                    emitted.words,
                ));
            }
        }
    }
    spirv_val(&modules);
}

#[test]
fn a_module_is_the_same_each_time() {
    for program in programs(WaveSize::W64) {
        for s in [1, 8, 32] {
            let first = emit_program(&program, &profile(s)).unwrap();
            let second = emit_program(&program, &profile(s)).unwrap();
            assert_eq!(first, second, "{} at S = {s}", program.name);
        }
    }
}

#[test]
fn every_program_writes_what_it_must_at_4_invocations() {
    on_lavapipe("execute::at_4", 128);
}

#[test]
fn every_program_writes_what_it_must_at_8_invocations_and_at_one() {
    on_lavapipe("execute::at_8_and_1", 256);
}

#[test]
fn every_program_writes_what_it_must_at_16_invocations() {
    on_lavapipe("execute::at_16", 512);
}

/// What the children do.
mod execute {
    use super::execute_all;

    #[test]
    #[ignore = "run by a parent test in a child process"]
    fn at_4() {
        execute_all(&[4]);
    }

    #[test]
    #[ignore = "run by a parent test in a child process"]
    fn at_8_and_1() {
        execute_all(&[8, 1]);
    }

    #[test]
    #[ignore = "run by a parent test in a child process"]
    fn at_16() {
        execute_all(&[16]);
    }
}

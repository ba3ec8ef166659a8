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
use spirdna_translate::emit::EmitError;
use spirdna_translate::ir::{MemWidth, Op};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::reflect::BufferUse;

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
    spirv_val("vulkan1.3", &modules);
}

/// What a Vulkan 1.1 host with nothing optional takes, and why it does not take the rest.
#[test]
fn a_portable_host_gets_a_valid_module_or_a_reason() {
    let mut modules = Vec::new();
    let mut refused = Vec::new();
    for wave in WAVES {
        for s in [1, 4, 32] {
            let host = HostProfile {
                max_workgroup_invocations: 1024,
                ..HostProfile::portable(s)
            };
            for program in programs(wave) {
                match emit_program(&program, &host) {
                    Ok(emitted) => modules.push((
                        format!("{}-w{}-s{s}", program.name, wave.lanes()),
                        emitted.words,
                    )),
                    Err(EmitError::Missing(what)) => refused.push((program.name, what)),
                    Err(error) => panic!("{}: {error}", program.name),
                }
            }
        }
    }
    spirv_val("vulkan1.1", &modules);
    refused.sort_unstable();
    refused.dedup();
    for (name, what) in &refused {
        let expected = match *name {
            "doubles" => "Float64",
            "halves" => "Float16",
            _ => "nothing",
        };
        assert_eq!(*what, expected, "{name}");
    }
    // 64-bit atomics go under locks there.
    assert_eq!(refused.len(), 2);
}

#[test]
fn what_does_not_fit_the_host_is_refused_with_the_numbers() {
    let all = programs(WaveSize::W32);
    let program = |name: &str| all.iter().find(|program| program.name == name).unwrap();
    assert_eq!(
        emit_program(program("words"), &profile(3)).unwrap_err(),
        EmitError::Lanes {
            wave: 32,
            subgroup: 3
        }
    );
    let narrow = HostProfile {
        max_workgroup_invocations: 127,
        ..profile(32)
    };
    assert!(matches!(
        emit_program(program("words"), &narrow),
        Err(EmitError::Limit {
            needed: 128,
            available: 127,
            ..
        })
    ));
    let small = HostProfile {
        max_workgroup_memory: 1023,
        ..profile(32)
    };
    // LDS then lies in a buffer, with a cell behind it for loads of no lane, in whole 16 bytes.
    let emitted = emit_program(program("reduction"), &small).unwrap();
    let lds = emitted.buffers.iter().find(|b| b.usage == BufferUse::Lds);
    assert_eq!(lds.map(|b| b.min_bytes), Some(1040));
    assert_eq!(emitted.workgroup_bytes, 0);
    let old = HostProfile {
        spirv: (1, 2),
        ..profile(32)
    };
    assert_eq!(
        emit_program(program("words"), &old).unwrap_err(),
        EmitError::Missing("SPIR-V 1.3")
    );
}

#[test]
fn lds_that_leaves_no_room_for_its_lock_is_a_buffer() {
    let all = programs(WaveSize::W32);
    let wide = |op: Op| {
        matches!(
            op,
            Op::LdsAtomic {
                width: MemWidth::B64,
                ..
            }
        )
    };
    let program = all.iter().find(|program| {
        let func = &program.module.func;
        let mut insts = func.blocks().flat_map(|block| &func.block(block).insts);
        insts.any(|&inst| wide(func.inst(inst).op))
    });
    let program = program.unwrap();
    let bytes = program.module.lds_bytes;
    let host = |room: u32| HostProfile {
        buffer_atomic64: false,
        shared_atomic64: false,
        max_workgroup_memory: bytes + room,
        ..profile(32)
    };
    let beside = emit_program(program, &host(4)).unwrap();
    assert_eq!(beside.workgroup_bytes, bytes + 4);
    let without = emit_program(program, &host(3)).unwrap();
    assert_eq!(without.workgroup_bytes, 0);
    for usage in [BufferUse::Lds, BufferUse::Locks] {
        assert!(
            without.buffers.iter().any(|b| b.usage == usage),
            "{usage:?}"
        );
    }
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

    #[test]
    #[ignore = "by hand, on a device with subgroups of 32"]
    fn at_32_and_1() {
        execute_all(&[32, 1]);
    }
}

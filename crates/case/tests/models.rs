//! What a module says of addresses that its memory model does not have: the fault, and of pages the bitmap.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::path::Path;

use spirdna_case::Case;
use spirdna_case::exec::{Executor, MachineExecutor, MachineSetup};
use spirdna_translate::options::{MemoryModel, Options};

/// Lane l stores its number + 1 at `data` + 36 l, if bit l of EXEC is set: `data` ends at 512, so lanes
/// from 15 on are outside. Lane 14's dword is the last that fits the first 508 bytes.
fn case(exec: u32) -> Case {
    let text = format!(
        r#"
[shader]
target = "gfx1030"
stage = "compute"
wave = 32
asm = """
v_mul_u32_u24_e32 v1, 36, v0
v_add_nc_u32_e32 v2, 1, v0
s_mov_b32 exec_lo, {exec:#x}
global_store_dwordx2 v1, v[2:3], s[0:1]
s_endpgm
"""
[launch]
groups = [1, 1, 1]
local = [32, 1, 1]
sgprs = [{{ lo = "data" }}, {{ hi = "data" }}]
vgprs = ["local_id_x"]
[[memory]]
name = "data"
address = "0x700000000"
size = 512
fill = 0
[expect_fault]
kind = "unmapped"
"#
    );
    Case::parse(Path::new("t.case.toml"), &text).unwrap()
}

fn run(case: &Case, memory: MemoryModel, subgroup_size: u32) -> spirdna_case::exec::Outcome {
    let translate = Options {
        memory,
        ..Options::default()
    };
    let mut machine = MachineExecutor::new(MachineSetup {
        subgroup_size: Some(subgroup_size),
        translate,
        ..MachineSetup::default()
    });
    machine.run(case).unwrap()
}

/// Lane 14 stores 8 bytes at 504, lane 15 at 540: the harness has pages of 128 bytes there, and knows of
/// one page behind the last, which is missing.
#[test]
fn pages_that_active_lanes_miss_have_their_bit_set() {
    let page = 0x7_0000_0200;
    for s in [1, 8, 32] {
        for (exec, faults, missed) in [
            // All lanes inside, the last store ends at 512.
            (0x7fff, false, vec![]),
            // Lane 15's page is known; those of lanes 18 and more are not.
            (0xffff, true, vec![page]),
            (0x8000_0000, true, vec![]),
            (u32::MAX, true, vec![page]),
        ] {
            let outcome = run(&case(exec), MemoryModel::Pages, s);
            assert_eq!(outcome.fault_count > 0, faults, "S = {s}, {exec:#x}");
            assert_eq!(outcome.missed_pages, missed, "S = {s}, {exec:#x}");
            let bytes = &outcome.memory.regions()[0].bytes;
            for lane in 0..15u8 {
                let at = usize::from(lane) * 36;
                let stored = exec >> lane & 1 != 0;
                assert_eq!(bytes[at], if stored { lane + 1 } else { 0 });
            }
        }
    }
}

/// Of the other models a fault is all that is said, and no neighbour is written.
#[test]
fn ranges_and_windows_say_faults() {
    for memory in [MemoryModel::Windows, MemoryModel::Offset] {
        for exec in [0x7fffu32, 0x8000] {
            let outcome = run(&case(exec), memory, 8);
            assert_eq!(outcome.fault_count > 0, exec == 0x8000, "{memory:?}");
            assert!(outcome.missed_pages.is_empty());
            let stored = outcome.memory.regions()[0].bytes.iter().any(|&b| b != 0);
            assert_eq!(stored, exec == 0x7fff);
        }
    }
}

//! Control flow, barriers, launch state and limits, on whole programs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod common;

use common::Test;
use spirdna_isa::launch::{InitialVgpr, SystemSgpr};
use spirdna_isa::{SReg, WaveSize};
use spirdna_reference::{CODE_BASE, ExecError, Grid, Register};

#[test]
fn a_loop_counts_down() {
    let t = Test::wave32(&[
        0xbe800385, // s_mov_b32 s0, 5
        0xbe810380, // s_mov_b32 s1, 0
        0x80010001, // s_add_u32 s1, s1, s0
        0x80808100, // s_sub_u32 s0, s0, 1
        0xbf078000, // s_cmp_lg_u32 s0, 0
        0xbf85fffc, // s_cbranch_scc1 -4
    ])
    .run();
    assert_eq!((t.s(0), t.s(1)), (0, 15));
}

#[test]
fn branches_on_masks_test_the_whole_word() {
    // Each taken branch skips an instruction that sets a bit.
    let code = [
        0xbe880380, // s_mov_b32 s8, 0
        0xbf880001, // s_cbranch_execz 1
        0x88088108, // s_or_b32 s8, s8, 1
        0xbf890001, // s_cbranch_execnz 1
        0x88088208, // s_or_b32 s8, s8, 2
        0xbf860001, // s_cbranch_vccz 1
        0x88088408, // s_or_b32 s8, s8, 4
        0xbf870001, // s_cbranch_vccnz 1
        0x88088808, // s_or_b32 s8, s8, 8
    ];
    let mut t = Test::wave32(&code);
    t.launch.vcc = Some(0);
    assert_eq!(t.run().s(8), 1 | 8);
    // In wave32 VCC_HI does not count.
    let mut t = Test::wave32(&code).exec(0);
    t.launch.vcc = Some(1 << 32);
    assert_eq!(t.run().s(8), 2 | 8);
    let mut t = Test::new(WaveSize::W64, &code).exec(1 << 63);
    t.launch.vcc = Some(1 << 32);
    assert_eq!(t.run().s(8), 1 | 4);
}

#[test]
fn calls_and_returns() {
    let t = Test::wave32(&[
        0xbe801f00, // s_getpc_b64 s[0:1]
        0x80029000, // s_add_u32 s2, s0, 16
        0xbe830301, // s_mov_b32 s3, s1
        0xbe842102, // s_swappc_b64 s[4:5], s[2:3]
        0xbf810000, // s_endpgm
        0xbe880387, // s_mov_b32 s8, 7
        0xbe802004, // s_setpc_b64 s[4:5]
    ])
    .run();
    assert_eq!((t.s(0), t.s(8)), (4, 7));
    assert_eq!(t.wave().sgpr64(SReg::from_code(4)).unwrap(), CODE_BASE + 16);
    let t = Test::wave32(&[
        0xbb040002, // s_call_b64 s[4:5], 2
        0xbe890382, // s_mov_b32 s9, 2
        0xbf810000, // s_endpgm
        0xbe880387, // s_mov_b32 s8, 7
        0xbe802004, // s_setpc_b64 s[4:5]
    ])
    .run();
    assert_eq!((t.s(8), t.s(9)), (7, 2));
    assert_eq!(t.wave().sgpr64(SReg::from_code(4)).unwrap(), CODE_BASE + 4);
}

#[test]
fn leaving_the_code_is_an_error() {
    let mut t = Test::wave32(&[]);
    t.code = vec![
        0xbf800000, // s_nop 0
    ];
    assert_eq!(
        t.try_run().unwrap_err(),
        ExecError::LeftCode { pc: 0, target: 4 }
    );
    let mut t = Test::wave32(&[
        0xbf82fffe, // s_branch -2
    ]);
    let e = t.try_run().unwrap_err();
    assert_eq!(
        e,
        ExecError::LeftCode {
            pc: 0,
            target: 0xffff_fffc
        }
    );
    let mut t = Test::wave32(&[
        0xbe802000, // s_setpc_b64 s[0:1]
    ])
    .sgprs(&[2, 0x7f00]);
    let e = t.try_run().unwrap_err();
    assert_eq!(
        e,
        ExecError::LeftCode {
            pc: 0,
            target: CODE_BASE + 2
        }
    );
    let mut t = Test::wave32(&[
        0xbf9f0000, // s_code_end
    ]);
    assert_eq!(t.try_run().unwrap_err(), ExecError::CodeEnd { pc: 0 });
    let mut t = Test::wave32(&[0xffff_ffff]);
    assert!(matches!(t.try_run(), Err(ExecError::Decode(_))));
}

#[test]
fn refusals_name_the_instruction() {
    let mut t = Test::wave32(&[
        0xbf800000, // s_nop 0
        0xbf920002, // s_trap 2
    ]);
    let ExecError::Unsupported(u) = t.try_run().unwrap_err() else {
        panic!("another error");
    };
    assert_eq!(
        (u.pc, u.mnemonic, u.words.as_slice()),
        (4, "S_TRAP", &[0xbf92_0002][..])
    );
}

#[test]
fn an_endless_loop_meets_the_limit() {
    let mut t = Test::wave32(&[
        0xbf82ffff, // s_branch -1
    ]);
    t.options.step_limit = 1000;
    assert_eq!(
        t.try_run().unwrap_err(),
        ExecError::StepLimit { pc: 0, limit: 1000 }
    );
}

#[test]
fn barriers_count_living_waves() {
    // Wave 1 ends early. Wave 0 stores, waits, reads what wave 2 stored before the barrier.
    let mut t = Test::wave32(&[
        0x9384ff00, 0x50014,    // s_bfe_u32 s4, s0, 0x50014
        0xbf068104, // s_cmp_eq_u32 s4, 1
        0xbf85000b, // s_cbranch_scc1 11
        0xbf068204, // s_cmp_eq_u32 s4, 2
        0xbf840006, // s_cbranch_scc0 6
        // wave 2 takes long before it writes 42 to LDS
        0xb0061000, // s_movk_i32 s6, 0x1000
        0x80868106, // s_sub_u32 s6, s6, 1
        0xbf078006, // s_cmp_lg_u32 s6, 0
        0xbf85fffd, // s_cbranch_scc1 -3
        0xd8340000, 0x201,      // ds_write_b32 v1, v2
        0xbf8a0000, // s_barrier
        0xd8d80000, 0x3000001, // ds_read_b32 v3, v1
    ])
    .vgpr(1, |_| 0)
    .vgpr(2, |_| 42)
    .lds(16);
    t.launch.local = [96, 1, 1];
    t.launch.system_sgprs = vec![SystemSgpr::TgSize];
    let t = t.run();
    for wave in [0, 2] {
        assert_eq!(t.waves[&([0; 3], wave)].vgpr(3, 0), 42);
    }
}

#[test]
fn a_wave_may_spin_on_another() {
    // Wave 0 spins until wave 1 wrote LDS.
    let mut t = Test::wave32(&[
        0x9384ff00, 0x50014,    // s_bfe_u32 s4, s0, 0x50014
        0xbf068104, // s_cmp_eq_u32 s4, 1
        0xbf850008, // s_cbranch_scc1 8
        0xd8d80000, 0x3000001,  // ds_read_b32 v3, v1
        0xbefc0380, // s_mov_b32 m0, 0
        0xbf800000, // s_nop 0
        0xd8f80004, 0x4000000,  // ds_append v4 offset:4
        0xbf82fff9, // s_branch -7
        0xbf810000, // s_endpgm
        0xd8340000, 0x201, // ds_write_b32 v1, v2
    ])
    .vgpr(1, |_| 0)
    .vgpr(2, |_| 42)
    .lds(16);
    t.launch.local = [64, 1, 1];
    t.launch.system_sgprs = vec![SystemSgpr::TgSize];
    t.options.step_limit = 100_000;
    // Wave 0 never leaves its loop here, but wave 1 has its turns all the same.
    assert!(matches!(t.try_run(), Err(ExecError::StepLimit { .. })));
    assert_eq!(t.waves[&([0; 3], 0)].vgpr(3, 0), 42);
}

#[test]
fn subvector_loops_run_each_half() {
    let code = [
        0xbe880380, // s_mov_b32 s8, 0
        0xbd940003, // s_subvector_loop_begin s20, 3
        0x80088108, // s_add_u32 s8, s8, 1
        0xbf0d807e, // s_bitcmp1_b32 exec_lo, 0
        0xbe14fffd, // s_subvector_loop_end s20, -3
        0xbf800000, // s_nop 0
    ];
    for (exec, passes) in [(0, 0), (1, 1), (1 << 32, 1), (0xff_0000_00ff, 2)] {
        let t = Test::new(WaveSize::W64, &code).exec(exec).run();
        assert_eq!((t.s(8), t.wave().exec()), (passes, exec), "{exec:x}");
    }
    assert!(Test::wave32(&code).try_run().is_err());
}

#[test]
fn launch_state() {
    let mut t = Test::wave32(&[]).sgprs(&[7]);
    t.launch.local = [8, 4, 2];
    t.launch.vgprs = (0..3).map(|i| (i, InitialVgpr::LocalId(i))).collect();
    t.launch.system_sgprs = vec![
        SystemSgpr::GroupId(0),
        SystemSgpr::GroupId(1),
        SystemSgpr::GroupId(2),
        SystemSgpr::TgSize,
    ];
    t.grid = Grid::groups([2, 1, 3]);
    let t = t.run();
    assert_eq!(t.waves.len(), 12);
    let w = &t.waves[&([1, 0, 2], 1)];
    let s: Vec<u32> = (0..5).map(|c| w.sgpr(SReg::from_code(c))).collect();
    assert_eq!(s, [7, 1, 0, 2, 2 | 1 << 20 | 1 << 6]);
    assert_eq!(t.waves[&([0; 3], 0)].sgpr(SReg::from_code(4)), 2 | 1 << 31);
    // Thread 32 + 13 of 8 x 4 x 2.
    assert_eq!([0, 1, 2].map(|r| w.vgpr(r, 13)), [5, 1, 1]);
    assert_eq!(w.exec(), 0xffff_ffff);
}

#[test]
fn partial_groups_and_waves() {
    let mut t = Test::wave32(&[]);
    t.launch.local = [64, 1, 1];
    t.launch.vgprs = vec![(0, InitialVgpr::LocalId(0))];
    t.grid = Grid::threads([100, 1, 1], [64, 1, 1]);
    let t = t.run();
    let exec: Vec<_> = t
        .waves
        .iter()
        .map(|((g, w), s)| (g[0], *w, s.exec()))
        .collect();
    let full = 0xffff_ffff;
    assert_eq!(
        exec,
        [(0, 0, full), (0, 1, full), (1, 0, full), (1, 1, 0xf)]
    );
    // A wave64 whose group has 40 threads.
    let mut t = Test::new(WaveSize::W64, &[]);
    t.launch.local = [40, 1, 1];
    assert_eq!(t.run().wave().exec(), 0xff_ffff_ffff);
}

#[test]
fn bad_launches_are_errors() {
    let mut t = Test::wave32(&[]);
    t.launch.user_sgprs = 3;
    assert!(matches!(t.try_run(), Err(ExecError::Launch(_))));
    let mut t = Test::wave32(&[]);
    t.launch.local = [1024, 2, 1];
    assert!(matches!(t.try_run(), Err(ExecError::Launch(_))));
    let mut t = Test::wave32(&[]);
    t.grid.threads = Some([65, 1, 1]);
    assert!(matches!(t.try_run(), Err(ExecError::Launch(_))));
}

#[test]
fn undefined_reads_are_reported() {
    let mut t = Test::wave32(&[
        0x80080014, // s_add_u32 s8, s20, s0
        0x82080014, // s_addc_u32 s8, s20, s0
    ])
    .sgprs(&[1]);
    let report = t.try_run().unwrap();
    let found: Vec<_> = report.findings.iter().map(|f| (f.pc, f.register)).collect();
    assert_eq!(found, [(0, Register::S(SReg::from_code(20)))]);
    assert_eq!(report.instructions, 3);
    let mut t = Test::wave32(&[
        0xbf850000, // s_cbranch_scc1 0
    ]);
    assert_eq!(t.try_run().unwrap().findings[0].register, Register::Scc);
}

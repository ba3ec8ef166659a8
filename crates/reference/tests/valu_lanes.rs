//! Vector instructions that cross lanes, select parts, or keep registers: against the manual's text.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop"
)]

mod common;

use common::Test;
use spirdna_isa::{Target, WaveSize, assemble};

fn program(wave: WaveSize, text: &str) -> Test {
    let words = assemble(Target::Gfx1030, wave, text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    Test::new(wave, &words)
        .vgpr(1, |l| 0x100 + l)
        .vgpr(2, |l| 0xdead_0000 + l)
}

#[test]
fn dpp_controls_read_the_lane_that_the_manual_names() {
    type Source = fn(i32) -> Option<i32>;
    let controls: [(&str, Source); 9] = [
        ("quad_perm:[1,3,0,2]", |i| {
            Some(i / 4 * 4 + [1, 3, 0, 2][i as usize % 4])
        }),
        ("row_shl:3", |i| (i + 3 < 16).then_some(i + 3)),
        ("row_shr:5", |i| (i >= 5).then_some(i - 5)),
        ("row_ror:4", |i| Some(if i >= 4 { i - 4 } else { i + 12 })),
        ("row_mirror", |i| Some(15 - i)),
        ("row_half_mirror", |i| {
            Some(if i < 8 { 7 - i } else { 23 - i })
        }),
        ("row_share:6", |_| Some(6)),
        ("row_xmask:9", |i| Some(i ^ 9)),
        ("quad_perm:[3,2,1,0]", |i| Some(i / 4 * 4 + 3 - i % 4)),
    ];
    let exec = 0xffff_ffff_f0ff_3fffu64;
    for (control, source) in controls {
        for (bound, fi) in [(false, false), (true, false), (false, true), (true, true)] {
            let text = format!(
                "v_mov_b32_dpp v2, v1 {control} row_mask:0xe bank_mask:0xd{}{}",
                if bound { " bound_ctrl:0" } else { "" },
                if fi { " fi:1" } else { "" },
            );
            let test = program(WaveSize::W64, &text).exec(exec).run();
            for (lane, got) in test.v(2).into_iter().enumerate() {
                let old = 0xdead_0000 + lane as u32;
                let written = exec >> lane & 1 == 1 && lane / 16 != 0 && lane / 4 % 4 != 1;
                let from = source(lane as i32 % 16).map(|l| lane / 16 * 16 + l as usize);
                let want = match from {
                    _ if !written => old,
                    Some(l) if fi || exec >> l & 1 == 1 => 0x100 + l as u32,
                    _ if bound => 0,
                    _ => old,
                };
                assert_eq!(got, want, "{text} lane {lane}");
            }
        }
    }
}

#[test]
fn dpp8_stays_in_its_eight() {
    let test = program(WaveSize::W32, "v_mov_b32_dpp v2, v1 dpp8:[7,6,5,4,3,2,1,0]")
        .exec(0xffff_ff0f)
        .run();
    for (lane, got) in test.v(2).into_iter().enumerate() {
        let from = lane / 8 * 8 + 7 - lane % 8;
        let want = match (0xffff_ff0fu32 >> lane & 1, 0xffff_ff0fu32 >> from & 1) {
            (0, _) => 0xdead_0000 + lane as u32,
            (_, 0) => 0,
            _ => 0x100 + from as u32,
        };
        assert_eq!(got, want, "lane {lane}");
    }
}

// source: V_PERMLANE*
#[test]
fn permlane_selects_within_its_row() {
    let selects = 0x0123_4567_89ab_cdefu64;
    for (name, flip) in [("v_permlane16_b32", 0), ("v_permlanex16_b32", 16)] {
        for (op_sel, fi, bound) in [
            ("", false, false),
            (" op_sel:[1,0]", true, false),
            (" op_sel:[0,1]", false, true),
        ] {
            let text = format!("{name} v2, v1, s2, s3{op_sel}");
            let exec = 0xffff_0fff_ffff_ff7fu64;
            let test = program(WaveSize::W64, &text)
                .sgprs(&[0, 0, selects as u32, (selects >> 32) as u32])
                .exec(exec)
                .run();
            for (lane, got) in test.v(2).into_iter().enumerate() {
                let pick = (selects >> (4 * (lane % 16)) & 15) as usize;
                let from = (lane / 16 * 16) ^ flip | pick;
                let old = 0xdead_0000 + lane as u32;
                let want = if exec >> lane & 1 == 0 {
                    old
                } else if fi || exec >> from & 1 == 1 {
                    0x100 + from as u32
                } else if bound {
                    0
                } else {
                    old
                };
                assert_eq!(got, want, "{text} lane {lane}");
            }
        }
    }
}

// source: V_MBCNT*
#[test]
fn counts_of_lower_lanes() {
    for wave in [WaveSize::W32, WaveSize::W64] {
        let test = program(
            wave,
            "v_mbcnt_lo_u32_b32 v3, 0xf0f0f0f1, 7\nv_mbcnt_hi_u32_b32 v4, -1, v3",
        )
        .run();
        for lane in 0..wave.lanes() {
            let low = (0..lane.min(32))
                .map(|i| 0xf0f0_f0f1u32 >> i & 1)
                .sum::<u32>()
                + 7;
            assert_eq!(test.v(3)[lane as usize], low);
            assert_eq!(test.v(4)[lane as usize], low + lane.saturating_sub(32));
        }
    }
}

// source: V_READLANE_B32 V_READFIRSTLANE_B32 V_WRITELANE_B32
#[test]
fn single_lanes() {
    let test = program(
        WaveSize::W32,
        "v_readlane_b32 s4, v1, 37\nv_readfirstlane_b32 s5, v1\nv_writelane_b32 v2, s4, 3\ns_mov_b32 exec_lo, 0\nv_readfirstlane_b32 s6, v1",
    )
    .exec(0xfff0)
    .run();
    assert_eq!((test.s(4), test.s(5), test.s(6)), (0x105, 0x104, 0x100));
    assert_eq!(test.v(2)[3], 0x105, "EXEC does not matter");
    assert_eq!(test.v(2)[4], 0xdead_0004);
}

// source: V_MOVREL* V_SWAP*
#[test]
fn relative_moves_and_swaps() {
    let test = program(
        WaveSize::W32,
        "v_mov_b32 v9, 9\nv_mov_b32 v11, 11\ns_mov_b32 m0, 2\nv_movreld_b32 v10, v1\nv_movrels_b32 v5, v9\nv_movrelsd_b32 v20, v9\ns_mov_b32 m0, 0x30002\nv_movrelsd_2_b32 v30, v9\nv_swap_b32 v1, v2\nv_swaprel_b32 v37, v9",
    )
    .vgpr(40, |l| l)
    .run();
    assert_eq!(test.v(12)[5], 0x105);
    assert_eq!(test.v(5)[5], 11);
    assert_eq!(test.v(22)[5], 11);
    assert_eq!(test.v(33)[5], 11);
    assert_eq!((test.v(1)[7], test.v(2)[7]), (0xdead_0007, 0x107));
    assert_eq!((test.v(40)[7], test.v(11)[7]), (11, 7));
    // Past v255 a source is v0 and a destination nothing.
    let test = program(
        WaveSize::W32,
        "v_mov_b32 v0, 77\ns_mov_b32 m0, 0xff\nv_movrels_b32 v5, v1\nv_movreld_b32 v1, 3",
    )
    .run();
    assert_eq!((test.v(5)[4], test.v(0)[4], test.v(1)[4]), (77, 77, 0x104));
    // And past the last register of a wave that has 12: v11 is there, v12 is not.
    for (m0, source, kept) in [(10, 11, 3), (11, 77, 12)] {
        let text = format!(
            "v_mov_b32 v0, 77\nv_mov_b32 v11, 11\nv_mov_b32 v12, 12\ns_mov_b32 m0, {m0}
            v_movrels_b32 v5, v1\nv_movreld_b32 v1, 3"
        );
        let mut test = program(WaveSize::W32, &text);
        test.launch.vgpr_count = 12;
        let test = test.run();
        assert_eq!(test.v(5)[4], source, "M0 = {m0}");
        let (eleven, twelve) = (test.v(11)[4], test.v(12)[4]);
        assert_eq!((eleven, twelve), if kept == 3 { (3, 12) } else { (11, 12) });
    }
    let mut test = program(WaveSize::W32, "s_mov_b32 m0, 11\nv_swaprel_b32 v2, v1");
    test.launch.vgpr_count = 12;
    assert!(test.try_run().is_err());
}

#[test]
fn sdwa_selects_and_inserts() {
    let test = program(
        WaveSize::W32,
        "v_mov_b32_sdwa v2, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
         v_add_nc_u32_sdwa v3, v1, sext(v1) dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_3
         v_cmp_eq_u32_sdwa s4, v1, v1 src0_sel:BYTE_1 src1_sel:BYTE_2",
    );
    let mut test = test
        .vgpr(1, |l| l << 24 | 0x00fe_0000 | l << 3 | 0xfe00)
        .vgpr(3, |_| 0x1122_3344);
    test.launch.vgprs.retain(|(r, _)| *r != 1);
    let test = test.vgpr(1, |l| l << 27 | 0x00fe_fe00 | l << 3).run();
    for lane in 0..32u32 {
        let v = lane << 27 | 0x00fe_fe00 | lane << 3;
        assert_eq!(test.v(2)[lane as usize], i32::from(v as i8) as u32);
        let sum = (v >> 16).wrapping_add(i32::from((v >> 24) as i8) as u32) & 0xff;
        assert_eq!(test.v(3)[lane as usize], 0x1100_3344 | sum << 16);
    }
    assert_eq!(test.s(4), u32::MAX, "both bytes are fe");
}

#[test]
fn wave32_masks_leave_the_upper_register() {
    let test = program(
        WaveSize::W32,
        "s_mov_b32 vcc_hi, 0x1234\nv_cmp_eq_u32 vcc_lo, v1, v1\nv_cmpx_lt_u32 0x107, v1\nv_mov_b32 v3, 1",
    )
    .run();
    assert_eq!((test.s(106), test.s(107)), (u32::MAX, 0x1234));
    assert_eq!(test.wave().exec(), 0xffff_ff00);
}

#[test]
fn what_is_not_exact_is_refused() {
    for text in [
        "v_interp_p1_f32 v2, v1, attr0.x",
        // An inline float as a half of a mixed operation has two readings.
        "v_fma_mix_f32 v2, 1.0, v1, v1 op_sel_hi:[1,0,0]",
        "s_mov_b32 m0, 0x200\nv_swaprel_b32 v2, v1",
    ] {
        let error = program(WaveSize::W32, text).m0(0).try_run().unwrap_err();
        assert!(error.pc().is_some(), "{text}");
    }
}

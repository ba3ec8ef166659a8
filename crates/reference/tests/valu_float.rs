//! Float vector operations that no captured table covers, against the host's arithmetic where that is
//! exact or correctly rounded, and against the manual's text.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop"
)]

mod common;

use common::Test;
use spirdna_isa::launch::{Denorm, Mode, Round};
use spirdna_isa::{Target, WaveSize, assemble};

/// Numbers around 1 and a few larger and smaller ones, none subnormal, of either sign.
fn numbers(seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..64)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let r = (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20) as u32;
            let exp = 127 + (r >> 24 & 7) - 3;
            let special = [0.0, 1.0, -1.0, 2.5, 0.5];
            match r >> 27 & 7 {
                0 => special[(r & 0xff) as usize % special.len()],
                _ => f32::from_bits(r << 31 | exp << 23 | (r >> 1) & 0x7f_ffff),
            }
        })
        .collect()
}

fn mode() -> Mode {
    Mode {
        denorm32: Denorm::Allow,
        ..Mode::default()
    }
}

/// Runs `text` on v1, v2, v3 of numbers; gives them and v10 in each lane.
fn run(target: Target, mode: Mode, text: &str, seed: u64) -> Vec<([f32; 3], u32)> {
    let words = assemble(target, WaveSize::W64, text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let inputs: [Vec<f32>; 3] = std::array::from_fn(|i| numbers(seed * 8 + i as u64));
    let mut test = Test::new(WaveSize::W64, &words);
    test.launch.target = target;
    test.launch.mode = mode;
    for (i, v) in inputs.iter().enumerate() {
        let v = v.clone();
        test = test.vgpr(i as u8 + 1, move |l| v[l as usize].to_bits());
    }
    let out = test.run().v(10);
    (0..64)
        .map(|l| ([inputs[0][l], inputs[1][l], inputs[2][l]], out[l]))
        .collect()
}

fn check(target: Target, text: &str, define: impl Fn(f32, f32, f32) -> f32) {
    for seed in 1..20 {
        for ([a, b, c], got) in run(target, mode(), text, seed) {
            let want = define(a, b, c);
            assert_eq!(
                got,
                want.to_bits(),
                "{text}: {a} {b} {c}: {}, want {want}",
                f32::from_bits(got)
            );
        }
    }
}

// source: V_MAD_F32 V_MAC_F32 V_MADMK_F32 V_MADAK_F32 V_FMA_F32 V_FMAMK_F32 V_FMAC_F32
#[test]
fn multiply_add_rounds_once_or_twice() {
    let (old, new) = (Target::Gfx1010, Target::Gfx1030);
    check(old, "v_mad_f32 v10, v1, v2, v3", |a, b, c| a * b + c);
    check(
        old,
        "v_mov_b32 v10, v3\nv_mac_f32 v10, v1, v2",
        |a, b, c| a * b + c,
    );
    check(old, "v_madmk_f32 v10, v1, 0x40490fdb, v2", |a, b, _| {
        a * std::f32::consts::PI + b
    });
    check(old, "v_madak_f32 v10, v1, v2, 0x40490fdb", |a, b, _| {
        a * b + std::f32::consts::PI
    });
    for target in [old, new] {
        check(target, "v_fma_f32 v10, -v1, |v2|, v3", |a, b, c| {
            (-a).mul_add(b.abs(), c)
        });
        check(target, "v_fmamk_f32 v10, v1, 0x40490fdb, v2", |a, b, _| {
            a.mul_add(std::f32::consts::PI, b)
        });
        check(
            target,
            "v_mov_b32 v10, v3\nv_fmac_f32 v10, v1, v2",
            |a, b, c| a.mul_add(b, c),
        );
    }
    // MAD flushes whatever MODE says; FMA does not.
    for (text, want) in [
        ("v_mad_f32 v10, s0, 0.5, 0", 0),
        ("v_fma_f32 v10, s0, 0.5, 0", 0x0040_0000),
    ] {
        let words = assemble(old, WaveSize::W32, text).unwrap();
        let mut test = Test::new(WaveSize::W32, &words).sgprs(&[0x0080_0000]);
        test.launch.target = old;
        test.launch.mode = mode();
        assert_eq!(test.run().v(10)[0], want, "{text}");
    }
}

#[test]
fn roundings_of_the_mode_reach_the_sum() {
    // 1 + 2^-25 lies between 1 and the next number, -(…) likewise.
    for (round, up, down) in [
        (Round::NearestEven, 0x3f80_0000, 0xbf80_0000u32),
        (Round::PlusInfinity, 0x3f80_0001, 0xbf80_0000),
        (Round::MinusInfinity, 0x3f80_0000, 0xbf80_0001),
        (Round::TowardZero, 0x3f80_0000, 0xbf80_0000),
    ] {
        let text = "s_mov_b32 s0, 0x33000000\nv_mov_b32 v1, 1.0\nv_add_f32_e64 v10, v1, s0\nv_add_f32_e64 v11, -v1, -s0";
        let words = assemble(Target::Gfx1030, WaveSize::W32, text).unwrap();
        let mut test = Test::new(WaveSize::W32, &words);
        test.launch.mode = Mode {
            round32: round,
            ..mode()
        };
        let test = test.run();
        assert_eq!((test.v(10)[0], test.v(11)[0]), (up, down), "{round:?}");
    }
}

/// The faces of the manual: the axis of the largest magnitude, z before y before x.
fn face(x: f32, y: f32, z: f32) -> [f32; 4] {
    if z.abs() >= x.abs() && z.abs() >= y.abs() {
        let s = if z < 0.0 { -1.0 } else { 1.0 };
        [if z < 0.0 { 5.0 } else { 4.0 }, s * x, -y, 2.0 * z]
    } else if y.abs() >= x.abs() {
        let s = if y < 0.0 { -1.0 } else { 1.0 };
        [if y < 0.0 { 3.0 } else { 2.0 }, x, s * z, 2.0 * y]
    } else {
        let s = if x < 0.0 { 1.0 } else { -1.0 };
        [if x < 0.0 { 1.0 } else { 0.0 }, s * z, -y, 2.0 * x]
    }
}

// source: V_CUBE*
#[test]
fn cube_coordinates() {
    for (i, name) in ["id", "sc", "tc", "ma"].into_iter().enumerate() {
        let text = format!("v_cube{name}_f32 v10, v1, v2, v3");
        check(Target::Gfx1030, &text, |x, y, z| face(x, y, z)[i]);
    }
}

// source: V_CVT_OFF_F32_I4 V_CVT_F32_UBYTE* V_CVT_RPI_I32_F32 V_CVT_FLR_I32_F32 V_CVT_U32_F32 V_CVT_F32_I32
// source: V_PACK_B32_F16
#[test]
fn conversions_of_small_integers() {
    for seed in 1..6 {
        let target = Target::Gfx1030;
        for ([a, _, _], got) in run(target, mode(), "v_cvt_off_f32_i4 v10, v1", seed) {
            let nibble = (a.to_bits() << 28) as i32 >> 28;
            assert_eq!(f32::from_bits(got), nibble as f32 / 16.0);
        }
        for n in 0..4 {
            let text = format!("v_cvt_f32_ubyte{n} v10, v1");
            for ([a, _, _], got) in run(target, mode(), &text, seed) {
                assert_eq!(f32::from_bits(got), f32::from(a.to_bits().to_le_bytes()[n]));
            }
        }
        for ([a, _, _], got) in run(target, mode(), "v_cvt_rpi_i32_f32 v10, v1", seed) {
            assert_eq!(got as i32, (f64::from(a) + 0.5).floor() as i32, "{a}");
        }
        for ([a, _, _], got) in run(target, mode(), "v_cvt_flr_i32_f32 v10, v1", seed) {
            assert_eq!(got as i32, f64::from(a).floor() as i32, "{a}");
        }
        for ([a, _, _], got) in run(target, mode(), "v_cvt_u32_f32 v10, v1", seed) {
            assert_eq!(got, a.max(0.0) as u32, "{a}");
        }
        for ([a, _, _], got) in run(target, mode(), "v_cvt_f32_i32 v10, v1", seed) {
            assert_eq!(f32::from_bits(got), a.to_bits() as i32 as f32);
        }
        for ([a, b, _], got) in run(
            target,
            mode(),
            "v_pack_b32_f16 v10, -v1, |v2| op_sel:[0,1,0]",
            seed,
        ) {
            let (low, high) = (a.to_bits() & 0xffff ^ 0x8000, b.to_bits() >> 16 & 0x7fff);
            assert_eq!(got, low | high << 16);
        }
    }
}

// source: V_FMA_MIX*
#[test]
fn mixed_precision_takes_halves_or_singles() {
    // v4 = 2.0 and 3.0 as halves, v5 = 1.5 as a single.
    let text =
        "v_mov_b32 v4, 0x42004000\nv_mov_b32 v5, 0x3fc00000\nv_mov_b32 v10, -1\nv_mov_b32 v11, -1
        v_fma_mix_f32 v9, v4, v5, v4 op_sel:[1,0,0] op_sel_hi:[1,0,1]
        v_fma_mixlo_f16 v10, v4, -v5, v4 op_sel:[1,0,0] op_sel_hi:[1,0,1]
        v_fma_mixhi_f16 v11, v4, |v5|, -v4 op_sel:[0,0,1] op_sel_hi:[1,0,1]
        v_fma_mix_f32 v12, v4, v5, 1.0 op_sel_hi:[1,0,0] clamp";
    let words = assemble(Target::Gfx1030, WaveSize::W32, text).unwrap_or_else(|e| panic!("{e:?}"));
    let test = Test::new(WaveSize::W32, &words).run();
    assert_eq!(f32::from_bits(test.v(9)[0]), 3.0 * 1.5 + 2.0);
    // 3 * -1.5 + 2 = -2.5 is c100; 2 * 1.5 - 3 = 0.
    assert_eq!(test.v(10)[0], 0xffff_c100);
    assert_eq!(test.v(11)[0], 0x0000_ffff);
    assert_eq!(f32::from_bits(test.v(12)[0]), 1.0);
}

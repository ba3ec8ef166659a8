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

/// The half nearest to a number, the even one of two; for numbers that are no overflow.
fn half(x: f64) -> u16 {
    let sign = u16::from(x.is_sign_negative()) << 15;
    if x == 0.0 {
        return sign;
    }
    let exp = (x.abs().log2().floor() as i32).max(-14);
    // Whole steps of the last place, from the exponent's least number on.
    let steps = (x.abs() * 2f64.powi(10 - exp)).round_ties_even() as u16;
    assert!(steps <= 2048 && exp < 15, "{x}");
    sign | (((exp + 14) as u16) << 10) + steps
}

/// A half as a number; none of infinities and NaNs.
fn number(h: u16) -> f64 {
    let (exp, frac) = (i32::from(h >> 10 & 31), f64::from(h & 1023));
    let magnitude = match exp {
        0 => frac * 2f64.powi(-24),
        _ => (1024.0 + frac) * 2f64.powi(exp - 25),
    };
    if h >> 15 == 1 { -magnitude } else { magnitude }
}

/// Sums of products of halves within 2^-9 to 2^9 are exact in f64.
// source: V_FMAC_F16 V_FMAMK_F16 V_FMAAK_F16
#[test]
fn multiply_add_of_halves_rounds_once() {
    let keep = |x: f32| half(f64::from(x).clamp(-300.0, 300.0));
    for (text, define) in [
        (
            "v_mov_b32 v10, v3\nv_fmac_f16 v10, v1, v2",
            (|a, b, c| a * b + c) as fn(f64, f64, f64) -> f64,
        ),
        ("v_fmamk_f16 v10, v1, 0x4248, v2", |a, b, _| {
            a * 3.140625 + b
        }),
        ("v_fmaak_f16 v10, v1, v2, 0x4248", |a, b, _| {
            a * b + 3.140625
        }),
    ] {
        for target in [Target::Gfx1010, Target::Gfx1030] {
            for seed in 1..8 {
                let inputs: [Vec<u16>; 3] = std::array::from_fn(|i| {
                    let v = numbers(seed * 8 + i as u64);
                    v.into_iter().map(keep).collect()
                });
                let words = assemble(target, WaveSize::W64, text).unwrap();
                let mut test = Test::new(WaveSize::W64, &words);
                test.launch.target = target;
                test = test.vgpr(10, |_| 0xabcd_0000);
                for (i, v) in inputs.iter().enumerate() {
                    let v = v.clone();
                    test = test.vgpr(i as u8 + 1, move |l| u32::from(v[l as usize]) | 0x5678_0000);
                }
                let out = test.run().v(10);
                for (l, got) in out.into_iter().enumerate() {
                    let [a, b, c] = [0, 1, 2].map(|i| number(inputs[i][l]));
                    let want = half(define(a, b, c));
                    // The sign of an exact zero sum is plus, as the host's.
                    assert_eq!(got as u16, want, "{text}: {a} {b} {c}");
                }
            }
        }
    }
}

/// The zero of a legacy product wins over any factor; the sum is rounded after it.
// source: V_MAD_LEGACY_F32 V_MAC_LEGACY_F32
#[test]
fn legacy_multiply_add_rounds_twice() {
    let define = |a: f32, b: f32, c: f32| {
        let product = if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        product + c
    };
    for target in [Target::Gfx1010, Target::Gfx1013] {
        check(target, "v_mad_legacy_f32 v10, v1, v2, v3", define);
        let mac = "v_mov_b32 v10, v3\nv_mac_legacy_f32 v10, v1, v2";
        check(target, mac, define);
        for text in [
            "v_mov_b32 v10, 2.0\nv_mac_legacy_f32 v10, s0, v1",
            "v_mad_legacy_f32 v10, s0, v1, 2.0",
        ] {
            for factor in [0x7f80_0000, 0xff80_0000, 0x7fc0_0000] {
                let words = assemble(target, WaveSize::W32, text).unwrap();
                let mut test = Test::new(WaveSize::W32, &words)
                    .sgprs(&[factor])
                    .vgpr(1, |l| l << 31);
                test.launch.target = target;
                assert_eq!(test.run().v(10)[..2], [0x4000_0000; 2], "{text} {factor:x}");
            }
        }
    }
}

/// Every half: toward zero, at the ends of the range for what is outside, 0 for a NaN.
// source: V_CVT_U16_F16 V_CVT_I16_F16
#[test]
fn every_half_becomes_an_integer() {
    let text: String = (0..16)
        .map(|i| {
            format!(
                "v_cvt_u16_f16 v{}, v{}\nv_cvt_i16_f16 v{}, v{}\n",
                32 + i,
                16 + i,
                48 + i,
                16 + i
            )
        })
        .collect();
    let words = assemble(Target::Gfx1030, WaveSize::W64, &text).unwrap();
    for base in (0..0x1_0000).step_by(64 * 16) {
        let mut test = Test::new(WaveSize::W64, &words);
        for i in 0..16u8 {
            test = test.vgpr(16 + i, move |l| base + u32::from(i) * 64 + l);
        }
        let test = test.run();
        for i in 0..16u8 {
            let (unsigned, signed) = (test.v(32 + i), test.v(48 + i));
            for lane in 0..64usize {
                let h = (base + u32::from(i) * 64 + lane as u32) as u16;
                let x = match h & 0x7fff {
                    0x7c00 => f64::from(1 - 2 * i32::from(h >> 15)) * f64::INFINITY,
                    0x7c01.. => f64::NAN,
                    _ => number(h),
                };
                // Rust's casts are these conversions.
                assert_eq!(unsigned[lane] as u16, x as u16, "{h:x}");
                assert_eq!(signed[lane] as u16, x as i16 as u16, "{h:x}");
            }
        }
    }
}

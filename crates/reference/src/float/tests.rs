//! Arithmetic against exact rationals and against the host's correctly rounded operations.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation is a failed test"
)]

use num_bigint::BigInt;
use num_rational::BigRational;
use spirdna_isa::launch::{Denorm, Mode, Round};
use spirdna_isa::{FloatTy, Omod};

use super::model::{is_zero, power, round, value};
use super::{Class, Format, Fpu};

const ROUNDS: [Round; 4] = [
    Round::NearestEven,
    Round::PlusInfinity,
    Round::MinusInfinity,
    Round::TowardZero,
];
const TYPES: [FloatTy; 3] = [FloatTy::F16, FloatTy::F32, FloatTy::F64];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// Bit patterns at the edges of a format, without NaNs.
fn edges(f: Format) -> Vec<u64> {
    let inf = f.infinity();
    let one = f.one();
    let mut out = vec![
        0,
        1,
        2,
        f.frac_mask() - 1,
        f.frac_mask(),
        f.frac_mask() + 1,
        f.frac_mask() + 2,
        one - 1,
        one,
        one + 1,
        one + (1 << f.frac_bits),
        one | f.quiet_bit(),
        inf - 1,
        inf - 2,
        inf,
        inf >> 1,
        (one >> 1) | 1,
        f.frac_mask() / 2,
        (one + inf) / 2,
    ];
    for i in 0..out.len() {
        out.push(out[i] | f.sign());
    }
    out
}

/// A number, clustered so that exponents meet.
fn number(f: Format, random: &mut Random) -> u64 {
    loop {
        let r = random.next();
        let spread = match r % 4 {
            0 => f.exp_max(),
            1 => 4,
            2 => 40,
            _ => 2 * u64::from(f.frac_bits),
        };
        let base = match r >> 2 & 3 {
            0 => 0,
            1 => f.exp_max() - 1,
            _ => f.bias() as u64,
        };
        let field = (base + random.next() % spread).saturating_sub(spread / 2) & f.exp_max();
        let frac = match r >> 8 & 7 {
            0 => 0,
            1 => f.frac_mask(),
            2 => 1 << (random.next() % u64::from(f.frac_bits)),
            _ => random.next() & f.frac_mask(),
        };
        let bits = f.signed(r >> 20 & 1 == 1, field << f.frac_bits | frac);
        if !f.is_nan(bits) {
            return bits;
        }
    }
}

fn mode(round: Round, denorm: Denorm) -> Mode {
    Mode {
        round32: round,
        round16_64: round,
        denorm32: denorm,
        denorm16_64: denorm,
        ..Mode::default()
    }
}

/// Finite operands after the flush, as rationals.
fn inputs(fpu: &Fpu, operands: &[u64]) -> Option<Vec<BigRational>> {
    operands
        .iter()
        .map(|&x| {
            (!fpu.format.is_infinite(x)).then(|| {
                let subnormal = fpu.format.exp_field(x) == 0;
                value(fpu.format, if subnormal && fpu.flush_in { 0 } else { x })
            })
        })
        .collect()
}

fn check(fpu: &Fpu, exact: &BigRational, got: u64, what: &str) {
    if !is_zero(exact) {
        let want = round(fpu.format, exact, fpu.round, fpu.flush_out);
        assert_eq!(got, want, "{what}: {got:x}, want {want:x}, {fpu:?}");
    } else {
        assert!(fpu.format.is_zero(got), "{what}: {got:x}, want a zero");
    }
}

// source: V_ADD_F16 V_ADD_F32 V_ADD_F64 V_SUB_F16 V_SUB_F32 V_MUL_F16 V_MUL_F32 V_MUL_F64 V_FMA_F16 V_FMA_F32
// source: V_FMA_F64 V_LDEXP_F16 V_LDEXP_F32 V_LDEXP_F64
#[test]
fn arithmetic_equals_rounded_rationals() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for ty in TYPES {
        let f = Format::of(ty);
        let edges = edges(f);
        for (i, &round) in ROUNDS.iter().enumerate() {
            for denorm in [
                Denorm::Allow,
                Denorm::FlushInOut,
                Denorm::FlushOut,
                Denorm::FlushIn,
            ] {
                let fpu = Fpu::new(ty, &mode(round, denorm));
                let mut triples = Vec::new();
                for (j, &a) in edges.iter().enumerate() {
                    for (k, &b) in edges.iter().enumerate() {
                        if (i + j + k) % 5 == denorm as usize {
                            triples.push([a, b, edges[(j * 7 + k) % edges.len()]]);
                        }
                    }
                }
                for _ in 0..60 {
                    triples.push([
                        number(f, &mut random),
                        number(f, &mut random),
                        number(f, &mut random),
                    ]);
                }
                // Sums that cancel.
                for _ in 0..25 {
                    let (a, b) = (number(f, &mut random), number(f, &mut random));
                    let near = fpu.mul(a, b) ^ f.sign();
                    if !f.is_nan(near) {
                        triples.push([a, b, near]);
                    }
                }
                for [a, b, c] in triples {
                    let Some(v) = inputs(&fpu, &[a, b, c]) else {
                        continue;
                    };
                    let what = format!("{ty:?} {a:x} {b:x} {c:x}");
                    check(&fpu, &(&v[0] + &v[1]), fpu.add(a, b), &what);
                    check(&fpu, &(&v[0] - &v[1]), fpu.sub(a, b), &what);
                    check(&fpu, &(&v[0] * &v[1]), fpu.mul(a, b), &what);
                    check(&fpu, &(&v[0] * &v[1] + &v[2]), fpu.fma(a, b, c), &what);
                    let by = (c % 300) as i32 - 150;
                    check(&fpu, &(&v[0] * power(by.into())), fpu.ldexp(a, by), &what);
                }
            }
        }
    }
}

#[test]
fn arithmetic_equals_the_host() {
    let mut random = Random(77);
    let mode = mode(Round::NearestEven, Denorm::Allow);
    let (single, double) = (Fpu::new(FloatTy::F32, &mode), Fpu::new(FloatTy::F64, &mode));
    for _ in 0..40_000 {
        let mut n = || number(Format::F32, &mut random);
        let (a, b, c) = (n(), n(), n());
        let h = |x: u64| f32::from_bits(x as u32);
        for (got, want) in [
            (single.add(a, b), h(a) + h(b)),
            (single.mul(a, b), h(a) * h(b)),
            (single.fma(a, b, c), h(a).mul_add(h(b), h(c))),
            (single.sqrt(a), h(single.approximate_input(a)).sqrt()),
        ] {
            if !want.is_nan() {
                assert_eq!(got, u64::from(want.to_bits()), "{a:x} {b:x} {c:x}");
            } else {
                assert!(Format::F32.is_nan(got));
            }
        }
        let mut n = || number(Format::F64, &mut random);
        let (a, b, c) = (n(), n(), n());
        let h = f64::from_bits;
        for (got, want) in [
            (double.add(a, b), h(a) + h(b)),
            (double.mul(a, b), h(a) * h(b)),
            (double.fma(a, b, c), h(a).mul_add(h(b), h(c))),
            (double.rcp(a), 1.0 / h(a)),
            (double.sqrt(a), h(a).sqrt()),
        ] {
            if !want.is_nan() {
                assert_eq!(got, want.to_bits(), "{a:x} {b:x} {c:x}");
            } else {
                assert!(Format::F64.is_nan(got));
            }
        }
    }
}

impl Fpu {
    /// The f32 operand as the approximations see it.
    fn approximate_input(&self, a: u64) -> u64 {
        self.flushing().input(a)
    }
}

// source: V_CVT_F16_F32 V_CVT_F32_F16 V_CVT_F32_F64 V_CVT_F64_F32
#[test]
fn conversions_equal_rounded_rationals() {
    let mut random = Random(5);
    for from in TYPES {
        for to in TYPES {
            for round in ROUNDS {
                for denorm in [Denorm::Allow, Denorm::FlushInOut] {
                    let mode = mode(round, denorm);
                    let (source, target) = (Fpu::new(from, &mode), Fpu::new(to, &mode));
                    let mut list = edges(source.format);
                    list.extend((0..50).map(|_| number(source.format, &mut random)));
                    for a in list {
                        let Some(v) = inputs(&source, &[a]) else {
                            continue;
                        };
                        let what = format!("{from:?} to {to:?} {a:x}");
                        check(&target, &v[0], source.convert(a, &target), &what);
                    }
                }
            }
        }
    }
}

#[test]
fn every_half_widens_and_narrows_to_itself() {
    let mode = mode(Round::NearestEven, Denorm::Allow);
    let (half, single) = (Fpu::new(FloatTy::F16, &mode), Fpu::new(FloatTy::F32, &mode));
    for h in 0..=0xffffu64 {
        let wide = half.convert(h, &single);
        let back = single.convert(wide, &half);
        if Format::F16.is_nan(h) {
            assert_eq!(back, h | 0x200);
        } else {
            assert_eq!(back, h);
            if !Format::F16.is_infinite(h) {
                assert_eq!(value(Format::F16, h), value(Format::F32, wide));
            }
        }
    }
}

// source: V_CVT_I32_F32 V_CVT_I32_F64 V_CVT_FLR_I32_F32 V_CVT_RPI_I32_F32 V_CVT_PKNORM_* V_CVT_NORM_* V_CVT_PK_U8_F32
// source: V_TRUNC_* V_CEIL_* V_FLOOR_* V_RNDNE_* V_FREXP_* V_CVT_F32_I32 V_CVT_F32_U32 V_CVT_F64_I32 V_CVT_F64_U32
#[test]
fn integers_equal_their_definitions() {
    let mut random = Random(9);
    for ty in TYPES {
        let f = Format::of(ty);
        let fpu = Fpu::new(ty, &mode(Round::NearestEven, Denorm::Allow));
        let mut list = edges(f);
        list.extend((0..400).map(|_| number(f, &mut random)));
        for i in -20i64..20 {
            // Around halves.
            let v = BigRational::new(BigInt::from(i), BigInt::from(2));
            if i != 0 {
                list.push(round(f, &v, Round::NearestEven, false));
            }
        }
        for a in list {
            if f.is_infinite(a) {
                continue;
            }
            let v = value(f, a);
            let clamp =
                |x: BigInt, low: i64, high: i64| x.clamp(BigInt::from(low), BigInt::from(high));
            let (low, high) = (i64::from(i32::MIN), i64::from(i32::MAX));
            let bounds = super::OVERFLOW_I32;
            let big = |x: i128| BigInt::from(x);
            let half = BigRational::new(BigInt::from(1), BigInt::from(2));
            assert_eq!(
                big(fpu.to_integer(a, Round::TowardZero, bounds, 0)),
                clamp(v.trunc().to_integer(), low, high)
            );
            assert_eq!(
                big(fpu.to_floor_i32(a, false)),
                clamp(v.floor().to_integer(), low, high),
                "{a:x}"
            );
            assert_eq!(
                big(fpu.to_floor_i32(a, true)),
                clamp((&v + &half).floor().to_integer(), low, high),
                "{a:x}"
            );
            let even = |v: &BigRational| {
                let floor = v.floor();
                let rest = v - &floor;
                let floor = floor.to_integer();
                if rest > half || (rest == half && floor.bit(0)) {
                    floor + 1
                } else {
                    floor
                }
            };
            for (scale, low, got) in [
                (32767, -32767, i128::from(fpu.to_snorm16(a) as i16)),
                (65535, 0, i128::from(fpu.to_unorm16(a))),
            ] {
                let product = &v * BigRational::from_integer(BigInt::from(scale));
                assert_eq!(big(got), clamp(even(&product), low, scale), "{a:x}");
            }
            assert_eq!(big(fpu.to_u8(a).into()), clamp(even(&v), 0, 255));
            for (round, want) in [
                (Round::TowardZero, v.trunc()),
                (Round::PlusInfinity, v.ceil()),
                (Round::MinusInfinity, v.floor()),
                (Round::NearestEven, BigRational::from_integer(even(&v))),
            ] {
                let got = fpu.integral(a, round);
                assert_eq!(value(f, got), want, "{a:x}");
                assert_eq!(f.is_negative(got), f.is_negative(a), "{a:x}");
            }
            let mant = fpu.frexp_mant(a);
            let rebuilt = value(f, mant) * power(fpu.frexp_exp(a).into());
            assert_eq!(rebuilt, v);
            if !is_zero(&v) {
                let m = if v < BigRational::from_integer(0.into()) {
                    -value(f, mant)
                } else {
                    value(f, mant)
                };
                assert!(m >= half && m < BigRational::from_integer(1.into()));
            }
        }
        for n in [
            0i128,
            1,
            -1,
            255,
            0x0100_0001,
            i128::from(u32::MAX),
            i128::from(i32::MIN),
        ] {
            let exact = BigRational::from_integer(BigInt::from(n));
            check(&fpu, &exact, fpu.from_integer(n), "integer");
        }
    }
}

// source: V_RSQ_*
#[test]
fn rsq_is_correctly_rounded() {
    let mut random = Random(31);
    for ty in TYPES {
        let f = Format::of(ty);
        let fpu = Fpu::new(ty, &mode(Round::NearestEven, Denorm::Allow));
        for _ in 0..500 {
            let a = number(f, &mut random) & !f.sign();
            if matches!(f.class(a), Class::Infinite { .. } | Class::Zero { .. })
                || (f == Format::F32 && f.is_subnormal(a))
            {
                continue;
            }
            let r = fpu.rsq(a);
            // Half a unit to either side must enclose 1 / sqrt(a).
            let unit = value(f, r + 1) - value(f, r);
            let half = unit / BigRational::from_integer(2.into());
            let (low, high) = (value(f, r) - &half, value(f, r) + &half);
            let one = BigRational::from_integer(1.into());
            assert!(&low * &low * value(f, a) <= one, "{ty:?} {a:x} {r:x}");
            assert!(&high * &high * value(f, a) >= one, "{ty:?} {a:x} {r:x}");
        }
    }
}

/// Error of a result in units in the last place of it.
fn ulps(f: Format, got: u64, want: f64) -> f64 {
    let wide = |bits: u64| -> f64 {
        let fpu = Fpu::new(
            if f == Format::F16 {
                FloatTy::F16
            } else {
                FloatTy::F32
            },
            &mode(Round::NearestEven, Denorm::Allow),
        );
        let double = Fpu::new(FloatTy::F64, &mode(Round::NearestEven, Denorm::Allow));
        f64::from_bits(fpu.convert(bits, &double))
    };
    let magnitude = got & !f.sign();
    let unit = wide(magnitude + 1) - wide(magnitude);
    ((wide(got) - want) / unit).abs()
}

// source: V_EXP_* V_LOG_* V_SIN_* V_COS_*
#[test]
fn transcendentals_stay_within_their_error() {
    let mut random = Random(123);
    for ty in [FloatTy::F16, FloatTy::F32] {
        let f = Format::of(ty);
        let fpu = Fpu::new(ty, &mode(Round::NearestEven, Denorm::Allow));
        let double = Fpu::new(FloatTy::F64, &mode(Round::NearestEven, Denorm::Allow));
        let tau = std::f64::consts::TAU;
        let mut worst = [0.0f64; 4];
        let list: Vec<u64> = if f == Format::F16 {
            (0..0x7c00).flat_map(|x| [x, x | 0x8000]).collect()
        } else {
            let mut l: Vec<u64> = (0..40_000).map(|_| number(f, &mut random)).collect();
            // Around 1, where a logarithm is small, and around quarters of a turn.
            for base in [
                0x3f80_0000u64,
                0x3e80_0000,
                0x3f00_0000,
                0x3f40_0000,
                0x3e00_0000,
            ] {
                l.extend((0..3000).map(|i| base - 1500 + i));
            }
            l
        };
        for a in list {
            if matches!(f.class(a), Class::Infinite { .. } | Class::Zero { .. })
                || (f == Format::F32 && f.is_subnormal(a))
            {
                continue;
            }
            let x = f64::from_bits(fpu.convert(a, &double));
            let mut record = |i: usize, got: u64, want: f64| {
                let error = ulps(f, got, want);
                assert!(error <= 0.52, "{i} {a:x} ({x}): {got:x}, {want}, {error}");
                worst[i] = worst[i].max(error);
            };
            let exp = x.exp2();
            if f == Format::F32 && x < -126.0 {
                assert_eq!(fpu.exp2(a), 0);
            } else if exp < 65_000.0 || (f == Format::F32 && x < 127.9) {
                if f == Format::F16 || x.abs() >= 2f64.powi(-24) {
                    record(0, fpu.exp2(a), exp);
                } else {
                    assert_eq!(fpu.exp2(a), f.one());
                }
            }
            if x > 0.0 {
                let log = x.log2();
                if log == 0.0 {
                    assert_eq!(fpu.log2(a), 0);
                } else {
                    record(1, fpu.log2(a), log);
                }
            }
            // Reduced exactly, so that the host's sine sees small arguments.
            let quarter = (x * 4.0).round();
            let rest = (x - quarter / 4.0) * tau;
            let (s, c) = (rest.sin(), rest.cos());
            let (sin, cos) = match quarter.rem_euclid(4.0) as u32 {
                0 => (s, c),
                1 => (c, -s),
                2 => (-s, -c),
                _ => (-c, s),
            };
            for (i, got, want) in [(2, fpu.sin(a), sin), (3, fpu.cos(a), cos)] {
                if want == 0.0 {
                    assert_eq!(got, 0, "{a:x}");
                } else {
                    record(i, got, want);
                }
            }
        }
        // The bound is not slack: each function comes within a tenth of it or better.
        assert!(worst.iter().all(|&w| w > 0.49), "{ty:?} {worst:?}");
    }
}

#[test]
fn nan_rules() {
    let quiet = Fpu::new(
        FloatTy::F32,
        &Mode {
            ieee: true,
            ..mode(Round::NearestEven, Denorm::Allow)
        },
    );
    let pass = Fpu {
        ieee: false,
        ..quiet
    };
    let (snan, qnan) = (0x7f81_2345, 0xffc0_0003);
    let inf = 0x7f80_0000;
    // f32_arithmetic_nan of the captured facts.
    assert_eq!(pass.add(snan, qnan), snan);
    assert_eq!(quiet.add(snan, qnan), 0x7fc1_2345);
    assert_eq!(pass.sub(0x3f80_0000, qnan), 0x7fc0_0003);
    assert_eq!(pass.fma(inf, 0, snan), 0xffc0_0000);
    assert_eq!(pass.fma(inf, 0x8000_0000, 0x3f80_0000), 0xffc0_0000);
    assert_eq!(pass.fma_legacy(inf, 0, snan), snan);
    assert_eq!(pass.mul_legacy(0, snan), 0);
    assert_eq!(pass.add(inf, inf | 0x8000_0000), 0xffc0_0000);
    // A number beats a NaN, a signalling one under IEEE does not lose.
    assert_eq!(pass.min(snan, 0x3f80_0000), 0x3f80_0000);
    assert_eq!(quiet.min(0x3f80_0000, snan), 0x7fc1_2345);
    assert_eq!(pass.min(0, 0x8000_0000), 0x8000_0000);
    assert_eq!(pass.max(0x8000_0000, 0), 0);
}

#[test]
fn output_modifiers_follow_the_mode() {
    let flushed = mode(Round::NearestEven, Denorm::FlushInOut);
    let fpu = Fpu::new(FloatTy::F32, &flushed);
    // f32_output_modifier of the captured facts.
    assert_eq!(fpu.omod(0x8000_0000, Omod::Mul2), 0);
    assert_eq!(fpu.omod(0x8080_0000, Omod::Div2), 0x8000_0000);
    assert_eq!(fpu.omod(0x7f7f_ffff, Omod::Mul2), 0x7f80_0000);
    assert_eq!(fpu.omod(0xbf80_0000, Omod::Div2), 0xbf00_0000);
    let kept = Fpu::new(FloatTy::F32, &mode(Round::NearestEven, Denorm::Allow));
    assert_eq!(kept.omod(0x3f80_0000, Omod::Mul2), 0x3f80_0000);
    assert_eq!(fpu.clamp(0x7fc0_0000), 0);
    assert_eq!(fpu.clamp(0x8000_0000), 0);
    assert_eq!(fpu.clamp(0x4000_0000), 0x3f80_0000);
}

//! Conversions of components against their definition: the exact value next to the representable ones,
//! in integers. Every value of 2, 8, 10 and 11 bits, 16 bits where it takes long by samples, 32 bits by
//! edges and random bits; the folded form and the one that is decoded at run time.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::cmp::Ordering;

use spirdna_isa::WaveSize;
use spirdna_isa::format::{BufferFormat, NumberType as N};

use super::*;
use crate::ir::eval::{NoEnv, call};
use crate::ir::{Func, Helper, HelperId, Kind, Ty};

type Convert = fn(&mut Builder<'_>, Value, Value, Value) -> Value;

/// A helper of (bits, width, number), or of bits alone where the format is given.
fn helper(convert: Convert, known: Option<(u32, N)>) -> Vec<Helper> {
    let mut func = Func::new(WaveSize::W32);
    let entry = func.entry();
    let mut param = || func.add_param(entry, Ty::uniform(Kind::I32));
    let bits = param();
    let rest = if known.is_none() {
        Some((param(), param()))
    } else {
        None
    };
    let mut b = Builder::new(&mut func);
    let (width, number) = match (rest, known) {
        (Some(rest), _) => rest,
        (None, Some((width, number))) => (b.const32(width), b.const32(number_index(number))),
        (None, None) => unreachable_format(),
    };
    let result = convert(&mut b, bits, width, number);
    b.ret();
    vec![Helper {
        name: "convert".to_owned(),
        func,
        result,
        fallback: None,
    }]
}

fn unreachable_format() -> (Value, Value) {
    panic!("a format")
}

struct Both {
    folded: Vec<Helper>,
    at_run_time: Vec<Helper>,
    width: u32,
    number: N,
}

impl Both {
    fn new(convert: Convert, width: u32, number: N) -> Both {
        Both {
            folded: helper(convert, Some((width, number))),
            at_run_time: helper(convert, None),
            width,
            number,
        }
    }

    fn folded(&self, bits: u32) -> u32 {
        call(&self.folded, HelperId(0), &mut NoEnv, &[u64::from(bits)]).unwrap() as u32
    }

    fn at_run_time(&self, bits: u32) -> u32 {
        let args = [bits, self.width, number_index(self.number)].map(u64::from);
        call(&self.at_run_time, HelperId(0), &mut NoEnv, &args).unwrap() as u32
    }

    /// Checks the folded form on all of `values`, the other on every 16th and on the first.
    fn check(&self, values: &[u32], expected: impl Fn(u32) -> u32) {
        for (i, &bits) in values.iter().enumerate() {
            let (width, number) = (self.width, self.number);
            let want = expected(bits);
            let found = self.folded(bits);
            assert_eq!(
                found, want,
                "{width} {number:?} {bits:#x}: {found:#x}, not {want:#x}"
            );
            if i % 16 == 0 || i < 64 {
                let found = self.at_run_time(bits);
                assert_eq!(
                    found, want,
                    "run time {width} {number:?} {bits:#x}: {found:#x}"
                );
            }
        }
    }
}

/// Widths and number types that formats have.
fn pairs() -> Vec<(u32, N)> {
    let mut pairs = Vec::new();
    for format in BufferFormat::all() {
        for &width in format.layout().widths() {
            let pair = (u32::from(width), format.number());
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

fn random(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(0x5851_f42d_4c95_7f2d)
        .wrapping_add(0x1405_7b7e_f767_814f);
    (*state >> 33) ^ *state
}

fn mask(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

/// Component bits to load.
fn loadable(width: u32) -> Vec<u32> {
    match width {
        2..=11 => (0..1 << width).collect(),
        16 => (0..0x1_0000)
            .filter(|v| v % 7 == 0 || v % 0x400 < 8 || v % 0x400 > 0x3f8 || (0xff00..).contains(v))
            .collect(),
        _ => f32_values(),
    }
}

/// f32 bits: around every power of two, specials, random.
fn f32_values() -> Vec<u32> {
    let mut list = vec![
        0,
        1,
        0x7f_ffff,
        0x7fc0_0000,
        0x7f80_0001,
        0x7fbf_ffff,
        0x7f80_1fff,
        0x7f80_2000,
    ];
    for exponent in 0..256_u32 {
        let at = exponent << 23;
        let offsets = [
            0, 1, 2, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2000, 0x3000, 0x40_0000, 0x7f_ffff,
        ];
        list.extend(offsets.map(|o| at + o));
    }
    let mut state = 7;
    list.extend((0..1500).map(|_| random(&mut state) as u32 & 0x7fff_ffff));
    // Values of the magnitude that normalised formats tell apart.
    list.extend((0..1500).map(|_| 0x3700_0000 + random(&mut state) as u32 % 0x900_0000));
    let negative: Vec<u32> = list.iter().map(|v| v | 1 << 31).collect();
    list.extend(negative);
    list
}

// ---- The definition ------------------------------------------------------------------------------

fn signed(bits: u32, width: u32) -> i64 {
    let v = i64::from(bits);
    if bits >> (width - 1) & 1 == 1 {
        v - (1 << width)
    } else {
        v
    }
}

/// The exact value as a fraction, of the types that are numbers.
fn exact(number: N, width: u32, bits: u32) -> (i128, i128) {
    let most = i128::from(mask(width) >> 1);
    match number {
        N::Unorm => (i128::from(bits), i128::from(mask(width))),
        N::Snorm => (i128::from(signed(bits, width)).max(-most), most),
        N::Sscaled | N::Sint => (i128::from(signed(bits, width)), 1),
        N::Uscaled | N::Uint | N::Float => (i128::from(bits), 1),
    }
}

/// The magnitude of a float of `mantissa` bits and a bias, in units of 2^-60.
fn units(code: u32, mantissa: u32, bias: i32) -> i128 {
    let (e, m) = (
        (code >> mantissa) as i32,
        i128::from(code & ((1 << mantissa) - 1)),
    );
    let (significand, e) = if e == 0 {
        (m, 1)
    } else {
        (m + (1 << mantissa), e)
    };
    let shift = e - bias - mantissa as i32 + 60;
    assert!(shift >= 0, "the unit is too large");
    significand << shift
}

/// Whether `code` is n/d to nearest even.
fn is_nearest(code: u32, mantissa: u32, bias: i32, (n, d): (i128, i128)) -> bool {
    if n == 0 {
        return code == 0;
    }
    let value = n << 61;
    let middle = |a: u32, b: u32| (units(a, mantissa, bias) + units(b, mantissa, bias)) * d;
    let odd = code & 1 == 1;
    let above = match value.cmp(&middle(code, code + 1)) {
        Ordering::Less => true,
        Ordering::Equal => !odd,
        Ordering::Greater => false,
    };
    let below = code == 0
        || match value.cmp(&middle(code - 1, code)) {
            Ordering::Greater => true,
            Ordering::Equal => !odd,
            Ordering::Less => false,
        };
    above && below
}

/// A half's f32, by its value.
fn widened(half: u32) -> u32 {
    let sign = (half & 0x8000) << 16;
    let (e, m) = (half >> 10 & 31, half & 0x3ff);
    if e == 31 {
        return sign | 0x7f80_0000 | m << 13;
    }
    let value = f64::from(m + if e == 0 { 0 } else { 1024 }) * 2f64.powi(e.max(1) as i32 - 25);
    sign | (value as f32).to_bits()
}

fn to_half(small: u32, width: u32) -> u32 {
    match width {
        11 => small << 4,
        10 => small << 5,
        _ => small,
    }
}

/// The f32 toward zero in a float of 5 exponent bits.
fn truncated(bits: u32, mantissa: u32) -> u32 {
    thread_local! {
        /// The values of the finite codes, for 5, 6 and 10 bits of mantissa.
        static VALUES: [Vec<i128>; 3] = [5, 6, 10].map(|m| (0..31 << m).map(|c| units(c, m, 15)).collect());
    }
    let infinity = 31 << mantissa;
    let fraction = bits & 0x7f_ffff;
    match bits >> 23 & 255 {
        255 if fraction == 0 => infinity,
        255 => infinity | (fraction >> (23 - mantissa)).max(1),
        0..100 => 0,
        146.. => infinity - 1,
        _ => {
            let value = units(bits & 0x7fff_ffff, 23, 127);
            let table = match mantissa {
                5 => 0,
                6 => 1,
                _ => 2,
            };
            VALUES.with(|v| v[table].partition_point(|&u| u <= value)) as u32 - 1
        }
    }
}

#[test]
fn loads_are_exact() {
    for (width, number) in pairs() {
        let values = loadable(width);
        let f32s = Both::new(load_f32, width, number);
        let halves = Both::new(load_d16, width, number);
        match number {
            N::Unorm | N::Snorm | N::Uscaled | N::Sscaled => {
                for (both, mantissa, bias, top) in [(&f32s, 23, 127, 31), (&halves, 10, 15, 15)] {
                    both.check(&values, |bits| {
                        let (n, d) = exact(number, width, bits);
                        let code = both.folded(bits);
                        let (sign, code) = (code >> top, code & ((1 << top) - 1));
                        // What would overflow is the largest finite half.
                        let overflows = top == 15 && code == 0x7bff && n.abs() >= 65_504 * d;
                        let right = sign == u32::from(n < 0)
                            && (overflows || is_nearest(code, mantissa, bias, (n.abs(), d)));
                        assert!(
                            right,
                            "{width} {number:?} {bits:#x} gave {code:#x} ({mantissa} bits)"
                        );
                        sign << top | code
                    });
                }
            }
            N::Uint => {
                f32s.check(&values, |bits| bits);
                halves.check(&values, |bits| bits.min(0xffff));
            }
            N::Sint => {
                f32s.check(&values, |bits| signed(bits, width) as u32);
                halves.check(&values, |bits| {
                    signed(bits, width).clamp(-0x8000, 0x7fff) as u32 & 0xffff
                });
            }
            N::Float if width == 32 => {
                f32s.check(&values, |bits| bits);
                halves.check(&values, |bits| bits >> 16 & 0x8000 | truncated(bits, 10));
            }
            N::Float => {
                f32s.check(&values, |bits| widened(to_half(bits, width)));
                halves.check(&values, |bits| to_half(bits, width));
            }
        }
    }
}

/// What a float stores in a normalised component.
fn normalised(bits: u32, width: u32, is_signed: bool) -> u32 {
    let most = i128::from(if is_signed {
        mask(width) >> 1
    } else {
        mask(width)
    });
    let (e, m) = (bits >> 23 & 255, i128::from(bits & 0x7f_ffff));
    if e == 255 && m != 0 {
        return 0;
    }
    let magnitude = if e >= 127 {
        most
    } else if e < 90 {
        0
    } else {
        // (2^23 + m) * 2^(e - 150) * most, in halves.
        let twice = 2 * (m + (1 << 23)) * most;
        let unit = 1_i128 << (150 - e);
        let floor = twice / unit / 2;
        let rest = twice - 2 * floor * unit;
        match rest.cmp(&unit) {
            Ordering::Less => floor,
            Ordering::Greater => floor + 1,
            Ordering::Equal => floor + (floor & 1),
        }
    };
    let value = if bits >> 31 == 0 {
        magnitude
    } else if is_signed {
        -magnitude
    } else {
        0
    };
    value as u32 & mask(width)
}

/// What an f32 or a 32-bit integer stores.
fn stored(number: N, width: u32, value: u32) -> u32 {
    match number {
        N::Unorm | N::Uscaled => normalised(value, width, false),
        N::Snorm | N::Sscaled => normalised(value, width, true),
        N::Uint => value.min(mask(width)),
        N::Sint => {
            let most = i64::from(mask(width) >> 1);
            i64::from(value as i32).clamp(-most - 1, most) as u32 & mask(width)
        }
        N::Float => match width {
            32 => value,
            16 => value >> 16 & 0x8000 | truncated(value, 10),
            _ => {
                let mantissa = width - 5;
                let is_nan = value & 0x7fff_ffff > 0x7f80_0000;
                if value >> 31 == 1 && !is_nan {
                    0
                } else {
                    truncated(value, mantissa)
                }
            }
        },
    }
}

#[test]
fn stores_round_and_saturate() {
    for (width, number) in pairs() {
        let mut values: Vec<u32> = f32_values().into_iter().step_by(3).collect();
        if number.is_integer() {
            values.extend((0..32).flat_map(|b| [1 << b, (1_u32 << b).wrapping_sub(1), !(1 << b)]));
        }
        Both::new(store_f32, width, number).check(&values, |v| stored(number, width, v));
        let halves: Vec<u32> = (0..0x1_0000)
            .step_by(41)
            .chain(0x7bf0..0x7c20)
            .chain(0xfbf0..0xfc20)
            .collect();
        Both::new(store_d16, width, number).check(&halves, |h| match number {
            N::Uint => h.min(mask(width)),
            N::Sint => stored(number, width, h as u16 as i16 as u32),
            N::Float if width == 16 => h,
            _ => stored(number, width, widened(h)),
        });
    }
}

/// The packed facts of every code, known and at run time, against the isa's table; invalid codes have
/// no bytes and no component.
#[test]
fn codes_are_decoded() {
    for code in 0..128_u32 {
        let mut func = Func::new(WaveSize::W32);
        let entry = func.entry();
        let param = func.add_param(entry, Ty::uniform(Kind::I32));
        let mut b = Builder::new(&mut func);
        let known = b.const32(code);
        let (folded, dynamic) = (packed_info(&mut b, known), packed_info(&mut b, param));
        let mut places = Vec::new();
        for c in 0..4 {
            let c = b.const32(c);
            places.push((
                packed_place(&mut b, known, c),
                packed_place(&mut b, param, c),
            ));
        }
        b.ret();
        let evaluate = |value: Value| {
            let helper = Helper {
                name: "facts".to_owned(),
                func: func.clone(),
                result: value,
                fallback: None,
            };
            call(&[helper], HelperId(0), &mut NoEnv, &[u64::from(code)]).unwrap() as u32
        };
        let format = BufferFormat::from_code(code as u8);
        let (bytes, align) =
            format.map_or((0, 1), |f| (f.layout().bytes(), f.layout().alignment()));
        for packed in [evaluate(folded), evaluate(dynamic)] {
            assert_eq!(packed & 31, bytes, "bytes of {code}");
            if let Some(f) = format {
                assert_eq!(packed >> 8 & 3, align - 1, "alignment of {code}");
                assert_eq!(packed >> 16, number_index(f.number()), "number of {code}");
            }
        }
        for (i, (folded, dynamic)) in places.into_iter().enumerate() {
            let component = format.and_then(|f| f.layout().component(i));
            let want = component.map_or(0, |c| {
                u32::from(c.width) | u32::from(c.lo) % 32 << 8 | u32::from(c.lo) / 32 << 16
            });
            assert_eq!(evaluate(folded), want, "component {i} of {code}");
            assert_eq!(
                evaluate(dynamic),
                want,
                "component {i} of {code} at run time"
            );
        }
    }
}

//! Every conversion of every buffer format against an independent exact model: rationals, and the
//! sorted list of all halves for rounding. Nothing here is taken from the crate under test.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive, pow};
use spirdna_isa::format::{BufferFormat, NumberType};
use spirdna_reference::format;

/// Integers that rationals are made of: 128 bits where no f32 exponent occurs, unbounded else.
trait Int: Integer + Signed + Clone + From<i64> + ToPrimitive + std::fmt::Debug {}
impl Int for i128 {}
impl Int for BigInt {}

fn int<T: Int>(v: i64) -> Ratio<T> {
    Ratio::from_integer(T::from(v))
}

fn power<T: Int>(e: i64) -> Ratio<T> {
    let p = Ratio::from_integer(pow(T::from(2), e.unsigned_abs() as usize));
    if e < 0 { p.recip() } else { p }
}

/// What the bits of a float mean.
#[derive(Clone, Debug, PartialEq)]
enum Real<T: Int> {
    Nan {
        negative: bool,
        payload: u64,
        width: u32,
    },
    Infinity {
        negative: bool,
    },
    Number {
        negative: bool,
        value: Ratio<T>,
    },
}

/// Reads a float of any shape by the definition.
fn real<T: Int>(bits: u64, mantissa: u32, exponent: u32, signed: bool) -> Real<T> {
    let negative = signed && bits >> (mantissa + exponent) & 1 == 1;
    let e = bits >> mantissa & ((1 << exponent) - 1);
    let m = bits & ((1 << mantissa) - 1);
    let bias = (1i64 << (exponent - 1)) - 1;
    if e == (1 << exponent) - 1 {
        return if m == 0 {
            Real::Infinity { negative }
        } else {
            Real::Nan {
                negative,
                payload: m,
                width: mantissa,
            }
        };
    }
    let fraction = int(m as i64) / power(i64::from(mantissa));
    let value = if e == 0 {
        fraction * power(1 - bias)
    } else {
        (int(1) + fraction) * power(e as i64 - bias)
    };
    Real::Number { negative, value }
}

fn real32<T: Int>(bits: u32) -> Real<T> {
    real(u64::from(bits), 23, 8, true)
}

fn real16<T: Int>(bits: u16) -> Real<T> {
    real(u64::from(bits), 10, 5, true)
}

fn small<T: Int>(width: u8, bits: u32) -> Real<T> {
    match width {
        10 => real(u64::from(bits), 5, 5, false),
        11 => real(u64::from(bits), 6, 5, false),
        16 => real16(bits as u16),
        _ => real32(bits),
    }
}

fn round_half_even<T: Int>(v: &Ratio<T>) -> T {
    let floor = v.floor().to_integer();
    let rest = v - Ratio::from_integer(floor.clone());
    let half = Ratio::new(T::one(), T::from(2));
    let odd = floor.is_odd();
    if rest > half || (rest == half && odd) {
        floor + T::one()
    } else {
        floor
    }
}

fn max_of(number: NumberType, width: u8) -> i64 {
    match number {
        NumberType::Snorm | NumberType::Sscaled | NumberType::Sint => (1 << (width - 1)) - 1,
        NumberType::Unorm | NumberType::Uscaled | NumberType::Uint | NumberType::Float => {
            (1 << width) - 1
        }
    }
}

fn signed(width: u8, bits: u32) -> i64 {
    let v = i64::from(bits);
    if v >> (width - 1) & 1 == 1 {
        v - (1 << width)
    } else {
        v
    }
}

/// The exact value of a component that is not a float.
fn exact<T: Int>(number: NumberType, width: u8, bits: u32) -> Ratio<T> {
    let max = int(max_of(number, width));
    match number {
        NumberType::Unorm => int(i64::from(bits)) / max,
        NumberType::Snorm => (int(signed(width, bits)) / max).max(int(-1)),
        NumberType::Uscaled | NumberType::Uint => int(i64::from(bits)),
        NumberType::Sscaled | NumberType::Sint => int(signed(width, bits)),
        NumberType::Float => panic!("a float has no such value"),
    }
}

/// The value of a finite magnitude.
fn value<T: Int>(bits: u64, mantissa: u32, exponent: u32) -> Ratio<T> {
    match real(bits, mantissa, exponent, true) {
        Real::Number { value, .. } => value,
        other => panic!("{other:?}"),
    }
}

/// Whether `bits` is the magnitude nearest to `v`, ties to even, no larger than `largest`. Values are
/// ordered like their bits, so that the neighbours decide.
fn is_nearest<T: Int>(v: &Ratio<T>, bits: u64, mantissa: u32, exponent: u32, largest: u64) -> bool {
    let v = v.abs();
    let at = |b| value(b, mantissa, exponent);
    let here = (at(bits) - &v).abs();
    let even = bits & 1 == 0;
    let nearer = |other: u64| {
        let there = (at(other) - &v).abs();
        here < there || (here == there && even)
    };
    bits <= largest
        && (bits == largest || nearer(bits + 1))
        && (bits == 0 || v >= at(bits) || nearer(bits - 1))
}

/// Whether `bits` is the largest magnitude up to `largest` that is not above `v`.
fn is_truncated<T: Int>(
    v: &Ratio<T>,
    bits: u64,
    mantissa: u32,
    exponent: u32,
    largest: u64,
) -> bool {
    let v = v.abs();
    let at = |b| value(b, mantissa, exponent);
    bits <= largest && at(bits) <= v && (bits == largest || v < at(bits + 1))
}

/// All values of up to 16 bits; for 32 bits edges and a random sample.
fn samples(width: u8) -> Vec<u32> {
    if width <= 16 {
        return (0..1 << width).collect();
    }
    let mut out = Vec::new();
    // Every exponent and sign with mantissas around the places where results round.
    for high in 0..512u32 {
        for low in [
            0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2000, 0x2001, 0x3_ffff, 0x7_ffff, 0x8_0000,
            0x3f_ffff, 0x40_0000, 0x40_0001, 0x7e_ffff, 0x7f_e000, 0x7f_f000, 0x7f_ffff,
        ] {
            out.push(high << 23 | low);
        }
    }
    let mut x = 0x2545_f491_4f6c_dd1du64;
    for _ in 0..1000 {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        out.push(x as u32);
        // The range in which normalised values live.
        out.push(0x3f80_0000 - (x as u32 >> 5) % 0x0980_0000);
        out.push(0xbf80_0000 - (x as u32 >> 5) % 0x0980_0000);
    }
    out.extend([
        0xffff,
        0x1_0000,
        0x7fff,
        0x8000,
        0xffff_7fff,
        0xffff_8000,
        65520f32.to_bits(),
    ]);
    out
}

/// Widths and number types that occur, each once.
fn kinds() -> Vec<(NumberType, u8)> {
    let mut out = Vec::new();
    for f in BufferFormat::all() {
        for &w in f.layout().widths() {
            if !out.contains(&(f.number(), w)) {
                out.push((f.number(), w));
            }
        }
    }
    out
}

#[test]
fn every_kind_of_component_occurs() {
    let kinds = kinds();
    // 2, 8, 10, 11 and 16 bits in six types, 32 bits in two; floats of 10, 11, 16 and 32 bits.
    assert_eq!(kinds.len(), 5 * 6 + 2 + 4);
}

#[test]
fn loads_are_exact_or_rounded_once() {
    for (number, width) in kinds() {
        for bits in samples(width) {
            let got = format::load_component(number, width, bits);
            let what = format!("{number:?} {width} {bits:#x} -> {got:#x}");
            match number {
                NumberType::Uint | NumberType::Sint => {
                    let v = exact::<i128>(number, width, bits).to_i64().unwrap();
                    assert_eq!(got, v as u32, "{what}");
                }
                NumberType::Float => {
                    let mut expect = small::<BigInt>(width, bits);
                    if let Real::Nan { payload, width, .. } = &mut expect {
                        *payload <<= 23 - *width;
                        *width = 23;
                    }
                    assert_eq!(real32(got), expect, "{what}");
                }
                NumberType::Unorm
                | NumberType::Snorm
                | NumberType::Uscaled
                | NumberType::Sscaled => {
                    let v = exact::<i128>(number, width, bits);
                    let magnitude = u64::from(got & 0x7fff_ffff);
                    assert_eq!(got >> 31 == 1, v.is_negative(), "{what}");
                    // Around 0 the neighbours have no place in 128 bits.
                    let zero = v == int(0);
                    assert_eq!(magnitude == 0, zero, "{what}");
                    assert!(
                        zero || is_nearest(&v, magnitude, 23, 8, 0x7f7f_ffff),
                        "{what}"
                    );
                }
            }
        }
    }
}

#[test]
fn d16_loads_are_exact_or_rounded_once() {
    for (number, width) in kinds() {
        for bits in samples(width) {
            let got = format::load_component_d16(number, width, bits);
            let what = format!("{number:?} {width} {bits:#x} -> {got:#x}");
            match number {
                NumberType::Uint | NumberType::Sint => {
                    let (lo, hi) = match number {
                        NumberType::Uint => (0, 0xffff),
                        _ => (-0x8000, 0x7fff),
                    };
                    let v = exact::<i128>(number, width, bits)
                        .to_i64()
                        .unwrap()
                        .clamp(lo, hi);
                    assert_eq!(got, v as u16, "{what}");
                }
                NumberType::Float => {
                    assert!(
                        is_stored_float(small::<BigInt>(width, bits), 16, u32::from(got)),
                        "{what}"
                    )
                }
                NumberType::Unorm
                | NumberType::Snorm
                | NumberType::Uscaled
                | NumberType::Sscaled => {
                    let v = exact::<i128>(number, width, bits);
                    let magnitude = u64::from(got & 0x7fff);
                    assert_eq!(got >> 15 == 1, v.is_negative(), "{what}");
                    assert!(is_nearest(&v, magnitude, 10, 5, 0x7bff), "{what}");
                }
            }
        }
    }
}

/// What storing a number (or NaN, infinity) in a normalised component gives.
fn stored<T: Int>(number: NumberType, width: u8, v: Real<T>) -> u32 {
    let mask = ((1u64 << width) - 1) as u32;
    let unsigned = matches!(number, NumberType::Unorm | NumberType::Uscaled);
    let low = int(if unsigned { 0 } else { -1 });
    let value = match v {
        Real::Nan { .. } => int(0),
        Real::Infinity { negative: true } => low.clone(),
        Real::Infinity { negative: false } => int(1),
        Real::Number { negative, value } => {
            if negative {
                -value
            } else {
                value
            }
        }
    };
    let scaled = value.clamp(low, int(1)) * int(max_of(number, width));
    round_half_even(&scaled).to_i64().unwrap() as u32 & mask
}

/// Whether `got` is what storing a number (or NaN, infinity) in a float component of `width` bits
/// gives: truncated toward zero, without a sign at 10 and 11 bits.
fn is_stored_float<T: Int>(v: Real<T>, width: u8, got: u32) -> bool {
    let (mantissa, exponent, sign) = match width {
        10 => (5, 5, None),
        11 => (6, 5, None),
        16 => (10, 5, Some(15)),
        _ => (23, 8, Some(31)),
    };
    let infinity = ((1u64 << exponent) - 1) << mantissa;
    let negative = sign.is_some_and(|at| got >> at & 1 == 1);
    let magnitude = u64::from(got) & ((1 << (mantissa + exponent)) - 1);
    match v {
        Real::Nan {
            negative: n,
            payload,
            width,
        } => {
            let payload = if width >= mantissa {
                payload >> (width - mantissa)
            } else {
                payload << (mantissa - width)
            };
            negative == (n && sign.is_some()) && magnitude == infinity | payload.max(1)
        }
        Real::Infinity { negative: true } | Real::Number { negative: true, .. }
            if sign.is_none() =>
        {
            got == 0
        }
        Real::Infinity { negative: n } => negative == n && magnitude == infinity,
        Real::Number { negative: n, value } => {
            negative == n && is_truncated(&value, magnitude, mantissa, exponent, infinity - 1)
        }
    }
}

fn stored_integer(number: NumberType, width: u8, v: i64) -> u32 {
    let max = max_of(number, width);
    let min = if number == NumberType::Sint {
        -max - 1
    } else {
        0
    };
    v.clamp(min, max) as u32 & ((1u64 << width) - 1) as u32
}

#[test]
fn stores_round_truncate_and_saturate() {
    for (number, width) in kinds() {
        for bits in samples(32) {
            let got = format::store_component(number, width, bits);
            let what = format!("{number:?} {width} {bits:#x} -> {got:#x}");
            match number {
                NumberType::Uint => {
                    assert_eq!(
                        got,
                        stored_integer(number, width, i64::from(bits)),
                        "{what}"
                    );
                }
                NumberType::Sint => {
                    let v = i64::from(bits as i32);
                    assert_eq!(got, stored_integer(number, width, v), "{what}");
                }
                NumberType::Float if width == 32 => assert_eq!(got, bits),
                NumberType::Float => assert!(
                    is_stored_float(real32::<BigInt>(bits), width, got),
                    "{what}"
                ),
                _ => assert_eq!(got, stored(number, width, real32::<BigInt>(bits)), "{what}"),
            }
        }
    }
}

#[test]
fn d16_stores_round_truncate_and_saturate() {
    for (number, width) in kinds() {
        for bits in 0..=u16::MAX {
            let got = format::store_component_d16(number, width, bits);
            let what = format!("{number:?} {width} {bits:#x} -> {got:#x}");
            match number {
                NumberType::Uint => {
                    assert_eq!(
                        got,
                        stored_integer(number, width, i64::from(bits)),
                        "{what}"
                    );
                }
                NumberType::Sint => {
                    let v = i64::from(bits as i16);
                    assert_eq!(got, stored_integer(number, width, v), "{what}");
                }
                NumberType::Float if width == 32 => {
                    assert!(
                        is_stored_float(real16::<BigInt>(bits), width, got),
                        "{what}"
                    );
                }
                NumberType::Float => {
                    assert!(is_stored_float(real16::<i128>(bits), width, got), "{what}");
                }
                _ => assert_eq!(got, stored(number, width, real16::<i128>(bits)), "{what}"),
            }
        }
    }
}

#[test]
fn measured_values() {
    // D16 loads that rounding twice gets wrong, from the founding vectors.
    let d16 = |n, w, b| format::load_component_d16(n, w, b);
    assert_eq!(d16(NumberType::Unorm, 16, 0xffaf), 0x3bfd);
    assert_eq!(d16(NumberType::Snorm, 16, 0xffaf), 0x9910);
    assert_eq!(d16(NumberType::Uscaled, 16, 0xffff), 0x7bff);
    assert_eq!(d16(NumberType::Float, 32, 0x7f80_0001), 0x7c01);
    assert_eq!(d16(NumberType::Float, 32, 0xffc1_2345), 0xfe09);
    assert_eq!(d16(NumberType::Float, 32, 0x477f_f000), 0x7bff);
    assert_eq!(d16(NumberType::Sint, 32, 0x8000_0000), 0x8000);
    // Stores.
    let store = format::store_component;
    assert_eq!(store(NumberType::Unorm, 16, 0x3bc0_c0c1), 0x0182);
    assert_eq!(store(NumberType::Float, 11, 0xffc1_2345), 0x7e0);
    assert_eq!(store(NumberType::Float, 16, 0xbf80_a8ce), 0xbc05);
    assert_eq!(store(NumberType::Snorm, 10, 0x3ecf_5c23), 0xcf);
    assert_eq!(store(NumberType::Uscaled, 8, 0x3f80_0000), 0xff);
}

#[test]
fn elements_keep_their_components_apart() {
    for f in BufferFormat::all() {
        let layout = f.layout();
        let mut bit = 0;
        for (i, &w) in layout.widths().iter().enumerate() {
            // All ones in one component: its bits of the element and no other.
            let mut raw = [0; 4];
            raw[i] = u32::MAX;
            let element = u128::from_le_bytes(format::pack(layout, raw));
            assert_eq!(element, ((1u128 << w) - 1) << bit, "{f} {i}");
            let back = format::unpack(layout, &element.to_le_bytes());
            for (j, &v) in back.iter().enumerate() {
                let expect = if i == j { (1u64 << w) - 1 } else { 0 };
                assert_eq!(u64::from(v), expect, "{f} {i} {j}");
            }
            bit += u32::from(w);
        }
    }
}

//! Components of an element to 32-bit and 16-bit results.

use spirdna_isa::format::NumberType as N;

use super::{by_number, half_shift, int_to_f32, is_one_of, narrow_truncating, widen_half};
use crate::ir::{Builder, Const, Value};

/// The magnitude of a number, and what makes a fraction of it.
struct Parts {
    /// |v|, at most the largest magnitude of a normalised component.
    magnitude: Value,
    /// The highest one of the magnitude; all ones for 0.
    top: Value,
    /// Bits of the magnitude of a normalised component: it stands for magnitude / (2^n - 1).
    n: Value,
    /// Whether the number is negative.
    negative: Value,
}

/// `bits` are the component's, zero-extended.
fn parts(b: &mut Builder<'_>, bits: Value, width: Value, number: Value) -> Parts {
    let zero = b.const32(0);
    let is_signed = is_one_of(b, number, &[N::Snorm, N::Sscaled]);
    let is_snorm = is_one_of(b, number, &[N::Snorm]);
    let extended = b.bits_s(bits, zero, width);
    let value = b.select(is_signed, extended, bits);
    let negative = b.slt(extended, zero);
    let negative = b.and(is_signed, negative);
    let minus = b.sub(zero, value);
    let magnitude = b.select(negative, minus, value);
    let sign_bit = b.bool_int(is_snorm);
    let n = b.sub(width, sign_bit);
    // -2^(n-1) counts as -(2^(n-1) - 1).
    let most = super::ones_of(b, n);
    let clamped = b.umin(magnitude, most);
    let magnitude = b.select(is_snorm, clamped, magnitude);
    let top = b.find_umsb(magnitude);
    Parts {
        magnitude,
        top,
        n,
        negative,
    }
}

/// The first 31 or 32 bits of the binary fraction magnitude / (2^n - 1), from its highest one on. It is
/// the n bits of the magnitude over and over, so that only 1 has an end and no rounding meets a tie.
fn fraction(b: &mut Builder<'_>, p: &Parts) -> Value {
    let most = b.const32(31);
    let up = b.sub(most, p.top);
    let mut x = b.shl(p.magnitude, up);
    let mut period = p.n;
    for _ in 0..5 {
        // A period of 31 and more adds nothing but the lowest bit, which no rounding looks at.
        if let Some(Const::I32(31..)) = b.as_const(period) {
            break;
        }
        let by = b.umin(period, most);
        let more = b.shr_u(x, by);
        x = b.or(x, more);
        period = b.shl_by(period, 1);
    }
    x
}

/// Leading zeros of the magnitude within its n bits.
fn leading(b: &mut Builder<'_>, p: &Parts) -> Value {
    let last = b.add32(p.n, u32::MAX);
    b.sub(last, p.top)
}

fn or_zero(b: &mut Builder<'_>, p: &Parts, value: Value) -> Value {
    let zero = b.const32(0);
    let none = b.eq(p.magnitude, zero);
    b.select(none, zero, value)
}

fn with_sign(b: &mut Builder<'_>, p: &Parts, value: Value, bit: u32) -> Value {
    let sign = b.bool_int(p.negative);
    let sign = b.shl_by(sign, bit);
    b.or(value, sign)
}

/// The 32-bit result of a component: `bits` zero-extended, `width` of them, of a number type.
pub(in crate::lift) fn load_f32(
    b: &mut Builder<'_>,
    bits: Value,
    width: Value,
    number: Value,
) -> Value {
    let normalised = |b: &mut Builder<'_>| {
        let p = parts(b, bits, width, number);
        let x = fraction(b, &p);
        let high = b.shr_by(x, 8);
        let round = b.field_u(x, 7, 1);
        let significand = b.add(high, round);
        // value = 0.x * 2^-leading; the hidden bit is one step of the exponent.
        let leading = leading(b, &p);
        let below = b.const32(125);
        let exponent = b.sub(below, leading);
        let exponent = b.shl_by(exponent, 23);
        let value = b.add(exponent, significand);
        let value = or_zero(b, &p, value);
        with_sign(b, &p, value, 31)
    };
    let scaled = |b: &mut Builder<'_>| {
        let p = parts(b, bits, width, number);
        let value = int_to_f32(b, p.magnitude, p.top, 127);
        with_sign(b, &p, value, 31)
    };
    let signed = |b: &mut Builder<'_>| {
        let zero = b.const32(0);
        b.bits_s(bits, zero, width)
    };
    let float = |b: &mut Builder<'_>| {
        let shift = half_shift(b, width);
        let half = b.shl(bits, shift);
        let half = b.and32(half, 0xffff);
        let wide = widen_half(b, half);
        let whole = b.eq32(width, 32);
        b.select(whole, bits, wide)
    };
    by_number(
        b,
        number,
        &[
            (&[N::Unorm, N::Snorm], &normalised),
            (&[N::Uscaled, N::Sscaled], &scaled),
            (&[N::Uint], &|_| bits),
            (&[N::Sint], &signed),
            (&[N::Float], &float),
        ],
    )
}

/// The 16-bit result of a component, upper half zero.
pub(in crate::lift) fn load_d16(
    b: &mut Builder<'_>,
    bits: Value,
    width: Value,
    number: Value,
) -> Value {
    let normalised = |b: &mut Builder<'_>| {
        let p = parts(b, bits, width, number);
        let x = fraction(b, &p);
        let leading = leading(b, &p);
        // Below 2^-14, which takes more than 14 bits, a half has fewer bits.
        let thirteen = b.const32(13);
        let (deep, shallow) = match b.as_const(p.n) {
            Some(Const::I32(0..=14)) => (thirteen, leading),
            _ => (b.umax(leading, thirteen), b.umin(leading, thirteen)),
        };
        let down = b.add32(deep, 21 - 13);
        let high = b.shr_u(x, down);
        let at = b.add32(down, u32::MAX);
        let round = b.shr_u(x, at);
        let round = b.and32(round, 1);
        let exponent = b.sub(thirteen, shallow);
        let exponent = b.shl_by(exponent, 10);
        let value = b.add(exponent, high);
        let value = b.add(value, round);
        let value = or_zero(b, &p, value);
        with_sign(b, &p, value, 15)
    };
    let scaled = |b: &mut Builder<'_>| {
        let p = parts(b, bits, width, number);
        // The magnitude has at most 16 bits: one place down from the top loses none.
        let thirty = b.const32(30);
        let up = b.sub(thirty, p.top);
        let x = b.shl(p.magnitude, up);
        let odd = b.field_u(x, 20, 1);
        let x = b.add32(x, 0x7_ffff);
        let x = b.add(x, odd);
        let significand = b.shr_by(x, 20);
        let exponent = b.add32(p.top, 14);
        let exponent = b.shl_by(exponent, 10);
        let value = b.add(exponent, significand);
        let largest = b.const32(0x7bff);
        let value = b.umin(value, largest);
        let value = or_zero(b, &p, value);
        with_sign(b, &p, value, 15)
    };
    let unsigned = |b: &mut Builder<'_>| {
        let most = b.const32(0xffff);
        b.umin(bits, most)
    };
    let signed = |b: &mut Builder<'_>| {
        let (zero, low, high) = (b.const32(0), b.const32(0xffff_8000), b.const32(0x7fff));
        let value = b.bits_s(bits, zero, width);
        let value = b.smax(value, low);
        let value = b.smin(value, high);
        b.and32(value, 0xffff)
    };
    let float = |b: &mut Builder<'_>| {
        let shift = half_shift(b, width);
        let half = b.shl(bits, shift);
        let half = b.and32(half, 0xffff);
        let (ten, yes) = (b.const32(10), b.const_bool(true));
        let narrow = narrow_truncating(b, bits, ten, yes);
        let whole = b.eq32(width, 32);
        b.select(whole, narrow, half)
    };
    by_number(
        b,
        number,
        &[
            (&[N::Unorm, N::Snorm], &normalised),
            (&[N::Uscaled, N::Sscaled], &scaled),
            (&[N::Uint], &unsigned),
            (&[N::Sint], &signed),
            (&[N::Float], &float),
        ],
    )
}

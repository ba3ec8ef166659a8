//! 32-bit and 16-bit values to the components of an element.

use spirdna_isa::format::NumberType as N;

use super::{by_number, is_one_of, narrow_truncating, ones_of, widen_half};
use crate::ir::{Builder, Value};

/// The bits of a component that a 32-bit value (an f32, or an integer for integer formats) stores:
/// `width` of them, of a number type.
pub(in crate::lift) fn store_f32(
    b: &mut Builder<'_>,
    value: Value,
    width: Value,
    number: Value,
) -> Value {
    store(b, value, value, width, number)
}

/// The bits of a component that a 16-bit value (upper half zero) stores.
pub(in crate::lift) fn store_d16(
    b: &mut Builder<'_>,
    value: Value,
    width: Value,
    number: Value,
) -> Value {
    let wide = widen_half(b, value);
    let extended = b.field_s(value, 0, 16);
    let is_sint = is_one_of(b, number, &[N::Sint]);
    let integer = b.select(is_sint, extended, value);
    let bits = store(b, wide, integer, width, number);
    // A half stays what it is, signalling NaNs too.
    let is_float = is_one_of(b, number, &[N::Float]);
    let is_half = b.eq32(width, 16);
    let same = b.and(is_float, is_half);
    b.select(same, value, bits)
}

fn store(b: &mut Builder<'_>, float: Value, integer: Value, width: Value, number: Value) -> Value {
    let normalised = |b: &mut Builder<'_>| {
        let signed = is_one_of(b, number, &[N::Snorm, N::Sscaled]);
        normalise(b, float, width, signed)
    };
    let unsigned = |b: &mut Builder<'_>| {
        let most = ones_of(b, width);
        b.umin(integer, most)
    };
    let signed = |b: &mut Builder<'_>| {
        let ones = ones_of(b, width);
        let high = b.shr_by(ones, 1);
        let low = b.not(high);
        let value = b.smin(integer, high);
        let value = b.smax(value, low);
        b.and(value, ones)
    };
    let small = |b: &mut Builder<'_>| {
        let is_half = b.eq32(width, 16);
        let (ten, five) = (b.const32(10), b.const32(5));
        let narrow = b.sub(width, five);
        let mantissa = b.select(is_half, ten, narrow);
        let narrow = narrow_truncating(b, float, mantissa, is_half);
        let whole = b.eq32(width, 32);
        b.select(whole, float, narrow)
    };
    by_number(
        b,
        number,
        &[
            (&[N::Unorm, N::Snorm, N::Uscaled, N::Sscaled], &normalised),
            (&[N::Uint], &unsigned),
            (&[N::Sint], &signed),
            (&[N::Float], &small),
        ],
    )
}

/// An f32 times the largest value of the component, clamped, to nearest even; NaN gives 0.
fn normalise(b: &mut Builder<'_>, x: Value, width: Value, signed: Value) -> Value {
    let (zero, one) = (b.const32(0), b.const32(1));
    let exponent = b.field_u(x, 23, 8);
    let fraction = b.and32(x, 0x7f_ffff);
    let ones = ones_of(b, width);
    let half = b.shr_by(ones, 1);
    let most = b.select(signed, half, ones);
    // value = significand * 2^-down, below 1; from 41 on the product with at most 2^16 is below a half.
    let hidden = b.ne(exponent, zero);
    let hidden = b.bool_int(hidden);
    let hidden = b.shl_by(hidden, 23);
    let significand = b.or(fraction, hidden);
    let lo = b.mul(significand, most);
    let hi = b.mul_hi_u(significand, most);
    let product = b.pack(lo, hi);
    let bias = b.const32(127 + 23);
    let down = b.sub(bias, exponent);
    let odd = b.shr_u(product, down);
    let odd = b.lo(odd);
    let odd = b.and32(odd, 1);
    let odd = b.zext(odd);
    let one64 = b.const64(1);
    let before = b.add32(down, u32::MAX);
    let tie = b.shl(one64, before);
    let less = b.const64(u64::MAX);
    let bump = b.add(tie, less);
    let sum = b.add(product, bump);
    let sum = b.add(sum, odd);
    let rounded = b.shr_u(sum, down);
    let rounded = b.lo(rounded);
    let deepest = b.const32(41);
    let lost = b.ule(deepest, down);
    let magnitude = b.select(lost, zero, rounded);
    let unit = b.const32(127);
    let full = b.ule(unit, exponent);
    let magnitude = b.select(full, most, magnitude);
    let negative = b.slt(x, zero);
    let minus = b.sub(zero, magnitude);
    let value = b.select(negative, minus, magnitude);
    // NaN, and what lies below an unsigned format.
    let special = b.eq32(exponent, 255);
    let some = b.ule(one, fraction);
    let nan = b.and(special, some);
    let unsigned = b.not(signed);
    let below = b.and(negative, unsigned);
    let nothing = b.or(nan, below);
    let value = b.select(nothing, zero, value);
    b.and(value, ones)
}

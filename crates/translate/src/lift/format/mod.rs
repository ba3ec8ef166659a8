//! Buffer formats as IR: what a format code says, and conversion of components with integer operations
//! only. Knows no address, no descriptor and no register.
//!
//! Everything is a function of the builder that takes the format as values: a code that is known folds
//! away, one that is not is decoded at run time by the same function inside a helper.
//!
//! Rules, as measured on RDNA2 and as the founding facts state them:
//! - loads give the exact value, to nearest even where it does not fit; a half that would overflow is
//!   the largest finite one; 32-bit floats become halves by truncation; NaN payloads are kept;
//! - stores round normalised values to nearest even and truncate floats; USCALED and SSCALED are stored
//!   like UNORM and SNORM; integers saturate; NaN is 0 in a normalised format.

mod load;
mod store;
#[cfg(test)]
mod tests;
mod text;

pub(super) use load::{load_d16, load_f32};
pub(super) use store::{store_d16, store_f32};
pub use text::conversions_text;

use spirdna_isa::format::{BufferFormat, Layout, NumberType};

use crate::ir::{Builder, Const, Value};

/// What a format code says, as uniform I32 values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Info {
    /// Bytes of an element; 0 for an invalid code.
    pub bytes: Value,
    /// Alignment of an element minus 1.
    pub align_mask: Value,
    /// The number type, by its place in `NumberType::ALL`.
    pub number: Value,
}

/// Where a component sits, as uniform I32 values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Dword of the element.
    pub dword: Value,
    /// Lowest bit in it.
    pub shift: Value,
    /// Bits; 0 where the format lacks the component.
    pub width: Value,
}

/// `of` of the layout of a format code: constants where the code is one. Invalid codes get 0.
fn by_layout(b: &mut Builder<'_>, code: Value, of: impl Fn(Layout) -> u32) -> Value {
    let mut found = b.const32(0);
    let mut last = 0;
    for layout in Layout::ALL {
        let Some((first, end)) = codes(layout) else {
            continue;
        };
        let from = b.const32(first);
        let at_least = b.ule(from, code);
        let here = b.const32(of(layout));
        found = b.select(at_least, here, found);
        last = end;
    }
    let last = b.const32(last);
    let valid = b.ule(code, last);
    let zero = b.const32(0);
    b.select(valid, found, zero)
}

/// The first and the last code of a layout.
fn codes(layout: Layout) -> Option<(u32, u32)> {
    let mut all = BufferFormat::all().filter(|f| f.layout() == layout);
    let first = u32::from(all.next()?.code());
    Some((
        first,
        all.map(|f| u32::from(f.code())).max().unwrap_or(first),
    ))
}

/// Number of a type in `NumberType::ALL`.
pub(super) fn number_index(number: NumberType) -> u32 {
    match number {
        NumberType::Unorm => 0,
        NumberType::Snorm => 1,
        NumberType::Uscaled => 2,
        NumberType::Sscaled => 3,
        NumberType::Uint => 4,
        NumberType::Sint => 5,
        NumberType::Float => 6,
    }
}

/// Element size, alignment and number type of a code, packed: bytes in 4:0, alignment - 1 in 9:8, number
/// type in 18:16.
pub(super) fn packed_info(b: &mut Builder<'_>, code: Value) -> Value {
    let sizes = by_layout(b, code, |l| l.bytes() | (l.alignment() - 1) << 8);
    // The codes of a layout follow each other in the order of the number types.
    let zeroth = by_layout(b, code, |l| match codes(l) {
        Some((first, _)) => {
            let skipped =
                BufferFormat::from_code(first as u8).map_or(0, |f| number_index(f.number()));
            first - skipped
        }
        None => 0,
    });
    let number = b.sub(code, zeroth);
    let number = b.and32(number, 7);
    let number = b.shl_by(number, 16);
    b.or(sizes, number)
}

/// The parts of `packed_info`.
pub(super) fn unpack_info(b: &mut Builder<'_>, packed: Value) -> Info {
    Info {
        bytes: b.field_u(packed, 0, 5),
        align_mask: b.field_u(packed, 8, 2),
        number: b.field_u(packed, 16, 3),
    }
}

/// Place of component `c` (I32, 0 to 3) of a code, packed: width in 5:0, shift in 12:8, dword in 17:16.
pub(super) fn packed_place(b: &mut Builder<'_>, code: Value, c: Value) -> Value {
    let mut found = b.const32(0);
    for i in 0..4 {
        let place = by_layout(b, code, |l| match l.component(i as usize) {
            None => 0,
            Some(at) => {
                u32::from(at.width) | u32::from(at.lo % 32) << 8 | u32::from(at.lo / 32) << 16
            }
        });
        let here = b.eq32(c, i);
        found = b.select(here, place, found);
    }
    found
}

/// The parts of `packed_place`.
pub(super) fn unpack_place(b: &mut Builder<'_>, packed: Value) -> Place {
    Place {
        width: b.field_u(packed, 0, 6),
        shift: b.field_u(packed, 8, 5),
        dword: b.field_u(packed, 16, 2),
    }
}

/// The number type, if it is known.
fn known_number(b: &Builder<'_>, number: Value) -> Option<NumberType> {
    match b.as_const(number)? {
        Const::I32(n) => NumberType::ALL.get(n as usize).copied(),
        Const::Bool(_) | Const::I64(_) => None,
    }
}

/// Whether the number type is one of these: a constant where it is known.
fn is_one_of(b: &mut Builder<'_>, number: Value, types: &[NumberType]) -> Value {
    let mut any = b.const_bool(false);
    for &ty in types {
        let is = b.eq32(number, number_index(ty));
        any = b.or(any, is);
    }
    any
}

/// Number types and what makes the value that they share.
type Group<'a> = (&'a [NumberType], &'a dyn Fn(&mut Builder<'_>) -> Value);

/// The value of the number type: of the only one where it is known, else selected among all. `make`
/// makes the value of one type; types of which it makes the same value may share it.
fn by_number(b: &mut Builder<'_>, number: Value, groups: &[Group<'_>]) -> Value {
    if let Some(known) = known_number(b, number) {
        for (types, make) in groups {
            if types.contains(&known) {
                return make(b);
            }
        }
        return b.const32(0);
    }
    let mut found = b.const32(0);
    for (types, make) in groups {
        let value = make(b);
        let is = is_one_of(b, number, types);
        found = b.select(is, value, found);
    }
    found
}

/// All ones of `width` bits (1 to 32; 0 gives all ones too).
fn ones_of(b: &mut Builder<'_>, width: Value) -> Value {
    let (ones, bits) = (b.const32(u32::MAX), b.const32(32));
    let rest = b.sub(bits, width);
    b.shr_u(ones, rest)
}

/// A float of 5 exponent bits in the bits of a half: 16 bits as they are, 11 and 10 bits shifted up.
fn half_shift(b: &mut Builder<'_>, width: Value) -> Value {
    let fifteen = b.const32(15);
    let narrow = b.sub(fifteen, width);
    let is_half = b.eq32(width, 16);
    let zero = b.const32(0);
    b.select(is_half, zero, narrow)
}

/// A half (upper bits zero) as an f32, exactly; a NaN keeps its payload.
fn widen_half(b: &mut Builder<'_>, half: Value) -> Value {
    let sign = b.and32(half, 0x8000);
    let sign = b.shl_by(sign, 16);
    let exponent = b.field_u(half, 10, 5);
    let mantissa = b.and32(half, 0x3ff);
    let fraction = b.shl_by(mantissa, 13);
    let biased = b.add32(exponent, 127 - 15);
    let special = b.eq32(exponent, 31);
    let all = b.const32(255);
    let biased = b.select(special, all, biased);
    let biased = b.shl_by(biased, 23);
    let normal = b.or(biased, fraction);
    let top = b.find_umsb(mantissa);
    let scaled = int_to_f32(b, mantissa, top, 127 - 24);
    let small = b.eq32(exponent, 0);
    let magnitude = b.select(small, scaled, normal);
    b.or(sign, magnitude)
}

/// x * 2^(bias - 127) as an f32 without rounding, x below 2^24 with its highest one at `top`; 0 for 0.
fn int_to_f32(b: &mut Builder<'_>, x: Value, top: Value, bias: u32) -> Value {
    let exponent = b.add32(top, bias - 1);
    let exponent = b.shl_by(exponent, 23);
    let point = b.const32(23);
    let up = b.sub(point, top);
    let significand = b.shl(x, up);
    // The hidden bit is one step of the exponent.
    let value = b.add(exponent, significand);
    let zero = b.const32(0);
    let none = b.eq(x, zero);
    b.select(none, zero, value)
}

/// An f32 as a float of 5 exponent bits and `mantissa` (10, 6 or 5) bits, toward zero; without a sign
/// (`signed` false) negative numbers are 0. Subnormal f32 are zero, an overflow is the largest finite
/// value, a NaN keeps the top of its payload, at least 1.
fn narrow_truncating(b: &mut Builder<'_>, x: Value, mantissa: Value, signed: Value) -> Value {
    let zero = b.const32(0);
    let exponent = b.field_u(x, 23, 8);
    let fraction = b.and32(x, 0x7f_ffff);
    let (point, one) = (b.const32(23), b.const32(1));
    let dropped = b.sub(point, mantissa);
    let top = b.shr_u(fraction, dropped);
    let thirty_one = b.const32(31);
    let infinity = b.shl(thirty_one, mantissa);
    // Normal: 113 <= exponent <= 142.
    let biased = b.add32(exponent, (15_u32).wrapping_sub(127));
    let normal = b.shl(biased, mantissa);
    let normal = b.or(normal, top);
    // Below: the hidden bit moves down; 24 places and nothing is left.
    let hidden = b.const32(0x80_0000);
    let significand = b.or(fraction, hidden);
    let lowest = b.const32(113);
    let down = b.sub(lowest, exponent);
    let down = b.add(dropped, down);
    let most = b.const32(31);
    let down = b.umin(down, most);
    let small = b.shr_u(significand, down);
    let is_small = b.ult(exponent, lowest);
    let value = b.select(is_small, small, normal);
    let first_over = b.const32(143);
    let over = b.ule(first_over, exponent);
    let largest = b.sub(infinity, one);
    let value = b.select(over, largest, value);
    let flushed = b.eq32(exponent, 0);
    let value = b.select(flushed, zero, value);
    // Infinity and NaN.
    let special = b.eq32(exponent, 255);
    let some = b.ne(fraction, zero);
    let payload = b.umax(top, one);
    let payload = b.select(some, payload, zero);
    let not_finite = b.or(infinity, payload);
    let value = b.select(special, not_finite, value);
    let negative = b.field_u(x, 31, 1);
    let negative = b.eq32(negative, 1);
    let is_nan = b.and(special, some);
    let number = b.not(is_nan);
    let unsigned = b.not(signed);
    let below = b.and(negative, number);
    let below = b.and(below, unsigned);
    let value = b.select(below, zero, value);
    let sign = b.and(negative, signed);
    let sign = b.bool_int(sign);
    let at = b.add32(mantissa, 5);
    let sign = b.shl(sign, at);
    b.or(value, sign)
}

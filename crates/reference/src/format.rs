//! Values of buffer formats: element bytes to components and back, with the hardware's roundings, in
//! integer arithmetic only. The layouts are facts of the isa crate; addresses, bounds and swizzles
//! belong to the buffer unit.
//!
//! Rules, as measured on RDNA2 (see `docs/isa-errata.md`):
//! - Loads give the exact value, rounded to nearest even where it does not fit; a half result that
//!   would overflow becomes the largest finite one. 32-bit floats become halves by truncation.
//! - Stores round normalised values to nearest even and truncate floats. `USCALED` and `SSCALED` are
//!   stored like `UNORM` and `SNORM`. Integers saturate. NaN is stored as 0 in a normalised format and
//!   keeps the top of its payload (at least 1) in a float one.
//! - Components that a format lacks load as 0; a store writes the whole element, with 0 for
//!   components that it does not give.

use spirdna_isa::format::{BufferFormat, Layout, NumberType};

/// Bytes of the largest element.
pub const MAX_ELEMENT: usize = 16;

/// The raw bits of the components X, Y, Z, W; 0 where the layout lacks one. `bytes` is the element,
/// little-endian; missing bytes count as 0.
pub fn unpack(layout: Layout, bytes: &[u8]) -> [u32; 4] {
    let mut element = [0; MAX_ELEMENT];
    for (e, &b) in element.iter_mut().zip(bytes) {
        *e = b;
    }
    let element = u128::from_le_bytes(element);
    let mut out = [0; 4];
    for (i, o) in out.iter_mut().enumerate() {
        if let Some(c) = layout.component(i) {
            *o = (element >> c.lo) as u32 & ones(c.width);
        }
    }
    out
}

/// The element of raw components: the bytes, of which the layout's size count.
pub fn pack(layout: Layout, components: [u32; 4]) -> [u8; MAX_ELEMENT] {
    let mut element = 0u128;
    for (i, v) in components.into_iter().enumerate() {
        if let Some(c) = layout.component(i) {
            element |= u128::from(v & ones(c.width)) << c.lo;
        }
    }
    element.to_le_bytes()
}

/// Loads an element as 32-bit components; those that the format lacks are 0.
pub fn load(format: BufferFormat, bytes: &[u8]) -> [u32; 4] {
    let mut out = unpack(format.layout(), bytes);
    for (i, v) in out.iter_mut().enumerate() {
        *v = match format.layout().component(i) {
            Some(c) => load_component(format.number(), c.width, *v),
            None => 0,
        };
    }
    out
}

/// Loads an element as 16-bit components; those that the format lacks are 0.
pub fn load_d16(format: BufferFormat, bytes: &[u8]) -> [u16; 4] {
    let raw = unpack(format.layout(), bytes);
    let mut out = [0; 4];
    for (i, (o, v)) in out.iter_mut().zip(raw).enumerate() {
        if let Some(c) = format.layout().component(i) {
            *o = load_component_d16(format.number(), c.width, v);
        }
    }
    out
}

/// The element that 32-bit components store; give 0 (of any type) for those not given.
pub fn store(format: BufferFormat, components: [u32; 4]) -> [u8; MAX_ELEMENT] {
    let mut raw = [0; 4];
    for (i, (r, v)) in raw.iter_mut().zip(components).enumerate() {
        if let Some(c) = format.layout().component(i) {
            *r = store_component(format.number(), c.width, v);
        }
    }
    pack(format.layout(), raw)
}

/// The element that 16-bit components store.
pub fn store_d16(format: BufferFormat, components: [u16; 4]) -> [u8; MAX_ELEMENT] {
    let mut raw = [0; 4];
    for (i, (r, v)) in raw.iter_mut().zip(components).enumerate() {
        if let Some(c) = format.layout().component(i) {
            *r = store_component_d16(format.number(), c.width, v);
        }
    }
    pack(format.layout(), raw)
}

/// What a constant one of the destination select gives.
pub fn one(number: NumberType) -> u32 {
    if number.is_integer() { 1 } else { 0x3f80_0000 }
}

/// The same for a 16-bit result.
pub fn one_d16(number: NumberType) -> u16 {
    if number.is_integer() { 1 } else { 0x3c00 }
}

/// A component's 32-bit value: the bits of an f32, or an integer.
pub fn load_component(number: NumberType, width: u8, bits: u32) -> u32 {
    match number {
        NumberType::Uint => bits,
        NumberType::Sint => sign_extend(width, bits) as u32,
        NumberType::Float if width == 32 => bits,
        NumberType::Float => {
            let f = SmallFloat::of(width);
            widen_to_f32(f, bits)
        }
        NumberType::Unorm | NumberType::Snorm | NumberType::Uscaled | NumberType::Sscaled => {
            let v = fraction(number, width, bits);
            round_fraction(v, F32) | u32::from(v.negative) << 31
        }
    }
}

/// A component's 16-bit value: the bits of a half, or an integer.
pub fn load_component_d16(number: NumberType, width: u8, bits: u32) -> u16 {
    match number {
        NumberType::Uint => bits.min(0xffff) as u16,
        NumberType::Sint => sign_extend(width, bits).clamp(-0x8000, 0x7fff) as u16,
        NumberType::Float if width == 32 => f32_to_f16_truncating(bits),
        // The exponents of halves and of the small floats are the same.
        NumberType::Float => (bits << (10 - SmallFloat::of(width).mantissa)) as u16,
        NumberType::Unorm | NumberType::Snorm | NumberType::Uscaled | NumberType::Sscaled => {
            let v = fraction(number, width, bits);
            let magnitude = round_fraction(v, F16).min(0x7bff);
            (magnitude | u32::from(v.negative) << 15) as u16
        }
    }
}

/// The bits that a 32-bit component (an f32 or an integer, by the format) stores.
pub fn store_component(number: NumberType, width: u8, value: u32) -> u32 {
    match number {
        NumberType::Uint => value.min(ones(width)),
        NumberType::Sint => saturate_signed(width, i64::from(value as i32)),
        NumberType::Float if width == 32 => value,
        NumberType::Float => narrow_truncating(SmallFloat::of(width), value),
        NumberType::Unorm | NumberType::Uscaled => normalise(value, width, false),
        NumberType::Snorm | NumberType::Sscaled => normalise(value, width, true),
    }
}

/// The bits that a 16-bit component (a half or an integer, by the format) stores.
pub fn store_component_d16(number: NumberType, width: u8, value: u16) -> u32 {
    match number {
        NumberType::Uint => u32::from(value).min(ones(width)),
        NumberType::Sint => saturate_signed(width, i64::from(value as i16)),
        NumberType::Float if width == 16 => u32::from(value),
        NumberType::Float
        | NumberType::Unorm
        | NumberType::Uscaled
        | NumberType::Snorm
        | NumberType::Sscaled => {
            let wide = widen_to_f32(SmallFloat::of(16), u32::from(value));
            store_component(number, width, wide)
        }
    }
}

/// The low `width` bits.
const fn ones(width: u8) -> u32 {
    if width >= 32 {
        u32::MAX
    } else {
        (1 << width) - 1
    }
}

fn sign_extend(width: u8, bits: u32) -> i32 {
    let shift = 32 - u32::from(width);
    (bits << shift) as i32 >> shift
}

fn saturate_signed(width: u8, value: i64) -> u32 {
    let max = i64::from(ones(width) >> 1);
    value.clamp(-max - 1, max) as u32 & ones(width)
}

/// A non-negative rational with a sign.
#[derive(Clone, Copy)]
struct Fraction {
    negative: bool,
    numerator: u64,
    denominator: u64,
}

/// The exact value of a normalised or scaled component.
fn fraction(number: NumberType, width: u8, bits: u32) -> Fraction {
    let signed = i64::from(sign_extend(width, bits));
    let max = i64::from(ones(width) >> 1);
    let (value, denominator) = match number {
        NumberType::Unorm => (i64::from(bits), i64::from(ones(width))),
        NumberType::Snorm => (signed.max(-max), max),
        NumberType::Sscaled => (signed, 1),
        NumberType::Uscaled | NumberType::Uint | NumberType::Sint | NumberType::Float => {
            (i64::from(bits), 1)
        }
    };
    Fraction {
        negative: value < 0,
        numerator: value.unsigned_abs(),
        denominator: denominator.unsigned_abs(),
    }
}

/// An IEEE-like float type: mantissa bits and exponent bias.
#[derive(Clone, Copy)]
struct FloatShape {
    mantissa: i32,
    bias: i32,
}

const F32: FloatShape = FloatShape {
    mantissa: 23,
    bias: 127,
};
const F16: FloatShape = FloatShape {
    mantissa: 10,
    bias: 15,
};

/// The magnitude's bits, rounded to nearest even; a carry out of the exponent gives infinity's bits.
fn round_fraction(v: Fraction, shape: FloatShape) -> u32 {
    if v.numerator == 0 || v.denominator == 0 {
        return 0;
    }
    let (n, d) = (u128::from(v.numerator), u128::from(v.denominator));
    // 2^e <= n/d < 2^(e+1)
    let mut e = n.ilog2() as i32 - d.ilog2() as i32;
    let below = if e >= 0 { n < d << e } else { n << -e < d };
    if below {
        e -= 1;
    }
    let e = e.max(1 - shape.bias);
    let shift = shape.mantissa - e;
    let (n, d) = if shift >= 0 {
        (n << shift, d)
    } else {
        (n, d << -shift)
    };
    let (q, twice) = (n / d, n % d * 2);
    let up = twice > d || (twice == d && q & 1 == 1);
    // The hidden bit of q counts as one exponent step.
    let exponent = (e + shape.bias - 1) as u32;
    (exponent << shape.mantissa) + q as u32 + u32::from(up)
}

/// A half, or one of the unsigned floats of 11 and 10 bits: 5 exponent bits each.
#[derive(Clone, Copy)]
struct SmallFloat {
    mantissa: u32,
    signed: bool,
}

impl SmallFloat {
    fn of(width: u8) -> SmallFloat {
        match width {
            11 => SmallFloat {
                mantissa: 6,
                signed: false,
            },
            10 => SmallFloat {
                mantissa: 5,
                signed: false,
            },
            _ => SmallFloat {
                mantissa: 10,
                signed: true,
            },
        }
    }
}

/// Exact; a NaN keeps its payload and stays signalling or quiet.
fn widen_to_f32(f: SmallFloat, bits: u32) -> u32 {
    let m = f.mantissa;
    let sign = if f.signed { bits >> (m + 5) & 1 } else { 0 } << 31;
    let exponent = bits >> m & 31;
    let mantissa = bits & ((1 << m) - 1);
    let magnitude = match (exponent, mantissa) {
        (31, _) => 0x7f80_0000 | mantissa << (23 - m),
        (0, 0) => 0,
        (0, _) => {
            let top = mantissa.ilog2();
            // mantissa = 2^top * 1.x, in units of 2^(-14 - m)
            let e = 127 - 14 + top - m;
            e << 23 | (mantissa << (23 - top) & 0x7f_ffff)
        }
        _ => (exponent + 127 - 15) << 23 | mantissa << (23 - m),
    };
    sign | magnitude
}

/// Toward zero; a finite value stays finite; f32 subnormals are 0; without a sign, negative numbers
/// are 0 and a NaN loses its sign.
fn narrow_truncating(f: SmallFloat, bits: u32) -> u32 {
    let m = f.mantissa;
    let negative = bits >> 31 == 1;
    let exponent = (bits >> 23 & 0xff) as i32;
    let mantissa = bits & 0x7f_ffff;
    let infinity = 31 << m;
    let nan = exponent == 255 && mantissa != 0;
    if negative && !f.signed && !nan {
        return 0;
    }
    let e = exponent - 127 + 15;
    let magnitude = if nan {
        infinity | (mantissa >> (23 - m)).max(1)
    } else if exponent == 255 {
        infinity
    } else if exponent == 0 {
        0
    } else if e >= 31 {
        infinity - 1
    } else if e >= 1 {
        (e as u32) << m | mantissa >> (23 - m)
    } else {
        // Subnormal: the hidden bit moves down; far enough down nothing is left.
        let shift = 23 - m + (1 - e) as u32;
        (mantissa | 0x80_0000).checked_shr(shift).unwrap_or(0)
    };
    let sign = u32::from(negative && f.signed) << (m + 5);
    sign | magnitude
}

/// An f32 as a half, toward zero, overflow to the largest finite value.
pub fn f32_to_f16_truncating(bits: u32) -> u16 {
    narrow_truncating(SmallFloat::of(16), bits) as u16
}

/// An f32 times the largest value of the normalised format, rounded to nearest even: `UNORM` clamps
/// to 0..1, `SNORM` to -1..1; NaN gives 0.
fn normalise(bits: u32, width: u8, signed: bool) -> u32 {
    let negative = bits >> 31 == 1;
    let exponent = bits >> 23 & 0xff;
    let mantissa = bits & 0x7f_ffff;
    if (exponent == 255 && mantissa != 0) || (negative && !signed) {
        return 0;
    }
    let max = if signed {
        ones(width) >> 1
    } else {
        ones(width)
    };
    let magnitude = if exponent >= 127 {
        max
    } else {
        // The value is significand * 2^-down, below 1.
        let significand = if exponent == 0 {
            u64::from(mantissa)
        } else {
            u64::from(mantissa | 0x80_0000)
        };
        let down = 127 + 23 - exponent.max(1);
        let product = significand * u64::from(max);
        // The product has at most 56 bits: further down it is below a half.
        if down > 60 {
            0
        } else {
            let q = product >> down;
            let rest = product & ((1 << down) - 1);
            let half = 1 << (down - 1);
            let up = rest > half || (rest == half && q & 1 == 1);
            q as u32 + u32::from(up)
        }
    };
    let value = if negative {
        magnitude.wrapping_neg()
    } else {
        magnitude
    };
    value & ones(width)
}

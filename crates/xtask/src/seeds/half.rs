//! IEEE binary16 in plain Rust, for the models: conversions, and operations rounded to nearest even.

/// The value of a half.
pub fn to_f32(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let exponent = u32::from(half >> 10) & 31;
    let fraction = u32::from(half) & 0x3ff;
    match exponent {
        0 => {
            // 2^-24 per unit: exact in f32.
            let magnitude = fraction_to_f32(fraction) * f32::from_bits((127 - 24) << 23);
            f32::from_bits(sign | magnitude.to_bits())
        }
        31 => f32::from_bits(sign | 0x7f80_0000 | (fraction << 13)),
        _ => f32::from_bits(sign | ((exponent + 112) << 23) | (fraction << 13)),
    }
}

fn fraction_to_f32(fraction: u32) -> f32 {
    u16::try_from(fraction).map_or(0.0, f32::from)
}

/// The nearest half, ties to even. NaN payloads are not kept (the models use none).
pub fn from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = u16::try_from(bits >> 31).unwrap_or_default() << 15;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    // 65520 and above round to infinity.
    if magnitude >= 0x477f_f000 {
        return sign | 0x7c00;
    }
    // Below 2^-14 the unit is 2^-24; adding 0.5 puts that unit at bit 0 of the f32 fraction, and the
    // addition rounds to nearest even.
    if magnitude < 0x3880_0000 {
        let sum = f32::from_bits(magnitude) + 0.5;
        return sign | u16::try_from(sum.to_bits() - 0x3f00_0000).unwrap_or_default();
    }
    let rebased = magnitude - (112 << 23);
    let rounded = rebased + 0xfff + ((rebased >> 13) & 1);
    sign | u16::try_from(rounded >> 13).unwrap_or_default()
}

/// `a + b`, rounded once: the f32 sum has more than twice a half's digits, so rounding it again is
/// harmless.
pub fn add(a: u16, b: u16) -> u16 {
    from_f32(to_f32(a) + to_f32(b))
}

/// `a * b`, rounded once: the product is exact in f32.
pub fn mul(a: u16, b: u16) -> u16 {
    from_f32(to_f32(a) * to_f32(b))
}

/// `-a`.
pub fn neg(a: u16) -> u16 {
    a ^ 0x8000
}

/// `|a|`.
pub fn abs(a: u16) -> u16 {
    a & 0x7fff
}

/// The larger of two numbers (no NaN, no zeros of different sign).
pub fn max(a: u16, b: u16) -> u16 {
    if to_f32(a) > to_f32(b) { a } else { b }
}

/// The smaller of two numbers (no NaN, no zeros of different sign).
pub fn min(a: u16, b: u16) -> u16 {
    if to_f32(a) < to_f32(b) { a } else { b }
}

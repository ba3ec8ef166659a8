//! Arithmetic on cells. A cell holds a scalar in its low bits, zero above. Floats are IEEE's, by the
//! processor; 16-bit ones are computed in 64 bits and rounded once.

use crate::code::{Bin, Tri, Un, WideOp};

fn mask(bits: u8) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}

/// Sign-extended from so many bits.
pub(crate) fn signed(x: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits.clamp(1, 64));
    ((x << shift) as i64) >> shift
}

/// A float of 16 bits as one of 64; NaNs keep sign and payload.
fn from_half(x: u64) -> f64 {
    let (sign, exponent, mantissa) = (x >> 15 & 1, x >> 10 & 31, x & 0x3ff);
    let bits = match (exponent, mantissa) {
        (31, m) => 0x7ff << 52 | m << 42,
        (0, m) => (m as f64 * (-24f64).exp2()).to_bits(),
        (e, m) => (e + 1008) << 52 | m << 42,
    };
    f64::from_bits(bits | sign << 63)
}

/// Rounded to nearest even.
fn to_half(x: f64) -> u64 {
    let bits = x.to_bits();
    let sign = bits >> 63 << 15;
    let magnitude = x.abs();
    if x.is_nan() {
        return sign | 0x7e00 | bits >> 42 & 0x3ff;
    }
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // A multiple of the spacing at this size, at least that of subnormals.
    let exponent = ((bits >> 52 & 0x7ff) as i32 - 1023).max(-14);
    let unit = f64::from(exponent - 10).exp2();
    let steps = (magnitude / unit).round_ties_even() as u64;
    // Below 1024 steps it is subnormal; 2048 carry into the exponent.
    sign | (((exponent + 14) as u64) << 10).wrapping_add(steps)
}

/// A float as one of 64 bits.
pub(crate) fn float(x: u64, bits: u8) -> f64 {
    match bits {
        16 => from_half(x),
        32 => f64::from(f32::from_bits(x as u32)),
        _ => f64::from_bits(x),
    }
}

/// A float rounded to so many bits.
pub(crate) fn round(x: f64, bits: u8) -> u64 {
    match bits {
        16 => to_half(x),
        32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    }
}

/// `f` on the floats, in their own width where the processor has it.
fn un_float(x: u64, bits: u8, f32s: fn(f32) -> f32, f64s: fn(f64) -> f64) -> u64 {
    match bits {
        32 => u64::from(f32s(f32::from_bits(x as u32)).to_bits()),
        _ => round(f64s(float(x, bits)), bits),
    }
}

fn bin_float(
    x: u64,
    y: u64,
    bits: u8,
    f32s: fn(f32, f32) -> f32,
    f64s: fn(f64, f64) -> f64,
) -> u64 {
    match bits {
        32 => {
            let (x, y) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
            u64::from(f32s(x, y).to_bits())
        }
        _ => round(f64s(float(x, bits), float(y, bits)), bits),
    }
}

/// An operation on a cell of `bits` (of the result, but for comparisons).
pub(crate) fn un(op: Un, x: u64, bits: u8) -> u64 {
    let sign = 1u64 << (bits - 1).min(63);
    let clip = |x: f64, low: f64, high: f64| if x.is_nan() { 0.0 } else { x.clamp(low, high) };
    let value = match op {
        Un::Not => !x,
        Un::LogicalNot => x ^ 1,
        Un::SNegate => x.wrapping_neg(),
        Un::FNegate => x ^ sign,
        Un::BitReverse => x.reverse_bits() >> (64 - u32::from(bits)),
        Un::BitCount => u64::from(x.count_ones()),
        Un::IsNan => u64::from(float(x, bits).is_nan()),
        Un::IsInf => u64::from(float(x, bits).is_infinite()),
        Un::UConvert(_) => x,
        Un::SConvert(from) => signed(x, from) as u64,
        Un::FConvert(from) => round(float(x, from), bits),
        Un::UToF(_) if bits == 32 => u64::from((x as f32).to_bits()),
        Un::UToF(_) => round(x as f64, bits),
        Un::SToF(from) if bits == 32 => u64::from((signed(x, from) as f32).to_bits()),
        Un::SToF(from) => round(signed(x, from) as f64, bits),
        Un::FToU(from) => clip(float(x, from), 0.0, mask(bits) as f64) as u64,
        Un::FToS(from) => {
            let high = (mask(bits) >> 1) as f64;
            clip(float(x, from), -high - 1.0, high) as i64 as u64
        }
        Un::FAbs => x & !sign,
        Un::SAbs => signed(x, bits).unsigned_abs(),
        Un::FSign => {
            let v = float(x, bits);
            let s = if v > 0.0 {
                1.0
            } else if v < 0.0 {
                -1.0
            } else {
                v
            };
            round(s, bits)
        }
        Un::SSign => signed(x, bits).signum() as u64,
        Un::Floor => un_float(x, bits, f32::floor, f64::floor),
        Un::Ceil => un_float(x, bits, f32::ceil, f64::ceil),
        Un::Trunc => un_float(x, bits, f32::trunc, f64::trunc),
        Un::Fract => un_float(x, bits, |x| x - x.floor(), |x| x - x.floor()),
        Un::RoundEven => un_float(x, bits, f32::round_ties_even, f64::round_ties_even),
        Un::Sqrt => un_float(x, bits, f32::sqrt, f64::sqrt),
        Un::InverseSqrt => un_float(x, bits, |x| 1.0 / x.sqrt(), |x| 1.0 / x.sqrt()),
        Un::Exp => un_float(x, bits, f32::exp, f64::exp),
        Un::Exp2 => un_float(x, bits, f32::exp2, f64::exp2),
        Un::Log => un_float(x, bits, f32::ln, f64::ln),
        Un::Log2 => un_float(x, bits, f32::log2, f64::log2),
        Un::Sin => un_float(x, bits, f32::sin, f64::sin),
        Un::Cos => un_float(x, bits, f32::cos, f64::cos),
        Un::FindILsb if x == 0 => u64::MAX,
        Un::FindILsb => u64::from(x.trailing_zeros()),
        Un::FindUMsb if x == 0 => u64::MAX,
        Un::FindUMsb => u64::from(63 - x.leading_zeros()),
        Un::FindSMsb => {
            let v = signed(x, bits);
            let v = if v < 0 { !v } else { v } as u64;
            if v == 0 {
                u64::MAX
            } else {
                u64::from(63 - v.leading_zeros())
            }
        }
    };
    match op {
        Un::IsNan | Un::IsInf => value,
        _ => value & mask(bits),
    }
}

/// An operation on two cells of `bits`; `None` where its operands have no result.
pub(crate) fn bin(op: Bin, x: u64, y: u64, bits: u8) -> Option<u64> {
    let (sx, sy) = (signed(x, bits), signed(y, bits));
    let (fx, fy) = (float(x, bits), float(y, bits));
    let unordered = fx.is_nan() || fy.is_nan();
    let near = u64::from(y < u64::from(bits));
    Some(match op {
        Bin::IAdd => x.wrapping_add(y) & mask(bits),
        Bin::ISub => x.wrapping_sub(y) & mask(bits),
        Bin::IMul => x.wrapping_mul(y) & mask(bits),
        Bin::UDiv => x.checked_div(y)?,
        Bin::UMod => x.checked_rem(y)?,
        Bin::SDiv => sx.checked_div(sy)? as u64 & mask(bits),
        Bin::SRem => sx.checked_rem(sy)? as u64 & mask(bits),
        Bin::SMod => {
            let rest = sx.checked_rem(sy)?;
            let rest = if rest != 0 && (rest < 0) != (sy < 0) {
                rest + sy
            } else {
                rest
            };
            rest as u64 & mask(bits)
        }
        Bin::Shl | Bin::ShrU | Bin::ShrS if near == 0 => return None,
        Bin::Shl => x << y & mask(bits),
        Bin::ShrU => x >> y,
        Bin::ShrS => (sx >> y) as u64 & mask(bits),
        Bin::And => x & y,
        Bin::Or => x | y,
        Bin::Xor | Bin::LogicalNe => x ^ y,
        Bin::LogicalEq | Bin::IEq => u64::from(x == y),
        Bin::INe => u64::from(x != y),
        Bin::ULt => u64::from(x < y),
        Bin::ULe => u64::from(x <= y),
        Bin::UGt => u64::from(x > y),
        Bin::UGe => u64::from(x >= y),
        Bin::SLt => u64::from(sx < sy),
        Bin::SLe => u64::from(sx <= sy),
        Bin::SGt => u64::from(sx > sy),
        Bin::SGe => u64::from(sx >= sy),
        Bin::FAdd => bin_float(x, y, bits, |x, y| x + y, |x, y| x + y),
        Bin::FSub => bin_float(x, y, bits, |x, y| x - y, |x, y| x - y),
        Bin::FMul => bin_float(x, y, bits, |x, y| x * y, |x, y| x * y),
        Bin::FDiv => bin_float(x, y, bits, |x, y| x / y, |x, y| x / y),
        Bin::FRem => bin_float(x, y, bits, |x, y| x % y, |x, y| x % y),
        Bin::FMod => bin_float(
            x,
            y,
            bits,
            |x, y| x - y * (x / y).floor(),
            |x, y| x - y * (x / y).floor(),
        ),
        Bin::FOrdEq => u64::from(fx == fy),
        Bin::FUnordEq => u64::from(unordered || fx == fy),
        Bin::FOrdNe => u64::from(!unordered && fx != fy),
        Bin::FUnordNe => u64::from(unordered || fx != fy),
        Bin::FOrdLt => u64::from(fx < fy),
        Bin::FUnordLt => u64::from(unordered || fx < fy),
        Bin::FOrdLe => u64::from(fx <= fy),
        Bin::FUnordLe => u64::from(unordered || fx <= fy),
        Bin::FOrdGt => u64::from(fx > fy),
        Bin::FUnordGt => u64::from(unordered || fx > fy),
        Bin::FOrdGe => u64::from(fx >= fy),
        Bin::FUnordGe => u64::from(unordered || fx >= fy),
        Bin::UMin => x.min(y),
        Bin::UMax => x.max(y),
        Bin::SMin => sx.min(sy) as u64 & mask(bits),
        Bin::SMax => sx.max(sy) as u64 & mask(bits),
        Bin::FMin => bin_float(x, y, bits, f32::min, f64::min),
        Bin::FMax => bin_float(x, y, bits, f32::max, f64::max),
        Bin::Pow => bin_float(x, y, bits, f32::powf, f64::powf),
        Bin::Ldexp => {
            // In two steps, so that the factor is never out of range before the result is.
            let by = signed(y, 32).clamp(-2200, 2200) as i32;
            let scaled = fx * f64::from(by / 2).exp2() * f64::from(by - by / 2).exp2();
            round(scaled, bits)
        }
    })
}

/// An operation on three cells.
pub(crate) fn tri(op: Tri, x: u64, y: u64, z: u64, bits: u8) -> u64 {
    let (fx, fy, fz) = (float(x, bits), float(y, bits), float(z, bits));
    match op {
        Tri::Fma if bits == 32 => {
            let [x, y, z] = [x, y, z].map(|v| f32::from_bits(v as u32));
            u64::from(x.mul_add(y, z).to_bits())
        }
        Tri::Fma => round(fx.mul_add(fy, fz), bits),
        Tri::FMix => round(fx * (1.0 - fz) + fy * fz, bits),
        Tri::FClamp => round(fx.max(fy).min(fz), bits),
        Tri::UClamp => x.max(y).min(z),
        Tri::SClamp => {
            let value = signed(x, bits).max(signed(y, bits)).min(signed(z, bits));
            value as u64 & mask(bits)
        }
    }
}

/// Both results of an operation on two cells: low or sum first, then high or carry.
pub(crate) fn wide(op: WideOp, x: u64, y: u64, bits: u8) -> (u64, u64) {
    let m = mask(bits);
    match op {
        WideOp::UMul => {
            let product = u128::from(x) * u128::from(y);
            (product as u64 & m, (product >> bits) as u64 & m)
        }
        WideOp::SMul => {
            let product = i128::from(signed(x, bits)) * i128::from(signed(y, bits));
            (product as u64 & m, (product >> bits) as u64 & m)
        }
        WideOp::AddCarry => {
            let sum = u128::from(x) + u128::from(y);
            (sum as u64 & m, (sum >> bits) as u64 & 1)
        }
        WideOp::SubBorrow => (x.wrapping_sub(y) & m, u64::from(x < y)),
    }
}

/// `count` bits from bit `at`; `None` outside of the cell.
pub(crate) fn field(x: u64, at: u64, count: u64, bits: u8, sign: bool) -> Option<u64> {
    if at > u64::from(bits) || count > u64::from(bits) - at {
        return None;
    }
    if count == 0 {
        return Some(0);
    }
    let value = x >> at & mask(count as u8);
    Some(if sign {
        signed(value, count as u8) as u64 & mask(bits)
    } else {
        value
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every half but NaNs goes through a float of 64 bits and back.
    #[test]
    fn halves_survive() {
        for x in 0..=0xffffu64 {
            if x & 0x7c00 != 0x7c00 || x & 0x3ff == 0 {
                assert_eq!(to_half(from_half(x)), x, "{x:#x}");
            }
        }
        // Values from IEEE 754's definition: one, the least subnormal, the largest number, a tie.
        assert_eq!(to_half(1.0), 0x3c00);
        assert_eq!(to_half((-24f64).exp2()), 1);
        assert_eq!(to_half((-25f64).exp2()), 0);
        assert_eq!(to_half(65504.0), 0x7bff);
        assert_eq!(to_half(65520.0), 0x7c00);
        assert_eq!(to_half(1.0 + (-11f64).exp2()), 0x3c00);
        assert_eq!(to_half(1.0 + 3.0 * (-11f64).exp2()), 0x3c02);
    }

    #[test]
    fn integers_wrap_in_their_width() {
        assert_eq!(bin(Bin::IAdd, 0xffff_ffff, 1, 32), Some(0));
        assert_eq!(bin(Bin::ShrS, 0x8000_0000, 31, 32), Some(0xffff_ffff));
        assert_eq!(bin(Bin::Shl, 1, 32, 32), None);
        assert_eq!(bin(Bin::UDiv, 1, 0, 32), None);
        assert_eq!(bin(Bin::SLt, 0xffff_ffff, 0, 32), Some(1));
        assert_eq!(
            wide(WideOp::SMul, 0xffff_ffff, 2, 32),
            (0xffff_fffe, 0xffff_ffff)
        );
        assert_eq!(un(Un::FindSMsb, 0xffff_ffff, 32), 0xffff_ffff);
        assert_eq!(field(0xf0, 4, 4, 32, true), Some(0xffff_ffff));
        assert_eq!(field(0, 30, 3, 32, false), None);
    }
}

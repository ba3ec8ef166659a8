//! Packed 16-bit operations and mixed-precision multiply-add.

use spirdna_isa::{FloatTy, MixDst, Packed, Sign};

use super::int::{number, reduce};
use super::operand::Lane;
use super::result::Out;
use crate::error::ExecError;

/// Whether the operation is on floats: only those negate.
const fn is_float(op: Packed) -> bool {
    match op {
        Packed::FmaF16 | Packed::AddF16 | Packed::MulF16 | Packed::MinF16 | Packed::MaxF16 => true,
        Packed::Mad(_)
        | Packed::MulLoU16
        | Packed::Add(_)
        | Packed::Sub(_)
        | Packed::Min(_)
        | Packed::Max(_)
        | Packed::ShlRevB16
        | Packed::ShrRevB16
        | Packed::AshrRevI16 => false,
    }
}

/// Whether clamp has one reading: a saturated sum, a clamped float, or nothing.
const fn takes_clamp(op: Packed) -> bool {
    match op {
        Packed::Mad(_)
        | Packed::Add(_)
        | Packed::Sub(_)
        | Packed::Min(_)
        | Packed::Max(_)
        | Packed::FmaF16
        | Packed::AddF16
        | Packed::MulF16
        | Packed::MinF16
        | Packed::MaxF16 => true,
        Packed::MulLoU16 | Packed::ShlRevB16 | Packed::ShrRevB16 | Packed::AshrRevI16 => false,
    }
}

/// One half of the result.
fn half(l: &Lane<'_>, op: Packed, high: bool) -> Result<u64, ExecError> {
    let fpu = l.fpu(FloatTy::F16);
    let clamp = l.mods().clamp;
    let (a, b) = (l.packed_half(0, high)?, l.packed_half(1, high)?);
    let c = || l.packed_half(2, high);
    let int = |sign: Sign, f: fn(i128, i128) -> i128| {
        reduce(f(number(a, 16, sign), number(b, 16, sign)), 16, sign, clamp)
    };
    let float = |bits: u64| if clamp { fpu.clamp(bits) } else { bits };
    Ok(match op {
        Packed::Mad(sign) => {
            let sum = number(a, 16, sign) * number(b, 16, sign) + number(c()?, 16, sign);
            reduce(sum, 16, sign, clamp)
        }
        Packed::MulLoU16 => reduce(i128::from(a * b), 16, Sign::Unsigned, clamp),
        Packed::Add(sign) => int(sign, |a, b| a + b),
        Packed::Sub(sign) => int(sign, |a, b| a - b),
        Packed::Min(sign) => int(sign, i128::min),
        Packed::Max(sign) => int(sign, i128::max),
        Packed::ShlRevB16 => b << (a & 15) & 0xffff,
        Packed::ShrRevB16 => b >> (a & 15),
        Packed::AshrRevI16 => {
            let value = number(b, 16, Sign::Signed) >> (a & 15);
            reduce(value, 16, Sign::Signed, false)
        }
        Packed::FmaF16 => float(fpu.fma(a, b, c()?)),
        Packed::AddF16 => float(fpu.add(a, b)),
        Packed::MulF16 => float(fpu.mul(a, b)),
        Packed::MinF16 => float(fpu.min(a, b)),
        Packed::MaxF16 => float(fpu.max(a, b)),
    })
}

/// Both halves.
pub(super) fn packed(l: &Lane<'_>, op: Packed) -> Result<Out, ExecError> {
    let mods = l.mods();
    if !is_float(op) && (mods.neg | mods.neg_hi) != 0 {
        return Err(l.refuse("negation of packed integers"));
    }
    if mods.clamp && !takes_clamp(op) {
        return Err(l.refuse("clamp of a packed shift or low product"));
    }
    Ok((half(l, op, false)? | half(l, op, true)? << 16).into())
}

/// `V_FMA_MIX*`: sources are f32 or halves, the sum is an f32, then perhaps a half.
pub(super) fn fma_mix(l: &Lane<'_>, dst: MixDst) -> Result<Out, ExecError> {
    let single = l.fpu(FloatTy::F32);
    let sum = single.fma(l.mixed(0)?, l.mixed(1)?, l.mixed(2)?);
    Ok(match dst {
        MixDst::F32 => l.finish(FloatTy::F32, sum).into(),
        MixDst::Lo | MixDst::Hi => {
            let half = single.convert(sum, l.fpu(FloatTy::F16));
            l.finish(FloatTy::F16, half).into()
        }
    })
}

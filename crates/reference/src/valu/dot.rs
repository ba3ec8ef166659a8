//! Dot products.

use spirdna_isa::{Dot, FloatTy, Sign};

use super::int::{number, reduce};
use super::operand::Lane;
use super::result::Out;
use crate::error::ExecError;
use crate::float::Fpu;

/// Products of the fields of `a` and `b`, each `width` bits wide, and an addend.
fn fields(a: u32, b: u32, c: u32, width: u32, sign: Sign, clamp: bool) -> u64 {
    let sum: i128 = (0..32 / width)
        .map(|i| {
            let field = |x: u32| number(u64::from(x >> (i * width)), width, sign);
            field(a) * field(b)
        })
        .sum();
    reduce(sum + number(c.into(), 32, sign), 32, sign, clamp)
}

/// A dot product.
pub(super) fn dot(l: &Lane<'_>, op: Dot) -> Result<Out, ExecError> {
    let mods = l.mods();
    if mods.neg_hi & 4 != 0 {
        return Err(l.refuse("neg_hi of a dot product's addend"));
    }
    let (halves, sign, width) = match op {
        Dot::F32F16 => {
            let pair = |i| -> Result<[u64; 2], ExecError> {
                Ok([l.packed_half(i, false)?, l.packed_half(i, true)?])
            };
            let negate = u64::from(mods.neg & 4 != 0) << 31;
            let c = u64::from(l.packed_whole(2)?) ^ negate;
            let single = l.fpu(FloatTy::F32);
            // Clamp does nothing here (measured).
            let bits = single.dot2(pair(0)?, pair(1)?, c, &Fpu::halves(l.mode()));
            return Ok(bits.into());
        }
        Dot::I32I16 => (true, Sign::Signed, 16),
        Dot::U32U16 => (true, Sign::Unsigned, 16),
        Dot::I32I8 => (false, Sign::Signed, 8),
        Dot::U32U8 => (false, Sign::Unsigned, 8),
        Dot::I32I4 => (false, Sign::Signed, 4),
        Dot::U32U4 => (false, Sign::Unsigned, 4),
    };
    if mods.neg | mods.neg_hi != 0 {
        return Err(l.refuse("negation in an integer dot product"));
    }
    if !halves && mods.op_sel != 0 {
        return Err(l.refuse("op_sel of bytes"));
    }
    let word = |i| -> Result<u32, ExecError> {
        if halves {
            Ok((l.packed_half(i, false)? | l.packed_half(i, true)? << 16) as u32)
        } else {
            l.packed_whole(i)
        }
    };
    let c = l.packed_whole(2)?;
    Ok(fields(word(0)?, word(1)?, c, width, sign, mods.clamp).into())
}

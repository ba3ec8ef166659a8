//! Float operations of one, two and three sources.

use spirdna_isa::launch::Round;
use spirdna_isa::{FBinary, FTernary, FUnary, FloatTy};

use super::operand::Lane;
use super::result::Out;
use crate::error::ExecError;

/// Refuses what no row has: exponentials and circles of f64.
fn small(l: &Lane<'_>, ty: FloatTy) -> Result<(), ExecError> {
    match ty {
        FloatTy::F16 | FloatTy::F32 => Ok(()),
        FloatTy::F64 => Err(l.refuse("an f64 operation that no row has")),
    }
}

/// One source.
pub(super) fn unary(l: &Lane<'_>, op: FUnary, ty: FloatTy) -> Result<Out, ExecError> {
    let fpu = l.fpu(ty);
    let a = l.get(0)?;
    let bits = match op {
        FUnary::Trunc => fpu.integral(a, Round::TowardZero),
        FUnary::Ceil => fpu.integral(a, Round::PlusInfinity),
        FUnary::Rndne => fpu.integral(a, Round::NearestEven),
        FUnary::Floor => fpu.integral(a, Round::MinusInfinity),
        FUnary::Fract => fpu.fract(a),
        FUnary::Exp => {
            small(l, ty)?;
            fpu.exp2(a)
        }
        FUnary::Log => {
            small(l, ty)?;
            fpu.log2(a)
        }
        FUnary::Rcp | FUnary::RcpIflag => fpu.rcp(a),
        FUnary::Rsq => fpu.rsq(a),
        FUnary::Sqrt => fpu.sqrt(a),
        FUnary::Sin => {
            small(l, ty)?;
            fpu.sin(a)
        }
        FUnary::Cos => {
            small(l, ty)?;
            fpu.cos(a)
        }
        FUnary::FrexpMant => fpu.frexp_mant(a),
        // An integer: no output modifier, no clamp.
        FUnary::FrexpExp => return Ok((fpu.frexp_exp(a) as u32).into()),
    };
    Ok(l.finish(ty, bits).into())
}

/// Two sources.
pub(super) fn binary(l: &Lane<'_>, op: FBinary, ty: FloatTy) -> Result<Out, ExecError> {
    let fpu = l.fpu(ty);
    let (a, b) = (l.get(0)?, l.get(1)?);
    let bits = match op {
        FBinary::Add => fpu.add(a, b),
        FBinary::Sub => fpu.sub(a, b),
        FBinary::SubRev => fpu.sub_rev(a, b),
        FBinary::Mul => fpu.mul(a, b),
        FBinary::MulLegacy => fpu.mul_legacy(a, b),
        FBinary::Min => fpu.min(a, b),
        FBinary::Max => fpu.max(a, b),
        FBinary::Ldexp => {
            let by = match ty {
                FloatTy::F16 => i32::from(b as i16),
                FloatTy::F32 | FloatTy::F64 => b as i32,
            };
            fpu.ldexp(a, by)
        }
    };
    Ok(l.finish(ty, bits).into())
}

/// Three sources.
pub(super) fn ternary(l: &Lane<'_>, op: FTernary, ty: FloatTy) -> Result<Out, ExecError> {
    let fpu = l.fpu(ty);
    let v @ [a, b, c] = [l.get(0)?, l.get(1)?, l.get(2)?];
    let bits = match op {
        FTernary::Fma => fpu.fma(a, b, c),
        FTernary::FmaLegacy => fpu.fma_legacy(a, b, c),
        FTernary::Mad => fpu.mad(a, b, c),
        FTernary::MadLegacy => fpu.mad_legacy(a, b, c),
        FTernary::Min3 => fpu.min3(a, b, c),
        FTernary::Max3 => fpu.max3(a, b, c),
        FTernary::Med3 => fpu.med3(a, b, c),
        FTernary::CubeId => fpu.cube_id(v),
        FTernary::CubeSc => fpu.cube_sc(v),
        FTernary::CubeTc => fpu.cube_tc(v),
        FTernary::CubeMa => fpu.cube_ma(v),
        FTernary::DivFixup => fpu.div_fixup(a, b, c),
        FTernary::DivFmas => fpu.div_fmas(a, b, c, l.mask_bit(3)?),
        FTernary::Mullit => fpu.mullit(a, b, c),
    };
    Ok(l.finish(ty, bits).into())
}

/// `V_DIV_SCALE`: the value and its flag.
pub(super) fn div_scale(l: &Lane<'_>, ty: FloatTy) -> Result<Out, ExecError> {
    let (bits, flag) = l.fpu(ty).div_scale(l.get(0)?, l.get(1)?, l.get(2)?);
    Ok(Out::with_flag(l.finish(ty, bits), flag))
}

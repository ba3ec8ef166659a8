//! Conversions and packing.

use spirdna_isa::launch::Round;
use spirdna_isa::{Cvt, FloatTy};

use super::operand::Lane;
use super::result::Out;
use crate::error::ExecError;
use crate::float::OVERFLOW_I32;

const OVERFLOW_U32: (i128, i128) = (0, u32::MAX as i128);

/// Two halves in a register.
fn pack(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

/// A conversion.
pub(super) fn convert(l: &Lane<'_>, op: Cvt) -> Result<Out, ExecError> {
    use FloatTy::{F16, F32, F64};
    let between = |from, to| -> Result<Out, ExecError> {
        let bits = l.fpu(from).convert(l.get(0)?, l.fpu(to));
        Ok(l.finish(to, bits).into())
    };
    let from_integer =
        |to, value: i128| -> Out { l.finish(to, l.fpu(to).from_integer(value)).into() };
    let to_integer = |from, bounds| -> Result<Out, ExecError> {
        let value = l
            .fpu(from)
            .to_integer(l.get(0)?, Round::TowardZero, bounds, 0);
        Ok((value as u32).into())
    };
    let signed = |i| -> Result<i128, ExecError> { Ok((l.get(i)? as i32).into()) };
    Ok(match op {
        Cvt::F32FromI32 => from_integer(F32, signed(0)?),
        Cvt::F32FromU32 => from_integer(F32, l.get(0)?.into()),
        Cvt::F64FromI32 => from_integer(F64, signed(0)?),
        Cvt::F64FromU32 => from_integer(F64, l.get(0)?.into()),
        Cvt::F16FromU16 => from_integer(F16, l.get(0)?.into()),
        Cvt::F16FromI16 => from_integer(F16, (l.get(0)? as i16).into()),
        Cvt::F32FromUbyte(n) => {
            let byte = l.get(0)? >> (8 * u32::from(n)) & 0xff;
            from_integer(F32, byte.into())
        }
        Cvt::OffF32FromI4 => {
            let nibble = ((l.get(0)? as u8) << 4) as i8 >> 4;
            let bits = l.fpu(F32).from_fixed(nibble.into(), 4);
            l.finish(F32, bits).into()
        }
        Cvt::U32FromF32 => to_integer(F32, OVERFLOW_U32)?,
        Cvt::I32FromF32 => to_integer(F32, OVERFLOW_I32)?,
        Cvt::U32FromF64 => to_integer(F64, OVERFLOW_U32)?,
        Cvt::I32FromF64 => to_integer(F64, OVERFLOW_I32)?,
        Cvt::U16FromF16 => to_integer(F16, (0, u16::MAX.into()))?,
        Cvt::I16FromF16 => to_integer(F16, (i16::MIN.into(), i16::MAX.into()))?,
        Cvt::RpiI32FromF32 => (l.fpu(F32).to_floor_i32(l.get(0)?, true) as u32).into(),
        Cvt::FlrI32FromF32 => (l.fpu(F32).to_floor_i32(l.get(0)?, false) as u32).into(),
        Cvt::F16FromF32 => between(F32, F16)?,
        Cvt::F32FromF16 => between(F16, F32)?,
        Cvt::F32FromF64 => between(F64, F32)?,
        Cvt::F64FromF32 => between(F32, F64)?,
        // Clamp does nothing to normalised results (measured).
        Cvt::NormI16FromF16 => u32::from(l.fpu(F16).to_snorm16(l.get(0)?)).into(),
        Cvt::NormU16FromF16 => u32::from(l.fpu(F16).to_unorm16(l.get(0)?)).into(),
        // Neither do clamp and omod to this one (measured).
        Cvt::PkRtzF16FromF32 => {
            let half = |i| -> Result<u16, ExecError> {
                let bits = l.get(i)?;
                Ok(l.fpu(F32).to_half_toward_zero(bits, l.fpu(F16)) as u16)
            };
            pack(half(0)?, half(1)?).into()
        }
        Cvt::PkNormI16FromF32 => pack(
            l.fpu(F32).to_snorm16(l.get(0)?),
            l.fpu(F32).to_snorm16(l.get(1)?),
        )
        .into(),
        Cvt::PkNormU16FromF32 => pack(
            l.fpu(F32).to_unorm16(l.get(0)?),
            l.fpu(F32).to_unorm16(l.get(1)?),
        )
        .into(),
        Cvt::PkNormI16FromF16 => pack(
            l.fpu(F16).to_snorm16(l.get(0)?),
            l.fpu(F16).to_snorm16(l.get(1)?),
        )
        .into(),
        Cvt::PkNormU16FromF16 => pack(
            l.fpu(F16).to_unorm16(l.get(0)?),
            l.fpu(F16).to_unorm16(l.get(1)?),
        )
        .into(),
        Cvt::PkU16FromU32 => {
            let half = |i| -> Result<u16, ExecError> { Ok(l.get(i)?.min(0xffff) as u16) };
            pack(half(0)?, half(1)?).into()
        }
        Cvt::PkI16FromI32 => {
            let half = |i| -> Result<u16, ExecError> {
                Ok((l.get(i)? as i32).clamp(i16::MIN.into(), i16::MAX.into()) as u16)
            };
            pack(half(0)?, half(1)?).into()
        }
        Cvt::PkU8FromF32 => {
            let byte = u32::from(l.fpu(F32).to_u8(l.get(0)?));
            let at = 8 * (l.get(1)? as u32 & 3);
            (l.get(2)? as u32 & !(0xff << at) | byte << at).into()
        }
        Cvt::PackB32FromF16 => pack(l.get(0)? as u16, l.get(1)? as u16).into(),
        Cvt::SatPkU8FromI16 => {
            let bits = l.get(0)? as u32;
            let byte = |half: u32| (half as i16).clamp(0, 255) as u32;
            (byte(bits) | byte(bits >> 16) << 8).into()
        }
    })
}

//! Host float operations: bits in, bits out. What a host does with them is the profile's business and
//! `lower_float`'s; here they are only said in SPIR-V.

use smallvec::SmallVec;
use spirv::{Decoration, GlslStd450Op, Op};

use super::arith::MAGNITUDE;
use super::code::Open;
use super::error::{EmitError, Fail};
use super::module::{Id, Module, TypeId};
use super::notes::Note;
use super::value::Val;
use crate::ir::{FTy, HostOp};
use crate::profile::HostProfile;

const ARITY: EmitError =
    EmitError::Malformed("a host float operation with a wrong number of arguments");

fn bits(ty: FTy) -> u32 {
    match ty {
        FTy::F16 => 16,
        FTy::F32 => 32,
        FTy::F64 => 64,
    }
}

/// Whether the profile has the width.
fn available(profile: &HostProfile, ty: FTy) -> Result<(), Fail> {
    match ty {
        FTy::F16 if !profile.float16 => Err(EmitError::Missing("Float16").into()),
        FTy::F16 if !profile.int16 => Err(EmitError::Missing("Int16").into()),
        FTy::F64 if !profile.float64 => Err(EmitError::Missing("Float64").into()),
        FTy::F16 | FTy::F32 | FTy::F64 => Ok(()),
    }
}

/// The float of so many bits that a value was made as the bits of.
fn made_as(m: &Module, bits: u32, value: Val) -> Option<Id> {
    let (word, high) = match value {
        Val::One(word) => (word, None),
        Val::Two(low, high) => (low, Some(high)),
    };
    match m.notes.of(word) {
        Note::Float {
            float,
            bits: wide,
            high: other,
        } => (u32::from(wide) == bits && other == high).then_some(float),
        _ => None,
    }
}

/// Another value that differs from this one in the word with its sign: `other` of that.
fn of_sign_word(ty: FTy, value: Val, other: impl FnOnce(Id) -> Option<Id>) -> Option<Val> {
    match (ty, value) {
        (FTy::F32, Val::One(word)) => other(word).map(Val::One),
        (FTy::F64, Val::Two(low, high)) => Some(Val::Two(low, other(high)?)),
        _ => None,
    }
}

/// The value whose sign bit is flipped in this one, where that is how it was made.
fn negated(m: &Module, ty: FTy, value: Val) -> Option<Val> {
    of_sign_word(ty, value, |word| match m.notes.of(word) {
        Note::Negated(of) => Some(of),
        _ => None,
    })
}

/// The value that this one is without its sign bit, where that is how it was made.
fn unsigned(m: &Module, ty: FTy, value: Val) -> Option<Val> {
    of_sign_word(ty, value, |word| match m.notes.of(word) {
        Note::Masked(of, MAGNITUDE) => Some(of),
        _ => None,
    })
}

/// Whether a constant is a number that no host changes: neither a subnormal nor a NaN.
fn is_plain(bits: u32) -> bool {
    let exponent = bits >> 23 & 0xff;
    bits << 1 == 0 || (1..0xff).contains(&exponent)
}

/// The float of these bits. What was made as a float, as the negative or the magnitude of one, is said so.
fn read(m: &mut Module, b: &mut Open, ty: FTy, value: Val) -> Result<Id, Fail> {
    let float = m.float(bits(ty));
    if let Some(known) = made_as(m, bits(ty), value) {
        return Ok(known);
    }
    if let Some(other) = negated(m, ty, value) {
        let other = read(m, b, ty, other)?;
        return Ok(m.op(b, Op::FNegate, float, &[other]));
    }
    if let Some(other) = unsigned(m, ty, value) {
        let other = read(m, b, ty, other)?;
        return Ok(m.glsl(b, GlslStd450Op::FAbs, float, &[other]));
    }
    Ok(match ty {
        FTy::F16 => {
            let short = m.u16();
            let half = m.op(b, Op::UConvert, short, &[value.one()?]);
            m.op(b, Op::Bitcast, float, &[half])
        }
        FTy::F32 => {
            let word = value.one()?;
            match m.value(word) {
                Some(bits) if is_plain(bits as u32) => m.const_float(float, bits as u32),
                _ => m.op(b, Op::Bitcast, float, &[word]),
            }
        }
        FTy::F64 => {
            let (low, high) = value.two()?;
            let pair = m.join(b, low, high);
            m.op(b, Op::Bitcast, float, &[pair])
        }
    })
}

/// The bits of this float.
fn write(m: &mut Module, b: &mut Open, ty: FTy, float: Id) -> Val {
    let word = m.u32();
    let value = match ty {
        FTy::F16 => {
            let short = m.u16();
            let half = m.op(b, Op::Bitcast, short, &[float]);
            Val::One(m.op(b, Op::UConvert, word, &[half]))
        }
        FTy::F32 => Val::One(m.op(b, Op::Bitcast, word, &[float])),
        FTy::F64 => {
            let pair_ty = m.uvec2();
            let pair = m.op(b, Op::Bitcast, pair_ty, &[float]);
            Val::Two(m.part(b, pair, 0), m.part(b, pair, 1))
        }
    };
    let (first, high) = match value {
        Val::One(word) => (word, None),
        Val::Two(low, high) => (low, Some(high)),
    };
    let note = Note::Float {
        float,
        bits: bits(ty) as u8,
        high,
    };
    m.notes.set(first, note);
    value
}

/// x + y, as a difference where either is a negative.
fn sum(m: &mut Module, b: &mut Open, ty: FTy, args: &[Val]) -> Result<Val, Fail> {
    let &[x, y] = args else {
        return Err(ARITY.into());
    };
    if let Some(y) = negated(m, ty, y) {
        return exact(m, b, Op::FSub, ty, &[x, y]);
    }
    if let Some(x) = negated(m, ty, x) {
        return exact(m, b, Op::FSub, ty, &[y, x]);
    }
    exact(m, b, Op::FAdd, ty, args)
}

/// Emits one operation.
pub fn emit(
    m: &mut Module,
    b: &mut Open,
    profile: &HostProfile,
    op: HostOp,
    ty: FTy,
    args: &[Val],
) -> Result<Val, Fail> {
    if op == HostOp::FIsNan {
        let &[x] = args else { return Err(ARITY.into()) };
        return is_nan(m, b, ty, x);
    }
    available(profile, ty)?;
    let float = m.float(bits(ty));
    match op {
        HostOp::FAdd => sum(m, b, ty, args),
        HostOp::FSub => exact(m, b, Op::FSub, ty, args),
        HostOp::FMul => exact(m, b, Op::FMul, ty, args),
        HostOp::FDiv => exact(m, b, Op::FDiv, ty, args),
        HostOp::FFma => library(m, b, GlslStd450Op::Fma, ty, args),
        HostOp::FMin => library(m, b, GlslStd450Op::NMin, ty, args),
        HostOp::FMax => library(m, b, GlslStd450Op::NMax, ty, args),
        HostOp::FTrunc => library(m, b, GlslStd450Op::Trunc, ty, args),
        HostOp::FCeil => library(m, b, GlslStd450Op::Ceil, ty, args),
        HostOp::FFloor => library(m, b, GlslStd450Op::Floor, ty, args),
        HostOp::FRoundEven => library(m, b, GlslStd450Op::RoundEven, ty, args),
        HostOp::FSqrt => library(m, b, GlslStd450Op::Sqrt, ty, args),
        HostOp::FInverseSqrt => library(m, b, GlslStd450Op::InverseSqrt, ty, args),
        HostOp::FExp2 | HostOp::FLog2 | HostOp::FSin | HostOp::FCos if ty == FTy::F64 => {
            Err(EmitError::Unsupported("a transcendental function of f64").into())
        }
        HostOp::FExp2 => library(m, b, GlslStd450Op::Exp2, ty, args),
        HostOp::FLog2 => library(m, b, GlslStd450Op::Log2, ty, args),
        HostOp::FSin => library(m, b, GlslStd450Op::Sin, ty, args),
        HostOp::FCos => library(m, b, GlslStd450Op::Cos, ty, args),
        HostOp::FLdexp => {
            let &[x, exponent] = args else {
                return Err(ARITY.into());
            };
            let x = read(m, b, ty, x)?;
            let result = m.glsl(b, GlslStd450Op::Ldexp, float, &[x, exponent.one()?]);
            Ok(write(m, b, ty, result))
        }
        HostOp::FLt => compare(m, b, Op::FOrdLessThan, ty, args),
        HostOp::FLe => compare(m, b, Op::FOrdLessThanEqual, ty, args),
        HostOp::FEq => compare(m, b, Op::FOrdEqual, ty, args),
        HostOp::FromFloat(from) => {
            available(profile, from)?;
            let &[x] = args else { return Err(ARITY.into()) };
            let x = read(m, b, from, x)?;
            let result = m.op(b, Op::FConvert, float, &[x]);
            Ok(write(m, b, ty, result))
        }
        HostOp::FromS32 => from_int(m, b, Op::ConvertSToF, ty, args),
        HostOp::FromU32 => from_int(m, b, Op::ConvertUToF, ty, args),
        HostOp::ToS32 => to_int(m, b, Op::ConvertFToS, ty, args),
        HostOp::ToU32 => to_int(m, b, Op::ConvertFToU, ty, args),
        HostOp::FIsNan => Err(ARITY.into()),
    }
}

fn read_all(
    m: &mut Module,
    b: &mut Open,
    ty: FTy,
    args: &[Val],
) -> Result<SmallVec<[Id; 4]>, Fail> {
    let mut all = SmallVec::new();
    for &arg in args {
        all.push(read(m, b, ty, arg)?);
    }
    Ok(all)
}

/// A core operation that must not be fused or reordered with its neighbours.
fn exact(m: &mut Module, b: &mut Open, op: Op, ty: FTy, args: &[Val]) -> Result<Val, Fail> {
    let float: TypeId = m.float(bits(ty));
    let args = read_all(m, b, ty, args)?;
    let before = m.ids();
    let result = m.op(b, op, float, &args);
    if m.ids() > before {
        m.decorate(result, Decoration::NoContraction, &[]);
    }
    Ok(write(m, b, ty, result))
}

fn library(
    m: &mut Module,
    b: &mut Open,
    op: GlslStd450Op,
    ty: FTy,
    args: &[Val],
) -> Result<Val, Fail> {
    let float = m.float(bits(ty));
    let args = read_all(m, b, ty, args)?;
    let result = m.glsl(b, op, float, &args);
    Ok(write(m, b, ty, result))
}

fn compare(m: &mut Module, b: &mut Open, op: Op, ty: FTy, args: &[Val]) -> Result<Val, Fail> {
    let boolean = m.bool();
    let args = read_all(m, b, ty, args)?;
    Ok(Val::One(m.op(b, op, boolean, &args)))
}

fn from_int(m: &mut Module, b: &mut Open, op: Op, ty: FTy, args: &[Val]) -> Result<Val, Fail> {
    let &[x] = args else { return Err(ARITY.into()) };
    let float = m.float(bits(ty));
    let result = m.op(b, op, float, &[x.one()?]);
    Ok(write(m, b, ty, result))
}

fn to_int(m: &mut Module, b: &mut Open, op: Op, ty: FTy, args: &[Val]) -> Result<Val, Fail> {
    let &[x] = args else { return Err(ARITY.into()) };
    let word = m.u32();
    let x = read(m, b, ty, x)?;
    Ok(Val::One(m.op(b, op, word, &[x])))
}

/// By the bits: `OpIsNan` may be taken for false by a host that promises no NaN.
fn is_nan(m: &mut Module, b: &mut Open, ty: FTy, x: Val) -> Result<Val, Fail> {
    Ok(Val::One(match ty {
        FTy::F16 | FTy::F32 => {
            let (all, infinity) = if ty == FTy::F16 {
                (0x7fff, 0x7c00)
            } else {
                (0x7fff_ffff, 0x7f80_0000)
            };
            let magnitude = m.mask(b, x.one()?, all);
            let infinity = m.const_u32(infinity);
            m.ult(b, infinity, magnitude)
        }
        FTy::F64 => {
            let (low, high) = x.two()?;
            let magnitude = m.mask(b, high, 0x7fff_ffff);
            let infinity = (m.const_u32(0), m.const_u32(0x7ff0_0000));
            super::pure::ult64(m, b, infinity, (low, magnitude))
        }
    }))
}

//! The type rule of each operation: which kinds and shapes it takes, and what it gives. The one place
//! for it: the builder asks it for the result's type, the verifier asks it again.

use spirdna_isa::WaveSize;
use thiserror::Error;

use super::func::mask_kind;
use super::image::{ImageAccess, ImageOp};
use super::op::{FOp, FTy, HostOp, Input, MemWidth, Op, Pure, StageInput};
use super::types::{Kind, Shape, Ty};

/// Why an operation does not take its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TypeError {
    /// Wrong number of arguments.
    #[error("takes {expected} arguments, has {found}")]
    Arity {
        /// As many as the operation takes.
        expected: usize,
        /// As many as there are.
        found: usize,
    },
    /// An argument of another kind than the operation takes.
    #[error("argument {index} is of kind {found:?}, {expected:?} is wanted")]
    Kind {
        /// Argument, from 0.
        index: usize,
        /// Kind wanted.
        expected: Kind,
        /// Kind found.
        found: Kind,
    },
    /// An argument of a kind on which the operation is not defined.
    #[error("is not defined on {found:?} (argument {index})")]
    Undefined {
        /// Argument, from 0.
        index: usize,
        /// Kind found.
        found: Kind,
    },
    /// A per-lane argument where a uniform one is wanted.
    #[error("argument {index} must be uniform")]
    NotUniform {
        /// Argument, from 0.
        index: usize,
    },
    /// A memory width that the operation does not have.
    #[error("does not have the width {0:?}")]
    Width(MemWidth),
    /// A conversion from a float width to itself.
    #[error("converts {0:?} to itself")]
    SameFloat(FTy),
    /// A call, whose result's kind only the module knows.
    #[error("is typed by the helper it calls")]
    Call,
}

/// The kind that holds a float.
pub const fn float_kind(ty: FTy) -> Kind {
    match ty {
        FTy::F16 | FTy::F32 => Kind::I32,
        FTy::F64 => Kind::I64,
    }
}

/// The kind that a memory access moves.
pub const fn mem_kind(width: MemWidth) -> Kind {
    match width {
        MemWidth::B8 | MemWidth::B16 | MemWidth::B32 => Kind::I32,
        MemWidth::B64 => Kind::I64,
    }
}

/// Per-lane where one of them is.
pub fn join(args: &[Ty]) -> Shape {
    if args.iter().any(|ty| ty.is_lane()) {
        Shape::Lane
    } else {
        Shape::Uniform
    }
}

fn want(args: &[Ty], kinds: &[Kind]) -> Result<(), TypeError> {
    if args.len() != kinds.len() {
        return Err(TypeError::Arity {
            expected: kinds.len(),
            found: args.len(),
        });
    }
    for (index, (arg, &expected)) in args.iter().zip(kinds).enumerate() {
        if arg.kind != expected {
            return Err(TypeError::Kind {
                index,
                expected,
                found: arg.kind,
            });
        }
    }
    Ok(())
}

fn uniform(args: &[Ty], index: usize) -> Result<(), TypeError> {
    match args.get(index) {
        Some(ty) if ty.is_lane() => Err(TypeError::NotUniform { index }),
        _ => Ok(()),
    }
}

/// The kind of argument `index`, if it is one of `among`.
fn one_of(args: &[Ty], index: usize, count: usize, among: &[Kind]) -> Result<Kind, TypeError> {
    let found = args
        .get(index)
        .ok_or(TypeError::Arity {
            expected: count,
            found: args.len(),
        })?
        .kind;
    if among.contains(&found) {
        Ok(found)
    } else {
        Err(TypeError::Undefined { index, found })
    }
}

/// A width of 32 bits at most.
fn narrow(width: MemWidth) -> Result<(), TypeError> {
    match width {
        MemWidth::B8 | MemWidth::B16 | MemWidth::B32 => Ok(()),
        MemWidth::B64 => Err(TypeError::Width(width)),
    }
}

/// The type of what `op` yields for arguments of these types; `None` where it yields nothing.
///
/// # Errors
/// Where the operation does not take such arguments. `Op::Call` is always an error: its type is its
/// helper's (see `verify::verify_module`).
pub fn infer(op: &Op, args: &[Ty], wave: WaveSize) -> Result<Option<Ty>, TypeError> {
    use Kind::{Bool, I32, I64};
    let shaped = |kind| {
        Some(Ty {
            kind,
            shape: join(args),
        })
    };
    Ok(match op {
        Op::ConstBool(_) => {
            want(args, &[])?;
            Some(Ty::uniform(Bool))
        }
        Op::Const32(_) => {
            want(args, &[])?;
            Some(Ty::uniform(I32))
        }
        Op::Const64(_) => {
            want(args, &[])?;
            Some(Ty::uniform(I64))
        }
        Op::Input(input) => {
            want(args, &[])?;
            Some(input_ty(*input))
        }
        Op::Pure(pure) => shaped(pure_kind(*pure, args)?),
        Op::Float(fop, ty, _) => shaped(float_result(*fop, *ty, args)?),
        Op::Host(hop, ty) => shaped(host_result(*hop, *ty, args)?),
        Op::Call(_) => return Err(TypeError::Call),
        Op::Ballot => {
            want(args, &[Bool])?;
            Some(Ty::uniform(mask_kind(wave)))
        }
        Op::LaneBit => {
            want(args, &[mask_kind(wave)])?;
            uniform(args, 0)?;
            Some(Ty::lane(Bool))
        }
        Op::ReadLane => {
            want(args, &[I32, I32])?;
            uniform(args, 1)?;
            Some(Ty::uniform(I32))
        }
        Op::Shuffle => {
            want(args, &[I32, I32])?;
            Some(Ty::lane(I32))
        }
        Op::Table(_) => {
            want(args, &[I32])?;
            shaped(I32)
        }
        Op::Window => {
            want(args, &[I64])?;
            shaped(I64)
        }
        Op::Ptr { .. } if args.len() > 1 => {
            want(args, &[I64, I64, I64, I32])?;
            shaped(Kind::Ptr)
        }
        Op::Ptr { .. } => {
            want(args, &[I64])?;
            shaped(Kind::Ptr)
        }
        Op::PtrBound { .. } => {
            want(args, &[I32])?;
            shaped(Kind::Ptr)
        }
        Op::PtrBytes => {
            want(args, &[I64, I32])?;
            shaped(Kind::Ptr)
        }
        Op::PtrOk => {
            want(args, &[Kind::Ptr])?;
            shaped(Bool)
        }
        Op::Load { width, .. } => {
            want(args, &[Kind::Ptr, Bool])?;
            shaped(mem_kind(*width))
        }
        Op::Store { width, .. } => {
            want(args, &[Kind::Ptr, mem_kind(*width), Bool])?;
            None
        }
        Op::Atomic {
            op, width, shape, ..
        } => {
            atomic(args, Kind::Ptr, *width, op.data_args(), *shape)?;
            Some(Ty {
                kind: mem_kind(*width),
                shape: *shape,
            })
        }
        Op::LdsLoad { width } => {
            narrow(*width)?;
            want(args, &[I32, Bool])?;
            shaped(I32)
        }
        Op::LdsStore { width } => {
            narrow(*width)?;
            want(args, &[I32, I32, Bool])?;
            None
        }
        Op::ScratchLoad { width, .. } => {
            narrow(*width)?;
            want(args, &[I32, Bool])?;
            Some(Ty::lane(I32))
        }
        Op::ScratchStore { width, .. } => {
            narrow(*width)?;
            want(args, &[I32, I32, Bool])?;
            None
        }
        Op::LdsAtomic { op, width, shape } => {
            atomic(args, I32, *width, op.data_args(), *shape)?;
            Some(Ty {
                kind: mem_kind(*width),
                shape: *shape,
            })
        }
        Op::Fault { .. } => {
            want(args, &[I64, Bool])?;
            None
        }
        Op::WaveSync => {
            want(args, &[])?;
            None
        }
        Op::AnyWave => {
            want(args, &[Bool])?;
            Some(Ty::uniform(Bool))
        }
        Op::InterpFirst { .. } | Op::Quad { .. } => {
            want(args, &[I32])?;
            shaped(I32)
        }
        Op::Image(access) => image(access, args)?,
        Op::Output { .. } => {
            want(args, &[I32, Bool])?;
            None
        }
        Op::Valid => {
            want(args, &[Bool])?;
            None
        }
    })
}

fn image(access: &ImageAccess, args: &[Ty]) -> Result<Option<Ty>, TypeError> {
    let guard = usize::from(access.op.is_guarded());
    let mut kinds = vec![Kind::I32; guard + access.operands() + access.descriptors()];
    if let (Some(first), 1) = (kinds.first_mut(), guard) {
        *first = Kind::Bool;
    }
    want(args, &kinds)?;
    Ok(match access.op {
        ImageOp::Store => None,
        ImageOp::Atomic { shape, .. } => {
            if shape == Shape::Uniform {
                for index in 0..args.len() {
                    uniform(args, index)?;
                }
            }
            Some(Ty {
                kind: Kind::I32,
                shape,
            })
        }
        _ => Some(Ty {
            kind: Kind::I32,
            shape: join(args),
        }),
    })
}

fn atomic(
    args: &[Ty],
    place: Kind,
    width: MemWidth,
    data: usize,
    shape: Shape,
) -> Result<(), TypeError> {
    if !matches!(width, MemWidth::B32 | MemWidth::B64) {
        return Err(TypeError::Width(width));
    }
    let kind = mem_kind(width);
    want(args, &[place, Kind::Bool, kind, kind][..2 + data])?;
    if shape == Shape::Uniform {
        for index in 0..args.len() {
            uniform(args, index)?;
        }
    }
    Ok(())
}

/// Type of an input.
pub const fn input_ty(input: Input) -> Ty {
    match input {
        Input::UserData(_)
        | Input::GroupId(_)
        | Input::WaveInGroup
        | Input::WavesInGroup
        | Input::GroupNumber
        | Input::Base { .. } => Ty::uniform(Kind::I32),
        Input::LaneId | Input::LocalId(_) | Input::LaunchVgpr(_) => Ty::lane(Kind::I32),
        Input::LaneLive => Ty::lane(Kind::Bool),
        Input::Stage(StageInput::FrontFacing) => Ty::uniform(Kind::Bool),
        Input::Stage(_) => Ty::uniform(Kind::I32),
    }
}

/// The kind of what a pure operation gives, by the kinds of its first two arguments; it takes arguments of them.
#[inline]
pub(super) const fn pure_result(op: Pure, first: Kind, second: Kind) -> Kind {
    match op {
        Pure::Not
        | Pure::Add
        | Pure::Sub
        | Pure::Mul
        | Pure::UDiv
        | Pure::URem
        | Pure::And
        | Pure::Or
        | Pure::Xor
        | Pure::Shl
        | Pure::ShrU
        | Pure::ShrS => first,
        Pure::Select => second,
        Pure::Eq | Pure::Ne | Pure::ULt | Pure::ULe | Pure::SLt | Pure::SLe => Kind::Bool,
        Pure::BitReverse
        | Pure::BitCount
        | Pure::FindLsb
        | Pure::FindUMsb
        | Pure::MulHiU
        | Pure::MulHiS
        | Pure::UMin
        | Pure::UMax
        | Pure::SMin
        | Pure::SMax
        | Pure::BitsU
        | Pure::BitsS
        | Pure::Lo
        | Pure::Hi
        | Pure::BoolInt => Kind::I32,
        Pure::ZExt | Pure::SExt | Pure::Pack => Kind::I64,
    }
}

fn pure_kind(op: Pure, args: &[Ty]) -> Result<Kind, TypeError> {
    use Kind::{Bool, I32, I64};
    const BITS: &[Kind] = &[Bool, I32, I64];
    const INTS: &[Kind] = &[I32, I64];
    match op {
        Pure::Not => {
            let kind = one_of(args, 0, 1, BITS)?;
            want(args, &[kind])?;
        }
        Pure::BitReverse | Pure::ZExt | Pure::SExt => want(args, &[I32])?,
        Pure::BitCount | Pure::FindLsb | Pure::FindUMsb => {
            let kind = one_of(args, 0, 1, INTS)?;
            want(args, &[kind])?;
        }
        Pure::Add
        | Pure::Sub
        | Pure::Mul
        | Pure::UDiv
        | Pure::URem
        | Pure::ULt
        | Pure::ULe
        | Pure::SLt
        | Pure::SLe => {
            let kind = one_of(args, 0, 2, INTS)?;
            want(args, &[kind, kind])?;
        }
        Pure::MulHiU
        | Pure::MulHiS
        | Pure::UMin
        | Pure::UMax
        | Pure::SMin
        | Pure::SMax
        | Pure::Pack => want(args, &[I32, I32])?,
        Pure::And | Pure::Or | Pure::Xor | Pure::Eq | Pure::Ne => {
            let kind = one_of(args, 0, 2, BITS)?;
            want(args, &[kind, kind])?;
        }
        Pure::Shl | Pure::ShrU | Pure::ShrS => {
            let kind = one_of(args, 0, 2, INTS)?;
            want(args, &[kind, I32])?;
        }
        Pure::Select => {
            let kind = one_of(args, 1, 3, BITS)?;
            want(args, &[Bool, kind, kind])?;
        }
        Pure::BitsU | Pure::BitsS => want(args, &[I32, I32, I32])?,
        Pure::Lo | Pure::Hi => want(args, &[I64])?,
        Pure::BoolInt => want(args, &[Bool])?,
    }
    let kind = |i: usize| args.get(i).map_or(I32, |ty| ty.kind);
    Ok(pure_result(op, kind(0), kind(1)))
}

fn float_result(op: FOp, ty: FTy, args: &[Ty]) -> Result<Kind, TypeError> {
    let f = float_kind(ty);
    let (params, result): (&[Kind], Kind) = match op {
        FOp::Add | FOp::Mul | FOp::MulLegacy | FOp::Min | FOp::Max => (&[f, f], f),
        FOp::Fma | FOp::Mad | FOp::FmaLegacy | FOp::Med3 => (&[f, f, f], f),
        FOp::Trunc
        | FOp::Ceil
        | FOp::Rndne
        | FOp::Floor
        | FOp::Fract
        | FOp::Rcp
        | FOp::Rsq
        | FOp::Sqrt
        | FOp::Exp2
        | FOp::Log2
        | FOp::Sin
        | FOp::Cos
        | FOp::FrexpMant
        | FOp::Clamp { .. }
        | FOp::Omod(_) => (&[f], f),
        FOp::FrexpExp | FOp::ToInt { .. } => (&[f], Kind::I32),
        FOp::Ldexp => (&[f, Kind::I32], f),
        FOp::Dot2 => (&[Kind::I32, Kind::I32, f], f),
        FOp::FmaScaled => (&[f, f, f, Kind::I32], f),
        FOp::Lt | FOp::Eq | FOp::Le | FOp::Unordered => (&[f, f], Kind::Bool),
        FOp::Class => (&[f, Kind::I32], Kind::Bool),
        FOp::FromFloat(from) if from == ty => return Err(TypeError::SameFloat(ty)),
        FOp::FromFloat(from) => (&[float_kind(from)], f),
        FOp::FromInt { .. } => (&[Kind::I32], f),
    };
    want(args, params)?;
    Ok(result)
}

fn host_result(op: HostOp, ty: FTy, args: &[Ty]) -> Result<Kind, TypeError> {
    let f = float_kind(ty);
    let (params, result): (&[Kind], Kind) = match op {
        HostOp::FAdd | HostOp::FSub | HostOp::FMul | HostOp::FDiv | HostOp::FMin | HostOp::FMax => {
            (&[f, f], f)
        }
        HostOp::FFma => (&[f, f, f], f),
        HostOp::FTrunc
        | HostOp::FCeil
        | HostOp::FFloor
        | HostOp::FRoundEven
        | HostOp::FSqrt
        | HostOp::FInverseSqrt
        | HostOp::FExp2
        | HostOp::FLog2
        | HostOp::FSin
        | HostOp::FCos => (&[f], f),
        HostOp::FLdexp => (&[f, Kind::I32], f),
        HostOp::FLt | HostOp::FLe | HostOp::FEq => (&[f, f], Kind::Bool),
        HostOp::FIsNan => (&[f], Kind::Bool),
        HostOp::FromFloat(from) if from == ty => return Err(TypeError::SameFloat(ty)),
        HostOp::FromFloat(from) => (&[float_kind(from)], f),
        HostOp::FromS32 | HostOp::FromU32 => (&[Kind::I32], f),
        HostOp::ToS32 | HostOp::ToU32 => (&[f], Kind::I32),
    };
    want(args, params)?;
    Ok(result)
}

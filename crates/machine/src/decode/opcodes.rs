//! Which operations opcodes are, where nothing else of the instruction counts.

use spirv::Op;

use crate::code::{Atom, Bin};

/// Whether an instruction of a function has a type and a result.
pub(super) fn has_result(op: Op) -> bool {
    !matches!(
        op,
        Op::Label
            | Op::Function
            | Op::FunctionEnd
            | Op::Store
            | Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Unreachable
            | Op::Kill
            | Op::SelectionMerge
            | Op::LoopMerge
            | Op::ControlBarrier
            | Op::MemoryBarrier
            | Op::AtomicStore
            | Op::CopyMemory
    )
}

pub(super) fn atomic(op: Op) -> Option<Atom> {
    Some(match op {
        Op::AtomicExchange => Atom::Exchange,
        Op::AtomicCompareExchange => Atom::CompareExchange,
        Op::AtomicIIncrement => Atom::Inc,
        Op::AtomicIDecrement => Atom::Dec,
        Op::AtomicIAdd => Atom::Op(Bin::IAdd),
        Op::AtomicISub => Atom::Op(Bin::ISub),
        Op::AtomicSMin => Atom::Op(Bin::SMin),
        Op::AtomicUMin => Atom::Op(Bin::UMin),
        Op::AtomicSMax => Atom::Op(Bin::SMax),
        Op::AtomicUMax => Atom::Op(Bin::UMax),
        Op::AtomicAnd => Atom::Op(Bin::And),
        Op::AtomicOr => Atom::Op(Bin::Or),
        Op::AtomicXor => Atom::Op(Bin::Xor),
        _ => return None,
    })
}

pub(super) fn binary(op: Op) -> Option<Bin> {
    Some(match op {
        Op::IAdd => Bin::IAdd,
        Op::ISub => Bin::ISub,
        Op::IMul => Bin::IMul,
        Op::UDiv => Bin::UDiv,
        Op::SDiv => Bin::SDiv,
        Op::UMod => Bin::UMod,
        Op::SRem => Bin::SRem,
        Op::SMod => Bin::SMod,
        Op::ShiftLeftLogical => Bin::Shl,
        Op::ShiftRightLogical => Bin::ShrU,
        Op::ShiftRightArithmetic => Bin::ShrS,
        Op::BitwiseAnd | Op::LogicalAnd => Bin::And,
        Op::BitwiseOr | Op::LogicalOr => Bin::Or,
        Op::BitwiseXor => Bin::Xor,
        Op::LogicalEqual => Bin::LogicalEq,
        Op::LogicalNotEqual => Bin::LogicalNe,
        Op::IEqual => Bin::IEq,
        Op::INotEqual => Bin::INe,
        Op::ULessThan => Bin::ULt,
        Op::ULessThanEqual => Bin::ULe,
        Op::UGreaterThan => Bin::UGt,
        Op::UGreaterThanEqual => Bin::UGe,
        Op::SLessThan => Bin::SLt,
        Op::SLessThanEqual => Bin::SLe,
        Op::SGreaterThan => Bin::SGt,
        Op::SGreaterThanEqual => Bin::SGe,
        Op::FAdd => Bin::FAdd,
        Op::FSub => Bin::FSub,
        Op::FMul => Bin::FMul,
        Op::FDiv => Bin::FDiv,
        Op::FRem => Bin::FRem,
        Op::FMod => Bin::FMod,
        Op::FOrdEqual => Bin::FOrdEq,
        Op::FUnordEqual => Bin::FUnordEq,
        Op::FOrdNotEqual => Bin::FOrdNe,
        Op::FUnordNotEqual => Bin::FUnordNe,
        Op::FOrdLessThan => Bin::FOrdLt,
        Op::FUnordLessThan => Bin::FUnordLt,
        Op::FOrdLessThanEqual => Bin::FOrdLe,
        Op::FUnordLessThanEqual => Bin::FUnordLe,
        Op::FOrdGreaterThan => Bin::FOrdGt,
        Op::FUnordGreaterThan => Bin::FUnordGt,
        Op::FOrdGreaterThanEqual => Bin::FOrdGe,
        Op::FUnordGreaterThanEqual => Bin::FUnordGe,
        _ => return None,
    })
}

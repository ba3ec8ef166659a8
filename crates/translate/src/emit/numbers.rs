//! Numbers of pure instructions: an instruction that was made before with the same arguments, where it
//! dominates, is not made again. Dominance is that of structured flow: what stands before a construct
//! dominates all of it and what follows, what stands in it only itself. Knows nothing of the IR.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::Op;

use super::module::Id;

/// Operation, type and arguments of an instruction.
pub type Key = SmallVec<[u32; 8]>;

/// What was made in the parts of a body that dominate the place under emission.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    made: FxHashMap<Key, (Id, u32)>,
    /// Numbers of the parts that are open, ascending; the whole body is part 0 and is not listed.
    open: Vec<u32>,
    parts: u32,
}

impl Numbers {
    /// Begins a part.
    pub fn enter(&mut self) {
        self.parts += 1;
        self.open.push(self.parts);
    }

    /// Ends the part begun last.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    /// An instruction that dominates.
    pub fn find(&self, key: &Key) -> Option<Id> {
        let &(id, part) = self.made.get(key)?;
        (part == 0 || self.open.binary_search(&part).is_ok()).then_some(id)
    }

    /// Remembers an instruction.
    pub fn add(&mut self, key: Key, id: Id) {
        let part = self.open.last().copied().unwrap_or(0);
        self.made.insert(key, (id, part));
    }
}

/// Whether an operation's result depends on its arguments alone, and it does nothing else.
pub fn is_pure(op: Op) -> bool {
    matches!(
        op,
        Op::AccessChain
            | Op::Bitcast
            | Op::BitCount
            | Op::BitFieldSExtract
            | Op::BitFieldUExtract
            | Op::BitReverse
            | Op::BitwiseAnd
            | Op::BitwiseOr
            | Op::BitwiseXor
            | Op::CompositeConstruct
            | Op::CompositeExtract
            | Op::ConvertFToS
            | Op::ConvertFToU
            | Op::ConvertSToF
            | Op::ConvertUToF
            | Op::DPdxFine
            | Op::DPdyFine
            | Op::ExtInst
            | Op::FAdd
            | Op::FConvert
            | Op::FDiv
            | Op::FMul
            | Op::FNegate
            | Op::FOrdEqual
            | Op::FOrdLessThan
            | Op::FOrdLessThanEqual
            | Op::FSub
            | Op::IAdd
            | Op::IAddCarry
            | Op::IEqual
            | Op::IMul
            | Op::ImageQueryLevels
            | Op::ImageQuerySamples
            | Op::ImageQuerySize
            | Op::ImageQuerySizeLod
            | Op::INotEqual
            | Op::ISub
            | Op::ISubBorrow
            | Op::LogicalAnd
            | Op::LogicalNot
            | Op::LogicalNotEqual
            | Op::LogicalOr
            | Op::Not
            | Op::SConvert
            | Op::SLessThan
            | Op::SLessThanEqual
            | Op::SMulExtended
            | Op::Select
            | Op::ShiftLeftLogical
            | Op::ShiftRightArithmetic
            | Op::ShiftRightLogical
            | Op::UConvert
            | Op::UDiv
            | Op::ULessThan
            | Op::ULessThanEqual
            | Op::UMod
            | Op::UMulExtended
    )
}

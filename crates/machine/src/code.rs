//! Functions as they are executed. An operand is a cell of the frame, or of the constants where the top
//! bit is set; a value of several cells is named by its first.

use spirv::{GroupOperation, StorageClass};

use crate::types::Place;

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Src(pub(crate) u32);

impl Src {
    pub(crate) const CONSTANT: u32 = 1 << 31;
    /// No operand.
    pub(crate) const NONE: Src = Src(u32::MAX);

    /// A later cell of the same value.
    pub(crate) fn plus(self, i: u32) -> Src {
        Src(self.0 + i)
    }
}

/// Operations on one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Un {
    Not,
    LogicalNot,
    SNegate,
    FNegate,
    BitReverse,
    BitCount,
    IsNan,
    IsInf,
    /// Integer to integer, from so many bits.
    UConvert(u8),
    SConvert(u8),
    /// Float to float, from so many bits.
    FConvert(u8),
    UToF(u8),
    SToF(u8),
    FToU(u8),
    FToS(u8),
    FAbs,
    SAbs,
    FSign,
    SSign,
    Floor,
    Ceil,
    Trunc,
    Fract,
    RoundEven,
    Sqrt,
    InverseSqrt,
    Exp,
    Exp2,
    Log,
    Log2,
    Sin,
    Cos,
    FindILsb,
    FindUMsb,
    FindSMsb,
}

/// Operations on two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bin {
    IAdd,
    ISub,
    IMul,
    UDiv,
    SDiv,
    UMod,
    SRem,
    SMod,
    Shl,
    ShrU,
    ShrS,
    And,
    Or,
    Xor,
    LogicalEq,
    LogicalNe,
    IEq,
    INe,
    ULt,
    ULe,
    UGt,
    UGe,
    SLt,
    SLe,
    SGt,
    SGe,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    FMod,
    FOrdEq,
    FUnordEq,
    FOrdNe,
    FUnordNe,
    FOrdLt,
    FUnordLt,
    FOrdLe,
    FUnordLe,
    FOrdGt,
    FUnordGt,
    FOrdGe,
    FUnordGe,
    UMin,
    UMax,
    SMin,
    SMax,
    FMin,
    FMax,
    Pow,
    /// The second is a 32-bit integer.
    Ldexp,
}

/// Operations on three cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tri {
    Fma,
    FMix,
    FClamp,
    UClamp,
    SClamp,
}

/// What an atomic does with the old value and its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    Exchange,
    Op(Bin),
    Inc,
    Dec,
    CompareExchange,
}

/// A step of an access chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) index: Src,
    /// Cells or bytes.
    pub(crate) stride: u64,
    /// Elements, where the object says how many.
    pub(crate) limit: Option<u32>,
}

/// What a subgroup does together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    Elect,
    All,
    Any,
    AllEqual,
    Broadcast,
    BroadcastFirst,
    Ballot,
    InverseBallot,
    BitExtract,
    BitCount(GroupOperation),
    FindLsb,
    FindMsb,
    Shuffle,
    ShuffleXor,
    ShuffleUp,
    ShuffleDown,
    QuadBroadcast,
    QuadSwap,
    /// With the size of a cluster, where it is one.
    Reduce(Bin, GroupOperation, u32),
}

/// What is executed.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Un {
        op: Un,
        dst: u32,
        a: Src,
        n: u32,
        bits: u8,
    },
    Bin {
        op: Bin,
        dst: u32,
        a: Src,
        b: Src,
        n: u32,
        bits: u8,
        /// Whether `b` is one cell for all.
        splat: bool,
    },
    Tri {
        op: Tri,
        dst: u32,
        a: Src,
        b: Src,
        c: Src,
        n: u32,
        bits: u8,
    },
    /// High halves or carries: low (or sum) cells, then high (or carry) ones.
    Wide {
        op: WideOp,
        dst: u32,
        a: Src,
        b: Src,
        n: u32,
        bits: u8,
    },
    /// `each`: a condition for every cell.
    Select {
        dst: u32,
        cond: Src,
        a: Src,
        b: Src,
        n: u32,
        each: bool,
    },
    Bits {
        signed: bool,
        dst: u32,
        base: Src,
        at: Src,
        count: Src,
        n: u32,
        bits: u8,
    },
    BitsInsert {
        dst: u32,
        base: Src,
        insert: Src,
        at: Src,
        count: Src,
        n: u32,
    },
    Copy {
        dst: u32,
        src: Src,
        n: u32,
    },
    /// Cells put together from others.
    Gather {
        dst: u32,
        parts: Box<[(Src, u32)]>,
    },
    /// Any or all of booleans.
    Vote {
        dst: u32,
        all: bool,
        a: Src,
        n: u32,
    },
    Dot {
        dst: u32,
        a: Src,
        b: Src,
        n: u32,
        bits: u8,
    },
    /// A pointer from an address of a buffer, in `n` scalars of `from` bits.
    Behind {
        dst: u32,
        a: Src,
        from: u8,
        n: u32,
    },
    /// The same bits in scalars of another width.
    Rebits {
        dst: u32,
        a: Src,
        from: u8,
        to: u8,
        bits_in_all: u32,
    },
    ExtractDynamic {
        dst: u32,
        a: Src,
        n: u32,
        index: Src,
    },
    InsertDynamic {
        dst: u32,
        a: Src,
        n: u32,
        index: Src,
        value: Src,
    },
    PackHalf {
        dst: u32,
        a: Src,
    },
    UnpackHalf {
        dst: u32,
        a: Src,
    },
    Access {
        dst: u32,
        base: Src,
        offset: u64,
        steps: Box<[Step]>,
    },
    /// Of cells.
    Load {
        dst: u32,
        class: StorageClass,
        pointer: Src,
        n: u32,
    },
    Store {
        class: StorageClass,
        pointer: Src,
        value: Src,
        n: u32,
    },
    /// Of memory with a layout.
    Read {
        dst: u32,
        pointer: Src,
        places: Box<[Place]>,
    },
    Write {
        pointer: Src,
        value: Src,
        places: Box<[Place]>,
    },
    ArrayLength {
        dst: u32,
        base: Src,
        offset: u64,
        stride: u64,
    },
    Atomic {
        op: Atom,
        dst: Option<u32>,
        class: StorageClass,
        pointer: Src,
        data: Src,
        compare: Src,
        bits: u8,
    },
    AtomicLoad {
        dst: u32,
        class: StorageClass,
        pointer: Src,
        bits: u8,
    },
    Call {
        function: u32,
        dst: u32,
        args: Box<[(Src, u32)]>,
    },
    /// Orders the invocation's own accesses only: nothing here is reordered.
    MemoryBarrier,
    Barrier {
        workgroup: bool,
        orders_workgroup: bool,
        orders_buffers: bool,
    },
    Together {
        op: Together,
        dst: u32,
        a: Src,
        b: Src,
        n: u32,
        bits: u8,
    },
    Branch(u32),
    BranchIf {
        cond: Src,
        then: u32,
        els: u32,
    },
    Switch {
        value: Src,
        cases: Box<[(u64, u32)]>,
        default: u32,
    },
    Return,
    ReturnValue {
        value: Src,
        n: u32,
    },
    Unreachable,
}

/// Operations with two results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WideOp {
    UMul,
    SMul,
    AddCarry,
    SubBorrow,
}

/// A way from one block to another: where it leads, and what phi instructions take.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    pub(crate) moves: Box<[(u32, Src, u32)]>,
}

/// An instruction and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) code: Code,
    pub(crate) word: u32,
    pub(crate) id: u32,
}

/// A function variable: its first cell, their number, and what they hold at first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) first: u32,
    pub(crate) cells: u32,
    pub(crate) initial: Option<Src>,
    /// Cell of the frame that holds its pointer.
    pub(crate) dst: u32,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub(crate) lines: Vec<Line>,
    pub(crate) edges: Vec<Edge>,
    /// First lines of each loop's header and of what follows the loop, by header.
    pub(crate) loops: Vec<(u32, u32)>,
    /// Cells of a frame.
    pub(crate) frame: u32,
    pub(crate) params: Vec<(u32, u32)>,
    pub(crate) locals: Vec<Local>,
    pub(crate) local_cells: u32,
}

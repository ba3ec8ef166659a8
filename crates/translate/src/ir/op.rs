//! The operations of the IR: the contract between lift, the passes and emit. Names no AMD opcode and
//! no SPIR-V opcode. `docs/ir.md` is this table for readers.
//!
//! *Pure* operations are shape-polymorphic: their result is per-lane where an argument is, uniform
//! otherwise, and a uniform argument of a per-lane operation is the same in every lane. Every
//! operation yields at most one value.

use spirdna_isa::launch::{Denorm, Round};
use spirdna_isa::stage::{Barycentric, ColorClass, Hostless};

use super::image::{ImageAccess, ImageOp};
use super::types::Shape;

/// `Op::Quad`'s permutation by which lanes 0 and 1, 2 and 3 change places.
pub const QUAD_BESIDE: u8 = 0b10_11_00_01;
/// The one by which lanes 0 and 2, 1 and 3 do.
pub const QUAD_BELOW: u8 = 0b01_00_11_10;

/// What the wave finds at entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// User SGPR n: uniform I32.
    UserData(u32),
    /// Workgroup id along an axis, including the base of a split grid: uniform I32.
    GroupId(u8),
    /// Wave index in the workgroup: uniform I32.
    WaveInGroup,
    /// Waves of the workgroup that have a thread, which a partial workgroup has fewer of: uniform I32.
    WavesInGroup,
    /// Lane index in the wave: per-lane I32.
    LaneId,
    /// The thread's id in the workgroup along an axis: per-lane I32.
    LocalId(u8),
    /// Whether the lane holds a thread of the grid: per-lane Bool.
    LaneLive,
    /// Initial VGPR data given by the caller, by index into `Launch::vgprs`: per-lane I32.
    LaunchVgpr(u32),
    /// Number of the workgroup in the grid, x fastest: uniform I32.
    GroupNumber,
    /// Half of the guest address where the caller put a memory of the dispatch: uniform I32.
    Base {
        /// Which memory.
        area: Area,
        /// Bits 63:32.
        high: bool,
    },
    /// What a graphics stage has: uniform, in functions of one lane only.
    Stage(StageInput),
}

/// What the rasteriser and the fixed function hand to a graphics invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageInput {
    /// The vertex' index, from the draw's first vertex on: I32.
    VertexIndex,
    /// The instance's number, from the draw's first instance on: I32.
    InstanceIndex,
    /// A component of an attribute, interpolated by the host: I32.
    Attribute {
        /// Parameter of the vertex stage.
        location: u8,
        /// x, y, z, w.
        component: u8,
        /// How.
        interpolation: Interpolation,
    },
    /// A component of an attribute of one of the primitive's vertices: I32.
    VertexAttribute {
        /// Parameter of the vertex stage.
        location: u8,
        /// x, y, z, w.
        component: u8,
        /// 0, 1, 2: the first is the provoking one.
        vertex: u8,
    },
    /// One of a pair of barycentrics, the second where `j`: I32.
    Barycentric {
        /// Which pair.
        which: Barycentric,
        /// The second.
        j: bool,
    },
    /// Position in the window: x, y, z and 1/w of the clip space: I32.
    FragCoord(u8),
    /// Front face: Bool.
    FrontFacing,
    /// Number of the sample: I32.
    SampleId,
    /// Covered samples: I32.
    SampleMask,
    /// Array index of the target: I32.
    Layer,
    /// Place in a point: x, y: I32.
    PointCoord(u8),
    /// The primitive's number: I32.
    PrimitiveId,
    /// Something without a counterpart: must be gone before emission: I32.
    Unavailable(Hostless),
}

/// How the host interpolates an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The provoking vertex' value.
    Flat,
    /// With these barycentrics.
    At(Barycentric),
}

/// Where a graphics stage writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Output {
    /// The primitive's number for the pixel stage, where that has its own: must be nothing else, and nothing is
    /// written.
    PrimitiveNumber,
    /// Position in clip space: four components.
    Position,
    /// Size of a point.
    PointSize,
    /// Array index of the target.
    Layer,
    /// Viewport.
    Viewport,
    /// Clip distances; the component is the distance's number among those that clip.
    Clip,
    /// Cull distances.
    Cull,
    /// A parameter for the pixel stage: four components.
    Param(u8),
    /// A colour target: four components.
    Color(u8, ColorClass),
    /// Depth.
    Depth,
    /// Sample mask.
    SampleMask,
}

/// A memory that the caller lends a dispatch at a guest address of its choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Area {
    /// Scratch: `scratch_bytes` for each lane of each wave of the grid, in order.
    Scratch,
    /// GDS.
    Gds,
}

/// Pure integer, bit and boolean operations. `x`, `y`, `z` are the arguments in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pure {
    /// Complement (Bool, I32, I64).
    Not,
    /// Bits in reverse (I32).
    BitReverse,
    /// Number of ones (I32; of an I64 as I32).
    BitCount,
    /// Index of the lowest one, -1 for 0 (I32; of an I64 as I32).
    FindLsb,
    /// Index of the highest one, -1 for 0 (I32; of an I64 as I32).
    FindUMsb,
    /// x + y modulo 2^n (I32, I64).
    Add,
    /// x - y (I32, I64).
    Sub,
    /// Low half of x * y (I32, I64).
    Mul,
    /// High half of the unsigned product (I32).
    MulHiU,
    /// High half of the signed product (I32).
    MulHiS,
    /// Unsigned quotient (I32, I64); all ones where y is 0. Of I64s only where the host has 64-bit integers.
    UDiv,
    /// Unsigned remainder (I32, I64); x where y is 0. Of I64s only where the host has 64-bit integers.
    URem,
    /// x & y (Bool, I32, I64).
    And,
    /// x | y (Bool, I32, I64).
    Or,
    /// x ^ y (Bool, I32, I64).
    Xor,
    /// x << y; the count is an I32 taken modulo the width (I32, I64).
    Shl,
    /// Logical x >> y.
    ShrU,
    /// Arithmetic x >> y.
    ShrS,
    /// Unsigned minimum (I32).
    UMin,
    /// Unsigned maximum (I32).
    UMax,
    /// Signed minimum (I32).
    SMin,
    /// Signed maximum (I32).
    SMax,
    /// x == y to Bool (any kind but Ptr).
    Eq,
    /// x != y to Bool.
    Ne,
    /// Unsigned x < y to Bool (I32, I64).
    ULt,
    /// Unsigned x <= y to Bool.
    ULe,
    /// Signed x < y to Bool.
    SLt,
    /// Signed x <= y to Bool.
    SLe,
    /// x ? y : z (x Bool; y, z of one kind, not Ptr).
    Select,
    /// z bits of x from bit y, zero-extended; y < 32, y + z <= 32, z = 0 gives 0 (I32).
    BitsU,
    /// As `BitsU`, sign-extended.
    BitsS,
    /// I32 to I64, zero-extended.
    ZExt,
    /// I32 to I64, sign-extended.
    SExt,
    /// Low half of an I64.
    Lo,
    /// High half of an I64.
    Hi,
    /// I64 of (low, high).
    Pack,
    /// Bool to I32 0 or 1.
    BoolInt,
}

/// Float widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FTy {
    F16,
    F32,
    F64,
}

/// How a guest float operation rounds, and what it does with denormals and NaNs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FMode {
    /// Rounding of the result.
    pub round: Round,
    /// Denormals in and out.
    pub denorm: Denorm,
    /// Signalling NaNs are quieted.
    pub ieee: bool,
}

/// Guest float operations: exactly what the hardware gives, bits in, bits out. `lower_float` replaces
/// them by what the host offers; emit never sees one. Subtraction is `Add` of a flipped sign; neg and
/// abs are integer operations; clamp and omod are operations of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FOp {
    /// x + y.
    Add,
    /// x * y.
    Mul,
    /// x * y + z, rounded once.
    Fma,
    /// x * y + z, rounded twice (V_MAD, V_MAC).
    Mad,
    /// Legacy multiply: 0 times anything is +0.
    MulLegacy,
    /// Legacy fma.
    FmaLegacy,
    /// (x * y + z) * 2^n rounded once, n an I32 from -256 to 256 (V_DIV_FMAS).
    FmaScaled,
    /// x.lo * y.lo + x.hi * y.hi + z rounded once: x and y are pairs of f16 whose subnormals count as they
    /// stand, z and the result are f32.
    Dot2,
    /// Minimum; a NaN loses to a number.
    Min,
    /// Maximum.
    Max,
    /// Median of three.
    Med3,
    /// Toward zero to an integer value.
    Trunc,
    /// Up.
    Ceil,
    /// To nearest even.
    Rndne,
    /// Down.
    Floor,
    /// x - floor(x), below 1.
    Fract,
    /// 1/x approximation of the hardware.
    Rcp,
    /// 1/sqrt(x).
    Rsq,
    /// sqrt(x).
    Sqrt,
    /// 2^x.
    Exp2,
    /// log2(x).
    Log2,
    /// sin of x turns.
    Sin,
    /// cos of x turns.
    Cos,
    /// Mantissa in [0.5, 1).
    FrexpMant,
    /// Exponent as I32 (sign-extended from 16 bits for f16).
    FrexpExp,
    /// x * 2^y, y an integer I32.
    Ldexp,
    /// x < y and so on: Bool.
    Lt,
    /// x == y: Bool.
    Eq,
    /// x <= y: Bool.
    Le,
    /// Either is NaN: Bool.
    Unordered,
    /// Class test against ten bits in y: Bool.
    Class,
    /// Clamp to [0, 1]; NaN to +0 where the flag (DX10_CLAMP) is set.
    Clamp {
        /// DX10_CLAMP.
        dx10: bool,
    },
    /// Times 2, 4 or a half, as the output modifier does.
    Omod(i8),
    /// Conversion from another float width; the op's type is the result's.
    FromFloat(FTy),
    /// Conversion from I32, signed or not.
    FromInt {
        /// Signed.
        signed: bool,
    },
    /// Conversion to I32, toward zero, saturating, NaN to 0.
    ToInt {
        /// Signed.
        signed: bool,
    },
}

/// Operations that the host executes as it likes (within what its profile says): bits in, bits out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum HostOp {
    FAdd,
    FSub,
    FMul,
    FDiv,
    FFma,
    FMin,
    FMax,
    FTrunc,
    FCeil,
    FFloor,
    FRoundEven,
    FSqrt,
    FInverseSqrt,
    FExp2,
    FLog2,
    FSin,
    FCos,
    FLdexp,
    /// Ordered less: Bool.
    FLt,
    /// Ordered less or equal: Bool.
    FLe,
    /// Ordered equal: Bool.
    FEq,
    /// NaN test: Bool.
    FIsNan,
    /// From another float width.
    FromFloat(FTy),
    FromS32,
    FromU32,
    ToS32,
    ToU32,
}

/// Bits moved by one access of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MemWidth {
    B8,
    B16,
    B32,
    B64,
}

impl MemWidth {
    /// Bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            MemWidth::B8 => 1,
            MemWidth::B16 => 2,
            MemWidth::B32 => 4,
            MemWidth::B64 => 8,
        }
    }
}

/// Read-modify-write operations that emit knows. Others are made by lift from `CmpSwap` loops in emit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Swap,
    /// Arguments: new, comparison.
    CmpSwap,
    Add,
    Sub,
    SMin,
    UMin,
    SMax,
    UMax,
    And,
    Or,
    Xor,
    /// data - old.
    RSub,
    /// old >= data ? 0 : old + 1.
    Inc,
    /// old == 0 || old > data ? data : old - 1.
    Dec,
    /// Subtract that stops at 0.
    CSub,
    /// (old & ~data0) | data1.
    MskOr,
    /// old >= data0 ? old - data0 : old + data1.
    Wrap,
    /// The smaller float, -0 below +0. A signalling NaN wins and comes out quiet, data before old; a
    /// quiet NaN loses, of two the data wins. `flush`: subnormals count, and are written, as signed zeros.
    FMin {
        /// Flush the inputs.
        flush: bool,
    },
    /// The larger float, as `FMin`.
    FMax {
        /// Flush the inputs.
        flush: bool,
    },
    /// What a helper makes of (old, data): I32s.
    Helper(HelperId),
    /// Arguments: new, comparison. `CmpSwap` by the value of floats: zeros are equal, a NaN never is.
    FCmpSwap {
        /// Flush what is compared.
        flush: bool,
    },
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Uniform Bool.
    ConstBool(bool),
    /// Uniform I32.
    Const32(u32),
    /// Uniform I64.
    Const64(u64),
    /// A value at entry.
    Input(Input),
    /// A pure operation.
    Pure(Pure),
    /// A guest float operation.
    Float(FOp, FTy, FMode),
    /// A host float operation.
    Host(HostOp, FTy),
    /// A call of a pure helper function of the module (integer arguments and result), per-lane or uniform.
    Call(HelperId),
    /// Mask of a Bool: bit i is the value in lane i. Bool to I32 (wave32) or I64 (wave64), uniform. A
    /// uniform argument gives all ones or zero.
    Ballot,
    /// Bool of each lane from a uniform mask.
    LaneBit,
    /// The value (x, I32) that lane y (uniform I32, below the wave size) holds: uniform.
    ReadLane,
    /// The value (x, I32) that lane y (per-lane I32, below the wave size) holds: per-lane. Reads every
    /// lane, active or not.
    Shuffle,
    /// The word of a constant table (`Func::tables`) at an index (I32, at most the number of its words; that
    /// of none gives 0): I32.
    Table(u32),
    /// Where the region of a guest address (I64) goes on behind it, for `Ptr`s: I64 that means nothing
    /// to others.
    Window,
    /// A place in guest memory of `bytes` bytes from a guest address (I64; the low 48 bits count). It may
    /// be said by way of a window too: address, window, the window's address, and the I32 that the address is behind it.
    Ptr {
        /// Bytes that must lie inside one region.
        bytes: u32,
        /// Whether no other lane reaches them (scratch).
        own: bool,
    },
    /// A place of y bytes (I32, at least 1) from guest address x (I64): what `Ptr` is where the number
    /// of bytes is known at run time only.
    PtrBytes,
    /// Place of a byte offset (I32) in the buffer of a descriptor that is bound, by number
    /// (`Module::bound`). It stands in the block of its uses; who accesses it knows that it is in range.
    PtrBound {
        /// The number.
        buffer: u32,
    },
    /// Whether a Ptr lies inside guest memory: Bool.
    PtrOk,
    /// Load from (Ptr, guard Bool): I32, or I64 for B64; narrow loads zero-extend; 0 where the guard is
    /// false or the place invalid. The address may have any alignment.
    Load {
        /// Bits.
        width: MemWidth,
        /// Byte offset from the place.
        offset: u32,
        /// The place is known to be aligned to 4 bytes.
        aligned: bool,
        /// The caller promises that nobody writes it during the dispatch.
        read_only: bool,
    },
    /// Store to (Ptr, value, guard).
    Store {
        /// Bits.
        width: MemWidth,
        /// Byte offset.
        offset: u32,
        /// The place is known to be aligned to 4 bytes.
        aligned: bool,
    },
    /// Atomic on (Ptr, guard, data 0[, data 1]) to the old value (0 where nothing was done). The old
    /// value has the operation's shape, data and result have its width.
    Atomic {
        /// Operation.
        op: AtomicOp,
        /// B32 or B64.
        width: MemWidth,
        /// Byte offset.
        offset: u32,
        /// `Lane`: each lane whose guard holds does it, even where all arguments are uniform.
        /// `Uniform`: the wave does it once; all arguments are uniform.
        shape: Shape,
    },
    /// Load from LDS at (byte address I32, guard): the address is in range where the guard holds, and
    /// aligned to the width.
    LdsLoad {
        /// Bits: B8, B16 or B32.
        width: MemWidth,
    },
    /// Store to LDS at (byte address, value, guard).
    LdsStore {
        /// Bits.
        width: MemWidth,
    },
    /// Load from the lane's own scratch at (byte I32, guard Bool), which is zero at entry: per-lane I32, narrow
    /// loads zero-extend; 0 where the guard is false. The bytes are in range where the guard holds, of any
    /// alignment.
    ScratchLoad {
        /// Bits: B8, B16 or B32.
        width: MemWidth,
        /// Byte offset.
        offset: u32,
        /// The byte is known to be a multiple of 4.
        aligned: bool,
    },
    /// Store to the lane's own scratch at (byte, value, guard): by each lane.
    ScratchStore {
        /// Bits.
        width: MemWidth,
        /// Byte offset.
        offset: u32,
        /// As for `ScratchLoad`.
        aligned: bool,
    },
    /// Atomic on LDS at (byte address, guard, data 0[, data 1]) to the old value.
    LdsAtomic {
        /// Operation.
        op: AtomicOp,
        /// B32 or B64.
        width: MemWidth,
        /// As for `Atomic`.
        shape: Shape,
    },
    /// A memory fault at `pc` of lanes where the guard holds: (address I64, guard Bool). At least the
    /// first one of the wave is recorded.
    Fault {
        /// Guest pc.
        pc: u32,
    },
    /// Later accesses of the wave's lanes see what its lanes wrote before (LDS and memory).
    WaveSync,
    /// All waves of the workgroup meet, as at a barrier; (x uniform Bool) to whether x held in any of
    /// them. Stands where all waves come equally often.
    AnyWave,
    /// The first half of an interpolation of component c of attribute a, `attribute` = 4a + c, with (I):
    /// only known as an argument of the second half, which lift makes an input of the whole.
    InterpFirst {
        /// Attribute and component.
        attribute: u8,
    },
    /// The value (x, I32) that a lane of the pixel's quad holds, which one by two bits for each lane from the
    /// lowest on (0 and 1 beside each other, 2 and 3 below them): in functions of one lane of a pixel stage
    /// only.
    Quad {
        /// The lanes.
        perm: u8,
        /// Only the low 16 bits of x are not zero.
        narrow: bool,
    },
    /// An operation on an image: [guard Bool,] operands I32, then what names the descriptors (see
    /// `ImageAccess`) to I32, or to nothing for a store.
    Image(ImageAccess),
    /// Writes a component of an output of a graphics stage: (value I32, guard Bool).
    Output {
        /// Where to.
        to: Output,
        /// Which component.
        component: u8,
    },
    /// The invocation's pixel is kept where x (Bool) holds, unless a later one says otherwise.
    Valid,
}

// Instructions are many, and walks over them are what a translation does most.
const _: () = assert!(size_of::<Op>() <= 16);

/// A helper function of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HelperId(pub u32);

impl AtomicOp {
    /// Number of data arguments.
    pub const fn data_args(self) -> usize {
        match self {
            AtomicOp::CmpSwap | AtomicOp::MskOr | AtomicOp::Wrap | AtomicOp::FCmpSwap { .. } => 2,
            AtomicOp::Swap
            | AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::SMin
            | AtomicOp::UMin
            | AtomicOp::SMax
            | AtomicOp::UMax
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::RSub
            | AtomicOp::Inc
            | AtomicOp::Dec
            | AtomicOp::CSub
            | AtomicOp::FMin { .. }
            | AtomicOp::FMax { .. }
            | AtomicOp::Helper(_) => 1,
        }
    }
}

impl Pure {
    /// Whether the first two arguments may be exchanged.
    pub const fn commutes(self) -> bool {
        matches!(
            self,
            Pure::Add
                | Pure::Mul
                | Pure::MulHiU
                | Pure::MulHiS
                | Pure::And
                | Pure::Or
                | Pure::Xor
                | Pure::UMin
                | Pure::UMax
                | Pure::SMin
                | Pure::SMax
                | Pure::Eq
                | Pure::Ne
        )
    }
}

impl Op {
    /// Whether the result is a function of the arguments alone, so that two instances with the same
    /// arguments are one and an unused one may go. All control flow is uniform for the wave, so this
    /// holds for the cross-lane operations too; window tables do not change during a dispatch.
    pub const fn is_pure(&self) -> bool {
        match self {
            Op::ConstBool(_)
            | Op::Const32(_)
            | Op::Const64(_)
            | Op::Input(_)
            | Op::Pure(_)
            | Op::Float(..)
            | Op::Host(..)
            | Op::Call(_)
            | Op::Ballot
            | Op::LaneBit
            | Op::ReadLane
            | Op::Shuffle
            | Op::Table(_)
            | Op::Window
            | Op::Ptr { .. }
            | Op::PtrBytes
            | Op::PtrBound { .. }
            | Op::PtrOk
            | Op::Quad { .. }
            | Op::InterpFirst { .. } => true,
            Op::Load { read_only, .. } => *read_only,
            Op::Image(access) => access.op.is_pure(),
            Op::Store { .. }
            | Op::Atomic { .. }
            | Op::LdsLoad { .. }
            | Op::LdsStore { .. }
            | Op::LdsAtomic { .. }
            | Op::ScratchLoad { .. }
            | Op::ScratchStore { .. }
            | Op::Fault { .. }
            | Op::WaveSync
            | Op::AnyWave
            | Op::Output { .. }
            | Op::Valid => false,
        }
    }

    /// Which argument says where an access of memory, LDS or scratch happens, or a fault is recorded (that of an
    /// image is `ImageOp::is_guarded`'s).
    pub const fn memory_guard(&self) -> Option<usize> {
        match self {
            Op::Load { .. }
            | Op::Atomic { .. }
            | Op::LdsLoad { .. }
            | Op::LdsAtomic { .. }
            | Op::ScratchLoad { .. }
            | Op::Fault { .. } => Some(1),
            Op::Store { .. } | Op::LdsStore { .. } | Op::ScratchStore { .. } => Some(2),
            Op::ConstBool(_)
            | Op::Const32(_)
            | Op::Const64(_)
            | Op::Input(_)
            | Op::Pure(_)
            | Op::Float(..)
            | Op::Host(..)
            | Op::Call(_)
            | Op::Ballot
            | Op::LaneBit
            | Op::ReadLane
            | Op::Shuffle
            | Op::Table(_)
            | Op::Window
            | Op::Ptr { .. }
            | Op::PtrBytes
            | Op::PtrBound { .. }
            | Op::PtrOk
            | Op::WaveSync
            | Op::AnyWave
            | Op::InterpFirst { .. }
            | Op::Quad { .. }
            | Op::Image(_)
            | Op::Output { .. }
            | Op::Valid => None,
        }
    }

    /// Whether an instance whose result nobody uses may go.
    pub const fn is_removable(&self) -> bool {
        self.is_pure()
            || matches!(
                self,
                Op::Load { .. } | Op::LdsLoad { .. } | Op::ScratchLoad { .. }
            )
            || matches!(self, Op::Image(access) if matches!(access.op, ImageOp::Load { .. }))
    }

    /// Whether the result of a lane depends on what other lanes hold (`Ballot`, `ReadLane`,
    /// `Shuffle`).
    pub const fn crosses_lanes(&self) -> bool {
        matches!(self, Op::Ballot | Op::ReadLane | Op::Shuffle)
    }
}

//! What an instruction means, apart from where its operands sit: the closed list that the reference
//! and the translator match on without a wildcard. Knows no encoding and no opcode number.
//!
//! A meaning speaks of *roles*: the destinations and the sources of a row in the order in which the
//! row lists them (`Inst::dst(i)`, `Inst::src(i)`). Implicit operands (VCC of an e32 carry, the
//! accumulator of a FMAC) are roles like any other; SCC is not: each SALU meaning says what SCC gets.

/// The meaning of a row, by the unit that executes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sem {
    /// Scalar ALU.
    Salu(Salu),
    /// Control flow, waits, messages, MODE: what SOPP (and its like in SOP1 and SOPK) does.
    Flow(Flow),
    /// Scalar memory.
    Smem(Smem),
    /// Vector ALU.
    Valu(Valu),
    /// Parameter interpolation.
    Interp(Interp),
    /// LDS and GDS.
    Ds(Ds),
    /// MUBUF and MTBUF.
    Buffer(Buffer),
    /// FLAT, GLOBAL and SCRATCH; the encoding names the segment.
    Flat(Flat),
    /// MIMG.
    Image(Image),
    /// EXP.
    Export,
}

/// 32 or 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 32 bits.
    B32,
    /// 64 bits.
    B64,
}

/// Signed or unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Two's complement.
    Signed,
    /// Unsigned.
    Unsigned,
}

/// Integer types of vector operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntTy {
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
}

/// Float types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatTy {
    F16,
    F32,
    F64,
}

/// The type a comparison reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CmpTy {
    /// Integer comparison.
    Int(IntTy),
    /// Float comparison.
    Float(FloatTy),
}

/// Comparison conditions in the order of the opcode numbers of float compares. Integers use
/// `F Lt Eq Le Gt Lg Ge T`, where `Lg` is "not equal".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// Never.
    F,
    /// Less.
    Lt,
    /// Equal.
    Eq,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Less or greater; for integers: not equal.
    Lg,
    /// Greater or equal.
    Ge,
    /// Ordered: neither is NaN.
    O,
    /// Unordered: one is NaN.
    U,
    /// Not (greater or equal).
    Nge,
    /// Not (less or greater).
    Nlg,
    /// Not greater.
    Ngt,
    /// Not (less or equal).
    Nle,
    /// Not equal.
    Neq,
    /// Not less.
    Nlt,
    /// Always (TRU).
    T,
}

/// Two-operand bit logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `a & !b`.
    AndN2,
    /// `a | !b`.
    OrN2,
    /// `!(a & b)`.
    Nand,
    /// `!(a | b)`.
    Nor,
    /// `!(a ^ b)`.
    Xnor,
    /// `!a & b`.
    AndN1,
    /// `!a | b`.
    OrN1,
}

/// Scalar ALU meanings. "SCC = nz" means that SCC is set where the result is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Salu {
    /// Copy; SCC kept. SOPK's immediate is sign-extended; a constant source is extended to the width.
    Mov(Width),
    /// Copy if SCC.
    Cmov(Width),
    /// Complement; SCC = nz.
    Not(Width),
    /// Whole quad mode: each quad with a set bit becomes 1111; SCC = nz.
    Wqm(Width),
    /// Bit reversal; SCC kept.
    Brev(Width),
    /// Count of zeros into 32 bits; SCC = nz.
    Bcnt0(Width),
    /// Count of ones into 32 bits; SCC = nz.
    Bcnt1(Width),
    /// Position of the first zero from bit 0, or -1.
    Ff0(Width),
    /// Position of the first one from bit 0, or -1.
    Ff1(Width),
    /// Leading zeros, or -1 for 0.
    FlbitU(Width),
    /// Leading bits equal to the sign, or -1 where all are.
    FlbitI(Width),
    /// Sign-extend 8 bits.
    Sext8,
    /// Sign-extend 16 bits.
    Sext16,
    /// Clear bit `src` of the destination (a read-write role).
    Bitset0(Width),
    /// Set bit `src` of the destination.
    Bitset1(Width),
    /// Destination = address of the next instruction.
    GetPc,
    /// Destination = EXEC; EXEC = src OP EXEC (`Logic` with a = src, b = EXEC); SCC = nz(EXEC).
    SaveExec(Logic, Width),
    /// EXEC = destination = src OP EXEC; SCC = nz.
    WrExec(Logic, Width),
    /// One bit for each quad with a set bit; SCC = nz.
    QuadMask(Width),
    /// Destination = `s[src + M0]`.
    MovRelS(Width),
    /// `s[dst + M0]` = source.
    MovRelD(Width),
    /// `s[dst + M0[25:16]]` = `s[src + M0[9:0]]`.
    MovRelSd2,
    /// Absolute value; SCC = nz.
    Abs,
    /// Each bit of the source doubled into 64 bits.
    BitReplicate,
    /// Unsigned add; SCC = carry.
    AddU32,
    /// Unsigned subtract; SCC = borrow.
    SubU32,
    /// Signed add; SCC = overflow. Also S_ADDK (destination read as source 0).
    AddI32,
    /// Signed subtract; SCC = overflow.
    SubI32,
    /// Add with SCC; SCC = carry.
    AddcU32,
    /// Subtract with SCC as borrow; SCC = borrow.
    SubbU32,
    /// Minimum; SCC = source 0 was taken.
    Min(Sign),
    /// Maximum; SCC = source 0 was taken.
    Max(Sign),
    /// SCC ? source 0 : source 1.
    Cselect(Width),
    /// Bit logic; SCC = nz.
    Logic(Logic, Width),
    /// Shift left; SCC = nz.
    Shl(Width),
    /// Logical shift right; SCC = nz.
    Shr(Width),
    /// Arithmetic shift right; SCC = nz.
    Ashr(Width),
    /// `((1 << a[4:0]) - 1) << b[4:0]` (six bits each at 64).
    Bfm(Width),
    /// Low 32 bits of the product; SCC kept. Also S_MULK.
    MulI32,
    /// High 32 bits of the product.
    MulHi(Sign),
    /// Bit field: offset = b[4:0] (b[5:0] at 64), width = b[22:16]; SCC = nz.
    Bfe(Sign, Width),
    /// `(a << n) + b`; SCC = carry out of 32 bits.
    LshlAdd(u8),
    /// Two halves packed: high halves of the sources where the flags say so.
    Pack {
        /// Take the high half of source 0.
        hi0: bool,
        /// Take the high half of source 1.
        hi1: bool,
    },
    /// |a - b|; SCC = nz.
    AbsDiff,
    /// SCC = comparison. Also S_CMPK (the destination field is read; the immediate is extended by sign).
    Cmp(Cond, IntTy),
    /// SCC = bit b of a is 0.
    BitCmp0(Width),
    /// SCC = bit b of a is 1.
    BitCmp1(Width),
    /// Field of a hardware register (SIMM16: id, offset, size).
    GetReg,
    /// Write a field of a hardware register from an SGPR or from a literal.
    SetReg,
    /// S_VERSION: no effect.
    Version,
}

/// What a conditional branch tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BranchCond {
    Scc0,
    Scc1,
    VccZ,
    VccNz,
    ExecZ,
    ExecNz,
    CdbgSys,
    CdbgUser,
    CdbgSysOrUser,
    CdbgSysAndUser,
}

/// Control flow, waits, messages and MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// Nothing: nops, hints, prefetch, clauses, priorities, sleeps, counters, trace data, wake-ups,
    /// instruction cache invalidation.
    Nop,
    /// End of the wave.
    EndPgm,
    /// End of the wave after a context save, or with an ordered-PS-done message.
    EndPgmSpecial,
    /// Padding behind a program; reaching it is an error.
    CodeEnd,
    /// Branch to pc + 4 + SIMM16 * 4.
    Branch,
    /// Conditional branch.
    Cbranch(BranchCond),
    /// Workgroup barrier.
    Barrier,
    /// pc = source.
    SetPc,
    /// Destination = next pc; pc = source.
    SwapPc,
    /// Destination = next pc; pc += SIMM16 * 4.
    Call,
    /// Return from exception.
    Rfe,
    /// Wait for counters (S_WAITCNT, S_WAITCNT_DEPCTR, S_WAITCNT_VSCNT and its like, S_WAIT_IDLE).
    Waitcnt,
    /// Message (S_SENDMSG), with halt (S_SENDMSGHALT).
    SendMsg,
    /// Halt until a host resumes.
    SetHalt,
    /// Kill flag.
    SetKill,
    /// Trap.
    Trap,
    /// MODE round field = SIMM16[3:0].
    RoundMode,
    /// MODE denorm field = SIMM16[3:0].
    DenormMode,
    /// Begin of a subvector loop.
    SubvectorLoopBegin,
    /// End of a subvector loop.
    SubvectorLoopEnd,
}

/// Read-modify-write operations of memory, LDS and scalar memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// data.
    Swap,
    /// Compare and swap; see the unit for the operand order.
    CmpSwap,
    /// old + data.
    Add,
    /// old - data.
    Sub,
    /// data - old (LDS).
    RSub,
    /// Signed minimum.
    SMin,
    /// Unsigned minimum.
    UMin,
    /// Signed maximum.
    SMax,
    /// Unsigned maximum.
    UMax,
    /// old & data.
    And,
    /// old | data.
    Or,
    /// old ^ data.
    Xor,
    /// old >= data ? 0 : old + 1.
    Inc,
    /// old == 0 || old > data ? data : old - 1.
    Dec,
    /// Float compare and swap.
    FCmpSwap,
    /// Float minimum.
    FMin,
    /// Float maximum.
    FMax,
    /// Float add (LDS).
    FAdd,
    /// Subtract that stops at 0.
    CSub,
    /// (old & ~data0) | data1 (LDS).
    MskOr,
    /// old >= data0 ? old - data0 : old + data1 (LDS).
    Wrap,
}

/// What a memory instruction moves for each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemData {
    /// 8 bits, zero-extended on load.
    U8,
    /// 8 bits, sign-extended.
    I8,
    /// 16 bits, zero-extended.
    U16,
    /// 16 bits, sign-extended.
    I16,
    /// 8 bits zero-extended to 16, into (or, for a store, from) one half of a register.
    D16U8 {
        /// The high half.
        hi: bool,
    },
    /// 8 bits sign-extended to 16, one half.
    D16I8 {
        /// The high half.
        hi: bool,
    },
    /// 16 bits, one half.
    D16B16 {
        /// The high half.
        hi: bool,
    },
    /// 1, 2, 3 or 4 dwords.
    Dwords(u8),
    /// Formatted: 1 to 4 components of 32 bits.
    Format(u8),
    /// Formatted: 1 to 4 components of 16 bits, packed two a register.
    FormatD16(u8),
    /// Formatted: one component of 16 bits in the high half.
    FormatD16Hi,
}

/// Scalar memory. Roles: dst 0 or src 0 = data; then base, offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Smem {
    /// Load dwords from a 64-bit base.
    Load(u8),
    /// Load dwords through a V#.
    BufferLoad(u8),
    /// Store dwords.
    Store(u8),
    /// Store dwords through a V#.
    BufferStore(u8),
    /// Scalar scratch load.
    ScratchLoad(u8),
    /// Scalar scratch store.
    ScratchStore(u8),
    /// Atomic on a 64-bit base.
    Atomic(AtomicOp, Width),
    /// Atomic through a V#.
    BufferAtomic(AtomicOp, Width),
    /// 64-bit cycle counter.
    MemTime,
    /// 64-bit real-time counter.
    MemRealtime,
    /// Cache invalidation and write-back.
    Cache,
    /// Address translation probe.
    AtcProbe,
    /// Data cache discard.
    Discard,
    /// Wave id in the workgroup (gfx1010).
    WaveIdInGroup,
}

/// One-source float operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FUnary {
    Trunc,
    Ceil,
    Rndne,
    Floor,
    Fract,
    Exp,
    Log,
    Rcp,
    RcpIflag,
    Rsq,
    Sqrt,
    Sin,
    Cos,
    FrexpMant,
    FrexpExp,
}

/// Two-source float operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FBinary {
    Add,
    Sub,
    /// b - a.
    SubRev,
    Mul,
    /// 0 times anything is 0.
    MulLegacy,
    Min,
    Max,
    /// a * 2^b, b an integer (i32; i16 for f16).
    Ldexp,
}

/// Three-source float operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FTernary {
    /// One rounding. Also FMAC (source 2 is the destination), FMAMK and FMAAK.
    Fma,
    /// One rounding, 0 times anything is 0.
    FmaLegacy,
    /// Two roundings, f32 denormals flushed whatever MODE says. Also MAC, MADMK, MADAK.
    Mad,
    /// As `Mad`, 0 times anything is 0.
    MadLegacy,
    Min3,
    Max3,
    Med3,
    CubeId,
    CubeSc,
    CubeTc,
    CubeMa,
    DivFixup,
    /// Source 3 is VCC.
    DivFmas,
    Mullit,
}

/// Conversions, named result first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Cvt {
    F32FromI32,
    F32FromU32,
    U32FromF32,
    I32FromF32,
    /// Round half up: floor(x + 0.5).
    RpiI32FromF32,
    /// Floor.
    FlrI32FromF32,
    /// Signed nibble / 16.
    OffF32FromI4,
    F16FromF32,
    F32FromF16,
    F32FromF64,
    F64FromF32,
    F32FromUbyte(u8),
    U32FromF64,
    I32FromF64,
    F64FromI32,
    F64FromU32,
    F16FromU16,
    F16FromI16,
    U16FromF16,
    I16FromF16,
    NormI16FromF16,
    NormU16FromF16,
    /// Two f32 to packed f16, toward zero.
    PkRtzF16FromF32,
    PkNormI16FromF32,
    PkNormU16FromF32,
    PkNormI16FromF16,
    PkNormU16FromF16,
    PkU16FromU32,
    PkI16FromI32,
    /// Byte `b` of source 2 replaced by source 0 as u8.
    PkU8FromF32,
    /// Two f16 packed.
    PackB32FromF16,
    /// Two i16 saturated to u8.
    SatPkU8FromI16,
}

/// Integer operations of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IUnary {
    Not,
    Bfrev,
    FfbhU32,
    FfbhI32,
    FfblB32,
}

/// Integer operations of two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IBinary {
    /// Without carry (`_nc`). Clamp saturates.
    Add(IntTy),
    Sub(IntTy),
    SubRev(IntTy),
    MulI24,
    MulHiI24,
    MulU24,
    MulHiU24,
    MulLo(IntTy),
    MulHi(IntTy),
    Min(IntTy),
    Max(IntTy),
    /// Source 0 is the count.
    ShlRev(IntTy),
    /// Logical right shift for unsigned types, arithmetic for signed.
    ShrRev(IntTy),
    Logic(Logic),
    Bfm,
    /// Count of ones of source 0 plus source 1.
    BcntAdd,
    MbcntLo,
    MbcntHi,
}

/// Integer operations of three sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ITernary {
    MadI24,
    MadU24,
    /// 16-bit multiply-add.
    Mad16(Sign),
    /// 16-bit factors, 32-bit addend.
    Mad32_16(Sign),
    Min3(IntTy),
    Max3(IntTy),
    Med3(IntTy),
    BfeU32,
    BfeI32,
    Bfi,
    AlignBit,
    AlignByte,
    LerpU8,
    SadU8,
    SadHiU8,
    SadU16,
    SadU32,
    MsadU8,
    QsadPkU16U8,
    MqsadPkU16U8,
    MqsadU32U8,
    Perm,
    /// (a << b) + c.
    LshlAdd,
    /// (a + b) << c.
    AddLshl,
    Add3,
    /// (a << b) | c.
    LshlOr,
    /// (a & b) | c.
    AndOr,
    Or3,
    Xor3,
    /// (a ^ b) + c.
    Xad,
}

/// Packed 16-bit operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Packed {
    Mad(Sign),
    MulLoU16,
    Add(Sign),
    Sub(Sign),
    Min(Sign),
    Max(Sign),
    ShlRevB16,
    ShrRevB16,
    AshrRevI16,
    FmaF16,
    AddF16,
    MulF16,
    MinF16,
    MaxF16,
}

/// Dot products; source 2 is the addend (the destination for the `c` forms).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Dot {
    F32F16,
    I32I16,
    U32U16,
    I32I8,
    U32U8,
    I32I4,
    U32U4,
}

/// FMA_MIX: each source is an f32 or a half by op_sel_hi; the result is f32, or f16 into one half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MixDst {
    F32,
    Lo,
    Hi,
}

/// Vector ALU meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Valu {
    /// No effect (V_NOP, V_PIPEFLUSH, V_CLREXCP).
    Nop,
    /// Copy.
    Mov,
    /// SGPR = value of the lowest active lane, or of lane 0.
    ReadFirstLane,
    /// SGPR = value of lane src 1 (modulo the wave size).
    ReadLane,
    /// Lane src 1 of the destination = src 0, whatever EXEC says.
    WriteLane,
    /// Exchange two registers (both are destinations and sources).
    Swap,
    /// Exchange with M0 indices.
    SwapRel,
    /// Destination = `v[src + M0]`.
    MovRelS,
    /// `v[dst + M0]` = source.
    MovRelD,
    /// Both by M0.
    MovRelSd,
    /// Source by M0[9:0], destination by M0[25:16].
    MovRelSd2,
    /// Mask bit of src 2 ? src 1 : src 0.
    Cndmask,
    /// 16 lane selects in two scalars, within a row of 16.
    PermLane16,
    /// As `PermLane16`, from the other row of 32.
    PermLaneX16,
    /// One-source float.
    FUnary(FUnary, FloatTy),
    /// Two-source float.
    FBinary(FBinary, FloatTy),
    /// Three-source float.
    FTernary(FTernary, FloatTy),
    /// Division scale; dst 1 is the VCC-like mask.
    DivScale(FloatTy),
    /// Bits of 2/pi for trigonometric reduction (f64).
    TrigPreop,
    /// Conversion.
    Cvt(Cvt),
    /// One-source integer.
    IUnary(IUnary),
    /// Two-source integer.
    IBinary(IBinary),
    /// Three-source integer.
    ITernary(ITernary),
    /// dst 0 = a + b, dst 1 = carry.
    AddCo,
    /// dst 0 = a - b, dst 1 = borrow.
    SubCo,
    /// dst 0 = b - a, dst 1 = borrow.
    SubRevCo,
    /// dst 0 = a + b + mask bit of src 2, dst 1 = carry.
    AddCi,
    /// dst 0 = a - b - mask bit, dst 1 = borrow.
    SubCi,
    /// dst 0 = b - a - mask bit, dst 1 = borrow.
    SubRevCi,
    /// 64-bit multiply-add of 32-bit factors; dst 1 = carry.
    Mad64(Sign),
    /// Packed 16-bit.
    Packed(Packed),
    /// Dot product.
    Dot(Dot),
    /// Mixed-precision FMA.
    FmaMix(MixDst),
    /// dst 0 = mask of the comparison; `exec` set: dst 0 is EXEC (V_CMPX).
    Cmp {
        /// Condition.
        cond: Cond,
        /// Type.
        ty: CmpTy,
        /// V_CMPX.
        exec: bool,
    },
    /// Float class test by the bits of src 1.
    CmpClass {
        /// Type.
        ty: FloatTy,
        /// V_CMPX_CLASS.
        exec: bool,
    },
}

/// Interpolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Interp {
    P1F32,
    P2F32,
    MovF32,
    P1llF16,
    P1lvF16,
    P2F16,
}

/// Global wave sync operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Gws {
    Init,
    SemaV,
    SemaBr,
    SemaP,
    SemaReleaseAll,
    Barrier,
}

/// LDS and GDS. Roles: dst 0 = result; sources: address, data 0, data 1. M0 where the row says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ds {
    /// No effect.
    Nop,
    /// Load.
    Read(MemData),
    /// Store.
    Write(MemData),
    /// Two loads of one or two dwords; offsets count elements, or 64 elements.
    Read2(Width, bool),
    /// Two stores.
    Write2(Width, bool),
    /// Atomic.
    Atomic {
        /// Operation; CmpSwap takes the comparison value first, then the new one.
        op: AtomicOp,
        /// Width.
        width: Width,
        /// Returns the old value.
        rtn: bool,
    },
    /// Two exchanges.
    WrXchg2(Width, bool),
    /// Conditional exchange of two dwords.
    CondXchg32,
    /// Atomic whose data comes from LDS (`_SRC2`, gfx101x).
    AtomicSrc2(AtomicOp, Width),
    /// Copy within LDS (`WRITE_SRC2`, gfx101x).
    WriteSrc2(Width),
    /// Send to a lane.
    Permute,
    /// Fetch from a lane.
    BPermute,
    /// Lane pattern in the offset.
    Swizzle,
    /// Add the count of active lanes.
    Append,
    /// Subtract it.
    Consume,
    /// Ordered count.
    OrderedCount,
    /// Load at M0 + lane * 4.
    ReadAddTid,
    /// Store at M0 + lane * 4.
    WriteAddTid,
    /// Global wave sync.
    Gws(Gws),
}

/// Buffers. Roles: dst 0 or src 0 = data; then address VGPRs, V#, SOFFSET.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffer {
    /// Load. MTBUF names the format itself.
    Load(MemData),
    /// Store.
    Store(MemData),
    /// Store a byte from LDS (MUBUF with LDS).
    StoreLds,
    /// Atomic; CmpSwap data = (new, comparison).
    Atomic(AtomicOp, Width),
    /// Cache invalidation.
    Cache,
}

/// FLAT, GLOBAL, SCRATCH. Roles: dst 0 or a source = data; address, SADDR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flat {
    /// Load.
    Load(MemData),
    /// Store.
    Store(MemData),
    /// Atomic; CmpSwap data = (new, comparison).
    Atomic(AtomicOp, Width),
    /// Load at the base + lane * 4.
    LoadAddTid,
    /// Store at the base + lane * 4.
    StoreAddTid,
}

/// Images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Image {
    /// Load of a texel; `mip` reads the mip level from the address, `pck` returns raw bits.
    Load {
        /// Mip level in the address.
        mip: bool,
        /// Raw bits: sign-extended or not.
        pck: Option<Sign>,
    },
    /// Store of a texel.
    Store {
        /// Mip level in the address.
        mip: bool,
        /// Raw bits.
        pck: bool,
    },
    /// One of the opcodes that only AMD's XML lists: `image_{load,store}[_mip]_{by2,by4,pck2,pck4}`.
    Block {
        /// Store instead of load.
        store: bool,
        /// Mip level in the address.
        mip: bool,
        /// Raw bits.
        pck: bool,
        /// 2 or 4.
        n: u8,
    },
    /// Load of multisample data.
    MsaaLoad,
    /// Dimensions.
    GetResInfo,
    /// Level of detail.
    GetLod,
    /// Atomic.
    Atomic(AtomicOp),
    /// Sample.
    Sample(SampleMods),
    /// Gather four texels.
    Gather4(SampleMods),
    /// Gather of 4 or 8 texels in a row (`4h`, `4h_pck`, `8h_pck`).
    GatherH {
        /// 4 or 8.
        n: u8,
        /// Raw bits.
        pck: bool,
    },
    /// BVH node against a ray.
    BvhIntersect(Width),
}

/// The modifiers in an image sample mnemonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SampleMods {
    /// Depth comparison (`_c`).
    pub compare: bool,
    /// Where the level of detail comes from.
    pub lod: SampleLod,
    /// LOD clamp (`_cl`).
    pub clamp: bool,
    /// Texel offsets (`_o`).
    pub offset: bool,
    /// The console-only `_a` form.
    pub a: bool,
}

/// Where a sample's level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SampleLod {
    /// Implicit derivatives.
    Implicit,
    /// Explicit derivatives (`_d`).
    Derivatives,
    /// Explicit 16-bit derivatives (`_d` with `_g16`).
    Derivatives16,
    /// Coarse derivatives (`_cd`).
    Coarse,
    /// Coarse 16-bit derivatives.
    Coarse16,
    /// Level in the address (`_l`).
    Level,
    /// Bias (`_b`).
    Bias,
    /// Level zero (`_lz`).
    Zero,
}

//! What a row of the table says: its shape, not its contents. Knows no bit positions.

use bitflags::bitflags;

use crate::encoding::Encoding;
use crate::operand::Ty;
use crate::sem::Sem;
use crate::table::Opcode;
use crate::target::{Target, TargetSet};

/// One meaning: its number in each encoding, operands, flags.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The row itself.
    pub opcode: Opcode,
    /// The manual's spelling, `V_ADD_F32`.
    pub name: &'static str,
    /// Where it is encoded.
    pub forms: &'static [Form],
    /// Operands in the order of the text, destinations first; then the implicit ones.
    pub operands: &'static [OperandSpec],
    /// What it means.
    pub sem: Sem,
    /// Modifiers that it takes, and effects.
    pub flags: RowFlags,
}

impl Row {
    /// The row's form in an encoding, if it has one for the target.
    pub fn form(&self, encoding: Encoding, target: Target) -> Option<&'static Form> {
        self.forms
            .iter()
            .find(|f| f.encoding == encoding && f.targets.contains(target.set()))
    }

    /// Whether any form exists on the target.
    pub fn exists_on(&self, target: Target) -> bool {
        self.forms.iter().any(|f| f.targets.contains(target.set()))
    }
}

/// One encoding of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The encoding.
    pub encoding: Encoding,
    /// The opcode number in it.
    pub number: u16,
    /// The targets on which the number means this row.
    pub targets: TargetSet,
}

/// Where an operand comes from. A slot without a field in the encoding at hand is implicit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// SDST of the scalar encodings.
    Sdst,
    /// SSRC0.
    Ssrc0,
    /// SSRC1.
    Ssrc1,
    /// SIMM16.
    Simm16,
    /// The literal of FMAMK, FMAAK and S_SETREG_IMM32, always present.
    Literal,
    /// VDST.
    Vdst,
    /// VDST's field holding a scalar register (readlane).
    SgprDst,
    /// SRC0.
    Src0,
    /// SRC1 (VSRC1 of VOP2 and VOPC).
    Src1,
    /// SRC2.
    Src2,
    /// Carry-out mask: SDST of VOP3; VCC in VOP2.
    CarryOut,
    /// Carry-in or select mask: SRC2 of VOP3; VCC in VOP2.
    CarryIn,
    /// Result mask of a compare: VDST's field in VOP3, SDST of SDWAB; VCC otherwise.
    CmpDst,
    /// VCC, implicit everywhere.
    Vcc,
    /// EXEC, implicit everywhere.
    Exec,
    /// Attribute number and channel of an interpolation: `attr * 4 + channel`.
    AttrChan,
    /// VSRC of VINTRP.
    InterpVsrc,
    /// VSRC of V_INTERP_MOV: parameter 0 (P10), 1 (P20) or 2 (P0).
    InterpPoint,
    /// SDATA of SMEM.
    Sdata,
    /// SBASE.
    Sbase,
    /// SOFFSET of SMEM, off where NULL.
    SmemOffset,
    /// SDATA as an immediate (S_ATC_PROBE).
    ProbeImm,
    /// ADDR of DS.
    DsAddr,
    /// DATA0 of DS.
    Data0,
    /// DATA1 of DS.
    Data1,
    /// ADDR of the FLAT family.
    FlatAddr,
    /// DATA of the FLAT family.
    FlatData,
    /// SADDR of the FLAT family, off where NULL.
    Saddr,
    /// VDATA of MUBUF, MTBUF and MIMG.
    Vdata,
    /// VADDR of MUBUF and MTBUF, off without OFFEN and IDXEN.
    BufAddr,
    /// SRSRC.
    Srsrc,
    /// SSAMP.
    Ssamp,
    /// SOFFSET of MUBUF and MTBUF.
    Soffset,
    /// VADDR of MIMG, or the first address of several.
    ImageAddr,
    /// Export target.
    ExpTarget,
    /// Exported VGPR 0 to 3, off where EN has no bit for it.
    ExpSrc(u8),
}

/// Direction of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Written.
    Dst,
    /// Written where the instruction has GLC (the old value of an atomic).
    DstIfGlc,
    /// Read.
    Src,
}

/// What may stand in the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A VGPR.
    Vgpr,
    /// A scalar register (SGPR, VCC, TTMP, M0, NULL, EXEC).
    Sgpr,
    /// A scalar source: register, special, constant, literal.
    Scalar,
    /// Any source: VGPR, scalar, constant, literal.
    Any,
    /// An immediate.
    Imm,
    /// Not encoded, or with rules of its own.
    Fixed,
}

/// One operand of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OperandSpec {
    /// Where it comes from.
    pub slot: Slot,
    /// Type and width. Some slots narrow it by the instruction's bits: see `Inst::operand_ty`.
    pub ty: Ty,
    /// Direction.
    pub access: Access,
    /// What the field may hold.
    pub class: Class,
    /// Whether the text leaves it out (a destination that is read too is listed twice).
    pub hidden: bool,
}

bitflags! {
    /// Modifiers that a row takes and effects that its operands do not show.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct RowFlags: u64 {
        /// Takes `|x|` of source 0.
        const ABS0 = 1;
        /// Takes `|x|` of source 1.
        const ABS1 = 1 << 1;
        /// Takes `|x|` of source 2.
        const ABS2 = 1 << 2;
        /// Takes `-x` of source 0.
        const NEG0 = 1 << 3;
        /// Takes `-x` of source 1.
        const NEG1 = 1 << 4;
        /// Takes `-x` of source 2.
        const NEG2 = 1 << 5;
        /// Takes the output modifier.
        const OMOD = 1 << 6;
        /// Takes clamp.
        const CLAMP = 1 << 7;
        /// VOP3: OP_SEL picks halves of the sources and of the destination.
        const OPSEL = 1 << 8;
        /// VOP3: OP_SEL[1:0] are two flags of the row's own (V_PERMLANE16).
        const OPSEL01 = 1 << 9;
        /// VOP3P: OP_SEL, OP_SEL_HI, NEG and NEG_HI of the sources.
        const PACKED = 1 << 10;
        /// Has DPP16 and DPP8 forms.
        const DPP = 1 << 11;
        /// Has an SDWA form.
        const SDWA = 1 << 12;
        /// Reads SCC.
        const RD_SCC = 1 << 13;
        /// Writes SCC.
        const WR_SCC = 1 << 14;
        /// Reads VCC beside its operands.
        const RD_VCC = 1 << 15;
        /// Reads EXEC as data. (That EXEC masks a vector instruction is no flag.)
        const RD_EXEC = 1 << 16;
        /// Writes EXEC.
        const WR_EXEC = 1 << 17;
        /// Reads M0.
        const RD_M0 = 1 << 18;
        /// Writes MODE.
        const WR_MODE = 1 << 19;
        /// Reads a hardware register.
        const RD_HWREG = 1 << 20;
        /// Writes a hardware register, MODE perhaps.
        const WR_HWREG = 1 << 21;
        /// Ends a basic block.
        const TERMINATOR = 1 << 22;
        /// SIMM16 is a distance in words from the next instruction.
        const BRANCH = 1 << 23;
        /// Workgroup barrier.
        const BARRIER = 1 << 24;
        /// Reads memory.
        const LOAD = 1 << 25;
        /// Writes memory.
        const STORE = 1 << 26;
        /// Reads and writes memory at once.
        const ATOMIC = 1 << 27;
        /// Crosses lanes, or does not follow EXEC.
        const LANES = 1 << 28;
        /// Registers are picked by M0.
        const INDEXED = 1 << 29;
        /// Writes one half of its destination and keeps the other.
        const KEEPS_DST = 1 << 30;
        /// DS: two offsets of 8 bits instead of one of 16.
        const DS2 = 1 << 31;
        /// DS: GDS alone.
        const GDS_ONLY = 1 << 32;
        /// Exports.
        const EXPORT = 1 << 33;
        /// An opcode that `DecodeOptions::overlay` admits.
        const OVERLAY = 1 << 34;
        /// MIMG: four results whatever DMASK says.
        const GATHER = 1 << 35;
        /// MIMG: a ray instead of coordinates.
        const BVH_RAY = 1 << 36;
        /// MUBUF, GLOBAL, SCRATCH: may load to LDS.
        const LDS_LOAD = 1 << 37;
        /// VOP3 interpolation of halves: `high` picks the upper one.
        const INTERP = 1 << 38;
        /// LLVM writes immediates up to 64 in decimal, where it writes others' in hexadecimal.
        const DECIMAL = 1 << 39;
    }
}

//! Short names for the rows: operands, meanings, flags. Owns no fact of the ISA but which slot and
//! class each operand name stands for.

use crate::operand::Ty;
use crate::row::{Access, Class, OperandSpec, RowFlags, Slot};
use crate::sem::*;
use crate::target::TargetSet;

pub(super) const ALL: TargetSet = TargetSet::all();
pub(super) const RDNA1: TargetSet = TargetSet::GFX1010.union(TargetSet::GFX1013);
pub(super) const GFX1030: TargetSet = TargetSet::GFX1030;
pub(super) const BVH: TargetSet = TargetSet::GFX1013.union(TargetSet::GFX1030);

pub(super) const W32: Width = Width::B32;
pub(super) const W64: Width = Width::B64;

pub(super) const fn salu(s: Salu) -> Sem {
    Sem::Salu(s)
}
pub(super) const fn flow(s: Flow) -> Sem {
    Sem::Flow(s)
}
pub(super) const fn smem(s: Smem) -> Sem {
    Sem::Smem(s)
}
pub(super) const fn valu(s: Valu) -> Sem {
    Sem::Valu(s)
}
pub(super) const fn fu(op: FUnary, ty: FloatTy) -> Sem {
    Sem::Valu(Valu::FUnary(op, ty))
}
pub(super) const fn fb(op: FBinary, ty: FloatTy) -> Sem {
    Sem::Valu(Valu::FBinary(op, ty))
}
pub(super) const fn ft(op: FTernary, ty: FloatTy) -> Sem {
    Sem::Valu(Valu::FTernary(op, ty))
}
pub(super) const fn cvt(c: Cvt) -> Sem {
    Sem::Valu(Valu::Cvt(c))
}
pub(super) const fn iu(op: IUnary) -> Sem {
    Sem::Valu(Valu::IUnary(op))
}
pub(super) const fn ib(op: IBinary) -> Sem {
    Sem::Valu(Valu::IBinary(op))
}
pub(super) const fn it(op: ITernary) -> Sem {
    Sem::Valu(Valu::ITernary(op))
}
pub(super) const fn dot(d: Dot) -> Sem {
    Sem::Valu(Valu::Dot(d))
}
pub(super) const fn vcmp(cond: Cond, ty: CmpTy, exec: bool) -> Sem {
    Sem::Valu(Valu::Cmp { cond, ty, exec })
}
pub(super) const fn interp(i: Interp) -> Sem {
    Sem::Interp(i)
}
pub(super) const fn ds(d: Ds) -> Sem {
    Sem::Ds(d)
}
pub(super) const fn buf(b: Buffer) -> Sem {
    Sem::Buffer(b)
}
pub(super) const fn flat(f: Flat) -> Sem {
    Sem::Flat(f)
}
pub(super) const fn img(i: Image) -> Sem {
    Sem::Image(i)
}
pub(super) const fn sample_mods(
    compare: bool,
    lod: SampleLod,
    clamp: bool,
    offset: bool,
    a: bool,
) -> SampleMods {
    SampleMods {
        compare,
        lod,
        clamp,
        offset,
        a,
    }
}

macro_rules! flags {
    ($($name:ident)*) => { $(pub(super) const $name: u64 = RowFlags::$name.bits();)* };
}
flags! {
    NEG0 NEG1 NEG2 OMOD CLAMP OPSEL OPSEL01 PACKED DPP SDWA RD_SCC WR_SCC RD_VCC RD_EXEC WR_EXEC RD_M0
    WR_MODE RD_HWREG WR_HWREG TERMINATOR BRANCH BARRIER LOAD STORE ATOMIC LANES INDEXED KEEPS_DST DS2
    GDS_ONLY EXPORT OVERLAY GATHER BVH_RAY LDS_LOAD DECIMAL
}
pub(super) const NONE: u64 = 0;
/// `|x|` and `-x` of one, two, three sources.
pub(super) const ABS_NEG1: u64 = RowFlags::ABS0.bits() | NEG0;
pub(super) const ABS_NEG2: u64 = ABS_NEG1 | RowFlags::ABS1.bits() | NEG1;
pub(super) const ABS_NEG3: u64 = ABS_NEG2 | RowFlags::ABS2.bits() | NEG2;
pub(super) const NEG3: u64 = NEG0 | NEG1 | NEG2;
/// All float modifiers.
pub(super) const FLOAT1: u64 = ABS_NEG1 | OMOD | CLAMP;
pub(super) const FLOAT2: u64 = ABS_NEG2 | OMOD | CLAMP;
pub(super) const FLOAT3: u64 = ABS_NEG3 | OMOD | CLAMP;
/// Float source, integer result: the output modifier is encoded and has no effect.
pub(super) const FCVT1: u64 = FLOAT1;
pub(super) const PACKED2: u64 = PACKED | CLAMP | NEG0 | NEG1;
pub(super) const PACKED3: u64 = PACKED2 | NEG2;
/// `|x|` and `-x` of source 1, where an interpolation has its register.
pub(super) const ABS_NEG_SRC1: u64 = RowFlags::ABS1.bits() | NEG1;
pub(super) const INTERP_MODS: u64 = RowFlags::INTERP.bits() | RowFlags::ABS1.bits() | NEG1 | CLAMP;
pub(super) const INTERP_MODS2: u64 = INTERP_MODS | RowFlags::ABS2.bits() | NEG2;

const fn op(slot: Slot, ty: Ty, access: Access, class: Class, hidden: bool) -> OperandSpec {
    OperandSpec {
        slot,
        ty,
        access,
        class,
        hidden,
    }
}

macro_rules! typed {
    ($($name:ident $slot:ident $access:ident $class:ident $hidden:literal)*) => {
        $(pub(super) const fn $name(ty: Ty) -> OperandSpec {
            op(Slot::$slot, ty, Access::$access, Class::$class, $hidden)
        })*
    };
}
typed! {
    sdst Sdst Dst Sgpr false
    sdst_in Sdst Src Sgpr false
    tied_sdst Sdst Src Sgpr true
    ssrc0 Ssrc0 Src Scalar false
    ssrc1 Ssrc1 Src Scalar false
    sreg0 Ssrc0 Src Sgpr false
    simm16 Simm16 Src Imm false
    literal Literal Src Imm false
    vdst Vdst Dst Vgpr false
    tied_vdst Vdst Src Vgpr true
    vdst_glc Vdst DstIfGlc Vgpr false
    sgpr_dst SgprDst Dst Sgpr false
    src0 Src0 Src Any false
    src1 Src1 Src Any false
    src2 Src2 Src Any false
    vsrc0 Src0 Src Vgpr false
    vsrc0_dst Src0 Dst Vgpr true
    vsrc2 Src2 Src Vgpr false
    scalar_src0 Src0 Src Scalar false
    scalar_src1 Src1 Src Scalar false
    scalar_src2 Src2 Src Scalar false
    interp_src Src1 Src Vgpr false
    interp_vsrc InterpVsrc Src Vgpr false
    sdata Sdata Dst Sgpr false
    sdata_in Sdata Src Sgpr false
    sdata_glc Sdata DstIfGlc Sgpr true
    sbase Sbase Src Sgpr false
    data0 Data0 Src Vgpr false
    data1 Data1 Src Vgpr false
    gws_data DsAddr Src Vgpr false
    flat_data FlatData Src Vgpr false
    vdata Vdata Dst Vgpr false
    vdata_in Vdata Src Vgpr false
    vdata_glc Vdata DstIfGlc Vgpr true
    srsrc Srsrc Src Sgpr false
    ssamp Ssamp Src Sgpr false
}

macro_rules! untyped {
    ($($name:ident $slot:ident $ty:ident $access:ident $class:ident $hidden:literal)*) => {
        $(pub(super) const fn $name() -> OperandSpec {
            op(Slot::$slot, Ty::$ty, Access::$access, Class::$class, $hidden)
        })*
    };
}
untyped! {
    lane_sel Src1 U32 Src Scalar false
    carry_out CarryOut Mask Dst Sgpr false
    carry_in CarryIn Mask Src Sgpr false
    vcc_in Vcc Mask Src Fixed true
    cmp_dst CmpDst Mask Dst Sgpr false
    exec_dst Exec Mask Dst Fixed true
    attr_chan AttrChan U32 Src Imm false
    interp_point InterpPoint U32 Src Imm false
    smem_offset SmemOffset U32 Src Sgpr false
    probe_imm ProbeImm U32 Src Imm false
    ds_addr DsAddr U32 Src Vgpr false
    flat_addr FlatAddr U64 Src Vgpr false
    saddr Saddr U64 Src Sgpr false
    buf_addr BufAddr U32 Src Vgpr false
    soffset Soffset U32 Src Scalar false
    image_addr ImageAddr ImageAddr Src Vgpr false
    exp_target ExpTarget U32 Src Imm false
}

pub(super) const fn exp_src(n: u8) -> OperandSpec {
    op(Slot::ExpSrc(n), Ty::B32, Access::Src, Class::Vgpr, false)
}

//! Rules that an instruction may break and still have one reading: what the hardware limits and
//! compilers obey. Decode admits what breaks them; the assembler and `disasm --check` do not.
//!
//! Sources: the operand sections of the RDNA ISA documents; where they leave a limit open, what
//! LLVM's assembler refuses.

use thiserror::Error;

use crate::decode::unused_sources;
use crate::encoding::Encoding;
use crate::fields::FieldId;
use crate::inst::Inst;
use crate::operand::{Operand, SReg, Special, Ty};
use crate::row::{Access, Class, OperandSpec, RowFlags, Slot};
use crate::sem::{FBinary, IBinary, Image, IntTy, Sem, Valu};
use crate::target::WaveSize;

/// A broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Breach {
    /// More scalar values and literals than a vector instruction can read.
    #[error("{used} scalar values are read, the limit is {limit}")]
    ConstantBus {
        /// Distinct scalar registers and literals that are read.
        used: u8,
        /// How many may be.
        limit: u8,
    },
    /// A scalar range that begins at a register that is no multiple of its alignment.
    #[error("scalar operand {operand} must begin at a multiple of {align}")]
    Misaligned {
        /// Index in the row's operand list.
        operand: u8,
        /// 2 for pairs, 4 for longer ranges.
        align: u8,
    },
    /// A mask that has no pair of registers in wave64.
    #[error("mask operand {operand} is no register pair")]
    MaskPair {
        /// Index in the row's operand list.
        operand: u8,
    },
    /// A lane select that is a literal.
    #[error("a lane select is no literal")]
    LaneLiteral,
    /// LDS_DIRECT in an instruction that swaps its sources.
    #[error("LDS_DIRECT is no source of a reversed operation")]
    LdsDirect,
    /// A negative offset through a buffer descriptor.
    #[error("a scalar buffer access takes no negative offset")]
    NegativeBufferOffset,
    /// A FLAT offset of more than 11 bits.
    #[error("a FLAT offset has 11 bits")]
    FlatOffset,
    /// A gather that does not name one component.
    #[error("a gather takes one component of DMASK")]
    GatherDmask,
    /// A dimension that the instruction does not take.
    #[error("the instruction takes multisampled dimensions alone")]
    Dimension,
    /// A store that asks for a status register.
    #[error("a store has no status to return")]
    StoreTfe,
    /// An attribute number past the last.
    #[error("attributes are 0 to 32")]
    Attribute,
    /// A VOP3 source field that the row does not read holds something. The hardware takes no notice;
    /// text has no place for it, so that the canonical words have 0 there.
    #[error("the field of source {source_field} is not read and not 0")]
    UnusedSource {
        /// 1 or 2.
        source_field: u8,
    },
    /// An export target that does not exist.
    #[error("no such export target")]
    ExportTarget,
}

/// The rules that an instruction breaks at a wave size, in the order of [`Breach`].
pub fn legality(inst: &Inst, wave: WaveSize) -> Vec<Breach> {
    let mut found = Vec::new();
    constant_bus(inst, wave, &mut found);
    for (i, spec) in inst.row().operands.iter().enumerate() {
        alignment(inst, wave, i as u8, spec, &mut found);
    }
    let lane = matches!(inst.sem(), Sem::Valu(Valu::ReadLane | Valu::WriteLane));
    if lane && matches!(inst.src(1), Some((Operand::Literal(_), _))) {
        found.push(Breach::LaneLiteral);
    }
    let direct = |(op, _)| op == Operand::Special(Special::LdsDirect);
    if reversed(inst.sem()) && inst.srcs().any(direct) {
        found.push(Breach::LdsDirect);
    }
    for id in unused_sources(inst).filter(|&id| inst.field(id) != 0) {
        let source_field = if id == FieldId::Src1 { 1 } else { 2 };
        found.push(Breach::UnusedSource { source_field });
    }
    memory(inst, &mut found);
    let imm = |slot| {
        let spec = inst.row().operands.iter().find(|s| s.slot == slot)?;
        match inst.operand(spec) {
            Operand::Imm(i) => Some(i),
            _ => None,
        }
    };
    if imm(Slot::AttrChan).is_some_and(|i| i / 4 > 32) {
        found.push(Breach::Attribute);
    }
    if imm(Slot::ExpTarget).is_some_and(|t| matches!(t, 10 | 11 | 17..=19 | 21..=31)) {
        found.push(Breach::ExportTarget);
    }
    found
}

/// Distinct scalar registers (by first register and number of registers), specials and literals that a
/// vector instruction reads. NULL, LDS_DIRECT and inline constants are free.
fn constant_bus(inst: &Inst, wave: WaveSize, found: &mut Vec<Breach>) {
    if !matches!(
        inst.encoding(),
        Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc | Encoding::Vop3 | Encoding::Vop3p
    ) {
        return;
    }
    // A 64-bit shift reads one.
    let shift = matches!(
        inst.sem(),
        Sem::Valu(Valu::IBinary(
            IBinary::ShlRev(IntTy::U64 | IntTy::I64) | IBinary::ShrRev(IntTy::U64 | IntTy::I64)
        ))
    );
    let limit = if shift { 1 } else { 2 };
    let mut seen = [None; 8];
    let mut used = 0usize;
    let sources = inst.row().operands.iter();
    for spec in sources.filter(|s| s.access == Access::Src) {
        let operand = inst.operand(spec);
        let counts = match operand {
            Operand::S(r) => r != SReg::NULL,
            Operand::Special(s) => s != Special::LdsDirect,
            Operand::Literal(_) => true,
            Operand::V(_)
            | Operand::Int(_)
            | Operand::Float(_)
            | Operand::Imm(_)
            | Operand::Off => false,
        };
        let width = match operand {
            Operand::Literal(_) => 0,
            // VCC that is read without being named is the pair in LLVM, whatever the wave size.
            _ if spec.slot == Slot::Vcc => 2,
            _ => dwords_of(inst.operand_ty(spec), wave),
        };
        let key = Some((operand, width));
        if counts && !seen.contains(&key) {
            if let Some(place) = seen.get_mut(used) {
                *place = key;
            }
            used += 1;
        }
    }
    if used > limit {
        found.push(Breach::ConstantBus {
            used: used as u8,
            limit: limit as u8,
        });
    }
}

/// Registers that a type takes.
fn dwords_of(ty: Ty, wave: WaveSize) -> u32 {
    match (ty, wave) {
        (Ty::Mask, WaveSize::W32) => 1,
        (Ty::Mask, WaveSize::W64) => 2,
        _ => ty.bits().map_or(1, |b| b.div_ceil(32)),
    }
}

fn alignment(inst: &Inst, wave: WaveSize, i: u8, spec: &OperandSpec, found: &mut Vec<Breach>) {
    if spec.access == Access::DstIfGlc && !inst.mem_mods().glc {
        return;
    }
    let Operand::S(r) = inst.operand(spec) else {
        return;
    };
    let ty = inst.operand_ty(spec);
    let dwords = dwords_of(ty, wave);
    if ty == Ty::Mask && dwords == 2 && matches!(r, SReg::VCC_HI | SReg::M0 | SReg::EXEC_HI) {
        found.push(Breach::MaskPair { operand: i });
        return;
    }
    let align: u8 = match dwords {
        0 | 1 => 1,
        2 => 2,
        _ => 4,
    };
    // NULL stands for a range of any length; fields that count in pairs are always aligned.
    let class = matches!(spec.class, Class::Sgpr | Class::Scalar | Class::Any);
    if class && r != SReg::NULL && r.code() % align != 0 {
        found.push(Breach::Misaligned { operand: i, align });
    }
}

/// Whether an operation reads its sources in reverse.
fn reversed(sem: Sem) -> bool {
    let Sem::Valu(valu) = sem else { return false };
    matches!(
        valu,
        Valu::SubRevCo
            | Valu::SubRevCi
            | Valu::FBinary(FBinary::SubRev, _)
            | Valu::IBinary(IBinary::SubRev(_) | IBinary::ShlRev(_) | IBinary::ShrRev(_))
    )
}

fn memory(inst: &Inst, found: &mut Vec<Breach>) {
    let m = inst.mem_mods();
    let image = inst.image_mods();
    let flags = inst.flags();
    match inst.encoding() {
        Encoding::Smem => {
            let buffer = |s: &OperandSpec| s.slot == Slot::Sbase && s.ty == Ty::B128;
            if m.offset < 0 && inst.row().operands.iter().any(buffer) {
                found.push(Breach::NegativeBufferOffset);
            }
        }
        Encoding::Flat if m.offset > 0x7ff => found.push(Breach::FlatOffset),
        Encoding::Mubuf if m.tfe && flags.contains(RowFlags::STORE) => {
            found.push(Breach::StoreTfe);
        }
        Encoding::Mimg => {
            if flags.contains(RowFlags::GATHER) && image.dmask.count_ones() != 1 {
                found.push(Breach::GatherDmask);
            }
            if inst.sem() == Sem::Image(Image::MsaaLoad) && image.dim < 6 {
                found.push(Breach::Dimension);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;
    use crate::{Target, decode};

    fn breaches(words: &[u32], wave: WaveSize) -> Vec<Breach> {
        legality(&decode(Target::Gfx1030, words, 0).unwrap(), wave)
    }

    #[test]
    fn three_scalars_are_one_too_many() {
        // v_fma_f32 v0, s0, s1, s2: llvm-mc disassembles it, its assembler does not take it.
        let used = [Breach::ConstantBus { used: 3, limit: 2 }];
        assert_eq!(breaches(&[0xd54b_0000, 0x0008_0200], WaveSize::W32), used);
        // v_fma_f32 v0, s0, s0, 0x1234 and v_fma_f32 v0, null, s1, s2 read two.
        let ok = [0xd54b_0000, 0x03fc_0000, 0x1234];
        assert_eq!(breaches(&ok, WaveSize::W32), []);
        assert_eq!(breaches(&[0xd54b_0000, 0x0008_027d], WaveSize::W32), []);
        // v_mad_u32_u16 v9, s4, s0, s0: a half and a dword of one register.
        assert_eq!(breaches(&[0xd773_0009, 0x0000_0004], WaveSize::W32), []);
        // v_add_co_ci_u32_e64 v24, s0, s32, s0, s0: in wave64 the mask is two registers.
        let carry = [0xd528_0018, 0x0000_0020];
        let used = [Breach::ConstantBus { used: 3, limit: 2 }];
        assert_eq!(breaches(&carry, WaveSize::W32), []);
        assert_eq!(breaches(&carry, WaveSize::W64), used);
        // v_min3_f16 v0, src_lds_direct, s33, s8: LDS is no scalar value.
        assert_eq!(breaches(&[0xd751_0000, 0x0020_42fe], WaveSize::W32), []);
        // v_div_fmas_f32 v0, vcc_lo, 0, s0 and v_div_fmas_f64 v[1:2], vcc, v[1:2], s[0:1]: VCC is read
        // as a pair.
        let fmas = [0xd56f_0000, 0x0001_006a];
        let used = [Breach::ConstantBus { used: 3, limit: 2 }];
        assert_eq!(breaches(&fmas, WaveSize::W32), used);
        assert_eq!(breaches(&[0xd570_0001, 0x0002_026a], WaveSize::W32), []);
        // v_lshlrev_b64 v[0:1], s0, s[2:3]
        let used = [Breach::ConstantBus { used: 2, limit: 1 }];
        assert_eq!(breaches(&[0xd6ff_0000, 0x0000_0400], WaveSize::W32), used);
    }

    #[test]
    fn pairs_begin_even() {
        // s_mov_b64 s[4:5], s[3:4]
        let found = [Breach::Misaligned {
            operand: 1,
            align: 2,
        }];
        assert_eq!(breaches(&[0xbe84_0403], WaveSize::W32), found);
        // v_cmp_lt_f32_e64 s5, v0, v1: a mask of one register in wave32, of two in wave64.
        let compare = [0xd401_0005, 0x0002_0300];
        assert_eq!(breaches(&compare, WaveSize::W32), []);
        let found = [Breach::Misaligned {
            operand: 0,
            align: 2,
        }];
        assert_eq!(breaches(&compare, WaveSize::W64), found);
        // The same into vcc_hi.
        let compare = [0xd401_006b, 0x0002_0300];
        assert_eq!(breaches(&compare, WaveSize::W32), []);
        assert_eq!(
            breaches(&compare, WaveSize::W64),
            [Breach::MaskPair { operand: 0 }]
        );
    }
}

//! Words to instructions. Accepts what has one reading; whether an instruction also obeys the
//! constant-bus and alignment rules is `legality`'s business. Knows no text.

use thiserror::Error;

use crate::encoding::{Encoding, Ext};
use crate::fields::{Field, FieldId};
use crate::inst::{Inst, MAX_WORDS};
use crate::operand::{Operand, SReg, Special, Ty};
use crate::plan::find;
use crate::row::{Access, Class, OperandSpec, RowFlags, Slot};
use crate::sem::{AtomicOp, Ds, Image, Sem};
use crate::table::opcode_at;
use crate::target::Target;
use crate::text::dpp_ctrl_is_valid;

/// What a caller may switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct DecodeOptions {
    /// Admit the MIMG opcodes that occur in console code or in AMD's own tables and that LLVM
    /// refuses.
    pub overlay: bool,
}

/// Why words are no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The code ends inside an instruction.
    #[error("pc {pc:#x}: code ends after {have} of {needed} words")]
    Truncated {
        /// Byte offset of the first word.
        pc: u32,
        /// Words that are there.
        have: u8,
        /// Words that the instruction has, as far as the present ones tell.
        needed: u8,
        /// The words that are there; the rest is 0.
        words: [u32; MAX_WORDS],
    },
    /// The ISA reserves it, or the hardware's reading is not one.
    #[error("pc {pc:#x}: {word:#010x}: {reason}")]
    Reserved {
        /// Byte offset of the first word.
        pc: u32,
        /// The first word.
        word: u32,
        /// What is reserved.
        reason: Reserved,
    },
    /// Known, and not supported by this crate.
    #[error("pc {pc:#x}: {word:#010x} is known but not supported")]
    Unsupported {
        /// Byte offset of the first word.
        pc: u32,
        /// The first word.
        word: u32,
    },
}

/// What is reserved in a word that does not decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Reserved {
    /// The encoding's prefix.
    #[error("no encoding has this prefix")]
    Prefix,
    /// The opcode number on this target.
    #[error("opcode {number:#x} of {} is reserved on this target", encoding.name())]
    Opcode {
        /// The encoding.
        encoding: Encoding,
        /// The number.
        number: u16,
    },
    /// A source code.
    #[error("source code {code} is reserved here")]
    Source {
        /// The code.
        code: u16,
    },
    /// A register range that leaves its file or its kind.
    #[error("a register range leaves its file")]
    Range,
    /// A modifier that the row does not take.
    #[error("modifier bits {bits:#x} are reserved here")]
    Modifier {
        /// The offending bits, in place.
        bits: u64,
    },
    /// An extension word that the row does not have.
    #[error("the row has no such extension word")]
    Extension,
}

impl DecodeError {
    /// Byte offset of the first word.
    pub const fn pc(&self) -> u32 {
        match *self {
            DecodeError::Truncated { pc, .. }
            | DecodeError::Reserved { pc, .. }
            | DecodeError::Unsupported { pc, .. } => pc,
        }
    }

    /// The words at hand: the first one, or all that were left.
    pub fn words(&self) -> &[u32] {
        match self {
            DecodeError::Truncated { words, have, .. } => {
                words.get(..usize::from(*have)).unwrap_or(&[])
            }
            DecodeError::Reserved { word, .. } | DecodeError::Unsupported { word, .. } => {
                std::slice::from_ref(word)
            }
        }
    }

    /// The pc at which a listing goes on: the next word.
    pub const fn resync(&self) -> u32 {
        self.pc().wrapping_add(4)
    }
}

/// Decodes the instruction at `words[word_index]`; its pc is `word_index * 4`.
///
/// # Errors
/// See [`DecodeError`].
#[inline]
pub fn decode(target: Target, words: &[u32], word_index: usize) -> Result<Inst, DecodeError> {
    decode_with(DecodeOptions::default(), target, words, word_index)
}

/// [`decode`] with options.
///
/// # Errors
/// See [`DecodeError`].
#[inline]
pub fn decode_with(
    options: DecodeOptions,
    target: Target,
    words: &[u32],
    word_index: usize,
) -> Result<Inst, DecodeError> {
    let pc = (word_index as u32).wrapping_mul(4);
    let rest = words.get(word_index..).unwrap_or(&[]);
    match find(target, rest) {
        Some(found) => Ok(found.inst(target, pc)),
        None => decode_fully(options, target, rest, pc),
    }
}

/// Decodes with every check, and says what is wrong.
#[inline(never)]
pub(crate) fn decode_fully(
    options: DecodeOptions,
    target: Target,
    rest: &[u32],
    pc: u32,
) -> Result<Inst, DecodeError> {
    let have = rest.len().min(MAX_WORDS);
    let mut copy = [0; MAX_WORDS];
    for (to, from) in copy.iter_mut().zip(rest) {
        *to = *from;
    }
    let truncated = |needed: u8| DecodeError::Truncated {
        pc,
        have: have as u8,
        needed,
        words: copy,
    };
    if have == 0 {
        return Err(truncated(1));
    }
    let word = copy[0];
    let reserved = |reason| DecodeError::Reserved { pc, word, reason };
    let Some(encoding) = Encoding::of_word(word) else {
        return Err(reserved(Reserved::Prefix));
    };
    let base = encoding.base_words();
    if have < usize::from(base) {
        return Err(truncated(base));
    }
    let number = encoding.number(u64::from(copy[0]) | u64::from(copy[1]) << 32);
    let Some(opcode) = opcode_at(target, encoding, number) else {
        return Err(reserved(Reserved::Opcode { encoding, number }));
    };
    let row = opcode.row();
    if row.flags.contains(RowFlags::OVERLAY) && !options.overlay {
        return Err(reserved(Reserved::Opcode { encoding, number }));
    }
    let mut inst = Inst {
        words: copy,
        pc,
        opcode,
        len: base,
        encoding,
        ext: Ext::None,
        target,
    };
    inst.ext = extension_of(&inst).map_err(reserved)?;
    inst.len = base + extra_words(&inst);
    if have < usize::from(inst.len) {
        return Err(truncated(inst.len));
    }
    for w in inst.words.iter_mut().skip(usize::from(inst.len)) {
        *w = 0;
    }
    check(&inst).map_err(reserved)?;
    Ok(inst)
}

/// Which extension word source 0 announces.
pub(crate) fn extension_of(inst: &Inst) -> Result<Ext, Reserved> {
    if !matches!(
        inst.encoding,
        Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc
    ) {
        return Ok(Ext::None);
    }
    let ext = match inst.field(FieldId::Src0) {
        249 if inst.encoding == Encoding::Vopc => Ext::Sdwab,
        249 => Ext::Sdwa,
        250 => Ext::Dpp16,
        233 | 234 => Ext::Dpp8,
        _ => return Ok(Ext::None),
    };
    let needs = match ext {
        Ext::Sdwa | Ext::Sdwab => RowFlags::SDWA,
        _ => RowFlags::DPP,
    };
    if inst.row().flags.contains(needs) {
        Ok(ext)
    } else {
        Err(Reserved::Extension)
    }
}

/// Literal, extension and NSA words.
fn extra_words(inst: &Inst) -> u8 {
    if inst.ext != Ext::None {
        return 1;
    }
    if inst.encoding == Encoding::Mimg {
        return inst.field(FieldId::Nsa) as u8;
    }
    let literal = inst.row().operands.iter().any(|s| match s.slot {
        Slot::Literal => true,
        Slot::Ssrc0 => inst.field(FieldId::Ssrc0) == 255,
        Slot::Ssrc1 => inst.field(FieldId::Ssrc1) == 255,
        Slot::Src0 => inst.field(FieldId::Src0) == 255,
        Slot::Src1 => {
            matches!(inst.encoding, Encoding::Vop3 | Encoding::Vop3p)
                && inst.field(FieldId::Src1) == 255
        }
        Slot::Src2 => inst.field(FieldId::Src2) == 255,
        Slot::CarryIn => inst.field(FieldId::Src2) == 255,
        _ => false,
    });
    u8::from(literal)
}

/// For plans: whether a bare instruction is admitted, and the bits that must then be 0.
pub(crate) fn check_at_base(inst: &Inst) -> Result<u64, Reserved> {
    let mut probe = *inst;
    probe.len = inst.encoding.base_words() + extra_words(inst);
    check(&probe)?;
    // What the unused source fields may hold, the full decoder knows.
    let unused = unused_sources(inst).fold(0, |m, id| m | mask_of(inst, id));
    Ok(reserved_bits(inst) | unused)
}

/// Source fields of VOP3 behind those that the row reads. The hardware takes no notice of a register
/// or an inline constant there (measured for SRC2 of V_LDEXP_F16); of a literal's code none could
/// say whether a literal follows, and the others announce or reserve something.
pub(crate) fn unused_sources(inst: &Inst) -> impl Iterator<Item = FieldId> + use<> {
    let reads = |slots: &[Slot]| slots.iter().any(|&s| has_slot(inst, s));
    let first = inst.encoding == Encoding::Vop3 && has_slot(inst, Slot::Src0);
    let second = reads(&[Slot::Src1, Slot::InterpVsrc, Slot::InterpPoint]);
    let third = reads(&[Slot::Src2, Slot::CarryIn]);
    [
        (first && !second, FieldId::Src1),
        (first && !third, FieldId::Src2),
    ]
    .into_iter()
    .filter_map(|(unused, id)| unused.then_some(id))
}

/// Whether every bit has a reading.
fn check(inst: &Inst) -> Result<(), Reserved> {
    let row = inst.row();
    for spec in row.operands {
        check_operand(inst, spec)?;
    }
    for id in unused_sources(inst) {
        let code = inst.field(id) as u16;
        match Operand::from_source_code(code) {
            Some(Operand::S(_) | Operand::V(_) | Operand::Int(_) | Operand::Float(_)) => {}
            _ => return Err(Reserved::Source { code }),
        }
    }
    let bad = inst.bits() & reserved_bits(inst);
    if bad != 0 {
        return Err(Reserved::Modifier { bits: bad });
    }
    if row.flags.contains(RowFlags::GDS_ONLY) && inst.field(FieldId::Gds) == 0 {
        return Err(Reserved::Modifier {
            bits: mask_of(inst, FieldId::Gds),
        });
    }
    if inst.encoding == Encoding::Mimg {
        check_image(inst)?;
    }
    // FLAT has no scalar address: the field holds NULL. GLOBAL takes no EXEC_HI.
    let saddr = SReg::from_code(inst.field(FieldId::Saddr) as u8);
    let saddr_ok = match inst.encoding {
        Encoding::Flat => saddr == SReg::NULL,
        Encoding::Global => saddr != SReg::EXEC_HI,
        // No address at all is gfx10.3's.
        Encoding::Scratch => saddr != SReg::EXEC_HI || inst.target == Target::Gfx1030,
        _ => true,
    };
    if !saddr_ok {
        return Err(Reserved::Modifier {
            bits: mask_of(inst, FieldId::Saddr),
        });
    }
    if matches!(inst.ext, Ext::Sdwa | Ext::Sdwab)
        && (inst.ext_field(FieldId::Src0Sel) == 7
            || inst.ext_field(FieldId::Src1Sel) == 7
            || inst.ext_field(FieldId::DstSel) == 7
            || inst.ext_field(FieldId::DstUnused) == 3)
    {
        return Err(Reserved::Extension);
    }
    if inst.ext == Ext::Dpp16 && !dpp_ctrl_is_valid(inst.ext_field(FieldId::DppCtrl) as u16) {
        return Err(Reserved::Extension);
    }
    Ok(())
}

fn check_operand(inst: &Inst, spec: &OperandSpec) -> Result<(), Reserved> {
    // VDST's field is a bit wider than a scalar register's code.
    if spec.access == Access::DstIfGlc && inst.field(FieldId::Glc) == 0 {
        return Ok(());
    }
    let vdst_is_scalar = match spec.slot {
        Slot::SgprDst => true,
        Slot::CmpDst => inst.encoding == Encoding::Vop3,
        _ => false,
    };
    if vdst_is_scalar && inst.field(FieldId::Vdst) > 127 {
        return Err(Reserved::Range);
    }
    let operand = match source_field(inst, spec.slot) {
        Some(255) => {
            let takes = matches!(spec.class, Class::Scalar | Class::Any);
            let room = inst.ext == Ext::None && spec.slot != Slot::Soffset;
            return if takes && room {
                Ok(())
            } else {
                Err(Reserved::Source { code: 255 })
            };
        }
        Some(code) => match Operand::from_source_code(code as u16) {
            Some(op) => op,
            None => return Err(Reserved::Source { code: code as u16 }),
        },
        None => inst.operand(spec),
    };
    let ty = match spec.slot {
        // With R128 too, all eight registers must be there.
        Slot::Srsrc => spec.ty,
        _ => inst.operand_ty(spec),
    };
    match operand {
        Operand::V(v) => {
            if matches!(spec.class, Class::Scalar | Class::Sgpr) {
                return Err(Reserved::Source {
                    code: 256 + u16::from(v),
                });
            }
            let status = u32::from(spec.slot == Slot::Vdata && inst.field(FieldId::Tfe) != 0);
            if u32::from(v) + dwords(ty) + status > 256 {
                return Err(Reserved::Range);
            }
        }
        Operand::S(r) => {
            if spec.class == Class::Vgpr {
                return Err(Reserved::Source {
                    code: u16::from(r.code()),
                });
            }
            // Neither EXEC nor M0 is scalar memory data.
            let exec = r.code() >= SReg::EXEC_LO.code();
            let special = exec || r == SReg::M0;
            // EXEC is no carry-in.
            if spec.slot == Slot::CarryIn && exec {
                return Err(Reserved::Source {
                    code: u16::from(r.code()),
                });
            }
            // NULL takes data of any width.
            let dropped = spec.slot == Slot::Sdata && r == SReg::NULL;
            if !(scalar_range_ok(r, ty) || dropped) || (spec.slot == Slot::Sdata && special) {
                return Err(Reserved::Range);
            }
        }
        // A dword of LDS: source 0 of vector instructions, 32 bits at most, no scalar operand, never
        // written.
        Operand::Special(Special::LdsDirect)
            if spec.slot != Slot::Src0
                || spec.access != Access::Src
                || spec.class == Class::Scalar
                || dwords(ty) > 1
                || inst.flags().contains(RowFlags::INDEXED) && spec.class == Class::Vgpr =>
        {
            return Err(Reserved::Source { code: 254 });
        }
        Operand::Special(Special::LdsDirect) => {}
        _ => {
            if matches!(spec.class, Class::Vgpr | Class::Sgpr)
                && let Some(code) = source_field(inst, spec.slot)
            {
                return Err(Reserved::Source { code: code as u16 });
            }
        }
    }
    Ok(())
}

/// The source code in the slot's field, where the slot is a source field.
fn source_field(inst: &Inst, slot: Slot) -> Option<u32> {
    let vop3 = matches!(inst.encoding, Encoding::Vop3 | Encoding::Vop3p);
    match slot {
        Slot::Ssrc0 => Some(inst.field(FieldId::Ssrc0)),
        Slot::Ssrc1 => Some(inst.field(FieldId::Ssrc1)),
        Slot::Src0 => match inst.ext {
            Ext::None => Some(inst.field(FieldId::Src0)),
            _ if inst.ext_field(FieldId::Src0Scalar) != 0 => Some(inst.ext_field(FieldId::Src0)),
            _ => None,
        },
        Slot::Src1 if vop3 || inst.ext_field(FieldId::Src1Scalar) != 0 => {
            Some(inst.field(FieldId::Src1))
        }
        Slot::InterpVsrc if vop3 => Some(inst.field(FieldId::Src1)),
        Slot::Src2 => Some(inst.field(FieldId::Src2)),
        Slot::CarryIn if vop3 => Some(inst.field(FieldId::Src2)),
        Slot::Soffset => Some(inst.field(FieldId::Soffset)),
        _ => None,
    }
}

/// Registers that a type takes; a mask and what the instruction sizes itself count as one here.
fn dwords(ty: Ty) -> u32 {
    ty.bits().map_or(1, |b| b.div_ceil(32))
}

/// Whether a scalar range stays inside SGPRs, inside TTMPs, or is one of VCC, EXEC and NULL.
fn scalar_range_ok(r: SReg, ty: Ty) -> bool {
    let n = dwords(ty) as u8;
    if n <= 1 {
        return true;
    }
    let first = r.code();
    let last = first.saturating_add(n - 1);
    match first {
        0..=105 => last <= 105,
        106 => n == 2,
        108..=123 => last <= 123,
        125 => n == 2,
        126 => n == 2,
        _ => false,
    }
}

/// Bits that must be 0 in this instruction.
fn reserved_bits(inst: &Inst) -> u64 {
    match inst.encoding {
        Encoding::Sopp if !has_slot(inst, Slot::Simm16) => mask_of(inst, FieldId::Simm16),
        Encoding::Vop1 if !has_slot(inst, Slot::Src0) => mask_of(inst, FieldId::Vdst),
        Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc => ext_reserved_bits(inst),
        Encoding::Vop3 => vop3_reserved_bits(inst),
        Encoding::Vop3p => vop3p_reserved_bits(inst),
        Encoding::Ds => ds_reserved_bits(inst),
        Encoding::Flat | Encoding::Global | Encoding::Scratch => flat_reserved_bits(inst),
        Encoding::Mubuf | Encoding::Mtbuf => buffer_reserved_bits(inst),
        Encoding::Mimg => image_reserved_bits(inst),
        _ => 0,
    }
}

fn has_slot(inst: &Inst, slot: Slot) -> bool {
    inst.row().operands.iter().any(|s| s.slot == slot)
}

/// A field's bits, or none where the encoding lacks it.
fn mask_of(inst: &Inst, id: FieldId) -> u64 {
    inst.encoding.field(id).map_or(0, Field::mask)
}

/// Bit `i` is set where the row takes the modifier of source `i`.
fn allowed(flags: RowFlags, per_source: [RowFlags; 3]) -> u32 {
    let bit = |i: usize, f: RowFlags| u32::from(flags.contains(f)) << i;
    let [a, b, c] = per_source;
    bit(0, a) | bit(1, b) | bit(2, c)
}

const ABS: [RowFlags; 3] = [RowFlags::ABS0, RowFlags::ABS1, RowFlags::ABS2];
const NEG: [RowFlags; 3] = [RowFlags::NEG0, RowFlags::NEG1, RowFlags::NEG2];

fn vop3_reserved_bits(inst: &Inst) -> u64 {
    let flags = inst.flags();
    let mut bad = 0;
    let mut keep = |id: FieldId, bits: u32| {
        if let Some(f) = inst.encoding.field(id) {
            bad |= f.mask() & !f.set(0, bits);
        }
    };
    if !inst.has_sdst_field() {
        keep(FieldId::Abs, allowed(flags, ABS));
    }
    keep(FieldId::Neg, allowed(flags, NEG));
    if !flags.contains(RowFlags::CLAMP) {
        keep(FieldId::Clamp, 0);
    }
    if !flags.contains(RowFlags::OMOD) {
        keep(FieldId::Omod, 0);
    }
    let sources = [
        has_slot(inst, Slot::Src0),
        has_slot(inst, Slot::Src1)
            || has_slot(inst, Slot::InterpVsrc)
            || has_slot(inst, Slot::InterpPoint),
        has_slot(inst, Slot::Src2) || has_slot(inst, Slot::CarryIn),
    ];
    for (present, id) in sources
        .into_iter()
        .zip([FieldId::Src0, FieldId::Src1, FieldId::Src2])
    {
        // An interpolation has attribute, channel and `high` in the place of source 0.
        let attribute = id == FieldId::Src0 && has_slot(inst, Slot::AttrChan);
        if attribute && !flags.contains(RowFlags::INTERP) {
            keep(id, 0xff);
        } else if !present && !attribute && !unused_sources(inst).any(|u| u == id) {
            keep(id, 0);
        }
    }
    if inst.row().operands.is_empty() {
        keep(FieldId::Vdst, 0);
    }
    // A half of a source that is not there, or of a mask.
    if flags.contains(RowFlags::OPSEL) {
        let bit = |i: usize, on: bool| u32::from(on) << i;
        let [a, b, c] = sources;
        let mask_result = has_slot(inst, Slot::CmpDst) || has_slot(inst, Slot::Exec);
        keep(
            FieldId::OpSel,
            bit(0, a) | bit(1, b) | bit(2, c) | bit(3, !mask_result),
        );
    }
    bad
}

/// Fields of registers that the row lacks; GDS where the unit cannot.
fn ds_reserved_bits(inst: &Inst) -> u64 {
    let unused = |slot, id| {
        if has_slot(inst, slot) {
            0
        } else {
            mask_of(inst, id)
        }
    };
    let mut bad = unused(Slot::DsAddr, FieldId::Addr)
        | unused(Slot::Data0, FieldId::Data0)
        | unused(Slot::Data1, FieldId::Data1)
        | unused(Slot::Vdst, FieldId::Vdst);
    if inst.row().operands.is_empty() && !inst.flags().contains(RowFlags::GDS_ONLY) {
        bad |= mask_of(inst, FieldId::Offset) | mask_of(inst, FieldId::Offset1);
        bad |= mask_of(inst, FieldId::Gds);
    }
    if matches!(inst.sem(), Sem::Ds(Ds::Permute | Ds::BPermute)) {
        bad |= mask_of(inst, FieldId::Gds);
    }
    bad
}

fn flat_reserved_bits(inst: &Inst) -> u64 {
    let mut bad = 1 << 55;
    if !inst.flags().contains(RowFlags::LDS_LOAD) {
        bad |= mask_of(inst, FieldId::Lds);
    }
    bad
}

fn buffer_reserved_bits(inst: &Inst) -> u64 {
    let flags = inst.flags();
    let mut bad = 0;
    if !flags.contains(RowFlags::LDS_LOAD) {
        bad |= mask_of(inst, FieldId::Lds);
    }
    let atomic = flags.contains(RowFlags::ATOMIC);
    let to_lds = inst.field(FieldId::Lds) != 0;
    if atomic || to_lds || inst.encoding == Encoding::Mtbuf {
        bad |= mask_of(inst, FieldId::Tfe);
    }
    if atomic {
        bad |= mask_of(inst, FieldId::Dlc);
    }
    if inst.row().operands.is_empty() {
        for id in [
            FieldId::Offen,
            FieldId::Idxen,
            FieldId::Glc,
            FieldId::Dlc,
            FieldId::Tfe,
        ] {
            bad |= mask_of(inst, id);
        }
    }
    bad
}

/// Fields of what the row lacks. A ray instruction has nothing but A16 to say.
fn image_reserved_bits(inst: &Inst) -> u64 {
    let mut bad = 0;
    if !has_slot(inst, Slot::Ssamp) {
        bad |= mask_of(inst, FieldId::Ssamp);
    }
    if !takes_d16(inst.sem()) {
        bad |= mask_of(inst, FieldId::D16);
    }
    if inst.flags().contains(RowFlags::BVH_RAY) {
        for id in [
            FieldId::Dim,
            FieldId::Dlc,
            FieldId::Glc,
            FieldId::Slc,
            FieldId::Tfe,
            FieldId::Lwe,
        ] {
            bad |= mask_of(inst, id);
        }
    }
    bad
}

/// Whether D16 means something: raw bits, sizes and atomics have 32-bit data.
fn takes_d16(sem: Sem) -> bool {
    let Sem::Image(image) = sem else { return false };
    match image {
        Image::Load { pck, .. } => pck.is_none(),
        Image::Store { pck, .. } | Image::Block { pck, .. } | Image::GatherH { pck, .. } => !pck,
        Image::MsaaLoad | Image::Sample(_) | Image::Gather4(_) => true,
        Image::GetResInfo | Image::GetLod | Image::Atomic(_) | Image::BvhIntersect(_) => false,
    }
}

/// Registers and words of an image instruction that must agree with its modifiers.
fn check_image(inst: &Inst) -> Result<(), Reserved> {
    let mods = inst.image_mods();
    let bits = |id| Reserved::Modifier {
        bits: mask_of(inst, id),
    };
    if inst.flags().contains(RowFlags::BVH_RAY) && !(mods.unorm && mods.r128 && mods.dmask == 15) {
        return Err(bits(FieldId::Dmask));
    }
    // An atomic has one or two dwords of data, a compare and swap twice as many.
    if let Sem::Image(Image::Atomic(op)) = inst.sem() {
        let double = matches!(op, AtomicOp::CmpSwap | AtomicOp::FCmpSwap);
        let ok = match mods.dmask {
            1 => !double,
            3 => true,
            15 => double,
            _ => false,
        };
        if !ok {
            return Err(bits(FieldId::Dmask));
        }
    }
    // Multisampled surfaces are loaded and stored, not sampled, and have one level.
    let mip = match inst.sem() {
        Sem::Image(
            Image::Load { mip, .. } | Image::Store { mip, .. } | Image::Block { mip, .. },
        ) => mip,
        _ => false,
    };
    if (has_slot(inst, Slot::Ssamp) || mip) && mods.dim >= 6 {
        return Err(bits(FieldId::Dim));
    }
    let addresses = inst.image_address_words().unwrap_or(1);
    if mods.nsa > 0 {
        // As many words as the further addresses fill.
        if addresses < 2 || u32::from(mods.nsa) != (addresses - 1).div_ceil(4) {
            return Err(bits(FieldId::Nsa));
        }
    } else if inst.field(FieldId::Vaddr) + addresses > 256 {
        return Err(Reserved::Range);
    }
    let data = inst.image_data_words().unwrap_or(1);
    if inst.field(FieldId::Vdata) + data > 256 {
        return Err(Reserved::Range);
    }
    Ok(())
}

/// Fields of the third source where there are two.
fn vop3p_reserved_bits(inst: &Inst) -> u64 {
    if has_slot(inst, Slot::Src2) {
        return 0;
    }
    let third =
        |id: FieldId| mask_of(inst, id) & inst.encoding.field(id).map_or(0, |f| f.set(0, 4));
    mask_of(inst, FieldId::Src2)
        | third(FieldId::NegHi)
        | third(FieldId::OpSel)
        | third(FieldId::Neg)
}

/// SDWA takes `-x` and `|x|` of float sources, and sign extension of any source that has neither (of
/// halves it is measured: the part is extended before the type takes its bits); DPP what the row
/// takes. Fields of a source that the row lacks are reserved.
fn ext_reserved_bits(inst: &Inst) -> u64 {
    let flags = inst.flags();
    let mut bad = 0;
    let mut forbid = |on: bool, id: FieldId| {
        if on && let Some(f) = inst.ext.field(id) {
            bad |= f.mask();
        }
    };
    let source = |slot| {
        let specs = inst.row().operands.iter();
        specs
            .into_iter()
            .find(|s| s.slot == slot && s.access == Access::Src)
    };
    match inst.ext {
        Ext::None | Ext::Dpp8 => {}
        Ext::Dpp16 => {
            forbid(!flags.contains(RowFlags::NEG0), FieldId::Src0Neg);
            forbid(!flags.contains(RowFlags::ABS0), FieldId::Src0Abs);
            forbid(!flags.contains(RowFlags::NEG1), FieldId::Src1Neg);
            forbid(!flags.contains(RowFlags::ABS1), FieldId::Src1Abs);
        }
        Ext::Sdwa | Ext::Sdwab => {
            let float = |spec: Option<&OperandSpec>| {
                spec.is_some_and(|s| matches!(s.ty, Ty::F16 | Ty::F32))
                    || flags.contains(RowFlags::ABS0 | RowFlags::ABS1)
            };
            let src0 = float(source(Slot::Src0));
            let sext = |id| inst.ext_field(id) != 0;
            let plain = !src0 || sext(FieldId::Src0Sext);
            forbid(plain, FieldId::Src0Neg);
            forbid(plain, FieldId::Src0Abs);
            let src1 = source(Slot::Src1);
            let lacks = src1.is_none();
            let plain = !float(src1) || sext(FieldId::Src1Sext);
            forbid(plain, FieldId::Src1Neg);
            forbid(plain, FieldId::Src1Abs);
            forbid(lacks, FieldId::Src1Sext);
            forbid(lacks, FieldId::Src1Sel);
            forbid(lacks, FieldId::Src1Scalar);
            // A conversion to an integer encodes OMOD in VOP3 alone, where it does nothing.
            let float_result = inst
                .dst(0)
                .is_some_and(|(_, ty)| matches!(ty, Ty::F16 | Ty::F32 | Ty::PkF16));
            forbid(
                !flags.contains(RowFlags::OMOD) || !float_result,
                FieldId::Omod,
            );
            forbid(has_slot(inst, Slot::Exec), FieldId::SdstUsed);
        }
    }
    bad
}

/// Decodes a run of words one after the other, whatever the control flow. Words that do not decode
/// come as errors; it goes on at the word after the first of them.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    options: DecodeOptions,
    target: Target,
    words: &'a [u32],
    next: usize,
}

impl<'a> Decoder<'a> {
    /// Starts at the first word.
    pub const fn new(target: Target, words: &'a [u32]) -> Decoder<'a> {
        Decoder::with_options(DecodeOptions { overlay: false }, target, words)
    }

    /// [`Decoder::new`] with options.
    pub const fn with_options(
        options: DecodeOptions,
        target: Target,
        words: &'a [u32],
    ) -> Decoder<'a> {
        Decoder {
            options,
            target,
            words,
            next: 0,
        }
    }
}

impl Iterator for Decoder<'_> {
    type Item = Result<Inst, DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.words.get(self.next..)?;
        if rest.is_empty() {
            return None;
        }
        let pc = (self.next as u32).wrapping_mul(4);
        if let Some(found) = find(self.target, rest) {
            self.next += usize::from(found.len);
            return Some(Ok(found.inst(self.target, pc)));
        }
        let item = decode_fully(self.options, self.target, rest, pc);
        self.next += match &item {
            Ok(inst) => usize::from(inst.len),
            Err(_) => 1,
        };
        Some(item)
    }
}

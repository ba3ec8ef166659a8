//! Operands and modifiers to words: the reverse of reading an [`Inst`]. Knows no text.

use thiserror::Error;

use crate::decode::{DecodeError, DecodeOptions, decode_with};
use crate::encoding::{Encoding, Ext};
use crate::fields::FieldId;
use crate::inst::{Inst, MAX_WORDS};
use crate::mods::{Dpp, ExportMods, ImageMods, MemMods, Omod, Sdwa, SdwaSel, SdwaUnused, ValuMods};
use crate::operand::{Operand, SReg};
use crate::row::{Access, OperandSpec, RowFlags, Slot};
use crate::table::Opcode;
use crate::target::Target;

/// The most operands that a row lists.
pub const MAX_OPERANDS: usize = 6;

/// Everything that an instruction says, in the row's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The row.
    pub opcode: Opcode,
    /// Its encoding.
    pub encoding: Encoding,
    /// Its extension word.
    pub ext: Ext,
    /// One for each operand that the row lists, in its order. Implicit ones and those that repeat
    /// another's field (hidden in the text) are not read.
    pub operands: [Operand; MAX_OPERANDS],
    /// Vector modifiers.
    pub valu: ValuMods,
    /// Memory modifiers.
    pub mem: MemMods,
    /// Image modifiers; `nsa` says how many of `addresses` words are used.
    pub image: ImageMods,
    /// Export modifiers; EN follows from the operands.
    pub export: ExportMods,
    /// Image addresses after the first, where `image.nsa` is not 0.
    pub addresses: [u8; 12],
    /// `high` of a VOP3 interpolation.
    pub high: bool,
}

/// Why parts make no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The row has no such encoding on the target.
    #[error("the row has no such encoding on this target")]
    NoForm,
    /// An operand that its field cannot hold.
    #[error("operand {index} does not fit its field")]
    Operand {
        /// Index in the row's operand list.
        index: usize,
    },
    /// An offset, mask or selector out of its field's range.
    #[error("a modifier's value does not fit its field")]
    Modifier,
    /// A modifier that the encoding has no bits for.
    #[error("the encoding has no such modifier")]
    NoSuchModifier,
    /// Two different literals.
    #[error("an instruction holds one literal")]
    TwoLiterals,
    /// A literal beside an extension word.
    #[error("an instruction with DPP or SDWA holds no literal")]
    LiteralWithExtension,
    /// The words do not decode to the row.
    #[error("the encoding refuses it: {0}")]
    Refused(DecodeError),
}

impl Parts {
    /// Parts of a row in an encoding, with every operand off and every modifier at its default.
    pub fn new(opcode: Opcode, encoding: Encoding, ext: Ext) -> Parts {
        Parts {
            opcode,
            encoding,
            ext,
            operands: [Operand::Off; MAX_OPERANDS],
            valu: ValuMods::default(),
            mem: MemMods::default(),
            image: ImageMods::default(),
            export: ExportMods::default(),
            addresses: [0; 12],
            high: false,
        }
    }

    /// The parts of an instruction.
    pub fn of(inst: &Inst) -> Parts {
        let mut parts = Parts {
            valu: inst.valu_mods(),
            mem: inst.mem_mods(),
            image: inst.image_mods(),
            export: inst.export_mods(),
            high: inst.flags().contains(RowFlags::INTERP) && inst.field(FieldId::Src0) & 0x100 != 0,
            ..Parts::new(inst.opcode(), inst.encoding(), inst.ext())
        };
        for (to, spec) in parts.operands.iter_mut().zip(inst.row().operands) {
            if !switched_off(spec, parts.mem) {
                *to = inst.operand(spec);
            }
        }
        if parts.image.nsa > 0 {
            // Bytes past the last address are ignored.
            let n = inst.image_address_words().unwrap_or(1) as usize;
            let used = inst.nsa_addresses().take(n).skip(1);
            for (to, v) in parts.addresses.iter_mut().zip(used) {
                *to = v;
            }
        }
        parts
    }
}

/// Whether the modifiers take a destination away: an atomic that returns nothing, a load to LDS. Its
/// field is 0.
fn switched_off(spec: &OperandSpec, mem: MemMods) -> bool {
    spec.access == Access::DstIfGlc && !mem.glc
        || mem.lds && matches!(spec.slot, Slot::Vdata | Slot::Vdst)
}

/// Encodes parts as the instruction at a pc.
///
/// # Errors
/// See [`EncodeError`]. What encodes also decodes, to the same row.
pub fn encode(target: Target, pc: u32, parts: &Parts) -> Result<Inst, EncodeError> {
    let row = parts.opcode.row();
    let form = row
        .form(parts.encoding, target)
        .ok_or(EncodeError::NoForm)?;
    let mut e = Encoder {
        parts,
        bits: u64::from(parts.encoding.prefix()),
        literal: None,
    };
    e.opcode(form.number);
    for (index, spec) in row.operands.iter().enumerate() {
        let operand = parts.operands.get(index).copied().unwrap_or(Operand::Off);
        if !spec.hidden && !switched_off(spec, parts.mem) && !e.operand(spec, operand)? {
            return Err(EncodeError::Operand { index });
        }
    }
    e.valu()?;
    e.memory()?;
    let (words, len) = e.words()?;
    let options = DecodeOptions { overlay: true };
    let words = words.get(..len).unwrap_or(&words);
    let mut inst = decode_with(options, target, words, 0).map_err(EncodeError::Refused)?;
    if inst.opcode() != parts.opcode || inst.encoding() != parts.encoding {
        return Err(EncodeError::NoForm);
    }
    inst.pc = pc;
    Ok(inst)
}

struct Encoder<'a> {
    parts: &'a Parts,
    bits: u64,
    literal: Option<u32>,
}

impl Encoder<'_> {
    fn set(&mut self, id: FieldId, value: u32) -> Result<(), EncodeError> {
        match self.parts.encoding.field(id) {
            Some(f) if value <= f.max() => {
                self.bits = f.set(self.bits, value);
                Ok(())
            }
            Some(_) => Err(EncodeError::Modifier),
            None if value == 0 => Ok(()),
            None => Err(EncodeError::NoSuchModifier),
        }
    }

    fn set_ext(&mut self, id: FieldId, value: u32) -> Result<(), EncodeError> {
        match self.parts.ext.field(id) {
            Some(f) if value <= f.max() => {
                self.bits = f.set(self.bits, value);
                Ok(())
            }
            Some(_) => Err(EncodeError::Modifier),
            None if value == 0 => Ok(()),
            None => Err(EncodeError::NoSuchModifier),
        }
    }

    fn opcode(&mut self, number: u16) {
        let number = u32::from(number);
        let (low, high) = match self.parts.encoding {
            Encoding::Mimg => (number & 0x7f, number >> 7),
            Encoding::Mtbuf => (number & 7, number >> 3),
            _ => (number, 0),
        };
        for (id, value) in [(FieldId::Op, low), (FieldId::OpHi, high)] {
            if let Some(f) = self.parts.encoding.field(id) {
                self.bits = f.set(self.bits, value);
            }
        }
    }

    fn sgpr(&mut self, id: FieldId, operand: Operand) -> Result<bool, EncodeError> {
        let Operand::S(r) = operand else {
            return Ok(false);
        };
        self.set(id, u32::from(r.code()))?;
        Ok(true)
    }

    fn vgpr(&mut self, id: FieldId, operand: Operand) -> Result<bool, EncodeError> {
        let Operand::V(v) = operand else {
            return Ok(false);
        };
        self.set(id, u32::from(v))?;
        Ok(true)
    }

    /// A source code; a literal is remembered.
    fn code(&mut self, operand: Operand) -> Result<Option<u32>, EncodeError> {
        if let Operand::Literal(l) = operand {
            if self.parts.ext != Ext::None {
                return Err(EncodeError::LiteralWithExtension);
            }
            if self.literal.is_some_and(|other| other != l) {
                return Err(EncodeError::TwoLiterals);
            }
            self.literal = Some(l);
        }
        Ok(operand.source_code().map(u32::from))
    }

    fn source(&mut self, id: FieldId, operand: Operand) -> Result<bool, EncodeError> {
        match (self.code(operand)?, self.parts.encoding.field(id)) {
            (Some(code), Some(f)) if code <= f.max() => {
                self.bits = f.set(self.bits, code);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Puts an operand into its field; `false` where it does not fit.
    fn operand(&mut self, spec: &OperandSpec, operand: Operand) -> Result<bool, EncodeError> {
        let encoding = self.parts.encoding;
        match spec.slot {
            Slot::Sdst => self.sgpr(FieldId::Sdst, operand),
            Slot::Ssrc0 => self.source(FieldId::Ssrc0, operand),
            Slot::Ssrc1 => self.source(FieldId::Ssrc1, operand),
            Slot::Simm16 => match operand {
                Operand::Imm(i) if (-0x8000..=0xffff).contains(&i) => {
                    self.set(FieldId::Simm16, i as u32 & 0xffff)?;
                    Ok(true)
                }
                _ => Ok(false),
            },
            Slot::Literal => match operand {
                Operand::Literal(_) => Ok(self.code(operand)?.is_some()),
                _ => Ok(false),
            },
            Slot::Vdst => match operand {
                // A load to LDS, or an atomic that returns nothing.
                Operand::Off => Ok(!matches!(
                    encoding,
                    Encoding::Vop1 | Encoding::Vop2 | Encoding::Vop3
                )),
                _ => self.vgpr(FieldId::Vdst, operand),
            },
            Slot::SgprDst => self.sgpr(FieldId::Vdst, operand),
            Slot::Src0 => self.src0(operand),
            Slot::Src1 => self.src1(operand),
            Slot::Src2 => self.source(FieldId::Src2, operand),
            Slot::CarryOut => match encoding {
                Encoding::Vop3 => self.sgpr(FieldId::Sdst, operand),
                _ => Ok(operand == Operand::S(SReg::VCC_LO)),
            },
            Slot::CarryIn => match encoding {
                Encoding::Vop3 => self.source(FieldId::Src2, operand),
                _ => Ok(operand == Operand::S(SReg::VCC_LO)),
            },
            Slot::CmpDst => match (encoding, self.parts.ext) {
                (Encoding::Vop3, _) => self.sgpr(FieldId::Vdst, operand),
                (_, Ext::Sdwab) if operand != Operand::S(SReg::VCC_LO) => {
                    let Operand::S(r) = operand else {
                        return Ok(false);
                    };
                    self.set_ext(FieldId::SdstUsed, 1)?;
                    self.set_ext(FieldId::Sdst, u32::from(r.code()))?;
                    Ok(true)
                }
                _ => Ok(operand == Operand::S(SReg::VCC_LO)),
            },
            Slot::Vcc => Ok(true),
            Slot::Exec => Ok(true),
            Slot::AttrChan => match operand {
                Operand::Imm(i) if (0..256).contains(&i) => {
                    self.set(FieldId::Attr, i as u32 >> 2)?;
                    self.set(FieldId::Chan, i as u32 & 3)?;
                    Ok(true)
                }
                _ => Ok(false),
            },
            Slot::InterpVsrc => match encoding {
                Encoding::Vop3 => self.source(FieldId::Src1, operand),
                _ => self.vgpr(FieldId::Vsrc, operand),
            },
            Slot::InterpPoint => match encoding {
                Encoding::Vop3 => self.immediate(FieldId::Src1, operand),
                _ => self.immediate(FieldId::Vsrc, operand),
            },
            Slot::Sdata => self.sgpr(FieldId::Sdata, operand),
            Slot::Sbase => self.scaled(FieldId::Sbase, operand, 2),
            Slot::SmemOffset => match operand {
                Operand::Off => self.sgpr(FieldId::Soffset, Operand::S(SReg::NULL)),
                _ => self.sgpr(FieldId::Soffset, operand),
            },
            Slot::ProbeImm => self.immediate(FieldId::Sdata, operand),
            Slot::DsAddr => self.vgpr(FieldId::Addr, operand),
            Slot::Data0 | Slot::FlatData => self.vgpr(FieldId::Data0, operand),
            Slot::Data1 => self.vgpr(FieldId::Data1, operand),
            Slot::FlatAddr => match operand {
                Operand::Off => Ok(encoding == Encoding::Scratch),
                // SCRATCH has one address.
                _ if encoding == Encoding::Scratch && self.has_saddr() => Ok(false),
                _ => self.vgpr(FieldId::Addr, operand),
            },
            Slot::Saddr => match operand {
                Operand::Off => {
                    // SCRATCH without any address says EXEC_HI.
                    let addr = self.parts.opcode.row().operands.iter();
                    let addr_off = addr
                        .zip(self.parts.operands)
                        .any(|(s, o)| s.slot == Slot::FlatAddr && o == Operand::Off);
                    let off = if encoding == Encoding::Scratch && addr_off {
                        SReg::EXEC_HI
                    } else {
                        SReg::NULL
                    };
                    self.sgpr(FieldId::Saddr, Operand::S(off))
                }
                _ => self.sgpr(FieldId::Saddr, operand),
            },
            Slot::Vdata => match operand {
                Operand::Off => Ok(true),
                _ => self.vgpr(FieldId::Vdata, operand),
            },
            Slot::BufAddr => match operand {
                Operand::Off => Ok(!self.addressed()),
                // Without an index or offset the register would not be read.
                _ if !self.addressed() => Ok(false),
                _ => self.vgpr(FieldId::Vaddr, operand),
            },
            Slot::Srsrc => self.scaled(FieldId::Srsrc, operand, 4),
            Slot::Ssamp => self.scaled(FieldId::Ssamp, operand, 4),
            Slot::Soffset => self.source(FieldId::Soffset, operand),
            Slot::ImageAddr => self.vgpr(FieldId::Vaddr, operand),
            Slot::ExpTarget => self.immediate(FieldId::Tgt, operand),
            Slot::ExpSrc(n) => self.export_source(n, operand),
        }
    }

    /// Whether a buffer access has a VGPR for its address.
    fn addressed(&self) -> bool {
        self.parts.mem.offen || self.parts.mem.idxen
    }

    /// Whether the scalar address is a register.
    fn has_saddr(&self) -> bool {
        let specs = self.parts.opcode.row().operands.iter();
        let mut pairs = specs.zip(self.parts.operands);
        pairs.any(|(s, o)| s.slot == Slot::Saddr && matches!(o, Operand::S(_)))
    }

    fn immediate(&mut self, id: FieldId, operand: Operand) -> Result<bool, EncodeError> {
        match (operand, self.parts.encoding.field(id)) {
            (Operand::Imm(i), Some(f)) if i >= 0 && i as u32 <= f.max() => {
                self.bits = f.set(self.bits, i as u32);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// A register field that counts in pairs or quads.
    fn scaled(&mut self, id: FieldId, operand: Operand, by: u8) -> Result<bool, EncodeError> {
        match operand {
            Operand::S(r) if r.code() % by == 0 => {
                self.set(id, u32::from(r.code() / by))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn src0(&mut self, operand: Operand) -> Result<bool, EncodeError> {
        let announce = match self.parts.ext {
            Ext::None => return self.source(FieldId::Src0, operand),
            Ext::Sdwa | Ext::Sdwab => 249,
            Ext::Dpp16 => 250,
            Ext::Dpp8 => match self.parts.valu.dpp {
                Some(Dpp::Dpp8 {
                    fetch_inactive: true,
                    ..
                }) => 234,
                _ => 233,
            },
        };
        self.set(FieldId::Src0, announce)?;
        let Some(code) = self.code(operand)? else {
            return Ok(false);
        };
        match (self.parts.ext, code) {
            (_, 256..) => self.set_ext(FieldId::Src0, code - 256)?,
            (Ext::Sdwa | Ext::Sdwab, _) => {
                self.set_ext(FieldId::Src0, code)?;
                self.set_ext(FieldId::Src0Scalar, 1)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn src1(&mut self, operand: Operand) -> Result<bool, EncodeError> {
        if matches!(self.parts.encoding, Encoding::Vop3 | Encoding::Vop3p) {
            return self.source(FieldId::Src1, operand);
        }
        match (operand, self.parts.ext) {
            (Operand::V(_), _) => self.vgpr(FieldId::Src1, operand),
            (_, Ext::Sdwa | Ext::Sdwab) => {
                self.set_ext(FieldId::Src1Scalar, 1)?;
                self.source(FieldId::Src1, operand)
            }
            _ => Ok(false),
        }
    }

    fn export_source(&mut self, n: u8, operand: Operand) -> Result<bool, EncodeError> {
        let compr = self.parts.export.compr;
        let id = match (compr, n) {
            (true, 0 | 1) | (false, 0) => FieldId::Src0,
            (true, _) | (false, 1) => FieldId::Src1,
            (false, 2) => FieldId::Src2,
            (false, _) => FieldId::Data1,
        };
        if operand == Operand::Off {
            return Ok(true);
        }
        if let Some(en) = self.parts.encoding.field(FieldId::En) {
            let old = en.get(self.bits);
            self.bits = en.set(self.bits, old | 1 << n);
        }
        self.vgpr(id, operand)
    }

    fn valu(&mut self) -> Result<(), EncodeError> {
        let m = self.parts.valu;
        let flags = self.parts.opcode.row().flags;
        match self.parts.encoding {
            Encoding::Vop3 => {
                self.set(FieldId::Neg, u32::from(m.neg))?;
                self.set(FieldId::Clamp, u32::from(m.clamp))?;
                self.set(FieldId::Omod, omod_code(m.omod))?;
                let specs = self.parts.opcode.row().operands;
                if specs.iter().any(|s| s.slot == Slot::CarryOut) {
                    if m.abs != 0 || m.op_sel != 0 {
                        return Err(EncodeError::NoSuchModifier);
                    }
                } else {
                    self.set(FieldId::Abs, u32::from(m.abs))?;
                    self.set(FieldId::OpSel, u32::from(m.op_sel))?;
                }
                if specs.iter().any(|s| s.slot == Slot::Exec) {
                    // V_CMPX names its destination as LLVM does; the hardware ignores the field.
                    self.set(FieldId::Vdst, u32::from(SReg::EXEC_LO.code()))?;
                }
                if self.parts.high {
                    self.bits |= 1 << 40;
                }
            }
            Encoding::Vop3p => {
                self.set(FieldId::Neg, u32::from(m.neg))?;
                self.set(FieldId::NegHi, u32::from(m.neg_hi))?;
                self.set(FieldId::OpSel, u32::from(m.op_sel))?;
                self.set(FieldId::OpSelHi, u32::from(m.op_sel_hi & 3))?;
                // The bit of a third source that is not there is set, as LLVM sets it.
                let specs = self.parts.opcode.row().operands;
                let third = match specs.iter().any(|s| s.slot == Slot::Src2) {
                    true => u32::from(m.op_sel_hi >> 2),
                    false => 1,
                };
                self.set(FieldId::OpSelHi2, third)?;
                self.set(FieldId::Clamp, u32::from(m.clamp))?;
            }
            _ => self.extension(m)?,
        }
        if self.parts.high && !flags.contains(RowFlags::INTERP) {
            return Err(EncodeError::NoSuchModifier);
        }
        Ok(())
    }

    fn extension(&mut self, m: ValuMods) -> Result<(), EncodeError> {
        let bit = |set: u8, i: u8| u32::from(set >> i & 1);
        self.set_ext(FieldId::Src0Neg, bit(m.neg, 0))?;
        self.set_ext(FieldId::Src1Neg, bit(m.neg, 1))?;
        self.set_ext(FieldId::Src0Abs, bit(m.abs, 0))?;
        self.set_ext(FieldId::Src1Abs, bit(m.abs, 1))?;
        self.set_ext(FieldId::Clamp, u32::from(m.clamp))?;
        self.set_ext(FieldId::Omod, omod_code(m.omod))?;
        if m.op_sel != 0 || (m.neg | m.abs) >> 2 != 0 {
            return Err(EncodeError::NoSuchModifier);
        }
        match (self.parts.ext, m.sdwa, m.dpp) {
            (Ext::None, None, None) => Ok(()),
            (Ext::Sdwa | Ext::Sdwab, Some(s), None) => self.sdwa(s),
            (
                Ext::Dpp16,
                None,
                Some(Dpp::Dpp16 {
                    ctrl,
                    row_mask,
                    bank_mask,
                    bound_ctrl,
                    fetch_inactive,
                }),
            ) => {
                self.set_ext(FieldId::DppCtrl, u32::from(ctrl))?;
                self.set_ext(FieldId::RowMask, u32::from(row_mask))?;
                self.set_ext(FieldId::BankMask, u32::from(bank_mask))?;
                self.set_ext(FieldId::BoundCtrl, u32::from(bound_ctrl))?;
                self.set_ext(FieldId::FetchInactive, u32::from(fetch_inactive))
            }
            (Ext::Dpp8, None, Some(Dpp::Dpp8 { lanes, .. })) => {
                let mut packed = 0;
                for (i, lane) in lanes.into_iter().enumerate() {
                    if lane > 7 {
                        return Err(EncodeError::Modifier);
                    }
                    packed |= u32::from(lane) << (3 * i);
                }
                self.set_ext(FieldId::Lanes, packed)
            }
            _ => Err(EncodeError::NoSuchModifier),
        }
    }

    fn sdwa(&mut self, s: Sdwa) -> Result<(), EncodeError> {
        if let Some((sel, unused)) = s.dst {
            self.set_ext(FieldId::DstSel, sel_code(sel))?;
            self.set_ext(
                FieldId::DstUnused,
                match unused {
                    SdwaUnused::Pad => 0,
                    SdwaUnused::Sext => 1,
                    SdwaUnused::Preserve => 2,
                },
            )?;
        }
        self.set_ext(FieldId::Src0Sel, sel_code(s.src0))?;
        self.set_ext(FieldId::Src0Sext, u32::from(s.src0_sext))?;
        let specs = self.parts.opcode.row().operands;
        if specs.iter().any(|s| s.slot == Slot::Src1) {
            self.set_ext(FieldId::Src1Sel, sel_code(s.src1))?;
            self.set_ext(FieldId::Src1Sext, u32::from(s.src1_sext))?;
        }
        Ok(())
    }

    fn memory(&mut self) -> Result<(), EncodeError> {
        let m = self.parts.mem;
        let i = self.parts.image;
        let e = self.parts.export;
        for (id, on) in [
            (FieldId::Glc, m.glc),
            (FieldId::Slc, m.slc),
            (FieldId::Dlc, m.dlc),
            (FieldId::Lds, m.lds),
            (FieldId::Tfe, m.tfe),
            (FieldId::Gds, m.gds),
            (FieldId::Offen, m.offen),
            (FieldId::Idxen, m.idxen),
            (FieldId::Unorm, i.unorm),
            (FieldId::R128, i.r128),
            (FieldId::A16, i.a16),
            (FieldId::D16, i.d16),
            (FieldId::Lwe, i.lwe),
            (FieldId::Compr, e.compr),
            (FieldId::Done, e.done),
            (FieldId::Vm, e.vm),
        ] {
            self.set(id, u32::from(on))?;
        }
        self.set(FieldId::Format, u32::from(m.format))?;
        self.set(FieldId::Dmask, u32::from(i.dmask))?;
        self.set(FieldId::Dim, u32::from(i.dim))?;
        self.set(FieldId::Nsa, u32::from(i.nsa))?;
        let signed = |bits: u32| {
            let half = 1 << (bits - 1);
            if (-half..half).contains(&m.offset) {
                Ok(m.offset as u32 & ((1 << bits) - 1))
            } else {
                Err(EncodeError::Modifier)
            }
        };
        match self.parts.encoding {
            Encoding::Smem => self.set(FieldId::Offset, signed(21)?),
            Encoding::Global | Encoding::Scratch => self.set(FieldId::Offset, signed(12)?),
            Encoding::Ds if self.parts.opcode.row().flags.contains(RowFlags::DS2) => {
                self.set(FieldId::Offset, unsigned(m.offset)?)?;
                self.set(FieldId::Offset1, u32::from(m.offset1))
            }
            Encoding::Ds => {
                let offset = unsigned(m.offset)?;
                self.set(FieldId::Offset, offset & 0xff)?;
                self.set(FieldId::Offset1, offset >> 8)
            }
            _ => self.set(FieldId::Offset, unsigned(m.offset)?),
        }
    }

    /// The finished words and their number.
    fn words(&self) -> Result<([u32; MAX_WORDS], usize), EncodeError> {
        let mut words = [self.bits as u32, (self.bits >> 32) as u32, 0, 0, 0];
        let mut len = usize::from(self.parts.encoding.base_words());
        if self.parts.ext != Ext::None {
            len += 1;
        }
        if let Some(l) = self.literal {
            if let Some(w) = words.get_mut(len) {
                *w = l;
            }
            len += 1;
        }
        if self.parts.encoding == Encoding::Mimg {
            let nsa = usize::from(self.parts.image.nsa);
            let chunks = self.parts.addresses.chunks_exact(4).take(nsa);
            for (w, bytes) in words.iter_mut().skip(2).zip(chunks) {
                *w = bytes.iter().rev().fold(0, |a, &b| a << 8 | u32::from(b));
            }
            len += nsa;
        }
        Ok((words, len))
    }
}

fn unsigned(offset: i32) -> Result<u32, EncodeError> {
    u32::try_from(offset).map_err(|_| EncodeError::Modifier)
}

const fn omod_code(omod: Omod) -> u32 {
    match omod {
        Omod::None => 0,
        Omod::Mul2 => 1,
        Omod::Mul4 => 2,
        Omod::Div2 => 3,
    }
}

const fn sel_code(sel: SdwaSel) -> u32 {
    match sel {
        SdwaSel::Byte0 => 0,
        SdwaSel::Byte1 => 1,
        SdwaSel::Byte2 => 2,
        SdwaSel::Byte3 => 3,
        SdwaSel::Word0 => 4,
        SdwaSel::Word1 => 5,
        SdwaSel::Dword => 6,
    }
}

//! A decoded instruction: its words, and its operands and modifiers read from them on demand. Knows
//! no text.

use crate::encoding::{Encoding, Ext};
use crate::fields::FieldId;
use crate::mods::{Dpp, ExportMods, ImageMods, MemMods, Omod, Sdwa, SdwaSel, SdwaUnused, ValuMods};
use crate::operand::{Operand, SReg, Ty};
use crate::row::{Access, OperandSpec, Row, RowFlags, Slot};
use crate::sem::Sem;
use crate::table::Opcode;
use crate::target::Target;

/// The most words that an instruction has: MIMG with three NSA words.
pub const MAX_WORDS: usize = 5;

/// One instruction. It was checked when it was decoded: every operand has a reading.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Inst {
    pub(crate) words: [u32; MAX_WORDS],
    pub(crate) pc: u32,
    pub(crate) opcode: Opcode,
    pub(crate) len: u8,
    pub(crate) encoding: Encoding,
    pub(crate) ext: Ext,
    pub(crate) target: Target,
}

impl Inst {
    /// Byte offset of the first word in the code.
    #[inline]
    pub const fn pc(&self) -> u32 {
        self.pc
    }

    /// The words.
    pub fn words(&self) -> &[u32] {
        self.words.get(..usize::from(self.len)).unwrap_or(&[])
    }

    /// Length in words, 1 to 5.
    pub const fn len(&self) -> u32 {
        self.len as u32
    }

    /// Never: an instruction has at least a word.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Byte offset of the next instruction (wraps at 2^32).
    pub const fn next_pc(&self) -> u32 {
        self.pc.wrapping_add(self.len as u32 * 4)
    }

    /// The row's name.
    pub const fn opcode(&self) -> Opcode {
        self.opcode
    }

    /// The row.
    #[inline]
    pub const fn row(&self) -> &'static Row {
        self.opcode.row()
    }

    /// The meaning.
    #[inline]
    pub const fn sem(&self) -> Sem {
        self.opcode.row().sem
    }

    /// The row's flags.
    #[inline]
    pub const fn flags(&self) -> RowFlags {
        self.opcode.row().flags
    }

    /// The encoding.
    #[inline]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Which extension word it has.
    #[inline]
    pub const fn ext(&self) -> Ext {
        self.ext
    }

    /// The target it was decoded for.
    pub const fn target(&self) -> Target {
        self.target
    }

    /// The first two words as one number; the second is 0 where it is missing or is a literal.
    #[inline]
    pub(crate) const fn bits(&self) -> u64 {
        self.words[0] as u64 | (self.words[1] as u64) << 32
    }

    /// A raw field of the encoding, 0 where the encoding lacks it.
    #[inline]
    pub const fn field(&self, id: FieldId) -> u32 {
        self.encoding.place(id).get(self.bits())
    }

    /// A raw field of the extension word, 0 where it lacks it.
    #[inline]
    pub const fn ext_field(&self, id: FieldId) -> u32 {
        self.ext.place(id).get(self.bits())
    }

    #[inline]
    const fn flag(&self, id: FieldId) -> bool {
        self.field(id) != 0
    }

    /// The literal, if it has one.
    pub const fn literal(&self) -> Option<u32> {
        let base = self.encoding.base_words();
        match self.encoding {
            Encoding::Mimg => None,
            _ if self.len > base && matches!(self.ext, Ext::None) => {
                Some(self.words[base as usize % MAX_WORDS])
            }
            _ => None,
        }
    }

    /// How many destinations it has.
    #[inline]
    pub fn dst_count(&self) -> usize {
        let roles = self.opcode.roles();
        if roles.varies {
            return self.dst_specs().count();
        }
        usize::from(roles.dst_count)
    }

    /// Destination `i` in the row's order, implicit ones included.
    pub fn dst(&self, i: usize) -> Option<(Operand, Ty)> {
        let roles = self.opcode.roles();
        if roles.varies {
            return self.dst_specs().nth(i).map(|s| self.with_ty(s));
        }
        let spec = roles.dsts.get(i)?.as_ref()?;
        Some(self.with_ty(spec))
    }

    /// Source `i` in the row's order, implicit ones and read destinations included.
    pub fn src(&self, i: usize) -> Option<(Operand, Ty)> {
        let spec = self.opcode.roles().srcs.get(i)?.as_ref()?;
        Some(self.with_ty(spec))
    }

    /// All destinations.
    pub fn dsts(&self) -> impl Iterator<Item = (Operand, Ty)> + '_ {
        self.dst_specs().map(|s| self.with_ty(s))
    }

    fn dst_specs(&self) -> impl Iterator<Item = &'static OperandSpec> + '_ {
        self.row().operands.iter().filter(|s| match s.access {
            Access::Dst => !self.lds_in_place_of_data(s),
            Access::DstIfGlc => self.flag(FieldId::Glc),
            Access::Src => false,
        })
    }

    /// All sources.
    pub fn srcs(&self) -> impl Iterator<Item = (Operand, Ty)> + '_ {
        self.src_specs().map(|s| self.with_ty(s))
    }

    fn src_specs(&self) -> impl Iterator<Item = &'static OperandSpec> + use<> {
        let operands = self.row().operands.iter();
        operands.filter(|s| s.access == Access::Src)
    }

    #[inline]
    fn with_ty(&self, spec: &OperandSpec) -> (Operand, Ty) {
        (self.operand_at(spec), self.operand_ty(spec))
    }

    /// A load with LDS set writes no register.
    pub(crate) fn lds_in_place_of_data(&self, spec: &OperandSpec) -> bool {
        matches!(spec.slot, Slot::Vdata | Slot::Vdst)
            && self.flags().contains(RowFlags::LDS_LOAD)
            && self.flag(FieldId::Lds)
    }

    /// The type of an operand as this instruction has it.
    #[inline]
    pub fn operand_ty(&self, spec: &OperandSpec) -> Ty {
        match spec.slot {
            Slot::FlatAddr => match self.encoding {
                Encoding::Scratch => Ty::U32,
                Encoding::Global if !matches!(self.saddr(), Operand::Off) => Ty::U32,
                _ => Ty::U64,
            },
            Slot::Saddr if self.encoding == Encoding::Scratch => Ty::U32,
            Slot::BufAddr if self.flag(FieldId::Offen) && self.flag(FieldId::Idxen) => Ty::B64,
            Slot::Srsrc if self.encoding == Encoding::Mimg && self.flag(FieldId::R128) => Ty::B128,
            _ => spec.ty,
        }
    }

    /// The operand of a spec of this instruction's row.
    pub fn operand(&self, spec: &OperandSpec) -> Operand {
        self.operand_at(spec)
    }

    #[inline(always)]
    fn operand_at(&self, spec: &OperandSpec) -> Operand {
        match spec.slot {
            Slot::Sdst => self.sgpr(FieldId::Sdst),
            Slot::Ssrc0 => self.source(self.field(FieldId::Ssrc0)),
            Slot::Ssrc1 => self.source(self.field(FieldId::Ssrc1)),
            Slot::Simm16 => {
                let raw = self.simm16();
                Operand::Imm(match spec.ty {
                    Ty::I16 => i32::from(raw as i16),
                    _ => i32::from(raw),
                })
            }
            Slot::Literal => Operand::Literal(self.literal().unwrap_or(0)),
            Slot::Vdst => self.vgpr(FieldId::Vdst),
            Slot::SgprDst => self.sgpr(FieldId::Vdst),
            Slot::Src0 => match self.ext {
                Ext::None => self.source(self.field(FieldId::Src0)),
                Ext::Sdwa | Ext::Sdwab => self.sdwa_source(FieldId::Src0Scalar, FieldId::Src0),
                Ext::Dpp16 | Ext::Dpp8 => Operand::V(self.ext_field(FieldId::Src0) as u8),
            },
            Slot::Src1 => match self.encoding {
                Encoding::Vop3 | Encoding::Vop3p => self.source(self.field(FieldId::Src1)),
                _ if self.ext_field(FieldId::Src1Scalar) != 0 => {
                    self.source(self.field(FieldId::Src1))
                }
                _ => self.vgpr(FieldId::Src1),
            },
            Slot::Src2 => self.source(self.field(FieldId::Src2)),
            Slot::CarryOut => match self.encoding {
                Encoding::Vop3 => self.sgpr(FieldId::Sdst),
                _ => Operand::S(SReg::VCC_LO),
            },
            Slot::CarryIn => match self.encoding {
                Encoding::Vop3 => self.source(self.field(FieldId::Src2)),
                _ => Operand::S(SReg::VCC_LO),
            },
            Slot::CmpDst => match self.encoding {
                Encoding::Vop3 => self.sgpr(FieldId::Vdst),
                _ if self.ext_field(FieldId::SdstUsed) != 0 => {
                    Operand::S(SReg::from_code(self.ext_field(FieldId::Sdst) as u8))
                }
                _ => Operand::S(SReg::VCC_LO),
            },
            Slot::Vcc => Operand::S(SReg::VCC_LO),
            Slot::Exec => Operand::S(SReg::EXEC_LO),
            Slot::AttrChan => {
                Operand::Imm((self.field(FieldId::Attr) * 4 + self.field(FieldId::Chan)) as i32)
            }
            Slot::InterpVsrc => match self.encoding {
                Encoding::Vop3 => self.source(self.field(FieldId::Src1)),
                _ => self.vgpr(FieldId::Vsrc),
            },
            Slot::InterpPoint => Operand::Imm(match self.encoding {
                Encoding::Vop3 => self.field(FieldId::Src1) as i32,
                _ => self.field(FieldId::Vsrc) as i32,
            }),
            Slot::Sdata => self.sgpr(FieldId::Sdata),
            Slot::Sbase => Operand::S(SReg::from_code((self.field(FieldId::Sbase) * 2) as u8)),
            Slot::SmemOffset => match SReg::from_code(self.field(FieldId::Soffset) as u8) {
                SReg::NULL => Operand::Off,
                r => Operand::S(r),
            },
            Slot::ProbeImm => Operand::Imm(self.field(FieldId::Sdata) as i32),
            Slot::DsAddr | Slot::FlatAddr if self.vaddr_is_off() => Operand::Off,
            Slot::DsAddr | Slot::FlatAddr => self.vgpr(FieldId::Addr),
            Slot::Data0 | Slot::FlatData => self.vgpr(FieldId::Data0),
            Slot::Data1 => self.vgpr(FieldId::Data1),
            Slot::Saddr => self.saddr(),
            Slot::Vdata => self.vgpr(FieldId::Vdata),
            Slot::BufAddr => {
                if self.flag(FieldId::Offen) || self.flag(FieldId::Idxen) {
                    self.vgpr(FieldId::Vaddr)
                } else {
                    Operand::Off
                }
            }
            Slot::Srsrc => Operand::S(SReg::from_code((self.field(FieldId::Srsrc) * 4) as u8)),
            Slot::Ssamp => Operand::S(SReg::from_code((self.field(FieldId::Ssamp) * 4) as u8)),
            Slot::Soffset => self.source(self.field(FieldId::Soffset)),
            Slot::ImageAddr => self.vgpr(FieldId::Vaddr),
            Slot::ExpTarget => Operand::Imm(self.field(FieldId::Tgt) as i32),
            Slot::ExpSrc(n) => self.exp_source(n),
        }
    }

    #[inline]
    fn sgpr(&self, id: FieldId) -> Operand {
        Operand::S(SReg::from_code(self.field(id) as u8))
    }

    #[inline]
    fn vgpr(&self, id: FieldId) -> Operand {
        Operand::V(self.field(id) as u8)
    }

    #[inline]
    fn source(&self, code: u32) -> Operand {
        match code {
            // Most are registers.
            0..=127 => Operand::S(SReg::from_code(code as u8)),
            256..=511 => Operand::V(code as u8),
            255 => Operand::Literal(self.literal().unwrap_or(0)),
            _ => Operand::from_source_code(code as u16).unwrap_or(Operand::Off),
        }
    }

    fn sdwa_source(&self, scalar: FieldId, id: FieldId) -> Operand {
        let code = self.ext_field(id);
        if self.ext_field(scalar) != 0 {
            self.source(code)
        } else {
            Operand::V(code as u8)
        }
    }

    /// SADDR of the FLAT family. NULL switches it off; SCRATCH also knows EXEC_HI, which switches
    /// both addresses off (gfx10.3).
    fn saddr(&self) -> Operand {
        match SReg::from_code(self.field(FieldId::Saddr) as u8) {
            _ if self.encoding == Encoding::Flat => Operand::Off,
            SReg::NULL | SReg::EXEC_HI => Operand::Off,
            r => Operand::S(r),
        }
    }

    /// SCRATCH has one address: the VGPR counts only where SADDR is NULL.
    fn vaddr_is_off(&self) -> bool {
        self.encoding == Encoding::Scratch
            && self.field(FieldId::Saddr) != u32::from(SReg::NULL.code())
    }

    fn exp_source(&self, n: u8) -> Operand {
        // Compressed exports hold two halves in each of the first two VGPRs.
        let compr = self.flag(FieldId::Compr);
        let enabled = self.field(FieldId::En) >> n & 1 != 0;
        let id = match (compr, n) {
            (true, 0 | 1) | (false, 0) => FieldId::Src0,
            (true, _) | (false, 1) => FieldId::Src1,
            (false, 2) => FieldId::Src2,
            (false, _) => FieldId::Data1,
        };
        if enabled { self.vgpr(id) } else { Operand::Off }
    }

    /// SIMM16 of SOPK and SOPP, 0 elsewhere.
    pub const fn simm16(&self) -> u16 {
        self.field(FieldId::Simm16) as u16
    }

    /// Where a direct branch goes: the next pc plus 4 times SIMM16, modulo 2^32.
    pub fn branch_target(&self) -> Option<u32> {
        if !self.flags().contains(RowFlags::BRANCH) {
            return None;
        }
        let words = i32::from(self.simm16() as i16);
        Some(self.next_pc().wrapping_add_signed(words * 4))
    }

    /// Modifiers of a VALU instruction; all off for the others.
    pub fn valu_mods(&self) -> ValuMods {
        let flags = self.flags();
        match self.encoding {
            Encoding::Vop3 => {
                let carries = self.has_sdst_field();
                ValuMods {
                    neg: self.field(FieldId::Neg) as u8,
                    abs: if carries {
                        0
                    } else {
                        self.field(FieldId::Abs) as u8
                    },
                    op_sel: if carries || !flags.intersects(RowFlags::OPSEL | RowFlags::OPSEL01) {
                        0
                    } else if flags.contains(RowFlags::OPSEL01) {
                        // Two flags of the row's own; the other bits say nothing.
                        self.field(FieldId::OpSel) as u8 & 3
                    } else {
                        self.field(FieldId::OpSel) as u8
                    },
                    clamp: self.flag(FieldId::Clamp),
                    omod: omod(self.field(FieldId::Omod)),
                    ..ValuMods::default()
                }
            }
            Encoding::Vop3p => ValuMods {
                neg: self.field(FieldId::Neg) as u8,
                neg_hi: self.field(FieldId::NegHi) as u8,
                op_sel: self.field(FieldId::OpSel) as u8,
                op_sel_hi: (self.field(FieldId::OpSelHi)
                    | (self.field(FieldId::OpSelHi2) & self.has_src2()) << 2)
                    as u8,
                clamp: self.flag(FieldId::Clamp),
                ..ValuMods::default()
            },
            Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc if self.ext != Ext::None => {
                self.ext_mods()
            }
            _ => ValuMods::default(),
        }
    }

    /// 1 where the row has a third source.
    fn has_src2(&self) -> u32 {
        let specs = self.row().operands;
        u32::from(specs.iter().any(|s| s.slot == Slot::Src2))
    }

    /// Whether VOP3 bits 14:8 are a scalar destination instead of ABS and OP_SEL.
    pub fn has_sdst_field(&self) -> bool {
        self.encoding == Encoding::Vop3
            && self.row().operands.iter().any(|s| s.slot == Slot::CarryOut)
    }

    fn ext_mods(&self) -> ValuMods {
        let bit = |id: FieldId| self.ext_field(id) as u8;
        let mut m = ValuMods {
            neg: bit(FieldId::Src0Neg) | bit(FieldId::Src1Neg) << 1,
            abs: bit(FieldId::Src0Abs) | bit(FieldId::Src1Abs) << 1,
            clamp: bit(FieldId::Clamp) != 0,
            omod: omod(self.ext_field(FieldId::Omod)),
            ..ValuMods::default()
        };
        match self.ext {
            Ext::None => {}
            Ext::Sdwa | Ext::Sdwab => {
                m.sdwa = Some(Sdwa {
                    dst: (self.ext == Ext::Sdwa).then(|| {
                        (
                            sdwa_sel(self.ext_field(FieldId::DstSel)),
                            sdwa_unused(self.ext_field(FieldId::DstUnused)),
                        )
                    }),
                    src0: sdwa_sel(self.ext_field(FieldId::Src0Sel)),
                    src0_sext: bit(FieldId::Src0Sext) != 0,
                    src1: sdwa_sel(self.ext_field(FieldId::Src1Sel)),
                    src1_sext: bit(FieldId::Src1Sext) != 0,
                });
            }
            Ext::Dpp16 => {
                m.dpp = Some(Dpp::Dpp16 {
                    ctrl: self.ext_field(FieldId::DppCtrl) as u16,
                    row_mask: bit(FieldId::RowMask),
                    bank_mask: bit(FieldId::BankMask),
                    bound_ctrl: bit(FieldId::BoundCtrl) != 0,
                    fetch_inactive: bit(FieldId::FetchInactive) != 0,
                });
            }
            Ext::Dpp8 => {
                let packed = self.ext_field(FieldId::Lanes);
                m.dpp = Some(Dpp::Dpp8 {
                    lanes: [0, 1, 2, 3, 4, 5, 6, 7].map(|i| (packed >> (3 * i) & 7) as u8),
                    fetch_inactive: self.field(FieldId::Src0) == 234,
                });
            }
        }
        m
    }

    /// Modifiers of a memory instruction; all off for the others.
    pub fn mem_mods(&self) -> MemMods {
        let offset = || self.field(FieldId::Offset);
        let cached = || MemMods {
            glc: self.flag(FieldId::Glc),
            slc: self.flag(FieldId::Slc),
            dlc: self.flag(FieldId::Dlc),
            ..MemMods::default()
        };
        let has = |slot| self.row().operands.iter().any(|s| s.slot == slot);
        match self.encoding {
            Encoding::Ds => {
                let offset1 = self.field(FieldId::Offset1);
                let (high, offset1) = if self.flags().contains(RowFlags::DS2) {
                    (0, offset1 as u8)
                } else {
                    (offset1 << 8, 0)
                };
                MemMods {
                    offset: (offset() | high) as i32,
                    offset1,
                    gds: self.flag(FieldId::Gds),
                    ..MemMods::default()
                }
            }
            // Cache and counter instructions have the fields and ignore them.
            Encoding::Mubuf if self.row().operands.is_empty() => MemMods::default(),
            Encoding::Smem if !has(Slot::SmemOffset) => MemMods::default(),
            Encoding::Smem => {
                let cached = if has(Slot::Sdata) {
                    cached()
                } else {
                    MemMods::default()
                };
                MemMods {
                    offset: sign_extend(offset(), 21),
                    ..cached
                }
            }
            Encoding::Flat | Encoding::Global | Encoding::Scratch => MemMods {
                offset: match self.encoding {
                    Encoding::Flat => offset() as i32,
                    _ => sign_extend(offset(), 12),
                },
                lds: self.flag(FieldId::Lds),
                ..cached()
            },
            Encoding::Mubuf | Encoding::Mtbuf | Encoding::Mimg => MemMods {
                offset: offset() as i32,
                offen: self.flag(FieldId::Offen),
                idxen: self.flag(FieldId::Idxen),
                lds: self.flag(FieldId::Lds),
                tfe: self.flag(FieldId::Tfe),
                format: self.field(FieldId::Format) as u8,
                ..cached()
            },
            _ => MemMods::default(),
        }
    }

    /// Whether the status of a load goes to the register behind its data.
    #[inline]
    pub const fn has_tfe(&self) -> bool {
        self.flag(FieldId::Tfe)
    }

    /// Modifiers of an image instruction; all off for the others.
    pub fn image_mods(&self) -> ImageMods {
        if self.encoding != Encoding::Mimg {
            return ImageMods::default();
        }
        ImageMods {
            dmask: self.field(FieldId::Dmask) as u8,
            dim: self.field(FieldId::Dim) as u8,
            unorm: self.flag(FieldId::Unorm),
            r128: self.flag(FieldId::R128),
            a16: self.flag(FieldId::A16),
            d16: self.flag(FieldId::D16),
            lwe: self.flag(FieldId::Lwe),
            nsa: self.field(FieldId::Nsa) as u8,
        }
    }

    /// The address registers that an image instruction with NSA words names one by one: VADDR, then
    /// the bytes of the NSA words. Without NSA words there is only VADDR, the first of a run.
    pub fn nsa_addresses(&self) -> impl Iterator<Item = u8> + '_ {
        let extra = self.words().iter().skip(2).flat_map(|w| w.to_le_bytes());
        std::iter::once(self.field(FieldId::Vaddr) as u8).chain(extra)
    }

    /// Modifiers of an export; all off for the others.
    pub fn export_mods(&self) -> ExportMods {
        ExportMods {
            en: self.field(FieldId::En) as u8,
            compr: self.flag(FieldId::Compr),
            done: self.flag(FieldId::Done),
            vm: self.flag(FieldId::Vm),
        }
    }
}

/// The low `bits` bits of `value` as a signed number.
pub(crate) const fn sign_extend(value: u32, bits: u32) -> i32 {
    ((value << (32 - bits)) as i32) >> (32 - bits)
}

const fn omod(code: u32) -> Omod {
    match code & 3 {
        0 => Omod::None,
        1 => Omod::Mul2,
        2 => Omod::Mul4,
        _ => Omod::Div2,
    }
}

const fn sdwa_sel(code: u32) -> SdwaSel {
    match code {
        0 => SdwaSel::Byte0,
        1 => SdwaSel::Byte1,
        2 => SdwaSel::Byte2,
        3 => SdwaSel::Byte3,
        4 => SdwaSel::Word0,
        5 => SdwaSel::Word1,
        // 7 is refused at decode.
        _ => SdwaSel::Dword,
    }
}

const fn sdwa_unused(code: u32) -> SdwaUnused {
    match code {
        0 => SdwaUnused::Pad,
        1 => SdwaUnused::Sext,
        // 3 is refused at decode.
        _ => SdwaUnused::Preserve,
    }
}

//! Memory and export instructions as text: offsets, cache bits, formats, swizzles, addresses of
//! images, export targets.

use std::fmt::{self, Write};

use super::{DIMS, Printer};
use crate::encoding::Encoding;
use crate::fields::FieldId;
use crate::format::BufferFormat;
use crate::operand::{Operand, SReg, Ty};
use crate::row::{RowFlags, Slot};
use crate::sem::{Ds, Image, Sem};

impl<W: Write> Printer<'_, W> {
    pub(super) fn memory_modifiers(&mut self) -> fmt::Result {
        let m = self.inst.mem_mods();
        match self.inst.encoding() {
            Encoding::Smem => {
                if self.has_slot(Slot::SmemOffset)
                    && self.smem_register().is_some()
                    && m.offset != 0
                {
                    self.out.write_str(" offset:")?;
                    self.signed_hex(m.offset)?;
                }
                if self.has_slot(Slot::SmemOffset) && self.has_slot(Slot::Sdata) {
                    self.cache_bits(m.glc, false, m.dlc)?;
                }
                Ok(())
            }
            Encoding::Ds => self.ds_modifiers(),
            Encoding::Flat | Encoding::Global | Encoding::Scratch => {
                self.offset(m.offset)?;
                self.cache_bits(m.glc, m.slc, m.dlc)?;
                self.flag(m.lds, "lds")
            }
            Encoding::Mubuf if self.inst.row().operands.is_empty() => Ok(()),
            Encoding::Mubuf | Encoding::Mtbuf => {
                if self.inst.encoding() == Encoding::Mtbuf {
                    self.format(m.format)?;
                }
                self.flag(m.idxen, "idxen")?;
                self.flag(m.offen, "offen")?;
                self.offset(m.offset)?;
                self.cache_bits(m.glc, m.slc, m.dlc)?;
                self.flag(m.tfe, "tfe")?;
                self.flag(m.lds, "lds")
            }
            Encoding::Mimg => self.image_modifiers(),
            Encoding::Exp => {
                let e = self.inst.export_mods();
                self.flag(e.done, "done")?;
                self.flag(e.compr, "compr")?;
                self.flag(e.vm, "vm")
            }
            _ => Ok(()),
        }
    }

    fn flag(&mut self, on: bool, name: &str) -> fmt::Result {
        if on {
            write!(self.out, " {name}")
        } else {
            Ok(())
        }
    }

    fn cache_bits(&mut self, glc: bool, slc: bool, dlc: bool) -> fmt::Result {
        self.flag(glc, "glc")?;
        self.flag(slc, "slc")?;
        self.flag(dlc, "dlc")
    }

    fn offset(&mut self, offset: i32) -> fmt::Result {
        if offset == 0 {
            Ok(())
        } else {
            write!(self.out, " offset:{offset}")
        }
    }

    fn signed_hex(&mut self, value: i32) -> fmt::Result {
        if value < 0 {
            write!(self.out, "-{:#x}", value.unsigned_abs())
        } else {
            write!(self.out, "{value:#x}")
        }
    }

    fn has_slot(&self, slot: Slot) -> bool {
        self.inst.row().operands.iter().any(|s| s.slot == slot)
    }

    fn smem_register(&self) -> Option<SReg> {
        match SReg::from_code(self.inst.field(FieldId::Soffset) as u8) {
            SReg::NULL => None,
            r => Some(r),
        }
    }

    /// SMEM's offset: a register, or the immediate in its place; `null` stands for neither.
    pub(super) fn smem_offset(&mut self, operand: Operand) -> fmt::Result {
        let imm = self.inst.mem_mods().offset;
        match operand {
            Operand::S(r) => self.sgpr(r, 1),
            _ if imm == 0 => self.out.write_str("null"),
            _ => self.signed_hex(imm),
        }
    }

    /// VDATA, as wide as type and TFE make it; LLVM's width for images.
    pub(super) fn data(&mut self, operand: Operand, ty: Ty) -> fmt::Result {
        let Operand::V(v) = operand else {
            return self.operand(operand, ty);
        };
        let n = match self.inst.encoding() {
            Encoding::Mimg => self.image_data_dwords(),
            _ => self.dwords(ty) + u32::from(self.inst.mem_mods().tfe),
        };
        self.vgpr(v, n)
    }

    fn image_data_dwords(&self) -> u32 {
        let words = self.inst.image_data_words().unwrap_or(1);
        if self.inst.sem() == Sem::Image(Image::MsaaLoad) {
            // LLVM counts DMASK's bits here, though the hardware returns four samples.
            let m = self.inst.image_mods();
            let components = m.dmask.count_ones().max(1);
            let tfe = u32::from(self.inst.mem_mods().tfe);
            return tfe
                + if m.d16 {
                    components.div_ceil(2)
                } else {
                    components
                };
        }
        words
    }

    fn format(&mut self, code: u8) -> fmt::Result {
        if code == BufferFormat::DEFAULT_CODE {
            return Ok(());
        }
        match BufferFormat::from_code(code) {
            Some(f) => write!(self.out, " format:[{f}]"),
            None if code == 0 => self.out.write_str(" format:[BUF_FMT_INVALID]"),
            None => write!(self.out, " format:{code}"),
        }
    }

    fn ds_modifiers(&mut self) -> fmt::Result {
        let m = self.inst.mem_mods();
        if self.inst.row().operands.is_empty() && self.inst.sem() == Sem::Ds(Ds::Nop) {
            return Ok(());
        }
        if self.flags().contains(RowFlags::DS2) {
            if m.offset != 0 {
                write!(self.out, " offset0:{}", m.offset)?;
            }
            if m.offset1 != 0 {
                write!(self.out, " offset1:{}", m.offset1)?;
            }
        } else if self.inst.sem() == Sem::Ds(Ds::Swizzle) {
            self.swizzle(m.offset as u16)?;
        } else {
            self.offset(m.offset)?;
        }
        self.flag(m.gds, "gds")
    }

    /// The offset of DS_SWIZZLE by its modes.
    fn swizzle(&mut self, imm: u16) -> fmt::Result {
        if imm == 0 {
            return Ok(());
        }
        self.out.write_str(" offset:")?;
        if imm & 0xff00 == 0x8000 {
            let [a, b, c, d] = [0, 2, 4, 6].map(|s| imm >> s & 3);
            return write!(self.out, "swizzle(QUAD_PERM,{a},{b},{c},{d})");
        }
        if imm & 0x8000 != 0 {
            return write!(self.out, "{imm}");
        }
        let (and, or, xor) = (imm & 0x1f, imm >> 5 & 0x1f, imm >> 10 & 0x1f);
        if and == 0x1f && or == 0 && xor.is_power_of_two() {
            return write!(self.out, "swizzle(SWAP,{xor})");
        }
        if and == 0x1f && or == 0 && xor > 0 && (xor + 1).is_power_of_two() {
            return write!(self.out, "swizzle(REVERSE,{})", xor + 1);
        }
        let group = 32 - and;
        if group > 1 && group.is_power_of_two() && or < group && xor == 0 {
            return write!(self.out, "swizzle(BROADCAST,{group},{or})");
        }
        // A bit that OR sets, or that XOR sets without AND, is the constant 1 in the text, which
        // assembles to OR alone.
        let canonical = and & or == 0 && xor & !and == 0;
        if !canonical && self.options.exact {
            return write!(self.out, "{imm}");
        }
        self.out.write_str("swizzle(BITMASK_PERM,\"")?;
        for bit in (0..5).rev() {
            let (p0, p1) = (or >> bit & 1, (and | or) >> bit & 1);
            let x = xor >> bit & 1;
            self.out.write_char(match (p0 ^ x, p1 ^ x) {
                (0, 0) => '0',
                (1, 1) => '1',
                (0, _) => 'p',
                (_, _) => 'i',
            })?;
        }
        self.out.write_str("\")")
    }

    fn image_modifiers(&mut self) -> fmt::Result {
        let m = self.inst.image_mods();
        let mem = self.inst.mem_mods();
        if self.flags().contains(RowFlags::BVH_RAY) {
            return self.flag(m.a16, "a16");
        }
        if m.dmask != 0 {
            write!(self.out, " dmask:{:#x}", m.dmask)?;
        }
        let dim = DIMS.get(usize::from(m.dim)).copied().unwrap_or("");
        write!(self.out, " dim:{dim}")?;
        self.flag(m.unorm, "unorm")?;
        self.cache_bits(mem.glc, mem.slc, mem.dlc)?;
        self.flag(m.r128, "r128")?;
        self.flag(m.a16, "a16")?;
        self.flag(mem.tfe, "tfe")?;
        self.flag(m.lwe, "lwe")?;
        self.flag(m.d16, "d16")
    }

    /// The address registers: a run, or a list with NSA words.
    pub(super) fn image_address(&mut self) -> fmt::Result {
        let n = self.inst.image_address_words().unwrap_or(1);
        if self.inst.image_mods().nsa == 0 {
            return self.vgpr(self.inst.field(FieldId::Vaddr) as u8, n);
        }
        for (i, v) in self.inst.nsa_addresses().take(n as usize).enumerate() {
            let open = if i == 0 { "[" } else { ", " };
            write!(self.out, "{open}v{v}")?;
        }
        self.out.write_char(']')
    }

    pub(super) fn export_target(&mut self) -> fmt::Result {
        let t = self.inst.field(FieldId::Tgt);
        match t {
            0..=7 => write!(self.out, "mrt{t}"),
            8 => self.out.write_str("mrtz"),
            9 => self.out.write_str("null"),
            12..=16 => write!(self.out, "pos{}", t - 12),
            20 => self.out.write_str("prim"),
            32..=63 => write!(self.out, "param{}", t - 32),
            _ => write!(self.out, "invalid_target_{t}"),
        }
    }
}

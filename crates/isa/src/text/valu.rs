//! Modifiers of the vector ALU as text.

use std::fmt::{self, Write};

use super::{DPP_COUNTED, DPP_PLAIN, OMODS, Printer, SDWA_SELS, SDWA_UNUSED, spelling_ty};
use crate::encoding::{Encoding, Ext};
use crate::mods::{Dpp, Omod, SdwaSel, ValuMods};
use crate::operand::{Operand, Ty};
use crate::row::{Access, OperandSpec, RowFlags, Slot};
use crate::sem::{Sem, Valu};

impl<W: Write> Printer<'_, W> {
    /// A vector source with its `-`, `|…|` or `sext(…)`.
    pub(super) fn modified_source(
        &mut self,
        spec: &OperandSpec,
        operand: Operand,
        ty: Ty,
    ) -> fmt::Result {
        let i = match spec.slot {
            Slot::Src0 => 0,
            Slot::Src1 | Slot::InterpVsrc => 1,
            _ => 2,
        };
        let m = self.inst.valu_mods();
        // Packed instructions write their signs behind; the mix instructions use NEG_HI as ABS.
        let mix = self.is_mix();
        let (neg, abs) = match self.inst.encoding() {
            Encoding::Vop3p if !mix => (false, false),
            Encoding::Vop3p => (m.neg >> i & 1 != 0, m.neg_hi >> i & 1 != 0),
            _ => (m.neg >> i & 1 != 0, m.abs >> i & 1 != 0),
        };
        let sext = m.sdwa.is_some_and(|s| match i {
            0 => s.src0_sext,
            _ => s.src1_sext,
        });
        // A half source of a mix instruction is written as one.
        let ty = match ty {
            Ty::I16 | Ty::U16 => spelling_ty(self.inst.row(), spec),
            Ty::F32 if mix && m.op_sel_hi >> i & 1 != 0 => Ty::F16,
            ty => ty,
        };
        let constant = matches!(
            operand,
            Operand::Int(_) | Operand::Float(_) | Operand::Literal(_)
        );
        let neg_word = neg && !abs && constant;
        if neg_word {
            self.out.write_str("neg(")?;
        } else if neg {
            self.out.write_char('-')?;
        }
        if abs {
            self.out.write_char('|')?;
        }
        if sext {
            self.out.write_str("sext(")?;
        }
        self.operand(operand, ty)?;
        if sext || neg_word {
            self.out.write_char(')')?;
        }
        if abs {
            self.out.write_char('|')?;
        }
        Ok(())
    }

    pub(super) fn is_mix(&self) -> bool {
        matches!(self.inst.sem(), Sem::Valu(Valu::FmaMix(_)))
    }

    /// Explicit sources: those that OP_SEL lists have a place for.
    fn source_count(&self) -> u32 {
        let specs = self.inst.row().operands.iter();
        specs
            .filter(|s| {
                s.access == Access::Src && matches!(s.slot, Slot::Src0 | Slot::Src1 | Slot::Src2)
            })
            .count() as u32
    }

    pub(super) fn valu_modifiers(&mut self) -> fmt::Result {
        let m = self.inst.valu_mods();
        match self.inst.encoding() {
            Encoding::Vop3 => {
                self.vop3_op_sel(m)?;
                self.clamp_omod(m)
            }
            Encoding::Vop3p => self.packed_modifiers(m),
            _ => match self.inst.ext() {
                Ext::None => Ok(()),
                Ext::Sdwa | Ext::Sdwab => {
                    self.clamp_omod(m)?;
                    self.sdwa(m)
                }
                Ext::Dpp16 | Ext::Dpp8 => self.dpp(m),
            },
        }
    }

    fn clamp_omod(&mut self, m: ValuMods) -> fmt::Result {
        if m.clamp {
            self.out.write_str(" clamp")?;
        }
        if m.omod != Omod::None {
            let name = OMODS.iter().find(|n| n.0 == m.omod).map_or("", |n| n.1);
            write!(self.out, " {name}")?;
        }
        Ok(())
    }

    fn vop3_op_sel(&mut self, m: ValuMods) -> fmt::Result {
        if self.flags().contains(RowFlags::INTERP) {
            if self.inst.field(crate::fields::FieldId::Src0) & 0x100 != 0 {
                self.out.write_str(" high")?;
            }
            return Ok(());
        }
        if m.op_sel == 0 {
            return Ok(());
        }
        if self.flags().contains(RowFlags::OPSEL01) {
            return if m.op_sel & 3 == 0 {
                Ok(())
            } else {
                self.bits(" op_sel:", m.op_sel, 2)
            };
        }
        // One bit a source, then the destination's (bit 3 whatever the number of sources).
        let n = self.source_count();
        let sources = m.op_sel & ((1 << n) - 1);
        self.bits(" op_sel:", sources | (m.op_sel >> 3) << n, n + 1)
    }

    fn packed_modifiers(&mut self, m: ValuMods) -> fmt::Result {
        let n = self.source_count();
        let all = (1u8 << n) - 1;
        let mix = self.is_mix();
        if m.op_sel & all != 0 {
            self.bits(" op_sel:", m.op_sel, n)?;
        }
        let default_hi = if mix { 0 } else { all };
        if m.op_sel_hi & all != default_hi {
            self.bits(" op_sel_hi:", m.op_sel_hi, n)?;
        }
        if !mix {
            if m.neg & all != 0 {
                self.bits(" neg_lo:", m.neg, n)?;
            }
            if m.neg_hi & all != 0 {
                self.bits(" neg_hi:", m.neg_hi, n)?;
            }
        }
        if m.clamp {
            self.out.write_str(" clamp")?;
        }
        Ok(())
    }

    /// `name[b0,b1,…]`, lowest bit first.
    fn bits(&mut self, name: &str, bits: u8, n: u32) -> fmt::Result {
        self.out.write_str(name)?;
        for i in 0..n {
            let open = if i == 0 { '[' } else { ',' };
            write!(self.out, "{open}{}", bits >> i & 1)?;
        }
        self.out.write_char(']')
    }

    fn sdwa(&mut self, m: ValuMods) -> fmt::Result {
        let Some(s) = m.sdwa else { return Ok(()) };
        let sel = |sel: SdwaSel| SDWA_SELS.iter().find(|n| n.0 == sel).map_or("", |n| n.1);
        if let Some((dst, unused)) = s.dst {
            let unused = SDWA_UNUSED
                .iter()
                .find(|n| n.0 == unused)
                .map_or("", |n| n.1);
            write!(self.out, " dst_sel:{} dst_unused:{unused}", sel(dst))?;
        }
        write!(self.out, " src0_sel:{}", sel(s.src0))?;
        if self.source_count() > 1 {
            write!(self.out, " src1_sel:{}", sel(s.src1))?;
        }
        Ok(())
    }

    fn dpp(&mut self, m: ValuMods) -> fmt::Result {
        let fi = match m.dpp {
            None => return Ok(()),
            Some(Dpp::Dpp8 {
                lanes,
                fetch_inactive,
            }) => {
                let [a, b, c, d, e, f, g, h] = lanes;
                write!(self.out, " dpp8:[{a},{b},{c},{d},{e},{f},{g},{h}]")?;
                fetch_inactive
            }
            Some(Dpp::Dpp16 {
                ctrl,
                row_mask,
                bank_mask,
                bound_ctrl,
                fetch_inactive,
            }) => {
                self.out.write_char(' ')?;
                self.dpp_ctrl(ctrl)?;
                write!(self.out, " row_mask:{row_mask:#x} bank_mask:{bank_mask:#x}")?;
                if bound_ctrl {
                    self.out.write_str(" bound_ctrl:1")?;
                }
                fetch_inactive
            }
        };
        if fi {
            self.out.write_str(" fi:1")
        } else {
            Ok(())
        }
    }

    fn dpp_ctrl(&mut self, ctrl: u16) -> fmt::Result {
        if ctrl < 0x100 {
            let [a, b, c, d] = [0, 2, 4, 6].map(|s| ctrl >> s & 3);
            return write!(self.out, "quad_perm:[{a},{b},{c},{d}]");
        }
        for (name, code) in DPP_PLAIN {
            if ctrl == code {
                return self.out.write_str(name);
            }
        }
        for (name, base, lo, hi) in DPP_COUNTED {
            if (base + lo..=base + hi).contains(&ctrl) {
                return write!(self.out, "{name}:{}", ctrl - base);
            }
        }
        Ok(())
    }
}

//! Moves that pick their registers by M0, where M0 is known at translate time.

use spirdna_isa::{Operand, SReg, Valu};

use super::super::Lift;
use super::super::regs::Var;
use super::Vop;
use crate::error::Reason;
use crate::ir::Const;

/// The register `by` after `base`; `None` past v255.
fn relative(base: u8, by: u32) -> Option<u8> {
    u8::try_from(u64::from(base) + u64::from(by)).ok()
}

impl Lift<'_> {
    pub(super) fn v_relative(&mut self, v: &Vop<'_>, op: Valu) -> Result<(), Reason> {
        let m0 = self.sreg(SReg::M0);
        let Some(Const::I32(m0)) = self.b.as_const(m0) else {
            return Err(Reason::Operand("M0, unknown at translate time,"));
        };
        let (source, destination) = match op {
            Valu::MovRelS => (m0, 0),
            Valu::MovRelD => (0, m0),
            Valu::MovRelSd => (m0, m0),
            _ => (m0 & 0x3ff, m0 >> 16 & 0x3ff),
        };
        let dst = relative(self.vector_dst(v.inst, 0)?, destination);
        if op == Valu::SwapRel {
            let (Operand::V(src), _) = self.src(v.inst, 0)? else {
                return Err(Reason::Operand("source"));
            };
            let (Some(a), Some(b)) = (dst, relative(src, source)) else {
                return Err(Reason::RegisterRange);
            };
            let (x, y) = (self.vreg(a), self.vreg(b));
            self.set_vreg_where(a, y, v.lanes);
            let kept = self.vreg(b);
            let other = self.b.select(v.lanes, x, kept);
            self.regs.write(Var::vector(b), other);
            return Ok(());
        }
        // A destination past v255 is left alone (measured).
        let Some(dst) = dst else { return Ok(()) };
        let x = match self.src(v.inst, 0)? {
            _ if source == 0 => self.vraw32(v, 0)?,
            (Operand::V(base), _) if v.dpp.is_none() && v.mods.sdwa.is_none() => {
                let from = relative(base, source).ok_or(Reason::RegisterRange)?;
                self.vreg(from)
            }
            _ => return Err(Reason::Operand("source")),
        };
        if v.mods.sdwa.is_some() {
            return Err(Reason::Modifier("SDWA"));
        }
        self.set_vreg_where(dst, x, v.lanes);
        Ok(())
    }
}

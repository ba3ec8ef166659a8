//! Moves that pick their registers by M0. Where M0 is known at translate time they are plain moves; where
//! it is not, a read is a tree of selects over the registers from the base on, and a write a select in
//! each of them; what nobody reads goes away later.
//!
//! Past the wave's last register: a source reads v0 and a destination is left alone (V_MOVREL*); a swap
//! records a fault.

use spirdna_isa::{Operand, SReg, Ty, Valu};

use super::super::Lift;
use super::Vop;
use crate::error::Reason;
use crate::ir::{Const, Value};

impl Lift<'_> {
    pub(super) fn v_relative(&mut self, v: &Vop<'_>, op: Valu) -> Result<(), Reason> {
        let m0 = self.sreg(SReg::M0);
        let none = self.b.const32(0);
        let (source, destination) = match op {
            Valu::MovRelS => (m0, none),
            Valu::MovRelD => (none, m0),
            Valu::MovRelSd => (m0, m0),
            _ => (self.b.field_u(m0, 0, 10), self.b.field_u(m0, 16, 10)),
        };
        let (dst, ty) = self.dst(v.inst, 0)?;
        let Operand::V(dst) = dst else {
            return Err(Reason::Operand("destination"));
        };
        if op == Valu::SwapRel {
            let (Operand::V(src), _) = self.src(v.inst, 0)? else {
                return Err(Reason::Operand("source"));
            };
            let (a, b) = (self.indexed(dst, destination), self.indexed(src, source));
            let (x, y) = (self.read_indexed(a), self.read_indexed(b));
            let (inside, beside) = (self.is_inside(a), self.is_inside(b));
            let ok = self.b.and(inside, beside);
            let bad = self.b.not(ok);
            let m0 = self.b.zext(m0);
            let refused = self.b.and(bad, v.lanes);
            self.fault(m0, refused);
            let lanes = self.b.and(v.lanes, ok);
            self.write_indexed(v, Ty::B32, a, y, lanes);
            self.write_indexed(v, Ty::B32, b, x, lanes);
            return Ok(());
        }
        let to = self.indexed(dst, destination);
        let x = match self.src(v.inst, 0)? {
            (Operand::V(base), ty) => {
                let from = self.indexed(base, source);
                let x = self.read_indexed(from);
                self.vsrc32_of(v, 0, (Operand::V(base), ty), x)
            }
            _ if self.b.as_const(source) == Some(Const::I32(0)) => self.vsrc32(v, 0)?,
            _ => return Err(Reason::Operand("source")),
        };
        self.write_indexed(v, ty, to, x, v.lanes);
        Ok(())
    }

    fn indexed(&mut self, base: u8, by: Value) -> Indexed {
        match self.b.as_const(by) {
            Some(Const::I32(by)) => {
                let at = u64::from(base) + u64::from(by);
                match u8::try_from(at) {
                    Ok(reg) if at < u64::from(self.launch.vgpr_count) => Indexed::Known(reg),
                    _ => Indexed::Beyond,
                }
            }
            _ => Indexed::Unknown { base, by },
        }
    }

    /// The wave's registers from one on.
    fn after(&self, base: u8) -> impl Iterator<Item = u8> + use<> {
        let count = self.launch.vgpr_count;
        (base..=u8::MAX).take_while(move |&n| u16::from(n) < count)
    }

    /// Whether the register exists.
    fn is_inside(&mut self, reg: Indexed) -> Value {
        match reg {
            Indexed::Known(_) => self.b.const_bool(true),
            Indexed::Beyond => self.b.const_bool(false),
            Indexed::Unknown { base, by } => {
                let count = u32::from(self.launch.vgpr_count.min(256));
                let end = self.b.const32(count.saturating_sub(u32::from(base)));
                self.b.ult(by, end)
            }
        }
    }

    /// The register's content; v0's past the last one.
    fn read_indexed(&mut self, reg: Indexed) -> Value {
        match reg {
            Indexed::Known(n) => self.vreg(n),
            Indexed::Beyond => self.vreg(0),
            Indexed::Unknown { base, by } => {
                let items: Vec<Value> = self.after(base).map(|n| self.vreg(n)).collect();
                let beyond = self.vreg(0);
                self.pick(by, &items, beyond)
            }
        }
    }

    /// Writes lanes of the register, if it exists.
    fn write_indexed(&mut self, v: &Vop<'_>, ty: Ty, reg: Indexed, x: Value, lanes: Value) {
        match reg {
            Indexed::Known(n) => self.set_vdst_of(v, (n, ty), x, lanes),
            Indexed::Beyond => {}
            Indexed::Unknown { base, by } => {
                for n in self.after(base) {
                    let here = self.b.eq32(by, u32::from(n - base));
                    let lanes = self.b.and(lanes, here);
                    self.set_vdst_of(v, (n, ty), x, lanes);
                }
            }
        }
    }
}

/// A register that M0 indexes.
#[derive(Clone, Copy)]
enum Indexed {
    /// This one.
    Known(u8),
    /// Past the last one.
    Beyond,
    /// The one `by` after `base`, which run time knows.
    Unknown { base: u8, by: Value },
}

//! Instructions that look at other lanes, or at one lane of their own choice.

use spirdna_isa::Operand;

use super::super::Lift;
use super::super::regs::Var;
use super::Vop;
use crate::error::Reason;
use crate::ir::{Input, Value};

impl Lift<'_> {
    pub(super) fn v_readfirstlane(&mut self, v: &Vop<'_>) -> Result<(), Reason> {
        let x = self.src32(v.inst, 0)?;
        let exec = self.exec();
        // -1 & (W - 1) would be the last lane: EXEC = 0 reads lane 0.
        let first = self.b.find_lsb(exec);
        let none = self.is_zero(exec);
        let zero = self.b.const32(0);
        let first = self.b.select(none, zero, first);
        let x = self.b.read_lane(x, first);
        let reg = self.scalar_dst(v.inst, 0)?;
        self.set_sreg(reg, x);
        Ok(())
    }

    pub(super) fn v_readlane(&mut self, v: &Vop<'_>) -> Result<(), Reason> {
        let x = self.src32(v.inst, 0)?;
        let lane = self.lane_select(v, 1)?;
        let x = self.b.read_lane(x, lane);
        let reg = self.scalar_dst(v.inst, 0)?;
        self.set_sreg(reg, x);
        Ok(())
    }

    pub(super) fn v_writelane(&mut self, v: &Vop<'_>) -> Result<(), Reason> {
        let x = self.src32(v.inst, 0)?;
        let chosen = self.lane_select(v, 1)?;
        let lane = self.b.input(Input::LaneId);
        let here = self.b.eq(lane, chosen);
        let n = self.vector_dst(v.inst, 0)?;
        self.set_vreg_where(n, x, here);
        Ok(())
    }

    /// A lane number modulo the wave size, from a scalar.
    fn lane_select(&mut self, v: &Vop<'_>, i: usize) -> Result<Value, Reason> {
        let lane = self.src32(v.inst, i)?;
        Ok(self.b.and32(lane, self.launch.wave.lanes() - 1))
    }

    pub(super) fn v_swap(&mut self, v: &Vop<'_>) -> Result<(), Reason> {
        let a = self.vector_dst(v.inst, 0)?;
        let (Operand::V(b), _) = self.src(v.inst, 0)? else {
            return Err(Reason::Operand("source"));
        };
        let b = if a == b {
            match self.dst(v.inst, 1)? {
                (Operand::V(b), _) => b,
                _ => return Err(Reason::Operand("destination")),
            }
        } else {
            b
        };
        let (x, y) = (self.vreg(a), self.vreg(b));
        self.set_vreg_where(a, y, v.lanes);
        let old = self.b.select(v.lanes, x, y);
        self.regs.write(Var::vector(b), old);
        Ok(())
    }

    /// Lane selects of 4 bits in two scalars, within the row of 16 or from the other row of the 32.
    pub(super) fn v_permlane16(&mut self, v: &Vop<'_>, other_row: bool) -> Result<(), Reason> {
        let x = self.src32(v.inst, 0)?;
        let (lo, hi) = (self.src32(v.inst, 1)?, self.src32(v.inst, 2)?);
        let lane = self.b.input(Input::LaneId);
        let at = self.b.and32(lane, 7);
        let at = self.b.shl_by(at, 2);
        let upper = self.b.field_u(lane, 3, 1);
        let upper = self.b.eq32(upper, 1);
        let table = self.b.select(upper, hi, lo);
        let pick = self.b.shr_u(table, at);
        let pick = self.b.and32(pick, 15);
        let row = self.b.and32(lane, !15);
        let row = if other_row {
            let flip = self.b.const32(16);
            self.b.xor(row, flip)
        } else {
            row
        };
        let source = self.b.or(row, pick);
        let value = self.b.shuffle(x, source);
        // op_sel[0] is fetch-inactive, op_sel[1] is bound-control: a switched-off source gives its
        // register, or 0, or leaves the result as it was.
        let fetch_inactive = v.mods.op_sel & 1 == 1;
        let bound_ctrl = v.mods.op_sel >> 1 & 1 == 1;
        let n = self.vector_dst(v.inst, 0)?;
        if fetch_inactive {
            self.set_vreg_where(n, value, v.lanes);
            return Ok(());
        }
        let active = self.active();
        let bit = self.b.bool_int(active);
        let bit = self.b.shuffle(bit, source);
        let on = self.b.eq32(bit, 1);
        if bound_ctrl {
            let zero = self.b.const32(0);
            let value = self.b.select(on, value, zero);
            self.set_vreg_where(n, value, v.lanes);
        } else {
            let lanes = self.b.and(v.lanes, on);
            self.set_vreg_where(n, value, lanes);
        }
        Ok(())
    }
}

//! Scalar registers that M0 indexes, s0 to s105: a tree of selects where M0 is known at run time only.
//! What lies outside, or at an odd place for a pair, has no meaning: refused where it is known, else a
//! fault is recorded (its address is the register's number), zero is read and nothing is written.

use spirdna_isa::{Inst, Operand, SReg, Width};

use super::Lift;
use crate::error::Reason;
use crate::ir::{Const, Value};

/// A register, by what is known of it.
enum Place {
    Known(SReg),
    /// One of these, the one numbered `index`; outside them where `bad` holds.
    One {
        of: Vec<SReg>,
        index: Value,
        bad: Value,
    },
}

impl Lift<'_> {
    /// The source register `by` after the one that the instruction names.
    pub(super) fn read_indexed_sreg(
        &mut self,
        inst: &Inst,
        by: Value,
        w: Width,
    ) -> Result<Value, Reason> {
        let (base, _) = self.src(inst, 0)?;
        match self.indexed_sreg(base, by, w)? {
            Place::Known(reg) => self.swide_reg(reg, w),
            Place::One { of, index, bad } => {
                let mut items = Vec::with_capacity(of.len());
                for reg in of {
                    items.push(self.swide_reg(reg, w)?);
                }
                let zero = match w {
                    Width::B32 => self.b.const32(0),
                    Width::B64 => self.b.const64(0),
                };
                let x = self.pick(index, &items, zero);
                Ok(self.b.select(bad, zero, x))
            }
        }
    }

    /// Writes the register `by` after the destination that the instruction names.
    pub(super) fn write_indexed_sreg(
        &mut self,
        inst: &Inst,
        by: Value,
        w: Width,
        x: Value,
    ) -> Result<(), Reason> {
        let (base, _) = self.dst(inst, 0)?;
        match self.indexed_sreg(base, by, w)? {
            Place::Known(reg) => self.set_swide_reg(reg, w, x),
            Place::One { of, index, bad } => {
                let inside = self.b.not(bad);
                for (i, reg) in (0..).zip(of) {
                    let here = self.b.eq32(index, i);
                    let here = self.b.and(here, inside);
                    let old = self.swide_reg(reg, w)?;
                    let x = self.b.select(here, x, old);
                    self.set_swide_reg(reg, w, x)?;
                }
                Ok(())
            }
        }
    }

    fn indexed_sreg(&mut self, base: Operand, by: Value, w: Width) -> Result<Place, Reason> {
        let Operand::S(base) = base else {
            return Err(Reason::Operand("relative index of a constant"));
        };
        let dwords: u8 = match w {
            Width::B32 => 1,
            Width::B64 => 2,
        };
        let base = base.code();
        if !base.is_multiple_of(dwords) || base >= SReg::SGPRS {
            return Err(Reason::RegisterRange);
        }
        if let Some(Const::I32(by)) = self.b.as_const(by) {
            let at = u64::from(base) + u64::from(by);
            return match u8::try_from(at) {
                Ok(at) if at.is_multiple_of(dwords) && at < SReg::SGPRS => {
                    Ok(Place::Known(SReg::from_code(at)))
                }
                _ => Err(Reason::RegisterRange),
            };
        }
        let of: Vec<SReg> = (base..SReg::SGPRS)
            .step_by(usize::from(dwords))
            .map(SReg::from_code)
            .collect();
        let end = self.b.const32(u32::from(SReg::SGPRS - base));
        let inside = self.b.ult(by, end);
        let outside = self.b.not(inside);
        let odd = self.b.and32(by, u32::from(dwords) - 1);
        let aligned = self.is_zero(odd);
        let odd = self.b.not(aligned);
        let bad = self.b.or(outside, odd);
        let first = self.b.const32(u32::from(base));
        let number = self.b.add(first, by);
        let number = self.b.zext(number);
        self.fault(number, bad);
        let index = self.b.shr_by(by, u32::from(dwords) - 1);
        Ok(Place::One { of, index, bad })
    }
}

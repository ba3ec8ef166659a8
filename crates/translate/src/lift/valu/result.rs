//! Results of VALU instructions: which part of the register is written, in which lanes; output modifier
//! and clamp; mask results.

use spirdna_isa::{Omod, Operand, SdwaSel, SdwaUnused, Ty};

use super::super::Lift;
use super::Vop;
use super::source::sel_bits;
use crate::error::Reason;
use crate::ir::{FMode, FOp, FTy, Value};

impl Lift<'_> {
    /// Writes destination `i`, of at most 32 bits: a 16-bit result goes into one half and keeps the other.
    pub(super) fn set_vdst(&mut self, v: &Vop<'_>, i: usize, x: Value) -> Result<(), Reason> {
        let (operand, ty) = self.dst(v.inst, i)?;
        let Operand::V(n) = operand else {
            return Err(Reason::Operand("destination"));
        };
        self.set_vdst_of(v, (n, ty), x, v.lanes);
        Ok(())
    }

    /// Writes lanes of a register as destination of a type.
    pub(super) fn set_vdst_of(&mut self, v: &Vop<'_>, (n, ty): (u8, Ty), x: Value, lanes: Value) {
        let narrow = ty.bits() == Some(16);
        if v.plain && !narrow {
            return self.set_vreg_where(n, x, lanes);
        }
        let x = match v.mods.sdwa.and_then(|s| s.dst) {
            Some((sel, unused)) => {
                let old = self.vreg(n);
                let x = if narrow { self.b.and32(x, 0xffff) } else { x };
                self.sdwa_place(x, old, sel, unused)
            }
            None if narrow => {
                let old = self.vreg(n);
                self.half_place(x, old, v.mods.op_sel >> 3 & 1 == 1)
            }
            None => x,
        };
        self.set_vreg_where(n, x, lanes);
    }

    /// Writes destination `i` of 64 bits.
    pub(super) fn set_vdst64(&mut self, v: &Vop<'_>, i: usize, x: Value) -> Result<(), Reason> {
        let n = self.vector_dst(v.inst, i)?;
        let (lo, hi) = (self.b.lo(x), self.b.hi(x));
        self.set_vreg_where(n, lo, v.lanes);
        let next = super::super::access::vector_at(n, 1)?;
        self.set_vreg_where(next, hi, v.lanes);
        Ok(())
    }

    /// Writes destination `i`, a mask, from a Bool of each lane; lanes that are not written give 0.
    pub(super) fn set_vmask(&mut self, v: &Vop<'_>, i: usize, x: Value) -> Result<(), Reason> {
        let reg = self.scalar_dst(v.inst, i)?;
        let x = if self.is_yes(v.lanes) {
            x
        } else {
            self.b.and(x, v.lanes)
        };
        let mask = self.b.ballot(x);
        self.set_mask(reg, mask)
    }

    /// Applies output modifier and clamp to a float result and writes it.
    pub(super) fn set_vfloat(&mut self, v: &Vop<'_>, x: Value, ty: FTy) -> Result<(), Reason> {
        let x = self.float_result(v, x, ty);
        if ty == FTy::F64 {
            self.set_vdst64(v, 0, x)
        } else {
            self.set_vdst(v, 0, x)
        }
    }

    /// Output modifier and clamp. The output modifier acts only with IEEE off and where results of the type
    /// that are subnormal are flushed.
    pub(super) fn float_result(&mut self, v: &Vop<'_>, x: Value, ty: FTy) -> Value {
        let mode = self.fmode(ty);
        let acts = !mode.ieee && mode.denorm.flushes_out();
        let x = match v.mods.omod {
            Omod::None => x,
            _ if !acts => x,
            Omod::Mul2 => self.float(FOp::Omod(1), ty, mode, &[x]),
            Omod::Mul4 => self.float(FOp::Omod(2), ty, mode, &[x]),
            Omod::Div2 => self.float(FOp::Omod(-1), ty, mode, &[x]),
        };
        if v.mods.clamp {
            let dx10 = self.mode.dx10_clamp;
            self.b.float(FOp::Clamp { dx10 }, ty, mode, &[x])
        } else {
            x
        }
    }

    /// A guest float operation. With FP16_OVFL a half that would be infinite is the largest number instead,
    /// also of the poles of rcp, rsq and log, unless an operand is an infinity.
    pub(super) fn float(&mut self, op: FOp, ty: FTy, mode: FMode, args: &[Value]) -> Value {
        let out = self.b.float(op, ty, mode, args);
        if !self.mode.fp16_ovfl || ty != FTy::F16 {
            return out;
        }
        let from = match op {
            FOp::FromFloat(from) => from,
            // Its operand is no float: it overflows by its size.
            FOp::FromInt { .. } => return self.saturate_half(out, &[], ty),
            FOp::Ldexp => return self.saturate_half(out, &args[..1], ty),
            FOp::Add
            | FOp::Mul
            | FOp::Fma
            | FOp::Rcp
            | FOp::Rsq
            | FOp::Exp2
            | FOp::Log2
            | FOp::Omod(_) => ty,
            // These give a finite number, an operand, or no float.
            FOp::Mad
            | FOp::FmaLegacy
            | FOp::FmaScaled
            | FOp::MulLegacy
            | FOp::Dot2
            | FOp::Min
            | FOp::Max
            | FOp::Med3
            | FOp::Trunc
            | FOp::Ceil
            | FOp::Floor
            | FOp::Rndne
            | FOp::Fract
            | FOp::Sqrt
            | FOp::Sin
            | FOp::Cos
            | FOp::FrexpMant
            | FOp::FrexpExp
            | FOp::Lt
            | FOp::Le
            | FOp::Eq
            | FOp::Unordered
            | FOp::Class
            | FOp::Clamp { .. }
            | FOp::ToInt { .. } => return out,
        };
        self.saturate_half(out, args, from)
    }

    /// A half, or the largest one of its sign where it is infinite and no operand is.
    fn saturate_half(&mut self, x: Value, operands: &[Value], ty: FTy) -> Value {
        let mut over = self.fis_inf(FTy::F16, x);
        for &operand in operands {
            let inf = self.fis_inf(ty, operand);
            let number = self.b.not(inf);
            over = self.b.and(over, number);
        }
        // 7c00 - 1 is 7bff.
        let over = self.b.bool_int(over);
        self.b.sub(x, over)
    }

    /// How MODE treats a float type.
    pub(super) fn fmode(&self, ty: FTy) -> FMode {
        let (round, denorm) = match ty {
            FTy::F32 => (self.mode.round32, self.mode.denorm32),
            FTy::F16 | FTy::F64 => (self.mode.round16_64, self.mode.denorm16_64),
        };
        FMode {
            round,
            denorm,
            ieee: self.mode.ieee,
        }
    }

    /// A 16-bit result in one half of the old register.
    pub(super) fn half_place(&mut self, x: Value, old: Value, high: bool) -> Value {
        if high {
            let x = self.b.shl_by(x, 16);
            let keep = self.b.and32(old, 0xffff);
            self.b.or(x, keep)
        } else {
            let x = self.b.and32(x, 0xffff);
            let keep = self.b.and32(old, 0xffff_0000);
            self.b.or(x, keep)
        }
    }

    fn sdwa_place(&mut self, x: Value, old: Value, sel: SdwaSel, unused: SdwaUnused) -> Value {
        let (at, n) = sel_bits(sel);
        if n == 32 {
            return x;
        }
        let ones = (1u32 << n) - 1;
        let part = self.b.and32(x, ones);
        let part = self.b.shl_by(part, at);
        match unused {
            SdwaUnused::Pad => part,
            SdwaUnused::Preserve => {
                let keep = self.b.and32(old, !(ones << at));
                self.b.or(part, keep)
            }
            SdwaUnused::Sext => {
                // Bits above the part are its sign; bits below are zero.
                let sign = self.b.field_s(x, 0, n);
                self.b.shl_by(sign, at)
            }
        }
    }
}

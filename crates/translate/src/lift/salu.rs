//! Scalar ALU. SCC rules stand with each meaning in `spirdna_isa::Salu`.

use spirdna_isa::{Cond, Inst, IntTy, Logic, SReg, Salu, Sign, Width};

use super::Lift;
use crate::error::Reason;
use crate::ir::Value;

impl Lift<'_> {
    /// A scalar ALU instruction.
    pub(super) fn salu(&mut self, inst: &Inst, sem: Salu) -> Result<(), Reason> {
        match sem {
            Salu::Mov(w) => {
                let x = self.swide(inst, 0, w)?;
                self.set_sdst(inst, w, x)
            }
            Salu::Cmov(w) => {
                let x = self.swide(inst, 0, w)?;
                let old = self.old_sdst(inst, w)?;
                let scc = self.scc();
                let x = self.b.select(scc, x, old);
                self.set_sdst(inst, w, x)
            }
            Salu::Not(w) => {
                let x = self.swide(inst, 0, w)?;
                let x = self.b.not(x);
                self.set_sdst_nz(inst, w, x)
            }
            Salu::Wqm(w) if self.one_lane() => self.whole_quads(inst, w),
            Salu::Wqm(w) => {
                let x = self.swide(inst, 0, w)?;
                let any = self.quad_any(x, w);
                // Each quad's lowest bit times 15, without carries between quads.
                let shifted = self.sshl(any, 1);
                let two = self.b.or(any, shifted);
                let shifted = self.sshl(two, 2);
                let all = self.b.or(two, shifted);
                self.set_sdst_nz(inst, w, all)
            }
            Salu::QuadMask(w) => {
                let x = self.swide(inst, 0, w)?;
                let any = self.quad_any(x, w);
                let x = self.gather_quads(any, w);
                self.set_sdst_nz(inst, w, x)
            }
            Salu::Brev(w) => {
                let x = self.swide(inst, 0, w)?;
                let x = match w {
                    Width::B32 => self.b.bit_reverse(x),
                    Width::B64 => {
                        let (lo, hi) = (self.b.lo(x), self.b.hi(x));
                        let (lo, hi) = (self.b.bit_reverse(lo), self.b.bit_reverse(hi));
                        self.b.pack(hi, lo)
                    }
                };
                self.set_sdst(inst, w, x)
            }
            Salu::Bcnt0(w) | Salu::Bcnt1(w) => {
                let mut x = self.swide(inst, 0, w)?;
                if matches!(sem, Salu::Bcnt0(_)) {
                    x = self.b.not(x);
                }
                let count = self.b.bit_count(x);
                self.set_sdst_nz(inst, Width::B32, count)
            }
            Salu::Ff0(w) | Salu::Ff1(w) => {
                let mut x = self.swide(inst, 0, w)?;
                if matches!(sem, Salu::Ff0(_)) {
                    x = self.b.not(x);
                }
                let at = self.b.find_lsb(x);
                self.set_sdst(inst, Width::B32, at)
            }
            Salu::FlbitU(w) => {
                let x = self.swide(inst, 0, w)?;
                let count = self.leading_zeros(x, w);
                self.set_sdst(inst, Width::B32, count)
            }
            Salu::FlbitI(w) => {
                let x = self.swide(inst, 0, w)?;
                let n = self.b.const32(bits(w) - 1);
                let sign = self.b.shr_s(x, n);
                let x = self.b.xor(x, sign);
                let count = self.leading_zeros(x, w);
                self.set_sdst(inst, Width::B32, count)
            }
            Salu::Sext8 | Salu::Sext16 => {
                let x = self.src32(inst, 0)?;
                let n = if sem == Salu::Sext8 { 8 } else { 16 };
                let x = self.b.field_s(x, 0, n);
                self.set_sdst(inst, Width::B32, x)
            }
            Salu::Bitset0(w) | Salu::Bitset1(w) => {
                let at = self.src32(inst, 0)?;
                let old = self.old_sdst(inst, w)?;
                let one = self.sconst(w, 1);
                let bit = self.b.shl(one, at);
                let x = if matches!(sem, Salu::Bitset1(_)) {
                    self.b.or(old, bit)
                } else {
                    let keep = self.b.not(bit);
                    self.b.and(old, keep)
                };
                self.set_sdst(inst, w, x)
            }
            Salu::GetPc => self.link(inst),
            Salu::SaveExec(logic, w) => {
                let x = self.swide(inst, 0, w)?;
                let exec = self.swide_reg(SReg::EXEC_LO, w)?;
                let new = self.logic(logic, x, exec);
                self.set_sdst(inst, w, exec)?;
                self.set_swide_reg(SReg::EXEC_LO, w, new)?;
                self.set_scc_nz(new);
                Ok(())
            }
            Salu::WrExec(logic, w) => {
                let x = self.swide(inst, 0, w)?;
                let exec = self.swide_reg(SReg::EXEC_LO, w)?;
                let new = self.logic(logic, x, exec);
                self.set_swide_reg(SReg::EXEC_LO, w, new)?;
                self.set_sdst_nz(inst, w, new)
            }
            Salu::MovRelS(w) => {
                let m0 = self.sreg(SReg::M0);
                let x = self.read_indexed_sreg(inst, m0, w)?;
                self.set_sdst(inst, w, x)
            }
            Salu::MovRelD(w) => {
                let m0 = self.sreg(SReg::M0);
                let x = self.swide(inst, 0, w)?;
                self.write_indexed_sreg(inst, m0, w, x)
            }
            Salu::MovRelSd2 => {
                let m0 = self.sreg(SReg::M0);
                let (from, to) = (self.b.field_u(m0, 0, 10), self.b.field_u(m0, 16, 10));
                let x = self.read_indexed_sreg(inst, from, Width::B32)?;
                self.write_indexed_sreg(inst, to, Width::B32, x)
            }
            Salu::Abs => {
                let x = self.src32(inst, 0)?;
                let zero = self.b.const32(0);
                let neg = self.b.sub(zero, x);
                let negative = self.b.slt(x, zero);
                let x = self.b.select(negative, neg, x);
                self.set_sdst_nz(inst, Width::B32, x)
            }
            Salu::BitReplicate => {
                let x = self.src32(inst, 0)?;
                let low = self.b.and32(x, 0xffff);
                let high = self.b.shr_by(x, 16);
                let (lo, hi) = (self.double_bits(low), self.double_bits(high));
                let x = self.b.pack(lo, hi);
                self.set_sdst(inst, Width::B64, x)
            }
            Salu::AddU32 => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let sum = self.b.add(x, y);
                let carry = self.b.ult(sum, x);
                self.set_sdst(inst, Width::B32, sum)?;
                self.set_scc(carry);
                Ok(())
            }
            Salu::SubU32 => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let diff = self.b.sub(x, y);
                let borrow = self.b.ult(x, y);
                self.set_sdst(inst, Width::B32, diff)?;
                self.set_scc(borrow);
                Ok(())
            }
            Salu::AddI32 => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let sum = self.b.add(x, y);
                // Overflow: both operands differ from the sum in sign.
                let (a, b) = (self.b.xor(x, sum), self.b.xor(y, sum));
                self.finish_signed(inst, sum, a, b)
            }
            Salu::SubI32 => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let diff = self.b.sub(x, y);
                // Overflow: the operands differ in sign and the difference has not x's.
                let (a, b) = (self.b.xor(x, y), self.b.xor(x, diff));
                self.finish_signed(inst, diff, a, b)
            }
            Salu::AddcU32 => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let scc = self.scc();
                let c = self.b.bool_int(scc);
                let partial = self.b.add(x, y);
                let sum = self.b.add(partial, c);
                let (c0, c1) = (self.b.ult(partial, x), self.b.ult(sum, partial));
                let carry = self.b.or(c0, c1);
                self.set_sdst(inst, Width::B32, sum)?;
                self.set_scc(carry);
                Ok(())
            }
            Salu::SubbU32 => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let scc = self.scc();
                let c = self.b.bool_int(scc);
                let partial = self.b.sub(x, y);
                let diff = self.b.sub(partial, c);
                let (b0, b1) = (self.b.ult(x, y), self.b.ult(partial, c));
                let borrow = self.b.or(b0, b1);
                self.set_sdst(inst, Width::B32, diff)?;
                self.set_scc(borrow);
                Ok(())
            }
            Salu::Min(sign) | Salu::Max(sign) => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let (a, b) = if matches!(sem, Salu::Min(_)) {
                    (x, y)
                } else {
                    (y, x)
                };
                let first = self.less(sign, a, b);
                let x = self.b.select(first, x, y);
                self.set_sdst(inst, Width::B32, x)?;
                self.set_scc(first);
                Ok(())
            }
            Salu::Cselect(w) => {
                let (x, y) = (self.swide(inst, 0, w)?, self.swide(inst, 1, w)?);
                let scc = self.scc();
                let x = self.b.select(scc, x, y);
                self.set_sdst(inst, w, x)
            }
            Salu::Logic(logic, w) => {
                let (x, y) = (self.swide(inst, 0, w)?, self.swide(inst, 1, w)?);
                let x = self.logic(logic, x, y);
                self.set_sdst_nz(inst, w, x)
            }
            Salu::Shl(w) | Salu::Shr(w) | Salu::Ashr(w) => {
                let (x, n) = (self.swide(inst, 0, w)?, self.src32(inst, 1)?);
                let x = match sem {
                    Salu::Shl(_) => self.b.shl(x, n),
                    Salu::Shr(_) => self.b.shr_u(x, n),
                    _ => self.b.shr_s(x, n),
                };
                self.set_sdst_nz(inst, w, x)
            }
            Salu::Bfm(w) => {
                let (n, at) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let one = self.sconst(w, 1);
                let end = self.b.shl(one, n);
                let ones = self.b.sub(end, one);
                let x = self.b.shl(ones, at);
                self.set_sdst(inst, w, x)
            }
            Salu::MulI32 => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let x = self.b.mul(x, y);
                self.set_sdst(inst, Width::B32, x)
            }
            Salu::MulHi(sign) => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let x = match sign {
                    Sign::Unsigned => self.b.mul_hi_u(x, y),
                    Sign::Signed => self.b.mul_hi_s(x, y),
                };
                self.set_sdst(inst, Width::B32, x)
            }
            Salu::Bfe(sign, w) => {
                let (x, field) = (self.swide(inst, 0, w)?, self.src32(inst, 1)?);
                let x = self.bit_field(sign, w, x, field);
                self.set_sdst_nz(inst, w, x)
            }
            Salu::LshlAdd(n) => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let lost = self.b.shr_by(x, 32 - u32::from(n));
                let x = self.b.shl_by(x, u32::from(n));
                let sum = self.b.add(x, y);
                let zero = self.b.const32(0);
                let lost = self.b.ne(lost, zero);
                let carry = self.b.ult(sum, x);
                let carry = self.b.or(carry, lost);
                self.set_sdst(inst, Width::B32, sum)?;
                self.set_scc(carry);
                Ok(())
            }
            Salu::Pack { hi0, hi1 } => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let lo = if hi0 {
                    self.b.shr_by(x, 16)
                } else {
                    self.b.and32(x, 0xffff)
                };
                let hi = if hi1 {
                    self.b.and32(y, 0xffff_0000)
                } else {
                    self.b.shl_by(y, 16)
                };
                let x = self.b.or(lo, hi);
                self.set_sdst(inst, Width::B32, x)
            }
            Salu::AbsDiff => {
                let (x, y) = (self.src32(inst, 0)?, self.src32(inst, 1)?);
                let diff = self.b.sub(x, y);
                let zero = self.b.const32(0);
                let neg = self.b.sub(zero, diff);
                let negative = self.b.slt(diff, zero);
                let x = self.b.select(negative, neg, diff);
                self.set_sdst_nz(inst, Width::B32, x)
            }
            Salu::Cmp(cond, ty) => {
                let w = if matches!(ty, IntTy::U64 | IntTy::I64) {
                    Width::B64
                } else {
                    Width::B32
                };
                let (x, y) = (self.swide(inst, 0, w)?, self.swide(inst, 1, w)?);
                let scc = self.int_cond(cond, int_sign(ty), x, y);
                self.set_scc(scc);
                Ok(())
            }
            Salu::BitCmp0(w) | Salu::BitCmp1(w) => {
                let (x, n) = (self.swide(inst, 0, w)?, self.src32(inst, 1)?);
                let x = self.b.shr_u(x, n);
                let x = if w == Width::B64 { self.b.lo(x) } else { x };
                let bit = self.b.and32(x, 1);
                let want = u32::from(matches!(sem, Salu::BitCmp1(_)));
                let scc = self.b.eq32(bit, want);
                self.set_scc(scc);
                Ok(())
            }
            Salu::Version => Ok(()),
            Salu::GetReg => self.get_reg(inst),
            Salu::SetReg => self.set_reg(inst),
        }
    }

    /// Bit logic of two values.
    pub(super) fn logic(&mut self, logic: Logic, x: Value, y: Value) -> Value {
        let b = &mut self.b;
        match logic {
            Logic::And => b.and(x, y),
            Logic::Or => b.or(x, y),
            Logic::Xor => b.xor(x, y),
            Logic::AndN2 => {
                let y = b.not(y);
                b.and(x, y)
            }
            Logic::OrN2 => {
                let y = b.not(y);
                b.or(x, y)
            }
            Logic::Nand => {
                let z = b.and(x, y);
                b.not(z)
            }
            Logic::Nor => {
                let z = b.or(x, y);
                b.not(z)
            }
            Logic::Xnor => {
                let z = b.xor(x, y);
                b.not(z)
            }
            Logic::AndN1 => {
                let x = b.not(x);
                b.and(x, y)
            }
            Logic::OrN1 => {
                let x = b.not(x);
                b.or(x, y)
            }
        }
    }

    /// An integer comparison; ordered conditions of floats do not occur.
    pub(super) fn int_cond(&mut self, cond: Cond, sign: Sign, x: Value, y: Value) -> Value {
        match cond {
            Cond::F => self.b.const_bool(false),
            Cond::Eq | Cond::Nlg => self.b.eq(x, y),
            Cond::Lg | Cond::Neq => self.b.ne(x, y),
            Cond::Lt | Cond::Nge => self.less(sign, x, y),
            Cond::Gt | Cond::Nle => self.less(sign, y, x),
            Cond::Le | Cond::Ngt => {
                let greater = self.less(sign, y, x);
                self.b.not(greater)
            }
            Cond::Ge | Cond::Nlt => {
                let less = self.less(sign, x, y);
                self.b.not(less)
            }
            Cond::T | Cond::O => self.b.const_bool(true),
            Cond::U => self.b.const_bool(false),
        }
    }

    /// x < y.
    pub(super) fn less(&mut self, sign: Sign, x: Value, y: Value) -> Value {
        match sign {
            Sign::Signed => self.b.slt(x, y),
            Sign::Unsigned => self.b.ult(x, y),
        }
    }

    /// A bit field by a packed (offset, width at bit 16) operand: what reaches past the top is zero, or
    /// the sign.
    fn bit_field(&mut self, sign: Sign, w: Width, x: Value, field: Value) -> Value {
        let n = bits(w);
        let at = self.b.and32(field, n - 1);
        let count = self.b.field_u(field, 16, 7);
        let x = match sign {
            Sign::Unsigned => self.b.shr_u(x, at),
            Sign::Signed => self.b.shr_s(x, at),
        };
        // Widths that reach the top leave the shifted value as it is.
        let whole = self.b.const32(n);
        let room = self.b.sub(whole, at);
        let count = self.b.umin(count, room);
        let spare = self.b.sub(whole, count);
        let up = self.b.shl(x, spare);
        let down = match sign {
            Sign::Unsigned => self.b.shr_u(up, spare),
            Sign::Signed => self.b.shr_s(up, spare),
        };
        // A count of zero would shift by the whole width, which counts as no shift.
        let none = self.b.eq32(count, 0);
        let zero = self.sconst(w, 0);
        self.b.select(none, zero, down)
    }

    /// Leading zeros, -1 for 0.
    fn leading_zeros(&mut self, x: Value, w: Width) -> Value {
        let top = self.b.find_umsb(x);
        let last = self.b.const32(bits(w) - 1);
        let count = self.b.sub(last, top);
        let minus = self.b.const32(u32::MAX);
        let none = self.b.eq(top, minus);
        self.b.select(none, minus, count)
    }

    /// The lowest bit of each quad: whether the quad has a set bit.
    fn quad_any(&mut self, x: Value, w: Width) -> Value {
        let shifted = self.sshr(x, 1);
        let two = self.b.or(x, shifted);
        let shifted = self.sshr(two, 2);
        let four = self.b.or(two, shifted);
        let lowest = self.sconst(w, 0x1111_1111_1111_1111);
        self.b.and(four, lowest)
    }

    /// Bits 0, 4, 8, … moved together.
    fn gather_quads(&mut self, mut x: Value, w: Width) -> Value {
        let steps: [(u32, u64); 4] = [
            (3, 0x0303_0303_0303_0303),
            (6, 0x000f_000f_000f_000f),
            (12, 0x0000_00ff_0000_00ff),
            (24, 0x0000_0000_0000_ffff),
        ];
        let count = if w == Width::B64 { 4 } else { 3 };
        for (shift, keep) in steps.into_iter().take(count) {
            let moved = self.sshr(x, shift);
            let both = self.b.or(x, moved);
            let keep = self.sconst(w, keep);
            x = self.b.and(both, keep);
        }
        x
    }

    /// Each of the low 16 bits twice.
    fn double_bits(&mut self, mut x: Value) -> Value {
        for (shift, keep) in [
            (8, 0x00ff_00ff),
            (4, 0x0f0f_0f0f),
            (2, 0x3333_3333),
            (1, 0x5555_5555),
        ] {
            let moved = self.b.shl_by(x, shift);
            let both = self.b.or(x, moved);
            x = self.b.and32(both, keep);
        }
        let moved = self.b.shl_by(x, 1);
        self.b.or(x, moved)
    }

    fn finish_signed(&mut self, inst: &Inst, x: Value, a: Value, b: Value) -> Result<(), Reason> {
        let both = self.b.and(a, b);
        let zero = self.b.const32(0);
        let overflow = self.b.slt(both, zero);
        self.set_sdst(inst, Width::B32, x)?;
        self.set_scc(overflow);
        Ok(())
    }

    // ---- Operands by width -----------------------------------------------------------------------

    pub(super) fn swide(&mut self, inst: &Inst, i: usize, w: Width) -> Result<Value, Reason> {
        match w {
            Width::B32 => self.src32(inst, i),
            Width::B64 => self.src64(inst, i),
        }
    }

    /// A scalar register at a width. EXEC at 32 bits is EXEC_LO, whatever the wave size.
    pub(super) fn swide_reg(&mut self, reg: SReg, w: Width) -> Result<Value, Reason> {
        match w {
            Width::B32 => Ok(self.sreg(reg)),
            Width::B64 => self.sreg64(reg),
        }
    }

    pub(super) fn set_swide_reg(
        &mut self,
        reg: SReg,
        w: Width,
        value: Value,
    ) -> Result<(), Reason> {
        match w {
            Width::B32 => {
                self.set_sreg(reg, value);
                Ok(())
            }
            Width::B64 => self.set_sreg64(reg, value),
        }
    }

    fn old_sdst(&mut self, inst: &Inst, w: Width) -> Result<Value, Reason> {
        let reg = self.scalar_dst(inst, 0)?;
        self.swide_reg(reg, w)
    }

    fn set_sdst(&mut self, inst: &Inst, w: Width, value: Value) -> Result<(), Reason> {
        let reg = self.scalar_dst(inst, 0)?;
        self.set_swide_reg(reg, w, value)
    }

    pub(super) fn set_sdst_nz(
        &mut self,
        inst: &Inst,
        w: Width,
        value: Value,
    ) -> Result<(), Reason> {
        self.set_sdst(inst, w, value)?;
        self.set_scc_nz(value);
        Ok(())
    }

    fn sconst(&mut self, w: Width, x: u64) -> Value {
        match w {
            Width::B32 => self.b.const32(x as u32),
            Width::B64 => self.b.const64(x),
        }
    }

    fn sshl(&mut self, x: Value, n: u32) -> Value {
        let n = self.b.const32(n);
        self.b.shl(x, n)
    }

    fn sshr(&mut self, x: Value, n: u32) -> Value {
        let n = self.b.const32(n);
        self.b.shr_u(x, n)
    }
}

/// Bits of a width.
const fn bits(w: Width) -> u32 {
    match w {
        Width::B32 => 32,
        Width::B64 => 64,
    }
}

/// Signedness of an integer type.
pub(super) const fn int_sign(ty: IntTy) -> Sign {
    match ty {
        IntTy::U16 | IntTy::U32 | IntTy::U64 => Sign::Unsigned,
        IntTy::I16 | IntTy::I32 | IntTy::I64 => Sign::Signed,
    }
}

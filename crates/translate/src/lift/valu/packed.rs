//! Packed 16-bit arithmetic: two results, each from the halves that op_sel and op_sel_hi name.

use spirdna_isa::{Encoding, IntTy, Packed, Sign};

use super::super::Lift;
use super::Vop;
use crate::error::Reason;
use crate::ir::{FOp, FTy, Value};

impl Lift<'_> {
    pub(super) fn v_packed(&mut self, v: &Vop<'_>, op: Packed) -> Result<(), Reason> {
        let count = v.inst.srcs().count();
        if !is_float(op) && v.mods.neg | v.mods.neg_hi != 0 {
            return Err(Reason::Modifier("negation of packed integers"));
        }
        let shift_or_product = matches!(
            op,
            Packed::MulLoU16 | Packed::ShlRevB16 | Packed::ShrRevB16 | Packed::AshrRevI16
        );
        if v.mods.clamp && shift_or_product {
            return Err(Reason::Modifier("clamp"));
        }
        // Only VOP3P selects; elsewhere (V_PK_FMAC) the halves are what they are.
        let selects = v.inst.encoding() == Encoding::Vop3p;
        let mut halves = [self.b.const32(0); 2];
        for (high, half) in halves.iter_mut().enumerate() {
            let (select, negate) = if !selects {
                (if high == 1 { 7 } else { 0 }, 0)
            } else if high == 1 {
                (v.mods.op_sel_hi, v.mods.neg_hi)
            } else {
                (v.mods.op_sel, v.mods.neg)
            };
            let mut args = [self.b.const32(0); 3];
            for (i, arg) in args.iter_mut().enumerate().take(count) {
                let x = self.vraw32(v, i)?;
                let x = if select >> i & 1 == 1 {
                    self.b.shr_by(x, 16)
                } else {
                    self.b.and32(x, 0xffff)
                };
                *arg = if is_float(op) && negate >> i & 1 == 1 {
                    self.flip(FTy::F16, x)
                } else {
                    x
                };
            }
            *half = self.packed_half(v, op, args);
        }
        let x = self.pack_halves(halves[0], halves[1]);
        self.set_vreg_where(self.vector_dst(v.inst, 0)?, x, v.lanes);
        Ok(())
    }

    fn packed_half(&mut self, v: &Vop<'_>, op: Packed, [x, y, z]: [Value; 3]) -> Value {
        let mode = self.fmode(FTy::F16);
        let float = |lift: &mut Self, op, args: &[Value]| {
            let x = lift.float(op, FTy::F16, mode, args);
            lift.float_result(v, x, FTy::F16)
        };
        match op {
            Packed::AddF16 => float(self, FOp::Add, &[x, y]),
            Packed::MulF16 => float(self, FOp::Mul, &[x, y]),
            Packed::FmaF16 => float(self, FOp::Fma, &[x, y, z]),
            Packed::MinF16 => float(self, FOp::Min, &[x, y]),
            Packed::MaxF16 => float(self, FOp::Max, &[x, y]),
            Packed::Mad(sign) => {
                let ty = narrow(sign);
                let (x, y, z) = (self.extend(ty, x), self.extend(ty, y), self.extend(ty, z));
                let product = self.b.mul(x, y);
                let sum = self.b.add(product, z);
                match (v.mods.clamp, sign) {
                    (false, _) => sum,
                    (true, Sign::Signed) => self.clamp16(ty, sum),
                    (true, Sign::Unsigned) => {
                        let most = self.b.const32(0xffff);
                        self.b.umin(sum, most)
                    }
                }
            }
            Packed::MulLoU16 => self.b.mul(x, y),
            Packed::Add(sign) | Packed::Sub(sign) => {
                let ty = narrow(sign);
                let (x, y) = (self.extend(ty, x), self.extend(ty, y));
                let z = if matches!(op, Packed::Add(_)) {
                    self.b.add(x, y)
                } else {
                    self.b.sub(x, y)
                };
                if v.mods.clamp { self.clamp16(ty, z) } else { z }
            }
            Packed::Min(sign) | Packed::Max(sign) => {
                let ty = narrow(sign);
                let (x, y) = (self.extend(ty, x), self.extend(ty, y));
                match (matches!(op, Packed::Min(_)), sign) {
                    (true, Sign::Signed) => self.b.smin(x, y),
                    (true, Sign::Unsigned) => self.b.umin(x, y),
                    (false, Sign::Signed) => self.b.smax(x, y),
                    (false, Sign::Unsigned) => self.b.umax(x, y),
                }
            }
            Packed::ShlRevB16 => {
                let n = self.b.and32(x, 15);
                self.b.shl(y, n)
            }
            Packed::ShrRevB16 => {
                let n = self.b.and32(x, 15);
                self.b.shr_u(y, n)
            }
            Packed::AshrRevI16 => {
                let n = self.b.and32(x, 15);
                let y = self.extend(IntTy::I16, y);
                self.b.shr_s(y, n)
            }
        }
    }
}

const fn narrow(sign: Sign) -> IntTy {
    match sign {
        Sign::Signed => IntTy::I16,
        Sign::Unsigned => IntTy::U16,
    }
}

const fn is_float(op: Packed) -> bool {
    matches!(
        op,
        Packed::AddF16 | Packed::MulF16 | Packed::FmaF16 | Packed::MinF16 | Packed::MaxF16
    )
}

//! Integer dot products.

use spirdna_isa::{Dot, Encoding, Sign};

use super::super::Lift;
use super::Vop;
use crate::error::Reason;
use crate::ir::{FOp, FTy, Value};

impl Lift<'_> {
    pub(super) fn v_dot(&mut self, v: &Vop<'_>, op: Dot) -> Result<(), Reason> {
        let (width, sign) = match op {
            Dot::F32F16 => return self.v_dot2(v),
            Dot::I32I16 => (16, Sign::Signed),
            Dot::U32U16 => (16, Sign::Unsigned),
            Dot::I32I8 => (8, Sign::Signed),
            Dot::U32U8 => (8, Sign::Unsigned),
            Dot::I32I4 => (4, Sign::Signed),
            Dot::U32U4 => (4, Sign::Unsigned),
        };
        if v.mods.neg | v.mods.neg_hi != 0 {
            return Err(Reason::Modifier("negation of an integer"));
        }
        let selects = v.inst.encoding() == Encoding::Vop3p;
        if selects && width != 16 && v.mods.op_sel != 0 {
            return Err(Reason::Modifier("op_sel of bytes"));
        }
        let (x, y, z) = (self.vraw32(v, 0)?, self.vraw32(v, 1)?, self.vraw32(v, 2)?);
        let wide = |lift: &mut Self, x| match sign {
            Sign::Signed => lift.b.sext(x),
            Sign::Unsigned => lift.b.zext(x),
        };
        let mut sum = wide(self, z);
        for at in (0..32).step_by(width as usize) {
            let field = |lift: &mut Self, i: u32, x| {
                let at = if selects && width == 16 {
                    let set = if at == 0 {
                        v.mods.op_sel
                    } else {
                        v.mods.op_sel_hi
                    };
                    u32::from(set >> i & 1) * 16
                } else {
                    at
                };
                match sign {
                    Sign::Signed => lift.b.field_s(x, at, width),
                    Sign::Unsigned => lift.b.field_u(x, at, width),
                }
            };
            let (a, b) = (field(self, 0, x), field(self, 1, y));
            let product = self.b.mul(a, b);
            let product = wide(self, product);
            sum = self.b.add(sum, product);
        }
        let x = if v.mods.clamp {
            self.saturate64(sign, sum)
        } else {
            self.b.lo(sum)
        };
        self.set_vdst(v, 0, x)
    }

    /// Two products of halves and an f32; clamp does nothing (measured).
    fn v_dot2(&mut self, v: &Vop<'_>) -> Result<(), Reason> {
        let selects = v.inst.encoding() == Encoding::Vop3p;
        if v.mods.neg_hi & 4 != 0 {
            return Err(Reason::Modifier("neg_hi of a dot product's addend"));
        }
        let mut pairs = [self.b.const32(0); 2];
        for (i, pair) in pairs.iter_mut().enumerate() {
            let x = self.vraw32(v, i)?;
            let mut halves = [x; 2];
            for (high, half) in halves.iter_mut().enumerate() {
                let (set, negate) = match (selects, high) {
                    (false, _) => ((high as u8) << i, 0),
                    (true, 0) => (v.mods.op_sel, v.mods.neg),
                    (true, _) => (v.mods.op_sel_hi, v.mods.neg_hi),
                };
                let h = self.b.field_u(x, u32::from(set >> i & 1) * 16, 16);
                let h = if negate >> i & 1 == 1 {
                    self.flip(FTy::F16, h)
                } else {
                    h
                };
                *half = self.finput(FTy::F16, h);
            }
            *pair = self.pack_halves(halves[0], halves[1]);
        }
        let mut z = self.vraw32(v, 2)?;
        if v.mods.neg & 4 != 0 {
            z = self.flip(FTy::F32, z);
        }
        let mode = self.fmode(FTy::F32);
        let x = self
            .b
            .float(FOp::Dot2, FTy::F32, mode, &[pairs[0], pairs[1], z]);
        self.set_vdst(v, 0, x)
    }

    /// An I64 saturated to 32 bits; an unsigned one is not negative.
    pub(super) fn saturate64(&mut self, sign: Sign, x: Value) -> Value {
        let (lo, hi) = (self.b.lo(x), self.b.hi(x));
        match sign {
            Sign::Unsigned => {
                let zero = self.b.const32(0);
                let (fits, most) = (self.b.eq(hi, zero), self.b.const32(u32::MAX));
                self.b.select(fits, lo, most)
            }
            Sign::Signed => {
                let rest = self.b.sar_by(lo, 31);
                let fits = self.b.eq(rest, hi);
                let most = self.b.const32(0x7fff_ffff);
                let limit = self.b.sar_by(hi, 31);
                let limit = self.b.xor(limit, most);
                self.b.select(fits, lo, limit)
            }
        }
    }
}

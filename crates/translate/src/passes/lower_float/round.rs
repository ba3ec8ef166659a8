//! Taking numbers apart, and rounding and packing exact results, as IR: the one place where a result is
//! rounded, flushed and overflows.
//!
//! An exact magnitude stands in a *word* of the format's kind (32 bits for f16 and f32, 64 for f64), with
//! its leading one just below the word's top bit; bit 0 is sticky: it is set where anything below it was
//! cut off. The exponent is biased as in the format, not limited to its field.

use spirdna_isa::launch::Round;

use super::format::{Fp, width};
use crate::ir::{Kind, Value};

/// A number taken apart; zeros have a significand of 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Biased exponent, I32; below 1 for subnormals.
    pub exp: Value,
    /// Significand with the leading one at bit `frac_bits`, in the format's kind.
    pub sig: Value,
}

impl Fp<'_, '_> {
    /// Exponent and significand of a number that `input` gave, the leading one in its place also for
    /// subnormals.
    pub fn unpack(&mut self, x: Value) -> Parts {
        let (exp, frac) = (self.exp_field(x), self.frac(x));
        let hidden = self.c(self.f.hidden());
        let normal = self.b.or(frac, hidden);
        let small = self.b.eq32(exp, 0);
        if self.mode.denorm.flushes_in() {
            let zero = self.c(0);
            return Parts {
                exp,
                sig: self.b.select(small, zero, normal),
            };
        }
        let top = self.b.find_umsb(frac);
        let frac_bits = self.i(self.f.frac_bits as i32);
        let by = self.b.sub(frac_bits, top);
        let up = self.b.shl(frac, by);
        let one = self.i(1);
        let low = self.b.sub(one, by);
        Parts {
            exp: self.b.select(small, low, exp),
            sig: self.b.select(small, up, normal),
        }
    }

    /// x >> n with what falls out sticky in bit 0; n is less than the width.
    pub fn shr_sticky(&mut self, x: Value, n: Value) -> Value {
        let kind = self.b.ty(x).kind;
        let down = self.b.shr_u(x, n);
        let back = self.b.shl(down, n);
        let lost = self.b.ne(back, x);
        let lost = self.flag(lost, kind);
        self.b.or(down, lost)
    }

    /// A magnitude of any height with its leading one moved to just below the top bit, and the exponent
    /// for that, where `exp` was right for a leading one at bit `at`.
    pub fn normalise(&mut self, x: Value, exp: Value, at: u32) -> (Value, Value) {
        let top = width(self.b.ty(x).kind) - 2;
        let msb = self.b.find_umsb(x);
        let want = self.i(top as i32);
        let by = self.b.sub(want, msb);
        let up = self.b.shl(x, by);
        let exp = self.b.add(exp, msb);
        let minus_at = self.i(-(at as i32));
        (up, self.b.add(exp, minus_at))
    }

    /// Rounds an exact magnitude (a word with its leading one below the top bit, not zero), packs it
    /// with the sign bit `sign`, flushes it or lets it overflow, all by the mode.
    pub fn round_pack(&mut self, sign: Value, exp: Value, sig: Value) -> Value {
        let kind = self.f.kind();
        let top = width(kind) - 2;
        let drop = top - self.f.frac_bits;
        let flushes = self.mode.denorm.flushes_out();
        let one = self.i(1);
        let (sig, exp) = if flushes {
            (sig, exp)
        } else {
            // Below the least normal exponent the last place stays where it is.
            let below = self.b.sub(one, exp);
            let zero = self.i(0);
            let below = self.b.smax(below, zero);
            let most = self.i(width(kind) as i32 - 1);
            let below = self.b.smin(below, most);
            (self.shr_sticky(sig, below), self.b.smax(exp, one))
        };
        let zero = self.c(0);
        let up = self.c((1 << drop) - 1);
        let step = match self.mode.round {
            Round::NearestEven => {
                let down = self.b.shr_by(sig, drop);
                let last = self.c(1);
                let odd = self.b.and(down, last);
                let half = self.c((1 << (drop - 1)) - 1);
                self.b.add(half, odd)
            }
            Round::PlusInfinity | Round::MinusInfinity => {
                let negative = self.b.ne(sign, zero);
                if self.mode.round == Round::PlusInfinity {
                    self.b.select(negative, zero, up)
                } else {
                    self.b.select(negative, up, zero)
                }
            }
            Round::TowardZero => zero,
        };
        let rounded = self.b.add(sig, step);
        let down = self.b.shr_by(rounded, drop);
        // The leading one, if there is one, carries into the exponent field.
        let field = self.b.sub(exp, one);
        let wide = self.extend_signed(field, kind);
        let wide = self.b.shl_by(wide, self.f.frac_bits);
        let mut out = self.b.add(wide, down);
        if flushes {
            // A result counts as subnormal by what it is when rounded without a least exponent.
            let carry = self.b.shr_by(rounded, top + 1);
            let carry = self.low(carry);
            let exp = self.b.add(exp, carry);
            let flush = self.b.slt(exp, one);
            out = self.b.select(flush, zero, out);
        }
        let most = self.i(self.f.exp_max() as i32);
        let high = self.b.sle(most, exp);
        let inf = self.c(self.f.infinity());
        let reached = self.b.ule(inf, out);
        // `reached` alone would misread an exponent that ran over the word.
        let over = self.b.or(high, reached);
        let limit = self.overflow(sign);
        out = self.b.select(over, limit, out);
        self.b.or(out, sign)
    }

    /// The magnitude that an overflow gives.
    fn overflow(&mut self, sign: Value) -> Value {
        let inf = self.c(self.f.infinity());
        let most = self.c(self.f.infinity() - 1);
        match self.mode.round {
            Round::NearestEven => inf,
            Round::TowardZero => most,
            Round::PlusInfinity | Round::MinusInfinity => {
                let zero = self.c(0);
                let negative = self.b.ne(sign, zero);
                if self.mode.round == Round::PlusInfinity {
                    self.b.select(negative, most, inf)
                } else {
                    self.b.select(negative, inf, most)
                }
            }
        }
    }

    /// What an exact zero sum of opposite signs is.
    pub fn cancelled(&mut self) -> Value {
        self.c(if self.mode.round == Round::MinusInfinity {
            self.f.sign()
        } else {
            0
        })
    }

    /// An I64 magnitude cut to a word of the format's kind, sticky.
    pub fn narrow_word(&mut self, x: Value) -> Value {
        if self.f.kind() == Kind::I64 || self.b.ty(x).kind != Kind::I64 {
            return x;
        }
        let (hi, lo) = (self.b.hi(x), self.b.lo(x));
        let zero = self.i(0);
        let lost = self.b.ne(lo, zero);
        let lost = self.b.bool_int(lost);
        self.b.or(hi, lost)
    }
}

//! Magnitudes in one word or in two: what a fused multiply-add aligns, adds and normalises in.

use super::format::{Fp, width};
use crate::ir::{Kind, Value};

/// A magnitude: one I32 or I64, or the two halves of 128 bits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wide {
    One(Value),
    Two { hi: Value, lo: Value },
}

impl Wide {
    /// Bits in it.
    pub fn bits(self, fp: &Fp<'_, '_>) -> u32 {
        match self {
            Wide::One(x) => width(fp.b.ty(x).kind),
            Wide::Two { .. } => 128,
        }
    }
}

impl Fp<'_, '_> {
    fn zero64(&mut self) -> Value {
        self.word(Kind::I64, 0)
    }

    pub fn wide_select(&mut self, cond: Value, x: Wide, y: Wide) -> Wide {
        match (x, y) {
            (Wide::Two { hi: xh, lo: xl }, Wide::Two { hi: yh, lo: yl }) => Wide::Two {
                hi: self.b.select(cond, xh, yh),
                lo: self.b.select(cond, xl, yl),
            },
            (Wide::One(x) | Wide::Two { hi: x, .. }, Wide::One(y) | Wide::Two { hi: y, .. }) => {
                Wide::One(self.b.select(cond, x, y))
            }
        }
    }

    pub fn wide_add(&mut self, x: Wide, y: Wide) -> Wide {
        match (x, y) {
            (Wide::Two { hi: xh, lo: xl }, Wide::Two { hi: yh, lo: yl }) => {
                let lo = self.b.add(xl, yl);
                let carry = self.b.ult(lo, xl);
                let carry = self.flag(carry, Kind::I64);
                let hi = self.b.add(xh, yh);
                Wide::Two {
                    hi: self.b.add(hi, carry),
                    lo,
                }
            }
            (Wide::One(x) | Wide::Two { hi: x, .. }, Wide::One(y) | Wide::Two { hi: y, .. }) => {
                Wide::One(self.b.add(x, y))
            }
        }
    }

    pub fn wide_sub(&mut self, x: Wide, y: Wide) -> Wide {
        match (x, y) {
            (Wide::Two { hi: xh, lo: xl }, Wide::Two { hi: yh, lo: yl }) => {
                let lo = self.b.sub(xl, yl);
                let borrow = self.b.ult(xl, yl);
                let borrow = self.flag(borrow, Kind::I64);
                let hi = self.b.sub(xh, yh);
                Wide::Two {
                    hi: self.b.sub(hi, borrow),
                    lo,
                }
            }
            (Wide::One(x) | Wide::Two { hi: x, .. }, Wide::One(y) | Wide::Two { hi: y, .. }) => {
                Wide::One(self.b.sub(x, y))
            }
        }
    }

    /// The magnitude of a difference in two's complement, and whether it was negative.
    pub fn wide_abs(&mut self, x: Wide) -> (Wide, Value) {
        let (top, zero) = match x {
            Wide::One(x) => {
                let kind = self.b.ty(x).kind;
                let zero = self.word(kind, 0);
                (x, Wide::One(zero))
            }
            Wide::Two { hi, .. } => {
                let zero = self.zero64();
                (hi, Wide::Two { hi: zero, lo: zero })
            }
        };
        let none = self.word(self.b.ty(top).kind, 0);
        let negative = self.b.slt(top, none);
        let minus = self.wide_sub(zero, x);
        (self.wide_select(negative, minus, x), negative)
    }

    pub fn wide_is_zero(&mut self, x: Wide) -> Value {
        let any = match x {
            Wide::One(x) => x,
            Wide::Two { hi, lo } => self.b.or(hi, lo),
        };
        let zero = self.word(self.b.ty(any).kind, 0);
        self.b.eq(any, zero)
    }

    /// x >> n with what falls out sticky in bit 0; n is less than the bits.
    pub fn wide_shr_sticky(&mut self, x: Wide, n: Value) -> Wide {
        let (hi, lo) = match x {
            Wide::One(x) => return Wide::One(self.shr_sticky(x, n)),
            Wide::Two { hi, lo } => (hi, lo),
        };
        let zero = self.zero64();
        let word = self.i(64);
        let far = self.b.ule(word, n);
        let some = self.b.ne(lo, zero);
        let lost = self.b.and(far, some);
        let lost = self.flag(lost, Kind::I64);
        let (hi, lo) = (self.b.select(far, zero, hi), self.b.select(far, hi, lo));
        let n = self.b.and32(n, 63);
        let low = self.shr_sticky(lo, n);
        // hi << (64 - n), in two steps because n may be 0.
        let last = self.i(63);
        let rest = self.b.sub(last, n);
        let moved = self.b.shl_by(hi, 1);
        let moved = self.b.shl(moved, rest);
        let low = self.b.or(low, moved);
        let lo = self.b.or(low, lost);
        Wide::Two {
            hi: self.b.shr_u(hi, n),
            lo,
        }
    }

    /// A magnitude with its leading one moved to just below the top bit, cut to a word of the format's
    /// kind (sticky), and the exponent for that, where `exp` was right for a leading one at bit `at`.
    pub fn wide_normalise(&mut self, x: Wide, exp: Value, at: u32) -> (Value, Value) {
        let (hi, lo) = match x {
            Wide::One(x) => {
                let (sig, exp) = self.normalise(x, exp, at);
                return (self.narrow_word(sig), exp);
            }
            Wide::Two { hi, lo } => (hi, lo),
        };
        let zero = self.zero64();
        let empty = self.b.eq(hi, zero);
        // A leading one in the low word: that word counts as the high one, 64 lower.
        let (hi, lo) = (self.b.select(empty, lo, hi), self.b.select(empty, zero, lo));
        let (base, none) = (self.i(64), self.i(0));
        let base = self.b.select(empty, none, base);
        let msb = self.b.find_umsb(hi);
        let place = self.b.add(msb, base);
        let exp = self.b.add(exp, place);
        let minus_at = self.i(-(at as i32));
        let exp = self.b.add(exp, minus_at);
        // To bit 62: up by 62 - msb, or down by one.
        let last = self.i(63);
        let by = self.b.sub(last, msb);
        let up = self.b.shl(hi, by);
        let rest = self.b.shr_by(lo, 1);
        let rest = self.b.shr_u(rest, msb);
        let up = self.b.or(up, rest);
        let below = self.b.shl(lo, by);
        let one = self.i(1);
        let sig = self.shr_sticky(up, one);
        let lost = self.b.ne(below, zero);
        let lost = self.flag(lost, Kind::I64);
        (self.b.or(sig, lost), exp)
    }
}

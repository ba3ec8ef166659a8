//! The dot product of two pairs of f16 and an f32 addend by integers: exact, rounded once.

use super::format::{Format, Fp};
use super::wide::Wide;
use crate::ir::{FTy, Kind, Value};

/// A product of halves.
struct Product {
    /// Its magnitude in units of 2^-48, of 81 bits at most.
    magnitude: Wide,
    /// The sign bit of an f32.
    sign: Value,
    infinite: Value,
    invalid: Value,
}

impl Fp<'_, '_> {
    /// a.lo * b.lo + a.hi * b.hi + c, the halves as they are (their subnormals were flushed where MODE says
    /// so). NaNs are quieted whatever IEEE says: a.lo, b.lo, a.hi, b.hi, then c.
    pub fn dot2(&mut self, a: Value, b: Value, c: Value) -> Value {
        let low = |fp: &mut Self, x| fp.b.and32(x, 0xffff);
        let (al, bl) = (low(self, a), low(self, b));
        let (ah, bh) = (self.b.shr_by(a, 16), self.b.shr_by(b, 16));
        let (p, q) = (self.half_product(al, bl), self.half_product(ah, bh));
        let c = self.input(c);

        let same = self.b.eq(p.sign, q.sign);
        let plus = self.wide_add(p.magnitude, q.magnitude);
        let minus = self.wide_sub(p.magnitude, q.magnitude);
        let (minus, below) = self.wide_abs(minus);
        let products = self.wide_select(same, plus, minus);
        let sign = self.b.select(below, q.sign, p.sign);
        let sign = self.b.select(same, p.sign, sign);
        let none = self.wide_is_zero(products);
        let cancelled = self.cancelled();
        let zero_sign = self.b.select(same, p.sign, cancelled);
        let product_sign = self.b.select(none, zero_sign, sign);

        // Both leading ones at bit 125.
        let (products, top) = self.wide_raise(products);
        let scale = self.i(self.f.bias() as i32 - 48);
        let depth = self.i(-0x4000);
        let product_exp = self.b.add(top, scale);
        let product_exp = self.b.select(none, depth, product_exp);
        let parts = self.unpack(c);
        let addend = self.b.zext(parts.sig);
        let addend = Wide::Two {
            hi: self.b.shl_by(addend, 61 - self.f.frac_bits),
            lo: self.word(Kind::I64, 0),
        };
        let c_zero = self.is_zero(c);
        let addend_exp = self.b.select(c_zero, depth, parts.exp);
        let addend_sign = self.sign(c);

        let swap = self.b.slt(product_exp, addend_exp);
        let high = self.wide_select(swap, addend, products);
        let low = self.wide_select(swap, products, addend);
        let high_exp = self.b.select(swap, addend_exp, product_exp);
        let low_exp = self.b.select(swap, product_exp, addend_exp);
        let high_sign = self.b.select(swap, addend_sign, product_sign);
        let by = self.b.sub(high_exp, low_exp);
        let most = self.i(127);
        let by = self.b.umin(by, most);
        let low = self.wide_shr_sticky(low, by);
        let same = self.b.eq(product_sign, addend_sign);
        let (plus, minus) = (self.wide_add(high, low), self.wide_sub(high, low));
        let (minus, below) = self.wide_abs(minus);
        let total = self.wide_select(same, plus, minus);
        let flip = self.c(self.f.sign());
        let flipped = self.b.xor(high_sign, flip);
        let differ = self.b.not(same);
        let turned = self.b.and(below, differ);
        let sign = self.b.select(turned, flipped, high_sign);
        let (sig, exp) = self.wide_normalise(total, high_exp, 125);
        let sig = self.narrow_word(sig);
        let number = self.round_pack(sign, exp, sig);
        let is_zero = self.wide_is_zero(total);
        let cancelled = self.cancelled();
        let nothing = self.b.select(same, product_sign, cancelled);
        let out = self.b.select(is_zero, nothing, number);

        // Infinities.
        let inf = self.c(self.f.infinity());
        let c_inf = self.is_inf(c);
        let out = self.b.select(c_inf, c, out);
        let inf_sign = self.b.select(p.infinite, p.sign, q.sign);
        let any = self.b.or(p.infinite, q.infinite);
        let signed_inf = self.b.or(inf, inf_sign);
        let out = self.b.select(any, signed_inf, out);
        let against = self.b.ne(inf_sign, addend_sign);
        let against = self.b.and(against, c_inf);
        let against = self.b.and(against, any);
        let both = self.b.and(p.infinite, q.infinite);
        let opposite = self.b.ne(p.sign, q.sign);
        let both = self.b.and(both, opposite);
        let invalid = self.b.or(p.invalid, q.invalid);
        let invalid = self.b.or(invalid, both);
        let invalid = self.b.or(invalid, against);
        let nan = self.c(self.f.default_nan());
        let out = self.b.select(invalid, nan, out);
        // NaNs.
        let (c_nan, quiet) = (self.is_nan(c), self.quiet(c));
        let mut out = self.b.select(c_nan, quiet, out);
        for half in [bh, ah, bl, al] {
            let abs = self.b.and32(half, 0x7fff);
            let limit = self.i(0x7c00);
            let is_nan = self.b.ult(limit, abs);
            let sign = self.b.and32(half, 0x8000);
            let sign = self.b.shl_by(sign, 16);
            let payload = self.b.and32(half, 0x3ff);
            let payload = self.b.shl_by(payload, 13);
            let bits = self.c(self.f.infinity() | self.f.quiet_bit());
            let nan = self.b.or(payload, bits);
            let nan = self.b.or(nan, sign);
            out = self.b.select(is_nan, nan, out);
        }
        out
    }

    fn half_product(&mut self, x: Value, y: Value) -> Product {
        let half = Format::of(FTy::F16);
        let (one, zero) = (self.i(1), self.i(0));
        let inf = self.i(half.infinity() as i32);
        let mut take = |x: Value| {
            let field = self.b.field_u(x, half.frac_bits, half.exp_bits);
            let normal = self.b.ne(field, zero);
            let hidden = self.b.bool_int(normal);
            let hidden = self.b.shl_by(hidden, half.frac_bits);
            let frac = self.b.and32(x, half.frac_mask() as u32);
            let sig = self.b.or(frac, hidden);
            let exp = self.b.smax(field, one);
            let abs = self.b.and32(x, half.abs_mask() as u32);
            let (is_inf, is_zero) = (self.b.eq(abs, inf), self.b.eq(abs, zero));
            (sig, exp, is_inf, is_zero)
        };
        let (sx, ex, ix, zx) = take(x);
        let (sy, ey, iy, zy) = take(y);
        let product = self.b.mul(sx, sy);
        let product = self.b.zext(product);
        let by = self.b.add(ex, ey);
        let two = self.i(2);
        let by = self.b.sub(by, two);
        // At most 60; what an infinity's exponent gives is not used.
        let lo = self.b.shl(product, by);
        let last = self.i(63);
        let rest = self.b.sub(last, by);
        let hi = self.b.shr_by(product, 1);
        let hi = self.b.shr_u(hi, rest);
        let differ = self.b.xor(x, y);
        let sign = self.b.and32(differ, 0x8000);
        let sign = self.b.shl_by(sign, 16);
        let infinite = self.b.or(ix, iy);
        let is_zero = self.b.or(zx, zy);
        let invalid = self.b.and(infinite, is_zero);
        Product {
            magnitude: Wide::Two { hi, lo },
            sign,
            infinite,
            invalid,
        }
    }

    /// A magnitude of two words below 2^126 with its leading one moved to bit 125, and where it was.
    fn wide_raise(&mut self, x: Wide) -> (Wide, Value) {
        let (hi, lo) = match x {
            Wide::One(lo) => (self.word(Kind::I64, 0), lo),
            Wide::Two { hi, lo } => (hi, lo),
        };
        let zero = self.word(Kind::I64, 0);
        let empty = self.b.eq(hi, zero);
        let word = self.b.select(empty, lo, hi);
        let msb = self.b.find_umsb(word);
        let (high_base, low_base) = (self.i(64), self.i(0));
        let base = self.b.select(empty, low_base, high_base);
        let top = self.b.add(msb, base);
        let goal = self.i(125);
        let by = self.b.sub(goal, top);
        let far = self.b.ule(high_base, by);
        let (hi, lo) = (self.b.select(far, lo, hi), self.b.select(far, zero, lo));
        let by = self.b.and32(by, 63);
        let last = self.i(63);
        let rest = self.b.sub(last, by);
        let carried = self.b.shr_by(lo, 1);
        let carried = self.b.shr_u(carried, rest);
        let hi = self.b.shl(hi, by);
        let hi = self.b.or(hi, carried);
        let lo = self.b.shl(lo, by);
        (Wide::Two { hi, lo }, top)
    }
}

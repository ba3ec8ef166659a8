//! Sums, products and fused multiply-add by integers alone, for every rounding and denormal mode: what
//! any host can do. f16 and f32 work in 32-bit words where that is exact, f32 fused multiply-add and f64
//! in 64-bit ones, f64 fused multiply-add in two of those.

use super::format::{Fp, width};
use super::wide::Wide;
use crate::ir::{FTy, Kind, Value};

impl Fp<'_, '_> {
    /// x + y.
    pub fn add(&mut self, x: Value, y: Value) -> Value {
        let (x, y) = (self.input(x), self.input(y));
        let sum = self.sum(x, y);
        self.or_first_nan(sum, &[x, y])
    }

    /// The sum of two operands that are no NaNs (with one it is anything).
    fn sum(&mut self, x: Value, y: Value) -> Value {
        let kind = self.f.kind();
        let top = width(kind) - 2;
        // The larger magnitude first; then nothing gets lost but what stays sticky, and the difference
        // is not negative.
        let (ax, ay) = (self.abs(x), self.abs(y));
        let swap = self.b.ult(ax, ay);
        let (big, small) = (self.b.select(swap, y, x), self.b.select(swap, x, y));
        let (big_exp, big_sig) = self.aligned(big, top - 1);
        let (small_exp, small_sig) = self.aligned(small, top - 1);
        let by = self.b.sub(big_exp, small_exp);
        let most = self.i(width(kind) as i32 - 1);
        let by = self.b.umin(by, most);
        let small_sig = self.shr_sticky(small_sig, by);
        let (sx, sy) = (self.sign(x), self.sign(y));
        let same = self.b.eq(sx, sy);
        let (plus, minus) = (
            self.b.add(big_sig, small_sig),
            self.b.sub(big_sig, small_sig),
        );
        let total = self.b.select(same, plus, minus);
        let (sig, exp) = self.normalise(total, big_exp, top - 1);
        let sign = self.sign(big);
        let number = self.round_pack(sign, exp, sig);
        let zero = self.c(0);
        let is_zero = self.b.eq(total, zero);
        let cancelled = self.cancelled();
        let none = self.b.select(same, sign, cancelled);
        let sum = self.b.select(is_zero, none, number);
        // The larger magnitude is an infinity where one is.
        let (big_inf, small_inf) = (self.is_inf(big), self.is_inf(small));
        let differ = self.b.not(same);
        let invalid = self.b.and(small_inf, differ);
        let nan = self.c(self.f.default_nan());
        let inf = self.b.select(invalid, nan, big);
        self.b.select(big_inf, inf, sum)
    }

    /// Exponent (at least 1) and significand with its leading one, if it has one, at bit `at`.
    fn aligned(&mut self, x: Value, at: u32) -> (Value, Value) {
        let (exp, frac) = (self.exp_field(x), self.frac(x));
        let zero = self.i(0);
        let normal = self.b.ne(exp, zero);
        let hidden = self.flag(normal, self.f.kind());
        let hidden = self.b.shl_by(hidden, self.f.frac_bits);
        let sig = self.b.or(frac, hidden);
        let sig = self.b.shl_by(sig, at - self.f.frac_bits);
        let one = self.i(1);
        (self.b.smax(exp, one), sig)
    }

    /// x * y; with `legacy` zero times anything is +0.
    pub fn mul(&mut self, x: Value, y: Value, legacy: bool) -> Value {
        let (x, y) = (self.input(x), self.input(y));
        let (px, py) = (self.unpack(x), self.unpack(y));
        let kind = self.f.kind();
        let top = width(kind) - 2;
        // Significands high in their words: the upper half of the product has its leading one at the
        // top bit but one or the one below.
        let sx = self.b.shl_by(px.sig, top + 1 - self.f.frac_bits);
        let sy = self.b.shl_by(py.sig, top - self.f.frac_bits);
        let (hi, lo) = self.mul_wide(sx, sy);
        let zero = self.c(0);
        let lost = self.b.ne(lo, zero);
        let lost = self.flag(lost, kind);
        let product = self.b.or(hi, lost);
        let exp = self.b.add(px.exp, py.exp);
        let minus_bias = self.i(-(self.f.bias() as i32));
        let exp = self.b.add(exp, minus_bias);
        let (sig, exp) = self.normalise(product, exp, top - 1);
        let sign = self.product_sign(x, y);
        let number = self.round_pack(sign, exp, sig);
        let (zx, zy) = (self.is_zero(x), self.is_zero(y));
        let is_zero = self.b.or(zx, zy);
        let (ix, iy) = (self.is_inf(x), self.is_inf(y));
        let is_inf = self.b.or(ix, iy);
        let inf = self.c(self.f.infinity());
        let inf = self.b.or(inf, sign);
        let out = self.b.select(is_zero, sign, number);
        let out = self.b.select(is_inf, inf, out);
        let invalid = self.b.and(is_inf, is_zero);
        let nan = self.c(self.f.default_nan());
        let out = self.b.select(invalid, nan, out);
        let out = self.or_first_nan(out, &[x, y]);
        if legacy {
            self.b.select(is_zero, zero, out)
        } else {
            out
        }
    }

    pub(super) fn product_sign(&mut self, x: Value, y: Value) -> Value {
        let differ = self.b.xor(x, y);
        self.sign(differ)
    }

    /// The full product of two words: upper and lower half.
    pub(super) fn mul_wide(&mut self, x: Value, y: Value) -> (Value, Value) {
        if self.b.ty(x).kind != Kind::I64 {
            return (self.b.mul_hi_u(x, y), self.b.mul(x, y));
        }
        let (xl, xh) = (self.b.lo(x), self.b.hi(x));
        let (yl, yh) = (self.b.lo(y), self.b.hi(y));
        let low = self.mul32(xl, yl);
        let (mid, other) = (self.mul32(xl, yh), self.mul32(xh, yl));
        let high = self.mul32(xh, yh);
        // Sum of the middle: three 32-bit parts at bit 32, so it fits 64 bits.
        let low_hi = self.b.hi(low);
        let (mid_lo, other_lo) = (self.b.lo(mid), self.b.lo(other));
        let (a, b, c) = (
            self.b.zext(low_hi),
            self.b.zext(mid_lo),
            self.b.zext(other_lo),
        );
        let middle = self.b.add(a, b);
        let middle = self.b.add(middle, c);
        let (low_lo, middle_lo) = (self.b.lo(low), self.b.lo(middle));
        let lo = self.b.pack(low_lo, middle_lo);
        let (carry, mid_hi, other_hi) = (self.b.hi(middle), self.b.hi(mid), self.b.hi(other));
        let (a, b, c) = (
            self.b.zext(carry),
            self.b.zext(mid_hi),
            self.b.zext(other_hi),
        );
        let hi = self.b.add(high, a);
        let hi = self.b.add(hi, b);
        (self.b.add(hi, c), lo)
    }

    /// The 64-bit product of two I32.
    pub(super) fn mul32(&mut self, x: Value, y: Value) -> Value {
        let (lo, hi) = (self.b.mul(x, y), self.b.mul_hi_u(x, y));
        self.b.pack(lo, hi)
    }

    /// x * y + z rounded once; with `legacy` zero times anything is +0.
    pub fn fma(&mut self, x: Value, y: Value, z: Value, legacy: bool) -> Value {
        self.fma_scaled(x, y, z, None, legacy)
    }

    /// (x * y + z) * 2^n rounded once, n a small I32.
    pub fn fma_scaled(
        &mut self,
        x: Value,
        y: Value,
        z: Value,
        n: Option<Value>,
        legacy: bool,
    ) -> Value {
        let (x, y, z) = (self.input(x), self.input(y), self.input(z));
        let (px, py, pz) = (self.unpack(x), self.unpack(y), self.unpack(z));
        let frac_bits = self.f.frac_bits;
        // Wide enough for the exact product, with room below for an addend that cancels it: its leading
        // one at the second or third bit below the top.
        let (product, addend) = match self.f.ty {
            FTy::F16 => {
                let product = self.b.mul(px.sig, py.sig);
                let product = self.b.shl_by(product, 32 - 4 - 2 * frac_bits);
                (
                    Wide::One(product),
                    Wide::One(self.b.shl_by(pz.sig, 32 - 3 - frac_bits)),
                )
            }
            FTy::F32 => {
                let product = self.mul32(px.sig, py.sig);
                let product = self.b.shl_by(product, 64 - 4 - 2 * frac_bits);
                let addend = self.b.zext(pz.sig);
                (
                    Wide::One(product),
                    Wide::One(self.b.shl_by(addend, 64 - 3 - frac_bits)),
                )
            }
            FTy::F64 => {
                let (sx, sy) = (self.b.shl_by(px.sig, 10), self.b.shl_by(py.sig, 10));
                let (hi, lo) = self.mul_wide(sx, sy);
                let addend = self.b.shl_by(pz.sig, 64 - 3 - frac_bits);
                (
                    Wide::Two { hi, lo },
                    Wide::Two {
                        hi: addend,
                        lo: self.word(Kind::I64, 0),
                    },
                )
            }
        };
        let bits = product.bits(self);
        let exp = self.b.add(px.exp, py.exp);
        let one_less = self.i(1 - self.f.bias() as i32);
        let product_exp = self.b.add(exp, one_less);
        // Zeros reach below everything, so that they push nothing out.
        let (zx, zy, zz) = (self.is_zero(x), self.is_zero(y), self.is_zero(z));
        let product_zero = self.b.or(zx, zy);
        let depth = self.i(-0x4000);
        let product_exp = self.b.select(product_zero, depth, product_exp);
        let addend_exp = self.b.select(zz, depth, pz.exp);
        let mut product_sign = self.product_sign(x, y);
        let zero = self.c(0);
        if legacy {
            product_sign = self.b.select(product_zero, zero, product_sign);
        }
        let addend_sign = self.sign(z);

        let swap = self.b.slt(product_exp, addend_exp);
        let high = self.wide_select(swap, addend, product);
        let low = self.wide_select(swap, product, addend);
        let high_exp = self.b.select(swap, addend_exp, product_exp);
        let low_exp = self.b.select(swap, product_exp, addend_exp);
        let high_sign = self.b.select(swap, addend_sign, product_sign);
        let by = self.b.sub(high_exp, low_exp);
        let most = self.i(bits as i32 - 1);
        let by = self.b.umin(by, most);
        let low = self.wide_shr_sticky(low, by);
        let same = self.b.eq(product_sign, addend_sign);
        let (plus, minus) = (self.wide_add(high, low), self.wide_sub(high, low));
        // The product's leading one may be a bit lower than its exponent says.
        let (minus, below) = self.wide_abs(minus);
        let total = self.wide_select(same, plus, minus);
        let differ = self.b.not(same);
        let turned = self.b.and(below, differ);
        let flip = self.c(self.f.sign());
        let flipped = self.b.xor(high_sign, flip);
        let sign = self.b.select(turned, flipped, high_sign);

        let (sig, exp) = self.wide_normalise(total, high_exp, bits - 3);
        let exp = match n {
            Some(n) => self.b.add(exp, n),
            None => exp,
        };
        let number = self.round_pack(sign, exp, sig);
        let is_zero = self.wide_is_zero(total);
        let cancelled = self.cancelled();
        let none = self.b.select(same, product_sign, cancelled);
        let out = self.b.select(is_zero, none, number);
        self.fma_specials(out, [x, y, z], product_zero, product_sign, legacy)
    }

    /// Infinities and NaNs of x * y + z, where `out` is the result for numbers.
    pub(super) fn fma_specials(
        &mut self,
        out: Value,
        [x, y, z]: [Value; 3],
        product_zero: Value,
        product_sign: Value,
        legacy: bool,
    ) -> Value {
        let (ix, iy, iz) = (self.is_inf(x), self.is_inf(y), self.is_inf(z));
        let factor_inf = self.b.or(ix, iy);
        let some = self.b.not(product_zero);
        let product_inf = if legacy {
            self.b.and(factor_inf, some)
        } else {
            factor_inf
        };
        let addend_sign = self.sign(z);
        let inf = self.c(self.f.infinity());
        let inf = self.b.or(inf, product_sign);
        let out = self.b.select(iz, z, out);
        let out = self.b.select(product_inf, inf, out);
        let nan = self.c(self.f.default_nan());
        let differ = self.b.ne(product_sign, addend_sign);
        let both = self.b.and(product_inf, iz);
        let against = self.b.and(both, differ);
        let out = self.b.select(against, nan, out);
        let out = self.or_first_nan(out, &[z]);
        if legacy {
            // Zero times a NaN is +0 too.
            let with_nan = self.or_first_nan(out, &[x, y]);
            return self.b.select(product_zero, out, with_nan);
        }
        let invalid = self.b.and(factor_inf, product_zero);
        let out = self.b.select(invalid, nan, out);
        self.or_first_nan(out, &[x, y])
    }

    /// x * 2^n, n an I32.
    pub fn ldexp(&mut self, x: Value, n: Value) -> Value {
        let x = self.input(x);
        let parts = self.unpack(x);
        let (least, most) = (self.i(-0x4000), self.i(0x4000));
        let n = self.b.smax(n, least);
        let n = self.b.smin(n, most);
        let exp = self.b.add(parts.exp, n);
        let top = width(self.f.kind()) - 2;
        let sig = self.b.shl_by(parts.sig, top - self.f.frac_bits);
        let sign = self.sign(x);
        let number = self.round_pack(sign, exp, sig);
        let (zero, inf) = (self.is_zero(x), self.is_inf(x));
        let same = self.b.or(zero, inf);
        let out = self.b.select(same, x, number);
        self.or_first_nan(out, &[x])
    }

    /// The output modifier: x * 2^n, and -0 becomes +0. NaNs stay as they are.
    pub fn omod(&mut self, x: Value, n: i8) -> Value {
        let x = self.operand(x);
        let by = self.i(i32::from(n));
        let scaled = self.ldexp(x, by);
        let (is_zero, zero) = (self.is_zero(x), self.c(0));
        let out = self.b.select(is_zero, zero, scaled);
        let nan = self.is_nan(x);
        self.b.select(nan, x, out)
    }
}

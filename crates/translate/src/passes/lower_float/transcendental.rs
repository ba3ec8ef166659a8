//! Reciprocal, roots, exponential, logarithm, sine and cosine by integers: the algorithms of the reference
//! interpreter's `float/transcendental.rs`, step by step, so that every host gives its bits. Results are
//! rounded to nearest even whatever MODE says; f32 has no subnormals but in sine and cosine.

use spirdna_isa::launch::{Denorm, Round};

use super::format::Fp;
use super::round::Parts;
use crate::ir::{FTy, Kind, Value};

/// `(2^f - 1) / f`, units of 2^-32.
const EXP: [u32; 8] = [
    0xb172_17f8,
    0x3d7f_7c01,
    0x0e35_843c,
    0x0276_56e6,
    0x0057_5c45,
    0x000a_2454,
    0x0000_f206,
    0x0000_1e45,
];

/// `log2(1 + z) / z`, units of 2^-36.
const LOG: [i64; 14] = [
    99_141_248_299,
    -49_570_624_143,
    33_047_082_911,
    -24_785_314_105,
    19_828_232_765,
    -16_523_366_374,
    14_163_681_692,
    -12_399_239_751,
    11_007_641_191,
    -9_794_133_534,
    8_976_749_182,
    -9_262_651_085,
    9_011_700_562,
    -4_677_247_552,
];

/// `sin(pi/4 * t) / t` in t^2: alternating coefficients in units of 2^-32.
const SIN: [u32; 5] = [0xc90f_daa2, 0x14ab_bce5, 0x00a3_35dd, 0x0002_6595, 0x052f];

/// `(1 - cos(pi/4 * t)) / t^2`, likewise.
const COS: [u32; 5] = [0x4ef4_f327, 0x040f_07c2, 0x0015_5d3c, 0x3c3e, 0x68];

/// The largest 24-bit significand below sqrt(2).
const SQRT_2: u32 = 0xb5_04f3;

impl Fp<'_, '_> {
    /// The mode of an approximation.
    fn approximate(&mut self) {
        self.mode.round = Round::NearestEven;
        if self.f.ty == FTy::F32 {
            self.mode.denorm = Denorm::FlushInOut;
        }
    }

    /// An I64 magnitude V (not zero) times 2^`exp`, an I32, rounded and packed.
    fn pack_scaled(&mut self, sign: Value, magnitude: Value, exp: Value) -> Value {
        let at_zero = self.i(self.f.bias() as i32);
        let exp = self.b.add(exp, at_zero);
        let (sig, exp) = self.normalise(magnitude, exp, 0);
        let sig = self.narrow_word(sig);
        self.round_pack(sign, exp, sig)
    }

    /// An infinity of a sign bit.
    fn pole(&mut self, sign: Value) -> Value {
        let inf = self.c(self.f.infinity());
        self.b.or(inf, sign)
    }

    /// The unbiased exponent of the leading one.
    fn unbiased(&mut self, parts: &Parts) -> Value {
        let minus = self.i(-(self.f.bias() as i32));
        self.b.add(parts.exp, minus)
    }

    /// 1 / x.
    pub fn rcp(&mut self, x: Value) -> Value {
        self.approximate();
        let x = self.input(x);
        let parts = self.unpack(x);
        let sign = self.sign(x);
        // 2^(frac_bits + places) / sig with a sticky bit below.
        let (word, places) = match self.f.ty {
            FTy::F16 | FTy::F32 => {
                let mut rest = self.word(Kind::I32, 1 << 31);
                let mut quotient = self.i(0);
                // The first digit, then three of 8 bits: 2^55 / sig.
                for step in 0..4 {
                    if step > 0 {
                        rest = self.b.shl_by(rest, 8);
                    }
                    let digit = self.b.udiv(rest, parts.sig);
                    let taken = self.b.mul(digit, parts.sig);
                    rest = self.b.sub(rest, taken);
                    if step == 0 && self.f.ty == FTy::F16 {
                        // 2^31 / sig has enough bits.
                        quotient = digit;
                        break;
                    }
                    if step > 0 {
                        quotient = self.b.shl_by(quotient, 8);
                    }
                    quotient = self.b.add(quotient, digit);
                }
                let (wide, power) = if self.f.ty == FTy::F16 {
                    (self.b.zext(quotient), 31)
                } else {
                    // 2^55 / 2^23 is 2^32 itself, which the 32 bits lost.
                    let none = self.b.eq32(quotient, 0);
                    let carry = self.b.bool_int(none);
                    (self.b.pack(quotient, carry), 55)
                };
                let zero = self.i(0);
                let some = self.b.ne(rest, zero);
                let sticky = self.flag(some, Kind::I64);
                let wide = self.b.shl_by(wide, 1);
                (self.b.or(wide, sticky), power + 1)
            }
            FTy::F64 => {
                let (one, zero) = (self.word(Kind::I64, 1), self.word(Kind::I64, 0));
                let mut rest = self.word(Kind::I64, 1 << 52);
                let mut quotient = zero;
                for step in 0..57 {
                    if step > 0 {
                        rest = self.b.shl_by(rest, 1);
                        quotient = self.b.shl_by(quotient, 1);
                    }
                    let fits = self.b.ule(parts.sig, rest);
                    let less = self.b.sub(rest, parts.sig);
                    rest = self.b.select(fits, less, rest);
                    let bit = self.b.select(fits, one, zero);
                    quotient = self.b.or(quotient, bit);
                }
                let some = self.b.ne(rest, zero);
                let sticky = self.flag(some, Kind::I64);
                let wide = self.b.shl_by(quotient, 1);
                (self.b.or(wide, sticky), 52 + 56 + 1)
            }
        };
        // x = sig * 2^(e - frac_bits); the quotient is 2^places / sig.
        let e = self.unbiased(&parts);
        let from = self.i(self.f.frac_bits as i32 - places);
        let exp = self.b.sub(from, e);
        let number = self.pack_scaled(sign, word, exp);
        let pole = self.pole(sign);
        let (is_zero, is_inf) = (self.is_zero(x), self.is_inf(x));
        let out = self.b.select(is_zero, pole, number);
        let out = self.b.select(is_inf, sign, out);
        self.or_first_nan(out, &[x])
    }

    /// Significand as I64 and exponent made even: x = significand * 2^exp with the significand's leading
    /// one at bit `frac_bits` or the one above.
    fn even(&mut self, parts: &Parts) -> (Value, Value) {
        let e = self.unbiased(parts);
        let minus = self.i(-(self.f.frac_bits as i32));
        let exp = self.b.add(e, minus);
        let odd = self.b.and32(exp, 1);
        let exp = self.b.sub(exp, odd);
        let sig = if self.f.kind() == Kind::I64 {
            parts.sig
        } else {
            self.b.zext(parts.sig)
        };
        (self.b.shl(sig, odd), exp)
    }

    /// What a root gives for the operands that are no positive numbers.
    fn root_specials(&mut self, x: Value, number: Value, zero: Value, infinite: Value) -> Value {
        let (is_zero, is_inf, negative) = (self.is_zero(x), self.is_inf(x), self.is_negative(x));
        let nan = self.c(self.f.default_nan());
        let out = self.b.select(is_inf, infinite, number);
        let out = self.b.select(negative, nan, out);
        let out = self.b.select(is_zero, zero, out);
        self.or_first_nan(out, &[x])
    }

    /// sqrt(x), digit by digit.
    pub fn sqrt(&mut self, x: Value) -> Value {
        self.approximate();
        let x = self.input(x);
        let parts = self.unpack(x);
        let (sig, exp) = self.even(&parts);
        // The radicand has an even number of bits, two more than the leading one may need.
        let pairs = (self.f.frac_bits + 3) / 2;
        let more = self.f.frac_bits + 3 - pairs;
        let (zero, one, three) = (
            self.word(Kind::I64, 0),
            self.word(Kind::I64, 1),
            self.word(Kind::I64, 3),
        );
        let (mut root, mut rest) = (zero, zero);
        for step in 0..pairs + more {
            rest = self.b.shl_by(rest, 2);
            if step < pairs {
                let next = self.b.shr_by(sig, 2 * (pairs - 1 - step));
                let next = self.b.and(next, three);
                rest = self.b.or(rest, next);
            }
            let trial = self.b.shl_by(root, 2);
            let trial = self.b.or(trial, one);
            let fits = self.b.ule(trial, rest);
            let less = self.b.sub(rest, trial);
            rest = self.b.select(fits, less, rest);
            let bit = self.b.select(fits, one, zero);
            root = self.b.shl_by(root, 1);
            root = self.b.or(root, bit);
        }
        let some = self.b.ne(rest, zero);
        let sticky = self.flag(some, Kind::I64);
        let root = self.b.shl_by(root, 1);
        let root = self.b.or(root, sticky);
        let half = self.b.sar_by(exp, 1);
        let exp = self.i(-(more as i32) - 1);
        let exp = self.b.add(half, exp);
        let plus = self.c(0);
        let number = self.pack_scaled(plus, root, exp);
        let (sign, inf) = (self.sign(x), self.c(self.f.infinity()));
        self.root_specials(x, number, sign, inf)
    }

    /// 1 / sqrt(x): f16 and f32 digit by digit (the rest of 4^i - root^2 * sig stays below 64 bits), f64 by
    /// an approximation that is put right.
    pub fn rsq(&mut self, x: Value) -> Value {
        self.approximate();
        let x = self.input(x);
        let parts = self.unpack(x);
        let (sig, exp) = self.even(&parts);
        let (root, places) = if self.f.ty == FTy::F64 {
            (self.rsq_near(sig), 80)
        } else {
            self.rsq_digits(sig)
        };
        let half = self.b.sar_by(exp, 1);
        let from = self.i(-places - 1);
        let exp = self.b.sub(from, half);
        let plus = self.c(0);
        let number = self.pack_scaled(plus, root, exp);
        let sign = self.sign(x);
        let pole = self.pole(sign);
        self.root_specials(x, number, pole, plus)
    }

    /// 2^places / sqrt(sig) as an I64, doubled, with a sticky bit below; and places.
    fn rsq_digits(&mut self, sig: Value) -> (Value, i32) {
        // 4^skip is less than sig, so the first digits are zeros.
        let skip = (self.f.frac_bits - 1) / 2;
        let digits = self.f.frac_bits + 4;
        let (zero, one) = (self.word(Kind::I64, 0), self.word(Kind::I64, 1));
        let mut root = zero;
        let mut rest = self.word(Kind::I64, 1 << (2 * skip));
        for _ in 0..digits {
            rest = self.b.shl_by(rest, 2);
            let trial = self.b.shl_by(root, 2);
            let trial = self.b.or(trial, one);
            let trial = self.b.mul(trial, sig);
            let fits = self.b.ule(trial, rest);
            let less = self.b.sub(rest, trial);
            rest = self.b.select(fits, less, rest);
            let bit = self.b.select(fits, one, zero);
            root = self.b.shl_by(root, 1);
            root = self.b.or(root, bit);
        }
        let some = self.b.ne(rest, zero);
        let sticky = self.flag(some, Kind::I64);
        let root = self.b.shl_by(root, 1);
        (self.b.or(root, sticky), (skip + digits) as i32)
    }

    /// 2^80 / sqrt(sig) of an I64 from 2^52 to below 2^54, as an I64, doubled, with a sticky bit below.
    ///
    /// With D = sig / 2^54 and y = 1 / sqrt(D): four steps of Newton's from a line give y to 27 bits, the
    /// exact error of that to the second order gives it to 2 units of 2^-56; that is cut to 2^-53, of which
    /// one may be too much, and the exact rest tells.
    fn rsq_near(&mut self, sig: Value) -> Value {
        let d = self.b.shr_by(sig, 22);
        let d = self.b.lo(d);
        // 2.1 - 1.2 D is off by a tenth at most. y in units of 2^-30.
        let (from, slope) = (self.b.const32(0x8666_6666), self.b.const32(0x4ccc_cccc));
        let down = self.b.mul_hi_u(slope, d);
        let mut y = self.b.sub(from, down);
        let three = self.i(3 << 28);
        for _ in 0..4 {
            // y (3 - D y^2) / 2.
            let square = self.b.mul_hi_u(y, y);
            let square = self.b.mul_hi_u(square, d);
            let factor = self.b.sub(three, square);
            let factor = self.b.shl_by(factor, 2);
            let next = self.b.mul_hi_u(y, factor);
            y = self.b.shl_by(next, 1);
        }
        // The error 1 - D y^2 in units of 2^-114, exactly, cut to 2^-56.
        let square = self.mul32(y, y);
        let (hi, lo) = self.mul_wide(square, sig);
        let zero = self.word(Kind::I64, 0);
        let borrow = self.b.ne(lo, zero);
        let borrow = self.flag(borrow, Kind::I64);
        let lo = self.b.sub(zero, lo);
        let one = self.word(Kind::I64, 1 << 50);
        let hi = self.b.sub(one, hi);
        let hi = self.b.sub(hi, borrow);
        let (hi, lo) = (self.b.shl_by(hi, 6), self.b.shr_by(lo, 58));
        let error = self.b.or(hi, lo);
        let error = self.b.lo(error);
        // y (1 + e / 2 + 3 e^2 / 8).
        let none = self.i(0);
        let below = self.b.slt(error, none);
        let minus = self.b.sub(none, error);
        let magnitude = self.b.select(below, minus, error);
        let second = self.b.mul_hi_u(magnitude, magnitude);
        let factor = self.i(3);
        let second = self.b.mul(second, factor);
        let second = self.b.shr_by(second, 26);
        let error = self.b.add(error, second);
        let half = self.b.shr_by(y, 1);
        let (lo, hi) = (self.b.mul(half, error), self.b.mul_hi_s(half, error));
        let delta = self.b.pack(lo, hi);
        let delta = self.b.sar_by(delta, 30);
        let near = self.b.zext(y);
        let near = self.b.shl_by(near, 26);
        let near = self.b.add(near, delta);
        let four = self.word(Kind::I64, 4);
        let near = self.b.add(near, four);
        let root = self.b.shr_by(near, 3);
        // The rest 2^160 - root^2 * sig, of which 128 bits tell the sign.
        let (square_hi, square_lo) = self.mul_wide(root, root);
        let (hi, lo) = self.mul_wide(square_lo, sig);
        let upper = self.b.mul(square_hi, sig);
        let hi = self.b.add(hi, upper);
        let any = self.b.or(hi, lo);
        let exact = self.b.eq(any, zero);
        let sign = self.b.slt(hi, zero);
        let above = self.b.or(sign, exact);
        // Minus the rest is positive where the root is too large.
        let over = self.b.not(above);
        let over = self.flag(over, Kind::I64);
        let root = self.b.sub(root, over);
        let some = self.b.not(exact);
        let sticky = self.flag(some, Kind::I64);
        let root = self.b.shl_by(root, 1);
        self.b.or(root, sticky)
    }

    /// 2^x. f16 and f32.
    pub fn exp2(&mut self, x: Value) -> Option<Value> {
        if self.f.ty == FTy::F64 {
            return None;
        }
        self.approximate();
        let x = self.input(x);
        let parts = self.unpack(x);
        let e = self.unbiased(&parts);
        let negative = self.is_negative(x);
        // The magnitude in units of 2^-32; e is limited so that no shift leaves the word.
        let (least, most) = (self.i(-25), self.i(17));
        let near = self.b.smax(e, least);
        let near = self.b.smin(near, most);
        // High up first, then down by what is too much: bits that fall out decide a rounding down.
        let wide = self.b.zext(parts.sig);
        let wide = self.b.shl_by(wide, 31);
        let down = self.i(31 - 32 + self.f.frac_bits as i32);
        let down = self.b.sub(down, near);
        // The count is negative for a large f16.
        let zero32 = self.i(0);
        let up = self.b.sub(zero32, down);
        let up = self.b.smax(up, zero32);
        let down = self.b.smax(down, zero32);
        let moved = self.b.shr_u(wide, down);
        let back = self.b.shl(moved, down);
        let lost = self.b.ne(back, wide);
        let moved = self.b.shl(moved, up);
        let lost = self.b.and(lost, negative);
        let lost = self.flag(lost, Kind::I64);
        let magnitude = self.b.add(moved, lost);
        let zero64 = self.word(Kind::I64, 0);
        let minus = self.b.sub(zero64, magnitude);
        let fixed = self.b.select(negative, minus, magnitude);
        let (n, fraction) = (self.b.hi(fixed), self.b.lo(fixed));
        let mut p = self.i(0);
        for (i, &c) in EXP.iter().rev().enumerate() {
            let c = self.b.const32(c);
            p = if i == 0 {
                c
            } else {
                let high = self.b.mul_hi_u(p, fraction);
                self.b.add(high, c)
            };
        }
        let (lo, hi) = (self.b.mul(p, fraction), self.b.mul_hi_u(p, fraction));
        let product = self.b.pack(lo, hi);
        let product = self.b.shr_by(product, 1);
        let top = self.word(Kind::I64, 1 << 63);
        let significand = self.b.or(top, product);
        let one32 = self.i(1);
        let significand = self.shr_sticky(significand, one32);
        let sig = self.narrow_word(significand);
        let bias = self.i(self.f.bias() as i32);
        let exp = self.b.add(n, bias);
        let plus = self.c(0);
        let number = self.round_pack(plus, exp, sig);
        let (one, inf) = (self.c(self.f.one()), self.c(self.f.infinity()));
        let limit = self.i(16);
        let far = self.b.slt(limit, e);
        let ends = self.b.select(negative, plus, inf);
        let out = self.b.select(far, ends, number);
        let out = if self.f.ty == FTy::F32 {
            let limit = self.i(-24);
            let tiny = self.b.slt(e, limit);
            self.b.select(tiny, one, out)
        } else {
            out
        };
        let (is_zero, is_inf) = (self.is_zero(x), self.is_inf(x));
        let out = self.b.select(is_zero, one, out);
        let out = self.b.select(is_inf, ends, out);
        Some(self.or_first_nan(out, &[x]))
    }

    /// log2(x). f16 and f32.
    pub fn log2(&mut self, x: Value) -> Option<Value> {
        if self.f.ty == FTy::F64 {
            return None;
        }
        self.approximate();
        let x = self.input(x);
        let parts = self.unpack(x);
        let top = self.unbiased(&parts);
        let m = self.b.shl_by(parts.sig, 23 - self.f.frac_bits);
        let bound = self.b.const32(SQRT_2);
        let high = self.b.ult(bound, m);
        let (whole, unit) = (self.i(1 << 24), self.i(1 << 23));
        let from_two = self.b.sub(m, whole);
        let from_one = self.b.sub(m, unit);
        let from_one = self.b.shl_by(from_one, 1);
        let z = self.b.select(high, from_two, from_one);
        let one = self.i(1);
        let next = self.b.add(top, one);
        let e = self.b.select(high, next, top);
        let z = self.b.sext(z);
        let mut p = self.word(Kind::I64, 0);
        for (i, &c) in LOG.iter().rev().enumerate() {
            let c = self.b.const64(c as u64);
            p = if i == 0 {
                c
            } else {
                let product = self.b.mul(p, z);
                let product = self.b.sar_by(product, 24);
                self.b.add(product, c)
            };
        }
        let log = self.b.mul(p, z);
        let below = self.b.sar_by(log, 8);
        let wide = self.b.sext(e);
        let wide = self.b.shl_by(wide, 52);
        let sum = self.b.add(wide, below);
        let zero32 = self.i(0);
        let near = self.b.eq(e, zero32);
        let value = self.b.select(near, log, sum);
        let (near_exp, far_exp) = (self.i(-60), self.i(-52));
        let exp = self.b.select(near, near_exp, far_exp);
        let zero64 = self.word(Kind::I64, 0);
        let below_zero = self.b.slt(value, zero64);
        let minus = self.b.sub(zero64, value);
        let magnitude = self.b.select(below_zero, minus, value);
        let (plus, sign) = (self.c(0), self.c(self.f.sign()));
        let sign = self.b.select(below_zero, sign, plus);
        let number = self.pack_scaled(sign, magnitude, exp);
        let nothing = self.b.eq(value, zero64);
        let number = self.b.select(nothing, plus, number);
        let pole = self.c(self.f.sign() | self.f.infinity());
        let inf = self.c(self.f.infinity());
        Some(self.root_specials(x, number, pole, inf))
    }

    /// c0 - y * (c1 - y * …), y in units of 2^-31.
    fn alternating(&mut self, coefficients: &[u32; 5], y: Value) -> Value {
        let mut p = self.i(0);
        for (i, &c) in coefficients.iter().rev().enumerate() {
            let c = self.b.const32(c);
            p = if i == 0 {
                c
            } else {
                let product = self.times31(p, y);
                self.b.sub(c, product)
            };
        }
        p
    }

    /// (x * y) >> 31 of two I32, the low 32 bits.
    fn times31(&mut self, x: Value, y: Value) -> Value {
        let (lo, hi) = (self.b.mul(x, y), self.b.mul_hi_u(x, y));
        let wide = self.b.pack(lo, hi);
        let wide = self.b.shr_by(wide, 31);
        self.b.lo(wide)
    }

    /// The sine, or cosine, of x turns. f16 and f32.
    pub fn circle(&mut self, x: Value, cosine: bool) -> Option<Value> {
        if self.f.ty == FTy::F64 {
            return None;
        }
        self.mode.round = Round::NearestEven;
        let x = self.input(x);
        let frac_bits = self.f.frac_bits as i32;
        let (field, frac) = (self.exp_field(x), self.frac(x));
        let (zero, one) = (self.i(0), self.i(1));
        let normal = self.b.ne(field, zero);
        let hidden = self.flag(normal, Kind::I32);
        let hidden = self.b.shl_by(hidden, self.f.frac_bits);
        let sig = self.b.or(frac, hidden);
        let field = self.b.smax(field, one);
        // |x| = sig * 2^-places.
        let from = self.i(self.f.bias() as i32 + frac_bits);
        let places = self.b.sub(from, field);
        let (last, limit) = (self.i(31), self.i(30));
        let count = self.b.smax(places, zero);
        let count = self.b.smin(count, last);
        let unit = self.b.shl(one, count);
        let mask = self.b.sub(unit, one);
        let masked = self.b.and(sig, mask);
        let whole = self.b.sle(places, zero);
        let fraction = self.b.select(whole, zero, masked);
        let places = self.b.smax(places, one);
        let quarters = self.b.shl_by(fraction, 2);
        let deep = self.b.slt(limit, places);
        let near = self.b.smin(places, limit);
        let half = self.b.sub(near, one);
        let half = self.b.shl(one, half);
        let rounded = self.b.add(quarters, half);
        let quadrant = self.b.shr_u(rounded, near);
        let quadrant = self.b.select(deep, zero, quadrant);
        let taken = self.b.shl(quadrant, near);
        let rest = self.b.sub(quarters, taken);
        let below = self.b.slt(rest, zero);
        let minus = self.b.sub(zero, rest);
        let magnitude = self.b.select(below, minus, rest);
        // t in units of 2^-31.
        let width = self.i(32);
        let up = self.b.sub(width, places);
        let left = self.b.slt(up, zero);
        let down = self.b.sub(places, width);
        let down = self.b.smin(down, last);
        let lower = self.b.shr_u(magnitude, down);
        let higher = self.b.shl(magnitude, up);
        let t = self.b.select(left, lower, higher);
        let y = self.times31(t, t);
        let negative = self.is_negative(x);
        let low = self.b.and32(quadrant, 1);
        let odd = if cosine {
            self.b.ne(low, zero)
        } else {
            self.b.eq(low, zero)
        };
        let quarter = self.b.and32(quadrant, 3);
        let flip = if cosine {
            let shifted = self.b.sub(quarter, one);
            let two = self.i(2);
            self.b.ult(shifted, two)
        } else {
            let upper = self.b.ult(one, quarter);
            self.b.xor(upper, negative)
        };
        let (plus, sign_bit) = (self.c(0), self.c(self.f.sign()));
        let series = self.alternating(&SIN, y);
        let (lo, hi) = (
            self.b.mul(magnitude, series),
            self.b.mul_hi_u(magnitude, series),
        );
        let product = self.b.pack(lo, hi);
        let base = self.i(1 - 32);
        let sine_exp = self.b.sub(base, places);
        let sine_flip = self.b.xor(flip, below);
        let series = self.alternating(&COS, y);
        let share = self.times31(series, y);
        let share = self.b.zext(share);
        let full = self.word(Kind::I64, 1 << 32);
        let value = self.b.sub(full, share);
        let cosine_exp = self.i(-32);
        let word = self.b.select(odd, product, value);
        let exp = self.b.select(odd, sine_exp, cosine_exp);
        let turned = self.b.select(odd, sine_flip, flip);
        let sign = self.b.select(turned, sign_bit, plus);
        let number = self.pack_scaled(sign, word, exp);
        let nothing = self.b.eq(rest, zero);
        let nothing = self.b.and(nothing, odd);
        let out = self.b.select(nothing, plus, number);
        let (is_zero, is_inf) = (self.is_zero(x), self.is_inf(x));
        let at_zero = if cosine {
            self.c(self.f.one())
        } else {
            self.sign(x)
        };
        let out = self.b.select(is_zero, at_zero, out);
        let nan = self.c(self.f.default_nan());
        let out = self.b.select(is_inf, nan, out);
        Some(self.or_first_nan(out, &[x]))
    }
}

//! Operations that pick, classify or take apart, and roundings to integral values: exact by integers on
//! any host, in every kind.

use super::format::Fp;
use crate::ir::Value;

/// A direction of rounding to an integral value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integral {
    Trunc,
    Ceil,
    Floor,
    Even,
}

impl Fp<'_, '_> {
    /// The order of numbers, -0 below +0, as a signed word of the format's kind.
    fn order(&mut self, x: Value) -> Value {
        let (sign, abs) = (self.is_negative(x), self.abs(x));
        let mirrored = self.b.not(abs);
        self.b.select(sign, mirrored, abs)
    }

    /// Minimum or maximum.
    pub fn min_max(&mut self, x: Value, y: Value, max: bool) -> Value {
        let (x, y) = (self.input(x), self.input(y));
        let (ox, oy) = (self.order(x), self.order(y));
        let first = if max {
            self.b.sle(oy, ox)
        } else {
            self.b.slt(ox, oy)
        };
        let out = self.b.select(first, x, y);
        let out = self.picked(out);
        let (nx, ny) = (self.is_nan(x), self.is_nan(y));
        let (fx, fy) = (self.picked(x), self.picked(y));
        let out = self.b.select(nx, fy, out);
        let mut out = self.b.select(ny, fx, out);
        if self.mode.ieee {
            let (sx, sy) = (self.is_signalling(x), self.is_signalling(y));
            let (qx, qy) = (self.quiet(x), self.quiet(y));
            out = self.b.select(sy, qy, out);
            out = self.b.select(sx, qx, out);
        }
        out
    }

    /// The middle one of three; with a NaN among them the minimum.
    pub fn med3(&mut self, x: Value, y: Value, z: Value) -> Value {
        let (x, y, z) = (self.input(x), self.input(y), self.input(z));
        let (ox, oy, oz) = (self.order(x), self.order(y), self.order(z));
        let xy = self.b.slt(ox, oy);
        let (lo, hi) = (self.b.select(xy, x, y), self.b.select(xy, y, x));
        let (olo, ohi) = (self.order(lo), self.order(hi));
        let below = self.b.slt(oz, olo);
        let above = self.b.slt(ohi, oz);
        let middle = self.b.select(above, hi, z);
        let middle = self.b.select(below, lo, middle);
        let middle = self.picked(middle);
        let least = self.min_max(x, y, false);
        let least = self.min_max(least, z, false);
        let (nx, ny, nz) = (self.is_nan(x), self.is_nan(y), self.is_nan(z));
        let nan = self.b.or(nx, ny);
        let nan = self.b.or(nan, nz);
        self.b.select(nan, least, middle)
    }

    /// x < y (or x <= y), false with a NaN; -0 equals +0.
    pub fn less(&mut self, x: Value, y: Value, or_equal: bool) -> Value {
        let (x, y) = (self.input(x), self.input(y));
        let (vx, vy) = (self.value(x), self.value(y));
        let less = if or_equal {
            self.b.sle(vx, vy)
        } else {
            self.b.slt(vx, vy)
        };
        let ordered = self.ordered(x, y);
        self.b.and(less, ordered)
    }

    /// x == y, false with a NaN; -0 equals +0.
    pub fn equal(&mut self, x: Value, y: Value) -> Value {
        let (x, y) = (self.input(x), self.input(y));
        let (vx, vy) = (self.value(x), self.value(y));
        let equal = self.b.eq(vx, vy);
        let ordered = self.ordered(x, y);
        self.b.and(equal, ordered)
    }

    /// Whether an operand is a NaN.
    pub fn unordered(&mut self, x: Value, y: Value) -> Value {
        let (x, y) = (self.operand(x), self.operand(y));
        let ordered = self.ordered(x, y);
        self.b.not(ordered)
    }

    fn ordered(&mut self, x: Value, y: Value) -> Value {
        let (nx, ny) = (self.is_nan(x), self.is_nan(y));
        let either = self.b.or(nx, ny);
        self.b.not(either)
    }

    /// A number's place on the line of numbers: both zeros are 0.
    fn value(&mut self, x: Value) -> Value {
        let (sign, abs) = (self.is_negative(x), self.abs(x));
        let zero = self.c(0);
        let minus = self.b.sub(zero, abs);
        self.b.select(sign, minus, abs)
    }

    /// The class test: ten bits in the I32 `mask`. Subnormals are told apart whatever the mode.
    pub fn class(&mut self, x: Value, mask: Value) -> Value {
        let x = self.operand(x);
        let (nan, inf, zero) = (self.is_nan(x), self.is_inf(x), self.is_zero(x));
        let (exp, signalling, negative) = (
            self.exp_field(x),
            self.is_signalling(x),
            self.is_negative(x),
        );
        let small = self.b.eq32(exp, 0);
        // How far from the middle of the ten: infinity 3, normal 2, subnormal 1, zero 0.
        let [three, two, one, none] = [3, 2, 1, 0].map(|n| self.i(n));
        let rank = self.b.select(small, one, two);
        let rank = self.b.select(zero, none, rank);
        let rank = self.b.select(inf, three, rank);
        let (five, six) = (self.i(5), self.i(6));
        let (down, up) = (self.b.sub(five, rank), self.b.add(six, rank));
        let bit = self.b.select(negative, down, up);
        let quiet = self.b.select(signalling, none, one);
        let bit = self.b.select(nan, quiet, bit);
        let picked = self.b.shr_u(mask, bit);
        let picked = self.b.and32(picked, 1);
        self.b.ne(picked, none)
    }

    /// To an integral value; a zero result keeps the operand's sign.
    pub fn integral(&mut self, x: Value, how: Integral) -> Value {
        let x = self.input(x);
        let (bias, frac_bits) = (self.f.bias() as i32, self.f.frac_bits as i32);
        let exp = self.exp_field(x);
        let last = self.i(bias + frac_bits);
        let by = self.b.sub(last, exp);
        // From 1 on: 1 to frac_bits fraction bits stand in the word. Others are handled apart.
        let (one, most) = (self.i(1), self.i(frac_bits));
        let by = self.b.smax(by, one);
        let by = self.b.smin(by, most);
        let unit = self.c(1);
        let unit = self.b.shl(unit, by);
        let one_word = self.c(1);
        let mask = self.b.sub(unit, one_word);
        let zero = self.c(0);
        let sign = self.sign(x);
        let negative = self.b.ne(sign, zero);
        let step = match how {
            Integral::Trunc => zero,
            Integral::Ceil => self.b.select(negative, zero, mask),
            Integral::Floor => self.b.select(negative, mask, zero),
            Integral::Even => {
                let half = self.b.shr_by(unit, 1);
                let half = self.b.sub(half, one_word);
                let down = self.b.shr_u(x, by);
                let odd = self.b.and(down, one_word);
                self.b.add(half, odd)
            }
        };
        // A carry runs into the exponent, as it should.
        let up = self.b.add(x, step);
        let keep = self.b.not(mask);
        let inside = self.b.and(up, keep);
        // Below 1: 0 or 1 with the sign.
        let abs = self.abs(x);
        let one_bits = self.c(self.f.one());
        let some = self.b.ne(abs, zero);
        let reaches = match how {
            Integral::Trunc => self.b.const_bool(false),
            Integral::Ceil => {
                let positive = self.b.not(negative);
                self.b.and(some, positive)
            }
            Integral::Floor => self.b.and(some, negative),
            Integral::Even => {
                let half = self.c(self.f.one() - self.f.hidden());
                self.b.ult(half, abs)
            }
        };
        let magnitude = self.b.select(reaches, one_bits, zero);
        let below_one = self.b.or(magnitude, sign);
        let is_below = self.b.ult(abs, one_bits);
        let out = self.b.select(is_below, below_one, inside);
        let whole = self.b.sle(last, exp);
        let out = self.b.select(whole, x, out);
        self.or_first_nan(out, &[x])
    }

    /// x - floor(x), at most the largest number below 1; the default NaN for an infinity.
    pub fn fract(&mut self, x: Value) -> Value {
        let x = self.input(x);
        let floor = self.integral(x, Integral::Floor);
        let flip = self.c(self.f.sign());
        let minus = self.b.xor(floor, flip);
        let rest = self.add(x, minus);
        // The rest is not negative; where it is zero it is +0.
        let rest = self.abs(rest);
        let most = self.c(self.f.one() - 1);
        let over = self.b.ult(most, rest);
        let rest = self.b.select(over, most, rest);
        let (inf, nan) = (self.is_inf(x), self.c(self.f.default_nan()));
        let out = self.b.select(inf, nan, rest);
        self.or_first_nan(out, &[x])
    }

    /// The number scaled into 0.5 to 1; zeros, infinities and NaNs stay.
    pub fn frexp_mant(&mut self, x: Value) -> Value {
        let x = self.input(x);
        let (parts, sign) = (self.unpack(x), self.sign(x));
        let frac = self.frac(parts.sig);
        let half = self.c(self.f.one() - self.f.hidden());
        let out = self.b.or(frac, half);
        let out = self.b.or(out, sign);
        let same = self.is_special(x);
        let out = self.b.select(same, x, out);
        self.or_first_nan(out, &[x])
    }

    /// The exponent that goes with it, as an I32; 0 for zeros, infinities and NaNs.
    pub fn frexp_exp(&mut self, x: Value) -> Value {
        let x = self.input(x);
        let parts = self.unpack(x);
        let minus = self.i(1 - self.f.bias() as i32);
        let exp = self.b.add(parts.exp, minus);
        let (same, zero) = (self.is_special(x), self.i(0));
        self.b.select(same, zero, exp)
    }

    /// Zero, infinity or NaN.
    fn is_special(&mut self, x: Value) -> Value {
        let (zero, abs, inf) = (self.is_zero(x), self.abs(x), self.c(self.f.infinity()));
        let high = self.b.ule(inf, abs);
        self.b.or(zero, high)
    }

    /// Clamp to [0, 1]; a NaN becomes +0 or stays as it is.
    pub fn clamp(&mut self, x: Value, dx10: bool) -> Value {
        let x = self.operand(x);
        let (negative, zero, one) = (self.is_negative(x), self.c(0), self.c(self.f.one()));
        let over = self.b.ult(one, x);
        let out = self.b.select(over, one, x);
        let out = self.b.select(negative, zero, out);
        let nan = self.is_nan(x);
        let kept = if dx10 { zero } else { x };
        self.b.select(nan, kept, out)
    }
}

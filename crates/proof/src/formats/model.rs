//! What a component of a buffer format means, by definition: exact rationals, and the lists of numbers that
//! floats can hold. Shares nothing with the reference or the translator; of the isa crate it takes the names
//! of number types alone.
//!
//! The rules are those that were measured on RDNA2 (`docs/isa-errata.md`):
//! - a load gives the exact value, to nearest even where it does not fit; a half that would overflow is the
//!   largest finite one; a 32-bit float becomes a half by truncation; integers saturate;
//! - a store rounds normalised values to nearest even and truncates floats; `USCALED` and `SSCALED` are stored
//!   like `UNORM` and `SNORM`; integers saturate; NaN is 0 in a normalised format;
//! - a NaN of a float format keeps the top of its payload, at least 1.

use std::cmp::Ordering;

use num_bigint::BigInt;
use spirdna_isa::format::NumberType as N;

/// A rational; the denominator is positive, nothing is reduced.
#[derive(Clone, Debug)]
struct Exact {
    n: BigInt,
    d: BigInt,
}

impl Exact {
    fn int(n: i64) -> Exact {
        Exact::ratio(n, 1)
    }

    fn ratio(n: i64, d: i64) -> Exact {
        Exact {
            n: n.into(),
            d: d.into(),
        }
    }

    /// n * 2^e.
    fn scaled(n: u64, e: i32) -> Exact {
        let (n, one) = (BigInt::from(n), BigInt::from(1));
        let by = e.unsigned_abs();
        if e < 0 {
            Exact { n, d: one << by }
        } else {
            Exact { n: n << by, d: one }
        }
    }

    fn cmp(&self, other: &Exact) -> Ordering {
        (&self.n * &other.d).cmp(&(&other.n * &self.d))
    }

    fn plus(&self, other: &Exact) -> Exact {
        Exact {
            n: &self.n * &other.d + &other.n * &self.d,
            d: &self.d * &other.d,
        }
    }

    fn times(&self, by: i64) -> Exact {
        Exact {
            n: &self.n * by,
            d: self.d.clone(),
        }
    }

    /// The nearest integer, of two the even one; for numbers that are not negative.
    fn rounded(&self) -> BigInt {
        let floor = &self.n / &self.d;
        let middle = Exact {
            n: &floor * 2 + 1,
            d: BigInt::from(2),
        };
        let up = match self.cmp(&middle) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => floor.bit(0),
        };
        if up { floor + 1 } else { floor }
    }
}

/// A float type.
#[derive(Clone, Copy)]
struct Shape {
    mantissa: u32,
    exponent: u32,
    signed: bool,
}

const F32: Shape = Shape {
    mantissa: 23,
    exponent: 8,
    signed: true,
};
const HALF: Shape = Shape {
    mantissa: 10,
    exponent: 5,
    signed: true,
};

/// What the bits of a float are.
enum Real {
    /// The payload's highest bit is bit 22.
    Nan {
        negative: bool,
        payload: u32,
    },
    Infinity {
        negative: bool,
    },
    /// A magnitude.
    Number {
        negative: bool,
        value: Exact,
    },
}

impl Shape {
    /// Of a float component.
    fn of(width: u8) -> Shape {
        let small = |mantissa| Shape {
            mantissa,
            exponent: 5,
            signed: false,
        };
        match width {
            10 => small(5),
            11 => small(6),
            16 => HALF,
            _ => F32,
        }
    }

    fn infinity(self) -> u32 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    fn sign(self, negative: bool) -> u32 {
        u32::from(negative && self.signed) << (self.mantissa + self.exponent)
    }

    /// What finite bits without a sign are worth.
    fn value(self, bits: u32) -> Exact {
        let bias = (1 << (self.exponent - 1)) - 1;
        let e = (bits >> self.mantissa) as i32;
        let m = bits & ((1 << self.mantissa) - 1);
        let hidden = if e == 0 { 0 } else { 1 << self.mantissa };
        let e = e.max(1) - bias - self.mantissa as i32;
        Exact::scaled(u64::from(m | hidden), e)
    }

    fn read(self, bits: u32) -> Real {
        let negative = self.signed && bits >> (self.mantissa + self.exponent) & 1 == 1;
        let magnitude = bits & ((1 << (self.mantissa + self.exponent)) - 1);
        match magnitude.cmp(&self.infinity()) {
            Ordering::Less => Real::Number {
                negative,
                value: self.value(magnitude),
            },
            Ordering::Equal => Real::Infinity { negative },
            Ordering::Greater => Real::Nan {
                negative,
                payload: (magnitude - self.infinity()) << (23 - self.mantissa),
            },
        }
    }

    /// The largest finite bits that are not worth more: bits are ordered like what they are worth.
    fn below(self, v: &Exact) -> u32 {
        let (mut low, mut high) = (0, self.infinity());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.value(middle).cmp(v) == Ordering::Greater {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    }

    /// The nearest finite bits, of two the even ones.
    fn nearest(self, v: &Exact) -> u32 {
        let low = self.below(v);
        if low + 1 == self.infinity() {
            return low;
        }
        let both = self.value(low).plus(&self.value(low + 1));
        match v.times(2).cmp(&both) {
            Ordering::Less => low,
            Ordering::Greater => low + 1,
            Ordering::Equal => low + (low & 1),
        }
    }

    /// A float cut to this type.
    fn cut(self, real: &Real) -> u32 {
        match *real {
            Real::Nan { negative, payload } => {
                let payload = (payload >> (23 - self.mantissa)).max(1);
                self.sign(negative) | self.infinity() | payload
            }
            Real::Infinity { negative: true } | Real::Number { negative: true, .. }
                if !self.signed =>
            {
                0
            }
            Real::Infinity { negative } => self.sign(negative) | self.infinity(),
            Real::Number {
                negative,
                ref value,
            } => self.sign(negative) | self.below(value),
        }
    }
}

/// The largest value of a component.
fn largest(number: N, width: u8) -> i64 {
    match number {
        N::Snorm | N::Sscaled | N::Sint => (1 << (width - 1)) - 1,
        N::Unorm | N::Uscaled | N::Uint | N::Float => (1 << width) - 1,
    }
}

/// The bits as two's complement.
fn signed(width: u8, bits: u32) -> i64 {
    let v = i64::from(bits);
    if v >= 1 << (width - 1) {
        v - (1 << width)
    } else {
        v
    }
}

/// Sign and magnitude of a normalised or scaled component.
fn number(number: N, width: u8, bits: u32) -> (bool, Exact) {
    let most = largest(number, width);
    match number {
        N::Unorm => (false, Exact::ratio(bits.into(), most)),
        N::Snorm => {
            let v = signed(width, bits).max(-most);
            (v < 0, Exact::ratio(v.abs(), most))
        }
        N::Sscaled => {
            let v = signed(width, bits);
            (v < 0, Exact::int(v.abs()))
        }
        N::Uscaled | N::Uint | N::Sint | N::Float => (false, Exact::int(bits.into())),
    }
}

/// What a component loads as: the bits of an f32, or an integer. `bits` has `width` bits.
pub fn load(kind: N, width: u8, bits: u32) -> u32 {
    match kind {
        N::Uint => bits,
        N::Sint => signed(width, bits) as u32,
        N::Float => F32.cut(&Shape::of(width).read(bits)),
        N::Unorm | N::Snorm | N::Uscaled | N::Sscaled => {
            let (negative, value) = number(kind, width, bits);
            F32.sign(negative) | F32.nearest(&value)
        }
    }
}

/// What a component loads as in 16 bits.
pub fn load_half(kind: N, width: u8, bits: u32) -> u32 {
    match kind {
        N::Uint => bits.min(0xffff),
        N::Sint => signed(width, bits).clamp(-0x8000, 0x7fff) as u32 & 0xffff,
        N::Float => HALF.cut(&Shape::of(width).read(bits)),
        N::Unorm | N::Snorm | N::Uscaled | N::Sscaled => {
            let (negative, value) = number(kind, width, bits);
            HALF.sign(negative) | HALF.nearest(&value)
        }
    }
}

/// The bits of a component that a 32-bit value stores.
pub fn store(kind: N, width: u8, value: u32) -> u32 {
    match kind {
        N::Uint => integer(kind, width, value.into()),
        N::Sint => integer(kind, width, i64::from(value as i32)),
        _ => store_real(kind, width, &F32.read(value)),
    }
}

/// The bits of a component that a 16-bit value stores.
pub fn store_half(kind: N, width: u8, value: u32) -> u32 {
    match kind {
        N::Uint => integer(kind, width, value.into()),
        N::Sint => integer(kind, width, signed(16, value)),
        _ => store_real(kind, width, &HALF.read(value)),
    }
}

fn integer(kind: N, width: u8, value: i64) -> u32 {
    let most = largest(kind, width);
    let least = if kind == N::Sint { -most - 1 } else { 0 };
    bits_of(width, value.clamp(least, most))
}

fn bits_of(width: u8, value: i64) -> u32 {
    (value & ((1 << width) - 1)) as u32
}

fn store_real(kind: N, width: u8, real: &Real) -> u32 {
    if kind == N::Float {
        return Shape::of(width).cut(real);
    }
    let has_sign = matches!(kind, N::Snorm | N::Sscaled);
    let (negative, magnitude) = match real {
        Real::Nan { .. } => (false, Exact::int(0)),
        Real::Infinity { negative } => (*negative, Exact::int(1)),
        Real::Number { negative, value } => (*negative, value.clone()),
    };
    if negative && !has_sign {
        return 0;
    }
    let most = largest(kind, width);
    let magnitude = match magnitude.cmp(&Exact::int(1)) {
        Ordering::Greater => Exact::int(1),
        Ordering::Less | Ordering::Equal => magnitude,
    };
    let steps = magnitude.times(most).rounded();
    // At most `most`, which fits.
    let steps = i64::try_from(steps).unwrap_or(most);
    bits_of(width, if negative { -steps } else { steps })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that were captured from hardware (the founding vectors), and ends of types.
    #[test]
    fn measured_values() {
        assert_eq!(load_half(N::Unorm, 16, 0xffaf), 0x3bfd);
        assert_eq!(load_half(N::Snorm, 16, 0xffaf), 0x9910);
        assert_eq!(load_half(N::Uscaled, 16, 0xffff), 0x7bff);
        assert_eq!(load_half(N::Float, 32, 0x7f80_0001), 0x7c01);
        assert_eq!(load_half(N::Float, 32, 0xffc1_2345), 0xfe09);
        assert_eq!(load_half(N::Float, 32, 0x477f_f000), 0x7bff);
        assert_eq!(load_half(N::Sint, 32, 0x8000_0000), 0x8000);
        assert_eq!(store(N::Unorm, 16, 0x3bc0_c0c1), 0x0182);
        assert_eq!(store(N::Float, 11, 0xffc1_2345), 0x7e0);
        assert_eq!(store(N::Float, 16, 0xbf80_a8ce), 0xbc05);
        assert_eq!(store(N::Snorm, 10, 0x3ecf_5c23), 0xcf);
        assert_eq!(store(N::Uscaled, 8, 0x3f80_0000), 0xff);
    }

    #[test]
    fn floats_are_read_as_the_host_reads_them() {
        for bits in [0u32, 1, 0x7f_ffff, 0x80_0000, 0x3f80_0001, 0x7f7f_ffff] {
            let v = F32.value(bits);
            assert_eq!(F32.below(&v), bits);
            assert_eq!(F32.nearest(&v), bits);
        }
        assert_eq!(load(N::Unorm, 8, 255), 1f32.to_bits());
        assert_eq!(load(N::Unorm, 8, 51), 0.2f32.to_bits());
        assert_eq!(load(N::Snorm, 8, 0x80), (-1f32).to_bits());
        assert_eq!(load(N::Sscaled, 16, 0x8000), (-32768f32).to_bits());
        assert_eq!(load(N::Float, 10, 0x1e0), 1f32.to_bits());
        assert_eq!(load(N::Float, 16, 1), 2f32.powi(-24).to_bits());
        assert_eq!(
            store_half(N::Float, 32, 0x8001),
            (-(2f32.powi(-24))).to_bits()
        );
    }
}

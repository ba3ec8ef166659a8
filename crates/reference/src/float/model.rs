//! A second, slower float for tests: exact rationals, rounded by searching the two neighbours among
//! all bit patterns. Shares no arithmetic with the code under test.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use spirdna_isa::launch::Round;

use super::Format;

/// 2^by.
pub fn power(by: i64) -> BigRational {
    let p = BigInt::one() << by.unsigned_abs();
    if by >= 0 {
        BigRational::from_integer(p)
    } else {
        BigRational::new(BigInt::one(), p)
    }
}

/// Significand and exponent of the magnitude of bits that are no NaN; infinity counts as the number
/// that would follow the largest.
fn parts(f: Format, bits: u64) -> (u64, i64) {
    let field = (bits >> f.frac_bits) & ((1 << f.exp_bits) - 1);
    let frac = bits & ((1 << f.frac_bits) - 1);
    let bias = (1i64 << (f.exp_bits - 1)) - 1;
    let (sig, exp) = if field == 0 {
        (frac, 1 - bias)
    } else {
        (frac + (1 << f.frac_bits), field as i64 - bias)
    };
    (sig, exp - i64::from(f.frac_bits))
}

/// The value of bits that are no NaN.
pub fn value(f: Format, bits: u64) -> BigRational {
    let (sig, exp) = parts(f, bits);
    let magnitude = BigRational::from_integer(BigInt::from(sig)) * power(exp);
    if bits >> (f.exp_bits + f.frac_bits) & 1 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// Whether the magnitude of bits is at most `v`, which is not negative.
fn at_most(f: Format, bits: u64, v: &BigRational) -> bool {
    let (sig, exp) = parts(f, bits);
    let product = v.denom() * BigInt::from(sig);
    let by = exp.unsigned_abs();
    if exp >= 0 {
        product << by <= *v.numer()
    } else {
        product <= v.numer() << by
    }
}

/// A number that is not zero, rounded to the format.
pub fn round(f: Format, v: &BigRational, mode: Round, flush: bool) -> u64 {
    let negative = v.is_negative();
    let sign = u64::from(negative) << (f.exp_bits + f.frac_bits);
    let magnitude = v.abs();
    let bias = (1i64 << (f.exp_bits - 1)) - 1;
    if flush && magnitude < power(1 - bias) {
        // With an unbounded exponent: where precision is that of normal numbers.
        let up = magnitude.denom().bits() as i64 - magnitude.numer().bits() as i64 + 1;
        let near_one = round(f, &(v * power(up)), mode, false);
        let rounded = value(f, near_one).abs() * power(-up);
        return if rounded < power(1 - bias) {
            sign
        } else {
            sign | 1 << f.frac_bits
        };
    }
    let infinity = ((1u64 << f.exp_bits) - 1) << f.frac_bits;
    let (mut low, mut high) = (0, infinity);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if at_most(f, middle, &magnitude) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if value(f, low) == magnitude {
        return sign | low;
    }
    let nearest = || {
        let (down, up) = (
            magnitude.clone() - value(f, low),
            value(f, high) - magnitude.clone(),
        );
        if down == up {
            low + (low & 1)
        } else if down < up {
            low
        } else {
            high
        }
    };
    let picked = match mode {
        Round::NearestEven => nearest(),
        Round::PlusInfinity => {
            if negative {
                low
            } else {
                high
            }
        }
        Round::MinusInfinity => {
            if negative {
                high
            } else {
                low
            }
        }
        Round::TowardZero => low,
    };
    sign | picked
}

/// Whether the rational is zero.
pub fn is_zero(v: &BigRational) -> bool {
    v.is_zero()
}

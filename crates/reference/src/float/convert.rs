//! Conversions: between formats, from and to integers and normalised integers.

use spirdna_isa::FloatTy;
use spirdna_isa::launch::Round;

use super::{Class, Exact, Format, Fpu};

/// The bounds of a signed 32-bit result.
pub const OVERFLOW_I32: (i128, i128) = (i32::MIN as i128, i32::MAX as i128);

/// A value limited to `bounds`, as bits.
pub fn saturate(value: i128, bounds: (i128, i128)) -> i128 {
    value.clamp(bounds.0, bounds.1)
}

impl Fpu {
    /// An integer in the format.
    pub fn from_integer(&self, value: i128) -> u64 {
        Exact::integer(value).map_or(0, |x| self.pack(x))
    }

    /// `value / 2^by` in the format.
    pub fn from_fixed(&self, value: i128, by: i32) -> u64 {
        Exact::integer(value).map_or(0, |x| self.pack(x.scaled(-by)))
    }

    /// The operand, a number of this format, in another one. Its subnormals follow this environment,
    /// rounding and the result's subnormals the other. Results of 16 bits quiet a NaN always.
    pub fn convert(&self, a: u64, to: &Fpu) -> u64 {
        match self.class(a) {
            Class::Nan => {
                let nan = move_nan(self.format, a, to.format);
                if to.format == Format::F16 && self.format != Format::F16 {
                    to.quiet(nan)
                } else {
                    // A payload that lost its bits must not turn into an infinity.
                    let quiet = self.ieee || !to.format.is_nan(nan);
                    if quiet { to.quiet(nan) } else { nan }
                }
            }
            Class::Infinite { negative } => to.format.signed(negative, to.format.infinity()),
            Class::Zero { negative } => to.format.zero(negative),
            Class::Finite(x) => to.pack(x),
        }
    }

    /// f32 to f16, toward zero: overflow gives the largest finite number, a NaN comes out quiet.
    pub fn to_half_toward_zero(&self, a: u64, half: &Fpu) -> u64 {
        self.convert(a, &half.rounding(Round::TowardZero))
    }

    /// To an integer in a direction, saturated to `bounds`; `nan` for a NaN.
    pub fn to_integer(&self, a: u64, round: Round, bounds: (i128, i128), nan: i128) -> i128 {
        match self.class(a) {
            Class::Nan => nan,
            Class::Infinite { negative } => {
                if negative {
                    bounds.0
                } else {
                    bounds.1
                }
            }
            Class::Zero { .. } => 0,
            Class::Finite(x) => saturate(x.to_integer(round), bounds),
        }
    }

    /// `floor(a)` or, with `half_up`, `floor(a + 0.5)` as an i32. A NaN saturates by its sign.
    pub fn to_floor_i32(&self, a: u64, half_up: bool) -> i128 {
        let nan = if self.format.is_negative(a) {
            OVERFLOW_I32.0
        } else {
            OVERFLOW_I32.1
        };
        let (a, halves) = match self.class(a) {
            Class::Finite(x) if half_up => {
                // floor(x + 1/2) = floor((2x + 1) / 2); beyond 2^40 the half is nothing.
                if x.top() > 40 {
                    (a, None)
                } else {
                    (a, Some(x.scaled(1)))
                }
            }
            Class::Finite(_) | Class::Nan | Class::Infinite { .. } | Class::Zero { .. } => {
                (a, None)
            }
        };
        match halves {
            None => self.to_integer(a, Round::MinusInfinity, OVERFLOW_I32, nan),
            Some(twice) => {
                let floor = twice.to_integer(Round::MinusInfinity);
                saturate((floor + 1).div_euclid(2), OVERFLOW_I32)
            }
        }
    }

    /// To a normalised integer: `a * scale`, exact, rounded to nearest even after the clamp to
    /// `low .. 1`; NaN gives 0.
    fn normalised(&self, a: u64, low: i128, scale: i128) -> i128 {
        let bounds = (low * scale, scale);
        match self.class(a) {
            Class::Nan | Class::Zero { .. } => 0,
            Class::Infinite { negative } => {
                if negative {
                    bounds.0
                } else {
                    bounds.1
                }
            }
            Class::Finite(x) => {
                let product = Exact::new(x.negative, x.significand * scale as u128, x.exp);
                saturate(product.to_integer(Round::NearestEven), bounds)
            }
        }
    }

    /// To signed 16 bits of which 32767 is 1.0.
    pub fn to_snorm16(&self, a: u64) -> u16 {
        self.normalised(a, -1, 0x7fff) as u16
    }

    /// To unsigned 16 bits of which 65535 is 1.0.
    pub fn to_unorm16(&self, a: u64) -> u16 {
        self.normalised(a, 0, 0xffff) as u16
    }

    /// To 0 .. 255, to nearest even.
    pub fn to_u8(&self, a: u64) -> u8 {
        self.to_integer(a, Round::NearestEven, (0, 255), 0) as u8
    }

    /// The type whose environment this is.
    pub fn ty(&self) -> FloatTy {
        if self.format == Format::F16 {
            FloatTy::F16
        } else if self.format == Format::F32 {
            FloatTy::F32
        } else {
            FloatTy::F64
        }
    }
}

/// A NaN's sign and the top of its payload in another format.
fn move_nan(from: Format, bits: u64, to: Format) -> u64 {
    let frac = bits & from.frac_mask();
    let frac = if to.frac_bits >= from.frac_bits {
        frac << (to.frac_bits - from.frac_bits)
    } else {
        frac >> (from.frac_bits - to.frac_bits)
    };
    to.signed(from.is_negative(bits), to.infinity() | frac)
}

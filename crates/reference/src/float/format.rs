//! Formats, the environment of an operation, and what a bit pattern is. Knows no arithmetic.

use spirdna_isa::FloatTy;
use spirdna_isa::launch::{Mode, Round};

use super::Exact;

/// An IEEE binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the exponent field.
    pub exp_bits: u32,
    /// Bits of the fraction field.
    pub frac_bits: u32,
}

impl Format {
    /// Half precision.
    pub const F16: Format = Format {
        exp_bits: 5,
        frac_bits: 10,
    };
    /// Single precision.
    pub const F32: Format = Format {
        exp_bits: 8,
        frac_bits: 23,
    };
    /// Double precision.
    pub const F64: Format = Format {
        exp_bits: 11,
        frac_bits: 52,
    };

    /// The format of a type.
    pub const fn of(ty: FloatTy) -> Format {
        match ty {
            FloatTy::F16 => Format::F16,
            FloatTy::F32 => Format::F32,
            FloatTy::F64 => Format::F64,
        }
    }

    /// The sign bit.
    pub const fn sign(self) -> u64 {
        1 << (self.exp_bits + self.frac_bits)
    }

    /// The fraction field.
    pub const fn frac_mask(self) -> u64 {
        (1 << self.frac_bits) - 1
    }

    /// The largest exponent field, that of infinities and NaNs.
    pub const fn exp_max(self) -> u64 {
        (1 << self.exp_bits) - 1
    }

    /// The bias of the exponent field.
    pub const fn bias(self) -> i32 {
        (1 << (self.exp_bits - 1)) - 1
    }

    /// Exponent of the smallest normal number.
    pub const fn min_exp(self) -> i32 {
        1 - self.bias()
    }

    /// Positive infinity.
    pub const fn infinity(self) -> u64 {
        self.exp_max() << self.frac_bits
    }

    /// The largest finite number.
    pub const fn max_finite(self) -> u64 {
        self.infinity() - 1
    }

    /// 1.0.
    pub const fn one(self) -> u64 {
        (self.bias() as u64) << self.frac_bits
    }

    /// The bit that makes a NaN quiet.
    pub const fn quiet_bit(self) -> u64 {
        1 << (self.frac_bits - 1)
    }

    /// The NaN that invalid operations give: negative, quiet, without payload.
    pub const fn default_nan(self) -> u64 {
        self.sign() | self.infinity() | self.quiet_bit()
    }

    /// The bits of the number's width.
    pub const fn mask(self) -> u64 {
        self.sign() | (self.sign() - 1)
    }

    /// The exponent field.
    pub const fn exp_field(self, bits: u64) -> u64 {
        bits >> self.frac_bits & self.exp_max()
    }

    /// Whether the sign bit is set.
    pub const fn is_negative(self, bits: u64) -> bool {
        bits & self.sign() != 0
    }

    /// The bits without the sign.
    pub const fn abs(self, bits: u64) -> u64 {
        bits & (self.sign() - 1)
    }

    /// Whether it is a NaN.
    pub const fn is_nan(self, bits: u64) -> bool {
        self.abs(bits) > self.infinity()
    }

    /// Whether it is a signalling NaN.
    pub const fn is_signalling(self, bits: u64) -> bool {
        self.is_nan(bits) && bits & self.quiet_bit() == 0
    }

    /// Whether it is an infinity.
    pub const fn is_infinite(self, bits: u64) -> bool {
        self.abs(bits) == self.infinity()
    }

    /// Whether it is a signed zero.
    pub const fn is_zero(self, bits: u64) -> bool {
        self.abs(bits) == 0
    }

    /// Whether it is subnormal.
    pub const fn is_subnormal(self, bits: u64) -> bool {
        self.exp_field(bits) == 0 && self.abs(bits) != 0
    }

    /// The zero of a sign.
    pub const fn zero(self, negative: bool) -> u64 {
        if negative { self.sign() } else { 0 }
    }

    /// A magnitude with a sign.
    pub const fn signed(self, negative: bool, magnitude: u64) -> u64 {
        if negative {
            magnitude | self.sign()
        } else {
            magnitude
        }
    }

    /// What the bits are; a subnormal counts as what it is.
    pub fn class(self, bits: u64) -> Class {
        let negative = self.is_negative(bits);
        let field = self.exp_field(bits);
        let frac = bits & self.frac_mask();
        if field == self.exp_max() {
            if frac == 0 {
                Class::Infinite { negative }
            } else {
                Class::Nan
            }
        } else if field == 0 && frac == 0 {
            Class::Zero { negative }
        } else {
            let (sig, e) = if field == 0 {
                (frac, self.min_exp())
            } else {
                (frac | 1 << self.frac_bits, field as i32 - self.bias())
            };
            Class::Finite(Exact::new(negative, sig.into(), e - self.frac_bits as i32))
        }
    }
}

/// What a bit pattern is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A NaN.
    Nan,
    /// An infinity.
    Infinite {
        /// Below zero.
        negative: bool,
    },
    /// A signed zero.
    Zero {
        /// -0.
        negative: bool,
    },
    /// A number other than zero.
    Finite(Exact),
}

/// A format under a MODE: what every operation needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fpu {
    /// The format of operands and result.
    pub format: Format,
    /// Rounding of results.
    pub round: Round,
    /// Subnormal operands count as signed zero.
    pub flush_in: bool,
    /// Subnormal results become signed zero.
    pub flush_out: bool,
    /// Signalling NaNs are quieted.
    pub ieee: bool,
    /// Clamp turns a NaN to +0.
    pub dx10_clamp: bool,
    /// A finite result that overflows becomes the largest finite number (f16 alone).
    pub saturate: bool,
}

impl Fpu {
    /// The environment of a type under MODE.
    pub fn new(ty: FloatTy, mode: &Mode) -> Fpu {
        let (round, denorm) = match ty {
            FloatTy::F32 => (mode.round32, mode.denorm32),
            FloatTy::F16 | FloatTy::F64 => (mode.round16_64, mode.denorm16_64),
        };
        Fpu {
            format: Format::of(ty),
            round,
            flush_in: denorm.flushes_in(),
            flush_out: denorm.flushes_out(),
            ieee: mode.ieee,
            dx10_clamp: mode.dx10_clamp,
            saturate: mode.fp16_ovfl && matches!(ty, FloatTy::F16),
        }
    }

    /// The same with another rounding.
    pub fn rounding(self, round: Round) -> Fpu {
        Fpu { round, ..self }
    }

    /// The same with subnormals flushed both ways.
    pub fn flushing(self) -> Fpu {
        Fpu {
            flush_in: true,
            flush_out: true,
            ..self
        }
    }

    /// An operand: a subnormal becomes signed zero where inputs are flushed.
    pub fn input(&self, bits: u64) -> u64 {
        if self.flush_in && self.format.is_subnormal(bits) {
            bits & self.format.sign()
        } else {
            bits
        }
    }

    /// A result that was not computed but picked: a subnormal becomes signed zero where results are
    /// flushed.
    pub fn flush_result(&self, bits: u64) -> u64 {
        if self.flush_out && self.format.is_subnormal(bits) {
            bits & self.format.sign()
        } else {
            bits
        }
    }

    /// What an operand is, after the flush of inputs.
    pub fn class(&self, bits: u64) -> Class {
        self.format.class(self.input(bits))
    }

    /// A NaN as a result: quieted with IEEE, as it is without.
    pub fn nan(&self, bits: u64) -> u64 {
        if self.ieee { self.quiet(bits) } else { bits }
    }

    /// A NaN made quiet.
    pub fn quiet(&self, bits: u64) -> u64 {
        bits | self.format.quiet_bit()
    }

    /// The first NaN among operands, as a result.
    pub fn first_nan(&self, operands: &[u64]) -> Option<u64> {
        operands
            .iter()
            .find(|&&b| self.format.is_nan(b))
            .map(|&b| self.nan(b))
    }

    /// What an exact zero sum of opposite signs is: -0 where rounding is toward -infinity, else +0.
    pub(super) fn cancelled(&self) -> u64 {
        self.format.zero(self.round == Round::MinusInfinity)
    }
}

//! Rounding to integral values, the fraction, and a number's parts.

use spirdna_isa::launch::Round;

use super::{Class, Exact, Fpu};

impl Fpu {
    /// The integral value in a direction; a zero result keeps the operand's sign.
    pub fn integral(&self, a: u64, round: Round) -> u64 {
        match self.class(a) {
            Class::Nan => self.nan(a),
            Class::Infinite { .. } | Class::Zero { .. } => self.input(a),
            Class::Finite(x) if x.exp >= 0 => a,
            Class::Finite(x) => match x.round_at(0, round) {
                0 => self.format.zero(x.negative),
                n => self.pack(Exact::new(x.negative, n, 0)),
            },
        }
    }

    /// `a - floor(a)`, at most the largest number below 1; the default NaN for an infinity.
    pub fn fract(&self, a: u64) -> u64 {
        match self.class(a) {
            Class::Nan => self.nan(a),
            Class::Infinite { .. } => self.format.default_nan(),
            Class::Zero { .. } => 0,
            Class::Finite(_) => {
                let floor = self.integral(a, Round::MinusInfinity);
                // An exact zero is +0 in every rounding direction.
                let rest = self.format.abs(self.sub(a, floor));
                rest.min(self.format.one() - 1)
            }
        }
    }

    /// The number scaled into 0.5 to 1; zeros, infinities and NaNs stay.
    pub fn frexp_mant(&self, a: u64) -> u64 {
        match self.class(a) {
            Class::Nan => self.nan(a),
            Class::Infinite { .. } | Class::Zero { .. } => self.input(a),
            Class::Finite(x) => self.pack(x.scaled(-1 - x.top())),
        }
    }

    /// The exponent that goes with [`Fpu::frexp_mant`]; 0 for zeros, infinities and NaNs.
    pub fn frexp_exp(&self, a: u64) -> i32 {
        match self.class(a) {
            Class::Nan | Class::Infinite { .. } | Class::Zero { .. } => 0,
            Class::Finite(x) => x.top() + 1,
        }
    }
}

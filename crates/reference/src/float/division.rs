//! The three steps of a division: scale, fused multiply-add with scale, fix-up.

use super::{Class, Exact, Format, Fpu};

/// What the steps of a division use in one format.
struct Steps {
    /// Distance of exponents from which the quotient is near an end of the range.
    far: i64,
    /// Scale of `div_scale` and, doubled where VCC asks, of `div_fmas`.
    scale: i32,
    /// Exponent field of a numerator up to which it is scaled up.
    small: i64,
    /// Distance of exponents below which the quotient is 0.
    nothing: i64,
}

impl Fpu {
    fn steps(&self) -> Steps {
        if self.format == Format::F64 {
            Steps {
                far: 768,
                scale: 128,
                small: 53,
                nothing: -1075,
            }
        } else {
            Steps {
                far: 96,
                scale: 64,
                small: 23,
                nothing: -150,
            }
        }
    }

    /// `V_DIV_SCALE`: an operand of a division, scaled where the quotient or a step would leave the
    /// range, and whether `div_fmas` has to undo it. `value` is the numerator or the denominator; what
    /// is not the denominator's bits counts as numerator.
    ///
    /// The flag goes by exponent fields alone (that of zero is 0); a zero operand gives the default NaN.
    pub fn div_scale(&self, value: u64, denominator: u64, numerator: u64) -> (u64, bool) {
        let f = self.format;
        let steps = self.steps();
        let (value, denominator, numerator) = (
            self.input(value),
            self.input(denominator),
            self.input(numerator),
        );
        let field = |bits| f.exp_field(bits) as i64;
        let distance = field(numerator) - field(denominator);
        let inverse_subnormal = field(denominator) > 2 * i64::from(f.bias()) - 2;
        let quotient_small = distance <= -steps.far;
        let is_denominator = value == denominator;
        let (by, flag) = if distance >= steps.far {
            (if is_denominator { steps.scale } else { 0 }, true)
        } else if f.is_subnormal(denominator) {
            (steps.scale, false)
        } else if inverse_subnormal && quotient_small {
            (if is_denominator { -steps.scale } else { 0 }, true)
        } else if inverse_subnormal {
            (-steps.scale, false)
        } else if quotient_small {
            (if is_denominator { 0 } else { steps.scale }, true)
        } else if field(numerator) <= steps.small {
            (steps.scale, false)
        } else {
            (0, false)
        };
        let result = if f.is_zero(denominator) || f.is_zero(numerator) {
            f.default_nan()
        } else {
            match f.class(value) {
                Class::Finite(x) if by != 0 => self.pack(x.scaled(by)),
                Class::Finite(_) | Class::Nan | Class::Infinite { .. } | Class::Zero { .. } => {
                    value
                }
            }
        };
        (result, flag)
    }

    /// `V_DIV_FMAS`: `a * b + c`, with `undo` scaled before the rounding: up where c is 2 or more, else
    /// down.
    pub fn div_fmas(&self, a: u64, b: u64, c: u64, undo: bool) -> u64 {
        if !undo {
            return self.fma(a, b, c);
        }
        let scale = self.steps().scale;
        let up = self.format.exp_field(c) > self.format.bias() as u64;
        self.fma_scaled(a, b, c, if up { scale } else { -scale })
    }

    /// `V_DIV_FIXUP`: the quotient with the special cases of `numerator / denominator`. The numerator's
    /// NaN comes before the denominator's; the quotient's is turned into an infinity.
    pub fn div_fixup(&self, quotient: u64, denominator: u64, numerator: u64) -> u64 {
        let f = self.format;
        if let Some(nan) = self.first_nan(&[numerator, denominator]) {
            return nan;
        }
        let (quotient, denominator, numerator) = (
            self.input(quotient),
            self.input(denominator),
            self.input(numerator),
        );
        let negative = f.is_negative(denominator) ^ f.is_negative(numerator);
        let infinite = (f.is_infinite(numerator), f.is_infinite(denominator));
        let zero = (f.is_zero(numerator), f.is_zero(denominator));
        let distance = f.exp_field(numerator) as i64 - f.exp_field(denominator) as i64;
        if infinite == (true, true) || zero == (true, true) {
            f.default_nan()
        } else if infinite.0 || zero.1 {
            f.signed(negative, f.infinity())
        } else if infinite.1 || zero.0 {
            f.zero(negative)
        } else if f != Format::F16 && distance < self.steps().nothing {
            // Below half of the smallest number.
            self.pack(Exact::new(negative, 1, -4000))
        } else if f.abs(quotient) >= f.infinity() {
            let magnitude = if self.saturate {
                f.max_finite()
            } else {
                f.infinity()
            };
            f.signed(negative, magnitude)
        } else {
            f.signed(negative, self.flush_result(f.abs(quotient)))
        }
    }
}

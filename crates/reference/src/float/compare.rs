//! Comparisons and the class test.

use std::cmp::Ordering;

use super::{Class, Fpu};

impl Fpu {
    /// How two operands compare, subnormals by the mode, -0 equal to +0; `None` with a NaN.
    pub fn compare(&self, a: u64, b: u64) -> Option<Ordering> {
        let f = self.format;
        if f.is_nan(a) || f.is_nan(b) {
            return None;
        }
        let value = |bits: u64| {
            let bits = self.input(bits);
            let magnitude = i128::from(f.abs(bits));
            if f.is_negative(bits) {
                -magnitude
            } else {
                magnitude
            }
        };
        Some(value(a).cmp(&value(b)))
    }

    /// The class test of `V_CMP_CLASS`: whether the operand is one of the kinds in `mask`. Bit 0 is a
    /// signalling NaN, 1 a quiet one, 2 -infinity, 3 negative normal, 4 negative subnormal, 5 -0, and 6
    /// to 9 the positive ones in reverse. Subnormals are told apart whatever the mode.
    pub fn is_class(&self, bits: u64, mask: u32) -> bool {
        let f = self.format;
        let (negative, positive) = match f.class(bits) {
            Class::Nan => {
                let bit = u32::from(!f.is_signalling(bits));
                return mask >> bit & 1 == 1;
            }
            Class::Infinite { .. } => (2, 9),
            Class::Zero { .. } => (5, 6),
            Class::Finite(_) if f.is_subnormal(bits) => (4, 7),
            Class::Finite(_) => (3, 8),
        };
        let bit = if f.is_negative(bits) {
            negative
        } else {
            positive
        };
        mask >> bit & 1 == 1
    }
}

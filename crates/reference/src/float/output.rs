//! What happens to a float result on its way out: the output modifier, then the clamp.

use spirdna_isa::Omod;

use super::{Class, Fpu};

impl Fpu {
    /// The output modifier. It acts only without IEEE and where subnormal results are flushed; then it
    /// scales the rounded result, turns -0 into +0 and flushes what it made.
    pub fn omod(&self, bits: u64, omod: Omod) -> u64 {
        let by = match omod {
            Omod::None => return bits,
            Omod::Mul2 => 1,
            Omod::Mul4 => 2,
            Omod::Div2 => -1,
        };
        if self.ieee || !self.flush_out {
            return bits;
        }
        match self.format.class(bits) {
            Class::Nan | Class::Infinite { .. } => bits,
            Class::Zero { .. } => 0,
            Class::Finite(x) => self.pack(x.scaled(by)),
        }
    }

    /// Clamp to 0 .. 1; a NaN becomes +0 with DX10_CLAMP and stays without.
    pub fn clamp(&self, bits: u64) -> u64 {
        let f = self.format;
        if f.is_nan(bits) {
            if self.dx10_clamp { 0 } else { bits }
        } else if f.is_negative(bits) {
            0
        } else {
            bits.min(f.one())
        }
    }
}

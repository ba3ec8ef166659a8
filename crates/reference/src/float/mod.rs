//! Software floating point over f16, f32 and f64: exact integer arithmetic and one rounding.
//!
//! [`Fpu`] binds a format to the part of MODE that governs it; every operation is a method on it and
//! takes and gives raw bits. Knows no register, no operand and no instruction.
//!
//! The rules for NaNs, denormals, signed zeros and overflow are those that measured tables of RDNA2
//! hardware show; where no table speaks, the manual's pseudocode does.

mod arith;
mod compare;
mod convert;
mod cube;
mod division;
mod exact;
mod format;
mod integral;
mod output;
mod transcendental;

pub use convert::{OVERFLOW_I32, saturate};
pub use exact::Exact;
pub use format::{Class, Format, Fpu};
pub use transcendental::trig_preop;

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;

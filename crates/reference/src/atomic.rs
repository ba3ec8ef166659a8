//! Read-modify-write operations on values: integers, and floats with the rules of memory and of LDS.
//! Knows no address.
//!
//! Float rules, as measured on RDNA2: zeros are ordered by sign for minimum and maximum and equal for
//! compare-and-swap; a NaN is never equal; a signalling NaN wins minimum and maximum and comes out
//! quiet, the data before the memory; a quiet NaN loses against a number; of two quiet NaNs the data
//! is the result. Memory keeps subnormals; LDS flushes them where MODE flushes inputs.

use std::cmp::Ordering;

use spirdna_isa::launch::{Denorm, Mode, Round};
use spirdna_isa::{AtomicOp, Width};

/// Where the atomic happens, for the floats.
#[derive(Clone, Copy, Debug)]
pub enum Unit {
    /// Device memory.
    Memory,
    /// LDS or GDS, under a MODE.
    Lds(Mode),
}

/// The operands of an atomic besides the old value.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// The data; for a compare-and-swap the new value, for `MSKOR` and `WRAP` data 0.
    pub data: u64,
    /// The comparison value of a compare-and-swap; data 1 of `MSKOR` and `WRAP`.
    pub other: u64,
}

/// What the memory holds afterwards, `None` where nothing is written; or the reason why the operation
/// is not known exactly.
///
/// # Errors
/// That reason.
pub fn apply(
    op: AtomicOp,
    width: Width,
    old: u64,
    operands: Operands,
    unit: Unit,
) -> Result<Option<u64>, &'static str> {
    let mask = match width {
        Width::B32 => 0xffff_ffff,
        Width::B64 => u64::MAX,
    };
    let sign = |v: u64| match width {
        Width::B32 => i64::from(v as i32),
        Width::B64 => v as i64,
    };
    let Operands { data, other } = operands;
    let new = match op {
        AtomicOp::Swap => data,
        AtomicOp::CmpSwap if old == other => data,
        AtomicOp::CmpSwap => return Ok(None),
        AtomicOp::Add => old.wrapping_add(data),
        AtomicOp::Sub => old.wrapping_sub(data),
        AtomicOp::RSub => data.wrapping_sub(old),
        AtomicOp::SMin if sign(data) < sign(old) => data,
        AtomicOp::SMax if sign(data) > sign(old) => data,
        AtomicOp::SMin | AtomicOp::SMax => old,
        AtomicOp::UMin => old.min(data),
        AtomicOp::UMax => old.max(data),
        AtomicOp::And => old & data,
        AtomicOp::Or => old | data,
        AtomicOp::Xor => old ^ data,
        AtomicOp::Inc if old >= data => 0,
        AtomicOp::Inc => old.wrapping_add(1),
        AtomicOp::Dec if old == 0 || old > data => data,
        AtomicOp::Dec => old - 1,
        AtomicOp::CSub => old.saturating_sub(data),
        AtomicOp::MskOr => old & !data | other,
        AtomicOp::Wrap if old >= data => old - data,
        AtomicOp::Wrap => old.wrapping_add(other),
        AtomicOp::FCmpSwap => {
            let f = Floats::of(width, unit);
            let (x, y) = (f.input(old), f.input(other));
            if f.is_nan(x) || f.is_nan(y) || f.order(x, y, false) != Ordering::Equal {
                return Ok(None);
            }
            data
        }
        AtomicOp::FMin => Floats::of(width, unit).pick(old, data, Ordering::Less),
        AtomicOp::FMax => Floats::of(width, unit).pick(old, data, Ordering::Greater),
        AtomicOp::FAdd => add_f32(width, old, data, unit)?,
    };
    Ok(Some(new & mask))
}

/// Floats of a width as bits.
#[derive(Clone, Copy)]
struct Floats {
    mantissa: u32,
    sign: u64,
    infinity: u64,
    flush: bool,
}

impl Floats {
    fn of(width: Width, unit: Unit) -> Floats {
        let flush = match (unit, width) {
            (Unit::Memory, _) => false,
            (Unit::Lds(m), Width::B32) => m.denorm32.flushes_in(),
            (Unit::Lds(m), Width::B64) => m.denorm16_64.flushes_in(),
        };
        match width {
            Width::B32 => Floats {
                mantissa: 23,
                sign: 1 << 31,
                infinity: 0x7f80_0000,
                flush,
            },
            Width::B64 => Floats {
                mantissa: 52,
                sign: 1 << 63,
                infinity: 0x7ff0_0000_0000_0000,
                flush,
            },
        }
    }

    fn magnitude(self, v: u64) -> u64 {
        v & (self.sign - 1)
    }

    /// The value with a subnormal flushed, if the unit flushes.
    fn input(self, v: u64) -> u64 {
        if self.flush && self.magnitude(v) >> self.mantissa == 0 {
            v & self.sign
        } else {
            v
        }
    }

    fn is_nan(self, v: u64) -> bool {
        self.magnitude(v) > self.infinity
    }

    fn quiet_bit(self) -> u64 {
        1 << (self.mantissa - 1)
    }

    fn is_signalling(self, v: u64) -> bool {
        self.is_nan(v) && v & self.quiet_bit() == 0
    }

    /// The order of two numbers; zeros by their sign, or equal.
    fn order(self, a: u64, b: u64, signed_zeros: bool) -> Ordering {
        let key = |v: u64| {
            let m = self.magnitude(v) as i128;
            let negative = v & self.sign != 0 && (signed_zeros || m != 0);
            if negative { -1 - m } else { m }
        };
        key(a).cmp(&key(b))
    }

    /// Minimum (`Less`) or maximum (`Greater`).
    fn pick(self, old: u64, data: u64, wanted: Ordering) -> u64 {
        let (old, data) = (self.input(old), self.input(data));
        if self.is_signalling(data) {
            data | self.quiet_bit()
        } else if self.is_signalling(old) {
            old | self.quiet_bit()
        } else if self.is_nan(old) {
            data
        } else if self.is_nan(data) {
            old
        } else if self.order(data, old, true) == wanted {
            data
        } else {
            old
        }
    }
}

/// Sum of two f32, to nearest even. A NaN comes out quiet, the data before the memory, as for minimum
/// and maximum; inf - inf gives the default NaN. Another rounding or half of the denormal mode is
/// refused: nothing tells whether LDS obeys it.
fn add_f32(width: Width, old: u64, data: u64, unit: Unit) -> Result<u64, &'static str> {
    let Unit::Lds(mode) = unit else {
        return Err("float add in memory");
    };
    if width == Width::B64 {
        return Err("64-bit float add");
    }
    if mode.round32 != Round::NearestEven {
        return Err("LDS float add under another rounding than to nearest");
    }
    let flush = match mode.denorm32 {
        Denorm::FlushInOut => true,
        Denorm::Allow => false,
        Denorm::FlushOut | Denorm::FlushIn => {
            return Err("LDS float add with half of the denormals flushed");
        }
    };
    let floats = Floats::of(width, unit);
    let (a, b) = (floats.input(old), floats.input(data));
    for v in [b, a] {
        if floats.is_nan(v) {
            return Ok(v | floats.quiet_bit());
        }
    }
    // Neither is a NaN: Rust's sum is IEEE's, to nearest even.
    let sum = f32::from_bits(a as u32) + f32::from_bits(b as u32);
    if sum.is_nan() {
        return Ok(0xffc0_0000);
    }
    // Whether a sum is subnormal does not depend on rounding: subnormal sums are exact.
    let floats = Floats { flush, ..floats };
    Ok(floats.input(u64::from(sum.to_bits())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may stop

    use super::*;

    fn run(op: AtomicOp, old: u64, data: u64, other: u64) -> Option<u64> {
        apply(op, Width::B32, old, Operands { data, other }, Unit::Memory).unwrap()
    }

    #[test]
    fn integer_rules() {
        let m = 0xffff_ffff;
        assert_eq!(run(AtomicOp::Add, m, 2, 0), Some(1));
        assert_eq!(run(AtomicOp::RSub, 3, 1, 0), Some(0xffff_fffe));
        assert_eq!(run(AtomicOp::SMin, 1, m, 0), Some(m));
        assert_eq!(run(AtomicOp::UMin, 1, m, 0), Some(1));
        assert_eq!(run(AtomicOp::SMax, m, 0x8000_0000, 0), Some(m));
        assert_eq!(run(AtomicOp::Inc, 5, 5, 0), Some(0));
        assert_eq!(run(AtomicOp::Inc, 4, 5, 0), Some(5));
        assert_eq!(run(AtomicOp::Dec, 0, 5, 0), Some(5));
        assert_eq!(run(AtomicOp::Dec, 6, 5, 0), Some(5));
        assert_eq!(run(AtomicOp::Dec, 5, 5, 0), Some(4));
        assert_eq!(run(AtomicOp::CSub, 3, 5, 0), Some(0));
        assert_eq!(run(AtomicOp::CSub, 5, 3, 0), Some(2));
        assert_eq!(run(AtomicOp::CmpSwap, 7, 9, 7), Some(9));
        assert_eq!(run(AtomicOp::CmpSwap, 7, 9, 8), None);
        assert_eq!(run(AtomicOp::MskOr, 0xf0f0, 0xff, 0x3), Some(0xf003));
        assert_eq!(run(AtomicOp::Wrap, 10, 4, 100), Some(6));
        assert_eq!(run(AtomicOp::Wrap, 3, 4, 100), Some(103));
    }

    #[test]
    fn float_rules() {
        let (zero, minus_zero, one) = (0, 0x8000_0000, 0x3f80_0000);
        let (quiet, other_quiet, signalling) = (0x7fc0_0001, 0xffc0_0002, 0x7f80_0003);
        assert_eq!(run(AtomicOp::FMin, zero, minus_zero, 0), Some(minus_zero));
        assert_eq!(run(AtomicOp::FMax, minus_zero, zero, 0), Some(zero));
        assert_eq!(run(AtomicOp::FMin, quiet, one, 0), Some(one));
        assert_eq!(run(AtomicOp::FMin, one, quiet, 0), Some(one));
        assert_eq!(
            run(AtomicOp::FMax, quiet, other_quiet, 0),
            Some(other_quiet)
        );
        assert_eq!(run(AtomicOp::FMax, signalling, one, 0), Some(0x7fc0_0003));
        assert_eq!(run(AtomicOp::FMin, 1, 2, 0), Some(1));
        assert_eq!(run(AtomicOp::FCmpSwap, minus_zero, one, zero), Some(one));
        assert_eq!(run(AtomicOp::FCmpSwap, quiet, one, quiet), None);
    }

    #[test]
    fn lds_flushes_with_the_inputs() {
        let flush = Unit::Lds(Mode::default());
        let data = Operands {
            data: 0x8000_0001,
            other: 0,
        };
        let min = |unit| apply(AtomicOp::FMin, Width::B32, 0x3f80_0000, data, unit).unwrap();
        assert_eq!(min(flush), Some(0x8000_0000));
        assert_eq!(min(Unit::Memory), Some(0x8000_0001));
        let add = |a, b| {
            let operands = Operands { data: b, other: 0 };
            apply(AtomicOp::FAdd, Width::B32, a, operands, flush).unwrap()
        };
        assert_eq!(add(0x3f80_0000, 0x3f80_0000), Some(0x4000_0000));
        // 1.5 * 2^-126 - 2^-126 is subnormal.
        assert_eq!(add(0x00c0_0000, 0x8080_0000), Some(0));
        assert_eq!(add(0x7f80_0001, 0x7f80_0002), Some(0x7fc0_0002));
        assert_eq!(add(0x7f80_0001, 0x3f80_0000), Some(0x7fc0_0001));
        assert_eq!(add(0x7f80_0000, 0xff80_0000), Some(0xffc0_0000));
    }
}

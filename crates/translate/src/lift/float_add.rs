//! The float addition of LDS atomics as integer operations: a helper that emission calls in its loop of
//! compare-and-exchange. Knows no register and no address.
//!
//! To nearest even. A NaN comes out quiet, the data before the memory; inf - inf gives the default NaN.

use crate::ir::{Builder, Value};

const QUIET: u32 = 1 << 22;
const INFINITY: u32 = 0x7f80_0000;
const DEFAULT_NAN: u32 = 0xffc0_0000;
/// Bits below the significand that a sum is made with: what falls out below them only says "not zero".
const GUARD: u32 = 30;

/// The new content of (old, data): f32 bits. `flush`: subnormals count, and are written, as signed zeros.
pub(super) fn add_f32(b: &mut Builder<'_>, old: Value, data: Value, flush: bool) -> Value {
    let (x, y) = (flushed(b, old, flush), flushed(b, data, flush));
    let sum = finite(b, x, y);
    let mut result = flushed(b, sum, flush);
    let (x_size, y_size) = (b.and32(x, 0x7fff_ffff), b.and32(y, 0x7fff_ffff));
    let infinity = b.const32(INFINITY);
    let (x_inf, y_inf) = (b.eq(x_size, infinity), b.eq(y_size, infinity));
    result = b.select(x_inf, x, result);
    result = b.select(y_inf, y, result);
    let both = b.and(x_inf, y_inf);
    let differ = b.ne(x, y);
    let invalid = b.and(both, differ);
    let default = b.const32(DEFAULT_NAN);
    result = b.select(invalid, default, result);
    for (value, size) in [(x, x_size), (y, y_size)] {
        let nan = b.ult(infinity, size);
        let quiet = b.const32(QUIET);
        let quiet = b.or(value, quiet);
        result = b.select(nan, quiet, result);
    }
    result
}

/// The value, a subnormal as a signed zero where `flush` says so.
fn flushed(b: &mut Builder<'_>, x: Value, flush: bool) -> Value {
    if !flush {
        return x;
    }
    let exponent = b.and32(x, INFINITY);
    let zero = b.const32(0);
    let small = b.eq(exponent, zero);
    let sign = b.and32(x, 0x8000_0000);
    b.select(small, sign, x)
}

/// The sum of numbers.
fn finite(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let (zero, one) = (b.const32(0), b.const32(1));
    let (x_size, y_size) = (b.and32(x, 0x7fff_ffff), b.and32(y, 0x7fff_ffff));
    // The one of larger magnitude first.
    let swap = b.ult(x_size, y_size);
    let (large, small) = (b.select(swap, y, x), b.select(swap, x, y));
    let (e1, m1) = parts(b, large);
    let (e2, m2) = parts(b, small);
    let distance = b.sub(e1, e2);
    let most = b.const32(63);
    let distance = b.umin(distance, most);
    let up = b.const32(GUARD);
    let (m1, m2) = (b.shl(m1, up), b.shl(m2, up));
    let moved = b.shr_u(m2, distance);
    let back = b.shl(moved, distance);
    let lost = b.ne(back, m2);
    let lost = b.bool_int(lost);
    let lost = b.zext(lost);
    let moved = b.or(moved, lost);
    let (plus, minus) = (b.add(m1, moved), b.sub(m1, moved));
    let signs = b.xor(x, y);
    let opposite = b.slt(signs, zero);
    let sum = b.select(opposite, minus, plus);
    // The exponent field of the sum, at least that of the least normal number, and how far down that is.
    let top = b.find_umsb(sum);
    let bits_up = b.const32(23 + GUARD);
    let shift = b.sub(top, bits_up);
    let exponent = b.add(e1, shift);
    let exponent = b.smax(exponent, one);
    let down = b.sub(exponent, e1);
    let down = b.add32(down, GUARD);
    let right = b.smax(down, zero);
    let left = b.sub(zero, down);
    let left = b.smax(left, zero);
    let kept = b.shr_u(sum, right);
    let again = b.shl(kept, right);
    let rest = b.sub(sum, again);
    // rest against half of the last place: twice the rest against the place.
    let one32 = b.const32(1);
    let twice = b.shl(rest, one32);
    let one64 = b.const64(1);
    let place = b.shl(one64, right);
    let above = b.ult(place, twice);
    let tie = b.eq(place, twice);
    let kept = b.shl(kept, left);
    let kept = b.lo(kept);
    let odd = b.and32(kept, 1);
    let odd = b.eq(odd, one);
    let tie_up = b.and(tie, odd);
    let round = b.or(above, tie_up);
    let round = b.bool_int(round);
    let field = b.sub(exponent, one);
    let field = b.shl_by(field, 23);
    // The hidden bit is one step of the exponent; a carry out of the significand is the next one.
    let magnitude = b.add(field, kept);
    let magnitude = b.add(magnitude, round);
    let infinity = b.const32(INFINITY);
    let magnitude = b.umin(magnitude, infinity);
    let sign = b.and32(large, 0x8000_0000);
    let value = b.or(magnitude, sign);
    // An exact zero is positive unless both are negative.
    let none = b.const64(0);
    let empty = b.eq(sum, none);
    let both = b.and(x, y);
    let both = b.and32(both, 0x8000_0000);
    b.select(empty, both, value)
}

/// Exponent field, at least 1, and significand with its hidden bit as I64.
fn parts(b: &mut Builder<'_>, x: Value) -> (Value, Value) {
    let exponent = b.field_u(x, 23, 8);
    let (zero, one) = (b.const32(0), b.const32(1));
    let normal = b.ne(exponent, zero);
    let hidden = b.bool_int(normal);
    let hidden = b.shl_by(hidden, 23);
    let fraction = b.and32(x, 0x7f_ffff);
    let significand = b.or(fraction, hidden);
    (b.umax(exponent, one), b.zext(significand))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may stop

    use spirdna_isa::WaveSize;

    use super::*;
    use crate::ir::HelperId;
    use crate::ir::eval::{NoEnv, call};
    use crate::ir::{Func, Helper, Kind, Ty};

    fn helper(flush: bool) -> Helper {
        let mut func = Func::new(WaveSize::W32);
        let entry = func.entry();
        let params = [0, 1].map(|_| func.add_param(entry, Ty::uniform(Kind::I32)));
        let mut b = Builder::new(&mut func);
        let result = add_f32(&mut b, params[0], params[1], flush);
        b.ret();
        Helper {
            name: "add".to_owned(),
            func,
            result,
            fallback: None,
        }
    }

    /// Rust's sum is IEEE's, to nearest even.
    #[test]
    fn sums_are_ieee() {
        let mut values: Vec<u32> = Vec::new();
        for exponent in [0, 1, 2, 24, 25, 100, 126, 127, 128, 150, 151, 152, 253, 254] {
            for fraction in [
                0, 1, 2, 0x3f_ffff, 0x40_0000, 0x40_0001, 0x7f_fffe, 0x7f_ffff,
            ] {
                values.push(exponent << 23 | fraction);
            }
        }
        let mut state = 12345u32;
        for _ in 0..60 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            values.push((state >> 1) % INFINITY);
        }
        values.push(INFINITY);
        let all: Vec<u32> = values.iter().flat_map(|&v| [v, v | 1 << 31]).collect();
        let helpers = [helper(false)];
        for &x in &all {
            for &y in &all {
                let sum = f32::from_bits(x) + f32::from_bits(y);
                let expected = if sum.is_nan() {
                    DEFAULT_NAN
                } else {
                    sum.to_bits()
                };
                let got = call(&helpers, HelperId(0), &mut NoEnv, &[x.into(), y.into()]).unwrap();
                assert_eq!(got as u32, expected, "{x:#x} + {y:#x}");
            }
        }
    }

    #[test]
    fn nans_and_subnormals() {
        let run = |flush, x: u32, y: u32| {
            let helpers = [helper(flush)];
            call(&helpers, HelperId(0), &mut NoEnv, &[x.into(), y.into()]).unwrap() as u32
        };
        assert_eq!(run(false, 0x7f80_0001, 0x7f80_0002), 0x7fc0_0002);
        assert_eq!(run(false, 0x7f80_0001, 0x3f80_0000), 0x7fc0_0001);
        assert_eq!(run(true, 0x00c0_0000, 0x8080_0000), 0);
        assert_eq!(run(true, 0x8000_0001, 0x8000_0005), 0x8000_0000);
        assert_eq!(run(false, 1, 2), 3);
    }
}

//! Comparing bytes with an expectation, and the report of what differs. Knows no case file and no
//! executor.

use std::collections::BTreeMap;
use std::fmt;

use crate::format::{CompareSpec, ElementType};

/// Differences that a report lists.
pub const LISTED: usize = 8;

/// One element that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Byte offset from the start of the region.
    pub offset: u64,
    /// Expected bits.
    pub expected: u64,
    /// The bits that are there.
    pub got: u64,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Bytes of an element.
    pub width: usize,
    /// The first differences, at most [`LISTED`]. For a multiset `expected` is an element that is
    /// missing (0 where there is none), and `got` one that is too many.
    pub first: Vec<Difference>,
    /// Elements that differ.
    pub count: u64,
    /// Elements compared.
    pub total: u64,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = 2 * self.width + 2;
        write!(f, "{} of {} elements differ", self.count, self.total)?;
        for d in &self.first {
            write!(
                f,
                "\n  at {:#x}: expected {:#0digits$x}, got {:#0digits$x}",
                d.offset, d.expected, d.got
            )?;
        }
        if self.count > self.first.len() as u64 {
            write!(f, "\n  …")?;
        }
        Ok(())
    }
}

/// Compares `got` with `expected`, element by element. `offset` is where both begin in their
/// region; the two have the same length, a whole number of elements.
pub fn compare(
    expected: &[u8],
    got: &[u8],
    element: ElementType,
    how: CompareSpec,
    offset: u64,
) -> Option<Mismatch> {
    let width = element.bytes();
    let total = expected.len().max(got.len()).div_ceil(width) as u64;
    let pairs = || {
        let both = expected.chunks(width).zip(got.chunks(width));
        both.map(|(e, g)| (bits(e), bits(g)))
    };
    let place = |i: usize| offset + (i * width) as u64;
    let (first, count): (Vec<Difference>, u64) = match how {
        CompareSpec::Multiset => {
            // How often each element is expected, less how often it is there.
            let mut counts: BTreeMap<u64, i64> = BTreeMap::new();
            for (e, g) in pairs() {
                *counts.entry(e).or_default() += 1;
                *counts.entry(g).or_default() -= 1;
            }
            let surplus = |sign: i64| {
                counts
                    .iter()
                    .flat_map(move |(&element, &n)| (0..(n * sign).max(0)).map(move |_| element))
            };
            let first_place = |element: u64| pairs().position(|(_, g)| g == element).unwrap_or(0);
            let listed = surplus(1).zip(surplus(-1)).take(LISTED);
            let listed = listed.map(|(expected, got)| Difference {
                offset: place(first_place(got)),
                expected,
                got,
            });
            (listed.collect(), surplus(1).count() as u64)
        }
        _ => {
            let differ = |e, g| e != g && !close(e, g, element, how);
            let differences = || pairs().enumerate().filter(|&(_, (e, g))| differ(e, g));
            let listed = differences().take(LISTED);
            let listed = listed.map(|(i, (expected, got))| Difference {
                offset: place(i),
                expected,
                got,
            });
            (listed.collect(), differences().count() as u64)
        }
    };
    if count == 0 && expected.len() == got.len() {
        return None;
    }
    Some(Mismatch {
        width,
        first,
        count,
        total,
    })
}

/// Little-endian bits of up to 8 bytes.
fn bits(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .take(8)
        .fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// Whether bits that are not equal count as equal.
fn close(expected: u64, got: u64, element: ElementType, how: CompareSpec) -> bool {
    match how {
        CompareSpec::Bits | CompareSpec::Multiset => false,
        CompareSpec::NanClass => is_nan(expected, element) && is_nan(got, element),
        CompareSpec::Ulp(bound) => {
            let nan = (is_nan(expected, element), is_nan(got, element));
            match nan {
                (true, true) => true,
                (false, false) => {
                    let (e, g) = (ordered(expected, element), ordered(got, element));
                    e.abs_diff(g) <= bound.into()
                }
                _ => false,
            }
        }
        CompareSpec::Absolute(bound) => {
            let (e, g) = (value(expected, element), value(got, element));
            (e.is_nan() && g.is_nan()) || (e - g).abs() <= bound
        }
    }
}

/// Bits of the exponent field's top and of the mantissa of the float of an element's width.
fn float_fields(element: ElementType) -> Option<(u32, u32)> {
    match element.bytes() {
        2 => Some((5, 10)),
        4 => Some((8, 23)),
        8 => Some((11, 52)),
        _ => None,
    }
}

/// Whether bits are a NaN of the float of the element's width.
fn is_nan(bits: u64, element: ElementType) -> bool {
    float_fields(element).is_some_and(|(exponent, mantissa)| {
        let ones = (1u64 << exponent) - 1;
        (bits >> mantissa) & ones == ones && bits & ((1 << mantissa) - 1) != 0
    })
}

/// A float's place in the order of all floats of its width: neighbours differ by 1, both zeros are
/// 0.
fn ordered(bits: u64, element: ElementType) -> i128 {
    let sign = 8 * element.bytes() as u32 - 1;
    let magnitude = i128::from(bits & ((1 << sign) - 1));
    if bits >> sign & 1 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

fn value(bits: u64, element: ElementType) -> f64 {
    match element {
        ElementType::F64 => f64::from_bits(bits),
        _ => f32::from_bits(bits as u32).into(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    fn words(list: &[u32]) -> Vec<u8> {
        list.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    fn check(expected: &[u32], got: &[u32], element: ElementType, how: CompareSpec) -> u64 {
        compare(&words(expected), &words(got), element, how, 0).map_or(0, |m| m.count)
    }

    #[test]
    fn bits_name_the_place() {
        let m = compare(
            &words(&[1, 2, 3]),
            &words(&[1, 5, 3]),
            ElementType::U32,
            CompareSpec::Bits,
            16,
        )
        .unwrap();
        assert_eq!((m.count, m.total), (1, 3));
        assert_eq!(
            m.to_string(),
            "1 of 3 elements differ\n  at 0x14: expected 0x00000002, got 0x00000005"
        );
        assert_eq!(
            check(&[0], &[0x8000_0000], ElementType::F32, CompareSpec::Bits),
            1
        );
    }

    #[test]
    fn ulps_count_across_zero() {
        let ulp = |e, g, n| check(&[e], &[g], ElementType::F32, CompareSpec::Ulp(n)) == 0;
        assert!(ulp(0x3f80_0000, 0x3f80_0001, 1) && !ulp(0x3f80_0000, 0x3f80_0002, 1));
        assert!(ulp(0x3f80_0000, 0x3f7f_ffff, 1));
        assert!(ulp(0x0000_0001, 0x8000_0001, 2) && !ulp(0x0000_0001, 0x8000_0001, 1));
        assert!(ulp(0x7fc0_0000, 0xffc0_0001, 0));
        assert!(!ulp(0x7f80_0000, 0x7fc0_0000, u64::MAX));
    }

    #[test]
    fn absolute_nan_class_and_multiset() {
        let f = |v: f32| v.to_bits();
        let abs = CompareSpec::Absolute(0.5);
        assert_eq!(check(&[f(1.0)], &[f(1.5)], ElementType::F32, abs), 0);
        assert_eq!(check(&[f(1.0)], &[f(1.75)], ElementType::F32, abs), 1);
        assert_eq!(check(&[f(1.0)], &[0x7fc0_0000], ElementType::F32, abs), 1);
        let nan = CompareSpec::NanClass;
        assert_eq!(
            check(&[0x7fc0_0000], &[0xff80_0001], ElementType::U32, nan),
            0
        );
        assert_eq!(
            check(&[0x7f80_0000], &[0xff80_0001], ElementType::U32, nan),
            1
        );
        assert_eq!(check(&[0x8000_0000], &[0], ElementType::U32, nan), 1);
        let set = CompareSpec::Multiset;
        assert_eq!(check(&[1, 2, 2], &[2, 1, 2], ElementType::U32, set), 0);
        assert_eq!(check(&[1, 2, 2], &[2, 1, 1], ElementType::U32, set), 1);
    }
}

//! What counts as equal: places of a region element by element, each as its rule says, and all else bit for
//! bit. Knows bytes and rules only.

use crate::data::{Place, half_value};
use crate::directive::{Element, Rule};

/// How two results differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Byte offset of the first element that differs.
    pub offset: usize,
    /// Elements that differ.
    pub count: usize,
    /// Elements compared.
    pub of: usize,
    /// What the source says there, and what the translation says.
    pub expected: String,
    /// See `expected`.
    pub got: String,
    /// The greatest distance in units in the last place among floats; `None` where none is a float.
    pub ulp: Option<u64>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} of {} elements differ, first at byte {}: {} instead of {}",
            self.count, self.of, self.offset, self.got, self.expected
        )?;
        match self.ulp {
            Some(ulp) => write!(f, " (worst {ulp} ulp)"),
            None => Ok(()),
        }
    }
}

/// The worst distance that was let pass, in units in the last place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worst(pub u64);

/// Compares two contents of a region. A NaN is as good as any other under every rule: drivers make those of the
/// original. What lies outside of either content differs.
///
/// # Errors
/// How they differ.
pub fn compare(expected: &[u8], got: &[u8], places: &[Place]) -> Result<Worst, Difference> {
    let mut worst = Worst::default();
    let mut difference: Option<Difference> = None;
    let mut of = 0;
    let mut covered = vec![false; expected.len()];
    let mut differs = |offset: usize, a: String, b: String, ulp: Option<u64>| {
        let d = difference.get_or_insert(Difference {
            offset,
            count: 0,
            of: 0,
            expected: a,
            got: b,
            ulp: None,
        });
        d.count += 1;
        d.ulp = d.ulp.max(ulp);
    };
    let (length, other) = (expected.len(), got.len());
    if length != other {
        differs(
            length.min(other),
            format!("{length} bytes"),
            format!("{other} bytes"),
            None,
        );
    }
    for place in places {
        let bytes = place.element.bytes();
        let offsets = (0..place.count).map(|i| place.offset + i * place.step);
        for offset in offsets.clone() {
            for covered in covered.iter_mut().skip(offset).take(bytes) {
                *covered = true;
            }
        }
        let element = |from: &[u8], offset: usize| {
            let mut word = [0; 8];
            let part = from.get(offset..offset + bytes).unwrap_or_default();
            for (to, &byte) in word.iter_mut().zip(part) {
                *to = byte;
            }
            u64::from_le_bytes(word)
        };
        let inside = |o: &usize| {
            o.checked_add(bytes)
                .is_some_and(|end| end <= length.min(other))
        };
        if let Some(outside) = offsets.clone().find(|o| !inside(o)) {
            let text = format!("a place outside of {length} bytes");
            differs(outside, text.clone(), text, None);
            continue;
        }
        match place.rule {
            Rule::Skip => {}
            Rule::Multiset => {
                of += place.count;
                let all = |from: &[u8]| {
                    let mut all: Vec<u64> = offsets.clone().map(|o| element(from, o)).collect();
                    all.sort_unstable();
                    all
                };
                let (a, b) = (all(expected), all(got));
                if let Some(i) = a.iter().zip(&b).position(|(a, b)| a != b) {
                    let text = |v: &[u64]| format!("{:#x} (sorted)", v.get(i).unwrap_or(&0));
                    differs(place.offset, text(&a), text(&b), None);
                }
            }
            Rule::Bits | Rule::Ulp(_) | Rule::Absolute(_) => {
                for offset in offsets {
                    of += 1;
                    let (a, b) = (element(expected, offset), element(got, offset));
                    if a == b {
                        continue;
                    }
                    match near(a, b, place.element, place.rule) {
                        Ok(ulp) => worst = worst.max(ulp),
                        Err(ulp) => differs(
                            offset,
                            shown(a, place.element),
                            shown(b, place.element),
                            ulp,
                        ),
                    }
                }
            }
        }
    }
    let rest = covered.iter().zip(expected.iter().zip(got)).enumerate();
    for (offset, (_, (a, b))) in rest.filter(|(_, (covered, _))| !**covered) {
        of += 1;
        if a != b {
            differs(offset, format!("{a:#04x}"), format!("{b:#04x}"), None);
        }
    }
    match difference {
        Some(difference) => Err(Difference { of, ..difference }),
        None => Ok(worst),
    }
}

impl Worst {
    /// The greater of two.
    #[must_use]
    pub fn max_of(self, other: Worst) -> Worst {
        self.max(other.0)
    }

    fn max(self, ulp: u64) -> Worst {
        Worst(self.0.max(ulp))
    }
}

/// Whether two elements that are not the same bits are near enough: the distance, either way.
fn near(a: u64, b: u64, element: Element, rule: Rule) -> Result<u64, Option<u64>> {
    if !element.is_float() {
        return Err(None);
    }
    let (x, y) = (float(a, element), float(b, element));
    if x.is_nan() && y.is_nan() {
        return Ok(0);
    }
    let ulp = distance(a, b, element);
    let holds = match rule {
        Rule::Ulp(most) => !x.is_nan() && !y.is_nan() && ulp <= most,
        Rule::Absolute(most) => (x - y).abs() <= most,
        _ => false,
    };
    if holds { Ok(ulp) } else { Err(Some(ulp)) }
}

/// The value of a float's bits.
pub fn float(bits: u64, element: Element) -> f64 {
    match element {
        Element::F16 => half_value(bits as u16),
        Element::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// The number of floats from one to the other; zero's signs are one apart.
fn distance(a: u64, b: u64, element: Element) -> u64 {
    let width = 8 * element.bytes() as u32;
    let ordered = |bits: u64| {
        let sign = 1u64 << (width - 1);
        let magnitude = i128::from(bits & (sign - 1));
        if bits & sign == 0 {
            magnitude
        } else {
            -magnitude - 1
        }
    };
    (ordered(a) - ordered(b))
        .unsigned_abs()
        .min(u64::MAX.into()) as u64
}

fn shown(bits: u64, element: Element) -> String {
    let digits = 2 + 2 * element.bytes();
    if element.is_float() {
        return format!("{} ({bits:#0digits$x})", float(bits, element));
    }
    format!("{bits:#0digits$x}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn what_lies_outside_differs() {
        let place = |count| place(Element::U32, count, Rule::Bits);
        assert!(compare(&[1; 8], &[1; 8], &[place(2)]).is_ok());
        assert!(compare(&[1; 8], &[1; 8], &[place(3)]).is_err());
        assert!(compare(&[1; 8], &[1; 12], &[place(2)]).is_err());
    }

    fn place(element: Element, count: usize, rule: Rule) -> Place {
        Place {
            offset: 0,
            element,
            count,
            step: element.bytes(),
            rule,
        }
    }

    fn floats(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    #[test]
    fn each_place_has_its_rule() {
        let (a, b) = (
            floats(&[1.0, 2.0]),
            floats(&[1.0, f32::from_bits(0x4000_0003)]),
        );
        let rule = |rule| compare(&a, &b, &[place(Element::F32, 2, rule)]);
        assert_eq!(rule(Rule::Ulp(3)), Ok(Worst(3)));
        assert_eq!(rule(Rule::Absolute(1e-6)), Ok(Worst(3)));
        assert_eq!(rule(Rule::Skip), Ok(Worst(0)));
        for rule in [
            rule(Rule::Bits),
            rule(Rule::Ulp(2)),
            rule(Rule::Absolute(1e-8)),
        ] {
            let difference = rule.unwrap_err();
            assert_eq!((difference.offset, difference.count), (4, 1));
            assert_eq!(difference.ulp, Some(3));
        }
        // Integers are never near.
        assert!(compare(&a, &b, &[place(Element::U32, 2, Rule::Ulp(9))]).is_err());
        // What no place covers is compared too.
        assert!(compare(&a, &b, &[place(Element::F32, 1, Rule::Ulp(9))]).is_err());
    }

    #[test]
    fn nan_infinity_and_order() {
        let (a, b) = (
            floats(&[f32::NAN, f32::INFINITY]),
            floats(&[-f32::NAN, f32::INFINITY]),
        );
        assert!(compare(&a, &b, &[place(Element::F32, 2, Rule::Bits)]).is_ok());
        let c = floats(&[0.0, f32::INFINITY]);
        assert!(compare(&a, &c, &[place(Element::F32, 2, Rule::Ulp(u64::MAX))]).is_err());
        let (a, b) = ([3, 1, 2, 2], [2, 3, 2, 1]);
        assert!(compare(&a, &b, &[place(Element::U8, 4, Rule::Multiset)]).is_ok());
        assert!(compare(&a, &[2, 3, 1, 1], &[place(Element::U8, 4, Rule::Multiset)]).is_err());
    }
}

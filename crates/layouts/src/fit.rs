//! One column of values against the columns of the words: which bits hold it. Knows no text and no
//! name.

use std::collections::{BTreeMap, BTreeSet};

use crate::columns::{Column, WORD_BITS, Words};

/// Where a bit of a value sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The bit of the instruction; bit 32 is bit 0 of the second word.
    pub bit: u8,
    /// Whether it holds the opposite.
    pub inverted: bool,
}

/// How a field reads its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// No negative value was seen.
    Unsigned,
    /// Two's complement.
    Signed,
    /// Negative values and those of the upper half both occur: the field is its value modulo its size.
    Either,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// One field explains every sample: bits of the value to bits of the instruction.
    Found {
        places: BTreeMap<u8, Place>,
        sign: Sign,
    },
    /// The value is the same in every sample.
    Constant,
    /// No field does.
    None {
        /// The lowest bit of the field that comes nearest, and the lowest bit of the value that it
        /// holds.
        nearest: Option<(u8, u8)>,
        /// The highest bit of the value that the nearest field holds.
        top: u8,
        /// Samples that the nearest field does not explain.
        against: Vec<usize>,
    },
    /// Several do; where each begins.
    Several(Vec<u8>),
}

/// The value's bits in two's complement as columns.
struct Values {
    present: Column,
    /// Bits that occur both set and clear, with their columns.
    exercised: Vec<(u8, Column)>,
    /// Bits below the sign.
    magnitude: u8,
    negative: Option<Column>,
    min: i64,
}

impl Values {
    fn new(values: &[Option<i64>]) -> Values {
        let len = values.len();
        let of = |i: usize| values.get(i).copied().flatten();
        let present = Column::new(len, |i| of(i).is_some());
        let seen = || values.iter().flatten().copied();
        let max = seen().max().unwrap_or(0).max(0);
        let min = seen().min().unwrap_or(0).min(0);
        let bits = |v: i64| (64 - v.leading_zeros()) as u8;
        let magnitude = bits(max).max(bits(!min));
        let exercised = (0..magnitude)
            .map(|k| {
                (
                    k,
                    Column::new(len, |i| of(i).is_some_and(|v| v >> k & 1 != 0)),
                )
            })
            .filter(|(_, column)| !column.is_constant(&present))
            .collect();
        let negative = (min < 0).then(|| Column::new(len, |i| of(i).is_some_and(|v| v < 0)));
        Values {
            present,
            exercised,
            magnitude,
            negative,
            min,
        }
    }
}

/// Finds the field that holds `values` (`None`: the sample says nothing of it). `claimed` bits belong
/// to other fields. `loose` admits bits that hold the opposite.
pub(crate) fn fit(
    words: &Words,
    values: &[Option<i64>],
    claimed: &BTreeSet<u8>,
    loose: bool,
) -> Fit {
    let v = Values::new(values);
    if v.exercised.is_empty() {
        return Fit::Constant;
    }
    let free = |bit: u8| !claimed.contains(&bit);
    let holds = |bit: u8, column: &Column| {
        free(bit)
            && words
                .column(bit)
                .is_some_and(|w| w.agrees(column, &v.present))
    };
    // In one piece: value bit k at bit lo + k. A value that is always a multiple has no low bits, so
    // lo may lie before the first word.
    let contiguous: Vec<i16> = (-63..i16::from(WORD_BITS))
        .filter(|lo| {
            v.exercised
                .iter()
                .all(|(k, column)| at(*lo, *k).is_some_and(|bit| holds(bit, column)))
        })
        .collect();
    match contiguous.as_slice() {
        [lo] => {
            let places = v.exercised.iter().filter_map(|(k, _)| {
                let bit = at(*lo, *k)?;
                let place = Place {
                    bit,
                    inverted: false,
                };
                Some((*k, place))
            });
            with_sign(words, &v, places.collect(), *lo, &holds)
        }
        [] => pieces(words, &v, &holds, &free, loose),
        several => {
            let first = v.exercised.first().map_or(0, |e| e.0);
            Fit::Several(several.iter().filter_map(|lo| at(*lo, first)).collect())
        }
    }
}

/// The bit at `lo + k`.
fn at(lo: i16, k: u8) -> Option<u8> {
    let bit = u8::try_from(lo + i16::from(k)).ok()?;
    (bit < WORD_BITS).then_some(bit)
}

/// Adds the bits that hold the sign of a field in one piece.
fn with_sign(
    words: &Words,
    v: &Values,
    mut places: BTreeMap<u8, Place>,
    lo: i16,
    holds: &impl Fn(u8, &Column) -> bool,
) -> Fit {
    let Some(negative) = &v.negative else {
        return Fit::Found {
            places,
            sign: Sign::Unsigned,
        };
    };
    let mut k = v.magnitude;
    while let Some(bit) = at(lo, k)
        && holds(bit, negative)
    {
        places.insert(
            k,
            Place {
                bit,
                inverted: false,
            },
        );
        k += 1;
    }
    if k > v.magnitude {
        return Fit::Found {
            places,
            sign: Sign::Signed,
        };
    }
    // No bit for the sign: right where the top bit of the magnitude serves for both readings.
    if v.magnitude > 0 && v.min >= -(1 << (v.magnitude - 1)) {
        return Fit::Found {
            places,
            sign: Sign::Either,
        };
    }
    nearest(words, v)
}

/// A field of several pieces: a place for each bit of the value on its own.
fn pieces(
    words: &Words,
    v: &Values,
    holds: &impl Fn(u8, &Column) -> bool,
    free: &impl Fn(u8) -> bool,
    loose: bool,
) -> Fit {
    let mut places: BTreeMap<u8, Place> = BTreeMap::new();
    if v.negative.is_some() {
        return nearest(words, v);
    }
    for (k, column) in &v.exercised {
        let direct: Vec<u8> = (0..WORD_BITS).filter(|&b| holds(b, column)).collect();
        let (candidates, inverted) = if direct.is_empty() && loose {
            let opposite = words
                .iter()
                .filter(|(b, w)| free(*b) && w.opposes(column, &v.present));
            (opposite.map(|(b, _)| b).collect(), true)
        } else {
            (direct, false)
        };
        let before = k.checked_sub(1).and_then(|k| places.get(&k));
        let bit = match candidates.as_slice() {
            [] => return nearest(words, v),
            [bit] => *bit,
            several => match before {
                Some(before) if several.contains(&(before.bit + 1)) => before.bit + 1,
                _ => return Fit::Several(several.to_vec()),
            },
        };
        places.insert(*k, Place { bit, inverted });
    }
    Fit::Found {
        places,
        sign: Sign::Unsigned,
    }
}

/// The contiguous field with the fewest samples against it; one that explains less than half of them
/// is none.
fn nearest(words: &Words, v: &Values) -> Fit {
    let mut best: Option<(i16, Column)> = None;
    for lo in -63..i16::from(WORD_BITS) {
        let mut against: Option<Column> = None;
        let mut whole = true;
        for (k, column) in &v.exercised {
            match at(lo, *k).and_then(|bit| words.column(bit)) {
                Some(word) => {
                    let here = word.differing(column, &v.present);
                    match &mut against {
                        Some(sum) => sum.or(&here),
                        None => against = Some(here),
                    }
                }
                None => whole = false,
            }
        }
        if let (true, Some(against)) = (whole, against)
            && best.as_ref().is_none_or(|b| against.count() < b.1.count())
        {
            best = Some((lo, against));
        }
    }
    let first = v.exercised.first().map_or(0, |e| e.0);
    let top = v.exercised.last().map_or(0, |e| e.0);
    let (nearest, against) = match best {
        Some((lo, against)) if against.count() * 2 <= v.present.count() => {
            (at(lo, first).map(|bit| (bit, first)), against)
        }
        _ => (None, v.present.clone()),
    };
    Fit::None {
        nearest,
        top,
        against: against.samples().collect(),
    }
}

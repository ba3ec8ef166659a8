//! The arguments of an instruction: up to four in place, which nearly all instructions have, more behind a
//! pointer. Knows nothing of what they mean.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

use super::func::Value;

/// As many stand in place.
const FEW: usize = 4;

/// In the places behind them, so that equal arguments are equal in all places.
pub(super) const FREE: Value = Value(0);

/// A list of values that is short as a rule.
#[derive(Clone)]
pub enum Args {
    /// So many, from the first place on.
    Few(u8, [Value; FEW]),
    /// More than that.
    #[allow(
        clippy::box_collection,
        reason = "it is rare, and instructions are many"
    )]
    Many(Box<Vec<Value>>),
}

impl Args {
    /// None.
    #[inline]
    pub const fn new() -> Args {
        Args::Few(0, [FREE; FEW])
    }

    /// These.
    #[inline]
    pub fn from_slice(values: &[Value]) -> Args {
        match *values {
            [] => Args::new(),
            [a] => Args::Few(1, [a, FREE, FREE, FREE]),
            [a, b] => Args::Few(2, [a, b, FREE, FREE]),
            [a, b, c] => Args::Few(3, [a, b, c, FREE]),
            [a, b, c, d] => Args::Few(4, [a, b, c, d]),
            _ => Args::Many(Box::new(values.to_vec())),
        }
    }

    /// What stands in place, where all of them do.
    #[inline]
    pub(super) const fn in_place(&self) -> Option<[Value; FEW]> {
        match self {
            Args::Few(_, few) => Some(*few),
            Args::Many(_) => None,
        }
    }

    /// As a slice.
    #[inline]
    pub fn as_slice(&self) -> &[Value] {
        self
    }

    /// One more behind them.
    #[inline]
    pub fn push(&mut self, value: Value) {
        match self {
            Args::Few(len, few) => match few.get_mut(usize::from(*len)) {
                Some(place) => {
                    *place = value;
                    *len += 1;
                }
                None => {
                    let mut many = few.to_vec();
                    many.push(value);
                    *self = Args::Many(Box::new(many));
                }
            },
            Args::Many(many) => many.push(value),
        }
    }

    /// More behind them.
    pub fn extend_from_slice(&mut self, values: &[Value]) {
        self.extend(values.iter().copied());
    }

    /// Keeps the first `len` at most.
    pub fn truncate(&mut self, keep: usize) {
        match self {
            Args::Few(len, few) => {
                let keep = keep.min(usize::from(*len));
                *len = keep as u8;
                few[keep..].fill(FREE);
            }
            Args::Many(many) => many.truncate(keep),
        }
    }
}

impl Deref for Args {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        match self {
            Args::Few(len, few) => few.get(..usize::from(*len)).unwrap_or(few),
            Args::Many(many) => many,
        }
    }
}

impl DerefMut for Args {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Value] {
        match self {
            Args::Few(len, few) => {
                // Never more than there are.
                let len = usize::from(*len).min(FEW);
                &mut few[..len]
            }
            Args::Many(many) => many,
        }
    }
}

impl PartialEq for Args {
    #[inline]
    fn eq(&self, other: &Args) -> bool {
        **self == **other
    }
}

impl Eq for Args {}

impl Hash for Args {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Extend<Value> for Args {
    #[inline]
    fn extend<I: IntoIterator<Item = Value>>(&mut self, values: I) {
        for value in values {
            self.push(value);
        }
    }
}

impl FromIterator<Value> for Args {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Args {
        let mut args = Args::new();
        args.extend(values);
        args
    }
}

impl<'a> IntoIterator for &'a Args {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Args {
    type Item = &'a mut Value;
    type IntoIter = std::slice::IterMut<'a, Value>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl Default for Args {
    fn default() -> Args {
        Args::new()
    }
}

impl fmt::Debug for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_values_is_kept_in_order() {
        for len in 0..9u32 {
            let values: Vec<Value> = (0..len).map(Value).collect();
            let at_once = Args::from_slice(&values);
            let one_by_one: Args = values.iter().copied().collect();
            assert_eq!(at_once.as_slice(), values);
            assert_eq!(at_once, one_by_one);
            for keep in 0..9 {
                let mut args = at_once.clone();
                args.truncate(keep);
                assert_eq!(args, Args::from_slice(&values[..keep.min(values.len())]));
                args.push(Value(77));
                assert_eq!(args.last(), Some(&Value(77)));
                assert_eq!(args.len(), keep.min(values.len()) + 1);
            }
        }
    }
}

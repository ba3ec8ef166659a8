//! What values have become in a pass that replaces values. Knows no pass.

use rustc_hash::FxHashMap;

use crate::ir::Value;

/// What a value has become. A replacement may be replaced itself, or be the value it stands for; the chain follows
/// definitions upwards, so it ends within the number of replacements.
#[inline]
pub(super) fn resolve(same: &FxHashMap<Value, Value>, mut value: Value) -> Value {
    for _ in 0..=same.len() {
        match same.get(&value) {
            Some(&next) if next != value => value = next,
            _ => break,
        }
    }
    value
}

/// Replaced values by number: for passes that ask of nearly every value.
#[derive(Debug, Default)]
pub(super) struct Replaced {
    by: Vec<Value>,
    count: usize,
}

/// No value: one that stays what it is.
const ITSELF: Value = Value(u32::MAX);

impl Replaced {
    /// Nothing is replaced yet; room for so many values comes with the first one that is.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many were replaced.
    pub fn len(&self) -> usize {
        self.count
    }

    /// A value becomes another. `values`: how many there are.
    pub fn insert(&mut self, value: Value, by: Value, values: usize) {
        if self.by.len() <= value.index() {
            self.by.resize(values.max(value.index() + 1), ITSELF);
        }
        if let Some(place) = self.by.get_mut(value.index()) {
            self.count += usize::from(*place == ITSELF);
            *place = by;
        }
    }

    /// Whether a value was replaced.
    #[inline]
    pub fn contains(&self, value: Value) -> bool {
        self.by.get(value.index()).is_some_and(|&by| by != ITSELF)
    }

    /// As [`resolve`].
    #[inline]
    pub fn resolve(&self, mut value: Value) -> Value {
        for _ in 0..=self.count {
            match self.by.get(value.index()) {
                Some(&next) if next != ITSELF && next != value => value = next,
                _ => break,
            }
        }
        value
    }
}

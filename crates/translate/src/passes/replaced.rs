//! What values have become in a pass that replaces values. Knows no pass.

use rustc_hash::FxHashMap;

use crate::ir::Value;

/// What a value has become. A replacement may be replaced itself, or be the value it stands for; the chain follows
/// definitions upwards, so it ends within the number of replacements.
pub(super) fn resolve(same: &FxHashMap<Value, Value>, mut value: Value) -> Value {
    for _ in 0..=same.len() {
        match same.get(&value) {
            Some(&next) if next != value => value = next,
            _ => break,
        }
    }
    value
}

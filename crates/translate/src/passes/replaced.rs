//! What values have become in a pass that replaces values. Knows no pass.

use rustc_hash::FxHashMap;

use crate::ir::dom::Dominators;
use crate::ir::{Block, Func, Value};

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
pub(crate) struct Replaced {
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

    /// The replaced values.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let replaced = (0..).zip(&self.by).filter(|&(_, &by)| by != ITSELF);
        replaced.map(|(number, _)| Value(number))
    }

    /// Whether a value was replaced.
    #[inline]
    pub fn contains(&self, value: Value) -> bool {
        self.by.get(value.index()).is_some_and(|&by| by != ITSELF)
    }

    /// Nothing is replaced any more.
    pub fn clear(&mut self) {
        self.by.clear();
        self.count = 0;
    }

    /// As [`resolve`].
    #[inline]
    pub fn resolve(&self, value: Value) -> Value {
        if self.contains(value) {
            self.follow(value)
        } else {
            value
        }
    }

    fn follow(&self, mut value: Value) -> Value {
        for _ in 0..=self.count {
            match self.by.get(value.index()) {
                Some(&next) if next != ITSELF && next != value => value = next,
                _ => break,
            }
        }
        value
    }

    /// Puts what values have become in their places in an instruction; whether there were any.
    #[inline]
    pub fn resolve_all(&self, args: &mut [Value]) -> bool {
        let mut changed = false;
        if !self.is_empty() {
            for arg in args {
                let new = self.resolve(*arg);
                changed |= new != *arg;
                *arg = new;
            }
        }
        changed
    }

    /// Puts what values have become in their places where a walk of the blocks in their order, in which
    /// instructions were resolved, could not: at the ends of blocks, and in those that cannot be reached.
    pub fn resolve_rest(&self, func: &mut Func, doms: &Dominators) {
        if self.is_empty() {
            return;
        }
        for block in func.blocks() {
            if !doms.reachable(block) {
                for at in 0..func.block(block).insts.len() {
                    let inst = func.block(block).insts[at];
                    self.resolve_all(&mut func.inst_mut(inst).args);
                }
            }
            self.resolve_end(func, block);
        }
    }

    fn resolve_end(&self, func: &mut Func, block: Block) {
        if let Some(term) = &mut func.block_mut(block).term {
            term.map_values(|v| self.resolve(v));
        }
    }

    /// Puts what values have become in their places everywhere; the instructions that made them go.
    pub fn settle(&self, func: &mut Func) {
        if self.is_empty() {
            return;
        }
        for block in func.blocks() {
            // Constants and inputs use nothing, and stay.
            let head = func.head_of(block);
            let mut insts = std::mem::take(&mut func.block_mut(block).insts);
            let mut kept = head;
            for at in head..insts.len() {
                let inst = insts[at];
                let data = func.inst_mut(inst);
                if !data.result.is_some_and(|v| self.contains(v)) {
                    self.resolve_all(&mut data.args);
                    insts[kept] = inst;
                    kept += 1;
                }
            }
            insts.truncate(kept);
            func.block_mut(block).insts = insts;
            self.resolve_end(func, block);
        }
    }
}

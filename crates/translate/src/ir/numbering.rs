//! A table of instructions by what they compute, for value numbering: finds one of the same operation on
//! the same arguments without a copy of either. Knows nothing of where instructions stand.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::func::{Inst, Value};
use super::op::{Op, Pure};

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of an operation and its arguments.
#[inline]
pub fn key(op: &Op, args: &[Value]) -> u32 {
    // The operations that most instructions are need no hasher.
    let start = match *op {
        Op::Pure(pure) => pure as u64,
        Op::Const32(x) => 1 << 32 | u64::from(x),
        Op::Const64(x) => x ^ 2 << 32,
        ref op => {
            let mut hasher = FxHasher::default();
            op.hash(&mut hasher);
            hasher.finish()
        }
    };
    let step =
        |hash: u64, arg: &Value| (hash.rotate_left(5) ^ u64::from(arg.0)).wrapping_mul(FACTOR);
    let hash = args.iter().fold(start.wrapping_mul(FACTOR), step);
    (hash >> 32) as u32 ^ hash as u32
}

/// The key of a pure operation, whose arguments stand in place with zeros behind them: for tables of such.
#[inline]
pub(super) fn pure_key(op: Pure, [x, y, z, _]: [Value; 4]) -> u32 {
    let start = (u64::from(x.0) | u64::from(y.0) << 32) ^ (op as u64) << 24;
    let hash = start.wrapping_mul(FACTOR) ^ u64::from(z.0);
    let hash = hash.rotate_left(32).wrapping_mul(FACTOR);
    (hash >> 32) as u32
}

/// A place of the table: the hash, and the instruction as the table counts them (0: free).
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u32,
    inst: u32,
}

/// Places of a table at first: what most blocks need.
const FIRST: usize = 64;

/// Instructions by their [`key`]. Open addressing; nothing is ever taken out but by [`Numbering::clear`].
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    /// A power of two of them, or none.
    slots: Vec<Slot>,
    /// Those taken.
    taken: usize,
    /// Instructions are counted from here on; what was cleared was counted below, and its places are free.
    base: u32,
    /// The greatest count of all.
    top: u32,
}

impl Numbering {
    /// An instruction of this key for which `is` holds.
    #[inline]
    pub fn find(&self, key: u32, mut is: impl FnMut(Inst) -> bool) -> Option<Inst> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = key as usize & mask;
        loop {
            // The mask keeps it inside; there is always a free place.
            let slot = self.slots[at];
            let inst = self.inst(slot)?;
            if slot.key == key && is(inst) {
                return Some(inst);
            }
            at = (at + 1) & mask;
        }
    }

    /// As [`Numbering::find`]; where there is none, one is added.
    #[inline]
    pub fn find_or_add(
        &mut self,
        key: u32,
        new: Inst,
        mut is: impl FnMut(Inst) -> bool,
    ) -> Option<Inst> {
        self.make_room();
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        loop {
            let slot = self.slots[at];
            let Some(inst) = self.inst(slot) else {
                self.put(at, key, new);
                return None;
            };
            if slot.key == key && is(inst) {
                return Some(inst);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds an instruction.
    #[inline]
    pub fn insert(&mut self, key: u32, inst: Inst) {
        self.find_or_add(key, inst, |_| false);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.taken = 0;
        self.base = self.top;
        // Long before counts end.
        if self.top > u32::MAX / 4 {
            self.slots.fill(Slot::default());
            (self.base, self.top) = (0, 0);
        }
    }

    /// The instruction of a place that is taken.
    #[inline]
    fn inst(&self, slot: Slot) -> Option<Inst> {
        slot.inst.checked_sub(self.base + 1).map(Inst)
    }

    #[inline]
    fn put(&mut self, at: usize, key: u32, inst: Inst) {
        let inst = inst.0 + self.base + 1;
        self.slots[at] = Slot { key, inst };
        self.taken += 1;
        self.top = self.top.max(inst);
    }

    #[inline]
    fn make_room(&mut self) {
        if (self.taken + 1) * 2 > self.slots.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = (self.slots.len() * 2).max(FIRST);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); len]);
        self.taken = 0;
        for slot in old {
            if let Some(inst) = self.inst(slot) {
                self.insert(slot.key, inst);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found_until_it_is_cleared() {
        let mut table = Numbering::default();
        assert_eq!(table.find(7, |_| true), None);
        // Many under few keys, so that places are fought for.
        for i in 0..1000 {
            table.insert(i % 7, Inst(i));
        }
        for i in 0..1000 {
            assert_eq!(table.find(i % 7, |inst| inst == Inst(i)), Some(Inst(i)));
        }
        assert_eq!(table.find(3, |inst| inst == Inst(4)), None);
        assert_eq!(table.find(8, |_| true), None);
        table.clear();
        assert_eq!(table.find(3, |_| true), None);
        table.insert(3, Inst(9));
        assert_eq!(table.find(3, |_| true), Some(Inst(9)));
    }

    #[test]
    fn a_key_depends_on_operation_and_arguments() {
        let (x, y) = (Value(1), Value(2));
        assert_eq!(key(&Op::Const32(1), &[]), key(&Op::Const32(1), &[]));
        assert_ne!(key(&Op::Const32(1), &[]), key(&Op::Const32(2), &[]));
        assert_ne!(key(&Op::Ballot, &[x]), key(&Op::Ballot, &[y]));
        assert_ne!(key(&Op::Ballot, &[x]), key(&Op::LaneBit, &[x]));
        assert_ne!(key(&Op::Shuffle, &[x, y]), key(&Op::Shuffle, &[y, x]));
    }
}

//! A table of instructions by what they compute, for value numbering: finds one of the same operation on
//! the same arguments without a copy of either. Knows nothing of where instructions stand.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::func::{Inst, Value};
use super::op::Op;

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
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let step =
        |hash: u64, arg: &Value| (hash.rotate_left(5) ^ u64::from(arg.0)).wrapping_mul(FACTOR);
    let hash = args.iter().fold(start.wrapping_mul(FACTOR), step);
    (hash >> 32) as u32 ^ hash as u32
}

/// A place of the table: the hash, and the instruction's number plus one (0: free).
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
    taken: Vec<u32>,
}

impl Numbering {
    /// A table with room for some instructions.
    pub fn with_room(insts: usize) -> Numbering {
        let mut table = Numbering::default();
        table.resize((insts * 2).next_power_of_two().max(16));
        table
    }

    /// An instruction of this key for which `is` holds.
    #[inline]
    pub fn find(&self, key: u32, mut is: impl FnMut(Inst) -> bool) -> Option<Inst> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = key as usize & mask;
        loop {
            // The mask keeps it inside; there is always a free place.
            let slot = self.slots[at];
            let inst = Inst(slot.inst.checked_sub(1)?);
            if slot.key == key && is(inst) {
                return Some(inst);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds an instruction.
    #[inline]
    pub fn insert(&mut self, key: u32, inst: Inst) {
        if (self.taken.len() + 1) * 2 > self.slots.len() {
            self.resize((self.slots.len() * 2).max(FIRST));
        }
        self.put(Slot {
            key,
            inst: inst.0 + 1,
        });
    }

    /// Forgets all, in time of what there is.
    pub fn clear(&mut self) {
        for at in self.taken.drain(..) {
            self.slots[at as usize] = Slot::default();
        }
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = slot.key as usize & mask;
        while self.slots[at].inst != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
        self.taken.push(at as u32);
    }

    fn resize(&mut self, len: usize) {
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); len]);
        let taken = std::mem::replace(&mut self.taken, Vec::with_capacity(len / 2));
        for at in taken {
            self.put(old[at as usize]);
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

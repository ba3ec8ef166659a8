//! What nobody uses goes: pure instructions of a function, types and constants of a module. Emission makes
//! some values before it knows that they fold away. Works on words; knows nothing of the IR.

use spirv::Op;

/// Which ids words use, one part of a module after another.
#[derive(Debug, Default)]
struct Used {
    /// By id: the last part that uses it, counted from 1; 0: none does.
    last: Vec<u32>,
    part: u32,
}

impl Used {
    fn clear(&mut self) {
        self.last.clear();
        self.part = 0;
    }

    /// Begins a part, whose ids are below `bound`.
    fn begin(&mut self, bound: u32) {
        self.part += 1;
        if self.last.len() < bound as usize {
            self.last.resize(bound as usize, 0);
        }
    }

    #[inline]
    fn insert_all(&mut self, ids: &[u32]) {
        for &id in ids {
            if let Some(last) = self.last.get_mut(id as usize) {
                *last = self.part;
            }
        }
    }

    /// Whether the part begun last uses it.
    #[inline]
    fn here(&self, id: u32) -> bool {
        self.last.get(id as usize) == Some(&self.part)
    }

    /// Whether any part uses it.
    #[inline]
    fn anywhere(&self, id: u32) -> bool {
        self.last.get(id as usize).is_some_and(|&last| last != 0)
    }
}

/// Made once where it dominates, and not needed without a use.
const PURE: u8 = 1;
/// In a function not needed without a use.
const LOCAL: u8 = 2;
/// A constant.
const CONSTANT: u8 = 4;
/// A type.
const TYPE: u8 = 8;
/// Names what is made later.
const PHI: u8 = 16;

/// By the number of an operation; the rest of them are numbered behind these.
const KINDS: [u8; 512] = {
    let constants = [
        Op::Constant,
        Op::ConstantTrue,
        Op::ConstantFalse,
        Op::ConstantComposite,
        Op::ConstantNull,
    ];
    let types = [
        Op::TypeVoid,
        Op::TypeBool,
        Op::TypeInt,
        Op::TypeFloat,
        Op::TypeVector,
        Op::TypeArray,
        Op::TypeRuntimeArray,
        Op::TypeStruct,
        Op::TypePointer,
        Op::TypeFunction,
    ];
    let locals = [
        Op::Load,
        Op::Variable,
        Op::GroupNonUniformBallot,
        Op::GroupNonUniformBroadcastFirst,
    ];
    let kinds = with([0; 512], super::numbers::PURE, PURE | LOCAL);
    let kinds = with(kinds, &constants, CONSTANT);
    let kinds = with(kinds, &types, TYPE);
    with(with(kinds, &locals, LOCAL), &[Op::Phi], PHI)
};

/// The table where these operations are of a kind.
const fn with(mut kinds: [u8; 512], ops: &[Op], kind: u8) -> [u8; 512] {
    let mut at = 0;
    while at < ops.len() {
        kinds[ops[at] as usize] = kind;
        at += 1;
    }
    kinds
}

/// The kind of the operation that the first word of an instruction names.
#[inline]
fn kind_of(first: u32) -> u8 {
    let number = first as usize & 0xffff;
    KINDS.get(number).copied().unwrap_or(0)
}

/// Whether an operation, by its number, is one of `numbers::PURE`.
#[inline]
pub fn has_pure_result(op: u32) -> bool {
    kind_of(op) & PURE != 0
}

/// Room for looking over words, and what they use.
#[derive(Debug, Default)]
pub struct Trim {
    starts: Vec<u32>,
    gone: Vec<(u32, u32)>,
    used: Used,
}

impl Trim {
    /// Forgets the functions.
    pub fn clear(&mut self) {
        self.used.clear();
    }

    /// Removes from `words`, behind `from`, the instructions that `is_unused` says so of, which knows what those
    /// behind use; what the others use is noted. Literals may be taken for ids, so that an instruction may stay
    /// without need.
    fn sweep(
        &mut self,
        words: &mut Vec<u32>,
        from: usize,
        is_unused: impl Fn(&Used, u8, &[u32]) -> bool,
    ) {
        self.starts.clear();
        self.gone.clear();
        let mut at = from;
        while let Some(&first) = words.get(at) {
            self.starts.push(at as u32);
            let next = at + (first >> 16).max(1) as usize;
            // What goes round a loop is used before it is made.
            if kind_of(first) == PHI {
                self.used
                    .insert_all(words.get(at..next).unwrap_or_default());
            }
            at = next;
        }
        let mut rest = words.as_slice();
        for &start in self.starts.iter().rev() {
            let Some((before, inst)) = rest.split_at_checked(start as usize) else {
                continue;
            };
            rest = before;
            let Some((&first, operands)) = inst.split_first() else {
                continue;
            };
            if is_unused(&self.used, kind_of(first), operands) {
                self.gone.push((start, start + inst.len() as u32));
            } else {
                self.used.insert_all(operands);
            }
        }
        let mut gone = self.gone.iter().rev();
        let Some(&(first, mut end)) = gone.next() else {
            return;
        };
        let mut to = first as usize;
        let rest = (words.len() as u32, words.len() as u32);
        for &(start, next) in gone.chain([&rest]) {
            words.copy_within(end as usize..start as usize, to);
            to += (start - end) as usize;
            end = next;
        }
        words.truncate(to);
    }

    /// Removes what a function, whose words are those behind `from`, does not use. Ids are below `bound`.
    pub fn function(&mut self, words: &mut Vec<u32>, from: usize, bound: u32) {
        self.used.begin(bound);
        self.sweep(words, from, |used, kind, operands| {
            kind & LOCAL != 0 && operands.get(1).is_some_and(|&id| !used.here(id))
        });
    }

    /// Removes types and constants that neither the functions nor other declarations use; what is used stays
    /// known to `annotations`.
    pub fn declarations(&mut self, words: &mut Vec<u32>, bound: u32) {
        self.used.begin(bound);
        self.sweep(words, 0, |used, kind, operands| {
            let result = match kind {
                CONSTANT => operands.get(1),
                TYPE => operands.first(),
                _ => None,
            };
            result.is_some_and(|&id| !used.anywhere(id))
        });
    }

    /// Appends to `kept` the decorations and names of what is used.
    pub fn annotations(&self, words: &[u32], kept: &mut Vec<u32>) {
        let mut rest = words;
        while let Some(&first) = rest.first() {
            let count = (first >> 16).max(1) as usize;
            let (inst, behind) = rest.split_at(count.min(rest.len()));
            if inst
                .get(1)
                .is_some_and(|&target| self.used.anywhere(target))
            {
                kept.extend_from_slice(inst);
            }
            rest = behind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::module::put;

    #[test]
    fn chains_without_use_go_and_effects_stay() {
        let mut words = Vec::new();
        put(&mut words, Op::IAdd, &[1, 10, 2, 3]);
        put(&mut words, Op::IMul, &[1, 11, 10, 10]);
        put(&mut words, Op::IAdd, &[1, 12, 2, 2]);
        put(&mut words, Op::Store, &[5, 12]);
        let mut wanted = Vec::new();
        put(&mut wanted, Op::IAdd, &[1, 12, 2, 2]);
        put(&mut wanted, Op::Store, &[5, 12]);
        Trim::default().function(&mut words, 0, 20);
        assert_eq!(words, wanted);
    }

    #[test]
    fn what_a_phi_takes_from_below_stays() {
        let mut words = Vec::new();
        put(&mut words, Op::Label, &[6]);
        put(&mut words, Op::Phi, &[1, 10, 2, 5, 11, 6]);
        put(&mut words, Op::IAdd, &[1, 11, 10, 3]);
        put(&mut words, Op::Branch, &[6]);
        let wanted = words.clone();
        Trim::default().function(&mut words, 0, 20);
        assert_eq!(words, wanted);
    }

    #[test]
    fn declarations_that_only_others_without_use_need_go() {
        let mut words = Vec::new();
        put(&mut words, Op::TypeInt, &[1, 32, 0]);
        put(&mut words, Op::TypeFloat, &[2, 32]);
        put(&mut words, Op::Constant, &[2, 40, 0x3f80_0000]);
        put(&mut words, Op::Constant, &[1, 41, 77]);
        let mut functions = Vec::new();
        put(&mut functions, Op::Store, &[45, 41]);
        let mut trim = Trim::default();
        trim.function(&mut functions, 0, 50);
        trim.declarations(&mut words, 50);
        let mut wanted = Vec::new();
        put(&mut wanted, Op::TypeInt, &[1, 32, 0]);
        put(&mut wanted, Op::Constant, &[1, 41, 77]);
        assert_eq!(words, wanted);
        let mut names = Vec::new();
        put(&mut names, Op::Name, &[40, 0]);
        let mut kept = Vec::new();
        trim.annotations(&names, &mut kept);
        assert!(kept.is_empty());
    }
}

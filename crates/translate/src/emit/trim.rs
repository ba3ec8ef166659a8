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
    /// Begins a part, whose ids are below `bound`.
    fn begin(&mut self, bound: u32) {
        self.part += 1;
        if self.last.len() < bound as usize {
            self.last.resize(bound as usize, 0);
        }
    }

    /// Whether any part uses it.
    fn anywhere(&self, id: u32) -> bool {
        self.last.get(id as usize).is_some_and(|&last| last != 0)
    }
}

/// Notes that a part uses ids; what is no id is not noted.
#[inline]
fn insert_all(last: &mut [u32], part: u32, ids: &[u32]) {
    for &id in ids {
        if let Some(last) = last.get_mut(id as usize) {
            *last = part;
        }
    }
}

/// Where the instructions of a body begin, and which of them name what is made behind them: those that take a
/// value round a loop.
#[derive(Debug, Default)]
pub struct Sites {
    /// Of all, in order.
    pub starts: Vec<u32>,
    /// Of those that look ahead.
    pub ahead: Vec<u32>,
}

/// Made once where it dominates, and not needed without a use.
const PURE: u8 = 1;
/// In a function not needed without a use.
const LOCAL: u8 = 2;
/// A constant.
const CONSTANT: u8 = 4;
/// A type.
const TYPE: u8 = 8;

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
    with(kinds, &locals, LOCAL)
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
        self.used.last.clear();
        self.used.part = 0;
    }

    /// Finds where the instructions from `from` to the end begin.
    fn find_starts(&mut self, words: &[u32], from: usize) {
        self.starts.clear();
        let mut at = from;
        while let Some(&first) = words.get(at) {
            self.starts.push(at as u32);
            at += (first >> 16).max(1) as usize;
        }
    }

    /// Removes from `words` the instructions that begin at `self.starts` and have a result, the operand that
    /// `result_at` gives for their kind, that no part from `least` on uses; what the others use is noted.
    /// Literals may be taken for ids, so that an instruction may stay without need.
    fn sweep(&mut self, words: &mut Vec<u32>, least: u32, result_at: impl Fn(u8) -> Option<usize>) {
        self.gone.clear();
        let (last, part) = (self.used.last.as_mut_slice(), self.used.part);
        let mut end = words.len();
        for &start in self.starts.iter().rev() {
            let start = start as usize;
            let Some([first, operands @ ..]) = words.get(start..end) else {
                continue;
            };
            let result = result_at(kind_of(*first)).and_then(|at| operands.get(at));
            let unused = result
                .and_then(|&id| last.get(id as usize))
                .is_some_and(|&last| last < least);
            if unused {
                self.gone.push((start as u32, end as u32));
            } else {
                insert_all(last, part, operands);
            }
            end = start;
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

    /// Removes what a function does not use: the last of the words, from `from` on; its body, of these sites,
    /// which are forgotten, begins where `words` ended before it was appended. Ids are below `bound`.
    pub fn function(
        &mut self,
        words: &mut Vec<u32>,
        (from, body): (usize, usize),
        sites: &mut Sites,
        bound: u32,
    ) {
        self.used.begin(bound);
        self.find_starts(words.get(..body).unwrap_or_default(), from);
        let moved = sites.starts.drain(..).map(|start| start + body as u32);
        self.starts.extend(moved);
        // What goes round a loop is used before it is made.
        for start in sites.ahead.drain(..) {
            let inst = words.get(body + start as usize..).unwrap_or_default();
            let len = inst.first().map_or(0, |first| first >> 16) as usize;
            let inst = inst.get(..len).unwrap_or_default();
            insert_all(&mut self.used.last, self.used.part, inst);
        }
        let part = self.used.part;
        self.sweep(words, part, |kind| (kind & LOCAL != 0).then_some(1));
    }

    /// Removes types and constants that neither the functions nor other declarations use; what is used stays
    /// known to `annotations`.
    pub fn declarations(&mut self, words: &mut Vec<u32>, bound: u32) {
        self.used.begin(bound);
        self.find_starts(words, 0);
        self.sweep(words, 1, |kind| match kind {
            CONSTANT => Some(1),
            TYPE => Some(0),
            _ => None,
        });
    }

    /// Appends to `kept` the decorations and names of what is used.
    pub fn annotations(&self, words: &[u32], kept: &mut Vec<u32>) {
        // What is kept goes in runs.
        let (mut from, mut at) = (0, 0);
        while let Some(&first) = words.get(at) {
            let next = at + (first >> 16).max(1) as usize;
            let target = words.get(at + 1);
            if !target.is_some_and(|&target| self.used.anywhere(target)) {
                kept.extend_from_slice(words.get(from..at).unwrap_or_default());
                from = next;
            }
            at = next;
        }
        kept.extend_from_slice(words.get(from..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::module::put;

    /// Trims a function that is all body.
    fn trimmed(words: &mut Vec<u32>, ahead: &[u32], bound: u32) -> Trim {
        let mut trim = Trim::default();
        trim.find_starts(words, 0);
        let mut sites = Sites {
            starts: trim.starts.clone(),
            ahead: ahead.to_vec(),
        };
        trim.function(words, (0, 0), &mut sites, bound);
        assert!(sites.starts.is_empty() && sites.ahead.is_empty());
        trim
    }

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
        trimmed(&mut words, &[], 20);
        assert_eq!(words, wanted);
    }

    #[test]
    fn what_a_phi_takes_from_below_stays() {
        let mut words = Vec::new();
        put(&mut words, Op::Label, &[6]);
        let phi = words.len() as u32;
        put(&mut words, Op::Phi, &[1, 10, 2, 5, 11, 6]);
        put(&mut words, Op::IAdd, &[1, 11, 10, 3]);
        put(&mut words, Op::Branch, &[6]);
        let wanted = words.clone();
        trimmed(&mut words, &[phi], 20);
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
        let mut trim = trimmed(&mut functions, &[], 50);
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

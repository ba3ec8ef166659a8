//! What nobody uses goes: pure instructions of a function, types and constants of a module. Emission makes
//! some values before it knows that they fold away. Uses are counted while instructions are written. Works on
//! words; knows nothing of the IR.

use spirv::Op;

use super::module::MAX_IDS;

/// How often each id is used. Literals are taken for ids too, so that something may stay without need.
#[derive(Debug, Default)]
pub struct Uses(Vec<u32>);

/// Ids that room is made for at once.
const AT_ONCE: usize = 1024;

impl Uses {
    /// Counts a use.
    #[inline]
    pub fn count(&mut self, id: u32) {
        match self.0.get_mut(id as usize) {
            Some(uses) => *uses += 1,
            None => self.reach(id),
        }
    }

    /// Counts the first use of an id.
    #[cold]
    fn reach(&mut self, id: u32) {
        if id <= MAX_IDS {
            self.make_room(id + 1);
            self.count(id);
        }
    }

    /// Makes room for the ids below a bound.
    fn make_room(&mut self, bound: u32) {
        while self.0.len() < bound as usize {
            self.0.extend_from_slice(&[0; AT_ONCE]);
        }
    }

    /// Forgets all.
    fn clear(&mut self) {
        self.0.truncate(AT_ONCE);
        self.0.fill(0);
    }

    /// Counts the uses of operands that may be any literals, for which no room is made.
    fn count_known(&mut self, operands: &[u32]) {
        for &id in operands {
            if let Some(uses) = self.0.get_mut(id as usize) {
                *uses = uses.saturating_add(1);
            }
        }
    }

    /// Counts the uses of operands.
    #[inline]
    pub fn count_all(&mut self, operands: &[u32]) {
        for &id in operands {
            self.count(id);
        }
    }

    /// Takes back a use.
    #[inline]
    pub fn forget(&mut self, id: u32) {
        if let Some(uses) = self.0.get_mut(id as usize) {
            *uses = uses.saturating_sub(1);
        }
    }

    /// Takes back that operands are used.
    fn forget_all(&mut self, operands: &[u32]) {
        for &id in operands {
            self.forget(id);
        }
    }

    /// Whether nothing uses it.
    #[inline]
    fn none(&self, id: u32) -> bool {
        self.0.get(id as usize).is_none_or(|&uses| uses == 0)
    }
}

/// What the end of a body has to look at.
#[derive(Debug, Default)]
pub struct Pending {
    /// Where those instructions begin, in order, that go if nothing uses their result; what they use is counted.
    pub droppable: Vec<u32>,
    /// Values in use that are not counted yet.
    pub used: Vec<u32>,
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
pub fn kind_of(first: u32) -> u8 {
    let number = first as usize & 0xffff;
    KINDS.get(number).copied().unwrap_or(0)
}

/// Whether an operation of this kind is one of `numbers::PURE`.
#[inline]
pub fn is_pure(kind: u8) -> bool {
    kind & PURE != 0
}

/// Whether one of this kind, in a function, goes if nothing uses its result.
#[inline]
pub fn is_droppable(kind: u8) -> bool {
    kind & LOCAL != 0
}

/// The operands behind the result that are counted, in two parts: the number of an extended instruction is no id.
#[inline]
fn counted(op: u32, operands: &[u32]) -> (&[u32], &[u32]) {
    match operands {
        [_, _, args @ ..] if op == Op::ExtInst as u32 => (&operands[..1], args),
        _ => (operands, &[]),
    }
}

/// The words of the instruction that begins somewhere.
#[inline]
fn inst_at(words: &[u32], at: usize) -> &[u32] {
    let rest = words.get(at..).unwrap_or_default();
    let len = rest.first().map_or(0, |first| first >> 16) as usize;
    rest.get(..len).unwrap_or_default()
}

/// Room for looking over words, and what they use.
#[derive(Debug, Default)]
pub struct Trim {
    /// Uses in what is written so far.
    pub uses: Uses,
    starts: Vec<u32>,
    /// What goes, from the last one on.
    gone: Vec<(u32, u32)>,
}

impl Trim {
    /// Forgets the module.
    pub fn clear(&mut self) {
        self.uses.clear();
    }

    /// Looks over declarations, or what stands before the body of a function: the words between two places. What
    /// is droppable and has a result, the operand that `result_at` gives for its kind, that nothing uses, is
    /// gone; what the others use is counted.
    fn sweep(
        &mut self,
        words: &[u32],
        (from, to): (usize, usize),
        result_at: impl Fn(u8) -> Option<usize>,
    ) {
        self.starts.clear();
        let mut at = from;
        while let Some(&first) = words.get(at)
            && at < to
        {
            self.starts.push(at as u32);
            at += (first >> 16).max(1) as usize;
        }
        for &start in self.starts.iter().rev() {
            let Some((&first, operands)) = inst_at(words, start as usize).split_first() else {
                continue;
            };
            let result = result_at(kind_of(first)).and_then(|at| operands.get(at));
            if result.is_some_and(|&id| self.uses.none(id)) {
                self.gone.push((start, start + (first >> 16)));
            } else {
                self.uses.count_known(operands);
            }
        }
    }

    /// Removes what is gone.
    fn remove(&mut self, words: &mut Vec<u32>) {
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
        self.gone.clear();
    }

    /// Removes what a function does not use: the last of the words, from `from` on; its body begins at `body`.
    /// What was pending is done then. All ids are below `bound`.
    pub fn function(
        &mut self,
        words: &mut Vec<u32>,
        (from, body): (usize, usize),
        pending: &mut Pending,
        bound: u32,
    ) {
        self.uses.make_room(bound);
        self.uses.count_known(&pending.used);
        pending.used.clear();
        for site in pending.droppable.drain(..).rev() {
            let start = body + site as usize;
            if let Some(&result) = words.get(start + 2)
                && self.uses.none(result)
                && let [first, ty, _, operands @ ..] = inst_at(words, start)
            {
                let (ids, more) = counted(first & 0xffff, operands);
                self.uses.forget_all(&[*ty]);
                self.uses.forget_all(ids);
                self.uses.forget_all(more);
                let end = start + operands.len() + 3;
                self.gone.push((start as u32, end as u32));
            }
        }
        self.sweep(words, (from, body), |kind| is_droppable(kind).then_some(1));
        self.remove(words);
    }

    /// Removes types and constants that neither the functions nor other declarations use; what is used stays
    /// known to `annotations`. All ids are below `bound`.
    pub fn declarations(&mut self, words: &mut Vec<u32>, bound: u32) {
        self.uses.make_room(bound);
        self.sweep(words, (0, words.len()), |kind| match kind {
            CONSTANT => Some(1),
            TYPE => Some(0),
            _ => None,
        });
        self.remove(words);
    }

    /// Appends to `kept` the decorations and names of what is used.
    pub fn annotations(&self, words: &[u32], kept: &mut Vec<u32>) {
        // What is kept goes in runs.
        let (mut from, mut at) = (0, 0);
        while let Some(&first) = words.get(at) {
            let next = at + (first >> 16).max(1) as usize;
            let target = words.get(at + 1);
            if target.is_none_or(|&target| self.uses.none(target)) {
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

    /// Appends an instruction of a body, as `code` does.
    fn write(
        words: &mut Vec<u32>,
        pending: &mut Pending,
        trim: &mut Trim,
        op: Op,
        operands: &[u32],
    ) {
        if is_droppable(kind_of(op as u32)) {
            pending.droppable.push(words.len() as u32);
            trim.uses.count(operands[0]);
            trim.uses.count_all(&operands[2..]);
        } else {
            pending.used.extend_from_slice(operands);
        }
        put(words, op, operands);
    }

    /// What is left of a function that is all body.
    fn trimmed(insts: &[(Op, &[u32])]) -> (Trim, Vec<u32>) {
        let (mut trim, mut words, mut pending) = (Trim::default(), Vec::new(), Pending::default());
        for (op, operands) in insts {
            write(&mut words, &mut pending, &mut trim, *op, operands);
        }
        trim.function(&mut words, (0, 0), &mut pending, 100);
        assert!(pending.droppable.is_empty() && pending.used.is_empty());
        (trim, words)
    }

    #[test]
    fn chains_without_use_go_and_effects_stay() {
        let (trim, words) = trimmed(&[
            (Op::IAdd, &[1, 10, 2, 3]),
            (Op::IMul, &[1, 11, 10, 10]),
            (Op::IAdd, &[1, 12, 2, 2]),
            (Op::Store, &[5, 12]),
        ]);
        let mut wanted = Vec::new();
        put(&mut wanted, Op::IAdd, &[1, 12, 2, 2]);
        put(&mut wanted, Op::Store, &[5, 12]);
        assert_eq!(words, wanted);
        assert!(trim.uses.none(3) && !trim.uses.none(2) && !trim.uses.none(1));
    }

    #[test]
    fn what_a_phi_takes_from_below_stays() {
        let insts: [(Op, &[u32]); 4] = [
            (Op::Label, &[6]),
            (Op::Phi, &[1, 10, 2, 5, 11, 6]),
            (Op::IAdd, &[1, 11, 10, 3]),
            (Op::Branch, &[6]),
        ];
        let mut wanted = Vec::new();
        for (op, operands) in insts {
            put(&mut wanted, op, operands);
        }
        assert_eq!(trimmed(&insts).1, wanted);
    }

    #[test]
    fn a_variable_goes_with_the_loads_that_nobody_needs() {
        let mut words = Vec::new();
        put(&mut words, Op::Variable, &[1, 20, 7]);
        put(&mut words, Op::Variable, &[1, 21, 7]);
        let kept = words[4..].to_vec();
        let body = words.len();
        let (mut trim, mut pending) = (Trim::default(), Pending::default());
        let mut inside = Vec::new();
        write(&mut inside, &mut pending, &mut trim, Op::Load, &[2, 30, 20]);
        write(&mut inside, &mut pending, &mut trim, Op::Store, &[21, 5]);
        words.append(&mut inside);
        trim.function(&mut words, (0, body), &mut pending, 100);
        let mut wanted = kept;
        put(&mut wanted, Op::Store, &[21, 5]);
        assert_eq!(words, wanted);
    }

    #[test]
    fn declarations_that_only_others_without_use_need_go() {
        let mut words = Vec::new();
        put(&mut words, Op::TypeInt, &[1, 32, 0]);
        put(&mut words, Op::TypeFloat, &[2, 32]);
        put(&mut words, Op::Constant, &[2, 40, 0x3f80_0000]);
        put(&mut words, Op::Constant, &[1, 41, 0x3f_ffff]);
        let (mut trim, _) = trimmed(&[(Op::Store, &[45, 41])]);
        trim.declarations(&mut words, 100);
        let mut wanted = Vec::new();
        put(&mut wanted, Op::TypeInt, &[1, 32, 0]);
        put(&mut wanted, Op::Constant, &[1, 41, 0x3f_ffff]);
        assert_eq!(words, wanted);
        // No room is made for the literal.
        assert!(trim.uses.0.len() <= 1024);
        let mut names = Vec::new();
        put(&mut names, Op::Name, &[40, 0]);
        let mut kept = Vec::new();
        trim.annotations(&names, &mut kept);
        assert!(kept.is_empty());
    }
}

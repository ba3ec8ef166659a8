//! What nobody uses goes: pure instructions of a function, types and constants of a module. Emission makes
//! some values before it knows that they fold away. Works on words; knows nothing of the IR.

use spirv::Op;

use super::numbers::is_pure;

/// A set of ids.
#[derive(Clone, Debug, Default)]
pub struct Ids(Vec<u64>);

impl Ids {
    fn below(bound: u32) -> Ids {
        Ids(vec![0; bound as usize / 64 + 1])
    }

    fn insert(&mut self, id: u32) {
        if let Some(word) = self.0.get_mut(id as usize / 64) {
            *word |= 1 << (id % 64);
        }
    }

    fn contains(&self, id: u32) -> bool {
        self.0
            .get(id as usize / 64)
            .is_some_and(|word| word >> (id % 64) & 1 != 0)
    }
}

/// Where the instructions of some words begin, and where the last one ends.
fn starts(words: &[u32]) -> Vec<usize> {
    let mut all = vec![0];
    let mut at = 0;
    while let Some(&first) = words.get(at) {
        at += (first >> 16).max(1) as usize;
        all.push(at.min(words.len()));
    }
    all
}

fn operation(words: &[u32]) -> Option<Op> {
    Op::from_u32(words.first()? & 0xffff)
}

/// Removes from `words` the instructions for which `drop` holds, given their operation and result, and
/// whose result is not used. `used`: what is used elsewhere; what is used here is added. Literals may be
/// taken for ids, so that an instruction may stay without need.
fn sweep(words: &mut Vec<u32>, used: &mut Ids, result_at: impl Fn(Op) -> Option<usize>) {
    let starts = starts(words);
    // What goes round a loop is used before it is made.
    for pair in starts.windows(2) {
        let inst = &words[pair[0]..pair[1]];
        if operation(inst) == Some(Op::Phi) {
            inst.iter().for_each(|&word| used.insert(word));
        }
    }
    let mut gone = Vec::new();
    for pair in starts.windows(2).rev() {
        let inst = &words[pair[0]..pair[1]];
        let result = operation(inst)
            .and_then(&result_at)
            .and_then(|at| inst.get(at));
        match result {
            Some(&id) if !used.contains(id) => gone.push((pair[0], pair[1])),
            _ => inst.iter().skip(1).for_each(|&word| used.insert(word)),
        }
    }
    if gone.is_empty() {
        return;
    }
    let mut kept = Vec::with_capacity(words.len());
    let mut from = 0;
    for &(start, end) in gone.iter().rev() {
        kept.extend_from_slice(&words[from..start]);
        from = end;
    }
    kept.extend_from_slice(&words[from..]);
    *words = kept;
}

/// Removes what a function does not use. Ids are below `bound`.
pub fn function(words: &mut Vec<u32>, bound: u32) {
    let mut used = Ids::below(bound);
    sweep(words, &mut used, |op| {
        let removable = is_pure(op)
            || matches!(
                op,
                Op::Load
                    | Op::Variable
                    | Op::GroupNonUniformBallot
                    | Op::GroupNonUniformBroadcastFirst
            );
        removable.then_some(2)
    });
}

/// Removes types and constants that neither the functions nor other declarations use; gives what is used.
pub fn declarations(words: &mut Vec<u32>, functions: &[u32], bound: u32) -> Ids {
    let mut used = Ids::below(bound);
    functions.iter().for_each(|&word| used.insert(word));
    sweep(words, &mut used, |op| match op {
        Op::Constant
        | Op::ConstantTrue
        | Op::ConstantFalse
        | Op::ConstantComposite
        | Op::ConstantNull => Some(2),
        Op::TypeVoid
        | Op::TypeBool
        | Op::TypeInt
        | Op::TypeFloat
        | Op::TypeVector
        | Op::TypeArray
        | Op::TypeRuntimeArray
        | Op::TypeStruct
        | Op::TypePointer
        | Op::TypeFunction => Some(1),
        _ => None,
    });
    used
}

/// Removes the decorations and names of what is not used.
pub fn annotations(words: &mut Vec<u32>, used: &Ids) {
    let starts = starts(words);
    let mut kept = Vec::with_capacity(words.len());
    for pair in starts.windows(2) {
        let inst = &words[pair[0]..pair[1]];
        if inst.get(1).is_some_and(|&target| used.contains(target)) {
            kept.extend_from_slice(inst);
        }
    }
    *words = kept;
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
        function(&mut words, 20);
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
        function(&mut words, 20);
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
        let used = declarations(&mut words, &functions, 50);
        let mut wanted = Vec::new();
        put(&mut wanted, Op::TypeInt, &[1, 32, 0]);
        put(&mut wanted, Op::Constant, &[1, 41, 77]);
        assert_eq!(words, wanted);
        let mut names = Vec::new();
        put(&mut names, Op::Name, &[40, 0]);
        annotations(&mut names, &used);
        assert!(names.is_empty());
    }
}

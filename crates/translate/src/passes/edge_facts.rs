//! A value that a branch has compared with a constant is that constant where the branch says so.
//!
//! Before: any function. After: behind a way that only a true or false condition takes, the condition is
//! written as that constant, and so is each value that the condition says is equal to one; the arguments
//! that the way itself hands over too. May not touch: operations, blocks, parameters, ways. Uniform values
//! only: conditions are uniform.
//!
//! A driver knows this rule as well. One was seen to lose the complement on the way (behind a false
//! `~x != 0` it takes `~x` for `x`), so leaving it nothing to find is worth more than the moves saved.

use smallvec::SmallVec;

use crate::ir::dom::Dominators;
use crate::ir::fold::Const;
use crate::ir::{Block, Func, Kind, Op, Pure, Terminator, Ty, Value};

/// Equalities that hold together: a value and the constant that it is.
type Facts = SmallVec<[(Value, Value); 4]>;

/// What a value is from a block on, and the number of what was known of it before.
#[derive(Debug)]
struct Fact {
    from: Block,
    constant: Value,
    before: u32,
}

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    /// By value: the number from 1 on of what was last learnt of it.
    last: Vec<u32>,
    facts: Vec<Fact>,
    /// By block: whether something is known in it.
    knows: Vec<bool>,
}

impl Room {
    /// What a value is known to be in a block.
    #[inline]
    fn known(&self, doms: &Dominators, block: Block, value: Value) -> Option<Value> {
        let mut number = self.last.get(value.index()).copied().unwrap_or(0);
        while let Some(at) = (number as usize).checked_sub(1) {
            let fact = &self.facts[at];
            if doms.dominates(fact.from, block) {
                return Some(fact.constant);
            }
            number = fact.before;
        }
        None
    }

    fn learn(&mut self, from: Block, value: Value, constant: Value) {
        if let Some(last) = self.last.get_mut(value.index()) {
            self.facts.push(Fact {
                from,
                constant,
                before: *last,
            });
            *last = self.facts.len() as u32;
            self.knows[from.index()] = true;
        }
    }
}

/// How many operators of a condition are looked through.
const DEPTH: u32 = 4;

/// Runs the pass; gives the number of uses replaced.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    run_in(&mut Room::default(), func, doms)
}

/// As [`run`].
pub fn run_in(room: &mut Room, func: &mut Func, doms: &Dominators) -> usize {
    room.last.clear();
    room.last.resize(func.value_count(), 0);
    room.facts.clear();
    room.knows.clear();
    room.knows.resize(func.block_count(), false);
    let mut replaced = 0;
    for &block in doms.order() {
        let above = doms
            .idom(block)
            .is_some_and(|above| room.knows[above.index()]);
        room.knows[block.index()] |= above;
        let knows = room.knows[block.index()];
        if knows {
            let insts = std::mem::take(&mut func.block_mut(block).insts);
            for &inst in &insts {
                for arg in &mut func.inst_mut(inst).args {
                    if let Some(constant) = room.known(doms, block, *arg) {
                        *arg = constant;
                        replaced += 1;
                    }
                }
            }
            func.block_mut(block).insts = insts;
        }
        let decides = matches!(func.block(block).term, Some(Terminator::Branch { .. }));
        if !knows && !decides {
            continue;
        }
        let Some(mut term) = func.block_mut(block).term.take() else {
            continue;
        };
        if knows {
            term.map_values(|v| match room.known(doms, block, v) {
                Some(constant) => {
                    replaced += 1;
                    constant
                }
                None => v,
            });
        }
        if let Terminator::Branch { cond, then, els } = &mut term {
            for (target, truth) in [(then, true), (els, false)] {
                let only = doms.ways_in(target.block).len() == 1;
                let mut facts = Facts::new();
                derive(func, *cond, truth, DEPTH, &mut facts);
                for (value, constant) in facts {
                    for arg in &mut target.args {
                        if *arg == value {
                            *arg = constant;
                            replaced += 1;
                        }
                    }
                    if only {
                        room.learn(target.block, value, constant);
                    }
                }
            }
        }
        func.block_mut(block).term = Some(term);
    }
    replaced
}

/// What follows from `cond` being `truth`.
fn derive(func: &mut Func, cond: Value, truth: bool, depth: u32, facts: &mut Facts) {
    if depth == 0 || func.as_const(cond).is_some() {
        return;
    }
    let constant = constant(func, Const::Bool(truth));
    facts.push((cond, constant));
    let Some(inst) = func.def_inst(cond) else {
        return;
    };
    let (op, args) = (inst.op, inst.args.clone());
    match (op, args.as_slice(), truth) {
        (Op::Pure(Pure::Not), &[x], _) => derive(func, x, !truth, depth - 1, facts),
        (Op::Pure(Pure::And), &[x, y], true) | (Op::Pure(Pure::Or), &[x, y], false) => {
            derive(func, x, truth, depth - 1, facts);
            derive(func, y, truth, depth - 1, facts);
        }
        (Op::Pure(Pure::Eq), &[x, y], true) | (Op::Pure(Pure::Ne), &[x, y], false) => {
            equal(func, x, y, facts);
            equal(func, y, x, facts);
        }
        _ => {}
    }
}

/// `value` is `constant`, if that is one, and what it complements is the complement.
fn equal(func: &mut Func, value: Value, constant: Value, facts: &mut Facts) {
    let Some(bits) = func.as_const(constant) else {
        return;
    };
    if func.as_const(value).is_some() {
        return;
    }
    facts.push((value, constant));
    if let Some(inst) = func.def_inst(value)
        && let (Op::Pure(Pure::Not), &[x]) = (inst.op, inst.args.as_slice())
        && func.as_const(x).is_none()
    {
        let other = self::constant(func, complement(bits));
        facts.push((x, other));
    }
}

/// The constant, at the head of the function.
fn constant(func: &mut Func, x: Const) -> Value {
    let (op, kind) = match x {
        Const::Bool(b) => (Op::ConstBool(b), Kind::Bool),
        Const::I32(x) => (Op::Const32(x), Kind::I32),
        Const::I64(x) => (Op::Const64(x), Kind::I64),
    };
    func.head_value(op, Ty::uniform(kind))
}

fn complement(x: Const) -> Const {
    match x {
        Const::Bool(b) => Const::Bool(!b),
        Const::I32(x) => Const::I32(!x),
        Const::I64(x) => Const::I64(!x),
    }
}

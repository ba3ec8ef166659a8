//! Ends a wave that goes back in its loops too often, with a recorded fault.
//!
//! Before: any function. After: every way that goes back counts the wave's budget down, and where nothing
//! is left, the wave records a fault at [`LOOP_BUDGET_FAULT`] and returns. So every wave ends. May not touch:
//! instructions, and ways that go on.
//!
//! The count is a parameter of every block; `simplify_params` removes those that are not needed.

use crate::ir::dom::Dominators;
use crate::ir::{Block, Builder, Func, Kind, Op, Target, Terminator, Ty, Value};
use crate::reflect::LOOP_BUDGET_FAULT;

/// Runs the pass with a budget of ways back; whether there was one.
pub fn run(f: &mut Func, budget: u32) -> bool {
    let doms = Dominators::new(f);
    let mut position = vec![usize::MAX; f.block_count()];
    for (i, &block) in doms.order().iter().enumerate() {
        position[block.index()] = i;
    }
    let back = |from: Block, to: Block| position[to.index()] <= position[from.index()];
    let blocks: Vec<Block> = f.blocks().collect();
    let any = doms.order().iter().any(|&from| {
        let successors = f.successors(from);
        successors.iter().any(|&to| back(from, to))
    });
    if !any {
        return false;
    }
    let whole = f.head_value(Op::Const32(budget), Ty::uniform(Kind::I32));
    let left: Vec<Value> = blocks
        .iter()
        .map(|&block| {
            if block == f.entry() {
                whole
            } else {
                f.add_param(block, Ty::uniform(Kind::I32))
            }
        })
        .collect();
    for (&from, &left) in blocks.iter().zip(&left) {
        let Some(mut term) = f.block_mut(from).term.take() else {
            continue;
        };
        let last = f.block(from).insts.last().copied();
        let pc = last.map_or(0, |inst| f.inst(inst).loc.0);
        for target in term.targets_mut() {
            if back(from, target.block) {
                let to = std::mem::replace(target, Target::new(from, Vec::new()));
                target.block = count(f, pc, left, to);
            } else {
                target.args.push(left);
            }
        }
        f.block_mut(from).term = Some(term);
    }
    true
}

/// A block that goes on to a target with one less of the budget, where there is one.
fn count(f: &mut Func, pc: u32, left: Value, to: Target) -> Block {
    let mut b = Builder::new(f);
    let (block, go_on, ends) = (b.new_block(), b.new_block(), b.new_block());
    b.switch_to(block);
    let none = b.eq32(left, 0);
    b.branch(
        none,
        Target::new(ends, Vec::new()),
        Target::new(go_on, Vec::new()),
    );
    b.switch_to(ends);
    let always = b.const_bool(true);
    let address = b.const64(LOOP_BUDGET_FAULT);
    b.fault(pc, address, always);
    b.ret();
    b.switch_to(go_on);
    let one = b.const32(1);
    let less = b.sub(left, one);
    let mut args = to.args;
    args.push(less);
    b.terminate(Terminator::Jump(Target::new(to.block, args)));
    block
}

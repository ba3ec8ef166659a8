//! Branches whose way is known become jumps.
//!
//! Before: any function. After: no branch or switch decides by a constant, or between ways that are the
//! same; blocks that nothing reaches are empty. May not touch: other instructions, parameters.

use crate::ir::dom::Dominators;
use crate::ir::{Func, Terminator};

/// Runs the pass; gives the number of branches that became jumps. The dominators become the function's own where the
/// flow changed.
pub fn run(func: &mut Func, doms: &mut Dominators) -> usize {
    let mut folded = 0;
    for block in func.blocks() {
        let Some(term) = func.block(block).term.as_ref() else {
            continue;
        };
        let constant = term.decider().and_then(|v| func.as_const(v));
        let target = match (term, constant) {
            (Terminator::Branch { then, els, .. }, _) if then == els => then.clone(),
            (Terminator::Branch { then, els, .. }, Some(c)) => {
                if c.is_zero() {
                    els.clone()
                } else {
                    then.clone()
                }
            }
            (Terminator::Switch { targets, .. }, Some(c)) => {
                let last = targets.len().saturating_sub(1);
                let index = usize::try_from(c.bits()).unwrap_or(last).min(last);
                match targets.get(index) {
                    Some(target) => target.clone(),
                    None => continue,
                }
            }
            _ => continue,
        };
        func.block_mut(block).term = Some(Terminator::Jump(target));
        folded += 1;
    }
    if folded > 0 {
        // What is cleared below leads to nothing that is reached.
        doms.take_from(func);
        for block in func.blocks() {
            if !doms.reachable(block) {
                let data = func.block_mut(block);
                data.insts.clear();
                data.term = Some(Terminator::Return);
            }
        }
    }
    folded
}

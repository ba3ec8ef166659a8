//! A pure instruction that equals a dominating one becomes it.
//!
//! Before: any function. After: no pure instruction, and no load of what nobody writes, is dominated by one
//! of the same operation on the same arguments (arguments of commutative operations in either order); no
//! fault by one of the same address and condition: of those only the first one of a wave counts. May not
//! touch: other effects, blocks, parameters. The replaced instructions are gone.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ir::dom::Dominators;
use crate::ir::{Args, Block, Func, Op, Value};

/// Values of one operation on the same arguments, with their blocks.
type Found = SmallVec<[(Block, Value); 2]>;

/// Runs the pass; gives the number of instructions removed.
pub fn run(func: &mut Func) -> usize {
    let doms = Dominators::new(func);
    let mut known: FxHashMap<(Op, Args), Found> = FxHashMap::default();
    let mut same: FxHashMap<Value, Value> = FxHashMap::default();
    let mut faults: FxHashMap<Args, SmallVec<[Block; 2]>> = FxHashMap::default();
    let mut repeated = 0;
    for &block in doms.order() {
        let mut insts = std::mem::take(&mut func.block_mut(block).insts);
        let head = if block == func.entry() {
            func.head_len()
        } else {
            0
        };
        let mut position = 0;
        insts.retain(|&inst| {
            position += 1;
            for arg in &mut func.inst_mut(inst).args {
                // A definition that dominates has been visited, and its replacement with it.
                *arg = same.get(arg).copied().unwrap_or(*arg);
            }
            let data = func.inst(inst);
            if let Op::Fault { .. } = data.op {
                let before = faults.entry(data.args.clone()).or_default();
                let again = before.iter().any(|&home| doms.dominates(home, block));
                repeated += usize::from(again);
                if !again {
                    before.push(block);
                }
                return !again;
            }
            let Some(result) = data.result else {
                return true;
            };
            let read_only = matches!(
                data.op,
                Op::Load {
                    read_only: true,
                    ..
                }
            );
            // A place in a bound buffer stays where it is used.
            let stays = matches!(data.op, Op::PtrBound { .. });
            if position <= head || stays || !(data.op.is_pure() || read_only) {
                return true;
            }
            let mut args = data.args.clone();
            if let Op::Pure(pure) = data.op
                && pure.commutes()
                && args.len() == 2
                && args[0] > args[1]
            {
                args.swap(0, 1);
            }
            let found = known.entry((data.op, args)).or_default();
            match found.iter().find(|(home, _)| doms.dominates(*home, block)) {
                Some(&(_, value)) => {
                    same.insert(result, value);
                    false
                }
                None => {
                    found.push((block, result));
                    true
                }
            }
        });
        func.block_mut(block).insts = insts;
    }
    if !same.is_empty() {
        func.map_uses(|v| same.get(&v).copied().unwrap_or(v));
    }
    same.len() + repeated
}

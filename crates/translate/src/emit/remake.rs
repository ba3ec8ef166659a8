//! Which per-lane values a slot loop makes anew where it uses them, instead of keeping them in arrays over
//! the slots: what is a few instructions of constants, inputs and uniform values. Knows nothing of SPIR-V.

use rustc_hash::{FxHashMap, FxHashSet};

use super::segments::{Class, class};
use crate::ir::{Func, Input, Kind, Op, Pure, Value};

/// Host instructions of a value at most.
const MAX_COST: u32 = 8;

/// The values that are made anew.
pub fn remade(func: &Func) -> FxHashSet<Value> {
    let shuffled = shuffled(func);
    let mut costs: FxHashMap<Value, u32> = FxHashMap::default();
    let mut all = FxHashSet::default();
    // A value's arguments dominate it; where an argument's block comes later in the list, the value is kept.
    for block in func.blocks() {
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            let Some(result) = data
                .result
                .filter(|v| func.is_lane(*v) && !shuffled.contains(v))
            else {
                continue;
            };
            let own = match data.op {
                Op::Input(Input::LocalId(_)) => Some(3),
                Op::Input(Input::LaneId) | Op::LaneBit => Some(1),
                Op::PtrBound { .. } => Some(0),
                Op::Pure(op) => pure_cost(op, func, &data.args),
                _ => None,
            };
            let cost = data
                .args
                .iter()
                .filter(|&&v| func.is_lane(v))
                .fold(own, |sum, v| Some(sum?.saturating_add(*costs.get(v)?)));
            if let Some(cost) = cost.filter(|&cost| cost <= MAX_COST) {
                costs.insert(result, cost);
                if class(func, inst) == Class::Lane {
                    all.insert(result);
                }
            }
        }
    }
    all
}

/// The values that shuffles read from other slots, which only arrays hold.
fn shuffled(func: &Func) -> FxHashSet<Value> {
    let insts = func.blocks().flat_map(|block| &func.block(block).insts);
    insts
        .map(|&inst| func.inst(inst))
        .filter(|data| data.op == Op::Shuffle)
        .filter_map(|data| data.args.first().copied())
        .collect()
}

fn pure_cost(op: Pure, func: &Func, args: &[Value]) -> Option<u32> {
    let wide = args.iter().any(|&v| func.kind(v) == Kind::I64);
    match op {
        Pure::UDiv | Pure::URem => None,
        Pure::ZExt | Pure::Lo | Pure::Hi | Pure::Pack => Some(0),
        _ if wide => Some(4),
        _ => Some(1),
    }
}

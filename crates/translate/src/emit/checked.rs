//! Places whose fault is recorded where the place is made: an address is translated and its fault
//! remembered by one call. Knows nothing of SPIR-V.
//!
//! That is so where the one fault of an address is of the lanes where a guard holds and the place is none.
//! Who accesses such a place does so only where the guard holds: lift makes one place for an access, with
//! its fault, and places are merged only together with their faults.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Def, Func, Inst, Op, Pure, Value};

/// How a place is made with its fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The lanes that want it; `None`: all.
    pub guard: Option<Value>,
    /// The guest instruction.
    pub pc: u32,
}

/// The places that are made with their faults, and the faults that are recorded so.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// By the instruction that makes the place.
    pub places: FxHashMap<Inst, Check>,
    /// The faults.
    pub faults: FxHashSet<Inst>,
    /// Whether there are other places.
    pub apart: bool,
}

/// The argument of a complement.
fn complement(func: &Func, value: Value) -> Option<Value> {
    let data = func.def_inst(value)?;
    (data.op == Op::Pure(Pure::Not)).then(|| data.args.first().copied())?
}

/// The place of which `value` says that it is none.
fn none(func: &Func, value: Value) -> Option<Value> {
    let ok = func.def_inst(complement(func, value)?)?;
    (ok.op == Op::PtrOk).then(|| ok.args.first().copied())?
}

/// The place and the guard of a fault's condition.
fn parts(func: &Func, bad: Value) -> Option<(Value, Option<Value>)> {
    if let Some(place) = none(func, bad) {
        return Some((place, None));
    }
    let both = func.def_inst(bad)?;
    match (both.op, both.args.as_slice()) {
        (Op::Pure(Pure::And), &[x, y]) => none(func, y)
            .map(|place| (place, Some(x)))
            .or_else(|| none(func, x).map(|place| (place, Some(y)))),
        _ => None,
    }
}

/// Looks over a function.
pub fn plan(func: &Func) -> Checks {
    // How many faults an address has.
    let mut count: FxHashMap<Value, u32> = FxHashMap::default();
    for block in func.blocks() {
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            if let (Op::Fault { .. }, Some(&address)) = (data.op, data.args.first()) {
                *count.entry(address).or_default() += 1;
            }
        }
    }
    let mut checks = Checks::default();
    // Where a value was made: instructions are counted from 1 through all blocks.
    let mut at = vec![
        0;
        if count.is_empty() {
            0
        } else {
            func.value_count()
        }
    ];
    let mut number = 0;
    let blocks = func.blocks().filter(|_| !count.is_empty());
    for block in blocks {
        let before = number;
        let made_at = |at: &[u32], value: Value| Some(at[value.index()]).filter(|&n| n > before);
        for &inst in &func.block(block).insts {
            number += 1;
            let data = func.inst(inst);
            if let Some(result) = data.result {
                at[result.index()] = number;
            }
            let Op::Fault { pc } = data.op else { continue };
            let &[address, bad] = data.args.as_slice() else {
                continue;
            };
            let Some((place, guard)) = parts(func, bad) else {
                continue;
            };
            let Def::Inst(maker) = func.def(place) else {
                continue;
            };
            let made = func.inst(maker);
            let of_address = matches!(made.op, Op::Ptr { .. } | Op::PtrBytes)
                && made.args.first() == Some(&address)
                && count.get(&address) == Some(&1);
            // The place is made in this block, and its guard before it.
            let Some(place_at) = made_at(&at, place) else {
                continue;
            };
            let in_time =
                guard.is_none_or(|guard| made_at(&at, guard).is_none_or(|n| n < place_at));
            // Both are done by each lane, or once for the wave.
            let lanes = |args: &[Value]| args.iter().any(|&arg| func.is_lane(arg));
            let same_shape = lanes(&made.args) == lanes(&data.args);
            if of_address && in_time && same_shape {
                checks.places.insert(maker, Check { guard, pc });
                checks.faults.insert(inst);
            }
        }
    }
    let insts = func.blocks().flat_map(|block| &func.block(block).insts);
    checks.apart = insts
        .filter(|&&inst| matches!(func.inst(inst).op, Op::Ptr { .. } | Op::PtrBytes))
        .any(|inst| !checks.places.contains_key(inst));
    checks
}

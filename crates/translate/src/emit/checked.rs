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

/// A fault in its block.
struct Fault {
    inst: Inst,
    pc: u32,
    /// Its number among the instructions of all blocks, which are counted from 1.
    number: u32,
    /// That of the last instruction before its block.
    before: u32,
}

/// Looks over a function.
pub fn plan(func: &Func) -> Checks {
    // By value: the number of the instruction that makes it.
    let mut at = vec![0; func.value_count()];
    let mut found = Vec::new();
    let mut places = Vec::new();
    let mut number = 0;
    for block in func.blocks() {
        let before = number;
        for &inst in &func.block(block).insts {
            number += 1;
            let data = func.inst(inst);
            if let Some(result) = data.result {
                at[result.index()] = number;
            }
            match data.op {
                Op::Fault { pc } => found.push(Fault {
                    inst,
                    pc,
                    number,
                    before,
                }),
                Op::Ptr { .. } | Op::PtrBytes => places.push(inst),
                _ => {}
            }
        }
    }
    let address = |fault: &Fault| func.inst(fault.inst).args.first().copied();
    let mut count: FxHashMap<Option<Value>, u32> = FxHashMap::default();
    for fault in &found {
        *count.entry(address(fault)).or_default() += 1;
    }
    let mut checks = Checks::default();
    for fault in &found {
        let data = func.inst(fault.inst);
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
            && count.get(&Some(address)) == Some(&1);
        // The place is made in this block, and its guard before it.
        let made_at = |value: Value| {
            let here = fault.before + 1..fault.number;
            Some(at[value.index()]).filter(|number| here.contains(number))
        };
        let Some(place_at) = made_at(place) else {
            continue;
        };
        let in_time = guard.is_none_or(|guard| made_at(guard).is_none_or(|n| n < place_at));
        // Both are done by each lane, or once for the wave.
        let lanes = |args: &[Value]| args.iter().any(|&arg| func.is_lane(arg));
        let same_shape = lanes(&made.args) == lanes(&data.args);
        if of_address && in_time && same_shape {
            let pc = fault.pc;
            checks.places.insert(maker, Check { guard, pc });
            checks.faults.insert(fault.inst);
        }
    }
    checks.apart = places.iter().any(|inst| !checks.places.contains_key(inst));
    checks
}

//! Places whose fault is recorded where the place is made: an address is translated and its fault
//! remembered by one call. Knows nothing of SPIR-V.
//!
//! That is so where the one fault of an address is of the lanes where a guard holds and the place is none.
//! Who accesses such a place does so only where the guard holds: lift makes one place for an access, with
//! its fault, and places are merged only together with their faults.

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
    /// The instructions that make the places, ascending.
    places: Vec<(Inst, Check)>,
    /// The faults, ascending.
    faults: Vec<Inst>,
    /// Whether there are other places.
    pub apart: bool,
}

impl Checks {
    /// How the place that an instruction makes is made with its fault, if it is.
    pub fn place(&self, inst: Inst) -> Option<Check> {
        let at = self.places.binary_search_by_key(&inst, |&(maker, _)| maker);
        Some(self.places.get(at.ok()?)?.1)
    }

    /// Whether a fault is recorded where its place is made.
    pub fn has_fault(&self, fault: Inst) -> bool {
        self.faults.binary_search(&fault).is_ok()
    }
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
#[derive(Clone, Copy, Debug)]
struct Fault {
    inst: Inst,
    pc: u32,
    address: Value,
    /// The lanes that have it.
    bad: Value,
    /// Its number among the instructions of all blocks, which are counted from 1.
    number: u32,
    /// That of the last instruction before its block.
    before: u32,
}

/// What a look over a function's instructions, in the order of its blocks, finds of faults and places; and the room
/// for it.
#[derive(Debug, Default)]
pub struct Found {
    /// By value, if there are faults: the number of the instruction that makes it.
    at: Vec<u32>,
    faults: Vec<Fault>,
    /// Instructions that make places of addresses.
    places: Vec<Inst>,
}

impl Found {
    /// Begins a function.
    pub fn begin(&mut self) {
        self.faults.clear();
        self.places.clear();
    }

    /// Says that an instruction makes a place of an address.
    pub fn place(&mut self, inst: Inst) {
        self.places.push(inst);
    }

    /// Says that it is a fault.
    pub fn fault(&mut self, inst: Inst, pc: u32, args: &[Value]) {
        if let &[address, bad] = args {
            self.faults.push(Fault {
                inst,
                pc,
                address,
                bad,
                number: 0,
                before: 0,
            });
        }
    }

    /// Numbers the instructions.
    fn number(&mut self, func: &Func) {
        self.at.clear();
        self.at.resize(func.value_count(), 0);
        let mut faults = self.faults.iter_mut().peekable();
        let mut number = 0;
        for block in func.blocks() {
            let before = number;
            for &inst in &func.block(block).insts {
                number += 1;
                let result = func.inst(inst).result;
                if let Some(at) = result.and_then(|result| self.at.get_mut(result.index())) {
                    *at = number;
                }
                if let Some(fault) = faults.next_if(|fault| fault.inst == inst) {
                    (fault.number, fault.before) = (number, before);
                }
            }
        }
    }

    /// How the place of a fault is made with it, and by which instruction, if it is. `alone`: no other fault has
    /// its address.
    fn check(&self, func: &Func, fault: &Fault, alone: bool) -> Option<(Inst, Check)> {
        let (place, guard) = parts(func, fault.bad)?;
        let Def::Inst(maker) = func.def(place) else {
            return None;
        };
        let made = func.inst(maker);
        let of_address = matches!(made.op, Op::Ptr { .. } | Op::PtrBytes)
            && made.args.first() == Some(&fault.address)
            && alone;
        // The place is made in this block, and its guard before it.
        let made_at = |value: Value| {
            let here = fault.before + 1..fault.number;
            self.at.get(value.index()).filter(|&at| here.contains(at))
        };
        let place_at = made_at(place)?;
        let in_time = guard.is_none_or(|guard| made_at(guard).is_none_or(|at| at < place_at));
        // Both are done by each lane, or once for the wave.
        let lanes = |args: &[Value]| args.iter().any(|&arg| func.is_lane(arg));
        let same_shape = lanes(&made.args) == lanes(&[fault.address, fault.bad]);
        let pc = fault.pc;
        (of_address && in_time && same_shape).then_some((maker, Check { guard, pc }))
    }

    /// What follows of it.
    pub fn plan(&mut self, func: &Func) -> Checks {
        if self.faults.is_empty() {
            return Checks {
                apart: !self.places.is_empty(),
                ..Checks::default()
            };
        }
        self.number(func);
        let mut addresses: Vec<Value> = self.faults.iter().map(|fault| fault.address).collect();
        addresses.sort_unstable();
        let alone = |address: &Value| {
            let below = addresses.partition_point(|other| other < address);
            addresses.get(below + 1) != Some(address)
        };
        let mut checks = Checks {
            places: Vec::with_capacity(self.faults.len()),
            faults: Vec::with_capacity(self.faults.len()),
            apart: false,
        };
        for fault in &self.faults {
            if let Some(place) = self.check(func, fault, alone(&fault.address)) {
                checks.places.push(place);
                checks.faults.push(fault.inst);
            }
        }
        checks.places.sort_unstable_by_key(|&(maker, _)| maker);
        checks.faults.sort_unstable();
        checks.apart = self.places.iter().any(|&inst| checks.place(inst).is_none());
        checks
    }
}

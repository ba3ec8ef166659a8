//! Whether a program of a graphics stage is exact for one lane of its wave (design: lane-wise).
//!
//! `settle`: selects of one condition inside each other are one, so that a register written under a mask and
//! then under its complement does not name what it held before. Before: any function. After: no select's
//! arm is a select of the same condition or its complement. May not touch: anything else.
//!
//! `run` changes nothing. Before and after: any function of one lane, cleaned up. What is found: uses of masks as anything but
//! the lane's own bit or "any lane" (numbers made of a ballot's bits, masks that differ between lanes),
//! inputs that say which lane or which workgroup it is, inputs without a counterpart, halves of an
//! interpolation, and writes of outputs by some lanes only.
//!
//! A mask is *even* where all its bits are equal: the ballots of such a function are, constants of all
//! ones or zero are, and logic of even masks is.

use rustc_hash::{FxHashMap, FxHashSet};
use spirdna_isa::stage::Hostless;

use crate::error::Reason;
use crate::ir::{
    Block, Def, Func, Input, Inst, Loc, Op, Output, Pure, StageInput, Terminator, Value,
};

/// What is known of a value as a mask.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mask {
    /// All its bits are equal.
    even: bool,
    /// A ballot is in it.
    ballot: bool,
}

impl Mask {
    /// Whether it is made of ballots, so that all its bits are equal.
    pub(super) fn is_even_ballot(self) -> bool {
        self.even && self.ballot
    }
}

const UNKNOWN: Mask = Mask {
    even: false,
    ballot: false,
};

/// Joins selects of one condition.
pub fn settle(func: &mut Func) {
    for block in func.blocks() {
        for at in 0..func.block(block).insts.len() {
            let inst = func.block(block).insts[at];
            let data = func.inst(inst);
            let (Op::Pure(Pure::Select), &[cond, then, els]) = (data.op, data.args.as_slice())
            else {
                continue;
            };
            let then = arm(func, cond, true, then);
            let els = arm(func, cond, false, els);
            let args = &mut func.inst_mut(inst).args;
            args[1] = then;
            args[2] = els;
        }
    }
}

/// What an arm is where the condition is known to hold, or not to.
fn arm(func: &Func, cond: Value, holds: bool, mut value: Value) -> Value {
    let inverse = |x: Value, of: Value| {
        func.def_inst(x)
            .is_some_and(|d| d.op == Op::Pure(Pure::Not) && d.args.first() == Some(&of))
    };
    while let Some(data) = func.def_inst(value)
        && let (Op::Pure(Pure::Select), &[other, then, els]) = (data.op, data.args.as_slice())
    {
        value = if other == cond {
            if holds { then } else { els }
        } else if inverse(other, cond) || inverse(cond, other) {
            if holds { els } else { then }
        } else {
            break;
        };
    }
    value
}

/// Everything that is not exact, by place. Barycentrics and vertices' attributes as numbers are where the host
/// has fragment barycentrics (`numbers`).
pub fn run(func: &Func, numbers: bool) -> Vec<(Loc, Reason)> {
    let masks = masks(func);
    let mask = |v: Value| masks.get(v.index()).copied().unwrap_or(UNKNOWN);
    let mut found = Vec::new();
    for block in func.blocks() {
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            let mut refuse = |reason| found.push((data.loc, reason));
            if let Op::Output {
                to: Output::PrimitiveNumber,
                ..
            } = data.op
            {
                if !data.args.first().is_some_and(|&v| is_number(func, v)) {
                    refuse(Reason::Export(
                        "something else where the pixel shader takes the primitive's number",
                    ));
                }
                continue;
            }
            for &arg in &data.args {
                if let Some(reason) = input(func, arg, numbers) {
                    refuse(reason);
                }
                if first_half(func, arg) {
                    refuse(Reason::Interpolation("half of one as a number"));
                }
            }
            match data.op {
                Op::LaneBit => {
                    if !data.args.iter().all(|&v| mask(v).even) {
                        refuse(Reason::OtherLanes("a mask that is not made of compares"));
                    }
                }
                Op::Pure(Pure::Eq | Pure::Ne) => {
                    let ballot = data.args.iter().any(|&v| mask(v).ballot);
                    if ballot && !data.args.iter().all(|&v| mask(v).even) {
                        refuse(Reason::OtherLanes("bits of a mask compared with a number"));
                    }
                }
                op if carries(&op) => {
                    let all = data.result.map_or(UNKNOWN, mask);
                    if all.ballot && !all.even {
                        refuse(Reason::OtherLanes("bits of a mask as a number"));
                    }
                }
                _ => {
                    if data.args.iter().any(|&v| mask(v).ballot) {
                        refuse(Reason::OtherLanes("bits of a mask as a number"));
                    }
                }
            }
        }
        ends(func, block, (&mask, numbers), &mut found);
    }
    found.extend(guards(func));
    found
}

/// What the end of a block uses.
fn ends(
    func: &Func,
    block: Block,
    (mask, numbers): (&dyn Fn(Value) -> Mask, bool),
    found: &mut Vec<(Loc, Reason)>,
) {
    let Some(term) = &func.block(block).term else {
        return;
    };
    let last = func.block(block).insts.last();
    let loc = last.map_or(Loc::default(), |&inst| func.inst(inst).loc);
    if let Terminator::Switch { value, .. } = term
        && mask(*value).ballot
    {
        found.push((loc, Reason::OtherLanes("bits of a mask as a number")));
    }
    term.for_each_value(|value| {
        if let Some(reason) = input(func, value, numbers) {
            found.push((loc, reason));
        }
        if first_half(func, value) {
            found.push((loc, Reason::Interpolation("half of one as a number")));
        }
    });
}

fn first_half(func: &Func, value: Value) -> bool {
    matches!(
        func.def_inst(value).map(|data| data.op),
        Some(Op::InterpFirst { .. })
    )
}

/// Whether a value is what a vertex wave has for the primitive's number.
fn is_number(func: &Func, value: Value) -> bool {
    let number = Input::Stage(StageInput::Unavailable(Hostless::PrimitiveNumber));
    func.def_inst(value)
        .is_some_and(|data| data.op == Op::Input(number))
}

/// Why an input may not be used, where it may not.
fn input(func: &Func, value: Value, numbers: bool) -> Option<Reason> {
    let Op::Input(input) = func.def_inst(value)?.op else {
        return None;
    };
    match input {
        Input::UserData(_) => None,
        Input::Stage(StageInput::Unavailable(what)) => Some(Reason::NoCounterpart(what.text())),
        Input::Stage(StageInput::Barycentric { .. } | StageInput::VertexAttribute { .. }) => {
            const LACKS: Reason =
                Reason::Interpolation("barycentrics as numbers, which this host does not have");
            (!numbers).then_some(LACKS)
        }
        Input::Stage(_) => None,
        Input::LaneId | Input::LaneLive | Input::LaunchVgpr(_) => {
            Some(Reason::OtherLanes("the lane's number"))
        }
        Input::GroupId(_)
        | Input::WaveInGroup
        | Input::WavesInGroup
        | Input::LocalId(_)
        | Input::GroupNumber
        | Input::Base { .. } => Some(Reason::Stage("memory or numbers of a workgroup")),
    }
}

/// Whether an operation's result is a mask where its arguments are.
fn carries(op: &Op) -> bool {
    matches!(
        op,
        Op::Pure(
            Pure::And
                | Pure::Or
                | Pure::Xor
                | Pure::Not
                | Pure::Select
                | Pure::Lo
                | Pure::Hi
                | Pure::Pack
        )
    )
}

/// What is known of every value: the greatest solution of "even", the least of "ballot".
pub(super) fn masks(func: &Func) -> Vec<Mask> {
    let mut masks = vec![
        Mask {
            even: true,
            ballot: false,
        };
        func.value_count()
    ];
    let feeds = feeds(func);
    let mut changed = true;
    while changed {
        changed = false;
        for block in func.blocks() {
            for (i, &param) in func.block(block).params.iter().enumerate() {
                let args = feeds.get(&(block, i)).map_or(&[][..], Vec::as_slice);
                let new = join(&masks, args);
                changed |= set(&mut masks, param, new);
            }
            for &inst in &func.block(block).insts {
                if let Some(result) = func.inst(inst).result {
                    let new = of_inst(func, &masks, &feeds, inst);
                    changed |= set(&mut masks, result, new);
                }
            }
        }
    }
    masks
}

fn set(masks: &mut [Mask], value: Value, new: Mask) -> bool {
    match masks.get_mut(value.index()) {
        Some(old) => {
            // Only ever towards the solution, so that it ends.
            let new = Mask {
                even: old.even && new.even,
                ballot: old.ballot || new.ballot,
            };
            let changed = *old != new;
            *old = new;
            changed
        }
        None => false,
    }
}

fn join(masks: &[Mask], args: &[Value]) -> Mask {
    let all = args
        .iter()
        .map(|v| masks.get(v.index()).copied().unwrap_or(UNKNOWN));
    all.fold(
        Mask {
            even: true,
            ballot: false,
        },
        |a, b| Mask {
            even: a.even && b.even,
            ballot: a.ballot || b.ballot,
        },
    )
}

/// The arguments that each parameter gets.
type Feeds = FxHashMap<(Block, usize), Vec<Value>>;

fn feeds(func: &Func) -> Feeds {
    let mut feeds = Feeds::default();
    for block in func.blocks() {
        let Some(term) = &func.block(block).term else {
            continue;
        };
        for target in term.targets() {
            for (i, &arg) in target.args.iter().enumerate() {
                feeds.entry((target.block, i)).or_default().push(arg);
            }
        }
    }
    feeds
}

fn of_inst(func: &Func, masks: &[Mask], feeds: &Feeds, inst: Inst) -> Mask {
    let data = func.inst(inst);
    match (data.op, data.args.as_slice()) {
        (Op::Const32(x), _) => Mask {
            even: x == 0 || x == u32::MAX,
            ballot: false,
        },
        (Op::Const64(x), _) => Mask {
            even: x == 0 || x == u64::MAX,
            ballot: false,
        },
        (Op::Ballot, _) => Mask {
            even: true,
            ballot: true,
        },
        (Op::Pure(Pure::Select), &[_, x, y]) => join(masks, &[x, y]),
        (Op::Pure(Pure::Pack), &[lo, hi]) => {
            let mut both = join(masks, &[lo, hi]);
            both.even &= same(func, feeds, lo, hi);
            both
        }
        (op, args) if carries(&op) => join(masks, args),
        _ => UNKNOWN,
    }
}

/// Whether two words are halves of one even mask: equal wherever the mask is even.
fn same(func: &Func, feeds: &Feeds, lo: Value, hi: Value) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![(lo, hi)];
    while let Some((lo, hi)) = work.pop() {
        if lo == hi || !seen.insert((lo, hi)) {
            continue;
        }
        if let (Some(x), Some(y)) = (func.as_const(lo), func.as_const(hi)) {
            if x == y {
                continue;
            }
            return false;
        }
        match (func.def(lo), func.def(hi)) {
            (Def::Param(a, i), Def::Param(b, j)) if a == b => {
                let get = |at: usize| feeds.get(&(a, at)).map_or(&[][..], Vec::as_slice);
                let (x, y) = (get(i as usize), get(j as usize));
                if x.len() != y.len() {
                    return false;
                }
                work.extend(x.iter().copied().zip(y.iter().copied()));
            }
            (Def::Inst(a), Def::Inst(b)) => {
                let (a, b) = (func.inst(a), func.inst(b));
                match (a.op, b.op) {
                    (Op::Pure(Pure::Lo), Op::Pure(Pure::Hi)) if a.args == b.args => {}
                    (Op::Pure(x), Op::Pure(y))
                        if x == y
                            && matches!(
                                x,
                                Pure::And | Pure::Or | Pure::Xor | Pure::Not | Pure::Select
                            ) =>
                    {
                        work.extend(a.args.iter().copied().zip(b.args.iter().copied()));
                    }
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
    true
}

/// Outputs that only some lanes write: of a vertex stage none may; of a pixel stage those lanes must be
/// the valid ones.
fn guards(func: &Func) -> Vec<(Loc, Reason)> {
    let mut found = Vec::new();
    for block in func.blocks() {
        let insts = &func.block(block).insts;
        for &inst in insts {
            let data = func.inst(inst);
            let (Op::Output { to, .. }, &[_, guard]) = (data.op, data.args.as_slice()) else {
                continue;
            };
            if to == Output::PrimitiveNumber || func.as_const(guard).is_some_and(|c| !c.is_zero()) {
                continue;
            }
            let pixel = matches!(to, Output::Color(..) | Output::Depth | Output::SampleMask);
            let valid = insts.iter().any(|&other| {
                let other = func.inst(other);
                other.op == Op::Valid && other.args.first() == Some(&guard)
            });
            if !(pixel && valid) {
                found.push((
                    data.loc,
                    Reason::Export("by some lanes only, and not those of a valid mask"),
                ));
            }
        }
    }
    found
}

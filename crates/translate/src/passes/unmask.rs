//! A select whose choice is known wherever anybody looks becomes that choice.
//!
//! Lift writes `select(active, new, old)` for every vector write. What reads the register under the same
//! mask, and everything computed from it for a store under that mask, never sees `old`.
//!
//! Before: any function. After: no `Select` of lanes (nor `And`, `Or` of Bools) has a condition that holds in
//! all lanes in which its result is looked at. May not touch: effects, flow, what any lane's effect sees. In
//! lanes that nobody looks at values may differ.
//!
//! Method: each per-lane value has conditions that hold where it is looked at; those of its users flow down
//! to it, and only what all of them agree on stays. `Store`, `Load` and the like look at their data where
//! their guard holds; ballots, lane reads and shuffles look everywhere. A condition is a Bool of the same
//! lane, or the lane's bit of a mask, that is computed before the value (its definition dominates), so that
//! at the value and at the user it is the same. Replaced values equal the old ones wherever their conditions
//! held in the old function: by induction over each operation, whatever else is replaced.

use crate::ir::dom::Dominators;
use crate::ir::{Block, Func, Inst, InstData, Kind, Op, Pure, Value};
use crate::passes::replaced::Replaced;

/// Conditions of a value at most; more are forgotten.
const MAX_CONDITIONS: u32 = 24;

/// A condition: a Bool, or a lane's bit of a mask, is true or false. Of a value of kind Bool the value is
/// meant, of any other the lane's bit of the mask. In one word, so that sets meet quickly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Condition(u32);

impl Condition {
    fn new(of: Value, holds: bool) -> Condition {
        Condition(of.0 << 1 | u32::from(holds))
    }

    fn of(self) -> Value {
        Value(self.0 >> 1)
    }

    fn holds(self) -> bool {
        self.0 & 1 != 0
    }
}

/// A sorted set, in the pass's list of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conditions {
    start: u32,
    len: u32,
}

/// Of what nobody looks at.
const NOBODY: Conditions = Conditions {
    start: u32::MAX,
    len: 0,
};

const EVERYWHERE: Conditions = Conditions { start: 0, len: 0 };

/// Block of a value, and position of its instruction in it (0: parameters).
type Place = (Block, u32);

const NOWHERE: Place = (Block(u32::MAX), 0);

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    place: Vec<Place>,
    /// By condition: what holds where it does, where somebody has asked.
    implied: Vec<Conditions>,
    /// Conditions that hold where a value is looked at. Of values that are not made of what may be replaced, and of
    /// those of the wave, it does not matter: `EVERYWHERE`.
    looked: Vec<Conditions>,
    /// The members of all sets, one set behind the other.
    members: Vec<Condition>,
    /// The instructions that may be replaced.
    choices: Vec<Inst>,
    /// Those that use what is made of them, block by block in their order.
    users: Vec<Inst>,
    /// By position in the order of the blocks: where the users end.
    ends: Vec<u32>,
    work: Vec<Condition>,
    /// By block: whether something that it passes on has changed since it last did. Only where ways go back.
    stale: Vec<bool>,
    same: Replaced,
}

struct Pass<'f> {
    func: &'f Func,
    doms: &'f Dominators,
    room: &'f mut Room,
    changed: bool,
    /// The block that passes on what it knows.
    at: Block,
}

/// Runs the pass; gives the number of instructions replaced. The dominators are the function's own.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    let mut room = Room::default();
    let found = find_in(&mut room, func, doms);
    room.same.settle(func);
    found
}

/// As [`run`], but that [`Room::replaced`] is still to be put into the function.
pub fn find_in(room: &mut Room, func: &Func, doms: &Dominators) -> usize {
    room.same.clear();
    if !room.collect(func, doms) {
        return 0;
    }
    let mut pass = Pass {
        func,
        doms,
        room,
        changed: false,
        at: func.entry(),
    };
    pass.solve();
    pass.replace();
    room.same.len()
}

/// Whether an instruction chooses in each lane.
fn chooses(func: &Func, data: &InstData) -> bool {
    let Some(result) = data.result else {
        return false;
    };
    match data.op {
        Op::Pure(Pure::Select) => func.is_lane(result),
        Op::Pure(Pure::And | Pure::Or) => func.is_lane(result) && func.kind(result) == Kind::Bool,
        _ => false,
    }
}

impl Room {
    /// What values have become in the last run.
    pub(crate) fn replaced(&self) -> &Replaced {
        &self.same
    }

    /// Finds where values are made, what may be replaced, and what uses it; whether there is any.
    fn collect(&mut self, func: &Func, doms: &Dominators) -> bool {
        let values = func.value_count();
        self.place.clear();
        self.place.resize(values, NOWHERE);
        self.looked.clear();
        self.looked.resize(values, EVERYWHERE);
        self.choices.clear();
        self.users.clear();
        self.ends.clear();
        let looked = &mut self.looked;
        for &block in doms.order() {
            let data = func.block(block);
            for &param in &data.params {
                self.place[param.index()] = (block, 0);
                // What comes back is not known yet.
                if doms.returns() && func.is_lane(param) {
                    looked[param.index()] = NOBODY;
                }
            }
            // Constants and inputs use nothing.
            let head = func.head_of(block);
            for (i, &inst) in (1..).zip(&data.insts[..head]) {
                if let Some(result) = func.inst(inst).result {
                    self.place[result.index()] = (block, i);
                }
            }
            for (i, &inst) in (head as u32 + 1..).zip(&data.insts[head..]) {
                let data = func.inst(inst);
                let uses = data.args.iter().any(|arg| looked[arg.index()] == NOBODY);
                if uses {
                    self.users.push(inst);
                }
                let Some(result) = data.result else { continue };
                self.place[result.index()] = (block, i);
                let chooses = chooses(func, data);
                if chooses {
                    self.choices.push(inst);
                }
                let made_of = uses && func.is_lane(result) && data.op.memory_guard().is_none();
                if chooses || made_of {
                    looked[result.index()] = NOBODY;
                }
            }
            self.ends.push(self.users.len() as u32);
            for target in data.term.iter().flat_map(|term| term.ways()) {
                for (param, arg) in func.block(target.block).params.iter().zip(&target.args) {
                    if looked[arg.index()] == NOBODY && func.is_lane(*param) {
                        looked[param.index()] = NOBODY;
                    }
                }
            }
        }
        if self.choices.is_empty() {
            return false;
        }
        self.members.clear();
        self.implied.clear();
        self.implied.resize(values * 2, NOBODY);
        true
    }
}

impl Pass<'_> {
    fn members(&self, set: Conditions) -> &[Condition] {
        let start = set.start as usize;
        self.room
            .members
            .get(start..start + set.len as usize)
            .unwrap_or_default()
    }

    /// The set of the members from `start` on.
    fn set_from(&self, start: usize) -> Conditions {
        match (self.room.members.len() - start) as u32 {
            0 => EVERYWHERE,
            len => Conditions {
                start: start as u32,
                len,
            },
        }
    }

    /// What is in either of two sets, the first ones of it.
    fn union(&mut self, a: Conditions, b: Conditions) -> Conditions {
        if b.len == 0 {
            return a;
        }
        if a.len == 0 {
            return b;
        }
        let start = self.room.members.len();
        let (mut i, mut j) = (a.start as usize, b.start as usize);
        let (end_a, end_b) = (i + a.len as usize, j + b.len as usize);
        while self.room.members.len() - start < MAX_CONDITIONS as usize {
            let next = match (i < end_a, j < end_b) {
                (true, true) => self.room.members[i].min(self.room.members[j]),
                (true, false) => self.room.members[i],
                (false, true) => self.room.members[j],
                (false, false) => break,
            };
            i += usize::from(i < end_a && self.room.members[i] == next);
            j += usize::from(j < end_b && self.room.members[j] == next);
            self.room.members.push(next);
        }
        self.set_from(start)
    }

    /// Whether `a` is computed before `b` on every way to it, and not with it.
    fn before(&self, a: Value, b: Value) -> bool {
        let ((block_a, at_a), (block_b, at_b)) =
            (self.room.place[a.index()], self.room.place[b.index()]);
        if block_a == NOWHERE.0 || block_b == NOWHERE.0 {
            false
        } else if block_a == block_b {
            at_a < at_b || at_b == 0 && at_a == 0 && a != b
        } else {
            self.doms.dominates(block_a, block_b)
        }
    }

    /// What holds where a condition does, itself included.
    fn implied(&mut self, condition: Condition) -> Conditions {
        let known = self.room.implied[condition.0 as usize];
        if known != NOBODY {
            return known;
        }
        let start = self.room.members.len();
        let mut work = std::mem::take(&mut self.room.work);
        work.push(condition);
        while let Some(condition) = work.pop() {
            let found = &self.room.members[start..];
            if found.contains(&condition) || found.len() >= MAX_CONDITIONS as usize {
                continue;
            }
            self.room.members.push(condition);
            let holds = condition.holds();
            let Some(InstData { op, args, .. }) = self.func.def_inst(condition.of()) else {
                continue;
            };
            let mut and = |of: Value, holds: bool| work.push(Condition::new(of, holds));
            match (op, args.as_slice()) {
                (Op::Pure(Pure::Not), &[x]) => and(x, !holds),
                (Op::Pure(Pure::And), &[x, y]) if holds => {
                    and(x, true);
                    and(y, true);
                }
                (Op::Pure(Pure::Or), &[x, y]) if !holds => {
                    and(x, false);
                    and(y, false);
                }
                (Op::LaneBit | Op::Ballot, &[x]) => and(x, holds),
                _ => {}
            }
        }
        self.room.work = work;
        self.room.members[start..].sort_unstable();
        let found = self.set_from(start);
        self.room.implied[condition.0 as usize] = found;
        found
    }

    /// A value is looked at where these conditions hold.
    #[inline]
    fn look(&mut self, value: Value, conditions: Conditions) {
        let old = self.room.looked[value.index()];
        if old != EVERYWHERE && old != conditions {
            self.look_anew(value, old, conditions);
        }
    }

    fn look_anew(&mut self, value: Value, old: Conditions, conditions: Conditions) {
        let start = self.room.members.len();
        let from = conditions.start as usize;
        // Both sets are sorted: they are walked together.
        let (mut at_old, end_old) = (old.start as usize, old.start as usize + old.len as usize);
        for at in from..from + conditions.len as usize {
            let condition = self.room.members[at];
            if old != NOBODY {
                while at_old < end_old && self.room.members[at_old] < condition {
                    at_old += 1;
                }
                if at_old == end_old {
                    break;
                }
                if self.room.members[at_old] != condition {
                    continue;
                }
            }
            if self.before(condition.of(), value) {
                self.room.members.push(condition);
            }
        }
        let mut kept = self.set_from(start);
        // What is there already is not there twice.
        if old != NOBODY && kept.len == old.len {
            self.room.members.truncate(start);
            kept = old;
        } else if kept.len == conditions.len {
            self.room.members.truncate(start);
            kept = conditions;
        }
        self.room.looked[value.index()] = kept;
        if old == NOBODY || old.len != kept.len {
            self.changed = true;
            self.note_changed(value);
        }
    }

    /// Notes which blocks have something else to pass on: the one that makes a value; of a parameter those that lead
    /// there. What the block at hand makes it has yet to come to.
    fn note_changed(&mut self, value: Value) {
        if !self.doms.returns() {
            return;
        }
        let (block, at) = self.room.place[value.index()];
        if at == 0 {
            for from in self.doms.ways_in(block) {
                self.room.stale[from.index()] = true;
            }
        } else if block != self.at
            && let Some(stale) = self.room.stale.get_mut(block.index())
        {
            *stale = true;
        }
    }

    /// The same, where also a Bool is true or false.
    fn look_where(&mut self, value: Value, conditions: Conditions, of: Value, holds: bool) {
        if self.room.looked[value.index()] != EVERYWHERE {
            let more = self.implied(Condition::new(of, holds));
            self.look_at_both(value, conditions, more);
        }
    }

    /// A value is looked at where the conditions of two sets hold.
    fn look_at_both(&mut self, value: Value, a: Conditions, b: Conditions) {
        let start = self.room.members.len();
        let all = self.union(a, b);
        self.look(value, all);
        // Of what was only on the way nothing is left.
        let now = self.room.looked[value.index()];
        if now == NOBODY || (now.start as usize) < start {
            self.room.members.truncate(start);
        } else if now.start != start as u32 {
            let (from, len) = (now.start as usize, now.len as usize);
            self.room.members.copy_within(from..from + len, start);
            self.room.members.truncate(start + len);
            self.room.looked[value.index()].start = start as u32;
        }
    }

    fn solve(&mut self) {
        let doms = self.doms;
        self.room.stale.clear();
        self.room.stale.resize(self.func.block_count(), true);
        // Each round takes a condition from a value, or is the last but one; the bound is a safeguard.
        let mut rounds = 0;
        loop {
            self.changed = false;
            for (i, &block) in doms.order().iter().enumerate().rev() {
                if std::mem::replace(&mut self.room.stale[block.index()], false) {
                    self.at = block;
                    self.block(i, block);
                }
            }
            rounds += 1;
            // Without a way back every user is seen before what it uses, and one round finds all.
            if !self.changed || !doms.returns() {
                return;
            }
            if rounds > 64 {
                self.room.looked.fill(EVERYWHERE);
                return;
            }
        }
    }

    fn block(&mut self, position: usize, block: Block) {
        let func = self.func;
        for target in func.block(block).term.iter().flat_map(|term| term.ways()) {
            let params = &func.block(target.block).params;
            for (&param, &arg) in params.iter().zip(&target.args) {
                self.pass_on(target.block, &target.args, param, arg);
            }
        }
        let ends = &self.room.ends;
        let start = position.checked_sub(1).map_or(0, |before| ends[before]);
        for at in (start..ends[position]).rev() {
            let inst = self.room.users[at as usize];
            self.inst(func.inst(inst));
        }
    }

    /// An argument is looked at where its parameter is. Conditions on other parameters of the block are
    /// conditions on what goes into them.
    fn pass_on(&mut self, block: Block, args: &[Value], param: Value, arg: Value) {
        let conditions = self.room.looked[param.index()];
        if conditions == NOBODY || self.room.looked[arg.index()] == EVERYWHERE {
            return;
        }
        let of_params = |pass: &Self, c: Condition| pass.room.place[c.of().index()] == (block, 0);
        let others = self.members(conditions);
        if !others.iter().any(|&c| of_params(self, c)) {
            return self.look(arg, conditions);
        }
        let params = &self.func.block(block).params;
        let mut all = EVERYWHERE;
        let from = conditions.start as usize;
        for at in from..from + conditions.len as usize {
            let condition = self.room.members[at];
            let one = if of_params(self, condition) {
                let given = params.iter().position(|&p| p == condition.of());
                let Some(&of) = given.and_then(|i| args.get(i)) else {
                    continue;
                };
                self.implied(Condition::new(of, condition.holds()))
            } else {
                Conditions {
                    start: at as u32,
                    len: 1,
                }
            };
            all = self.union(all, one);
        }
        self.look(arg, all);
    }

    fn inst(&mut self, data: &InstData) {
        let args = data.args.as_slice();
        let everywhere = EVERYWHERE;
        if let Some(at) = data.op.memory_guard() {
            let Some(&guard) = args.get(at) else { return };
            self.look(guard, everywhere);
            for (i, &arg) in args.iter().enumerate() {
                if i != at {
                    self.look_where(arg, everywhere, guard, true);
                }
            }
            return;
        }
        let Some(result) = data.result else {
            args.iter().for_each(|&arg| self.look(arg, everywhere));
            return;
        };
        // Of lanes only ballots and lane reads make what is uniform: they look everywhere.
        let conditions = self.room.looked[result.index()];
        if conditions == NOBODY {
            return;
        }
        match (data.op, args) {
            (Op::Shuffle, &[x, lane]) => {
                self.look(x, everywhere);
                // It names a lane in every lane.
                self.look(lane, everywhere);
            }
            (Op::Pure(Pure::BitsU | Pure::BitsS), &[x, at, n]) => {
                self.look(x, conditions);
                // They are in range in every lane.
                self.look(at, everywhere);
                self.look(n, everywhere);
            }
            (Op::Pure(Pure::Select), &[c, x, y]) => match self.known(conditions, c) {
                Some(true) => self.look(x, conditions),
                Some(false) => self.look(y, conditions),
                None => {
                    self.look(c, conditions);
                    self.look_where(x, conditions, c, true);
                    self.look_where(y, conditions, c, false);
                }
            },
            (Op::Pure(op @ (Pure::And | Pure::Or)), &[x, y])
                if self.func.kind(result) == Kind::Bool =>
            {
                let neutral = op == Pure::And;
                if self.known(conditions, x) == Some(neutral) {
                    self.look(y, conditions);
                } else if self.known(conditions, y) == Some(neutral) {
                    self.look(x, conditions);
                } else {
                    // The later one counts only where the earlier one does not decide.
                    let (first, then) = if self.before(y, x) { (y, x) } else { (x, y) };
                    self.look(first, conditions);
                    self.look_where(then, conditions, first, neutral);
                }
            }
            _ => args.iter().for_each(|&arg| self.look(arg, conditions)),
        }
    }

    /// Whether a Bool is true, or false, where conditions hold.
    #[inline]
    fn known(&self, conditions: Conditions, of: Value) -> Option<bool> {
        match self.members(conditions) {
            [] => None,
            conditions => self.known_to(conditions, of, 4),
        }
    }

    fn known_to(&self, conditions: &[Condition], of: Value, depth: u32) -> Option<bool> {
        // They are few, and in order; the last of a value is that it holds.
        let mut above = conditions.iter().rev().skip_while(|c| c.of() > of);
        if let Some(found) = above.next().filter(|c| c.of() == of) {
            return Some(found.holds());
        }
        let InstData { op, args, .. } = self.func.def_inst(of).filter(|_| depth > 0)?;
        let part = |of: Value| self.known_to(conditions, of, depth - 1);
        match (op, args.as_slice()) {
            (Op::Pure(Pure::Not), &[x]) => part(x).map(|holds| !holds),
            (Op::LaneBit, &[mask]) => part(mask),
            (Op::Pure(Pure::And), &[x, y]) => match (part(x), part(y)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            (Op::Pure(Pure::Or), &[x, y]) => match (part(x), part(y)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    fn replace(&mut self) {
        for at in 0..self.room.choices.len() {
            let inst = self.room.choices[at];
            let InstData {
                op, args, result, ..
            } = self.func.inst(inst);
            let Some(result) = *result else { continue };
            let conditions = self.room.looked[result.index()];
            if conditions == NOBODY || conditions == EVERYWHERE {
                continue;
            }
            let becomes = match (op, args.as_slice()) {
                (Op::Pure(Pure::Select), &[c, x, y]) => match self.known(conditions, c) {
                    Some(true) => Some(x),
                    Some(false) => Some(y),
                    None => None,
                },
                (Op::Pure(op @ (Pure::And | Pure::Or)), &[x, y]) => {
                    let neutral = *op == Pure::And;
                    if self.known(conditions, x) == Some(neutral) {
                        Some(y)
                    } else if self.known(conditions, y) == Some(neutral) {
                        Some(x)
                    } else {
                        None
                    }
                }
                _ => None,
            };
            if let Some(value) = becomes {
                let values = self.func.value_count();
                self.room.same.insert(result, value, values);
            }
        }
    }
}

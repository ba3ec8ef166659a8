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

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ir::dom::Dominators;
use crate::ir::{Block, Func, InstData, Kind, Op, Pure, Value};
use crate::passes::replaced::resolve;

/// Conditions of a value at most; more are forgotten.
const MAX_CONDITIONS: usize = 24;

/// A condition: a Bool, or a lane's bit of a mask, is true or false. Ordered, so that sets meet quickly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Condition {
    of: Value,
    holds: bool,
}

/// A sorted set. Of a value of kind Bool the value is meant, of any other the lane's bit of the mask.
type Conditions = SmallVec<[Condition; 8]>;

fn union(a: &[Condition], b: &[Condition]) -> Conditions {
    let mut all: Conditions = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(MAX_CONDITIONS);
    all
}

struct Pass<'f> {
    func: &'f Func,
    doms: Dominators,
    /// Block of each value, and position of its instruction in it (0: parameters).
    place: Vec<Option<(Block, u32)>>,
    implied: FxHashMap<Condition, Conditions>,
    /// Conditions that hold where a value is looked at; `None`: nobody looks.
    looked: Vec<Option<Conditions>>,
    changed: bool,
}

/// Runs the pass; gives the number of instructions replaced.
pub fn run(func: &mut Func) -> usize {
    let same = {
        let mut pass = Pass::new(func);
        pass.solve();
        pass.replacements()
    };
    if same.is_empty() {
        return 0;
    }
    func.map_uses(|v| resolve(&same, v));
    for block in func.blocks() {
        let mut insts = std::mem::take(&mut func.block_mut(block).insts);
        insts.retain(|&inst| {
            !func
                .inst(inst)
                .result
                .is_some_and(|v| same.contains_key(&v))
        });
        func.block_mut(block).insts = insts;
    }
    same.len()
}

impl<'f> Pass<'f> {
    fn new(func: &'f Func) -> Pass<'f> {
        let mut place = vec![None; func.value_count()];
        for block in func.blocks() {
            let data = func.block(block);
            for &param in &data.params {
                place[param.index()] = Some((block, 0));
            }
            for (i, &inst) in (1..).zip(&data.insts) {
                if let Some(result) = func.inst(inst).result {
                    place[result.index()] = Some((block, i));
                }
            }
        }
        Pass {
            doms: Dominators::new(func),
            place,
            implied: FxHashMap::default(),
            looked: vec![None; func.value_count()],
            changed: false,
            func,
        }
    }

    /// Whether `a` is computed before `b` on every way to it, and not with it.
    fn before(&self, a: Value, b: Value) -> bool {
        match (self.place[a.index()], self.place[b.index()]) {
            (Some((block_a, at_a)), Some((block_b, at_b))) => {
                if block_a == block_b {
                    at_a < at_b || at_b == 0 && at_a == 0 && a != b
                } else {
                    self.doms.dominates(block_a, block_b)
                }
            }
            _ => false,
        }
    }

    /// What holds where a condition does, itself included.
    fn implied(&mut self, condition: Condition) -> Conditions {
        if let Some(known) = self.implied.get(&condition) {
            return known.clone();
        }
        let mut found = Conditions::new();
        let mut work = vec![condition];
        while let Some(condition) = work.pop() {
            if found.contains(&condition) || found.len() >= MAX_CONDITIONS {
                continue;
            }
            found.push(condition);
            let Condition { of, holds } = condition;
            let Some(InstData { op, args, .. }) = self.func.def_inst(of) else {
                continue;
            };
            let mut and = |of: Value, holds: bool| work.push(Condition { of, holds });
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
        found.sort_unstable();
        self.implied.insert(condition, found.clone());
        found
    }

    /// A value is looked at where these conditions hold.
    fn look(&mut self, value: Value, conditions: &[Condition]) {
        if !self.func.is_lane(value) {
            return;
        }
        let old = self.looked[value.index()].take();
        let kept: Conditions = conditions
            .iter()
            .filter(|c| old.as_ref().is_none_or(|old| old.binary_search(c).is_ok()))
            .filter(|c| self.before(c.of, value))
            .copied()
            .collect();
        self.changed |= old.as_ref().is_none_or(|old| old.len() != kept.len());
        self.looked[value.index()] = Some(kept);
    }

    /// The same, where also a Bool is true or false.
    fn look_where(&mut self, value: Value, conditions: &[Condition], of: Value, holds: bool) {
        if self.func.is_lane(value) {
            let more = self.implied(Condition { of, holds });
            self.look(value, &union(conditions, &more));
        }
    }

    fn solve(&mut self) {
        let order: Vec<Block> = self.doms.order().to_vec();
        // Each round takes a condition from a value, or is the last but one; the bound is a safeguard.
        let mut rounds = 0;
        loop {
            self.changed = false;
            for &block in order.iter().rev() {
                self.block(block);
            }
            rounds += 1;
            if !self.changed {
                return;
            }
            if rounds > 64 {
                self.looked.fill(Some(Conditions::new()));
                return;
            }
        }
    }

    fn block(&mut self, block: Block) {
        let func = self.func;
        let data = func.block(block);
        if let Some(term) = &data.term {
            for target in term.targets() {
                let params = &func.block(target.block).params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    self.pass_on(params, &target.args, param, arg);
                }
            }
        }
        for &inst in data.insts.iter().rev() {
            self.inst(func.inst(inst));
        }
    }

    /// An argument is looked at where its parameter is. Conditions on other parameters of the block are
    /// conditions on what goes into them.
    fn pass_on(&mut self, params: &[Value], args: &[Value], param: Value, arg: Value) {
        if !self.func.is_lane(param) {
            // A uniform parameter gets uniform arguments.
            return;
        }
        let Some(conditions) = self.looked[param.index()].clone() else {
            return;
        };
        let mut all = Conditions::new();
        for condition in conditions {
            match params.iter().position(|&p| p == condition.of) {
                Some(i) => {
                    if let Some(&of) = args.get(i) {
                        let holds = condition.holds;
                        all = union(&all, &self.implied(Condition { of, holds }));
                    }
                }
                None => all.push(condition),
            }
        }
        all.sort_unstable();
        all.dedup();
        self.look(arg, &all);
    }

    fn inst(&mut self, data: &InstData) {
        let args = data.args.as_slice();
        let everywhere = Conditions::new();
        let guard_at = match data.op {
            Op::Load { .. }
            | Op::Atomic { .. }
            | Op::LdsLoad { .. }
            | Op::LdsAtomic { .. }
            | Op::ScratchLoad { .. }
            | Op::Fault { .. } => Some(1),
            Op::Store { .. } | Op::LdsStore { .. } | Op::ScratchStore { .. } => Some(2),
            _ => None,
        };
        if let Some(at) = guard_at {
            let Some(&guard) = args.get(at) else { return };
            self.look(guard, &everywhere);
            for (i, &arg) in args.iter().enumerate() {
                if i != at {
                    self.look_where(arg, &everywhere, guard, true);
                }
            }
            return;
        }
        let Some(result) = data.result else {
            args.iter().for_each(|&arg| self.look(arg, &everywhere));
            return;
        };
        if !self.func.is_lane(result) {
            // Of lanes only ballots and lane reads make what is uniform: they look everywhere.
            args.iter().for_each(|&arg| self.look(arg, &everywhere));
            return;
        }
        let Some(conditions) = self.looked[result.index()].clone() else {
            return;
        };
        match (data.op, args) {
            (Op::Shuffle, &[x, lane]) => {
                self.look(x, &everywhere);
                // It names a lane in every lane.
                self.look(lane, &everywhere);
            }
            (Op::Pure(Pure::BitsU | Pure::BitsS), &[x, at, n]) => {
                self.look(x, &conditions);
                // They are in range in every lane.
                self.look(at, &everywhere);
                self.look(n, &everywhere);
            }
            (Op::Pure(Pure::Select), &[c, x, y]) => match self.known(&conditions, c) {
                Some(true) => self.look(x, &conditions),
                Some(false) => self.look(y, &conditions),
                None => {
                    self.look(c, &conditions);
                    self.look_where(x, &conditions, c, true);
                    self.look_where(y, &conditions, c, false);
                }
            },
            (Op::Pure(op @ (Pure::And | Pure::Or)), &[x, y])
                if self.func.kind(result) == Kind::Bool =>
            {
                let neutral = op == Pure::And;
                if self.known(&conditions, x) == Some(neutral) {
                    self.look(y, &conditions);
                } else if self.known(&conditions, y) == Some(neutral) {
                    self.look(x, &conditions);
                } else {
                    // The later one counts only where the earlier one does not decide.
                    let (first, then) = if self.before(y, x) { (y, x) } else { (x, y) };
                    self.look(first, &conditions);
                    self.look_where(then, &conditions, first, neutral);
                }
            }
            _ => args.iter().for_each(|&arg| self.look(arg, &conditions)),
        }
    }

    /// Whether a Bool is true, or false, where conditions hold.
    fn known(&self, conditions: &[Condition], of: Value) -> Option<bool> {
        self.known_to(conditions, of, 4)
    }

    fn known_to(&self, conditions: &[Condition], of: Value, depth: u32) -> Option<bool> {
        if conditions.is_empty() {
            return None;
        }
        let holds = |holds| conditions.binary_search(&Condition { of, holds }).is_ok();
        if let Some(found) = [true, false].into_iter().find(|&h| holds(h)) {
            return Some(found);
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

    fn replacements(&self) -> FxHashMap<Value, Value> {
        let mut same = FxHashMap::default();
        for &block in self.doms.order() {
            for &inst in &self.func.block(block).insts {
                let InstData {
                    op, args, result, ..
                } = self.func.inst(inst);
                let Some(result) = *result else { continue };
                if !self.func.is_lane(result) {
                    continue;
                }
                let Some(conditions) = &self.looked[result.index()] else {
                    continue;
                };
                let becomes = match (op, args.as_slice()) {
                    (Op::Pure(Pure::Select), &[c, x, y]) => match self.known(conditions, c) {
                        Some(true) => Some(x),
                        Some(false) => Some(y),
                        None => None,
                    },
                    (Op::Pure(op @ (Pure::And | Pure::Or)), &[x, y])
                        if self.func.kind(result) == Kind::Bool =>
                    {
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
                    same.insert(result, value);
                }
            }
        }
        same
    }
}

//! A lane bit that nobody looks at on the way that hands it over is false there.
//!
//! A mask register holds what was left in it where a branch skips the code that writes it. Behind that, it is looked
//! at under the mask that the branch has found empty. What was left would be carried round loops, and a lane that
//! skips the code would differ from one that runs through it switched off.
//!
//! Before: any function. After: a Bool argument is the constant false where whatever is made of its parameter is looked
//! at only where a Bool is true that the way says no lane has. May not touch: anything else.
//!
//! That Bool's definition dominates the parameter's block and is not in it, so that it is the same where the way is
//! gone and where the parameter is looked at next. Whether something is looked at is asked of values that are not made
//! of the parameter: they are what they are, whatever it is.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::ir::dom::Dominators;
use crate::ir::{Block, Builder, Const, Def, Func, Inst, Kind, Op, Pure, Terminator, Value};

/// An argument: block, which of its ways, which of that way's.
#[derive(Clone, Copy, Debug)]
struct Place {
    block: Block,
    way: usize,
    arg: usize,
    param: Value,
    /// What no lane has there.
    none: Value,
}

/// Bools whose values are known.
type Facts = SmallVec<[(Value, bool); 16]>;

/// Values that are made of a parameter, and it.
type Made = SmallVec<[Value; 16]>;

/// Runs the pass; gives the number of arguments changed.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    let mut places = Vec::new();
    for &block in doms.order() {
        let Some(Terminator::Branch { cond, then, els }) = &func.block(block).term else {
            continue;
        };
        let Some((none, way)) = no_lane(func, *cond) else {
            continue;
        };
        let target = if way == 0 { then } else { els };
        let params = &func.block(target.block).params;
        for (arg, (&param, &value)) in params.iter().zip(&target.args).enumerate() {
            let is_false = func.as_const(value) == Some(Const::Bool(false));
            if func.kind(param) == Kind::Bool && !is_false {
                places.push(Place {
                    block,
                    way,
                    arg,
                    param,
                    none,
                });
            }
        }
    }
    if places.is_empty() {
        return 0;
    }
    let users = Users::of(func, doms);
    let mut left = STEPS_A_VALUE * func.value_count();
    let mut known: FxHashMap<(Value, Value), bool> = FxHashMap::default();
    places.retain(|place| {
        let Def::Param(join, _) = func.def(place.param) else {
            return false;
        };
        *known.entry((place.param, place.none)).or_insert_with(|| {
            let home = users.home(func, place.none);
            home.is_some_and(|home| home != join && doms.dominates(home, join))
                && users.looked_at_only_where(func, place.param, place.none, &mut left)
        })
    });
    if places.is_empty() {
        return 0;
    }
    let never = Builder::new(func).const_bool(false);
    for place in &places {
        if let Some(term) = &mut func.block_mut(place.block).term
            && let Some(target) = term.targets_mut().into_iter().nth(place.way)
            && let Some(arg) = target.args.get_mut(place.arg)
        {
            *arg = never;
        }
    }
    places.len()
}

/// How many operations what is looked at is made by.
const DEPTH: u32 = 4;

/// How many facts are compared with others in all, for each value of the function: far more than a compiler's program
/// takes.
const STEPS_A_VALUE: usize = 256;

/// How often facts are drawn from facts.
const ROUNDS: u32 = 6;

/// The Bool that no lane has on one way of a branch, and the number of that way.
fn no_lane(func: &Func, cond: Value) -> Option<(Value, usize)> {
    let data = func.def_inst(cond)?;
    let &[mask, zero] = data.args.as_slice() else {
        return None;
    };
    let way = match data.op {
        Op::Pure(Pure::Eq) => 0,
        Op::Pure(Pure::Ne) => 1,
        _ => return None,
    };
    let ballot = func.def_inst(mask)?;
    let zero = func.as_const(zero)?.is_zero();
    match (ballot.op, ballot.args.as_slice()) {
        (Op::Ballot, &[lanes]) if zero => Some((lanes, way)),
        _ => None,
    }
}

/// Who uses what.
#[derive(Debug)]
struct Users {
    /// By value.
    insts: Vec<SmallVec<[Inst; 2]>>,
    /// What terminators use.
    flows: FxHashSet<Value>,
    /// By instruction: its block.
    homes: Vec<Option<Block>>,
}

impl Users {
    fn of(func: &Func, doms: &Dominators) -> Users {
        let mut users = Users {
            insts: vec![SmallVec::new(); func.value_count()],
            flows: FxHashSet::default(),
            homes: vec![None; func.inst_count()],
        };
        for &block in doms.order() {
            let data = func.block(block);
            for &inst in &data.insts {
                users.homes[inst.index()] = Some(block);
                for arg in &func.inst(inst).args {
                    users.insts[arg.index()].push(inst);
                }
            }
            if let Some(term) = &data.term {
                term.for_each_value(|value| {
                    users.flows.insert(value);
                });
            }
        }
        users
    }

    fn home(&self, func: &Func, value: Value) -> Option<Block> {
        match func.def(value) {
            Def::Inst(inst) => *self.homes.get(inst.index())?,
            Def::Param(block, _) => Some(block),
        }
    }

    /// Whether what is made of a parameter is looked at only where `other` is true.
    fn looked_at_only_where(
        &self,
        func: &Func,
        param: Value,
        other: Value,
        left: &mut usize,
    ) -> bool {
        let mut made = Made::from_slice(&[param]);
        loop {
            let mut look = Look {
                users: self,
                func,
                other,
                made: &made,
                reached: made.clone(),
                left,
            };
            if !look.only_there(param, &Facts::new(), DEPTH) {
                return false;
            }
            // What has said something may be what the parameter has been followed to since.
            if look.reached.len() == made.len() {
                return true;
            }
            made = look.reached;
        }
    }
}

/// A look at what is made of a parameter.
struct Look<'a> {
    users: &'a Users,
    func: &'a Func,
    other: Value,
    /// Values that may depend on the parameter: they say nothing.
    made: &'a Made,
    /// Values that do as far as is known now.
    reached: Made,
    /// Steps that are left.
    left: &'a mut usize,
}

impl Look<'_> {
    /// Whether what is made of a value is looked at only where `other` is true, and these facts hold.
    fn only_there(&mut self, value: Value, facts: &Facts, depth: u32) -> bool {
        if depth == 0 || self.users.flows.contains(&value) {
            return false;
        }
        let Some(users) = self.users.insts.get(value.index()) else {
            return false;
        };
        users
            .iter()
            .all(|&inst| self.use_only_there(value, inst, facts, depth))
    }

    fn use_only_there(&mut self, value: Value, inst: Inst, facts: &Facts, depth: u32) -> bool {
        let data = self.func.inst(inst);
        let (Op::Pure(op), Some(result)) = (data.op, data.result) else {
            return false;
        };
        let mut facts = facts.clone();
        let mut says = |known: Value, holds: bool| {
            if !self.made.contains(&known) {
                facts.push((known, holds));
            }
        };
        match (op, data.args.as_slice()) {
            (Pure::Not, _) => {}
            (Pure::And, &[x, y]) if x != y && self.func.kind(x) == Kind::Bool => {
                says(if x == value { y } else { x }, true);
            }
            (Pure::Or, &[x, y]) if x != y && self.func.kind(x) == Kind::Bool => {
                says(if x == value { y } else { x }, false);
            }
            (Pure::Select, &[cond, x, y]) => {
                if x != y {
                    says(cond, x == value);
                }
            }
            _ => return false,
        }
        if self.follows(&facts) {
            return true;
        }
        if !self.spend(self.reached.len()) {
            return false;
        }
        if !self.reached.contains(&result) {
            self.reached.push(result);
        }
        self.only_there(result, &facts, depth - 1)
    }

    /// Whether the other Bool is true where these facts hold, as values that are not made of the parameter say.
    fn follows(&mut self, facts: &Facts) -> bool {
        let mut known = facts.clone();
        for _ in 0..ROUNDS {
            let before = known.len();
            for at in 0..before {
                if !self.spend(known.len() + self.made.len()) {
                    return false;
                }
                self.draw(at, &mut known);
            }
            if known.contains(&(self.other, true)) {
                return true;
            }
            if known.len() == before {
                return false;
            }
        }
        false
    }

    /// Adds what the fact of that number says.
    fn draw(&self, at: usize, known: &mut Facts) {
        let Some(&(value, holds)) = known.get(at) else {
            return;
        };
        let Some(data) = self.func.def_inst(value) else {
            return;
        };
        let is = |v: Value, known: &Facts| known.iter().find(|f| f.0 == v).map(|f| f.1);
        let learn = |v: Value, holds: bool, known: &mut Facts| {
            if is(v, known).is_none() && !self.made.contains(&v) {
                known.push((v, holds));
            }
        };
        match (data.op, data.args.as_slice()) {
            (Op::Pure(Pure::Not), &[x]) => learn(x, !holds, known),
            (Op::Pure(Pure::And), &[x, y]) | (Op::Pure(Pure::Or), &[x, y]) => {
                // An And that holds, an Or that does not: both are as it is.
                let all = data.op == Op::Pure(Pure::And);
                if holds == all {
                    learn(x, all, known);
                    learn(y, all, known);
                } else if is(x, known) == Some(all) {
                    learn(y, !all, known);
                } else if is(y, known) == Some(all) {
                    learn(x, !all, known);
                }
            }
            _ => {}
        }
    }

    /// Takes steps; whether there were as many.
    fn spend(&mut self, steps: usize) -> bool {
        let enough = *self.left >= steps;
        *self.left = self.left.saturating_sub(steps);
        enough
    }
}

#[cfg(test)]
mod tests;

//! Whether a lane without p leaves a region as it came: everything that it still has where the ways meet is
//! what it would have had if it had gone there at once, and nothing happens for it in between.
//!
//! A lane without p is followed through the region, however the wave runs there. Each value is found to be
//! what a value was when the lane came to the branch (`Then`), a known Bool, or something else. A region may
//! hold the branch itself (a loop that lanes leave one by one): then values of blocks that dominate the branch
//! have an old and a new instance, and what a use sees depends on whether the block can be reached again
//! without a new one.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{Parting, Region, homes};
use crate::ir::dom::Dominators;
use crate::ir::image::ImageOp;
use crate::ir::{Block, Const, Func, InstData, Kind, Op, Pure, Shape, Value};

/// What a value is to a lane without p, wherever it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// Nothing has been seen yet.
    Unseen,
    /// What this value was when the lane came to the branch, or would have been if it had been made then.
    Then(Value),
    Bool(bool),
    /// Anything.
    Any,
}

impl Held {
    fn meet(self, other: Held) -> Held {
        match (self, other) {
            (Held::Unseen, x) | (x, Held::Unseen) => x,
            (a, b) if a == b => a,
            _ => Held::Any,
        }
    }
}

/// What does not depend on the region.
pub(super) struct Facts {
    homes: Vec<Option<Block>>,
    /// Blocks that use each value, other than those that make it.
    users: Vec<SmallVec<[Block; 2]>>,
    preds: Vec<SmallVec<[Block; 2]>>,
}

impl Facts {
    pub(super) fn new(func: &Func, doms: &Dominators) -> Facts {
        let homes = homes(func, doms);
        let mut users = vec![SmallVec::new(); func.value_count()];
        let mut preds = vec![SmallVec::new(); func.block_count()];
        for &block in doms.order() {
            let mut used = |v: Value| {
                let users: &mut SmallVec<[Block; 2]> = &mut users[v.index()];
                if homes[v.index()] != Some(block) && users.last() != Some(&block) {
                    users.push(block);
                }
            };
            for &inst in &func.block(block).insts {
                func.inst(inst).args.iter().for_each(|&v| used(v));
            }
            if let Some(term) = &func.block(block).term {
                term.for_each_value(&mut used);
            }
            for next in func.successors(block) {
                let preds: &mut SmallVec<[Block; 2]> = &mut preds[next.index()];
                if preds.last() != Some(&block) {
                    preds.push(block);
                }
            }
        }
        Facts {
            homes,
            users,
            preds,
        }
    }
}

struct Lane<'a> {
    func: &'a Func,
    facts: &'a Facts,
    parting: &'a Parting,
    region: &'a Region,
    /// Bools that p = false says.
    said: FxHashMap<Value, bool>,
    /// What the region's values are when they are made in it.
    made: FxHashMap<Value, Held>,
    /// By block that dominates the branch: what is reached from the region's begin without it.
    without: FxHashMap<Block, FxHashSet<Block>>,
}

/// Whether it does.
pub(super) fn leaves_as_it_came(
    func: &Func,
    doms: &Dominators,
    facts: &Facts,
    parting: &Parting,
    region: &Region,
) -> bool {
    let mut lane = Lane {
        func,
        facts,
        parting,
        region,
        said: said(func, parting.p, false),
        made: FxHashMap::default(),
        without: FxHashMap::default(),
    };
    for &block in &region.blocks {
        if doms.dominates(block, parting.branch) {
            let reached = lane.reached_without(block);
            lane.without.insert(block, reached);
        }
    }
    lane.solve();
    lane.is_left_alone() && lane.meets_as_it_was() && lane.keeps_what_is_used()
}

/// The Bools that `p` being true or false makes known.
pub(super) fn said(func: &Func, p: Value, holds: bool) -> FxHashMap<Value, bool> {
    let mut said = FxHashMap::default();
    let mut work = vec![(p, holds)];
    while let Some((value, holds)) = work.pop() {
        if func.as_const(value).is_some() || said.insert(value, holds).is_some() {
            continue;
        }
        let Some(data) = func.def_inst(value) else {
            continue;
        };
        match (data.op, holds) {
            (Op::Pure(Pure::Not), _) => work.extend(data.args.iter().map(|&v| (v, !holds))),
            (Op::Pure(Pure::And), true) | (Op::Pure(Pure::Or), false) => {
                work.extend(data.args.iter().map(|&v| (v, holds)));
            }
            _ => {}
        }
    }
    said
}

impl Lane<'_> {
    fn reached_without(&self, avoided: Block) -> FxHashSet<Block> {
        let mut reached = FxHashSet::default();
        let mut work = vec![self.region.go];
        while let Some(block) = work.pop() {
            if block != avoided && self.region.has(block) && reached.insert(block) {
                work.extend(self.func.successors(block));
            }
        }
        reached
    }

    /// What a value was when the lane came to the branch.
    fn before(&self, value: Value) -> Held {
        if let Some(Const::Bool(x)) = self.func.as_const(value) {
            return Held::Bool(x);
        }
        match self.said.get(&value) {
            Some(&holds) => Held::Bool(holds),
            None => Held::Then(value),
        }
    }

    /// What a value is where a block of the region uses it.
    fn at(&self, value: Value, block: Block) -> Held {
        let home = self.facts.homes.get(value.index()).copied().flatten();
        let Some(home) = home.filter(|home| self.region.has(*home)) else {
            return self.before(value);
        };
        let made = self.made.get(&value).copied().unwrap_or(Held::Unseen);
        match self.without.get(&home) {
            Some(reached) if home != block && reached.contains(&block) => {
                made.meet(self.before(value))
            }
            _ => made,
        }
    }

    fn solve(&mut self) {
        loop {
            let mut changed = false;
            for &block in &self.region.blocks {
                let data = self.func.block(block);
                for (i, &param) in data.params.iter().enumerate() {
                    let held = self.flows_in(block, i);
                    changed |= self.learn(param, held);
                }
                for &inst in &data.insts {
                    let inst = self.func.inst(inst);
                    if let Some(result) = inst.result {
                        let held = self.inst(inst, block);
                        changed |= self.learn(result, held);
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn learn(&mut self, value: Value, held: Held) -> bool {
        let old = self.made.get(&value).copied().unwrap_or(Held::Unseen);
        let new = old.meet(held);
        self.made.insert(value, new);
        new != old
    }

    fn flows_in(&self, block: Block, param: usize) -> Held {
        let mut held = Held::Unseen;
        for &pred in self.facts.preds.get(block.index()).into_iter().flatten() {
            let term = self.func.block(pred).term.as_ref();
            for (i, target) in term.into_iter().flat_map(|t| t.targets()).enumerate() {
                let Some(&arg) = target.args.get(param).filter(|_| target.block == block) else {
                    continue;
                };
                if pred == self.parting.branch && i == self.parting.go {
                    held = held.meet(self.before(arg));
                }
                if self.region.has(pred) {
                    held = held.meet(self.at(arg, pred));
                }
            }
        }
        held
    }

    fn inst(&self, data: &InstData, block: Block) -> Held {
        let of = |v: Value| self.at(v, block);
        let args = data.args.as_slice();
        let known = match (data.op, args) {
            (Op::Pure(Pure::Select), &[c, x, y]) => match (of(c), of(x), of(y)) {
                (Held::Bool(true), x, _) => Some(x),
                (Held::Bool(false), _, y) => Some(y),
                (Held::Unseen, ..) => Some(Held::Unseen),
                (_, x, y) if x == y && x != Held::Any => Some(x),
                _ => None,
            },
            (Op::Pure(Pure::Not), &[x]) => match of(x) {
                Held::Bool(x) => Some(Held::Bool(!x)),
                _ => None,
            },
            (Op::Pure(op @ (Pure::And | Pure::Or)), &[x, y])
                if data.result.is_some_and(|v| self.func.kind(v) == Kind::Bool) =>
            {
                let neutral = op == Pure::And;
                match (of(x), of(y)) {
                    (Held::Bool(x), _) if x != neutral => Some(Held::Bool(x)),
                    (_, Held::Bool(y)) if y != neutral => Some(Held::Bool(y)),
                    (Held::Bool(_), y) => Some(y),
                    (x, Held::Bool(_)) => Some(x),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(known) = known {
            return known;
        }
        if !data.op.is_pure() || data.op.crosses_lanes() {
            return Held::Any;
        }
        // Made of what it would have been made of: what it would have been.
        let mut same = true;
        for &arg in args {
            match of(arg) {
                Held::Unseen => return Held::Unseen,
                held => same &= held == self.before(arg),
            }
        }
        match data.result {
            Some(result) if same => self.before(result),
            _ => Held::Any,
        }
    }

    /// Nothing happens for it, and nothing that the wave does once.
    fn is_left_alone(&self) -> bool {
        self.region.blocks.iter().all(|&block| {
            let insts = &self.func.block(block).insts;
            insts
                .iter()
                .all(|&i| self.lets_be(self.func.inst(i), block))
        })
    }

    fn lets_be(&self, data: &InstData, block: Block) -> bool {
        let lane = data.args.iter().any(|&v| self.func.is_lane(v));
        let off = |guard: usize| {
            let guard = data.args.get(guard).map(|&v| self.at(v, block));
            matches!(guard, Some(Held::Bool(false) | Held::Unseen))
        };
        match data.op {
            // A fault of the wave is one of whoever is there.
            Op::Fault { .. } => !lane || off(1),
            Op::Store { .. } | Op::LdsStore { .. } => lane && off(2),
            Op::ScratchStore { .. } => off(2),
            Op::Atomic { shape, .. } | Op::LdsAtomic { shape, .. } => {
                shape == Shape::Lane && off(1)
            }
            Op::Load { read_only, .. } => read_only || lane,
            Op::LdsLoad { .. } => lane,
            Op::ReadLane
            | Op::Shuffle
            | Op::WaveSync
            | Op::AnyWave
            | Op::Output { .. }
            | Op::Valid
            | Op::Quad { .. }
            | Op::InterpFirst { .. } => false,
            Op::Image(access) => match access.op {
                ImageOp::Store => lane && off(0),
                ImageOp::Atomic { shape, .. } => shape == Shape::Lane && off(0),
                op => op.is_pure() || lane,
            },
            Op::ConstBool(_)
            | Op::Const32(_)
            | Op::Const64(_)
            | Op::Input(_)
            | Op::Pure(_)
            | Op::Float(..)
            | Op::Host(..)
            | Op::Call(_)
            | Op::Ballot
            | Op::LaneBit
            | Op::Table(_)
            | Op::Window
            | Op::Ptr { .. }
            | Op::PtrBytes
            | Op::PtrBound { .. }
            | Op::PtrOk
            | Op::ScratchLoad { .. } => true,
        }
    }

    /// Where the ways meet, every parameter is what the way round hands over.
    fn meets_as_it_was(&self) -> bool {
        let term = self.func.block(self.parting.branch).term.as_ref();
        let targets = term.map(|t| t.targets()).unwrap_or_default();
        let Some(round) = targets.get(1 - self.parting.go) else {
            return false;
        };
        self.ways_out().all(|(from, args)| {
            args.iter().zip(&round.args).all(|(&arg, &then)| {
                let held = self.at(arg, from);
                held == Held::Unseen || held == self.before(then)
            })
        })
    }

    /// Values of a loop that are used behind it are what they were.
    fn keeps_what_is_used(&self) -> bool {
        self.without.keys().all(|&block| {
            let data = self.func.block(block);
            let results = data.insts.iter().filter_map(|&i| self.func.inst(i).result);
            data.params.iter().copied().chain(results).all(|value| {
                let users = self.facts.users.get(value.index());
                let outside = users.into_iter().flatten().any(|&u| !self.region.has(u));
                !outside
                    || self.ways_out().all(|(from, _)| {
                        let held = self.at(value, from);
                        held == Held::Unseen || held == self.before(value)
                    })
            })
        })
    }

    /// The ways from the region to where it ends, with what they hand over.
    fn ways_out(&self) -> impl Iterator<Item = (Block, &[Value])> + '_ {
        self.region.blocks.iter().flat_map(move |&from| {
            let term = self.func.block(from).term.as_ref();
            let targets = term.map(|t| t.targets()).unwrap_or_default();
            targets
                .into_iter()
                .filter(move |t| t.block == self.region.meet)
                .map(move |t| (from, t.args.as_slice()))
        })
    }
}

//! Lets lanes part at the marked branches where nothing in the region needs the others, and writes down what
//! everybody there knows.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::frozen::said;
use super::{Parting, Region, positions, reducible};
use crate::ir::dom::Dominators;
use crate::ir::image::ImageOp;
use crate::ir::{
    Args, Block, Builder, Func, Inst, InstData, Kind, Op, Shape, Terminator, Ty, Value,
};
use crate::passes::replaced::resolve;

/// Who uses a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum User {
    Inst(Block, Inst),
    End(Block),
}

type Users = Vec<SmallVec<[User; 2]>>;

fn users(func: &Func, doms: &Dominators) -> Users {
    let mut users: Users = vec![SmallVec::new(); func.value_count()];
    for &block in doms.order() {
        for &inst in &func.block(block).insts {
            for &arg in &func.inst(inst).args {
                users[arg.index()].push(User::Inst(block, inst));
            }
        }
        if let Some(term) = &func.block(block).term {
            term.for_each_value(|v| users[v.index()].push(User::End(block)));
        }
    }
    users
}

/// A choice of regions.
struct Plan<'a> {
    func: &'a Func,
    users: &'a Users,
    chosen: &'a [(Parting, Region)],
    /// Blocks of a region.
    apart: Vec<bool>,
    /// Values that are per-lane then.
    lane: Vec<bool>,
    /// Conditions and ballots that nobody needs any more.
    spent: FxHashSet<Value>,
}

impl<'a> Plan<'a> {
    fn new(
        func: &'a Func,
        doms: &Dominators,
        users: &'a Users,
        chosen: &'a [(Parting, Region)],
    ) -> Plan<'a> {
        let mut apart = vec![false; func.block_count()];
        for block in chosen.iter().flat_map(|(_, region)| &region.blocks) {
            apart[block.index()] = true;
        }
        let mut lane: Vec<bool> = (0..func.value_count() as u32)
            .map(|v| func.is_lane(Value(v)))
            .collect();
        for &block in doms.order().iter().filter(|b| apart[b.index()]) {
            let data = func.block(block);
            for param in &data.params {
                lane[param.index()] = true;
            }
            for &inst in &data.insts {
                let inst = func.inst(inst);
                if let Some(result) = inst.result
                    && inst.op != Op::Ballot
                {
                    lane[result.index()] |= inst.args.iter().any(|v| lane[v.index()]);
                }
            }
        }
        let branches: FxHashSet<Block> = chosen.iter().map(|(p, _)| p.branch).collect();
        let mut spent = FxHashSet::default();
        for (parting, _) in chosen {
            let decides = |user: &User| matches!(user, User::End(b) if branches.contains(b));
            if users[parting.cond.index()].iter().all(decides) {
                spent.insert(parting.cond);
            }
        }
        for (parting, _) in chosen {
            let tested = |user: &User| match user {
                User::Inst(_, inst) => func.inst(*inst).result.is_some_and(|v| spent.contains(&v)),
                User::End(_) => false,
            };
            if users[parting.ballot.index()].iter().all(tested) {
                spent.insert(parting.ballot);
            }
        }
        Plan {
            func,
            users,
            chosen,
            apart,
            lane,
            spent,
        }
    }

    /// The blocks that must not be in a region.
    fn refused(&self) -> FxHashSet<Block> {
        let mut refused = FxHashSet::default();
        for block in self.func.blocks().filter(|b| self.apart[b.index()]) {
            let data = self.func.block(block);
            let insts = data.insts.iter().map(|&i| self.func.inst(i));
            if !insts.into_iter().all(|inst| self.may_stand(inst)) {
                refused.insert(block);
            }
            let results = data.insts.iter().filter_map(|&i| self.func.inst(i).result);
            for value in data.params.iter().copied().chain(results) {
                // What was the wave's is a lane's own now: nobody else may take it for the wave's.
                if self.lane[value.index()] && !self.func.is_lane(value) && !self.stays(value) {
                    refused.insert(block);
                }
            }
        }
        refused
    }

    fn may_stand(&self, inst: &InstData) -> bool {
        if inst.result.is_some_and(|v| self.spent.contains(&v)) {
            return true;
        }
        // As it was before lanes parted: what the wave did once stays undone.
        let lane = inst.args.iter().any(|&v| self.func.is_lane(v));
        match inst.op {
            Op::Ballot
            | Op::ReadLane
            | Op::Shuffle
            | Op::WaveSync
            | Op::AnyWave
            | Op::Output { .. }
            | Op::Valid
            | Op::Quad { .. }
            | Op::InterpFirst { .. } => false,
            Op::Image(access) => match access.op {
                ImageOp::Atomic { shape, .. } => shape == Shape::Lane,
                op => op.is_pure() || lane,
            },
            Op::LaneBit => inst.args.iter().all(|v| !self.lane[v.index()]),
            Op::Load { read_only, .. } => read_only || lane,
            Op::LdsLoad { .. } | Op::Store { .. } | Op::LdsStore { .. } => lane,
            Op::Atomic { shape, .. } | Op::LdsAtomic { shape, .. } => shape == Shape::Lane,
            Op::ConstBool(_)
            | Op::Const32(_)
            | Op::Const64(_)
            | Op::Input(_)
            | Op::Pure(_)
            | Op::Float(..)
            | Op::Host(..)
            | Op::Call(_)
            | Op::Table(_)
            | Op::Window
            | Op::Ptr { .. }
            | Op::PtrBytes
            | Op::PtrBound { .. }
            | Op::PtrOk
            | Op::ScratchLoad { .. }
            | Op::ScratchStore { .. }
            | Op::Fault { .. } => true,
        }
    }

    /// Whether a value that becomes per-lane is used only where that is no matter.
    fn stays(&self, value: Value) -> bool {
        self.users[value.index()].iter().all(|user| match *user {
            User::Inst(block, _) => self.apart[block.index()],
            User::End(block) => {
                self.apart[block.index()]
                    && self.func.block(block).term.as_ref().is_some_and(|term| {
                        term.targets().iter().all(|target| {
                            let params = &self.func.block(target.block).params;
                            target
                                .args
                                .iter()
                                .zip(params)
                                .all(|(&arg, param)| arg != value || self.lane[param.index()])
                        })
                    })
            }
        })
    }
}

/// Lets lanes part; gives the number of branches.
pub fn settle(func: &mut Func, doms: &Dominators) -> usize {
    let marks = func.partings().to_vec();
    func.set_partings(Vec::new());
    let position = positions(func, doms);
    if marks.is_empty() || !reducible(func, doms, &position) {
        return 0;
    }
    let mut chosen: Vec<(Parting, Region)> = marks
        .into_iter()
        .filter_map(|block| {
            let parting = Parting::of(func, block)?;
            let region = Region::of(func, &position, &parting)?;
            Some((parting, region))
        })
        .collect();
    let users = users(func, doms);
    let (apart, lane) = loop {
        if chosen.is_empty() {
            return 0;
        }
        let plan = Plan::new(func, doms, &users, &chosen);
        let refused = plan.refused();
        if refused.is_empty() {
            break (plan.apart, plan.lane);
        }
        let stay: Vec<bool> = plan
            .chosen
            .iter()
            .map(|(_, region)| !region.blocks.iter().any(|b| refused.contains(b)))
            .collect();
        let mut stay = stay.into_iter();
        chosen.retain(|_| stay.next().unwrap_or(false));
    };
    for (i, lane) in (0..).zip(lane) {
        let ty = func.ty(Value(i));
        if lane && !func.is_lane(Value(i)) {
            func.set_ty(Value(i), Ty::lane(ty.kind));
        }
    }
    for (parting, _) in &chosen {
        part(func, parting);
    }
    let count = chosen.len();
    func.set_apart(apart);
    let known = Known::new(func, doms, &chosen);
    known.write(func, doms);
    count
}

/// The branch goes by p.
fn part(func: &mut Func, parting: &Parting) {
    let term = &mut func.block_mut(parting.branch).term;
    if let Some(Terminator::Branch { cond, then, els }) = term {
        if parting.go == 1 {
            std::mem::swap(then, els);
        }
        *cond = parting.p;
    }
}

/// What is known of Bools, from where on.
struct Known {
    /// Below these blocks.
    below: FxHashMap<Value, SmallVec<[(Block, bool); 2]>>,
    /// On the way from a branch to its first and second target.
    on_the_way: FxHashMap<Block, [FxHashMap<Value, bool>; 2]>,
}

impl Known {
    fn new(func: &Func, doms: &Dominators, chosen: &[(Parting, Region)]) -> Known {
        let mut ways = vec![0u32; func.block_count()];
        for &block in doms.order() {
            for next in func.successors(block) {
                ways[next.index()] += 1;
            }
        }
        let mut known = Known {
            below: FxHashMap::default(),
            on_the_way: FxHashMap::default(),
        };
        for (parting, region) in chosen {
            let sides = [(true, region.go), (false, region.meet)];
            let said = sides.map(|(holds, to)| {
                let said = said(func, parting.p, holds);
                if ways[to.index()] == 1 {
                    for (&value, &holds) in &said {
                        known.below.entry(value).or_default().push((to, holds));
                    }
                }
                said
            });
            known.on_the_way.insert(parting.branch, said);
        }
        known
    }

    fn at(&self, doms: &Dominators, value: Value, block: Block) -> Option<bool> {
        let found = self.below.get(&value)?.iter();
        let mut found = found.filter(|(from, _)| doms.dominates(*from, block));
        found.next().map(|(_, holds)| *holds)
    }

    /// Puts constants where they are known.
    fn write(&self, func: &mut Func, doms: &Dominators) {
        let bools =
            [false, true].map(|x| func.head_value(Op::ConstBool(x), Ty::uniform(Kind::Bool)));
        for &block in doms.order() {
            let term = func.block_mut(block).term.take();
            let insts = func.block(block).insts.clone();
            for inst in insts {
                let data = func.inst(inst);
                let known = |v: &Value| self.at(doms, *v, block).map(|x| bools[usize::from(x)]);
                let args: Args = data.args.iter().map(|v| known(v).unwrap_or(*v)).collect();
                // What each lane does must not become what the wave does once.
                let lane = args.iter().any(|&v| func.is_lane(v));
                if matches!(data.op, Op::Pure(_)) || lane {
                    func.inst_mut(inst).args = args;
                }
            }
            if let Some(mut term) = term {
                let decider = term.decider();
                term.map_values(|v| match self.at(doms, v, block) {
                    Some(x) if Some(v) != decider => bools[usize::from(x)],
                    _ => v,
                });
                if let Some(sides) = self.on_the_way.get(&block) {
                    for (target, said) in term.targets_mut().into_iter().zip(sides) {
                        for arg in &mut target.args {
                            if let Some(&x) = said.get(arg) {
                                *arg = bools[usize::from(x)];
                            }
                        }
                    }
                }
                func.block_mut(block).term = Some(term);
            }
        }
    }
}

/// Makes pure instructions with constant Bools as simple as the builder does; gives the number of those that
/// became something else.
pub fn refold(func: &mut Func, doms: &Dominators) -> usize {
    let mut same: FxHashMap<Value, Value> = FxHashMap::default();
    for &block in doms.order() {
        let head = func.head_of(block);
        let old = func.block_mut(block).insts.split_off(head);
        let mut b = Builder::at(func, block);
        for inst in old {
            let data = b.func_mut().inst_mut(inst);
            let mut changed = false;
            for arg in &mut data.args {
                let new = resolve(&same, *arg);
                changed |= new != *arg;
                *arg = new;
            }
            let (op, loc, result) = (data.op, data.loc, data.result);
            let args = data.args.clone();
            let decided = args
                .iter()
                .any(|&v| b.func().kind(v) == Kind::Bool && b.func().as_const(v).is_some());
            if let (Op::Pure(op), Some(result)) = (op, result)
                && (changed || decided)
            {
                b.func_mut().set_loc(loc);
                let value = b.pure(op, &args);
                same.insert(result, value);
                continue;
            }
            b.func_mut().block_mut(block).insts.push(inst);
        }
    }
    if !same.is_empty() {
        func.map_uses(|v| resolve(&same, v));
    }
    same.len()
}

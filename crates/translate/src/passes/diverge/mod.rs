//! Lanes that have nothing to do in a region go round it by themselves, where one invocation is one lane.
//!
//! A branch on "no lane has p" goes round a region, or out of a loop, for the whole wave. Where a lane without
//! p leaves the region as it came (`frozen`), it may as well go its own way: then p is true for all who are
//! in the region, and masks, guards and selects of it fold.
//!
//! Two runs, for what makes masks superfluous lies between them. `find` marks the branches whose lanes may
//! part, while selects still say what a lane without p keeps. Before: any function. After: only the marks are
//! new. `settle` lets lanes part where nothing inside needs the others: no ballot but those of such branches,
//! no lane read, nothing that the wave does once, no `WaveSync`. Before: nothing will change the flow any
//! more. After: in the blocks of these regions (`Func::is_apart`) flow is the lane's own, and every value is
//! per-lane that is made of what a lane's way decides. Neither may touch effects.

mod frozen;
mod settle;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;

use crate::ir::dom::Dominators;
use crate::ir::{Block, Func, Op, Pure, Terminator, Value};

pub use settle::{refold, settle};

/// Blocks of a region at most.
const MAX_BLOCKS: usize = 400;

/// Instructions that `find` looks at in all; in larger programs some branches stay the wave's.
const MAX_WORK: usize = 1 << 20;

/// A branch on whether any lane has `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parting {
    branch: Block,
    /// Per-lane Bool.
    p: Value,
    /// What is branched on, and the ballot that it tests.
    cond: Value,
    ballot: Value,
    /// Number of the target where some lane has p.
    go: usize,
}

impl Parting {
    fn of(func: &Func, branch: Block) -> Option<Parting> {
        if branch == func.entry() {
            return None;
        }
        let Some(Terminator::Branch { cond, then, els }) = &func.block(branch).term else {
            return None;
        };
        if then.block == els.block {
            return None;
        }
        let test = func.def_inst(*cond)?;
        let go = match test.op {
            Op::Pure(Pure::Eq) => 1,
            Op::Pure(Pure::Ne) => 0,
            _ => return None,
        };
        let &[mask, zero] = test.args.as_slice() else {
            return None;
        };
        let ballot = func.def_inst(mask)?;
        let &[p] = ballot.args.as_slice() else {
            return None;
        };
        let asks = ballot.op == Op::Ballot
            && func.is_lane(p)
            && func.as_const(zero).is_some_and(|c| c.is_zero());
        asks.then_some(Parting {
            branch,
            p,
            cond: *cond,
            ballot: mask,
            go,
        })
    }

    /// The blocks that the branch goes to: where some lane has p, and where none has.
    fn ways(&self, func: &Func) -> Option<(Block, Block)> {
        let successors = func.successors(self.branch);
        Some((*successors.get(self.go)?, *successors.get(1 - self.go)?))
    }
}

/// What lies between a branch and where its ways meet: the blocks that can be reached without going there.
#[derive(Clone, Debug)]
struct Region {
    /// In reverse postorder of the function.
    blocks: Vec<Block>,
    inside: FxHashSet<Block>,
    /// Where it begins, and where it ends.
    go: Block,
    meet: Block,
}

impl Region {
    /// `None` where the wave may end in it or meet others, or where it is large.
    fn of(func: &Func, position: &[u32], parting: &Parting) -> Option<Region> {
        let (go, meet) = parting.ways(func)?;
        if position[meet.index()] <= position[parting.branch.index()] {
            // A loop's next trip: nobody promises that lanes meet at its head.
            return None;
        }
        let mut inside = FxHashSet::default();
        let mut work = vec![go];
        while let Some(block) = work.pop() {
            if block == meet || !inside.insert(block) {
                continue;
            }
            if inside.len() > MAX_BLOCKS || block == func.entry() {
                return None;
            }
            match &func.block(block).term {
                None | Some(Terminator::Return | Terminator::Barrier(_)) => return None,
                Some(_) => work.extend(func.successors(block)),
            }
        }
        let mut blocks: Vec<Block> = inside.iter().copied().collect();
        blocks.sort_unstable_by_key(|b| position[b.index()]);
        Some(Region {
            blocks,
            inside,
            go,
            meet,
        })
    }

    fn has(&self, block: Block) -> bool {
        self.inside.contains(&block)
    }
}

/// The position of each block in reverse postorder.
fn positions(func: &Func, doms: &Dominators) -> Vec<u32> {
    let mut position = vec![u32::MAX; func.block_count()];
    for (i, block) in (0..).zip(doms.order()) {
        position[block.index()] = i;
    }
    position
}

/// Whether every way back goes to what dominates it: then lanes that part meet again where the structured
/// flow says. Elsewhere they are sent on by a number, one after the other.
fn reducible(func: &Func, doms: &Dominators, position: &[u32]) -> bool {
    doms.order().iter().all(|&from| {
        let back = |to: &Block| position[to.index()] <= position[from.index()];
        let mut successors = func.successors(from).into_iter();
        successors.all(|to| !back(&to) || doms.dominates(to, from))
    })
}

/// The block that each value is made in.
fn homes(func: &Func, doms: &Dominators) -> Vec<Option<Block>> {
    let mut homes = vec![None; func.value_count()];
    for &block in doms.order() {
        let data = func.block(block);
        let results = data.insts.iter().filter_map(|&i| func.inst(i).result);
        for value in data.params.iter().copied().chain(results) {
            homes[value.index()] = Some(block);
        }
    }
    homes
}

/// Marks the branches at which lanes may part; gives their number.
pub fn find(func: &mut Func, doms: &Dominators) -> usize {
    let position = positions(func, doms);
    if func.is_one_lane() || !reducible(func, doms, &position) {
        return 0;
    }
    let facts = frozen::Facts::new(func, doms);
    let mut marks = Vec::new();
    let mut work = 0usize;
    for &block in doms.order() {
        let Some(parting) = Parting::of(func, block) else {
            continue;
        };
        let Some(region) = Region::of(func, &position, &parting) else {
            continue;
        };
        let insts: usize = region
            .blocks
            .iter()
            .map(|&b| func.block(b).insts.len())
            .sum();
        work += insts + region.blocks.len();
        if work > MAX_WORK {
            break;
        }
        if frozen::leaves_as_it_came(func, doms, &facts, &parting, &region) {
            marks.push(block);
        }
    }
    let found = marks.len();
    func.set_partings(marks);
    found
}

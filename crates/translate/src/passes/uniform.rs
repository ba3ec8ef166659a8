//! Which values and blocks are uniform for the workgroup, and whether every barrier is.
//!
//! Before: any function. After: the same function (nothing is changed). A value is workgroup-uniform when
//! every wave of the workgroup computes the same one (a per-lane value: the same in every lane number); a
//! block is, when all waves enter it equally often. Conservative: a branch on anything else makes
//! everything between it and the block where its ways meet again not uniform, and the parameters of that
//! block.
//!
//! A load of LDS is, too, where its address is and nobody writes LDS between the barriers before it and those
//! after it: each wave that passes it goes from one of the former to one of the latter through blocks that
//! lead to its own, or to which that leads, without a barrier; and in all of those nobody writes.

use smallvec::SmallVec;
use thiserror::Error;

use crate::ir::dom::{Dominators, PostDominators};
use crate::ir::{Block, Func, Input, InstData, Op, Terminator, Value};

/// A barrier that not all waves are known to reach together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "barrier at the end of {block} may not be reached by all waves of the workgroup: {branch} branches on {cond}"
)]
pub struct BarrierRefusal {
    /// The block that ends in the barrier.
    pub block: Block,
    /// A block whose branch may part the waves before it.
    pub branch: Block,
    /// What it branches on.
    pub cond: Value,
}

/// What is uniform for the workgroup.
#[derive(Clone, Debug)]
pub struct WorkgroupUniform {
    values: Vec<bool>,
    /// For a block that is not uniform, a branch that parts the waves.
    parted: Vec<Option<(Block, Value)>>,
}

/// The finding of it.
struct Search<'f> {
    func: &'f Func,
    facts: WorkgroupUniform,
    /// Position of each block in reverse postorder.
    position: Vec<u32>,
    /// For a block, whether it loads of LDS while nobody writes it; once somebody asks.
    quiet: Option<Vec<bool>>,
    /// Where ways meet, once somebody asks.
    posts: Option<PostDominators>,
    /// By block: whether its branch has parted the waves.
    done: Vec<bool>,
    /// By block: the last branch whose ways were followed to it, by number from 1 on.
    seen: Vec<u32>,
    number: u32,
}

impl WorkgroupUniform {
    /// Computes it for a workgroup of `waves` waves. One wave agrees with itself.
    pub fn new(func: &Func, waves: u64, doms: &Dominators) -> WorkgroupUniform {
        let blocks = func.block_count();
        let facts = WorkgroupUniform {
            values: vec![true; func.value_count()],
            parted: vec![None; blocks],
        };
        if waves <= 1 {
            return facts;
        }
        let mut position = vec![0; blocks];
        for (i, block) in (0..).zip(doms.order()) {
            position[block.index()] = i;
        }
        let mut search = Search {
            func,
            facts,
            position,
            quiet: None,
            posts: None,
            done: vec![false; blocks],
            seen: vec![0; blocks],
            number: 0,
        };
        // Again where something was found of what was passed.
        loop {
            let mut again = false;
            for &block in doms.order() {
                again |= search.block(block);
            }
            if !again {
                break;
            }
        }
        search.facts
    }

    /// Whether a value is.
    pub fn value(&self, value: Value) -> bool {
        self.values.get(value.index()).copied().unwrap_or(false)
    }

    /// Whether a block is.
    pub fn block(&self, block: Block) -> bool {
        matches!(self.parted.get(block.index()), Some(None))
    }
}

impl Search<'_> {
    /// Follows what is not uniform through a block; whether that reaches blocks that were passed.
    fn block(&mut self, block: Block) -> bool {
        let func = self.func;
        let position = self.position[block.index()];
        let data = func.block(block);
        for &inst in &data.insts {
            let data = func.inst(inst);
            if let Some(result) = data.result
                && self.facts.values[result.index()]
                && !self.inst(block, data)
            {
                self.facts.values[result.index()] = false;
            }
        }
        let mut back = false;
        let Some(term) = &data.term else {
            return false;
        };
        for target in term.ways() {
            for (&param, &arg) in func.block(target.block).params.iter().zip(&target.args) {
                if self.facts.values[param.index()] && !self.facts.values[arg.index()] {
                    self.facts.values[param.index()] = false;
                    back |= self.position[target.block.index()] <= position;
                }
            }
        }
        if let Some(cond) = term.decider()
            && !self.facts.value(cond)
            && !std::mem::replace(&mut self.done[block.index()], true)
        {
            back |= self.part(block, cond);
        }
        back
    }

    /// Whether an instruction gives every wave the same, as far as its arguments are known.
    fn inst(&mut self, block: Block, data: &InstData) -> bool {
        let same = |values: &[bool]| data.args.iter().all(|v| values[v.index()]);
        match &data.op {
            Op::LdsLoad { .. } => {
                let func = self.func;
                same(&self.facts.values)
                    && self.quiet.get_or_insert_with(|| quiet(func))[block.index()]
            }
            Op::Input(
                Input::UserData(_)
                | Input::GroupId(_)
                | Input::GroupNumber
                | Input::Base { .. }
                | Input::WavesInGroup
                | Input::LaneId
                | Input::LaunchVgpr(_)
                | Input::Stage(_),
            ) => true,
            Op::Input(Input::WaveInGroup | Input::LocalId(_) | Input::LaneLive) => false,
            Op::AnyWave => true,
            op => op.is_pure() && same(&self.facts.values),
        }
    }

    /// The waves part at the end of `branch`; whether that reaches blocks that were passed.
    fn part(&mut self, branch: Block, cond: Value) -> bool {
        let func = self.func;
        let position = self.position[branch.index()];
        let posts = self.posts.get_or_insert_with(|| PostDominators::new(func));
        let meet = posts.ipdom(branch);
        self.number += 1;
        let mut back = false;
        let mut work: Vec<Block> = func.successors(branch).into_vec();
        while let Some(block) = work.pop() {
            let seen = std::mem::replace(&mut self.seen[block.index()], self.number);
            if Some(block) == meet || seen == self.number {
                continue;
            }
            back |= self.position[block.index()] <= position;
            self.facts.parted[block.index()].get_or_insert((branch, cond));
            let data = func.block(block);
            let results = data.insts.iter().filter_map(|&i| func.inst(i).result);
            for value in data.params.iter().copied().chain(results) {
                self.facts.values[value.index()] = false;
            }
            work.extend(func.successors(block));
        }
        for &param in meet.into_iter().flat_map(|b| &func.block(b).params) {
            self.facts.values[param.index()] = false;
        }
        back || meet.is_some_and(|meet| self.position[meet.index()] <= position)
    }
}

/// Blocks that are looked at each way from a load of LDS at most.
const NEAR: usize = 32;

/// For each block that loads of LDS, whether nobody writes LDS in it, on the ways to it from the barriers before
/// it, and on the ways from it to the barriers behind it.
fn quiet(func: &Func) -> Vec<bool> {
    let mut loads = vec![false; func.block_count()];
    let mut writes = vec![false; func.block_count()];
    let mut before: Vec<SmallVec<[Block; 2]>> = vec![SmallVec::new(); func.block_count()];
    for block in func.blocks() {
        for &inst in &func.block(block).insts {
            match func.inst(inst).op {
                Op::LdsLoad { .. } => loads[block.index()] = true,
                Op::LdsStore { .. } | Op::LdsAtomic { .. } => writes[block.index()] = true,
                _ => {}
            }
        }
        for next in after(func, block) {
            before[next.index()].push(block);
        }
    }
    let to = |block: Block| before[block.index()].clone();
    let from = |block: Block| after(func, block);
    func.blocks()
        .map(|block| {
            loads[block.index()] && silent(block, &writes, to) && silent(block, &writes, from)
        })
        .collect()
}

/// The blocks that follow a block without a barrier between.
fn after(func: &Func, block: Block) -> SmallVec<[Block; 2]> {
    match func.block(block).term {
        Some(Terminator::Barrier(_)) => SmallVec::new(),
        _ => func.successors(block).into_iter().collect(),
    }
}

/// Whether none of the blocks that `next` leads to from a block, itself included, writes; not if they are many.
fn silent(from: Block, writes: &[bool], next: impl Fn(Block) -> SmallVec<[Block; 2]>) -> bool {
    let mut seen: SmallVec<[Block; NEAR]> = SmallVec::from_slice(&[from]);
    let mut at = 0;
    while let Some(&block) = seen.get(at) {
        at += 1;
        if writes[block.index()] || seen.len() > NEAR {
            return false;
        }
        for other in next(block) {
            if !seen.contains(&other) {
                seen.push(other);
            }
        }
    }
    true
}

/// Runs the check for a workgroup of `waves` waves.
///
/// # Errors
/// The first barrier in a block that is not workgroup-uniform.
pub fn run(func: &Func, waves: u64, doms: &Dominators) -> Result<(), BarrierRefusal> {
    if waves <= 1 || passed_once(func, doms) {
        return Ok(());
    }
    let facts = WorkgroupUniform::new(func, waves, doms);
    for block in func.blocks() {
        if is_barrier(func, block)
            && let Some(Some((branch, cond))) = facts.parted.get(block.index())
        {
            return Err(BarrierRefusal {
                block,
                branch: *branch,
                cond: *cond,
            });
        }
    }
    Ok(())
}

fn is_barrier(func: &Func, block: Block) -> bool {
    matches!(func.block(block).term, Some(Terminator::Barrier(_)))
}

/// Whether each wave surely passes each barrier just once, whatever the branches do: none leads over it, back
/// over it, or to an end before it.
fn passed_once(func: &Func, doms: &Dominators) -> bool {
    let order = doms.order();
    let mut position = vec![0; func.block_count()];
    for (i, block) in order.iter().enumerate() {
        position[block.index()] = i;
    }
    // The farthest that is led to from before, and the last barrier.
    let (mut farthest, mut last) = (0, None);
    for (i, &block) in order.iter().enumerate() {
        if is_barrier(func, block) {
            if farthest > i {
                return false;
            }
            last = Some(i);
        }
        let Some(term) = &func.block(block).term else {
            return false;
        };
        if matches!(term, Terminator::Return) {
            farthest = usize::MAX;
        }
        for target in term.ways() {
            let to = position[target.block.index()];
            if last.is_some_and(|last| to <= last) {
                return false;
            }
            farthest = farthest.max(to);
        }
    }
    true
}

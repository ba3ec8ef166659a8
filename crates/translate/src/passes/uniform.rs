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
    /// For a block, whether it loads of LDS while nobody writes it.
    quiet: Vec<bool>,
    /// For a block that is not uniform, a branch that parts the waves.
    parted: Vec<Option<(Block, Value)>>,
}

impl WorkgroupUniform {
    /// Computes it for a workgroup of `waves` waves. One wave agrees with itself.
    pub fn new(func: &Func, waves: u64, doms: &Dominators) -> WorkgroupUniform {
        let mut facts = WorkgroupUniform {
            values: vec![true; func.value_count()],
            quiet: Vec::new(),
            parted: vec![None; func.block_count()],
        };
        if waves <= 1 {
            return facts;
        }
        facts.quiet = quiet(func);
        let posts = PostDominators::new(func);
        let mut done = vec![false; func.block_count()];
        // By block: the last branch whose ways were followed to it, by number from 1 on.
        let mut seen = (vec![0; func.block_count()], 0);
        let mut changed = true;
        while changed {
            changed = facts.values_once(func, doms);
            for &block in doms.order() {
                let decider = func
                    .block(block)
                    .term
                    .as_ref()
                    .and_then(Terminator::decider);
                if let Some(cond) = decider
                    && !facts.value(cond)
                    && !std::mem::replace(&mut done[block.index()], true)
                {
                    facts.part(func, block, cond, posts.ipdom(block), &mut seen);
                    changed = true;
                }
            }
        }
        facts
    }

    /// Whether a value is.
    pub fn value(&self, value: Value) -> bool {
        self.values.get(value.index()).copied().unwrap_or(false)
    }

    /// Whether a block is.
    pub fn block(&self, block: Block) -> bool {
        matches!(self.parted.get(block.index()), Some(None))
    }

    /// Marks values whose arguments are not uniform; whether there were any new ones.
    fn values_once(&mut self, func: &Func, doms: &Dominators) -> bool {
        let mut any = false;
        for &block in doms.order() {
            for &inst in &func.block(block).insts {
                let data = func.inst(inst);
                if let Some(result) = data.result
                    && self.values[result.index()]
                    && !self.inst(block, data)
                {
                    self.values[result.index()] = false;
                    any = true;
                }
            }
            let Some(term) = &func.block(block).term else {
                continue;
            };
            for target in term.targets() {
                for (&param, &arg) in func.block(target.block).params.iter().zip(&target.args) {
                    if self.values[param.index()] && !self.values[arg.index()] {
                        self.values[param.index()] = false;
                        any = true;
                    }
                }
            }
        }
        any
    }

    /// Whether an instruction gives every wave the same, as far as its arguments are known.
    fn inst(&self, block: Block, data: &InstData) -> bool {
        match data.op {
            Op::LdsLoad { .. } => {
                self.quiet.get(block.index()) == Some(&true)
                    && data.args.iter().all(|&v| self.value(v))
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
            op => op.is_pure() && data.args.iter().all(|&v| self.value(v)),
        }
    }

    /// The waves part at the end of `branch` and meet at `meet`.
    fn part(
        &mut self,
        func: &Func,
        branch: Block,
        cond: Value,
        meet: Option<Block>,
        (seen, number): &mut (Vec<u32>, u32),
    ) {
        *number += 1;
        let mut work: Vec<Block> = func.successors(branch).into_vec();
        while let Some(block) = work.pop() {
            if Some(block) == meet
                || std::mem::replace(&mut seen[block.index()], *number) == *number
            {
                continue;
            }
            self.parted[block.index()].get_or_insert((branch, cond));
            let data = func.block(block);
            let results = data.insts.iter().filter_map(|&i| func.inst(i).result);
            for value in data.params.iter().copied().chain(results) {
                self.values[value.index()] = false;
            }
            work.extend(func.successors(block));
        }
        for &param in meet.into_iter().flat_map(|b| &func.block(b).params) {
            self.values[param.index()] = false;
        }
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
pub fn run(func: &Func, waves: u64, doms: &Dominators) -> Result<WorkgroupUniform, BarrierRefusal> {
    let facts = WorkgroupUniform::new(func, waves, doms);
    for block in func.blocks() {
        if let Some(Terminator::Barrier(_)) = func.block(block).term
            && let Some(Some((branch, cond))) = facts.parted.get(block.index())
        {
            return Err(BarrierRefusal {
                block,
                branch: *branch,
                cond: *cond,
            });
        }
    }
    Ok(facts)
}

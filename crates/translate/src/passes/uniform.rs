//! Which values and blocks are uniform for the workgroup, and whether every barrier is.
//!
//! Before: any function. After: the same function (nothing is changed). A value is workgroup-uniform when
//! every wave of the workgroup computes the same one (a per-lane value: the same in every lane number); a
//! block is, when all waves enter it equally often. Conservative: a branch on anything else makes
//! everything between it and the block where its ways meet again not uniform, and the parameters of that
//! block.

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

impl WorkgroupUniform {
    /// Computes it for a workgroup of `waves` waves. One wave agrees with itself.
    pub fn new(func: &Func, waves: u64, doms: &Dominators) -> WorkgroupUniform {
        let mut facts = WorkgroupUniform {
            values: vec![true; func.value_count()],
            parted: vec![None; func.block_count()],
        };
        if waves <= 1 {
            return facts;
        }
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
                    && !self.inst(data)
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
    fn inst(&self, data: &InstData) -> bool {
        match data.op {
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

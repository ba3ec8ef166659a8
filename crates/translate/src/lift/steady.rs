//! Which registers hold the same at a join as where its dominator ended, because nothing between writes
//! them. A register that a loop leaves alone so keeps its one value in it: constants and descriptor facts
//! reach the accesses inside. Knows no IR.

use crate::graph::{DomTree, Flow, Order};
use crate::program::registers::writes;
use crate::program::{GuestBlock, Program};

pub use crate::program::registers::RegSet;

/// Block visits of the whole analysis; what is not seen by then counts as written.
const MAX_VISITS: u64 = 1 << 22;

/// What a join keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The block at whose end the registers hold the same; `None`: the program's begin.
    pub from: Option<GuestBlock>,
    /// Those that may differ.
    pub written: RegSet,
}

/// What is known of a guest block's registers.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockFacts {
    /// Those that its instructions write.
    pub writes: RegSet,
    /// What it keeps, where several ways lead to it.
    pub kept: Option<Kept>,
}

/// The facts of every block. `mask`: scalar registers of a mask, by the wave size.
pub fn analyse(program: &Program, mask: u32) -> Vec<BlockFacts> {
    let blocks = program.blocks().len();
    let numbers = 0..blocks as u32;
    let edges = || {
        numbers.clone().flat_map(|from| {
            let next = program.block(GuestBlock(from)).exit.successors();
            next.map(move |to| (from, to.0))
        })
    };
    let flow = Flow::from_edges(0, blocks, edges);
    let order = Order::new(&flow);
    let dom = DomTree::new(&flow, &order);
    let mut facts: Vec<BlockFacts> = numbers
        .clone()
        .map(|b| BlockFacts {
            writes: program
                .insts(GuestBlock(b))
                .iter()
                .map(|inst| writes(inst, mask))
                .fold(RegSet::default(), RegSet::union),
            kept: None,
        })
        .collect();
    let mut seen = vec![u32::MAX; blocks];
    let mut visits = 0;
    for block in numbers {
        let ways = flow.predecessors(block).len() + usize::from(block == 0);
        if ways < 2 || !order.reachable(block) {
            continue;
        }
        // The dominator's own instructions come before it ends; the block's come after its begin,
        // unless a way leads from it back to itself.
        let from = dom.idom(block).filter(|_| block != 0);
        let mut written = RegSet::default();
        let mut stack: Vec<u32> = flow.predecessors(block).to_vec();
        while let Some(at) = stack.pop() {
            if Some(at) == from || seen[at as usize] == block || !order.reachable(at) {
                continue;
            }
            seen[at as usize] = block;
            visits += 1;
            written = written.union(facts[at as usize].writes);
            stack.extend(flow.predecessors(at));
        }
        if visits > MAX_VISITS {
            break;
        }
        facts[block as usize].kept = Some(Kept {
            from: from.map(GuestBlock),
            written,
        });
    }
    facts
}

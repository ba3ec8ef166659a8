//! Which registers hold the same at a join as where its dominator ended, because nothing between writes
//! them. A register that a loop leaves alone so keeps its one value in it: constants and descriptor facts
//! reach the accesses inside. Knows no IR.

use crate::graph::{DomTree, Flow, Order};
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
    /// Those that its instructions write, where that was asked for some join.
    pub writes: Option<RegSet>,
    /// What it keeps, where several ways lead to it.
    pub kept: Option<Kept>,
}

/// The facts of every block; none at all where no ways join. `ways`: how many lead into each block, the
/// program's begin included. `mask`: scalar registers of a mask, by the wave size.
pub fn analyse(program: &Program, ways: &[u32], mask: u32) -> Vec<BlockFacts> {
    if ways.iter().all(|&ways| ways < 2) {
        return Vec::new();
    }
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
    let mut facts = vec![BlockFacts::default(); blocks];
    let mut seen = vec![u32::MAX; blocks];
    let mut stack: Vec<u32> = Vec::new();
    let mut visits = 0;
    for block in numbers {
        if ways.get(block as usize).is_none_or(|&ways| ways < 2) {
            continue;
        }
        // The dominator's own instructions come before it ends; the block's come after its begin,
        // unless a way leads from it back to itself.
        let from = dom.idom(block).filter(|_| block != 0);
        let mut written = RegSet::default();
        stack.extend(flow.predecessors(block));
        while let Some(at) = stack.pop() {
            if Some(at) == from || seen[at as usize] == block || !order.reachable(at) {
                continue;
            }
            seen[at as usize] = block;
            visits += 1;
            let writes = &mut facts[at as usize].writes;
            written.add(writes.get_or_insert_with(|| {
                let mut writes = RegSet::default();
                for inst in program.insts(GuestBlock(at)) {
                    writes.add_writes(inst, mask);
                }
                writes
            }));
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

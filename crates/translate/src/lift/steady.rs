//! Which registers hold the same at a join as where its dominator ended, because nothing between writes
//! them. A register that a loop leaves alone so keeps its one value in it: constants and descriptor facts
//! reach the accesses inside. Knows no IR.

use smallvec::{SmallVec, smallvec};

use super::FEW_BLOCKS;
use crate::program::{GuestBlock, Program};

pub use crate::program::registers::RegSet;

/// Steps of the whole analysis; what is not seen by then counts as written.
const MAX_STEPS: u64 = 1 << 22;

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

/// The facts of every block; none at all where no ways join. `order`: the blocks that the entry reaches in
/// reverse post-order. `ways`: how many lead into each block, the program's begin included. `mask`: scalar
/// registers of a mask, by the wave size.
pub fn analyse(
    program: &Program,
    order: &[GuestBlock],
    ways: &[u32],
    mask: u32,
) -> Vec<BlockFacts> {
    if ways.iter().all(|&ways| ways < 2) {
        return Vec::new();
    }
    let mut facts = vec![BlockFacts::default(); ways.len()];
    let sources = Sources::new(program, order, ways);
    let mut steps = 0;
    let Some(doms) = dominators(order, &sources, &mut steps) else {
        return facts;
    };
    let mut seen: SmallVec<[u32; FEW_BLOCKS]> = smallvec![u32::MAX; ways.len()];
    let mut stack: SmallVec<[GuestBlock; FEW_BLOCKS]> = SmallVec::new();
    for block in (0..).map(GuestBlock).take(ways.len()) {
        if ways[block.index()] < 2 {
            continue;
        }
        // The dominator's own instructions come before it ends; the block's come after its begin,
        // unless a way leads from it back to itself.
        let from = (block.0 != 0).then(|| order[doms[sources.place(block)] as usize]);
        let mut written = RegSet::default();
        stack.extend_from_slice(sources.of(block));
        while let Some(at) = stack.pop() {
            if Some(at) == from || seen[at.index()] == block.0 {
                continue;
            }
            seen[at.index()] = block.0;
            steps += 1;
            let writes = &mut facts[at.index()].writes;
            written.add(writes.get_or_insert_with(|| {
                let mut writes = RegSet::default();
                for inst in program.insts(at) {
                    writes.add_writes(inst, mask);
                }
                writes
            }));
            stack.extend_from_slice(sources.of(at));
        }
        if steps > MAX_STEPS {
            break;
        }
        facts[block.index()].kept = Some(Kept { from, written });
    }
    facts
}

/// The blocks that ways into each block come from.
struct Sources {
    /// Where each block's begin among `from`.
    first: SmallVec<[u32; FEW_BLOCKS]>,
    from: SmallVec<[GuestBlock; FEW_BLOCKS]>,
    /// Places in reverse post-order.
    place: SmallVec<[u32; FEW_BLOCKS]>,
}

impl Sources {
    fn new(program: &Program, order: &[GuestBlock], ways: &[u32]) -> Sources {
        let mut first = SmallVec::with_capacity(ways.len() + 1);
        let mut before = 0;
        first.push(0);
        for (i, &ways) in ways.iter().enumerate() {
            first.push(before);
            // The program's begin is no block.
            before += ways - u32::from(i == 0);
        }
        // What begins at `first[block + 1]` moves on to its end, where the next block's begin.
        let mut from: SmallVec<[GuestBlock; FEW_BLOCKS]> =
            smallvec![GuestBlock(0); before as usize];
        let mut place: SmallVec<[u32; FEW_BLOCKS]> = smallvec![0; ways.len()];
        for (i, &block) in (0..).zip(order) {
            place[block.index()] = i;
            let exit = &program.block(block).exit;
            for to in exit.successors() {
                let next = &mut first[to.index() + 1];
                from[*next as usize] = block;
                *next += 1;
            }
        }
        Sources { first, from, place }
    }

    fn of(&self, block: GuestBlock) -> &[GuestBlock] {
        let end = self.first[block.index() + 1] as usize;
        &self.from[self.first[block.index()] as usize..end]
    }

    fn place(&self, block: GuestBlock) -> usize {
        self.place[block.index()] as usize
    }
}

/// By place in reverse post-order the place of the immediate dominator (the entry's is its own), as Cooper,
/// Harvey and Kennedy find it; `None` where that takes too many steps.
fn dominators(
    order: &[GuestBlock],
    sources: &Sources,
    steps: &mut u64,
) -> Option<SmallVec<[u32; FEW_BLOCKS]>> {
    const NOT_YET: u32 = u32::MAX;
    let mut doms: SmallVec<[u32; FEW_BLOCKS]> = smallvec![NOT_YET; order.len()];
    *doms.first_mut()? = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (i, &block) in order.iter().enumerate().skip(1) {
            let mut dom = NOT_YET;
            for &from in sources.of(block) {
                let mut from = sources.place(from) as u32;
                if doms[from as usize] == NOT_YET {
                    continue;
                }
                while dom != NOT_YET && from != dom {
                    *steps += 1;
                    if from > dom {
                        from = doms[from as usize];
                    } else {
                        dom = doms[dom as usize];
                    }
                }
                dom = from;
            }
            changed |= doms[i] != dom;
            doms[i] = dom;
            *steps += 1;
            if *steps > MAX_STEPS {
                return None;
            }
        }
    }
    Some(doms)
}

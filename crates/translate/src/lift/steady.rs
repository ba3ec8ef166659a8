//! Which registers hold the same at a join as where its dominator ended, because nothing between writes
//! them. A register that a loop leaves alone so keeps its one value in it: constants and descriptor facts
//! reach the accesses inside. Knows no IR.

use spirdna_isa::{Inst, Operand, RowFlags, Ty};

use crate::graph::{DomTree, Flow, Order};
use crate::program::{GuestBlock, Program};

/// A set of registers: scalar ones by code (EXEC is 126 and 127), vector ones, SCC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RegSet {
    scalar: u128,
    vector: [u128; 2],
    scc: bool,
}

impl RegSet {
    /// SCC alone.
    pub const SCC: RegSet = RegSet {
        scalar: 0,
        vector: [0; 2],
        scc: true,
    };
    /// EXEC alone.
    pub const EXEC: RegSet = RegSet {
        scalar: 3 << 126,
        vector: [0; 2],
        scc: false,
    };
    const ALL: RegSet = RegSet {
        scalar: u128::MAX,
        vector: [u128::MAX; 2],
        scc: true,
    };

    /// `n` scalar registers from a code on.
    pub const fn scalars(code: u8, n: u32) -> RegSet {
        RegSet {
            scalar: if n >= 128 { u128::MAX } else { (1 << n) - 1 } << (code & 127),
            vector: [0; 2],
            scc: false,
        }
    }

    /// `n` vector registers from one on.
    pub fn vectors(first: u8, n: u32) -> RegSet {
        let mut set = RegSet::default();
        for reg in u32::from(first)..(u32::from(first) + n).min(256) {
            set.vector[(reg / 128) as usize] |= 1 << (reg % 128);
        }
        set
    }

    fn union(self, other: RegSet) -> RegSet {
        RegSet {
            scalar: self.scalar | other.scalar,
            vector: std::array::from_fn(|i| self.vector[i] | other.vector[i]),
            scc: self.scc || other.scc,
        }
    }

    /// Whether a register is in both.
    pub const fn meets(&self, other: &RegSet) -> bool {
        self.scalar & other.scalar != 0
            || self.vector[0] & other.vector[0] != 0
            || self.vector[1] & other.vector[1] != 0
            || self.scc && other.scc
    }
}

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

/// The facts of every block.
pub fn analyse(program: &Program) -> Vec<BlockFacts> {
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
                .map(writes)
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

/// The registers that an instruction may write.
fn writes(inst: &Inst) -> RegSet {
    let flags = inst.flags();
    if flags.contains(RowFlags::INDEXED) {
        return RegSet::ALL;
    }
    let mut set = RegSet::default();
    if flags.contains(RowFlags::WR_SCC) {
        set = set.union(RegSet::SCC);
    }
    if flags.contains(RowFlags::WR_EXEC) {
        set = set.union(RegSet::EXEC);
    }
    for (operand, ty) in inst.dsts() {
        // Of a mask both halves, whatever the wave size.
        let dwords = ty.bits().map_or(2, |bits| bits.div_ceil(32));
        set = set.union(match (operand, ty) {
            (Operand::S(reg), _) => RegSet::scalars(reg.code(), dwords),
            (Operand::V(_), Ty::Data | Ty::ImageAddr) => RegSet::ALL,
            (Operand::V(reg), _) => RegSet::vectors(reg, dwords),
            _ => RegSet::default(),
        });
    }
    set
}

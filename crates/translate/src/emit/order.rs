//! Which barriers have guest memory to order: those with accesses before and behind them. LDS, images, locks and
//! votes are not its concern. A fact of the function; emits nothing.

use crate::ir::{Block, Func, InstData, Op, Terminator};

/// By block, whether a barrier has accesses on both sides.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// In the block itself.
    within: Vec<bool>,
    /// At its end.
    at_end: Vec<bool>,
}

/// Whether it reads or writes memory that somebody else may touch.
fn touches(func: &Func, inst: &InstData) -> bool {
    let own = || {
        let made = inst.args.first().and_then(|&place| func.def_inst(place));
        made.is_some_and(|made| matches!(made.op, Op::Ptr { own: true, .. }))
    };
    match inst.op {
        Op::Load { read_only, .. } => !read_only && !own(),
        Op::Store { .. } => !own(),
        Op::Atomic { .. } => true,
        _ => false,
    }
}

/// The blocks that these and the edges lead to.
fn reached(mut these: Vec<bool>, edges: &[(Block, Block)]) -> Vec<bool> {
    // Where the edges of each block begin, in the order of blocks.
    let mut begins = vec![0usize; these.len() + 1];
    for (from, _) in edges {
        begins[from.index() + 1] += 1;
    }
    for i in 1..begins.len() {
        begins[i] += begins[i - 1];
    }
    let mut next = begins.clone();
    let mut ends = vec![0usize; edges.len()];
    for (from, to) in edges {
        ends[next[from.index()]] = to.index();
        next[from.index()] += 1;
    }
    let mut left: Vec<usize> = (0..these.len()).filter(|&block| these[block]).collect();
    while let Some(block) = left.pop() {
        for &end in &ends[begins[block]..begins[block + 1]] {
            if !std::mem::replace(&mut these[end], true) {
                left.push(end);
            }
        }
    }
    these
}

impl Orders {
    /// Of a function.
    pub fn of(func: &Func) -> Orders {
        let touched = |block: Block| {
            let insts = &func.block(block).insts;
            insts.iter().any(|&i| touches(func, func.inst(i)))
        };
        let touched: Vec<bool> = func.blocks().map(touched).collect();
        let ways = |block: Block| func.block(block).term.iter().flat_map(Terminator::ways);
        let edges: Vec<(Block, Block)> = func
            .blocks()
            .flat_map(|from| ways(from).map(move |to| (from, to.block)))
            .collect();
        let back: Vec<(Block, Block)> = edges.iter().map(|&(from, to)| (to, from)).collect();
        // What came before the end of each block, and what comes from its head on.
        let came = reached(touched.clone(), &edges);
        let comes = reached(touched, &back);
        let end =
            |block: Block| came[block.index()] && ways(block).any(|next| comes[next.block.index()]);
        let at_end = func.blocks().map(end).collect();
        let both = came.iter().zip(&comes).map(|(came, comes)| *came && *comes);
        Orders {
            within: both.collect(),
            at_end,
        }
    }

    /// Whether a barrier within the block orders memory.
    pub fn within(&self, block: Block) -> bool {
        self.within.get(block.index()).copied().unwrap_or(true)
    }

    /// Whether one at its end does.
    pub fn at_end(&self, block: Block) -> bool {
        self.at_end.get(block.index()).copied().unwrap_or(true)
    }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a failed test")]
mod tests {
    use spirdna_isa::WaveSize;

    use super::*;
    use crate::ir::{Builder, MemWidth};

    /// A barrier after a load (or none), a barrier, a store: at which of the two barriers memory waits.
    fn two_barriers(load: Option<bool>) -> [bool; 2] {
        let mut f = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut f);
        let (address, yes) = (b.const64(64), b.const_bool(true));
        let place = b.ptr(address, 4);
        if let Some(read_only) = load {
            b.load(place, yes, MemWidth::B32, 0, true, read_only);
        }
        let (second, third) = (b.new_block(), b.new_block());
        b.barrier(second, Vec::new());
        b.switch_to(second);
        let (at, value) = (b.const32(0), b.const32(1));
        b.lds_store(at, value, yes, MemWidth::B32);
        b.barrier(third, Vec::new());
        b.switch_to(third);
        b.store(place, value, yes, MemWidth::B32, 0, true);
        b.ret();
        let orders = Orders::of(&f);
        [f.entry(), second].map(|block| orders.at_end(block))
    }

    #[test]
    fn memory_waits_where_it_is_accessed_on_both_sides() {
        assert_eq!(two_barriers(Some(false)), [true, true]);
    }

    #[test]
    fn what_nobody_writes_and_what_comes_later_do_not_count() {
        assert_eq!(two_barriers(Some(true)), [false, false]);
        assert_eq!(two_barriers(None), [false, false]);
    }

    #[test]
    fn a_store_in_a_loop_meets_itself() {
        let mut f = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut f);
        let (address, yes) = (b.const64(64), b.const_bool(true));
        let place = b.ptr(address, 4);
        let body = b.new_block();
        b.jump(body, Vec::new());
        b.switch_to(body);
        let value = b.const32(1);
        b.store(place, value, yes, MemWidth::B32, 0, true);
        b.barrier(body, Vec::new());
        assert!(Orders::of(&f).at_end(body));
        assert!(Orders::of(&f).within(body));
    }
}

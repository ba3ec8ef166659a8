//! Which barriers have guest memory to order: those with accesses before and behind them. LDS, images, locks and
//! votes are not its concern. A fact of the function; emits nothing.

use crate::ir::{Block, Func, Target, Terminator};

/// By block, whether a barrier has accesses on both sides; and the room to find it.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// Whether the block itself reads or writes memory that somebody else may touch.
    touched: Vec<bool>,
    /// Whether accesses come before its end, and from its head on; empty: not asked for.
    came: Vec<bool>,
    comes: Vec<bool>,
    /// The blocks that go to each, behind one another, and where those of each begin.
    sources: Vec<u32>,
    begins: Vec<u32>,
    left: Vec<u32>,
}

/// Where a block goes.
fn ways(func: &Func, block: Block) -> impl Iterator<Item = &Target> {
    func.block(block).term.iter().flat_map(Terminator::ways)
}

impl Orders {
    /// Begins a function.
    pub fn begin(&mut self) {
        self.touched.clear();
        self.came.clear();
        self.comes.clear();
    }

    /// Begins its next block.
    pub fn block(&mut self) {
        self.touched.push(false);
    }

    /// Notes that the block touches memory that somebody else may touch.
    pub fn touch(&mut self) {
        if let Some(touched) = self.touched.last_mut() {
            *touched = true;
        }
    }

    /// Finds the barriers that order memory, when all blocks of the function are noted; else all are taken to.
    pub fn settle(&mut self, func: &Func) {
        self.came.extend_from_slice(&self.touched);
        self.comes.extend_from_slice(&self.touched);
        if !self.touched.contains(&true) {
            return;
        }
        let count = self.touched.len();
        self.begin_search();
        while let Some(block) = self.left.pop() {
            for way in ways(func, Block(block)) {
                if !std::mem::replace(&mut self.came[way.block.index()], true) {
                    self.left.push(way.block.0);
                }
            }
        }
        // Where the sources of each block end, then, as they are filled in from behind, where they begin.
        self.begins.clear();
        self.begins.resize(count + 1, 0);
        for block in func.blocks() {
            for way in ways(func, block) {
                self.begins[way.block.index()] += 1;
            }
        }
        let mut sum = 0;
        for begin in &mut self.begins {
            sum += *begin;
            *begin = sum;
        }
        self.sources.clear();
        self.sources.resize(sum as usize, 0);
        for block in func.blocks() {
            for way in ways(func, block) {
                let begin = &mut self.begins[way.block.index()];
                *begin -= 1;
                self.sources[*begin as usize] = block.0;
            }
        }
        self.begin_search();
        while let Some(block) = self.left.pop() {
            let block = block as usize;
            let (from, to) = (self.begins[block], self.begins[block + 1]);
            for &source in &self.sources[from as usize..to as usize] {
                if !std::mem::replace(&mut self.comes[source as usize], true) {
                    self.left.push(source);
                }
            }
        }
    }

    /// A search begins at the blocks that touch memory.
    fn begin_search(&mut self) {
        let touched = (0..).zip(&self.touched).filter(|(_, touched)| **touched);
        self.left.extend(touched.map(|(block, _)| block));
    }

    /// Whether a barrier within the block orders memory.
    pub fn within(&self, block: Block) -> bool {
        let at = block.index();
        match (self.came.get(at), self.comes.get(at)) {
            (Some(came), Some(comes)) => *came && *comes,
            _ => true,
        }
    }

    /// Whether one at its end does.
    pub fn at_end(&self, func: &Func, block: Block) -> bool {
        let comes = |to: Block| self.comes.get(to.index()).copied().unwrap_or(true);
        let came = self.came.get(block.index()).copied().unwrap_or(true);
        came && (self.comes.is_empty() || ways(func, block).any(|way| comes(way.block)))
    }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a failed test")]
mod tests {
    use spirdna_isa::WaveSize;

    use super::*;
    use crate::ir::{Builder, MemWidth, Op};

    /// Of a function whose accesses are all of memory that others may touch, but loads that nobody may.
    fn orders_of(func: &Func) -> Orders {
        let mut orders = Orders::default();
        orders.begin();
        for block in func.blocks() {
            orders.block();
            for &inst in &func.block(block).insts {
                match func.inst(inst).op {
                    Op::Load {
                        read_only: false, ..
                    }
                    | Op::Store { .. } => orders.touch(),
                    _ => {}
                }
            }
        }
        orders.settle(func);
        orders
    }

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
        let orders = orders_of(&f);
        [f.entry(), second].map(|block| orders.at_end(&f, block))
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
        let orders = orders_of(&f);
        assert!(orders.at_end(&f, body) && orders.within(body));
        assert!(!orders.within(f.entry()));
    }
}

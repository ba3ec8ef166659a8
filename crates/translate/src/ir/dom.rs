//! Reachability, an order and dominators of a function's blocks (Cooper, Harvey, Kennedy: "A Simple,
//! Fast Dominance Algorithm"). Facts of the graph only.

use super::func::{Block, Func};

const NONE: u32 = u32::MAX;

/// Dominators of the reachable blocks.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// Reverse postorder of the reachable blocks; the entry is first.
    order: Vec<Block>,
    /// Position in `order`, or `NONE`.
    position: Vec<u32>,
    /// Immediate dominator, by position; the entry's is itself.
    idom: Vec<u32>,
    /// Depth in the dominator tree, by position.
    depth: Vec<u32>,
}

impl Dominators {
    /// Computes them. Targets outside the function are ignored.
    pub fn new(func: &Func) -> Dominators {
        let count = func.block_count();
        let mut position = vec![NONE; count];
        let mut order = postorder(func);
        order.reverse();
        for (i, block) in order.iter().enumerate() {
            position[block.index()] = i as u32;
        }
        let mut preds: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        for (i, &block) in order.iter().enumerate() {
            for succ in func.successors(block) {
                if succ.index() < count {
                    preds[position[succ.index()] as usize].push(i as u32);
                }
            }
        }
        let mut idom = vec![NONE; order.len()];
        if let Some(entry) = idom.first_mut() {
            *entry = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for i in 1..order.len() {
                let mut new = NONE;
                for &pred in &preds[i] {
                    if idom[pred as usize] == NONE {
                        continue;
                    }
                    new = if new == NONE {
                        pred
                    } else {
                        meet(&idom, new, pred)
                    };
                }
                if idom[i] != new {
                    idom[i] = new;
                    changed = true;
                }
            }
        }
        let mut depth = vec![0; order.len()];
        for i in 1..order.len() {
            depth[i] = depth[idom[i] as usize] + 1;
        }
        Dominators {
            order,
            position,
            idom,
            depth,
        }
    }

    /// Reachable blocks in reverse postorder: each after its immediate dominator.
    pub fn order(&self) -> &[Block] {
        &self.order
    }

    /// Whether a block can be reached.
    pub fn reachable(&self, block: Block) -> bool {
        self.position.get(block.index()).is_some_and(|&p| p != NONE)
    }

    /// Immediate dominator; `None` for the entry and what cannot be reached.
    pub fn idom(&self, block: Block) -> Option<Block> {
        match self.position.get(block.index()) {
            Some(&p) if p != NONE && p != 0 => Some(self.order[self.idom[p as usize] as usize]),
            _ => None,
        }
    }

    /// Whether `a` is on every path to `b` (a block dominates itself); false for unreachable ones.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        if !self.reachable(a) || !self.reachable(b) {
            return false;
        }
        let (pa, mut pb) = (self.position[a.index()], self.position[b.index()]);
        while self.depth[pb as usize] > self.depth[pa as usize] {
            pb = self.idom[pb as usize];
        }
        pa == pb
    }
}

/// The nearest common dominator of two positions whose chains are known.
fn meet(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

fn postorder(func: &Func) -> Vec<Block> {
    let count = func.block_count();
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let entry = func.entry();
    let mut stack = vec![(entry, func.successors(entry), 0)];
    seen[entry.index()] = true;
    while let Some((block, succs, next)) = stack.last_mut() {
        match succs.get(*next) {
            Some(&succ) => {
                *next += 1;
                if succ.index() < count && !seen[succ.index()] {
                    seen[succ.index()] = true;
                    stack.push((succ, func.successors(succ), 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order
}

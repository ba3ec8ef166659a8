//! Reachability, an order, dominators and postdominators of a function's blocks (Cooper, Harvey, Kennedy: "A Simple,
//! Fast Dominance Algorithm"). Facts of the graph only.

use super::func::{Block, Func};

const NONE: u32 = u32::MAX;

/// Successors of numbered nodes, one list behind the other.
#[derive(Clone, Debug, Default)]
struct Edges {
    /// Where each node's begin, and the end of all.
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Edges {
    /// Of a function's blocks; targets outside it are left out.
    fn of(func: &Func) -> Edges {
        let count = func.block_count();
        let mut edges = Edges {
            starts: Vec::with_capacity(count + 2),
            ends: Vec::with_capacity(count * 2),
        };
        for block in func.blocks() {
            edges.starts.push(edges.ends.len() as u32);
            if let Some(term) = &func.block(block).term {
                let inside = term.targets().into_iter().map(|t| t.block.0);
                edges.ends.extend(inside.filter(|&n| (n as usize) < count));
            }
        }
        edges.starts.push(edges.ends.len() as u32);
        edges
    }

    fn nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn from(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.ends[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The edges turned round, with one more node: its successors are the nodes without any.
    fn reversed(&self) -> Edges {
        let exit = self.nodes() as u32;
        let all = || {
            (0..exit).flat_map(|node| {
                let to = self.from(node);
                let leaves = to.is_empty().then_some((exit, node));
                to.iter().map(move |&to| (to, node)).chain(leaves)
            })
        };
        Edges::collect(self.nodes() + 1, all)
    }

    /// From (from, to) pairs, which are asked for twice; each node's in their order.
    fn collect<I: Iterator<Item = (u32, u32)>>(nodes: usize, pairs: impl Fn() -> I) -> Edges {
        let mut starts = vec![0; nodes + 1];
        for (from, _) in pairs() {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut ends = vec![0; starts[nodes] as usize];
        for (from, to) in pairs() {
            let at = &mut next[from as usize];
            ends[*at as usize] = to;
            *at += 1;
        }
        Edges { starts, ends }
    }
}

/// The dominator tree of a graph of numbered nodes.
#[derive(Clone, Debug, PartialEq)]
struct Tree {
    /// Reverse postorder of the reachable nodes; the root is first.
    order: Vec<u32>,
    /// Position in `order`, or `NONE`.
    position: Vec<u32>,
    /// Immediate dominator, by position; the root's is itself.
    idom: Vec<u32>,
    /// By position: the numbers of the nodes that it dominates, itself the first, and the end of them.
    dominated: Vec<(u32, u32)>,
}

impl Tree {
    fn new(root: u32, succs: &Edges) -> Tree {
        let mut position = vec![NONE; succs.nodes()];
        let mut order = postorder(root, succs);
        order.reverse();
        for (i, &node) in order.iter().enumerate() {
            position[node as usize] = i as u32;
        }
        let preds = Edges::collect(order.len(), || {
            (0u32..)
                .zip(&order)
                .flat_map(|(i, &node)| {
                    let to = succs.from(node).iter();
                    to.map(move |&to| (to, i))
                })
                .map(|(to, i)| (position[to as usize], i))
        });
        let mut idom = vec![NONE; order.len()];
        if let Some(entry) = idom.first_mut() {
            *entry = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for i in 1..order.len() {
                let mut new = NONE;
                for &pred in preds.from(i as u32) {
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
        // Sizes of the subtrees, then numbers in the order of a walk down: a node comes after its dominator.
        let mut dominated = vec![(0, 1); order.len()];
        for i in (1..order.len()).rev() {
            let size = dominated[i].1;
            dominated[idom[i] as usize].1 += size;
        }
        // The number that the next child of each node gets.
        let mut next = vec![1; order.len()];
        for i in 1..order.len() {
            let parent = idom[i] as usize;
            let size = dominated[i].1;
            let first = next[parent];
            next[parent] += size;
            next[i] = first + 1;
            dominated[i] = (first, first + size);
        }
        Tree {
            order,
            position,
            idom,
            dominated,
        }
    }

    fn idom(&self, node: u32) -> Option<u32> {
        match self.position.get(node as usize) {
            Some(&p) if p != NONE && p != 0 => Some(self.order[self.idom[p as usize] as usize]),
            _ => None,
        }
    }
}

/// Dominators of the reachable blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Dominators {
    tree: Tree,
    order: Vec<Block>,
}

impl Dominators {
    /// Computes them. Targets outside the function are ignored.
    pub fn new(func: &Func) -> Dominators {
        let tree = Tree::new(func.entry().0, &Edges::of(func));
        let order = tree.order.iter().map(|&n| Block(n)).collect();
        Dominators { tree, order }
    }

    /// Whether they are a function's as it is now: for checks.
    pub fn are_of(&self, func: &Func) -> bool {
        *self == Dominators::new(func)
    }

    /// Reachable blocks in reverse postorder: each after its immediate dominator.
    #[inline]
    pub fn order(&self) -> &[Block] {
        &self.order
    }

    /// Whether a block can be reached.
    #[inline]
    pub fn reachable(&self, block: Block) -> bool {
        self.tree
            .position
            .get(block.index())
            .is_some_and(|&p| p != NONE)
    }

    /// Immediate dominator; `None` for the entry and what cannot be reached.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.tree.idom(block.0).map(Block)
    }

    /// Whether `a` is on every path to `b` (a block dominates itself); false for unreachable ones.
    #[inline]
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        if !self.reachable(a) || !self.reachable(b) {
            return false;
        }
        let tree = &self.tree;
        let number = |block: Block| tree.dominated[tree.position[block.index()] as usize];
        let ((first, end), (b, _)) = (number(a), number(b));
        first <= b && b < end
    }
}

/// The header of the innermost natural loop that each block stands in; nothing where there is no loop.
pub fn innermost_loops(func: &Func, doms: &Dominators) -> Option<Vec<Option<Block>>> {
    let returns = |&block: &Block| {
        let ways = func.successors(block);
        ways.iter().any(|&succ| doms.dominates(succ, block))
    };
    if !doms.order().iter().any(returns) {
        return None;
    }
    let mut ways_in: Vec<Vec<Block>> = vec![Vec::new(); func.block_count()];
    for &block in doms.order() {
        for succ in func.successors(block) {
            ways_in[succ.index()].push(block);
        }
    }
    let mut headers: Vec<Option<Block>> = vec![None; func.block_count()];
    // The header of the outermost loop found so far that a block stands in, inner loops first.
    let mut outer: Vec<Block> = func.blocks().collect();
    let mut pending: Vec<Block> = Vec::new();
    for &header in doms.order().iter().rev() {
        let latches = ways_in[header.index()].iter();
        pending.extend(latches.filter(|&&from| doms.dominates(header, from)));
        if pending.is_empty() {
            continue;
        }
        headers[header.index()] = Some(header);
        while let Some(block) = pending.pop() {
            let top = outermost(&mut outer, block);
            if top == header {
                continue;
            }
            if headers[top.index()].is_none() {
                headers[top.index()] = Some(header);
            }
            outer[top.index()] = header;
            pending.extend(ways_in[top.index()].iter().copied());
        }
    }
    Some(headers)
}

fn outermost(outer: &mut [Block], mut block: Block) -> Block {
    let mut top = block;
    while outer[top.index()] != top {
        top = outer[top.index()];
    }
    while outer[block.index()] != top {
        block = std::mem::replace(&mut outer[block.index()], top);
    }
    top
}

/// Where paths meet again: the immediate postdominators.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Tree,
    exit: u32,
}

impl PostDominators {
    /// Computes them; every way out of the function meets in one exit behind it.
    pub fn new(func: &Func) -> PostDominators {
        let exit = func.block_count() as u32;
        PostDominators {
            tree: Tree::new(exit, &Edges::of(func).reversed()),
            exit,
        }
    }

    /// The first block that every path from `block` to the end goes through; `None` where they meet
    /// behind the function only, or the end cannot be reached.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        self.tree
            .idom(block.0)
            .filter(|&n| n != self.exit)
            .map(Block)
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

fn postorder(root: u32, succs: &Edges) -> Vec<u32> {
    let mut seen = vec![false; succs.nodes()];
    let mut order = Vec::with_capacity(succs.nodes());
    let mut stack = vec![(root, 0)];
    seen[root as usize] = true;
    while let Some((node, next)) = stack.last_mut() {
        match succs.from(*node).get(*next) {
            Some(&succ) => {
                *next += 1;
                if !seen[succ as usize] {
                    seen[succ as usize] = true;
                    stack.push((succ, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use spirdna_isa::WaveSize;

    use super::*;
    use crate::ir::random::flow;

    /// Blocks that can be reached without going through one.
    fn reached_without(func: &Func, avoided: Option<Block>) -> Vec<bool> {
        let mut seen = vec![false; func.block_count()];
        let mut work = vec![func.entry()];
        while let Some(block) = work.pop() {
            if Some(block) != avoided && !std::mem::replace(&mut seen[block.index()], true) {
                work.extend(func.successors(block));
            }
        }
        seen
    }

    #[test]
    fn a_block_dominates_what_cannot_be_reached_without_it() {
        for seed in 0..60 {
            let func = flow(seed, WaveSize::W32);
            let doms = Dominators::new(&func);
            let reached = reached_without(&func, None);
            for a in func.blocks() {
                assert_eq!(doms.reachable(a), reached[a.index()], "seed {seed}, {a}");
                let without = reached_without(&func, Some(a));
                for b in func.blocks() {
                    let both = reached[a.index()] && reached[b.index()];
                    let expected = both && !without[b.index()];
                    assert_eq!(doms.dominates(a, b), expected, "seed {seed}, {a} {b}");
                }
            }
        }
    }
}

//! Reachability, an order, dominators and postdominators of a function's blocks (Cooper, Harvey, Kennedy: "A Simple,
//! Fast Dominance Algorithm"). Facts of the graph only.

use super::func::{Block, Func};

const NONE: u32 = u32::MAX;

/// Successors of numbered nodes, one list behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
struct Edges {
    /// Where each node's begin, and the end of all.
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Edges {
    /// Makes them those of a function's blocks; targets outside it are left out.
    fn take_from(&mut self, func: &Func) {
        let count = func.block_count();
        self.starts.clear();
        self.ends.clear();
        for block in func.blocks() {
            self.starts.push(self.ends.len() as u32);
            if let Some(term) = &func.block(block).term {
                let inside = term.ways().map(|t| t.block.0);
                self.ends.extend(inside.filter(|&n| (n as usize) < count));
            }
        }
        self.starts.push(self.ends.len() as u32);
    }

    fn nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    #[inline]
    fn from(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.ends[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The edges turned round, with one more node: its successors are the nodes without any.
    fn reversed(&self) -> Edges {
        let exit = self.nodes() as u32;
        let mut edges = Edges::default();
        edges.collect(self.nodes() + 1, || {
            (0..exit).flat_map(|node| {
                let to = self.from(node);
                let leaves = to.is_empty().then_some((exit, node));
                to.iter().map(move |&to| (to, node)).chain(leaves)
            })
        });
        edges
    }

    /// Makes them those of (from, to) pairs, which are asked for twice; each node's in their order.
    fn collect<I: Iterator<Item = (u32, u32)>>(&mut self, nodes: usize, pairs: impl Fn() -> I) {
        let Edges { starts, ends } = self;
        // Counted two places on, so that what begins where moves into its place while the ends are filled in.
        starts.clear();
        starts.resize(nodes + 2, 0);
        for (from, _) in pairs() {
            starts[from as usize + 2] += 1;
        }
        for node in 1..=nodes {
            starts[node + 1] += starts[node];
        }
        ends.clear();
        ends.resize(starts[nodes + 1] as usize, 0);
        for (from, to) in pairs() {
            let at = &mut starts[from as usize + 1];
            ends[*at as usize] = to;
            *at += 1;
        }
        starts.truncate(nodes + 1);
    }
}

/// The dominator tree of a graph of numbered nodes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tree {
    /// Reverse postorder of the reachable nodes; the root is first.
    order: Vec<u32>,
    /// Position in `order`, or `NONE`.
    position: Vec<u32>,
    /// By position: the positions of the nodes that lead there.
    ways_in: Edges,
    /// Whether a way leads to where it came from, or before.
    returns: bool,
    /// Immediate dominator, by position; the root's is itself.
    idom: Vec<u32>,
    /// By position: the numbers of the nodes that it dominates, itself the first, and the end of them.
    dominated: Vec<(u32, u32)>,
}

/// Room for the making of a tree.
#[derive(Clone, Debug, Default)]
struct Work {
    /// Nodes of the walk, with the number of the successor that is next.
    stack: Vec<(u32, u32)>,
    /// The number that the next child of each node gets.
    next: Vec<u32>,
}

impl Tree {
    /// Makes it that of a graph.
    fn take_from(&mut self, root: u32, succs: &Edges, work: &mut Work) {
        let Tree {
            order,
            position,
            ways_in,
            returns,
            idom,
            dominated,
        } = self;
        postorder(root, succs, order, position, &mut work.stack);
        order.reverse();
        for (i, &node) in (0..).zip(&*order) {
            position[node as usize] = i;
        }
        ways_in.collect(order.len(), || {
            (0u32..).zip(&*order).flat_map(|(i, &node)| {
                let to = succs.from(node).iter();
                to.map(move |&to| (to, i))
                    .map(|(to, i)| (position[to as usize], i))
            })
        });
        *returns = (0..order.len() as u32).any(|i| ways_in.from(i).iter().any(|&from| from >= i));
        idom.clear();
        idom.resize(order.len(), NONE);
        if let Some(entry) = idom.first_mut() {
            *entry = 0;
        }
        loop {
            let mut changed = false;
            for i in 1..order.len() {
                let mut new = NONE;
                for &pred in ways_in.from(i as u32) {
                    if idom[pred as usize] == NONE {
                        continue;
                    }
                    new = if new == NONE {
                        pred
                    } else {
                        meet(idom, new, pred)
                    };
                }
                if idom[i] != new {
                    idom[i] = new;
                    changed = true;
                }
            }
            // Without a way back every node comes behind all that lead there.
            if !changed || !*returns {
                break;
            }
        }
        // Sizes of the subtrees, then numbers in the order of a walk down: a node comes after its dominator.
        dominated.clear();
        dominated.resize(order.len(), (0, 1));
        for i in (1..order.len()).rev() {
            let size = dominated[i].1;
            dominated[idom[i] as usize].1 += size;
        }
        let next = &mut work.next;
        next.clear();
        next.resize(order.len(), 1);
        for i in 1..order.len() {
            let parent = idom[i] as usize;
            let size = dominated[i].1;
            let first = next[parent];
            next[parent] += size;
            next[i] = first + 1;
            dominated[i] = (first, first + size);
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
#[derive(Clone, Debug, Default)]
pub struct Dominators {
    tree: Tree,
    order: Vec<Block>,
    edges: Edges,
    work: Work,
}

impl Dominators {
    /// Computes them. Targets outside the function are ignored.
    pub fn new(func: &Func) -> Dominators {
        let mut doms = Dominators::default();
        doms.take_from(func);
        doms
    }

    /// Makes them those of a function, in the room of what they were.
    pub fn take_from(&mut self, func: &Func) {
        self.edges.take_from(func);
        self.tree
            .take_from(func.entry().0, &self.edges, &mut self.work);
        self.order.clear();
        self.order.extend(self.tree.order.iter().map(|&n| Block(n)));
    }

    /// Whether they are a function's as it is now: for checks.
    pub fn are_of(&self, func: &Func) -> bool {
        self.tree == Dominators::new(func).tree
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

    /// Whether a way goes back in the order: without one every block comes behind all that lead there.
    #[inline]
    pub fn returns(&self) -> bool {
        self.tree.returns
    }

    /// The blocks that lead to one, in the order; repeated where one names it twice. Nothing leads to what cannot
    /// be reached.
    pub fn ways_in(
        &self,
        block: Block,
    ) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator {
        let from = match self.tree.position.get(block.index()) {
            Some(&p) if p != NONE => self.tree.ways_in.from(p),
            _ => &[],
        };
        from.iter().map(|&p| self.order[p as usize])
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
    let returns = |&header: &Block| {
        let mut ways = doms.ways_in(header);
        ways.any(|from| doms.dominates(header, from))
    };
    if !doms.returns() || !doms.order().iter().any(returns) {
        return None;
    }
    let mut headers: Vec<Option<Block>> = vec![None; func.block_count()];
    // The header of the outermost loop found so far that a block stands in, inner loops first.
    let mut outer: Vec<Block> = func.blocks().collect();
    let mut pending: Vec<Block> = Vec::new();
    for &header in doms.order().iter().rev() {
        let latches = doms.ways_in(header);
        pending.extend(latches.filter(|&from| doms.dominates(header, from)));
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
            pending.extend(doms.ways_in(top));
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
        let (mut edges, mut tree) = (Edges::default(), Tree::default());
        edges.take_from(func);
        tree.take_from(exit, &edges.reversed(), &mut Work::default());
        PostDominators { tree, exit }
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

/// The nodes that a root leads to, each behind those it leads to first; the others get no position.
fn postorder(
    root: u32,
    succs: &Edges,
    order: &mut Vec<u32>,
    position: &mut Vec<u32>,
    stack: &mut Vec<(u32, u32)>,
) {
    order.clear();
    position.clear();
    position.resize(succs.nodes(), NONE);
    stack.push((root, 0));
    position[root as usize] = 0;
    while let Some((node, next)) = stack.last_mut() {
        match succs.from(*node).get(*next as usize) {
            Some(&succ) => {
                *next += 1;
                // Any but `NONE` for what was seen.
                if position[succ as usize] == NONE {
                    position[succ as usize] = 0;
                    stack.push((succ, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
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

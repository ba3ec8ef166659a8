//! Reachability, an order, dominators and postdominators of a function's blocks (Cooper, Harvey, Kennedy: "A Simple,
//! Fast Dominance Algorithm"). Facts of the graph only.

use smallvec::SmallVec;

use super::func::{Block, Func};

const NONE: u32 = u32::MAX;

/// The dominator tree of a graph of numbered nodes.
#[derive(Clone, Debug)]
struct Tree {
    /// Reverse postorder of the reachable nodes; the root is first.
    order: Vec<u32>,
    /// Position in `order`, or `NONE`.
    position: Vec<u32>,
    /// Immediate dominator, by position; the root's is itself.
    idom: Vec<u32>,
    /// Depth in the tree, by position.
    depth: Vec<u32>,
}

impl Tree {
    fn new(root: u32, succs: &[SmallVec<[u32; 2]>]) -> Tree {
        let mut position = vec![NONE; succs.len()];
        let mut order = postorder(root, succs);
        order.reverse();
        for (i, &node) in order.iter().enumerate() {
            position[node as usize] = i as u32;
        }
        let mut preds: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        for (i, &node) in order.iter().enumerate() {
            for &succ in &succs[node as usize] {
                preds[position[succ as usize] as usize].push(i as u32);
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
        Tree {
            order,
            position,
            idom,
            depth,
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
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: Tree,
    order: Vec<Block>,
}

impl Dominators {
    /// Computes them. Targets outside the function are ignored.
    pub fn new(func: &Func) -> Dominators {
        let tree = Tree::new(func.entry().0, &successors(func));
        let order = tree.order.iter().map(|&n| Block(n)).collect();
        Dominators { tree, order }
    }

    /// Reachable blocks in reverse postorder: each after its immediate dominator.
    pub fn order(&self) -> &[Block] {
        &self.order
    }

    /// Whether a block can be reached.
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
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        if !self.reachable(a) || !self.reachable(b) {
            return false;
        }
        let tree = &self.tree;
        let (pa, mut pb) = (tree.position[a.index()], tree.position[b.index()]);
        while tree.depth[pb as usize] > tree.depth[pa as usize] {
            pb = tree.idom[pb as usize];
        }
        pa == pb
    }
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
        let mut preds: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); func.block_count() + 1];
        for (node, succs) in successors(func).into_iter().enumerate() {
            if succs.is_empty() {
                preds[exit as usize].push(node as u32);
            }
            for succ in succs {
                preds[succ as usize].push(node as u32);
            }
        }
        PostDominators {
            tree: Tree::new(exit, &preds),
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

fn successors(func: &Func) -> Vec<SmallVec<[u32; 2]>> {
    let inside = |b: &Block| b.index() < func.block_count();
    func.blocks()
        .map(|b| {
            func.successors(b)
                .into_iter()
                .filter(inside)
                .map(|s| s.0)
                .collect()
        })
        .collect()
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

fn postorder(root: u32, succs: &[SmallVec<[u32; 2]>]) -> Vec<u32> {
    let mut seen = vec![false; succs.len()];
    let mut order = Vec::with_capacity(succs.len());
    let mut stack = vec![(root, 0)];
    seen[root as usize] = true;
    while let Some((node, next)) = stack.last_mut() {
        match succs[*node as usize].get(*next) {
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

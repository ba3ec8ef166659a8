//! Bare nodes and edges in two flat arrays, and their depth-first order. Knows no terminators.

use super::NONE;

/// A rooted directed graph with ordered successors, nodes numbered from 0.
#[derive(Clone, Debug)]
pub struct Flow {
    entry: u32,
    succ_first: Vec<u32>,
    succ: Vec<u32>,
    pred_first: Vec<u32>,
    pred: Vec<u32>,
}

impl Flow {
    /// Builds both directions from a repeatable list of edges (asked for twice). Successors keep the order
    /// of the list, as do predecessors. Every node that the list or `entry` names must be below `nodes`.
    pub(crate) fn from_edges<I>(entry: u32, nodes: usize, edges: impl Fn() -> I) -> Flow
    where
        I: Iterator<Item = (u32, u32)>,
    {
        let mut succ_first = vec![0u32; nodes + 1];
        let mut pred_first = vec![0u32; nodes + 1];
        let mut count = 0;
        for (from, to) in edges() {
            succ_first[from as usize + 1] += 1;
            pred_first[to as usize + 1] += 1;
            count += 1;
        }
        for i in 0..nodes {
            succ_first[i + 1] += succ_first[i];
            pred_first[i + 1] += pred_first[i];
        }
        let mut succ = vec![0; count];
        let mut pred = vec![0; count];
        let mut succ_next = succ_first.clone();
        let mut pred_next = pred_first.clone();
        for (from, to) in edges() {
            let s = &mut succ_next[from as usize];
            succ[*s as usize] = to;
            *s += 1;
            let p = &mut pred_next[to as usize];
            pred[*p as usize] = from;
            *p += 1;
        }
        Flow {
            entry,
            succ_first,
            succ,
            pred_first,
            pred,
        }
    }

    /// The root.
    pub fn entry(&self) -> u32 {
        self.entry
    }

    /// How many nodes there are, reachable or not.
    pub fn len(&self) -> usize {
        self.succ_first.len() - 1
    }

    /// True for a graph without nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Successors in order; repeated when there are several edges.
    pub fn successors(&self, node: u32) -> &[u32] {
        let n = node as usize;
        &self.succ[self.succ_first[n] as usize..self.succ_first[n + 1] as usize]
    }

    /// Predecessors, also unreachable ones; repeated when there are several edges.
    pub fn predecessors(&self, node: u32) -> &[u32] {
        let n = node as usize;
        &self.pred[self.pred_first[n] as usize..self.pred_first[n + 1] as usize]
    }
}

/// A depth-first search from the entry: preorder with its tree, and reverse post-order.
#[derive(Clone, Debug)]
pub struct Order {
    /// Reachable nodes in preorder.
    pub(super) preorder: Vec<u32>,
    /// By node: position in `preorder`, or `NONE`.
    pub(super) pre: Vec<u32>,
    /// By preorder position: preorder position of the parent in the search tree (0 for the root).
    pub(super) parent: Vec<u32>,
    rpo: Vec<u32>,
    position: Vec<u32>,
}

impl Order {
    /// Searches from the entry, successors in order.
    pub fn new(flow: &Flow) -> Order {
        let nodes = flow.len();
        let mut pre = vec![NONE; nodes];
        let mut preorder = Vec::with_capacity(nodes);
        let mut parent = Vec::with_capacity(nodes);
        let mut rpo = Vec::with_capacity(nodes);
        // (node, next successor to look at)
        let mut stack: Vec<(u32, u32)> = Vec::with_capacity(nodes.min(64));
        if nodes > 0 {
            pre[flow.entry() as usize] = 0;
            preorder.push(flow.entry());
            parent.push(0);
            stack.push((flow.entry(), 0));
        }
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            match flow.successors(node).get(*next as usize) {
                Some(&to) => {
                    *next += 1;
                    if pre[to as usize] == NONE {
                        pre[to as usize] = preorder.len() as u32;
                        preorder.push(to);
                        parent.push(pre[node as usize]);
                        stack.push((to, 0));
                    }
                }
                None => {
                    rpo.push(node);
                    stack.pop();
                }
            }
        }
        rpo.reverse();
        let mut position = vec![NONE; nodes];
        for (i, node) in rpo.iter().enumerate() {
            position[*node as usize] = i as u32;
        }
        Order {
            preorder,
            pre,
            parent,
            rpo,
            position,
        }
    }

    /// The reachable nodes in reverse post-order: a node comes before all that it dominates, and the source
    /// of every edge that is not retreating before its target.
    pub fn rpo(&self) -> &[u32] {
        &self.rpo
    }

    /// Position in [`Order::rpo`]; `None` for an unreachable node.
    pub fn position(&self, node: u32) -> Option<u32> {
        let position = self.position[node as usize];
        (position != NONE).then_some(position)
    }

    /// Whether the entry reaches the node.
    pub fn reachable(&self, node: u32) -> bool {
        self.position[node as usize] != NONE
    }

    /// Whether an edge between reachable nodes goes backwards (or to itself) in reverse post-order.
    pub fn retreating(&self, from: u32, to: u32) -> bool {
        self.position[to as usize] <= self.position[from as usize]
    }
}

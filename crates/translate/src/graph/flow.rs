//! Bare nodes and edges in two flat arrays, and their depth-first order. Knows no terminators.

use super::NONE;

/// Lists of nodes, one a node, one behind the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    /// Where each node's list begins, the end of all, and what counting needs; empty where all lists are.
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    /// Of a list of pairs that is asked for twice: each node's in that order.
    pub fn new<I: Iterator<Item = (u32, u32)>>(nodes: usize, pairs: impl Fn() -> I) -> Lists {
        // A count stands two places behind its node, so that it ends, as where to put the next, one behind.
        let mut first = Vec::new();
        let mut count = 0;
        for (node, _) in pairs() {
            if first.is_empty() {
                first.resize(nodes + 2, 0u32);
            }
            first[node as usize + 2] += 1;
            count += 1;
        }
        let mut sum = 0;
        for place in &mut first {
            sum += *place;
            *place = sum;
        }
        let mut all = vec![0; count];
        if count > 0 {
            for (node, other) in pairs() {
                let place = &mut first[node as usize + 1];
                all[*place as usize] = other;
                *place += 1;
            }
        }
        Lists { first, all }
    }

    /// A node's.
    #[inline]
    pub fn of(&self, node: u32) -> &[u32] {
        let n = node as usize;
        match self.first.get(n..n + 2) {
            Some(&[from, to]) => &self.all[from as usize..to as usize],
            _ => &[],
        }
    }
}

/// A rooted directed graph with ordered successors, nodes numbered from 0.
#[derive(Clone, Debug)]
pub struct Flow {
    entry: u32,
    nodes: usize,
    succ: Lists,
    pred: Lists,
}

impl Flow {
    /// Builds both directions from a repeatable list of edges. Successors keep the order of the list, as do
    /// predecessors. Every node that the list or `entry` names must be below `nodes`.
    pub(crate) fn from_edges<I>(entry: u32, nodes: usize, edges: impl Fn() -> I) -> Flow
    where
        I: Iterator<Item = (u32, u32)>,
    {
        Flow {
            entry,
            nodes,
            succ: Lists::new(nodes, &edges),
            pred: Lists::new(nodes, || edges().map(|(from, to)| (to, from))),
        }
    }

    /// Builds both directions from lists of successors that stand one behind the other: where each node's begin, and
    /// the end of all. Every node that they or `entry` name must be one of these.
    pub(crate) fn of_lists(
        entry: u32,
        first: &[u32],
        successors: impl Iterator<Item = u32>,
    ) -> Flow {
        let nodes = first.len().saturating_sub(1);
        let succ = Lists {
            first: first.to_vec(),
            all: successors.collect(),
        };
        let pred = Lists::new(nodes, || {
            (0..nodes as u32).flat_map(|from| succ.of(from).iter().map(move |&to| (to, from)))
        });
        Flow {
            entry,
            nodes,
            succ,
            pred,
        }
    }

    /// The root.
    pub fn entry(&self) -> u32 {
        self.entry
    }

    /// How many nodes there are, reachable or not.
    pub fn len(&self) -> usize {
        self.nodes
    }

    /// True for a graph without nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Successors in order; repeated when there are several edges.
    pub fn successors(&self, node: u32) -> &[u32] {
        self.succ.of(node)
    }

    /// Predecessors, also unreachable ones; repeated when there are several edges.
    pub fn predecessors(&self, node: u32) -> &[u32] {
        self.pred.of(node)
    }
}

/// A depth-first search from the entry: preorder with its tree, and reverse post-order.
#[derive(Clone, Debug)]
pub struct Order {
    /// Reachable nodes in preorder, with the preorder position of the parent in the search tree (0 for the root).
    pub(super) preorder: Vec<(u32, u32)>,
    rpo: Vec<u32>,
    places: Vec<Place>,
}

/// Where a node stands in the orders; `NONE`: in none.
#[derive(Clone, Copy, Debug)]
struct Place {
    pre: u32,
    rpo: u32,
}

impl Order {
    /// Searches from the entry, successors in order.
    pub fn new(flow: &Flow) -> Order {
        let nodes = flow.len();
        let nowhere = Place {
            pre: NONE,
            rpo: NONE,
        };
        let mut places = vec![nowhere; nodes];
        let mut preorder = Vec::with_capacity(nodes);
        let mut rpo = Vec::with_capacity(nodes);
        // (node, next successor to look at)
        let mut stack: Vec<(u32, u32)> = Vec::with_capacity(nodes.min(64));
        if nodes > 0 {
            places[flow.entry() as usize].pre = 0;
            preorder.push((flow.entry(), 0));
            stack.push((flow.entry(), 0));
        }
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            match flow.successors(node).get(*next as usize) {
                Some(&to) => {
                    *next += 1;
                    if places[to as usize].pre == NONE {
                        places[to as usize].pre = preorder.len() as u32;
                        preorder.push((to, places[node as usize].pre));
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
        for (i, node) in rpo.iter().enumerate() {
            places[*node as usize].rpo = i as u32;
        }
        Order {
            preorder,
            rpo,
            places,
        }
    }

    /// Position in preorder, or `NONE`.
    #[inline]
    pub(super) fn pre(&self, node: u32) -> u32 {
        self.places[node as usize].pre
    }

    /// The reachable nodes in reverse post-order: a node comes before all that it dominates, and the source
    /// of every edge that is not retreating before its target.
    pub fn rpo(&self) -> &[u32] {
        &self.rpo
    }

    /// Position in [`Order::rpo`]; `None` for an unreachable node.
    pub fn position(&self, node: u32) -> Option<u32> {
        let position = self.places[node as usize].rpo;
        (position != NONE).then_some(position)
    }

    /// Whether the entry reaches the node.
    pub fn reachable(&self, node: u32) -> bool {
        self.places[node as usize].rpo != NONE
    }

    /// Whether an edge between reachable nodes goes backwards (or to itself) in reverse post-order.
    pub fn retreating(&self, from: u32, to: u32) -> bool {
        self.places[to as usize].rpo <= self.places[from as usize].rpo
    }
}

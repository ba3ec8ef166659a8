//! Gives every cycle a single entry. A cycle with several gets a dispatch node in front: each edge into an
//! entry sets a state variable and leads to the dispatch, which leads on to that entry.
//!
//! Such cycles show in the dominator tree: their entries are siblings. Lifting each edge to the sibling that
//! dominates its source gives a graph per set of siblings, whose strongly connected parts are exactly these
//! cycles, at all depths at once. Dispatches change no dominance among blocks: an entry has siblings that
//! reach it, so no block of the cycle dominates it, and what dominates one entry from outside dominates all.
//!
//! Knows nothing of the tree to come.

use smallvec::SmallVec;

use super::{PartReport, StateVar, StructurizeError};
use crate::graph::{BlockId, Components, DomTree, EdgeRef, Flow, Graph, LoopForest, NONE, Order};

/// A reducible graph: the reachable blocks, numbered as before, and the dispatches after them.
pub(super) struct Reduced<'g> {
    pub graph: &'g Graph,
    pub flow: Flow,
    pub order: Order,
    pub dom: DomTree,
    pub loops: LoopForest,
    pub edges: Vec<Edge>,
    /// By node: its range of `edges`.
    out: Vec<(u32, u32)>,
    /// The entries of each dispatch, by state variable.
    pub dispatches: Vec<Vec<u32>>,
    pub steps: u64,
}

/// An edge between nodes.
pub(super) struct Edge {
    pub from: u32,
    pub to: u32,
    /// The edge of the graph; `None` from a dispatch to an entry.
    pub original: Option<EdgeRef>,
    /// What is set on the way.
    pub states: SmallVec<[(StateVar, u32); 1]>,
}

impl Reduced<'_> {
    /// The edges of a node, in the order of its successors.
    pub fn out(&self, node: u32) -> &[Edge] {
        let (first, len) = self.out[node as usize];
        &self.edges[first as usize..(first + len) as usize]
    }

    /// The place of a node's first edge in `edges`.
    pub fn out_first(&self, node: u32) -> u32 {
        self.out[node as usize].0
    }

    /// The state variable when the node is a dispatch.
    pub fn dispatch(&self, node: u32) -> Option<StateVar> {
        node.checked_sub(self.graph.len() as u32).map(StateVar)
    }

    /// Whether an edge goes back to a loop header around its source.
    pub fn is_back(&self, edge: &Edge) -> bool {
        self.dom.dominates(edge.to, edge.from)
    }

    /// The strategy of each part.
    pub fn report(&self) -> Vec<PartReport> {
        if self.loops.headers().is_empty() {
            return vec![PartReport::Regions {
                blocks: self.order.rpo().len() as u32,
            }];
        }
        let blocks = self.graph.len() as u32;
        let mut held = vec![0u32; self.flow.len()];
        let mut plain = 0;
        for &node in self.order.rpo() {
            if node < blocks {
                match self.loops.innermost(node) {
                    Some(header) => held[header as usize] += 1,
                    None => plain += 1,
                }
            }
        }
        // Inner loops add to outer ones; blocks that reach the outermost without a dispatch are plain.
        let mut dispatched = 0;
        let mut inside = vec![false; self.flow.len()];
        for &header in self.loops.headers() {
            let within = self
                .loops
                .parent(header)
                .is_some_and(|up| inside[up as usize]);
            inside[header as usize] = within || header >= blocks;
            if inside[header as usize] {
                dispatched += held[header as usize];
            } else {
                plain += held[header as usize];
            }
        }
        for &header in self.loops.headers().iter().rev() {
            if let Some(up) = self.loops.parent(header) {
                held[up as usize] += held[header as usize];
            }
        }
        debug_assert_eq!(
            plain + dispatched,
            self.order.rpo().iter().filter(|n| **n < blocks).count() as u32
        );
        let mut report = vec![PartReport::Regions { blocks: plain }];
        for (var, entries) in self.dispatches.iter().enumerate() {
            report.push(PartReport::Dispatch {
                blocks: held[blocks as usize + var],
                entries: entries.iter().map(|e| BlockId(*e)).collect(),
            });
        }
        report
    }
}

/// Rounds in which only members entered from outside become entries; then all members do, which always
/// ends it.
const FINE_ROUNDS: u32 = 4;

/// Makes the graph reducible.
pub(super) fn reduce(graph: &Graph) -> Result<Reduced<'_>, StructurizeError> {
    let mut edges = Vec::with_capacity(2 * graph.len());
    let mut out = vec![(0, 0); graph.len()];
    let plain = graph.flow();
    let reachable = Order::new(&plain);
    for from in graph.blocks() {
        if !reachable.reachable(from.0) {
            continue;
        }
        let first = edges.len() as u32;
        let successors = graph.successors(from);
        for (index, to) in successors.iter().enumerate() {
            edges.push(Edge {
                from: from.0,
                to: to.0,
                original: Some(EdgeRef {
                    from,
                    index: index as u32,
                }),
                states: SmallVec::new(),
            });
        }
        out[from.index()] = (first, successors.len() as u32);
    }
    let mut dispatches = Vec::new();
    let mut steps = 0;
    // Where all can be reached, the graph is the first to be looked at as it is.
    let whole = reachable.rpo().len() == graph.len();
    let mut first = whole.then_some((plain, reachable));
    for round in 0..=FINE_ROUNDS + 1 {
        let (flow, order) = first.take().unwrap_or_else(|| {
            let flow = Flow::from_edges(graph.entry().0, out.len(), || {
                edges.iter().map(|e| (e.from, e.to))
            });
            let order = Order::new(&flow);
            (flow, order)
        });
        let dom = DomTree::new(&flow, &order);
        steps += dom.work() + (out.len() + edges.len()) as u64;
        let irreducible = |e: &Edge| order.retreating(e.from, e.to) && !dom.dominates(e.to, e.from);
        if !edges.iter().any(irreducible) {
            let loops = LoopForest::new(&flow, &order, &dom);
            return Ok(Reduced {
                graph,
                flow,
                order,
                dom,
                loops,
                edges,
                out,
                dispatches,
                steps,
            });
        }
        add_dispatches(
            &dom,
            &order,
            &mut edges,
            &mut out,
            &mut dispatches,
            round < FINE_ROUNDS,
        );
    }
    Err(StructurizeError::Internal {
        what: "a cycle keeps several entries",
        node: graph.entry().0,
    })
}

/// One round: a dispatch for each strongly connected part among siblings of the dominator tree.
fn add_dispatches(
    dom: &DomTree,
    order: &Order,
    edges: &mut Vec<Edge>,
    out: &mut Vec<(u32, u32)>,
    dispatches: &mut Vec<Vec<u32>>,
    fine: bool,
) {
    let nodes = out.len();
    // The sibling of each edge's target that dominates its source; NONE when that is the parent itself.
    let mut lifted: Vec<(u32, u32)> = Vec::with_capacity(edges.len());
    let mut path = Vec::new();
    for &node in dom.preorder() {
        let depth = dom.depth(node).unwrap_or(0) as usize;
        path.truncate(depth);
        path.push(node);
        let (first, len) = out[node as usize];
        for edge in &edges[first as usize..(first + len) as usize] {
            if dom.dominates(edge.to, node) {
                continue;
            }
            // The target's parent dominates the source, so it stands on the path.
            let above = dom.depth(edge.to).unwrap_or(0) as usize;
            lifted.push((path.get(above).copied().unwrap_or(NONE), edge.to));
        }
    }
    let siblings = Flow::from_edges(0, nodes, || {
        lifted.iter().copied().filter(|(from, _)| *from != NONE)
    });
    let parts = Components::new(&siblings);
    let mut members = vec![0u32; parts.count() as usize];
    for &node in order.rpo() {
        members[parts.of(node) as usize] += 1;
    }
    let mut is_entry = vec![!fine; nodes];
    for &(from, to) in &lifted {
        if from == NONE || parts.of(from) != parts.of(to) {
            is_entry[to as usize] = true;
        }
    }
    // In reverse post-order, so that arms and variables are in program order.
    let mut var_of_part = vec![NONE; parts.count() as usize];
    let mut value = vec![NONE; nodes];
    let first_new = dispatches.len();
    for &node in order.rpo() {
        let part = parts.of(node) as usize;
        if members[part] < 2 || !is_entry[node as usize] {
            continue;
        }
        if var_of_part[part] == NONE {
            var_of_part[part] = dispatches.len() as u32;
            dispatches.push(Vec::new());
        }
        let entries = &mut dispatches[var_of_part[part] as usize];
        value[node as usize] = entries.len() as u32;
        entries.push(node);
    }
    let blocks = (nodes - first_new) as u32;
    for edge in edges.iter_mut() {
        let value = value[edge.to as usize];
        if value != NONE {
            let var = var_of_part[parts.of(edge.to) as usize];
            edge.states.push((StateVar(var), value));
            edge.to = blocks + var;
        }
    }
    for (var, entries) in dispatches.iter().enumerate().skip(first_new) {
        out.push((edges.len() as u32, entries.len() as u32));
        for &to in entries {
            edges.push(Edge {
                from: blocks + var as u32,
                to,
                original: None,
                states: SmallVec::new(),
            });
        }
    }
}

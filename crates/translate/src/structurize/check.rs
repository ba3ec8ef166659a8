//! Proves the promise of dominance on a finished tree: writes down the control flow that SPIR-V code made
//! from it has, tests after merges included (see the room's own text), and compares dominators.

use super::reduce::Reduced;
use super::tree::{Event, Label, Node, Structured};
use crate::graph::{DomTree, Flow, NONE, Order};

/// What was found.
pub(super) struct Checked {
    /// The nodes that their immediate dominator does not dominate in the tree.
    pub broken: Vec<u32>,
    pub steps: u64,
}

/// A scope or loop being walked.
struct Open {
    merge: u32,
    /// The outermost construct, as a height of the stack of open ones, that something inside leaves.
    leaves: u32,
}

struct Model {
    edges: Vec<(u32, u32)>,
    points: u32,
    /// Where control stands; `None` after it went elsewhere.
    at: Option<u32>,
    open: Vec<Open>,
    /// By label: height of its construct.
    height: Vec<u32>,
}

impl Model {
    fn point(&mut self) -> u32 {
        self.points += 1;
        self.points - 1
    }

    /// Goes on from where control stands to a point.
    fn join(&mut self, to: u32) {
        if let Some(at) = self.at {
            self.edges.push((at, to));
        }
    }

    fn open(&mut self, label: Label) {
        let merge = self.point();
        let start = self.point();
        self.join(start);
        self.at = Some(start);
        let height = self.open.len() as u32;
        self.height[label.0 as usize] = height;
        self.open.push(Open {
            merge,
            leaves: height,
        });
    }

    /// Leaves all open constructs down to this height.
    fn leave(&mut self, height: u32) {
        if let Some(top) = self.open.last_mut() {
            top.leaves = top.leaves.min(height);
            let merge = top.merge;
            self.join(merge);
        }
        self.at = None;
    }

    fn close(&mut self, falls: bool) {
        let Some(open) = self.open.pop() else { return };
        if falls {
            self.join(open.merge);
        }
        let height = self.open.len() as u32;
        if let Some(outer) = self.open.last_mut().filter(|_| open.leaves < height) {
            self.edges.push((open.merge, outer.merge));
            outer.leaves = outer.leaves.min(open.leaves);
        }
        self.at = Some(open.merge);
    }
}

/// Compares the dominators of all nodes of the reduced graph with those in the tree's control flow.
pub(super) fn check(r: &Reduced<'_>, tree: &Structured) -> Checked {
    let mut model = Model {
        edges: Vec::new(),
        points: 1,
        at: Some(0),
        open: Vec::new(),
        height: vec![0; tree.labels as usize],
    };
    let blocks = r.graph.len() as u32;
    let mut point_of = vec![NONE; r.flow.len()];
    // The points where selections begin and join.
    let mut selections: Vec<(u32, u32)> = Vec::new();
    for event in tree.events() {
        match event {
            Event::Leaf(id) => match tree.node(id) {
                Node::Block(block) => {
                    let point = model.point();
                    model.join(point);
                    model.at = Some(point);
                    point_of[block.index()] = point;
                }
                Node::Exit(label) => model.leave(model.height[label.0 as usize]),
                Node::Continue(label) => {
                    // The next turn starts inside the loop, so what is left is what lies within it.
                    let inner = model.height[label.0 as usize] + 1;
                    if (inner as usize) < model.open.len() {
                        model.leave(inner);
                    }
                    model.at = None;
                }
                Node::Return => model.at = None,
                _ => {}
            },
            Event::Enter(id) => match tree.node(id) {
                Node::Scope { label, .. } | Node::Loop { label, .. } => model.open(*label),
                node => {
                    let start = model.point();
                    model.join(start);
                    let merge = model.point();
                    model.at = None;
                    selections.push((start, merge));
                    if let Node::Dispatch { var, .. } = node {
                        point_of[(blocks + var.0) as usize] = start;
                    }
                }
            },
            Event::Arm(id, index) => {
                if let Node::Scope { .. } | Node::Loop { .. } = tree.node(id) {
                    continue;
                }
                let Some(&(start, merge)) = selections.last() else {
                    continue;
                };
                if index > 0 {
                    model.join(merge);
                }
                model.at = Some(start);
                let arm = model.point();
                model.join(arm);
                model.at = Some(arm);
            }
            Event::Leave(id) => match tree.node(id) {
                Node::Scope { .. } => model.close(true),
                Node::Loop { .. } => model.close(false),
                _ => {
                    if let Some((_, merge)) = selections.pop() {
                        model.join(merge);
                        model.at = Some(merge);
                    }
                }
            },
        }
    }
    let flow = Flow::from_edges(0, model.points as usize, || model.edges.iter().copied());
    let order = Order::new(&flow);
    let dom = DomTree::new(&flow, &order);
    let mut broken = Vec::new();
    for &node in r.order.rpo() {
        let point = point_of[node as usize];
        let held = point != NONE
            && r.dom.idom(node).is_none_or(|up| {
                let up = point_of[up as usize];
                up != NONE && dom.dominates(up, point)
            });
        if !held {
            broken.push(node);
        }
    }
    Checked {
        broken,
        steps: dom.work() + u64::from(model.points) + model.edges.len() as u64,
    }
}

//! Proves the promise of dominance on a finished tree: writes down the control flow that SPIR-V code made
//! from it has, tests after merges included (see the room's own text), and compares dominators.

use super::crossing::{Crossing, crossings};
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
    /// Whether after the merge control may go on to leave the construct around it.
    crossed: bool,
}

struct Model {
    edges: Vec<(u32, u32)>,
    points: u32,
    /// Where control stands; `None` after it went elsewhere.
    at: Option<u32>,
    open: Vec<Open>,
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

    fn open(&mut self, crossing: Crossing) {
        let merge = self.point();
        let start = self.point();
        self.join(start);
        self.at = Some(start);
        // Continuing the loop around is a back edge to what dominates all of this: no matter here.
        let crossed = crossing.exits || crossing.beyond;
        self.open.push(Open { merge, crossed });
    }

    /// Breaks out of the innermost construct.
    fn leave(&mut self) {
        if let Some(top) = self.open.last() {
            self.join(top.merge);
        }
        self.at = None;
    }

    fn close(&mut self, falls: bool) {
        let Some(open) = self.open.pop() else { return };
        if falls {
            self.join(open.merge);
        }
        if let Some(outer) = self.open.last().filter(|_| open.crossed) {
            self.edges.push((open.merge, outer.merge));
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
    };
    let crossings = crossings(tree);
    // The labels of the open constructs.
    let mut innermost: Vec<Label> = Vec::new();
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
                Node::Exit(_) => model.leave(),
                Node::Continue(label) if innermost.last() == Some(label) => model.at = None,
                Node::Continue(_) => model.leave(),
                Node::Return => model.at = None,
                _ => {}
            },
            Event::Enter(id) => match tree.node(id) {
                Node::Scope { label, .. } | Node::Loop { label, .. } => {
                    innermost.push(*label);
                    model.open(crossings[label.0 as usize]);
                }
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
                node @ (Node::Scope { .. } | Node::Loop { .. }) => {
                    innermost.pop();
                    model.close(matches!(node, Node::Scope { .. }));
                }
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

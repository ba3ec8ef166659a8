//! Writes the region tree of a placed graph. One task after another from a stack, so that depth costs heap;
//! nodes collect on a scratch stack and move into the arena once, when their sequence ends.
//!
//! Control that falls to its target by itself needs no exit: each task knows what follows it. A scope that
//! no exit names is not written.

use super::place::{Place, Places};
use super::reduce::{Edge, Reduced};
use super::tree::{Label, Node, Seq, Structured};
use super::{PartReport, StateVar, StructurizeError};
use crate::graph::{BlockId, EdgeRef, Graph, NONE, Terminator};

/// Where control goes when it falls out of what is being written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Nowhere: it never falls out.
    Nothing,
    /// To a node that follows.
    To(u32),
    /// Back to this loop header.
    Back(u32),
}

/// How control reaches a node that it does not fall to.
#[derive(Clone, Copy)]
enum Way {
    None,
    /// Exit of a label slot.
    Exit(u32),
    /// Continue of a label slot.
    Continue(u32),
}

/// The ways to a node.
#[derive(Clone, Copy)]
struct Ways {
    /// Along forward edges.
    forward: Way,
    /// Along back edges.
    back: Way,
}

enum Task {
    /// All of a node: its scopes, its loop, its code and its followers.
    Construct(u32, Next),
    /// The node's code and its edges.
    Code(u32, Next),
    Edge(u32, Next),
    /// Ends the sequence that began at this height of the scratch stack.
    EndSeq(usize),
    EndIf(BlockId),
    EndSwitch(BlockId, usize),
    EndDispatch(StateVar, usize),
    EndScope {
        slot: u32,
        start: usize,
        follower: u32,
    },
    EndLoop {
        slot: u32,
        start: usize,
        after: Next,
        saved: Way,
    },
}

struct Builder<'a> {
    r: &'a Reduced<'a>,
    places: &'a Places,
    tasks: Vec<Task>,
    scratch: Vec<Node>,
    arena: Vec<Node>,
    seqs: Vec<Seq>,
    /// The label of each slot, given at first use.
    slots: Vec<u32>,
    labels: u32,
    /// By node.
    ways: Vec<Ways>,
    steps: u64,
}

/// The tree of a graph in which control goes from the entry to its end without a choice.
pub(super) fn straight(graph: &Graph) -> Option<Structured> {
    let mut nodes = Vec::with_capacity(2 * graph.len());
    let mut block = graph.entry();
    // Of more blocks than there are, one would be met again.
    for blocks in 1..=graph.len() as u32 {
        nodes.push(Node::Block(block));
        match *graph.terminator(block) {
            Terminator::Return => {
                nodes.push(Node::Return);
                let len = nodes.len() as u32;
                return Some(Structured {
                    nodes,
                    body: Seq { first: 0, len },
                    labels: 0,
                    state_vars: 0,
                    report: vec![PartReport::Regions { blocks }],
                    steps: u64::from(len),
                });
            }
            Terminator::Jump(to) => {
                let from = block;
                nodes.push(Node::Edge(EdgeRef { from, index: 0 }));
                block = to;
            }
            Terminator::Branch(..) | Terminator::Switch(_) => return None,
        }
    }
    None
}

/// Writes the tree. The report is left empty.
pub(super) fn build(r: &Reduced<'_>, places: &Places) -> Result<Structured, StructurizeError> {
    let nodes = r.flow.len();
    let nowhere = Ways {
        forward: Way::None,
        back: Way::None,
    };
    let mut tasks = Vec::with_capacity(32);
    tasks.push(Task::EndSeq(0));
    tasks.push(Task::Construct(r.flow.entry(), Next::Nothing));
    let mut b = Builder {
        r,
        places,
        tasks,
        scratch: Vec::with_capacity(32),
        // A block, how it ends, and its edges.
        arena: Vec::with_capacity(2 * nodes + r.edges.len()),
        seqs: Vec::with_capacity(16),
        slots: Vec::with_capacity(16),
        labels: 0,
        ways: vec![nowhere; nodes],
        steps: 0,
    };
    while let Some(task) = b.tasks.pop() {
        b.steps += 1;
        b.step(task)?;
    }
    let body = b.pop_seq()?;
    Ok(Structured {
        nodes: b.arena,
        body,
        labels: b.labels,
        state_vars: r.dispatches.len() as u32,
        report: Vec::new(),
        steps: b.steps,
    })
}

impl Builder<'_> {
    fn step(&mut self, task: Task) -> Result<(), StructurizeError> {
        match task {
            Task::Construct(node, next) => self.construct(node, next),
            Task::Code(node, next) => self.code(node, next),
            Task::Edge(edge, next) => return self.edge(edge, next),
            Task::EndSeq(start) => {
                let seq = self.take(start);
                self.seqs.push(seq);
            }
            Task::EndIf(block) => {
                let els = self.pop_seq()?;
                let then = self.pop_seq()?;
                self.scratch.push(Node::If { block, then, els });
            }
            Task::EndSwitch(block, count) => {
                let arms = self.pop_seqs(count);
                self.scratch.push(Node::Switch { block, arms });
            }
            Task::EndDispatch(var, count) => {
                let arms = self.pop_seqs(count);
                self.scratch.push(Node::Dispatch { var, arms });
            }
            Task::EndScope {
                slot,
                start,
                follower,
            } => {
                self.ways[follower as usize].forward = Way::None;
                let label = self.slots[slot as usize];
                if label != NONE {
                    let body = self.take(start);
                    self.scratch.push(Node::Scope {
                        label: Label(label),
                        body,
                    });
                }
            }
            Task::EndLoop {
                slot,
                start,
                after,
                saved,
            } => {
                match after {
                    Next::To(node) => self.ways[node as usize].forward = saved,
                    Next::Back(node) => self.ways[node as usize].back = saved,
                    Next::Nothing => {}
                }
                let body = self.take(start);
                let label = self.label(slot);
                self.scratch.push(Node::Loop { label, body });
            }
        }
        Ok(())
    }

    fn construct(&mut self, node: u32, next: Next) {
        let places = self.places;
        let within = places.within.of(node);
        let after = places.after.of(node);
        let header = self.r.loops.is_header(node);
        let start = self.scratch.len();
        // Written from the outside in: the tasks are pushed in reverse of the order they run in.
        for (i, &follower) in after.iter().enumerate().skip(1).rev() {
            self.follow(
                follower,
                start,
                after.get(i + 1).map_or(next, |n| Next::To(*n)),
            );
        }
        let mut inner = next;
        if header {
            if let Some(&follower) = after.first() {
                self.tasks.push(Task::Construct(
                    follower,
                    after.get(1).map_or(next, |n| Next::To(*n)),
                ));
            }
            let beyond = after.first().map_or(next, |n| Next::To(*n));
            let slot = self.slot();
            let way = Way::Exit(slot);
            let saved = match beyond {
                Next::To(n) => std::mem::replace(&mut self.ways[n as usize].forward, way),
                Next::Back(n) => std::mem::replace(&mut self.ways[n as usize].back, way),
                Next::Nothing => Way::None,
            };
            self.ways[node as usize].back = Way::Continue(slot);
            self.tasks.push(Task::EndLoop {
                slot,
                start,
                after: beyond,
                saved,
            });
            inner = Next::Back(node);
        }
        for (i, &follower) in within.iter().enumerate().rev() {
            self.follow(
                follower,
                start,
                within.get(i + 1).map_or(inner, |n| Next::To(*n)),
            );
        }
        self.tasks.push(Task::Code(
            node,
            within.first().map_or(inner, |n| Next::To(*n)),
        ));
    }

    /// Opens a scope before a follower, and leaves tasks that end it and write the follower.
    fn follow(&mut self, follower: u32, start: usize, next: Next) {
        let slot = self.slot();
        self.ways[follower as usize].forward = Way::Exit(slot);
        self.tasks.push(Task::Construct(follower, next));
        self.tasks.push(Task::EndScope {
            slot,
            start,
            follower,
        });
    }

    fn code(&mut self, node: u32, next: Next) {
        let first = self.r.out_first(node);
        if let Some(var) = self.r.dispatch(node) {
            let count = self.r.out(node).len();
            self.tasks.push(Task::EndDispatch(var, count));
            self.arms(first, count, next);
            return;
        }
        let block = BlockId(node);
        self.scratch.push(Node::Block(block));
        match self.r.graph.terminator(block) {
            Terminator::Return => self.scratch.push(Node::Return),
            Terminator::Jump(_) => self.tasks.push(Task::Edge(first, next)),
            Terminator::Branch(..) => {
                self.tasks.push(Task::EndIf(block));
                self.arms(first, 2, next);
            }
            Terminator::Switch(arms) => {
                self.tasks.push(Task::EndSwitch(block, arms.len()));
                self.arms(first, arms.len(), next);
            }
        }
    }

    /// A sequence for each edge from `first` on.
    fn arms(&mut self, first: u32, count: usize, next: Next) {
        let start = self.scratch.len();
        for edge in (first..first + count as u32).rev() {
            self.tasks.push(Task::EndSeq(start));
            self.tasks.push(Task::Edge(edge, next));
        }
    }

    fn edge(&mut self, edge: u32, next: Next) -> Result<(), StructurizeError> {
        let edge: &Edge = &self.r.edges[edge as usize];
        if let Some(original) = edge.original {
            self.scratch.push(Node::Edge(original));
        }
        for &(var, value) in &edge.states {
            self.scratch.push(Node::SetState { var, value });
        }
        let to = edge.to;
        let way = if self.r.is_back(edge) {
            if next == Next::Back(to) {
                return Ok(());
            }
            self.ways[to as usize].back
        } else if self.places.place[to as usize] == Place::Inline {
            self.tasks.push(Task::Construct(to, next));
            return Ok(());
        } else {
            if next == Next::To(to) {
                return Ok(());
            }
            self.ways[to as usize].forward
        };
        let node = match way {
            Way::Exit(slot) => Node::Exit(self.label(slot)),
            Way::Continue(slot) => Node::Continue(self.label(slot)),
            Way::None => {
                return Err(StructurizeError::Internal {
                    what: "an edge has no way to its target",
                    node: to,
                });
            }
        };
        self.scratch.push(node);
        Ok(())
    }

    fn slot(&mut self) -> u32 {
        self.slots.push(NONE);
        self.slots.len() as u32 - 1
    }

    fn label(&mut self, slot: u32) -> Label {
        let label = &mut self.slots[slot as usize];
        if *label == NONE {
            *label = self.labels;
            self.labels += 1;
        }
        Label(*label)
    }

    /// Moves the scratch stack from `start` on into the arena.
    fn take(&mut self, start: usize) -> Seq {
        let first = self.arena.len() as u32;
        self.arena.extend(self.scratch.drain(start..));
        let len = self.arena.len() as u32 - first;
        self.steps += u64::from(len);
        Seq { first, len }
    }

    fn pop_seq(&mut self) -> Result<Seq, StructurizeError> {
        self.seqs.pop().ok_or(StructurizeError::Internal {
            what: "a sequence is missing",
            node: 0,
        })
    }

    fn pop_seqs(&mut self, count: usize) -> Vec<Seq> {
        self.seqs.split_off(self.seqs.len().saturating_sub(count))
    }
}

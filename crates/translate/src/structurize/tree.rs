//! The region tree: nodes in one arena, sequences as ranges of it, and a walker without recursion.
//! Knows nothing of how the tree is made.

use super::PartReport;
use crate::graph::{BlockId, EdgeRef};

/// Names a [`Node::Scope`] or [`Node::Loop`]; unique in a tree, below [`Structured::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// A state variable of a dispatch, below [`Structured::state_vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateVar(pub u32);

/// A node's place in the arena of its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A run of nodes that control passes in order; may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seq {
    pub(super) first: u32,
    pub(super) len: u32,
}

impl Seq {
    /// The nodes' ids, in order.
    pub fn ids(self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator {
        (self.first..self.first + self.len).map(NodeId)
    }

    /// How many nodes stand in it.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether control passes without doing anything.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// One construct of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The straight code of a block, without its terminator.
    Block(BlockId),
    /// An edge of the graph is traversed here, directly before control goes on to (or exits toward) its
    /// target: the place of copies into the target's parameters.
    Edge(EdgeRef),
    /// Follows the [`Node::Block`] of `block` directly; its condition decides.
    If {
        /// The block whose condition decides.
        block: BlockId,
        /// Control when it is true.
        then: Seq,
        /// Control when it is false.
        els: Seq,
    },
    /// Follows the [`Node::Block`] of `block` directly; the value of its terminator picks the arm.
    Switch {
        /// The block whose selector decides.
        block: BlockId,
        /// One per successor, in order.
        arms: Vec<Seq>,
    },
    /// Passes its body once; [`Node::Exit`] of its label leaves to just after it.
    Scope {
        /// Its name.
        label: Label,
        /// What it holds; never empty.
        body: Seq,
    },
    /// Repeats its body: falling off the end is the back edge, as is [`Node::Continue`] of its label;
    /// [`Node::Exit`] leaves to just after it.
    Loop {
        /// Its name.
        label: Label,
        /// What it holds; never empty.
        body: Seq,
    },
    /// Leaves an enclosing scope or loop to just after it.
    Exit(Label),
    /// Starts the next turn of an enclosing loop.
    Continue(Label),
    /// Control ends.
    Return,
    /// Chooses the arm that the next [`Node::Dispatch`] of the variable takes.
    SetState {
        /// The variable.
        var: StateVar,
        /// The arm.
        value: u32,
    },
    /// Picks the arm that the variable was last set to. Stands first in its loop's body; every way there
    /// sets the variable.
    Dispatch {
        /// The variable.
        var: StateVar,
        /// One per entry of the cycle.
        arms: Vec<Seq>,
    },
}

/// A region tree.
#[derive(Clone, Debug)]
pub struct Structured {
    pub(super) nodes: Vec<Node>,
    /// The whole: control starts at its first node and never falls out of its end.
    pub body: Seq,
    /// How many labels there are.
    pub labels: u32,
    /// How many state variables there are.
    pub state_vars: u32,
    /// The strategy of each part.
    pub report: Vec<PartReport>,
    /// Elementary steps taken, for tests of complexity.
    pub steps: u64,
}

impl Structured {
    /// The nodes of a sequence of this tree.
    pub fn nodes(&self, seq: Seq) -> &[Node] {
        &self.nodes[seq.first as usize..(seq.first + seq.len) as usize]
    }

    /// One node of this tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// How many nodes the tree has; ids are below.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The sequences directly inside a node, in order: the body of a scope or loop, the true side and then
    /// the false side of an if, the arms of a switch or dispatch.
    pub fn arm(&self, id: NodeId, index: u32) -> Option<Seq> {
        match self.node(id) {
            Node::If { then, els, .. } => [*then, *els].get(index as usize).copied(),
            Node::Switch { arms, .. } | Node::Dispatch { arms, .. } => {
                arms.get(index as usize).copied()
            }
            Node::Scope { body, .. } | Node::Loop { body, .. } => (index == 0).then_some(*body),
            Node::Block(_)
            | Node::Edge(_)
            | Node::Exit(_)
            | Node::Continue(_)
            | Node::Return
            | Node::SetState { .. } => None,
        }
    }

    /// Walks the whole tree in textual order, without recursion.
    pub fn events(&self) -> Events<'_> {
        Events {
            tree: self,
            stack: {
                let mut stack = Vec::with_capacity(32);
                stack.push(Frame::Nodes(self.body));
                stack
            },
        }
    }
}

/// A step of [`Structured::events`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A node that holds no sequence.
    Leaf(NodeId),
    /// A node that holds sequences begins: If, Switch, Dispatch, Scope, Loop.
    Enter(NodeId),
    /// The sequence of this index inside the node begins (see [`Structured::arm`]); the one before ended.
    Arm(NodeId, u32),
    /// The last sequence and the node ended.
    Leave(NodeId),
}

/// The walker of [`Structured::events`].
#[derive(Clone, Debug)]
pub struct Events<'a> {
    tree: &'a Structured,
    stack: Vec<Frame>,
}

#[derive(Clone, Copy, Debug)]
enum Frame {
    /// What is left of a sequence.
    Nodes(Seq),
    /// A node inside, and the arm to come.
    Inside(NodeId, u32),
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            match self.stack.last_mut()? {
                Frame::Nodes(seq) => {
                    if seq.len == 0 {
                        self.stack.pop();
                        continue;
                    }
                    let id = NodeId(seq.first);
                    seq.first += 1;
                    seq.len -= 1;
                    let holds = matches!(
                        self.tree.node(id),
                        Node::If { .. }
                            | Node::Switch { .. }
                            | Node::Dispatch { .. }
                            | Node::Scope { .. }
                            | Node::Loop { .. }
                    );
                    if !holds {
                        return Some(Event::Leaf(id));
                    }
                    self.stack.push(Frame::Inside(id, 0));
                    return Some(Event::Enter(id));
                }
                Frame::Inside(id, index) => {
                    let (id, arm) = (*id, *index);
                    *index += 1;
                    match self.tree.arm(id, arm) {
                        Some(seq) => {
                            self.stack.push(Frame::Nodes(seq));
                            return Some(Event::Arm(id, arm));
                        }
                        None => {
                            self.stack.pop();
                            return Some(Event::Leave(id));
                        }
                    }
                }
            }
        }
    }
}

//! Plain facts of directed graphs: orders, dominators, loops, strongly connected parts.
//!
//! Owns [`Graph`] (a control-flow graph of numbered blocks) and [`Flow`] (bare nodes and edges), and what
//! can be said of them. Knows no instruction, no IR and no SPIR-V. Everything is iterative and near linear,
//! so that neither depth nor size of an input can exhaust the stack.

mod dom;
mod flow;
mod loops;
mod scc;
#[cfg(test)]
mod tests;

pub use dom::{DomTree, post_dominators};
pub(crate) use flow::Lists;
pub use flow::{Flow, Order};
pub use loops::LoopForest;
pub use scc::Components;

/// "No node" in the dense arrays of this room.
pub(crate) const NONE: u32 = u32::MAX;

/// A block of a [`Graph`], numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

impl BlockId {
    /// The number as an index into a table of blocks.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One outgoing edge of a block: the identity under which copies into block parameters are emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeRef {
    /// The block that the edge leaves.
    pub from: BlockId,
    /// Which successor, in the terminator's order: 0 is a jump's target and a branch's taken side.
    pub index: u32,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// Control ends.
    Return,
    /// One successor.
    Jump(BlockId),
    /// Two successors: first the one taken when the condition is true.
    Branch(BlockId, BlockId),
    /// One successor per selector value 0, 1, …; at least one.
    Switch(Vec<BlockId>),
}

/// Why a graph cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// A successor, or the entry, is not a block of the graph.
    #[error("block {block} does not exist: the graph has {blocks} blocks")]
    NoSuchBlock {
        /// The number that was named.
        block: u32,
        /// How many blocks there are.
        blocks: u32,
    },
    /// A switch without a successor.
    #[error("block {block} ends in a switch without a successor")]
    EmptySwitch {
        /// The block.
        block: u32,
    },
    /// More blocks or edges than 32-bit ids can number.
    #[error("the graph is too large for 32-bit ids")]
    TooLarge,
}

/// A control-flow graph: an entry and one terminator per block. Successors are ordered.
#[derive(Clone, Debug)]
pub struct Graph {
    entry: BlockId,
    terminators: Vec<Terminator>,
    first: Vec<u32>,
    successors: Vec<BlockId>,
}

impl Graph {
    /// Checks that every named block exists.
    ///
    /// # Errors
    /// A missing block, an empty switch, or more than 2^31 blocks or edges.
    pub fn new(entry: BlockId, terminators: Vec<Terminator>) -> Result<Graph, GraphError> {
        let limit = 1usize << 31;
        if terminators.len() >= limit {
            return Err(GraphError::TooLarge);
        }
        let blocks = terminators.len() as u32;
        let mut first = Vec::with_capacity(terminators.len() + 1);
        let mut successors = Vec::with_capacity(2 * terminators.len());
        first.push(0);
        for (block, terminator) in terminators.iter().enumerate() {
            match terminator {
                Terminator::Return => {}
                Terminator::Jump(to) => successors.push(*to),
                Terminator::Branch(then, els) => successors.extend([*then, *els]),
                Terminator::Switch(arms) => {
                    if arms.is_empty() {
                        return Err(GraphError::EmptySwitch {
                            block: block as u32,
                        });
                    }
                    successors.extend(arms);
                }
            }
            if successors.len() >= limit {
                return Err(GraphError::TooLarge);
            }
            first.push(successors.len() as u32);
        }
        for to in successors.iter().chain([&entry]) {
            if to.0 >= blocks {
                return Err(GraphError::NoSuchBlock {
                    block: to.0,
                    blocks,
                });
            }
        }
        Ok(Graph {
            entry,
            terminators,
            first,
            successors,
        })
    }

    /// The block where control starts.
    pub fn entry(&self) -> BlockId {
        self.entry
    }

    /// How many blocks there are, reachable or not.
    pub fn len(&self) -> usize {
        self.terminators.len()
    }

    /// Never true: a graph has at least its entry.
    pub fn is_empty(&self) -> bool {
        self.terminators.is_empty()
    }

    /// How a block of this graph ends.
    pub fn terminator(&self, block: BlockId) -> &Terminator {
        &self.terminators[block.index()]
    }

    /// The successors of a block of this graph, in order; equal targets are repeated.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[self.first[block.index()] as usize..self.first[block.index() + 1] as usize]
    }

    /// Where an edge of this graph leads; `None` when there is no such edge.
    pub fn target(&self, edge: EdgeRef) -> Option<BlockId> {
        if edge.from.index() >= self.len() {
            return None;
        }
        self.successors(edge.from).get(edge.index as usize).copied()
    }

    /// All blocks in number order, reachable or not.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.terminators.len() as u32).map(BlockId)
    }

    /// The bare nodes and edges: node i is block i.
    pub fn flow(&self) -> Flow {
        Flow::of_lists(
            self.entry.0,
            &self.first,
            self.successors.iter().map(|to| to.0),
        )
    }
}

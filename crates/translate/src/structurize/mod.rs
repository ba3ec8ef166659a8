//! A plain control-flow graph in, a tree of structured regions out.
//!
//! Owns the region tree and its construction. Knows neither AMD opcodes nor SPIR-V libraries; blocks are
//! numbers.
//!
//! # What the tree promises
//! - Every reachable block stands in it exactly once; nothing is duplicated. Unreachable blocks are absent.
//! - Walking the tree with the decisions of the blocks visits the same blocks and edges, in the same order,
//!   as walking the graph.
//! - Nothing follows a node that control cannot leave by falling out of it. (So what a code generator writes
//!   after the merge of a selection whose arms all leave, or of a loop that no exit names, is unreachable,
//!   but for the tests of [`crossings`].)
//! - An [`Node::Edge`] stands directly before the block it leads to, or before the states, exit or continue
//!   on the way there, or last in a sequence that falls to it.
//! - **Dominance.** If block A dominates block B in the graph, then A's [`Node::Block`] dominates B's in the
//!   SPIR-V control-flow graph that results when
//!   - [`Node::Scope`] and [`Node::Loop`] become SPIR-V loops with a merge block,
//!   - [`Node::If`], [`Node::Switch`] and [`Node::Dispatch`] become selections whose arms join at a merge,
//!   - an [`Node::Exit`] or [`Node::Continue`] of a label that is not the innermost open Scope or Loop sets a
//!     flag and breaks out of the innermost one, and directly after the merge of each Scope or Loop that
//!     such an exit leaves, the flag is tested and the next one broken out of (or continued); see
//!     [`crossings`].
//!
//!   So an SSA value may be used in every block that its definition dominates in the graph. Since those
//!   tests make paths that no execution takes, code after a loop is taken out of the loop's body only where
//!   dominance holds on them too.
//!
//! # How
//! Cycles with several entries are first given a single one (`reduce`): a dispatch on a state variable.
//! Then the dominator tree decides: a block is followed by what it immediately dominates; a block with
//! several forward predecessors follows a scope around what precedes it; what lies outside of a loop follows
//! the loop (`place`). `build` writes the tree, `check` proves dominance on it, and where that fails,
//! the tail concerned is left inside its loop.

mod build;
mod check;
mod crossing;
mod place;
mod reduce;
mod show;
#[cfg(test)]
mod tests;
mod tree;

pub use crossing::{Crossing, crossings};
pub use show::{dot, text};
pub use tree::{Event, Events, Label, Node, NodeId, Seq, StateVar, Structured};

use crate::graph::{BlockId, Graph};

/// How one part of a graph was structured.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartReport {
    /// Scopes, loops and selections only.
    Regions {
        /// Reachable blocks that no dispatch holds.
        blocks: u32,
    },
    /// A cycle with several entries: a loop around a dispatch on a state variable.
    Dispatch {
        /// Blocks in the loop, those of inner parts included.
        blocks: u32,
        /// The blocks that are entered through the dispatch, in arm order.
        entries: Vec<BlockId>,
    },
}

/// Why a graph has no region tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StructurizeError {
    /// An invariant of this room is broken: a bug here, whatever the graph is.
    #[error("bug in structurize: {what} (block or node {node})")]
    Internal {
        /// The invariant.
        what: &'static str,
        /// A node of the graph near the fault.
        node: u32,
    },
}

/// How often tails may be put back into their loops one by one before all are.
const REPAIRS: u32 = 8;

/// Structures the part of `graph` that its entry reaches. Deterministic; every graph has a result.
///
/// # Errors
/// Only [`StructurizeError::Internal`], a bug.
pub fn structurize(graph: &Graph) -> Result<Structured, StructurizeError> {
    if let Some(tree) = build::straight(graph) {
        return Ok(tree);
    }
    let reduced = reduce::reduce(graph)?;
    let mut limits = place::Limits::new(&reduced);
    let mut steps = reduced.steps + limits.steps();
    let mut round = 0;
    loop {
        let places = match place::place(&reduced, &limits) {
            Some(places) => places,
            None => {
                limits.keep_tails_inside();
                round = REPAIRS;
                place::place(&reduced, &limits).ok_or(StructurizeError::Internal {
                    what: "placement does not end",
                    node: 0,
                })?
            }
        };
        let mut tree = build::build(&reduced, &places)?;
        steps += places.steps + tree.steps;
        let mut broken = false;
        if places.moved_deep {
            let checked = check::check(&reduced, &tree);
            steps += checked.steps;
            for node in checked.broken {
                broken = true;
                if round >= REPAIRS {
                    return Err(StructurizeError::Internal {
                        what: "dominance is lost in the tree",
                        node,
                    });
                }
                if round + 1 == REPAIRS || !limits.tighten(&reduced, &places, node) {
                    limits.keep_tails_inside();
                    round = REPAIRS - 1;
                    break;
                }
            }
        }
        if !broken {
            tree.report = reduced.report();
            tree.steps = steps;
            return Ok(tree);
        }
        round += 1;
    }
}

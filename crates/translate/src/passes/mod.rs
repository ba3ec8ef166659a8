//! Passes: IR to IR, one file and one `run` each. None knows another or the order they run in; each
//! keeps the function verifying and its meaning, and says in its own words what else it keeps.

pub mod arrays;
pub mod bounds;
pub mod cancel_ballots;
pub mod cse;
pub mod dce;
pub mod depth_order;
pub mod diverge;
pub mod division;
pub mod edge_facts;
pub mod empty_waves;
pub mod fold_flow;
pub mod hoist;
pub mod loop_budget;
pub mod lower_float;
pub mod narrow;
pub mod near;
pub mod one_lane;
pub mod phases;
pub mod place_sync;
pub mod quads;
pub mod read_only;
mod replaced;
pub mod shares;
pub mod simplify_params;
pub mod uniform;
pub mod unmask;
pub mod unread;
pub mod unroll;

use crate::ir::dom::Dominators;

/// The room of the passes, so that it is not allocated for each program, and the dominators that they share.
#[derive(Debug, Default)]
pub struct Room {
    /// Those of the program as it is; whoever changes its flow makes them anew.
    pub doms: Dominators,
    /// Of each pass that keeps tables.
    pub bounds: bounds::Room,
    /// See `bounds`.
    pub cancel_ballots: cancel_ballots::Room,
    /// See `bounds`.
    pub cse: cse::Room,
    /// See `bounds`.
    pub dce: dce::Room,
    /// See `bounds`.
    pub edge_facts: edge_facts::Room,
    /// See `bounds`.
    pub near: near::Room,
    /// See `bounds`.
    pub place_sync: place_sync::Room,
    /// See `bounds`.
    pub simplify_params: simplify_params::Room,
    /// See `bounds`.
    pub unmask: unmask::Room,
}

#[cfg(test)]
mod tests;

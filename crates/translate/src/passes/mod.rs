//! Passes: IR to IR, one file and one `run` each. None knows another or the order they run in; each
//! keeps the function verifying and its meaning, and says in its own words what else it keeps.

pub mod bounds;
pub mod cancel_ballots;
pub mod cse;
pub mod dce;
pub mod depth_order;
pub mod diverge;
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
pub mod simplify_params;
pub mod uniform;
pub mod unmask;

#[cfg(test)]
mod tests;

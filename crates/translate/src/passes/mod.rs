//! Passes: IR to IR, one file and one `run` each. None knows another or the order they run in; each
//! keeps the function verifying and its meaning, and says in its own words what else it keeps.

pub mod place_sync;

//! The SSA IR: types, operations, functions. See `docs/ir.md`.

pub mod op;
pub mod types;

pub use op::*;
pub use types::*;

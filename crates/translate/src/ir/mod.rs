//! The SSA IR: types, operations, functions, their construction, printing and verification. Knows no
//! AMD instruction and no SPIR-V. See `docs/ir.md`.

mod args;
pub mod builder;
pub mod dom;
pub mod eval;
pub mod feeds;
pub mod fold;
pub mod func;
pub mod image;
pub mod module;
pub mod numbering;
pub mod op;
pub mod print;
mod simplify;
pub mod types;
pub mod typing;
pub mod verify;

#[cfg(test)]
pub(crate) mod random;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod told;

pub use args::Args;
pub use builder::Builder;
pub use fold::Const;
pub use func::*;
pub use module::{Fallback, FloatMode, FloatModes, Helper, Module};
pub use op::*;
pub use types::*;
pub use verify::{VerifyError, verify};

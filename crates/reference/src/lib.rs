//! A CPU interpreter for AMD RDNA machine code: whole waves and workgroups, exactly, from decoded
//! instructions. The oracle that translations are compared with.
//!
//! Shares nothing with the translator but the isa crate. What it cannot execute exactly it refuses
//! with a typed error.

#![deny(clippy::wildcard_enum_match_arm)]

mod error;
pub mod float;
pub mod format;
mod memory;
mod state;

pub use error::{ExecError, Fault, FaultKind, Unsupported};
pub use memory::{AddressSpace, Memory, Region, Regions, RegionsError, Unmapped};
pub use state::{CODE_BASE, Finding, PRIVATE_APERTURE, Register, SHARED_APERTURE, Wave};

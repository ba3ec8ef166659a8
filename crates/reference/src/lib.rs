//! A CPU interpreter for AMD RDNA machine code: whole waves and workgroups, exactly, from decoded
//! instructions. The oracle that translations are compared with.
//!
//! Shares nothing with the translator but the isa crate. What it cannot execute exactly it refuses
//! with a typed error.

#![deny(clippy::wildcard_enum_match_arm)]

pub mod atomic;
mod buffer;
mod data;
mod ds;
mod env;
mod error;
mod flat;
pub mod float;
mod flow;
pub mod format;
mod memory;
mod salu;
mod smem;
mod stage;
mod state;
mod trace;
mod valu;
mod workgroup;

pub use spirdna_isa::launch::{CODE_BASE, PRIVATE_APERTURE, SHARED_APERTURE};

pub use error::{ExecError, Fault, FaultKind, Unsupported};
pub use memory::{AddressSpace, Memory, Region, Regions, RegionsError, Unmapped};
pub use stage::{Component, Export, StageInputs, run_stage, run_stage_observed};
pub use state::{Finding, Register, Wave};
pub use trace::{Change, NoObserver, Observer, Step};
pub use workgroup::{Grid, Options, Report, run_dispatch, run_dispatch_with};

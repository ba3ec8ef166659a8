//! Case files: a shader, its launch, memory and expectations in one TOML file, run on any executor.
//!
//! - [`format`](mod@format): the file as it is written.
//! - [`Case::load`]: everything resolved and checked ([`case`], [`elf`], [`code`]).
//! - [`exec`]: the reference and Vulkan devices as executors, and the judgement of what they left.
//! - [`draw`]: draw files, a vertex and a pixel shader each.
//! - [`flow`]: random programs of control flow, as cases.
//! - [`bisect`]: where a device's run of a case first differs from the reference's; [`write`](mod@write):
//!   resolved cases as files.
//! - [`memory`], [`compare`](mod@compare), [`random`]: guest memory, comparisons, generated data.

pub mod bisect;
pub mod case;
pub mod code;
pub mod compare;
pub mod draw;
pub mod elf;
pub mod error;
pub mod exec;
pub mod flow;
pub mod format;
mod kernarg;
mod launch;
pub mod load;
pub mod memory;
pub mod profile;
pub mod random;
mod scratch;
pub mod write;

pub use case::{Case, Dispatch, Expect, FaultKind, Original};
pub use error::{CaseError, Problem};
pub use memory::{GuestMemory, Region, RegionId};

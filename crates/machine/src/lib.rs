//! A machine for SPIR-V compute modules: a whole workgroup at any subgroup size, one invocation after
//! another up to the next barrier or subgroup operation. It runs what the translator emits and most of
//! what a GLSL compiler writes, and reports what drivers hide: barriers and subgroup operations that only
//! part of their scope reaches, reads of what nobody wrote, accesses outside of objects, unordered
//! accesses, endless loops. Knows neither AMD nor the translator nor Vulkan: words and bindings come in.
//!
//! Floats are the plain IEEE ones of the processor: rounding to nearest even, subnormals, infinities and
//! NaNs kept, `Fma` rounded once. Memory is little-endian.
//!
//! `load` reads words, `types` lays out types, `decode` makes functions executable, `scalar` is
//! arithmetic, `memory` holds what invocations share, `exec` runs one invocation, `cross` is what
//! subgroups do together, `group` schedules a workgroup.

mod code;
mod cross;
mod decode;
mod error;
mod exec;
mod group;
mod load;
mod memory;
mod scalar;
mod types;
mod world;

pub use error::{Finding, FindingKind, LoadError, RunError};
pub use group::{Binding, Dispatch, Options, Report, device_address, run};
pub use load::Module;

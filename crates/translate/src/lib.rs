//! AMD RDNA instructions to SSA IR to structured SPIR-V.
//!
//! Rooms: `graph` and `structurize` (plain graphs), `ir`, `lift` (instructions to IR), `passes` (IR to
//! IR), `emit` (IR to SPIR-V), `pipeline` (the only one that knows the order). Knows no Vulkan.

pub mod bindings;
pub mod emit;
pub mod error;
pub mod graph;
pub mod ir;
pub mod key;
pub mod lift;
pub mod options;
pub mod passes;
pub mod pipeline;
pub mod profile;
pub mod program;
pub mod recipe;
pub mod reflect;
pub mod resources;
pub mod stored;
pub mod structurize;

//! IR to SPIR-V words: the only room that names SPIR-V.
//!
//! `module` and `code` write words; `arith`, `pure` and `host_float` are operations on single values;
//! `inputs`, `cross_lane`, `sync`, `buffers`, `places`, `memory`, `atomic`, `faults`, `scratch` and `lds` are what a host invocation does for its lanes;
//! `segments`, `patterns`, `slots` and `lanes` lay per-lane work over the slots of an invocation; `function` walks the
//! structured tree. Names no AMD opcode and no Vulkan call.

mod arith;
mod atomic;
mod buffers;
mod checked;
mod code;
mod context;
mod cross_lane;
mod entry;
mod error;
mod faults;
mod function;
mod helpers;
mod host_float;
mod image;
mod inputs;
mod lanes;
mod lds;
mod locked;
mod memory;
mod module;
mod notes;
mod numbers;
mod order;
mod patterns;
mod places;
mod pure;
mod quad;
mod remake;
mod scratch;
mod segments;
mod slots;
mod stage;
mod sync;
mod tables;
mod trim;
mod value;

pub use entry::{EmitOptions, Emitted, Room, emit, emit_in, flow_graph};
pub use error::EmitError;

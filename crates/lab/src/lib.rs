//! The round-trip lab: a source shader through a real AMD compiler to machine code, back to SPIR-V by
//! the translator, and both run on the same device over the same data.
//!
//! - [`directive`]: what a shader's own head says of its run.
//! - [`interface`], [`data`]: the buffers and push constants of a module, and what fills them.
//! - [`radv`], [`glsl`], [`opencl`]: from a source to prepared cases, by other programs' compilers.
//! - [`prepared`]: a prepared case on disk; it needs no compiler any more.
//! - [`compare`], [`measure`]: running one, and what counts as equal; [`bounds`]: how near, where nothing is said.
//! - [`bisect`](mod@bisect): where a case that differs begins to; [`fault`]: a fault on purpose.
//! - [`prepare`](mod@prepare), [`pool`]: many of them, on all cores.
//! - [`draws`](mod@draws): graphics pairs, which stand beside their draw files.
//! - [`place`]: where cases run, as command lines say it; [`child`]: the process that compiles.
//! - [`bundle`], [`library`]: every kernel of a library of code objects through the translator.
//! - [`row`], [`report`]: what is printed of it.
//!
//! `cargo xtask lab` and the hidden `spirdna lab` are its command lines.

pub mod bisect;
pub mod bounds;
pub mod bundle;
pub mod child;
pub mod compare;
pub mod data;
pub mod directive;
pub mod draws;
pub mod error;
pub mod fault;
pub mod glsl;
pub mod interface;
pub mod library;
pub mod measure;
pub mod opencl;
pub mod place;
pub mod pool;
pub mod prepare;
pub mod prepared;
pub mod radv;
pub mod report;
pub mod row;
pub mod tool;

pub use error::LabError;

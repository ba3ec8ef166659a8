//! Proofs that opcodes mean on a Vulkan device what they mean on the reference. Generators walk the ISA
//! table (no list of opcodes stands here) and make [`Batch`]es: cases in memory, each with the list of
//! what it proves. A batch runs on both executors of `spirdna-case`; what agrees bit for bit becomes a
//! row of a proof file. Makes no Vulkan call of its own.
//!
//! - [`batch`]: a batch, its claims, and the generators' interface; [`plan`]: all batches of a selection.
//! - `pack`: which instances share a batch, and a case in memory around a program.
//! - [`alu`]: scalar and vector arithmetic; [`memory`]: memory of every kind.
//! - [`formats`]: every buffer format, against exact rationals.
//! - [`lowering`]: what the translator makes of an instruction, as text and hash.
//! - [`runner`]: a batch on the reference and a device. [`pool`]: many batches in child processes.
//! - [`record`]: the rows and files under `seeds/proof/`.

pub mod alu;
pub mod batch;
pub mod formats;
pub mod lowering;
pub mod memory;
mod pack;
pub mod plan;
pub mod pool;
pub mod record;
pub mod runner;

pub use batch::{Batch, Claim, Depth, Generator, Key, Remake, Stripe};
pub use plan::{Plan, Selection};
pub use record::{ProofFile, Row};

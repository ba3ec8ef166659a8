//! llvm-mc 19 as the oracle of decode and text: asking it about many instructions at once, and the kinds
//! of differences from it that `docs/isa-errata.toml` explains.
//!
//! A tool for the tests and `cargo xtask`, outside the product. Knows no case files and no meaning.

mod kinds;
mod llvm;
mod rng;
mod words;

pub use kinds::{Difference, KINDS, assembler_difference, difference, errata_ids};
pub use llvm::{assemble, disassemble, installed};
pub use rng::Rng;
pub use words::{free_bits, likely_len, random_words, spare_llvm};

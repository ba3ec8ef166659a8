//! The layout solver: where each operand of an instruction sits, inferred from samples (assembly text
//! and the words that an assembler made of it).
//!
//! A developer tool; the product knows nothing of it. `values`, `reading`, `solve` and `encoding` know
//! nothing of the ISA crate, so that they can find faults in its table: what a name or a constant is
//! worth is written here again, from the documents. Only `probe` (which texts to try) and `compare`
//! (derived beside declared) read the table.

mod columns;
mod compare;
mod encoding;
mod finding;
mod fit;
mod llvm;
mod page;
mod probe;
mod reading;
mod run;
mod sample;
mod solve;
mod values;

pub use compare::{Comparison, Verdict, compare};
pub use encoding::{EncodingLayout, MergedField, solve_encoding};
pub use finding::Finding;
pub use fit::{Place, Sign};
pub use llvm::{Assembler, LlvmError};
pub use page::page;
pub use probe::{Extension, Section, sections};
pub use reading::{Reading, Term, read};
pub use run::{Report, RunError, check_section, sample_section};
pub use sample::{Form, OpcodeSamples, Sample};
pub use solve::{Field, Kind, OpcodeLayout, solve_opcode};
pub use values::ValueTable;

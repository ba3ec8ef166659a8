//! AMD RDNA machine code to typed instructions to text and back.
//!
//! Knows no SPIR-V and no IR. One row per meaning is declared once in the table; decode, encode,
//! text, the assembler and every fact about operands are derived from it.

pub mod descriptor;
pub mod format;
pub mod launch;
mod mods;
mod operand;
mod sem;
mod target;

pub use mods::{Dpp, MemMods, Omod, Sdwa, SdwaSel, SdwaUnused, ValuMods};
pub use operand::{FloatConst, Operand, SReg, Special, Ty};
pub use sem::*;
pub use target::{Target, TargetSet, WaveSize};

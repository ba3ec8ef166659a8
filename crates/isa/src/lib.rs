//! AMD RDNA machine code to typed instructions to text and back.
//!
//! Knows no SPIR-V and no IR. One row per meaning is declared once in the table; decode, encode,
//! text, the assembler and every fact about operands are derived from it.

mod asm;
mod decode;
pub mod descriptor;
mod encode;
mod encoding;
pub mod fields;
pub mod format;
pub mod image;
pub mod image_descriptor;
mod inst;
pub mod launch;
mod legality;
mod mods;
mod operand;
mod plan;
mod row;
mod sem;
pub mod stage;
mod table;
mod target;
mod text;

pub use asm::{AsmError, AsmErrorKind, MAX_ERRORS, assemble};
pub use decode::{DecodeError, DecodeOptions, Decoder, Reserved, decode, decode_with};
pub use encode::{EncodeError, MAX_OPERANDS, Parts, encode};
pub use encoding::{Encoding, Ext};
pub use inst::{Inst, MAX_WORDS};
pub use legality::{Breach, legality};
pub use mods::{Dpp, ExportMods, ImageMods, MemMods, Omod, Sdwa, SdwaSel, SdwaUnused, ValuMods};
pub use operand::{FloatConst, Operand, SReg, Special, Ty};
pub use row::{Access, Class, Form, OperandSpec, Row, RowFlags, Slot};
pub use sem::*;
pub use table::{Opcode, opcode_at};
pub use target::{Target, TargetSet, WaveSize};
pub use text::{TextOptions, format_inst, hwreg_name, inst_to_string};

//! Vector ALU. Not written yet: every instruction is refused.

use spirdna_isa::Inst;

use crate::error::ExecError;
use crate::state::Wave;

/// Executes a vector ALU instruction.
pub fn execute(wave: &mut Wave, _inst: &Inst) -> Result<(), ExecError> {
    Err(wave.refuse("vector ALU"))
}

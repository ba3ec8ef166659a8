//! Assembly text to words, with errors as this crate reports them.

use spirdna_isa::{Target, WaveSize};

use crate::error::Problem;

/// Assembles text.
pub(crate) fn assemble(_target: Target, _wave: WaveSize, _text: &str) -> Result<Vec<u32>, Problem> {
    Err(Problem::Unsupported("assembly text"))
}

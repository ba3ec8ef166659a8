//! The reference interpreter as an executor.

use spirdna_reference::{Memory, Unmapped};

use super::{Executor, Outcome, RunError};
use crate::case::Case;
use crate::memory::{self, GuestMemory};

/// Lane-instructions of a dispatch at most, so that a shader that never ends is an error.
pub const STEP_LIMIT: u64 = 1 << 36;

impl Memory for GuestMemory {
    fn load(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        self.read(address, bytes).map_err(unmapped)
    }

    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        self.write(address, bytes).map_err(unmapped)
    }
}

fn unmapped(e: memory::Unmapped) -> Unmapped {
    Unmapped { address: e.address }
}

/// Runs cases on the reference interpreter.
#[derive(Debug, Default)]
pub struct ReferenceExecutor {}

impl Executor for ReferenceExecutor {
    fn name(&self) -> String {
        "reference".to_owned()
    }

    fn run(&mut self, _case: &Case) -> Result<Outcome, RunError> {
        Err(RunError::Unsupported(
            "the reference interpreter".to_owned(),
        ))
    }
}

//! Walks a function's structured tree.

use super::code::{Closed, Open};
use super::error::EmitError;
use super::lanes::Body;
use crate::ir::Terminator;

/// Emits the whole body of the program.
pub fn body(body: &mut Body<'_, '_>, mut open: Open) -> Result<Closed, EmitError> {
    body.give_arrays();
    let mut block = body.func.entry();
    loop {
        body.block(&mut open, block)?;
        match &body.func.block(block).term {
            Some(Terminator::Return) => return Ok(open.ret()),
            Some(Terminator::Jump(target)) => block = target.block,
            _ => return Err(EmitError::Unsupported("branches")),
        }
    }
}

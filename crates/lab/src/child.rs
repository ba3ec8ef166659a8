//! The process that compiles with RADV: a driver reads its environment once, at its start, so that each
//! family needs a process of its own.

use std::io::Write;
use std::path::Path;

use spirdna_vulkan::listing::Compiler;

use crate::error::LabError;
use crate::radv::{self, Answer, Request};

/// Compiles the requests of a file for the family that the environment names, an answer a line.
///
/// # Errors
/// The file cannot be read, there is no such device, or the stream fails.
pub fn compile(requests: &Path, out: &mut dyn Write) -> Result<(), LabError> {
    let text = std::fs::read_to_string(requests).map_err(LabError::file(requests))?;
    let requests: Vec<Request> =
        serde_json::from_str(&text).map_err(|e| LabError::Unclear(e.to_string()))?;
    let family = std::env::var("RADV_FORCE_FAMILY").unwrap_or_default();
    let names = radv::FAMILIES.iter().find(|(_, f, _)| *f == family);
    let name = names.map_or("RADV", |(name, ..)| name);
    let compiler = Compiler::open(name).map_err(|e| LabError::Unclear(e.to_string()))?;
    for request in &requests {
        let answer: Answer = radv::compile(&compiler, request);
        let text = serde_json::to_string(&answer).map_err(|e| LabError::Unclear(e.to_string()))?;
        writeln!(out, "{text}")
            .and_then(|()| out.flush())
            .map_err(LabError::file(Path::new("standard output")))?;
    }
    Ok(())
}

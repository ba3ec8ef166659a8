//! Running other programs' compilers. Knows no language.

use std::process::Command;

use crate::error::LabError;

/// Runs a tool and gives its standard output; a refusal is told in its own words.
///
/// # Errors
/// It is missing, or it fails.
pub fn tool(command: &mut Command) -> Result<Vec<u8>, LabError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| LabError::Tool {
        tool: tool.clone(),
        error,
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = [&output.stdout[..], &output.stderr[..]]
        .map(|b| String::from_utf8_lossy(b).trim().to_owned())
        .join("\n");
    Err(LabError::Source {
        tool,
        text: format!("{} ({})", said.trim(), output.status),
    })
}

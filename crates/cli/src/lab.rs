//! `spirdna lab`: runs prepared cases of the round-trip lab (`cargo xtask lab --prepare DIR`), for a machine
//! that has a device and this program and nothing else.

use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use spirdna_lab::place::Place;
use spirdna_lab::prepared::sheets;

use crate::Streams;
use crate::error::{CliError, Exit};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of prepared cases.
    #[arg(required_unless_present = "child")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
    /// Only cases with this in their names.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Write the rows as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table as HTML.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Run the cases that standard input names.
    #[arg(long, hide = true)]
    child: bool,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    if a.child {
        let mut input = std::io::stdin().lock();
        a.place.serve(&mut input, streams.out)?;
        return Ok(Exit::Success);
    }
    let folder = a.folder.clone().unwrap_or_default();
    let Some(program) = streams.program.clone() else {
        let text = "the lab runs its cases in child processes".to_owned();
        return Err(CliError::Unsupported(text));
    };
    let mut all = sheets(&folder)?;
    if let Some(text) = &a.filter {
        all.retain(|path| path.to_string_lossy().contains(text.as_str()));
    }
    if all.is_empty() {
        let text = format!("{}: no prepared cases", folder.display());
        return Err(CliError::Usage(text));
    }
    let report = a.place.run(
        &all,
        &|| {
            let mut child = Command::new(&program);
            child.args(["lab", "--child"]);
            child
        },
        // Standard error is locked by the command; the table comes at the end.
        &|_| {},
    );
    streams.out.write_all(report.text().as_bytes())?;
    for (path, text) in [(&a.json, report.json()), (&a.html, report.html())] {
        if let Some(path) = path {
            std::fs::write(path, text).map_err(|error| CliError::Write {
                path: path.clone(),
                error,
            })?;
        }
    }
    Ok(if report.is_good() {
        Exit::Success
    } else {
        Exit::Failed
    })
}

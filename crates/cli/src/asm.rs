//! `spirdna asm`: text to machine code.

use std::path::PathBuf;

use clap::Args;
use spirdna_isa::WaveSize;

use crate::error::{CliError, Exit};
use crate::input::parse_wave;
use crate::{Streams, TargetName};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The text.
    file: PathBuf,
    /// The target.
    #[arg(long, value_enum)]
    target: TargetName,
    /// Lanes of a wave: 32 or 64 (64 when absent).
    #[arg(long, value_parser = parse_wave)]
    wave: Option<WaveSize>,
    /// The file to write.
    #[arg(short, long)]
    output: PathBuf,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, _streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let text = spirdna_case::code::read_text(&a.file)?;
    let wave = a.wave.unwrap_or(WaveSize::W64);
    let words = spirdna_case::code::assemble(a.target.into(), wave, &text)
        .map_err(|p| p.at(&a.file, ""))?;
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(&a.output, bytes).map_err(|error| CliError::Write {
        path: a.output.clone(),
        error,
    })?;
    Ok(Exit::Success)
}

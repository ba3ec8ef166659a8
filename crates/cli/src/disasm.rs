//! `spirdna disasm`: machine code as text, one instruction a line, from the first word to the last.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use spirdna_isa::{TextOptions, WaveSize, decode, inst_to_string, legality};

use crate::error::{CliError, Exit};
use crate::input::{Wanted, agree, is_case, parse_wave, read_code};
use crate::{Streams, TargetName};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Raw words, a code object, or a case file.
    file: PathBuf,
    /// The target; a code object or a case file knows its own.
    #[arg(long, value_enum)]
    target: Option<TargetName>,
    /// Lanes of a wave: 32 or 64 (for raw words 64 when absent).
    #[arg(long, value_parser = parse_wave)]
    wave: Option<WaveSize>,
    /// The kernel of a code object.
    #[arg(long)]
    kernel: Option<String>,
    /// The text alone, as llvm-mc prints it.
    #[arg(long)]
    plain: bool,
    /// Report words that do not decode and instructions that break a rule of the encoding, and fail if
    /// there are any.
    #[arg(long)]
    check: bool,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let wanted = Wanted {
        target: a.target.map(Into::into),
        wave: a.wave,
        kernel: a.kernel.as_deref(),
    };
    let input = read_code(&a.file, wanted)?;
    agree(&a.file, wanted, &input)?;
    if is_case(&a.file) && a.kernel.is_some() {
        let text = format!("{}: a case file names its kernel", a.file.display());
        return Err(CliError::Usage(text));
    }
    let options = TextOptions::llvm(input.wave);
    let mut exit = Exit::Success;
    let mut word = 0;
    while word < input.words.len() {
        let pc = word * 4;
        let (text, length) = match decode(input.target, &input.words, word) {
            Ok(inst) => {
                let text = inst_to_string(&inst, options);
                if a.check {
                    for breach in legality(&inst, input.wave) {
                        let file = a.file.display();
                        writeln!(streams.err, "{file}: pc {pc:#06x} {text}: {breach}")?;
                        exit = Exit::Failed;
                    }
                }
                (text, inst.len() as usize)
            }
            Err(e) => {
                if a.check {
                    writeln!(streams.err, "{}: {e}", a.file.display())?;
                    exit = Exit::Failed;
                }
                let next = (e.resync() / 4) as usize;
                (String::new(), next.saturating_sub(word).max(1))
            }
        };
        let words = input.words.iter().skip(word).take(length);
        if text.is_empty() {
            for (i, w) in words.enumerate() {
                if a.plain {
                    writeln!(streams.out, "\t.long {w:#010x}")?;
                } else {
                    writeln!(streams.out, "{:6x}: {w:08x}  .long {w:#010x}", pc + 4 * i)?;
                }
            }
        } else if a.plain {
            writeln!(streams.out, "\t{text}")?;
        } else {
            let mut hex = String::new();
            for w in words {
                let _ = write!(hex, "{w:08x} ");
            }
            writeln!(streams.out, "{pc:6x}: {hex:<27} {text}")?;
        }
        word += length;
    }
    Ok(exit)
}

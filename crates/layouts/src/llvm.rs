//! llvm-mc as the source of samples: texts in, words out, many at a time. Knows nothing of what the
//! texts mean.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use thiserror::Error;

/// Why llvm-mc gave no words.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LlvmError {
    /// It is not installed.
    #[error("llvm-mc-19 is not installed (Debian package llvm-19)")]
    Absent,
    /// It did not run.
    #[error("llvm-mc: {0}")]
    Io(#[from] io::Error),
    /// Its answer cannot be laid beside the texts.
    #[error("llvm-mc answered {answered} of {asked} texts and refused {refused}")]
    Count {
        /// Texts with words.
        answered: usize,
        /// Texts in all.
        asked: usize,
        /// Texts with an error.
        refused: usize,
    },
    /// An encoding that is not a list of bytes.
    #[error("llvm-mc: unexpected encoding: {0}")]
    Encoding(String),
}

/// llvm-mc for one processor.
#[derive(Clone, Debug)]
pub struct Assembler {
    program: PathBuf,
    cpu: String,
}

impl Assembler {
    /// llvm-mc-19 for a processor, `gfx1030`.
    ///
    /// # Errors
    /// [`LlvmError::Absent`] where it is not installed.
    pub fn new(cpu: &str) -> Result<Assembler, LlvmError> {
        let program = PathBuf::from("llvm-mc-19");
        let status = Command::new(&program)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match status {
            Ok(status) if status.success() => Ok(Assembler {
                program,
                cpu: cpu.to_string(),
            }),
            _ => Err(LlvmError::Absent),
        }
    }

    /// Assembles each text on its own: its words, or `None` where it was refused.
    ///
    /// # Errors
    /// See [`LlvmError`].
    pub fn assemble(&self, texts: &[String]) -> Result<Vec<Option<Vec<u32>>>, LlvmError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let mut child = Command::new(&self.program)
            .args(["-triple=amdgcn", "-show-encoding"])
            .arg(format!("-mcpu={}", self.cpu))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let mut source = texts.join("\n");
        source.push('\n');
        // llvm-mc reads all before it writes, but a full pipe of errors must not stop it.
        let writer = std::thread::spawn(move || match input {
            Some(mut pipe) => pipe.write_all(source.as_bytes()),
            None => Ok(()),
        });
        let output = child.wait_with_output()?;
        match writer.join() {
            Ok(result) => result?,
            Err(_) => return Err(io::Error::other("the writing thread stopped").into()),
        }
        let mut answers = vec![Some(Vec::new()); texts.len()];
        let errors = String::from_utf8_lossy(&output.stderr);
        let mut refused = 0;
        for line in errors.lines().filter_map(error_line) {
            if let Some(answer) = line.checked_sub(1).and_then(|i| answers.get_mut(i))
                && answer.take().is_some()
            {
                refused += 1;
            }
        }
        let listing = String::from_utf8_lossy(&output.stdout);
        let mut encodings = listing
            .lines()
            .filter_map(|l| l.rsplit_once("; encoding: [").map(|e| e.1));
        let mut answered = 0;
        for answer in answers.iter_mut().flatten() {
            if let Some(encoding) = encodings.next() {
                *answer = words(encoding)?;
                answered += 1;
            }
        }
        if encodings.next().is_some() || answered + refused != texts.len() {
            return Err(LlvmError::Count {
                answered,
                asked: texts.len(),
                refused,
            });
        }
        Ok(answers)
    }
}

/// The line of `<stdin>:12:5: error: …`.
fn error_line(message: &str) -> Option<usize> {
    let rest = message.strip_prefix("<stdin>:")?;
    let (place, _) = rest.split_once(": error: ")?;
    place.split(':').next()?.parse().ok()
}

/// `0x00,0x01,0x00,0xf4]` as words.
fn words(encoding: &str) -> Result<Vec<u32>, LlvmError> {
    let bad = || LlvmError::Encoding(encoding.to_string());
    let bytes: Option<Vec<u8>> = encoding
        .trim_end_matches(']')
        .split(',')
        .map(|b| u8::from_str_radix(b.trim().strip_prefix("0x")?, 16).ok())
        .collect();
    let bytes = bytes.ok_or_else(bad)?;
    if bytes.len() % 4 != 0 {
        return Err(bad());
    }
    Ok(bytes
        .chunks_exact(4)
        .filter_map(|c| c.try_into().ok().map(u32::from_le_bytes))
        .collect())
}

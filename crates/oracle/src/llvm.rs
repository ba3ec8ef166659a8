//! Running `llvm-mc-19` over many instructions at once. An instruction that no input holds separates the
//! answers, so that what LLVM refuses does not shift the others.

use std::fmt::Write as _;
use std::io::{Error, Write as _};
use std::process::{Command, Stdio};

use spirdna_isa::{Target, WaveSize};

/// An instruction that separates answers in LLVM's output.
const MARK_TEXT: &str = "s_nop 0xbeef";
const MARK_WORD: u32 = 0xbf80_beef;

/// Whether the oracle is there (Debian package `llvm-19`).
pub fn installed() -> bool {
    Command::new("llvm-mc-19")
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success())
}

fn llvm(target: Target, wave: WaveSize, mode: &str, input: String) -> Result<String, Error> {
    let mattr = match wave {
        WaveSize::W32 => "-mattr=+wavefrontsize32,-wavefrontsize64",
        WaveSize::W64 => "-mattr=+wavefrontsize64,-wavefrontsize32",
    };
    let mut child = Command::new("llvm-mc-19")
        .args(["-triple=amdgcn", mattr, mode])
        .arg(format!("-mcpu={}", target.name()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let writer = child.stdin.take().map(|mut stdin| {
        std::thread::spawn(move || {
            // A broken pipe shows in the number of answers.
            let _ = stdin.write_all(input.as_bytes());
        })
    });
    let out = child.wait_with_output()?;
    if let Some(writer) = writer {
        let _ = writer.join();
    }
    String::from_utf8(out.stdout).map_err(Error::other)
}

fn counted<T>(answers: Vec<T>, asked: usize) -> Result<Vec<T>, Error> {
    match answers.len() == asked {
        true => Ok(answers),
        false => Err(Error::other(format!(
            "llvm-mc-19 stopped after {} of {asked} answers",
            answers.len()
        ))),
    }
}

/// LLVM's text of each instruction, `None` where it refuses it. White space in runs is one blank.
/// What LLVM marks with a comment (a register of the wrong class) counts as refused.
///
/// # Errors
/// Where llvm-mc-19 cannot be run or stops early.
pub fn disassemble(
    target: Target,
    wave: WaveSize,
    items: &[Vec<u32>],
) -> Result<Vec<Option<String>>, Error> {
    let mut input = String::with_capacity(items.len() * 64);
    for words in items {
        for list in [&words[..], &[MARK_WORD]] {
            input.push('[');
            for (i, b) in list.iter().flat_map(|w| w.to_le_bytes()).enumerate() {
                let comma = if i == 0 { "" } else { "," };
                // Writing to a String cannot fail.
                let _ = write!(input, "{comma}{b:#04x}");
            }
            input.push_str("]\n");
        }
    }
    let out = llvm(target, wave, "-disassemble", input)?;
    let mut answers = Vec::with_capacity(items.len());
    let mut current = Vec::new();
    for line in out.lines() {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line == MARK_TEXT {
            let text = current.join(" | ");
            current.clear();
            let refused = text.is_empty() || text.contains("/*");
            answers.push((!refused).then_some(text));
        } else if !line.is_empty() && !line.starts_with('.') {
            current.push(line);
        }
    }
    counted(answers, items.len())
}

/// LLVM's words of each line, `None` where it refuses it.
///
/// # Errors
/// Where llvm-mc-19 cannot be run or stops early.
pub fn assemble(
    target: Target,
    wave: WaveSize,
    lines: &[String],
) -> Result<Vec<Option<Vec<u32>>>, Error> {
    let mut input = String::new();
    for line in lines {
        let _ = writeln!(input, "{line}\n{MARK_TEXT}");
    }
    let out = llvm(target, wave, "-show-encoding", input)?;
    let mut answers = Vec::with_capacity(lines.len());
    let mut current: Vec<u32> = Vec::new();
    for line in out.lines() {
        let Some((_, rest)) = line.split_once("encoding: [") else {
            continue;
        };
        if line.trim_start().starts_with(MARK_TEXT) {
            answers.push((!current.is_empty()).then(|| std::mem::take(&mut current)));
            continue;
        }
        let list = rest.split(']').next().unwrap_or("");
        let bytes: Vec<u8> = list
            .split(',')
            .filter_map(|b| u8::from_str_radix(b.trim_start_matches("0x"), 16).ok())
            .collect();
        let words = bytes.chunks_exact(4).filter_map(|c| c.try_into().ok());
        current.extend(words.map(u32::from_le_bytes));
    }
    counted(answers, lines.len())
}

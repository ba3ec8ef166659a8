//! Every gfx1030 instruction of a library: takes the code objects out of its offload bundles, decodes
//! their executable sections one instruction after the other, and compares each with the line that
//! llvm-objdump-19 writes for the same address.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use spirdna_isa::{Decoder, Target, WaveSize};
use spirdna_lab::bundle::{Found, find};

use super::Counts;

const TARGET: Target = Target::Gfx1030;

/// Compares all libraries of a package.
pub fn run(files: &[PathBuf], out: &mut impl Write) -> Result<Counts> {
    let mut all = Counts::default();
    let (mut objects, mut bytes, mut kernels) = (0, 0, 0);
    let temporary = std::env::temp_dir().join(format!("spirdna-corpus-{}", std::process::id()));
    std::fs::create_dir_all(&temporary)?;
    let result = (|| -> Result<()> {
        for file in files {
            for Found { bytes: code, .. } in find(file, TARGET, &temporary)? {
                let path = temporary.join("object.co");
                std::fs::write(&path, &code)?;
                objects += 1;
                bytes += code.len();
                kernels += compare(&code, &path, &mut all)?;
            }
        }
        Ok(())
    })();
    std::fs::remove_dir_all(&temporary)?;
    result?;
    writeln!(
        out,
        "{} libraries, {objects} {} code objects of {bytes} bytes, {kernels} kernels",
        files.len(),
        TARGET.name()
    )?;
    Ok(all)
}

/// Compares one code object; says how many kernels it has.
fn compare(code: &[u8], path: &Path, counts: &mut Counts) -> Result<usize> {
    let elf = object::File::parse(code)?;
    let descriptor = |s: &object::Symbol<'_, '_>| {
        s.kind() == SymbolKind::Data && s.name().is_ok_and(|n| n.ends_with(".kd"))
    };
    let kernels = elf.symbols().filter(descriptor).count();
    let mut sections = Vec::new();
    for section in elf.sections() {
        if section.kind() == SectionKind::Text {
            let words = section.data()?.chunks_exact(4);
            let words = words.filter_map(|c| c.try_into().ok().map(u32::from_le_bytes));
            sections.push((section.address(), words.collect::<Vec<u32>>()));
        }
    }

    let mut child = Command::new("llvm-objdump-19")
        .args(["--disassemble", "--disassemble-zeroes"])
        .arg(format!("--mcpu={}", TARGET.name()))
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()
        .context("llvm-objdump-19 (Debian package llvm-19)")?;
    let stdout = child.stdout.take().context("a pipe")?;
    let mut lines = Lines::new(BufReader::new(stdout));
    for (address, words) in &sections {
        let mut at = 0;
        while at < words.len() {
            let length = Decoder::new(TARGET, words.get(at..).unwrap_or(&[]))
                .next()
                .and_then(Result::ok)
                .map_or(1, |i| i.len() as usize);
            let ours = words.get(at..at + length).unwrap_or(&[]);
            let pc = address + at as u64 * 4;
            let line = lines.next_line()?;
            let (their_pc, text, hex) = parts(line).with_context(|| line.to_owned())?;
            ensure!(
                their_pc == pc,
                "objdump goes on at {their_pc:#x}, not {pc:#x}"
            );
            let mut theirs = hex.split_whitespace().map(|h| u32::from_str_radix(h, 16));
            // Another length is a difference of its own; the listing goes on as objdump has it.
            if !theirs.by_ref().eq(ours.iter().map(|&w| Ok(w))) {
                counts.items += 1;
                counts.unexplained(format!("{pc:#x}: ours {ours:08x?}, objdump {hex}: {text}"));
                at += hex.split_whitespace().count().max(1);
                continue;
            }
            let refused = text.starts_with("<unknown>") || text.starts_with(".long");
            counts.compare(TARGET, WaveSize::W32, ours, (!refused).then_some(text));
            at += length;
        }
    }
    drop(lines);
    let status = child.wait()?;
    ensure!(status.success(), "llvm-objdump-19: {status}");
    Ok(kernels)
}

/// The lines of a listing that hold an instruction.
struct Lines<R> {
    from: R,
    line: String,
}

impl<R: BufRead> Lines<R> {
    fn new(from: R) -> Lines<R> {
        Lines {
            from,
            line: String::new(),
        }
    }

    fn next_line(&mut self) -> Result<&str> {
        loop {
            self.line.clear();
            ensure!(
                self.from.read_line(&mut self.line)? > 0,
                "llvm-objdump-19 stopped early"
            );
            if self.line.starts_with('\t') && self.line.contains("// ") {
                return Ok(self.line.trim());
            }
        }
    }
}

/// Takes `TEXT // ADDRESS: WORDS <symbol+offset>` apart.
fn parts(line: &str) -> Result<(u64, &str, &str)> {
    let (text, comment) = line.split_once("// ").context("no comment")?;
    let (address, rest) = comment.split_once(": ").context("no address")?;
    let hex = rest.split('<').next().unwrap_or("").trim();
    Ok((u64::from_str_radix(address, 16)?, text.trim(), hex))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn a_line_of_objdump() {
        let line = "s_cbranch_execz 515      // 00000004FA44: BF880203 <f+0xd54>";
        let want = (0x4fa44, "s_cbranch_execz 515", "BF880203");
        assert_eq!(parts(line).unwrap(), want);
        assert!(parts("s_nop 0").is_err());
    }
}

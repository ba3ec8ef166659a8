//! Every gfx1030 instruction of a library: takes the code objects out of its offload bundles, decodes
//! their executable sections one instruction after the other, and compares each with the line that
//! llvm-objdump-19 writes for the same address.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use spirdna_isa::{Decoder, Target, WaveSize};

use super::Counts;

const TARGET: Target = Target::Gfx1030;

/// Opens a bundle of code objects, uncompressed.
const BUNDLE: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";

/// Opens a compressed bundle, which these libraries do not have.
const COMPRESSED: &[u8] = b"CCOB";

/// Takes a little-endian number out of bytes.
fn u64_at(bytes: &[u8], at: usize) -> Result<usize> {
    let chunk = at
        .checked_add(8)
        .and_then(|end| bytes.get(at..end))
        .context("a bundle ends early")?;
    Ok(usize::try_from(u64::from_le_bytes(chunk.try_into()?))?)
}

/// The section of a library that holds its bundles.
const SECTION: &str = ".hip_fatbin";

/// The code objects of a target in all bundles of a library's section.
///
/// A bundle is its magic, the number of entries, and for each entry: offset from the magic, size, length
/// of the name, and the name, which ends in `--gfx1030` and perhaps features behind a colon.
fn code_objects(library: &[u8], target: Target) -> Result<Vec<&[u8]>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(rest) = library.get(from..)
        && let Some(at) = rest.windows(BUNDLE.len()).position(|w| w == BUNDLE)
    {
        let bundle = rest.get(at..).unwrap_or(&[]);
        let (start, mut end) = (from + at, 0);
        from = start + BUNDLE.len();
        let entries = u64_at(bundle, BUNDLE.len())?;
        let mut entry = BUNDLE.len() + 8;
        // The magic as a string of some program is followed by no number of entries.
        if entries > 100 {
            continue;
        }
        for _ in 0..entries {
            let offset = u64_at(bundle, entry)?;
            let size = u64_at(bundle, entry + 8)?;
            let length = u64_at(bundle, entry + 16)?;
            let name = bundle
                .get(entry + 24..)
                .and_then(|b| b.get(..length))
                .context("a bundle ends early")?;
            entry += 24 + length;
            let name = std::str::from_utf8(name)?;
            let processor = name.rsplit("--").next().unwrap_or(name);
            let bytes = bundle.get(offset..).and_then(|b| b.get(..size));
            let bytes = bytes.context("a code object lies outside its library")?;
            // No bundle begins inside it.
            end = end.max(offset + size);
            if processor.split(':').next() == Some(target.name()) && size > 0 {
                found.push(bytes);
            }
        }
        from = from.max(start + end);
    }
    Ok(found)
}

/// Compares all libraries of a package.
pub fn run(files: &[PathBuf], out: &mut impl Write) -> Result<Counts> {
    let mut all = Counts::default();
    let (mut objects, mut bytes, mut kernels) = (0, 0, 0);
    let temporary = std::env::temp_dir().join(format!("spirdna-corpus-{}", std::process::id()));
    std::fs::create_dir_all(&temporary)?;
    let result = (|| -> Result<()> {
        for file in files {
            let library = std::fs::read(file).with_context(|| file.display().to_string())?;
            let elf = object::File::parse(&library[..])?;
            let Some(section) = elf.section_by_name(SECTION) else {
                bail!("{}: no section {SECTION}", file.display());
            };
            let found = code_objects(section.data()?, TARGET)?;
            if found.is_empty() && section.data()?.starts_with(COMPRESSED) {
                bail!("{}: compressed bundles are not read", file.display());
            }
            for code in found {
                let path = temporary.join("object.co");
                std::fs::write(&path, code)?;
                objects += 1;
                bytes += code.len();
                kernels += compare(code, &path, &mut all)?;
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

    #[test]
    fn bundles_give_the_objects_of_the_target_alone() {
        let entry = |offset: u64, size: u64, name: &str| {
            let numbers = [offset, size, name.len() as u64].map(u64::to_le_bytes);
            [numbers.concat(), name.as_bytes().to_vec()].concat()
        };
        let names = [
            "hipv4-amdgcn-amd-amdhsa--gfx900",
            "hipv4-amdgcn-amd-amdhsa--gfx1030:x+",
        ];
        let header = BUNDLE.len() + 8 + 2 * 24 + names[0].len() + names[1].len();
        let mut bundle = BUNDLE.to_vec();
        bundle.extend(2u64.to_le_bytes());
        bundle.extend(entry(header as u64, 3, names[0]));
        bundle.extend(entry(header as u64 + 3, 2, names[1]));
        bundle.extend(b"abcde");
        let library = [b"xyz", &bundle[..], BUNDLE, &u64::MAX.to_le_bytes()].concat();
        assert_eq!(code_objects(&library, TARGET).unwrap(), [b"de"]);
        // One that ends early is an error, not an answer.
        assert!(code_objects(&library[..40], TARGET).is_err());
        let cut = 3 + header + 4;
        assert!(code_objects(&library[..cut], TARGET).is_err());
    }
}

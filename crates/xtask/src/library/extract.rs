//! Cuts one kernel out of a code object: its words, its kernel descriptor and its metadata, assembled
//! again as a code object of their own. It changes no word of the kernel, and refuses one that reads its
//! own address, because what lies around it does not come along.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// Bytes of a kernel descriptor, and where the code's place stands in it.
const DESCRIPTOR: usize = 64;
const ENTRY: usize = 16;

/// The first code object of `folder` that has the kernel.
pub fn find(folder: &Path, symbol: &str) -> Result<PathBuf> {
    let mut objects: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "co"))
        .collect();
    objects.sort();
    let wanted = symbol.as_bytes();
    for object in objects {
        let bytes = fs::read(&object)?;
        if bytes.windows(wanted.len()).any(|window| window == wanted) {
            return Ok(object);
        }
    }
    bail!("no code object in {} has {symbol}", folder.display())
}

/// Writes the kernel as a code object of its own.
pub fn kernel(object: &Path, symbol: &str, out: &Path) -> Result<()> {
    let bytes = fs::read(object)?;
    let listing = tool("llvm-readelf-19", &["-s", "-S", "--wide"], object)?;
    let place = Places::new(&listing);
    let code = place.bytes(&bytes, symbol)?;
    let descriptor = place.bytes(&bytes, &format!("{symbol}.kd"))?;
    ensure!(descriptor.len() == DESCRIPTOR, "the descriptor's size");
    let notes = tool("llvm-readelf-19", &["--notes"], object)?;
    let metadata = metadata(&notes, symbol)?;

    let source = out.with_extension("s");
    fs::write(&source, assembly(symbol, code, descriptor, &metadata)?)?;
    let done = Command::new("clang-19")
        .args(["-target", "amdgcn-amd-amdhsa", "-mcpu=gfx1030", "-nogpulib"])
        .args(["-mcode-object-version=4", "-o"])
        .arg(out)
        .arg(&source)
        .output()
        .context("cannot run clang-19")?;
    fs::remove_file(&source)?;
    ensure!(
        done.status.success(),
        "clang-19: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    // The linker marks its output executable; no host runs this file.
    let linked = fs::read(out)?;
    fs::remove_file(out)?;
    fs::write(out, linked)?;
    let text = tool("llvm-objdump-19", &["-d"], out)?;
    ensure!(
        !text.contains("s_getpc_b64") && !text.contains("s_swappc_b64"),
        "the kernel reads its own address"
    );
    Ok(())
}

fn tool(name: &str, arguments: &[&str], file: &Path) -> Result<String> {
    let output = Command::new(name)
        .args(arguments)
        .arg(file)
        .output()
        .with_context(|| format!("cannot run {name}: `cargo xtask setup` installs it"))?;
    ensure!(output.status.success(), "{name} failed");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where symbols and sections lie, from llvm-readelf's listing.
struct Places {
    /// Name to address, size and section.
    symbols: HashMap<String, (usize, usize, String)>,
    /// Number to address and file offset.
    sections: HashMap<String, (usize, usize)>,
}

impl Places {
    fn new(listing: &str) -> Self {
        let mut symbols = HashMap::new();
        let mut sections = HashMap::new();
        let hex = |text: &str| usize::from_str_radix(text, 16).ok();
        for line in listing.lines() {
            if let Some((number, rest)) = line.trim_start_matches([' ', '[']).split_once("] ") {
                let fields: Vec<&str> = rest.split_whitespace().collect();
                if let [_, _, address, offset, ..] = fields[..]
                    && let (Some(address), Some(offset)) = (hex(address), hex(offset))
                {
                    sections.insert(number.trim().to_owned(), (address, offset));
                }
                continue;
            }
            let fields: Vec<&str> = line.split_whitespace().collect();
            if let [_, address, size, _, _, _, section, name] = fields[..]
                && let (Some(address), Ok(size)) = (hex(address), size.parse())
            {
                symbols.insert(name.to_owned(), (address, size, section.to_owned()));
            }
        }
        Self { symbols, sections }
    }

    fn bytes<'a>(&self, file: &'a [u8], symbol: &str) -> Result<&'a [u8]> {
        let (address, size, section) = self
            .symbols
            .get(symbol)
            .with_context(|| format!("no symbol {symbol}"))?;
        let (begin, offset) = self
            .sections
            .get(section)
            .with_context(|| format!("no section {section}"))?;
        let at = address
            .checked_sub(*begin)
            .and_then(|within| within.checked_add(*offset))
            .context("a symbol in front of its section")?;
        file.get(at..at + size)
            .context("a symbol outside of the file")
    }
}

/// The kernel's entry of the object's metadata, as a document with this one kernel.
fn metadata(notes: &str, symbol: &str) -> Result<String> {
    let begin = notes.find("amdhsa.kernels:").context("no metadata")?;
    let kernels = notes.get(begin..).unwrap_or_default();
    let end = kernels.find("\namdhsa.").unwrap_or(kernels.len());
    let name = format!(".name:           {symbol}\n");
    let entry = kernels
        .get(..end)
        .unwrap_or_default()
        .split("\n  - ")
        .skip(1)
        .find(|entry| format!("{entry}\n").contains(&name))
        .context("no metadata of the kernel")?;
    Ok(format!(
        "---\namdhsa.kernels:\n  - {}\namdhsa.target: amdgcn-amd-amdhsa--gfx1030\n\
         amdhsa.version:\n  - 1\n  - 1\n...\n",
        entry.trim_end()
    ))
}

fn assembly(symbol: &str, code: &[u8], descriptor: &[u8], metadata: &str) -> Result<String> {
    let mut out = String::new();
    let words = |bytes: &[u8]| -> Vec<String> {
        bytes
            .chunks_exact(4)
            .filter_map(|c| c.try_into().ok())
            .map(|c| format!("{:#010x}", u32::from_le_bytes(c)))
            .collect()
    };
    writeln!(out, ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\n.text")?;
    writeln!(out, ".globl {symbol}\n.protected {symbol}\n.p2align 8")?;
    writeln!(out, ".type {symbol},@function\n{symbol}:")?;
    for row in words(code).chunks(8) {
        writeln!(out, ".long {}", row.join(", "))?;
    }
    writeln!(out, ".size {symbol}, .-{symbol}")?;
    writeln!(out, ".section .rodata,\"a\",@progbits\n.p2align 6")?;
    writeln!(out, ".globl {symbol}.kd\n.type {symbol}.kd,@object")?;
    writeln!(out, "{symbol}.kd:")?;
    let (head, tail) = descriptor.split_at(ENTRY);
    writeln!(out, ".long {}", words(head).join(", "))?;
    writeln!(out, ".quad {symbol}-{symbol}.kd")?;
    let tail = tail.get(8..).unwrap_or_default();
    writeln!(out, ".long {}", words(tail).join(", "))?;
    writeln!(out, ".size {symbol}.kd, {DESCRIPTOR}")?;
    writeln!(out, ".amdgpu_metadata\n{metadata}.end_amdgpu_metadata")?;
    Ok(out)
}

//! LLVM's own tests of its gfx10 disassembler: every byte string in them, on every target and at both
//! wave sizes, against llvm-mc. What the tests expect is not read: most name one target, and llvm-mc is
//! asked about all.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use spirdna_isa::{Target, WaveSize};
use spirdna_oracle::disassemble;

use super::Counts;

/// The byte strings of a test file, as words. Lines of bytes are `0x01,0x02,…`, some in
/// brackets, some with blanks between.
fn byte_strings(text: &str) -> Result<Vec<Vec<u32>>> {
    let mut all = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches('[');
        if !line.starts_with("0x") {
            continue;
        }
        let list = line.split(['#', ';', ']']).next().unwrap_or("");
        let bytes = list
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|b| !b.is_empty())
            .map(|b| u8::from_str_radix(b.trim_start_matches("0x"), 16))
            .collect::<Result<Vec<u8>, _>>()
            .with_context(|| line.to_owned())?;
        if !bytes.len().is_multiple_of(4) {
            bail!("not whole words: {line}");
        }
        let words = bytes.chunks_exact(4).filter_map(|c| c.try_into().ok());
        all.push(words.map(u32::from_le_bytes).collect());
    }
    Ok(all)
}

/// Compares all files.
pub fn run(files: &[PathBuf], out: &mut impl Write) -> Result<Counts> {
    let mut unique = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        unique.extend(byte_strings(&text)?);
    }
    let items: Vec<Vec<u32>> = unique.into_iter().collect();
    writeln!(
        out,
        "mc: {} files, {} unique byte strings",
        files.len(),
        items.len()
    )?;
    let mut all = Counts::default();
    for target in Target::ALL {
        for wave in [WaveSize::W32, WaveSize::W64] {
            let mut counts = Counts::default();
            let texts = disassemble(target, wave, &items)?;
            for (words, theirs) in items.iter().zip(&texts) {
                counts.compare(target, wave, words, theirs.as_deref());
            }
            let what = format!("mc {} wave{}", target.name(), wave.lanes());
            counts.print(out, &what)?;
            counts.shown.clear();
            all.add(counts);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::byte_strings;

    #[test]
    fn lines_of_bytes() {
        let text = "# GFX10: s_nop 0\n0x00,0x00,0x80,0xbf\n[0x01, 0x00 0x80, 0xBF] # why\n\n";
        let words = byte_strings(text).unwrap();
        assert_eq!(words, [[0xbf80_0000], [0xbf80_0001]]);
        assert!(byte_strings("0x00,0x00").is_err());
        assert!(byte_strings("0x00,0xzz,0x00,0x00").is_err());
    }
}

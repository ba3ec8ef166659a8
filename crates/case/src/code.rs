//! Raw code files: little-endian words, and what is none. Knows no instruction.

use std::fs;
use std::io::Read;
use std::path::Path;

use spirdna_isa::{Target, WaveSize};

use crate::error::{CaseError, Problem};

/// Bytes of the largest code, module or object file that is read.
pub const MAX_CODE_BYTES: u64 = 64 << 20;

/// Errors of a text that are told.
pub const MAX_MESSAGES: usize = 50;

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// It cannot be read, or is larger.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, CaseError> {
    let mut bytes = Vec::new();
    // One byte more than the limit tells a larger file, also where no length is known beforehand.
    fs::File::open(path)
        .and_then(|f| f.take(limit + 1).read_to_end(&mut bytes))
        .map_err(|e| Problem::Read(e).at(path, ""))?;
    let read = bytes.len() as u64;
    if read > limit {
        return Err(Problem::FileTooLarge { bytes: read, limit }.at(path, ""));
    }
    Ok(bytes)
}

/// Reads a text file.
///
/// # Errors
/// It cannot be read, is too large, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, CaseError> {
    let bytes = read_file(path, MAX_CODE_BYTES)?;
    String::from_utf8(bytes).map_err(|_| Problem::NotText.at(path, ""))
}

/// Assembles text.
///
/// # Errors
/// The text has errors; the first [`MAX_MESSAGES`] are told, and how many more there are.
pub fn assemble(target: Target, wave: WaveSize, text: &str) -> Result<Vec<u32>, Problem> {
    spirdna_isa::assemble(target, wave, text).map_err(|errors| {
        let listed = errors.iter().take(MAX_MESSAGES);
        let mut messages: Vec<String> = listed.map(ToString::to_string).collect();
        if errors.len() > MAX_MESSAGES {
            messages.push(format!("and {} more", errors.len() - MAX_MESSAGES));
        }
        Problem::Asm {
            target,
            messages: messages.join("; "),
        }
    })
}

/// Whether bytes are an ELF file.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// Whether bytes are text: printable ASCII and white space alone.
fn is_text(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|b| matches!(b, b'\t' | b'\n' | b'\r' | 0x20..=0x7e))
}

/// The words of raw code.
///
/// # Errors
/// It is empty, text, an ELF file, or no whole number of words.
pub fn words(bytes: &[u8]) -> Result<Vec<u32>, Problem> {
    if bytes.is_empty() {
        return Err(Problem::Empty);
    }
    if is_elf(bytes) {
        return Err(Problem::ElfCode);
    }
    if is_text(bytes) {
        return Err(Problem::TextCode);
    }
    little_endian(bytes).ok_or(Problem::OddCode(bytes.len() as u64))
}

/// Bytes as little-endian words; `None` when words do not fill them.
pub fn little_endian(bytes: &[u8]) -> Option<Vec<u32>> {
    let (words, rest) = bytes.as_chunks::<4>();
    rest.is_empty()
        .then(|| words.iter().map(|&w| u32::from_le_bytes(w)).collect())
}

/// The words of a SPIR-V file, in either byte order.
///
/// # Errors
/// It does not start with the magic number, or is no whole number of words.
pub fn spirv_words(bytes: &[u8]) -> Result<Vec<u32>, Problem> {
    const MAGIC: u32 = 0x0723_0203;
    let mut words = little_endian(bytes).ok_or(Problem::NotSpirv)?;
    match words.first() {
        Some(&first) if first == MAGIC => Ok(words),
        Some(&first) if first == MAGIC.swap_bytes() => {
            words.iter_mut().for_each(|w| *w = w.swap_bytes());
            Ok(words)
        }
        _ => Err(Problem::NotSpirv),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn what_is_no_code() {
        assert!(matches!(words(b""), Err(Problem::Empty)));
        assert!(matches!(words(b"s_endpgm\n"), Err(Problem::TextCode)));
        assert!(matches!(
            words(b"\x7fELF\x02\x01\x01\x40"),
            Err(Problem::ElfCode)
        ));
        assert!(matches!(
            words(&[0, 0, 0x81, 0xbf, 1]),
            Err(Problem::OddCode(5))
        ));
        assert_eq!(words(&[0, 0, 0x81, 0xbf]).unwrap(), [0xbf81_0000]);
    }

    #[test]
    fn spirv_in_both_byte_orders() {
        let module = [0x0723_0203u32, 0x0001_0300];
        let le: Vec<u8> = module.iter().flat_map(|w| w.to_le_bytes()).collect();
        let be: Vec<u8> = module.iter().flat_map(|w| w.to_be_bytes()).collect();
        assert_eq!(spirv_words(&le).unwrap(), module);
        assert_eq!(spirv_words(&be).unwrap(), module);
        assert!(spirv_words(&le[..7]).is_err() && spirv_words(b"").is_err());
    }
}

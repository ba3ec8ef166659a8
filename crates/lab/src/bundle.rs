//! Code objects inside of other files: offload bundles in the shared objects that HIP makes, and Debian
//! packages that hold those. Knows no kernel.

use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSection};
use spirdna_isa::Target;

use crate::error::LabError;
use crate::tool::tool;

/// Opens a bundle of code objects, uncompressed.
const BUNDLE: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";

/// Opens a compressed bundle.
const COMPRESSED: &[u8] = b"CCOB";

/// The section of a library that holds its bundles.
const SECTION: &str = ".hip_fatbin";

/// ELF's machine AMDGPU, at its place in the header.
const MACHINE: (usize, [u8; 2]) = (18, [224, 0]);

/// Entries of a bundle at most: the magic as a string of some program is followed by no such number.
const MAX_ENTRIES: usize = 100;

fn wrong(what: &str) -> LabError {
    LabError::Unsupported(format!("a bundle of code objects: {what}"))
}

/// Takes a little-endian number out of bytes.
fn number(bytes: &[u8], at: usize) -> Result<usize, LabError> {
    let chunk = bytes.get(at..).and_then(|b| b.first_chunk::<8>());
    let value = chunk.map(|c| u64::from_le_bytes(*c));
    value
        .and_then(|v| usize::try_from(v).ok())
        .ok_or_else(|| wrong("it ends early"))
}

/// The code objects of a target in all bundles of a section.
///
/// A bundle is its magic, the number of entries, and for each entry: offset from the magic, size, length
/// of the name, and the name, which ends in `--gfx1030` and perhaps features behind a colon.
///
/// # Errors
/// A bundle ends early.
pub fn code_objects(section: &[u8], target: Target) -> Result<Vec<&[u8]>, LabError> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(rest) = section.get(from..)
        && let Some(at) = rest.windows(BUNDLE.len()).position(|w| w == BUNDLE)
    {
        let bundle = rest.get(at..).unwrap_or(&[]);
        let (start, mut end) = (from + at, 0);
        from = start + BUNDLE.len();
        let entries = number(bundle, BUNDLE.len())?;
        let mut entry = BUNDLE.len() + 8;
        if entries > MAX_ENTRIES {
            continue;
        }
        for _ in 0..entries {
            let offset = number(bundle, entry)?;
            let size = number(bundle, entry + 8)?;
            let length = number(bundle, entry + 16)?;
            let name = bundle.get(entry + 24..).and_then(|b| b.get(..length));
            let name = name.ok_or_else(|| wrong("it ends early"))?;
            entry += 24 + length;
            let name = String::from_utf8_lossy(name);
            let processor = name.rsplit("--").next().unwrap_or(&name);
            let bytes = bundle.get(offset..).and_then(|b| b.get(..size));
            let bytes = bytes.ok_or_else(|| wrong("a code object lies outside its library"))?;
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

/// A code object with where it came from.
pub struct Found {
    /// The file, and which of its code objects.
    pub name: String,
    /// The code object.
    pub bytes: Vec<u8>,
}

/// All code objects of a target below a path: a code object, a shared object with bundles, a Debian package,
/// or a folder of those. `temporary`: where packages are unpacked.
///
/// # Errors
/// A file cannot be read, or a bundle is not understood.
pub fn find(path: &Path, target: Target, temporary: &Path) -> Result<Vec<Found>, LabError> {
    let mut found = Vec::new();
    let mut files = Vec::new();
    walk(path, &mut files)?;
    for file in files {
        if file.extension().is_some_and(|e| e == "deb") {
            let stem = file.file_stem().unwrap_or_default();
            let folder = temporary.join(stem);
            std::fs::create_dir_all(&folder).map_err(LabError::file(&folder))?;
            tool(Command::new("dpkg-deb").arg("-x").arg(&file).arg(&folder))?;
            let mut inside = Vec::new();
            walk(&folder, &mut inside)?;
            for file in inside {
                in_file(&file, target, &mut found)?;
            }
        } else {
            in_file(&file, target, &mut found)?;
        }
    }
    Ok(found)
}

/// Regular files below a path, in the order of their names; links name the same bytes.
fn walk(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), LabError> {
    let kind = std::fs::symlink_metadata(path).map_err(LabError::file(path))?;
    if kind.is_file() {
        files.push(path.to_owned());
    } else if kind.is_dir() {
        let entries = std::fs::read_dir(path).map_err(LabError::file(path))?;
        let mut inside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        inside.sort();
        for path in inside {
            walk(&path, files)?;
        }
    }
    Ok(())
}

fn in_file(path: &Path, target: Target, found: &mut Vec<Found>) -> Result<(), LabError> {
    let bytes = std::fs::read(path).map_err(LabError::file(path))?;
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    if !bytes.starts_with(b"\x7fELF") {
        return Ok(());
    }
    let (at, machine) = MACHINE;
    if bytes.get(at..).is_some_and(|b| b.starts_with(&machine)) {
        found.push(Found { name, bytes });
        return Ok(());
    }
    let elf = object::File::parse(&bytes[..]).map_err(|e| wrong(&e.to_string()))?;
    let Some(section) = elf.section_by_name(SECTION) else {
        return Ok(());
    };
    let section = section.data().map_err(|e| wrong(&e.to_string()))?;
    let objects = code_objects(section, target)?;
    if objects.is_empty() && section.starts_with(COMPRESSED) {
        return Err(wrong("compressed ones are not read"));
    }
    found.extend(objects.into_iter().enumerate().map(|(i, bytes)| Found {
        name: format!("{name}#{i}"),
        bytes: bytes.to_vec(),
    }));
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // a test may stop

    use super::*;

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
        // Its last magic is followed by no number of entries that fits.
        assert_eq!(code_objects(&library, Target::Gfx1030).unwrap(), [b"de"]);
        // One that ends early is an error, not an answer.
        assert!(code_objects(&library[..40], Target::Gfx1030).is_err());
        let cut = 3 + header + 4;
        assert!(code_objects(&library[..cut], Target::Gfx1030).is_err());
    }
}

//! Proof rows and their files: a text table, one file a device kind and subgroup size. Only the tests and
//! `spirdna prove` write them. Knows how a row reads and when it counts; runs nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use spirdna_isa::{Encoding, Opcode, Target, TargetSet, WaveSize};

use crate::batch::Key;

/// One proof: every instance of a key gave on the device what it gives on the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is proven.
    pub key: Key,
    /// S.
    pub subgroup_size: u32,
    /// The device, as its driver names it.
    pub device: String,
    /// Instances (modifiers, operand classes) that ran.
    pub instances: usize,
    /// Instances that are refused.
    pub refused: usize,
    /// Operand tuples of all instances.
    pub tuples: u64,
    /// The hash of the table row and of its lowering.
    pub hash: u64,
}

/// The columns.
const HEAD: &str = "opcode\tencoding\ttargets\twave\tS\tdevice\tinstances\trefused\ttuples\thash";

/// Why a proof file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// A line is no row.
    #[error("{path}, line {line}: {what}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// The rows of a file, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofFile {
    /// The rows.
    pub rows: Vec<Row>,
}

impl ProofFile {
    /// Rows in the file's order.
    pub fn new(mut rows: Vec<Row>) -> ProofFile {
        rows.sort_by_key(|row| row.key.order());
        ProofFile { rows }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut out = format!("{HEAD}\n");
        for row in &self.rows {
            let targets: Vec<&str> = row.key.targets().map(Target::name).collect();
            // Writing to a String does not fail.
            let _ = writeln!(
                out,
                "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:016x}",
                row.key.opcode.name(),
                row.key.encoding.name(),
                targets.join(","),
                row.key.wave.lanes(),
                row.subgroup_size,
                row.device,
                row.instances,
                row.refused,
                row.tuples,
                row.hash,
            );
        }
        out
    }

    /// Reads a text; a row whose opcode is not in the table any more is dropped.
    ///
    /// # Errors
    /// A line is no row.
    pub fn parse(path: &str, text: &str) -> Result<ProofFile, RecordError> {
        let names: BTreeMap<&str, Opcode> = Opcode::ALL.iter().map(|o| (o.name(), *o)).collect();
        let mut rows = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let fail = |what| RecordError::Line {
                path: path.to_owned(),
                line: i + 1,
                what,
            };
            if i == 0 {
                if line != HEAD {
                    return Err(fail("not the head of a proof file"));
                }
                continue;
            }
            let fields: Vec<&str> = line.split('\t').collect();
            let Ok(fields): Result<[&str; 10], _> = fields.try_into() else {
                return Err(fail("not ten columns"));
            };
            let [
                opcode,
                encoding,
                targets,
                wave,
                size,
                device,
                instances,
                refused,
                tuples,
                hash,
            ] = fields;
            let mut set = TargetSet::empty();
            for target in targets.split(',') {
                set |= Target::from_name(target)
                    .ok_or_else(|| fail("no such target"))?
                    .set();
            }
            let number = |text: &str| text.parse().map_err(|_| fail("not a number"));
            let wave = number(wave)? as u32;
            let encoding = Encoding::ALL.into_iter().find(|e| e.name() == encoding);
            let row = Row {
                key: Key {
                    opcode: match names.get(opcode) {
                        Some(&opcode) => opcode,
                        None => continue,
                    },
                    encoding: encoding.ok_or_else(|| fail("no such encoding"))?,
                    targets: set,
                    wave: WaveSize::from_lanes(wave).ok_or_else(|| fail("no such wave size"))?,
                },
                subgroup_size: number(size)? as u32,
                device: device.to_owned(),
                instances: number(instances)? as usize,
                refused: number(refused)? as usize,
                tuples: number(tuples)?,
                hash: u64::from_str_radix(hash, 16).map_err(|_| fail("not a hash"))?,
            };
            rows.push(row);
        }
        Ok(ProofFile { rows })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or a line is no row.
    pub fn load(path: &Path) -> Result<ProofFile, RecordError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| RecordError::Io {
            path: name.clone(),
            error,
        })?;
        ProofFile::parse(&name, &text)
    }

    /// Writes a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), RecordError> {
        std::fs::write(path, self.text()).map_err(|error| RecordError::Io {
            path: path.display().to_string(),
            error,
        })
    }

    /// All rows of the proof files of a folder, in the order of the files' names. A folder that is not
    /// there has none.
    ///
    /// # Errors
    /// A file cannot be read, or is none.
    pub fn load_folder(folder: &Path) -> Result<ProofFile, RecordError> {
        let mut all = ProofFile::default();
        for path in tables(folder)? {
            all.rows.extend(ProofFile::load(&path)?.rows);
        }
        Ok(all)
    }
}

/// The files of rows in a folder, by name; none where it is missing.
///
/// # Errors
/// The folder cannot be read.
pub(crate) fn tables(folder: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let io = |error| RecordError::Io {
        path: folder.display().to_string(),
        error,
    };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(io(e)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|e| e == "tsv") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The kind of a device in a file's name: `lavapipe`, or the driver's name in lower case without what
/// is no letter or digit.
pub fn device_kind(name: &str) -> String {
    if name.contains("llvmpipe") {
        return "lavapipe".to_owned();
    }
    let mut kind = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            kind.push(c.to_ascii_lowercase());
        } else if !kind.is_empty() && !kind.ends_with('-') {
            kind.push('-');
        }
    }
    kind.trim_end_matches('-').to_owned()
}

/// The device's name in a row: lavapipe's names its compiler's version and the CPU's vector width, which
/// are not what is proven.
pub fn device_name(name: &str) -> String {
    if name.contains("llvmpipe") {
        "llvmpipe".to_owned()
    } else {
        name.replace(['\t', '\n'], " ")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn rows_come_back() {
        let key = Key {
            opcode: Opcode::V_ADD_F32,
            encoding: Encoding::Vop3,
            targets: TargetSet::all(),
            wave: WaveSize::W64,
        };
        let row = Row {
            key,
            subgroup_size: 8,
            device: "llvmpipe".to_owned(),
            instances: 3,
            refused: 1,
            tuples: 4096,
            hash: 0x0123_4567_89ab_cdef,
        };
        let file = ProofFile::new(vec![row]);
        let text = file.text();
        assert!(text.contains(
            "V_ADD_F32\tVOP3\tgfx1010,gfx1013,gfx1030\t64\t8\tllvmpipe\t3\t1\t4096\t0123456789abcdef"
        ));
        assert_eq!(ProofFile::parse("x", &text).unwrap(), file);
        let bad = text.replace("\t64\t", "\t48\t");
        let error = ProofFile::parse("x", &bad).unwrap_err();
        assert_eq!(error.to_string(), "x, line 2: no such wave size");
    }

    #[test]
    fn kinds_of_devices() {
        assert_eq!(device_kind("llvmpipe (LLVM 19.1, 256 bits)"), "lavapipe");
        assert_eq!(device_kind("NVIDIA H200 (x)"), "nvidia-h200-x");
    }
}

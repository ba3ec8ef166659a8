//! What went through the formats, as files: one a device and subgroup size under `seeds/formats`, and the page
//! that they make. A row counts while the conversions of its format are what they were when it was run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path as FilePath;

use spirdna_isa::format::BufferFormat;
use spirdna_translate::lift::conversions_text;

use super::{Path, Way};
use crate::lowering::hash_of;
use crate::record::{RecordError, tables};

/// All elements of a format were right, through all instructions of a path and a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The format.
    pub format: BufferFormat,
    /// What was known of the V#.
    pub path: Path,
    /// Loads or stores.
    pub way: Way,
    /// S.
    pub subgroup_size: u32,
    /// The device, as its driver names it.
    pub device: String,
    /// Instructions.
    pub instructions: usize,
    /// Elements that each of them moved.
    pub elements: usize,
    /// Of the conversions' IR.
    pub hash: u64,
}

const HEAD: &str = "format\tV#\tway\tS\tdevice\tinstructions\telements\thash";

/// The hash of what the translator makes of a format's conversions today.
pub fn conversions_hash(format: BufferFormat) -> u64 {
    hash_of(&conversions_text(format))
}

/// The text of a file.
pub fn text(rows: &[Row]) -> String {
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by_key(|r| (r.format, r.path, r.way));
    let mut out = format!("{HEAD}\n");
    for r in rows {
        // Writing to a String does not fail.
        let _ = writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:016x}",
            r.format,
            r.path.name(),
            r.way.name(),
            r.subgroup_size,
            r.device,
            r.instructions,
            r.elements,
            r.hash
        );
    }
    out
}

/// Reads a file's text.
///
/// # Errors
/// A line is no row.
pub fn parse(path: &str, text: &str) -> Result<Vec<Row>, RecordError> {
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let fail = |what| RecordError::Line {
            path: path.to_owned(),
            line: i + 1,
            what,
        };
        if i == 0 {
            if line != HEAD {
                return Err(fail("not the head of a file of formats"));
            }
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let Ok(
            [
                format,
                known,
                way,
                size,
                device,
                instructions,
                elements,
                hash,
            ],
        ) = <[&str; 8]>::try_from(fields)
        else {
            return Err(fail("not eight columns"));
        };
        let format = spirdna_isa::format::code_from_name(format).and_then(BufferFormat::from_code);
        let known = Path::ALL.into_iter().find(|p| p.name() == known);
        let way = Way::ALL.into_iter().find(|w| w.name() == way);
        let number = |text: &str| text.parse::<usize>().map_err(|_| fail("not a number"));
        rows.push(Row {
            format: format.ok_or_else(|| fail("no such format"))?,
            path: known.ok_or_else(|| fail("not what is known of a V#"))?,
            way: way.ok_or_else(|| fail("neither load nor store"))?,
            subgroup_size: number(size)? as u32,
            device: device.to_owned(),
            instructions: number(instructions)?,
            elements: number(elements)?,
            hash: u64::from_str_radix(hash, 16).map_err(|_| fail("not a hash"))?,
        });
    }
    Ok(rows)
}

/// The rows of the files of a folder; none where it is missing.
///
/// # Errors
/// A file cannot be read, or is none.
pub fn load_folder(folder: &FilePath) -> Result<Vec<Row>, RecordError> {
    let mut rows = Vec::new();
    for path in tables(folder)? {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| RecordError::Io {
            path: name.clone(),
            error,
        })?;
        rows.extend(parse(&name, &text)?);
    }
    Ok(rows)
}

/// The page of all formats.
pub fn page(rows: &[Row]) -> String {
    let today: BTreeMap<BufferFormat, u64> = BufferFormat::all()
        .map(|f| (f, conversions_hash(f)))
        .collect();
    let counts = |r: &&Row| today.get(&r.format) == Some(&r.hash);
    let places: BTreeSet<(&str, u32)> = rows
        .iter()
        .map(|r| (r.device.as_str(), r.subgroup_size))
        .collect();
    let numbers = |path: Path, way: Way| {
        let of = |r: &&Row| r.path == path && r.way == way;
        let all = rows.iter().filter(counts).filter(of);
        let instructions = all.clone().map(|r| r.instructions).max().unwrap_or(0);
        (
            instructions,
            all.map(|r| r.instructions * r.elements).sum::<usize>(),
        )
    };
    let mut out = String::from(HEAD_OF_PAGE);
    out.push_str("\n| V# | loads | stores |\n|---|---|---|\n");
    for (path, name) in [
        (Path::Known, "known to the translator"),
        (Path::RunTime, "decoded at run time"),
    ] {
        let _ = write!(out, "| {name} |");
        for way in Way::ALL {
            let (instructions, elements) = numbers(path, way);
            let _ = write!(
                out,
                " {instructions} instructions, {elements} elements over all places |"
            );
        }
        out.push('\n');
    }
    out.push_str("\n| format | components |");
    for (device, size) in &places {
        let _ = write!(out, " {device}, S = {size} |");
    }
    out.push_str("\n|---|---|");
    out.push_str(&"---|".repeat(places.len()));
    out.push('\n');
    let mut whole = vec![0; places.len()];
    for format in BufferFormat::all() {
        let widths = format.layout().widths().iter().map(u8::to_string);
        let widths: Vec<String> = widths.collect();
        let _ = write!(
            out,
            "| {} {format} | {} |",
            format.code(),
            widths.join(" + ")
        );
        for ((device, size), whole) in places.iter().zip(&mut whole) {
            let mut missing = Vec::new();
            for path in Path::ALL {
                for way in Way::ALL {
                    let here = |r: &&Row| {
                        (r.format, r.path, r.way) == (format, path, way)
                            && (r.device.as_str(), r.subgroup_size) == (*device, *size)
                    };
                    if !rows.iter().filter(counts).any(|r| here(&r)) {
                        missing.push(format!("{} {}", path.name(), way.name()));
                    }
                }
            }
            let cell = match missing.len() {
                0 => {
                    *whole += 1;
                    "all".to_owned()
                }
                4 => "–".to_owned(),
                _ => format!("all but {}", missing.join(", ")),
            };
            let _ = write!(out, " {cell} |");
        }
        out.push('\n');
    }
    out.push_str("| in all | |");
    for whole in whole {
        let _ = write!(out, " {whole} of {} |", BufferFormat::all().count());
    }
    out.push('\n');
    out
}

const HEAD_OF_PAGE: &str = "# Buffer formats

Made by `spirdna formats --markdown`; `tests/formats.rs` makes it again and compares
(`SPIRDNA_WRITE_PROOF=1` writes it).

`spirdna formats --device vulkan --subgroup-size S --out FILE` moves elements of each of the 77 formats through
every formatted buffer instruction on a device, and compares each with exact rational arithmetic
(`crates/proof/src/formats/model.rs`, which shares nothing with the reference or the translator):

- **loads**: all values of components of up to 16 bits, each component in an order of its own; 2^14 edges and random
  bits of 32-bit components; `x` to `xyzw`, `d16_x` to `d16_xyzw`, `d16_hi_x` of MUBUF, the same of MTBUF, and MUBUF
  again with the destination selects W, 1, 0, X. All four registers are compared, with what must not change;
- **stores**: from 32 bits those 2^14 values and, for normalised components, the two floats around every place where
  rounding changes the result; from 16 bits all values. All 16 bytes of an element's place are compared.

Everything runs with a V# that the translator knows, in wave32, and with one that the program reads from memory,
in wave64. **all** is a row of `seeds/formats/` of today's conversions.
";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn rows_come_back_and_stale_ones_do_not_count() {
        let format = BufferFormat::from_code(1).unwrap();
        let row = |path, way| Row {
            format,
            path,
            way,
            subgroup_size: 8,
            device: "llvmpipe".to_owned(),
            instructions: 9,
            elements: 256,
            hash: conversions_hash(format),
        };
        let mut rows: Vec<Row> = Path::ALL
            .into_iter()
            .flat_map(|path| Way::ALL.map(|way| row(path, way)))
            .collect();
        assert_eq!(parse("x", &text(&rows)).unwrap(), rows);
        assert!(page(&rows).contains("| 1 BUF_FMT_8_UNORM | 8 | all |"));
        rows[3].hash ^= 1;
        assert!(page(&rows).contains("| 8 | all but run-time store |"));
        assert!(parse("x", "format").is_err());
    }

    #[test]
    fn conversions_of_formats_differ() {
        let hashes: BTreeSet<u64> = BufferFormat::all().map(conversions_hash).collect();
        // USCALED and SSCALED are stored like others, but loaded differently.
        assert_eq!(hashes.len(), BufferFormat::all().count());
    }
}

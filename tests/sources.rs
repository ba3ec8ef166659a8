//! `docs/sources.md`: what fixes the meaning of each scalar and vector ALU instruction in the reference,
//! apart from the reference. Made of what stands in the tests:
//!
//! - *model*: a test compares it with exact arithmetic or with results worked out by hand. The test says so
//!   in a line `// source: NAMES` before it (`*` stands for anything), or the file in `// source: rows`: then
//!   the first and the last instruction of each string count.
//! - *captured*: a case of the hardware tests beside this project executes it, and it is none of those that
//!   most cases use to load and store what they show.
//! - *compiled*: a shader under `seeds/shaders` executes it, and the module it was compiled from agrees.
//!
//! `SPIRDNA_WRITE_SOURCES=1 cargo test --test sources` writes the page.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use spirdna::isa::{Opcode, Sem, decode};
use spirdna_case::Case;

/// Tests with annotations.
const MODELS: [&str; 8] = [
    "crates/reference/src/float/tests.rs",
    "crates/reference/tests/compare.rs",
    "crates/reference/tests/logic.rs",
    "crates/reference/tests/salu.rs",
    "crates/reference/tests/valu_float.rs",
    "crates/reference/tests/valu_int.rs",
    "crates/reference/tests/valu_lanes.rs",
    "crates/translate/src/passes/lower_float/tests.rs",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The ALU's rows.
fn rows() -> Vec<&'static str> {
    let alu = |o: &&Opcode| matches!(o.row().sem, Sem::Salu(_) | Sem::Valu(_));
    let mut all: Vec<_> = Opcode::ALL
        .iter()
        .filter(alu)
        .map(|o| o.row().name)
        .collect();
    all.sort_unstable();
    all
}

/// Whether a name fits a pattern in which `*` stands for anything.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => name
            .strip_prefix(head)
            .is_some_and(|tail| (0..=tail.len()).any(|i| fits(rest, &tail[i..]))),
    }
}

/// The first word and the last line's first word of each string of a text.
fn mnemonics(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for string in text.split('"').skip(1) {
        let lines: Vec<&str> = string.split("\\n").collect();
        for line in lines.first().into_iter().chain(lines.last()) {
            let word = line
                .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .next();
            let word = word.unwrap_or_default();
            let word = word
                .strip_suffix("_e64")
                .or(word.strip_suffix("_e32"))
                .unwrap_or(word);
            found.insert(word.to_ascii_uppercase());
        }
    }
    found
}

/// The models' files of each row.
fn models(rows: &[&'static str]) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for file in MODELS {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let mut seen = 0;
        for line in text.lines() {
            let Some(names) = line.trim().strip_prefix("// source: ") else {
                continue;
            };
            for pattern in names.split_whitespace() {
                let fitting: Vec<_> = if pattern == "rows" {
                    let words = mnemonics(&text);
                    rows.iter().filter(|&&r| words.contains(r)).collect()
                } else {
                    rows.iter().filter(|r| fits(pattern, r)).collect()
                };
                assert!(!fitting.is_empty(), "{file}: no row is called {pattern}");
                seen += fitting.len();
                for row in fitting {
                    found.entry(row).or_default().insert(file.to_owned());
                }
            }
        }
        assert!(seen > 0, "{file} says of no row that it fixes it");
    }
    found
}

/// The case files under a folder.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(cases(&path));
        } else if path.to_string_lossy().ends_with(".case.toml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The ALU's rows that a case executes.
fn executed(path: &Path) -> BTreeSet<&'static str> {
    let case = Case::load(path).unwrap();
    let mut found = BTreeSet::new();
    for dispatch in &case.dispatches {
        let mut at = 0;
        while at < dispatch.code.len() {
            match decode(dispatch.launch.target, &dispatch.code, at) {
                Ok(inst) => {
                    if matches!(inst.sem(), Sem::Salu(_) | Sem::Valu(_)) {
                        found.insert(inst.opcode().row().name);
                    }
                    at += inst.len() as usize;
                }
                // Data behind the code.
                Err(_) => at += 1,
            }
        }
    }
    found
}

/// The captured cases of each row; `None` where they are not at hand.
fn captured() -> Option<BTreeMap<&'static str, Vec<String>>> {
    let folder = root().join("../shared/captured");
    if !folder.is_dir() {
        return None;
    }
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let all = cases(&folder);
    for path in &all {
        let name = path.file_name().unwrap().to_string_lossy();
        let name = name.trim_end_matches(".case.toml").to_owned();
        for row in executed(path) {
            found.entry(row).or_default().push(name.clone());
        }
    }
    // What a quarter of them executes is how they load and store.
    found.retain(|_, names| names.len() * 4 < all.len());
    Some(found)
}

fn compiled() -> BTreeMap<&'static str, usize> {
    let mut found = BTreeMap::new();
    for path in cases(&root().join("seeds/shaders")) {
        for row in executed(&path) {
            *found.entry(row).or_insert(0) += 1;
        }
    }
    found
}

/// The cells of the captured column of a page that stands.
fn standing(page: &str) -> BTreeMap<String, String> {
    let cells = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        match cells.as_slice() {
            ["", row, _, captured, _, ""] => Some(((*row).to_owned(), (*captured).to_owned())),
            _ => None,
        }
    });
    cells.collect()
}

#[test]
fn every_row_is_listed_with_what_fixes_it() {
    let path = root().join("docs/sources.md");
    let old = fs::read_to_string(&path).unwrap_or_default();
    let rows = rows();
    let (models, compiled) = (models(&rows), compiled());
    let captured: BTreeMap<String, String> = match captured() {
        Some(found) => found
            .into_iter()
            .map(|(row, names)| {
                let more = names.len().saturating_sub(3);
                let mut text = names[..names.len() - more].join(", ");
                if more > 0 {
                    write!(text, " and {more} more").unwrap();
                }
                (row.to_owned(), text)
            })
            .collect(),
        None => {
            skips::skipped(
                "the captured cases' column",
                "they are not here; it is taken as it stands",
            );
            standing(&old)
        }
    };
    let mut table = String::new();
    let mut without = Vec::new();
    let short = |file: &String| {
        let name = file
            .rsplit('/')
            .next()
            .unwrap()
            .trim_end_matches(".rs")
            .to_owned();
        let room = if file.contains("lower_float") {
            "lower_float"
        } else {
            "float"
        };
        if name == "tests" {
            room.to_owned()
        } else {
            name
        }
    };
    for row in &rows {
        let model: Vec<String> = models.get(row).into_iter().flatten().map(short).collect();
        let captured = captured.get(*row).cloned().unwrap_or_default();
        let seeds = compiled
            .get(row)
            .map_or(String::new(), |n| format!("{n} shaders"));
        if model.is_empty() && captured.is_empty() && seeds.is_empty() {
            without.push(*row);
        }
        writeln!(
            table,
            "| {row} | {} | {captured} | {seeds} |",
            model.join(", ")
        )
        .unwrap();
    }
    let mut page = String::new();
    writeln!(
        page,
        "# What fixes each ALU instruction\n\n\
        Made by `SPIRDNA_WRITE_SOURCES=1 cargo test --test sources`, whose head says what the columns mean;\n\
        compared by the same test. *model*: exact arithmetic or results worked out by hand, in\n\
        `crates/reference/tests` (`salu`, `valu_*`), `crates/reference/src/float` (`float`) and\n\
        `crates/translate/src/passes/lower_float` (`lower_float`: the translation against whole numbers; the\n\
        reference equals it, row by row, in `crates/translate/src/lift/tests`). *captured*: rows from hardware\n\
        tests. *compiled*: real compilers' code whose source agrees.\n\n\
        {} of {} rows have at least one{}\n",
        rows.len() - without.len(),
        rows.len(),
        if without.is_empty() {
            "."
        } else {
            ". These have none:"
        }
    )
    .unwrap();
    for names in without.chunks(6) {
        writeln!(page, "- {}", names.join(" ")).unwrap();
    }
    if !without.is_empty() {
        page.push('\n');
    }
    writeln!(
        page,
        "| row | model | captured | compiled |\n|---|---|---|---|\n{}",
        table.trim_end()
    )
    .unwrap();
    if std::env::var_os("SPIRDNA_WRITE_SOURCES").is_some() {
        fs::write(&path, &page).unwrap();
    } else {
        assert!(
            old == page,
            "docs/sources.md is not what the tests say now: SPIRDNA_WRITE_SOURCES=1 cargo test --test sources"
        );
    }
}

#[test]
fn patterns() {
    assert!(
        fits("V_*_F16", "V_ADD_F16") && fits("V_CUBE*", "V_CUBEID_F32") && fits("S_*_A*", "S_X_A")
    );
    assert!(!fits("V_ADD_F16", "V_ADD_F32") && !fits("V_*_F16", "V_ADD_F16_X"));
}

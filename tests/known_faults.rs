//! Faults that other translators of this ISA had, row by row, and the tests that hold us to each.
//!
//! `known-faults/*.toml` has a file for each section of the page of faults (`../shared/reference`), with an
//! entry for each row: its first words, and what fails if we had the fault. A test is named as
//! `"PATH: TEXT"`: a Rust file and a test function in it, or a case file and words of it (a comment beside the
//! expectation). A row that concerns a part that does not stand yet says so in `later`.
//!
//! Checked here: that the tests exist, and, where the page is at hand, that every row of it has one entry.
//! Whether the tests hold is theirs to say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::fs;
use std::path::Path;

use serde::Deserialize;

/// One section of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    /// Its heading.
    section: String,
    /// Its rows.
    #[serde(rename = "row")]
    rows: Vec<Row>,
}

/// A row of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// How its text begins; enough of it to tell it from the others of its section.
    begins: String,
    /// `"PATH: TEXT"` from the root of the project.
    #[serde(default)]
    tests: Vec<String>,
    /// What has to stand before it can be tested.
    later: Option<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sections() -> Vec<(String, Section)> {
    let mut files: Vec<_> = fs::read_dir(root().join("tests/known-faults"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let section = toml::from_str(&fs::read_to_string(path).unwrap());
            (
                name.clone(),
                section.unwrap_or_else(|e| panic!("{name}: {e}")),
            )
        })
        .collect()
}

/// What is wrong with a name of a test.
fn fault(test: &str) -> Option<String> {
    let Some((path, text)) = test.split_once(": ") else {
        return Some("not `PATH: TEXT`".to_owned());
    };
    let Ok(content) = fs::read_to_string(root().join(path)) else {
        if path.starts_with("../shared/") && !root().join("../shared").is_dir() {
            skips::skipped(test, "../shared is not here");
            return None;
        }
        return Some(format!("there is no {path}"));
    };
    let stands = if path.ends_with(".rs") {
        let head = format!("fn {text}(");
        content.match_indices(&head).any(|(at, _)| {
            // The attributes are between the end of the item before and the function.
            let before = &content[..at];
            let item = before.rfind("}\n").map_or(0, |end| end);
            before[item..].contains("#[test]")
        })
    } else {
        path.ends_with(".case.toml") && content.contains(text)
    };
    (!stands).then(|| format!("{path} has no test `{text}`"))
}

#[test]
fn every_named_test_exists() {
    let mut wrong = Vec::new();
    for (name, section) in sections() {
        for row in section.rows {
            if row.tests.is_empty() == row.later.is_none() {
                wrong.push(format!("{name}: {}: either tests or later", row.begins));
            }
            for test in &row.tests {
                wrong.extend(fault(test).map(|f| format!("{name}: {}: {f}", row.begins)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_of_the_page_has_one_entry() {
    let Ok(page) = fs::read_to_string(root().join("../shared/reference/known-faults.md")) else {
        return skips::skipped("the page of known faults", "../shared is not here");
    };
    let mut rows = Vec::new();
    let mut section = "";
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        } else if let Some(text) = line.strip_prefix("- ") {
            rows.push((section, text));
        }
    }
    assert!(rows.len() > 60, "the page has {} rows", rows.len());
    let sections = sections();
    let mut wrong = Vec::new();
    for &(title, text) in &rows {
        let files: Vec<_> = sections.iter().filter(|s| s.1.section == title).collect();
        let entries = files.iter().flat_map(|s| &s.1.rows);
        match entries.filter(|r| text.starts_with(&r.begins)).count() {
            1 => {}
            n => wrong.push(format!("{n} entries: {title}: {text}")),
        }
    }
    for (name, section) in &sections {
        for row in &section.rows {
            let fits = |&&(title, text): &&(&str, &str)| {
                title == section.section && text.starts_with(&row.begins)
            };
            match rows.iter().filter(fits).count() {
                1 => {}
                n => wrong.push(format!("{name}: {} rows begin with {}", n, row.begins)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! `docs/ir.md` has a row for each pass: a file of `src/passes` with a `run`, or a folder of that name.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests fail by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The passes that stand there.
fn passes(folder: &Path) -> BTreeSet<String> {
    let mut passes = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = match path.is_dir() {
            true => path.join("mod.rs"),
            false => path.clone(),
        };
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&file).unwrap_or_default();
        let runs = ["pub fn run", "pub fn find"]
            .iter()
            .any(|f| text.contains(f));
        if runs {
            passes.insert(name.to_owned());
        }
    }
    passes
}

#[test]
fn each_pass_has_a_row() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let passes = passes(&root.join("src/passes"));
    let page = fs::read_to_string(root.join("../../docs/ir.md")).unwrap();
    let (_, table) = page.split_once("| pass | does |").expect("the table");
    let rows: BTreeSet<String> = table
        .lines()
        .skip(2)
        .map_while(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(rows, passes);
}

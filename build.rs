//! Lists the case files for the test binary: one macro call a file in `$OUT_DIR/cases.rs`, and an
//! array of names and paths in `$OUT_DIR/list.rs`. Nothing else.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Folders with case files, and the name that their cases go by. The captured ones lie beside the
/// checkout and may be absent.
const FOLDERS: [(&str, &str); 3] = [
    ("seeds", "seeds"),
    ("tests/cases", "tests/cases"),
    ("../shared/captured", "captured"),
];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    let (mut tests, mut list) = (String::new(), String::from("[\n"));
    for (folder, name) in FOLDERS {
        let folder = root.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut found = Vec::new();
        walk(&folder, name, &mut found)?;
        found.sort();
        for (name, path) in found {
            let test: String = name
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                .collect();
            let test = test.to_ascii_lowercase();
            // Debug quotes and escapes.
            let path = path.display().to_string();
            let _ = writeln!(tests, "case!({test}, {name:?}, {path:?});");
            let _ = writeln!(list, "    ({name:?}, {path:?}),");
        }
    }
    list.push_str("]\n");
    fs::write(out.join("cases.rs"), tests)?;
    fs::write(out.join("list.rs"), list)
}

/// Case files under a folder, by name; a folder that is not there has none.
fn walk(folder: &Path, name: &str, found: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(e),
    };
    for entry in entries {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{name}/{file}"), found)?;
        } else if let Some(stem) = file.strip_suffix(".case.toml") {
            found.push((format!("{name}/{stem}"), entry.path()));
        }
    }
    Ok(())
}

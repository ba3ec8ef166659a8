//! Names the translator: a hash of the sources that decide which words a translation is (this crate's and
//! the ISA's), so that stored translations of another translator are known as such. Nothing else.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use xxhash_rust::xxh3::Xxh3;

/// Folders of the sources, from this crate's.
const FOLDERS: [&str; 2] = ["../isa/src", "src"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hash = Xxh3::new();
    println!("cargo::rerun-if-changed=build.rs");
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        add(&root.join(folder), &mut hash)?;
    }
    println!(
        "cargo::rustc-env=SPIRDNA_TRANSLATOR={:032x}",
        hash.digest128()
    );
    Ok(())
}

/// Adds every file under a folder, in the order of the names.
fn add(folder: &Path, hash: &mut Xxh3) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.map(|e| e.map(|e| e.path()));
    let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add(&path, hash)?;
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = fs::read(&path)?;
        for part in [name.as_bytes(), &text] {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    Ok(())
}

//! `cargo xtask library-seeds DIR`: makes everything under `seeds/library/` again from the gfx1030 code
//! objects of two Debian libraries. Owns which files come out; [`extract`] cuts a kernel out of a code
//! object, [`rand`] and [`sparse`] hold data and a plain model of each kernel, [`case_file`] the text.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

mod case_file;
mod extract;
mod rand;
mod sparse;
#[cfg(test)]
mod tests;

/// One kernel with its launch, memory and what its model says it leaves there.
pub struct LibrarySeed {
    /// Folder and file stem.
    pub name: &'static str,
    /// What the kernel does, and what its model is.
    pub about: &'static str,
    /// The library's folder below DIR: `rand` or `sparse`.
    pub library: &'static str,
    /// The kernel's symbol.
    pub symbol: &'static str,
    /// Workgroups.
    pub groups: u32,
    /// Threads in a workgroup: what the kernel's template argument says.
    pub local: u32,
    /// Arguments in order, as the case format writes them.
    pub arguments: Vec<String>,
    /// Memory regions.
    pub regions: Vec<Region>,
}

/// A memory region as dwords.
pub struct Region {
    /// Its name in the case.
    pub name: &'static str,
    /// What it holds before the dispatch.
    pub before: Vec<u32>,
    /// What it holds after it; `None`: as before.
    pub after: Option<Vec<u32>>,
}

impl Region {
    /// A region that the kernel only reads. It is checked as well.
    fn input(name: &'static str, before: Vec<u32>) -> Self {
        Self {
            name,
            before,
            after: None,
        }
    }

    /// A region that the kernel changes.
    fn changed(name: &'static str, before: Vec<u32>, after: Vec<u32>) -> Self {
        Self {
            name,
            before,
            after: Some(after),
        }
    }

    /// A region that the kernel fills; it must not write the few dwords behind.
    fn filled(name: &'static str, mut after: Vec<u32>) -> Self {
        const FILL: u32 = 0xdead_beef;
        after.extend([FILL; 4]);
        Self {
            name,
            before: vec![FILL; after.len()],
            after: Some(after),
        }
    }
}

/// Makes the seeds whose names are in `only` (all when empty) below `root`/seeds/library, from the code
/// objects in `libraries`/rand and `libraries`/sparse (`shared/tools/unbundle.py` writes them).
pub fn run(root: &Path, libraries: &Path, only: &[String]) -> Result<()> {
    let mut seeds = rand::all();
    seeds.extend(sparse::all());
    for name in only {
        ensure!(
            seeds.iter().any(|s| s.name == name),
            "no seed is called {name}"
        );
    }
    for seed in &seeds {
        if only.is_empty() || only.iter().any(|name| name == seed.name) {
            let folder = root.join("seeds/library").join(seed.name);
            make(&folder, libraries, seed).with_context(|| seed.name.to_owned())?;
            eprintln!("library-seeds: {}", seed.name);
        }
    }
    Ok(())
}

fn make(folder: &Path, libraries: &Path, seed: &LibrarySeed) -> Result<()> {
    fs::create_dir_all(folder)?;
    let object = extract::find(&libraries.join(seed.library), seed.symbol)?;
    extract::kernel(
        &object,
        seed.symbol,
        &folder.join(format!("{}.w32.co", seed.name)),
    )?;
    let case = folder.join(format!("{}.case.toml", seed.name));
    fs::write(&case, case_file::text(seed)).with_context(|| case.display().to_string())
}

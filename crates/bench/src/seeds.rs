//! The committed seeds.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use spirdna_case::Case;
use spirdna_case::exec::facts::{promise, promise_bound};
use spirdna_case::exec::pool::Pool;
use spirdna_vulkan::BufferKind;
use spirdna_vulkan::listing::Interface;

use crate::Shader;

/// Every dispatch of `seeds/shaders`, by name, with what its case promises of its descriptors.
///
/// # Errors
/// A file cannot be read.
pub fn seeds() -> Result<Vec<Shader>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds/shaders");
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in std::fs::read_dir(&root).context("seeds/shaders is committed")? {
        let folder = folder?.path();
        if folder.is_dir() {
            for file in std::fs::read_dir(folder)? {
                paths.push(file?.path());
            }
        }
    }
    paths.sort();
    let mut shaders = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(name) = name.strip_suffix(".case.toml") else {
            continue;
        };
        let case = Case::load(&path)?;
        for dispatch in &case.dispatches {
            let wave = dispatch.launch.wave.lanes();
            let original = case.original.as_ref().map(|original| {
                let interface = Interface {
                    entry: original.entry.clone(),
                    buffers: (0..original.bindings.len() as u32)
                        .map(|binding| (0, binding, BufferKind::Storage))
                        .collect(),
                    push_bytes: original.push.len() as u32 * 4,
                    wave,
                };
                (original.words.clone(), interface)
            });
            shaders.push(Shader {
                name: name.to_owned(),
                code: dispatch.code.clone(),
                launch: dispatch.launch.clone(),
                facts: promise(dispatch, &case.memory).facts,
                bound: promise_bound(dispatch, &case.memory).facts,
                windows: Pool::windows(&case.memory).max(1) as u32,
                original,
            });
        }
    }
    Ok(shaders)
}

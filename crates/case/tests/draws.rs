//! Every draw file under `seeds/` and `tests/`: the translations of its shaders are rendered on a device, and
//! the picture is that of the modules they were compiled from. A shader that is refused is named in
//! `tests/draws-refused.toml`, with the reason's beginning.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

#[path = "../../../tests/skips/mod.rs"]
mod skips;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use spirdna_case::draw::{DrawCase, DrawRunner, judge};
use spirdna_case::exec::RunError;
use spirdna_vulkan::{Device, DeviceChoice, Options, VulkanError};

/// The checkout.
fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap()
}

/// Draw files below a folder, in order.
fn draws(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            draws(&path, found);
        } else if path.to_string_lossy().ends_with(".draw.toml") {
            found.push(path);
        }
    }
}

/// Draws that are refused, with how the reason begins.
fn refused() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(root().join("tests/draws-refused.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

fn runner() -> Option<DrawRunner> {
    let options = Options {
        validation: true,
        ..Options::default()
    };
    match Device::open(DeviceChoice::Default, options) {
        Ok(device) => Some(DrawRunner::new(device)),
        Err(
            e @ (VulkanError::NoDevice
            | VulkanError::LoaderMissing { .. }
            | VulkanError::LayerMissing { .. }),
        ) => {
            assert!(!skips::required(), "{e}");
            skips::skipped("draws", &e.to_string());
            None
        }
        Err(e) => panic!("{e}"),
    }
}

/// Renders both and compares.
fn check(runner: &mut DrawRunner, case: &DrawCase) -> Result<Vec<String>, RunError> {
    let found = runner.run(case)?;
    let original = match case.original {
        Some(_) => Some(runner.run_original(case)?),
        None => None,
    };
    Ok(judge(case, &found, original.as_ref()))
}

#[test]
fn pictures_are_the_originals() {
    let Some(mut runner) = runner() else {
        return;
    };
    let mut files = Vec::new();
    draws(&root().join("seeds"), &mut files);
    draws(&root().join("tests"), &mut files);
    assert!(!files.is_empty());
    let filter = std::env::var("SPIRDNA_DRAWS").unwrap_or_default();
    let mut refused = refused();
    let mut wrong = Vec::new();
    for file in files {
        let case = DrawCase::load(&file).unwrap_or_else(|e| panic!("{e}"));
        let expected = refused.remove(&case.name);
        if !case.name.contains(&filter) {
            continue;
        }
        let problem = match (check(&mut runner, &case), expected) {
            (Ok(found), None) if found.is_empty() => continue,
            (Ok(found), None) => found.join("\n    "),
            (Ok(_), Some(reason)) => format!("is not refused any more: {reason}"),
            (Err(RunError::Unsupported(text)), Some(reason)) if text.contains(&reason) => continue,
            (Err(e), _) => e.to_string(),
        };
        wrong.push(format!("{}: {problem}", case.name));
    }
    if filter.is_empty() {
        wrong.extend(refused.keys().map(|name| format!("{name}: no such draw")));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

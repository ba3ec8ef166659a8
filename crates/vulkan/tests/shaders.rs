//! The committed SPIR-V words are what glslang makes of the committed sources.
//! `SPIRDNA_BLESS=1 cargo test -p spirdna-vulkan --test shaders` writes them anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failed step is a failed test"
)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Position of the word that names the generator and its version.
const GENERATOR: usize = 2;

#[test]
fn words_match_their_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let required = std::env::var("SPIRDNA_REQUIRE_VULKAN").is_ok_and(|value| value == "1");
    let bless = std::env::var("SPIRDNA_BLESS").is_ok_and(|value| value == "1");
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for source in ["shaders", "tests/shaders"]
        .iter()
        .flat_map(|part| std::fs::read_dir(root.join(part)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "comp"))
    {
        let made = folder.path().join("made.spv");
        let Some(new) = compile(&source, &made) else {
            assert!(!required, "there is no glslangValidator");
            say("there is no glslangValidator");
            return;
        };
        let committed = source.with_extension("spv");
        if bless {
            std::fs::write(&committed, &new).unwrap();
        }
        let old = std::fs::read(&committed).unwrap();
        let generator = |bytes: &[u8]| bytes[GENERATOR * 4..][..4].to_vec();
        if generator(&old) == generator(&new) {
            assert!(old == new, "{} is not its source's", committed.display());
        } else {
            say("another version of glslang made the committed words");
        }
        count += 1;
    }
    assert!(count >= 10, "{count} sources");
}

fn compile(source: &PathBuf, made: &PathBuf) -> Option<Vec<u8>> {
    let output = Command::new("glslangValidator")
        .args(["-V", "--target-env", "vulkan1.1", "-o"])
        .args([made, source])
        .output()
        .ok()?;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    Some(std::fs::read(made).unwrap())
}

/// Says past the test runner's capture what was not compared.
fn say(reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: words of shaders: {reason}");
}

//! A quarter of the lab's corpus on the default device, another quarter each day, each shader at one target
//! and wave size by turns: `cargo xtask lab` on all of it takes too long for CI.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Parts of the corpus.
const PARTS: u64 = 4;

/// Programs that the lab starts.
const TOOLS: [(&str, &str); 2] = [("glslangValidator", "--version"), ("clang-19", "--version")];

#[test]
fn a_quarter_of_the_corpus_holds() {
    let missing = TOOLS.iter().find(|(tool, argument)| {
        let ran = Command::new(tool).arg(argument).output();
        !ran.is_ok_and(|output| output.status.success())
    });
    if let Some((tool, _)) = missing {
        let required = std::env::var_os("SPIRDNA_REQUIRE_VULKAN").is_some_and(|v| v == "1");
        assert!(!required, "{tool} is required");
        eprintln!("SKIPPED: the lab: {tool} is not installed");
        return;
    }
    let days = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs()
        / 86_400;
    let day = std::env::var("SPIRDNA_LAB_DAY").map_or(days, |day| day.parse().unwrap());
    let output = Command::new(env!("CARGO_BIN_EXE_spirdna-xtask"))
        .args(["lab", "--part", &format!("{day}/{PARTS}")])
        .args(["--subgroup-size", "8", "--timeout", "300"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    eprintln!("{text}");
    assert!(
        output.status.success() && text.contains(" equal"),
        "day {day}: {}\n{text}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

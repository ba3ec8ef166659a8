//! A quarter of the lab's corpus on the default device, another quarter each day, each shader at one target
//! and wave size by turns: `cargo xtask lab` on all of it takes too long for CI.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Parts of the corpus.
const PARTS: u64 = 4;

/// What may be otherwise than equal: a part of the shader's name, the result, a part of its detail.
const NOT_EQUAL: [(&str, &str, &str); 6] = [
    // Graphics pairs, as tests/draws-refused.toml has them.
    ("", "refused", "LDS in a graphics stage"),
    ("ballot", "refused", "needs the wave's other lanes"),
    ("counter", "refused", "needs the wave's other lanes"),
    ("at_offset", "refused", "barycentrics as numbers"),
    // A return through an address that is a sum of loads.
    ("opencl/control/call", "refused", "s_setpc_b64"),
    // lavapipe leaves loops.
    ("", "skipped", "trips of loops in an invocation"),
];

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
        let mut err = std::io::stderr();
        let _ = std::io::Write::write_fmt(
            &mut err,
            format_args!("SKIPPED: the lab: {tool} is not installed\n"),
        );
        return;
    }
    let days = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs()
        / 86_400;
    let day = std::env::var("SPIRDNA_LAB_DAY").map_or(days, |day| day.parse().unwrap());
    let folder = std::env::temp_dir().join(format!("spirdna-lab-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let report = folder.join("report.html");
    let output = Command::new(env!("CARGO_BIN_EXE_spirdna-xtask"))
        .args(["lab", "--part", &format!("{day}/{PARTS}")])
        .args(["--subgroup-size", "8", "--timeout", "300", "--report"])
        .arg(&report)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    eprintln!("{text}");
    assert!(
        output.status.success(),
        "day {day}: {}\n{text}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let json = std::fs::read_to_string(report.with_extension("json")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rows = json["rows"].as_array().unwrap();
    let word = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap_or("").to_owned();
    let allowed = |row: &&serde_json::Value| {
        let (result, detail) = (word(row, "result"), word(row, "detail"));
        let shader = word(row, "shader");
        result == "equal"
            || NOT_EQUAL
                .iter()
                .any(|(s, r, d)| shader.contains(s) && result == *r && detail.contains(d))
    };
    let wrong: Vec<_> = rows.iter().filter(|row| !allowed(row)).collect();
    assert!(
        wrong.is_empty(),
        "not equal, and not named here: {wrong:#?}"
    );
    let equal = rows.iter().filter(|row| word(row, "result") == "equal");
    // A quarter of 335 shaders is some 84; the names' hashes do not share them evenly.
    assert!(equal.count() >= 60, "{} rows", rows.len());
}

//! Processor instructions of a translation, which other work on the machine does not change: valgrind counts
//! them in this program.

use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// What is counted: one of each kind, and all seeds together.
const NAMES: [&str; 8] = [
    "empty",
    "axpy.w32",
    "half.w32",
    "scan.w32",
    "histogram.w32",
    "matmul.w32",
    "all",
    "all/bound",
];

/// Translations whose room is there already.
const MORE: u64 = 5;

/// Prints the table; of valgrind's absence a line.
pub fn table(out: &mut impl Write) -> Result<()> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        writeln!(
            out,
            "\nProcessor instructions were not counted: no valgrind."
        )?;
        return Ok(());
    }
    writeln!(
        out,
        "\nProcessor instructions of a translation after decode, Fast, S = wave:\n\n\
         | shader | in fresh room | in room that was used |\n|---|---|---|"
    )?;
    for name in NAMES {
        let (first, all) = (count(name, 1)?, count(name, 1 + MORE)?);
        let more = all.saturating_sub(first) / MORE;
        writeln!(out, "| {name} | {first} | {more} |")?;
    }
    Ok(())
}

/// Instructions of so many translations.
fn count(name: &str, rounds: u64) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*translate_watched*")
        .arg(std::env::current_exe()?)
        .args(["rounds", name, &rounds.to_string()])
        .output()
        .context("valgrind")?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("valgrind: {}", text.trim());
    }
    let line = text.lines().find_map(|line| line.split_once("Collected :"));
    let (_, count) = line.context("valgrind says how many it collected")?;
    Ok(count.trim().parse()?)
}

//! `cargo xtask sweep-corpus`: decode and text against LLVM over code that this project did not make:
//! LLVM's own tests of the disassembler, and every gfx1030 instruction of two Debian libraries. Owns the
//! counts; what a difference means is `spirdna-oracle`'s.

mod fetch;
mod library;
mod mc;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use spirdna_isa::{Target, WaveSize};
use spirdna_oracle::{Difference, difference};

/// The corpora, in the order in which they run.
const PARTS: [&str; 3] = ["mc", "rocrand", "rocsparse"];

/// Unexplained differences that are printed.
const SHOWN: usize = 20;

/// What was compared and how it came out.
#[derive(Default)]
struct Counts {
    items: u64,
    equal: u64,
    /// Both refuse.
    refused: u64,
    known: BTreeMap<&'static str, u64>,
    unexplained: u64,
    shown: Vec<String>,
}

impl Counts {
    fn compare(&mut self, target: Target, wave: WaveSize, words: &[u32], theirs: Option<&str>) {
        self.items += 1;
        match difference(target, wave, words, theirs) {
            None if theirs.is_none() => self.refused += 1,
            None => self.equal += 1,
            Some(Difference::Known(kind)) => *self.known.entry(kind).or_default() += 1,
            Some(Difference::Unexplained(text)) => self.unexplained(text),
        }
    }

    fn unexplained(&mut self, text: String) {
        self.unexplained += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(text);
        }
    }

    fn add(&mut self, other: Counts) {
        self.items += other.items;
        self.equal += other.equal;
        self.refused += other.refused;
        for (kind, n) in other.known {
            *self.known.entry(kind).or_default() += n;
        }
        self.unexplained += other.unexplained;
        let room = SHOWN.saturating_sub(self.shown.len());
        self.shown.extend(other.shown.into_iter().take(room));
    }

    fn print(&self, out: &mut impl Write, what: &str) -> std::io::Result<()> {
        write!(
            out,
            "{what}: {} compared, {} equal, {} refused by both",
            self.items, self.equal, self.refused
        )?;
        for (kind, n) in &self.known {
            write!(out, ", {n} {kind}")?;
        }
        writeln!(out, ", {} unexplained", self.unexplained)?;
        for text in &self.shown {
            writeln!(out, "    {text}")?;
        }
        out.flush()
    }
}

/// Runs the corpora that `names` lists, all where it lists none; fails on an unexplained difference.
pub fn run(root: &Path, names: &[String]) -> Result<ExitCode> {
    if let Some(name) = names.iter().find(|n| !PARTS.contains(&n.as_str())) {
        bail!("no corpus is called {name}; there are {}", PARTS.join(", "));
    }
    ensure!(
        spirdna_oracle::installed(),
        "llvm-mc-19 is not installed (Debian package llvm-19)"
    );
    let folder = fetch::Folder::open(root)?;
    let mut out = std::io::stdout().lock();
    let mut unexplained = 0;
    for part in PARTS {
        if !names.is_empty() && !names.iter().any(|n| n == part) {
            continue;
        }
        let start = Instant::now();
        let counts = match part {
            "mc" => mc::run(&folder.disassembler_tests()?, &mut out)?,
            "rocrand" => library::run(&folder.library("librocrand1")?, &mut out)?,
            _ => library::run(&folder.library("librocsparse0")?, &mut out)?,
        };
        counts.print(&mut out, part)?;
        writeln!(out, "{part}: {} s", start.elapsed().as_secs())?;
        // A corpus of nothing proves nothing.
        ensure!(counts.equal > 0, "{part}: nothing was compared");
        unexplained += counts.unexplained;
    }
    Ok(if unexplained == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

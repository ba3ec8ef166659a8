//! Every opcode on the reference and on a Vulkan device, bit for bit, and the proof files under
//! `seeds/proof/`, which hold what was proven. `SPIRDNA_WRITE_PROOF=1` writes them; `SPIRDNA_ALL=1` tries
//! every modifier and operand class with at least 4,096 operand tuples an opcode.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use spirdna_case::exec::{VulkanExecutor, VulkanOptions};
use spirdna_isa::WaveSize;
use spirdna_proof::pool::{self, Errand};
use spirdna_proof::record::device_kind;
use spirdna_proof::{Depth, ProofFile, Selection};
use spirdna_vulkan::{Device, DeviceChoice, Options};

/// How long a batch may take, compilation included.
const PATIENCE: Duration = Duration::from_secs(300);

const SIZE: &str = "SPIRDNA_PROOF_SIZE";
const SHARD: &str = "SPIRDNA_PROOF_SHARD";
const RESULTS: &str = "SPIRDNA_PROOF_RESULTS";
const SKIP: &str = "SPIRDNA_PROOF_SKIP";

fn set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|v| v == "1")
}

/// What is run at a subgroup size. Waves wider than four subgroups compile fastest (their lanes are a
/// loop), so every key runs in wave64 at S = 8; the other sizes take turns.
fn selection(size: u32) -> Selection {
    if set("SPIRDNA_ALL") {
        return Selection::all(Depth::Long);
    }
    let all = Selection::all(Depth::Ci);
    let (w32, w64) = (vec![WaveSize::W32], vec![WaveSize::W64]);
    let (turn, waves) = match size {
        8 => ((0, 1), w64),
        4 => ((0, 6), w32),
        16 => ((1, 16), w32),
        _ => ((5, 16), w32),
    };
    // Memory has its rows from runs by hand (docs/testing.md); a check takes one key in 48 of it.
    let slow = (5, 48);
    Selection {
        turn,
        waves,
        slow,
        ..all
    }
}

#[test]
fn s1() {
    prove(1);
}

#[test]
fn s4() {
    prove(4);
}

#[test]
fn s8() {
    prove(8);
}

#[test]
fn s16() {
    prove(16);
}

/// Runs the selection of a subgroup size in child processes and compares the rows with the file's.
fn prove(size: u32) {
    let command = |errand: &Errand| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let (n, of) = errand.shard;
        command
            .args(["--exact", "prove_child", "--ignored", "--nocapture"])
            .env(SIZE, size.to_string())
            .env(SHARD, format!("{n}/{of}"))
            .env(RESULTS, &errand.results)
            .env(SKIP, &errand.skip)
            // lavapipe takes its subgroup size from here; other drivers do not look.
            .env("LP_NATIVE_VECTOR_WIDTH", (size.max(4) * 32).to_string());
        command
    };
    // S = 8 takes longest; the rows do not depend on how the work is shared.
    let shards = if size == 8 { 2 } else { 1 };
    let tally = pool::run(shards, PATIENCE, &command).unwrap();
    if let Some(why) = &tally.unusable {
        assert!(!skips::required(), "{why}");
        skips::skipped(&format!("proofs at S = {size}"), why);
        return;
    }
    let (wrong, count) = (tally.wrong.join("\n"), tally.wrong.len());
    let file = tally.rows(size);
    eprintln!(
        "{}, S = {size}: {} of {} keys in {} batches",
        tally.device,
        file.rows.len(),
        tally.keys.len(),
        tally.batches.len()
    );
    let kind = device_kind(&tally.device);
    let long = if set("SPIRDNA_ALL") { ".long" } else { "" };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("seeds/proof");
    let path = folder.join(format!("{kind}.s{size}{long}.tsv"));
    if set("SPIRDNA_WRITE_PROOF") {
        std::fs::create_dir_all(&folder).unwrap();
        file.save(&path).unwrap();
    } else if kind == "lavapipe" && long.is_empty() {
        compare(&file, &path);
    }
    assert!(count == 0, "{count} wrong\n{wrong}");
}

/// The file must hold what was proven, no more and no less.
fn compare(ours: &ProofFile, path: &Path) {
    let theirs = ProofFile::load(path).unwrap_or_default();
    let (ours, theirs) = (ours.text(), theirs.text());
    let only = |a: &str, b: &str| {
        let b: std::collections::BTreeSet<&str> = b.lines().collect();
        let lines = a.lines().filter(|l| !b.contains(l)).take(10);
        lines.map(|l| format!("\n  {l}")).collect::<String>()
    };
    assert!(
        ours == theirs,
        "{} is not what was proven now; where the change is meant, SPIRDNA_WRITE_PROOF=1 writes it.\n\
         only in this run:{}\nonly in the file:{}",
        path.display(),
        only(&ours, &theirs),
        only(&theirs, &ours)
    );
}

/// Not a test: the process in which a device works.
#[test]
#[ignore = "the device process of the other tests"]
fn prove_child() {
    let variable = |name| std::env::var(name).ok();
    let (Some(size), Some(shard), Some(results), Some(skip)) = (
        variable(SIZE),
        variable(SHARD),
        variable(RESULTS),
        variable(SKIP),
    ) else {
        return; // started by hand with --ignored: there is nothing to do
    };
    let size: u32 = size.parse().unwrap();
    let (n, of) = shard.split_once('/').unwrap();
    let errand = Errand {
        shard: (n.parse().unwrap(), of.parse().unwrap()),
        results: results.into(),
        skip: skip.into(),
    };
    pool::child(&selection(size), &errand, &mut || open(size)).unwrap();
}

fn open(size: u32) -> Result<VulkanExecutor, String> {
    let options = Options {
        timeout: PATIENCE / 2,
        ..Options::default()
    };
    let device = Device::open(DeviceChoice::Default, options).map_err(|e| e.to_string())?;
    let info = device.info();
    let can = size == 1
        || size == device.measured_subgroup_size()
        || info.features.required_subgroup_compute
            && (info.min_subgroup_size..=info.max_subgroup_size).contains(&size);
    if !can {
        return Err(format!("{} has no subgroups of {size}", info.name));
    }
    let options = VulkanOptions {
        subgroup_size: Some(size),
        ..VulkanOptions::default()
    };
    Ok(VulkanExecutor::new(device, options))
}

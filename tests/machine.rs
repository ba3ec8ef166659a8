//! The seeds and the case files on the SPIR-V machine, at every subgroup size: the expectations hold, the
//! memory is the reference's bit for bit, the original module agrees where it can be compared, and the
//! machine finds nothing that a driver would hide.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::path::{Path, PathBuf};

use spirdna_case::Case;
use spirdna_case::exec::{
    Executor, Host, MachineExecutor, MachineSetup, ReferenceExecutor, judge, may_be_dropped,
    same_as_original, same_memory,
};
use spirdna_case::flow::{FlowSpec, flow_case};
use spirdna_translate::options::{MemoryModel, Options};

const SIZES: [u32; 6] = [1, 4, 8, 16, 32, 64];

fn cases(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            cases(&path, found);
        } else if path.to_string_lossy().ends_with(".case.toml") {
            found.push(path);
        }
    }
    found.sort();
}

/// Runs every case of a folder; gives how many runs there were.
fn all(folder: &str, sizes: &[u32]) -> usize {
    all_with(folder, sizes, &[MemoryModel::Windows])
}

/// With the memory models in turn.
fn all_with(folder: &str, sizes: &[u32], models: &[MemoryModel]) -> usize {
    let mut paths = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    cases(&root.join(folder), &mut paths);
    let mut runs = 0;
    let mut wrong = Vec::new();
    for (path, &memory) in paths.iter().zip(models.iter().cycle()) {
        let case = Case::load(path).unwrap();
        let expected = ReferenceExecutor::default().run(&case).unwrap();
        for &size in sizes {
            let mut machine = MachineExecutor::new(MachineSetup {
                subgroup_size: Some(size),
                translate: Options {
                    memory,
                    ..Options::default()
                },
                ..MachineSetup::default()
            });
            let what = format!("{} at S = {size}, {memory:?}", path.display());
            let outcome = match machine.run(&case) {
                Ok(outcome) => outcome,
                Err(e) => {
                    wrong.push(format!("{what}: {e}"));
                    continue;
                }
            };
            runs += 1;
            let mut failures = judge(&case, &outcome);
            failures.extend(same_memory(&case, &outcome, &expected, "the reference"));
            wrong.extend(failures.iter().map(|f| format!("{what}: {f}")));
            let findings = machine.findings().iter().filter(|f| !may_be_dropped(f));
            wrong.extend(findings.map(|f| format!("{what}: {f}")));
            if machine.can_compare_original(&case) {
                let original = machine.run_original(&case).unwrap();
                let failures = same_as_original(&case, &outcome, &original);
                wrong.extend(failures.iter().map(|f| format!("{what}: original: {f}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    runs
}

#[test]
fn seeds_at_every_subgroup_size() {
    assert!(all("seeds/shaders", &SIZES) >= 25 * SIZES.len());
}

/// All cases under memory models with addresses: those written for the tests under each, seeds in turn.
#[test]
fn every_case_through_addresses_and_pages() {
    let models = [MemoryModel::Offset, MemoryModel::Pages];
    for model in models {
        assert!(all_with("tests/cases", &[16], &[model]) >= 15);
    }
    assert!(all_with("seeds/shaders", &[8], &models) >= 25);
    assert!(all_with("seeds/vectors", &[32], &models) >= 20);
}

#[test]
fn control_flow_cases_at_every_subgroup_size() {
    assert!(all("tests/cases/flow", &SIZES) >= 4 * SIZES.len());
}

/// Compares random programs with the reference, each at a subgroup size of its own.
fn random(specs: impl Iterator<Item = FlowSpec>) {
    let mut wrong = Vec::new();
    for spec in specs {
        let case = flow_case(spec).unwrap();
        let expected = ReferenceExecutor::default().run(&case).unwrap();
        let size = SIZES[(spec.seed / 2) as usize % SIZES.len()];
        let mut machine = MachineExecutor::new(MachineSetup {
            subgroup_size: Some(size),
            ..MachineSetup::default()
        });
        let what = format!("{} at S = {size}", spec.name());
        match machine.run(&case) {
            Ok(outcome) => {
                let failures = same_memory(&case, &outcome, &expected, "the reference");
                wrong.extend(failures.iter().map(|f| format!("{what}: {f}")));
                let findings = machine.findings().iter().filter(|f| !may_be_dropped(f));
                wrong.extend(findings.map(|f| format!("{what}: {f}")));
            }
            Err(e) => wrong.push(format!("{what}: {e}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many random programs of a family: a few, or as many as the environment says.
fn programs(few: u64) -> u64 {
    match std::env::var("SPIRDNA_FLOW_PROGRAMS") {
        Ok(text) => text.parse().unwrap(),
        Err(_) => few,
    }
}

/// Random programs of control flow, both wave sizes in turn.
#[test]
fn random_control_flow() {
    random((0..programs(120)).map(FlowSpec::of));
}

/// Random programs whose waves hand values to each other at barriers of their own.
#[test]
fn random_waves_that_look_at_each_other() {
    random((0..programs(50)).map(FlowSpec::shared));
}

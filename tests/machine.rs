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
use spirdna_translate::options::{Divergence, MemoryModel, Options};

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
        for &size in sizes {
            let setup = MachineSetup {
                subgroup_size: Some(size),
                translate: Options {
                    memory,
                    ..Options::default()
                },
                ..MachineSetup::default()
            };
            runs += usize::from(run_case(&case, &setup, &mut wrong));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    runs
}

/// Runs a case; says whether it came to an end, and notes what was wrong.
fn run_case(case: &Case, setup: &MachineSetup, wrong: &mut Vec<String>) -> bool {
    let expected = ReferenceExecutor::default().run(case).unwrap();
    let mut machine = MachineExecutor::new(setup.clone());
    let (size, memory) = (setup.subgroup_size.unwrap(), setup.translate.memory);
    let what = format!("{} at S = {size}, {memory:?}", case.path.display());
    let outcome = match machine.run(case) {
        Ok(outcome) => outcome,
        Err(e) => {
            wrong.push(format!("{what}: {e}"));
            return false;
        }
    };
    let mut failures = judge(case, &outcome);
    failures.extend(same_memory(case, &outcome, &expected, "the reference"));
    wrong.extend(failures.iter().map(|f| format!("{what}: {f}")));
    let findings = machine.findings().iter().filter(|f| !may_be_dropped(f));
    wrong.extend(findings.map(|f| format!("{what}: {f}")));
    if machine.can_compare_original(case) {
        let original = machine.run_original(case).unwrap();
        let failures = same_as_original(case, &outcome, &original);
        wrong.extend(failures.iter().map(|f| format!("{what}: original: {f}")));
    }
    true
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
    assert!(all("tests/cases/flow", &SIZES) >= 20 * SIZES.len());
}

/// The four kinds of barriers that waves meet differently. On lavapipe `cases.rs` runs them at S = 1, 4, 8 and 16.
#[test]
fn barriers_at_every_subgroup_size() {
    const KINDS: [&str; 4] = ["sites", "trips", "exit_in_loop", "state"];
    let mut paths = Vec::new();
    cases(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/flow"),
        &mut paths,
    );
    let of = |kind: &str| {
        let begins = format!("barrier_{kind}.");
        paths
            .iter()
            .filter(|path| {
                path.file_name()
                    .is_some_and(|n| n.to_string_lossy().starts_with(&begins))
            })
            .map(|path| Case::load(path).unwrap())
            .collect::<Vec<_>>()
    };
    for kind in KINDS {
        let cases = of(kind);
        let mut waves: Vec<u32> = Vec::new();
        for case in &cases {
            let launch = &case.dispatches[0].launch;
            assert!(launch.waves() > 1, "{}", case.path.display());
            waves.push(launch.wave.lanes());
        }
        waves.sort_unstable();
        assert_eq!(waves, [32, 64], "{kind}: a case of each wave size");
        let mut wrong = Vec::new();
        let runs: usize = cases
            .iter()
            .flat_map(|case| SIZES.map(|size| (case, size)))
            .map(|(case, size)| {
                let setup = MachineSetup {
                    subgroup_size: Some(size),
                    ..MachineSetup::default()
                };
                usize::from(run_case(case, &setup, &mut wrong))
            })
            .sum();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert_eq!(runs, 2 * SIZES.len(), "{kind}");
    }
}

/// Lanes part where they can.
fn apart(subgroup_size: u32) -> MachineSetup {
    MachineSetup {
        subgroup_size: Some(subgroup_size),
        translate: Options {
            divergence: Divergence::Branches,
            ..Options::default()
        },
        ..MachineSetup::default()
    }
}

/// Compares random programs with the reference, each at a subgroup size of its own.
fn random(specs: impl Iterator<Item = FlowSpec>) {
    random_as(specs, |spec| MachineSetup {
        subgroup_size: Some(SIZES[(spec.seed / 2) as usize % SIZES.len()]),
        ..MachineSetup::default()
    });
}

/// Compares random programs with the reference; gives the number of those in which lanes part.
fn random_as(
    specs: impl Iterator<Item = FlowSpec>,
    setup: impl Fn(FlowSpec) -> MachineSetup,
) -> usize {
    let mut wrong = Vec::new();
    let mut parted = 0;
    for spec in specs {
        let case = flow_case(spec).unwrap();
        let expected = ReferenceExecutor::default().run(&case).unwrap();
        let setup = setup(spec);
        let size = setup.subgroup_size.unwrap();
        let mut machine = MachineExecutor::new(setup);
        parted += usize::from(lanes_part(&machine, &case));
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
    parted
}

/// Whether the case's translations have blocks in which lanes go their own ways.
fn lanes_part(machine: &MachineExecutor, case: &Case) -> bool {
    let made = machine.translations(case).unwrap();
    let mut strategies = made.iter().flat_map(|t| &t.reflection.strategies);
    strategies.any(|s| s.starts_with("lanes apart"))
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
    random((0..programs(150)).map(FlowSpec::of));
}

/// Random programs whose waves hand values to each other at barriers of their own.
#[test]
fn random_waves_that_look_at_each_other() {
    random((0..programs(60)).map(FlowSpec::shared));
}

/// Random programs of lanes' ifs and loops, as the wave's.
#[test]
fn random_lanes() {
    random((0..programs(60)).map(FlowSpec::lanes));
}

/// Random programs where an invocation is a lane, with lanes that part.
#[test]
fn random_control_flow_with_lanes_apart() {
    let parted = random_as((0..programs(60)).map(FlowSpec::lanes), |spec| {
        apart(spec.wave)
    });
    assert!(parted >= 10, "lanes part in {parted} programs");
    random_as((0..programs(20)).map(FlowSpec::of), |spec| apart(spec.wave));
}

/// Random programs of arrays in registers, in trees and near misses of trees, with lanes that part; a few at other
/// subgroup sizes.
#[test]
fn random_arrays_in_registers() {
    let parted = random_as((0..programs(400)).map(FlowSpec::arrays), |spec| {
        apart(spec.wave)
    });
    assert!(
        parted >= programs(400) as usize / 2,
        "lanes part in {parted} programs"
    );
    random((0..programs(20)).map(FlowSpec::arrays));
}

/// Seeds and control flow with lanes that part.
#[test]
fn cases_with_lanes_apart() {
    let (mut wrong, mut parted) = (Vec::new(), 0);
    for folder in ["seeds/shaders", "tests/cases/flow"] {
        let mut paths = Vec::new();
        cases(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut paths,
        );
        for path in paths {
            let case = Case::load(&path).unwrap();
            let setup = apart(case.dispatches[0].launch.wave.lanes());
            parted += usize::from(lanes_part(&MachineExecutor::new(setup.clone()), &case));
            run_case(&case, &setup, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(parted >= 4, "lanes part in {parted} cases");
}

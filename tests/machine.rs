//! The seeds and the case files on the SPIR-V machine, at every subgroup size: the expectations hold, the
//! memory is the reference's bit for bit, the original module agrees where it can be compared, and the
//! machine finds nothing that a driver would hide.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::path::{Path, PathBuf};

use spirdna_case::Case;
use spirdna_case::exec::{
    Executor, MachineExecutor, MachineSetup, ReferenceExecutor, judge, same_as_original,
    same_memory,
};
use spirdna_machine::FindingKind;

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
    let mut paths = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    cases(&root.join(folder), &mut paths);
    let mut runs = 0;
    let mut wrong = Vec::new();
    for path in &paths {
        let case = Case::load(path).unwrap();
        let expected = ReferenceExecutor::default().run(&case).unwrap();
        for &size in sizes {
            let mut machine = MachineExecutor::new(MachineSetup {
                subgroup_size: Some(size),
                ..MachineSetup::default()
            });
            let what = format!("{} at S = {size}", path.display());
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
            let wave = case.dispatches.first().unwrap().launch.wave.lanes();
            for finding in machine.findings() {
                // A load of an inactive lane reads the first word of LDS and drops it: nobody need have
                // written that, and an invocation without a lane comes to it beside the others.
                let dropped = match finding.kind {
                    FindingKind::UndefinedWorkgroup => true,
                    FindingKind::Race => size > wave,
                    _ => false,
                };
                if !dropped {
                    wrong.push(format!("{what}: {finding}"));
                }
            }
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

#[test]
fn control_flow_cases_at_every_subgroup_size() {
    assert!(all("tests/cases/flow", &SIZES) >= 4 * SIZES.len());
}

//! Every draw file under `seeds/` and `tests/`: the translations of its shaders are rendered on a device, and
//! the picture is that of the modules they were compiled from. A shader that is refused is named in
//! `tests/draws-refused.toml`, with the reason's beginning.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

#[path = "../../../tests/skips/mod.rs"]
mod skips;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use spirdna_case::draw::{DrawCase, DrawRunner, Picture, judge};
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

/// Draws that are refused: a pattern of their names (`*` stands for anything), and what the reason has in it.
/// The first pattern that fits a name counts.
struct Refused(Vec<(String, String)>);

impl Refused {
    fn read() -> Refused {
        #[derive(serde::Deserialize)]
        struct File {
            refused: Vec<(String, String)>,
        }
        let text = std::fs::read_to_string(root().join("tests/draws-refused.toml")).unwrap();
        let file: File = toml::from_str(&text).unwrap();
        Refused(file.refused)
    }

    fn of(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(pattern, _)| fits(pattern, name))
    }
}

fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The day whose turn it is: `SPIRDNA_DRAWS_DAY`, or today.
fn day() -> usize {
    match std::env::var("SPIRDNA_DRAWS_DAY") {
        Ok(day) => day.parse().unwrap(),
        Err(_) => {
            let now = std::time::SystemTime::now();
            let since = now.duration_since(std::time::UNIX_EPOCH).unwrap();
            (since.as_secs() / 86400) as usize
        }
    }
}

/// Which of a file's forms take their turn: two that should be translated and one that is culled by the
/// shader, others each day; all of them with `SPIRDNA_ALL` or a filter.
fn turns(number: usize, cases: &[DrawCase], all: bool) -> Vec<bool> {
    let culling = |case: &DrawCase| case.name.contains(".ngg.");
    let (some, others): (Vec<usize>, Vec<usize>) =
        (0..cases.len()).partition(|&i| !culling(&cases[i]));
    let mut turn = vec![all; cases.len()];
    let start = number + day();
    for (list, steps) in [(some, &[0, 5][..]), (others, &[0])] {
        for step in steps {
            if !list.is_empty() {
                turn[list[(start + step) % list.len()]] = true;
            }
        }
    }
    turn
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

#[test]
fn patterns_fit_names() {
    assert!(fits("a.*.ngg.*", "a.gfx1030.ngg.w32"));
    assert!(!fits("a.*.ngg.*", "a.gfx1030.nonggc.w32"));
    assert!(fits("*", "a") && fits("a", "a") && !fits("a", "ab"));
    assert!(fits("*.w64", "a.w64") && !fits("*.w64", "a.w32"));
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
    let all = !filter.is_empty() || std::env::var_os("SPIRDNA_ALL").is_some();
    let refused = Refused::read();
    let mut used = vec![false; refused.0.len()];
    let (mut wrong, mut equal, mut reasons) = (Vec::new(), 0, BTreeMap::new());
    for (number, file) in files.iter().enumerate() {
        let cases = DrawCase::load(file).unwrap_or_else(|e| panic!("{e}"));
        // The picture of the modules is the same for all forms.
        let mut original = None;
        let turns = turns(number, &cases, all);
        for (case, turn) in cases.iter().zip(turns) {
            let expected = refused.of(&case.name);
            if let Some(at) = expected {
                used[at] = true;
            }
            if !turn || !case.name.contains(&filter) {
                continue;
            }
            let expected = expected.map(|at| refused.0[at].1.as_str());
            let problem = match (check(&mut runner, case, &mut original), expected) {
                (Ok(found), None) if found.is_empty() => {
                    equal += 1;
                    continue;
                }
                (Ok(found), None) => found.join("\n    "),
                (Ok(_), Some(reason)) => format!("is not refused any more: {reason}"),
                (Err(RunError::Unsupported(text)), Some(reason)) if text.contains(reason) => {
                    *reasons.entry(reason.to_owned()).or_insert(0) += 1;
                    continue;
                }
                (Err(e), _) => e.to_string(),
            };
            wrong.push(format!("{}: {problem}", case.name));
        }
    }
    let unused = refused.0.iter().zip(&used).filter(|(_, used)| !**used);
    wrong.extend(unused.map(|((pattern, _), _)| format!("{pattern}: no such draw")));
    eprintln!("draws: {equal} pictures are the originals'; refused: {reasons:#?}");
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        wrong.len() + equal,
        wrong.join("\n")
    );
}

/// Renders both and compares.
fn check(
    runner: &mut DrawRunner,
    case: &DrawCase,
    original: &mut Option<Picture>,
) -> Result<Vec<String>, RunError> {
    let found = runner.run(case)?;
    if original.is_none() && case.original.is_some() {
        *original = Some(runner.run_original(case)?);
    }
    Ok(judge(case, &found, original.as_ref()))
}

//! Every draw file under `seeds/` and `tests/`: the translations of its shaders are rendered on a device, and
//! the picture is that of the modules they were compiled from. A shader that is refused is named in
//! `tests/draws-refused.toml`, with a part of the reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

#[path = "../../../tests/skips/mod.rs"]
mod skips;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use spirdna_case::draw::{DrawCase, DrawRunner, Picture, judge};
use spirdna_case::exec::RunError;
use spirdna_case::profile::profile_from_device;
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
struct Refused {
    all: Vec<(String, String)>,
    /// The first of those that some hosts have what is needed for.
    lacks: usize,
}

impl Refused {
    fn read() -> Refused {
        #[derive(serde::Deserialize)]
        struct File {
            refused: Vec<(String, String)>,
            lacks: Vec<(String, String)>,
        }
        let text = std::fs::read_to_string(root().join("tests/draws-refused.toml")).unwrap();
        let file: File = toml::from_str(&text).unwrap();
        let lacks = file.refused.len();
        let all = file.refused.into_iter().chain(file.lacks).collect();
        Refused { all, lacks }
    }

    fn of(&self, name: &str) -> Option<usize> {
        self.all.iter().position(|(pattern, _)| fits(pattern, name))
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

/// Which of a file's forms take their turn: two that should be translated and one that is culled by the
/// shader, others each day; all of them with `SPIRDNA_ALL` or a filter.
fn turns(number: usize, cases: &[DrawCase], all: bool) -> Vec<bool> {
    let culling = |case: &DrawCase| case.name.contains(".ngg.");
    let (some, others): (Vec<usize>, Vec<usize>) =
        (0..cases.len()).partition(|&i| !culling(&cases[i]));
    let mut turn = vec![all; cases.len()];
    let start = number + skips::day("SPIRDNA_DRAWS_DAY") as usize;
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
    let mut used = vec![false; refused.all.len()];
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
            let may_run = expected.is_some_and(|at| at >= refused.lacks);
            let expected = expected.map(|at| refused.all[at].1.as_str());
            let problem = match (check(&mut runner, case, &mut original), expected) {
                (Ok(found), None) if found.is_empty() => {
                    equal += 1;
                    continue;
                }
                (Ok(found), Some(_)) if may_run && found.is_empty() => {
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
    let unused = refused.all.iter().zip(&used).filter(|(_, used)| !**used);
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

/// Pixel shaders whose meaning lies in the wave that the rasteriser made, which no host's subgroup is: the draw
/// and why. Forms differ in how, not in whether.
#[test]
fn two_pixel_shaders_need_more_than_the_hosts_subgroup() {
    let Some(runner) = runner() else {
        return;
    };
    let mut files = Vec::new();
    draws(&root().join("seeds"), &mut files);
    let (mut shaders, mut need) = (0, BTreeMap::new());
    for file in files {
        let cases = DrawCase::load(&file).unwrap_or_else(|e| panic!("{e}"));
        for case in cases {
            let Some(draw) = case.name.strip_suffix(".gfx1030.nongg.w64") else {
                continue;
            };
            shaders += 1;
            if let Err(RunError::Unsupported(text)) = runner.translate(&case, &case.pixel, 1) {
                let of_wave = text.contains("needs the wave's other lanes");
                assert!(
                    of_wave || text.contains("this host does not have"),
                    "{text}"
                );
                if of_wave {
                    need.insert(draw.to_owned(), text);
                }
            }
        }
    }
    eprintln!(
        "draws: of {shaders} pixel shaders {} need more than the host's subgroup: {need:#?}",
        need.len()
    );
    let names: Vec<&str> = need.keys().map(String::as_str).collect();
    assert_eq!(names, ["ballot", "counter"]);
}

/// Where a host has fragment barycentrics, what a shader computes of them is translated; lavapipe does not run it.
#[test]
fn computed_barycentrics_are_translated_for_hosts_that_have_them() {
    let Some(mut runner) = runner() else {
        return;
    };
    let mut profile = profile_from_device(runner.device().info(), 1);
    profile.fragment_barycentrics = true;
    runner.profile = Some(profile);
    let file = root().join("seeds/lab/graphics/at_offset/at_offset.draw.toml");
    for case in DrawCase::load(&file).unwrap() {
        let (made, _) = runner.translate(&case, &case.pixel, 1).unwrap();
        let needs = &made.reflection.capabilities;
        assert!(
            needs.contains(&"FragmentBarycentricKHR".to_owned()),
            "{needs:?}"
        );
        let folder = tempfile::tempdir().unwrap();
        let module = folder.path().join("module.spv");
        let words = made.words.iter();
        std::fs::write(
            &module,
            words.flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>(),
        )
        .unwrap();
        let run = Command::new("spirv-val")
            .args(["--target-env", "vulkan1.3"])
            .arg(&module)
            .output();
        match run {
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stdout).into_owned()
                    + &String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{}: {said}", case.name);
            }
            Err(e) => {
                assert!(!skips::required(), "spirv-val: {e}");
                skips::skipped("computed barycentrics", "spirv-val is missing");
            }
        }
    }
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

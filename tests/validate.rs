//! `spirv-val` accepts the module of every seed, at every subgroup size, on a host that promises
//! everything and on one that promises nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use spirdna_case::Case;
use spirdna_case::exec::facts;
use spirdna_translate::error::TranslateError;
use spirdna_translate::options::Options;
use spirdna_translate::pipeline::translate;
use spirdna_translate::profile::{FloatHost, HostProfile};
use spirdna_translate::resources::DescriptorFacts;

const SPIRV_VAL: &str = "spirv-val";

/// A host with every optional feature; the float promises are those of a fused, denormal-keeping GPU.
fn rich(s: u32) -> HostProfile {
    let float = FloatHost {
        keeps_denorms: true,
        rte: true,
        signed_zero_inf_nan: true,
        fused_fma: true,
        ..FloatHost::UNKNOWN
    };
    HostProfile {
        spirv: (1, 6),
        int16: true,
        float16: true,
        int64: true,
        float64: true,
        f16: float,
        f32: float,
        f64: float,
        buffer_atomic64: true,
        shared_atomic64: true,
        max_push_constants: 256,
        ..roomy(s)
    }
}

/// A host with no optional feature, but large enough for the seeds.
fn roomy(s: u32) -> HostProfile {
    HostProfile {
        max_workgroup_memory: 65536,
        max_workgroup_invocations: 1024,
        ..HostProfile::portable(s)
    }
}

/// What is wrong with a module, if something is; `None` where the validator is not installed.
fn validate(words: &[u32]) -> Option<Result<(), String>> {
    let child = Command::new(SPIRV_VAL)
        .args(["--target-env", "vulkan1.3", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(_) if !skips::required() => return None,
        Err(e) => panic!("{SPIRV_VAL}: {e}"),
    };
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().unwrap();
    // A validator that stops at a fault does not read the rest.
    let _ = writer.join().unwrap();
    let text = || String::from_utf8_lossy(&output.stderr).into_owned();
    Some(if output.status.success() {
        Ok(())
    } else {
        Err(text())
    })
}

fn cases(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            cases(&path, found);
        } else if path.to_string_lossy().ends_with(".case.toml") {
            found.push(path);
        }
    }
    found.sort();
}

/// Validates the modules of the cases under a folder of `seeds` for some hosts.
fn all_of(folder: &str, hosts: &[HostProfile]) {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(folder);
    cases(&root, &mut found);
    assert!(!found.is_empty(), "no cases under {}", root.display());
    let (mut valid, mut lacking) = (0, 0);
    for path in &found {
        let case = Case::load(path).unwrap_or_else(|e| panic!("{e}"));
        for dispatch in &case.dispatches {
            for profile in hosts {
                for facts in [
                    DescriptorFacts::default(),
                    facts::promise(dispatch, &case.memory).facts,
                ] {
                    let options = Options::default();
                    let s = profile.subgroup_size;
                    let at = format!("{} at S = {s}", path.display());
                    match translate(&dispatch.code, &dispatch.launch, profile, &options, &facts) {
                        Ok(t) => match validate(&t.words) {
                            Some(Ok(())) => valid += 1,
                            Some(Err(text)) => panic!("{at}: {text}"),
                            None => return skips::skipped(SPIRV_VAL, "it is not installed"),
                        },
                        // What a poor host lacks is said, not guessed around.
                        Err(TranslateError::Host(_)) => lacking += 1,
                        Err(e) => panic!("{at}: {e}"),
                    }
                }
            }
        }
    }
    assert!(valid > lacking, "{valid} valid, {lacking} beyond the host");
    eprintln!("{valid} modules valid; {lacking} need what the host lacks");
}

#[test]
fn real_shaders_at_every_subgroup_size() {
    let sizes = [1, 4, 8, 16, 32];
    let hosts: Vec<HostProfile> = sizes.into_iter().map(rich).collect();
    all_of("shaders", &hosts);
}

#[test]
fn real_shaders_on_a_host_that_promises_nothing() {
    all_of("shaders", &[roomy(1), roomy(8)]);
}

#[test]
fn vectors() {
    all_of("vectors", &[rich(32), roomy(8)]);
}

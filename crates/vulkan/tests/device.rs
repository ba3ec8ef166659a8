//! Device tests: the shaders of `tests/shaders` on whatever devices the machine has. Each runs in a
//! child process with a time limit, because a driver reads its environment once, and may hang.
//!
//! With `SPIRDNA_REQUIRE_VULKAN=1` a missing device, driver file or validation layer is a failure;
//! otherwise the test says so, counts it, and passes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed step is a failed test"
)]
#![allow(
    clippy::print_stdout,
    reason = "a child tells its parent what it found"
)]

#[path = "device/bodies.rs"]
mod bodies;

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use spirdna_vulkan::child::run_in_child;

/// What a child prints, at the start of a line, instead of testing.
const SKIP: &str = "SKIP: ";

static SKIPS: AtomicUsize = AtomicUsize::new(0);

fn is_required() -> bool {
    std::env::var("SPIRDNA_REQUIRE_VULKAN").is_ok_and(|value| value == "1")
}

/// Says past the test runner's capture that a test was not done, or fails where it must be.
fn skip(test: &str, reason: &str) {
    assert!(!is_required(), "{test}: {reason}");
    let count = SKIPS.fetch_add(1, Ordering::Relaxed) + 1;
    let _ = writeln!(std::io::stderr(), "skipped ({count}): {test}: {reason}");
}

/// A driver's file in the places where the loader looks, by the start of its name.
fn driver_file(start: &str) -> Option<PathBuf> {
    ["/usr/share", "/usr/local/share", "/etc", "/usr/local/etc"]
        .iter()
        .filter_map(|root| std::fs::read_dir(format!("{root}/vulkan/icd.d")).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| {
            path.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.starts_with(start) && name.ends_with(".json"))
        })
}

/// Runs a test body in a child process and gives its output, or `None` where it was skipped.
fn child(body: &str, environment: &[(&str, &str)]) -> Option<String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", body, "--ignored", "--nocapture"])
        .envs(environment.iter().copied());
    let output = run_in_child(command, Duration::from_secs(120)).unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{body} {environment:?}: {:?}\n{text}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    match text.lines().find_map(|line| line.strip_prefix(SKIP)) {
        Some(reason) => {
            skip(body, reason);
            None
        }
        None => Some(text),
    }
}

/// Runs a body on lavapipe with vectors of so many bits (`None`: its own choice).
fn on_lavapipe(body: &str, width: Option<u32>) -> Option<String> {
    let Some(file) = driver_file("lvp_icd") else {
        skip(body, "there is no lavapipe");
        return None;
    };
    let width = width.map(|w| w.to_string());
    let mut environment = vec![
        ("VK_ICD_FILENAMES", file.to_str().unwrap()),
        ("VK_DRIVER_FILES", file.to_str().unwrap()),
        ("SPIRDNA_DEVICE", ""),
    ];
    if let Some(width) = &width {
        environment.push(("LP_NATIVE_VECTOR_WIDTH", width));
    }
    child(body, &environment)
}

/// Runs a body on the default device, and on lavapipe too where that is another one.
fn on_devices(body: &str) {
    child(body, &[]);
    on_lavapipe(body, Some(256));
}

#[test]
fn the_subgroup_size_is_measured() {
    for (width, size) in [(128, 4), (256, 8), (512, 16)] {
        if let Some(text) = on_lavapipe("bodies::prints_the_subgroup_size", Some(width)) {
            assert!(
                text.contains(&format!("S = {size}\n")),
                "{width} bits: {text}"
            );
        }
    }
}

#[test]
fn a_device_that_lies_about_its_subgroup_size_is_refused() {
    on_lavapipe("bodies::the_size_is_a_lie", Some(1024));
}

#[test]
fn a_null_device_is_refused() {
    let body = "bodies::the_device_is_null";
    let Some(file) = driver_file("radeon_icd") else {
        skip(body, "there is no RADV");
        return;
    };
    let file = file.to_str().unwrap();
    child(
        body,
        &[
            ("VK_ICD_FILENAMES", file),
            ("VK_DRIVER_FILES", file),
            ("RADV_FORCE_FAMILY", "navi21"),
            ("SPIRDNA_DEVICE", ""),
        ],
    );
}

#[test]
fn no_driver_at_all_is_no_device() {
    child(
        "bodies::there_is_no_device",
        &[
            ("VK_ICD_FILENAMES", "/nonexistent.json"),
            ("VK_DRIVER_FILES", "/nonexistent.json"),
            ("SPIRDNA_DEVICE", ""),
        ],
    );
}

#[test]
fn a_wish_for_another_device_is_heard() {
    on_lavapipe("bodies::wishes_are_heard", None);
}

#[test]
fn a_split_grid_is_the_whole_grid() {
    on_devices("bodies::splits_a_grid");
}

#[test]
fn an_empty_grid_does_nothing() {
    on_devices("bodies::runs_an_empty_grid");
}

#[test]
fn sets_and_uniforms_reach_the_shader() {
    on_devices("bodies::reads_a_uniform_buffer");
}

#[test]
fn device_addresses_reach_the_shader() {
    on_devices("bodies::follows_addresses");
}

#[test]
fn required_subgroup_sizes_are_met_or_refused() {
    on_devices("bodies::requires_a_subgroup_size");
    for width in [128, 512] {
        on_lavapipe("bodies::requires_a_subgroup_size", Some(width));
    }
}

#[test]
fn invalid_words_are_an_error() {
    on_devices("bodies::refuses_invalid_words");
}

#[test]
fn bad_jobs_are_errors() {
    on_devices("bodies::refuses_bad_jobs");
}

#[test]
fn a_device_serves_many_jobs() {
    on_devices("bodies::runs_a_thousand_jobs");
}

#[test]
fn a_job_that_takes_too_long_is_an_error() {
    on_lavapipe("bodies::runs_out_of_time", None);
}

//! Random programs of control flow on a Vulkan device, against the reference: a few at each subgroup size that
//! lavapipe has. More of them run on the machine (`machine.rs`) and by hand
//! (`spirdna flow`).
//!
//! Each size runs in a process of its own, because lavapipe reads its subgroup size once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::process::Command;

use spirdna_cli::{Exit, main_with};

/// The child's subgroup size.
const SIZE: &str = "SPIRDNA_FLOW_SIZE";

/// Programs of each size, small ones: lavapipe takes seconds to compile a large one, and longer the more lanes an
/// invocation has.
const COUNT: &str = "2";

/// Runs the child of a size and hands on what it says.
fn at(size: u32) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "flow_child", "--ignored", "--nocapture"])
        .env(SIZE, size.to_string())
        .env("LP_NATIVE_VECTOR_WIDTH", (size * 32).to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    if let Some(why) = text.lines().find_map(|l| l.strip_prefix("no device: ")) {
        assert!(!skips::required(), "{why}");
        skips::skipped(&format!("random control flow at S = {size}"), why);
        return;
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    let alike = format!("{COUNT} programs alike, 0 not");
    assert!(text.contains(&alike), "{text}{errors}");
}

#[test]
fn s4() {
    at(4);
}

#[test]
fn s8() {
    at(8);
}

#[test]
fn s16() {
    at(16);
}

/// The programs of one size, in this process.
#[test]
#[ignore = "runs in a child process of the other tests"]
fn flow_child() {
    let size = std::env::var(SIZE).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let line = ["spirdna", "flow", "--device", "vulkan", "--wave", "32"];
    let line = line.into_iter().chain(["--subgroup-size", &size]);
    let line = line.chain(["--first", "118", "--count", COUNT]);
    let exit = main_with(line, None, &mut out, &mut err);
    let (out, err) = (
        String::from_utf8(out).unwrap(),
        String::from_utf8(err).unwrap(),
    );
    if exit == Exit::Device {
        say(&format!(
            "no device: {}",
            err.lines().next().unwrap_or_default()
        ));
        return;
    }
    assert_eq!(exit, Exit::Success, "{out}{err}");
    say(&out);
}

#[allow(clippy::print_stdout)] // what the parent process reads
fn say(text: &str) {
    println!("{text}");
}

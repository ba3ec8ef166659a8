//! `cargo xtask test`: the whole check, one step after another. Owns the list of steps and nothing of
//! what they test.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::setup;

/// One step: cargo arguments, and the subcommand that may be missing from a bare toolchain.
struct Step {
    arguments: &'static [&'static str],
    /// `Some`: skipped, and said so, when `cargo NAME --version` fails.
    component: Option<&'static str>,
}

const STEPS: [Step; 3] = [
    Step {
        arguments: &["fmt", "--all", "--check"],
        component: Some("fmt"),
    },
    Step {
        arguments: &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
        component: Some("clippy"),
    },
    Step {
        // Unit, integration and documentation tests. SPIRDNA_REQUIRE_VULKAN and SPIRDNA_DEVICE reach
        // them through the environment.
        arguments: &["test", "--workspace", "--no-fail-fast"],
        component: None,
    },
];

/// Runs setup and every step in `root`; stops at the first that fails.
pub fn run(root: &Path) -> Result<ExitCode> {
    eprintln!("==> setup");
    let code = setup::run()?;
    if code != ExitCode::SUCCESS {
        return Ok(code);
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for step in STEPS {
        let shown = format!("cargo {}", step.arguments.join(" "));
        if let Some(component) = step.component
            && !present(&cargo, component)
        {
            eprintln!("==> {shown}: skipped, this toolchain has no `cargo {component}`");
            continue;
        }
        eprintln!("==> {shown}");
        let status = Command::new(&cargo)
            .args(step.arguments)
            .current_dir(root)
            .status()
            .with_context(|| format!("cannot run {shown}"))?;
        if !status.success() {
            eprintln!("==> FAILED: {shown} ({status})");
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn present(cargo: &std::ffi::OsStr, component: &str) -> bool {
    Command::new(cargo)
        .args([component, "--version"])
        .output()
        .is_ok_and(|output| output.status.success())
}

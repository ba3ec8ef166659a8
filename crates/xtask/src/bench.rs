//! `cargo xtask bench-decode`: the decode bench, and llvm-mc on the same bytes. `cargo xtask bench`: that,
//! and the tables of `crates/bench`. Owns neither what is measured nor how.

use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// Runs the bench, which writes its bytes to a file, then llvm-mc-19 on them.
pub fn run(root: &Path) -> Result<ExitCode> {
    let folder = std::env::temp_dir().join(format!("spirdna-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = measure(root, &folder);
    std::fs::remove_dir_all(&folder)?;
    result
}

/// Decoding beside llvm-mc, translation beside RADV, memory: one table after the other.
pub fn run_all(root: &Path) -> Result<ExitCode> {
    print_versions()?;
    let code = run(root)?;
    if code != ExitCode::SUCCESS {
        return Ok(code);
    }
    for program in ["spirdna-bench", "memory"] {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["run", "--quiet", "--profile", "shipped"])
            .args(["--package", "spirdna-bench"])
            .args(["--bin", program])
            .current_dir(root)
            .status()
            .with_context(|| format!("cannot run {program}"))?;
        ensure!(status.success(), "{program}: {status}");
    }
    Ok(ExitCode::SUCCESS)
}

/// What the figures depend on: the processor, and the versions of the tools beside it.
fn print_versions() -> Result<()> {
    let mut out = std::io::stdout().lock();
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|l| l.strip_prefix("model name"));
    writeln!(out, "processor{}", cpu.unwrap_or(": unknown"))?;
    for (program, arguments) in [
        ("rustc", &["--version"][..]),
        ("llvm-mc-19", &["--version"]),
        ("dpkg-query", &["-W", "mesa-vulkan-drivers"]),
    ] {
        let output = Command::new(program).args(arguments).output();
        let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
        let text = text.unwrap_or_else(|e| format!("{program}: {e}"));
        let line = text.lines().find(|l| l.chars().any(|c| c.is_ascii_digit()));
        writeln!(out, "{}", line.unwrap_or(program).trim())?;
    }
    writeln!(out)?;
    Ok(())
}

fn measure(root: &Path, folder: &Path) -> Result<ExitCode> {
    let stream = folder.join("stream.bin");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["bench", "--package", "spirdna-isa", "--bench", "decode"])
        .env("SPIRDNA_BENCH_STREAM", &stream)
        .current_dir(root)
        .status()
        .context("cargo bench")?;
    ensure!(status.success(), "cargo bench: {status}");

    let bytes = std::fs::read(&stream).context("the bench wrote no stream")?;
    let text = folder.join("stream.txt");
    let mut hex = String::with_capacity(bytes.len() * 6);
    for dword in bytes.chunks(4) {
        let dword: Vec<String> = dword.iter().map(|b| format!("{b:#04x}")).collect();
        hex.push_str(&dword.join(","));
        hex.push('\n');
    }
    std::fs::write(&text, hex)?;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        let status = Command::new("llvm-mc-19")
            .args(["-triple=amdgcn", "-mcpu=gfx1030", "-disassemble"])
            .args(["-o", "/dev/null"])
            .arg(&text)
            .stderr(Stdio::null())
            .status()
            .context("llvm-mc-19 (Debian package llvm-19)")?;
        ensure!(status.success(), "llvm-mc-19: {status}");
        best = best.min(start.elapsed().as_secs_f64());
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "llvm-mc-19, from hexadecimal text to assembly text, best of 3: {:.2} MB/s",
        bytes.len() as f64 / 1e6 / best
    )?;
    Ok(ExitCode::SUCCESS)
}

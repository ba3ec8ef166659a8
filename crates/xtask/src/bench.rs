//! `cargo xtask bench-decode`: the decode bench, and llvm-mc on the same bytes. Owns neither the bytes
//! nor how they are decoded here.

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

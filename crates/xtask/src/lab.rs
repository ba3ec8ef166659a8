//! `cargo xtask lab`: round trips of source shaders through real AMD compilers. Owns the command line, the
//! progress bar and where files go; everything else is the library's (`spirdna-lab`).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use spirdna_lab::pool::Pool;
use spirdna_lab::prepare::{Plan, Shader, prepare, shaders};
use spirdna_lab::prepared::sheets;
use spirdna_lab::report::Report;
use spirdna_lab::row::Row;
use spirdna_lab::{child, measure};
use spirdna_vulkan::DeviceChoice;
use spirdna_vulkan::child::lavapipe_width;

/// The lab's own shaders, which are run where no path is given.
const OWN: &str = "seeds/lab";

/// The header of OpenCL sources.
const HEADER: &str = "seeds/lab/opencl.h";

/// `lab`.
#[derive(Args)]
pub struct Arguments {
    /// Shaders (`.comp`, `.spv`, `.cl`) or folders of them; the project's own when absent.
    paths: Vec<PathBuf>,
    /// Only shaders with this in their names.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only this target.
    #[arg(long)]
    target: Option<String>,
    /// Only this wave size.
    #[arg(long)]
    wave: Option<u32>,
    /// A device, by index or a part of its name.
    #[arg(long)]
    device: Option<String>,
    /// The subgroup size to translate for.
    #[arg(long, value_name = "S")]
    subgroup_size: Option<u32>,
    /// Processes at a time; one a core when absent.
    #[arg(long)]
    processes: Option<usize>,
    /// Seconds that a case may take.
    #[arg(long, default_value_t = 120)]
    timeout: u64,
    /// Measure run times over this many repetitions.
    #[arg(long, value_name = "N", default_value_t = 0)]
    repeat: u32,
    /// Write the table as HTML, and as JSON beside it.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Only prepare the cases, into this folder, for a machine that has no compilers.
    #[arg(long, value_name = "DIR")]
    prepare: Option<PathBuf>,
}

/// `lab-child`: runs the prepared cases that are named on its input.
#[derive(Args)]
pub struct ChildArguments {
    #[arg(long)]
    device: Option<String>,
    #[arg(long)]
    subgroup_size: Option<u32>,
    #[arg(long)]
    timeout: u64,
    #[arg(long)]
    repeat: u32,
}

/// A progress bar on a terminal, and nothing elsewhere.
fn bar(length: usize, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr());
    let style = "{prefix:10} [{bar:40}] {pos}/{len} {elapsed} (left {eta}) {msg}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_prefix(what);
    bar
}

fn choice(device: Option<&str>) -> DeviceChoice {
    match device {
        None => DeviceChoice::Default,
        Some(text) => match text.parse() {
            Ok(index) => DeviceChoice::Index(index),
            Err(_) => DeviceChoice::Name(text.to_owned()),
        },
    }
}

/// Cores, and so threads and processes.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs the command.
pub fn run(root: &Path, a: &Arguments) -> Result<ExitCode> {
    let own = [root.join(OWN)];
    let paths = if a.paths.is_empty() {
        &own[..]
    } else {
        &a.paths
    };
    let mut all: Vec<Shader> = shaders(paths)?;
    if let Some(text) = &a.filter {
        all.retain(|(name, _)| name.contains(text.as_str()));
    }
    ensure!(!all.is_empty(), "no shaders (.comp, .spv, .cl) there");
    let folder = match &a.prepare {
        Some(folder) => folder.clone(),
        None => root.join(format!("target/lab/{}", std::process::id())),
    };
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    ensure!(
        sheets(&folder)?.is_empty(),
        "{} holds prepared cases already",
        folder.display()
    );
    let program = std::env::current_exe()?;
    let progress = bar(all.len(), "compile");
    let made = prepare(&Plan {
        shaders: all,
        folder: &folder,
        threads: a.processes.unwrap_or_else(cores),
        radv: &|| {
            let mut command = Command::new(&program);
            command.arg("lab-compile");
            command
        },
        header: std::path::absolute(root.join(HEADER))?,
        target: a.target.clone(),
        wave: a.wave,
        progress: &|done, of| {
            progress.set_length(of as u64);
            progress.set_position(done as u64);
        },
    })?;
    progress.finish_and_clear();
    if a.prepare.is_some() {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{} cases in {}", made.len(), folder.display())?;
        return Ok(ExitCode::SUCCESS);
    }
    let report = measure_all(a, &program, &made);
    let removed = std::fs::remove_dir_all(&folder);
    let mut out = std::io::stdout().lock();
    out.write_all(report.text().as_bytes())?;
    if let Some(path) = &a.report {
        std::fs::write(path, report.html()).with_context(|| path.display().to_string())?;
        let json = path.with_extension("json");
        let text = serde_json::to_string_pretty(&report)?;
        std::fs::write(&json, text).with_context(|| json.display().to_string())?;
    }
    removed.with_context(|| folder.display().to_string())?;
    Ok(if report.is_good() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn measure_all(a: &Arguments, program: &Path, made: &[PathBuf]) -> Report {
    let progress = bar(made.len(), "run");
    let pool = Pool {
        processes: a.processes.unwrap_or_else(cores),
        patience: Duration::from_secs(a.timeout),
        command: &|| {
            let mut command = Command::new(program);
            command.arg("lab-child");
            if let Some(device) = &a.device {
                command.args(["--device", device]);
            }
            if let Some(size) = a.subgroup_size {
                command.args(["--subgroup-size", &size.to_string()]);
                lavapipe_width(&mut command, size);
            }
            command.args(["--timeout", &a.timeout.to_string()]);
            command.args(["--repeat", &a.repeat.to_string()]);
            command
        },
        progress: &|row: &Row| {
            if row.verdict.is_bad() {
                progress.suspend(|| {
                    eprintln!(
                        "{} {}: {}",
                        row.verdict.word(),
                        row.case,
                        row.verdict.detail()
                    );
                });
            }
            progress.inc(1);
        },
    };
    let rows = pool.run(made);
    progress.finish_and_clear();
    Report {
        device: a
            .device
            .clone()
            .unwrap_or_else(|| "the default device".to_owned()),
        subgroup_size: a.subgroup_size,
        rows,
    }
}

/// Runs the child's side of a run.
pub fn child(a: &ChildArguments) -> Result<ExitCode> {
    let place = child::Place {
        device: choice(a.device.as_deref()),
        subgroup_size: a.subgroup_size,
        timeout: Duration::from_secs(a.timeout),
        measure: measure::Options { repeat: a.repeat },
    };
    child::run(
        &place,
        &mut std::io::stdin().lock(),
        &mut std::io::stdout().lock(),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the compiling process.
pub fn compile(requests: &Path) -> Result<ExitCode> {
    child::compile(requests, &mut std::io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

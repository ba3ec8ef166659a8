//! `cargo xtask lab`: round trips of source shaders through real AMD compilers. Owns the command line, the
//! progress bars and where files go; everything else is the library's (`spirdna-lab`).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use spirdna_case::exec::machine::machine_profile;
use spirdna_isa::Target;
use spirdna_lab::place::{Place, read_profile};
use spirdna_lab::prepare::{Plan, Shader, hash, prepare, shaders};
use spirdna_lab::prepared::sheets;
use spirdna_lab::report::Report;
use spirdna_lab::row::{Row, Verdict};
use spirdna_lab::{bundle, child, draws, library};
use spirdna_translate::profile::HostProfile;
use spirdna_vulkan::child::{lavapipe_unoptimised, lavapipe_width, run_in_child};

/// The lab's own shaders, which are run where no path is given.
const OWN: &str = "seeds/lab";

/// The header of OpenCL sources.
const HEADER: &str = "seeds/lab/opencl.h";

/// Runs that a search takes at most, in times of one.
const SEARCH: u64 = 40;

/// `lab`.
#[derive(Args)]
pub struct Arguments {
    /// Shaders (`.comp`, `.spv`, `.cl`), graphics pairs (`.draw.toml`) or folders of them; the project's own when absent. With --library:
    /// code objects, shared objects, Debian packages, or folders of those.
    paths: Vec<PathBuf>,
    #[command(flatten)]
    place: Place,
    /// Only shaders (with --library: kernels) with this in their names.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only this target.
    #[arg(long)]
    target: Option<String>,
    /// Only this wave size.
    #[arg(long)]
    wave: Option<u32>,
    /// Only a fixed part of the shaders: part K of N, by their names, each at one target and wave size that
    /// changes with K.
    #[arg(long, value_name = "K/N", value_parser = parse_part)]
    part: Option<(u64, u64)>,
    /// Write the table as HTML, and as JSON beside it.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Only prepare the cases, into this folder, for a machine that has no compilers.
    #[arg(long, value_name = "DIR")]
    prepare: Option<PathBuf>,
    /// Search each case that differs for its first step that does, and write a case file that shows it into
    /// target/lab/bisect.
    #[arg(long)]
    bisect: bool,
    /// Translate every kernel of the libraries that are given, and run nothing.
    #[arg(long, requires = "paths")]
    library: bool,
    /// With --library: have spirv-val judge every module.
    #[arg(long, requires = "library")]
    validate: bool,
}

fn parse_part(text: &str) -> Result<(u64, u64), String> {
    text.split_once('/')
        .and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)))
        .filter(|&(_, n)| n > 0)
        .ok_or_else(|| "needs K/N".to_owned())
}

/// A progress bar on a terminal, and nothing elsewhere.
fn bar(length: usize, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr());
    let style = "{prefix:10} [{bar:40}] {pos}/{len} {elapsed} (left {eta})";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_prefix(what);
    bar
}

/// Runs the command.
pub fn run(root: &Path, a: &Arguments) -> Result<ExitCode> {
    if a.library {
        return library(a);
    }
    let own = [root.join(OWN)];
    let paths = if a.paths.is_empty() {
        &own[..]
    } else {
        &a.paths
    };
    let draws = draws(paths, a)?;
    let mut all: Vec<Shader> = shaders(paths)?;
    if let Some(text) = &a.filter {
        all.retain(|(name, _)| name.contains(text.as_str()));
    }
    if let Some((part, of)) = a.part {
        all.retain(|(name, _)| hash(name) % of == part % of);
    }
    ensure!(
        !all.is_empty() || !draws.is_empty(),
        "no shaders (.comp, .spv, .cl, .draw.toml) there"
    );
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
    let mut made = prepare(&Plan {
        shaders: all,
        folder: &folder,
        threads: a.place.processes(),
        radv: &|| {
            let mut command = Command::new(&program);
            command.arg("lab-compile");
            command
        },
        header: std::path::absolute(root.join(HEADER))?,
        target: a.target.clone(),
        wave: a.wave,
        turn: a.part.map(|(part, of)| part / of),
        progress: &|done, of| {
            progress.set_length(of as u64);
            progress.set_position(done as u64);
        },
    })?;
    progress.finish_and_clear();
    let mut out = std::io::stdout().lock();
    if a.prepare.is_some() {
        writeln!(out, "{} cases in {}", made.len(), folder.display())?;
        if !draws.is_empty() {
            let files = "draw files are prepared as they are (`spirdna draws`)";
            writeln!(
                out,
                "{} forms of graphics pairs left out: {files}",
                draws.len()
            )?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    made.extend(draws);
    let progress = bar(made.len(), "run");
    let report = a.place.run(
        &made,
        &|| {
            let mut child = Command::new(&program);
            child.arg("lab-child");
            child
        },
        &|row: &Row| {
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
    );
    progress.finish_and_clear();
    let found = if a.bisect {
        bisect(root, &folder, &program, &report, a)?
    } else {
        String::new()
    };
    let removed = std::fs::remove_dir_all(&folder);
    out.write_all(report.text().as_bytes())?;
    out.write_all(found.as_bytes())?;
    if let Some(path) = &a.report {
        std::fs::write(path, report.html()).with_context(|| path.display().to_string())?;
        let json = path.with_extension("json");
        std::fs::write(&json, report.json()).with_context(|| json.display().to_string())?;
    }
    removed.with_context(|| folder.display().to_string())?;
    Ok(if report.is_good() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The forms of graphics pairs that are run: what a child is told of each.
fn draws(paths: &[PathBuf], a: &Arguments) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for mut forms in draws::forms(paths)? {
        forms.retain(|form| {
            a.filter
                .as_ref()
                .is_none_or(|f| form.draw.contains(f.as_str()))
                && a.target.as_ref().is_none_or(|t| form.target == *t)
                && a.wave.is_none_or(|w| form.wave == w)
        });
        if let (Some((part, of)), Some(first)) = (a.part, forms.first()) {
            if hash(&first.draw) % of != part % of {
                continue;
            }
            let turn = (part / of) as usize % forms.len();
            forms = vec![forms.swap_remove(turn)];
        }
        all.extend(forms.into_iter().map(|form| form.path));
    }
    // The machine renders nothing.
    if a.place.device.as_deref() == Some("machine") && !all.is_empty() {
        eprintln!(
            "SKIPPED: {} forms of graphics pairs: the machine draws nothing",
            all.len()
        );
        all.clear();
    }
    Ok(all)
}

/// Every kernel of libraries through the translator, for a host that has everything that Vulkan has, or for the
/// profile that is given.
fn library(a: &Arguments) -> Result<ExitCode> {
    let name = a.target.as_deref().unwrap_or("gfx1030");
    let Some(target) = Target::from_name(name) else {
        bail!("no target is called {name}");
    };
    let temporary = std::env::temp_dir().join(format!("spirdna-lab-{}", std::process::id()));
    std::fs::create_dir_all(&temporary)?;
    let found: Result<Vec<_>, _> = a
        .paths
        .iter()
        .map(|path| bundle::find(path, target, &temporary))
        .collect();
    std::fs::remove_dir_all(&temporary)?;
    let found: Vec<bundle::Found> = found?.into_iter().flatten().collect();
    ensure!(!found.is_empty(), "no code objects of {name} there");
    let given = a.place.profile.as_deref().map(read_profile).transpose()?;
    let progress = bar(0, "translate");
    let summary = library::sweep(
        &found,
        &library::Sweep {
            threads: a.place.processes(),
            profile: &|wave| {
                let size = a.place.subgroup_size.unwrap_or(wave);
                match &given {
                    Some(profile) => HostProfile {
                        subgroup_size: size,
                        ..profile.clone()
                    },
                    None => machine_profile(size),
                }
            },
            validate: a.validate,
            filter: a.filter.clone(),
            progress: &|done, of| {
                progress.set_length(of as u64);
                progress.set_position(done as u64);
            },
        },
    )?;
    progress.finish_and_clear();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} code objects of {name}", found.len())?;
    write!(out, "{summary}")?;
    if let Some(path) = &a.report {
        let text = serde_json::to_string_pretty(&summary)?;
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    // A refusal is an answer; a module that is not valid is a mistake.
    Ok(if summary.invalid + summary.unreadable == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Searches the cases that differ, each in a process of its own.
fn bisect(
    root: &Path,
    folder: &Path,
    program: &Path,
    report: &Report,
    a: &Arguments,
) -> Result<String> {
    let out = root.join("target/lab/bisect");
    let mut text = String::new();
    let differ = |row: &&Row| matches!(row.verdict, Verdict::Differs(_));
    for row in report.rows.iter().filter(differ) {
        let mut child = Command::new(program);
        child.arg("lab-bisect").args(a.place.arguments());
        if let Some(size) = a.place.subgroup_size {
            lavapipe_width(&mut child, size);
        }
        lavapipe_unoptimised(&mut child);
        child.arg("--out").arg(out.join(&row.case));
        child
            .arg("--")
            .arg(folder.join(format!("{}.case.toml", row.case)));
        let limit = Duration::from_secs(a.place.timeout.saturating_mul(SEARCH));
        let said = match run_in_child(child, limit) {
            Ok(output) => {
                let streams = [&output.stdout[..], &output.stderr[..]].concat();
                String::from_utf8_lossy(&streams).into_owned()
            }
            Err(error) => format!("{error}\n"),
        };
        text.push_str(&format!("\n{}: {said}", row.case));
    }
    Ok(text)
}

/// Runs the searching process.
pub fn bisect_child(place: &Place, case: &Path, out: &Path) -> Result<ExitCode> {
    let answer = place.bisect(case, out, &mut |_| {})?;
    let note = if answer.alike {
        "; what differs is what the source's compiler made of it, or both of ours are wrong\n"
    } else {
        ""
    };
    write!(std::io::stdout(), "{}{note}", answer.text)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the child's side of a run.
pub fn child(place: &Place) -> Result<ExitCode> {
    place.serve(&mut std::io::stdin().lock(), &mut std::io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the compiling process.
pub fn compile(requests: &Path) -> Result<ExitCode> {
    child::compile(requests, &mut std::io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

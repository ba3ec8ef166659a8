//! From folders of sources to prepared cases: finds the shaders, runs the compilers over them on all cores,
//! and writes a sheet for each shader, target and wave size, also where it ended early. Owns the order of
//! the steps; each language's are its own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use spirdna_isa::Target;

use crate::directive::Directives;
use crate::error::LabError;
use crate::glsl;
use crate::opencl;
use crate::prepared::{Ended, Sheet};
use crate::radv::{self, Answer};

/// A shader's source: its name and its file.
pub type Shader = (String, PathBuf);

/// What is prepared, and how.
pub struct Plan<'a> {
    /// The shaders.
    pub shaders: Vec<Shader>,
    /// Where the prepared cases go; it must exist.
    pub folder: &'a Path,
    /// Threads.
    pub threads: usize,
    /// Makes the process that compiles with RADV ([`radv::compile_all`]).
    pub radv: &'a (dyn Fn() -> Command + Sync),
    /// The header that OpenCL sources are compiled with.
    pub header: PathBuf,
    /// Keep this target and wave size alone, where said.
    pub target: Option<String>,
    /// See `target`.
    pub wave: Option<u32>,
    /// Keep one target and wave size of each shader alone, another at each turn.
    pub turn: Option<u64>,
    /// Told of each step as it ends: steps done, steps in all.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// The shaders below paths, in the order of their names: `.comp`, `.spv` and `.cl` files.
///
/// # Errors
/// A path cannot be read.
pub fn shaders(paths: &[PathBuf]) -> Result<Vec<Shader>, LabError> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            below(path, "", &mut found)?;
        } else if !path.to_string_lossy().ends_with(".draw.toml") {
            let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
            found.push((stem.unwrap_or_default(), path.clone()));
        }
    }
    Ok(found)
}

/// How the names of modules of other stages than compute end.
const GRAPHICS: [&str; 2] = [".vert", ".frag"];

fn below(folder: &Path, prefix: &str, found: &mut Vec<Shader>) -> Result<(), LabError> {
    let entries = std::fs::read_dir(folder).map_err(LabError::file(folder))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let name = |n: Option<&std::ffi::OsStr>| n.map(|n| n.to_string_lossy().into_owned());
        if path.is_dir() {
            let prefix = format!("{prefix}{}/", name(path.file_name()).unwrap_or_default());
            below(&path, &prefix, found)?;
        } else if path
            .extension()
            .is_some_and(|e| e == "comp" || e == "spv" || e == "cl")
        {
            let stem = name(path.file_stem()).unwrap_or_default();
            // Modules of graphics stages carry their stage's name; draw files are their tests.
            if !GRAPHICS.iter().any(|stage| stem.ends_with(stage)) {
                found.push((format!("{prefix}{stem}"), path));
            }
        }
    }
    Ok(())
}

/// Runs a job for each index on some threads.
pub fn parallel(threads: usize, jobs: usize, job: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1).min(jobs) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= jobs {
                        break;
                    }
                    job(index);
                }
            });
        }
    });
}

/// Prepares all shaders; the sheets' paths come back in the order of the shaders.
///
/// # Errors
/// A tool is missing, or files cannot be written. What is wrong with one shader is in its sheet.
pub fn prepare(plan: &Plan<'_>) -> Result<Vec<PathBuf>, LabError> {
    let sheets: Mutex<Vec<(usize, Sheet)>> = Mutex::new(Vec::new());
    let errors: Mutex<Vec<LabError>> = Mutex::new(Vec::new());
    let sources: Mutex<Vec<(usize, glsl::Source)>> = Mutex::new(Vec::new());
    let done = AtomicUsize::new(0);
    let steps = plan.shaders.len() + 2;
    let step = || (plan.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, steps);
    let keep = |index: usize, sheet: Sheet| {
        if let Ok(mut sheets) = sheets.lock() {
            sheets.push((index, sheet));
        }
    };
    let failed = |error: LabError| {
        if let Ok(mut errors) = errors.lock() {
            errors.push(error);
        }
    };
    parallel(plan.threads, plan.shaders.len(), &|index| {
        let Some((name, path)) = plan.shaders.get(index) else {
            return;
        };
        if path.extension().is_some_and(|e| e == "cl") {
            match opencl::prepare(name, path, plan) {
                Ok(made) => made.into_iter().for_each(|sheet| keep(index, sheet)),
                Err(error) => failed(error),
            }
        } else {
            match glsl::source(name, path, plan.folder) {
                Ok(source) => {
                    if let Some(reason) = &source.directives.skip {
                        let mut sheet = Sheet::new(name, &source.directives.point, "glsl", "", 0);
                        sheet.ended = Some(Ended::Skip(reason.clone()));
                        keep(index, sheet);
                    } else if let Ok(mut sources) = sources.lock() {
                        sources.push((index, source));
                    }
                }
                Err(error) => match ended(error) {
                    Ok(end) => {
                        let mut sheet = Sheet::new(name, "", "glsl", "", 0);
                        sheet.ended = Some(end);
                        keep(index, sheet);
                    }
                    Err(error) => failed(error),
                },
            }
        }
        step();
    });
    let mut sources = sources.into_inner().unwrap_or_default();
    sources.sort_by_key(|&(index, _)| index);
    parallel(plan.threads, radv::FAMILIES.len(), &|family| {
        if let Some(family) = radv::FAMILIES.get(family)
            && let Err(error) = compile(plan, &sources, *family, &keep)
        {
            failed(error);
        }
        step();
    });
    if let Some(error) = errors.into_inner().unwrap_or_default().pop() {
        return Err(error);
    }
    let mut sheets = sheets.into_inner().unwrap_or_default();
    sheets.sort_by(|(i, a), (j, b)| (i, &a.target, a.wave).cmp(&(j, &b.target, b.wave)));
    sheets.iter().map(|(_, s)| s.write(plan.folder)).collect()
}

/// What a shader's own error says in its sheet; an error of the surroundings stays one.
pub fn ended(error: LabError) -> Result<Ended, LabError> {
    match error {
        LabError::Source { .. } => Ok(Ended::Source(error.to_string())),
        LabError::Directive(_) | LabError::Unsupported(_) | LabError::Unclear(_) => {
            Ok(Ended::Lab(error.to_string()))
        }
        error => Err(error),
    }
}

/// Compiles all GLSL sources for a family.
fn compile(
    plan: &Plan<'_>,
    sources: &[(usize, glsl::Source)],
    (_, family, target): (&str, &str, Target),
    keep: &dyn Fn(usize, Sheet),
) -> Result<(), LabError> {
    let all = radv::FAMILIES.map(|(_, _, target)| target);
    let mut requests = Vec::new();
    let mut of = Vec::new();
    for (index, source) in sources {
        for (made_for, wave) in variants(plan, &source.name, &source.directives, &all) {
            if made_for == target {
                requests.push(glsl::request(source, wave));
                of.push((*index, source, wave));
            }
        }
    }
    let target = target.name();
    let answers = radv::compile_all(family, &requests, plan.folder, plan.radv)?;
    for ((index, source, wave), answer) in of.into_iter().zip(answers) {
        let end = match answer {
            Answer::Code(code) => {
                let sheet = glsl::prepare(source, &code, target, wave, plan.folder)?;
                keep(index, sheet);
                continue;
            }
            Answer::Refused(text) => Ended::Source(format!("RADV: {text}")),
            Answer::Unclear(text) => Ended::Lab(text),
        };
        let point = &source.directives.point;
        let mut sheet = Sheet::new(&source.name, point, "glsl", target, wave);
        sheet.ended = Some(end);
        keep(index, sheet);
    }
    Ok(())
}

/// The targets and wave sizes that a shader is prepared for, of those that its compiler makes.
pub fn variants(
    plan: &Plan<'_>,
    name: &str,
    directives: &Directives,
    targets: &[Target],
) -> Vec<(Target, u32)> {
    let mut all = Vec::new();
    for &target in targets {
        let said = directives.targets.as_ref();
        let wanted = said.is_none_or(|t| t.iter().any(|t| t == target.name()));
        for &wave in directives.waves.as_deref().unwrap_or(&[32, 64]) {
            if wanted
                && plan.target.as_deref().is_none_or(|t| t == target.name())
                && plan.wave.is_none_or(|w| w == wave)
            {
                all.push((target, wave));
            }
        }
    }
    if let (Some(turn), count @ 1..) = (plan.turn, all.len() as u64) {
        // Its low bits have chosen the shader.
        let mine = ((hash(name) >> 32).wrapping_add(turn) % count) as usize;
        return all.get(mine).copied().into_iter().collect();
    }
    all
}

/// A number of a shader's name, the same everywhere: FNV-1a.
pub fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

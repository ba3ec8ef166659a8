//! Every kernel of real libraries through the translator: how many translate, which are refused and why,
//! and how fast it goes. Runs nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use spirdna_case::elf::{CodeObject, Kernel};
use spirdna_translate::error::TranslateError;
use spirdna_translate::options::Options;
use spirdna_translate::pipeline::translate;
use spirdna_translate::profile::HostProfile;
use spirdna_translate::resources::DescriptorFacts;

use crate::bundle::Found;
use crate::error::LabError;
use crate::prepare::parallel;

/// What became of a library's kernels.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Kernels.
    pub kernels: usize,
    /// Of them translated.
    pub translated: usize,
    /// Of them refused: those are not the sum over the reasons, for a kernel may have several.
    pub refused: usize,
    /// Kernels that could not be read.
    pub unreadable: usize,
    /// Modules that spirv-val does not accept.
    pub invalid: usize,
    /// How many kernels each reason stops.
    pub reasons: BTreeMap<String, usize>,
    /// Where the first of each reason is: code object and kernel.
    pub examples: BTreeMap<String, String>,
    /// Bytes of machine code of the translated kernels.
    pub bytes: u64,
    /// Words of their modules.
    pub words: u64,
    /// The wall clock.
    pub seconds: f64,
    /// Time in the translator, over all threads.
    pub translate_seconds: f64,
    /// The slowest kernels: microseconds, code object and kernel.
    pub slowest: Vec<(u64, String)>,
}

/// Slowest kernels that are kept.
const SLOWEST: usize = 5;

impl Summary {
    /// Machine code translated in a second of the translator's time.
    pub fn megabytes_per_second(&self) -> f64 {
        self.bytes as f64 / 1e6 / self.translate_seconds
    }

    fn reason(&mut self, reason: String, place: &str) {
        self.examples
            .entry(reason.clone())
            .or_insert_with(|| place.to_owned());
        *self.reasons.entry(reason).or_default() += 1;
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} kernels: {} translated, {} refused, {} unreadable, {} not accepted by spirv-val",
            self.kernels, self.translated, self.refused, self.unreadable, self.invalid
        )?;
        for (reason, count) in &self.reasons {
            let example = self.examples.get(reason).map_or("", String::as_str);
            writeln!(f, "{count:7} {reason}  (first: {example})")?;
        }
        writeln!(
            f,
            "{:.1} MB of machine code to {:.1} MB of SPIR-V in {:.1} s; {:.2} MB/s of translator time a core",
            self.bytes as f64 / 1e6,
            self.words as f64 * 4e-6,
            self.seconds,
            self.megabytes_per_second()
        )?;
        for (us, place) in &self.slowest {
            writeln!(f, "{:9.1} ms {place}", *us as f64 / 1e3)?;
        }
        Ok(())
    }
}

/// How the kernels are translated.
pub struct Sweep<'a> {
    /// Threads.
    pub threads: usize,
    /// Makes the host profile of a wave size.
    pub profile: &'a (dyn Fn(u32) -> HostProfile + Sync),
    /// Whether spirv-val judges every module.
    pub validate: bool,
    /// A part of the names of the kernels that are wanted.
    pub filter: Option<String>,
    /// Told how many of how many kernels are done.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// Translates every kernel of the code objects.
///
/// # Errors
/// A code object cannot be read, or spirv-val is missing.
pub fn sweep(found: &[Found], sweep: &Sweep<'_>) -> Result<Summary, LabError> {
    let start = Instant::now();
    let mut objects = Vec::new();
    for object in found {
        let parsed = CodeObject::parse(&object.bytes)
            .map_err(|e| LabError::Unsupported(format!("{}: {e}", object.name)))?;
        objects.push((object.name.as_str(), parsed));
    }
    let wanted = |name: &String| {
        sweep
            .filter
            .as_ref()
            .is_none_or(|f| name.contains(f.as_str()))
    };
    let jobs: Vec<(usize, String)> = objects
        .iter()
        .enumerate()
        .flat_map(|(i, (_, object))| object.kernels().into_iter().map(move |k| (i, k)))
        .filter(|(_, name)| wanted(name))
        .collect();
    let summary = Mutex::new(Summary {
        kernels: jobs.len(),
        ..Summary::default()
    });
    let (done, micros) = (AtomicUsize::new(0), AtomicU64::new(0));
    let error: Mutex<Option<LabError>> = Mutex::new(None);
    parallel(sweep.threads, jobs.len(), &|index| {
        let Some((object, name)) = jobs.get(index) else {
            return;
        };
        let Some((file, object)) = objects.get(*object) else {
            return;
        };
        let place = format!("{file} {name}");
        match object.kernel(name) {
            Err(e) => {
                if let Ok(mut summary) = summary.lock() {
                    summary.unreadable += 1;
                    summary.reason(e.to_string(), &place);
                }
            }
            Ok(kernel) => {
                if let Err(e) = one(&kernel, &place, sweep, &summary, &micros)
                    && let Ok(mut error) = error.lock()
                {
                    *error = Some(e);
                }
            }
        }
        (sweep.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
    });
    if let Some(error) = error.into_inner().unwrap_or_default() {
        return Err(error);
    }
    let mut summary = summary.into_inner().unwrap_or_default();
    summary.seconds = start.elapsed().as_secs_f64();
    summary.translate_seconds = Duration::from_micros(micros.load(Ordering::Relaxed)).as_secs_f64();
    Ok(summary)
}

/// Time that this thread has had on a core, in steps of milliseconds; `None` where the system does not say.
fn on_core() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn one(
    kernel: &Kernel,
    place: &str,
    sweep: &Sweep<'_>,
    summary: &Mutex<Summary>,
    micros: &AtomicU64,
) -> Result<(), LabError> {
    let lanes = kernel.wave.lanes();
    let launch = kernel.launch(kernel.required_local.unwrap_or([lanes, 1, 1]));
    let profile = (sweep.profile)(lanes);
    let (options, facts) = (Options::default(), DescriptorFacts::default());
    let (start, start_on_core) = (Instant::now(), on_core());
    let result = translate(kernel.words(), &launch, &profile, &options, &facts);
    let wall = start.elapsed();
    // Other processes do not count where that can be told; over many kernels the steps even out.
    let took = match (start_on_core, on_core()) {
        (Some(from), Some(to)) => to.saturating_sub(from),
        _ => wall,
    };
    let took = took.as_micros() as u64;
    micros.fetch_add(took, Ordering::Relaxed);
    let invalid = match &result {
        Ok(translation) if sweep.validate => validate(&translation.words, profile.spirv)?,
        _ => None,
    };
    let Ok(mut summary) = summary.lock() else {
        return Ok(());
    };
    match result {
        Ok(translation) => {
            summary.translated += 1;
            summary.bytes += 4 * kernel.code.len() as u64;
            summary.words += translation.words.len() as u64;
            let at = summary.slowest.partition_point(|(us, _)| *us > took);
            if at < SLOWEST {
                summary.slowest.insert(at, (took, place.to_owned()));
                summary.slowest.truncate(SLOWEST);
            }
            if let Some(said) = invalid {
                summary.invalid += 1;
                summary.reason(format!("spirv-val: {said}"), place);
            }
        }
        Err(error) => {
            summary.refused += 1;
            for reason in reasons(&error) {
                summary.reason(reason, place);
            }
        }
    }
    Ok(())
}

/// The reasons of a refusal, without places, each once.
pub fn reasons(error: &TranslateError) -> Vec<String> {
    let mut reasons: Vec<String> = match error {
        TranslateError::Unsupported(sites) => sites
            .iter()
            .map(|s| format!("{}: {}", s.mnemonic, s.reason))
            .collect(),
        other => vec![other.to_string()],
    };
    reasons.sort();
    reasons.dedup();
    reasons
}

/// What spirv-val has against a module.
fn validate(words: &[u32], version: (u8, u8)) -> Result<Option<String>, LabError> {
    use std::io::Write;
    let environment = match version {
        (1, ..=3) => "vulkan1.1",
        (1, 4 | 5) => "vulkan1.2",
        _ => "vulkan1.3",
    };
    let missing = |error| LabError::Tool {
        tool: "spirv-val".to_owned(),
        error,
    };
    let mut child = Command::new("spirv-val")
        .args(["--target-env", environment, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(missing)?;
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    if let Some(mut stdin) = child.stdin.take() {
        stdin
            .write_all(&bytes)
            .map_err(LabError::file(Path::new("spirv-val")))?;
    }
    let output = child.wait_with_output().map_err(missing)?;
    if output.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Some(said.lines().next().unwrap_or("refused").to_owned()))
}

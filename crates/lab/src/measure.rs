//! Running a prepared case: the translation on a device, its original there (or on the machine at S = W,
//! or what the sheet says), and the row that comes of it. Knows executors, and no source language.

use std::path::Path;
use std::time::Instant;

use spirdna_case::exec::{
    Executor, Host, MachineExecutor, MachineSetup, Outcome, ReferenceExecutor, RunError,
    VulkanExecutor,
};
use spirdna_case::{Case, RegionId};

use crate::compare::{Worst, compare};
use crate::error::LabError;
use crate::fault::Fault;
use crate::prepared::{Ended, SHEET, Sheet};
use crate::row::{Row, Verdict};

/// What is done beside the comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Measure run times, over this many repetitions; 0: not at all.
    pub repeat: u32,
    /// A fault on purpose, of the device.
    pub fault: Option<Fault>,
}

/// A place that may have a clock.
pub trait Clock: Host {
    /// Seconds that the case's translation and its original take, and the translation without descriptor
    /// facts, each over so many repetitions; nothing where the place keeps no time.
    ///
    /// # Errors
    /// One cannot be run.
    fn times(&mut self, _case: &Case, _repeat: u32) -> Result<Option<Times>, RunError> {
        Ok(None)
    }
}

/// Run times in seconds, compilation left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Of the translation.
    pub translation: f64,
    /// Of the translation when nothing is promised of descriptors.
    pub no_facts: f64,
    /// Of the original, where it is a module.
    pub original: Option<f64>,
}

impl Times {
    /// The lesser ones of two rounds.
    fn least(self, other: Times) -> Times {
        Times {
            translation: self.translation.min(other.translation),
            no_facts: self.no_facts.min(other.no_facts),
            original: match (self.original, other.original) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        }
    }
}

/// Rounds of a measurement on a device, each of all that is compared, one after the other: a device that
/// wakes up, or that others use too, then slows none of them alone.
const ROUNDS: u32 = 4;

/// Instructions, a nanosecond each.
impl Clock for MachineExecutor {
    fn times(&mut self, case: &Case, _repeat: u32) -> Result<Option<Times>, RunError> {
        let seconds = |machine: &MachineExecutor| machine.instructions() as f64 * 1e-9;
        self.run(case)?;
        let translation = seconds(self);
        let mut original = None;
        if self.can_compare_original(case) {
            self.run_original(case)?;
            original = Some(seconds(self));
        }
        let setup = self.setup().clone();
        let mut unpromised = MachineExecutor::new(MachineSetup {
            no_facts: true,
            ..setup
        });
        unpromised.run(case)?;
        Ok(Some(Times {
            translation,
            no_facts: seconds(&unpromised),
            original,
        }))
    }
}

impl Clock for VulkanExecutor {
    fn times(&mut self, case: &Case, repeat: u32) -> Result<Option<Times>, RunError> {
        self.set_repeat(Some(repeat));
        let measured = (|| {
            let mut times: Option<Times> = None;
            for _ in 0..ROUNDS {
                let mut round = Times::default();
                if case.original.is_some() {
                    self.run_original(case)?;
                    round.original = Some(self.seconds());
                }
                self.run(case)?;
                round.translation = self.seconds();
                self.set_no_facts(true);
                self.run(case)?;
                round.no_facts = self.seconds();
                self.set_no_facts(false);
                times = Some(times.map_or(round, |times| times.least(round)));
            }
            Ok(times)
        })();
        self.set_no_facts(false);
        self.set_repeat(None);
        measured
    }
}

/// Runs the case of a sheet.
///
/// # Errors
/// The sheet cannot be read.
pub fn measure<H: Clock>(path: &Path, device: &mut H, options: &Options) -> Result<Row, LabError> {
    let sheet = Sheet::read(path)?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let mut row = row(&sheet, path);
    row.place = device.place();
    row.verdict = match (&sheet.ended, &sheet.case) {
        (Some(Ended::Source(text)), _) => Verdict::SourceRefused(text.clone()),
        (Some(Ended::Skip(text)), _) => Verdict::Skipped(text.clone()),
        (Some(Ended::Lab(text)), _) => Verdict::Failed(text.clone()),
        (None, None) => Verdict::Failed("the sheet names no case".to_owned()),
        (None, Some(name)) => match Case::load(&folder.join(name)) {
            Ok(case) => run(&sheet, &case, folder, device, options, &mut row),
            Err(error) => Verdict::Failed(error.to_string()),
        },
    };
    Ok(row)
}

/// The row of a sheet that has not run.
pub fn row(sheet: &Sheet, path: &Path) -> Row {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    Row {
        shader: sheet.shader.clone(),
        point: sheet.point.clone(),
        language: sheet.language.clone(),
        target: sheet.target.clone(),
        wave: sheet.wave,
        case: name.strip_suffix(SHEET).unwrap_or(&name).to_owned(),
        stage: None,
        pixels: None,
        verdict: Verdict::Failed(String::new()),
        rule: sheet.rule.clone(),
        why: sheet.why.clone(),
        worst_ulp: 0,
        place: String::new(),
        original_on: String::new(),
        instructions: sheet.instructions,
        strategy: String::new(),
        original_words: sheet.original_words,
        words: None,
        compile_us: sheet.compile_us,
        translate_us: None,
        original_run_us: None,
        run_us: None,
        no_facts_run_us: None,
    }
}

/// A run's error as a verdict; `ours`: it is the translation that ran.
fn verdict(error: &RunError, ours: bool) -> Verdict {
    match error {
        RunError::Unsupported(_) if ours => Verdict::Refused(error.to_string()),
        RunError::Unsupported(_) => Verdict::Skipped(format!("the original: {error}")),
        _ if ours => Verdict::Failed(error.to_string()),
        _ => Verdict::Failed(format!("the original: {error}")),
    }
}

/// Branches back of an invocation at most, on lavapipe: after 65,535 it leaves all its loops, and says
/// nothing. Half of that, since nobody promises the number.
const MAX_BACK_EDGES: u64 = 30_000;

/// What a slot loop and a structurizer's loop may add to each trip of a source's loop.
const LOOPS_IN_A_LOOP: u64 = 64;

/// The driver that does so, by a part of its devices' names.
const LAVAPIPE: &str = "llvmpipe";

fn run<H: Clock>(
    sheet: &Sheet,
    case: &Case,
    folder: &Path,
    device: &mut H,
    options: &Options,
    row: &mut Row,
) -> Verdict {
    if let Err(error) = translate(case, device, row) {
        return verdict(&error, true);
    }
    let limited = device.place().contains(LAVAPIPE);
    if limited && sheet.loops {
        // The translation is counted too where it might come near.
        let count = original_trips(case);
        let trips = match count {
            Some(trips) if trips * LOOPS_IN_A_LOOP < MAX_BACK_EDGES => Some(trips),
            _ => count.max(translation_trips(case, device)),
        };
        if let Some(verdict) = too_long(trips) {
            return verdict;
        }
    }
    let original = match original(sheet, case, folder, device, row) {
        Ok(original) => original,
        Err(verdict) => return verdict,
    };
    let outcome = match options.fault {
        Some(fault) => device.run(&fault.applied(case)),
        None => device.run(case),
    };
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return verdict(&error, true),
    };
    let difference = match outcome.faults.first() {
        Some(fault) => Err(format!("memory fault: {fault}")),
        None => same(sheet, case, &original, &outcome),
    };
    match difference {
        Ok(worst) => {
            row.worst_ulp = worst.0;
            if options.repeat > 0 {
                match device.times(case, options.repeat) {
                    Ok(Some(times)) => {
                        row.run_us = Some(times.translation * 1e6);
                        row.no_facts_run_us = Some(times.no_facts * 1e6);
                        row.original_run_us = times.original.map(|s| s * 1e6);
                    }
                    Ok(None) => {}
                    Err(error) => return verdict(&error, true),
                }
            }
            Verdict::Equal
        }
        Err(text) => {
            if limited && let Some(verdict) = too_long(translation_trips(case, device)) {
                return verdict;
            }
            Verdict::Differs(format!("{text}; {}", by_reference(case, &outcome)))
        }
    }
}

fn too_long(trips: Option<u64>) -> Option<Verdict> {
    let trips = trips.filter(|&n| n > MAX_BACK_EDGES)?;
    Some(Verdict::Skipped(format!(
        "{trips} trips of loops in an invocation: lavapipe leaves all loops after 65,535"
    )))
}

/// Trips of the loops of the original's busiest invocation, on the machine; `None` where that cannot run it.
fn original_trips(case: &Case) -> Option<u64> {
    let mut machine = MachineExecutor::new(MachineSetup::default());
    machine.run_original(case).ok()?;
    Some(machine.back_edges())
}

/// Likewise of the translation, for the device's subgroup size.
fn translation_trips<H: Host>(case: &Case, device: &H) -> Option<u64> {
    let wave = case.dispatches.first()?.launch.wave.lanes();
    let mut machine = MachineExecutor::new(MachineSetup {
        subgroup_size: Some(device.subgroup_size(wave)),
        ..MachineSetup::default()
    });
    machine.run(case).ok()?;
    Some(machine.back_edges())
}

/// Translates the case as the device will, for the figures.
fn translate<H: Host>(case: &Case, device: &H, row: &mut Row) -> Result<(), RunError> {
    let (mut words, mut best) = (0, None);
    for _ in 0..3 {
        let start = Instant::now();
        let translations = device.translations(case)?;
        words = translations.iter().map(|t| t.words.len()).sum();
        let took = start.elapsed().as_micros() as u64;
        best = Some(best.map_or(took, |b: u64| b.min(took)));
    }
    let s = device.subgroup_size(row.wave);
    row.strategy = match row.wave.checked_div(s) {
        Some(k) if k > 1 => format!("{k} lanes × S {s}"),
        _ => format!("S {s}"),
    };
    row.words = Some(words);
    row.translate_us = best;
    Ok(())
}

/// What the source leaves in the compared regions, in their order.
fn original<H: Host>(
    sheet: &Sheet,
    case: &Case,
    folder: &Path,
    device: &mut H,
    row: &mut Row,
) -> Result<Vec<Vec<u8>>, Verdict> {
    if sheet.regions.iter().all(|r| r.expected.is_some()) {
        "CPU".clone_into(&mut row.original_on);
        let files = sheet.regions.iter().flat_map(|r| &r.expected);
        let read = |name| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(LabError::file(&path))
        };
        let read: Result<Vec<_>, LabError> = files.map(read).collect();
        return read.map_err(|e| Verdict::Failed(e.to_string()));
    }
    let outcome = if device.can_compare_original(case) {
        "device".clone_into(&mut row.original_on);
        device.run_original(case)
    } else {
        row.original_on = format!("machine, S {}", sheet.wave);
        MachineExecutor::new(MachineSetup::default()).run_original(case)
    };
    let outcome = outcome.map_err(|e| verdict(&e, false))?;
    let bytes = |name: &str| {
        let id = outcome.memory.find(name);
        let region = id.and_then(|id| outcome.memory.get(id));
        region.map_or_else(Vec::new, |r| r.bytes.clone())
    };
    Ok(sheet.regions.iter().map(|r| bytes(&r.region)).collect())
}

fn region<'a>(case: &Case, outcome: &'a Outcome, name: &str) -> (Option<RegionId>, &'a [u8]) {
    let id = case.memory.find(name);
    let region = id.and_then(|id| outcome.memory.get(id));
    (id, region.map_or(&[], |r| &r.bytes))
}

/// Compares what is to be compared, and that nothing else has changed.
fn same(
    sheet: &Sheet,
    case: &Case,
    original: &[Vec<u8>],
    outcome: &Outcome,
) -> Result<Worst, String> {
    let mut worst = Worst::default();
    let mut compared = Vec::new();
    for (of, expected) in sheet.regions.iter().zip(original) {
        let (id, got) = region(case, outcome, &of.region);
        compared.extend(id);
        let found = compare(expected, got, &of.places);
        worst = worst.max_of(found.map_err(|d| format!("{}: {d}", of.region))?);
    }
    for (i, before) in case.memory.regions().iter().enumerate() {
        let id = RegionId(i);
        let changed = outcome.memory.get(id) != Some(before);
        // What begins with a dot is the executors' own: scratch.
        let own = before.name.starts_with('.');
        if changed && !own && !compared.contains(&id) {
            return Err(format!("{} has changed", before.name));
        }
    }
    Ok(worst)
}

/// What the reference interpreter says to a difference: whether the device did what the machine code says.
fn by_reference(case: &Case, outcome: &Outcome) -> String {
    match ReferenceExecutor::default().run(case) {
        Err(error) => format!("the reference refuses the code: {error}"),
        Ok(reference) if reference.memory == outcome.memory => {
            "the reference leaves what the device leaves".to_owned()
        }
        Ok(reference) => {
            let regions = reference
                .memory
                .regions()
                .iter()
                .zip(outcome.memory.regions());
            let name = regions
                .clone()
                .find(|(a, b)| a != b)
                .map(|(a, _)| a.name.as_str());
            format!(
                "the REFERENCE leaves something else than the device in {}",
                name.unwrap_or("memory")
            )
        }
    }
}

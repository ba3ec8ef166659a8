//! Running a prepared case: the translation on a device, its original there (or on the machine at S = W,
//! or what the sheet says), and the row that comes of it. Knows executors, and no source language.

use std::path::Path;
use std::time::Instant;

use spirdna_case::exec::facts::promise;
use spirdna_case::exec::pool::Pool;
use spirdna_case::exec::{
    Executor, Host, MachineExecutor, MachineSetup, Outcome, ReferenceExecutor, RunError,
    VulkanExecutor,
};
use spirdna_case::{Case, RegionId};

use crate::compare::{Worst, compare};
use crate::error::LabError;
use crate::prepared::{Ended, SHEET, Sheet};
use crate::row::{Row, Verdict};

/// What is done beside the comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Measure run times, over this many repetitions; 0: not at all.
    pub repeat: u32,
}

/// Runs the case of a sheet.
///
/// # Errors
/// The sheet cannot be read.
pub fn measure(
    path: &Path,
    device: &mut VulkanExecutor,
    options: &Options,
) -> Result<Row, LabError> {
    let sheet = Sheet::read(path)?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let mut row = row(&sheet, path);
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
        verdict: Verdict::Failed(String::new()),
        rule: sheet.rule.clone(),
        worst_ulp: 0,
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

fn run(
    sheet: &Sheet,
    case: &Case,
    folder: &Path,
    device: &mut VulkanExecutor,
    options: &Options,
    row: &mut Row,
) -> Verdict {
    if let Err(error) = translate(case, device, row) {
        return verdict(&error, true);
    }
    let original = match original(sheet, case, folder, device, row) {
        Ok(original) => original,
        Err(verdict) => return verdict,
    };
    let outcome = match device.run(case) {
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
            let _ = options;
            Verdict::Equal
        }
        Err(text) => Verdict::Differs(format!("{text}; {}", by_reference(case, &outcome))),
    }
}

/// Translates the case as the device will, for the figures.
fn translate(case: &Case, device: &VulkanExecutor, row: &mut Row) -> Result<(), RunError> {
    let windows = Pool::windows(&case.memory) as u32;
    let (mut words, mut best) = (0, None);
    for _ in 0..3 {
        words = 0;
        let start = Instant::now();
        for dispatch in &case.dispatches {
            let facts = promise(dispatch, &case.memory).facts;
            words += device.translate(dispatch, &facts, windows)?.words.len();
        }
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
fn original(
    sheet: &Sheet,
    case: &Case,
    folder: &Path,
    device: &mut VulkanExecutor,
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
        if changed && !compared.contains(&id) {
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

//! A batch on the reference and on a device. Owns what makes a claim hold: the same bytes, on every
//! target of the batch, and either the same module for all targets or a run for each.

use spirdna_case::exec::facts::promise;
use spirdna_case::exec::pool::Pool;
use spirdna_case::exec::{Executor, Host, Outcome, ReferenceExecutor, RunError, VulkanExecutor};
use spirdna_case::{Case, GuestMemory, RegionId};
use spirdna_isa::Target;

use crate::batch::{Batch, Claim, Stripe};

/// What became of a batch.
#[derive(Debug)]
pub enum Verdict {
    /// It ran: for each claim the first difference, or `None` where there is none.
    Ran(Vec<Option<String>>),
    /// It did not run: nothing of it is proven.
    Failed(String),
}

/// Runs a batch on the reference and on a device and compares.
pub fn prove(batch: &Batch, device: &mut VulkanExecutor) -> Verdict {
    match compare(batch, device) {
        Ok(found) => Verdict::Ran(found),
        Err(e) => Verdict::Failed(e),
    }
}

fn compare(batch: &Batch, device: &mut VulkanExecutor) -> Result<Vec<Option<String>>, String> {
    let mut found = vec![None; batch.claims.len()];
    let mut first: Option<(Vec<u32>, GuestMemory)> = None;
    let targets = Target::ALL.into_iter().rev();
    for target in targets.filter(|t| batch.targets.contains(t.set())) {
        let mut case = batch.case.clone();
        for dispatch in &mut case.dispatches {
            dispatch.launch.target = target;
        }
        let expected = reference(&case).map_err(|e| format!("{}: {e}", target.name()))?;
        let module = module(&case, device).map_err(|e| format!("{}: {e}", target.name()))?;
        // A module that was run for another target, where the reference leaves the same, needs no
        // second run.
        let run = first.as_ref();
        if run.is_some_and(|(words, memory)| *words == module && *memory == expected.memory) {
            continue;
        }
        let outcome = device.run(&case).map_err(|e| e.to_string())?;
        if let Some(note) = outcome.notes.first() {
            return Err(format!("the device: {note}"));
        }
        if let Some(fault) = outcome.faults.first() {
            return Err(format!("the device faults: {fault}"));
        }
        differences(batch, target, &expected, &outcome, &mut found)?;
        unstored(batch, &expected, &mut found);
        first.get_or_insert((module, expected.memory));
    }
    Ok(found)
}

/// What the reference leaves.
///
/// # Errors
/// It refuses, faults, or reads what nothing has written.
pub fn reference(case: &Case) -> Result<Outcome, String> {
    let outcome = ReferenceExecutor::default()
        .run(case)
        .map_err(|e| format!("the reference: {e}"))?;
    if let Some(fault) = outcome.faults.first() {
        return Err(format!("the reference faults: {fault}"));
    }
    match outcome.undefined.first() {
        Some(read) => Err(format!("the reference: {read}")),
        None => Ok(outcome),
    }
}

/// The words of the case's only dispatch; of several, of all together.
fn module(case: &Case, device: &VulkanExecutor) -> Result<Vec<u32>, RunError> {
    let windows = Pool::windows(&case.memory) as u32;
    let mut words = Vec::new();
    for dispatch in &case.dispatches {
        let facts = promise(dispatch, &case.memory).facts;
        words.extend(device.translate(dispatch, &facts, windows)?.words);
    }
    Ok(words)
}

/// A claim none of whose results was stored shows nothing: an instruction before it ended the program.
fn unstored(batch: &Batch, expected: &Outcome, found: &mut [Option<String>]) {
    let runs = |memory: &GuestMemory, stripe: &Stripe| -> Vec<u8> {
        let bytes = memory.get(stripe.region).map_or(&[][..], |r| &r.bytes);
        let starts = (0..stripe.count).map(|run| stripe.first + run * stripe.step);
        let runs = starts.filter_map(|at| bytes.get(at..at + stripe.bytes));
        runs.flatten().copied().collect()
    };
    for (claim, found) in batch.claims.iter().zip(found) {
        let stored = claim
            .stripes
            .iter()
            .any(|s| runs(&expected.memory, s) != runs(&batch.case.memory, s));
        if !stored {
            found.get_or_insert_with(|| format!("{}: no result is stored", claim.text));
        }
    }
}

fn differences(
    batch: &Batch,
    target: Target,
    expected: &Outcome,
    outcome: &Outcome,
    found: &mut [Option<String>],
) -> Result<(), String> {
    for (i, region) in expected.memory.regions().iter().enumerate() {
        let id = RegionId(i);
        let got = outcome.memory.get(id).map_or(&[][..], |r| &r.bytes);
        if got.len() != region.bytes.len() {
            return Err(format!("region {} has another size", region.name));
        }
        let bytes = region.bytes.iter().zip(got).enumerate();
        for (offset, _) in bytes.filter(|(_, (want, got))| want != got) {
            let text = |claim: &Claim, run: usize, within: usize| {
                let at = offset / 4 * 4;
                let word = |b: &[u8]| {
                    let word = b.get(at..at + 4).and_then(|w| w.try_into().ok());
                    word.map_or(0, u32::from_le_bytes)
                };
                format!(
                    "{} on {}: {:#010x} instead of {:#010x} in run {run}, byte {within} of {}",
                    claim.text,
                    target.name(),
                    word(got),
                    word(&region.bytes),
                    region.name,
                )
            };
            let mut owned = false;
            for (claim, found) in batch.claims.iter().zip(&mut *found) {
                for stripe in &claim.stripes {
                    if let Some(run) = stripe.run_of(id, offset) {
                        owned = true;
                        let within = offset - stripe.first - run * stripe.step;
                        found.get_or_insert_with(|| text(claim, run, within));
                    }
                }
            }
            if !owned {
                let name = &region.name;
                return Err(format!("byte {offset} of {name} differs and is no result"));
            }
        }
    }
    Ok(())
}

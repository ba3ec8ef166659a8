//! What the places that run translations share: how a case's dispatches are translated and run there in
//! turn, and when an original module says the same. Knows no place.

use spirdna_translate::options::Options;
use spirdna_translate::pipeline::{Translation, translate};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::reflect::Reflection;
use spirdna_translate::resources::DescriptorFacts;

use super::facts::{Promise, promise, promise_bound};
use super::lent::{WINDOWS, wanted};
use super::pool::Pool;
use super::{Executor, Outcome, RunError};
use crate::case::{Case, Dispatch, Original};
use crate::memory::GuestMemory;

/// A place where translations run, and original modules.
pub trait Host {
    /// What it is, for messages.
    fn place(&self) -> String;

    /// Makes ready for a case.
    fn begin(&mut self) {}

    /// The subgroup size to translate for.
    fn subgroup_size(&self, wave: u32) -> u32;

    /// The subgroup size that an original module of a wave size meets.
    fn original_subgroup_size(&self, wave: u32) -> u32;

    /// Whether to promise nothing of descriptors.
    fn no_facts(&self) -> bool;

    /// Translates a dispatch for this place; the module looks up `windows` windows.
    ///
    /// # Errors
    /// It is refused.
    fn translate(
        &self,
        dispatch: &Dispatch,
        facts: &DescriptorFacts,
        windows: u32,
    ) -> Result<Translation, RunError>;

    /// Whether buffers are bound that only their V# leads to.
    fn bind(&self) -> bool;

    /// What the translator is promised of a dispatch.
    fn promise(&self, dispatch: &Dispatch, memory: &GuestMemory) -> Promise {
        if self.no_facts() {
            Promise::default()
        } else if self.bind() {
            promise_bound(dispatch, memory)
        } else {
            promise(dispatch, memory)
        }
    }

    /// What each dispatch becomes, by what the case's memory promises before the first one.
    ///
    /// # Errors
    /// One is refused.
    fn translations(&self, case: &Case) -> Result<Vec<Translation>, RunError> {
        let windows = Pool::windows(&case.memory) as u32;
        let of = |dispatch| {
            let promise = self.promise(dispatch, &case.memory);
            self.prepared(dispatch, &promise.facts, windows)
        };
        case.dispatches.iter().map(of).collect()
    }

    /// Translates with a window each for scratch, GDS and the code, where the dispatch needs one lent.
    ///
    /// # Errors
    /// It is refused.
    fn prepared(
        &self,
        dispatch: &Dispatch,
        facts: &DescriptorFacts,
        windows: u32,
    ) -> Result<Translation, RunError> {
        let translation = self.translate(dispatch, facts, windows)?;
        if wanted(&translation.reflection) {
            return self.translate(dispatch, facts, windows + WINDOWS);
        }
        Ok(translation)
    }

    /// Runs one translated dispatch over memory.
    ///
    /// # Errors
    /// The place refuses it, or is lost.
    fn run_module(
        &mut self,
        words: &[u32],
        reflection: &Reflection,
        dispatch: &Dispatch,
        outcome: &mut Outcome,
    ) -> Result<(), RunError>;

    /// Runs an original module over copies of its bindings' regions, in their order, and gives its
    /// remarks.
    ///
    /// # Errors
    /// The place refuses it; [`RunError::Internal`] where the module or a binding cannot be run.
    fn run_bindings(
        &mut self,
        original: &Original,
        dispatch: &Dispatch,
        data: &mut [Vec<u8>],
    ) -> Result<Vec<String>, RunError>;

    /// Whether the original module can be run here and its result means the same: one dispatch of
    /// whole workgroups, and the wave's own subgroup size where the result depends on it.
    fn can_compare_original(&self, case: &Case) -> bool {
        let (Some(original), [dispatch]) = (&case.original, case.dispatches.as_slice()) else {
            return false;
        };
        let wave = dispatch.launch.wave.lanes();
        !original.subgroup_dependent || self.original_subgroup_size(wave) == wave
    }

    /// Runs the original module over the case's memory.
    ///
    /// # Errors
    /// There is none, or the place refuses it.
    fn run_original(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let (Some(original), [dispatch]) = (&case.original, case.dispatches.as_slice()) else {
            let text = "no [original] with one dispatch";
            return Err(RunError::Unsupported(text.to_owned()));
        };
        let mut memory: GuestMemory = case.memory.clone();
        let mut data: Vec<Vec<u8>> = original
            .bindings
            .iter()
            .map(|&(id, _)| memory.get(id).map_or_else(Vec::new, |r| r.bytes.clone()))
            .collect();
        // A module or a binding that cannot be run is the case's mistake, not ours.
        let notes = match self.run_bindings(original, dispatch, &mut data) {
            Err(RunError::Internal(text)) => {
                let path = original.path.display();
                return Err(RunError::BadShader(format!("original: {path}: {text}")));
            }
            notes => notes?,
        };
        for (&(id, _), bytes) in original.bindings.iter().zip(&data) {
            if let Some(to) = memory.bytes_mut(id) {
                to.copy_from_slice(bytes);
            }
        }
        // Where the module was given its device's addresses, memory goes on holding the guest's.
        for &(holder, offset, _) in &original.addresses {
            let guest = case.memory.get(holder).map(|r| r.bytes.as_slice());
            let at = usize::try_from(offset).unwrap_or(usize::MAX);
            let guest = guest.and_then(|b| b.get(at..at.saturating_add(8)));
            let place = memory.bytes_mut(holder).and_then(|b| b.get_mut(at..));
            if let (Some(guest), Some(place)) = (guest, place) {
                for (to, &from) in place.iter_mut().zip(guest) {
                    *to = from;
                }
            }
        }
        Ok(Outcome {
            memory,
            notes,
            ..Outcome::default()
        })
    }
}

impl<H: Host> Executor for H {
    fn name(&self) -> String {
        self.place()
    }

    fn run(&mut self, case: &Case) -> Result<Outcome, RunError> {
        self.begin();
        let mut outcome = Outcome {
            memory: case.memory.clone(),
            ..Outcome::default()
        };
        let windows = Pool::windows(&case.memory) as u32;
        for dispatch in &case.dispatches {
            let promise = self.promise(dispatch, &outcome.memory);
            let before: Vec<_> = promise
                .regions
                .iter()
                .map(|&id| outcome.memory.get(id).cloned())
                .collect();
            let translation = self.prepared(dispatch, &promise.facts, windows)?;
            let (words, reflection) = (&translation.words, &translation.reflection);
            self.run_module(words, reflection, dispatch, &mut outcome)?;
            for (&id, before) in promise.regions.iter().zip(&before) {
                if outcome.memory.get(id) != before.as_ref() {
                    let text = "the shader changes a region whose descriptors were promised to it";
                    return Err(RunError::Unsupported(text.to_owned()));
                }
            }
        }
        Ok(outcome)
    }
}

/// The profile that the caller gave, at the subgroup size that is used.
pub(super) fn at_size(given: Option<&HostProfile>, subgroup_size: u32) -> Option<HostProfile> {
    given.map(|profile| HostProfile {
        subgroup_size,
        ..profile.clone()
    })
}

/// Translates a dispatch by a place's profile and options.
pub(super) fn translated(
    dispatch: &Dispatch,
    profile: &HostProfile,
    options: &Options,
    facts: &DescriptorFacts,
    windows: u32,
) -> Result<Translation, RunError> {
    let options = Options {
        max_windows: windows.max(1),
        ..options.clone()
    };
    Ok(translate(
        &dispatch.code,
        &dispatch.launch,
        profile,
        &options,
        facts,
    )?)
}

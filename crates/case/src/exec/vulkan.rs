//! A Vulkan device as an executor: the translation of each dispatch, or the original module, over
//! the case's memory.

use spirdna_translate::emit::EmitError;
use spirdna_translate::error::TranslateError;
use spirdna_translate::options::Options;
use spirdna_translate::pipeline::{Translation, translate};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::reflect::Reflection;
use spirdna_translate::resources::DescriptorFacts;
use spirdna_vulkan::{Buffer, Device, Job, VulkanError};

use super::bound::{Bound, push_block};
use super::facts::{Promise, promise};
use super::lent::wanted;
use super::pool::Pool;
use super::{Executor, Outcome, RunError};
use crate::case::{Case, Dispatch, Original};
use crate::memory::GuestMemory;
use crate::profile::profile_from_device;

/// How a case runs on a device.
#[derive(Clone, Debug, Default)]
pub struct VulkanOptions {
    /// S: the subgroup size to translate for; the best one that the device has when `None`.
    pub subgroup_size: Option<u32>,
    /// The host profile; what the device says of itself when `None`. Its subgroup size is replaced.
    pub profile: Option<HostProfile>,
    /// Whether to promise nothing of descriptors, so that all are decoded at run time.
    pub no_facts: bool,
    /// The translator's options; the number of windows is what the case needs.
    pub translate: Options,
}

/// Runs cases on a Vulkan device.
pub struct VulkanExecutor {
    device: Device,
    options: VulkanOptions,
}

impl From<VulkanError> for RunError {
    fn from(e: VulkanError) -> RunError {
        if e.is_device_fault() {
            RunError::Device(e.to_string())
        } else if e.is_unsupported() {
            RunError::Unsupported(e.to_string())
        } else {
            RunError::Internal(e.to_string())
        }
    }
}

impl From<TranslateError> for RunError {
    fn from(e: TranslateError) -> RunError {
        match e {
            TranslateError::Bug { .. } | TranslateError::Host(EmitError::Malformed(_)) => {
                RunError::Internal(e.to_string())
            }
            _ => RunError::Unsupported(e.to_string()),
        }
    }
}

impl VulkanExecutor {
    /// An executor on an open device.
    pub fn new(device: Device, options: VulkanOptions) -> VulkanExecutor {
        VulkanExecutor { device, options }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The subgroup size to translate for: the one asked for; otherwise the wave size where the
    /// device can be told to have it, its own where that divides a wave or a wave divides it, or 1.
    pub fn subgroup_size(&self, wave: u32) -> u32 {
        if let Some(size) = self.options.subgroup_size {
            return size;
        }
        let info = self.device.info();
        let own = self.device.measured_subgroup_size();
        let required = info.features.required_subgroup_compute
            && (info.min_subgroup_size..=info.max_subgroup_size).contains(&wave);
        match own {
            _ if required => wave,
            _ if own <= wave || own.is_multiple_of(wave) => own,
            _ => 1,
        }
    }

    /// Translates a dispatch for this device; the module looks up `windows` windows.
    ///
    /// # Errors
    /// It is refused.
    pub fn translate(
        &self,
        dispatch: &Dispatch,
        facts: &DescriptorFacts,
        windows: u32,
    ) -> Result<Translation, RunError> {
        let size = self.subgroup_size(dispatch.launch.wave.lanes());
        let profile = match &self.options.profile {
            Some(profile) => HostProfile {
                subgroup_size: size,
                ..profile.clone()
            },
            None => profile_from_device(self.device.info(), size),
        };
        let options = Options {
            max_windows: windows.max(1),
            ..self.options.translate.clone()
        };
        let translated = translate(&dispatch.code, &dispatch.launch, &profile, &options, facts);
        Ok(translated?)
    }

    /// Runs one translated dispatch over memory.
    ///
    /// # Errors
    /// The device refuses it, or is lost.
    pub fn run_module(
        &mut self,
        words: &[u32],
        reflection: &Reflection,
        dispatch: &Dispatch,
        outcome: &mut Outcome,
    ) -> Result<(), RunError> {
        let most = self.device.info().limits.max_storage_buffer_range;
        let mut bound = Bound::new(reflection, dispatch, &outcome.memory, most)?;
        let mut job = Job::new(words, &reflection.entry, dispatch.groups);
        job.required_subgroup_size = reflection.subgroup_size;
        job.push = push_block(reflection, dispatch);
        job.group_base_push_offset = (job.push.len() >= 12).then_some(0);
        for (binding, bytes) in reflection.buffers.iter().zip(&mut bound.data) {
            job.buffers
                .push(Buffer::storage(binding.set, binding.binding, bytes));
        }
        let report = self.device.run(&mut job)?;
        drop(job);
        outcome.notes.extend(report.validation_messages);
        bound.finish(reflection, outcome);
        Ok(())
    }

    /// Whether the original module can be run here and its result means the same: one dispatch of
    /// whole workgroups, and the wave's own subgroup size where the result depends on it.
    pub fn can_compare_original(&self, case: &Case) -> bool {
        let (Some(original), [dispatch]) = (&case.original, case.dispatches.as_slice()) else {
            return false;
        };
        let wave = dispatch.launch.wave.lanes();
        !original.subgroup_dependent || self.device.measured_subgroup_size() == wave
    }

    /// Runs the original module over the case's memory.
    ///
    /// # Errors
    /// There is none, or the device refuses it.
    pub fn run_original(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let missing = || RunError::Unsupported("a case without [original]".to_owned());
        let original = case.original.as_ref().ok_or_else(missing)?;
        let dispatch = match case.dispatches.as_slice() {
            [only] => only,
            _ => {
                let text = "[original] with several dispatches";
                return Err(RunError::Unsupported(text.to_owned()));
            }
        };
        let mut memory = case.memory.clone();
        // A module or a binding that cannot be run is the case's mistake, not ours.
        let notes = match self.original_over(original, dispatch.groups, &mut memory) {
            Err(RunError::Internal(text)) => {
                let path = original.path.display();
                return Err(RunError::BadShader(format!("original: {path}: {text}")));
            }
            notes => notes?,
        };
        Ok(Outcome {
            memory,
            notes,
            ..Outcome::default()
        })
    }

    fn original_over(
        &mut self,
        original: &Original,
        groups: [u32; 3],
        memory: &mut GuestMemory,
    ) -> Result<Vec<String>, RunError> {
        let mut data: Vec<Vec<u8>> = original
            .bindings
            .iter()
            .map(|&(id, _)| memory.get(id).map_or_else(Vec::new, |r| r.bytes.clone()))
            .collect();
        let mut job = Job::new(&original.words, &original.entry, groups);
        job.push = original.push.iter().flat_map(|w| w.to_le_bytes()).collect();
        for ((_, binding), bytes) in original.bindings.iter().zip(&mut data) {
            let make = if binding.uniform {
                Buffer::uniform
            } else {
                Buffer::storage
            };
            job.buffers.push(make(binding.set, binding.binding, bytes));
        }
        let report = self.device.run(&mut job)?;
        drop(job);
        for (&(id, _), bytes) in original.bindings.iter().zip(&data) {
            if let Some(to) = memory.bytes_mut(id) {
                to.copy_from_slice(bytes);
            }
        }
        Ok(report.validation_messages)
    }
}

impl Executor for VulkanExecutor {
    fn name(&self) -> String {
        self.device.info().name.clone()
    }

    fn run(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let mut outcome = Outcome {
            memory: case.memory.clone(),
            ..Outcome::default()
        };
        let windows = Pool::windows(&case.memory) as u32;
        for dispatch in &case.dispatches {
            let promise = if self.options.no_facts {
                Promise::default()
            } else {
                promise(dispatch, &outcome.memory)
            };
            let before: Vec<_> = promise
                .regions
                .iter()
                .map(|&id| outcome.memory.get(id).cloned())
                .collect();
            let mut translation = self.translate(dispatch, &promise.facts, windows)?;
            if wanted(&translation.reflection) {
                // A window each for scratch and GDS.
                translation = self.translate(dispatch, &promise.facts, windows + 2)?;
            }
            self.run_module(
                &translation.words,
                &translation.reflection,
                dispatch,
                &mut outcome,
            )?;
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

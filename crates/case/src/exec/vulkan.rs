//! A Vulkan device as an executor: the translation of each dispatch, or the original module, over
//! the case's memory.

use spirdna_translate::emit::EmitError;
use spirdna_translate::error::TranslateError;
use spirdna_translate::options::{Grid, Options};
use spirdna_translate::pipeline::Translation;
use spirdna_translate::profile::HostProfile;
use spirdna_translate::reflect::Reflection;
use spirdna_translate::resources::DescriptorFacts;
use spirdna_vulkan::{AddressPatch, Buffer, Device, Job, PatchTarget, Report, VulkanError};

use super::bound::{Bound, addressed, push_block};
use super::host::{Host, at_size, translated};
use super::{Outcome, RunError};
use crate::case::{Dispatch, Original};
use crate::profile::profile_from_device;

/// How a case runs on a device.
#[derive(Clone, Debug, Default)]
pub struct VulkanOptions {
    /// S: the subgroup size to translate for; the best one that the device has when `None`.
    pub subgroup_size: Option<u32>,
    /// The host profile; what the device says of itself when `None`. Its subgroup size counts where none is
    /// asked for.
    pub profile: Option<HostProfile>,
    /// Whether to promise nothing of descriptors, so that all are decoded at run time.
    pub no_facts: bool,
    /// Buffers that only their V# leads to are bound by themselves.
    pub bind: bool,
    /// The translator's options; the number of windows is what the case needs.
    pub translate: Options,
}

/// Runs cases on a Vulkan device.
pub struct VulkanExecutor {
    device: Device,
    options: VulkanOptions,
    /// Runs of each module on the clock; `None`: one, without a run before.
    repeat: Option<u32>,
    seconds: f64,
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
        VulkanExecutor {
            device,
            options,
            repeat: None,
            seconds: 0.0,
        }
    }

    /// Makes the runs from here on measurements: each module runs once, and then so often on the clock,
    /// over the same memory, whose content means nothing afterwards. `None` ends that.
    pub fn set_repeat(&mut self, repeat: Option<u32>) {
        self.repeat = repeat;
    }

    /// What a run of the last module took, in seconds: the device's time where it keeps one, otherwise the
    /// host's; of many runs the mean.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Whether to promise nothing of descriptors from here on.
    pub fn set_no_facts(&mut self, no_facts: bool) {
        self.options.no_facts = no_facts;
    }

    fn clock(&mut self, job: &mut Job<'_>) -> Result<Report, RunError> {
        job.repeat = self.repeat.unwrap_or(1);
        job.warm_up = self.repeat.is_some();
        let report = self.device.run(job)?;
        let seconds = report.device_seconds.unwrap_or(report.seconds);
        self.seconds = seconds / f64::from(job.repeat.max(1));
        Ok(report)
    }

    /// How cases run.
    pub fn options(&self) -> &VulkanOptions {
        &self.options
    }

    /// How cases run from now on.
    pub fn set_options(&mut self, options: VulkanOptions) {
        self.options = options;
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }
}

impl Host for VulkanExecutor {
    fn place(&self) -> String {
        self.device.info().name.clone()
    }

    /// The subgroup size to translate for: the one asked for; otherwise the wave size where the
    /// device can be told to have it, its own where that divides a wave or a wave divides it, or 1.
    fn subgroup_size(&self, wave: u32) -> u32 {
        let profile = self.options.profile.as_ref().map(|p| p.subgroup_size);
        if let Some(size) = self.options.subgroup_size.or(profile) {
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

    fn original_subgroup_size(&self, _wave: u32) -> u32 {
        self.device.measured_subgroup_size()
    }

    fn no_facts(&self) -> bool {
        self.options.no_facts
    }

    fn bind(&self) -> bool {
        self.options.bind
    }

    fn translate(
        &self,
        dispatch: &Dispatch,
        facts: &DescriptorFacts,
        windows: u32,
    ) -> Result<Translation, RunError> {
        let size = self.subgroup_size(dispatch.launch.wave.lanes());
        let given = self.options.profile.as_ref();
        let profile =
            at_size(given, size).unwrap_or_else(|| profile_from_device(self.device.info(), size));
        let most = self.device.max_workgroup_count();
        let in_parts = dispatch.groups.iter().zip(most).any(|(&n, most)| n > most);
        let options = Options {
            grid: if in_parts {
                Grid::Parts
            } else {
                self.options.translate.grid
            },
            ..self.options.translate.clone()
        };
        translated(dispatch, &profile, &options, facts, windows)
    }

    fn run_module(
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
        job.group_base_push_offset = reflection.push.group_base.then_some(0);
        let table = addressed(reflection);
        let (data, by_address, patches) = bound.parts();
        for (binding, bytes) in reflection.buffers.iter().zip(data) {
            job.buffers
                .push(Buffer::storage(binding.set, binding.binding, bytes));
        }
        let first = job.buffers.len();
        job.buffers
            .extend(by_address.iter_mut().map(Buffer::by_address));
        job.addresses.extend(patches.iter().map(|p| AddressPatch {
            target: PatchTarget::Buffer {
                index: p.into.map_or(table.unwrap_or_default(), |i| first + i),
                offset: p.at as u64,
            },
            buffer: first + p.buffer,
            add: p.add,
        }));
        let report = self.clock(&mut job)?;
        drop(job);
        outcome.notes.extend(report.validation_messages);
        bound.finish(reflection, outcome);
        Ok(())
    }

    fn run_bindings(
        &mut self,
        original: &Original,
        dispatch: &Dispatch,
        data: &mut [Vec<u8>],
    ) -> Result<Vec<String>, RunError> {
        let mut job = Job::new(&original.words, &original.entry, dispatch.groups);
        job.push = original.push.iter().flat_map(|w| w.to_le_bytes()).collect();
        for ((id, binding), bytes) in original.bindings.iter().zip(data) {
            let make = if binding.uniform {
                Buffer::uniform
            } else {
                Buffer::storage
            };
            let mut buffer = make(binding.set, binding.binding, bytes);
            buffer.device_address = original.addresses.iter().any(|&(_, _, to)| to == *id);
            job.buffers.push(buffer);
        }
        let index = |wanted| original.bindings.iter().position(|&(id, _)| id == wanted);
        for &(holder, offset, to) in &original.addresses {
            let (Some(holder), Some(buffer)) = (index(holder), index(to)) else {
                let text = "an address in or of a region that is not bound".to_owned();
                return Err(RunError::Internal(text));
            };
            job.addresses.push(AddressPatch {
                target: PatchTarget::Buffer {
                    index: holder,
                    offset,
                },
                buffer,
                add: 0,
            });
        }
        Ok(self.clock(&mut job)?.validation_messages)
    }
}

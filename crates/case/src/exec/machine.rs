//! The machine as an executor: a translation, or the original module, at any subgroup size, with what it
//! finds.

use std::time::Duration;

use spirdna_machine::{
    Binding, Dispatch as Run, Finding, FindingKind, LoadError, Module, Options as MachineOptions,
    RunError as MachineError, device_address,
};
use spirdna_translate::options::Options;
use spirdna_translate::pipeline::Translation;
use spirdna_translate::profile::{FloatHost, HostProfile};
use spirdna_translate::reflect::Reflection;
use spirdna_translate::resources::DescriptorFacts;

use super::bound::{Bound, addressed, push_block};
use super::host::{Host, at_size, translated};
use super::{Outcome, RunError};
use crate::case::{Dispatch, Original};

/// How a case runs on the machine.
#[derive(Clone, Debug, Default)]
pub struct MachineSetup {
    /// S: 1 to 128; the profile's when `None`, and without one the wave size.
    pub subgroup_size: Option<u32>,
    /// Whether to promise nothing of descriptors.
    pub no_facts: bool,
    /// Buffers that only their V# leads to are bound by themselves.
    pub bind: bool,
    /// The translator's options; the number of windows is what the case needs.
    pub translate: Options,
    /// The host profile; what the machine does when `None`. Its subgroup size counts where none is
    /// asked for.
    pub profile: Option<HostProfile>,
    /// Instructions at most; the machine's own limit when `None`.
    pub budget: Option<u64>,
    /// Time that a dispatch may take.
    pub time: Option<Duration>,
}

/// Runs cases on the machine.
#[derive(Clone, Debug, Default)]
pub struct MachineExecutor {
    options: MachineSetup,
    findings: Vec<Finding>,
    instructions: u64,
    back_edges: u64,
}

/// What the machine does: IEEE floats.
pub fn machine_profile(subgroup_size: u32) -> HostProfile {
    let ieee = FloatHost {
        keeps_denorms: true,
        denorm_preserve: true,
        rte: true,
        signed_zero_inf_nan: true,
        fused_fma: true,
        ..FloatHost::UNKNOWN
    };
    HostProfile {
        spirv: (1, 6),
        int16: true,
        float16: true,
        int64: true,
        float64: true,
        // 16-bit sums of products are rounded twice there.
        f16: FloatHost {
            fused_fma: false,
            ..ieee
        },
        f32: ieee,
        f64: ieee,
        // Lanes that part meet again where they can.
        subgroup_uniform_control_flow: true,
        buffer_device_address: true,
        buffer_atomic64: true,
        shared_atomic64: true,
        max_push_constants: 256,
        // A little more than a guest has, for what emission puts beside it.
        max_workgroup_memory: (1 << 16) + 256,
        max_workgroup_invocations: 1 << 16,
        ..HostProfile::portable(subgroup_size)
    }
}

/// Whether a finding is of a load that an inactive lane makes and drops: emission lets it read a cell behind
/// the LDS, which nobody writes.
pub fn may_be_dropped(finding: &Finding) -> bool {
    finding.kind == FindingKind::UndefinedWorkgroup
        && finding.text.ends_with("the last of its variable")
}

impl MachineExecutor {
    /// An executor.
    pub fn new(options: MachineSetup) -> MachineExecutor {
        MachineExecutor {
            options,
            ..MachineExecutor::default()
        }
    }

    /// What the machine found in the last case.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How cases run.
    pub fn setup(&self) -> &MachineSetup {
        &self.options
    }

    /// Instructions that it executed for the last case, or for its original.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Branches back to an earlier block, of the invocation that took the most in the last run of a
    /// translation or an original.
    pub fn back_edges(&self) -> u64 {
        self.back_edges
    }

    fn machine_options(&self, partial_subgroups: bool) -> MachineOptions {
        let mut options = MachineOptions {
            partial_subgroups,
            time: self.options.time,
            ..MachineOptions::default()
        };
        if let Some(budget) = self.options.budget {
            options.budget = budget;
        }
        options
    }
}

impl Host for MachineExecutor {
    fn place(&self) -> String {
        "machine".to_owned()
    }

    fn begin(&mut self) {
        self.findings.clear();
        self.instructions = 0;
        self.back_edges = 0;
    }

    fn subgroup_size(&self, wave: u32) -> u32 {
        let profile = self.options.profile.as_ref().map(|p| p.subgroup_size);
        self.options.subgroup_size.or(profile).unwrap_or(wave)
    }

    fn original_subgroup_size(&self, wave: u32) -> u32 {
        self.subgroup_size(wave)
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
        let profile = at_size(given, size).unwrap_or_else(|| machine_profile(size));
        translated(dispatch, &profile, &self.options.translate, facts, windows)
    }

    fn run_module(
        &mut self,
        words: &[u32],
        reflection: &Reflection,
        dispatch: &Dispatch,
        outcome: &mut Outcome,
    ) -> Result<(), RunError> {
        let mut bound = Bound::new(reflection, dispatch, &outcome.memory, u32::MAX)?;
        let module = Module::load(words, &reflection.entry);
        let module = module.map_err(|e| RunError::Internal(e.to_string()))?;
        let push = push_block(reflection, dispatch);
        let table = addressed(reflection).unwrap_or_default();
        let (data, by_address, patches) = bound.parts();
        let first = data.len();
        for patch in patches {
            let address = device_address(first + patch.buffer) + patch.add;
            let into = match patch.into {
                None => data.get_mut(table),
                Some(i) => by_address.get_mut(i),
            };
            let place = into.and_then(|bytes| bytes.get_mut(patch.at..patch.at + 8));
            for (to, from) in place.into_iter().flatten().zip(address.to_le_bytes()) {
                *to = from;
            }
        }
        let buffers = reflection.buffers.iter().zip(data);
        let buffers = buffers.map(|(binding, bytes)| Binding {
            set: binding.set,
            binding: binding.binding,
            bytes,
        });
        let by_address = by_address.iter_mut().map(Binding::by_address);
        let run = Run {
            groups: dispatch.groups,
            subgroup_size: self.subgroup_size(dispatch.launch.wave.lanes()),
            push: &push,
            buffers: buffers.chain(by_address).collect(),
        };
        let report = spirdna_machine::run(&module, run, &self.machine_options(false));
        let report = report.map_err(|e| match e {
            MachineError::Time(_) | MachineError::Budget(_) => RunError::Time(e.to_string()),
            MachineError::Memory(_) => RunError::Unsupported(e.to_string()),
            e => RunError::Internal(e.to_string()),
        })?;
        self.instructions += report.instructions;
        self.back_edges = self.back_edges.max(report.back_edges);
        let notes = report.findings.iter().map(Finding::to_string);
        outcome.notes.extend(notes);
        self.findings.extend(report.findings);
        bound.finish(reflection, outcome);
        Ok(())
    }

    fn run_bindings(
        &mut self,
        original: &Original,
        dispatch: &Dispatch,
        data: &mut [Vec<u8>],
    ) -> Result<Vec<String>, RunError> {
        if !original.addresses.is_empty() {
            let text = "the machine gives buffers no addresses".to_owned();
            return Err(RunError::Unsupported(text));
        }
        let module = Module::load(&original.words, &original.entry);
        let module = module.map_err(|e| match e {
            LoadError::Unsupported(_) => RunError::Unsupported(e.to_string()),
            _ => RunError::Internal(e.to_string()),
        })?;
        let push: Vec<u8> = original.push.iter().flat_map(|w| w.to_le_bytes()).collect();
        let buffers = original.bindings.iter().zip(data);
        let run = Run {
            groups: dispatch.groups,
            subgroup_size: self.subgroup_size(dispatch.launch.wave.lanes()),
            push: &push,
            buffers: buffers
                .map(|((_, binding), bytes)| Binding {
                    set: binding.set,
                    binding: binding.binding,
                    bytes,
                })
                .collect(),
        };
        let report = spirdna_machine::run(&module, run, &self.machine_options(true)).map_err(
            |e| match e {
                MachineError::Memory(_) => RunError::Unsupported(e.to_string()),
                e => RunError::Internal(e.to_string()),
            },
        )?;
        self.back_edges = report.back_edges;
        self.instructions = report.instructions;
        Ok(Vec::new())
    }
}

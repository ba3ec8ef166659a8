//! What can go wrong between a job and its result. Knows no ash type in its public shape.

use ash::vk;
use gpu_allocator::AllocationError;

/// Why a device could not be opened, or a job not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VulkanError {
    /// The Vulkan loader library is not installed, or is too old to be used.
    #[error("no Vulkan loader: {reason}")]
    LoaderMissing {
        /// What the dynamic loader said.
        reason: String,
    },
    /// The loader knows no device that could be used.
    #[error("no usable Vulkan device")]
    NoDevice,
    /// No device has the index or the name asked for.
    #[error("no Vulkan device `{wanted}`; there are: {}", list(have))]
    NoSuchDevice {
        /// The index or the part of a name.
        wanted: String,
        /// Names of the devices present, by index.
        have: Vec<String>,
    },
    /// The device is a driver's stand-in that executes nothing.
    #[error("`{name}` is a null device: it executes nothing")]
    NullDevice {
        /// Name of the device.
        name: String,
    },
    /// The device is older than Vulkan 1.1.
    #[error("`{name}` has Vulkan {}.{}, and 1.1 is needed", version.0, version.1)]
    ApiTooOld {
        /// Name of the device.
        name: String,
        /// Its API version: major, minor, patch.
        version: (u32, u32, u32),
    },
    /// The device has no queue for compute.
    #[error("`{name}` has no compute queue")]
    NoComputeQueue {
        /// Name of the device.
        name: String,
    },
    /// Validation was asked for and the layer is not installed.
    #[error("validation was asked for, but the layer `{layer}` is not installed")]
    LayerMissing {
        /// Name of the layer, or of the extension that it must offer.
        layer: &'static str,
    },
    /// The probe dispatch did not do what it must.
    #[error("`{name}` failed the probe: {fault}")]
    Probe {
        /// Name of the device.
        name: String,
        /// What was wrong.
        fault: ProbeFault,
    },
    /// The device has not the subgroup size that the job requires.
    #[error(
        "the job requires subgroups of {wanted}, the device has {measured} ({min} to {max} can be required)"
    )]
    SubgroupSize {
        /// The size that the job requires.
        wanted: u32,
        /// Smallest size that can be required; equal to `measured` if none can be.
        min: u32,
        /// Largest size that can be required; equal to `measured` if none can be.
        max: u32,
        /// The size that the probe saw.
        measured: u32,
    },
    /// The device lacks a feature that the module or the job needs.
    #[error("the device lacks {feature}")]
    MissingFeature {
        /// A SPIR-V capability, a SPIR-V version, or a Vulkan feature.
        feature: String,
    },
    /// The SPIR-V words cannot be read.
    #[error("bad SPIR-V: {0}")]
    Module(#[from] ModuleError),
    /// The job contradicts itself or exceeds a limit of the device.
    #[error("bad job: {0}")]
    Job(#[from] JobError),
    /// The validation layer reported errors.
    #[error("the validation layer reports {} error(s): {}", messages.len(), list(messages))]
    Validation {
        /// The layer's messages of severity error, in order.
        messages: Vec<String>,
    },
    /// The device was lost. The [`crate::Device`] is of no further use.
    #[error("the device was lost")]
    DeviceLost,
    /// No memory left, on the host or on the device.
    #[error("out of memory: {what}")]
    OutOfMemory {
        /// The call or allocation that failed.
        what: String,
    },
    /// The job did not finish in time. The [`crate::Device`] is of no further use: what it was
    /// running cannot be stopped.
    #[error("the job did not finish within {seconds} s")]
    Timeout {
        /// The limit, in seconds.
        seconds: f64,
    },
    /// An earlier job was lost or timed out.
    #[error("the device was lost by an earlier job")]
    Unusable,
    /// A Vulkan call failed in another way.
    #[error("{call} failed with {name} ({code})")]
    Call {
        /// Name of the call.
        call: &'static str,
        /// Name of the `VkResult`.
        name: String,
        /// Number of the `VkResult`.
        code: i32,
    },
    /// The memory allocator failed in another way.
    #[error("memory allocation failed: {0}")]
    Allocator(String),
}

impl VulkanError {
    /// True where the fault is the device's and not the job's: it is missing, refused, lost, or
    /// does not answer (exit status 4 of the command).
    #[must_use]
    pub fn is_device_fault(&self) -> bool {
        matches!(
            self,
            Self::LoaderMissing { .. }
                | Self::NoDevice
                | Self::NoSuchDevice { .. }
                | Self::NullDevice { .. }
                | Self::ApiTooOld { .. }
                | Self::NoComputeQueue { .. }
                | Self::LayerMissing { .. }
                | Self::Probe { .. }
                | Self::DeviceLost
                | Self::OutOfMemory { .. }
                | Self::Timeout { .. }
                | Self::Unusable
        )
    }

    /// True where there is no device that could be used at all: the reason for which a device test
    /// may be skipped.
    #[must_use]
    pub fn is_device_missing(&self) -> bool {
        matches!(
            self,
            Self::LoaderMissing { .. } | Self::NoDevice | Self::NoSuchDevice { .. }
        )
    }

    /// True where the device is in order but has not what the module or the job needs.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        matches!(
            self,
            Self::SubgroupSize { .. } | Self::MissingFeature { .. }
        )
    }
}

/// What the probe dispatch found wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeFault {
    /// The dispatch returned, and memory is not what the shader writes.
    #[error("invocation {invocation} left {found:#010x} in memory instead of {expected:#010x}")]
    Memory {
        /// Global index of the invocation.
        invocation: u32,
        /// What memory must hold.
        expected: u32,
        /// What it holds.
        found: u32,
    },
    /// `SubgroupSize` and the lanes that a ballot counts differ, or differ between subgroups.
    #[error("it reports subgroups of {reported}, and a ballot of all lanes counts {counted}")]
    SubgroupSize {
        /// The value of the `SubgroupSize` built-in.
        reported: u32,
        /// The number of lanes that took part in a ballot.
        counted: u32,
    },
    /// Subgroup ids and lane ids do not number each invocation of a workgroup once.
    #[error("invocation {invocation} is lane {lane} of subgroup {subgroup}: out of range or taken")]
    Lanes {
        /// Global index of the invocation.
        invocation: u32,
        /// Its `SubgroupId`.
        subgroup: u32,
        /// Its `SubgroupLocalInvocationId`.
        lane: u32,
    },
    /// The lowest lane's value did not reach another lane of its subgroup.
    #[error("invocation {invocation} received a broadcast from invocation {from}")]
    Broadcast {
        /// Global index of the invocation.
        invocation: u32,
        /// The index in the workgroup that it received.
        from: u32,
    },
}

/// Why SPIR-V words cannot be taken. Only what the harness must know is read; whether the module
/// is valid is the validator's matter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModuleError {
    /// Fewer words than a header.
    #[error("{words} words are too few for a header")]
    Header {
        /// Number of words.
        words: usize,
    },
    /// The first word is not the magic number.
    #[error("the first word is {found:#010x}, not the magic number")]
    Magic {
        /// The first word.
        found: u32,
    },
    /// An instruction has length 0, runs past the end, or is too short for its operands.
    #[error("the instruction at word {word} is malformed")]
    Instruction {
        /// Index of the instruction's first word.
        word: usize,
    },
    /// There is no compute entry point of the name asked for.
    #[error("no compute entry point `{wanted}`; there are: {}", list(have))]
    EntryPoint {
        /// The name asked for.
        wanted: String,
        /// Names of the compute entry points.
        have: Vec<String>,
    },
    /// The module uses a resource that is no single buffer: an image, a sampler, or an array of
    /// buffers.
    #[error("set {set}, binding {binding} is not a single buffer")]
    Resource {
        /// Descriptor set.
        set: u32,
        /// Binding in the set.
        binding: u32,
    },
}

/// Why a job cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// Two buffers claim one binding.
    #[error("set {set}, binding {binding} is given twice")]
    DuplicateBinding {
        /// Descriptor set.
        set: u32,
        /// Binding in the set.
        binding: u32,
    },
    /// The module declares a buffer that the job has not.
    #[error("the module uses set {set}, binding {binding}, and the job has no such buffer")]
    MissingBinding {
        /// Descriptor set.
        set: u32,
        /// Binding in the set.
        binding: u32,
    },
    /// The module declares a storage buffer and the job has a uniform one, or the reverse.
    #[error("set {set}, binding {binding} is of another kind in the module")]
    BindingKind {
        /// Descriptor set.
        set: u32,
        /// Binding in the set.
        binding: u32,
    },
    /// A quantity exceeds what the device or this harness takes.
    #[error("{what} is {value}, and the limit is {limit}")]
    Limit {
        /// Name of the quantity.
        what: &'static str,
        /// The job's value.
        value: u64,
        /// The largest value taken.
        limit: u64,
    },
    /// The grid must be split, and the job does not say where the shader reads its base.
    #[error("the grid {groups:?} exceeds {limit:?} workgroups, and the job names no group base")]
    GroupBase {
        /// Workgroups in the grid.
        groups: [u32; 3],
        /// Workgroups in one dispatch.
        limit: [u32; 3],
    },
    /// The group base or an address does not lie, aligned, inside its target.
    #[error("{bytes} bytes at offset {offset} do not lie aligned inside {length} bytes")]
    Patch {
        /// Offset in the push constants or in the buffer.
        offset: u64,
        /// Number of bytes to write.
        bytes: u64,
        /// Length of the push constants or of the buffer.
        length: u64,
    },
    /// The push constants are no whole number of words.
    #[error("{bytes} bytes of push constants are no whole number of 32-bit words")]
    PushLength {
        /// Number of bytes.
        bytes: usize,
    },
    /// A patch names a buffer that does not exist or has no device address.
    #[error("buffer {index} does not exist or has no device address")]
    NoAddress {
        /// Index in the job's buffers.
        index: usize,
    },
    /// Subgroups cannot be full: the workgroup's x size is no multiple of the required size.
    #[error("the workgroup is {local:?}: x is no multiple of the required subgroup size {size}")]
    PartialSubgroup {
        /// Invocations in a workgroup.
        local: [u32; 3],
        /// The required subgroup size.
        size: u32,
    },
    /// The entry point's name holds a zero byte.
    #[error("the name of the entry point holds a zero byte")]
    EntryName,
}

/// Maps a failed call to its error, the three kinds that callers handle first.
pub(crate) fn failed(call: &'static str) -> impl FnOnce(vk::Result) -> VulkanError {
    move |result| match result {
        vk::Result::ERROR_DEVICE_LOST => VulkanError::DeviceLost,
        vk::Result::ERROR_OUT_OF_HOST_MEMORY
        | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
        | vk::Result::ERROR_OUT_OF_POOL_MEMORY => VulkanError::OutOfMemory {
            what: call.to_owned(),
        },
        other => VulkanError::Call {
            call,
            name: format!("{other:?}"),
            code: other.as_raw(),
        },
    }
}

impl From<AllocationError> for VulkanError {
    fn from(error: AllocationError) -> Self {
        match error {
            AllocationError::OutOfMemory => Self::OutOfMemory {
                what: "buffer".to_owned(),
            },
            other => Self::Allocator(other.to_string()),
        }
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_and_exhaustion_have_their_own_variants() {
        assert!(matches!(
            failed("f")(vk::Result::ERROR_DEVICE_LOST),
            VulkanError::DeviceLost
        ));
        assert!(matches!(
            failed("f")(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY),
            VulkanError::OutOfMemory { .. }
        ));
        let other = failed("vkThing")(vk::Result::ERROR_INITIALIZATION_FAILED);
        assert_eq!(
            other.to_string(),
            "vkThing failed with ERROR_INITIALIZATION_FAILED (-3)"
        );
        assert!(!other.is_device_fault());
    }
}

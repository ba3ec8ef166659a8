//! What a physical device says of itself, as plain data. Knows no job and opens nothing.

use std::ffi::CStr;

use ash::vk;

use crate::context::{Context, has};
use crate::error::{VulkanError, failed};
use crate::features::{FeatureChain, Features, Known};

/// A physical device.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceInfo {
    /// Position in the loader's list.
    pub index: usize,
    /// The driver's name for it.
    pub name: String,
    /// Vulkan version: major, minor, patch.
    pub api_version: (u32, u32, u32),
    /// Driver name and version as text.
    pub driver: String,
    /// PCI vendor number, or one that Khronos assigned.
    pub vendor_id: u32,
    /// The vendor's number for the device.
    pub device_id: u32,
    /// What kind of device it says it is.
    pub device_type: DeviceType,
    /// True where it is a driver's stand-in that executes nothing. It cannot be opened.
    pub null_device: bool,
    /// True where it has a queue for compute.
    pub compute_queue: bool,
    /// True where that queue draws too.
    pub graphics_queue: bool,
    /// The subgroup size that it reports.
    pub subgroup_size: u32,
    /// The least size that can be required; `subgroup_size` where none can be.
    pub min_subgroup_size: u32,
    /// The largest size that can be required; `subgroup_size` where none can be.
    pub max_subgroup_size: u32,
    /// Subgroup operations of compute shaders.
    pub subgroup_ops: SubgroupOps,
    /// Sizes.
    pub limits: Limits,
    /// Features. On a device that was opened with a validation layer too old to know some of them,
    /// those are off.
    pub features: Features,
}

/// What kind of device a device says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceType {
    /// Shares the host's memory.
    Integrated,
    /// Has memory of its own.
    Discrete,
    /// A part of a virtual machine.
    Virtual,
    /// Runs on the host's processor.
    Cpu,
    /// Anything else.
    Other,
}

/// Subgroup operations that compute shaders may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "a set of independent capabilities"
)]
pub struct SubgroupOps {
    /// Elect, barriers.
    pub basic: bool,
    /// All, any, all equal.
    pub vote: bool,
    /// Reductions and scans.
    pub arithmetic: bool,
    /// Ballots and broadcasts.
    pub ballot: bool,
    /// Shuffles.
    pub shuffle: bool,
    /// Shuffles up and down.
    pub shuffle_relative: bool,
    /// Clustered reductions.
    pub clustered: bool,
    /// Quad operations.
    pub quad: bool,
}

/// Sizes of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Workgroups of one dispatch, per dimension.
    pub max_workgroup_count: [u32; 3],
    /// Invocations of one workgroup.
    pub max_workgroup_invocations: u32,
    /// Invocations of one workgroup, per dimension.
    pub max_workgroup_size: [u32; 3],
    /// Subgroups of one workgroup where a size is required.
    pub max_workgroup_subgroups: u32,
    /// Workgroup memory, in bytes.
    pub max_shared_memory: u32,
    /// Push constants, in bytes.
    pub max_push_constants: u32,
    /// One storage buffer, in bytes.
    pub max_storage_buffer_range: u32,
    /// One uniform buffer, in bytes.
    pub max_uniform_buffer_range: u32,
    /// Storage buffers of one pipeline.
    pub max_storage_buffers: u32,
    /// Uniform buffers of one pipeline.
    pub max_uniform_buffers: u32,
    /// Descriptor sets of one pipeline.
    pub max_bound_sets: u32,
}

impl DeviceInfo {
    /// Whether [`crate::Device::open`] would try it.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        !self.null_device && self.compute_queue && self.api_version >= (1, 1, 0)
    }
}

/// Everything about a device that opening it needs.
pub(crate) struct Physical {
    pub(crate) handle: vk::PhysicalDevice,
    /// The API version that may be used: the lesser of the device's and the instance's.
    pub(crate) version: u32,
    pub(crate) layer: u32,
    pub(crate) extensions: Vec<vk::ExtensionProperties>,
    pub(crate) chain: FeatureChain,
    pub(crate) queue_family: Option<u32>,
    /// Bits of the queue's timestamps, and nanoseconds for each tick.
    pub(crate) timestamp: (u32, f32),
    pub(crate) info: DeviceInfo,
}

/// All physical devices of the instance, in the loader's order.
pub(crate) fn physical_devices(context: &Context) -> Result<Vec<Physical>, VulkanError> {
    // SAFETY: the instance is alive.
    let handles = match unsafe { context.instance.enumerate_physical_devices() } {
        Ok(handles) => handles,
        // Some loaders say so when no driver offers a device.
        Err(vk::Result::ERROR_INITIALIZATION_FAILED) => Vec::new(),
        Err(other) => return Err(failed("vkEnumeratePhysicalDevices")(other)),
    };
    handles
        .into_iter()
        .enumerate()
        .map(|(index, handle)| physical(context, index, handle))
        .collect()
}

fn physical(
    context: &Context,
    index: usize,
    handle: vk::PhysicalDevice,
) -> Result<Physical, VulkanError> {
    let instance = &context.instance;
    // SAFETY: `handle` is a device of this instance, here and below.
    let basic = unsafe { instance.get_physical_device_properties(handle) };
    let version = basic.api_version.min(context.api_version);
    // SAFETY: as above.
    let extensions = unsafe { instance.enumerate_device_extension_properties(handle) }
        .map_err(failed("vkEnumerateDeviceExtensionProperties"))?;
    // SAFETY: as above.
    let families = unsafe { instance.get_physical_device_queue_family_properties(handle) };
    let family = families
        .iter()
        .position(|f| f.queue_flags.contains(vk::QueueFlags::COMPUTE) && f.queue_count > 0);
    let graphics_queue = family
        .and_then(|i| families.get(i))
        .is_some_and(|f| f.queue_flags.contains(vk::QueueFlags::GRAPHICS));
    let timestamp_bits = family
        .and_then(|i| families.get(i))
        .map_or(0, |f| f.timestamp_valid_bits);

    let known = Known {
        version,
        layer: context.layer_version,
        offered: &extensions,
    };
    let mut chain = FeatureChain::default();
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut size = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    // Left as it is by a device without float controls; zero would mean independence of floats.
    let mut float = vk::PhysicalDeviceFloatControlsProperties {
        denorm_behavior_independence: vk::ShaderFloatControlsIndependence::NONE,
        rounding_mode_independence: vk::ShaderFloatControlsIndependence::NONE,
        ..vk::PhysicalDeviceFloatControlsProperties::default()
    };
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    // The structures and their queries came with 1.1; an older device is listed, not opened.
    if version >= vk::API_VERSION_1_1 {
        chain = FeatureChain::query(instance, handle, &known);
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
        if known.knows(vk::API_VERSION_1_3, c"VK_EXT_subgroup_size_control") {
            all = all.push_next(&mut size);
        }
        if known.knows(vk::API_VERSION_1_2, c"VK_KHR_shader_float_controls") {
            all = all.push_next(&mut float);
        }
        if known.knows(vk::API_VERSION_1_2, c"VK_KHR_driver_properties") {
            all = all.push_next(&mut driver);
        }
        // SAFETY: the chain holds structures that the device's version or extensions define, each
        // once, all alive until after the call.
        unsafe { instance.get_physical_device_properties2(handle, &mut all) };
    }
    let features = Features::new(&chain, &size, &float, &extensions);
    let name = text(basic.device_name_as_c_str().ok());
    let can_require = features.required_subgroup_compute;
    let limits = &basic.limits;
    let info = DeviceInfo {
        index,
        null_device: name.contains("Null hardware"),
        api_version: parts(basic.api_version),
        driver: driver_text(&driver, basic.driver_version),
        vendor_id: basic.vendor_id,
        device_id: basic.device_id,
        device_type: match basic.device_type {
            vk::PhysicalDeviceType::INTEGRATED_GPU => DeviceType::Integrated,
            vk::PhysicalDeviceType::DISCRETE_GPU => DeviceType::Discrete,
            vk::PhysicalDeviceType::VIRTUAL_GPU => DeviceType::Virtual,
            vk::PhysicalDeviceType::CPU => DeviceType::Cpu,
            _ => DeviceType::Other,
        },
        compute_queue: family.is_some(),
        graphics_queue,
        subgroup_size: subgroup.subgroup_size,
        min_subgroup_size: if can_require {
            size.min_subgroup_size
        } else {
            subgroup.subgroup_size
        },
        max_subgroup_size: if can_require {
            size.max_subgroup_size
        } else {
            subgroup.subgroup_size
        },
        subgroup_ops: subgroup_ops(&subgroup),
        limits: Limits {
            max_workgroup_count: limits.max_compute_work_group_count,
            max_workgroup_invocations: limits.max_compute_work_group_invocations,
            max_workgroup_size: limits.max_compute_work_group_size,
            max_workgroup_subgroups: size.max_compute_workgroup_subgroups,
            max_shared_memory: limits.max_compute_shared_memory_size,
            max_push_constants: limits.max_push_constants_size,
            max_storage_buffer_range: limits.max_storage_buffer_range,
            max_uniform_buffer_range: limits.max_uniform_buffer_range,
            max_storage_buffers: limits
                .max_per_stage_descriptor_storage_buffers
                .min(limits.max_per_stage_resources),
            max_uniform_buffers: limits
                .max_per_stage_descriptor_uniform_buffers
                .min(limits.max_per_stage_resources),
            max_bound_sets: limits.max_bound_descriptor_sets,
        },
        features,
        name,
    };
    Ok(Physical {
        handle,
        version,
        layer: context.layer_version,
        extensions,
        chain,
        queue_family: family.and_then(|i| u32::try_from(i).ok()),
        timestamp: (timestamp_bits, limits.timestamp_period),
        info,
    })
}

fn subgroup_ops(properties: &vk::PhysicalDeviceSubgroupProperties<'_>) -> SubgroupOps {
    if !properties
        .supported_stages
        .contains(vk::ShaderStageFlags::COMPUTE)
    {
        return SubgroupOps::default();
    }
    let can = |operation| properties.supported_operations.contains(operation);
    SubgroupOps {
        basic: can(vk::SubgroupFeatureFlags::BASIC),
        vote: can(vk::SubgroupFeatureFlags::VOTE),
        arithmetic: can(vk::SubgroupFeatureFlags::ARITHMETIC),
        ballot: can(vk::SubgroupFeatureFlags::BALLOT),
        shuffle: can(vk::SubgroupFeatureFlags::SHUFFLE),
        shuffle_relative: can(vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE),
        clustered: can(vk::SubgroupFeatureFlags::CLUSTERED),
        quad: can(vk::SubgroupFeatureFlags::QUAD),
    }
}

fn driver_text(driver: &vk::PhysicalDeviceDriverProperties<'_>, version: u32) -> String {
    let name = text(driver.driver_name_as_c_str().ok());
    let info = text(driver.driver_info_as_c_str().ok());
    if name.is_empty() {
        format!("driver version {version:#x}")
    } else {
        format!("{name} {info}").trim().to_owned()
    }
}

fn text(name: Option<&CStr>) -> String {
    name.map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn parts(version: u32) -> (u32, u32, u32) {
    (
        vk::api_version_major(version),
        vk::api_version_minor(version),
        vk::api_version_patch(version),
    )
}

impl Physical {
    pub(crate) fn known(&self) -> Known<'_> {
        Known {
            version: self.version,
            layer: self.layer,
            offered: &self.extensions,
        }
    }

    /// Whether the device extension is offered.
    pub(crate) fn has_extension(&self, name: &CStr) -> bool {
        has(&self.extensions, name)
    }
}

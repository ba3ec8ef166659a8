//! Choosing a device, opening it, and closing it again. Knows how jobs are run only where the
//! probe runs two.

use std::mem::ManuallyDrop;
use std::time::Duration;

use ash::{khr, vk};
use gpu_allocator::vulkan::{Allocator, AllocatorCreateDesc};
use gpu_allocator::{AllocationSizes, AllocatorDebugSettings};

use crate::context::Context;
use crate::error::{ProbeFault, VulkanError, failed};
use crate::info::{DeviceInfo, DeviceType, Physical, physical_devices};
use crate::job::{Buffer, Job};
use crate::plan::Host;
use crate::probe;

/// The environment variable that chooses the default device.
const DEVICE_VARIABLE: &str = "SPIRDNA_DEVICE";

/// Memory is taken from the driver in blocks of this many bytes.
const BLOCK: u64 = 32 << 20;

/// Which device to open.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    /// The one that `SPIRDNA_DEVICE` names by index or by a part of its name; without that
    /// variable the first that can be used.
    #[default]
    Default,
    /// Position in the loader's list.
    Index(usize),
    /// Part of a name, upper and lower case alike; the first that fits.
    Name(String),
}

/// How to open a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Requires the Khronos validation layer; its errors fail the run that causes them.
    pub validation: bool,
    /// How long one job may take on the device.
    pub timeout: Duration,
    /// Lowers the number of workgroups in one dispatch, so that small grids are split too.
    pub max_workgroup_count: Option<[u32; 3]>,
    /// Copies to and from memory of the device's own, as for a discrete GPU, where the host's
    /// memory would do too.
    pub copy_memory: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            validation: false,
            timeout: Duration::from_secs(60),
            max_workgroup_count: None,
            copy_memory: false,
        }
    }
}

/// All physical devices, null devices among them, in the loader's order. Nothing is executed.
///
/// # Errors
/// There is no Vulkan loader, or a call fails. No device at all is an empty list.
pub fn devices() -> Result<Vec<DeviceInfo>, VulkanError> {
    let context = match Context::new(false) {
        Ok(context) => context,
        Err(VulkanError::NoDevice) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let all = physical_devices(&context)?;
    Ok(all.into_iter().map(|p| p.info).collect())
}

/// An open device, good for any number of jobs, one at a time.
pub struct Device {
    pub(crate) info: DeviceInfo,
    pub(crate) options: Options,
    spirv: (u8, u8),
    measured: u32,
    /// Set while a submission has not been seen to end.
    pub(crate) in_flight: bool,
    /// Set where the device may still be at work on memory of ours.
    pub(crate) hung: bool,
    /// Set where no further job can run.
    pub(crate) lost: bool,
    /// True where device and host share memory, so that nothing need be copied.
    pub(crate) unified: bool,
    /// Nanoseconds for each tick and valid bits of a timestamp, where the queue has them.
    pub(crate) timestamp: Option<(f32, u32)>,
    pub(crate) queue: vk::Queue,
    pub(crate) command_pool: vk::CommandPool,
    pub(crate) commands: vk::CommandBuffer,
    pub(crate) fence: vk::Fence,
    pub(crate) queries: vk::QueryPool,
    pub(crate) allocator: ManuallyDrop<Allocator>,
    pub(crate) device: ash::Device,
    pub(crate) context: ManuallyDrop<Context>,
}

impl Device {
    /// Opens a device with everything switched on that [`crate::Features`] lists and it has, and
    /// runs the probe.
    ///
    /// # Errors
    /// There is no such device; it is a null device, older than Vulkan 1.1, or fails the probe;
    /// validation is wanted and not installed, or objects to something.
    pub fn open(choice: DeviceChoice, options: Options) -> Result<Self, VulkanError> {
        let context = Context::new(options.validation)?;
        let all = physical_devices(&context)?;
        let mut device = Self::create(context, choose(all, choice)?, options)?;
        // The probe's grid is no concern of a lowered limit.
        let lowered = device.options.max_workgroup_count.take();
        let probed = device.probe();
        device.options.max_workgroup_count = lowered;
        let errors = device.context.messages.take().errors;
        if !errors.is_empty() {
            return Err(VulkanError::Validation { messages: errors });
        }
        device.measured = probed?;
        Ok(device)
    }

    /// What the device says of itself.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// The subgroup size that compute shaders were seen to have where none was required; 1 where
    /// the device has no ballots.
    #[must_use]
    pub fn measured_subgroup_size(&self) -> u32 {
        self.measured
    }

    /// Whether the validation layer watches.
    #[must_use]
    pub fn is_validated(&self) -> bool {
        self.options.validation
    }

    /// Workgroups of one dispatch at most: the device's limit, or the lower one that was asked for.
    #[must_use]
    pub fn max_workgroup_count(&self) -> [u32; 3] {
        let mut max_groups = self.info.limits.max_workgroup_count;
        if let Some(lower) = self.options.max_workgroup_count {
            for (max, lower) in max_groups.iter_mut().zip(lower) {
                *max = (*max).min(lower).max(1);
            }
        }
        max_groups
    }

    pub(crate) fn host(&self) -> Host<'_> {
        Host {
            info: &self.info,
            spirv: self.spirv,
            measured: self.measured,
            max_groups: self.max_workgroup_count(),
        }
    }

    fn create(
        context: Context,
        mut physical: Physical,
        options: Options,
    ) -> Result<Self, VulkanError> {
        let name = || physical.info.name.clone();
        if physical.info.null_device {
            return Err(VulkanError::NullDevice { name: name() });
        }
        if physical.version < vk::API_VERSION_1_1 {
            return Err(VulkanError::ApiTooOld {
                name: name(),
                version: physical.info.api_version,
            });
        }
        let Some(family) = physical.queue_family else {
            return Err(VulkanError::NoComputeQueue { name: name() });
        };
        let spirv = match physical.version {
            vk::API_VERSION_1_3.. => (1, 6),
            vk::API_VERSION_1_2.. => (1, 5),
            _ if physical.has_extension(khr::spirv_1_4::NAME) => (1, 4),
            _ => (1, 3),
        };
        let mut chain = std::mem::take(&mut physical.chain);
        let (mut features, extensions) = chain.enable(&physical.known());
        let extensions: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(family)
            .queue_priorities(&[1.0])];
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&extensions)
            .push_next(&mut features);
        // SAFETY: the physical device is of this instance; features and extensions are what it
        // offers, and everything that `info` points at lives until after the call.
        let device = unsafe { context.instance.create_device(physical.handle, &info, None) }
            .map_err(failed("vkCreateDevice"))?;
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: context.instance.clone(),
            device: device.clone(),
            physical_device: physical.handle,
            debug_settings: AllocatorDebugSettings::default(),
            buffer_device_address: physical.info.features.buffer_device_address,
            allocation_sizes: AllocationSizes::new(BLOCK, BLOCK),
        });
        let allocator = match allocator {
            Ok(allocator) => allocator,
            Err(error) => {
                // SAFETY: nothing has been made from the device yet.
                unsafe { device.destroy_device(None) };
                return Err(error.into());
            }
        };
        // SAFETY: the device was made with one queue of this family.
        let queue = unsafe { device.get_device_queue(family, 0) };
        let (bits, period) = physical.timestamp;
        let mut this = Self {
            unified: !options.copy_memory
                && matches!(
                    physical.info.device_type,
                    DeviceType::Integrated | DeviceType::Cpu
                ),
            info: physical.info,
            options,
            spirv,
            measured: 1,
            in_flight: false,
            hung: false,
            lost: false,
            timestamp: (bits > 0 && period > 0.0).then_some((period, bits)),
            queue,
            command_pool: vk::CommandPool::null(),
            commands: vk::CommandBuffer::null(),
            fence: vk::Fence::null(),
            queries: vk::QueryPool::null(),
            allocator: ManuallyDrop::new(allocator),
            device,
            context: ManuallyDrop::new(context),
        };
        this.create_objects(family)?;
        Ok(this)
    }

    /// Makes what all jobs share. On failure `Drop` takes care of the part that was made.
    fn create_objects(&mut self, family: u32) -> Result<(), VulkanError> {
        let device = &self.device;
        let pool = vk::CommandPoolCreateInfo::default()
            .queue_family_index(family)
            .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
        // SAFETY: the device is alive and was made with a queue of the family.
        self.command_pool = unsafe { device.create_command_pool(&pool, None) }
            .map_err(failed("vkCreateCommandPool"))?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(self.command_pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool is of this device.
        let buffers = unsafe { device.allocate_command_buffers(&info) }
            .map_err(failed("vkAllocateCommandBuffers"))?;
        self.commands = buffers.first().copied().unwrap_or_default();
        // SAFETY: the device is alive.
        self.fence = unsafe { device.create_fence(&vk::FenceCreateInfo::default(), None) }
            .map_err(failed("vkCreateFence"))?;
        if self.timestamp.is_some() {
            let info = vk::QueryPoolCreateInfo::default()
                .query_type(vk::QueryType::TIMESTAMP)
                .query_count(2);
            // SAFETY: the device is alive, and its queue has timestamps.
            self.queries = unsafe { device.create_query_pool(&info, None) }
                .map_err(failed("vkCreateQueryPool"))?;
        }
        Ok(())
    }

    /// Runs the probe shaders and gives the subgroup size.
    fn probe(&mut self) -> Result<u32, VulkanError> {
        let groups = [probe::GROUPS, 1, 1];
        let fault = |info: &DeviceInfo, fault| VulkanError::Probe {
            name: info.name.clone(),
            fault,
        };
        let mut data = probe::memory_before();
        let words = probe::memory_shader();
        let mut job = Job::new(&words, "main", groups);
        job.buffers.push(Buffer::storage(0, 0, &mut data));
        self.run(&mut job)?;
        probe::judge_memory(&data).map_err(|f| fault(&self.info, f))?;
        if !self.info.subgroup_ops.ballot {
            return Ok(1);
        }
        let mut data = probe::subgroup_before();
        let words = probe::subgroup_shader();
        let mut job = Job::new(&words, "main", groups);
        job.buffers.push(Buffer::storage(0, 0, &mut data));
        self.run(&mut job)?;
        let size = probe::judge_subgroup(&data).map_err(|f| fault(&self.info, f))?;
        // Pipelines that ask for nothing have the size that the device reports.
        if size != self.info.subgroup_size {
            let reported = self.info.subgroup_size;
            return Err(fault(
                &self.info,
                ProbeFault::SubgroupSize {
                    reported,
                    counted: size,
                },
            ));
        }
        Ok(size)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        if self.hung {
            // The device may still read and write what would be freed here, and waiting for it
            // could last for ever: everything is left to the end of the process.
            return;
        }
        // SAFETY: each run waited for its work or set `hung`, so nothing is in use; all objects
        // are of this device (or null, which is allowed), and destroyed once, memory before the
        // device and the device before the instance. The two `ManuallyDrop`s are not used again.
        unsafe {
            self.device.destroy_query_pool(self.queries, None);
            self.device.destroy_fence(self.fence, None);
            self.device.destroy_command_pool(self.command_pool, None);
            ManuallyDrop::drop(&mut self.allocator);
            self.device.destroy_device(None);
            ManuallyDrop::drop(&mut self.context);
        }
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device")
            .field("info", &self.info)
            .field("options", &self.options)
            .field("measured", &self.measured)
            .field("lost", &self.lost)
            .finish_non_exhaustive()
    }
}

fn choose(mut all: Vec<Physical>, choice: DeviceChoice) -> Result<Physical, VulkanError> {
    let names: Vec<String> = all.iter().map(|p| p.info.name.clone()).collect();
    let choice = match choice {
        DeviceChoice::Default => from_variable(std::env::var(DEVICE_VARIABLE).ok()),
        other => other,
    };
    let (found, wanted) = match choice {
        DeviceChoice::Default => {
            return match all.iter().position(|p| p.info.is_usable()) {
                Some(at) => Ok(all.swap_remove(at)),
                // The reason why the only ones there are refused says more than "none".
                None if !all.is_empty() => Ok(all.swap_remove(0)),
                None => Err(VulkanError::NoDevice),
            };
        }
        DeviceChoice::Index(index) => ((index < all.len()).then_some(index), index.to_string()),
        DeviceChoice::Name(part) => {
            let lower = part.to_lowercase();
            let at = names
                .iter()
                .position(|name| name.to_lowercase().contains(&lower));
            (at, part)
        }
    };
    match found {
        Some(at) => Ok(all.swap_remove(at)),
        None => Err(VulkanError::NoSuchDevice {
            wanted,
            have: names,
        }),
    }
}

/// The choice that the environment variable's value stands for.
fn from_variable(value: Option<String>) -> DeviceChoice {
    match value {
        Some(text) if !text.trim().is_empty() => {
            let text = text.trim();
            text.parse()
                .map_or_else(|_| DeviceChoice::Name(text.to_owned()), DeviceChoice::Index)
        }
        _ => DeviceChoice::Default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_is_an_index_or_part_of_a_name() {
        let choice = |text: &str| from_variable(Some(text.to_owned()));
        assert_eq!(choice("1"), DeviceChoice::Index(1));
        assert_eq!(choice(" llvm "), DeviceChoice::Name("llvm".to_owned()));
        assert_eq!(choice(""), DeviceChoice::Default);
        assert_eq!(from_variable(None), DeviceChoice::Default);
    }

    #[test]
    fn a_device_may_move_to_another_thread() {
        fn is_send<T: Send>() {}
        is_send::<Device>();
    }
}

//! What a driver's compiler makes of a compute shader, as the text that the driver itself gives, and how long
//! that takes. Owns a
//! device of its own, since the driver may be one that executes nothing (RADV's null device), which
//! [`Device`](crate::Device) refuses. Knows nothing of what the text means.

use std::ffi::CStr;
use std::time::Duration;

use ash::vk;

/// Why there is no listing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListingError {
    /// The Vulkan loader library is not installed.
    #[error("no Vulkan loader: {0}")]
    LoaderMissing(String),
    /// A call failed.
    #[error("{call}: {result}")]
    Call {
        /// The Vulkan function.
        call: &'static str,
        /// What it returned.
        result: String,
    },
    /// The loader shows no device, or one of another name first.
    #[error("the first device is {found:?}, and not one named {wanted}")]
    OtherDevice {
        /// Its name.
        found: Option<String>,
        /// A part of the name that was asked for.
        wanted: String,
    },
    /// The driver gives no text of that name.
    #[error("the driver gives no text named {0}")]
    NoText(String),
}

fn failed(call: &'static str) -> impl FnOnce(vk::Result) -> ListingError {
    move |result| ListingError::Call {
        call,
        result: result.to_string(),
    }
}

/// What a shader asks of its pipeline layout.
#[derive(Clone, Copy, Debug)]
pub struct Interface {
    /// Storage buffers at bindings 0.. of set 0.
    pub storage_buffers: u32,
    /// Bytes of push constants (0: none).
    pub push_bytes: u32,
    /// Lanes of a wave: 32 or 64. Required of the driver, which otherwise picks 64 for a shader that
    /// can see its subgroup size, whatever RADV_PERFTEST says.
    pub wave: u32,
}

/// The text named `text` (RADV's "Assembly") that the first device's driver gives of `spirv`, whose entry
/// point is `main`. A driver reads its environment once, at its start.
///
/// # Errors
/// There is no loader, no device whose name has `device` in it, no text of that name, or a call fails.
pub fn listing(
    spirv: &[u32],
    interface: Interface,
    device: &str,
    text: &str,
) -> Result<String, ListingError> {
    let flags = vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR;
    on_first_device(device, |instance, device| {
        let stage = Stage::new(device, spirv, interface)?;
        stage.compile(flags, |pipeline| {
            representation(instance, device, pipeline, text)
        })?
    })
}

/// How long the first device's driver takes to compile each of some modules, whose entry points are `main`:
/// the least of `rounds` (at least 1) after one that is not counted, on `clock`. A driver reads its
/// environment once, at its start; one that keeps what it compiled must be told there not to.
///
/// # Errors
/// There is no loader, no device whose name has `device` in it, or a call fails.
pub fn compile_times(
    modules: &[(&[u32], Interface)],
    device: &str,
    rounds: u32,
    clock: impl Fn() -> Duration,
) -> Result<Vec<Duration>, ListingError> {
    on_first_device(device, |_, device| {
        let mut times = Vec::with_capacity(modules.len());
        for &(spirv, interface) in modules {
            let stage = Stage::new(device, spirv, interface)?;
            let none = vk::PipelineCreateFlags::empty();
            stage.compile(none, |_| ())?;
            let mut best = Duration::MAX;
            for _ in 0..rounds.max(1) {
                let start = clock();
                stage.compile(none, |_| ())?;
                best = best.min(clock().saturating_sub(start));
            }
            times.push(best);
        }
        Ok(times)
    })
}

/// Does something with the first device, whose name has `wanted` in it.
fn on_first_device<T>(
    wanted: &str,
    work: impl FnOnce(&ash::Instance, &ash::Device) -> Result<T, ListingError>,
) -> Result<T, ListingError> {
    // SAFETY: the loader library is trusted to be a Vulkan loader, as for every Vulkan program.
    let entry =
        unsafe { ash::Entry::load() }.map_err(|e| ListingError::LoaderMissing(e.to_string()))?;
    let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
    let info = vk::InstanceCreateInfo::default().application_info(&app);
    // SAFETY: `info` is a valid create info that outlives the call.
    let instance =
        unsafe { entry.create_instance(&info, None) }.map_err(failed("vkCreateInstance"))?;
    let result = on_instance(&instance, wanted, work);
    // SAFETY: everything made from the instance was destroyed in `on_instance`.
    unsafe { instance.destroy_instance(None) };
    result
}

fn on_instance<T>(
    instance: &ash::Instance,
    wanted: &str,
    work: impl FnOnce(&ash::Instance, &ash::Device) -> Result<T, ListingError>,
) -> Result<T, ListingError> {
    // SAFETY: the instance is live.
    let devices = unsafe { instance.enumerate_physical_devices() }
        .map_err(failed("vkEnumeratePhysicalDevices"))?;
    let other = |found| ListingError::OtherDevice {
        found,
        wanted: wanted.to_owned(),
    };
    let physical = *devices.first().ok_or_else(|| other(None))?;
    // SAFETY: `physical` comes from this instance.
    let properties = unsafe { instance.get_physical_device_properties(physical) };
    let name = properties
        .device_name_as_c_str()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    if !name.contains(wanted) {
        return Err(other(Some(name)));
    }
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(0)
        .queue_priorities(&priorities)];
    let extensions = [vk::KHR_PIPELINE_EXECUTABLE_PROPERTIES_NAME.as_ptr()];
    let mut executable = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default()
        .pipeline_executable_info(true);
    let mut v11 = vk::PhysicalDeviceVulkan11Features::default().storage_buffer16_bit_access(true);
    let mut v12 = vk::PhysicalDeviceVulkan12Features::default()
        .shader_float16(true)
        .shader_int8(true)
        .storage_buffer8_bit_access(true);
    let mut v13 = vk::PhysicalDeviceVulkan13Features::default().subgroup_size_control(true);
    let core = vk::PhysicalDeviceFeatures::default()
        .shader_int16(true)
        .shader_int64(true);
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&extensions)
        .enabled_features(&core)
        .push_next(&mut executable)
        .push_next(&mut v11)
        .push_next(&mut v12)
        .push_next(&mut v13);
    // SAFETY: every pointer in `info` refers to a local that outlives the call.
    let device = unsafe { instance.create_device(physical, &info, None) }
        .map_err(failed("vkCreateDevice"))?;
    let result = work(instance, &device);
    // SAFETY: `work` destroyed what it made.
    unsafe { device.destroy_device(None) };
    result
}

/// A module with the layout of its pipeline.
struct Stage<'d> {
    device: &'d ash::Device,
    set: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    module: vk::ShaderModule,
    wave: u32,
}

impl<'d> Stage<'d> {
    fn new(
        device: &'d ash::Device,
        spirv: &[u32],
        interface: Interface,
    ) -> Result<Stage<'d>, ListingError> {
        let bindings: Vec<_> = (0..interface.storage_buffers)
            .map(|binding| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding)
                    .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let set_info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let module_info = vk::ShaderModuleCreateInfo::default().code(spirv);
        let ranges = [vk::PushConstantRange::default()
            .stage_flags(vk::ShaderStageFlags::COMPUTE)
            .size(interface.push_bytes)];
        // SAFETY: the create infos are valid and live; `drop` destroys the objects. A process that fails
        // half way ends at once, and its objects with it.
        unsafe {
            let set = device
                .create_descriptor_set_layout(&set_info, None)
                .map_err(failed("vkCreateDescriptorSetLayout"))?;
            let sets = [set];
            let mut layout_info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
            if interface.push_bytes != 0 {
                layout_info = layout_info.push_constant_ranges(&ranges);
            }
            let layout = device
                .create_pipeline_layout(&layout_info, None)
                .map_err(failed("vkCreatePipelineLayout"))?;
            let module = device
                .create_shader_module(&module_info, None)
                .map_err(failed("vkCreateShaderModule"))?;
            Ok(Stage {
                device,
                set,
                layout,
                module,
                wave: interface.wave,
            })
        }
    }

    /// Makes a pipeline, gives it to `work` and destroys it.
    fn compile<T>(
        &self,
        flags: vk::PipelineCreateFlags,
        work: impl FnOnce(vk::Pipeline) -> T,
    ) -> Result<T, ListingError> {
        let mut wave = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
            .required_subgroup_size(self.wave);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(self.module)
            .name(c"main")
            .push_next(&mut wave);
        let info = vk::ComputePipelineCreateInfo::default()
            .flags(flags)
            .stage(stage)
            .layout(self.layout);
        // SAFETY: module and layout live as long as `self`; the pipeline is destroyed after its last use.
        unsafe {
            let pipeline = self
                .device
                .create_compute_pipelines(vk::PipelineCache::null(), &[info], None)
                .map_err(|(_, error)| failed("vkCreateComputePipelines")(error))?
                .first()
                .copied()
                .unwrap_or_default();
            let result = work(pipeline);
            self.device.destroy_pipeline(pipeline, None);
            Ok(result)
        }
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        // SAFETY: nothing that was made of these lives any more.
        unsafe {
            self.device.destroy_shader_module(self.module, None);
            self.device.destroy_pipeline_layout(self.layout, None);
            self.device.destroy_descriptor_set_layout(self.set, None);
        }
    }
}

/// The text of the representation of that name of the pipeline's only executable.
fn representation(
    instance: &ash::Instance,
    device: &ash::Device,
    pipeline: vk::Pipeline,
    wanted: &str,
) -> Result<String, ListingError> {
    const CALL: &str = "vkGetPipelineExecutableInternalRepresentationsKHR";
    let loader = ash::khr::pipeline_executable_properties::Device::new(instance, device);
    let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline);
    // SAFETY: the pipeline is live and was made with CAPTURE_INTERNAL_REPRESENTATIONS.
    let mut found = unsafe { loader.get_pipeline_executable_internal_representations(&info) }
        .map_err(failed(CALL))?;
    let mut texts: Vec<Vec<u8>> = found.iter().map(|r| vec![0; r.data_size]).collect();
    for (entry, text) in found.iter_mut().zip(&mut texts) {
        entry.p_data = text.as_mut_ptr().cast();
    }
    let mut count = u32::try_from(found.len()).unwrap_or(u32::MAX);
    // SAFETY: `found` has `count` elements, and each points to a buffer of the size that the driver
    // asked for in the call before.
    let result = unsafe {
        (loader
            .fp()
            .get_pipeline_executable_internal_representations_khr)(
            loader.device(),
            &info,
            &mut count,
            found.as_mut_ptr(),
        )
    };
    result.result().map_err(failed(CALL))?;
    for (entry, text) in found.iter().zip(&texts) {
        // SAFETY: `name` is a NUL-terminated array filled by the driver.
        let name = unsafe { CStr::from_ptr(entry.name.as_ptr()) };
        if name.to_bytes() == wanted.as_bytes() {
            let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
            let text = text.get(..end).unwrap_or_default();
            return Ok(String::from_utf8_lossy(text).into_owned());
        }
    }
    Err(ListingError::NoText(wanted.to_owned()))
}

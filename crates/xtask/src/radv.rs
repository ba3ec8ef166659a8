//! Compiles one SPIR-V compute shader with RADV's null device and returns the driver's "Assembly"
//! text: real gfx1030 code without a GPU. Knows Vulkan and nothing of seeds, cases or Spirdna.
//!
//! The driver reads its environment once at start, so the caller runs this in a child process whose
//! environment already holds [`ENVIRONMENT`].
#![allow(
    unsafe_code,
    reason = "calls the Vulkan API; each block says why it holds"
)]

use std::ffi::CStr;

use anyhow::{Context, Result, bail, ensure};
use ash::vk;

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

/// The environment that makes the loader open RADV's null device as an RDNA2 part.
pub const ENVIRONMENT: [(&str, &str); 3] = [
    (
        "VK_ICD_FILENAMES",
        "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json",
    ),
    ("RADV_FORCE_FAMILY", "navi21"),
    ("MESA_SHADER_CACHE_DISABLE", "true"),
];

/// The driver's assembly listing of `spirv` (entry point `main`), code words as hex after `;`.
pub fn assembly(spirv: &[u32], interface: Interface) -> Result<String> {
    // SAFETY: the loader library is trusted to be a Vulkan loader, as for every Vulkan program.
    let entry = unsafe { ash::Entry::load() }
        .context("no Vulkan loader: run `cargo xtask setup` (Debian package libvulkan1)")?;
    let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
    let info = vk::InstanceCreateInfo::default().application_info(&app);
    // SAFETY: `info` is a valid create info that outlives the call.
    let instance = unsafe { entry.create_instance(&info, None) }.context("vkCreateInstance")?;
    let result = on_instance(&instance, spirv, interface);
    // SAFETY: everything made from the instance was destroyed in `on_instance`.
    unsafe { instance.destroy_instance(None) };
    result
}

fn on_instance(instance: &ash::Instance, spirv: &[u32], interface: Interface) -> Result<String> {
    // SAFETY: the instance is live.
    let devices = unsafe { instance.enumerate_physical_devices() }.context("physical devices")?;
    let physical = *devices.first().context("RADV shows no device")?;
    // SAFETY: `physical` comes from this instance.
    let properties = unsafe { instance.get_physical_device_properties(physical) };
    let name = properties
        .device_name_as_c_str()
        .context("device name")?
        .to_string_lossy()
        .into_owned();
    ensure!(
        name.contains("NAVI21") || name.contains("navi21") || name.contains("Null"),
        "expected RADV's null device, found {name}"
    );
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
    let device =
        unsafe { instance.create_device(physical, &info, None) }.context("vkCreateDevice")?;
    let result = on_device(instance, &device, spirv, interface);
    // SAFETY: `on_device` destroyed what it made.
    unsafe { device.destroy_device(None) };
    result
}

fn on_device(
    instance: &ash::Instance,
    device: &ash::Device,
    spirv: &[u32],
    interface: Interface,
) -> Result<String> {
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
    let mut wave = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
        .required_subgroup_size(interface.wave);
    // SAFETY: the create infos are valid and live; the objects are destroyed below, after their last
    // use. A process that fails half way ends at once, and its objects with it.
    unsafe {
        let set = device.create_descriptor_set_layout(&set_info, None)?;
        let sets = [set];
        let mut layout_info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        if interface.push_bytes != 0 {
            layout_info = layout_info.push_constant_ranges(&ranges);
        }
        let layout = device.create_pipeline_layout(&layout_info, None)?;
        let module = device.create_shader_module(&module_info, None)?;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main")
            .push_next(&mut wave);
        let pipeline_info = vk::ComputePipelineCreateInfo::default()
            .flags(vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR)
            .stage(stage)
            .layout(layout);
        let pipeline = device
            .create_compute_pipelines(vk::PipelineCache::null(), &[pipeline_info], None)
            .map_err(|(_, error)| error)
            .context("vkCreateComputePipelines")?
            .first()
            .copied()
            .context("no pipeline")?;
        let text = representation(instance, device, pipeline);
        device.destroy_pipeline(pipeline, None);
        device.destroy_shader_module(module, None);
        device.destroy_pipeline_layout(layout, None);
        device.destroy_descriptor_set_layout(set, None);
        text
    }
}

/// The text of the representation named "Assembly" of the pipeline's only executable.
fn representation(
    instance: &ash::Instance,
    device: &ash::Device,
    pipeline: vk::Pipeline,
) -> Result<String> {
    let loader = ash::khr::pipeline_executable_properties::Device::new(instance, device);
    let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline);
    // SAFETY: the pipeline is live and was made with CAPTURE_INTERNAL_REPRESENTATIONS.
    let mut found = unsafe { loader.get_pipeline_executable_internal_representations(&info)? };
    let mut texts: Vec<Vec<u8>> = found.iter().map(|r| vec![0; r.data_size]).collect();
    for (entry, text) in found.iter_mut().zip(&mut texts) {
        entry.p_data = text.as_mut_ptr().cast();
    }
    let mut count = u32::try_from(found.len())?;
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
    result.result().context("internal representations")?;
    for (entry, text) in found.iter().zip(&texts) {
        // SAFETY: `name` is a NUL-terminated array filled by the driver.
        let name = unsafe { CStr::from_ptr(entry.name.as_ptr()) };
        if name == c"Assembly" {
            let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
            let text = text.get(..end).unwrap_or_default();
            return Ok(String::from_utf8_lossy(text).into_owned());
        }
    }
    bail!("the driver gave no Assembly text")
}

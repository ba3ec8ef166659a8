//! What a driver's compiler makes of a compute shader, as the texts and figures that the driver itself
//! gives. Owns a device of its own, since the driver may be one that executes nothing (RADV's null
//! device), which [`Device`](crate::Device) refuses. Knows nothing of what the texts mean.

mod graphics;

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::time::{Duration, Instant};

use ash::vk;

use crate::job::BufferKind;

pub use graphics::StageText;

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
    /// The entry point's name has a NUL.
    #[error("an entry point's name has a NUL byte")]
    Name,
}

fn failed(call: &'static str) -> impl FnOnce(vk::Result) -> ListingError {
    move |result| ListingError::Call {
        call,
        result: result.to_string(),
    }
}

/// What a shader asks of its pipeline layout.
#[derive(Clone, Debug)]
pub struct Interface {
    /// Its entry point.
    pub entry: String,
    /// Its buffers: set, binding, kind.
    pub buffers: Vec<(u32, u32, BufferKind)>,
    /// Bytes of push constants (0: none).
    pub push_bytes: u32,
    /// Lanes of a wave: 32 or 64. Required of the driver, which otherwise picks 64 for a shader that
    /// can see its subgroup size, whatever RADV_PERFTEST says.
    pub wave: u32,
}

/// What the driver says of a compiled shader.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Its texts, by name (RADV: `NIR Shader(s)`, `ACO IR`, `Assembly`).
    pub texts: Vec<(String, String)>,
    /// Its figures, by name.
    pub statistics: Vec<(String, u64)>,
    /// What compiling took, once more and without the texts.
    pub compile: Duration,
}

/// A driver's compiler: the loader's first device.
pub struct Compiler {
    device: ash::Device,
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    properties: ash::khr::pipeline_executable_properties::Device,
    /// Keeps the loader's library.
    _entry: ash::Entry,
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // SAFETY: every other object was destroyed by the call that made it; the device goes before
        // its instance.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

/// Extensions that shaders may use, enabled where the device has them.
const EXTENSIONS: [&CStr; 4] = [
    vk::EXT_SHADER_ATOMIC_FLOAT_NAME,
    vk::EXT_SHADER_ATOMIC_FLOAT2_NAME,
    vk::KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_NAME,
    vk::KHR_SHADER_CLOCK_NAME,
];

impl Compiler {
    /// Opens the first device, whose name must have `wanted` in it. A driver reads its environment once,
    /// at its start.
    ///
    /// # Errors
    /// There is no loader, no such device, or a call fails.
    pub fn open(wanted: &str) -> Result<Compiler, ListingError> {
        // SAFETY: the loader library is trusted to be a Vulkan loader, as for every Vulkan program.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|e| ListingError::LoaderMissing(e.to_string()))?;
        let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let info = vk::InstanceCreateInfo::default().application_info(&app);
        // SAFETY: `info` is a valid create info that outlives the call.
        let instance =
            unsafe { entry.create_instance(&info, None) }.map_err(failed("vkCreateInstance"))?;
        match open_device(&instance, wanted) {
            Ok((physical, device)) => Ok(Compiler {
                properties: ash::khr::pipeline_executable_properties::Device::new(
                    &instance, &device,
                ),
                device,
                instance,
                physical,
                _entry: entry,
            }),
            Err(error) => {
                // SAFETY: nothing made from the instance is left.
                unsafe { instance.destroy_instance(None) };
                Err(error)
            }
        }
    }

    /// The device's name.
    #[must_use]
    pub fn name(&self) -> String {
        name(&self.instance, self.physical)
    }

    /// Compiles a module and gives all that the driver says of it.
    ///
    /// # Errors
    /// A call fails: the driver refuses the shader.
    pub fn compile(&self, spirv: &[u32], interface: &Interface) -> Result<Listing, ListingError> {
        self.with(spirv, interface, |entry, objects| {
            let told = self.pipeline(interface, entry, objects, true)?;
            let mut listing = self.read(told, 0)?;
            // The first compilation has warmed the driver; one without texts is what a program pays.
            let start = Instant::now();
            self.pipeline(interface, entry, objects, false)?;
            listing.compile = start.elapsed();
            Ok(listing)
        })
    }

    /// How long the driver takes to compile a module: the least of `rounds` (at least 1) after one that is
    /// not counted, on `clock`. A driver that keeps what it compiled must be told not to by its environment.
    ///
    /// # Errors
    /// A call fails: the driver refuses the shader.
    pub fn time(
        &self,
        spirv: &[u32],
        interface: &Interface,
        rounds: u32,
        clock: impl Fn() -> Duration,
    ) -> Result<Duration, ListingError> {
        let mut best = Duration::MAX;
        self.with(spirv, interface, |entry, objects| {
            self.pipeline(interface, entry, objects, false)?;
            for _ in 0..rounds.max(1) {
                let start = clock();
                self.pipeline(interface, entry, objects, false)?;
                best = best.min(clock().saturating_sub(start));
            }
            Ok(())
        })?;
        Ok(best)
    }

    /// Does something with a module and the layout of its pipelines.
    fn with<T>(
        &self,
        spirv: &[u32],
        interface: &Interface,
        work: impl FnOnce(&CStr, &mut Objects) -> Result<T, ListingError>,
    ) -> Result<T, ListingError> {
        let entry = CString::new(interface.entry.as_str()).map_err(|_| ListingError::Name)?;
        let mut objects = Objects::default();
        let made = self
            .make(spirv, interface, &mut objects)
            .and_then(|()| work(&entry, &mut objects));
        let device = &self.device;
        // SAFETY: the objects were made by `make` and `work` on this device and are used by nobody else;
        // null handles are allowed.
        unsafe {
            for pipeline in objects.pipelines {
                device.destroy_pipeline(pipeline, None);
            }
            device.destroy_shader_module(objects.module, None);
            device.destroy_pipeline_layout(objects.layout, None);
            for set in objects.sets {
                device.destroy_descriptor_set_layout(set, None);
            }
        }
        made
    }

    fn make(
        &self,
        spirv: &[u32],
        interface: &Interface,
        objects: &mut Objects,
    ) -> Result<(), ListingError> {
        let device = &self.device;
        let mut sets: BTreeMap<u32, Vec<vk::DescriptorSetLayoutBinding<'_>>> = BTreeMap::new();
        for &(set, binding, kind) in &interface.buffers {
            let ty = match kind {
                BufferKind::Storage => vk::DescriptorType::STORAGE_BUFFER,
                BufferKind::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
                BufferKind::Unbound => continue,
            };
            sets.entry(set).or_default().push(
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding)
                    .descriptor_type(ty)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE),
            );
        }
        let count = sets.last_key_value().map_or(0, |(&set, _)| set + 1);
        for set in 0..count {
            let bindings = sets.remove(&set).unwrap_or_default();
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            // SAFETY: the create info is valid and live.
            let layout = unsafe { device.create_descriptor_set_layout(&info, None) };
            objects
                .sets
                .push(layout.map_err(failed("vkCreateDescriptorSetLayout"))?);
        }
        let ranges = [vk::PushConstantRange::default()
            .stage_flags(vk::ShaderStageFlags::COMPUTE)
            .size(interface.push_bytes)];
        let mut layout_info = vk::PipelineLayoutCreateInfo::default().set_layouts(&objects.sets);
        if interface.push_bytes != 0 {
            layout_info = layout_info.push_constant_ranges(&ranges);
        }
        let module_info = vk::ShaderModuleCreateInfo::default().code(spirv);
        // SAFETY: the create infos are valid and live.
        unsafe {
            objects.layout = device
                .create_pipeline_layout(&layout_info, None)
                .map_err(failed("vkCreatePipelineLayout"))?;
            objects.module = device
                .create_shader_module(&module_info, None)
                .map_err(failed("vkCreateShaderModule"))?;
        }
        Ok(())
    }

    fn pipeline(
        &self,
        interface: &Interface,
        entry: &CStr,
        objects: &mut Objects,
        told: bool,
    ) -> Result<vk::Pipeline, ListingError> {
        let mut wave = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
            .required_subgroup_size(interface.wave);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(objects.module)
            .name(entry)
            .push_next(&mut wave);
        let flags = if told {
            vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR
                | vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR
        } else {
            vk::PipelineCreateFlags::empty()
        };
        let info = vk::ComputePipelineCreateInfo::default()
            .flags(flags)
            .stage(stage)
            .layout(objects.layout);
        // SAFETY: the create info is valid and live, and so are the module and the layout.
        let made = unsafe {
            self.device
                .create_compute_pipelines(vk::PipelineCache::null(), &[info], None)
        };
        let made = made.map_err(|(_, error)| failed("vkCreateComputePipelines")(error))?;
        let pipeline = made.first().copied().unwrap_or_default();
        objects.pipelines.push(pipeline);
        Ok(pipeline)
    }

    /// The texts and figures of the pipeline's only executable.
    fn read(&self, pipeline: vk::Pipeline, executable: u32) -> Result<Listing, ListingError> {
        const CALL: &str = "vkGetPipelineExecutableInternalRepresentationsKHR";
        let info = vk::PipelineExecutableInfoKHR::default()
            .pipeline(pipeline)
            .executable_index(executable);
        // SAFETY: the pipeline is live and was made with CAPTURE_INTERNAL_REPRESENTATIONS.
        let found = unsafe {
            self.properties
                .get_pipeline_executable_internal_representations(&info)
        };
        let mut found = found.map_err(failed(CALL))?;
        let mut texts: Vec<Vec<u8>> = found.iter().map(|r| vec![0; r.data_size]).collect();
        for (entry, text) in found.iter_mut().zip(&mut texts) {
            entry.p_data = text.as_mut_ptr().cast();
        }
        let mut count = u32::try_from(found.len()).unwrap_or(u32::MAX);
        // SAFETY: `found` has `count` elements, and each points to a buffer of the size that the driver
        // asked for in the call before.
        let result = unsafe {
            (self
                .properties
                .fp()
                .get_pipeline_executable_internal_representations_khr)(
                self.properties.device(),
                &info,
                &mut count,
                found.as_mut_ptr(),
            )
        };
        result.result().map_err(failed(CALL))?;
        // SAFETY: as above, with CAPTURE_STATISTICS.
        let statistics = unsafe { self.properties.get_pipeline_executable_statistics(&info) }
            .map_err(failed("vkGetPipelineExecutableStatisticsKHR"))?;
        let text = |name: &[std::ffi::c_char]| {
            let bytes: Vec<u8> = name.iter().map(|&c| c.cast_unsigned()).collect();
            until_nul(&bytes)
        };
        Ok(Listing {
            texts: found
                .iter()
                .zip(&texts)
                .map(|(entry, bytes)| (text(&entry.name), until_nul(bytes)))
                .collect(),
            statistics: statistics
                .iter()
                .filter(|s| s.format == vk::PipelineExecutableStatisticFormatKHR::UINT64)
                // SAFETY: the format says that this is the field that was written.
                .map(|s| (text(&s.name), unsafe { s.value.u64 }))
                .collect(),
            compile: Duration::ZERO,
        })
    }
}

/// What a compilation makes on the device.
#[derive(Default)]
struct Objects {
    sets: Vec<vk::DescriptorSetLayout>,
    layout: vk::PipelineLayout,
    module: vk::ShaderModule,
    pipelines: Vec<vk::Pipeline>,
}

fn until_nul(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

fn name(instance: &ash::Instance, physical: vk::PhysicalDevice) -> String {
    // SAFETY: `physical` comes from this instance.
    let properties = unsafe { instance.get_physical_device_properties(physical) };
    let name = properties.device_name_as_c_str().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn open_device(
    instance: &ash::Instance,
    wanted: &str,
) -> Result<(vk::PhysicalDevice, ash::Device), ListingError> {
    // SAFETY: the instance is live.
    let devices = unsafe { instance.enumerate_physical_devices() }
        .map_err(failed("vkEnumeratePhysicalDevices"))?;
    let other = |found| ListingError::OtherDevice {
        found,
        wanted: wanted.to_owned(),
    };
    let physical = *devices.first().ok_or_else(|| other(None))?;
    let name = name(instance, physical);
    if !name.contains(wanted) {
        return Err(other(Some(name)));
    }
    // SAFETY: `physical` comes from this instance.
    let offered = unsafe { instance.enumerate_device_extension_properties(physical) }
        .map_err(failed("vkEnumerateDeviceExtensionProperties"))?;
    let has = |wanted: &CStr| {
        offered
            .iter()
            .any(|e| e.extension_name_as_c_str() == Ok(wanted))
    };
    let mut extensions = vec![vk::KHR_PIPELINE_EXECUTABLE_PROPERTIES_NAME.as_ptr()];
    extensions.extend(
        EXTENSIONS
            .iter()
            .filter(|name| has(name))
            .map(|name| name.as_ptr()),
    );
    // Whatever the device has is enabled, so that no shader fails for want of a feature, but for robust
    // accesses, which would be other code than a game's.
    let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
    let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
    let mut v13 = vk::PhysicalDeviceVulkan13Features::default();
    let mut executable = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default();
    let mut core = vk::PhysicalDeviceFeatures2::default()
        .push_next(&mut v11)
        .push_next(&mut v12)
        .push_next(&mut v13)
        .push_next(&mut executable);
    // SAFETY: the chain is valid and live.
    unsafe { instance.get_physical_device_features2(physical, &mut core) };
    core.features.robust_buffer_access = vk::FALSE;
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(0)
        .queue_priorities(&priorities)];
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&extensions)
        .push_next(&mut core);
    // SAFETY: every pointer in `info` refers to a local that outlives the call.
    let device = unsafe { instance.create_device(physical, &info, None) }
        .map_err(failed("vkCreateDevice"))?;
    Ok((physical, device))
}

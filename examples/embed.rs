//! Drives a translation with `ash` alone: what an emulator does with Spirdna, without its harness. 64
//! threads square the integers at a guest address.
//!
//! `cargo run --example embed` needs a Vulkan 1.3 device.

// Vulkan is called directly here; the rest of the project keeps `unsafe` in one crate.
#![allow(unsafe_code)]

use std::error::Error;

use ash::{Device, Instance, vk};
use spirdna::isa::launch::Launch;
use spirdna::isa::{Target, WaveSize};
use spirdna::{
    BufferUse, DescriptorFacts, FAULT_SLOTS, HostProfile, Options, Reflection, Translation,
    translate,
};

/// v_lshlrev_b32 v1, 2, v0; global_load_dword v2, v1, s[0:1]; s_waitcnt vmcnt(0);
/// v_mul_lo_u32 v2, v2, v2; global_store_dword v1, v2, s[0:1]; s_endpgm
const CODE: [u32; 9] = [
    0x3402_0082,
    0xdc30_8000,
    0x0200_0001,
    0xbf8c_3f70,
    0xd569_0002,
    0x0002_0502,
    0xdc70_8000,
    0x0000_0201,
    0xbf81_0000,
];

/// Where the guest sees the data, and how many integers there are.
const ADDRESS: u64 = 0x7_0000_1000;
const COUNT: u32 = 64;

/// Where the data lies in the memory buffer; its first bytes are reserved.
const POOL_OFFSET: u32 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: the loader is a Vulkan loader; nothing else of it is relied on.
    let entry = unsafe { ash::Entry::load()? };
    let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
    let info = vk::InstanceCreateInfo::default().application_info(&app);
    // SAFETY: `info` points to data that lives until after the call.
    let instance = unsafe { entry.create_instance(&info, None)? };
    let result = on_instance(&instance);
    // SAFETY: everything made from the instance is gone.
    unsafe { instance.destroy_instance(None) };
    let squares = result?;
    // An example prints its result.
    #[allow(clippy::print_stdout)]
    {
        println!("{:?} …", squares.get(..8).unwrap_or_default());
    }
    let right = (0..COUNT).map(|n| n * n).eq(squares);
    right.then_some(()).ok_or_else(|| "wrong squares".into())
}

fn on_instance(instance: &Instance) -> Result<Vec<u32>, Box<dyn Error>> {
    // SAFETY: the instance is alive, here and below.
    let all = unsafe { instance.enumerate_physical_devices()? };
    let physical = *all.first().ok_or("no Vulkan device")?;
    // SAFETY: `physical` is a device of this instance.
    let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
    let compute = |f: &vk::QueueFamilyProperties| f.queue_flags.contains(vk::QueueFlags::COMPUTE);
    let family = families
        .iter()
        .position(compute)
        .ok_or("no compute queue")? as u32;
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
    // SAFETY: the chain lives until after the call.
    unsafe { instance.get_physical_device_properties2(physical, &mut properties) };

    // The translation: a wave of 32 lanes, laid over subgroups of the host's size (a divisor of 32).
    let size = subgroup.subgroup_size;
    let size = if size <= 32 { size } else { 1 };
    let mut launch = Launch::compute(Target::Gfx1030, WaveSize::W32, [COUNT, 1, 1]);
    launch.user_sgprs = 2;
    let profile = HostProfile::portable(size);
    let facts = DescriptorFacts::default();
    let translation = translate(&CODE, &launch, &profile, &Options::default(), &facts)?;

    let queue = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(family)
        .queue_priorities(&[1.0])];
    let mut features = vk::PhysicalDeviceVulkan13Features::default()
        .subgroup_size_control(true)
        .compute_full_subgroups(true);
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queue)
        .push_next(&mut features);
    // SAFETY: the chain lives until after the call.
    let device = unsafe { instance.create_device(physical, &info, None)? };
    // SAFETY: as above.
    let memory = unsafe { instance.get_physical_device_memory_properties(physical) };
    let result = on_device(&device, &memory, family, &translation);
    // SAFETY: the device is idle, or lost; what was made from it and is left goes with it.
    unsafe { device.destroy_device(None) };
    result
}

/// What the module's buffers hold before the dispatch.
fn contents(usage: BufferUse) -> Result<Vec<u32>, Box<dyn Error>> {
    match usage {
        BufferUse::Memory => {
            let mut pool = vec![0; POOL_OFFSET as usize / 4];
            pool.extend(0..COUNT);
            Ok(pool)
        }
        // One window: count, padding, then base (low, high), bytes, offset in the pool.
        BufferUse::Windows => {
            let (low, high) = (ADDRESS as u32, (ADDRESS >> 32) as u32);
            Ok(vec![1, 0, 0, 0, low, high, COUNT * 4, POOL_OFFSET])
        }
        BufferUse::Faults => Ok(vec![0; 4 * (1 + FAULT_SLOTS as usize)]),
        other => Err(format!("this shader should not need {other:?}").into()),
    }
}

/// Group base, threads in the grid, user SGPRs.
fn push_constants(reflection: &Reflection) -> Vec<u8> {
    let words = [0, 0, 0, COUNT, 1, 1, ADDRESS as u32, (ADDRESS >> 32) as u32];
    let mut bytes: Vec<u8> = words.iter().flat_map(|w: &u32| w.to_le_bytes()).collect();
    bytes.truncate(reflection.push.bytes as usize);
    bytes
}

fn on_device(
    device: &Device,
    types: &vk::PhysicalDeviceMemoryProperties,
    family: u32,
    translation: &Translation,
) -> Result<Vec<u32>, Box<dyn Error>> {
    let reflection = &translation.reflection;
    let mut layout = Vec::new();
    let mut buffers = Vec::new();
    for binding in &reflection.buffers {
        let mut words = contents(binding.usage)?;
        let least = binding.min_bytes.div_ceil(4) as usize;
        // Behind the windows all bits are set.
        let fill = match binding.usage {
            BufferUse::Windows => u32::MAX,
            _ => 0,
        };
        words.resize(words.len().max(least), fill);
        buffers.push((binding, buffer(device, types, &words)?));
        layout.push(
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding.binding)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE),
        );
    }
    // SAFETY: every structure lives until after its call; every handle is this device's and alive;
    // the mapped memory is read only after the queue is idle.
    unsafe {
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&layout);
        let set_layout = [device.create_descriptor_set_layout(&info, None)?];
        let ranges = [vk::PushConstantRange {
            stage_flags: vk::ShaderStageFlags::COMPUTE,
            offset: 0,
            size: reflection.push.bytes,
        }];
        let info = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&set_layout)
            .push_constant_ranges(&ranges);
        let pipeline_layout = device.create_pipeline_layout(&info, None)?;
        let info = vk::ShaderModuleCreateInfo::default().code(&translation.words);
        let module = device.create_shader_module(&info, None)?;
        let name = std::ffi::CString::new(reflection.entry.as_str())?;
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(&name);
        let mut required = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
        if let Some(size) = reflection.subgroup_size {
            required.required_subgroup_size = size;
            stage.flags |= vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS;
            stage = stage.push_next(&mut required);
        }
        let info = vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(pipeline_layout);
        let pipelines = device
            .create_compute_pipelines(vk::PipelineCache::null(), &[info], None)
            .map_err(|(_, e)| e)?;
        let pipeline = *pipelines.first().ok_or("no pipeline")?;

        let sizes = [vk::DescriptorPoolSize {
            ty: vk::DescriptorType::STORAGE_BUFFER,
            descriptor_count: buffers.len().max(1) as u32,
        }];
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(1)
            .pool_sizes(&sizes);
        let pool = device.create_descriptor_pool(&info, None)?;
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(pool)
            .set_layouts(&set_layout);
        let sets = device.allocate_descriptor_sets(&info)?;
        let set = *sets.first().ok_or("no descriptor set")?;
        for (binding, (buffer, _)) in &buffers {
            let info = [vk::DescriptorBufferInfo {
                buffer: *buffer,
                offset: 0,
                range: vk::WHOLE_SIZE,
            }];
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(binding.binding)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .buffer_info(&info);
            device.update_descriptor_sets(&[write], &[]);
        }

        let queue = device.get_device_queue(family, 0);
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(family);
        let commands = device.create_command_pool(&info, None)?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(commands)
            .command_buffer_count(1);
        let list = device.allocate_command_buffers(&info)?;
        let command = *list.first().ok_or("no command buffer")?;
        device.begin_command_buffer(command, &vk::CommandBufferBeginInfo::default())?;
        device.cmd_bind_pipeline(command, vk::PipelineBindPoint::COMPUTE, pipeline);
        let point = vk::PipelineBindPoint::COMPUTE;
        device.cmd_bind_descriptor_sets(command, point, pipeline_layout, 0, &[set], &[]);
        let stages = vk::ShaderStageFlags::COMPUTE;
        device.cmd_push_constants(
            command,
            pipeline_layout,
            stages,
            0,
            &push_constants(reflection),
        );
        device.cmd_dispatch(command, 1, 1, 1);
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        let (from, to) = (
            vk::PipelineStageFlags::COMPUTE_SHADER,
            vk::PipelineStageFlags::HOST,
        );
        let none = vk::DependencyFlags::empty();
        device.cmd_pipeline_barrier(command, from, to, none, &barrier, &[], &[]);
        device.end_command_buffer(command)?;
        let submit = [vk::SubmitInfo::default().command_buffers(&list)];
        device.queue_submit(queue, &submit, vk::Fence::null())?;
        device.queue_wait_idle(queue)?;

        let mut result = Vec::new();
        for (binding, (buffer, memory)) in &buffers {
            let flags = vk::MemoryMapFlags::empty();
            let at = device.map_memory(*memory, 0, vk::WHOLE_SIZE, flags)?;
            let words = at.cast::<u32>();
            match binding.usage {
                BufferUse::Memory => {
                    let first = POOL_OFFSET as usize / 4;
                    result = (0..COUNT as usize)
                        .map(|i| words.add(first + i).read())
                        .collect();
                }
                BufferUse::Faults if words.read() != 0 => {
                    return Err(format!("{} memory faults", words.read()).into());
                }
                _ => {}
            }
            device.unmap_memory(*memory);
            device.destroy_buffer(*buffer, None);
            device.free_memory(*memory, None);
        }
        device.destroy_command_pool(commands, None);
        device.destroy_descriptor_pool(pool, None);
        device.destroy_pipeline(pipeline, None);
        device.destroy_shader_module(module, None);
        device.destroy_pipeline_layout(pipeline_layout, None);
        for layout in set_layout {
            device.destroy_descriptor_set_layout(layout, None);
        }
        Ok(result)
    }
}

/// A storage buffer in memory that the host sees, with its content.
fn buffer(
    device: &Device,
    types: &vk::PhysicalDeviceMemoryProperties,
    words: &[u32],
) -> Result<(vk::Buffer, vk::DeviceMemory), Box<dyn Error>> {
    let info = vk::BufferCreateInfo::default()
        .size(words.len() as u64 * 4)
        .usage(vk::BufferUsageFlags::STORAGE_BUFFER);
    let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
    // SAFETY: the structures live until after their calls; the mapping has the buffer's size, and
    // nothing else uses it.
    unsafe {
        let buffer = device.create_buffer(&info, None)?;
        let needs = device.get_buffer_memory_requirements(buffer);
        let index = (0..types.memory_type_count)
            .zip(&types.memory_types)
            .find(|(i, t)| {
                needs.memory_type_bits >> i & 1 == 1 && t.property_flags.contains(wanted)
            })
            .map(|(i, _)| i)
            .ok_or("no host-visible memory")?;
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(index);
        let memory = device.allocate_memory(&info, None)?;
        device.bind_buffer_memory(buffer, memory, 0)?;
        let at = device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())?;
        at.cast::<u32>()
            .copy_from_nonoverlapping(words.as_ptr(), words.len());
        device.unmap_memory(memory);
        Ok((buffer, memory))
    }
}

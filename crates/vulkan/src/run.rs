//! Runs one job: makes its objects, records and submits its dispatches, reads back, and frees
//! everything again. Knows no device choice.

use std::ffi::CString;
use std::time::{Duration, Instant};

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::Allocator;

use crate::device::Device;
use crate::error::{JobError, VulkanError, failed};
use crate::job::{BufferKind, Job, PatchTarget, Report};
use crate::memory::GpuBuffer;
use crate::module::Module;
use crate::plan::{self, Part, Plan};

/// Dispatches that are recorded and submitted together; bounds the command buffer's memory.
const BATCH: usize = 1024;

/// What a job makes on the device.
#[derive(Default)]
struct Objects {
    shader: vk::ShaderModule,
    set_layouts: Vec<vk::DescriptorSetLayout>,
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
    pool: vk::DescriptorPool,
    sets: Vec<vk::DescriptorSet>,
    /// One a buffer of the job, in order.
    regions: Vec<Region>,
}

struct Region {
    /// What the shader sees.
    device: GpuBuffer,
    /// What the host sees, where that is not the same.
    staging: Option<GpuBuffer>,
    /// Whether it is read back.
    back: bool,
}

impl Region {
    fn host(&mut self) -> &mut GpuBuffer {
        self.staging.as_mut().unwrap_or(&mut self.device)
    }

    fn destroy(&mut self, device: &ash::Device, allocator: &mut Allocator) {
        if let Some(staging) = &mut self.staging {
            staging.destroy(device, allocator);
        }
        self.device.destroy(device, allocator);
    }
}

impl Objects {
    /// Frees all; the device must be done with them.
    fn destroy(&mut self, device: &ash::Device, allocator: &mut Allocator) {
        // SAFETY: the objects are of this device or null, nothing uses them any more, and each is
        // destroyed once; the sets go with their pool.
        unsafe {
            device.destroy_descriptor_pool(self.pool, None);
            device.destroy_pipeline(self.pipeline, None);
            device.destroy_pipeline_layout(self.layout, None);
            for layout in self.set_layouts.drain(..) {
                device.destroy_descriptor_set_layout(layout, None);
            }
            device.destroy_shader_module(self.shader, None);
        }
        for mut region in self.regions.drain(..) {
            region.destroy(device, allocator);
        }
    }
}

impl Device {
    /// Uploads the job's buffers, runs its grid, waits, and reads the buffers back. Where an error
    /// is returned the buffers may or may not have been read back.
    ///
    /// A grid that is empty in any dimension does nothing, though the job is checked.
    ///
    /// # Errors
    /// The words or the job are bad, the device lacks what they need, validation objects, memory
    /// runs out, the device is lost or does not finish in time.
    pub fn run(&mut self, job: &mut Job<'_>) -> Result<Report, VulkanError> {
        if self.lost {
            return Err(VulkanError::Unusable);
        }
        let module = Module::parse(job.spirv, job.entry)?;
        let plan = plan::check(job, &module, self.host())?;
        if job.repeat == 0 || job.groups.contains(&0) {
            return Ok(Report {
                dispatches: 0,
                validation_messages: Vec::new(),
                seconds: 0.0,
                device_seconds: None,
            });
        }
        let mut objects = Objects::default();
        let result = self.execute(job, &plan, &mut objects);
        // A lost device has stopped; any other failed wait leaves it at work on the objects.
        let is_lost = matches!(result, Err(VulkanError::DeviceLost));
        self.hung = self.in_flight && !is_lost;
        self.lost = self.in_flight || is_lost;
        if !self.hung {
            objects.destroy(&self.device, &mut self.allocator);
        }
        let messages = self.context.messages.take();
        if !messages.errors.is_empty() {
            return Err(VulkanError::Validation {
                messages: messages.errors,
            });
        }
        let mut report = result?;
        report.validation_messages = messages.warnings;
        Ok(report)
    }

    fn execute(
        &mut self,
        job: &mut Job<'_>,
        plan: &Plan,
        objects: &mut Objects,
    ) -> Result<Report, VulkanError> {
        self.create_pipeline(job, plan, objects)?;
        self.create_regions(job, objects)?;
        let push = self.upload(job, objects)?;
        self.create_sets(job, objects)?;
        let report = self.dispatch(job, plan, objects, &push)?;
        for (region, buffer) in objects.regions.iter_mut().zip(&mut job.buffers) {
            if region.back {
                let length = buffer.data.len();
                if let Some(bytes) = region.host().mapped()?.get(..length) {
                    buffer.data.copy_from_slice(bytes);
                }
            }
        }
        Ok(report)
    }

    /// Stops where the validation layer has objected: a driver given invalid words may do
    /// anything. `run` replaces the error by the layer's messages.
    pub(crate) fn stop_on_messages(&self) -> Result<(), VulkanError> {
        if self.context.messages.has_errors() {
            return Err(VulkanError::Validation {
                messages: Vec::new(),
            });
        }
        Ok(())
    }

    fn create_pipeline(
        &self,
        job: &Job<'_>,
        plan: &Plan,
        objects: &mut Objects,
    ) -> Result<(), VulkanError> {
        let device = &self.device;
        let info = vk::ShaderModuleCreateInfo::default().code(job.spirv);
        // SAFETY: the words form a whole sequence of instructions with a header and a compute
        // entry point. That they are valid SPIR-V is the caller's part of the contract, which the
        // validation layer checks where it is on.
        objects.shader = unsafe { device.create_shader_module(&info, None) }
            .map_err(failed("vkCreateShaderModule"))?;
        self.stop_on_messages()?;

        for set in 0..plan.sets {
            let bindings: Vec<_> = job
                .buffers
                .iter()
                .filter(|b| b.set == set)
                .filter_map(|b| {
                    Some(
                        vk::DescriptorSetLayoutBinding::default()
                            .binding(b.binding)
                            .descriptor_type(descriptor_type(b.kind)?)
                            .descriptor_count(1)
                            .stage_flags(vk::ShaderStageFlags::COMPUTE),
                    )
                })
                .collect();
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            // SAFETY: the bindings of a set differ (checked by the plan) and live until after the
            // call.
            let layout = unsafe { device.create_descriptor_set_layout(&info, None) }
                .map_err(failed("vkCreateDescriptorSetLayout"))?;
            objects.set_layouts.push(layout);
        }
        let length = u32::try_from(job.push.len()).unwrap_or(u32::MAX);
        let range = [vk::PushConstantRange::default()
            .stage_flags(vk::ShaderStageFlags::COMPUTE)
            .size(length)];
        let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(&objects.set_layouts);
        if length > 0 {
            info = info.push_constant_ranges(&range);
        }
        // SAFETY: layouts are of this device; the push constants keep to the limit (plan).
        objects.layout = unsafe { device.create_pipeline_layout(&info, None) }
            .map_err(failed("vkCreatePipelineLayout"))?;

        let entry = CString::new(job.entry).map_err(|_| JobError::EntryName)?;
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(objects.shader)
            .name(&entry);
        if plan.full_subgroups {
            stage = stage.flags(vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS);
        }
        if let Some(required) = plan.required_subgroup_size {
            size = size.required_subgroup_size(required);
            stage = stage.push_next(&mut size);
        }
        let infos = [vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(objects.layout)];
        // SAFETY: shader, layout and entry point are of this device and match (plan); subgroup
        // size and full subgroups are asked for only where the feature is on (plan).
        let made =
            unsafe { device.create_compute_pipelines(vk::PipelineCache::null(), &infos, None) };
        let (pipelines, result) = match made {
            Ok(pipelines) => (pipelines, Ok(())),
            Err((pipelines, error)) => (pipelines, Err(error)),
        };
        objects.pipeline = pipelines.first().copied().unwrap_or_default();
        result.map_err(failed("vkCreateComputePipelines"))?;
        self.stop_on_messages()
    }

    fn create_regions(&mut self, job: &Job<'_>, objects: &mut Objects) -> Result<(), VulkanError> {
        let (device, allocator) = (&self.device, &mut *self.allocator);
        for buffer in &job.buffers {
            let mut usage = match buffer.kind {
                BufferKind::Uniform => vk::BufferUsageFlags::UNIFORM_BUFFER,
                BufferKind::Storage | BufferKind::Unbound => vk::BufferUsageFlags::STORAGE_BUFFER,
            };
            if buffer.device_address {
                usage |= vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
            }
            let bytes = buffer.data.len();
            let back = buffer.kind != BufferKind::Uniform;
            if self.unified {
                objects.regions.push(Region {
                    device: GpuBuffer::new(
                        device,
                        allocator,
                        bytes,
                        usage,
                        MemoryLocation::GpuToCpu,
                    )?,
                    staging: None,
                    back,
                });
                continue;
            }
            let copy = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
            objects.regions.push(Region {
                device: GpuBuffer::new(
                    device,
                    allocator,
                    bytes,
                    usage | copy,
                    MemoryLocation::GpuOnly,
                )?,
                staging: None,
                back,
            });
            let staging = GpuBuffer::new(device, allocator, bytes, copy, MemoryLocation::GpuToCpu)?;
            if let Some(region) = objects.regions.last_mut() {
                region.staging = Some(staging);
            }
        }
        Ok(())
    }

    /// Writes buffers and addresses to where the device will find them; gives the push constants.
    fn upload(&self, job: &Job<'_>, objects: &mut Objects) -> Result<Vec<u8>, VulkanError> {
        for (region, buffer) in objects.regions.iter_mut().zip(&job.buffers) {
            let bytes = region.host().mapped()?;
            let length = buffer.data.len().min(bytes.len());
            let (data, padding) = bytes.split_at_mut(length);
            data.copy_from_slice(buffer.data.get(..length).unwrap_or_default());
            padding.fill(0);
        }
        let mut push = job.push.clone();
        for patch in &job.addresses {
            let Some(region) = objects.regions.get(patch.buffer) else {
                return Err(JobError::NoAddress {
                    index: patch.buffer,
                }
                .into());
            };
            let info = vk::BufferDeviceAddressInfo::default().buffer(region.device.handle);
            // SAFETY: the buffer was made for device addresses, and the feature is on (plan).
            let address = unsafe { self.device.get_buffer_device_address(&info) };
            let value = address.wrapping_add(patch.add).to_le_bytes();
            match patch.target {
                PatchTarget::Push(offset) => write(&mut push, u64::from(offset), &value)?,
                PatchTarget::Buffer { index, offset } => {
                    let Some(target) = objects.regions.get_mut(index) else {
                        return Err(JobError::NoAddress { index }.into());
                    };
                    write(target.host().mapped()?, offset, &value)?;
                }
            }
        }
        Ok(push)
    }

    fn create_sets(&self, job: &Job<'_>, objects: &mut Objects) -> Result<(), VulkanError> {
        if objects.set_layouts.is_empty() {
            return Ok(());
        }
        let device = &self.device;
        let count = |kind| job.buffers.iter().filter(|b| b.kind == kind).count();
        let sizes: Vec<_> = [BufferKind::Storage, BufferKind::Uniform]
            .into_iter()
            .filter_map(|kind| {
                let count = u32::try_from(count(kind)).ok().filter(|&n| n > 0)?;
                Some(vk::DescriptorPoolSize {
                    ty: descriptor_type(kind)?,
                    descriptor_count: count,
                })
            })
            .collect();
        let sets = u32::try_from(objects.set_layouts.len()).unwrap_or(u32::MAX);
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(sets)
            .pool_sizes(&sizes);
        // SAFETY: the device is alive; the sizes live until after the call.
        objects.pool = unsafe { device.create_descriptor_pool(&info, None) }
            .map_err(failed("vkCreateDescriptorPool"))?;
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(objects.pool)
            .set_layouts(&objects.set_layouts);
        // SAFETY: the pool was made for exactly these sets.
        objects.sets = unsafe { device.allocate_descriptor_sets(&info) }
            .map_err(failed("vkAllocateDescriptorSets"))?;
        for (region, buffer) in objects.regions.iter().zip(&job.buffers) {
            let (Some(kind), Some(&set)) = (
                descriptor_type(buffer.kind),
                objects.sets.get(buffer.set as usize),
            ) else {
                continue;
            };
            let buffers = [vk::DescriptorBufferInfo::default()
                .buffer(region.device.handle)
                .range(vk::WHOLE_SIZE)];
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(buffer.binding)
                .descriptor_type(kind)
                .buffer_info(&buffers);
            // SAFETY: set and buffer are of this device, and the binding is in the set's layout.
            unsafe { device.update_descriptor_sets(&[write], &[]) };
        }
        Ok(())
    }

    /// Submits the whole grid, as often as the job says, in batches, and waits for each.
    fn dispatch(
        &mut self,
        job: &Job<'_>,
        plan: &Plan,
        objects: &Objects,
        push: &[u8],
    ) -> Result<Report, VulkanError> {
        if job.warm_up {
            self.warm_up(job, plan, objects, push)?;
        }
        let start = Instant::now();
        let parts = (0..job.repeat).flat_map(|turn| {
            plan::split(job.groups, plan.max_groups)
                .enumerate()
                .map(move |(i, part)| (turn > 0 && i == 0, part))
        });
        let mut parts = parts.peekable();
        let mut dispatches = 0u32;
        let mut is_first = true;
        while parts.peek().is_some() {
            self.begin()?;
            if is_first {
                self.record_start(objects);
            }
            self.record_bindings(objects, push);
            let mut pushed = None;
            for (after_another, part) in parts.by_ref().take(BATCH) {
                if after_another {
                    self.record_barrier(
                        (
                            vk::PipelineStageFlags::COMPUTE_SHADER,
                            vk::AccessFlags::SHADER_WRITE,
                        ),
                        (
                            vk::PipelineStageFlags::COMPUTE_SHADER,
                            vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE,
                        ),
                    );
                }
                self.record_part(objects, job.group_base_push_offset, &mut pushed, part);
                dispatches = dispatches.saturating_add(1);
            }
            if parts.peek().is_none() {
                self.record_end(objects);
            }
            self.submit(start)?;
            is_first = false;
        }
        Ok(Report {
            dispatches,
            validation_messages: Vec::new(),
            seconds: start.elapsed().as_secs_f64(),
            device_seconds: self.device_seconds()?,
        })
    }

    /// Runs the whole grid once. Where memory is the device's own, the run after it copies to it again.
    fn warm_up(
        &mut self,
        job: &Job<'_>,
        plan: &Plan,
        objects: &Objects,
        push: &[u8],
    ) -> Result<(), VulkanError> {
        let start = Instant::now();
        let mut parts = plan::split(job.groups, plan.max_groups).peekable();
        let mut is_first = true;
        while parts.peek().is_some() {
            self.begin()?;
            if is_first {
                self.record_start(objects);
            }
            self.record_bindings(objects, push);
            let mut pushed = None;
            for part in parts.by_ref().take(BATCH) {
                self.record_part(objects, job.group_base_push_offset, &mut pushed, part);
            }
            self.submit(start)?;
            is_first = false;
        }
        Ok(())
    }

    pub(crate) fn begin(&self) -> Result<(), VulkanError> {
        let info = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the command buffer's last submission was waited for, and its pool lets it be
        // reset by beginning it again.
        unsafe { self.device.begin_command_buffer(self.commands, &info) }
            .map_err(failed("vkBeginCommandBuffer"))
    }

    /// Copies to the device, where needed, and the first timestamp.
    fn record_start(&self, objects: &Objects) {
        if self.copy_all(objects, true) {
            self.record_barrier(
                (
                    vk::PipelineStageFlags::TRANSFER,
                    vk::AccessFlags::TRANSFER_WRITE,
                ),
                (
                    vk::PipelineStageFlags::COMPUTE_SHADER,
                    vk::AccessFlags::SHADER_READ
                        | vk::AccessFlags::SHADER_WRITE
                        | vk::AccessFlags::UNIFORM_READ,
                ),
            );
        }
        if self.timestamp.is_some() {
            // SAFETY: the command buffer is being recorded; the pool has two queries and no other
            // command uses them.
            unsafe {
                self.device
                    .cmd_reset_query_pool(self.commands, self.queries, 0, 2);
                self.device.cmd_write_timestamp(
                    self.commands,
                    vk::PipelineStageFlags::TOP_OF_PIPE,
                    self.queries,
                    0,
                );
            }
        }
    }

    /// The second timestamp, copies from the device, and the host's right to read.
    fn record_end(&self, objects: &Objects) {
        if self.timestamp.is_some() {
            // SAFETY: as in `record_start`; the pool was reset there.
            unsafe {
                self.device.cmd_write_timestamp(
                    self.commands,
                    vk::PipelineStageFlags::BOTTOM_OF_PIPE,
                    self.queries,
                    1,
                );
            }
        }
        let host = (vk::PipelineStageFlags::HOST, vk::AccessFlags::HOST_READ);
        let shader = (
            vk::PipelineStageFlags::COMPUTE_SHADER,
            vk::AccessFlags::SHADER_WRITE,
        );
        if self.unified {
            self.record_barrier(shader, host);
            return;
        }
        self.record_barrier(
            shader,
            (
                vk::PipelineStageFlags::TRANSFER,
                vk::AccessFlags::TRANSFER_READ,
            ),
        );
        self.copy_all(objects, false);
        self.record_barrier(
            (
                vk::PipelineStageFlags::TRANSFER,
                vk::AccessFlags::TRANSFER_WRITE,
            ),
            host,
        );
    }

    /// Copies each region between its staging buffer and the device's; false if none has one.
    fn copy_all(&self, objects: &Objects, to_device: bool) -> bool {
        let mut any = false;
        for region in &objects.regions {
            let Some(staging) = &region.staging else {
                continue;
            };
            let (from, to) = if to_device {
                (staging.handle, region.device.handle)
            } else if region.back {
                (region.device.handle, staging.handle)
            } else {
                continue;
            };
            let all = vk::BufferCopy::default().size(region.device.size);
            // SAFETY: the command buffer is being recorded; both buffers are of this device, have
            // this size and were made for copies.
            unsafe { self.device.cmd_copy_buffer(self.commands, from, to, &[all]) };
            any = true;
        }
        any
    }

    pub(crate) fn record_barrier(
        &self,
        from: (vk::PipelineStageFlags, vk::AccessFlags),
        to: (vk::PipelineStageFlags, vk::AccessFlags),
    ) {
        let barrier = vk::MemoryBarrier::default()
            .src_access_mask(from.1)
            .dst_access_mask(to.1);
        // SAFETY: the command buffer is being recorded; the stages and accesses belong together.
        unsafe {
            self.device.cmd_pipeline_barrier(
                self.commands,
                from.0,
                to.0,
                vk::DependencyFlags::empty(),
                &[barrier],
                &[],
                &[],
            );
        }
    }

    fn record_bindings(&self, objects: &Objects, push: &[u8]) {
        // SAFETY: the command buffer is being recorded; pipeline, layout and sets are of this
        // device and were made for each other; the push constants have the layout's length.
        unsafe {
            self.device.cmd_bind_pipeline(
                self.commands,
                vk::PipelineBindPoint::COMPUTE,
                objects.pipeline,
            );
            if !objects.sets.is_empty() {
                self.device.cmd_bind_descriptor_sets(
                    self.commands,
                    vk::PipelineBindPoint::COMPUTE,
                    objects.layout,
                    0,
                    &objects.sets,
                    &[],
                );
            }
            if !push.is_empty() {
                self.device.cmd_push_constants(
                    self.commands,
                    objects.layout,
                    vk::ShaderStageFlags::COMPUTE,
                    0,
                    push,
                );
            }
        }
    }

    /// A dispatch, and before it the first group's place in the grid, unless the command buffer has
    /// pushed it already: new push constants make the device wait, and a job that repeats its grid
    /// would measure that.
    fn record_part(
        &self,
        objects: &Objects,
        base_offset: Option<u32>,
        pushed: &mut Option<[u32; 3]>,
        (base, count): Part,
    ) {
        let [x, y, z] = count;
        if let Some(offset) = base_offset.filter(|_| *pushed != Some(base)) {
            *pushed = Some(base);
            let bytes: Vec<u8> = base.into_iter().flat_map(u32::to_le_bytes).collect();
            // SAFETY: the command buffer is being recorded; the range is inside the layout's
            // (plan).
            unsafe {
                self.device.cmd_push_constants(
                    self.commands,
                    objects.layout,
                    vk::ShaderStageFlags::COMPUTE,
                    offset,
                    &bytes,
                );
            }
        }
        // SAFETY: the command buffer is being recorded, pipeline and sets are bound, and the
        // counts keep to the device's limit.
        unsafe { self.device.cmd_dispatch(self.commands, x, y, z) };
    }

    /// Submits what was recorded and waits for it, until the job's time is up.
    pub(crate) fn submit(&mut self, start: Instant) -> Result<(), VulkanError> {
        let device = &self.device;
        // SAFETY: the command buffer is being recorded and is whole.
        unsafe { device.end_command_buffer(self.commands) }
            .map_err(failed("vkEndCommandBuffer"))?;
        self.stop_on_messages()?;
        let commands = [self.commands];
        let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
        let fences = [self.fence];
        // SAFETY: queue, fence and command buffer are of this device and used by this thread
        // alone (`&mut self` in `run`); the fence is unsignalled and unused.
        unsafe { device.queue_submit(self.queue, &submit, self.fence) }
            .map_err(failed("vkQueueSubmit"))?;
        self.in_flight = true;
        let left = self.options.timeout.saturating_sub(start.elapsed());
        // SAFETY: the fence is of this device.
        match unsafe { device.wait_for_fences(&fences, true, nanoseconds(left)) } {
            Ok(()) => self.in_flight = false,
            Err(vk::Result::TIMEOUT) => {
                return Err(VulkanError::Timeout {
                    seconds: self.options.timeout.as_secs_f64(),
                });
            }
            Err(other) => return Err(failed("vkWaitForFences")(other)),
        }
        // SAFETY: the fence is signalled and nothing waits for it.
        unsafe { device.reset_fences(&fences) }.map_err(failed("vkResetFences"))
    }

    fn device_seconds(&self) -> Result<Option<f64>, VulkanError> {
        let Some((period, bits)) = self.timestamp else {
            return Ok(None);
        };
        let mut ticks = [0u64; 2];
        // SAFETY: both queries were written by work that is finished; the array has room for both.
        unsafe {
            self.device.get_query_pool_results(
                self.queries,
                0,
                &mut ticks,
                vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT,
            )
        }
        .map_err(failed("vkGetQueryPoolResults"))?;
        let [from, to] = ticks;
        let mask = u64::MAX >> 64u32.saturating_sub(bits).min(63);
        let elapsed = to.wrapping_sub(from) & mask;
        #[allow(
            clippy::cast_precision_loss,
            reason = "a duration in seconds has no use for the lost bits"
        )]
        Ok(Some(elapsed as f64 * f64::from(period) * 1e-9))
    }
}

fn descriptor_type(kind: BufferKind) -> Option<vk::DescriptorType> {
    match kind {
        BufferKind::Storage => Some(vk::DescriptorType::STORAGE_BUFFER),
        BufferKind::Uniform => Some(vk::DescriptorType::UNIFORM_BUFFER),
        BufferKind::Unbound => None,
    }
}

/// Writes `value` at `offset`, or says that it does not fit.
fn write(target: &mut [u8], offset: u64, value: &[u8]) -> Result<(), JobError> {
    let length = target.len() as u64;
    let place = usize::try_from(offset)
        .ok()
        .and_then(|at| target.get_mut(at..at.checked_add(value.len())?));
    match place {
        Some(place) => {
            place.copy_from_slice(value);
            Ok(())
        }
        None => Err(JobError::Patch {
            offset,
            bytes: value.len() as u64,
            length,
        }),
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

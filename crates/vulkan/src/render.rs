//! Renders one draw offscreen: makes images, buffers and pipeline, records and submits, reads everything
//! back, and frees it again. Knows no device choice.

use std::time::Instant;

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::Allocator;
use spirv::ExecutionModel;

use crate::device::Device;
use crate::draw::{Attachment, Draw, FormatClass, TextureShape, TextureUse};
use crate::draw_objects::{Failed, PipelineObjects, buffer_type, texture_type, vk_format};
use crate::error::{JobError, VulkanError, failed};
use crate::images::{
    component, copies, image_bytes, image_info, image_layout, sampler_info, texture_layout,
    view_type, whole,
};
use crate::job::BufferKind;
use crate::memory::{GpuBuffer, GpuImage};
use crate::module::Module;
use crate::plan;

/// Width and height of targets and textures at most.
const MAX_EXTENT: u32 = 4096;
/// Vertices and instances of a draw at most, each.
const MAX_COUNT: u32 = 1 << 20;

/// What a draw makes on the device.
#[derive(Default)]
struct Objects {
    pipeline: PipelineObjects,
    buffers: Vec<GpuBuffer>,
    vertex_buffers: Vec<GpuBuffer>,
    indices: Option<GpuBuffer>,
    images: Vec<ImageObjects>,
    textures: Vec<TextureObjects>,
    targets: Vec<TargetObjects>,
    framebuffer: vk::Framebuffer,
    pool: vk::DescriptorPool,
    sets: Vec<vk::DescriptorSet>,
}

struct ImageObjects {
    image: GpuImage,
    staging: GpuBuffer,
}

#[derive(Default)]
struct TextureObjects {
    view: vk::ImageView,
    sampler: vk::Sampler,
}

struct TargetObjects {
    /// What is read back.
    image: GpuImage,
    view: vk::ImageView,
    staging: GpuBuffer,
    /// What is rendered to, where a pixel has several samples.
    samples: Option<GpuImage>,
    samples_view: vk::ImageView,
}

impl Objects {
    /// Frees all; the device must be done with them.
    fn destroy(&mut self, device: &ash::Device, allocator: &mut Allocator) {
        // SAFETY: the objects are of this device or null, nothing uses them any more, and each is
        // destroyed once; the sets go with their pool.
        unsafe {
            device.destroy_descriptor_pool(self.pool, None);
            device.destroy_framebuffer(self.framebuffer, None);
            for texture in &self.textures {
                device.destroy_sampler(texture.sampler, None);
                device.destroy_image_view(texture.view, None);
            }
            for target in &self.targets {
                device.destroy_image_view(target.view, None);
                device.destroy_image_view(target.samples_view, None);
            }
        }
        self.pipeline.destroy(device);
        self.textures.clear();
        for mut made in self.images.drain(..) {
            made.image.destroy(device, allocator);
            made.staging.destroy(device, allocator);
        }
        for mut target in self.targets.drain(..) {
            target.image.destroy(device, allocator);
            target.staging.destroy(device, allocator);
            if let Some(mut image) = target.samples {
                image.destroy(device, allocator);
            }
        }
        let buffers = self.buffers.drain(..).chain(self.vertex_buffers.drain(..));
        for mut buffer in buffers.chain(self.indices.take()) {
            buffer.destroy(device, allocator);
        }
    }
}

impl From<Failed> for VulkanError {
    fn from(error: Failed) -> VulkanError {
        failed(error.call)(error.result)
    }
}

impl Device {
    /// Renders a draw into fresh attachments and reads these, storage buffers and storage images back.
    /// Gives the validation layer's warnings.
    ///
    /// # Errors
    /// The words or the draw are bad, the device lacks what they need, validation objects, memory runs out,
    /// the device is lost or does not finish in time.
    pub fn draw(&mut self, draw: &mut Draw<'_>) -> Result<Vec<String>, VulkanError> {
        if self.lost {
            return Err(VulkanError::Unusable);
        }
        self.check_draw(draw)?;
        let mut objects = Objects::default();
        let result = self.render(draw, &mut objects);
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
        result?;
        Ok(messages.warnings)
    }

    fn check_draw(&self, draw: &Draw<'_>) -> Result<(), VulkanError> {
        if !self.info.graphics_queue {
            return Err(VulkanError::MissingFeature {
                feature: "a graphics queue".to_owned(),
            });
        }
        let stages = [
            (Some(draw.vertex), ExecutionModel::Vertex),
            (draw.fragment, ExecutionModel::Fragment),
        ];
        for (stage, model) in stages {
            if let Some(stage) = stage {
                let module = Module::parse_for(stage.spirv, stage.entry, model)?;
                plan::check_module(&module, self.host())?;
            }
        }
        let limit = |what, value: u32, limit: u32| {
            if value > limit {
                return Err(JobError::Limit {
                    what,
                    value: u64::from(value),
                    limit: u64::from(limit),
                });
            }
            Ok(())
        };
        for extent in draw.size {
            limit("an extent of the target", extent, MAX_EXTENT)?;
        }
        limit("the layers of the targets", draw.layers, 16)?;
        limit("the number of viewports", draw.viewports.len() as u32, 16)?;
        if !matches!((draw.samples, &draw.depth), (1, _) | (4, None)) {
            return Err(JobError::Limit {
                what: "the samples of a pixel (1, or 4 without depth)",
                value: u64::from(draw.samples),
                limit: 4,
            }
            .into());
        }
        limit("the number of vertices", draw.vertices.1, MAX_COUNT)?;
        if let Some(indices) = &draw.indices {
            let have = (indices.data.len() / indices.bytes()) as u32;
            limit("the number of indices", draw.vertices.1, have)?;
            limit("what is added to an index", draw.vertices.0, MAX_COUNT)?;
        }
        limit("the number of instances", draw.instances.1, MAX_COUNT)?;
        limit("the number of colour targets", draw.colors.len() as u32, 8)?;
        let push = u32::try_from(draw.push.len()).unwrap_or(u32::MAX);
        limit(
            "the length of the push constants",
            push,
            self.info.limits.max_push_constants,
        )?;
        if !draw.push.len().is_multiple_of(4) {
            return Err(JobError::PushLength {
                bytes: draw.push.len(),
            }
            .into());
        }
        for image in &draw.images {
            for extent in image.size {
                limit("an extent of an image", extent, MAX_EXTENT)?;
            }
            limit("the layers of an image", image.layers, 256)?;
            limit("the levels of an image", image.levels, 13)?;
            let needed = image_bytes(image);
            if image.data.len() as u64 != needed {
                return Err(JobError::Limit {
                    what: "the length of an image's data",
                    value: image.data.len() as u64,
                    limit: needed,
                }
                .into());
            }
        }
        for texture in &draw.textures {
            if let Some(image) = texture.image {
                let last = draw.images.len().saturating_sub(1) as u32;
                limit("the number of an image", image as u32, last)?;
            }
        }
        if draw.size.contains(&0)
            || draw.layers == 0
            || draw.vertices.1 == 0
            || draw.instances.1 == 0
        {
            return Err(JobError::Limit {
                what: "an empty draw's size",
                value: 0,
                limit: 0,
            }
            .into());
        }
        Ok(())
    }

    fn render(&mut self, draw: &mut Draw<'_>, objects: &mut Objects) -> Result<(), VulkanError> {
        objects
            .pipeline
            .make(&self.device, draw, vk::PipelineCreateFlags::empty())?;
        self.stop_on_messages()?;
        self.make_buffers(draw, objects)?;
        self.make_images(draw, objects)?;
        self.make_textures(draw, objects)?;
        self.make_targets(draw, objects)?;
        self.make_sets(draw, objects)?;
        let start = Instant::now();
        self.begin()?;
        self.record_uploads(draw, objects);
        self.record_draw(draw, objects);
        self.record_downloads(draw, objects);
        self.submit(start)?;
        self.read_back(draw, objects)
    }

    fn filled(
        &mut self,
        data: &[u8],
        usage: vk::BufferUsageFlags,
    ) -> Result<GpuBuffer, VulkanError> {
        let mut buffer = GpuBuffer::new(
            &self.device,
            &mut self.allocator,
            data.len(),
            usage,
            MemoryLocation::GpuToCpu,
        )?;
        match buffer.mapped() {
            Ok(bytes) => {
                bytes.fill(0);
                for (to, &from) in bytes.iter_mut().zip(data) {
                    *to = from;
                }
                Ok(buffer)
            }
            Err(error) => {
                buffer.destroy(&self.device, &mut self.allocator);
                Err(error)
            }
        }
    }

    fn make_buffers(&mut self, draw: &Draw<'_>, objects: &mut Objects) -> Result<(), VulkanError> {
        for buffer in &draw.buffers {
            let usage = match buffer.kind {
                BufferKind::Uniform => vk::BufferUsageFlags::UNIFORM_BUFFER,
                BufferKind::Storage | BufferKind::Unbound => vk::BufferUsageFlags::STORAGE_BUFFER,
            };
            let made = self.filled(&buffer.data, usage)?;
            objects.buffers.push(made);
        }
        for buffer in &draw.vertex_buffers {
            let made = self.filled(&buffer.data, vk::BufferUsageFlags::VERTEX_BUFFER)?;
            objects.vertex_buffers.push(made);
        }
        if let Some(indices) = &draw.indices {
            let made = self.filled(&indices.data, vk::BufferUsageFlags::INDEX_BUFFER)?;
            objects.indices = Some(made);
        }
        Ok(())
    }

    fn make_images(&mut self, draw: &Draw<'_>, objects: &mut Objects) -> Result<(), VulkanError> {
        for image in &draw.images {
            let copies = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
            let mut staging = self.filled(&image.data, copies)?;
            let info = image_info(image);
            match GpuImage::new(&self.device, &mut self.allocator, &info) {
                Ok(image) => objects.images.push(ImageObjects { image, staging }),
                Err(error) => {
                    staging.destroy(&self.device, &mut self.allocator);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn make_textures(&mut self, draw: &Draw<'_>, objects: &mut Objects) -> Result<(), VulkanError> {
        for texture in &draw.textures {
            let mut made = TextureObjects::default();
            if let TextureUse::Combined(sampler) | TextureUse::SamplerOnly(sampler) = texture.usage
            {
                let info = sampler_info(&sampler);
                // SAFETY: the description is whole.
                made.sampler = unsafe { self.device.create_sampler(&info, None) }
                    .map_err(failed("vkCreateSampler"))?;
            }
            objects.textures.push(made);
            let Some((image, gpu)) = texture
                .image
                .and_then(|i| Some((draw.images.get(i)?, objects.images.get(i)?)))
            else {
                continue;
            };
            let [r, g, b, a] = texture.components.map(component);
            let view = vk::ImageViewCreateInfo::default()
                .image(gpu.image.handle)
                .view_type(view_type(texture.shape))
                .format(vk_format(image.format))
                .components(vk::ComponentMapping { r, g, b, a })
                .subresource_range(vk::ImageSubresourceRange {
                    layer_count: match texture.shape {
                        TextureShape::D1 | TextureShape::D2 | TextureShape::D3 => 1,
                        TextureShape::Cube => 6,
                        _ => image.layers,
                    },
                    // A storage image is one level.
                    level_count: match texture.usage {
                        TextureUse::Storage => 1,
                        _ => image.levels,
                    },
                    ..whole(image)
                });
            // SAFETY: the image is of this device and bound to memory.
            let view = unsafe { self.device.create_image_view(&view, None) }
                .map_err(failed("vkCreateImageView"))?;
            if let Some(last) = objects.textures.last_mut() {
                last.view = view;
            }
        }
        Ok(())
    }

    fn make_targets(&mut self, draw: &Draw<'_>, objects: &mut Objects) -> Result<(), VulkanError> {
        let [width, height] = draw.size;
        for attachment in attachments(draw) {
            let bytes = attachment_bytes(draw, attachment);
            let staging = GpuBuffer::new(
                &self.device,
                &mut self.allocator,
                bytes,
                vk::BufferUsageFlags::TRANSFER_DST,
                MemoryLocation::GpuToCpu,
            )?;
            let info = target_info(draw, attachment, 1);
            let image = match GpuImage::new(&self.device, &mut self.allocator, &info) {
                Ok(image) => image,
                Err(error) => {
                    let mut staging = staging;
                    staging.destroy(&self.device, &mut self.allocator);
                    return Err(error);
                }
            };
            let handle = image.handle;
            objects.targets.push(TargetObjects {
                image,
                view: vk::ImageView::null(),
                staging,
                samples: None,
                samples_view: vk::ImageView::null(),
            });
            let view = self.target_view(draw, attachment, handle)?;
            let mut samples = None;
            if draw.samples > 1 {
                let info = target_info(draw, attachment, draw.samples);
                samples = Some(GpuImage::new(&self.device, &mut self.allocator, &info)?);
            }
            if let Some(last) = objects.targets.last_mut() {
                last.view = view;
                last.samples = samples;
            }
            let Some(handle) = objects
                .targets
                .last()
                .and_then(|target| Some(target.samples.as_ref()?.handle))
            else {
                continue;
            };
            let view = self.target_view(draw, attachment, handle)?;
            if let Some(last) = objects.targets.last_mut() {
                last.samples_view = view;
            }
        }
        let targets = &objects.targets;
        let rendered = targets.iter().map(|target| match target.samples {
            Some(_) => target.samples_view,
            None => target.view,
        });
        let resolved = targets.iter().filter(|target| target.samples.is_some());
        let views: Vec<_> = rendered.chain(resolved.map(|target| target.view)).collect();
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(objects.pipeline.render_pass)
            .attachments(&views)
            .width(width)
            .height(height)
            .layers(draw.layers);
        // SAFETY: render pass and views are of this device and made for each other.
        objects.framebuffer = unsafe { self.device.create_framebuffer(&info, None) }
            .map_err(failed("vkCreateFramebuffer"))?;
        Ok(())
    }

    fn target_view(
        &self,
        draw: &Draw<'_>,
        attachment: &Attachment,
        image: vk::Image,
    ) -> Result<vk::ImageView, VulkanError> {
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(if draw.layers > 1 {
                vk::ImageViewType::TYPE_2D_ARRAY
            } else {
                vk::ImageViewType::TYPE_2D
            })
            .format(vk_format(attachment.format))
            .subresource_range(target_range(draw, attachment));
        // SAFETY: the image is of this device and bound to memory.
        unsafe { self.device.create_image_view(&info, None) }.map_err(failed("vkCreateImageView"))
    }

    fn make_sets(&self, draw: &Draw<'_>, objects: &mut Objects) -> Result<(), VulkanError> {
        if objects.pipeline.set_layouts.is_empty() {
            return Ok(());
        }
        let buffers = draw.buffers.iter().filter_map(|b| buffer_type(b.kind));
        let textures = draw.textures.iter().map(|t| texture_type(t.usage));
        let sizes: Vec<_> = buffers
            .chain(textures)
            .map(|ty| vk::DescriptorPoolSize {
                ty,
                descriptor_count: 1,
            })
            .collect();
        let sets = u32::try_from(objects.pipeline.set_layouts.len()).unwrap_or(u32::MAX);
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(sets)
            .pool_sizes(&sizes);
        // SAFETY: the device is alive; the sizes live until after the call.
        objects.pool = unsafe { self.device.create_descriptor_pool(&info, None) }
            .map_err(failed("vkCreateDescriptorPool"))?;
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(objects.pool)
            .set_layouts(&objects.pipeline.set_layouts);
        // SAFETY: the pool was made for exactly these sets.
        objects.sets = unsafe { self.device.allocate_descriptor_sets(&info) }
            .map_err(failed("vkAllocateDescriptorSets"))?;
        for (made, buffer) in objects.buffers.iter().zip(&draw.buffers) {
            let (Some(ty), Some(&set)) = (
                buffer_type(buffer.kind),
                objects.sets.get(buffer.set as usize),
            ) else {
                continue;
            };
            let info = [vk::DescriptorBufferInfo::default()
                .buffer(made.handle)
                .range(vk::WHOLE_SIZE)];
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(buffer.binding)
                .descriptor_type(ty)
                .buffer_info(&info);
            // SAFETY: set and buffer are of this device, and the binding is in the set's layout.
            unsafe { self.device.update_descriptor_sets(&[write], &[]) };
        }
        for (made, texture) in objects.textures.iter().zip(&draw.textures) {
            let Some(&set) = objects.sets.get(texture.set as usize) else {
                continue;
            };
            let info = [vk::DescriptorImageInfo::default()
                .image_view(made.view)
                .sampler(made.sampler)
                .image_layout(texture_layout(draw, texture))];
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(texture.binding)
                .descriptor_type(texture_type(texture.usage))
                .image_info(&info);
            // SAFETY: set, view and sampler are of this device, and the binding is in the set's layout.
            unsafe { self.device.update_descriptor_sets(&[write], &[]) };
        }
        Ok(())
    }

    fn record_uploads(&self, draw: &Draw<'_>, objects: &Objects) {
        for (made, image) in objects.images.iter().zip(&draw.images) {
            let handle = made.image.handle;
            self.transition(
                handle,
                whole(image),
                vk::ImageLayout::UNDEFINED,
                vk::ImageLayout::TRANSFER_DST_OPTIMAL,
            );
            // SAFETY: the command buffer is being recorded; the copies keep to image and buffer, whose
            // length was checked.
            unsafe {
                self.device.cmd_copy_buffer_to_image(
                    self.commands,
                    made.staging.handle,
                    handle,
                    vk::ImageLayout::TRANSFER_DST_OPTIMAL,
                    &copies(image),
                );
            }
            self.transition(
                handle,
                whole(image),
                vk::ImageLayout::TRANSFER_DST_OPTIMAL,
                image_layout(image),
            );
        }
    }

    /// Moves an image to another layout; everything before it is done and seen by everything after it.
    fn transition(
        &self,
        image: vk::Image,
        range: vk::ImageSubresourceRange,
        from: vk::ImageLayout,
        to: vk::ImageLayout,
    ) {
        let barrier = [vk::ImageMemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .old_layout(from)
            .new_layout(to)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(image)
            .subresource_range(range)];
        // SAFETY: the command buffer is being recorded; the image is of this device and in layout `from`.
        unsafe {
            self.device.cmd_pipeline_barrier(
                self.commands,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::DependencyFlags::empty(),
                &[],
                &[],
                &barrier,
            );
        }
    }

    fn record_draw(&self, draw: &Draw<'_>, objects: &Objects) {
        // What samples are resolved into has values too, which nobody sees.
        let resolved = draw.colors.iter().filter(|_| draw.samples > 1);
        let clears: Vec<_> = attachments(draw).chain(resolved).map(clear_value).collect();
        let [width, height] = draw.size;
        let begin = vk::RenderPassBeginInfo::default()
            .render_pass(objects.pipeline.render_pass)
            .framebuffer(objects.framebuffer)
            .render_area(vk::Rect2D {
                offset: vk::Offset2D::default(),
                extent: vk::Extent2D { width, height },
            })
            .clear_values(&clears);
        let commands = self.commands;
        let device = &self.device;
        // SAFETY: the command buffer is being recorded; all objects are of this device and were made for
        // each other; the push constants have the layout's length.
        unsafe {
            device.cmd_begin_render_pass(commands, &begin, vk::SubpassContents::INLINE);
            device.cmd_bind_pipeline(
                commands,
                vk::PipelineBindPoint::GRAPHICS,
                objects.pipeline.pipeline,
            );
            if !objects.sets.is_empty() {
                device.cmd_bind_descriptor_sets(
                    commands,
                    vk::PipelineBindPoint::GRAPHICS,
                    objects.pipeline.layout,
                    0,
                    &objects.sets,
                    &[],
                );
            }
            if !draw.push.is_empty() {
                device.cmd_push_constants(
                    commands,
                    objects.pipeline.layout,
                    crate::draw_objects::STAGES,
                    0,
                    &draw.push,
                );
            }
            for (made, buffer) in objects.vertex_buffers.iter().zip(&draw.vertex_buffers) {
                device.cmd_bind_vertex_buffers(commands, buffer.binding, &[made.handle], &[0]);
            }
            let ((first, count), (instance, instances)) = (draw.vertices, draw.instances);
            match (&objects.indices, &draw.indices) {
                (Some(made), Some(indices)) => {
                    let ty = if indices.wide {
                        vk::IndexType::UINT32
                    } else {
                        vk::IndexType::UINT16
                    };
                    device.cmd_bind_index_buffer(commands, made.handle, 0, ty);
                    // It was checked to be small.
                    let added = first as i32;
                    device.cmd_draw_indexed(commands, count, instances, 0, added, instance);
                }
                _ => device.cmd_draw(commands, count, instances, first, instance),
            }
            device.cmd_end_render_pass(commands);
        }
    }

    fn record_downloads(&self, draw: &Draw<'_>, objects: &Objects) {
        let [width, height] = draw.size;
        for (made, attachment) in objects.targets.iter().zip(attachments(draw)) {
            let aspect = target_range(draw, attachment).aspect_mask;
            let region = vk::BufferImageCopy::default()
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: aspect,
                    mip_level: 0,
                    base_array_layer: 0,
                    layer_count: draw.layers,
                })
                .image_extent(vk::Extent3D {
                    width,
                    height,
                    depth: 1,
                });
            // SAFETY: the command buffer is being recorded; the render pass left the image in this layout,
            // and the buffer has room for all of it.
            unsafe {
                self.device.cmd_copy_image_to_buffer(
                    self.commands,
                    made.image.handle,
                    vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                    made.staging.handle,
                    &[region],
                );
            }
        }
        for (made, image) in objects.images.iter().zip(&draw.images) {
            if !image.storage {
                continue;
            }
            self.transition(
                made.image.handle,
                whole(image),
                vk::ImageLayout::GENERAL,
                vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
            );
            // SAFETY: as for the upload.
            unsafe {
                self.device.cmd_copy_image_to_buffer(
                    self.commands,
                    made.image.handle,
                    vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                    made.staging.handle,
                    &copies(image),
                );
            }
        }
        self.record_barrier(
            (
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::AccessFlags::MEMORY_WRITE,
            ),
            (vk::PipelineStageFlags::HOST, vk::AccessFlags::HOST_READ),
        );
    }

    fn read_back(&self, draw: &mut Draw<'_>, objects: &mut Objects) -> Result<(), VulkanError> {
        let [width, height] = draw.size;
        let texels = width as usize * height as usize * draw.layers as usize;
        let depth = draw.depth.as_mut().map(|state| &mut state.attachment);
        let targets = draw.colors.iter_mut().chain(depth);
        for (made, attachment) in objects.targets.iter_mut().zip(targets) {
            let bytes = texels * attachment.format.bytes() as usize;
            let all = made.staging.mapped()?;
            attachment.data = all.get(..bytes).unwrap_or_default().to_vec();
        }
        for (made, buffer) in objects.buffers.iter_mut().zip(&mut draw.buffers) {
            if buffer.kind == BufferKind::Storage {
                let length = buffer.data.len();
                if let Some(bytes) = made.mapped()?.get(..length) {
                    buffer.data.copy_from_slice(bytes);
                }
            }
        }
        for (made, image) in objects.images.iter_mut().zip(&mut draw.images) {
            if image.storage {
                let length = image.data.len();
                if let Some(bytes) = made.staging.mapped()?.get(..length) {
                    image.data.copy_from_slice(bytes);
                }
            }
        }
        Ok(())
    }
}

fn attachments<'d>(draw: &'d Draw<'_>) -> impl Iterator<Item = &'d Attachment> {
    let depth = draw.depth.as_ref().map(|state| &state.attachment);
    draw.colors.iter().chain(depth)
}

/// Bytes of all layers of an attachment.
fn attachment_bytes(draw: &Draw<'_>, attachment: &Attachment) -> usize {
    let [width, height] = draw.size;
    width as usize * height as usize * draw.layers as usize * attachment.format.bytes() as usize
}

fn target_info(
    draw: &Draw<'_>,
    attachment: &Attachment,
    samples: u32,
) -> vk::ImageCreateInfo<'static> {
    let [width, height] = draw.size;
    let usage = if attachment.format.class() == FormatClass::Depth {
        vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
    } else {
        vk::ImageUsageFlags::COLOR_ATTACHMENT
    };
    vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(vk_format(attachment.format))
        .extent(vk::Extent3D {
            width,
            height,
            depth: 1,
        })
        .mip_levels(1)
        .array_layers(draw.layers)
        .samples(vk::SampleCountFlags::from_raw(samples))
        .tiling(vk::ImageTiling::OPTIMAL)
        .usage(usage | vk::ImageUsageFlags::TRANSFER_SRC)
}

fn target_range(draw: &Draw<'_>, attachment: &Attachment) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: if attachment.format.class() == FormatClass::Depth {
            vk::ImageAspectFlags::DEPTH
        } else {
            vk::ImageAspectFlags::COLOR
        },
        base_mip_level: 0,
        level_count: 1,
        base_array_layer: 0,
        layer_count: draw.layers,
    }
}

fn clear_value(attachment: &Attachment) -> vk::ClearValue {
    let bits = attachment.clear;
    match attachment.format.class() {
        FormatClass::Depth => vk::ClearValue {
            depth_stencil: vk::ClearDepthStencilValue {
                depth: f32::from_bits(bits[0]),
                stencil: 0,
            },
        },
        // The three kinds of colour share their bits.
        FormatClass::Float | FormatClass::Uint | FormatClass::Sint => vk::ClearValue {
            color: vk::ClearColorValue { uint32: bits },
        },
    }
}

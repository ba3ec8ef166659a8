//! Makes the pipeline of a draw: set layouts, render pass, fixed state. Shared by what renders and by what
//! only lists a driver's code, so that both compile the same pipeline. Knows no memory.

use std::collections::BTreeSet;
use std::ffi::CString;

use ash::vk;

use crate::draw::{Draw, Format, TextureUse, Topology};
use crate::job::BufferKind;

/// Handles of a pipeline and what it is made from.
#[derive(Default)]
pub(crate) struct PipelineObjects {
    pub(crate) modules: Vec<vk::ShaderModule>,
    pub(crate) set_layouts: Vec<vk::DescriptorSetLayout>,
    pub(crate) layout: vk::PipelineLayout,
    pub(crate) render_pass: vk::RenderPass,
    pub(crate) pipeline: vk::Pipeline,
}

/// A call that failed.
pub(crate) struct Failed {
    pub(crate) call: &'static str,
    pub(crate) result: vk::Result,
}

fn failed(call: &'static str) -> impl FnOnce(vk::Result) -> Failed {
    move |result| Failed { call, result }
}

/// The Vulkan format.
pub(crate) fn vk_format(format: Format) -> vk::Format {
    vk::Format::from_raw(format.number())
}

/// The Vulkan comparison.
pub(crate) fn compare_op(number: u32) -> vk::CompareOp {
    vk::CompareOp::from_raw(i32::try_from(number.min(7)).unwrap_or(7))
}

/// The descriptor type of a texture.
pub(crate) fn texture_type(usage: TextureUse) -> vk::DescriptorType {
    match usage {
        TextureUse::Combined(_) => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        TextureUse::Sampled => vk::DescriptorType::SAMPLED_IMAGE,
        TextureUse::Storage => vk::DescriptorType::STORAGE_IMAGE,
        TextureUse::SamplerOnly(_) => vk::DescriptorType::SAMPLER,
    }
}

/// The descriptor type of a buffer.
pub(crate) fn buffer_type(kind: BufferKind) -> Option<vk::DescriptorType> {
    match kind {
        BufferKind::Storage => Some(vk::DescriptorType::STORAGE_BUFFER),
        BufferKind::Uniform => Some(vk::DescriptorType::UNIFORM_BUFFER),
        BufferKind::Unbound => None,
    }
}

/// Stages that see the descriptors and the push constants.
pub(crate) const STAGES: vk::ShaderStageFlags = vk::ShaderStageFlags::from_raw(
    vk::ShaderStageFlags::VERTEX.as_raw() | vk::ShaderStageFlags::FRAGMENT.as_raw(),
);

impl PipelineObjects {
    /// Makes all of them. On failure what was made stays here, to be destroyed.
    pub(crate) fn make(
        &mut self,
        device: &ash::Device,
        draw: &Draw<'_>,
        flags: vk::PipelineCreateFlags,
    ) -> Result<(), Failed> {
        self.layouts(device, draw)?;
        self.render_pass(device, draw)?;
        self.pipeline(device, draw, flags)
    }

    fn layouts(&mut self, device: &ash::Device, draw: &Draw<'_>) -> Result<(), Failed> {
        let buffers = draw
            .buffers
            .iter()
            .filter_map(|b| Some((b.set, b.binding, buffer_type(b.kind)?)));
        let textures = draw
            .textures
            .iter()
            .map(|t| (t.set, t.binding, texture_type(t.usage)));
        let all: Vec<(u32, u32, vk::DescriptorType)> = buffers.chain(textures).collect();
        let sets = all.iter().map(|&(set, ..)| set + 1).max().unwrap_or(0);
        for set in 0..sets {
            let mut seen = BTreeSet::new();
            let bindings: Vec<_> = all
                .iter()
                .filter(|&&(s, binding, _)| s == set && seen.insert(binding))
                .map(|&(_, binding, ty)| {
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(binding)
                        .descriptor_type(ty)
                        .descriptor_count(1)
                        .stage_flags(STAGES)
                })
                .collect();
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            // SAFETY: the bindings of a set differ and live until after the call.
            let layout = unsafe { device.create_descriptor_set_layout(&info, None) }
                .map_err(failed("vkCreateDescriptorSetLayout"))?;
            self.set_layouts.push(layout);
        }
        let length = u32::try_from(draw.push.len()).unwrap_or(u32::MAX);
        let range = [vk::PushConstantRange::default()
            .stage_flags(STAGES)
            .size(length)];
        let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(&self.set_layouts);
        if length > 0 {
            info = info.push_constant_ranges(&range);
        }
        // SAFETY: the set layouts are of this device.
        self.layout = unsafe { device.create_pipeline_layout(&info, None) }
            .map_err(failed("vkCreatePipelineLayout"))?;
        Ok(())
    }

    fn render_pass(&mut self, device: &ash::Device, draw: &Draw<'_>) -> Result<(), Failed> {
        let describe = |format: Format, layout, samples| {
            vk::AttachmentDescription::default()
                .format(vk_format(format))
                .samples(vk::SampleCountFlags::from_raw(samples))
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::STORE)
                .stencil_load_op(vk::AttachmentLoadOp::DONT_CARE)
                .stencil_store_op(vk::AttachmentStoreOp::DONT_CARE)
                .initial_layout(vk::ImageLayout::UNDEFINED)
                .final_layout(layout)
        };
        let mut attachments = Vec::new();
        let mut colors = Vec::new();
        for (i, color) in (0..).zip(&draw.colors) {
            attachments.push(describe(
                color.format,
                vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                draw.samples,
            ));
            colors.push(vk::AttachmentReference {
                attachment: i,
                layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
            });
        }
        let depth = vk::AttachmentReference {
            attachment: u32::try_from(attachments.len()).unwrap_or(u32::MAX),
            layout: vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        };
        let mut subpass = vk::SubpassDescription::default()
            .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
            .color_attachments(&colors);
        if let Some(state) = &draw.depth {
            attachments.push(describe(
                state.attachment.format,
                vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                draw.samples,
            ));
            subpass = subpass.depth_stencil_attachment(&depth);
        }
        let mut resolved = Vec::new();
        if draw.samples > 1 {
            for color in &draw.colors {
                resolved.push(vk::AttachmentReference {
                    attachment: u32::try_from(attachments.len()).unwrap_or(u32::MAX),
                    layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
                });
                attachments.push(describe(
                    color.format,
                    vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                    1,
                ));
            }
            subpass = subpass.resolve_attachments(&resolved);
        }
        let subpasses = [subpass];
        let after = [vk::SubpassDependency::default()
            .src_subpass(0)
            .dst_subpass(vk::SUBPASS_EXTERNAL)
            .src_stage_mask(
                vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT
                    | vk::PipelineStageFlags::LATE_FRAGMENT_TESTS,
            )
            .src_access_mask(
                vk::AccessFlags::COLOR_ATTACHMENT_WRITE
                    | vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_WRITE,
            )
            .dst_stage_mask(vk::PipelineStageFlags::TRANSFER)
            .dst_access_mask(vk::AccessFlags::TRANSFER_READ)];
        let info = vk::RenderPassCreateInfo::default()
            .attachments(&attachments)
            .subpasses(&subpasses)
            .dependencies(&after);
        // SAFETY: everything that `info` points at lives until after the call, and its references are
        // indices of its own attachments.
        self.render_pass = unsafe { device.create_render_pass(&info, None) }
            .map_err(failed("vkCreateRenderPass"))?;
        Ok(())
    }

    fn pipeline(
        &mut self,
        device: &ash::Device,
        draw: &Draw<'_>,
        flags: vk::PipelineCreateFlags,
    ) -> Result<(), Failed> {
        let mut names = Vec::new();
        let stages = [
            (vk::ShaderStageFlags::VERTEX, Some(draw.vertex)),
            (vk::ShaderStageFlags::FRAGMENT, draw.fragment),
        ];
        for (stage, module) in stages {
            let Some(module) = module else { continue };
            let info = vk::ShaderModuleCreateInfo::default().code(module.spirv);
            // SAFETY: the words form a whole sequence of instructions with a header; that they are valid
            // SPIR-V is the caller's part of the contract, which the validation layer checks.
            let handle = unsafe { device.create_shader_module(&info, None) }
                .map_err(failed("vkCreateShaderModule"))?;
            self.modules.push(handle);
            names.push((
                stage,
                handle,
                CString::new(module.entry).unwrap_or_default(),
            ));
        }
        let stages: Vec<_> = names
            .iter()
            .map(|(stage, module, name)| {
                vk::PipelineShaderStageCreateInfo::default()
                    .stage(*stage)
                    .module(*module)
                    .name(name)
            })
            .collect();
        let buffers: Vec<_> = draw
            .vertex_buffers
            .iter()
            .map(|b| {
                vk::VertexInputBindingDescription::default()
                    .binding(b.binding)
                    .stride(b.stride)
                    .input_rate(if b.per_instance {
                        vk::VertexInputRate::INSTANCE
                    } else {
                        vk::VertexInputRate::VERTEX
                    })
            })
            .collect();
        let attributes: Vec<_> = draw
            .attributes
            .iter()
            .map(|a| {
                vk::VertexInputAttributeDescription::default()
                    .location(a.location)
                    .binding(a.binding)
                    .format(vk_format(a.format))
                    .offset(a.offset)
            })
            .collect();
        let input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&buffers)
            .vertex_attribute_descriptions(&attributes);
        let assembly =
            vk::PipelineInputAssemblyStateCreateInfo::default().topology(match draw.topology {
                Topology::PointList => vk::PrimitiveTopology::POINT_LIST,
                Topology::LineList => vk::PrimitiveTopology::LINE_LIST,
                Topology::TriangleList => vk::PrimitiveTopology::TRIANGLE_LIST,
                Topology::TriangleStrip => vk::PrimitiveTopology::TRIANGLE_STRIP,
            });
        let [width, height] = draw.size;
        let viewports: Vec<_> = match draw.viewports.as_slice() {
            [] => vec![whole_viewport(width, height)],
            some => some.iter().map(|&place| viewport(place)).collect(),
        };
        let scissor = vk::Rect2D {
            offset: vk::Offset2D::default(),
            extent: vk::Extent2D { width, height },
        };
        let scissors = vec![scissor; viewports.len()];
        let view = vk::PipelineViewportStateCreateInfo::default()
            .viewports(&viewports)
            .scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default()
            .polygon_mode(vk::PolygonMode::FILL)
            .cull_mode(vk::CullModeFlags::NONE)
            .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
            .line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::from_raw(draw.samples));
        let mut depth = vk::PipelineDepthStencilStateCreateInfo::default();
        if let Some(state) = &draw.depth {
            depth = depth
                .depth_test_enable(true)
                .depth_write_enable(state.write)
                .depth_compare_op(compare_op(state.compare));
        }
        let blends: Vec<_> = draw
            .colors
            .iter()
            .map(|_| {
                vk::PipelineColorBlendAttachmentState::default()
                    .color_write_mask(vk::ColorComponentFlags::RGBA)
            })
            .collect();
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .flags(flags)
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&view)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .layout(self.layout)
            .render_pass(self.render_pass);
        // SAFETY: modules, layout and render pass are of this device, and everything that `info` points at
        // lives until after the call.
        let made =
            unsafe { device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
        let (pipelines, result) = match made {
            Ok(pipelines) => (pipelines, Ok(())),
            Err((pipelines, error)) => (pipelines, Err(error)),
        };
        self.pipeline = pipelines.first().copied().unwrap_or_default();
        result.map_err(failed("vkCreateGraphicsPipelines"))
    }

    /// Frees all; the device must be done with them.
    pub(crate) fn destroy(&mut self, device: &ash::Device) {
        // SAFETY: the objects are of this device or null, nothing uses them any more, and each is
        // destroyed once.
        unsafe {
            device.destroy_pipeline(std::mem::take(&mut self.pipeline), None);
            device.destroy_render_pass(std::mem::take(&mut self.render_pass), None);
            device.destroy_pipeline_layout(std::mem::take(&mut self.layout), None);
            for layout in self.set_layouts.drain(..) {
                device.destroy_descriptor_set_layout(layout, None);
            }
            for module in self.modules.drain(..) {
                device.destroy_shader_module(module, None);
            }
        }
    }
}

/// The whole target.
#[allow(
    clippy::cast_precision_loss,
    reason = "targets are far smaller than 2^24"
)]
fn whole_viewport(width: u32, height: u32) -> vk::Viewport {
    viewport([0.0, 0.0, width as f32, height as f32])
}

/// A part of the target, depth 0 to 1.
fn viewport([x, y, width, height]: [f32; 4]) -> vk::Viewport {
    vk::Viewport {
        x,
        y,
        width,
        height,
        min_depth: 0.0,
        max_depth: 1.0,
    }
}

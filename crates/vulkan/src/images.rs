//! Images, views and samplers of a draw as Vulkan describes them, and where texels lie in an image's data.
//! Makes nothing and knows no command.

use ash::vk;

use crate::draw::{
    Border, Component, Draw, DrawImage, FormatClass, Sampler, Texture, TextureShape, Wrap,
};
use crate::draw_objects::{compare_op, vk_format};

pub(crate) fn view_type(shape: TextureShape) -> vk::ImageViewType {
    match shape {
        TextureShape::D1 => vk::ImageViewType::TYPE_1D,
        TextureShape::D2 => vk::ImageViewType::TYPE_2D,
        TextureShape::D3 => vk::ImageViewType::TYPE_3D,
        TextureShape::Cube => vk::ImageViewType::CUBE,
        TextureShape::D1Array => vk::ImageViewType::TYPE_1D_ARRAY,
        TextureShape::D2Array => vk::ImageViewType::TYPE_2D_ARRAY,
        TextureShape::CubeArray => vk::ImageViewType::CUBE_ARRAY,
    }
}

pub(crate) fn component(component: Component) -> vk::ComponentSwizzle {
    match component {
        Component::Zero => vk::ComponentSwizzle::ZERO,
        Component::One => vk::ComponentSwizzle::ONE,
        Component::R => vk::ComponentSwizzle::R,
        Component::G => vk::ComponentSwizzle::G,
        Component::B => vk::ComponentSwizzle::B,
        Component::A => vk::ComponentSwizzle::A,
    }
}

pub(crate) fn image_info(image: &DrawImage) -> vk::ImageCreateInfo<'static> {
    let usage = if image.storage {
        vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::SAMPLED
    } else {
        vk::ImageUsageFlags::SAMPLED
    };
    let copies = vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::TRANSFER_SRC;
    let [width, height, depth] = image.size;
    let flags = if matches!(image.shape, TextureShape::Cube | TextureShape::CubeArray) {
        vk::ImageCreateFlags::CUBE_COMPATIBLE
    } else {
        vk::ImageCreateFlags::empty()
    };
    vk::ImageCreateInfo::default()
        .flags(flags)
        .image_type(match image.shape {
            TextureShape::D1 | TextureShape::D1Array => vk::ImageType::TYPE_1D,
            TextureShape::D3 => vk::ImageType::TYPE_3D,
            _ => vk::ImageType::TYPE_2D,
        })
        .format(vk_format(image.format))
        .extent(vk::Extent3D {
            width,
            height,
            depth,
        })
        .mip_levels(image.levels)
        .array_layers(image.layers)
        .samples(vk::SampleCountFlags::TYPE_1)
        .tiling(vk::ImageTiling::OPTIMAL)
        .usage(usage | copies)
}

pub(crate) fn image_layout(image: &DrawImage) -> vk::ImageLayout {
    if image.storage {
        vk::ImageLayout::GENERAL
    } else {
        vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL
    }
}

pub(crate) fn texture_layout(draw: &Draw<'_>, texture: &Texture) -> vk::ImageLayout {
    let image = texture.image.and_then(|i| draw.images.get(i));
    image.map_or(vk::ImageLayout::UNDEFINED, image_layout)
}

pub(crate) fn whole(image: &DrawImage) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: aspect(image),
        base_mip_level: 0,
        level_count: image.levels,
        base_array_layer: 0,
        layer_count: image.layers,
    }
}

pub(crate) fn aspect(image: &DrawImage) -> vk::ImageAspectFlags {
    if image.format.class() == FormatClass::Depth {
        vk::ImageAspectFlags::DEPTH
    } else {
        vk::ImageAspectFlags::COLOR
    }
}

/// Width, height and depth of a level.
pub(crate) fn level_size(image: &DrawImage, level: u32) -> [u32; 3] {
    image.size.map(|n| n.checked_shr(level).unwrap_or(0).max(1))
}

pub(crate) fn level_bytes(image: &DrawImage, level: u32) -> u64 {
    let texels: u64 = level_size(image, level)
        .iter()
        .map(|&n| u64::from(n))
        .product();
    texels * u64::from(image.layers) * u64::from(image.format.bytes())
}

pub(crate) fn image_bytes(image: &DrawImage) -> u64 {
    (0..image.levels)
        .map(|level| level_bytes(image, level))
        .sum()
}

/// Where each level lies in an image's data.
pub(crate) fn copies(image: &DrawImage) -> Vec<vk::BufferImageCopy> {
    let mut offset = 0;
    (0..image.levels)
        .map(|level| {
            let [width, height, depth] = level_size(image, level);
            let copy = vk::BufferImageCopy::default()
                .buffer_offset(offset)
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: aspect(image),
                    mip_level: level,
                    base_array_layer: 0,
                    layer_count: image.layers,
                })
                .image_extent(vk::Extent3D {
                    width,
                    height,
                    depth,
                });
            offset += level_bytes(image, level);
            copy
        })
        .collect()
}

pub(crate) fn sampler_info(sampler: &Sampler) -> vk::SamplerCreateInfo<'static> {
    let filter = |linear| {
        if linear {
            vk::Filter::LINEAR
        } else {
            vk::Filter::NEAREST
        }
    };
    let wrap = |wrap| match wrap {
        Wrap::Repeat => vk::SamplerAddressMode::REPEAT,
        Wrap::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
        Wrap::ClampEdge => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        Wrap::ClampBorder => vk::SamplerAddressMode::CLAMP_TO_BORDER,
    };
    let [u, v, w] = sampler.wrap.map(wrap);
    let mut info = vk::SamplerCreateInfo::default()
        .mag_filter(filter(sampler.linear))
        .min_filter(filter(sampler.linear))
        .mipmap_mode(if sampler.linear_mip {
            vk::SamplerMipmapMode::LINEAR
        } else {
            vk::SamplerMipmapMode::NEAREST
        })
        .address_mode_u(u)
        .address_mode_v(v)
        .address_mode_w(w)
        .mip_lod_bias(sampler.lod_bias)
        .min_lod(sampler.lod[0])
        .max_lod(sampler.lod[1])
        .border_color(match sampler.border {
            Border::TransparentBlack => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            Border::OpaqueBlack => vk::BorderColor::FLOAT_OPAQUE_BLACK,
            Border::OpaqueWhite => vk::BorderColor::FLOAT_OPAQUE_WHITE,
        })
        .unnormalized_coordinates(sampler.unnormalized);
    if let Some(compare) = sampler.compare {
        info = info.compare_enable(true).compare_op(compare_op(compare));
    }
    info
}

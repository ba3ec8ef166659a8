//! Textures and samplers of a draw file: what they are to Vulkan, and the words of their descriptors as a
//! driver writes them. Knows no device.
//!
//! Source: T# and S# of gfx10 and gfx10.3 as in Mesa's `gfx10-rsrc.json`; what RADV fills in as in its
//! `radv_image.c` and `radv_sampler.c`.

use spirdna_vulkan::draw::{
    Border, Component, Format, IDENTITY, Sampler, TextureShape, TextureUse, Wrap,
};

use super::CaseTexture;
use super::format::{BorderSpec, SamplerSpec, TextureSpec, WrapSpec};
use super::load::format;
use crate::error::{CaseError, Problem};
use crate::load::Loader;
use crate::memory::Region;

/// The shape of a name.
pub fn shape(name: &str) -> Option<TextureShape> {
    Some(match name {
        "1d" => TextureShape::D1,
        "2d" => TextureShape::D2,
        "3d" => TextureShape::D3,
        "cube" => TextureShape::Cube,
        "1d_array" => TextureShape::D1Array,
        "2d_array" => TextureShape::D2Array,
        "cube_array" => TextureShape::CubeArray,
        _ => return None,
    })
}

/// The sampler that a file describes.
pub fn sampler(spec: &SamplerSpec) -> Sampler {
    let wrap = match spec.wrap {
        WrapSpec::Repeat => Wrap::Repeat,
        WrapSpec::Mirror => Wrap::Mirror,
        WrapSpec::Clamp => Wrap::ClampEdge,
        WrapSpec::Border => Wrap::ClampBorder,
    };
    Sampler {
        linear: spec.linear,
        linear_mip: spec.linear_mip,
        wrap: [wrap; 3],
        lod_bias: spec.bias,
        lod: spec.lod,
        compare: spec.compare,
        unnormalized: spec.unnormalized,
        border: match spec.border {
            BorderSpec::TransparentBlack => Border::TransparentBlack,
            BorderSpec::OpaqueBlack => Border::OpaqueBlack,
            BorderSpec::OpaqueWhite => Border::OpaqueWhite,
        },
    }
}

fn components(select: &str) -> Option<[Component; 4]> {
    let mut all = IDENTITY;
    if select.chars().count() != all.len() {
        return None;
    }
    for (to, letter) in all.iter_mut().zip(select.chars()) {
        *to = match letter {
            '0' => Component::Zero,
            '1' => Component::One,
            'x' => Component::R,
            'y' => Component::G,
            'z' => Component::B,
            'w' => Component::A,
            _ => return None,
        };
    }
    Some(all)
}

/// A texture of the file.
pub(super) fn load(
    loader: &Loader,
    spec: &TextureSpec,
    key: &str,
) -> Result<CaseTexture, CaseError> {
    let (region, _) = loader.region(&spec.memory, &format!("{key}.memory"))?;
    let unknown = |key: String, value: &str, known: &str| {
        let (value, known) = (value.to_owned(), known.to_owned());
        loader.error(key, Problem::Unknown { value, known })
    };
    let shape = shape(&spec.shape).ok_or_else(|| {
        let known = "1d, 2d, 3d, cube, 1d_array, 2d_array, cube_array";
        unknown(format!("{key}.shape"), &spec.shape, known)
    })?;
    let components = components(&spec.select).ok_or_else(|| {
        unknown(
            format!("{key}.select"),
            &spec.select,
            "four of 0, 1, x, y, z, w",
        )
    })?;
    Ok(CaseTexture {
        region,
        format: format(loader, &spec.format, key)?,
        shape,
        size: spec.size,
        layers: spec.layers,
        levels: spec.levels,
        components,
        usage: match (&spec.sampler, spec.storage) {
            (None, false) => TextureUse::Sampled,
            (None, true) => TextureUse::Storage,
            (Some(of), false) => TextureUse::Combined(sampler(of)),
            (Some(_), true) => {
                let other = "storage";
                return Err(loader.error(format!("{key}.sampler"), Problem::Conflict { other }));
            }
        },
        binding: spec.binding,
    })
}

/// The number of the unified format of a T#.
pub(super) fn format_code(format: Format) -> Option<u32> {
    Some(match format {
        Format::R8Unorm => 1,
        Format::R8Uint => 5,
        Format::R16Uint => 11,
        Format::R16Sfloat => 13,
        Format::R8G8Unorm => 14,
        Format::R32Uint => 20,
        Format::R32Sint => 21,
        Format::R32Sfloat | Format::D32Sfloat => 22,
        Format::R16G16Unorm => 23,
        Format::R16G16Snorm => 24,
        Format::R16G16Uint => 27,
        Format::R16G16Sint => 28,
        Format::R16G16Sfloat => 29,
        Format::R8G8B8A8Unorm => 56,
        Format::R8G8B8A8Snorm => 57,
        Format::R8G8B8A8Uint => 60,
        Format::R8G8B8A8Sint => 61,
        Format::R32G32Uint => 62,
        Format::R32G32Sint => 63,
        Format::R32G32Sfloat => 64,
        Format::R16G16B16A16Unorm => 65,
        Format::R16G16B16A16Snorm => 66,
        Format::R16G16B16A16Uint => 69,
        Format::R16G16B16A16Sint => 70,
        Format::R16G16B16A16Sfloat => 71,
        Format::R32G32B32Sfloat => 74,
        Format::R32G32B32A32Uint => 75,
        Format::R32G32B32A32Sint => 76,
        Format::R32G32B32A32Sfloat => 77,
        Format::R8G8B8A8Srgb => 130,
    })
}

/// A T# of a linear image in a region. What a driver fills in where a format lacks components is in the
/// selects: zeros, and one for alpha.
pub(super) fn image_words(
    loader: &Loader,
    spec: &TextureSpec,
    region: &Region,
    key: &str,
) -> Result<Vec<u32>, CaseError> {
    let texture = load(loader, spec, key)?;
    let code = format_code(texture.format).ok_or_else(|| {
        let (value, known) = (spec.format.clone(), "those of images".to_owned());
        loader.error(format!("{key}.format"), Problem::Unknown { value, known })
    })?;
    if !region.address.is_multiple_of(256) {
        return Err(loader.error(format!("{key}.memory"), Problem::Unaligned(region.address)));
    }
    let count = component_count(texture.format);
    let select = |component: Component| match component {
        Component::Zero => 0,
        Component::One => 1,
        Component::R => 4,
        Component::G if count > 1 => 5,
        Component::B if count > 2 => 6,
        Component::A if count > 3 => 7,
        Component::G | Component::B => 0,
        Component::A => 1,
    };
    let selects = texture.components.map(select);
    let dst_sel = (0..4)
        .zip(selects)
        .fold(0, |all, (i, s)| all | s << (3 * i));
    let [width, height, depth] = texture.size.map(|n| n.saturating_sub(1));
    let ty = match texture.shape {
        TextureShape::D1 => 8,
        TextureShape::D2 => 9,
        TextureShape::D3 => 10,
        TextureShape::Cube | TextureShape::CubeArray => 11,
        TextureShape::D1Array => 12,
        TextureShape::D2Array => 13,
    };
    let last = if texture.shape == TextureShape::D3 {
        depth
    } else {
        texture.layers.saturating_sub(1)
    };
    let levels = texture.levels.saturating_sub(1);
    let base = region.base();
    Ok(vec![
        (base >> 8) as u32,
        (base >> 40) as u32 | code << 20 | (width & 3) << 30,
        // RESOURCE_LEVEL is always on.
        width >> 2 | (height & 0xffff) << 14 | 1 << 31,
        dst_sel | levels << 16 | ty << 28,
        last,
        levels << 4,
        0,
        0,
    ])
}

fn component_count(format: Format) -> usize {
    let name = format.name();
    ["R", "G", "B", "A"]
        .iter()
        .filter(|letter| {
            name.match_indices(*letter)
                .any(|(at, _)| name.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit))
        })
        .count()
        .max(1)
}

/// An S#.
pub(super) fn sampler_words(spec: &SamplerSpec) -> Vec<u32> {
    let wrap = match spec.wrap {
        WrapSpec::Repeat => 0,
        WrapSpec::Mirror => 1,
        WrapSpec::Clamp => 2,
        WrapSpec::Border => 6,
    };
    let fixed = |x: f32| (x * 256.0).round() as i32 as u32;
    let filter = u32::from(spec.linear);
    let border = match spec.border {
        BorderSpec::TransparentBlack => 0,
        BorderSpec::OpaqueBlack => 1,
        BorderSpec::OpaqueWhite => 2,
    };
    let [least, most] = spec.lod;
    vec![
        wrap | wrap << 3
            | wrap << 6
            | spec.compare.unwrap_or(0) << 12
            | u32::from(spec.unnormalized) << 15,
        fixed(least) & 0xfff | (fixed(most) & 0xfff) << 12,
        fixed(spec.bias) & 0x3fff
            | filter << 20
            | filter << 22
            | if spec.linear_mip { 2 } else { 1 } << 26,
        border << 30,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_their_number_of_components() {
        assert_eq!(component_count(Format::R8Unorm), 1);
        assert_eq!(component_count(Format::R32G32Sfloat), 2);
        assert_eq!(component_count(Format::R8G8B8A8Srgb), 4);
        assert_eq!(component_count(Format::D32Sfloat), 1);
    }
}

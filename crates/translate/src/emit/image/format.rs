//! The formats of storage images: unified numbers of T#s as SPIR-V names them.

use spirv::ImageFormat;

use crate::emit::error::{EmitError, Fail};

/// Unified formats of one word.
pub(super) const R32_UINT: u32 = 20;
pub(super) const R32_SINT: u32 = 21;

/// The SPIR-V format that a T#'s unified format is, of those that storage images have.
pub(super) fn declared_format(code: u32) -> Result<ImageFormat, Fail> {
    Ok(match code {
        1 => ImageFormat::R8,
        2 => ImageFormat::R8Snorm,
        5 => ImageFormat::R8ui,
        6 => ImageFormat::R8i,
        7 => ImageFormat::R16,
        8 => ImageFormat::R16Snorm,
        11 => ImageFormat::R16ui,
        12 => ImageFormat::R16i,
        13 => ImageFormat::R16f,
        14 => ImageFormat::Rg8,
        15 => ImageFormat::Rg8Snorm,
        18 => ImageFormat::Rg8ui,
        19 => ImageFormat::Rg8i,
        R32_UINT => ImageFormat::R32ui,
        R32_SINT => ImageFormat::R32i,
        22 => ImageFormat::R32f,
        23 => ImageFormat::Rg16,
        24 => ImageFormat::Rg16Snorm,
        27 => ImageFormat::Rg16ui,
        28 => ImageFormat::Rg16i,
        29 => ImageFormat::Rg16f,
        36 => ImageFormat::R11fG11fB10f,
        50 => ImageFormat::Rgb10A2,
        54 => ImageFormat::Rgb10a2ui,
        56 => ImageFormat::Rgba8,
        57 => ImageFormat::Rgba8Snorm,
        60 => ImageFormat::Rgba8ui,
        61 => ImageFormat::Rgba8i,
        62 => ImageFormat::Rg32ui,
        63 => ImageFormat::Rg32i,
        64 => ImageFormat::Rg32f,
        65 => ImageFormat::Rgba16,
        66 => ImageFormat::Rgba16Snorm,
        69 => ImageFormat::Rgba16ui,
        70 => ImageFormat::Rgba16i,
        71 => ImageFormat::Rgba16f,
        75 => ImageFormat::Rgba32ui,
        76 => ImageFormat::Rgba32i,
        77 => ImageFormat::Rgba32f,
        _ => return Err(EmitError::Unsupported("storage images of this format").into()),
    })
}

/// Formats beyond those that every host has.
pub(super) fn is_extended(format: ImageFormat) -> bool {
    !matches!(
        format,
        ImageFormat::Unknown
            | ImageFormat::Rgba32f
            | ImageFormat::Rgba16f
            | ImageFormat::R32f
            | ImageFormat::Rgba8
            | ImageFormat::Rgba8Snorm
            | ImageFormat::Rgba32i
            | ImageFormat::Rgba16i
            | ImageFormat::Rgba8i
            | ImageFormat::R32i
            | ImageFormat::Rgba32ui
            | ImageFormat::Rgba16ui
            | ImageFormat::Rgba8ui
            | ImageFormat::R32ui
    )
}

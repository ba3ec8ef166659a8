//! Dimensions of image instructions, and how many registers one takes: addresses by dimension, modifiers
//! and meaning, data by DMASK, D16 and TFE. Knows no text and no bit positions.

use crate::encoding::Encoding;
use crate::inst::Inst;
use crate::mods::ImageMods;
use crate::row::RowFlags;
use crate::sem::{Image, SampleLod, SampleMods, Sem, Width};

/// The dimension that an image instruction names (DIM): how its addresses are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ImageDim {
    /// x.
    D1,
    /// x, y.
    D2,
    /// x, y, z.
    D3,
    /// Place on a face in x and y, 1 to 2, and the face's number, of an array plus 8 times the cube's.
    Cube,
    /// x, layer.
    D1Array,
    /// x, y, layer.
    D2Array,
    /// x, y, sample.
    D2Msaa,
    /// x, y, layer, sample.
    D2MsaaArray,
}

impl ImageDim {
    /// All of them, by number.
    pub const ALL: [ImageDim; 8] = [
        ImageDim::D1,
        ImageDim::D2,
        ImageDim::D3,
        ImageDim::Cube,
        ImageDim::D1Array,
        ImageDim::D2Array,
        ImageDim::D2Msaa,
        ImageDim::D2MsaaArray,
    ];

    /// The dimension of a number of DIM, of which three bits count.
    pub const fn from_number(dim: u8) -> ImageDim {
        match dim & 7 {
            0 => ImageDim::D1,
            1 => ImageDim::D2,
            2 => ImageDim::D3,
            3 => ImageDim::Cube,
            4 => ImageDim::D1Array,
            5 => ImageDim::D2Array,
            6 => ImageDim::D2Msaa,
            _ => ImageDim::D2MsaaArray,
        }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        match self {
            ImageDim::D1 => 0,
            ImageDim::D2 => 1,
            ImageDim::D3 => 2,
            ImageDim::Cube => 3,
            ImageDim::D1Array => 4,
            ImageDim::D2Array => 5,
            ImageDim::D2Msaa => 6,
            ImageDim::D2MsaaArray => 7,
        }
    }

    /// Axes along which texels are filtered: of a cube those of a face.
    pub const fn axes(self) -> u32 {
        match self {
            ImageDim::D1 | ImageDim::D1Array => 1,
            ImageDim::D3 => 3,
            _ => 2,
        }
    }

    /// Whether a layer is among the coordinates, behind the axes; a cube's face is not one.
    pub const fn is_array(self) -> bool {
        matches!(
            self,
            ImageDim::D1Array | ImageDim::D2Array | ImageDim::D2MsaaArray
        )
    }

    /// Whether a sample is, as the last coordinate.
    pub const fn is_multisampled(self) -> bool {
        matches!(self, ImageDim::D2Msaa | ImageDim::D2MsaaArray)
    }
}

/// Coordinates of a dimension (DIM), a sample index and an array slice included.
pub const fn coordinates(dim: u8) -> u32 {
    match dim & 7 {
        0 => 1,
        1 | 4 => 2,
        2 | 3 | 5 | 6 => 3,
        _ => 4,
    }
}

/// Explicit derivatives that a dimension takes: two for each axis that is filtered.
pub const fn derivatives(dim: u8) -> u32 {
    match dim & 7 {
        0 | 4 => 2,
        2 => 6,
        _ => 4,
    }
}

/// Address registers that a meaning takes with given modifiers, in the order: texel offset, bias,
/// comparison value, derivatives, coordinates, level of detail or clamp or mip. `None` for a meaning
/// that is no image instruction's.
pub fn address_words(sem: Sem, mods: ImageMods) -> Option<u32> {
    let Sem::Image(image) = sem else { return None };
    // Registers of their own, components that A16 packs in pairs, derivatives that pack by axis.
    let (whole, packed, derivs) = match image {
        Image::Load { mip, .. } | Image::Store { mip, .. } | Image::Block { mip, .. } => {
            (0, coordinates(mods.dim) + u32::from(mip), 0)
        }
        Image::MsaaLoad | Image::GetLod | Image::Atomic(_) | Image::GatherH { .. } => {
            (0, coordinates(mods.dim), 0)
        }
        Image::GetResInfo => (0, 1, 0),
        Image::Sample(m) | Image::Gather4(m) => sample_words(m, mods.dim),
        Image::BvhIntersect(width) => {
            // Node, ray extent and origin; direction and inverse direction halve with A16.
            let node = match width {
                Width::B32 => 1,
                Width::B64 => 2,
            };
            let ray = if mods.a16 { 7 } else { 10 };
            return Some(node + ray);
        }
    };
    let packed = if mods.a16 { packed.div_ceil(2) } else { packed };
    Some(whole + packed + derivs)
}

fn sample_words(m: SampleMods, dim: u8) -> (u32, u32, u32) {
    let bias = m.lod == SampleLod::Bias;
    let level = m.lod == SampleLod::Level || m.clamp;
    let whole = u32::from(m.offset) + u32::from(bias) + u32::from(m.compare);
    let derivs = match m.lod {
        SampleLod::Derivatives | SampleLod::Coarse => derivatives(dim),
        // Two halves a register, each axis of the screen beginning a new one.
        SampleLod::Derivatives16 | SampleLod::Coarse16 => {
            (derivatives(dim) / 2).next_multiple_of(2)
        }
        SampleLod::Implicit | SampleLod::Level | SampleLod::Bias | SampleLod::Zero => 0,
    };
    (whole, coordinates(dim) + u32::from(level), derivs)
}

impl Inst {
    /// Address registers of an image instruction.
    pub fn image_address_words(&self) -> Option<u32> {
        if self.encoding() != Encoding::Mimg {
            return None;
        }
        address_words(self.sem(), self.image_mods())
    }

    /// Data registers of an image instruction, the status register of TFE included.
    pub fn image_data_words(&self) -> Option<u32> {
        if self.encoding() != Encoding::Mimg {
            return None;
        }
        if self.flags().contains(RowFlags::BVH_RAY) {
            return Some(4);
        }
        let m = self.image_mods();
        let gather = self.flags().contains(RowFlags::GATHER);
        let components = if gather {
            4
        } else {
            m.dmask.count_ones().max(1)
        };
        let words = if m.d16 {
            components.div_ceil(2)
        } else {
            components
        };
        Some(words + u32::from(self.mem_mods().tfe))
    }
}

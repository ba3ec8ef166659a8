//! How many registers an image instruction takes: addresses by dimension, modifiers and meaning,
//! data by DMASK, D16 and TFE. Knows no text and no bit positions.

use crate::encoding::Encoding;
use crate::inst::Inst;
use crate::mods::ImageMods;
use crate::row::RowFlags;
use crate::sem::{Image, SampleLod, SampleMods, Sem, Width};

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

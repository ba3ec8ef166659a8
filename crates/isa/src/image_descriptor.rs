//! The image descriptor (T#) and the sampler descriptor (S#) of gfx10 and gfx10.3, as facts. Knows no
//! instruction; what a field does belongs to whoever executes or translates.
//!
//! Source: Mesa's `gfx10-rsrc.json`, PAL's `SQ_IMG_RSRC_WORD*` and `SQ_IMG_SAMP_WORD*`.

use crate::descriptor::DstSel;
use crate::format::{BufferFormat, NumberType};
use crate::stage::ColorClass;

/// A T#: eight words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageDescriptor {
    /// The words.
    pub words: [u32; 8],
}

/// An S#: four words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerDescriptor {
    /// The words.
    pub words: [u32; 4],
}

const fn field(word: u32, lo: u32, width: u32) -> u32 {
    word >> lo & ((1 << width) - 1)
}

impl ImageDescriptor {
    /// Byte address of the image: bits 47:8 are stored.
    pub const fn base(&self) -> u64 {
        (self.words[0] as u64) << 8 | (field(self.words[1], 0, 8) as u64) << 40
    }

    /// The unified format's number.
    pub const fn format_code(&self) -> u32 {
        field(self.words[1], 20, 9)
    }

    /// Width in texels.
    pub const fn width(&self) -> u32 {
        (field(self.words[1], 30, 2) | field(self.words[2], 0, 14) << 2) + 1
    }

    /// Height in texels.
    pub const fn height(&self) -> u32 {
        field(self.words[2], 14, 16) + 1
    }

    /// Depth of a 3D image, or the last layer of an array, counted from 1.
    pub const fn depth(&self) -> u32 {
        field(self.words[4], 0, 16) + 1
    }

    /// Type: 8 1D, 9 2D, 10 3D, 11 cube, 12 1D array, 13 2D array, 14 2D MSAA, 15 2D MSAA array.
    pub const fn ty(&self) -> u32 {
        field(self.words[3], 28, 4)
    }

    /// Selects of the four components: 0, 1 constants; 4 to 7 x to w.
    pub fn dst_sel(&self) -> [u32; 4] {
        [0, 3, 6, 9].map(|lo| field(self.words[3], lo, 3))
    }

    /// The first layer.
    pub const fn base_array(&self) -> u32 {
        field(self.words[4], 16, 16)
    }

    /// First and last level; of an image of several samples the second is the logarithm of their number.
    pub const fn levels(&self) -> (u32, u32) {
        (field(self.words[3], 12, 4), field(self.words[3], 16, 4))
    }

    /// What a component of the result takes, for the selects that an image has.
    pub fn selects(&self) -> [DstSel; 4] {
        self.dst_sel().map(DstSel::from_code)
    }

    /// What shaders read, of formats that this crate knows.
    pub fn class(&self) -> Option<ColorClass> {
        match self.format_code() {
            code @ 1..128 => match BufferFormat::from_code(code as u8)?.number() {
                NumberType::Uint => Some(ColorClass::Uint),
                NumberType::Sint => Some(ColorClass::Sint),
                _ => Some(ColorClass::Float),
            },
            // sRGB, small floats, shared exponents, packed normals, block compression.
            128..=137 | 140 | 141 | 143 | 169..=182 => Some(ColorClass::Float),
            // Stencil beside depth.
            142 | 144 | 145 => Some(ColorClass::Uint),
            146 => Some(ColorClass::Float),
            _ => None,
        }
    }
}

impl SamplerDescriptor {
    /// How coordinates outside the image are treated, x, y, z: 0 wrap, 1 mirror, 2 last texel, 3 mirror once,
    /// 4 half border, 5 mirror once to the half border, 6 border, 7 mirror once to the border.
    pub fn clamp(&self) -> [u32; 3] {
        [0, 3, 6].map(|lo| field(self.words[0], lo, 3))
    }

    /// Comparison: never, less, equal, less or equal, greater, not equal, greater or equal, always.
    pub const fn compare(&self) -> u32 {
        field(self.words[0], 12, 3)
    }

    /// Coordinates count texels.
    pub const fn unnormalized(&self) -> bool {
        field(self.words[0], 15, 1) == 1
    }

    /// Least and greatest level, in 1/256.
    pub const fn lod(&self) -> (u32, u32) {
        (field(self.words[1], 0, 12), field(self.words[1], 12, 12))
    }

    /// Added to the level, in 1/256.
    pub const fn lod_bias(&self) -> i32 {
        ((self.words[2] << 18) as i32) >> 18
    }

    /// Filters of magnification and minification: 0 point, 1 linear, 2 and 3 the same with anisotropy.
    pub const fn filters(&self) -> (u32, u32) {
        (field(self.words[2], 20, 2), field(self.words[2], 22, 2))
    }

    /// Filter between levels: 0 none, 1 point, 2 linear.
    pub const fn mip_filter(&self) -> u32 {
        field(self.words[2], 26, 2)
    }

    /// Anisotropy: 2^n samples at most.
    pub const fn max_aniso(&self) -> u32 {
        field(self.words[0], 9, 3)
    }

    /// Texels are not filtered by weights but reduced: 0 weights, 1 minimum, 2 maximum.
    pub const fn filter_mode(&self) -> u32 {
        field(self.words[0], 29, 2)
    }

    /// Border: 0 transparent black, 1 opaque black, 2 opaque white, 3 from a table.
    pub const fn border(&self) -> u32 {
        field(self.words[3], 30, 2)
    }

    /// Cubes are not filtered over their edges.
    pub const fn disable_cube_wrap(&self) -> bool {
        field(self.words[0], 28, 1) == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_the_table_of_the_descriptor_says() {
        // One field at a time: all ones in its bits, all others clear (abi-and-descriptors.md, 3.2, 3.3).
        let image = |word: usize, bits: u32| {
            let mut words = [0; 8];
            words[word] = bits;
            ImageDescriptor { words }
        };
        assert_eq!(image(0, u32::MAX).base(), 0x00ff_ffff_ff00);
        assert_eq!(image(1, 0xff).base(), 0xff00_0000_0000);
        assert_eq!(image(1, 0x1ff0_0000).format_code(), 511);
        assert_eq!(image(1, 0xc000_0000).width(), 4);
        assert_eq!(image(2, 0x3fff).width(), 0xfffd);
        assert_eq!(image(2, 0x3fff_c000).height(), 0x1_0000);
        assert_eq!(image(4, 0xffff).depth(), 0x1_0000);
        assert_eq!(image(4, 0xffff_0000).base_array(), 0xffff);
        assert_eq!(image(3, 0xf000_0000).ty(), 15);
        assert_eq!(image(3, 0x0000_0fac).dst_sel(), [4, 5, 6, 7]);
        assert_eq!(image(3, 0x0003_2000).levels(), (2, 3));
        let sampler = |word: usize, bits: u32| {
            let mut words = [0; 4];
            words[word] = bits;
            SamplerDescriptor { words }
        };
        assert_eq!(sampler(0, 0o321).clamp(), [1, 2, 3]);
        assert_eq!(sampler(0, 0x7000).compare(), 7);
        assert!(sampler(0, 0x8000).unnormalized());
        assert_eq!(sampler(0, 0xe00).max_aniso(), 7);
        assert_eq!(sampler(1, 0xff_f000).lod(), (0, 0xfff));
        assert_eq!(sampler(2, 0x3fff).lod_bias(), -1);
        assert_eq!(sampler(2, 0x0010_0000).filters(), (1, 0));
        assert_eq!(sampler(2, 0x0080_0000).filters(), (0, 2));
        assert_eq!(sampler(2, 0x0800_0000).mip_filter(), 2);
        assert_eq!(sampler(3, 0x8000_0000).border(), 2);
    }

    #[test]
    fn classes_of_formats() {
        let class = |code: u32| {
            ImageDescriptor {
                words: [0, code << 20, 0, 0, 0, 0, 0, 0],
            }
            .class()
        };
        assert_eq!(class(56), Some(ColorClass::Float));
        assert_eq!(class(60), Some(ColorClass::Uint));
        assert_eq!(class(21), Some(ColorClass::Sint));
        assert_eq!(class(130), Some(ColorClass::Float));
        assert_eq!(class(0), None);
        assert_eq!(class(300), None);
    }
}

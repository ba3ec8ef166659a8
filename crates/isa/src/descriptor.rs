//! Fields of the buffer descriptor (V#) of gfx10 and gfx10.3, as facts. Knows no instruction; a
//! field's effect belongs to whoever executes or translates.

use crate::format::BufferFormat;

/// A bit field of a descriptor: `width` bits from bit `lo` of dword `dword`. No field crosses a
/// dword, the base excepted, which is two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DescField {
    /// Which dword.
    pub dword: u8,
    /// Lowest bit.
    pub lo: u8,
    /// Width in bits, 1 to 32.
    pub width: u8,
}

impl DescField {
    const fn new(dword: u8, lo: u8, width: u8) -> DescField {
        DescField { dword, lo, width }
    }

    /// The bits of the field, shifted down.
    pub const fn mask(self) -> u32 {
        if self.width >= 32 {
            u32::MAX
        } else {
            (1 << self.width) - 1
        }
    }

    /// The field's value in a V#.
    pub const fn get(self, words: &[u32; 4]) -> u32 {
        (words[(self.dword & 3) as usize] >> self.lo) & self.mask()
    }

    /// `words` with the field set to the low bits of `value`.
    pub const fn set(self, mut words: [u32; 4], value: u32) -> [u32; 4] {
        let i = (self.dword & 3) as usize;
        words[i] = (words[i] & !(self.mask() << self.lo)) | ((value & self.mask()) << self.lo);
        words
    }
}

/// The V#'s fields (gfx10, gfx10.3).
pub mod vsharp {
    use super::DescField;

    /// Base address, bits 31:0 (bytes).
    pub const BASE_LO: DescField = DescField::new(0, 0, 32);
    /// Base address, bits 47:32.
    pub const BASE_HI: DescField = DescField::new(1, 0, 16);
    /// Stride of a record in bytes.
    pub const STRIDE: DescField = DescField::new(1, 16, 14);
    /// Swizzle the cache's address hash.
    pub const CACHE_SWIZZLE: DescField = DescField::new(1, 30, 1);
    /// Swizzled (array of structures to structure of arrays) addressing.
    pub const SWIZZLE_ENABLE: DescField = DescField::new(1, 31, 1);
    /// Records: units of the stride, or bytes; see `OOB_SELECT`.
    pub const NUM_RECORDS: DescField = DescField::new(2, 0, 32);
    /// Destination selects of X, Y, Z, W.
    pub const DST_SEL: [DescField; 4] = [
        DescField::new(3, 0, 3),
        DescField::new(3, 3, 3),
        DescField::new(3, 6, 3),
        DescField::new(3, 9, 3),
    ];
    /// Unified format code.
    pub const FORMAT: DescField = DescField::new(3, 12, 7);
    /// Index stride of swizzled addressing: 8 << n records.
    pub const INDEX_STRIDE: DescField = DescField::new(3, 21, 2);
    /// Add the lane's id to the index.
    pub const ADD_TID: DescField = DescField::new(3, 23, 1);
    /// 1 on gfx10.
    pub const RESOURCE_LEVEL: DescField = DescField::new(3, 24, 1);
    /// Last-level cache policy (gfx10.3).
    pub const LLC_NOALLOC: DescField = DescField::new(3, 26, 2);
    /// Bounds rule.
    pub const OOB_SELECT: DescField = DescField::new(3, 28, 2);
    /// 0 for a buffer.
    pub const TYPE: DescField = DescField::new(3, 30, 2);
}

/// What a destination component takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DstSel {
    /// 0: constant zero.
    Zero,
    /// 1: constant one (an integer 1 for integer formats).
    One,
    /// 2: `N_BC_1`, meaningful for images alone.
    NBc1,
    /// 3: reserved.
    Reserved,
    /// 4 to 7: component X, Y, Z or W (0 to 3).
    Component(u8),
}

impl DstSel {
    /// The select of a 3-bit code.
    pub const fn from_code(code: u32) -> DstSel {
        match code & 7 {
            0 => DstSel::Zero,
            1 => DstSel::One,
            2 => DstSel::NBc1,
            3 => DstSel::Reserved,
            n => DstSel::Component(n as u8 - 4),
        }
    }
}

/// The bounds rule (`OOB_SELECT`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OobSelect {
    /// 0: out of range if index >= NUM_RECORDS or offset >= stride.
    Structured,
    /// 1: out of range if index >= NUM_RECORDS.
    Index,
    /// 2: out of range only if NUM_RECORDS is 0.
    NumRecordsZero,
    /// 3: by bytes: the offset (swizzled: the swizzled address) >= NUM_RECORDS.
    Raw,
}

impl OobSelect {
    /// The rule of a 2-bit code.
    pub const fn from_code(code: u32) -> OobSelect {
        match code & 3 {
            0 => OobSelect::Structured,
            1 => OobSelect::Index,
            2 => OobSelect::NumRecordsZero,
            _ => OobSelect::Raw,
        }
    }
}

/// A V# read from its four words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferDescriptor {
    /// The words.
    pub words: [u32; 4],
    /// 48-bit base address in bytes.
    pub base: u64,
    /// Bytes of a record, 0 to 16383.
    pub stride: u32,
    /// Cache swizzle; no effect on results.
    pub cache_swizzle: bool,
    /// Swizzled addressing.
    pub swizzle_enable: bool,
    /// Records, or bytes.
    pub num_records: u32,
    /// What X, Y, Z, W of the result take.
    pub dst_sel: [DstSel; 4],
    /// Format code, 0 to 127; see [`BufferDescriptor::format`].
    pub format_code: u8,
    /// Records that a swizzle block holds: 8, 16, 32 or 64.
    pub index_stride: u32,
    /// Add the lane's id to the index.
    pub add_tid: bool,
    /// Bounds rule.
    pub oob_select: OobSelect,
    /// Type field; 0 for a buffer.
    pub ty: u8,
}

impl BufferDescriptor {
    /// Reads the words; every bit pattern has a reading.
    pub const fn from_words(words: [u32; 4]) -> BufferDescriptor {
        use vsharp as v;
        BufferDescriptor {
            words,
            base: v::BASE_LO.get(&words) as u64 | (v::BASE_HI.get(&words) as u64) << 32,
            stride: v::STRIDE.get(&words),
            cache_swizzle: v::CACHE_SWIZZLE.get(&words) != 0,
            swizzle_enable: v::SWIZZLE_ENABLE.get(&words) != 0,
            num_records: v::NUM_RECORDS.get(&words),
            dst_sel: [
                DstSel::from_code(v::DST_SEL[0].get(&words)),
                DstSel::from_code(v::DST_SEL[1].get(&words)),
                DstSel::from_code(v::DST_SEL[2].get(&words)),
                DstSel::from_code(v::DST_SEL[3].get(&words)),
            ],
            format_code: v::FORMAT.get(&words) as u8,
            index_stride: 8 << v::INDEX_STRIDE.get(&words),
            add_tid: v::ADD_TID.get(&words) != 0,
            oob_select: OobSelect::from_code(v::OOB_SELECT.get(&words)),
            ty: v::TYPE.get(&words) as u8,
        }
    }

    /// The format, `None` for an invalid or reserved code.
    pub const fn format(&self) -> Option<BufferFormat> {
        BufferFormat::from_code(self.format_code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_driver_built_descriptor() {
        // RADV's V# for a storage buffer on gfx10.3: base 0x8000_1234_5678, raw bounds, 32_FLOAT,
        // swizzle xyzw, RESOURCE_LEVEL.
        let d = BufferDescriptor::from_words([0x1234_5678, 0x0000_8000, 0x100, 0x3101_6fac]);
        assert_eq!(d.base, 0x8000_1234_5678);
        assert_eq!((d.stride, d.num_records, d.format_code), (0, 0x100, 22));
        assert_eq!(d.oob_select, OobSelect::Raw);
        let xyzw = [0, 1, 2, 3].map(DstSel::Component);
        assert_eq!(d.dst_sel, xyzw);
        assert_eq!(vsharp::RESOURCE_LEVEL.get(&d.words), 1);
        assert!(!d.add_tid && !d.swizzle_enable);
    }

    #[test]
    fn set_then_get_and_nothing_else_moves() {
        let fields = [
            vsharp::STRIDE,
            vsharp::FORMAT,
            vsharp::OOB_SELECT,
            vsharp::NUM_RECORDS,
        ];
        for f in fields {
            for start in [[0; 4], [u32::MAX; 4]] {
                let w = f.set(start, 0xa5a5_a5a5);
                assert_eq!(f.get(&w), 0xa5a5_a5a5 & f.mask());
                assert_eq!(f.set(w, start[0]), start);
            }
        }
    }
}

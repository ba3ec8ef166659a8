//! The unified buffer formats of gfx10: code to layout, as facts. Knows no instruction and converts
//! no value.
//!
//! Source: the unified FORMAT enumeration of gfx10/gfx10.3 (`BUF_FMT_*`). Layout names list the most
//! significant component first; component X always sits in the lowest bits.

use std::fmt;

/// How the bits of a component are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberType {
    /// Unsigned, divided by 2^n - 1.
    Unorm,
    /// Signed, divided by 2^(n-1) - 1, clamped to -1.
    Snorm,
    /// Unsigned integer as a float.
    Uscaled,
    /// Signed integer as a float.
    Sscaled,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Float: IEEE at 16 and 32 bits; 11 and 10 bits have 5 exponent bits and no sign.
    Float,
}

impl NumberType {
    /// Every type, in the order in which the codes of one layout follow each other.
    pub const ALL: [NumberType; 7] = [
        NumberType::Unorm,
        NumberType::Snorm,
        NumberType::Uscaled,
        NumberType::Sscaled,
        NumberType::Uint,
        NumberType::Sint,
        NumberType::Float,
    ];

    /// The suffix of the format's name.
    pub const fn name(self) -> &'static str {
        match self {
            NumberType::Unorm => "UNORM",
            NumberType::Snorm => "SNORM",
            NumberType::Uscaled => "USCALED",
            NumberType::Sscaled => "SSCALED",
            NumberType::Uint => "UINT",
            NumberType::Sint => "SINT",
            NumberType::Float => "FLOAT",
        }
    }

    /// Whether components stay integers.
    pub const fn is_integer(self) -> bool {
        matches!(self, NumberType::Uint | NumberType::Sint)
    }

    /// Whether a component has a sign.
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            NumberType::Snorm | NumberType::Sscaled | NumberType::Sint
        )
    }
}

/// Where the components of a format sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Layout {
    L8,
    L16,
    L8_8,
    L32,
    L16_16,
    L10_11_11,
    L11_11_10,
    L10_10_10_2,
    L2_10_10_10,
    L8_8_8_8,
    L32_32,
    L16_16_16_16,
    L32_32_32,
    L32_32_32_32,
}

impl Layout {
    /// Every layout, in the order of the codes.
    pub const ALL: [Layout; 14] = [
        Layout::L8,
        Layout::L16,
        Layout::L8_8,
        Layout::L32,
        Layout::L16_16,
        Layout::L10_11_11,
        Layout::L11_11_10,
        Layout::L10_10_10_2,
        Layout::L2_10_10_10,
        Layout::L8_8_8_8,
        Layout::L32_32,
        Layout::L16_16_16_16,
        Layout::L32_32_32,
        Layout::L32_32_32_32,
    ];

    /// The layout's name as formats carry it (most significant component first).
    pub const fn name(self) -> &'static str {
        match self {
            Layout::L8 => "8",
            Layout::L16 => "16",
            Layout::L8_8 => "8_8",
            Layout::L32 => "32",
            Layout::L16_16 => "16_16",
            Layout::L10_11_11 => "10_11_11",
            Layout::L11_11_10 => "11_11_10",
            Layout::L10_10_10_2 => "10_10_10_2",
            Layout::L2_10_10_10 => "2_10_10_10",
            Layout::L8_8_8_8 => "8_8_8_8",
            Layout::L32_32 => "32_32",
            Layout::L16_16_16_16 => "16_16_16_16",
            Layout::L32_32_32 => "32_32_32",
            Layout::L32_32_32_32 => "32_32_32_32",
        }
    }

    /// Widths in bits of X, Y, Z, W, from the lowest bit up, without gaps.
    pub const fn widths(self) -> &'static [u8] {
        match self {
            Layout::L8 => &[8],
            Layout::L16 => &[16],
            Layout::L8_8 => &[8, 8],
            Layout::L32 => &[32],
            Layout::L16_16 => &[16, 16],
            Layout::L10_11_11 => &[11, 11, 10],
            Layout::L11_11_10 => &[10, 11, 11],
            Layout::L10_10_10_2 => &[2, 10, 10, 10],
            Layout::L2_10_10_10 => &[10, 10, 10, 2],
            Layout::L8_8_8_8 => &[8, 8, 8, 8],
            Layout::L32_32 => &[32, 32],
            Layout::L16_16_16_16 => &[16, 16, 16, 16],
            Layout::L32_32_32 => &[32, 32, 32],
            Layout::L32_32_32_32 => &[32, 32, 32, 32],
        }
    }

    /// Number of components, 1 to 4.
    pub const fn components(self) -> usize {
        self.widths().len()
    }

    /// Bits of component `i` (0 is X), `None` where the layout lacks it.
    pub fn component(self, i: usize) -> Option<Component> {
        let widths = self.widths();
        let width = *widths.get(i)?;
        let lo = widths.iter().take(i).copied().sum();
        Some(Component { lo, width })
    }

    /// Bytes of an element.
    pub fn bytes(self) -> u32 {
        self.widths().iter().map(|&w| u32::from(w)).sum::<u32>() / 8
    }

    /// Bytes that the hardware moves at once, to which an element is aligned: the component's size,
    /// or the whole dword of a packed layout.
    pub const fn alignment(self) -> u32 {
        match self {
            Layout::L8 | Layout::L8_8 | Layout::L8_8_8_8 => 1,
            Layout::L16 | Layout::L16_16 | Layout::L16_16_16_16 => 2,
            Layout::L32
            | Layout::L10_11_11
            | Layout::L11_11_10
            | Layout::L10_10_10_2
            | Layout::L2_10_10_10
            | Layout::L32_32
            | Layout::L32_32_32
            | Layout::L32_32_32_32 => 4,
        }
    }

    const fn first_code(self) -> u8 {
        match self {
            Layout::L8 => 1,
            Layout::L16 => 7,
            Layout::L8_8 => 14,
            Layout::L32 => 20,
            Layout::L16_16 => 23,
            Layout::L10_11_11 => 30,
            Layout::L11_11_10 => 37,
            Layout::L10_10_10_2 => 44,
            Layout::L2_10_10_10 => 50,
            Layout::L8_8_8_8 => 56,
            Layout::L32_32 => 62,
            Layout::L16_16_16_16 => 65,
            Layout::L32_32_32 => 72,
            Layout::L32_32_32_32 => 75,
        }
    }

    const fn numbers(self) -> &'static [NumberType] {
        match self {
            Layout::L8
            | Layout::L8_8
            | Layout::L10_10_10_2
            | Layout::L2_10_10_10
            | Layout::L8_8_8_8 => NumberType::ALL.split_at(6).0,
            Layout::L16
            | Layout::L16_16
            | Layout::L10_11_11
            | Layout::L11_11_10
            | Layout::L16_16_16_16 => &NumberType::ALL,
            Layout::L32 | Layout::L32_32 | Layout::L32_32_32 | Layout::L32_32_32_32 => {
                NumberType::ALL.split_at(4).1
            }
        }
    }
}

/// Bits of one component of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Component {
    /// Lowest bit, counted from bit 0 of the element's first byte.
    pub lo: u8,
    /// Width in bits.
    pub width: u8,
}

/// A valid unified buffer format (codes 1 to 77).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferFormat(u8);

impl BufferFormat {
    /// The code that LLVM leaves out of the text of MTBUF (8_UNORM).
    pub const DEFAULT_CODE: u8 = 1;
    /// Codes in the field (7 bits); 0 is invalid and 78 to 127 are reserved.
    pub const CODES: u8 = 128;

    /// The format of a code; `None` for 0 (invalid) and for reserved codes.
    pub const fn from_code(code: u8) -> Option<BufferFormat> {
        if code >= 1 && code <= 77 {
            Some(BufferFormat(code))
        } else {
            None
        }
    }

    /// The format of a layout and a number type, if the hardware has it.
    pub fn new(layout: Layout, number: NumberType) -> Option<BufferFormat> {
        let i = layout.numbers().iter().position(|&n| n == number)?;
        BufferFormat::from_code(layout.first_code() + i as u8)
    }

    /// Every format, in code order.
    pub fn all() -> impl Iterator<Item = BufferFormat> {
        (0..Self::CODES).filter_map(BufferFormat::from_code)
    }

    /// The code.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Where the components sit.
    pub const fn layout(self) -> Layout {
        let mut found = Layout::L8;
        let mut i = 0;
        while i < Layout::ALL.len() {
            if Layout::ALL[i].first_code() <= self.0 {
                found = Layout::ALL[i];
            }
            i += 1;
        }
        found
    }

    /// How components are read.
    pub const fn number(self) -> NumberType {
        let layout = self.layout();
        layout.numbers()[(self.0 - layout.first_code()) as usize]
    }
}

/// `BUF_FMT_8_8_UNORM`, as LLVM prints it.
impl fmt::Display for BufferFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "BUF_FMT_{}_{}",
            self.layout().name(),
            self.number().name()
        )
    }
}

impl fmt::Debug for BufferFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}({})", self.0)
    }
}

/// The code of a name as LLVM prints it (`BUF_FMT_INVALID` is 0).
pub fn code_from_name(name: &str) -> Option<u8> {
    if name == "BUF_FMT_INVALID" {
        return Some(0);
    }
    let rest = name.strip_prefix("BUF_FMT_")?;
    let (layout, number) = rest.rsplit_once('_')?;
    let layout = Layout::ALL.into_iter().find(|l| l.name() == layout)?;
    let number = NumberType::ALL.into_iter().find(|n| n.name() == number)?;
    BufferFormat::new(layout, number).map(BufferFormat::code)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    /// Rows of the format table: layout, codes of UN SN US SS UI SI FL (0: none), bits of the element.
    const TABLE: [(&str, [u8; 7], u32); 14] = [
        ("8", [1, 2, 3, 4, 5, 6, 0], 8),
        ("16", [7, 8, 9, 10, 11, 12, 13], 16),
        ("8_8", [14, 15, 16, 17, 18, 19, 0], 16),
        ("32", [0, 0, 0, 0, 20, 21, 22], 32),
        ("16_16", [23, 24, 25, 26, 27, 28, 29], 32),
        ("10_11_11", [30, 31, 32, 33, 34, 35, 36], 32),
        ("11_11_10", [37, 38, 39, 40, 41, 42, 43], 32),
        ("10_10_10_2", [44, 45, 46, 47, 48, 49, 0], 32),
        ("2_10_10_10", [50, 51, 52, 53, 54, 55, 0], 32),
        ("8_8_8_8", [56, 57, 58, 59, 60, 61, 0], 32),
        ("32_32", [0, 0, 0, 0, 62, 63, 64], 64),
        ("16_16_16_16", [65, 66, 67, 68, 69, 70, 71], 64),
        ("32_32_32", [0, 0, 0, 0, 72, 73, 74], 96),
        ("32_32_32_32", [0, 0, 0, 0, 75, 76, 77], 128),
    ];

    #[test]
    fn every_code_is_the_tables() {
        let mut seen = 0;
        for (layout, codes, bits) in TABLE {
            for (code, number) in codes.into_iter().zip(NumberType::ALL) {
                if code == 0 {
                    continue;
                }
                let f = BufferFormat::from_code(code).unwrap();
                let name = format!("BUF_FMT_{layout}_{}", number.name());
                assert_eq!(f.to_string(), name);
                assert_eq!(code_from_name(&name), Some(code));
                assert_eq!(f.layout().bytes() * 8, bits, "{name}");
                seen += 1;
            }
        }
        assert_eq!(seen, 77);
        assert_eq!(BufferFormat::all().count(), 77);
        assert_eq!(BufferFormat::from_code(0), None);
        assert_eq!(BufferFormat::from_code(78), None);
    }

    #[test]
    fn widths_read_the_name_backwards() {
        for layout in Layout::ALL {
            let named: Vec<u8> = layout
                .name()
                .rsplit('_')
                .map(|w| w.parse().unwrap())
                .collect();
            assert_eq!(layout.widths(), named);
            assert_eq!(layout.component(layout.components()), None);
        }
        assert_eq!(
            Layout::L10_11_11.component(2),
            Some(Component { lo: 22, width: 10 })
        );
        assert_eq!(
            Layout::L2_10_10_10.component(3),
            Some(Component { lo: 30, width: 2 })
        );
    }
}

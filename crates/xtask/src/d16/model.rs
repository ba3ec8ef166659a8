//! What a D16 format load gives, by definition: exact values compared with the values of the halves,
//! in integers. Shares nothing with the isa crate, the translator or the reference; the layouts are
//! written out from the table of unified formats.

/// A number type of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Unorm,
    Snorm,
    Uscaled,
    Sscaled,
    Uint,
    Sint,
    Float,
}

impl Number {
    pub const fn name(self) -> &'static str {
        match self {
            Number::Unorm => "UNORM",
            Number::Snorm => "SNORM",
            Number::Uscaled => "USCALED",
            Number::Sscaled => "SSCALED",
            Number::Uint => "UINT",
            Number::Sint => "SINT",
            Number::Float => "FLOAT",
        }
    }

    pub const fn is_integer(self) -> bool {
        matches!(self, Number::Uint | Number::Sint)
    }
}

const NORMS: &[Number] = &[
    Number::Unorm,
    Number::Snorm,
    Number::Uscaled,
    Number::Sscaled,
    Number::Uint,
    Number::Sint,
];
const ALL: &[Number] = &[
    Number::Unorm,
    Number::Snorm,
    Number::Uscaled,
    Number::Sscaled,
    Number::Uint,
    Number::Sint,
    Number::Float,
];
const WHOLE: &[Number] = &[Number::Uint, Number::Sint, Number::Float];

/// A layout: the codes of its formats follow each other in the order of `numbers`.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The most significant component first, as formats are named.
    pub name: &'static str,
    /// Widths of X, Y, Z, W from bit 0 up.
    pub widths: &'static [u32],
    pub first_code: u32,
    pub numbers: &'static [Number],
}

const fn layout(
    name: &'static str,
    widths: &'static [u32],
    first_code: u32,
    numbers: &'static [Number],
) -> Layout {
    Layout {
        name,
        widths,
        first_code,
        numbers,
    }
}

/// Every layout of the unified buffer formats 1 to 77.
pub const LAYOUTS: [Layout; 14] = [
    layout("8", &[8], 1, NORMS),
    layout("16", &[16], 7, ALL),
    layout("8_8", &[8, 8], 14, NORMS),
    layout("32", &[32], 20, WHOLE),
    layout("16_16", &[16, 16], 23, ALL),
    layout("10_11_11", &[11, 11, 10], 30, ALL),
    layout("11_11_10", &[10, 11, 11], 37, ALL),
    layout("10_10_10_2", &[2, 10, 10, 10], 44, NORMS),
    layout("2_10_10_10", &[10, 10, 10, 2], 50, NORMS),
    layout("8_8_8_8", &[8, 8, 8, 8], 56, NORMS),
    layout("32_32", &[32, 32], 62, WHOLE),
    layout("16_16_16_16", &[16, 16, 16, 16], 65, ALL),
    layout("32_32_32", &[32, 32, 32], 72, WHOLE),
    layout("32_32_32_32", &[32, 32, 32, 32], 75, WHOLE),
];

impl Layout {
    pub fn bytes(&self) -> usize {
        self.widths.iter().sum::<u32>() as usize / 8
    }

    /// The formats: code and number type.
    pub fn formats(&self) -> impl Iterator<Item = (u32, Number)> {
        (self.first_code..).zip(self.numbers.iter().copied())
    }

    /// The element of component bits.
    pub fn pack(&self, components: &[u32]) -> Vec<u8> {
        let mut element = 0u128;
        let mut at = 0;
        for (&width, &bits) in self.widths.iter().zip(components) {
            element |= u128::from(bits & ones(width)) << at;
            at += width;
        }
        element.to_le_bytes()[..self.bytes()].to_vec()
    }
}

pub const fn ones(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

/// Two's complement of `width` bits.
fn signed(bits: u32, width: u32) -> i64 {
    let value = i64::from(bits);
    if bits >> (width - 1) == 1 {
        value - (1 << width)
    } else {
        value
    }
}

/// The value of a non-negative finite half in units of 2^-24.
fn half_value(code: u16) -> i128 {
    let (exponent, mantissa) = (code >> 10, i128::from(code & 0x3ff));
    if exponent == 0 {
        mantissa
    } else {
        (1024 + mantissa) << (exponent - 1)
    }
}

const LARGEST: u16 = 0x7bff;

/// The largest finite half at most n/d, in units of 2^-24.
fn half_below(n: i128, d: i128) -> u16 {
    let (mut low, mut high) = (0, LARGEST);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if half_value(middle) * d <= n {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// n/d to the nearest half, ties to the even code; what is above the largest finite half becomes it.
fn nearest_half(n: i64, d: i64) -> u16 {
    let negative = n < 0;
    let (n, d) = (i128::from(n.unsigned_abs()) << 24, i128::from(d));
    let below = half_below(n, d);
    let code = if below == LARGEST {
        below
    } else {
        let middle = (half_value(below) + half_value(below + 1)) * d;
        match (2 * n).cmp(&middle) {
            std::cmp::Ordering::Less => below,
            std::cmp::Ordering::Greater => below + 1,
            std::cmp::Ordering::Equal => below + (below & 1),
        }
    };
    code | u16::from(negative) << 15
}

/// An f32 to the half next toward zero; overflow to the largest finite one; infinities stay, a NaN
/// keeps the top of its payload, at least 1.
fn truncated_half(bits: u32) -> u16 {
    let sign = (bits >> 16 & 0x8000) as u16;
    let exponent = bits >> 23 & 255;
    let mantissa = bits & 0x7f_ffff;
    let magnitude = match (exponent, mantissa) {
        (255, 0) => 0x7c00,
        (255, m) => 0x7c00 | ((m >> 13) as u16).max(1),
        (0, _) => 0,
        // 2^17 and more, 2^-26 and less.
        (144.., _) => LARGEST,
        (0..=101, _) => 0,
        (e, m) => {
            // (2^23 + m) * 2^(e - 150) in units of 2^-24 is a shift by e - 126.
            let significand = i128::from(m | 0x80_0000);
            let value = if e >= 126 {
                significand << (e - 126)
            } else {
                significand >> (126 - e)
            };
            half_below(value, 1)
        }
    };
    sign | magnitude
}

/// The 16-bit result of a component.
pub fn half(number: Number, width: u32, bits: u32) -> u16 {
    let v = signed(bits, width);
    match number {
        Number::Unorm => nearest_half(i64::from(bits), i64::from(ones(width))),
        Number::Snorm => {
            let most = i64::from(ones(width) >> 1);
            nearest_half(v.max(-most), most)
        }
        Number::Uscaled => nearest_half(i64::from(bits), 1),
        Number::Sscaled => nearest_half(v, 1),
        Number::Uint if width == 32 => bits.min(0xffff) as u16,
        Number::Sint if width == 32 => v.clamp(-0x8000, 0x7fff) as u16,
        Number::Uint => bits as u16,
        Number::Sint => v as u16,
        Number::Float => match width {
            32 => truncated_half(bits),
            16 => bits as u16,
            // 5 exponent bits like a half, no sign, 6 or 5 mantissa bits.
            11 => (bits << 4) as u16,
            _ => (bits << 5) as u16,
        },
    }
}

/// What an f32 in between would give for a normalised component: the double rounding that the test
/// must catch.
pub fn half_by_way_of_f32(number: Number, width: u32, bits: u32) -> u16 {
    let (n, d) = match number {
        Number::Snorm => {
            let most = i64::from(ones(width) >> 1);
            (signed(bits, width).max(-most), most)
        }
        _ => (i64::from(bits), i64::from(ones(width))),
    };
    // Both fit a double, whose quotient rounds an f32 right (53 >= 2 * 24 + 2).
    let single = (n as f64 / d as f64) as f32;
    let scaled = f64::from(single.abs()) * f64::from(1u32 << 30) * f64::from(1u32 << 30);
    // single is a multiple of 2^-60 here: exact.
    let code = nearest_half(scaled as i64, 1 << 60);
    code | u16::from(n < 0) << 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn founding_facts() {
        assert_eq!(half(Number::Unorm, 8, 0xff), 0x3c00);
        assert_eq!(half(Number::Snorm, 8, 0x80), 0xbc00);
        assert_eq!(half(Number::Uscaled, 16, 0xffff), 0x7bff);
        assert_eq!(half(Number::Sscaled, 16, 0x8000), 0xf800);
        assert_eq!(half(Number::Float, 32, 0x7f80_0001), 0x7c01);
        assert_eq!(half(Number::Float, 32, 0x477f_f000), 0x7bff);
        assert_eq!(half(Number::Float, 32, 0x3380_0000), 0x0001);
        assert_eq!(half(Number::Float, 32, 0x337f_ffff), 0);
        assert_eq!(half(Number::Float, 32, 0xbf80_1fff), 0xbc00);
        assert_eq!(half(Number::Sint, 32, 0x8000_0000), 0x8000);
        assert_eq!(half(Number::Sint, 8, 0x80), 0xff80);
    }

    #[test]
    fn four_values_tell_one_rounding_from_two() {
        let mut wrong = Vec::new();
        for number in [Number::Unorm, Number::Snorm] {
            for bits in 0..0x1_0000 {
                if half(number, 16, bits) != half_by_way_of_f32(number, 16, bits) {
                    wrong.push(bits);
                }
            }
        }
        assert!(wrong.contains(&0xffaf), "{wrong:x?}");
        assert_eq!(wrong.len(), 4, "{wrong:x?}");
    }
}

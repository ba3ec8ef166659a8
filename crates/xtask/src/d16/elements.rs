//! Elements to load: the edges of every component width, then random bits. Knows no shader.

use super::model::{Layout, Number, half, half_by_way_of_f32, ones};

/// `count` elements, each the bits of its components: first the edges, each component at another
/// place of its list, then random ones.
pub fn elements(layout: &Layout, count: usize) -> Vec<Vec<u32>> {
    let lists: Vec<Vec<u32>> = layout.widths.iter().map(|&w| edges(w)).collect();
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ u64::from(layout.first_code));
    (0..count)
        .map(|i| {
            let components = layout.widths.iter().zip(&lists).enumerate();
            components
                .map(|(c, (&width, list))| {
                    // Half of the random elements have an edge in a component.
                    let word = random.next();
                    let edge = if i < longest {
                        Some(i + 5 * c)
                    } else {
                        (word >> 32 & 1 == 1).then_some((word >> 40) as usize)
                    };
                    match edge {
                        Some(at) if !list.is_empty() => list[at % list.len()],
                        _ => word as u32 & ones(width),
                    }
                })
                .collect()
        })
        .collect()
}

fn edges(width: u32) -> Vec<u32> {
    match width {
        2 => (0..4).collect(),
        8 => (0..256).collect(),
        16 => {
            let mut list = vec![
                0, 1, 2, 3, 0x3ff, 0x400, 0x401, 0x7fe, 0x7ff, 0x800, 0x801, 0x803, 0x1001, 0x1002,
                0x1003, 0x2004, 0x200c, 0x4008, 0x4018, 0x7bff, 0x7c00, 0x7c01, 0x7dff, 0x7e00,
                0x7ff7, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0x8002, 0x8009, 0x83ff, 0x8400, 0xfbff,
                0xfc00, 0xfc01, 0xfdff, 0xfe00, 0xffaf, 0xffdf, 0xffe0, 0xffef, 0xfff0, 0xfffd,
                0xfffe, 0xffff,
            ];
            // Where one rounding and two differ.
            for number in [Number::Unorm, Number::Snorm] {
                list.extend((0..0x1_0000).filter(|&bits| {
                    half(number, 16, bits) != half_by_way_of_f32(number, 16, bits)
                }));
            }
            list
        }
        32 => vec![
            0x0000_0000,
            0x8000_0000,
            0x0000_0001,
            0x8000_0001,
            0x007f_ffff,
            0x0080_0000,
            0x32ff_ffff,
            0x3300_0000,
            0x3300_0001,
            0x337f_ffff,
            0x3380_0000,
            0x3380_0001,
            0x33bf_ffff,
            0x33c0_0000,
            0x33ff_ffff,
            0x3400_0000,
            0x387f_bfff,
            0x387f_c000,
            0x387f_ffff,
            0x3880_0000,
            0x3880_1fff,
            0x3880_2000,
            0x3f7f_ffff,
            0x3f80_0000,
            0x3f80_0fff,
            0x3f80_1000,
            0x3f80_1001,
            0x3f80_1fff,
            0x3f80_2000,
            0x3f80_3000,
            0xbf80_0000,
            0xbf80_1fff,
            0xbf80_2000,
            0x4479_ffff,
            0x477f_dfff,
            0x477f_e000,
            0x477f_efff,
            0x477f_f000,
            0x477f_f001,
            0x477f_ffff,
            0x4780_0000,
            0x4780_0001,
            0xc77f_e000,
            0xc77f_f000,
            0xc780_0000,
            0x7f7f_ffff,
            0xff7f_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x7f80_0001,
            0xff80_0001,
            0x7f80_1fff,
            0x7f80_2000,
            0x7fa0_0000,
            0x7fbf_ffff,
            0x7fc0_0000,
            0x7fc0_0001,
            0xffc1_2345,
            0xffff_ffff,
            0x7fff_ffff,
            0x0000_7fff,
            0x0000_8000,
            0x0000_8001,
            0x0000_fffe,
            0x0000_ffff,
            0x0001_0000,
            0x0001_0001,
            0xffff_8000,
            0xffff_7fff,
            0xffff_8001,
            0xffff_0000,
            0x1000_0000,
        ],
        // 11 and 10 bits: numbers, and floats without a sign.
        _ => {
            let (all, top, mantissa) = (ones(width), 1 << (width - 1), width - 5);
            let infinity = 31 << mantissa;
            vec![
                0,
                1,
                2,
                3,
                (1 << mantissa) - 1,
                1 << mantissa,
                (1 << mantissa) + 1,
                15 << mantissa,
                infinity - 1,
                infinity,
                infinity + 1,
                top - 2,
                top - 1,
                top,
                top + 1,
                top + 2,
                all - 1,
                all,
            ]
        }
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }
}

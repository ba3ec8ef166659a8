//! Operand values for tests: the edges of each operand type, and random bits of a fixed generator. Owns
//! which values are worth trying; knows types of operands and no instruction.

use spirdna_isa::Ty;

/// Half-precision bit patterns without sign: zero, denormals, around one, halves, the largest finite,
/// infinity, NaNs, powers of two at which fractions end, 2.14 (near pi / 1.5).
pub const HALVES: &[u16; 20] = &[
    0, 1, 0x3ff, 0x400, 0x401, 0x3c00, 0x3c01, 0x3bff, 0x3800, 0x4000, 0x7bff, 0x7c00, 0x7c01,
    0x7dff, 0x7e00, 0x7fff, 0x5bff, 0x7800, 0x1400, 0x4248,
];

/// Single-precision bit patterns without sign: zero, denormals, around one, half-way cases of the
/// conversions to integers and halves, limits of the integer types, largest finite, NaNs, exponents
/// around the ends of exp, log and the square root's argument.
pub const SINGLES: &[u32; 39] = &[
    0,
    1,
    0x7f_ffff,
    0x80_0000,
    0x80_0001,
    0x3f80_0000,
    0x3f80_0001,
    0x3f7f_ffff,
    0x3f00_0000,
    0x3eff_ffff,
    0x3fc0_0000,
    0x4020_0000,
    0x4000_0000,
    0x4b00_0000,
    0x4b80_0001,
    0x4f00_0000,
    0x4eff_ffff,
    0x4f80_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fbf_ffff,
    0x7fc0_0000,
    0x7fff_ffff,
    0x7e80_0000,
    0x7f00_0000,
    0x0100_0000,
    0x3380_0000,
    0x4780_0000,
    0x477f_e000,
    0x477f_f000,
    0x3880_0000,
    0x3300_0000,
    0x42fe_0000,
    0x4300_0000,
    0x4316_0000,
    0x3fb5_04f3,
    0x3e80_0000,
    0x3f40_0000,
];

/// Double-precision bit patterns without sign, chosen as the singles are.
pub const DOUBLES: &[u64; 25] = &[
    0,
    1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0x3fef_ffff_ffff_ffff,
    0x3fe0_0000_0000_0000,
    0x3ff8_0000_0000_0000,
    0x4004_0000_0000_0000,
    0x41df_ffff_ffc0_0000,
    0x41ef_ffff_fff0_0000,
    0x41e0_0000_0000_0000,
    0x4330_0000_0000_0001,
    0x47ef_ffff_f000_0000,
    0x47ef_ffff_e000_0000,
    0x3690_0000_0000_0000,
    0x36a0_0000_0000_0001,
    0x380f_ffff_ffff_ffff,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0x7ff7_ffff_e000_0000,
    0x7ff8_0000_0000_0000,
    0x7fff_ffff_ffff_ffff,
];

/// 16-bit integers.
pub const SHORTS: &[u16; 21] = &[
    0, 1, 2, 3, 7, 15, 16, 0x7f, 0x80, 0xff, 0x100, 0x5555, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xaaaa,
    0xff7f, 0xff80, 0xffff, 0xfffe,
];

/// 32-bit integers: small counts and shifts, ends of bytes, halves, 24 bits and words, bit patterns.
pub const WORDS: &[u32; 37] = &[
    0,
    1,
    2,
    3,
    4,
    8,
    16,
    31,
    32,
    33,
    63,
    64,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x7f_ffff,
    0x80_0000,
    0xff_ffff,
    0x0100_0000,
    0x0010_0008,
    0x0020_0000,
    0x5555_5555,
    0xaaaa_aaaa,
    0x7fff_fffe,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xff80_0000,
    0xffff_8000,
    0xffff_ff80,
    0xffff_fffe,
    0xffff_ffff,
];

/// 64-bit integers.
pub const LONGS: &[u64; 21] = &[
    0,
    1,
    2,
    31,
    32,
    63,
    64,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x1111_1111_1111_1111,
    0x5555_5555_5555_5555,
    0xaaaa_aaaa_aaaa_aaaa,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0x8000_0000_0000_0001,
    0xffff_ffff_0000_0000,
    0xffff_ffff_7fff_ffff,
    0xffff_ffff_ffff_fffe,
    0xffff_ffff_ffff_ffff,
];

/// A generator: small, fixed, and the same everywhere (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `n`; 0 where `n` is 0.
    pub const fn below(&mut self, n: u64) -> u64 {
        if n == 0 { 0 } else { self.bits() % n }
    }

    /// One of a list.
    pub const fn of<T: Copy, const N: usize>(&mut self, list: &[T; N]) -> T {
        const { assert!(N > 0, "a list of nothing") };
        list[self.below(N as u64) as usize]
    }

    fn coin(&mut self) -> bool {
        self.bits() & 1 == 0
    }

    /// A half-precision value: an edge of either sign, one near 1, or any bits.
    pub fn half(&mut self) -> u32 {
        let x = match self.below(4) {
            0 => self.bits() as u16,
            1 => 0x3000 + (self.bits() as u16 & 0x1fff),
            _ => self.of(HALVES),
        };
        u32::from(x ^ if self.coin() { 0 } else { 0x8000 })
    }

    /// A single-precision value, in the same way.
    pub fn single(&mut self) -> u32 {
        let x = match self.below(4) {
            0 => self.bits() as u32,
            1 => 0x3a00_0000 + (self.bits() as u32 % 0x0a00_0000),
            _ => self.of(SINGLES),
        };
        x ^ if self.coin() { 0 } else { 1 << 31 }
    }

    /// A double-precision value, in the same way.
    pub fn double(&mut self) -> u64 {
        let x = match self.below(4) {
            0 => self.bits(),
            1 => 0x3c00_0000_0000_0000 + self.bits() % 0x0800_0000_0000_0000,
            2 => 0x3ff0_0000_0000_0000 ^ self.bits() >> 12,
            _ => self.of(DOUBLES),
        };
        x ^ if self.coin() { 0 } else { 1 << 63 }
    }

    /// A 16-bit integer: an edge or any bits.
    pub fn short(&mut self) -> u32 {
        u32::from(if self.coin() {
            self.of(SHORTS)
        } else {
            self.bits() as u16
        })
    }

    /// A 32-bit integer: an edge, a small number, or any bits.
    pub fn word(&mut self) -> u32 {
        match self.below(8) {
            0..=3 => self.of(WORDS),
            4 => self.bits() as u32 & 0x7f,
            _ => self.bits() as u32,
        }
    }

    /// A 64-bit integer: an edge or any bits.
    pub fn long(&mut self) -> u64 {
        match self.below(4) {
            0 | 1 => self.of(LONGS),
            2 => self.bits() >> self.below(64),
            _ => self.bits(),
        }
    }

    /// Fills the registers of an operand of a type; a value of 16 bits has another in the upper half.
    pub fn fill(&mut self, ty: Ty, out: &mut [u32]) {
        let mut each = |f: &mut dyn FnMut(&mut Random) -> u32| {
            for x in &mut *out {
                *x = f(self);
            }
        };
        match ty {
            Ty::F16 | Ty::PkF16 => each(&mut |r| r.half() | r.half() << 16),
            Ty::B16 | Ty::U16 | Ty::I16 | Ty::PkB16 | Ty::PkU16 | Ty::PkI16 => {
                each(&mut |r| match r.below(5) {
                    0 => r.half() | r.half() << 16,
                    _ => r.short() | r.short() << 16,
                });
            }
            // A mixed source may be read as two halves too.
            Ty::F32 => each(&mut |r| match r.below(5) {
                0 => r.half() | r.half() << 16,
                _ => r.single(),
            }),
            Ty::F64 => self.wide(out, Random::double),
            Ty::B64 | Ty::U64 | Ty::I64 | Ty::Mask => self.wide(out, Random::long),
            // Bits may be floats.
            Ty::B32 => each(&mut |r| match r.below(4) {
                0 => r.single(),
                _ => r.word(),
            }),
            _ => each(&mut |r| r.word()),
        }
    }

    fn wide(&mut self, out: &mut [u32], value: fn(&mut Random) -> u64) {
        for pair in out.chunks_mut(2) {
            let x = value(self);
            let halves = [x as u32, (x >> 32) as u32];
            for (to, from) in pair.iter_mut().zip(halves) {
                *to = from;
            }
        }
    }
}

/// Edges of a type: how many [`edge`] counts.
pub fn edges(ty: Ty) -> u64 {
    (match ty {
        Ty::F16 | Ty::PkF16 => 2 * HALVES.len(),
        Ty::B16 | Ty::U16 | Ty::I16 | Ty::PkB16 | Ty::PkU16 | Ty::PkI16 => SHORTS.len(),
        Ty::F32 => 2 * SINGLES.len(),
        Ty::F64 => 2 * DOUBLES.len(),
        Ty::B64 | Ty::U64 | Ty::I64 | Ty::Mask => LONGS.len(),
        _ => WORDS.len(),
    }) as u64
}

/// Edge `i` of a type (modulo their number), floats with either sign; 16-bit values twice.
pub fn edge(ty: Ty, i: u64) -> u64 {
    let i = (i % edges(ty)) as usize;
    let signed = |len: usize| (i % len, (i / len) as u64);
    let twice = |x: u16| u64::from(x) * 0x1_0001;
    match ty {
        Ty::F16 | Ty::PkF16 => {
            let (n, sign) = signed(HALVES.len());
            twice(HALVES.get(n).copied().unwrap_or_default() | (sign as u16) << 15)
        }
        Ty::B16 | Ty::U16 | Ty::I16 | Ty::PkB16 | Ty::PkU16 | Ty::PkI16 => {
            twice(SHORTS.get(i).copied().unwrap_or_default())
        }
        Ty::F32 => {
            let (n, sign) = signed(SINGLES.len());
            u64::from(SINGLES.get(n).copied().unwrap_or_default()) | sign << 31
        }
        Ty::F64 => {
            let (n, sign) = signed(DOUBLES.len());
            DOUBLES.get(n).copied().unwrap_or_default() | sign << 63
        }
        Ty::B64 | Ty::U64 | Ty::I64 | Ty::Mask => LONGS.get(i).copied().unwrap_or_default(),
        _ => u64::from(WORDS.get(i).copied().unwrap_or_default()),
    }
}

/// Tuple `index` of operand values: the edges of all operands crossed (each cross met once in as many
/// tuples as there are crosses), and every fourth tuple of edges and random bits mixed. Equal operands
/// and operands that differ in the sign alone occur among those.
pub fn tuple(random: &mut Random, index: u64, operands: &mut [(Ty, &mut [u32])]) {
    if index % 4 == 3 {
        let mut last: Option<Vec<u32>> = None;
        for (ty, out) in operands {
            let again = last.filter(|l| l.len() == out.len() && random.below(6) == 0);
            match again {
                Some(values) => {
                    out.copy_from_slice(&values);
                    if let (Some(top), true) = (out.last_mut(), random.coin()) {
                        *top ^= 1 << 31;
                    }
                }
                None => random.fill(*ty, out),
            }
            last = Some(out.to_vec());
        }
        return;
    }
    // A step that is prime to every product of the lists' lengths visits all crosses.
    const STEP: u64 = 1_000_003;
    let crosses = operands.iter().map(|(ty, _)| edges(*ty)).product::<u64>();
    let mut at = (index - index / 4).wrapping_mul(STEP) % crosses.max(1);
    for (ty, out) in operands {
        let value = edge(*ty, at % edges(*ty));
        at /= edges(*ty);
        if out.len() > 2 {
            random.fill(*ty, out);
        }
        let halves = [value as u32, (value >> 32) as u32];
        for (to, from) in out.iter_mut().zip(halves) {
            *to = from;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tuples_visit_every_cross_of_edges() {
        let mut seen = BTreeSet::new();
        let mut random = Random::new(1);
        let all = edges(Ty::F16) * edges(Ty::I32);
        for index in 0..all * 4 / 3 + 4 {
            let (mut a, mut b) = ([0], [0]);
            let mut operands = [(Ty::F16, &mut a[..]), (Ty::I32, &mut b[..])];
            tuple(&mut random, index, &mut operands);
            if index % 4 != 3 {
                seen.insert((a[0], b[0]));
            }
        }
        assert_eq!(seen.len() as u64, all);
        assert!(seen.contains(&(0xfc00_fc00, 0x8000_0000)));
    }

    #[test]
    fn the_same_seed_gives_the_same_values() {
        let fill = |seed| {
            let mut out = [0; 4];
            Random::new(seed).fill(Ty::F64, &mut out);
            out
        };
        assert_eq!(fill(7), fill(7));
        assert_ne!(fill(7), fill(8));
    }
}

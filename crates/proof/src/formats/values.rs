//! Which values go through the formats: all of a component of up to 16 bits, edges and random ones of 32
//! bits; for stores also the two floats around every place where a normalised component rounds.

use spirdna_isa::format::NumberType as N;
use spirdna_values::{Random, WORDS};

/// Odd: an index times one of these visits every value of a component, each component in its own order.
const STEPS: [u32; 4] = [1, 0x9e37, 0x6d2b, 0xb5d5];

/// The bits of component `c` of element `i`, where it has up to 16: all come as `i` counts.
pub fn narrow(c: usize, width: u8, i: usize) -> u32 {
    let step = STEPS.get(c).copied().unwrap_or(1);
    (i as u32).wrapping_mul(step).wrapping_add(c as u32 * 0x55) & ((1 << width) - 1)
}

/// The value of a list for component `c` of element `i`: all come in as many elements as the list is long.
pub fn of_list(list: &[u32], c: usize, i: usize) -> u32 {
    let at = (i + c * 0x1003) % list.len().max(1);
    list.get(at).copied().unwrap_or_default()
}

/// 32-bit values: floats of every exponent around the places where narrower ones end and round, integers
/// around the powers of two, random bits; 2^14 of them.
pub fn words() -> Vec<u32> {
    let mut out = WORDS.to_vec();
    for high in 0..512u32 {
        for low in [
            0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2000, 0x2001, 0x7_ffff, 0x8_0000, 0x3f_ffff,
            0x40_0000, 0x40_0001, 0x7e_ffff, 0x7f_e000, 0x7f_f000, 0x7f_ffff,
        ] {
            out.push(high << 23 | low);
        }
    }
    for bit in 0..32 {
        for by in [-2i32, -1, 0, 1, 2] {
            out.push((1u32 << bit).wrapping_add_signed(by));
            out.push((1u32 << bit).wrapping_neg().wrapping_add_signed(by));
        }
    }
    let mut random = Random::new(21);
    while out.len() < 1 << 14 {
        out.push(random.bits() as u32);
        // Where normalised values live.
        let near = random.bits() as u32 % 0x0980_0000;
        out.push(0x3f80_0000 - near | (near & 1) << 31);
    }
    out.truncate(1 << 14);
    out
}

/// What is stored to a kind of component from 32 bits.
pub fn stored(number: N, width: u8) -> Vec<u32> {
    let mut out = words();
    let (most, signed) = match number {
        N::Unorm | N::Uscaled => ((1u32 << width) - 1, false),
        N::Snorm | N::Sscaled => ((1u32 << (width - 1)) - 1, true),
        N::Uint | N::Sint | N::Float => return out,
    };
    for step in 0..most {
        let middle = (f64::from(step) + 0.5) / f64::from(most);
        let near = (middle as f32).to_bits();
        let other = if f64::from(f32::from_bits(near)) > middle {
            near - 1
        } else {
            near + 1
        };
        let sign = u32::from(signed && step & 1 == 1) << 31;
        out.extend([near | sign, other | sign]);
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_value_comes() {
        for (c, width, elements) in [(0, 8, 256), (3, 2, 256), (2, 11, 2048), (3, 16, 65536)] {
            let seen: BTreeSet<u32> = (0..elements).map(|i| narrow(c, width, i)).collect();
            assert_eq!(seen.len(), 1 << width);
        }
        let list = stored(N::Snorm, 8);
        let seen: BTreeSet<u32> = (0..list.len()).map(|i| of_list(&list, 3, i)).collect();
        assert!(list.iter().all(|v| seen.contains(v)));
        // 0.5 / 127 lies between the two floats around it.
        let v = list[1 << 14..][..2]
            .iter()
            .map(|&b| f64::from(f32::from_bits(b)));
        let v: Vec<f64> = v.collect();
        assert!((v[0] * 254.0 - 1.0) * (v[1] * 254.0 - 1.0) <= 0.0);
    }
}

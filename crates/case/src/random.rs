//! The pseudo-random content of memory regions. The generator is fixed here, so that the data of a
//! case never changes with a library.
//!
//! One 64-bit draw an element, from SplitMix64: the state starts at the seed; a draw adds
//! `0x9e3779b97f4a7c15` to it and mixes it: `z = s`, `z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9`,
//! `z = (z ^ z >> 27) * 0x94d049bb133111eb`, `z ^ z >> 31` (all modulo 2^64).
//! - Without bounds an element is the low bits of the draw.
//! - An integer with bounds is `min + floor(draw * (max - min + 1) / 2^64)`.
//! - A float with bounds is `min + (max - min) * (draw >> 11) * 2^-53`, in doubles, and for `f32`
//!   rounded to nearest even.

use crate::format::{ElementType, Number, RandomSpec};

/// The generator.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator of a seed.
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next 64 bits.
    pub const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Why bounds cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoundsError {
    /// `min` exceeds `max`, or they are no numbers, or further apart than numbers go.
    #[error("`min` exceeds `max`, or their distance is not finite")]
    Order,
    /// A bound is no value of the type.
    #[error("a bound is no value of the type")]
    Type,
}

/// The least and the greatest value of an integer type.
fn integer_range(ty: ElementType) -> Option<(i128, i128)> {
    match ty {
        ElementType::U8 => Some((0, u8::MAX.into())),
        ElementType::U16 => Some((0, u16::MAX.into())),
        ElementType::U32 => Some((0, u32::MAX.into())),
        ElementType::U64 => Some((0, u64::MAX.into())),
        ElementType::I32 => Some((i32::MIN.into(), i32::MAX.into())),
        ElementType::F32 | ElementType::F64 => None,
    }
}

/// The bytes of the region.
///
/// # Errors
/// The bounds contradict each other or the type.
pub fn bytes(spec: &RandomSpec) -> Result<Vec<u8>, BoundsError> {
    let mut rng = SplitMix64::new(spec.seed.0);
    let width = spec.ty.bytes();
    let mut out = Vec::new();
    let mut push = |bits: u64| out.extend_from_slice(bits.to_le_bytes().split_at(width).0);
    match (integer_range(spec.ty), spec.min, spec.max) {
        (_, None, None) => {
            for _ in 0..spec.count {
                push(rng.draw());
            }
        }
        (Some((least, most)), min, max) => {
            let bound = |n: Option<Number>, absent: i128| match n {
                None => Ok(absent),
                Some(Number::Int(v)) if (least..=most).contains(&v) => Ok(v),
                Some(_) => Err(BoundsError::Type),
            };
            let (min, max) = (bound(min, least)?, bound(max, most)?);
            if min > max {
                return Err(BoundsError::Order);
            }
            let values = (max - min + 1).cast_unsigned();
            for _ in 0..spec.count {
                // Both factors are at most 2^64; their product can be 2^128 - 2^64 at most.
                let scaled = u128::from(rng.draw()).wrapping_mul(values) >> 64;
                let value = min + scaled.cast_signed();
                push(value as u64); // the low bits: two's complement
            }
        }
        (None, min, max) => {
            let bound = |n: Option<Number>, absent: f64| match n {
                None => absent,
                Some(Number::Float(v)) => v,
                Some(Number::Int(v)) => v as f64,
            };
            let (min, max) = (bound(min, 0.0), bound(max, 1.0));
            if !(min <= max && min.is_finite() && (max - min).is_finite()) {
                return Err(BoundsError::Order);
            }
            for _ in 0..spec.count {
                let unit = (rng.draw() >> 11) as f64 * 2f64.powi(-53);
                let value = min + (max - min) * unit;
                match spec.ty {
                    ElementType::F32 => push((value as f32).to_bits().into()),
                    _ => push(value.to_bits()),
                }
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;
    use crate::format::Int64;

    /// The published first outputs of SplitMix64 for the seed 1234567.
    #[test]
    fn draws_are_splitmix64() {
        let mut rng = SplitMix64::new(1_234_567);
        let drawn: Vec<u64> = (0..5).map(|_| rng.draw()).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    fn spec(ty: ElementType, min: Option<Number>, max: Option<Number>) -> RandomSpec {
        RandomSpec {
            seed: Int64(7),
            ty,
            min,
            max,
            count: 1000,
        }
    }

    #[test]
    fn bounds_hold_and_are_reached() {
        let int = |v| Some(Number::Int(v));
        let got = bytes(&spec(ElementType::I32, int(-3), int(2))).unwrap();
        let values: Vec<i32> = got
            .chunks_exact(4)
            .map(|c| i32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        assert_eq!(values.len(), 1000);
        assert_eq!(values.iter().min(), Some(&-3));
        assert_eq!(values.iter().max(), Some(&2));
        let got = bytes(&spec(
            ElementType::F32,
            Some(Number::Float(-1.5)),
            Some(Number::Float(4.0)),
        ))
        .unwrap();
        let floats: Vec<f32> = got
            .chunks_exact(4)
            .map(|c| f32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        assert!(floats.iter().all(|v| (-1.5..=4.0).contains(v)));
        assert!(floats.iter().any(|&v| v < -1.0) && floats.iter().any(|&v| v > 3.5));
        assert_eq!(
            bytes(&spec(ElementType::U8, int(0), int(256))),
            Err(BoundsError::Type)
        );
        assert_eq!(
            bytes(&spec(ElementType::U8, int(9), int(8))),
            Err(BoundsError::Order)
        );
        let all = bytes(&spec(ElementType::U64, int(0), int(u64::MAX.into()))).unwrap();
        let mut rng = SplitMix64::new(7);
        assert_eq!(all[..8], rng.draw().to_le_bytes());
    }
}

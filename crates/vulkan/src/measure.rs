//! What a device does with floats in compute shaders, measured by ordinary jobs: denormals, the rounding of
//! sums and products, whether `Fma` rounds once, and which NaN a result is. Nothing is declared by the
//! modules, so this is what a module gets that asks for nothing. Knows no translation.
//!
//! A measurement is evidence, no promise: each answer holds for every operand that was tried, and the
//! operands are those where hosts are known to differ.

use crate::device::Device;
use crate::error::VulkanError;
use crate::job::{Buffer, Job};

/// Invocations in a workgroup of the shaders.
const LOCAL: usize = 64;

/// Results that a shader gives of a triple.
const RESULTS: usize = 5;

/// What was seen of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredFloat {
    /// Denormal operands and results of sums and products (of 16 bits: of widening too) were kept.
    pub keeps_denorms: bool,
    /// All of them were zeros.
    pub flushes_denorms: bool,
    /// `Fma` rounded once.
    pub fused_fma: bool,
    /// A NaN result was the first NaN operand, quiet.
    pub keeps_nan_payload: bool,
    /// Sums and products were rounded to the nearest, ties to even.
    pub nearest_even: bool,
    /// A minimum with a NaN was the number.
    pub min_drops_nan: bool,
}

/// What was seen of the widths that the device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredFloats {
    /// 16 bits.
    pub f16: Option<MeasuredFloat>,
    /// 32 bits.
    pub f32: MeasuredFloat,
    /// 64 bits.
    pub f64: Option<MeasuredFloat>,
}

/// A width's format and exact operations on its bits: to nearest even, denormals kept.
struct Width {
    frac: u32,
    exp: u32,
    add: fn(u64, u64) -> u64,
    mul: fn(u64, u64) -> u64,
    fma: fn(u64, u64, u64) -> u64,
    /// The result that the shader gives beside those: of 16 bits, the first operand widened.
    widen: Option<fn(u64) -> u64>,
}

fn single(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

fn bits32(x: f32) -> u64 {
    u64::from(x.to_bits())
}

fn double(x: u64) -> f64 {
    f64::from_bits(x)
}

/// A half as a number.
fn half(x: u64) -> f64 {
    let (exp, frac) = ((x >> 10 & 31) as i32, (x & 1023) as f64);
    let magnitude = match exp {
        0 => frac * 2f64.powi(-24),
        31 if frac == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + frac) * 2f64.powi(exp - 25),
    };
    if x >> 15 & 1 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// The half nearest to a number that is no NaN, the even one of two.
fn bits16(x: f64) -> u64 {
    let sign = u64::from(x.is_sign_negative()) << 15;
    let mut exp = -14;
    while x.abs() >= 2f64.powi(exp + 1) && exp < 16 {
        exp += 1;
    }
    // Whole units in the last place, above those of smaller exponents.
    let units = (x.abs() * 2f64.powi(10 - exp)).round_ties_even() as u64;
    let magnitude = ((exp + 14) as u64 * 1024).saturating_add(units);
    sign | magnitude.min(0x7c00)
}

const F16: Width = Width {
    frac: 10,
    exp: 5,
    // Sums and products of two halves are exact in f64; so is a fused sum of the operands that are tried.
    add: |x, y| bits16(half(x) + half(y)),
    mul: |x, y| bits16(half(x) * half(y)),
    fma: |x, y, z| bits16(half(x) * half(y) + half(z)),
    widen: Some(|x| bits32(half(x) as f32)),
};

const F32: Width = Width {
    frac: 23,
    exp: 8,
    add: |x, y| bits32(single(x) + single(y)),
    mul: |x, y| bits32(single(x) * single(y)),
    fma: |x, y, z| bits32(single(x).mul_add(single(y), single(z))),
    widen: None,
};

const F64: Width = Width {
    frac: 52,
    exp: 11,
    add: |x, y| (double(x) + double(y)).to_bits(),
    mul: |x, y| (double(x) * double(y)).to_bits(),
    fma: |x, y, z| double(x).mul_add(double(y), double(z)).to_bits(),
    widen: None,
};

/// A group of operands, by what it tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tells {
    /// A sum or a product with denormals: what flushing makes of it is a zero.
    Denormal,
    /// Rounding of normal numbers.
    Rounding,
    /// Two roundings differ from one.
    Fused,
    /// The first NaN is the quiet one at this place.
    Nan(usize),
}

/// Operands and what they tell.
struct Given {
    operands: [u64; 3],
    tells: Tells,
}

impl Width {
    const fn sign(&self) -> u64 {
        1 << (self.frac + self.exp)
    }

    /// A number of an unbiased exponent.
    const fn number(&self, exponent: i32, frac: u64) -> u64 {
        let bias = (1 << (self.exp - 1)) - 1;
        ((bias + exponent) as u64) << self.frac | frac & ((1 << self.frac) - 1)
    }

    fn given(&self) -> Vec<Given> {
        let (one, least) = (self.number(0, 0), 1u64 << self.frac);
        let fraction = least - 1;
        let mut all = Vec::new();
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for i in 0..64u64 {
            // Denormals beside zeros, denormals and 1; least numbers whose difference is one.
            let denormal = (random() & fraction).max(1) | (i & 1) * self.sign();
            let other = match i % 4 {
                0 => 0,
                1 => (random() & fraction >> 1).max(1),
                _ => one,
            };
            let operands = match i % 4 {
                3 => [least | denormal & fraction, self.sign() | least, 0],
                _ => [denormal & (self.sign() | fraction >> 1 | 1), other, 0],
            };
            all.push(Given {
                operands,
                tells: Tells::Denormal,
            });
        }
        for _ in 0..64 {
            let mut number = |range: u64| {
                let exponent = (random() % range) as i32 - range as i32 / 2;
                self.number(exponent, random() >> 7) | (random() & 1) * self.sign()
            };
            all.push(Given {
                operands: [number(6), number(6), 0],
                tells: Tells::Rounding,
            });
        }
        for _ in 0..64 {
            // The product less itself, rounded: what one rounding leaves.
            let (x, y) = (self.number(0, random() >> 9), self.number(0, random() >> 9));
            let product = (self.mul)(x, y) ^ self.sign();
            all.push(Given {
                operands: [x, y, product],
                tells: Tells::Fused,
            });
        }
        let quiet = |payload: u64| {
            self.number(1 << (self.exp - 1), 0) | 1 << (self.frac - 1) | payload & (fraction >> 1)
        };
        for i in 0..32u64 {
            let nan = quiet(random() >> 11) | (i & 1) * self.sign();
            let (operands, place) = match i % 3 {
                0 => ([nan, one, one], 0),
                1 => ([one, nan, one], 1),
                _ => ([nan, quiet(random() >> 11), one], 0),
            };
            all.push(Given {
                operands,
                tells: Tells::Nan(place),
            });
        }
        all
    }

    /// Whether bits are a denormal number.
    fn is_denormal(&self, x: u64) -> bool {
        let magnitude = x & (self.sign() - 1);
        magnitude != 0 && magnitude < 1 << self.frac
    }

    fn is_zero(&self, x: u64) -> bool {
        x & (self.sign() - 1) == 0
    }

    /// Judges the shader's results of the operands.
    fn judge(&self, given: &[Given], results: &[[u64; RESULTS]]) -> MeasuredFloat {
        let mut seen = MeasuredFloat {
            keeps_denorms: true,
            flushes_denorms: true,
            fused_fma: true,
            keeps_nan_payload: true,
            nearest_even: true,
            min_drops_nan: true,
        };
        for (Given { operands, tells }, got) in given.iter().zip(results) {
            let [x, y, z] = *operands;
            let &[sum, product, fused, least, wide] = got;
            let (exact_sum, exact_product) = ((self.add)(x, y), (self.mul)(x, y));
            match *tells {
                Tells::Denormal => {
                    for (got, exact) in [(sum, exact_sum), (product, exact_product)] {
                        // Only what is a denormal, or is computed from nothing else, tells.
                        if self.is_denormal(exact) {
                            seen.keeps_denorms &= got == exact;
                            seen.flushes_denorms &= self.is_zero(got);
                        }
                    }
                    if let Some(widen) = self.widen
                        && self.is_denormal(x)
                    {
                        seen.keeps_denorms &= wide == widen(x);
                        seen.flushes_denorms &= wide & 0x7fff_ffff == 0;
                    }
                }
                Tells::Rounding => {
                    seen.nearest_even &= sum == exact_sum && product == exact_product;
                }
                Tells::Fused => seen.fused_fma &= fused == (self.fma)(x, y, z),
                Tells::Nan(place) => {
                    let nan = operands[place];
                    seen.keeps_nan_payload &= sum == nan && product == nan && fused == nan;
                    let number = operands[1 - place];
                    if number == self.number(0, 0) {
                        seen.min_drops_nan &= least == number;
                    }
                }
            }
        }
        seen
    }
}

impl Device {
    /// Measures what the device does with floats in a compute shader.
    ///
    /// # Errors
    /// The jobs do not run: see [`Device::run`].
    pub fn measure_floats(&mut self) -> Result<MeasuredFloats, VulkanError> {
        let features = self.info().features;
        let f32 = self.measure(&F32, include_bytes!("../shaders/measure_f32.spv"))?;
        let f16 = match features.shader_float16 && features.shader_int16 {
            true => Some(self.measure(&F16, include_bytes!("../shaders/measure_f16.spv"))?),
            false => None,
        };
        let f64 = match features.shader_float64 {
            true => Some(self.measure(&F64, include_bytes!("../shaders/measure_f64.spv"))?),
            false => None,
        };
        Ok(MeasuredFloats { f16, f32, f64 })
    }

    fn measure(&mut self, width: &Width, spirv: &[u8]) -> Result<MeasuredFloat, VulkanError> {
        let words: Vec<u32> = spirv
            .as_chunks()
            .0
            .iter()
            .map(|word| u32::from_le_bytes(*word))
            .collect();
        let given = width.given();
        let triples = given.len().next_multiple_of(LOCAL);
        let mut operands: Vec<u8> = given
            .iter()
            .flat_map(|g| g.operands)
            .flat_map(u64::to_le_bytes)
            .collect();
        operands.resize(triples * 3 * 8, 0);
        let mut results = vec![0u8; triples * RESULTS * 8];
        let mut job = Job::new(&words, "main", [(triples / LOCAL) as u32, 1, 1]);
        job.buffers.push(Buffer::storage(0, 0, &mut operands));
        job.buffers.push(Buffer::storage(0, 1, &mut results));
        self.run(&mut job)?;
        let results: Vec<[u64; RESULTS]> = results
            .as_chunks::<8>()
            .0
            .as_chunks::<RESULTS>()
            .0
            .iter()
            .map(|five| five.map(u64::from_le_bytes))
            .collect();
        Ok(width.judge(&given, &results))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    /// Devices in words: each answer follows what the device does.
    fn seen(width: &Width, device: impl Fn([u64; 3]) -> [u64; RESULTS]) -> MeasuredFloat {
        let given = width.given();
        let results: Vec<_> = given.iter().map(|g| device(g.operands)).collect();
        width.judge(&given, &results)
    }

    const ALL: MeasuredFloat = MeasuredFloat {
        keeps_denorms: true,
        flushes_denorms: false,
        fused_fma: true,
        keeps_nan_payload: true,
        nearest_even: true,
        min_drops_nan: true,
    };

    fn exact(x: u64, y: u64, z: u64) -> [u64; RESULTS] {
        let is_nan = |x: u64| single(x).is_nan();
        let first = [x, y, z].into_iter().find(|&x| is_nan(x));
        let or_nan = |r: u64| first.unwrap_or(r);
        let least = if is_nan(x) { y } else { x };
        [
            or_nan((F32.add)(x, y)),
            or_nan((F32.mul)(x, y)),
            or_nan((F32.fma)(x, y, z)),
            least,
            0,
        ]
    }

    #[test]
    fn an_exact_device_is_seen() {
        assert_eq!(seen(&F32, |[x, y, z]| exact(x, y, z)), ALL);
    }

    #[test]
    fn each_departure_is_seen_alone() {
        let flush = |x: u64| {
            if F32.is_denormal(x) {
                x & F32.sign()
            } else {
                x
            }
        };
        let flushing = seen(&F32, |[x, y, z]| {
            exact(flush(x), flush(y), flush(z)).map(flush)
        });
        let want = MeasuredFloat {
            keeps_denorms: false,
            flushes_denorms: true,
            ..ALL
        };
        assert_eq!(flushing, want);
        let results_alone = seen(&F32, |[x, y, z]| {
            let [a, b, c, d, e] = exact(x, y, z);
            [a, flush(b), c, d, e]
        });
        assert!(!results_alone.keeps_denorms && !results_alone.flushes_denorms);
        let twice = seen(&F32, |[x, y, z]| {
            let mut r = exact(x, y, z);
            if !single(r[2]).is_nan() {
                r[2] = (F32.add)((F32.mul)(x, y), z);
            }
            r
        });
        assert_eq!(
            twice,
            MeasuredFloat {
                fused_fma: false,
                ..ALL
            }
        );
        let truncating = seen(&F32, |[x, y, z]| {
            let mut r = exact(x, y, z);
            let (sum, exact) = (single(r[0]), f64::from(single(x)) + f64::from(single(y)));
            if f64::from(sum).abs() > exact.abs() {
                r[0] -= 1;
            }
            r
        });
        assert_eq!(
            truncating,
            MeasuredFloat {
                nearest_even: false,
                ..ALL
            }
        );
        let canonical = seen(&F32, |[x, y, z]| {
            exact(x, y, z).map(|r| if single(r).is_nan() { 0x7fff_ffff } else { r })
        });
        assert_eq!(
            canonical,
            MeasuredFloat {
                keeps_nan_payload: false,
                ..ALL
            }
        );
    }

    #[test]
    fn halves_round_as_they_must() {
        for h in (0..0x7c00).chain(0x8000..0xfc00) {
            assert_eq!(bits16(half(h)), h);
        }
        // Ties, the least denormal, overflow.
        for (x, want) in [
            (1.0 + 2f64.powi(-11), 0x3c00),
            (1.0 + 3.0 * 2f64.powi(-11), 0x3c02),
            (2f64.powi(-25), 0),
            (2f64.powi(-25) * 1.5, 1),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (-1e9, 0xfc00),
        ] {
            assert_eq!(bits16(x), want, "{x}");
        }
    }
}

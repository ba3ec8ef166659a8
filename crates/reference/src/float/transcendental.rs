//! Reciprocal, roots, exponential, logarithm, sine and cosine: each one algorithm of exact integer
//! operations, so that a translation can give the same bits on every device.
//!
//! - Results are rounded to nearest even whatever MODE says. f32 operands of rcp, rsq, sqrt and log
//!   that are subnormal count as signed zero, and f32 results of rcp and exp that would be subnormal
//!   are signed zero; f16 and f64 follow the denormal mode, sin and cos do in f32 too.
//! - rcp, rsq and sqrt are correctly rounded.
//! - exp, log, sin and cos (f16 and f32) evaluate one polynomial in 64-bit fixed point, products
//!   truncated as written here, and round that value once. Their error is below 0.52 units in the
//!   last place; the hardware's own is up to 1 (exp, log) and some more (sin, cos near their zeros).
//!
//! The coefficients interpolate the functions at Chebyshev nodes.

use spirdna_isa::FloatTy;
use spirdna_isa::launch::{Mode, Round};

use super::{Class, Exact, Format, Fpu};

/// `(2^f - 1) / f` for f in 0 .. 1: coefficients of f^0 .. f^7 in units of 2^-32.
const EXP: [u64; 8] = [
    0xb172_17f8,
    0x3d7f_7c01,
    0x0e35_843c,
    0x0276_56e6,
    0x0057_5c45,
    0x000a_2454,
    0x0000_f206,
    0x0000_1e45,
];

/// `log2(1 + z) / z` for z in sqrt(1/2) - 1 .. sqrt(2) - 1: coefficients of z^0 .. z^13 in units of
/// 2^-36.
const LOG: [i64; 14] = [
    99_141_248_299,
    -49_570_624_143,
    33_047_082_911,
    -24_785_314_105,
    19_828_232_765,
    -16_523_366_374,
    14_163_681_692,
    -12_399_239_751,
    11_007_641_191,
    -9_794_133_534,
    8_976_749_182,
    -9_262_651_085,
    9_011_700_562,
    -4_677_247_552,
];

/// `sin(pi/4 * t) / t` in y = t^2, y in 0 .. 1: magnitudes of the coefficients of y^0 .. y^4, whose
/// signs alternate, in units of 2^-32.
const SIN: [u64; 5] = [0xc90f_daa2, 0x14ab_bce5, 0x00a3_35dd, 0x0002_6595, 0x052f];

/// `(1 - cos(pi/4 * t)) / y`, likewise.
const COS: [u64; 5] = [0x4ef4_f327, 0x040f_07c2, 0x0015_5d3c, 0x3c3e, 0x68];

/// The largest 24-bit significand below sqrt(2).
const SQRT_2: u128 = 0xb5_04f3;

/// The first 1216 bits of 2/pi; hardware holds 1201 of them.
const TWO_OVER_PI: [u32; 38] = [
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
    0xdebb_c561,
    0xb724_6e3a,
    0x424d_d2e0,
    0x0649_2eea,
    0x09d1_921c,
    0xfe1d_eb1c,
    0xb129_a73e,
    0xe882_35f5,
    0x2ebb_4484,
    0xe99c_7026,
    0xb45f_7e41,
    0x3991_d639,
    0x8353_39f4,
    0x9c84_5f8b,
    0xbdf9_283b,
    0x1ff8_97ff,
    0xde05_980f,
    0xef2f_118b,
    0x5a0a_6d1f,
    0x6d36_7ecf,
    0x27cb_09b7,
    0x4f46_3f66,
    0x9e5f_ea2d,
    0x7527_bac7,
    0xebe5_f17b,
    0x3d07_39f7,
    0x8a52_92ea,
    0x6bfb_5fb1,
    0x1f8d_5d08,
    0x5603_3046,
    0xfc7b_6bab,
];
const TWO_OVER_PI_BITS: u32 = 1201;

impl Fpu {
    /// The environment of an approximation that has no f32 subnormals.
    fn approximate(&self) -> Fpu {
        let nearest = self.rounding(Round::NearestEven);
        if self.format == Format::F32 {
            nearest.flushing()
        } else {
            nearest
        }
    }

    /// An infinite result of a finite operand.
    fn pole(&self, negative: bool) -> u64 {
        let f = self.format;
        let magnitude = if self.saturate {
            f.max_finite()
        } else {
            f.infinity()
        };
        f.signed(negative, magnitude)
    }

    /// `1 / a`.
    pub fn rcp(&self, a: u64) -> u64 {
        let fpu = self.approximate();
        match fpu.class(a) {
            Class::Nan => self.nan(a),
            Class::Infinite { negative } => self.format.zero(negative),
            Class::Zero { negative } => self.pole(negative),
            Class::Finite(x) => {
                let one = 1 << 127;
                fpu.pack(Exact {
                    negative: x.negative,
                    significand: one / x.significand,
                    exp: -127 - x.exp,
                    sticky: one % x.significand != 0,
                })
            }
        }
    }

    /// `sqrt(a)`; the default NaN below zero, -0 for -0.
    pub fn sqrt(&self, a: u64) -> u64 {
        let fpu = self.approximate();
        match fpu.class(a) {
            Class::Nan => self.nan(a),
            Class::Zero { negative } => self.format.zero(negative),
            Class::Infinite { negative: false } => self.format.infinity(),
            Class::Infinite { negative: true } => self.format.default_nan(),
            Class::Finite(x) if x.negative => self.format.default_nan(),
            Class::Finite(x) => {
                // 126 or 127 bits with an even exponent have a root of 63 or 64 bits.
                let up = x.significand.leading_zeros() as i32 - 1;
                let up = up - (x.exp - up).rem_euclid(2);
                let square = x.significand << up;
                let root = square.isqrt();
                fpu.pack(Exact {
                    negative: false,
                    significand: root,
                    exp: (x.exp - up) / 2,
                    sticky: root * root != square,
                })
            }
        }
    }

    /// `1 / sqrt(a)`; the default NaN below zero, an infinity of its sign for a zero.
    pub fn rsq(&self, a: u64) -> u64 {
        let fpu = self.approximate();
        match fpu.class(a) {
            Class::Nan => self.nan(a),
            Class::Zero { negative } => self.pole(negative),
            Class::Infinite { negative: false } => 0,
            Class::Infinite { negative: true } => self.format.default_nan(),
            Class::Finite(x) if x.negative => self.format.default_nan(),
            Class::Finite(x) => {
                // 53 or 54 bits with an even exponent.
                let up = x.significand.leading_zeros() as i32 - 75;
                let up = up + (x.exp - up).rem_euclid(2);
                let (significand, exp) = (x.significand << up, x.exp - up);
                // The largest root with root^2 * significand <= 2^(2 * scale), of 61 or 62 bits.
                let scale = 88;
                let product = |root: u128| widening_mul(root * root, significand as u64);
                let bound = (1u128 << (2 * scale - 128), 0);
                let mut root = 0u128;
                for bit in (0..63).rev() {
                    if product(root | 1 << bit) <= bound {
                        root |= 1 << bit;
                    }
                }
                fpu.pack(Exact {
                    negative: false,
                    significand: root,
                    exp: -scale - exp / 2,
                    sticky: product(root) != bound,
                })
            }
        }
    }

    /// `2^a`. In f32 it is 1 for |a| below 2^-24.
    ///
    /// With `a` rounded down to 32 bits behind the point, n its integer and f its fraction: the result
    /// is `2^n * (1 + f * P(f))`.
    pub fn exp2(&self, a: u64) -> u64 {
        let fpu = self.approximate();
        match fpu.class(a) {
            Class::Nan => self.nan(a),
            Class::Infinite { negative: true } => 0,
            Class::Infinite { negative: false } => self.format.infinity(),
            Class::Zero { .. } => self.format.one(),
            Class::Finite(x) if self.format != Format::F16 && x.top() < -24 => self.format.one(),
            Class::Finite(x) if x.top() > 16 => {
                let far = if x.negative { -70_000 } else { 70_000 };
                fpu.pack(Exact::new(false, 1, far))
            }
            Class::Finite(x) => {
                let magnitude = x.round_at(-32, Round::MinusInfinity) as i64;
                let fixed = if x.negative { -magnitude } else { magnitude };
                let n = (fixed >> 32) as i32;
                let f = fixed as u64 & 0xffff_ffff;
                let p = EXP.iter().rev().fold(0, |p, c| c + ((p * f) >> 32));
                let significand = (1 << 63) + ((p * f) >> 1);
                fpu.pack(Exact::new(false, significand.into(), n - 63))
            }
        }
    }

    /// `log2(a)`; the default NaN below zero, -infinity for a zero.
    ///
    /// With `a = 2^e * m`, m from sqrt(1/2) to sqrt(2) and z = m - 1 in units of 2^-24: the result is
    /// `e + z * P(z)`, where e is not 0 with 52 bits behind the point.
    pub fn log2(&self, a: u64) -> u64 {
        let fpu = self.approximate();
        match fpu.class(a) {
            Class::Nan => self.nan(a),
            Class::Zero { .. } => self.pole(true),
            Class::Infinite { negative: false } => self.format.infinity(),
            Class::Infinite { negative: true } => self.format.default_nan(),
            Class::Finite(x) if x.negative => self.format.default_nan(),
            Class::Finite(x) => {
                let m = x.round_at(x.top() - 23, Round::NearestEven);
                let (e, z) = if m > SQRT_2 {
                    (x.top() + 1, m as i64 - (1 << 24))
                } else {
                    (x.top(), (m as i64 - (1 << 23)) * 2)
                };
                let p = LOG.iter().rev().fold(0, |p: i64, c| c + ((p * z) >> 24));
                let log = p * z;
                let (value, point) = if e == 0 {
                    (log, 60)
                } else {
                    ((i64::from(e) << 52) + (log >> 8), 52)
                };
                fpu.from_fixed(value.into(), point)
            }
        }
    }

    /// `sin(2 pi a)`: a counts turns. The default NaN for an infinity; an exact zero is +0, except for
    /// a zero, which stays.
    pub fn sin(&self, a: u64) -> u64 {
        self.circle(a, false)
    }

    /// `cos(2 pi a)`.
    pub fn cos(&self, a: u64) -> u64 {
        self.circle(a, true)
    }

    /// The turn is reduced exactly to a quadrant q and a rest of an eighth of a turn at most, t eighths,
    /// with y = t^2: sine and cosine of the rest are `t * S(y)` and `1 - y * C(y)`.
    fn circle(&self, a: u64, cosine: bool) -> u64 {
        let f = self.format;
        let fpu = self.rounding(Round::NearestEven);
        let x = match fpu.class(a) {
            Class::Nan => return self.nan(a),
            Class::Infinite { .. } => return f.default_nan(),
            Class::Zero { negative } => {
                return if cosine { f.one() } else { f.zero(negative) };
            }
            Class::Finite(x) => x,
        };
        // The fraction of |a| in units of 2^-places.
        let places = -x.exp;
        let fraction = match places {
            ..=0 => 0,
            1..=60 => x.significand as u64 & ((1 << places) - 1),
            _ => x.significand as u64,
        };
        // |a| = quadrant / 4 + rest * 2^-(places + 2).
        let places = places.max(1);
        let (quadrant, rest) = if places > 30 {
            (0, fraction as i64 * 4)
        } else {
            let quarters = fraction * 4;
            let quadrant = (quarters + (1 << (places - 1))) >> places;
            (quadrant, quarters as i64 - (quadrant << places) as i64)
        };
        let magnitude = rest.unsigned_abs();
        // t in units of 2^-31: t = rest * 2^(1 - places).
        let t = match 32 - places {
            up @ 0.. => magnitude << up,
            down => magnitude.checked_shr(down.unsigned_abs()).unwrap_or(0),
        };
        let y = (t * t) >> 31;
        let series = |c: &[u64; 5]| c.iter().rev().fold(0, |p, c| c - ((p * y) >> 31));
        let (odd, flip) = if cosine {
            (quadrant % 2 == 1, matches!(quadrant % 4, 1 | 2))
        } else {
            (
                quadrant % 2 == 0,
                matches!(quadrant % 4, 2 | 3) ^ x.negative,
            )
        };
        if odd {
            if rest == 0 {
                return 0;
            }
            let product = u128::from(magnitude * series(&SIN));
            fpu.pack(Exact::new(flip ^ (rest < 0), product, 1 - places - 32))
        } else {
            let value = (1 << 32) - ((series(&COS) * y) >> 31);
            fpu.pack(Exact::new(flip, value.into(), -32))
        }
    }
}

/// `a * b` as (high, low) halves of 256 bits.
fn widening_mul(a: u128, b: u64) -> (u128, u128) {
    let b = u128::from(b);
    let low = (a & u128::from(u64::MAX)) * b;
    let high = (a >> 64) * b + (low >> 64);
    (high >> 64, high << 64 | low & u128::from(u64::MAX))
}

/// `V_TRIG_PREOP_F64`: 53 bits of 2/pi, segment `select` (5 bits) of those that matter for the
/// magnitude of `a`, at their place; 2^128 times that for huge `a`. 0 beyond the bits that hardware has.
pub fn trig_preop(a: u64, select: u32, mode: &Mode) -> u64 {
    let exponent = Format::F64.exp_field(a) as u32;
    let shift = (select & 31) * 53 + exponent.saturating_sub(1077);
    let bit = |i: u32| {
        i < TWO_OVER_PI_BITS
            && TWO_OVER_PI
                .get(i as usize / 32)
                .is_some_and(|w| w >> (31 - i % 32) & 1 == 1)
    };
    let segment = (shift..shift + 53).fold(0u128, |s, i| s << 1 | u128::from(bit(i)));
    let scale = if exponent >= 1968 { 128 } else { 0 };
    if segment == 0 {
        0
    } else {
        let value = Exact::new(false, segment, -53 - shift as i32 + scale);
        Fpu::new(FloatTy::F64, mode).pack(value)
    }
}

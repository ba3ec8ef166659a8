//! A number with an integer significand and what is needed to round it once. Knows no bit pattern
//! beyond the one it packs.

use spirdna_isa::launch::Round;

use super::Fpu;

/// `(-1)^negative * significand * 2^exp`, plus, where `sticky` is set, a part below the significand's
/// last bit that is not zero. A number with a sticky part has a significand of 60 bits or more, so
/// that no rounding point is within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Below zero.
    pub negative: bool,
    /// The significand, not 0.
    pub significand: u128,
    /// Exponent of its last bit.
    pub exp: i32,
    /// Something not zero follows.
    pub sticky: bool,
}

/// Bits of a normalised significand: two bits of headroom for sums.
const NORMAL_BITS: u32 = 126;

impl Exact {
    /// An exact number.
    pub const fn new(negative: bool, significand: u128, exp: i32) -> Exact {
        Exact {
            negative,
            significand,
            exp,
            sticky: false,
        }
    }

    /// An integer, `None` for 0.
    pub fn integer(value: i128) -> Option<Exact> {
        (value != 0).then(|| Exact::new(value < 0, value.unsigned_abs(), 0))
    }

    /// Exponent of the first bit: the number's magnitude is in `2^e .. 2^(e+1)`.
    pub const fn top(&self) -> i32 {
        self.exp + 127 - self.significand.leading_zeros() as i32
    }

    /// The product.
    pub const fn mul(&self, other: &Exact) -> Exact {
        Exact::new(
            self.negative ^ other.negative,
            self.significand * other.significand,
            self.exp + other.exp,
        )
    }

    /// Times a power of two.
    pub const fn scaled(&self, by: i32) -> Exact {
        Exact {
            exp: self.exp + by,
            ..*self
        }
    }

    /// With the other sign.
    pub const fn negated(&self) -> Exact {
        Exact {
            negative: !self.negative,
            ..*self
        }
    }

    fn normalised(&self) -> Exact {
        let bits = 128 - self.significand.leading_zeros();
        if bits >= NORMAL_BITS {
            *self
        } else {
            let up = NORMAL_BITS - bits;
            Exact {
                significand: self.significand << up,
                exp: self.exp - up as i32,
                ..*self
            }
        }
    }

    /// The sum of two exact numbers, `None` where it is zero. Neither may be sticky nor have more than
    /// 126 bits.
    pub fn add(&self, other: &Exact) -> Option<Exact> {
        let (a, b) = (self.normalised(), other.normalised());
        let (big, small) = if (a.exp, a.significand) >= (b.exp, b.significand) {
            (a, b)
        } else {
            (b, a)
        };
        let down = (big.exp - small.exp) as u32;
        let (shifted, lost) = if down > 127 {
            (0, true)
        } else {
            let shifted = small.significand >> down;
            (shifted, shifted << down != small.significand)
        };
        let significand = if big.negative == small.negative {
            big.significand + shifted
        } else {
            big.significand - shifted - u128::from(lost)
        };
        (significand != 0).then_some(Exact {
            negative: big.negative,
            significand,
            exp: big.exp,
            sticky: lost,
        })
    }

    /// The significand rounded to a multiple of `2^at`, in units of it.
    pub fn round_at(&self, at: i32, round: Round) -> u128 {
        let down = at - self.exp;
        if down <= 0 {
            return self.significand << down.unsigned_abs().min(127);
        }
        let (kept, rest, half) = if down > 127 {
            // Everything is below the rounding point; whether it is more than half of a unit is only
            // possible where its first bit is the one just below.
            (0, 1, 2)
        } else {
            let kept = self.significand >> down;
            (kept, self.significand - (kept << down), 1 << (down - 1))
        };
        let inexact = rest != 0 || self.sticky;
        let up = match round {
            Round::NearestEven => rest > half || (rest == half && (self.sticky || kept & 1 == 1)),
            Round::PlusInfinity => inexact && !self.negative,
            Round::MinusInfinity => inexact && self.negative,
            Round::TowardZero => false,
        };
        kept + u128::from(up)
    }

    /// The integer that the number rounds to, saturated to `i128`'s half range.
    pub fn to_integer(&self, round: Round) -> i128 {
        let magnitude = if self.top() > 125 {
            i128::MAX
        } else {
            self.round_at(0, round) as i128
        };
        if self.negative { -magnitude } else { magnitude }
    }
}

impl Fpu {
    /// The number rounded to the format. A flush of the result is decided after it was rounded with an
    /// unbounded exponent.
    pub fn pack(&self, value: Exact) -> u64 {
        let f = self.format;
        let frac_bits = f.frac_bits as i32;
        let value = value.normalised();
        let free = value.top() - frac_bits;
        let bound = f.min_exp() - frac_bits;
        let at = if self.flush_out {
            free
        } else {
            free.max(bound)
        };
        let rounded = value.round_at(at, self.round) as u64;
        // A carry out of the top bit leaves a power of two.
        let (significand, at) = if rounded >> (frac_bits + 1) != 0 {
            (rounded >> 1, at + 1)
        } else {
            (rounded, at)
        };
        let magnitude = if significand >> frac_bits == 0 {
            significand
        } else if at < bound {
            // Only where results are flushed: below the normal range.
            0
        } else {
            let field = i64::from(at) + i64::from(frac_bits) + i64::from(f.bias());
            if field >= f.exp_max() as i64 {
                self.overflow(value.negative)
            } else {
                (field as u64) << frac_bits | significand & f.frac_mask()
            }
        };
        f.signed(value.negative, magnitude)
    }

    /// Magnitude of a finite result past the largest number.
    pub(super) fn overflow(&self, negative: bool) -> u64 {
        let to_infinity = match self.round {
            Round::NearestEven => true,
            Round::PlusInfinity => !negative,
            Round::MinusInfinity => negative,
            Round::TowardZero => false,
        };
        if to_infinity && !self.saturate {
            self.format.infinity()
        } else {
            self.format.max_finite()
        }
    }
}

//! Sums, products, fused and unfused multiply-add, scaling, minima and maxima, dot products.

use spirdna_isa::FloatTy;
use spirdna_isa::launch::Mode;

use super::{Class, Exact, Format, Fpu};

impl Fpu {
    /// `a + b`.
    pub fn add(&self, a: u64, b: u64) -> u64 {
        if let Some(nan) = self.first_nan(&[a, b]) {
            return nan;
        }
        self.sum(self.class(a), self.class(b))
    }

    /// The sum of two operands that are no NaNs, one of which may be an exact product.
    fn sum(&self, a: Class, b: Class) -> u64 {
        let f = self.format;
        match (a, b) {
            (Class::Nan, _) | (_, Class::Nan) => f.default_nan(),
            (Class::Infinite { negative: x }, Class::Infinite { negative: y }) => {
                if x == y {
                    f.signed(x, f.infinity())
                } else {
                    f.default_nan()
                }
            }
            (Class::Infinite { negative }, Class::Zero { .. } | Class::Finite(_))
            | (Class::Zero { .. } | Class::Finite(_), Class::Infinite { negative }) => {
                f.signed(negative, f.infinity())
            }
            (Class::Zero { negative: x }, Class::Zero { negative: y }) => {
                if x == y {
                    f.zero(x)
                } else {
                    self.cancelled()
                }
            }
            (Class::Zero { .. }, Class::Finite(x)) | (Class::Finite(x), Class::Zero { .. }) => {
                self.pack(x)
            }
            (Class::Finite(x), Class::Finite(y)) => match x.add(&y) {
                Some(sum) => self.pack(sum),
                None => self.cancelled(),
            },
        }
    }

    /// `a - b`: b's sign flips, also a NaN's.
    pub fn sub(&self, a: u64, b: u64) -> u64 {
        self.add(a, b ^ self.format.sign())
    }

    /// `b - a`: a's sign flips, and its NaN still comes first.
    pub fn sub_rev(&self, a: u64, b: u64) -> u64 {
        self.add(a ^ self.format.sign(), b)
    }

    /// The exact product of two operands that are no NaNs; `None` for infinity times zero.
    fn product(&self, a: Class, b: Class) -> Option<Class> {
        let negative = |c: &Class| match *c {
            Class::Nan => false,
            Class::Infinite { negative } | Class::Zero { negative } => negative,
            Class::Finite(x) => x.negative,
        };
        let sign = negative(&a) ^ negative(&b);
        Some(match (a, b) {
            (Class::Nan, _) | (_, Class::Nan) => return None,
            (Class::Infinite { .. }, Class::Zero { .. })
            | (Class::Zero { .. }, Class::Infinite { .. }) => return None,
            (Class::Infinite { .. }, Class::Infinite { .. } | Class::Finite(_))
            | (Class::Finite(_), Class::Infinite { .. }) => Class::Infinite { negative: sign },
            (Class::Zero { .. }, Class::Zero { .. } | Class::Finite(_))
            | (Class::Finite(_), Class::Zero { .. }) => Class::Zero { negative: sign },
            (Class::Finite(x), Class::Finite(y)) => Class::Finite(x.mul(&y)),
        })
    }

    /// `a * b`.
    pub fn mul(&self, a: u64, b: u64) -> u64 {
        if let Some(nan) = self.first_nan(&[a, b]) {
            return nan;
        }
        let f = self.format;
        match self.product(self.class(a), self.class(b)) {
            None | Some(Class::Nan) => f.default_nan(),
            Some(Class::Infinite { negative }) => f.signed(negative, f.infinity()),
            Some(Class::Zero { negative }) => f.zero(negative),
            Some(Class::Finite(x)) => self.pack(x),
        }
    }

    /// Whether an operand counts as zero.
    fn zero_input(&self, bits: u64) -> bool {
        self.format.is_zero(self.input(bits))
    }

    /// `a * b` where zero times anything is +0.
    pub fn mul_legacy(&self, a: u64, b: u64) -> u64 {
        if self.zero_input(a) || self.zero_input(b) {
            0
        } else {
            self.mul(a, b)
        }
    }

    /// `a * b + c` with one rounding. The first NaN of a, b is the result, then the default NaN of
    /// infinity times zero, then a NaN in c.
    pub fn fma(&self, a: u64, b: u64, c: u64) -> u64 {
        self.fma_scaled(a, b, c, 0)
    }

    /// `(a * b + c) * 2^by` with one rounding.
    pub(super) fn fma_scaled(&self, a: u64, b: u64, c: u64, by: i32) -> u64 {
        if let Some(nan) = self.first_nan(&[a, b]) {
            return nan;
        }
        let Some(product) = self.product(self.class(a), self.class(b)) else {
            return self.format.default_nan();
        };
        if let Some(nan) = self.first_nan(&[c]) {
            return nan;
        }
        let scale = |c: Class| match c {
            Class::Finite(x) => Class::Finite(x.scaled(by)),
            Class::Nan | Class::Infinite { .. } | Class::Zero { .. } => c,
        };
        self.sum(scale(product), scale(self.class(c)))
    }

    /// [`Fpu::fma`] where zero times anything is +0.
    pub fn fma_legacy(&self, a: u64, b: u64, c: u64) -> u64 {
        if self.zero_input(a) || self.zero_input(b) {
            self.add(0, c)
        } else {
            self.fma(a, b, c)
        }
    }

    /// `a * b + c` with two roundings; subnormals are flushed whatever MODE says.
    pub fn mad(&self, a: u64, b: u64, c: u64) -> u64 {
        let fpu = self.flushing();
        fpu.add(fpu.mul(a, b), c)
    }

    /// [`Fpu::mad`] where zero times anything is +0.
    pub fn mad_legacy(&self, a: u64, b: u64, c: u64) -> u64 {
        let fpu = self.flushing();
        fpu.add(fpu.mul_legacy(a, b), c)
    }

    /// `a * 2^by`, rounded once.
    pub fn ldexp(&self, a: u64, by: i32) -> u64 {
        match self.class(a) {
            Class::Nan => self.nan(a),
            Class::Infinite { .. } | Class::Zero { .. } => self.input(a),
            Class::Finite(x) => self.pack(x.scaled(by.clamp(-10_000, 10_000))),
        }
    }

    /// The smaller number: -0 is below +0, a NaN loses against a number, of two NaNs the first is the
    /// result. With IEEE a signalling NaN wins and comes out quiet.
    pub fn min(&self, a: u64, b: u64) -> u64 {
        self.select(a, b, false)
    }

    /// The larger number, by the rules of [`Fpu::min`].
    pub fn max(&self, a: u64, b: u64) -> u64 {
        self.select(a, b, true)
    }

    fn select(&self, a: u64, b: u64, larger: bool) -> u64 {
        let f = self.format;
        if self.ieee
            && let Some(&nan) = [a, b].iter().find(|&&x| f.is_signalling(x))
        {
            return self.quiet(nan);
        }
        let (a, b) = (self.input(a), self.input(b));
        let picked = match (f.is_nan(a), f.is_nan(b)) {
            (true, true) | (false, true) => a,
            (true, false) => b,
            (false, false) => {
                if (self.order(a) < self.order(b)) ^ larger {
                    a
                } else {
                    b
                }
            }
        };
        self.flush_result(picked)
    }

    /// A number's place in the order of numbers, -0 below +0.
    fn order(&self, bits: u64) -> i128 {
        let magnitude = i128::from(self.format.abs(bits));
        if self.format.is_negative(bits) {
            -1 - magnitude
        } else {
            magnitude
        }
    }

    /// Minimum of three.
    pub fn min3(&self, a: u64, b: u64, c: u64) -> u64 {
        self.min(self.min(a, b), c)
    }

    /// Maximum of three.
    pub fn max3(&self, a: u64, b: u64, c: u64) -> u64 {
        self.max(self.max(a, b), c)
    }

    /// The middle one of three; with a NaN among them, [`Fpu::min3`].
    pub fn med3(&self, a: u64, b: u64, c: u64) -> u64 {
        if [a, b, c].iter().any(|&x| self.format.is_nan(x)) {
            return self.min3(a, b, c);
        }
        let mut sorted = [self.input(a), self.input(b), self.input(c)];
        sorted.sort_by_key(|&x| self.order(x));
        self.flush_result(sorted[1])
    }

    /// `a[0] * b[0] + a[1] * b[1] + c` of halves and an f32 (the format at hand): exact, rounded once.
    /// NaNs in the order a0, b0, a1, b1, c win, also over infinity times zero, and come out quiet. `halves` says what becomes of
    /// subnormal halves.
    pub fn dot2(&self, a: [u64; 2], b: [u64; 2], c: u64, halves: &Fpu) -> u64 {
        let f = self.format;
        for x in [a[0], b[0], a[1], b[1]] {
            if Format::F16.is_nan(x) {
                return self.quiet(widen_nan(x));
            }
        }
        let mut infinite = None;
        let mut invalid = false;
        let mut exact: Option<Exact> = None;
        let mut zero_signs = [false; 2];
        for i in 0..2 {
            match halves.product(halves.class(a[i]), halves.class(b[i])) {
                None | Some(Class::Nan) => invalid = true,
                Some(Class::Infinite { negative }) => {
                    invalid |= infinite == Some(!negative);
                    infinite = Some(negative);
                }
                Some(Class::Zero { negative }) => zero_signs[i] = negative,
                Some(Class::Finite(x)) => {
                    zero_signs[i] = x.negative;
                    exact = match exact {
                        None => Some(x),
                        Some(y) => fixed_sum(x, y),
                    };
                }
            }
        }
        if f.is_nan(c) {
            return self.quiet(c);
        }
        if invalid {
            return f.default_nan();
        }
        let products = match (infinite, exact) {
            (Some(negative), _) => Class::Infinite { negative },
            (None, Some(x)) => Class::Finite(x),
            (None, None) if zero_signs[0] == zero_signs[1] => Class::Zero {
                negative: zero_signs[0],
            },
            (None, None) => Class::Zero {
                negative: f.is_negative(self.cancelled()),
            },
        };
        self.sum(products, self.class(c))
    }

    /// An environment for the halves that [`Fpu::dot2`] reads.
    pub fn halves(mode: &Mode) -> Fpu {
        Fpu::new(FloatTy::F16, mode)
    }
}

/// The sum of two products of halves: they are multiples of 2^-48 below 2^33, so it is exact.
fn fixed_sum(x: Exact, y: Exact) -> Option<Exact> {
    let fixed = |v: &Exact| {
        let magnitude = (v.significand << (v.exp + 48)) as i128;
        if v.negative { -magnitude } else { magnitude }
    };
    Exact::integer(fixed(&x) + fixed(&y)).map(|e| e.scaled(-48))
}

/// A half NaN's bits in an f32.
fn widen_nan(half: u64) -> u64 {
    (half & 0x8000) << 16 | Format::F32.infinity() | (half & Format::F16.frac_mask()) << 13
}

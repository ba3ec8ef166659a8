//! What the operations mean, by whole numbers of any size: written from the rules in `docs/ir.md` and the
//! IEEE definition of rounding, without a shift that could lose a bit and without the code under test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use num_bigint::{BigInt, BigUint, Sign};
use spirdna_isa::launch::Round;

use crate::ir::{FMode, FOp, FTy};

/// A format by its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Fmt {
    pub e: u32,
    pub m: u32,
}

pub fn fmt(ty: FTy) -> Fmt {
    match ty {
        FTy::F16 => Fmt { e: 5, m: 10 },
        FTy::F32 => Fmt { e: 8, m: 23 },
        FTy::F64 => Fmt { e: 11, m: 52 },
    }
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Num {
    Nan(u64),
    Inf(bool),
    Zero(bool),
    /// `n * 2^q`, n not 0.
    Finite(BigInt, i64),
}

impl Fmt {
    fn bias(self) -> i64 {
        (1 << (self.e - 1)) - 1
    }
    fn sign(self) -> u64 {
        1 << (self.e + self.m)
    }
    pub fn inf(self) -> u64 {
        ((1 << self.e) - 1) << self.m
    }
    fn quiet_bit(self) -> u64 {
        1 << (self.m - 1)
    }
    fn dnan(self) -> u64 {
        self.sign() | self.inf() | self.quiet_bit()
    }
    fn signed(self, neg: bool, bits: u64) -> u64 {
        if neg { bits + self.sign() } else { bits }
    }

    pub fn decode(self, bits: u64, flush: bool) -> Num {
        let neg = bits & self.sign() != 0;
        let abs = bits & (self.sign() - 1);
        let (e, f) = ((abs >> self.m) as i64, abs % (1 << self.m));
        if abs > self.inf() {
            Num::Nan(bits)
        } else if abs == self.inf() {
            Num::Inf(neg)
        } else if abs == 0 || (e == 0 && flush) {
            Num::Zero(neg)
        } else {
            let n = if e == 0 { f } else { f + (1 << self.m) };
            let n = BigInt::from_biguint(if neg { Sign::Minus } else { Sign::Plus }, n.into());
            Num::Finite(n, e.max(1) - self.bias() - i64::from(self.m))
        }
    }

    /// Rounds `n * 2^q`.
    pub fn encode(self, n: &BigInt, q: i64, mode: FMode) -> u64 {
        let neg = n.sign() == Sign::Minus;
        let mag = n.magnitude().clone();
        let least = 1 - self.bias();
        let top = q + mag.bits() as i64 - 1;
        let mut unit = top - i64::from(self.m);
        if !mode.denorm.flushes_out() {
            unit = unit.max(least - i64::from(self.m));
        }
        // mag * 2^q in units of 2^unit, as a whole number and a rest.
        let (whole, rest, one) = if unit <= q {
            (mag << (q - unit) as u64, BigUint::ZERO, BigUint::from(1u32))
        } else {
            let one = BigUint::from(1u32) << (unit - q) as u64;
            (&mag / &one, &mag % &one, one)
        };
        let twice: BigUint = &rest * 2u32;
        let up = match mode.round {
            Round::NearestEven => twice > one || (twice == one && whole.bit(0)),
            Round::TowardZero => false,
            Round::PlusInfinity => !neg && rest != BigUint::ZERO,
            Round::MinusInfinity => neg && rest != BigUint::ZERO,
        };
        let whole = if up { whole + 1u32 } else { whole };
        if whole == BigUint::ZERO {
            return self.signed(neg, 0);
        }
        let top = unit + whole.bits() as i64 - 1;
        if top < least && mode.denorm.flushes_out() {
            return self.signed(neg, 0);
        }
        if top > self.bias() {
            let to_inf = match mode.round {
                Round::NearestEven => true,
                Round::TowardZero => false,
                Round::PlusInfinity => !neg,
                Round::MinusInfinity => neg,
            };
            return self.signed(neg, if to_inf { self.inf() } else { self.inf() - 1 });
        }
        // In units of the result's last place.
        let place = top.max(least) - i64::from(self.m);
        let digits = if unit >= place {
            whole << (unit - place) as u64
        } else {
            whole >> (place - unit) as u64
        };
        let digits = u64::try_from(digits).unwrap();
        let field = (top.max(least) - least) as u64;
        self.signed(neg, digits + (field << self.m))
    }

    fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.inf()
    }

    fn nan(self, bits: u64, mode: FMode) -> u64 {
        if mode.ieee {
            bits | self.quiet_bit()
        } else {
            bits
        }
    }

    fn first_nan(self, all: &[u64], mode: FMode) -> Option<u64> {
        all.iter()
            .find(|&&b| self.is_nan(b))
            .map(|&b| self.nan(b, mode))
    }

    fn add(self, x: Num, y: Num, mode: FMode) -> u64 {
        let cancelled = self.signed(mode.round == Round::MinusInfinity, 0);
        match (x, y) {
            (Num::Inf(a), Num::Inf(b)) if a != b => self.dnan(),
            (Num::Inf(a), _) | (_, Num::Inf(a)) => self.signed(a, self.inf()),
            (Num::Zero(a), Num::Zero(b)) => {
                if a == b {
                    self.signed(a, 0)
                } else {
                    cancelled
                }
            }
            (Num::Zero(_), Num::Finite(n, q)) | (Num::Finite(n, q), Num::Zero(_)) => {
                self.encode(&n, q, mode)
            }
            (Num::Finite(a, p), Num::Finite(b, q)) => {
                let low = p.min(q);
                let sum = (a << (p - low) as u64) + (b << (q - low) as u64);
                if sum == BigInt::ZERO {
                    cancelled
                } else {
                    self.encode(&sum, low, mode)
                }
            }
            (Num::Nan(_), _) | (_, Num::Nan(_)) => panic!("NaNs are handled before"),
        }
    }
}

fn negative(x: &Num) -> bool {
    match x {
        Num::Inf(s) | Num::Zero(s) => *s,
        Num::Finite(n, _) => n.sign() == Sign::Minus,
        Num::Nan(_) => panic!("no sign"),
    }
}

/// `None` for infinity times zero.
fn product(x: &Num, y: &Num) -> Option<Num> {
    let neg = negative(x) != negative(y);
    Some(match (x, y) {
        (Num::Inf(_), Num::Zero(_)) | (Num::Zero(_), Num::Inf(_)) => return None,
        (Num::Inf(_), _) | (_, Num::Inf(_)) => Num::Inf(neg),
        (Num::Zero(_), _) | (_, Num::Zero(_)) => Num::Zero(neg),
        (Num::Finite(a, p), Num::Finite(b, q)) => Num::Finite(a * b, p + q),
        (Num::Nan(_), _) | (_, Num::Nan(_)) => panic!("NaNs are handled before"),
    })
}

fn fma(f: Fmt, a: &[u64], mode: FMode, legacy: bool) -> u64 {
    let flush = mode.denorm.flushes_in();
    let num = |i: usize| f.decode(a[i], flush);
    let zero = |i: usize| matches!(num(i), Num::Zero(_));
    let product = if legacy && (zero(0) || zero(1)) {
        Num::Zero(false)
    } else {
        if let Some(nan) = f.first_nan(&a[..2], mode) {
            return nan;
        }
        match product(&num(0), &num(1)) {
            None => return f.dnan(),
            Some(p) => p,
        }
    };
    match a.get(2) {
        Some(&z) => match f.first_nan(&[z], mode) {
            Some(nan) => nan,
            None => f.add(product, f.decode(z, flush), mode),
        },
        // A product alone keeps its sign, also of zero.
        None => match product {
            Num::Zero(s) => f.signed(s, 0),
            Num::Inf(s) => f.signed(s, f.inf()),
            Num::Finite(n, q) => f.encode(&n, q, mode),
            Num::Nan(_) => panic!("no NaN"),
        },
    }
}

/// Numbers in order: -0 just below +0.
fn order(f: Fmt, bits: u64) -> i128 {
    let abs = i128::from(bits & (f.sign() - 1));
    if bits & f.sign() != 0 { -1 - abs } else { abs }
}

fn min_max(f: Fmt, x: u64, y: u64, mode: FMode, max: bool) -> u64 {
    let signalling = |b: u64| f.is_nan(b) && b & f.quiet_bit() == 0;
    if mode.ieee {
        for b in [x, y] {
            if signalling(b) {
                return b | f.quiet_bit();
            }
        }
    }
    let cut = |b: u64, on: bool| {
        if on && matches!(f.decode(b, true), Num::Zero(_)) {
            b & f.sign()
        } else {
            b
        }
    };
    let (x, y) = (
        cut(x, mode.denorm.flushes_in()),
        cut(y, mode.denorm.flushes_in()),
    );
    let out = if f.is_nan(y) {
        x
    } else if f.is_nan(x) {
        y
    } else if max == (order(f, x) > order(f, y)) {
        x
    } else {
        y
    };
    cut(out, mode.denorm.flushes_out())
}

/// Floor of `n * 2^q` (q negative), and whether anything was cut off.
fn floor(n: &BigInt, q: i64) -> (BigInt, BigInt) {
    let one = BigInt::from(1) << (-q) as u64;
    let mut whole = n / &one;
    let mut rest = n % &one;
    if rest.sign() == Sign::Minus {
        whole -= 1;
        rest += &one;
    }
    (whole, rest)
}

fn integral(n: &BigInt, q: i64, op: FOp) -> BigInt {
    if q >= 0 {
        return n << q as u64;
    }
    let (whole, rest) = floor(n, q);
    let one = BigInt::from(1) << (-q) as u64;
    let any = rest != BigInt::ZERO;
    let up = match op {
        FOp::Floor => false,
        FOp::Ceil => any,
        FOp::Trunc => any && n.sign() == Sign::Minus,
        _ => {
            let twice: BigInt = &rest * 2;
            twice > one || (twice == one && &whole % 2 != BigInt::ZERO)
        }
    };
    if up { whole + 1 } else { whole }
}

/// What an operation gives; `None` where the model does not know.
pub fn run(op: FOp, ty: FTy, mode: FMode, a: &[u64]) -> Option<u64> {
    let f = fmt(ty);
    let flush = mode.denorm.flushes_in();
    let x = f.decode(a[0], flush);
    let nan = |bits: u64| f.nan(bits, mode);
    Some(match op {
        FOp::Add => match f.first_nan(a, mode) {
            Some(nan) => nan,
            None => f.add(x, f.decode(a[1], flush), mode),
        },
        FOp::Mul | FOp::Fma => fma(f, a, mode, false),
        FOp::MulLegacy => {
            let zero = |b| matches!(f.decode(b, flush), Num::Zero(_));
            if zero(a[0]) || zero(a[1]) {
                0
            } else {
                fma(f, a, mode, false)
            }
        }
        FOp::FmaLegacy => fma(f, a, mode, true),
        FOp::FmaScaled | FOp::Dot2 => return None,
        FOp::Mad => {
            let mode = FMode {
                denorm: spirdna_isa::launch::Denorm::FlushInOut,
                ..mode
            };
            let p = run(FOp::Mul, ty, mode, &a[..2])?;
            run(FOp::Add, ty, mode, &[p, a[2]])?
        }
        FOp::Min => min_max(f, a[0], a[1], mode, false),
        FOp::Max => min_max(f, a[0], a[1], mode, true),
        FOp::Med3 => {
            if a.iter().any(|&b| f.is_nan(b)) {
                let low = min_max(f, a[0], a[1], mode, false);
                min_max(f, low, a[2], mode, false)
            } else {
                let (lo, hi) = (
                    min_max(f, a[0], a[1], mode, false),
                    min_max(f, a[0], a[1], mode, true),
                );
                let hi = min_max(f, hi, a[2], mode, false);
                min_max(f, lo, hi, mode, true)
            }
        }
        FOp::Trunc | FOp::Ceil | FOp::Floor | FOp::Rndne => match x {
            Num::Nan(b) => nan(b),
            Num::Inf(s) => f.signed(s, f.inf()),
            Num::Zero(s) => f.signed(s, 0),
            Num::Finite(n, q) => {
                let whole = integral(&n, q, op);
                if whole == BigInt::ZERO {
                    f.signed(n.sign() == Sign::Minus, 0)
                } else {
                    f.encode(&whole, 0, mode)
                }
            }
        },
        FOp::Fract => match x {
            Num::Nan(b) => nan(b),
            Num::Inf(_) => f.dnan(),
            Num::Zero(_) => 0,
            Num::Finite(_, q) if q >= 0 => 0,
            Num::Finite(n, q) => {
                let (_, rest) = floor(&n, q);
                if rest == BigInt::ZERO {
                    0
                } else {
                    f.encode(&rest, q, mode).min(((f.bias() as u64) << f.m) - 1)
                }
            }
        },
        FOp::FrexpMant => match x {
            Num::Nan(b) => nan(b),
            Num::Inf(s) => f.signed(s, f.inf()),
            Num::Zero(s) => f.signed(s, 0),
            Num::Finite(n, _) => f.encode(&n, -(n.bits() as i64), mode),
        },
        FOp::FrexpExp => match x {
            Num::Finite(n, q) => (q + n.bits() as i64) as u64 & 0xffff_ffff,
            Num::Nan(_) | Num::Inf(_) | Num::Zero(_) => 0,
        },
        FOp::Ldexp => match x {
            Num::Nan(b) => nan(b),
            Num::Inf(s) => f.signed(s, f.inf()),
            Num::Zero(s) => f.signed(s, 0),
            Num::Finite(n, q) => f.encode(
                &n,
                q + i64::from((a[1] as u32 as i32).clamp(-9999, 9999)),
                mode,
            ),
        },
        FOp::Omod(by) => match x {
            Num::Nan(b) => b,
            Num::Inf(s) => f.signed(s, f.inf()),
            Num::Zero(_) if f.decode(a[0], false) == x => 0,
            Num::Zero(s) => f.signed(s, 0),
            Num::Finite(n, q) => f.encode(&n, q + i64::from(by), mode),
        },
        FOp::Lt | FOp::Le | FOp::Eq => {
            let y = f.decode(a[1], flush);
            if matches!(x, Num::Nan(_)) || matches!(y, Num::Nan(_)) {
                return Some(0);
            }
            // x - y by whole numbers, infinities as something larger than all.
            let value = |v: Num| match v {
                Num::Zero(_) | Num::Nan(_) => BigInt::ZERO,
                Num::Inf(s) => BigInt::from(if s { -1 } else { 1 }) << 4000u32,
                Num::Finite(n, q) => n << (q + 1200) as u64,
            };
            let (x, y) = (value(x), value(y));
            u64::from(match op {
                FOp::Lt => x < y,
                FOp::Le => x <= y,
                _ => x == y,
            })
        }
        FOp::Unordered => u64::from(f.is_nan(a[0]) || f.is_nan(a[1])),
        FOp::Class => {
            let neg = a[0] & f.sign() != 0;
            let small = a[0] & (f.sign() - 1) < 1 << f.m;
            let bit = match f.decode(a[0], false) {
                Num::Nan(b) => u32::from(b & f.quiet_bit() != 0),
                Num::Inf(_) => {
                    if neg {
                        2
                    } else {
                        9
                    }
                }
                Num::Zero(_) => {
                    if neg {
                        5
                    } else {
                        6
                    }
                }
                Num::Finite(..) if small => {
                    if neg {
                        4
                    } else {
                        7
                    }
                }
                Num::Finite(..) => {
                    if neg {
                        3
                    } else {
                        8
                    }
                }
            };
            a[1] >> bit & 1
        }
        FOp::Clamp { dx10 } => match f.decode(a[0], false) {
            Num::Nan(b) => {
                if dx10 {
                    0
                } else {
                    b
                }
            }
            v if negative(&v) => 0,
            _ => a[0].min((f.bias() as u64) << f.m),
        },
        FOp::FromFloat(from) => {
            let g = fmt(from);
            match g.decode(a[0], flush) {
                Num::Nan(b) => {
                    let frac = b & ((1 << g.m) - 1);
                    let frac = if f.m > g.m {
                        frac << (f.m - g.m)
                    } else {
                        frac >> (g.m - f.m)
                    };
                    let quiet = mode.ieee || ty == FTy::F16 || frac == 0;
                    let frac = if quiet { frac | f.quiet_bit() } else { frac };
                    f.signed(b & g.sign() != 0, f.inf() | frac)
                }
                Num::Inf(s) => f.signed(s, f.inf()),
                Num::Zero(s) => f.signed(s, 0),
                Num::Finite(n, q) => f.encode(&n, q, mode),
            }
        }
        FOp::FromInt { signed } => {
            let n = if signed {
                i64::from(a[0] as u32 as i32)
            } else {
                a[0] as i64
            };
            if n == 0 {
                0
            } else {
                f.encode(&n.into(), 0, mode)
            }
        }
        FOp::ToInt { signed } => {
            let (low, high) = if signed {
                (i64::from(i32::MIN), i64::from(i32::MAX))
            } else {
                (0, i64::from(u32::MAX))
            };
            let n = match x {
                Num::Nan(_) | Num::Zero(_) => 0,
                Num::Inf(s) => {
                    if s {
                        low
                    } else {
                        high
                    }
                }
                Num::Finite(n, q) => {
                    let whole = integral(&n, q, FOp::Trunc);
                    i64::try_from(whole.clamp(low.into(), high.into())).unwrap()
                }
            };
            n as u64 & 0xffff_ffff
        }
        FOp::Rcp | FOp::Rsq | FOp::Sqrt => root(op, ty, mode, a[0]),
        FOp::Exp2 | FOp::Log2 | FOp::Sin | FOp::Cos => return None,
    })
}

/// 1 / x, its root and the root, correctly rounded to nearest whatever the mode says; f32 has no
/// subnormals there.
fn root(op: FOp, ty: FTy, mode: FMode, x: u64) -> u64 {
    let f = fmt(ty);
    let mode = FMode {
        round: Round::NearestEven,
        denorm: match ty {
            FTy::F32 => spirdna_isa::launch::Denorm::FlushInOut,
            FTy::F16 | FTy::F64 => mode.denorm,
        },
        ..mode
    };
    // Far more digits than any format has.
    const K: u64 = 4000;
    match f.decode(x, mode.denorm.flushes_in()) {
        Num::Nan(bits) => f.nan(bits, mode),
        Num::Inf(true) | Num::Finite(..)
            if op != FOp::Rcp && x & f.sign() != 0 && !is_zero(f, x, mode) =>
        {
            f.dnan()
        }
        Num::Inf(neg) if op == FOp::Rcp => f.signed(neg, 0),
        Num::Inf(_) => {
            if op == FOp::Sqrt {
                f.inf()
            } else {
                0
            }
        }
        Num::Zero(neg) => f.signed(neg, if op == FOp::Sqrt { 0 } else { f.inf() }),
        Num::Finite(n, q) => {
            // An even power, so that roots take half of it.
            let (n, q) = if q.rem_euclid(2) == 1 {
                (n * 2, q - 1)
            } else {
                (n, q)
            };
            let one = BigInt::from(1) << (2 * K);
            let (digits, power, exact) = match op {
                FOp::Rcp => {
                    let digits: BigInt = &one / &n;
                    let exact = &digits * &n == one;
                    (digits, -(2 * K as i64) - q, exact)
                }
                FOp::Rsq => {
                    let digits = (&one / &n).sqrt();
                    let exact = &digits * &digits * &n == one;
                    (digits, -(K as i64) - q / 2, exact)
                }
                _ => {
                    let square: BigInt = n * &one;
                    let digits = square.sqrt();
                    let exact = &digits * &digits == square;
                    (digits, q / 2 - K as i64, exact)
                }
            };
            // One more digit says that something is left.
            let rest = match (exact, digits.sign()) {
                (true, _) => 0,
                (false, Sign::Minus) => -1,
                (false, _) => 1,
            };
            f.encode(&(digits * 2 + rest), power - 1, mode)
        }
    }
}

fn is_zero(f: Fmt, x: u64, mode: FMode) -> bool {
    matches!(f.decode(x, mode.denorm.flushes_in()), Num::Zero(_))
}

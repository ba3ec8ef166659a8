//! A binary format, and the plain tests and masks on its bits as IR. Knows no arithmetic.

use crate::ir::{Args, Builder, Const, FMode, FTy, Kind, Value};
use crate::options::Nans;

/// An IEEE binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub ty: FTy,
    /// Bits of the exponent field.
    pub exp_bits: u32,
    /// Bits of the fraction field.
    pub frac_bits: u32,
}

impl Format {
    pub const fn of(ty: FTy) -> Format {
        let (exp_bits, frac_bits) = match ty {
            FTy::F16 => (5, 10),
            FTy::F32 => (8, 23),
            FTy::F64 => (11, 52),
        };
        Format {
            ty,
            exp_bits,
            frac_bits,
        }
    }

    /// The kind that holds it.
    pub const fn kind(self) -> Kind {
        match self.ty {
            FTy::F16 | FTy::F32 => Kind::I32,
            FTy::F64 => Kind::I64,
        }
    }

    pub const fn sign(self) -> u64 {
        1 << (self.exp_bits + self.frac_bits)
    }

    pub const fn abs_mask(self) -> u64 {
        self.sign() - 1
    }

    pub const fn frac_mask(self) -> u64 {
        (1 << self.frac_bits) - 1
    }

    /// The bit above the fraction that normal numbers do not store; also the smallest normal number.
    pub const fn hidden(self) -> u64 {
        1 << self.frac_bits
    }

    pub const fn exp_max(self) -> u32 {
        (1 << self.exp_bits) - 1
    }

    pub const fn bias(self) -> u32 {
        (1 << (self.exp_bits - 1)) - 1
    }

    pub const fn infinity(self) -> u64 {
        (self.exp_max() as u64) << self.frac_bits
    }

    pub const fn one(self) -> u64 {
        (self.bias() as u64) << self.frac_bits
    }

    pub const fn quiet_bit(self) -> u64 {
        1 << (self.frac_bits - 1)
    }

    pub const fn default_nan(self) -> u64 {
        self.sign() | self.infinity() | self.quiet_bit()
    }
}

/// Width of a word in bits.
pub(super) const fn width(kind: Kind) -> u32 {
    match kind {
        Kind::I64 => 64,
        Kind::Bool | Kind::I32 | Kind::Ptr => 32,
    }
}

/// A format under a mode, writing IR.
pub(super) struct Fp<'b, 'f> {
    pub b: &'b mut Builder<'f>,
    pub f: Format,
    pub mode: FMode,
    pub nans: Nans,
    /// Operands that are never subnormal.
    pub flushed: Args,
    /// Whether all are.
    pub all_flushed: bool,
}

impl<'b, 'f> Fp<'b, 'f> {
    /// Nothing is known of operands.
    pub fn new(b: &'b mut Builder<'f>, f: Format, mode: FMode, nans: Nans) -> Fp<'b, 'f> {
        Fp {
            b,
            f,
            mode,
            nans,
            flushed: Args::new(),
            all_flushed: false,
        }
    }

    /// A constant in the format's kind.
    pub fn c(&mut self, x: u64) -> Value {
        self.word(self.f.kind(), x)
    }

    /// A constant of a kind.
    pub fn word(&mut self, kind: Kind, x: u64) -> Value {
        match kind {
            Kind::I64 => self.b.constant(Const::I64(x)),
            Kind::Bool | Kind::I32 | Kind::Ptr => self.b.constant(Const::I32(x as u32)),
        }
    }

    /// An I32 constant.
    pub fn i(&mut self, x: i32) -> Value {
        self.b.const32(x as u32)
    }

    /// A Bool as 0 or 1 of a kind.
    pub fn flag(&mut self, x: Value, kind: Kind) -> Value {
        let x = self.b.bool_int(x);
        self.extend(x, kind)
    }

    /// An unsigned I32 in a kind.
    pub fn extend(&mut self, x: Value, kind: Kind) -> Value {
        if kind == Kind::I64 { self.b.zext(x) } else { x }
    }

    /// A signed I32 in a kind.
    pub fn extend_signed(&mut self, x: Value, kind: Kind) -> Value {
        if kind == Kind::I64 { self.b.sext(x) } else { x }
    }

    /// The low 32 bits of a word.
    pub fn low(&mut self, x: Value) -> Value {
        if self.b.ty(x).kind == Kind::I64 {
            self.b.lo(x)
        } else {
            x
        }
    }

    /// An operand as it came: an f16 without what may stand above it.
    pub fn operand(&mut self, x: Value) -> Value {
        if self.f.ty == FTy::F16 {
            self.b.and32(x, 0xffff)
        } else {
            x
        }
    }

    pub fn abs(&mut self, x: Value) -> Value {
        let mask = self.c(self.f.abs_mask());
        self.b.and(x, mask)
    }

    /// The sign bit in its place.
    pub fn sign(&mut self, x: Value) -> Value {
        let mask = self.c(self.f.sign());
        self.b.and(x, mask)
    }

    pub fn is_negative(&mut self, x: Value) -> Value {
        let (sign, zero) = (self.sign(x), self.c(0));
        self.b.ne(sign, zero)
    }

    pub fn is_nan(&mut self, x: Value) -> Value {
        let (abs, inf) = (self.abs(x), self.c(self.f.infinity()));
        self.b.ult(inf, abs)
    }

    pub fn is_inf(&mut self, x: Value) -> Value {
        let (abs, inf) = (self.abs(x), self.c(self.f.infinity()));
        self.b.eq(abs, inf)
    }

    pub fn is_zero(&mut self, x: Value) -> Value {
        let (abs, zero) = (self.abs(x), self.c(0));
        self.b.eq(abs, zero)
    }

    pub fn is_signalling(&mut self, x: Value) -> Value {
        let nan = self.is_nan(x);
        let bit = self.c(self.f.quiet_bit());
        let bit = self.b.and(x, bit);
        let zero = self.c(0);
        let clear = self.b.eq(bit, zero);
        self.b.and(nan, clear)
    }

    pub fn quiet(&mut self, x: Value) -> Value {
        let bit = self.c(self.f.quiet_bit());
        self.b.or(x, bit)
    }

    /// A NaN as a result: quieted with IEEE.
    pub fn nan(&mut self, x: Value) -> Value {
        if self.mode.ieee { self.quiet(x) } else { x }
    }

    /// A subnormal as a zero of its sign.
    fn flush(&mut self, x: Value) -> Value {
        if self.flushed.contains(&x) {
            return x;
        }
        let (abs, least) = (self.abs(x), self.c(self.f.hidden()));
        let (small, sign) = (self.b.ult(abs, least), self.sign(x));
        self.b.select(small, sign, x)
    }

    /// An operand as the mode sees it.
    pub fn input(&mut self, x: Value) -> Value {
        let x = self.operand(x);
        if self.mode.denorm.flushes_in() {
            self.flush(x)
        } else {
            x
        }
    }

    /// A result that was picked, not computed.
    pub fn picked(&mut self, x: Value) -> Value {
        if self.mode.denorm.flushes_out() && !self.all_flushed {
            self.flush(x)
        } else {
            x
        }
    }

    /// `result`, unless an operand is a NaN: then the first one.
    pub fn or_first_nan(&mut self, result: Value, operands: &[Value]) -> Value {
        if self.nans == Nans::Any {
            return self.or_any_nan(result, operands);
        }
        let mut out = result;
        for &x in operands.iter().rev() {
            let (is_nan, nan) = (self.is_nan(x), self.nan(x));
            out = self.b.select(is_nan, nan, out);
        }
        out
    }

    /// `result`, or the default NaN where one of the operands is a NaN.
    fn or_any_nan(&mut self, result: Value, operands: &[Value]) -> Value {
        let mut any = None;
        for &x in operands {
            let is_nan = self.is_nan(x);
            any = Some(match any {
                Some(any) => self.b.or(any, is_nan),
                None => is_nan,
            });
        }
        let nan = self.c(self.f.default_nan());
        any.map_or(result, |any| self.b.select(any, nan, result))
    }

    /// The exponent field, as an I32.
    pub fn exp_field(&mut self, x: Value) -> Value {
        let at = self.f.frac_bits;
        let exp_bits = self.f.exp_bits;
        if self.f.kind() == Kind::I64 {
            let hi = self.b.hi(x);
            self.b.field_u(hi, at - 32, exp_bits)
        } else {
            self.b.field_u(x, at, exp_bits)
        }
    }

    pub fn frac(&mut self, x: Value) -> Value {
        let mask = self.c(self.f.frac_mask());
        self.b.and(x, mask)
    }
}

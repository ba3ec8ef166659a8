//! Conversions between float formats and from and to 32-bit integers, exact by integers on any host.

use super::format::{Format, Fp, width};
use crate::ir::{Builder, FMode, FTy, Kind, Value};
use crate::options::Nans;

/// x, of format `from`, in the format of `to`. The mode's denormals count for operand and result. A NaN
/// is moved whatever the caller wants of NaNs: that costs no more than making one.
pub(super) fn convert(
    b: &mut Builder<'_>,
    from: Format,
    to: Format,
    mode: FMode,
    x: Value,
) -> Value {
    let mut source = Fp::new(b, from, mode, Nans::Payload);
    let x = source.input(x);
    let (parts, sign) = (source.unpack(x), source.sign(x));
    let (is_nan, is_inf, is_zero) = (source.is_nan(x), source.is_inf(x), source.is_zero(x));
    let frac = source.frac(x);
    let to_sign = move_bits(
        &mut source,
        sign,
        from.exp_bits + from.frac_bits,
        to.exp_bits + to.frac_bits,
        to.kind(),
    );
    let to_frac = move_bits(&mut source, frac, from.frac_bits, to.frac_bits, to.kind());
    // The significand in a word of the source's kind, its leading one below the top.
    let high = source
        .b
        .shl_by(parts.sig, width(from.kind()) - 2 - from.frac_bits);
    let rebias = source.i(to.bias() as i32 - from.bias() as i32);
    let exp = source.b.add(parts.exp, rebias);

    let mut result = Fp::new(b, to, mode, Nans::Payload);
    let number = if to.frac_bits > from.frac_bits {
        widen(&mut result, from, parts.sig, exp, to_sign)
    } else {
        let sig = match (from.kind(), to.kind()) {
            (Kind::I64, Kind::I32) => result.narrow_word(high),
            _ => high,
        };
        result.round_pack(to_sign, exp, sig)
    };
    let inf = result.c(to.infinity());
    let signed_inf = result.b.or(inf, to_sign);
    let out = result.b.select(is_zero, to_sign, number);
    let out = result.b.select(is_inf, signed_inf, out);
    let nan = result.b.or(signed_inf, to_frac);
    // Results of 16 bits are always quiet; a payload that lost its bits must not become an infinity.
    let nan = if mode.ieee || to.ty == FTy::F16 {
        result.quiet(nan)
    } else if to.frac_bits < from.frac_bits {
        let zero = result.c(0);
        let (lost, quiet) = (result.b.eq(to_frac, zero), result.quiet(nan));
        result.b.select(lost, quiet, nan)
    } else {
        nan
    };
    result.b.select(is_nan, nan, out)
}

/// A wider format holds every number of a narrower one, as a normal number.
fn widen(fp: &mut Fp<'_, '_>, from: Format, sig: Value, exp: Value, sign: Value) -> Value {
    let kind = fp.f.kind();
    let sig = fp.low(sig);
    let hidden = fp.word(Kind::I32, from.frac_mask());
    let frac = fp.b.and(sig, hidden);
    let frac = fp.extend(frac, kind);
    let frac = fp.b.shl_by(frac, fp.f.frac_bits - from.frac_bits);
    let exp = fp.extend_signed(exp, kind);
    let exp = fp.b.shl_by(exp, fp.f.frac_bits);
    let out = fp.b.or(exp, frac);
    fp.b.or(out, sign)
}

/// A field of bits with its top at bit `from` of a word moved to have it at bit `to` of one of `kind`;
/// what falls out at the bottom is lost.
fn move_bits(fp: &mut Fp<'_, '_>, x: Value, from: u32, to: u32, kind: Kind) -> Value {
    let wide = fp.b.ty(x).kind == Kind::I64;
    match (wide, kind == Kind::I64) {
        (false, true) => {
            let x = fp.b.zext(x);
            fp.b.shl_by(x, to - from)
        }
        (true, false) => {
            let x = fp.b.shr_by(x, from - to);
            fp.b.lo(x)
        }
        _ if to >= from => fp.b.shl_by(x, to - from),
        _ => fp.b.shr_by(x, from - to),
    }
}

impl Fp<'_, '_> {
    /// An I32 in the format.
    pub fn int_to_float(&mut self, x: Value, signed: bool) -> Value {
        let kind = self.f.kind();
        let zero32 = self.i(0);
        let (magnitude, sign) = if signed {
            let negative = self.b.slt(x, zero32);
            let minus = self.b.sub(zero32, x);
            let (sign, plus) = (self.c(self.f.sign()), self.c(0));
            (
                self.b.select(negative, minus, x),
                self.b.select(negative, sign, plus),
            )
        } else {
            (x, self.c(0))
        };
        // The leading one to the top bit, then one down.
        let msb = self.b.find_umsb(magnitude);
        let last = self.i(31);
        let by = self.b.sub(last, msb);
        let up = self.b.shl(magnitude, by);
        let sig = if kind == Kind::I64 {
            let wide = self.b.zext(up);
            self.b.shl_by(wide, 31)
        } else {
            let one = self.i(1);
            self.shr_sticky(up, one)
        };
        let bias = self.i(self.f.bias() as i32);
        let exp = self.b.add(msb, bias);
        let number = self.round_pack(sign, exp, sig);
        let (none, zero) = (self.b.eq(x, zero32), self.c(0));
        self.b.select(none, zero, number)
    }

    /// To an I32 toward zero, saturated; 0 for a NaN.
    pub fn float_to_int(&mut self, x: Value, signed: bool) -> Value {
        let x = self.input(x);
        let (exp, frac) = (self.exp_field(x), self.frac(x));
        let hidden = self.c(self.f.hidden());
        let sig = self.b.or(frac, hidden);
        // The leading one at the top bit; f64 keeps the upper 32 bits, which hold every whole number here.
        let sig = self
            .b
            .shl_by(sig, width(self.f.kind()) - 1 - self.f.frac_bits);
        let sig = if self.f.kind() == Kind::I64 {
            self.b.hi(sig)
        } else {
            sig
        };
        let minus_bias = self.i(-(self.f.bias() as i32));
        let e = self.b.add(exp, minus_bias);
        let last = self.i(31);
        let by = self.b.sub(last, e);
        let magnitude = self.b.shr_u(sig, by);
        let zero = self.i(0);
        let below_one = self.b.slt(e, zero);
        let magnitude = self.b.select(below_one, zero, magnitude);
        let negative = self.is_negative(x);
        // The exponent of an f16 infinity is that of a number here.
        let inf = self.is_inf(x);
        let out = if signed {
            let high = self.b.sle(last, e);
            let high = self.b.or(high, inf);
            let minus = self.b.sub(zero, magnitude);
            let number = self.b.select(negative, minus, magnitude);
            let (least, most) = (self.i(i32::MIN), self.i(i32::MAX));
            let limit = self.b.select(negative, least, most);
            self.b.select(high, limit, number)
        } else {
            let high = self.b.slt(last, e);
            let high = self.b.or(high, inf);
            let most = self.i(-1);
            let number = self.b.select(high, most, magnitude);
            self.b.select(negative, zero, number)
        };
        let nan = self.is_nan(x);
        self.b.select(nan, zero, out)
    }
}

//! Exact results from host float operations, where the profile promises enough of them; `None` where it
//! does not. Whatever a host may do with NaNs, with the sign of zeros that it flushed, and with numbers
//! near the least normal one is kept out of the operation or put right by integers. So are zeros as
//! operands: Mesa's llvmpipe takes x * 0 for +0 and 0 + x for x wherever it knows the zero, whatever is
//! declared.
//!
//! What is relied on is written down in the `Needs`, to be declared by the module.

use spirdna_isa::launch::{Denorm, Round};

use super::format::{Format, Fp, width};
use crate::ir::module::FloatMode;
use crate::ir::{FOp, FTy, HostOp, Kind, Value};
use crate::options::Nans;
use crate::profile::{FloatHost, HostProfile};

/// Behaviour of the host that a lowering relies on, per width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub f16: FloatMode,
    pub f32: FloatMode,
    pub f64: FloatMode,
}

impl Needs {
    pub fn of(&mut self, ty: FTy) -> &mut FloatMode {
        match ty {
            FTy::F16 => &mut self.f16,
            FTy::F32 => &mut self.f32,
            FTy::F64 => &mut self.f64,
        }
    }

    /// All of both.
    pub fn join(&mut self, other: &Needs) {
        for ty in [FTy::F16, FTy::F32, FTy::F64] {
            let mut other = *other;
            let (mine, theirs) = (self.of(ty), *other.of(ty));
            mine.rte |= theirs.rte;
            mine.signed_zero_inf_nan |= theirs.signed_zero_inf_nan;
            mine.denorm_preserve |= theirs.denorm_preserve;
            mine.denorm_flush |= theirs.denorm_flush;
        }
    }
}

/// What the profile says of a width; `None` where the host does not have it.
pub(super) fn host_of(profile: &HostProfile, ty: FTy) -> Option<&FloatHost> {
    match ty {
        FTy::F16 => (profile.float16 && profile.int16).then_some(&profile.f16),
        FTy::F32 => Some(&profile.f32),
        FTy::F64 => profile.float64.then_some(&profile.f64),
    }
}

/// Whether host arithmetic of a width is IEEE's to nearest even, subnormals aside; notes it.
pub(super) fn nearest(profile: &HostProfile, ty: FTy, needs: &mut Needs) -> Option<()> {
    let host = host_of(profile, ty)?;
    if !(host.rte && host.signed_zero_inf_nan) {
        return None;
    }
    needs.of(ty).rte = true;
    needs.of(ty).signed_zero_inf_nan = true;
    Some(())
}

/// Whether host arithmetic keeps subnormals, or does when asked to; notes it.
pub(super) fn keeps(profile: &HostProfile, ty: FTy, needs: &mut Needs) -> Option<()> {
    let host = host_of(profile, ty)?;
    if !host.keeps_denorms {
        if !host.denorm_preserve {
            return None;
        }
        needs.of(ty).denorm_preserve = true;
    }
    Some(())
}

/// An operation by the host's own.
pub(super) fn lower(
    fp: &mut Fp<'_, '_>,
    profile: &HostProfile,
    op: FOp,
    args: &[Value],
    needs: &mut Needs,
) -> Option<Value> {
    noting(needs, |needs| attempt(fp, profile, op, args, needs))
}

/// An attempt that notes what it needs of the host only where it comes to something.
pub(super) fn noting<T>(
    needs: &mut Needs,
    attempt: impl FnOnce(&mut Needs) -> Option<T>,
) -> Option<T> {
    let mut noted = *needs;
    let made = attempt(&mut noted)?;
    *needs = noted;
    Some(made)
}

fn attempt(
    fp: &mut Fp<'_, '_>,
    profile: &HostProfile,
    op: FOp,
    args: &[Value],
    needs: &mut Needs,
) -> Option<Value> {
    let ty = fp.f.ty;
    if fp.mode.round != Round::NearestEven {
        return None;
    }
    let fused = || {
        host_of(profile, ty)
            .filter(|host| host.fused_fma)
            .map(|_| ())
    };
    match (op, args, fp.mode.denorm) {
        (FOp::Add, &[x, y], Denorm::Allow) => {
            nearest(profile, ty, needs)?;
            keeps(profile, ty, needs)?;
            Some(fp.host_sum(x, y))
        }
        // A sum of normal numbers is exact where it is subnormal, so it may be flushed by either.
        (FOp::Add, &[x, y], Denorm::FlushInOut) => {
            nearest(profile, ty, needs)?;
            Some(fp.host_sum_flushed(x, y))
        }
        (FOp::Mul, &[x, y], Denorm::Allow) => {
            nearest(profile, ty, needs)?;
            keeps(profile, ty, needs)?;
            Some(fp.host_product(x, y))
        }
        (FOp::Mul, &[x, y], Denorm::FlushInOut) if ty == FTy::F32 => {
            nearest(profile, ty, needs)?;
            Some(fp.host_product_scaled(x, y, false))
        }
        (FOp::MulLegacy, &[x, y], Denorm::FlushInOut) if ty == FTy::F32 => {
            nearest(profile, ty, needs)?;
            Some(fp.host_product_scaled(x, y, true))
        }
        (FOp::Fma, &[x, y, z], Denorm::Allow) if fused().is_some() => {
            nearest(profile, ty, needs)?;
            keeps(profile, ty, needs)?;
            Some(fp.host_fma(x, y, z))
        }
        (FOp::Fma, &[x, y, z], Denorm::FlushInOut) if ty == FTy::F32 && fused().is_some() => {
            nearest(profile, ty, needs)?;
            Some(fp.host_fma_scaled(x, y, z))
        }
        (FOp::Fma, &[x, y, z], Denorm::FlushInOut | Denorm::Allow) => {
            let wide = match ty {
                FTy::F16 => FTy::F32,
                FTy::F32 => FTy::F64,
                FTy::F64 => return None,
            };
            nearest(profile, ty, needs)?;
            nearest(profile, wide, needs)?;
            if fp.mode.denorm == Denorm::Allow {
                keeps(profile, ty, needs)?;
            }
            Some(fp.host_fma_wide(wide, x, y, z))
        }
        (FOp::Lt | FOp::Le | FOp::Eq, &[x, y], denorm) => {
            nearest(profile, ty, needs)?;
            if !denorm.flushes_in() {
                keeps(profile, ty, needs)?;
            }
            let (x, y) = (fp.input(x), fp.input(y));
            let host = match op {
                FOp::Lt => HostOp::FLt,
                FOp::Le => HostOp::FLe,
                _ => HostOp::FEq,
            };
            Some(fp.b.host(host, ty, &[x, y]))
        }
        // An integer's nearest number is normal or zero.
        (FOp::FromInt { signed }, &[x], _) if ty == FTy::F32 => {
            nearest(profile, ty, needs)?;
            let host = if signed {
                HostOp::FromS32
            } else {
                HostOp::FromU32
            };
            Some(fp.b.host(host, ty, &[x]))
        }
        (FOp::FromFloat(FTy::F16), &[x], Denorm::Allow) if ty == FTy::F32 => {
            host_of(profile, FTy::F16)?;
            keeps(profile, FTy::F16, needs)?;
            Some(fp.host_widen_half(x))
        }
        _ => None,
    }
}

impl Fp<'_, '_> {
    /// A host result that is a NaN although no operand was: the default NaN. Then the first NaN operand.
    fn host_nans(&mut self, result: Value, operands: &[Value]) -> Value {
        if self.nans == Nans::Any {
            return result;
        }
        let (is_nan, nan) = (self.is_nan(result), self.c(self.f.default_nan()));
        let out = self.b.select(is_nan, nan, result);
        self.or_first_nan(out, operands)
    }

    fn host_sum(&mut self, x: Value, y: Value) -> Value {
        let (x, y) = (self.input(x), self.input(y));
        let sum = self.b.host(HostOp::FAdd, self.f.ty, &[x, y]);
        // A zero is exact: of two zeros with the sign that both have, else +0.
        let (both, is_zero) = (self.b.and(x, y), self.is_zero(sum));
        let zero = self.sign(both);
        let out = self.b.select(is_zero, zero, sum);
        self.host_nans(out, &[x, y])
    }

    /// For any host: what it may do with a subnormal sum (keep it, make it a zero of either sign) is put
    /// right.
    fn host_sum_flushed(&mut self, x: Value, y: Value) -> Value {
        let (x, y) = (self.input(x), self.input(y));
        let sum = self.b.host(HostOp::FAdd, self.f.ty, &[x, y]);
        let (ax, ay) = (self.abs(x), self.abs(y));
        let less = self.b.ult(ax, ay);
        let larger = self.b.select(less, y, x);
        let (sx, sy) = (self.sign(x), self.sign(y));
        let equal = self.b.eq(ax, ay);
        // Of equal magnitudes: the sign that both have, or +.
        let common = self.b.and(sx, sy);
        let larger_sign = self.sign(larger);
        let zero = self.b.select(equal, common, larger_sign);
        let (abs, least) = (self.abs(sum), self.c(self.f.hidden()));
        let small = self.b.ult(abs, least);
        let out = self.b.select(small, zero, sum);
        self.host_nans(out, &[x, y])
    }

    fn host_product(&mut self, x: Value, y: Value) -> Value {
        let (x, y) = (self.operand(x), self.operand(y));
        let product = self.b.host(HostOp::FMul, self.f.ty, &[x, y]);
        let zero = self.product_sign(x, y);
        let out = self.unless_zero(product, zero, x, y);
        self.or_first_nan_of_host(out, &[x, y])
    }

    /// `out`, or `alone` where a factor is zero: the default NaN there beside an infinity or a NaN.
    fn unless_zero(&mut self, out: Value, alone: Value, x: Value, y: Value) -> Value {
        let (zx, zy) = (self.is_zero(x), self.is_zero(y));
        let is_zero = self.b.or(zx, zy);
        let (ax, ay) = (self.abs(x), self.abs(y));
        let infinity = self.c(self.f.infinity());
        let (lx, ly) = (self.b.ule(infinity, ax), self.b.ule(infinity, ay));
        let large = self.b.or(lx, ly);
        let nan = self.c(self.f.default_nan());
        let alone = self.b.select(large, nan, alone);
        self.b.select(is_zero, alone, out)
    }

    /// `result`, whose NaNs are those of the operands or none's: then the first operand's.
    fn or_first_nan_of_host(&mut self, result: Value, operands: &[Value]) -> Value {
        match self.nans {
            Nans::Any => result,
            Nans::Payload => self.or_first_nan(result, operands),
        }
    }

    /// A number's fraction with the exponent of 1.
    fn near_one(&mut self, x: Value) -> Value {
        let (frac, one) = (self.frac(x), self.c(self.f.one()));
        self.b.or(frac, one)
    }

    /// The magnitude of a number near 1 (host bits, positive) scaled by the difference of the I32 exponent
    /// `exp` and the bias: infinite, or flushed to 0, where that leaves the format.
    fn scaled(&mut self, near: Value, exp: Value) -> Value {
        let frac_bits = self.f.frac_bits;
        let field = self.exp_field(near);
        let minus_bias = self.i(-(self.f.bias() as i32));
        let by = self.b.add(exp, minus_bias);
        let total = self.b.add(field, by);
        let up = self.b.shl_by(by, frac_bits);
        let number = self.b.add(near, up);
        let (one, most) = (self.i(1), self.i(self.f.exp_max() as i32));
        let small = self.b.slt(total, one);
        let large = self.b.sle(most, total);
        let (zero, inf) = (self.c(0), self.c(self.f.infinity()));
        let out = self.b.select(small, zero, number);
        self.b.select(large, inf, out)
    }

    /// For any host: the significands are multiplied near 1, the exponents are added here.
    fn host_product_scaled(&mut self, x: Value, y: Value, legacy: bool) -> Value {
        let (x, y) = (self.input(x), self.input(y));
        let (nx, ny) = (self.near_one(x), self.near_one(y));
        let near = self.b.host(HostOp::FMul, self.f.ty, &[nx, ny]);
        let (ex, ey) = (self.exp_field(x), self.exp_field(y));
        let minus_bias = self.i(-(self.f.bias() as i32));
        let exp = self.b.add(ex, ey);
        let exp = self.b.add(exp, minus_bias);
        let number = self.scaled(near, exp);
        let sign = self.product_sign(x, y);
        let (zx, zy) = (self.is_zero(x), self.is_zero(y));
        let is_zero = self.b.or(zx, zy);
        let (ix, iy) = (self.is_inf(x), self.is_inf(y));
        let is_inf = self.b.or(ix, iy);
        let (zero, inf) = (self.c(0), self.c(self.f.infinity()));
        let out = self.b.select(is_inf, inf, number);
        let out = self.b.select(is_zero, zero, out);
        let out = self.b.or(out, sign);
        let invalid = self.b.and(is_inf, is_zero);
        let nan = self.c(self.f.default_nan());
        let out = self.b.select(invalid, nan, out);
        let out = self.or_first_nan(out, &[x, y]);
        if legacy {
            self.b.select(is_zero, zero, out)
        } else {
            out
        }
    }

    fn host_fma(&mut self, x: Value, y: Value, z: Value) -> Value {
        let (x, y, z) = (self.operand(x), self.operand(y), self.operand(z));
        let out = self.b.host(HostOp::FFma, self.f.ty, &[x, y, z]);
        self.fma_specials_of_host(out, [x, y, z])
    }

    /// Puts right what a fused sum is where a factor is zero, and which NaN it is.
    fn fma_specials_of_host(&mut self, out: Value, [x, y, z]: [Value; 3]) -> Value {
        let product = self.product_sign(x, y);
        let (zz, sign) = (self.is_zero(z), self.sign(z));
        let common = self.b.and(product, sign);
        let alone = self.b.select(zz, common, z);
        let out = match self.nans {
            Nans::Any => out,
            Nans::Payload => self.host_nans(out, &[z]),
        };
        // Infinity times zero wins over an addend that is a NaN; nothing else of the addend's counts here.
        let alone = self.or_first_nan_of_host(alone, &[z]);
        let out = self.unless_zero(out, alone, x, y);
        self.or_first_nan_of_host(out, &[x, y])
    }

    /// For hosts whose fma rounds twice, by the next wider type: the product is exact there; the sum is
    /// rounded to odd by its own error, which two rounded sums cannot hide, so that narrowing it rounds
    /// as if once. Neither the sum nor its error is subnormal.
    fn host_fma_wide(&mut self, wide: FTy, x: Value, y: Value, z: Value) -> Value {
        let (ty, w) = (self.f.ty, Format::of(wide));
        let (x, y, z) = (self.input(x), self.input(y), self.input(z));
        let [a, b, c] = [x, y, z].map(|v| self.b.host(HostOp::FromFloat(ty), wide, &[v]));
        let product = self.b.host(HostOp::FMul, wide, &[a, b]);
        let sum = self.b.host(HostOp::FAdd, wide, &[product, c]);
        let part = self.b.host(HostOp::FSub, wide, &[sum, product]);
        let rest = self.b.host(HostOp::FSub, wide, &[sum, part]);
        let rest = self.b.host(HostOp::FSub, wide, &[product, rest]);
        let more = self.b.host(HostOp::FSub, wide, &[c, part]);
        let error = self.b.host(HostOp::FAdd, wide, &[rest, more]);
        let sum = self.odd(w, sum, error);
        let out = self.b.host(HostOp::FromFloat(wide), ty, &[sum]);
        let out = if self.mode.denorm.flushes_out() {
            self.flushed_sum(w, sum, out)
        } else {
            out
        };
        self.fma_specials_of_host(out, [x, y, z])
    }

    /// A sum rounded to nearest as it is rounded to odd, by its error: the odd neighbour on the error's
    /// side where the sum is even and not exact. Infinities and NaNs stay, whatever their error is.
    fn odd(&mut self, w: Format, sum: Value, error: Value) -> Value {
        let (low, high, error) = match w.kind() {
            Kind::I64 => (self.b.lo(sum), self.b.hi(sum), self.b.hi(error)),
            Kind::Bool | Kind::I32 | Kind::Ptr => (sum, sum, error),
        };
        // An error that is not zero is a normal number: its upper word says so.
        let magnitude = self.b.and32(error, 0x7fff_ffff);
        let (one, zero) = (self.i(1), self.i(0));
        let below = self.b.sub(magnitude, one);
        let infinity = w.infinity() >> (width(w.kind()) - 32);
        let numbers = self.b.const32(infinity as u32 - 1);
        let inexact = self.b.ult(below, numbers);
        let (size, infinity) = (
            self.b.and32(high, 0x7fff_ffff),
            self.b.const32(infinity as u32),
        );
        let finite = self.b.ult(size, infinity);
        let inexact = self.b.and(inexact, finite);
        let bit = self.b.and32(low, 1);
        let even = self.b.eq32(bit, 0);
        let adjust = self.b.and(inexact, even);
        let differ = self.b.xor(error, high);
        let away = self.b.sle(zero, differ);
        let up = self.b.or(low, one);
        let down = self.b.sub(low, one);
        let moved = self.b.select(away, up, down);
        let low_out = self.b.select(adjust, moved, low);
        match w.kind() {
            Kind::I64 => {
                let none = self.b.eq32(low, 0);
                let toward = self.b.not(away);
                let borrow = self.b.and(none, toward);
                let borrow = self.b.and(borrow, adjust);
                let borrow = self.b.bool_int(borrow);
                let high = self.b.sub(high, borrow);
                self.b.pack(low_out, high)
            }
            Kind::Bool | Kind::I32 | Kind::Ptr => low_out,
        }
    }

    /// The narrowed sum `out`, flushed by what it is with an unbounded exponent: a zero below the point
    /// from which that rounds to the least normal number.
    fn flushed_sum(&mut self, w: Format, sum: Value, out: Value) -> Value {
        let precision = self.f.frac_bits + 1;
        let exp = u64::from(w.bias() - self.f.bias() + 1);
        let least = exp << w.frac_bits;
        let ones = ((1u64 << precision) - 1) << (w.frac_bits - precision);
        let turn = (exp - 1) << w.frac_bits | ones;
        let mask = self.word(w.kind(), w.abs_mask());
        let magnitude = self.b.and(sum, mask);
        let (turn, least) = (self.word(w.kind(), turn), self.word(w.kind(), least));
        let (gone, small) = (self.b.ult(magnitude, turn), self.b.ult(magnitude, least));
        let sign = match w.kind() {
            Kind::I64 => self.b.hi(sum),
            Kind::Bool | Kind::I32 | Kind::Ptr => sum,
        };
        // Narrow sign bits: f32 at the same place as the wide word's, f16 sixteen below.
        let sign = self.b.and32(sign, 1 << 31);
        let sign = self.b.shr_by(sign, 31 - self.f.frac_bits - self.f.exp_bits);
        let normal = self.c(self.f.hidden());
        let normal = self.b.or(normal, sign);
        let number = self.b.select(small, normal, out);
        self.b.select(gone, sign, number)
    }

    /// For any host that rounds fma once: product and addend are brought near 1, a hundred powers of two
    /// apart at most (the smaller one then is nothing but a direction), the exponent is added here.
    fn host_fma_scaled(&mut self, x: Value, y: Value, z: Value) -> Value {
        let (x, y, z) = (self.input(x), self.input(y), self.input(z));
        let product_sign = self.product_sign(x, y);
        let (nx, ny) = (self.near_one(x), self.near_one(y));
        let signed_x = self.b.or(nx, product_sign);
        let (ex, ey, ez) = (self.exp_field(x), self.exp_field(y), self.exp_field(z));
        let minus_bias = self.i(-(self.f.bias() as i32));
        let exp = self.b.add(ex, ey);
        let exp = self.b.add(exp, minus_bias);
        let apart = self.b.sub(ez, exp);
        let (least, most) = (self.i(-100), self.i(100));
        let near = self.b.smax(apart, least);
        let near = self.b.smin(near, most);
        let near = self.b.shl_by(near, self.f.frac_bits);
        let nz = self.near_one(z);
        let nz = self.b.add(nz, near);
        let zz = self.is_zero(z);
        let zero = self.c(0);
        let nz = self.b.select(zz, zero, nz);
        let addend_sign = self.sign(z);
        let signed_z = self.b.or(nz, addend_sign);
        let sum = self
            .b
            .host(HostOp::FFma, self.f.ty, &[signed_x, ny, signed_z]);
        let (magnitude, sign) = (self.abs(sum), self.sign(sum));
        let number = self.scaled(magnitude, exp);
        let number = self.b.or(number, sign);
        // An exact zero is +0: product and addend are not zero and have opposite signs.
        let cancelled = self.b.eq(magnitude, zero);
        let out = self.b.select(cancelled, zero, number);
        let far = self.b.slt(most, apart);
        let some = self.b.not(zz);
        let far = self.b.and(far, some);
        let (zx, zy) = (self.is_zero(x), self.is_zero(y));
        let product_zero = self.b.or(zx, zy);
        let alone = self.b.or(far, product_zero);
        let common = self.b.and(product_sign, addend_sign);
        let nothing = self.b.select(zz, common, z);
        let out = self.b.select(alone, nothing, out);
        self.fma_specials(out, [x, y, z], product_zero, product_sign, false)
    }

    /// An f16 as an f32: through the host's own f16, with a NaN moved by integers.
    fn host_widen_half(&mut self, x: Value) -> Value {
        let x = self.b.and32(x, 0xffff);
        let wide = self.b.host(HostOp::FromFloat(FTy::F16), FTy::F32, &[x]);
        let (abs, sign) = (self.b.and32(x, 0x7fff), self.b.and32(x, 0x8000));
        let inf = self.b.const32(0x7c00);
        let is_nan = self.b.ult(inf, abs);
        let (frac, sign) = (self.b.shl_by(abs, 13), self.b.shl_by(sign, 16));
        let nan = self.b.or(frac, sign);
        let nan = {
            let bits = self.word(Kind::I32, self.f.infinity());
            self.b.or(nan, bits)
        };
        let nan = self.nan(nan);
        self.b.select(is_nan, nan, wide)
    }
}

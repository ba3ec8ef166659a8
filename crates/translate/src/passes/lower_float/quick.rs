//! Short ways to exact results: a host operation whose result stands wherever a plain test of it says so. What
//! the test keeps out (numbers near the least one, zeros, infinities, NaNs, and what only a long way settles)
//! goes that long way, in a function of its own that hardly any lane takes.
//!
//! All rely on a host that rounds to nearest even, on nothing that it may do with subnormals, NaNs or zeros.
//! Reciprocals and roots rely on Vulkan's precision too (a few units in the last place): the exact remainder of the
//! host's quotient says which neighbour is the nearest, and whether that is so.

use spirdna_isa::launch::{Denorm, Round};

use super::format::{Format, Fp};
use super::host::{Needs, host_of, keeps, nearest, noting};
use crate::ir::{FOp, FTy, HostOp, Kind, Value};
use crate::profile::HostProfile;

/// A result, and whether it stands (Bool).
pub(super) type Quick = (Value, Value);

/// An operation by the short way; `None` where there is none.
pub(super) fn lower(
    fp: &mut Fp<'_, '_>,
    profile: &HostProfile,
    op: FOp,
    args: &[Value],
    needs: &mut Needs,
) -> Option<Quick> {
    noting(needs, |needs| attempt(fp, profile, op, args, needs))
}

fn attempt(
    fp: &mut Fp<'_, '_>,
    profile: &HostProfile,
    op: FOp,
    args: &[Value],
    needs: &mut Needs,
) -> Option<Quick> {
    let ty = fp.f.ty;
    nearest(profile, ty, needs)?;
    match (op, args) {
        (FOp::Rcp, &[x]) if ty == FTy::F32 => return Some(fp.quick_rcp(x)),
        (FOp::Sqrt, &[x]) if ty == FTy::F32 => return Some(fp.quick_root(x, false)),
        (FOp::Rsq, &[x]) if ty == FTy::F32 => return Some(fp.quick_root(x, true)),
        (FOp::ToInt { signed }, &[x]) if ty == FTy::F32 => {
            return Some(fp.quick_to_int(x, signed));
        }
        _ => {}
    }
    if fp.mode.round != Round::NearestEven {
        return integral(fp, profile, op, args, needs);
    }
    let kept = fp.mode.denorm == Denorm::Allow;
    let flushed = fp.mode.denorm == Denorm::FlushInOut;
    match (op, args) {
        (FOp::Add, &[x, y]) => {
            let least = if kept && keeps(profile, ty, needs).is_some() {
                fp.f.hidden()
            } else if ty == FTy::F16 {
                return None;
            } else {
                fp.safe_sum()
            };
            let (x, y) = (fp.operand(x), fp.operand(y));
            let sum = fp.b.host(HostOp::FAdd, ty, &[x, y]);
            let stands = fp.between(sum, least, fp.f.infinity());
            Some((sum, stands))
        }
        (FOp::Mul | FOp::MulLegacy, &[x, y]) if kept || flushed => {
            if kept {
                keeps(profile, ty, needs)?;
            }
            let (x, y) = (fp.input(x), fp.input(y));
            let product = fp.b.host(HostOp::FMul, ty, &[x, y]);
            let stands = fp.between(product, fp.f.hidden() + u64::from(flushed), fp.f.infinity());
            Some((product, stands))
        }
        (FOp::Mad, &[x, y, z]) if ty == FTy::F32 => {
            fp.mode.denorm = Denorm::FlushInOut;
            let (x, y) = (fp.input(x), fp.input(y));
            let product = fp.b.host(HostOp::FMul, ty, &[x, y]);
            let sum = fp.b.host(HostOp::FAdd, ty, &[product, z]);
            let first = fp.between(product, fp.f.hidden() + 1, fp.f.infinity());
            let (least, infinity) = (fp.safe_sum(), fp.f.infinity());
            let second = fp.between(sum, least, infinity);
            Some((sum, fp.b.and(first, second)))
        }
        (FOp::Fma, &[x, y, z]) if (kept || flushed) && !profile.folds_zeros => {
            if kept {
                keeps(profile, ty, needs)?;
            }
            let (x, y, z) = (fp.input(x), fp.input(y), fp.input(z));
            let least = fp.f.hidden() + u64::from(flushed);
            if host_of(profile, ty).is_some_and(|host| host.fused_fma) {
                let sum = fp.b.host(HostOp::FFma, ty, &[x, y, z]);
                let stands = fp.between(sum, least, fp.f.infinity());
                return Some((sum, stands));
            }
            let wide = match ty {
                FTy::F16 => FTy::F32,
                FTy::F32 => FTy::F64,
                FTy::F64 => return None,
            };
            nearest(profile, wide, needs)?;
            Some(fp.quick_wide_fma(wide, [x, y, z], least))
        }
        (FOp::Fract, &[x]) => {
            if !fp.mode.denorm.flushes_in() {
                keeps(profile, ty, needs)?;
            }
            let x = fp.input(x);
            let floor = fp.b.host(HostOp::FFloor, ty, &[x]);
            let rest = fp.b.host(HostOp::FSub, ty, &[x, floor]);
            let (least, one) = (fp.safe_sum(), fp.f.one());
            let stands = fp.between(rest, least, one);
            // Below 1 and not below 0.
            Some((rest, stands))
        }
        _ => integral(fp, profile, op, args, needs),
    }
}

/// Roundings to integral values: the host's, of finite numbers, with the operand's sign.
fn integral(
    fp: &mut Fp<'_, '_>,
    profile: &HostProfile,
    op: FOp,
    args: &[Value],
    needs: &mut Needs,
) -> Option<Quick> {
    let ty = fp.f.ty;
    let (host, &[x]) = (
        match op {
            FOp::Trunc => HostOp::FTrunc,
            FOp::Ceil => HostOp::FCeil,
            FOp::Floor => HostOp::FFloor,
            FOp::Rndne => HostOp::FRoundEven,
            _ => return None,
        },
        args,
    ) else {
        return None;
    };
    if !fp.mode.denorm.flushes_in() {
        keeps(profile, ty, needs)?;
    }
    let x = fp.input(x);
    let whole = fp.b.host(host, ty, &[x]);
    let sign = fp.sign(x);
    let whole = fp.b.or(whole, sign);
    let stands = fp.between(x, 0, fp.f.infinity());
    Some((whole, stands))
}

impl Fp<'_, '_> {
    /// Whether a magnitude is at least `least` and below `end`: bit patterns of the format, of which f64 has
    /// its upper halves compared.
    fn between(&mut self, x: Value, least: u64, end: u64) -> Value {
        let (word, shift) = match self.f.kind() {
            Kind::I64 => (self.b.hi(x), 32),
            Kind::Bool | Kind::I32 | Kind::Ptr => (x, 0),
        };
        let least = least.div_ceil(1 << shift) as u32;
        let end = (end >> shift) as u32;
        let magnitude = self.b.and32(word, (self.f.abs_mask() >> shift) as u32);
        let above = self.b.add32(magnitude, least.wrapping_neg());
        let span = self.b.const32(end - least);
        self.b.ult(above, span)
    }

    /// A sum of at least this magnitude is what it is whatever becomes of subnormal operands: half a unit of
    /// its last place, and of the last place below it, is no less than the least normal number.
    fn safe_sum(&self) -> u64 {
        u64::from(self.f.frac_bits + 4) << self.f.frac_bits
    }

    /// The product is exact in the wider type; a sum there that lies halfway between two numbers of this
    /// type may have been rounded to that place, and does not stand.
    fn quick_wide_fma(&mut self, wide: FTy, args: [Value; 3], least: u64) -> Quick {
        let (ty, w) = (self.f.ty, Format::of(wide));
        let [a, b, c] = args.map(|v| self.b.host(HostOp::FromFloat(ty), wide, &[v]));
        let product = self.b.host(HostOp::FMul, wide, &[a, b]);
        let sum = self.b.host(HostOp::FAdd, wide, &[product, c]);
        let out = self.b.host(HostOp::FromFloat(wide), ty, &[sum]);
        let dropped = w.frac_bits - self.f.frac_bits;
        let low = self.low(sum);
        let low = self.b.and32(low, (1 << dropped) - 1);
        let half = self.b.const32(1 << (dropped - 1));
        let clear = self.b.ne(low, half);
        let stands = self.between(out, least, self.f.infinity());
        (out, self.b.and(stands, clear))
    }

    /// f32 in range of the integers, which the host converts.
    fn quick_to_int(&mut self, x: Value, signed: bool) -> Quick {
        let host = if signed { HostOp::ToS32 } else { HostOp::ToU32 };
        let whole = self.b.host(host, FTy::F32, &[x]);
        let stands = if signed {
            // Below 2^31.
            self.between(x, 0, 0x4f00_0000)
        } else {
            // Not negative, below 2^32.
            let end = self.b.const32(0x4f80_0000);
            self.b.ult(x, end)
        };
        (whole, stands)
    }

    /// 1 / x in f32. Of x, near 1, the significand M is a multiple of 2^-23, of the quotient Y of 2^-24: the
    /// nearest one has a remainder 2^47 - Y * M of at most M / 2, which 32 bits hold.
    fn quick_rcp(&mut self, x: Value) -> Quick {
        let f = self.f;
        let stands = self.between(x, f.hidden(), f.infinity());
        let (frac, one) = (self.frac(x), self.c(f.one()));
        let near = self.b.or(frac, one);
        let quotient = self.b.host(HostOp::FDiv, f.ty, &[one, near]);
        let m = self.b.add32(near, 0x3f00_0000_u32.wrapping_neg());
        let y = self.b.add32(quotient, 0x3e80_0000_u32.wrapping_neg());
        let product = self.b.mul(y, m);
        let zero = self.i(0);
        let rest = self.b.sub(zero, product);
        let minus_m = self.b.sub(zero, m);
        let twice = self.b.shl_by(rest, 1);
        let (up, down) = (self.b.slt(m, twice), self.b.slt(twice, minus_m));
        let (quotient, rest) = self.stepped(quotient, rest, up, down, minus_m, m);
        // -M <= 2 * rest <= M.
        let twice = self.b.shl_by(rest, 1);
        let from = self.b.add(twice, m);
        let both = self.b.shl_by(m, 1);
        let nearest = self.b.ule(from, both);
        let exponent = self.b.and32(x, f.infinity() as u32);
        let magnitude = self.b.add32(quotient, f.one() as u32);
        let magnitude = self.b.sub(magnitude, exponent);
        let fits = self.between(magnitude, f.hidden() + 1, f.infinity());
        let sign = self.sign(x);
        let out = self.b.or(magnitude, sign);
        let stands = self.b.and(stands, nearest);
        (out, self.b.and(stands, fits))
    }

    /// A number one up, one down or as it is, and its remainder with `by_up` or `by_down` added.
    fn stepped(
        &mut self,
        number: Value,
        rest: Value,
        up: Value,
        down: Value,
        by_up: Value,
        by_down: Value,
    ) -> (Value, Value) {
        let (one, minus, none) = (self.i(1), self.i(-1), self.i(0));
        let by = self.b.select(down, minus, none);
        let by = self.b.select(up, one, by);
        let number = self.b.add(number, by);
        let (higher, lower) = (self.b.add(rest, by_up), self.b.add(rest, by_down));
        let rest = self.b.select(down, lower, rest);
        (number, self.b.select(up, higher, rest))
    }

    /// sqrt(x), or 1 / sqrt(x), in f32. x is brought to 1 up to 4 by an even power of two, with a significand
    /// M of 24 or 25 bits.
    fn quick_root(&mut self, x: Value, inverse: bool) -> Quick {
        let f = self.f;
        // Positive and normal.
        let above = self.b.add32(x, (f.hidden() as u32).wrapping_neg());
        let span = self.b.const32((f.infinity() - f.hidden()) as u32);
        let stands = self.b.ult(above, span);
        // The exponent's low bit is set where the exponent is even.
        let low = self.b.and32(x, 0x00ff_ffff);
        let flip = self.c(f.hidden());
        let turned = self.b.xor(low, flip);
        let near = self.b.add32(turned, f.one() as u32);
        let frac = self.frac(x);
        let sig = self.b.or(frac, flip);
        let odd = self.b.shr_by(turned, 23);
        let m = self.b.shl(sig, odd);
        // Half the power of two, as exponent bits: (field + 1) / 2 - 64.
        let field = self.b.shr_by(x, 23);
        let half = self.b.add32(field, 1);
        let half = self.b.shr_by(half, 1);
        let half = self.b.add32(half, 64_u32.wrapping_neg());
        let half = self.b.shl_by(half, 23);
        if inverse {
            let root = self.b.host(HostOp::FInverseSqrt, f.ty, &[near]);
            let (root, nearest) = self.nearest_inverse(root, m);
            let out = self.b.sub(root, half);
            return (out, self.b.and(stands, nearest));
        }
        let root = self.b.host(HostOp::FSqrt, f.ty, &[near]);
        // Y in units of 2^-23: the remainder M * 2^23 - Y * Y is above -Y and at most Y.
        let y = self.b.add32(root, 0x3f00_0000_u32.wrapping_neg());
        let square = self.b.mul(y, y);
        let radicand = self.b.shl_by(m, 23);
        let rest = self.b.sub(radicand, square);
        let zero = self.i(0);
        let minus = self.b.sub(zero, y);
        let (up, down) = (self.b.slt(y, rest), self.b.sle(rest, minus));
        let twice = self.b.shl_by(y, 1);
        let by_up = self.b.not(twice);
        let by_down = self.b.add32(twice, u32::MAX);
        let (root, rest) = self.stepped(root, rest, up, down, by_up, by_down);
        let y = self.b.add32(root, 0x3f00_0000_u32.wrapping_neg());
        let from = self.b.add(rest, y);
        let from = self.b.add32(from, u32::MAX);
        let twice = self.b.shl_by(y, 1);
        let nearest = self.b.ult(from, twice);
        let out = self.b.add(root, half);
        (out, self.b.and(stands, nearest))
    }

    /// Puts right the inverse root of M * 2^-23, Y in units of 2^-24: with D = 2^71 - M * Y^2 and P = M * Y, Y is too
    /// small where 4 * (D - P) > M and too large where 4 * (D + P) < M. D is small, so 64 bits hold it.
    fn nearest_inverse(&mut self, root: Value, m: Value) -> Quick {
        let y = self.b.add32(root, 0x3e80_0000_u32.wrapping_neg());
        let (y, m) = (self.b.zext(y), self.b.zext(m));
        let p = self.b.mul(m, y);
        let whole = self.b.mul(p, y);
        let zero = self.word(Kind::I64, 0);
        let d = self.b.sub(zero, whole);
        let (up, down) = self.off_inverse(d, p, m);
        let twice = self.b.shl_by(p, 1);
        let (minus_p, minus_m) = (self.b.sub(zero, twice), self.b.sub(zero, m));
        let (by_up, by_down) = (self.b.sub(minus_p, m), self.b.sub(twice, m));
        let (root, d) = self.stepped(root, d, up, down, by_up, by_down);
        let by = self.b.select(down, minus_m, zero);
        let by = self.b.select(up, m, by);
        let p = self.b.add(p, by);
        let (up, down) = self.off_inverse(d, p, m);
        let off = self.b.or(up, down);
        (root, self.b.not(off))
    }

    fn off_inverse(&mut self, d: Value, p: Value, m: Value) -> (Value, Value) {
        let (above, below) = (self.b.sub(d, p), self.b.add(d, p));
        let (above, below) = (self.b.shl_by(above, 2), self.b.shl_by(below, 2));
        (self.b.slt(m, above), self.b.slt(below, m))
    }
}

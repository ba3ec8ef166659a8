//! `Fidelity::Fast`: the host's own operation, with whatever it does to NaNs, denormals and the last
//! place. `None` for operations that hosts do not have: those are exact in either fidelity.

use super::convert;
use super::format::{Format, Fp};
use super::host::{Needs, host_of};
use crate::ir::{Builder, FMode, FOp, FTy, HostOp, Kind, Value};
use crate::options::Nans;
use crate::profile::HostProfile;

/// An operation by the host's own.
pub(super) fn lower(
    b: &mut Builder<'_>,
    profile: &HostProfile,
    op: FOp,
    ty: FTy,
    mode: FMode,
    args: &[Value],
    needs: &mut Needs,
) -> Option<Value> {
    if let (FOp::FromFloat(from), &[x], Some(host)) = (op, args, host_of(profile, ty))
        && host_of(profile, from).is_some()
    {
        needs.of(ty).rte |= host.rte;
        return Some(b.host(HostOp::FromFloat(from), ty, &[x]));
    }
    match (host_of(profile, ty), ty) {
        (Some(host), _) => {
            let value = host_op(b, op, ty, args)?;
            // Infinities and NaNs are wanted, as far as the host has them to offer.
            needs.of(ty).signed_zero_inf_nan |= host.signed_zero_inf_nan;
            Some(value)
        }
        (None, FTy::F16) => {
            // Through f32: widening is exact, and the result is rounded once more.
            let (half, single) = (Format::of(FTy::F16), Format::of(FTy::F32));
            let wide: Vec<Value> = args
                .iter()
                .map(|&x| convert::convert(b, half, single, mode, x))
                .collect();
            let value = host_op(b, op, FTy::F32, &wide)?;
            needs.f32.signed_zero_inf_nan |= profile.f32.signed_zero_inf_nan;
            if b.ty(value).kind == Kind::Bool {
                return Some(value);
            }
            Some(convert::convert(b, single, half, mode, value))
        }
        (None, _) => None,
    }
}

/// Whether an operation of so many arguments is a few operations of the host's, each of them its own.
pub(super) fn is_short(profile: &HostProfile, op: FOp, ty: FTy, args: usize) -> bool {
    let narrow = ty != FTy::F64;
    let wanted = match op {
        FOp::FromFloat(from) if host_of(profile, from).is_some() => 1,
        FOp::Trunc | FOp::Ceil | FOp::Floor | FOp::Rndne | FOp::Fract => 1,
        FOp::Rcp | FOp::Rsq | FOp::Sqrt | FOp::FromInt { .. } => 1,
        FOp::Exp2 | FOp::Log2 | FOp::Sin | FOp::Cos if narrow => 1,
        FOp::Add | FOp::Mul | FOp::Min | FOp::Max | FOp::Lt | FOp::Le | FOp::Eq => 2,
        FOp::Fma | FOp::Mad | FOp::Med3 => 3,
        _ => return false,
    };
    args == wanted && host_of(profile, ty).is_some()
}

fn host_op(b: &mut Builder<'_>, op: FOp, ty: FTy, args: &[Value]) -> Option<Value> {
    let f = Format::of(ty);
    let constant = |b: &mut Builder<'_>, bits: u64| match f.kind() {
        Kind::I64 => b.const64(bits),
        Kind::Bool | Kind::I32 | Kind::Ptr => b.const32(bits as u32),
    };
    let unary = |b: &mut Builder<'_>, op, x| Some(b.host(op, ty, &[x]));
    match (op, args) {
        (FOp::Add, &[x, y]) => Some(b.host(HostOp::FAdd, ty, &[x, y])),
        (FOp::Mul, &[x, y]) => Some(b.host(HostOp::FMul, ty, &[x, y])),
        (FOp::Fma, &[x, y, z]) => Some(b.host(HostOp::FFma, ty, &[x, y, z])),
        (FOp::Mad, &[x, y, z]) => {
            let product = b.host(HostOp::FMul, ty, &[x, y]);
            Some(b.host(HostOp::FAdd, ty, &[product, z]))
        }
        (FOp::MulLegacy, &[x, y]) => {
            let product = b.host(HostOp::FMul, ty, &[x, y]);
            Some(unless_zero(b, f, product, x, y))
        }
        (FOp::FmaLegacy, &[x, y, z]) => {
            let product = b.host(HostOp::FMul, ty, &[x, y]);
            let product = unless_zero(b, f, product, x, y);
            Some(b.host(HostOp::FAdd, ty, &[product, z]))
        }
        (FOp::Min, &[x, y]) => Some(b.host(HostOp::FMin, ty, &[x, y])),
        (FOp::Max, &[x, y]) => Some(b.host(HostOp::FMax, ty, &[x, y])),
        (FOp::Med3, &[x, y, z]) => {
            let (lo, hi) = (
                b.host(HostOp::FMin, ty, &[x, y]),
                b.host(HostOp::FMax, ty, &[x, y]),
            );
            let hi = b.host(HostOp::FMin, ty, &[hi, z]);
            Some(b.host(HostOp::FMax, ty, &[lo, hi]))
        }
        (FOp::Trunc, &[x]) => unary(b, HostOp::FTrunc, x),
        (FOp::Ceil, &[x]) => unary(b, HostOp::FCeil, x),
        (FOp::Floor, &[x]) => unary(b, HostOp::FFloor, x),
        (FOp::Rndne, &[x]) => unary(b, HostOp::FRoundEven, x),
        (FOp::Fract, &[x]) => {
            let rest = fraction(b, ty, x);
            let most = constant(b, f.one() - 1);
            Some(b.host(HostOp::FMin, ty, &[rest, most]))
        }
        (FOp::Rcp, &[x]) => {
            let one = constant(b, f.one());
            Some(b.host(HostOp::FDiv, ty, &[one, x]))
        }
        (FOp::Rsq, &[x]) => unary(b, HostOp::FInverseSqrt, x),
        (FOp::Sqrt, &[x]) => unary(b, HostOp::FSqrt, x),
        (FOp::Exp2, &[x]) if ty != FTy::F64 => unary(b, HostOp::FExp2, x),
        (FOp::Log2, &[x]) if ty != FTy::F64 => unary(b, HostOp::FLog2, x),
        (FOp::Sin | FOp::Cos, &[x]) if ty != FTy::F64 => {
            let turn = fraction(b, ty, x);
            // 2 pi.
            let scale = constant(b, if ty == FTy::F16 { 0x4648 } else { 0x40c9_0fdb });
            let angle = b.host(HostOp::FMul, ty, &[turn, scale]);
            unary(
                b,
                if op == FOp::Sin {
                    HostOp::FSin
                } else {
                    HostOp::FCos
                },
                angle,
            )
        }
        (FOp::FromInt { signed: true }, &[x]) => unary(b, HostOp::FromS32, x),
        (FOp::FromInt { signed: false }, &[x]) => unary(b, HostOp::FromU32, x),
        (FOp::Lt, &[x, y]) => Some(b.host(HostOp::FLt, ty, &[x, y])),
        (FOp::Le, &[x, y]) => Some(b.host(HostOp::FLe, ty, &[x, y])),
        (FOp::Eq, &[x, y]) => Some(b.host(HostOp::FEq, ty, &[x, y])),
        _ => None,
    }
}

fn fraction(b: &mut Builder<'_>, ty: FTy, x: Value) -> Value {
    let floor = b.host(HostOp::FFloor, ty, &[x]);
    b.host(HostOp::FSub, ty, &[x, floor])
}

/// `product`, or +0 where a factor is zero.
fn unless_zero(b: &mut Builder<'_>, f: Format, product: Value, x: Value, y: Value) -> Value {
    let mode = FMode {
        round: spirdna_isa::launch::Round::NearestEven,
        denorm: spirdna_isa::launch::Denorm::Allow,
        ieee: false,
    };
    let mut fp = Fp::new(b, f, mode, Nans::Any);
    let (zx, zy) = (fp.is_zero(x), fp.is_zero(y));
    let zero = fp.c(0);
    let none = fp.b.or(zx, zy);
    fp.b.select(none, zero, product)
}

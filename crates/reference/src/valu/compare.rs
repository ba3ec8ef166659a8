//! Comparisons and class tests of a lane.

use std::cmp::Ordering;

use spirdna_isa::{CmpTy, Cond, FloatTy};

use super::int::value;
use super::operand::Lane;
use super::result::Out;
use crate::error::ExecError;

/// Whether a condition holds for an order; `None` is unordered.
fn holds(cond: Cond, order: Option<Ordering>) -> bool {
    let is = |orders: &[Ordering]| order.is_some_and(|o| orders.contains(&o));
    use Ordering::{Equal, Greater, Less};
    match cond {
        Cond::F => false,
        Cond::Lt => is(&[Less]),
        Cond::Eq => is(&[Equal]),
        Cond::Le => is(&[Less, Equal]),
        Cond::Gt => is(&[Greater]),
        Cond::Lg => is(&[Less, Greater]),
        Cond::Ge => is(&[Greater, Equal]),
        Cond::O => order.is_some(),
        Cond::U => order.is_none(),
        Cond::Nge => !is(&[Greater, Equal]),
        Cond::Nlg => !is(&[Less, Greater]),
        Cond::Ngt => !is(&[Greater]),
        Cond::Nle => !is(&[Less, Equal]),
        Cond::Neq => !is(&[Equal]),
        Cond::Nlt => !is(&[Less]),
        Cond::T => true,
    }
}

/// The comparison's bit. (CLAMP would make it signal, which nothing here observes.)
pub(super) fn compare(l: &Lane<'_>, cond: Cond, ty: CmpTy) -> Result<Out, ExecError> {
    let (a, b) = (l.get(0)?, l.get(1)?);
    let order = match ty {
        CmpTy::Int(ty) => Some(value(ty, a).cmp(&value(ty, b))),
        CmpTy::Float(ty) => l.fpu(ty).compare(a, b),
    };
    Ok(holds(cond, order).into())
}

/// The class test's bit.
pub(super) fn class(l: &Lane<'_>, ty: FloatTy) -> Result<Out, ExecError> {
    Ok(l.fpu(ty).is_class(l.get(0)?, l.get(1)? as u32).into())
}

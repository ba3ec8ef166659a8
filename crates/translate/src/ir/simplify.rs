//! The identities that the builder applies to pure operations: what is simpler than the instruction
//! asked for, found by looking at the arguments' definitions only.

use super::builder::Builder;
use super::fold::{Const, fold};
use super::func::Value;
use super::op::{Op, Pure};
use super::types::Kind;

impl Builder<'_> {
    /// An existing or simpler value, where an identity gives one.
    #[inline]
    pub(super) fn simplify_unary(&mut self, op: Pure, x: Value) -> Option<Value> {
        match op {
            Pure::Not => self.simplify_not(x),
            Pure::BitReverse => self.func.args_of(op, x).map(|[a, ..]| a),
            Pure::Lo => {
                let whole = [Pure::Pack, Pure::ZExt, Pure::SExt];
                let args = whole.iter().find_map(|&of| self.func.args_of(of, x));
                args.map(|[lo, ..]| lo)
            }
            Pure::Hi => {
                if let Some([_, hi, ..]) = self.func.args_of(Pure::Pack, x) {
                    Some(hi)
                } else if self.func.args_of(Pure::ZExt, x).is_some() {
                    Some(self.const32(0))
                } else {
                    let [a, ..] = self.func.args_of(Pure::SExt, x)?;
                    Some(self.sar_by(a, 31))
                }
            }
            _ => None,
        }
    }

    fn simplify_not(&mut self, x: Value) -> Option<Value> {
        let data = self.func.def_inst(x)?;
        let (Op::Pure(op), Some([a, b, ..])) = (data.op, data.args.in_place()) else {
            return None;
        };
        Some(match op {
            Pure::Not => a,
            Pure::Eq => self.ne(a, b),
            Pure::Ne => self.eq(a, b),
            Pure::ULt => self.ule(b, a),
            Pure::ULe => self.ult(b, a),
            Pure::SLt => self.sle(b, a),
            Pure::SLe => self.slt(b, a),
            _ => return None,
        })
    }

    /// As [`Builder::simplify_unary`], where one of the two is a constant or both are one value. Of two that
    /// commute no `x` alone is a constant.
    pub(super) fn simplify_binary(&mut self, op: Pure, x: Value, y: Value) -> Option<Value> {
        let (cx, c) = (self.func.as_const(x), self.func.as_const(y));
        if let (Some(cx), Some(c)) = (cx, c)
            && let Some(result) = fold(op, &[cx, c])
        {
            return Some(self.constant(result));
        }
        if let (Some(c), Pure::Shl | Pure::ShrU | Pure::ShrS) = (cx, op)
            && c.is_zero()
        {
            return Some(x);
        }
        let kind = self.func.kind(x);
        if x == y {
            match op {
                Pure::And | Pure::Or | Pure::UMin | Pure::UMax | Pure::SMin | Pure::SMax => {
                    return Some(x);
                }
                Pure::Xor | Pure::Sub => return Some(self.zero(kind)),
                Pure::Eq | Pure::ULe | Pure::SLe => return Some(self.const_bool(true)),
                Pure::Ne | Pure::ULt | Pure::SLt => return Some(self.const_bool(false)),
                _ => {}
            }
        }
        if op == Pure::Pack {
            return self.simplify_pack(x, y, c);
        }
        let c = c?;
        let is_one = matches!(c, Const::I32(1) | Const::I64(1));
        match op {
            Pure::And if c.is_zero() => Some(y),
            Pure::And if c.is_ones() => Some(x),
            Pure::Or | Pure::Xor | Pure::Add | Pure::Sub if c.is_zero() => Some(x),
            Pure::Or if c.is_ones() => Some(y),
            Pure::Xor if c.is_ones() => Some(self.not(x)),
            Pure::Shl | Pure::ShrU | Pure::ShrS if c.bits() & shift_mask(kind) == 0 => Some(x),
            Pure::Mul | Pure::MulHiU | Pure::MulHiS if c.is_zero() => Some(y),
            Pure::Mul | Pure::UDiv if is_one => Some(x),
            Pure::Mul if c.bits().is_power_of_two() => {
                let n = c.bits().trailing_zeros();
                Some(self.shl_by(x, n))
            }
            Pure::MulHiU | Pure::URem if is_one => Some(self.zero(kind)),
            Pure::UMin if c.is_zero() => Some(y),
            Pure::UMin if c.is_ones() => Some(x),
            Pure::UMax if c.is_zero() => Some(x),
            Pure::UMax if c.is_ones() => Some(y),
            Pure::ULt if c.is_zero() => Some(self.const_bool(false)),
            Pure::ULe if c.is_ones() => Some(self.const_bool(true)),
            Pure::Sub => {
                let minus = fold(Pure::Sub, &[zero_of(c), c])?;
                let minus = self.constant(minus);
                Some(self.add(x, minus))
            }
            Pure::Add | Pure::And | Pure::Or | Pure::Xor => {
                // (a op c1) op c2
                let [a, b, ..] = self.func.args_of(op, x)?;
                let both = fold(op, &[self.func.as_const(b)?, c])?;
                let both = self.constant(both);
                Some(self.binary(op, a, both))
            }
            Pure::Eq | Pure::Ne => self.simplify_equality(op == Pure::Eq, x, c),
            _ => None,
        }
    }

    /// `And`, `Or` or `Xor` of a value and its complement.
    #[inline]
    pub(super) fn simplify_opposites(&mut self, op: Pure, x: Value, y: Value) -> Option<Value> {
        let is_not = |x, y| {
            let args = self.func.args_of(Pure::Not, x);
            args.is_some_and(|[a, ..]| a == y)
        };
        if !is_not(x, y) && !is_not(y, x) {
            return None;
        }
        let kind = self.func.kind(x);
        Some(if op == Pure::And {
            self.zero(kind)
        } else {
            self.ones(kind)
        })
    }

    /// `Pack`, of which `chi` is the high word where that is a constant.
    pub(super) fn simplify_pack(
        &mut self,
        lo: Value,
        hi: Value,
        chi: Option<Const>,
    ) -> Option<Value> {
        if chi == Some(Const::I32(0)) {
            return Some(self.zext(lo));
        }
        let [a, ..] = self.func.args_of(Pure::Lo, lo)?;
        let [b, ..] = self.func.args_of(Pure::Hi, hi)?;
        (a == b).then_some(a)
    }

    /// x == c or x != c.
    fn simplify_equality(&mut self, equal: bool, x: Value, c: Const) -> Option<Value> {
        if let Const::Bool(b) = c {
            return Some(if b == equal { x } else { self.not(x) });
        }
        if let Some([b, ..]) = self.func.args_of(Pure::BoolInt, x) {
            return Some(match (c, equal) {
                (Const::I32(0), true) | (Const::I32(1), false) => self.not(b),
                (Const::I32(0), false) | (Const::I32(1), true) => b,
                _ => self.const_bool(!equal),
            });
        }
        if let Some([a, ..]) = self.func.args_of(Pure::ZExt, x) {
            return Some(match u32::try_from(c.bits()) {
                Ok(low) => {
                    let low = self.const32(low);
                    self.binary(if equal { Pure::Eq } else { Pure::Ne }, a, low)
                }
                Err(_) => self.const_bool(!equal),
            });
        }
        // A select of two constants tells which way it went.
        let [cond, a, b, _] = self.func.args_of(Pure::Select, x)?;
        let (a, b) = (self.func.as_const(a)?, self.func.as_const(b)?);
        let (hit_a, hit_b) = ((a == c) == equal, (b == c) == equal);
        Some(match (hit_a, hit_b) {
            (true, false) => cond,
            (false, true) => self.not(cond),
            (both, _) => self.const_bool(both),
        })
    }

    /// As [`Builder::simplify_unary`], of what takes three and is no select.
    #[inline]
    pub(super) fn simplify_ternary(
        &mut self,
        op: Pure,
        x: Value,
        y: Value,
        z: Value,
    ) -> Option<Value> {
        let [cx, cy, cz] = [x, y, z].map(|v| self.func.as_const(v));
        if let (Some(cx), Some(cy), Some(cz)) = (cx, cy, cz)
            && let Some(result) = fold(op, &[cx, cy, cz])
        {
            return Some(self.constant(result));
        }
        match (op, cy, cz) {
            (Pure::BitsU | Pure::BitsS, _, Some(Const::I32(0))) => Some(self.const32(0)),
            (Pure::BitsU | Pure::BitsS, Some(Const::I32(0)), Some(Const::I32(32))) => Some(x),
            _ => None,
        }
    }

    /// As [`Builder::simplify_unary`], of a select.
    pub(super) fn simplify_select(&mut self, cond: Value, y: Value, z: Value) -> Option<Value> {
        if y == z {
            return Some(y);
        }
        if let Some(Const::Bool(b)) = self.func.as_const(cond) {
            return Some(if b { y } else { z });
        }
        if let Some([c, ..]) = self.func.args_of(Pure::Not, cond) {
            return Some(self.select(c, z, y));
        }
        // An arm that asks the same condition again has answered.
        if let Some([c, y, ..]) = self.func.args_of(Pure::Select, y)
            && c == cond
        {
            return Some(self.select(cond, y, z));
        }
        if let Some([c, _, z, _]) = self.func.args_of(Pure::Select, z)
            && c == cond
        {
            return Some(self.select(cond, y, z));
        }
        if !self.func.is_constant(y) && !self.func.is_constant(z) {
            return None;
        }
        match (self.func.as_const(y), self.func.as_const(z)) {
            (Some(Const::Bool(true)), Some(Const::Bool(false))) => Some(cond),
            (Some(Const::Bool(false)), Some(Const::Bool(true))) => Some(self.not(cond)),
            (Some(Const::Bool(true)), None) => Some(self.or(cond, z)),
            (None, Some(Const::Bool(false))) => Some(self.and(cond, y)),
            (Some(Const::Bool(false)), None) => {
                let other = self.not(cond);
                Some(self.and(other, z))
            }
            (None, Some(Const::Bool(true))) => {
                let other = self.not(cond);
                Some(self.or(other, y))
            }
            (Some(Const::I32(1)), Some(Const::I32(0))) => Some(self.bool_int(cond)),
            _ => None,
        }
    }
}

/// The bits of a shift count that matter.
fn shift_mask(kind: Kind) -> u64 {
    if kind == Kind::I64 { 63 } else { 31 }
}

fn zero_of(c: Const) -> Const {
    match c {
        Const::Bool(_) => Const::Bool(false),
        Const::I32(_) => Const::I32(0),
        Const::I64(_) => Const::I64(0),
    }
}

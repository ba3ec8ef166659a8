//! The identities that the builder applies to pure operations: what is simpler than the instruction
//! asked for, found by looking at the arguments' definitions only.

use std::ops::Deref;

use super::builder::Builder;
use super::fold::{Const, fold};
use super::func::Value;
use super::op::{Op, Pure};
use super::types::Kind;

/// The arguments of a pure operation, copied so that the function may change.
#[derive(Clone, Copy, PartialEq)]
struct Few {
    values: [Value; 3],
    len: usize,
}

impl Few {
    /// `None` where there are more than any pure operation takes.
    fn new(args: &[Value]) -> Option<Few> {
        let mut values = [Value(0); 3];
        values.get_mut(..args.len())?.copy_from_slice(args);
        Some(Few {
            values,
            len: args.len(),
        })
    }
}

impl Deref for Few {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values[..self.len]
    }
}

impl Builder<'_> {
    /// The operation and arguments of the pure instruction that makes a value.
    fn pure_of(&self, value: Value) -> Option<(Pure, Few)> {
        let data = self.func.def_inst(value)?;
        match data.op {
            Op::Pure(op) => Some((op, Few::new(&data.args)?)),
            _ => None,
        }
    }

    /// An existing or simpler value, where an identity gives one.
    #[inline]
    pub(super) fn simplify_unary(&mut self, op: Pure, x: Value) -> Option<Value> {
        let (inner, args) = self.pure_of(x)?;
        match (op, inner, &*args) {
            (Pure::Not, Pure::Not, &[a]) => Some(a),
            (Pure::Not, Pure::Eq, &[a, b]) => Some(self.ne(a, b)),
            (Pure::Not, Pure::Ne, &[a, b]) => Some(self.eq(a, b)),
            (Pure::Not, Pure::ULt, &[a, b]) => Some(self.ule(b, a)),
            (Pure::Not, Pure::ULe, &[a, b]) => Some(self.ult(b, a)),
            (Pure::Not, Pure::SLt, &[a, b]) => Some(self.sle(b, a)),
            (Pure::Not, Pure::SLe, &[a, b]) => Some(self.slt(b, a)),
            (Pure::BitReverse, Pure::BitReverse, &[a]) => Some(a),
            (Pure::Lo, Pure::Pack, &[lo, _]) => Some(lo),
            (Pure::Hi, Pure::Pack, &[_, hi]) => Some(hi),
            (Pure::Lo, Pure::ZExt | Pure::SExt, &[a]) => Some(a),
            (Pure::Hi, Pure::ZExt, _) => Some(self.const32(0)),
            (Pure::Hi, Pure::SExt, &[a]) => Some(self.sar_by(a, 31)),
            _ => None,
        }
    }

    /// As [`Builder::simplify_unary`]; `cx` and `c` are what `x` and `y` are, where they are constants, of
    /// two that commute no `x` is one alone.
    #[inline]
    pub(super) fn simplify_binary(
        &mut self,
        op: Pure,
        x: Value,
        y: Value,
        cx: Option<Const>,
        c: Option<Const>,
    ) -> Option<Value> {
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
        if c.is_none()
            && matches!(op, Pure::And | Pure::Or | Pure::Xor)
            && (self.is_not_of(x, y) || self.is_not_of(y, x))
        {
            return Some(if op == Pure::And {
                self.zero(kind)
            } else {
                self.ones(kind)
            });
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
            Pure::MulHiU | Pure::URem if is_one => Some(self.const32(0)),
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
                let (inner, args) = self.pure_of(x)?;
                if inner != op {
                    return None;
                }
                let [a, b] = *args else {
                    return None;
                };
                let both = fold(op, &[self.func.as_const(b)?, c])?;
                let both = self.constant(both);
                Some(self.pure(op, &[a, both]))
            }
            Pure::Eq | Pure::Ne => self.simplify_equality(op == Pure::Eq, x, c),
            _ => None,
        }
    }

    fn is_not_of(&self, x: Value, y: Value) -> bool {
        let data = self.func.def_inst(x);
        data.is_some_and(|data| data.op == Op::Pure(Pure::Not) && data.args.first() == Some(&y))
    }

    fn simplify_pack(&mut self, lo: Value, hi: Value, chi: Option<Const>) -> Option<Value> {
        if chi == Some(Const::I32(0)) {
            return Some(self.zext(lo));
        }
        match (self.pure_of(lo), self.pure_of(hi)) {
            (Some((Pure::Lo, a)), Some((Pure::Hi, b))) if a == b => a.first().copied(),
            _ => None,
        }
    }

    /// x == c or x != c.
    fn simplify_equality(&mut self, equal: bool, x: Value, c: Const) -> Option<Value> {
        if let Const::Bool(b) = c {
            return Some(if b == equal { x } else { self.not(x) });
        }
        match self.pure_of(x) {
            Some((Pure::BoolInt, args)) => {
                let [b] = *args else { return None };
                Some(match (c, equal) {
                    (Const::I32(0), true) | (Const::I32(1), false) => self.not(b),
                    (Const::I32(0), false) | (Const::I32(1), true) => b,
                    _ => self.const_bool(!equal),
                })
            }
            Some((Pure::ZExt, args)) => {
                let [a] = *args else { return None };
                match u32::try_from(c.bits()) {
                    Ok(low) => {
                        let low = self.const32(low);
                        Some(self.pure(if equal { Pure::Eq } else { Pure::Ne }, &[a, low]))
                    }
                    Err(_) => Some(self.const_bool(!equal)),
                }
            }
            Some((Pure::Select, args)) => {
                // A select of two constants tells which way it went.
                let [cond, a, b] = *args else {
                    return None;
                };
                let (a, b) = (self.func.as_const(a)?, self.func.as_const(b)?);
                let (hit_a, hit_b) = ((a == c) == equal, (b == c) == equal);
                Some(match (hit_a, hit_b) {
                    (true, false) => cond,
                    (false, true) => self.not(cond),
                    (both, _) => self.const_bool(both),
                })
            }
            _ => None,
        }
    }

    /// As [`Builder::simplify_unary`]; `consts` is what they are, where they are constants.
    #[inline]
    pub(super) fn simplify_ternary(
        &mut self,
        op: Pure,
        x: Value,
        y: Value,
        z: Value,
        consts: [Option<Const>; 3],
    ) -> Option<Value> {
        match op {
            Pure::Select => self.simplify_select(x, y, z, consts),
            Pure::BitsU | Pure::BitsS => match consts {
                [_, _, Some(Const::I32(0))] => Some(self.const32(0)),
                [_, Some(Const::I32(0)), Some(Const::I32(32))] => Some(x),
                _ => None,
            },
            _ => None,
        }
    }

    fn simplify_select(
        &mut self,
        cond: Value,
        y: Value,
        z: Value,
        [ccond, cy, cz]: [Option<Const>; 3],
    ) -> Option<Value> {
        if y == z {
            return Some(y);
        }
        if let Some(Const::Bool(b)) = ccond {
            return Some(if b { y } else { z });
        }
        if let Some((Pure::Not, args)) = self.pure_of(cond) {
            let [c] = *args else { return None };
            return Some(self.select(c, z, y));
        }
        // An arm that asks the same condition again has answered.
        if let Some((Pure::Select, args)) = self.pure_of(y)
            && args[0] == cond
        {
            return Some(self.select(cond, args[1], z));
        }
        if let Some((Pure::Select, args)) = self.pure_of(z)
            && args[0] == cond
        {
            return Some(self.select(cond, y, args[2]));
        }
        if self.func.kind(y) == Kind::Bool {
            match (cy, cz) {
                (Some(Const::Bool(true)), Some(Const::Bool(false))) => return Some(cond),
                (Some(Const::Bool(false)), Some(Const::Bool(true))) => return Some(self.not(cond)),
                (Some(Const::Bool(true)), None) => return Some(self.or(cond, z)),
                (None, Some(Const::Bool(false))) => return Some(self.and(cond, y)),
                (Some(Const::Bool(false)), None) => {
                    let other = self.not(cond);
                    return Some(self.and(other, z));
                }
                (None, Some(Const::Bool(true))) => {
                    let other = self.not(cond);
                    return Some(self.or(other, y));
                }
                _ => {}
            }
        }
        match (cy, cz) {
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

//! The pure operations of the IR on booleans, words and pairs of words. Knows nothing of lanes: it is
//! called once for the wave or once a slot.

use spirv::{GlslStd450Op, Op};

use super::code::Open;
use super::error::{EmitError, Fail};
use super::module::{Id, Module};
use super::value::{Val, select};
use crate::ir::{Kind, Pure};

const ARITY: EmitError = EmitError::Malformed("a pure operation with a wrong number of arguments");
const KIND: EmitError = EmitError::Malformed("a pure operation on a kind that it does not take");

/// Emits one operation. `kind` is the kind of the argument that decides: the second of `Select`, the
/// first of the others.
pub fn emit(m: &mut Module, b: &mut Open, op: Pure, kind: Kind, args: &[Val]) -> Result<Val, Fail> {
    match args {
        [x] => unary(m, b, op, kind, *x),
        [x, y] => binary(m, b, op, kind, *x, *y),
        [x, y, z] => match op {
            Pure::Select => {
                let cond = x.one()?;
                select(m, b, kind, cond, *y, *z)
            }
            Pure::BitsU => Ok(Val::One(bits(m, b, false, x.one()?, y.one()?, z.one()?))),
            Pure::BitsS => Ok(Val::One(bits(m, b, true, x.one()?, y.one()?, z.one()?))),
            _ => Err(ARITY.into()),
        },
        _ => Err(ARITY.into()),
    }
}

/// As `emit`, of one argument.
pub fn unary(m: &mut Module, b: &mut Open, op: Pure, kind: Kind, x: Val) -> Result<Val, Fail> {
    Ok(match (op, x) {
        (Pure::Not, Val::One(x)) if kind == Kind::Bool => Val::One(m.bnot(b, x)),
        (Pure::Not, Val::One(x)) => Val::One(m.not(b, x)),
        (Pure::Not, Val::Two(low, high)) => Val::Two(m.not(b, low), m.not(b, high)),
        (Pure::BitReverse, Val::One(x)) => Val::One(m.unary(b, Op::BitReverse, x)),
        (Pure::BitCount, Val::One(x)) => Val::One(m.unary(b, Op::BitCount, x)),
        (Pure::BitCount, Val::Two(low, high)) => {
            let (low, high) = (
                m.unary(b, Op::BitCount, low),
                m.unary(b, Op::BitCount, high),
            );
            Val::One(m.add(b, low, high))
        }
        (Pure::FindLsb, Val::One(x)) => Val::One(m.glsl_word(b, GlslStd450Op::FindILsb, &[x])),
        (Pure::FindUMsb, Val::One(x)) => Val::One(m.glsl_word(b, GlslStd450Op::FindUMsb, &[x])),
        (Pure::FindLsb, Val::Two(low, high)) => {
            let in_low = m.glsl_word(b, GlslStd450Op::FindILsb, &[low]);
            let in_high = m.glsl_word(b, GlslStd450Op::FindILsb, &[high]);
            // -1 | 32 is -1, so the empty high half needs no case of its own.
            let bit5 = m.const_u32(32);
            let in_high = m.or(b, in_high, bit5);
            let has_low = m.nonzero(b, low);
            Val::One(m.select(b, has_low, in_low, in_high))
        }
        (Pure::FindUMsb, Val::Two(low, high)) => {
            let in_low = m.glsl_word(b, GlslStd450Op::FindUMsb, &[low]);
            let in_high = m.glsl_word(b, GlslStd450Op::FindUMsb, &[high]);
            let bit5 = m.const_u32(32);
            let in_high = m.or(b, in_high, bit5);
            let has_high = m.nonzero(b, high);
            Val::One(m.select(b, has_high, in_high, in_low))
        }
        (Pure::ZExt, Val::One(x)) => Val::Two(x, m.const_u32(0)),
        (Pure::SExt, Val::One(x)) => {
            let count = m.const_u32(31);
            Val::Two(x, m.sar(b, x, count))
        }
        (Pure::Lo, Val::Two(low, _)) => Val::One(low),
        (Pure::Hi, Val::Two(_, high)) => Val::One(high),
        (Pure::BoolInt, Val::One(x)) => Val::One(m.bool_word(b, x)),
        _ => return Err(KIND.into()),
    })
}

/// As `emit`, of two.
pub fn binary(
    m: &mut Module,
    b: &mut Open,
    op: Pure,
    kind: Kind,
    x: Val,
    y: Val,
) -> Result<Val, Fail> {
    match (x, y) {
        (Val::One(x), Val::One(y)) if op == Pure::Pack && kind != Kind::Bool => Ok(Val::Two(x, y)),
        (Val::One(x), Val::One(y)) => {
            let result = on_ones(m, b, op, kind, x, y);
            Ok(Val::One(result.ok_or(KIND)?))
        }
        (Val::Two(..), Val::One(count)) => {
            let count = m.mask(b, count, 63);
            shift64(m, b, op, x.two()?, count)
        }
        (Val::Two(..), Val::Two(..)) => on_pairs(m, b, op, x.two()?, y.two()?),
        (Val::One(_), Val::Two(..)) => Err(KIND.into()),
    }
}

/// As `binary` where neither argument nor the result is a pair; `None`: it is no such operation.
#[inline]
pub fn on_ones(m: &mut Module, b: &mut Open, op: Pure, kind: Kind, x: Id, y: Id) -> Option<Id> {
    if kind == Kind::Bool {
        on_bools(m, b, op, x, y)
    } else {
        on_words(m, b, op, x, y)
    }
}

fn on_bools(m: &mut Module, b: &mut Open, op: Pure, x: Id, y: Id) -> Option<Id> {
    Some(match op {
        Pure::And => m.band(b, x, y),
        Pure::Or => m.bor(b, x, y),
        Pure::Xor | Pure::Ne => m.bxor(b, x, y),
        Pure::Eq => {
            let differ = m.bxor(b, x, y);
            m.bnot(b, differ)
        }
        _ => return None,
    })
}

fn on_words(m: &mut Module, b: &mut Open, op: Pure, x: Id, y: Id) -> Option<Id> {
    Some(match op {
        Pure::Add => m.add(b, x, y),
        Pure::Sub => m.sub(b, x, y),
        Pure::Mul => m.mul(b, x, y),
        Pure::MulHiU => m.mul_wide(b, x, y).1,
        Pure::MulHiS => m.mul_wide_signed(b, x, y).1,
        Pure::UDiv => {
            let (quotient, _, by_zero) = divide(m, b, x, y);
            let ones = m.const_u32(u32::MAX);
            m.select(b, by_zero, ones, quotient)
        }
        Pure::URem => {
            let (_, remainder, by_zero) = divide(m, b, x, y);
            m.select(b, by_zero, x, remainder)
        }
        Pure::And => m.and(b, x, y),
        Pure::Or => m.or(b, x, y),
        Pure::Xor => m.xor(b, x, y),
        Pure::Shl => {
            let y = m.mask(b, y, 31);
            m.shl(b, x, y)
        }
        Pure::ShrU => {
            let y = m.mask(b, y, 31);
            m.shr(b, x, y)
        }
        Pure::ShrS => {
            let y = m.mask(b, y, 31);
            m.sar(b, x, y)
        }
        Pure::UMin => m.glsl_word(b, GlslStd450Op::UMin, &[x, y]),
        Pure::UMax => m.glsl_word(b, GlslStd450Op::UMax, &[x, y]),
        Pure::SMin => m.glsl_word(b, GlslStd450Op::SMin, &[x, y]),
        Pure::SMax => m.glsl_word(b, GlslStd450Op::SMax, &[x, y]),
        Pure::Eq => m.eq(b, x, y),
        Pure::Ne => m.ne(b, x, y),
        Pure::ULt => m.ult(b, x, y),
        Pure::ULe => m.ule(b, x, y),
        Pure::SLt => m.slt(b, x, y),
        Pure::SLe => m.sle(b, x, y),
        _ => return None,
    })
}

/// Quotient and remainder with a divisor of 1 in the place of 0, and whether it was 0. Only what is
/// used of the three survives in a driver; here division and remainder are two instructions.
fn divide(m: &mut Module, b: &mut Open, x: Id, y: Id) -> (Id, Id, Id) {
    let (zero, one) = (m.const_u32(0), m.const_u32(1));
    let by_zero = m.eq(b, y, zero);
    let safe = m.select(b, by_zero, one, y);
    (m.div(b, x, safe), m.rem(b, x, safe), by_zero)
}

/// Quotient or remainder of 64 bits.
fn divide64(m: &mut Module, b: &mut Open, op: Pure, x: (Id, Id), y: (Id, Id)) -> Val {
    let long = m.u64();
    let one = m.const_u32(1);
    let any = m.or(b, y.0, y.1);
    let zero = m.const_u32(0);
    let by_zero = m.eq(b, any, zero);
    let low = m.select(b, by_zero, one, y.0);
    let x_long = m.join(b, x.0, x.1);
    let x_long = m.op(b, Op::Bitcast, long, &[x_long]);
    let y_long = m.join(b, low, y.1);
    let y_long = m.op(b, Op::Bitcast, long, &[y_long]);
    let (code, none) = match op {
        Pure::UDiv => {
            let ones = m.const_u32(u32::MAX);
            (Op::UDiv, (ones, ones))
        }
        _ => (Op::UMod, x),
    };
    let result = m.op(b, code, long, &[x_long, y_long]);
    let words = m.uvec2();
    let result = m.op(b, Op::Bitcast, words, &[result]);
    let (low, high) = (m.part(b, result, 0), m.part(b, result, 1));
    Val::Two(
        m.select(b, by_zero, none.0, low),
        m.select(b, by_zero, none.1, high),
    )
}

fn on_pairs(m: &mut Module, b: &mut Open, op: Pure, x: (Id, Id), y: (Id, Id)) -> Result<Val, Fail> {
    let ((xl, xh), (yl, yh)) = (x, y);
    Ok(match op {
        Pure::Add => {
            let (low, high) = add64(m, b, x, y);
            Val::Two(low, high)
        }
        Pure::Sub => {
            let (low, high) = sub64(m, b, x, y);
            Val::Two(low, high)
        }
        Pure::Mul => {
            let (low, high) = m.mul_wide(b, xl, yl);
            let cross = m.mul(b, xl, yh);
            let high = m.add(b, high, cross);
            let cross = m.mul(b, xh, yl);
            Val::Two(low, m.add(b, high, cross))
        }
        Pure::UDiv | Pure::URem => divide64(m, b, op, x, y),
        Pure::And => Val::Two(m.and(b, xl, yl), m.and(b, xh, yh)),
        Pure::Or => Val::Two(m.or(b, xl, yl), m.or(b, xh, yh)),
        Pure::Xor => Val::Two(m.xor(b, xl, yl), m.xor(b, xh, yh)),
        Pure::Eq => {
            let (low, high) = (m.eq(b, xl, yl), m.eq(b, xh, yh));
            Val::One(m.band(b, low, high))
        }
        Pure::Ne => {
            let (low, high) = (m.ne(b, xl, yl), m.ne(b, xh, yh));
            Val::One(m.bor(b, low, high))
        }
        Pure::ULt => Val::One(ult64(m, b, x, y)),
        Pure::ULe => {
            let more = ult64(m, b, y, x);
            Val::One(m.bnot(b, more))
        }
        Pure::SLt => Val::One(slt64(m, b, x, y)),
        Pure::SLe => {
            let more = slt64(m, b, y, x);
            Val::One(m.bnot(b, more))
        }
        _ => return Err(KIND.into()),
    })
}

/// x + y modulo 2^64.
pub fn add64(m: &mut Module, b: &mut Open, x: (Id, Id), y: (Id, Id)) -> (Id, Id) {
    let (low, carry) = m.add_carry(b, x.0, y.0);
    let high = m.add(b, x.1, y.1);
    (low, m.add(b, high, carry))
}

/// x - y modulo 2^64.
pub fn sub64(m: &mut Module, b: &mut Open, x: (Id, Id), y: (Id, Id)) -> (Id, Id) {
    let (low, borrow) = m.sub_borrow(b, x.0, y.0);
    let high = m.sub(b, x.1, y.1);
    (low, m.sub(b, high, borrow))
}

/// Unsigned x < y.
pub fn ult64(m: &mut Module, b: &mut Open, x: (Id, Id), y: (Id, Id)) -> Id {
    let less = m.ult(b, x.1, y.1);
    below_or(m, b, less, x, y)
}

fn slt64(m: &mut Module, b: &mut Open, x: (Id, Id), y: (Id, Id)) -> Id {
    let less = m.slt(b, x.1, y.1);
    below_or(m, b, less, x, y)
}

/// `less` of the high halves, or equal ones and less in the low halves.
fn below_or(m: &mut Module, b: &mut Open, less: Id, x: (Id, Id), y: (Id, Id)) -> Id {
    let same = m.eq(b, x.1, y.1);
    let low = m.ult(b, x.0, y.0);
    let tie = m.band(b, same, low);
    m.bor(b, less, tie)
}

/// A 64-bit shift by a count below 64.
fn shift64(m: &mut Module, b: &mut Open, op: Pure, x: (Id, Id), count: Id) -> Result<Val, Fail> {
    let (low, high) = x;
    let within = m.mask(b, count, 31);
    // What moves over to the other half is shifted by 32 - n in two steps, so that n = 0 moves nothing.
    let thirty_one = m.const_u32(31);
    let rest = m.xor(b, within, thirty_one);
    let bit5 = m.mask(b, count, 32);
    let far = m.nonzero(b, bit5);
    let zero = m.const_u32(0);
    Ok(match op {
        Pure::Shl => {
            let low_near = m.shl(b, low, within);
            let over = m.shr_by(b, low, 1);
            let over = m.shr(b, over, rest);
            let high_near = m.shl(b, high, within);
            let high_near = m.or(b, high_near, over);
            Val::Two(
                m.select(b, far, zero, low_near),
                m.select(b, far, low_near, high_near),
            )
        }
        Pure::ShrU | Pure::ShrS => {
            let over = m.shl_by(b, high, 1);
            let over = m.shl(b, over, rest);
            let low_near = m.shr(b, low, within);
            let low_near = m.or(b, low_near, over);
            let (high_near, fill) = if op == Pure::ShrS {
                (m.sar(b, high, within), m.sar(b, high, thirty_one))
            } else {
                (m.shr(b, high, within), zero)
            };
            Val::Two(
                m.select(b, far, high_near, low_near),
                m.select(b, far, fill, high_near),
            )
        }
        _ => return Err(KIND.into()),
    })
}

/// `count` bits of x from bit `from`.
fn bits(m: &mut Module, b: &mut Open, signed: bool, x: Id, from: Id, count: Id) -> Id {
    let known = (m.value(from), m.value(count));
    match known {
        (_, Some(0)) => m.const_u32(0),
        (Some(0), Some(32)) => x,
        (Some(from), Some(count)) if !signed && from + count <= 32 => {
            let moved = m.shr_by(b, x, from as u32);
            if from + count == 32 {
                moved
            } else {
                m.mask(b, moved, (1u32 << count) - 1)
            }
        }
        _ => {
            let ty = m.u32();
            let op = if signed {
                Op::BitFieldSExtract
            } else {
                Op::BitFieldUExtract
            };
            m.op(b, op, ty, &[x, from, count])
        }
    }
}

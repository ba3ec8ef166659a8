//! Constants, and what pure operations make of them. The meaning is `op.rs`'s; `eval.rs` states it a
//! second time in other words, and a test compares the two.

use super::op::Pure;
use super::types::Kind;

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    /// True or false.
    Bool(bool),
    /// 32 bits.
    I32(u32),
    /// 64 bits.
    I64(u64),
}

impl Const {
    /// Its kind.
    pub const fn kind(self) -> Kind {
        match self {
            Const::Bool(_) => Kind::Bool,
            Const::I32(_) => Kind::I32,
            Const::I64(_) => Kind::I64,
        }
    }

    /// The bits, zero-extended.
    pub const fn bits(self) -> u64 {
        match self {
            Const::Bool(b) => b as u64,
            Const::I32(x) => x as u64,
            Const::I64(x) => x,
        }
    }

    /// Whether all bits are zero (false).
    pub const fn is_zero(self) -> bool {
        self.bits() == 0
    }

    /// Whether all bits are one (true).
    pub const fn is_ones(self) -> bool {
        match self {
            Const::Bool(b) => b,
            Const::I32(x) => x == u32::MAX,
            Const::I64(x) => x == u64::MAX,
        }
    }
}

/// The value of a pure operation on constants; `None` where the operation does not define one (`BitsU`
/// out of its range, kinds that do not fit).
pub fn fold(op: Pure, args: &[Const]) -> Option<Const> {
    use Const::{Bool, I32, I64};
    Some(match (op, args) {
        (Pure::Not, [Bool(x)]) => Bool(!x),
        (Pure::Not, [I32(x)]) => I32(!x),
        (Pure::Not, [I64(x)]) => I64(!x),
        (Pure::BitReverse, [I32(x)]) => I32(x.reverse_bits()),
        (Pure::BitCount, [I32(x)]) => I32(x.count_ones()),
        (Pure::BitCount, [I64(x)]) => I32(x.count_ones()),
        (Pure::FindLsb, [I32(0)] | [I64(0)]) | (Pure::FindUMsb, [I32(0)] | [I64(0)]) => {
            I32(u32::MAX)
        }
        (Pure::FindLsb, [I32(x)]) => I32(x.trailing_zeros()),
        (Pure::FindLsb, [I64(x)]) => I32(x.trailing_zeros()),
        (Pure::FindUMsb, [I32(x)]) => I32(31 - x.leading_zeros()),
        (Pure::FindUMsb, [I64(x)]) => I32(63 - x.leading_zeros()),
        (Pure::Add, [I32(x), I32(y)]) => I32(x.wrapping_add(*y)),
        (Pure::Add, [I64(x), I64(y)]) => I64(x.wrapping_add(*y)),
        (Pure::Sub, [I32(x), I32(y)]) => I32(x.wrapping_sub(*y)),
        (Pure::Sub, [I64(x), I64(y)]) => I64(x.wrapping_sub(*y)),
        (Pure::Mul, [I32(x), I32(y)]) => I32(x.wrapping_mul(*y)),
        (Pure::Mul, [I64(x), I64(y)]) => I64(x.wrapping_mul(*y)),
        (Pure::MulHiU, [I32(x), I32(y)]) => I32(((u64::from(*x) * u64::from(*y)) >> 32) as u32),
        (Pure::MulHiS, [I32(x), I32(y)]) => {
            I32(((i64::from(*x as i32) * i64::from(*y as i32)) >> 32) as u32)
        }
        (Pure::UDiv, [I32(x), I32(y)]) => I32(x.checked_div(*y).unwrap_or(u32::MAX)),
        (Pure::UDiv, [I64(x), I64(y)]) => I64(x.checked_div(*y).unwrap_or(u64::MAX)),
        (Pure::URem, [I32(x), I32(y)]) => I32(x.checked_rem(*y).unwrap_or(*x)),
        (Pure::URem, [I64(x), I64(y)]) => I64(x.checked_rem(*y).unwrap_or(*x)),
        (Pure::And, [Bool(x), Bool(y)]) => Bool(*x && *y),
        (Pure::And, [I32(x), I32(y)]) => I32(x & y),
        (Pure::And, [I64(x), I64(y)]) => I64(x & y),
        (Pure::Or, [Bool(x), Bool(y)]) => Bool(*x || *y),
        (Pure::Or, [I32(x), I32(y)]) => I32(x | y),
        (Pure::Or, [I64(x), I64(y)]) => I64(x | y),
        (Pure::Xor, [Bool(x), Bool(y)]) => Bool(x != y),
        (Pure::Xor, [I32(x), I32(y)]) => I32(x ^ y),
        (Pure::Xor, [I64(x), I64(y)]) => I64(x ^ y),
        (Pure::Shl, [I32(x), I32(n)]) => I32(x.wrapping_shl(*n)),
        (Pure::Shl, [I64(x), I32(n)]) => I64(x.wrapping_shl(*n)),
        (Pure::ShrU, [I32(x), I32(n)]) => I32(x.wrapping_shr(*n)),
        (Pure::ShrU, [I64(x), I32(n)]) => I64(x.wrapping_shr(*n)),
        (Pure::ShrS, [I32(x), I32(n)]) => I32((*x as i32).wrapping_shr(*n) as u32),
        (Pure::ShrS, [I64(x), I32(n)]) => I64((*x as i64).wrapping_shr(*n) as u64),
        (Pure::UMin, [I32(x), I32(y)]) => I32(*x.min(y)),
        (Pure::UMax, [I32(x), I32(y)]) => I32(*x.max(y)),
        (Pure::SMin, [I32(x), I32(y)]) => I32((*x as i32).min(*y as i32) as u32),
        (Pure::SMax, [I32(x), I32(y)]) => I32((*x as i32).max(*y as i32) as u32),
        (Pure::Eq, [x, y]) if x.kind() == y.kind() => Bool(x == y),
        (Pure::Ne, [x, y]) if x.kind() == y.kind() => Bool(x != y),
        (Pure::ULt, [I32(x), I32(y)]) => Bool(x < y),
        (Pure::ULt, [I64(x), I64(y)]) => Bool(x < y),
        (Pure::ULe, [I32(x), I32(y)]) => Bool(x <= y),
        (Pure::ULe, [I64(x), I64(y)]) => Bool(x <= y),
        (Pure::SLt, [I32(x), I32(y)]) => Bool((*x as i32) < *y as i32),
        (Pure::SLt, [I64(x), I64(y)]) => Bool((*x as i64) < *y as i64),
        (Pure::SLe, [I32(x), I32(y)]) => Bool(*x as i32 <= *y as i32),
        (Pure::SLe, [I64(x), I64(y)]) => Bool(*x as i64 <= *y as i64),
        (Pure::Select, [Bool(c), y, z]) if y.kind() == z.kind() => {
            if *c {
                *y
            } else {
                *z
            }
        }
        (Pure::BitsU, [I32(x), I32(at), I32(n)]) => I32(field(*x, *at, *n)?),
        (Pure::BitsS, [I32(x), I32(at), I32(n)]) => {
            let bits = field(*x, *at, *n)?;
            let unused = 32 - n;
            // An empty field shifts by the whole width, which is 0 by definition.
            I32(bits
                .checked_shl(unused)
                .map_or(0, |up| ((up as i32) >> unused) as u32))
        }
        (Pure::ZExt, [I32(x)]) => I64(u64::from(*x)),
        (Pure::SExt, [I32(x)]) => I64(i64::from(*x as i32) as u64),
        (Pure::Lo, [I64(x)]) => I32(*x as u32),
        (Pure::Hi, [I64(x)]) => I32((x >> 32) as u32),
        (Pure::Pack, [I32(lo), I32(hi)]) => I64(u64::from(*hi) << 32 | u64::from(*lo)),
        (Pure::BoolInt, [Bool(x)]) => I32(u32::from(*x)),
        _ => return None,
    })
}

/// `n` bits of `x` from bit `at`; `None` where they are not all there.
fn field(x: u32, at: u32, n: u32) -> Option<u32> {
    if at >= 32 || n > 32 || at + n > 32 {
        return None;
    }
    Some((x >> at) & 1u32.checked_shl(n).map_or(u32::MAX, |m| m.wrapping_sub(1)))
}

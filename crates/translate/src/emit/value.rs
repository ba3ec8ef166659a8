//! How IR values stand in SPIR-V: a 64-bit value is two words, everything else one id.

use super::code::Open;
use super::error::{EmitError, Fail};
use super::module::{Id, Module, TypeId};
use crate::ir::Kind;

/// A value of one lane, or of the wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Val {
    /// A boolean, a word or a place in memory.
    One(Id),
    /// A 64-bit value, low word first.
    Two(Id, Id),
}

impl Val {
    /// The id of a value that is not 64 bits wide.
    #[inline]
    pub fn one(self) -> Result<Id, Fail> {
        match self {
            Val::One(id) => Ok(id),
            Val::Two(..) => {
                Err(EmitError::Malformed("a 64-bit value where 32 bits are due").into())
            }
        }
    }

    /// Both words of a 64-bit value.
    #[inline]
    pub fn two(self) -> Result<(Id, Id), Fail> {
        match self {
            Val::Two(low, high) => Ok((low, high)),
            Val::One(_) => Err(EmitError::Malformed("a 32-bit value where 64 bits are due").into()),
        }
    }

    /// Its ids.
    #[inline]
    pub fn ids(self) -> impl Iterator<Item = Id> {
        let (first, second) = match self {
            Val::One(id) => (id, None),
            Val::Two(low, high) => (low, Some(high)),
        };
        std::iter::once(first).chain(second)
    }

    /// From ids of a kind.
    pub fn from_ids(ids: &[Id]) -> Result<Val, Fail> {
        match *ids {
            [id] => Ok(Val::One(id)),
            [low, high] => Ok(Val::Two(low, high)),
            _ => Err(EmitError::Malformed("a value of no words").into()),
        }
    }
}

/// Words (or the one boolean) of a kind.
pub fn parts(kind: Kind) -> usize {
    match kind {
        Kind::Bool | Kind::I32 | Kind::Ptr => 1,
        Kind::I64 => 2,
    }
}

/// The type of each part of a kind as an SSA value.
pub fn part_type(m: &mut Module, kind: Kind) -> TypeId {
    match kind {
        Kind::Bool => m.bool(),
        Kind::I32 | Kind::I64 | Kind::Ptr => m.u32(),
    }
}

/// The type of a whole value where a function takes or returns it.
pub fn whole_type(m: &mut Module, kind: Kind) -> TypeId {
    match kind {
        Kind::Bool => m.bool(),
        Kind::I32 | Kind::Ptr => m.u32(),
        Kind::I64 => m.uvec2(),
    }
}

/// A value as one id.
pub fn pack(m: &mut Module, b: &mut Open, value: Val) -> Id {
    match value {
        Val::One(id) => id,
        Val::Two(low, high) => m.join(b, low, high),
    }
}

/// The value that such an id is.
pub fn unpack(m: &mut Module, b: &mut Open, kind: Kind, id: Id) -> Val {
    match kind {
        Kind::Bool | Kind::I32 | Kind::Ptr => Val::One(id),
        Kind::I64 => Val::Two(m.part(b, id, 0), m.part(b, id, 1)),
    }
}

/// The zero of a kind (false for Bool, the invalid place for Ptr).
pub fn zero(m: &mut Module, kind: Kind) -> Val {
    match kind {
        Kind::Bool => Val::One(m.const_bool(false)),
        Kind::I32 | Kind::Ptr => Val::One(m.const_u32(0)),
        Kind::I64 => Val::Two(m.const_u32(0), m.const_u32(0)),
    }
}

/// cond ? x : y of any kind.
pub fn select(
    m: &mut Module,
    b: &mut Open,
    kind: Kind,
    cond: Id,
    x: Val,
    y: Val,
) -> Result<Val, Fail> {
    Ok(match kind {
        Kind::Bool => Val::One(m.select_bool(b, cond, x.one()?, y.one()?)),
        Kind::I32 | Kind::Ptr => Val::One(m.select(b, cond, x.one()?, y.one()?)),
        Kind::I64 => {
            let ((xl, xh), (yl, yh)) = (x.two()?, y.two()?);
            Val::Two(m.select(b, cond, xl, yl), m.select(b, cond, xh, yh))
        }
    })
}

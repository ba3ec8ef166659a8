//! Types of a module: how many cells a value takes, and where its scalars lie in memory with an explicit
//! layout. A cell is one scalar, in 64 bits.

use spirv::StorageClass;

use crate::error::LoadError;
use crate::load::Module;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Void,
    Bool,
    Int { bits: u8 },
    Float { bits: u8 },
    Vector { of: u32, n: u32 },
    Array { of: u32, n: u32 },
    Runtime { of: u32 },
    Struct { members: Vec<u32> },
    Pointer { class: StorageClass, to: u32 },
    Function { result: u32 },
}

/// Where a scalar lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Bytes from the begin of the object.
    pub(crate) offset: u64,
    /// Its bytes.
    pub(crate) bytes: u8,
}

/// Cells of a value at most: what is larger is no value that a shader handles.
const MAX_CELLS: u64 = 1 << 22;

impl Module {
    pub(crate) fn ty(&self, id: u32) -> Result<&Type, LoadError> {
        self.types.get(&id).ok_or(LoadError::Id(id))
    }

    /// Cells of a type.
    pub(crate) fn cells(&self, id: u32) -> Result<u32, LoadError> {
        let count = self.count(id, 0)?;
        if count > MAX_CELLS {
            return Err(LoadError::Malformed("a type that is too large"));
        }
        Ok(count as u32)
    }

    fn count(&self, id: u32, depth: u32) -> Result<u64, LoadError> {
        if depth > 64 {
            return Err(LoadError::Malformed("types nested too deeply"));
        }
        Ok(match self.ty(id)? {
            Type::Void | Type::Function { .. } | Type::Runtime { .. } => 0,
            Type::Bool | Type::Int { .. } | Type::Float { .. } | Type::Pointer { .. } => 1,
            Type::Vector { of, n } | Type::Array { of, n } => {
                self.count(*of, depth + 1)?.saturating_mul((*n).into())
            }
            Type::Struct { members } => {
                let mut sum = 0u64;
                for &member in members {
                    sum = sum.saturating_add(self.count(member, depth + 1)?);
                }
                sum
            }
        })
    }

    /// Bits of a scalar, or of the scalars of a vector; 1 for booleans.
    pub(crate) fn bits(&self, id: u32) -> Result<u8, LoadError> {
        match self.ty(id)? {
            Type::Bool => Ok(1),
            Type::Int { bits } | Type::Float { bits } => Ok(*bits),
            Type::Vector { of, .. } => self.bits(*of),
            _ => Err(LoadError::Id(id)),
        }
    }

    /// The place of every scalar of a type in memory, in order of its cells.
    pub(crate) fn places(&self, id: u32) -> Result<Vec<Place>, LoadError> {
        self.cells(id)?;
        let mut places = Vec::new();
        self.place(id, 0, &mut places)?;
        Ok(places)
    }

    fn place(&self, id: u32, at: u64, places: &mut Vec<Place>) -> Result<(), LoadError> {
        match self.ty(id)? {
            Type::Int { bits } | Type::Float { bits } => places.push(Place {
                offset: at,
                bytes: bits / 8,
            }),
            Type::Vector { of, n } => {
                let bytes = u64::from(self.bits(*of)? / 8);
                for i in 0..u64::from(*n) {
                    self.place(*of, at + i * bytes, places)?;
                }
            }
            Type::Array { of, n } => {
                let stride = u64::from(self.stride(id)?);
                for i in 0..u64::from(*n) {
                    self.place(*of, at + i * stride, places)?;
                }
            }
            Type::Struct { members } => {
                for (i, &member) in (0..).zip(members) {
                    self.place(member, at + u64::from(self.offset(id, i)?), places)?;
                }
            }
            _ => return Err(LoadError::Id(id)),
        }
        Ok(())
    }

    /// Bytes from one element of an array to the next.
    pub(crate) fn stride(&self, id: u32) -> Result<u32, LoadError> {
        self.strides.get(&id).copied().ok_or(LoadError::Id(id))
    }

    /// Bytes before a member of a struct.
    pub(crate) fn offset(&self, id: u32, member: u32) -> Result<u32, LoadError> {
        self.offsets
            .get(&(id, member))
            .copied()
            .ok_or(LoadError::Id(id))
    }
}

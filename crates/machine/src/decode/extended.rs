//! Decoding of what a subgroup does together and of GLSL's extended instructions.

use spirv::{GlslStd450Op as Glsl, GroupOperation, Op};

use super::Decode;
use crate::code::{Bin, Code, Src, Together, Tri, Un};
use crate::error::LoadError;
use crate::load::Raw;

impl Decode<'_> {
    pub(super) fn together(
        &self,
        raw: &Raw<'_>,
        dst: u32,
        n: u32,
    ) -> Result<Option<Code>, LoadError> {
        use Op as O;
        let w = |i| raw.word(i);
        let none = Src::NONE;
        let simple = |op, b: Option<u32>| -> Result<Option<Code>, LoadError> {
            let a = w(3)?;
            let ty = self.type_of(a)?;
            Ok(Some(Code::Together {
                op,
                dst,
                a: self.src(a)?,
                b: b.map_or(Ok(none), |b| self.src(b))?,
                n: if matches!(op, Together::AllEqual) {
                    self.module.cells(ty)?
                } else {
                    n
                },
                bits: self.module.bits(ty)?,
            }))
        };
        let reduce = |op: Bin| -> Result<Option<Code>, LoadError> {
            let group = GroupOperation::from_u32(w(3)?)
                .ok_or(LoadError::Malformed("an unknown group operation"))?;
            let cluster = match raw.from(5).first() {
                Some(&id) => self.constant(id)?,
                None => 0,
            };
            Ok(Some(Code::Together {
                op: Together::Reduce(op, group, cluster),
                dst,
                a: self.src(w(4)?)?,
                b: none,
                n,
                bits: self.module.bits(self.type_of(w(4)?)?)?,
            }))
        };
        match raw.op {
            O::GroupNonUniformElect => Ok(Some(Code::Together {
                op: Together::Elect,
                dst,
                a: none,
                b: none,
                n,
                bits: 1,
            })),
            O::GroupNonUniformAll => simple(Together::All, None),
            O::GroupNonUniformAny => simple(Together::Any, None),
            O::GroupNonUniformAllEqual => simple(Together::AllEqual, None),
            O::GroupNonUniformBroadcast => simple(Together::Broadcast, Some(w(4)?)),
            O::GroupNonUniformBroadcastFirst => simple(Together::BroadcastFirst, None),
            O::GroupNonUniformBallot => simple(Together::Ballot, None),
            O::GroupNonUniformInverseBallot => simple(Together::InverseBallot, None),
            O::GroupNonUniformBallotBitExtract => simple(Together::BitExtract, Some(w(4)?)),
            O::GroupNonUniformBallotFindLSB => simple(Together::FindLsb, None),
            O::GroupNonUniformBallotFindMSB => simple(Together::FindMsb, None),
            O::GroupNonUniformBallotBitCount => {
                let group = GroupOperation::from_u32(w(3)?)
                    .ok_or(LoadError::Malformed("an unknown group operation"))?;
                Ok(Some(Code::Together {
                    op: Together::BitCount(group),
                    dst,
                    a: self.src(w(4)?)?,
                    b: none,
                    n,
                    bits: 32,
                }))
            }
            O::GroupNonUniformShuffle => simple(Together::Shuffle, Some(w(4)?)),
            O::GroupNonUniformShuffleXor => simple(Together::ShuffleXor, Some(w(4)?)),
            O::GroupNonUniformShuffleUp => simple(Together::ShuffleUp, Some(w(4)?)),
            O::GroupNonUniformShuffleDown => simple(Together::ShuffleDown, Some(w(4)?)),
            O::GroupNonUniformQuadBroadcast => simple(Together::QuadBroadcast, Some(w(4)?)),
            O::GroupNonUniformQuadSwap => simple(Together::QuadSwap, Some(w(4)?)),
            O::GroupNonUniformIAdd => reduce(Bin::IAdd),
            O::GroupNonUniformFAdd => reduce(Bin::FAdd),
            O::GroupNonUniformIMul => reduce(Bin::IMul),
            O::GroupNonUniformFMul => reduce(Bin::FMul),
            O::GroupNonUniformSMin => reduce(Bin::SMin),
            O::GroupNonUniformUMin => reduce(Bin::UMin),
            O::GroupNonUniformFMin => reduce(Bin::FMin),
            O::GroupNonUniformSMax => reduce(Bin::SMax),
            O::GroupNonUniformUMax => reduce(Bin::UMax),
            O::GroupNonUniformFMax => reduce(Bin::FMax),
            O::GroupNonUniformBitwiseAnd | O::GroupNonUniformLogicalAnd => reduce(Bin::And),
            O::GroupNonUniformBitwiseOr | O::GroupNonUniformLogicalOr => reduce(Bin::Or),
            O::GroupNonUniformBitwiseXor | O::GroupNonUniformLogicalXor => reduce(Bin::Xor),
            _ => Ok(None),
        }
    }

    pub(super) fn glsl(&self, raw: &Raw<'_>, ty: u32, dst: u32, n: u32) -> Result<Code, LoadError> {
        let w = |i| raw.word(i);
        if !self.module.glsl.contains(&w(2)?) {
            return Err(LoadError::Unsupported("an extended instruction set".into()));
        }
        let op =
            Glsl::from_u32(w(3)?).ok_or(LoadError::Malformed("an unknown extended instruction"))?;
        let a = self.src(w(4)?)?;
        let un = match op {
            Glsl::FAbs => Some(Un::FAbs),
            Glsl::SAbs => Some(Un::SAbs),
            Glsl::FSign => Some(Un::FSign),
            Glsl::SSign => Some(Un::SSign),
            Glsl::Floor => Some(Un::Floor),
            Glsl::Ceil => Some(Un::Ceil),
            Glsl::Trunc => Some(Un::Trunc),
            Glsl::Fract => Some(Un::Fract),
            Glsl::RoundEven | Glsl::Round => Some(Un::RoundEven),
            Glsl::Sqrt => Some(Un::Sqrt),
            Glsl::InverseSqrt => Some(Un::InverseSqrt),
            Glsl::Exp => Some(Un::Exp),
            Glsl::Exp2 => Some(Un::Exp2),
            Glsl::Log => Some(Un::Log),
            Glsl::Log2 => Some(Un::Log2),
            Glsl::Sin => Some(Un::Sin),
            Glsl::Cos => Some(Un::Cos),
            Glsl::FindILsb => Some(Un::FindILsb),
            Glsl::FindUMsb => Some(Un::FindUMsb),
            Glsl::FindSMsb => Some(Un::FindSMsb),
            _ => None,
        };
        let bits = self.module.bits(ty)?;
        if let Some(op) = un {
            return Ok(Code::Un {
                op,
                dst,
                a,
                n,
                bits,
            });
        }
        if op == Glsl::PackHalf2x16 {
            return Ok(Code::PackHalf { dst, a });
        }
        if op == Glsl::UnpackHalf2x16 {
            return Ok(Code::UnpackHalf { dst, a });
        }
        let bin = match op {
            Glsl::UMin => Some(Bin::UMin),
            Glsl::UMax => Some(Bin::UMax),
            Glsl::SMin => Some(Bin::SMin),
            Glsl::SMax => Some(Bin::SMax),
            Glsl::FMin | Glsl::NMin => Some(Bin::FMin),
            Glsl::FMax | Glsl::NMax => Some(Bin::FMax),
            Glsl::Pow => Some(Bin::Pow),
            Glsl::Ldexp => Some(Bin::Ldexp),
            _ => None,
        };
        if raw.from(5).is_empty() {
            return Err(LoadError::Unsupported(format!("{op:?}")));
        }
        let b = self.src(w(5)?)?;
        if let Some(op) = bin {
            return Ok(Code::Bin {
                op,
                dst,
                a,
                b,
                n,
                bits,
                splat: false,
            });
        }
        let op = match op {
            Glsl::Fma => Tri::Fma,
            Glsl::FMix => Tri::FMix,
            Glsl::FClamp | Glsl::NClamp => Tri::FClamp,
            Glsl::UClamp => Tri::UClamp,
            Glsl::SClamp => Tri::SClamp,
            _ => return Err(LoadError::Unsupported(format!("{op:?}"))),
        };
        Ok(Code::Tri {
            op,
            dst,
            a,
            b,
            c: self.src(w(6)?)?,
            n,
            bits,
        })
    }
}

//! Writing what the lanes gave: vectors, halves, parts, lane masks. Knows no meaning.

use spirdna_isa::{Inst, Operand, Ty};

use super::sdwa;
use crate::error::ExecError;
use crate::state::Wave;

/// A lane's result: the value of destination 0, or its bit in a lane mask, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Out {
    /// The value.
    pub(super) bits: u128,
    /// The bit in a mask.
    pub(super) flag: bool,
}

impl Out {
    /// A value and a mask bit.
    pub(super) fn with_flag(bits: u64, flag: bool) -> Out {
        Out {
            bits: bits.into(),
            flag,
        }
    }
}

impl From<u64> for Out {
    fn from(bits: u64) -> Out {
        Out::with_flag(bits, false)
    }
}

impl From<u32> for Out {
    fn from(bits: u32) -> Out {
        Out::with_flag(bits.into(), false)
    }
}

impl From<bool> for Out {
    fn from(flag: bool) -> Out {
        Out::with_flag(0, flag)
    }
}

/// Where in its register a result goes, without SDWA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// All of it.
    Whole,
    /// One half; the other stays.
    Half {
        /// The upper one.
        hi: bool,
    },
}

/// Writes destination 0 (`dst`) and, where the row has a second one, the mask that goes with it. Lanes
/// that are not in `outs` keep their registers and have 0 in masks.
pub(super) fn write(
    wave: &mut Wave,
    inst: &Inst,
    dst: Option<(Operand, Ty)>,
    place: Place,
    outs: &[(usize, Out)],
) -> Result<(), ExecError> {
    let mask = outs
        .iter()
        .fold(0u64, |m, (lane, out)| m | u64::from(out.flag) << lane);
    let Some((operand, ty)) = dst else {
        return Err(wave.refuse("a row without a destination"));
    };
    if ty == Ty::Mask {
        return wave.write_scalar(operand, ty, mask);
    }
    let Operand::V(register) = operand else {
        return Err(wave.refuse(format!("{operand:?} as a vector destination")));
    };
    let sdwa = inst.valu_mods().sdwa.and_then(|s| s.dst);
    let dwords = ty.bits().unwrap_or(32).div_ceil(32);
    wave.check_vgprs(register, dwords)?;
    for &(lane, out) in outs {
        let low = out.bits as u32;
        match (sdwa, place) {
            (Some((sel, unused)), _) => {
                let low = if ty.bits() == Some(16) {
                    low & 0xffff
                } else {
                    low
                };
                let old = wave.vgpr_raw(register, lane);
                wave.set_vgpr(register, lane, sdwa::insert(old, low, sel, unused));
            }
            (None, Place::Half { hi }) => wave.set_vgpr_half(register, lane, hi, low as u16),
            (None, Place::Whole) => {
                let words = [
                    low,
                    (out.bits >> 32) as u32,
                    (out.bits >> 64) as u32,
                    (out.bits >> 96) as u32,
                ];
                let count = (dwords as usize).min(words.len());
                wave.set_vgprs(register, lane, &words[..count])?;
            }
        }
    }
    match inst.dst(1) {
        Some((operand, Ty::Mask)) => wave.write_scalar(operand, Ty::Mask, mask),
        Some(_) | None => Ok(()),
    }
}

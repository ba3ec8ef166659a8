//! Sources of a lane: which lane a source comes from (DPP), which part of the register (SDWA, halves),
//! with which sign. Knows no meaning.

use spirdna_isa::launch::Mode;
use spirdna_isa::{FloatTy, Inst, Operand, RowFlags, Ty, ValuMods};

use super::{constant32, dpp, sdwa};
use crate::error::ExecError;
use crate::float::Fpu;
use crate::state::Wave;

/// One source, with what does not depend on the lane.
struct Source {
    operand: Operand,
    /// Bits of its type, 32 where the type does not say.
    bits: u32,
    /// What every lane reads, except of a vector register: all bits of a 64-bit type, a whole mask, else
    /// the 32 bits that the unit sees.
    uniform: Option<u64>,
}

/// The sources of an instruction on a wave, and what governs its arithmetic.
pub(super) struct Operands<'a> {
    wave: &'a Wave,
    mods: ValuMods,
    sources: Vec<Source>,
    halves: bool,
    packed: bool,
    fpus: [Fpu; 3],
}

impl<'a> Operands<'a> {
    /// The sources of `inst`.
    pub(super) fn new(wave: &'a Wave, inst: &Inst) -> Result<Operands<'a>, ExecError> {
        let mode = &wave.mode;
        let source = |(operand, ty): (Operand, Ty)| -> Result<Source, ExecError> {
            Ok(Source {
                operand,
                bits: ty.bits().unwrap_or(32),
                uniform: uniform(wave, operand, ty)?,
            })
        };
        Ok(Operands {
            wave,
            mods: inst.valu_mods(),
            sources: inst.srcs().map(source).collect::<Result<_, _>>()?,
            halves: inst.flags().contains(RowFlags::OPSEL),
            packed: inst.flags().contains(RowFlags::PACKED),
            fpus: [FloatTy::F16, FloatTy::F32, FloatTy::F64].map(|ty| Fpu::new(ty, mode)),
        })
    }

    /// The wave.
    pub(super) fn wave(&self) -> &Wave {
        self.wave
    }

    /// Another vector register in the place of source `i`.
    pub(super) fn replace(&mut self, i: usize, register: u8) {
        if let Some(source) = self.sources.get_mut(i) {
            source.operand = Operand::V(register);
            source.uniform = None;
        }
    }

    /// The view of a lane; `None` where DPP leaves the lane without a result.
    pub(super) fn lane(&'a self, lane: usize) -> Result<Option<Lane<'a>>, ExecError> {
        let from = match &self.mods.dpp {
            None => dpp::Fetch::Lane(lane),
            Some(dpp) => dpp::fetch(dpp, lane, self.wave)?,
        };
        let from = match from {
            dpp::Fetch::Skip => return Ok(None),
            dpp::Fetch::Zero => None,
            dpp::Fetch::Lane(l) => Some(l),
        };
        Ok(Some(Lane {
            operands: self,
            lane,
            from,
        }))
    }
}

/// The sources as one lane sees them.
pub(super) struct Lane<'a> {
    operands: &'a Operands<'a>,
    lane: usize,
    /// The lane that source 0 is read in; `None` where it counts as 0.
    from: Option<usize>,
}

impl Lane<'_> {
    /// The lane's number.
    pub(super) fn number(&self) -> usize {
        self.lane
    }

    /// MODE.
    pub(super) fn mode(&self) -> &Mode {
        &self.operands.wave.mode
    }

    /// The modifiers.
    pub(super) fn mods(&self) -> &ValuMods {
        &self.operands.mods
    }

    /// The arithmetic of a type under MODE.
    pub(super) fn fpu(&self, ty: FloatTy) -> &Fpu {
        &self.operands.fpus[match ty {
            FloatTy::F16 => 0,
            FloatTy::F32 => 1,
            FloatTy::F64 => 2,
        }]
    }

    /// A float result after output modifier and clamp.
    pub(super) fn finish(&self, ty: FloatTy, bits: u64) -> u64 {
        let fpu = self.fpu(ty);
        let bits = fpu.omod(bits, self.mods().omod);
        if self.mods().clamp {
            fpu.clamp(bits)
        } else {
            bits
        }
    }

    /// A refusal at this instruction.
    pub(super) fn refuse(&self, reason: &str) -> ExecError {
        self.operands.wave.refuse(reason)
    }

    fn source(&self, i: usize) -> Result<&Source, ExecError> {
        self.operands
            .sources
            .get(i)
            .ok_or_else(|| self.refuse("a source that its row does not list"))
    }

    /// Source `i` before any selection: all bits of a 64-bit type, else the 32 bits that the unit sees.
    fn raw(&self, i: usize) -> Result<u64, ExecError> {
        let source = self.source(i)?;
        let wave = self.operands.wave;
        let wide = source.bits > 32;
        if i == 0 && self.operands.mods.dpp.is_some() {
            return Ok(match (source.operand, self.from) {
                (_, None) => 0,
                (Operand::V(r), Some(from)) if !wide => wave.vgpr(r, from).into(),
                (_, Some(_)) => {
                    return Err(self.refuse("DPP on a source that is no 32-bit register"));
                }
            });
        }
        match (source.uniform, source.operand) {
            (Some(bits), _) => Ok(bits),
            (None, Operand::V(r)) if source.bits == 64 => wave.vgpr64(r, self.lane),
            (None, Operand::V(r)) if !wide => Ok(wave.vgpr(r, self.lane).into()),
            (None, _) => Err(self.refuse("a source of more than 64 bits as a number")),
        }
    }

    /// Source `i` at its type's width: part selected, then absolute value and negation.
    pub(super) fn get(&self, i: usize) -> Result<u64, ExecError> {
        let bits = self.source(i)?.bits;
        let mods = &self.operands.mods;
        let raw = self.raw(i)?;
        let selected = match &mods.sdwa {
            Some(s) if i == 0 => sdwa::select(raw as u32, s.src0, s.src0_sext).into(),
            Some(s) if i == 1 => sdwa::select(raw as u32, s.src1, s.src1_sext).into(),
            Some(_) | None => {
                let hi = bits == 16
                    && self.operands.halves
                    && !self.operands.packed
                    && i < 3
                    && mods.op_sel >> i & 1 == 1;
                if hi { raw >> 16 } else { raw }
            }
        };
        let selected = if bits >= 64 {
            selected
        } else {
            selected & ((1 << bits) - 1)
        };
        let flag = |set: u8| i < 3 && set >> i & 1 == 1;
        Ok(signs(selected, bits, flag(mods.abs), flag(mods.neg)))
    }

    /// One half of a packed source `i`, as the low or the high result uses it. `negate` says whether
    /// the negation bits act.
    pub(super) fn packed_half(&self, i: usize, high: bool) -> Result<u64, ExecError> {
        let raw = self.raw(i)?;
        let mods = &self.operands.mods;
        // Only VOP3P selects; elsewhere the halves are what they are.
        let (upper, neg) = if !self.operands.packed {
            (high, false)
        } else if high {
            (mods.op_sel_hi >> i & 1 == 1, mods.neg_hi >> i & 1 == 1)
        } else {
            (mods.op_sel >> i & 1 == 1, mods.neg >> i & 1 == 1)
        };
        let half = if upper { raw >> 16 } else { raw } & 0xffff;
        Ok(signs(half, 16, false, neg))
    }

    /// Source `i` of 32 bits of a VOP3P instruction, without modifiers.
    pub(super) fn packed_whole(&self, i: usize) -> Result<u32, ExecError> {
        Ok(self.raw(i)? as u32)
    }

    /// Source `i` of a mixed-precision instruction: an f32, or a half widened.
    pub(super) fn mixed(&self, i: usize) -> Result<u64, ExecError> {
        let mods = &self.operands.mods;
        let operand = self.source(i)?.operand;
        let half = mods.op_sel_hi >> i & 1 == 1;
        if half && matches!(operand, Operand::Float(_)) {
            return Err(self.refuse("an inline float as a half of a mixed-precision operation"));
        }
        let raw = self.raw(i)?;
        let upper = mods.op_sel >> i & 1 == 1;
        // NEG_HI is the absolute value here.
        let (abs, neg) = (mods.neg_hi >> i & 1 == 1, mods.neg >> i & 1 == 1);
        if half {
            let bits = signs(if upper { raw >> 16 } else { raw } & 0xffff, 16, abs, neg);
            let single = self.fpu(FloatTy::F32);
            Ok(self.fpu(FloatTy::F16).convert(bits, single))
        } else if upper {
            Err(self.refuse("op_sel of a source that is no half"))
        } else {
            Ok(signs(raw & 0xffff_ffff, 32, abs, neg))
        }
    }

    /// This lane's bit of source `i`, a lane mask.
    pub(super) fn mask_bit(&self, i: usize) -> Result<bool, ExecError> {
        match self.source(i)?.uniform {
            Some(mask) => Ok(mask >> self.lane & 1 == 1),
            None => Err(self.refuse("a lane mask in a vector register")),
        }
    }

    /// The four dwords of a 128-bit source.
    pub(super) fn quad(&self, i: usize) -> Result<[u32; 4], ExecError> {
        match self.source(i)?.operand {
            Operand::V(r) => self.operands.wave.vgprs(r, self.lane),
            Operand::S(_)
            | Operand::Int(_)
            | Operand::Float(_)
            | Operand::Literal(_)
            | Operand::Special(_)
            | Operand::Imm(_)
            | Operand::Off => Err(self.refuse("a 128-bit source outside the vector registers")),
        }
    }
}

/// What every lane reads of a source; `None` for a vector register.
fn uniform(wave: &Wave, operand: Operand, ty: Ty) -> Result<Option<u64>, ExecError> {
    if matches!(operand, Operand::V(_)) {
        return Ok(None);
    }
    let wide = ty.bits().is_none_or(|b| b > 32);
    match constant32(operand, ty) {
        Some(bits) if !wide => Ok(Some(bits.into())),
        None if !wide => wave.scalar(operand, Ty::B32).map(Some),
        Some(_) | None => wave.scalar(operand, ty).map(Some),
    }
}

/// The sign modifiers at a width.
fn signs(bits: u64, width: u32, abs: bool, neg: bool) -> u64 {
    let sign = 1 << (width - 1);
    let bits = if abs { bits & !sign } else { bits };
    if neg { bits ^ sign } else { bits }
}

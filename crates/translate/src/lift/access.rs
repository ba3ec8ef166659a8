//! Registers and operands as IR values: what every instruction file reads and writes through.

use spirdna_isa::launch::{PRIVATE_APERTURE, SHARED_APERTURE};
use spirdna_isa::{Inst, Operand, SReg, Special, Ty, WaveSize};

use super::Lift;
use super::regs::Var;
use crate::error::Reason;
use crate::ir::{Const, Kind, Value};

impl Lift<'_> {
    // ---- EXEC and masks --------------------------------------------------------------------------

    /// EXEC as a mask of W bits.
    pub(super) fn exec(&mut self) -> Value {
        self.regs.read(&mut self.b, Var::EXEC)
    }

    /// Writes EXEC as a mask of W bits.
    pub(super) fn set_exec(&mut self, mask: Value) {
        self.regs.write(Var::EXEC, mask);
    }

    /// Whether the lane is active: the guard of everything a vector instruction does.
    pub(super) fn active(&mut self) -> Value {
        let exec = self.exec();
        let block = self.b.block();
        match self.active {
            Some((at, of, active)) if at == block && of == exec => active,
            _ => {
                let active = self.b.lane_bit(exec);
                self.active = Some((block, exec, active));
                active
            }
        }
    }

    /// Whether a Bool is known to be true.
    #[inline]
    pub(super) fn is_yes(&self, x: Value) -> bool {
        self.b.as_const(x) == Some(Const::Bool(true))
    }

    /// Whether a Bool is known to be false.
    #[inline]
    pub(super) fn is_no(&self, x: Value) -> bool {
        self.b.as_const(x) == Some(Const::Bool(false))
    }

    /// SCC.
    pub(super) fn scc(&mut self) -> Value {
        self.regs.read(&mut self.b, Var::SCC)
    }

    /// Writes SCC.
    pub(super) fn set_scc(&mut self, scc: Value) {
        self.regs.write(Var::SCC, scc);
    }

    /// SCC = value is not zero.
    pub(super) fn set_scc_nz(&mut self, value: Value) {
        let zero = self.b.zero(self.b.ty(value).kind);
        let scc = self.b.ne(value, zero);
        self.set_scc(scc);
    }

    /// A mask register: one SGPR in wave32, a pair in wave64.
    pub(super) fn mask(&mut self, reg: SReg) -> Result<Value, Reason> {
        match self.launch.wave {
            WaveSize::W32 => Ok(self.sreg(reg)),
            WaveSize::W64 => self.sreg64(reg),
        }
    }

    /// Writes a mask register.
    pub(super) fn set_mask(&mut self, reg: SReg, mask: Value) -> Result<(), Reason> {
        match self.launch.wave {
            WaveSize::W32 => {
                self.set_sreg(reg, mask);
                Ok(())
            }
            WaveSize::W64 => self.set_sreg64(reg, mask),
        }
    }

    // ---- Scalar registers ------------------------------------------------------------------------

    /// A scalar register as uniform I32.
    pub(super) fn sreg(&mut self, reg: SReg) -> Value {
        match (reg, self.launch.wave) {
            _ if reg.is_sgpr() => self.regs.read(&mut self.b, Var::scalar(reg)),
            (SReg::NULL, _) => self.b.const32(0),
            (SReg::EXEC_LO, WaveSize::W32) => self.exec(),
            (SReg::EXEC_LO, WaveSize::W64) => {
                let exec = self.exec();
                self.b.lo(exec)
            }
            (SReg::EXEC_HI, WaveSize::W64) => {
                let exec = self.exec();
                self.b.hi(exec)
            }
            _ => self.regs.read(&mut self.b, Var::scalar(reg)),
        }
    }

    /// Writes a scalar register.
    pub(super) fn set_sreg(&mut self, reg: SReg, value: Value) {
        match (reg, self.launch.wave) {
            _ if reg.is_sgpr() => self.regs.write(Var::scalar(reg), value),
            (SReg::NULL, _) => {}
            (SReg::EXEC_LO, WaveSize::W32) => self.set_exec(value),
            (SReg::EXEC_LO, WaveSize::W64) => {
                let exec = self.exec();
                let hi = self.b.hi(exec);
                let exec = self.b.pack(value, hi);
                self.set_exec(exec);
            }
            (SReg::EXEC_HI, WaveSize::W64) => {
                let exec = self.exec();
                let lo = self.b.lo(exec);
                let exec = self.b.pack(lo, value);
                self.set_exec(exec);
            }
            _ => self.regs.write(Var::scalar(reg), value),
        }
    }

    /// A pair of scalar registers as uniform I64.
    pub(super) fn sreg64(&mut self, reg: SReg) -> Result<Value, Reason> {
        if reg == SReg::NULL {
            return Ok(self.b.const64(0));
        }
        if reg == SReg::EXEC_LO && self.launch.wave == WaveSize::W64 {
            return Ok(self.exec());
        }
        let next = scalar_at(reg, 1)?;
        let (lo, hi) = (self.sreg(reg), self.sreg(next));
        Ok(self.b.pack(lo, hi))
    }

    /// Writes a pair of scalar registers.
    pub(super) fn set_sreg64(&mut self, reg: SReg, value: Value) -> Result<(), Reason> {
        if reg == SReg::NULL {
            return Ok(());
        }
        if reg == SReg::EXEC_LO && self.launch.wave == WaveSize::W64 {
            self.set_exec(value);
            return Ok(());
        }
        let next = scalar_at(reg, 1)?;
        let (lo, hi) = (self.b.lo(value), self.b.hi(value));
        self.set_sreg(reg, lo);
        self.set_sreg(next, hi);
        Ok(())
    }

    // ---- Vector registers ------------------------------------------------------------------------

    /// A vector register as per-lane I32.
    pub(super) fn vreg(&mut self, n: u8) -> Value {
        self.regs.read(&mut self.b, Var::vector(n))
    }

    /// Vector register `n + i`.
    pub(super) fn vreg_at(&mut self, n: u8, i: u32) -> Result<Value, Reason> {
        Ok(self.vreg(vector_at(n, i)?))
    }

    /// Writes the active lanes of a vector register.
    pub(super) fn set_vreg(&mut self, n: u8, value: Value) {
        let active = self.active();
        self.set_vreg_where(n, value, active);
    }

    /// Writes the active lanes of vector register `n + i`.
    pub(super) fn set_vreg_at(&mut self, n: u8, i: u32, value: Value) -> Result<(), Reason> {
        self.set_vreg(vector_at(n, i)?, value);
        Ok(())
    }

    /// Writes the lanes of a vector register where `lanes` holds, whatever EXEC says.
    pub(super) fn set_vreg_where(&mut self, n: u8, value: Value, lanes: Value) {
        let new = if self.is_yes(lanes) {
            value
        } else {
            match self.vreg(n) {
                old if old == value => value,
                old => {
                    let old = self.where_inactive(old, lanes);
                    self.b.select(lanes, value, old)
                }
            }
        };
        self.regs.write(Var::vector(n), new);
    }

    // ---- Operands --------------------------------------------------------------------------------

    /// Destination role `i`.
    pub(super) fn dst(&self, inst: &Inst, i: usize) -> Result<(Operand, Ty), Reason> {
        inst.dst(i).ok_or(Reason::MissingOperand(i))
    }

    /// Source role `i`.
    pub(super) fn src(&self, inst: &Inst, i: usize) -> Result<(Operand, Ty), Reason> {
        inst.src(i).ok_or(Reason::MissingOperand(i))
    }

    /// An operand of at most 32 bits: uniform or per-lane I32.
    pub(super) fn read32(&mut self, (operand, ty): (Operand, Ty)) -> Result<Value, Reason> {
        match operand {
            Operand::S(reg) => Ok(self.sreg(reg)),
            Operand::V(n) => Ok(self.vreg(n)),
            Operand::Special(special) => self.special(special),
            Operand::Int(_) | Operand::Float(_) | Operand::Literal(_) | Operand::Imm(_) => {
                let bits = operand
                    .constant_bits(ty)
                    .ok_or(Reason::Operand("constant"))?;
                Ok(self.b.const32(bits as u32))
            }
            Operand::Off => Err(Reason::Operand("off")),
        }
    }

    /// An operand of 64 bits: uniform or per-lane I64.
    pub(super) fn read64(&mut self, (operand, ty): (Operand, Ty)) -> Result<Value, Reason> {
        match operand {
            Operand::S(reg) => self.sreg64(reg),
            Operand::V(n) => {
                let (lo, hi) = (self.vreg(n), self.vreg_at(n, 1)?);
                Ok(self.b.pack(lo, hi))
            }
            Operand::Special(special) => match aperture(special) {
                Some(bits) => Ok(self.b.const64(bits)),
                None => {
                    let value = self.special(special)?;
                    Ok(self.b.zext(value))
                }
            },
            Operand::Int(_) | Operand::Float(_) | Operand::Literal(_) | Operand::Imm(_) => {
                let bits = operand
                    .constant_bits(ty)
                    .ok_or(Reason::Operand("constant"))?;
                Ok(self.b.const64(bits))
            }
            Operand::Off => Err(Reason::Operand("off")),
        }
    }

    /// An operand that is a lane mask.
    pub(super) fn read_mask(&mut self, (operand, ty): (Operand, Ty)) -> Result<Value, Reason> {
        match operand {
            Operand::S(reg) => self.mask(reg),
            _ => match self.launch.wave {
                WaveSize::W32 => self.read32((operand, if ty == Ty::Mask { Ty::B32 } else { ty })),
                WaveSize::W64 => self.read64((operand, if ty == Ty::Mask { Ty::B64 } else { ty })),
            },
        }
    }

    /// Source role `i` at 32 bits.
    pub(super) fn src32(&mut self, inst: &Inst, i: usize) -> Result<Value, Reason> {
        let operand = self.src(inst, i)?;
        self.read32(operand)
    }

    /// Source role `i` at 64 bits.
    pub(super) fn src64(&mut self, inst: &Inst, i: usize) -> Result<Value, Reason> {
        let operand = self.src(inst, i)?;
        self.read64(operand)
    }

    /// Destination role `i`, which is a scalar register.
    pub(super) fn scalar_dst(&self, inst: &Inst, i: usize) -> Result<SReg, Reason> {
        match self.dst(inst, i)? {
            (Operand::S(reg), _) => Ok(reg),
            _ => Err(Reason::Operand("destination")),
        }
    }

    /// Destination role `i`, which is a vector register.
    pub(super) fn vector_dst(&self, inst: &Inst, i: usize) -> Result<u8, Reason> {
        match self.dst(inst, i)? {
            (Operand::V(n), _) => Ok(n),
            _ => Err(Reason::Operand("destination")),
        }
    }

    fn special(&mut self, special: Special) -> Result<Value, Reason> {
        let flag = match special {
            Special::Scc => self.scc(),
            Special::Vccz => self.vcc_is_zero(),
            Special::Execz => {
                let exec = self.exec();
                self.is_zero(exec)
            }
            Special::SharedBase => return Err(Reason::Operand("src_shared_base at 32 bits")),
            Special::SharedLimit => return Err(Reason::Operand("src_shared_limit at 32 bits")),
            Special::PrivateBase => return Err(Reason::Operand("src_private_base at 32 bits")),
            Special::PrivateLimit => return Err(Reason::Operand("src_private_limit at 32 bits")),
            Special::PopsExitingWaveId => return Err(Reason::Operand("src_pops_exiting_wave_id")),
            Special::LdsDirect => return Err(Reason::Operand("src_lds_direct")),
        };
        Ok(self.b.bool_int(flag))
    }

    /// Whether VCC is zero: the word of W bits.
    pub(super) fn vcc_is_zero(&mut self) -> Value {
        let lo = self.sreg(SReg::VCC_LO);
        let vcc = match self.launch.wave {
            WaveSize::W32 => lo,
            WaveSize::W64 => {
                let hi = self.sreg(SReg::VCC_HI);
                self.b.pack(lo, hi)
            }
        };
        self.is_zero(vcc)
    }

    /// Whether an I32 or I64 is zero.
    pub(super) fn is_zero(&mut self, value: Value) -> Value {
        let kind: Kind = self.b.ty(value).kind;
        let zero = self.b.zero(kind);
        self.b.eq(value, zero)
    }
}

/// What a source that names an aperture of FLAT holds, as 64 bits.
fn aperture(special: Special) -> Option<u64> {
    let (high, low) = match special {
        Special::SharedBase => (SHARED_APERTURE, 0),
        Special::SharedLimit => (SHARED_APERTURE, u32::MAX),
        Special::PrivateBase => (PRIVATE_APERTURE, 0),
        Special::PrivateLimit => (PRIVATE_APERTURE, u32::MAX),
        Special::Scc
        | Special::Vccz
        | Special::Execz
        | Special::PopsExitingWaveId
        | Special::LdsDirect => return None,
    };
    Some(u64::from(high) << 32 | u64::from(low))
}

/// The scalar register `n` codes on.
pub(super) fn scalar_at(reg: SReg, n: u8) -> Result<SReg, Reason> {
    reg.offset(n).ok_or(Reason::RegisterRange)
}

/// The vector register `i` on.
pub(super) fn vector_at(n: u8, i: u32) -> Result<u8, Reason> {
    u8::try_from(u32::from(n) + i).map_err(|_| Reason::RegisterRange)
}

//! Hardware registers of S_GETREG and S_SETREG: MODE, which is tracked at translate time; the apertures
//! of FLAT, which are constants; FLAT_SCRATCH, whose value nothing here depends on. The others tell of the guest's device, or of state
//! that the host does not keep: they are refused by name.

use spirdna_isa::launch::{Mode, PRIVATE_APERTURE, SHARED_APERTURE};
use spirdna_isa::{Inst, Operand, hwreg_name};

use super::Lift;
use super::flow::{denorm, round};
use crate::error::Reason;
use crate::ir::Const;

const HW_MODE: u32 = 1;
const HW_SH_MEM_BASES: u32 = 15;
const HW_FLAT_SCR_LO: u32 = 20;
const HW_FLAT_SCR_HI: u32 = 21;
const DX10_CLAMP: u32 = 1 << 8;
const IEEE: u32 = 1 << 9;
const FP16_OVFL: u32 = 1 << 23;
/// The float fields; the others enable exceptions and the like.
const FLOAT: u32 = 0xff | DX10_CLAMP | IEEE | FP16_OVFL;

/// A field of a hardware register, as SIMM16 says.
struct Field {
    id: u32,
    at: u32,
    mask: u32,
}

/// MODE as the register holds it.
fn word(m: Mode) -> u32 {
    let flag = |on: bool, bit: u32| if on { bit } else { 0 };
    m.round32 as u32
        | (m.round16_64 as u32) << 2
        | (m.denorm32 as u32) << 4
        | (m.denorm16_64 as u32) << 6
        | flag(m.dx10_clamp, DX10_CLAMP)
        | flag(m.ieee, IEEE)
        | flag(m.fp16_ovfl, FP16_OVFL)
}

impl Lift<'_> {
    fn hw_field(&self, inst: &Inst) -> Result<Field, Reason> {
        let (Operand::Imm(imm), _) = self.src(inst, 0)? else {
            return Err(Reason::Operand("hardware register"));
        };
        let imm = imm as u32;
        let size = (imm >> 11 & 31) + 1;
        let field = Field {
            id: imm & 63,
            at: imm >> 6 & 31,
            mask: u32::MAX >> (32 - size),
        };
        Ok(field)
    }

    fn no_hw_reg(&self, field: &Field) -> Reason {
        match hwreg_name(field.id as u16, self.launch.target) {
            Some(name) => Reason::HardwareRegister(name),
            None => Reason::Operand("hardware register"),
        }
    }

    /// A field of MODE: a constant here.
    pub(super) fn get_reg(&mut self, inst: &Inst) -> Result<(), Reason> {
        let field = self.hw_field(inst)?;
        let register = match field.id {
            HW_MODE => word(self.mode),
            HW_SH_MEM_BASES => PRIVATE_APERTURE >> 16 | SHARED_APERTURE & 0xffff_0000,
            _ => return Err(self.no_hw_reg(&field)),
        };
        let bits = register >> field.at & field.mask;
        let x = self.b.const32(bits);
        let reg = self.scalar_dst(inst, 0)?;
        self.set_sreg(reg, x);
        Ok(())
    }

    /// A field of MODE from a value that is known at translate time.
    pub(super) fn set_reg(&mut self, inst: &Inst) -> Result<(), Reason> {
        let field = self.hw_field(inst)?;
        match field.id {
            HW_MODE => {}
            // Each lane's scratch is its own, whatever this says.
            HW_FLAT_SCR_LO | HW_FLAT_SCR_HI => return Ok(()),
            _ => return Err(self.no_hw_reg(&field)),
        }
        let x = self.src32(inst, 1)?;
        let Some(Const::I32(x)) = self.b.as_const(x) else {
            return Err(Reason::Operand("value of MODE, unknown at translate time,"));
        };
        let mask = field.mask << field.at;
        let w = word(self.mode) & !mask | x << field.at & mask;
        if w & !FLOAT != 0 {
            return Err(Reason::Operand("value of MODE beyond its float fields"));
        }
        self.mode = Mode {
            round32: round(w as u16 & 3),
            round16_64: round(w as u16 >> 2 & 3),
            denorm32: denorm(w as u16 >> 4 & 3),
            denorm16_64: denorm(w as u16 >> 6 & 3),
            ieee: w & IEEE != 0,
            dx10_clamp: w & DX10_CLAMP != 0,
            fp16_ovfl: w & FP16_OVFL != 0,
        };
        Ok(())
    }
}

//! Sources of VALU instructions with their modifiers: DPP, SDWA selects, op_sel, abs and neg.

use spirdna_isa::{Operand, Sdwa, SdwaSel, Ty};

use super::super::Lift;
use super::Vop;
use crate::error::Reason;
use crate::ir::Value;

impl Lift<'_> {
    /// Source `i` of at most 32 bits as I32: a 16-bit source in the low half with the upper half zero,
    /// abs and neg applied where the type is a float.
    pub(super) fn vsrc32(&mut self, v: &Vop<'_>, i: usize) -> Result<Value, Reason> {
        let source = self.src(v.inst, i)?;
        // A constant in the 32 bits that the unit sees, from which a half is selected.
        let x = match source.0 {
            Operand::V(n) => self.vreg(n),
            Operand::S(reg) => self.sreg(reg),
            Operand::Int(n) => self.b.const32(i32::from(n) as u32),
            Operand::Literal(word) => self.b.const32(word),
            _ => self.read32(source)?,
        };
        if v.plain && source.1.bits() != Some(16) {
            return Ok(x);
        }
        Ok(self.vsrc32_of(v, i, source, x))
    }

    /// Source `i`, an operand that reads `x`, with its lanes, selects and sign modifiers.
    pub(super) fn vsrc32_of(
        &mut self,
        v: &Vop<'_>,
        i: usize,
        (operand, ty): (Operand, Ty),
        x: Value,
    ) -> Value {
        let x = self.across(v, i, operand, x);
        let x = match v.mods.sdwa {
            Some(sdwa) if i < 2 => self.sdwa_select(sdwa, i, x, ty),
            _ if ty.bits() == Some(16) => {
                let high = v.mods.op_sel >> i & 1 == 1;
                if high {
                    self.b.shr_by(x, 16)
                } else {
                    self.b.and32(x, 0xffff)
                }
            }
            _ => x,
        };
        self.sign_mods(v, i, ty, x)
    }

    /// Source `i` as 32 bits without selects or sign modifiers: what packed instructions take apart.
    pub(super) fn vraw32(&mut self, v: &Vop<'_>, i: usize) -> Result<Value, Reason> {
        let source = self.src(v.inst, i)?;
        let x = self.read32(source)?;
        Ok(self.across(v, i, source.0, x))
    }

    /// What the lanes read of a source: with DPP source 0 comes from another one.
    fn across(&mut self, v: &Vop<'_>, i: usize, operand: Operand, x: Value) -> Value {
        match (&v.dpp, i, operand) {
            (Some(dpp), 0, Operand::V(_)) => self.dpp_fetch(dpp, x),
            _ => x,
        }
    }

    /// Source `i` of 64 bits as I64.
    pub(super) fn vsrc64(&mut self, v: &Vop<'_>, i: usize) -> Result<Value, Reason> {
        if v.dpp.is_some() || v.mods.sdwa.is_some() {
            return Err(Reason::Modifier("DPP or SDWA on 64 bits"));
        }
        let (operand, ty) = self.src(v.inst, i)?;
        let x = self.read64((operand, ty))?;
        if ty != Ty::F64 || (v.mods.abs | v.mods.neg) >> i & 1 == 0 {
            return Ok(x);
        }
        let (lo, hi) = (self.b.lo(x), self.b.hi(x));
        let hi = self.sign_bits(v, i, hi, 0x8000_0000);
        Ok(self.b.pack(lo, hi))
    }

    fn sign_mods(&mut self, v: &Vop<'_>, i: usize, ty: Ty, x: Value) -> Value {
        // By width: V_CNDMASK_B32 takes them on words without a type. Rows that take none have been asked.
        match ty.bits() {
            Some(16) => self.sign_bits(v, i, x, 0x8000),
            Some(32) if i < 3 => self.sign_bits(v, i, x, 0x8000_0000),
            _ => x,
        }
    }

    fn sign_bits(&mut self, v: &Vop<'_>, i: usize, x: Value, sign: u32) -> Value {
        let x = if v.mods.abs >> i & 1 == 1 {
            self.b.and32(x, !sign)
        } else {
            x
        };
        if v.mods.neg >> i & 1 == 1 {
            let sign = self.b.const32(sign);
            self.b.xor(x, sign)
        } else {
            x
        }
    }

    fn sdwa_select(&mut self, sdwa: Sdwa, i: usize, x: Value, ty: Ty) -> Value {
        let (sel, sext) = if i == 0 {
            (sdwa.src0, sdwa.src0_sext)
        } else {
            (sdwa.src1, sdwa.src1_sext)
        };
        let (at, n) = sel_bits(sel);
        let x = if sext {
            self.b.field_s(x, at, n)
        } else {
            self.b.field_u(x, at, n)
        };
        // A 16-bit operation sees 16 bits of what was selected.
        if ty.bits() == Some(16) {
            self.b.and32(x, 0xffff)
        } else {
            x
        }
    }
}

/// First bit and number of bits of an SDWA select.
pub(super) const fn sel_bits(sel: SdwaSel) -> (u32, u32) {
    match sel {
        SdwaSel::Byte0 => (0, 8),
        SdwaSel::Byte1 => (8, 8),
        SdwaSel::Byte2 => (16, 8),
        SdwaSel::Byte3 => (24, 8),
        SdwaSel::Word0 => (0, 16),
        SdwaSel::Word1 => (16, 16),
        SdwaSel::Dword => (0, 32),
    }
}

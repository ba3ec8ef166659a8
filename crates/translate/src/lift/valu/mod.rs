//! Vector ALU: dispatch by meaning. Operands with their modifiers come from `source`, results go through
//! `result`; the other files hold the arithmetic by theme.

mod compare;
mod convert;
mod division;
mod dot;
mod dpp;
mod float;
mod int;
mod lanes;
mod packed;
mod relative;
mod result;
mod source;
mod trig;

use spirdna_isa::{Cvt, Encoding, Ext, Inst, Omod, RowFlags, Sem, Ty, Valu, ValuMods};

use super::Lift;
use crate::error::Reason;
use crate::ir::Value;
use dpp::DppLanes;

/// An instruction being lifted: its modifiers, the lanes it may write, and its cross-lane source.
struct Vop<'i> {
    inst: &'i Inst,
    mods: ValuMods,
    /// Lanes that the instruction writes: active, and not masked off by DPP.
    lanes: Value,
    dpp: Option<DppLanes>,
    /// Whole words go in and out as they are: no DPP, SDWA, abs and neg.
    plain: bool,
}

impl Lift<'_> {
    /// A vector ALU instruction.
    pub(super) fn valu(&mut self, inst: &Inst, sem: Valu) -> Result<(), Reason> {
        let long = matches!(inst.encoding(), Encoding::Vop3 | Encoding::Vop3p);
        // The short encodings have modifiers in an extension word only.
        let mods = if long || inst.ext() != Ext::None {
            let mods = inst.valu_mods();
            check_modifiers(inst, &mods)?;
            mods
        } else {
            ValuMods::default()
        };
        let active = self.active();
        let (lanes, dpp) = match mods.dpp {
            None => (active, None),
            Some(dpp) => {
                let dpp = self.dpp_lanes(dpp);
                let lanes = self.b.and(active, dpp.written);
                (lanes, Some(dpp))
            }
        };
        let v = Vop {
            inst,
            lanes,
            plain: mods.dpp.is_none() && mods.sdwa.is_none() && mods.abs | mods.neg == 0,
            mods,
            dpp,
        };
        match sem {
            Valu::Nop => Ok(()),
            Valu::Mov => {
                let x = self.vsrc32(&v, 0)?;
                self.set_vdst(&v, 0, x)
            }
            Valu::ReadFirstLane => self.v_readfirstlane(&v),
            Valu::ReadLane => self.v_readlane(&v),
            Valu::WriteLane => self.v_writelane(&v),
            Valu::Swap => self.v_swap(&v),
            Valu::PermLane16 => self.v_permlane16(&v, false),
            Valu::PermLaneX16 => self.v_permlane16(&v, true),
            Valu::SwapRel | Valu::MovRelS | Valu::MovRelD | Valu::MovRelSd | Valu::MovRelSd2 => {
                self.v_relative(&v, sem)
            }
            Valu::Cndmask => {
                let (x, y) = (self.vsrc32(&v, 0)?, self.vsrc32(&v, 1)?);
                let mask = self.src(inst, 2)?;
                let mask = self.read_mask(mask)?;
                let take = self.b.lane_bit(mask);
                let x = self.b.select(take, y, x);
                self.set_vdst(&v, 0, x)
            }
            Valu::FUnary(op, ty) => self.v_float_unary(&v, op, ty),
            Valu::FBinary(op, ty) => self.v_float_binary(&v, op, ty),
            Valu::FTernary(op, ty) => self.v_float_ternary(&v, op, ty),
            Valu::DivScale(ty) => self.v_div_scale(&v, ty),
            Valu::TrigPreop => self.v_trig_preop(&v),
            Valu::Cvt(cvt) => self.v_convert(&v, cvt),
            Valu::IUnary(op) => self.v_int_unary(&v, op),
            Valu::IBinary(op) => self.v_int_binary(&v, op),
            Valu::ITernary(op) => self.v_int_ternary(&v, op),
            Valu::AddCo
            | Valu::SubCo
            | Valu::SubRevCo
            | Valu::AddCi
            | Valu::SubCi
            | Valu::SubRevCi => self.v_carry(&v, sem),
            Valu::Mad64(sign) => self.v_mad64(&v, sign),
            Valu::Packed(op) => self.v_packed(&v, op),
            Valu::Dot(op) => self.v_dot(&v, op),
            Valu::FmaMix(dst) => self.v_fma_mix(&v, dst),
            Valu::Cmp { cond, ty, exec: _ } => self.v_compare(&v, cond, ty),
            Valu::CmpClass { ty, exec: _ } => self.v_class(&v, ty),
        }
    }
}

/// Refuses modifiers that the row does not take.
fn check_modifiers(inst: &Inst, mods: &ValuMods) -> Result<(), Reason> {
    let flags = inst.flags();
    let set = |sources: [RowFlags; 3]| {
        sources
            .iter()
            .enumerate()
            .fold(0u8, |s, (i, &f)| s | u8::from(flags.contains(f)) << i)
    };
    let abs = set([RowFlags::ABS0, RowFlags::ABS1, RowFlags::ABS2]);
    let neg = set([RowFlags::NEG0, RowFlags::NEG1, RowFlags::NEG2]);
    if mods.abs & !abs != 0 {
        return Err(Reason::Modifier("abs"));
    }
    if (mods.neg | mods.neg_hi) & !neg != 0 {
        return Err(Reason::Modifier("neg"));
    }
    if mods.clamp && !flags.contains(RowFlags::CLAMP) {
        return Err(Reason::Modifier("clamp"));
    }
    if mods.omod != Omod::None && !flags.contains(RowFlags::OMOD) {
        return Err(Reason::Modifier("omod"));
    }
    if flags.contains(RowFlags::OPSEL) {
        let half = |ty: Option<Ty>| ty.and_then(Ty::bits) == Some(16);
        let sources = inst.srcs().take(3).enumerate();
        for (i, (_, ty)) in sources {
            if mods.op_sel >> i & 1 == 1 && !half(Some(ty)) {
                return Err(Reason::Modifier("op_sel of a source that is no half"));
            }
        }
        let whole = matches!(inst.sem(), Sem::Valu(Valu::Cvt(Cvt::SatPkU8FromI16)));
        let result = inst.dst(0).map(|(_, ty)| ty);
        if mods.op_sel & 8 != 0 && (whole || !half(result)) {
            return Err(Reason::Modifier("op_sel of a result that is no half"));
        }
    }
    Ok(())
}

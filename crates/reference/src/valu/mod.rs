//! The vector ALU: what VOP1, VOP2, VOPC, VOP3 and VOP3P instructions do to a wave.
//!
//! An instruction runs lane by lane: [`operand`] fetches sources (with DPP, SDWA, halves and sign
//! modifiers), one of the theme files computes, [`result`] writes what the lanes gave after all of them
//! were computed. Instructions that cross lanes or pick registers by M0 are in [`lanes`]. Knows no
//! scheduling, no memory and no encoding.

mod compare;
mod convert;
mod dot;
mod dpp;
mod float_ops;
mod int;
mod lanes;
mod operand;
mod packed;
mod result;
mod sdwa;

use spirdna_isa::{Cvt, FloatTy, Inst, MixDst, Omod, Operand, RowFlags, Sem, Ty, Valu};

use crate::error::ExecError;
use crate::state::Wave;

use operand::{Lane, Operands};
use result::{Out, Place};

/// Executes a vector ALU instruction.
///
/// # Errors
/// A typed refusal where the instruction is no vector ALU instruction, carries a modifier that its row
/// does not take, or has no exact meaning here; register errors of the operands.
pub fn execute(wave: &mut Wave, inst: &Inst) -> Result<(), ExecError> {
    let valu = match inst.sem() {
        Sem::Valu(valu) => valu,
        Sem::Interp(_) => {
            return Err(wave.refuse("interpolation needs a primitive, which a compute wave lacks"));
        }
        Sem::Salu(_)
        | Sem::Flow(_)
        | Sem::Smem(_)
        | Sem::Ds(_)
        | Sem::Buffer(_)
        | Sem::Flat(_)
        | Sem::Image(_)
        | Sem::Export => return Err(wave.refuse("not a vector ALU instruction")),
    };
    check_modifiers(wave, inst)?;
    match valu {
        Valu::Nop => Ok(()),
        Valu::ReadFirstLane => lanes::read_first_lane(wave, inst),
        Valu::ReadLane => lanes::read_lane(wave, inst),
        Valu::WriteLane => lanes::write_lane(wave, inst),
        Valu::Swap => lanes::swap(wave, inst, false),
        Valu::SwapRel => lanes::swap(wave, inst, true),
        Valu::MovRelS => lanes::mov_relative(wave, inst, lanes::Indices::Source),
        Valu::MovRelD => lanes::mov_relative(wave, inst, lanes::Indices::Destination),
        Valu::MovRelSd => lanes::mov_relative(wave, inst, lanes::Indices::Both),
        Valu::MovRelSd2 => lanes::mov_relative(wave, inst, lanes::Indices::Fields),
        Valu::PermLane16 => lanes::perm_lane16(wave, inst, false),
        Valu::PermLaneX16 => lanes::perm_lane16(wave, inst, true),
        Valu::Mov => each(wave, inst, |l| Ok(l.get(0)?.into())),
        Valu::Cndmask => each(wave, inst, |l| {
            let taken = usize::from(l.mask_bit(2)?);
            Ok(l.get(taken)?.into())
        }),
        Valu::FUnary(op, ty) => each(wave, inst, |l| float_ops::unary(l, op, ty)),
        Valu::FBinary(op, ty) => each(wave, inst, |l| float_ops::binary(l, op, ty)),
        Valu::FTernary(op, ty) => each(wave, inst, |l| float_ops::ternary(l, op, ty)),
        Valu::DivScale(ty) => each(wave, inst, |l| float_ops::div_scale(l, ty)),
        Valu::TrigPreop => each(wave, inst, |l| {
            let bits = crate::float::trig_preop(l.get(0)?, l.get(1)? as u32, l.mode());
            Ok(l.finish(FloatTy::F64, bits).into())
        }),
        Valu::Cvt(op) => each(wave, inst, |l| convert::convert(l, op)),
        Valu::IUnary(op) => each(wave, inst, |l| Ok(int::unary(op, l.get(0)? as u32).into())),
        Valu::IBinary(op) => each(wave, inst, |l| int::binary(l, op)),
        Valu::ITernary(op) => each(wave, inst, |l| int::ternary(l, op)),
        Valu::AddCo => each(wave, inst, |l| int::carry(l, int::Carry::Add, false)),
        Valu::SubCo => each(wave, inst, |l| int::carry(l, int::Carry::Sub, false)),
        Valu::SubRevCo => each(wave, inst, |l| int::carry(l, int::Carry::SubRev, false)),
        Valu::AddCi => each(wave, inst, |l| int::carry(l, int::Carry::Add, true)),
        Valu::SubCi => each(wave, inst, |l| int::carry(l, int::Carry::Sub, true)),
        Valu::SubRevCi => each(wave, inst, |l| int::carry(l, int::Carry::SubRev, true)),
        Valu::Mad64(sign) => each(wave, inst, |l| int::mad64(l, sign)),
        Valu::Packed(op) => each(wave, inst, |l| packed::packed(l, op)),
        Valu::Dot(op) => each(wave, inst, |l| dot::dot(l, op)),
        Valu::FmaMix(dst) => each(wave, inst, |l| packed::fma_mix(l, dst)),
        Valu::Cmp { cond, ty, exec: _ } => each(wave, inst, |l| compare::compare(l, cond, ty)),
        Valu::CmpClass { ty, exec: _ } => each(wave, inst, |l| compare::class(l, ty)),
    }
}

/// Runs a lane's meaning for every lane that is active and has its sources, then writes.
fn each(
    wave: &mut Wave,
    inst: &Inst,
    run: impl Fn(&Lane<'_>) -> Result<Out, ExecError>,
) -> Result<(), ExecError> {
    let outs = compute(&Operands::new(wave, inst)?, run)?;
    result::write(wave, inst, inst.dst(0), place(inst), &outs)
}

/// What each such lane gives.
fn compute(
    operands: &Operands<'_>,
    run: impl Fn(&Lane<'_>) -> Result<Out, ExecError>,
) -> Result<Vec<(usize, Out)>, ExecError> {
    let mut outs = Vec::new();
    for lane in operands.wave().active_lanes() {
        if let Some(l) = operands.lane(lane)? {
            outs.push((lane, run(&l)?));
        }
    }
    Ok(outs)
}

/// Where in its register a result goes.
fn place(inst: &Inst) -> Place {
    match inst.sem() {
        Sem::Valu(Valu::FmaMix(MixDst::Lo)) => return Place::Half { hi: false },
        Sem::Valu(Valu::FmaMix(MixDst::Hi)) => return Place::Half { hi: true },
        // Measured: the upper half becomes 0.
        Sem::Valu(Valu::Cvt(Cvt::SatPkU8FromI16)) => return Place::Whole,
        Sem::Salu(_)
        | Sem::Flow(_)
        | Sem::Smem(_)
        | Sem::Valu(_)
        | Sem::Interp(_)
        | Sem::Ds(_)
        | Sem::Buffer(_)
        | Sem::Flat(_)
        | Sem::Image(_)
        | Sem::Export => {}
    }
    match inst.dst(0) {
        Some((_, ty)) if ty.bits() == Some(16) => Place::Half {
            hi: inst.valu_mods().op_sel & 8 != 0,
        },
        Some(_) | None => Place::Whole,
    }
}

/// Refuses modifiers that the row does not take.
fn check_modifiers(wave: &Wave, inst: &Inst) -> Result<(), ExecError> {
    let mods = inst.valu_mods();
    let flags = inst.flags();
    let set = |sources: [RowFlags; 3]| {
        sources
            .iter()
            .enumerate()
            .fold(0u8, |s, (i, &f)| s | u8::from(flags.contains(f)) << i)
    };
    let abs = set([RowFlags::ABS0, RowFlags::ABS1, RowFlags::ABS2]);
    let neg = set([RowFlags::NEG0, RowFlags::NEG1, RowFlags::NEG2]);
    let refuse = |what: &str| Err(wave.refuse(format!("{what} on a row that does not take it")));
    if mods.abs & !abs != 0 {
        return refuse("abs");
    }
    if mods.neg & !neg != 0 || mods.neg_hi & !neg != 0 {
        return refuse("neg");
    }
    if mods.clamp && !flags.contains(RowFlags::CLAMP) {
        return refuse("clamp");
    }
    if mods.omod != Omod::None && !flags.contains(RowFlags::OMOD) {
        return refuse("omod");
    }
    if flags.contains(RowFlags::OPSEL) {
        for (i, (_, ty)) in inst.srcs().enumerate() {
            if i < 3 && mods.op_sel >> i & 1 == 1 && ty.bits() != Some(16) {
                return refuse("op_sel of a source that is no half");
            }
        }
        let half_result = inst.dst(0).is_some_and(|(_, ty)| ty.bits() == Some(16));
        if mods.op_sel & 8 != 0 && (!half_result || matches!(place(inst), Place::Whole)) {
            return refuse("op_sel of a result that is no half");
        }
    }
    Ok(())
}

/// The operand's bits where it is a constant, as the 32 bits that the unit sees: what OP_SEL and SDWA
/// then select from.
fn constant32(operand: Operand, ty: Ty) -> Option<u32> {
    match operand {
        Operand::Int(i) => Some(i32::from(i) as u32),
        Operand::Literal(l) => Some(l),
        Operand::Float(_) | Operand::Imm(_) => operand.constant_bits(ty).map(|b| b as u32),
        Operand::S(_) | Operand::V(_) | Operand::Special(_) | Operand::Off => None,
    }
}

//! Instructions that cross lanes, ignore EXEC, or pick registers by M0.

use spirdna_isa::{Inst, Operand, Ty};

use super::operand::Operands;
use super::result::{self, Place};
use super::{compute, each};
use crate::error::ExecError;
use crate::state::Wave;

fn source(wave: &Wave, inst: &Inst, i: usize) -> Result<(Operand, Ty), ExecError> {
    inst.src(i)
        .ok_or_else(|| wave.refuse("a source that its row does not list"))
}

fn destination(wave: &Wave, inst: &Inst) -> Result<(Operand, Ty), ExecError> {
    inst.dst(0)
        .ok_or_else(|| wave.refuse("a row without a destination"))
}

fn register(wave: &Wave, operand: Operand) -> Result<u8, ExecError> {
    match operand {
        Operand::V(r) => Ok(r),
        Operand::S(_)
        | Operand::Int(_)
        | Operand::Float(_)
        | Operand::Literal(_)
        | Operand::Special(_)
        | Operand::Imm(_)
        | Operand::Off => Err(wave.refuse(format!("{operand:?} in the place of a VGPR"))),
    }
}

/// Lane number from a scalar, modulo the wave size.
fn lane_number(wave: &Wave, inst: &Inst, i: usize) -> Result<usize, ExecError> {
    let (operand, ty) = source(wave, inst, i)?;
    Ok(wave.scalar(operand, ty)? as usize & (wave.lanes() - 1))
}

/// `V_READFIRSTLANE`: the lowest active lane, or lane 0.
pub(super) fn read_first_lane(wave: &mut Wave, inst: &Inst) -> Result<(), ExecError> {
    let lane = wave.active_lanes().next().unwrap_or(0);
    let (operand, ty) = source(wave, inst, 0)?;
    let value = wave.source(operand, ty, lane)?;
    let (dst, ty) = destination(wave, inst)?;
    wave.write_scalar(dst, ty, value)
}

/// `V_READLANE`.
pub(super) fn read_lane(wave: &mut Wave, inst: &Inst) -> Result<(), ExecError> {
    let lane = lane_number(wave, inst, 1)?;
    let (operand, ty) = source(wave, inst, 0)?;
    let value = wave.source(operand, ty, lane)?;
    let (dst, ty) = destination(wave, inst)?;
    wave.write_scalar(dst, ty, value)
}

/// `V_WRITELANE`.
pub(super) fn write_lane(wave: &mut Wave, inst: &Inst) -> Result<(), ExecError> {
    let lane = lane_number(wave, inst, 1)?;
    let (operand, ty) = source(wave, inst, 0)?;
    let value = wave.scalar(operand, ty)?;
    let (dst, ty) = destination(wave, inst)?;
    wave.write_vector(dst, ty, lane, value)
}

/// The register `by` after `base`; `None` past the last one of the wave.
fn relative(wave: &Wave, base: u8, by: u32) -> Option<u8> {
    let at = u64::from(base) + u64::from(by);
    u8::try_from(at)
        .ok()
        .filter(|_| at < u64::from(wave.vgpr_count()))
}

/// Bits 9:0 and 25:16 of M0: the indices of sources and of destinations.
fn index_fields(m0: u32) -> (u32, u32) {
    (m0 & 0x3ff, m0 >> 16 & 0x3ff)
}

/// `V_SWAP` and, by M0, `V_SWAPREL`.
pub(super) fn swap(wave: &mut Wave, inst: &Inst, by_m0: bool) -> Result<(), ExecError> {
    let mut a = register(wave, destination(wave, inst)?.0)?;
    let mut b = register(wave, source(wave, inst, 0)?.0)?;
    let (by_source, by_destination) = if by_m0 {
        index_fields(wave.m0())
    } else {
        (0, 0)
    };
    if by_m0 {
        // A plain swap names its registers.
        let (Some(x), Some(y)) = (
            relative(wave, a, by_destination),
            relative(wave, b, by_source),
        ) else {
            return Err(wave.refuse("a relative register past the last one"));
        };
        (a, b) = (x, y);
    }
    for lane in wave.active_lanes() {
        let (x, y) = (wave.vgpr(a, lane), wave.vgpr(b, lane));
        wave.set_vgpr(a, lane, y);
        wave.set_vgpr(b, lane, x);
    }
    Ok(())
}

/// Which registers of a relative move M0 indexes.
#[derive(Clone, Copy)]
pub(super) enum Indices {
    /// The source, by all of M0.
    Source,
    /// The destination.
    Destination,
    /// Both, by the same.
    Both,
    /// Each by a field of its own.
    Fields,
}

/// `V_MOVREL*`. A destination past the wave's registers is left alone (measured past v255), a source past
/// them reads v0 (manual).
pub(super) fn mov_relative(
    wave: &mut Wave,
    inst: &Inst,
    indices: Indices,
) -> Result<(), ExecError> {
    let m0 = wave.m0();
    let (by_source, by_destination) = match indices {
        Indices::Source => (m0, 0),
        Indices::Destination => (0, m0),
        Indices::Both => (m0, m0),
        Indices::Fields => index_fields(m0),
    };
    let (dst, ty) = destination(wave, inst)?;
    let Some(dst) = relative(wave, register(wave, dst)?, by_destination) else {
        return Ok(());
    };
    let mut operands = Operands::new(wave, inst)?;
    if by_source != 0 {
        let base = register(wave, source(wave, inst, 0)?.0)?;
        let from = relative(wave, base, by_source).unwrap_or(0);
        operands.replace(0, from);
    }
    let outs = compute(&operands, |l| Ok(l.get(0)?.into()))?;
    result::write(wave, inst, Some((Operand::V(dst), ty)), Place::Whole, &outs)
}

/// `V_PERMLANE16`: each lane of a row of 16 reads the lane that its nibble of the two scalars selects,
/// in its own row or, with `other`, in the other row of its 32 lanes. OP_SEL bit 0 reads disabled
/// lanes; without it they give 0 with bit 1, else the result stays.
pub(super) fn perm_lane16(wave: &mut Wave, inst: &Inst, other: bool) -> Result<(), ExecError> {
    let op_sel = inst.valu_mods().op_sel;
    let (fetch_inactive, bound_ctrl) = (op_sel & 1 != 0, op_sel & 2 != 0);
    let from = register(wave, source(wave, inst, 0)?.0)?;
    let scalar = |i| -> Result<u64, ExecError> {
        let (operand, ty) = source(wave, inst, i)?;
        wave.scalar(operand, ty)
    };
    let selects = scalar(1)? | scalar(2)? << 32;
    let old = register(wave, destination(wave, inst)?.0)?;
    let pick = |lane: usize| {
        let select = (selects >> (4 * (lane & 15)) & 15) as usize;
        let row = lane & !15;
        let lane_from = (if other { row ^ 16 } else { row }) | select;
        if fetch_inactive || wave.active(lane_from) {
            wave.vgpr(from, lane_from)
        } else if bound_ctrl {
            0
        } else {
            wave.vgpr_raw(old, lane)
        }
    };
    let picked: Vec<(usize, u32)> = wave.active_lanes().map(|l| (l, pick(l))).collect();
    each(wave, inst, |l| {
        let found = picked.iter().find(|(lane, _)| *lane == l.number());
        Ok(found.map_or(0, |&(_, bits)| bits).into())
    })
}

//! What plain memory instructions move for a lane: sizes, sign extension, halves. Knows no address
//! and no format.

use spirdna_isa::{Inst, MemData, Operand};

use crate::error::ExecError;
use crate::state::Wave;

/// The most bytes that a lane moves.
pub(crate) const MAX_BYTES: usize = 16;

/// Bytes of an unformatted access; `None` for formatted ones.
pub(crate) fn bytes(data: MemData) -> Option<usize> {
    match data {
        MemData::U8 | MemData::I8 | MemData::D16U8 { .. } | MemData::D16I8 { .. } => Some(1),
        MemData::U16 | MemData::I16 | MemData::D16B16 { .. } => Some(2),
        MemData::Dwords(n) => Some(usize::from(n) * 4),
        MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi => None,
    }
}

/// The bytes as dwords; missing bytes are 0.
pub(crate) fn dwords(bytes: &[u8]) -> [u32; MAX_BYTES / 4] {
    let mut all = [0; MAX_BYTES];
    for (a, &b) in all.iter_mut().zip(bytes) {
        *a = b;
    }
    let mut out = [0; MAX_BYTES / 4];
    for (o, c) in out.iter_mut().zip(all.chunks_exact(4)) {
        *o = c.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
    }
    out
}

/// Writes what was loaded to the registers from `reg` on.
pub(crate) fn write_loaded(
    wave: &mut Wave,
    reg: u8,
    lane: usize,
    data: MemData,
    bytes: &[u8],
) -> Result<(), ExecError> {
    let words = dwords(bytes);
    let [first, ..] = words;
    match data {
        MemData::U8 | MemData::U16 => wave.set_vgpr(reg, lane, first),
        MemData::I8 => wave.set_vgpr(reg, lane, first as i8 as u32),
        MemData::I16 => wave.set_vgpr(reg, lane, first as i16 as u32),
        MemData::D16U8 { hi } => wave.set_vgpr_half(reg, lane, hi, u16::from(first as u8)),
        MemData::D16I8 { hi } => wave.set_vgpr_half(reg, lane, hi, first as i8 as u16),
        MemData::D16B16 { hi } => wave.set_vgpr_half(reg, lane, hi, first as u16),
        MemData::Dwords(n) => {
            let (used, _) = words.split_at(usize::from(n).min(words.len()));
            wave.set_vgprs(reg, lane, used)?;
        }
        MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi => {
            return Err(wave.refuse("formatted data without a format"));
        }
    }
    Ok(())
}

/// The bytes to store from the registers from `reg` on, of which [`bytes`] count.
pub(crate) fn read_stored(
    wave: &Wave,
    reg: u8,
    lane: usize,
    data: MemData,
) -> Result<[u8; MAX_BYTES], ExecError> {
    let words = match data {
        MemData::U8
        | MemData::I8
        | MemData::U16
        | MemData::I16
        | MemData::D16U8 { hi: false }
        | MemData::D16I8 { hi: false }
        | MemData::D16B16 { hi: false } => [wave.vgpr(reg, lane), 0, 0, 0],
        MemData::D16U8 { hi: true }
        | MemData::D16I8 { hi: true }
        | MemData::D16B16 { hi: true } => [wave.vgpr(reg, lane) >> 16, 0, 0, 0],
        MemData::Dwords(n) => registers(wave, reg, lane, n)?,
        MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi => {
            return Err(wave.refuse("formatted data without a format"));
        }
    };
    let mut out = [0; MAX_BYTES];
    for (o, w) in out.chunks_exact_mut(4).zip(words) {
        o.copy_from_slice(&w.to_le_bytes());
    }
    Ok(out)
}

/// Up to four registers; those past `n` read as 0.
pub(crate) fn registers(wave: &Wave, reg: u8, lane: usize, n: u8) -> Result<[u32; 4], ExecError> {
    wave.check_vgprs(reg, u32::from(n))?;
    let mut out = [0; 4];
    for ((o, r), _) in out.iter_mut().zip(reg..=u8::MAX).zip(0..n) {
        *o = wave.vgpr(r, lane);
    }
    Ok(out)
}

/// The vector register that an operand names.
pub(crate) fn vector(
    wave: &Wave,
    operand: Option<(Operand, spirdna_isa::Ty)>,
) -> Result<u8, ExecError> {
    match operand {
        Some((Operand::V(r), _)) => Ok(r),
        other => Err(wave.refuse(format!("{other:?} where a vector register stands"))),
    }
}

/// Destination `i` as a vector register.
pub(crate) fn vector_dst(wave: &Wave, inst: &Inst, i: usize) -> Result<u8, ExecError> {
    vector(wave, inst.dst(i))
}

/// Source `i` as a vector register.
pub(crate) fn vector_src(wave: &Wave, inst: &Inst, i: usize) -> Result<u8, ExecError> {
    vector(wave, inst.src(i))
}

/// Source `i`, which the row has.
pub(crate) fn src(
    wave: &Wave,
    inst: &Inst,
    i: usize,
) -> Result<(Operand, spirdna_isa::Ty), ExecError> {
    inst.src(i)
        .ok_or_else(|| wave.refuse(format!("the row lacks source {i}")))
}

/// Destination `i`, which the row has.
pub(crate) fn dst(
    wave: &Wave,
    inst: &Inst,
    i: usize,
) -> Result<(Operand, spirdna_isa::Ty), ExecError> {
    inst.dst(i)
        .ok_or_else(|| wave.refuse(format!("the row lacks destination {i}")))
}

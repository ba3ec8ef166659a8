//! Scalar memory: every meaning of `Smem`. Addresses are in dwords: base, SOFFSET and the immediate
//! each lose their low two bits.

use spirdna_isa::descriptor::BufferDescriptor;
use spirdna_isa::{AtomicOp, Inst, Operand, SReg, Smem, Ty, Width};

use crate::atomic::{self, Operands, Unit};
use crate::data::{dst, src};
use crate::env::{Env, Place};
use crate::error::ExecError;
use crate::state::{Wave, join};

/// Executes a scalar memory instruction.
pub(crate) fn execute(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    smem: Smem,
) -> Result<(), ExecError> {
    match smem {
        Smem::Load(n) => {
            let at = Access::from_base(wave, inst, 0)?;
            load(wave, env, inst, n, at)
        }
        Smem::BufferLoad(n) => {
            let at = Access::from_descriptor(wave, inst, 0)?;
            load(wave, env, inst, n, at)
        }
        Smem::Store(n) => {
            let at = Access::from_base(wave, inst, 1)?;
            store(wave, env, inst, n, at)
        }
        Smem::BufferStore(n) => {
            let at = Access::from_descriptor(wave, inst, 1)?;
            store(wave, env, inst, n, at)
        }
        Smem::Atomic(op, width) => {
            let at = Access::from_base(wave, inst, 1)?;
            read_modify_write(wave, env, inst, op, width, at)
        }
        Smem::BufferAtomic(op, width) => {
            let at = Access::from_descriptor(wave, inst, 1)?;
            read_modify_write(wave, env, inst, op, width, at)
        }
        // Memory is in order here, and there are no caches.
        Smem::Cache => Ok(()),
        Smem::WaveIdInGroup => {
            let (operand, ty) = dst(wave, inst, 0)?;
            wave.write_scalar(operand, ty, u64::from(wave.index()))
        }
        Smem::ScratchLoad(_) | Smem::ScratchStore(_) => Err(wave.refuse("scalar scratch")),
        Smem::MemTime | Smem::MemRealtime => Err(wave.refuse("a clock has no exact value")),
        Smem::AtcProbe => Err(wave.refuse("address translation probe")),
        Smem::Discard => Err(wave.refuse("data cache discard")),
    }
}

/// Base and offset of an access, and the offset from which on it is out of range.
#[derive(Clone, Copy)]
struct Access {
    base: u64,
    offset: u64,
    bound: Option<u64>,
}

impl Access {
    /// Through a 64-bit address in source `i`, with the offset in source `i + 1`.
    fn from_base(wave: &Wave, inst: &Inst, i: usize) -> Result<Access, ExecError> {
        let base = wave.sgpr64(scalar(wave, inst, i)?)?;
        Ok(Access {
            base: base & !3,
            offset: offset(wave, inst, i + 1)?,
            bound: None,
        })
    }

    /// Through a V# in source `i`. Swizzle and thread id do not count.
    fn from_descriptor(wave: &Wave, inst: &Inst, i: usize) -> Result<Access, ExecError> {
        let words = wave.sgprs(scalar(wave, inst, i)?)?;
        let v = BufferDescriptor::from_words(words);
        if v.ty != 0 {
            return Err(wave.refuse("a descriptor that is no buffer"));
        }
        let bytes = match v.stride {
            0 => u64::from(v.num_records),
            stride => u64::from(stride) * u64::from(v.num_records),
        };
        Ok(Access {
            base: v.base & !3,
            offset: offset(wave, inst, i + 1)?,
            bound: Some(bytes),
        })
    }

    /// The place of dword `n`, `None` out of range.
    fn dword(self, n: u32) -> Option<Place> {
        let offset = self.offset + u64::from(n) * 4;
        match self.bound {
            Some(bound) if offset >= bound => None,
            _ => Some(Place::global(self.base.wrapping_add(offset))),
        }
    }
}

/// The register of source `i`.
fn scalar(wave: &Wave, inst: &Inst, i: usize) -> Result<SReg, ExecError> {
    match src(wave, inst, i)? {
        (Operand::S(r), _) => Ok(r),
        _ => Err(wave.refuse("scalar memory without a scalar register")),
    }
}

/// SOFFSET plus the immediate, a multiple of 4. A negative sum is undefined, and refused.
fn offset(wave: &Wave, inst: &Inst, i: usize) -> Result<u64, ExecError> {
    let soffset = match src(wave, inst, i)? {
        (Operand::Off, _) => 0,
        (operand, _) => wave.scalar(operand, Ty::U32)?,
    };
    let sum = (soffset & !3) as i64 + i64::from(inst.mem_mods().offset & !3);
    u64::try_from(sum).map_err(|_| wave.refuse("a negative offset"))
}

fn load(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    dwords: u8,
    at: Access,
) -> Result<(), ExecError> {
    let (Operand::S(to), _) = dst(wave, inst, 0)? else {
        return Err(wave.refuse("scalar load to something else than a register"));
    };
    let mut values = [0; 16];
    let (values, _) = values.split_at_mut(usize::from(dwords).min(16));
    wave.check_sgprs(to, values.len() as u32)?;
    for (n, v) in (0..).zip(values.iter_mut()) {
        if let Some(place) = at.dword(n) {
            let mut bytes = [0; 4];
            env.load(wave, None, place, &mut bytes)?;
            *v = u32::from_le_bytes(bytes);
        }
    }
    wave.set_sgprs(to, values)
}

/// The data registers of source 0.
fn stored(wave: &Wave, inst: &Inst, dwords: u32) -> Result<[u32; 4], ExecError> {
    let from = scalar(wave, inst, 0)?;
    match dwords {
        1 => Ok([wave.sgpr(from), 0, 0, 0]),
        2 => {
            let [a, b] = wave.sgprs(from)?;
            Ok([a, b, 0, 0])
        }
        _ => wave.sgprs(from),
    }
}

fn store(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    dwords: u8,
    at: Access,
) -> Result<(), ExecError> {
    let values = stored(wave, inst, u32::from(dwords))?;
    for (n, v) in (0..u32::from(dwords)).zip(values) {
        if let Some(place) = at.dword(n) {
            env.store(wave, None, place, &v.to_le_bytes())?;
        }
    }
    Ok(())
}

fn read_modify_write(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    op: AtomicOp,
    width: Width,
    at: Access,
) -> Result<(), ExecError> {
    let pair = matches!(op, AtomicOp::CmpSwap | AtomicOp::FCmpSwap);
    let (bytes, dwords) = match width {
        Width::B32 => (4, 1),
        Width::B64 => (8, 2),
    };
    let [a, b, c, d] = stored(wave, inst, if pair { dwords * 2 } else { dwords })?;
    let operands = match width {
        Width::B32 => Operands {
            data: u64::from(a),
            other: u64::from(b),
        },
        Width::B64 => Operands {
            data: join(a, b),
            other: join(c, d),
        },
    };
    let mut old = 0;
    if let Some(place) = at.dword(0) {
        let mut refused = None;
        old = env.atomic(wave, None, place, bytes, |old| {
            match atomic::apply(op, width, old, operands, Unit::Memory) {
                Ok(new) => new,
                Err(reason) => {
                    refused = Some(reason);
                    None
                }
            }
        })?;
        if let Some(reason) = refused {
            return Err(wave.refuse(reason));
        }
    }
    if let Some((operand, ty)) = inst.dst(0) {
        wave.write_scalar(operand, ty, old)?;
    }
    Ok(())
}

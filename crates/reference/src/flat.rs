//! FLAT, GLOBAL and SCRATCH: every meaning of `Flat`.
//!
//! FLAT addresses in the apertures lead to LDS and to the lane's scratch. SCRATCH offsets count in
//! the lane's own scratch; FLAT_SCRATCH says where that lies in memory and cannot be seen here.

use spirdna_isa::{Encoding, Flat, Inst, MemData, Operand, Target, Ty, Width};

use crate::atomic::Unit;
use crate::buffer::{memory_atomic, memory_operands, return_old};
use crate::data::{self, src, vector_dst, vector_src};
use crate::env::{Env, Place};
use crate::error::ExecError;
use crate::memory::AddressSpace;
use crate::state::Wave;

/// Executes an instruction of the FLAT family.
pub(crate) fn execute(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    flat: Flat,
) -> Result<(), ExecError> {
    if inst.mem_mods().lds {
        return Err(wave.refuse("load to LDS"));
    }
    match flat {
        Flat::Load(data) => {
            let to = vector_dst(wave, inst, 0)?;
            let bytes = plain_bytes(wave, data)?;
            let base = Base::of(wave, inst, 0, 1)?;
            for lane in wave.active_lanes() {
                let place = base.place(wave, lane)?;
                let mut raw = [0; data::MAX_BYTES];
                let (used, _) = raw.split_at_mut(bytes);
                env.load(wave, Some(lane), place, used)?;
                data::write_loaded(wave, to, lane, data, used)?;
            }
            Ok(())
        }
        Flat::Store(data) => {
            let from = vector_src(wave, inst, 1)?;
            let bytes = plain_bytes(wave, data)?;
            let base = Base::of(wave, inst, 0, 2)?;
            for lane in wave.active_lanes() {
                let place = base.place(wave, lane)?;
                let raw = data::read_stored(wave, from, lane, data)?;
                let (used, _) = raw.split_at(bytes);
                env.store(wave, Some(lane), place, used)?;
            }
            Ok(())
        }
        Flat::Atomic(op, width) => {
            let from = vector_src(wave, inst, 1)?;
            let base = Base::of(wave, inst, 0, 2)?;
            for lane in wave.active_lanes() {
                let place = base.place(wave, lane)?;
                let unit = match place.space {
                    AddressSpace::Lds => Unit::Lds(wave.mode),
                    AddressSpace::Global => Unit::Memory,
                    AddressSpace::Scratch | AddressSpace::Gds => {
                        return Err(wave.refuse("a FLAT atomic in the scratch aperture"));
                    }
                };
                let operands = memory_operands(wave, from, lane, op, width)?;
                let bytes = if width == Width::B32 { 4 } else { 8 };
                // Out of range the LDS gives 0 and keeps what it has.
                let inside = place.address.saturating_add(bytes) <= env.lds.bytes.len() as u64;
                let old = if place.space == AddressSpace::Global || inside {
                    memory_atomic(wave, env, lane, place, op, width, operands, unit)?
                } else {
                    0
                };
                return_old(wave, inst, lane, width, old)?;
            }
            Ok(())
        }
        Flat::LoadAddTid => {
            let to = vector_dst(wave, inst, 0)?;
            let base = add_tid_base(wave, inst, 0)?;
            for lane in wave.active_lanes() {
                let mut raw = [0; 4];
                env.load(wave, Some(lane), base.offset(lane as u64 * 4), &mut raw)?;
                wave.set_vgpr(to, lane, u32::from_le_bytes(raw));
            }
            Ok(())
        }
        Flat::StoreAddTid => {
            let from = vector_src(wave, inst, 0)?;
            let base = add_tid_base(wave, inst, 1)?;
            for lane in wave.active_lanes() {
                let raw = wave.vgpr(from, lane).to_le_bytes();
                env.store(wave, Some(lane), base.offset(lane as u64 * 4), &raw)?;
            }
            Ok(())
        }
    }
}

/// What all lanes share of an address, and the VGPRs that they add.
#[derive(Clone, Copy)]
struct Base {
    encoding: Encoding,
    vaddr: Option<(u8, Ty)>,
    saddr: u64,
    offset: i64,
}

impl Base {
    fn of(wave: &Wave, inst: &Inst, vaddr: usize, saddr: usize) -> Result<Base, ExecError> {
        let encoding = inst.encoding();
        let offset = inst.mem_mods().offset;
        if encoding == Encoding::Flat && offset != 0 && inst.target() != Target::Gfx1030 {
            // Silicon of gfx10.1 ignores it; compilers never use it there.
            return Err(wave.refuse("a FLAT offset on gfx10.1"));
        }
        let vaddr = match src(wave, inst, vaddr)? {
            (Operand::V(r), ty) => Some((r, ty)),
            _ => None,
        };
        let saddr = match src(wave, inst, saddr)? {
            (Operand::Off, _) => 0,
            (operand, ty) => wave.scalar(operand, ty)?,
        };
        Ok(Base {
            encoding,
            vaddr,
            saddr,
            offset: i64::from(offset),
        })
    }

    fn place(self, wave: &Wave, lane: usize) -> Result<Place, ExecError> {
        let vector = match self.vaddr {
            Some((r, Ty::U64)) => wave.vgpr64(r, lane)?,
            Some((r, _)) => u64::from(wave.vgpr(r, lane)),
            None => 0,
        };
        let base = self.saddr.wrapping_add(vector);
        let sum = base.wrapping_add_signed(self.offset);
        if self.encoding == Encoding::Flat {
            // The aperture is decided before the offset is added.
            Ok(Place::flat(base).offset(self.offset as u64))
        } else if self.encoding == Encoding::Scratch {
            Ok(Place {
                space: AddressSpace::Scratch,
                address: sum,
            })
        } else {
            Ok(Place::global(sum))
        }
    }
}

/// SADDR + offset.
fn add_tid_base(wave: &Wave, inst: &Inst, saddr: usize) -> Result<Place, ExecError> {
    let base = match src(wave, inst, saddr)? {
        (Operand::Off, _) => 0,
        (operand, ty) => wave.scalar(operand, ty)?,
    };
    let offset = i64::from(inst.mem_mods().offset);
    Ok(Place::global(base.wrapping_add_signed(offset)))
}

fn plain_bytes(wave: &Wave, data: MemData) -> Result<usize, ExecError> {
    data::bytes(data).ok_or_else(|| wave.refuse("formatted FLAT data"))
}

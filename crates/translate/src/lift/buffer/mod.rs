//! MUBUF and MTBUF: raw and formatted loads and stores, atomics. A V# is uniform; what the translator
//! knows of it folds, what it does not is decoded at run time.
//!
//! A load with LDS set puts the dword that a register would get into LDS, at M0[15:0] plus the instruction's
//! offset plus 4 bytes a lane; lanes whose dword is not inside load nothing. One with TFE set writes 0, resident,
//! to the register behind its data: what is not there is a fault here.

pub(super) mod address;
pub(super) mod descriptor;
mod typed;

use spirdna_isa::{AtomicOp, Buffer, Inst, MemData, MemMods, SReg, Sem, Width};

use self::address::{Access, Item, Placed};
use super::Lift;
use super::access::vector_at;
use super::ds::Space;
use super::memory::{Words, data_bytes, data_items, item_width};
use crate::error::Reason;
use crate::ir::{Input, MemWidth, Value};

/// Where a load puts what it gets.
enum Destination {
    /// The registers from here on.
    Registers(u8),
    /// This byte of LDS (per-lane I32).
    Lds(Value),
}

impl Lift<'_> {
    /// A buffer instruction.
    pub(super) fn buffer(&mut self, inst: &Inst, sem: Buffer) -> Result<(), Reason> {
        match sem {
            Buffer::Load(data) => match data {
                MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi => {
                    self.typed_load(inst, data)
                }
                MemData::U8
                | MemData::I8
                | MemData::U16
                | MemData::I16
                | MemData::D16U8 { .. }
                | MemData::D16I8 { .. }
                | MemData::D16B16 { .. }
                | MemData::Dwords(_) => self.buffer_load(inst, data),
            },
            Buffer::Store(data) => match data {
                MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi => {
                    self.typed_store(inst, data)
                }
                MemData::U8
                | MemData::I8
                | MemData::U16
                | MemData::I16
                | MemData::D16U8 { .. }
                | MemData::D16I8 { .. }
                | MemData::D16B16 { .. }
                | MemData::Dwords(_) => self.buffer_store(inst, data),
            },
            Buffer::StoreLds => Err(Reason::Meaning),
            Buffer::Atomic(op, width) => self.buffer_atomic(inst, op, width),
            // Memory has no caches here.
            Buffer::Cache => Ok(()),
        }
    }

    fn buffer_load(&mut self, inst: &Inst, data: MemData) -> Result<(), Reason> {
        if let Some(own) = self.private_place(inst, 0, data)? {
            let to = self.vector_dst(inst, 0)?;
            let items = data_items(data);
            vector_at(to, items - 1)?;
            let words = self.scratch_load_data((own.at, own.guard, own.aligned), data, items)?;
            return self.write_loaded(to, data, &words);
        }
        let access = self.buffer_access(inst, 0)?;
        let to = self.loaded_to(inst, &access, data_items(data))?;
        let placed = self.place_raw(&access, data)?;
        let width = item_width(data)?;
        let mut words = Words::new();
        for (i, &guard) in placed.guards.iter().enumerate() {
            if let Some((ptr, offset)) = placed.item(i) {
                let aligned = placed.aligned;
                words.push(self.b.load(ptr, guard, width, offset, aligned, false));
            }
        }
        match to {
            Destination::Lds(at) => {
                let first = words.first().copied().ok_or(Reason::MissingOperand(0))?;
                let word = match data {
                    MemData::I8 => self.b.field_s(first, 0, 8),
                    MemData::I16 => self.b.field_s(first, 0, 16),
                    _ => first,
                };
                self.write_lds(at, word, access.active)
            }
            Destination::Registers(to) => self.write_loaded(to, data, &words),
        }
    }

    /// The lanes that take part; with LDS set those whose dword lies inside, and where it goes.
    fn buffer_lanes(
        &mut self,
        inst: &Inst,
        mods: &MemMods,
    ) -> Result<(Value, Option<Value>), Reason> {
        let active = self.active();
        let loads = matches!(inst.sem(), Sem::Buffer(Buffer::Load(_)));
        if mods.tfe && (mods.lds || !loads) {
            return Err(Reason::Modifier("tfe"));
        }
        if !mods.lds {
            return Ok((active, None));
        }
        if !loads {
            return Err(Reason::Modifier("lds"));
        }
        let m0 = self.sreg(SReg::M0);
        let first = self.b.and32(m0, 0xffff);
        let first = self.b.add32(first, mods.offset as u32);
        let lane = self.b.input(Input::LaneId);
        let lane = self.b.shl_by(lane, 2);
        let at = self.b.add(first, lane);
        let inside = self.lds_inside(Space::Lds, at, 4, active);
        let inside = self.guard_aligned(at, 4, inside);
        Ok((inside, Some(at)))
    }

    /// Where a load of `n` registers goes. The status register of TFE is written here: nothing else writes it.
    fn loaded_to(&mut self, inst: &Inst, access: &Access, n: u32) -> Result<Destination, Reason> {
        if let Some(at) = access.lds {
            return Ok(Destination::Lds(at));
        }
        let to = self.vector_dst(inst, 0)?;
        if inst.has_tfe() {
            let resident = self.b.const32(0);
            self.set_vreg_at(to, n, resident)?;
        } else {
            vector_at(to, n - 1)?;
        }
        Ok(Destination::Registers(to))
    }

    fn write_lds(&mut self, at: Value, word: Value, active: Value) -> Result<(), Reason> {
        self.lds_store_data(Space::Lds, at, MemData::Dwords(1), &[word], active)
    }

    fn buffer_store(&mut self, inst: &Inst, data: MemData) -> Result<(), Reason> {
        if let Some(own) = self.private_place(inst, 1, data)? {
            let from = self.vector_src(inst, 0)?;
            let active = self.active();
            let words = self.stored(from, data, active)?;
            return self.scratch_store_data((own.at, own.guard, own.aligned), data, &words);
        }
        let access = self.buffer_access(inst, 1)?;
        let from = self.vector_src(inst, 0)?;
        let words = self.stored(from, data, access.active)?;
        let placed = self.place_raw(&access, data)?;
        let width = item_width(data)?;
        for (i, (&guard, word)) in placed.guards.iter().zip(words).enumerate() {
            if let Some((ptr, offset)) = placed.item(i) {
                let aligned = placed.aligned;
                self.b.store(ptr, word, guard, width, offset, aligned);
            }
        }
        Ok(())
    }

    /// The place of plain data. Dwords are in range or not each by itself.
    fn place_raw(&mut self, access: &Access, data: MemData) -> Result<Placed, Reason> {
        let item = Item {
            bytes: self.b.const32(data_bytes(data)?),
            dwords: data_items(data),
            align_mask: self.b.const32(0),
            refused: self.b.const_bool(false),
            apart: item_width(data)? == MemWidth::B32,
        };
        Ok(self.place_item(access, &item))
    }

    fn buffer_atomic(&mut self, inst: &Inst, op: AtomicOp, width: Width) -> Result<(), Reason> {
        let access = self.buffer_access(inst, 1)?;
        let from = self.vector_src(inst, 0)?;
        let bytes = match width {
            Width::B32 => 4,
            Width::B64 => 8,
        };
        let old = match self.bound_atomic(&access, bytes) {
            Some((ptr, guard)) => self.atomic_at(op, width, from, ptr, guard)?,
            None => {
                let (address, guard, aligned) = self.atomic_place(&access);
                self.memory_atomic_old(op, width, from, address, guard, aligned)?
            }
        };
        self.write_old_of(inst, width, old)
    }
}

//! MUBUF and MTBUF: raw and formatted loads and stores, atomics. A V# is uniform; what the translator
//! knows of it folds, what it does not is decoded at run time.

mod address;
pub(super) mod descriptor;
mod typed;

use spirdna_isa::{AtomicOp, Buffer, Inst, MemData, Width};

use self::address::{Access, Item, Placed};
use super::Lift;
use super::memory::{Words, data_bytes, data_items, item_width};
use crate::error::Reason;
use crate::ir::MemWidth;

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
        let access = self.buffer_access(inst, 0)?;
        let to = self.vector_dst(inst, 0)?;
        let placed = self.place_raw(&access, data)?;
        let width = item_width(data)?;
        let mut words = Words::new();
        for (i, &guard) in placed.guards.iter().enumerate() {
            if let Some((ptr, offset)) = placed.item(i) {
                let aligned = placed.aligned;
                words.push(self.b.load(ptr, guard, width, offset, aligned, false));
            }
        }
        self.write_loaded(to, data, &words)
    }

    fn buffer_store(&mut self, inst: &Inst, data: MemData) -> Result<(), Reason> {
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

//! MUBUF and MTBUF: raw and formatted loads and stores, atomics. A V# is uniform; what the translator
//! knows of it folds, what it does not is decoded at run time.

mod address;
pub(super) mod descriptor;

use smallvec::SmallVec;
use spirdna_isa::{AtomicOp, Buffer, Inst, MemData, Width};

use self::address::{Access, Placed};
use super::Lift;
use super::memory::{Words, data_bytes, data_items, item_width};
use crate::error::Reason;
use crate::ir::{MemWidth, Value};

impl Lift<'_> {
    /// A buffer instruction.
    pub(super) fn buffer(&mut self, inst: &Inst, sem: Buffer) -> Result<(), Reason> {
        match sem {
            Buffer::Load(data) => match data {
                MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi => {
                    Err(Reason::Meaning)
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
                    Err(Reason::Meaning)
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
        let words: Words = if placed.shared {
            self.load_data(placed.ptrs[0], &placed.guards, data, placed.aligned)?
        } else {
            placed
                .ptrs
                .iter()
                .zip(&placed.guards)
                .map(|(&ptr, &guard)| self.b.load(ptr, guard, MemWidth::B32, 0, false, false))
                .collect()
        };
        self.write_loaded(to, data, &words)
    }

    fn buffer_store(&mut self, inst: &Inst, data: MemData) -> Result<(), Reason> {
        let access = self.buffer_access(inst, 1)?;
        let from = self.vector_src(inst, 0)?;
        let words = self.stored(from, data, access.active)?;
        let placed = self.place_raw(&access, data)?;
        if placed.shared {
            return self.store_data(placed.ptrs[0], &placed.guards, &words, data, placed.aligned);
        }
        for (i, &word) in words.iter().enumerate() {
            let (ptr, guard) = (placed.ptrs[i], placed.guards[i]);
            self.b.store(ptr, word, guard, MemWidth::B32, 0, false);
        }
        Ok(())
    }

    /// The place of plain data. Dwords are in range or not each by itself.
    fn place_raw(&mut self, access: &Access, data: MemData) -> Result<Placed, Reason> {
        if item_width(data)? == MemWidth::B32 {
            return Ok(self.place_items(access, data_items(data)));
        }
        let (address, guard, aligned) = self.whole_address(access);
        let ptr = self.place(address, data_bytes(data)?, guard);
        Ok(Placed {
            ptrs: SmallVec::from_slice(&[ptr]),
            guards: SmallVec::from_slice(&[guard]),
            aligned,
            shared: true,
        })
    }

    fn buffer_atomic(&mut self, inst: &Inst, op: AtomicOp, width: Width) -> Result<(), Reason> {
        let access = self.buffer_access(inst, 1)?;
        let from = self.vector_src(inst, 0)?;
        let (address, guard, aligned): (Value, Value, bool) = self.whole_address(&access);
        self.memory_atomic(inst, op, width, from, address, guard, aligned)
    }
}

//! FLAT, GLOBAL and SCRATCH. GLOBAL is translated; FLAT (whose address may fall into the apertures of
//! LDS and scratch) and SCRATCH are refused.

use spirdna_isa::{Encoding, Flat, Inst, MemData, Operand, Ty};

use super::Lift;
use super::memory::{data_bytes, data_items};
use crate::error::Reason;
use crate::ir::{Input, Value};

impl Lift<'_> {
    /// An instruction of the FLAT family.
    pub(super) fn flat(&mut self, inst: &Inst, sem: Flat) -> Result<(), Reason> {
        if inst.encoding() != Encoding::Global {
            return Err(Reason::Meaning);
        }
        if inst.mem_mods().lds {
            return Err(Reason::Modifier("lds"));
        }
        let active = self.active();
        match sem {
            Flat::Load(data) => {
                let address = self.global_address(inst, 1, active)?;
                self.global_load(inst, data, address, active)
            }
            Flat::Store(data) => {
                let address = self.global_address(inst, 2, active)?;
                let from = self.vector_src(inst, 1)?;
                self.global_store(from, data, address, active)
            }
            Flat::Atomic(op, width) => {
                let address = self.global_address(inst, 2, active)?;
                let from = self.vector_src(inst, 1)?;
                let aligned = self.low_zeros(address) >= 2;
                self.memory_atomic(inst, op, width, from, address, active, aligned)
            }
            Flat::LoadAddTid => {
                let address = self.addtid_address(inst, 0)?;
                self.global_load(inst, MemData::Dwords(1), address, active)
            }
            Flat::StoreAddTid => {
                let from = self.vector_src(inst, 0)?;
                let address = self.addtid_address(inst, 1)?;
                self.global_store(from, MemData::Dwords(1), address, active)
            }
        }
    }

    fn global_load(
        &mut self,
        inst: &Inst,
        data: MemData,
        address: Value,
        active: Value,
    ) -> Result<(), Reason> {
        let to = self.vector_dst(inst, 0)?;
        let ptr = self.place(address, data_bytes(data)?, active);
        let guards = vec![active; data_items(data) as usize];
        let aligned = self.low_zeros(address) >= 2;
        let words = self.load_data(ptr, &guards, data, aligned)?;
        self.write_loaded(to, data, &words)
    }

    fn global_store(
        &mut self,
        from: u8,
        data: MemData,
        address: Value,
        active: Value,
    ) -> Result<(), Reason> {
        let words = self.stored(from, data, active)?;
        let ptr = self.place(address, data_bytes(data)?, active);
        let guards = vec![active; words.len()];
        let aligned = self.low_zeros(address) >= 2;
        self.store_data(ptr, &guards, &words, data, aligned)
    }

    /// VGPR pair, or SGPR pair (role `saddr`) plus VGPR, plus the signed offset.
    fn global_address(
        &mut self,
        inst: &Inst,
        saddr: usize,
        active: Value,
    ) -> Result<Value, Reason> {
        let reg = self.vector_src(inst, 0)?;
        let base = match self.src(inst, saddr)? {
            (Operand::Off, _) => self.atomic_item(reg, 0, spirdna_isa::Width::B64, active)?,
            (operand, _) => {
                let base = self.read64((operand, Ty::U64))?;
                let offset = self.active_vreg(reg, active);
                let offset = self.b.zext(offset);
                self.b.add(base, offset)
            }
        };
        let offset = self.b.const64(i64::from(inst.mem_mods().offset) as u64);
        Ok(self.b.add(base, offset))
    }

    /// SGPR pair plus the offset plus four times the lane.
    fn addtid_address(&mut self, inst: &Inst, saddr: usize) -> Result<Value, Reason> {
        let (operand, _) = self.src(inst, saddr)?;
        let base = match operand {
            Operand::Off => self.b.const64(0),
            operand => self.read64((operand, Ty::U64))?,
        };
        let offset = self.b.const64(i64::from(inst.mem_mods().offset) as u64);
        let base = self.b.add(base, offset);
        let lane = self.b.input(Input::LaneId);
        let lane = self.b.shl_by(lane, 2);
        let lane = self.b.zext(lane);
        Ok(self.b.add(base, lane))
    }
}

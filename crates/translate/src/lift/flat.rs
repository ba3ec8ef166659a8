//! FLAT, GLOBAL and SCRATCH.
//!
//! A FLAT address is in an aperture or not before the instruction's offset is added; in the LDS' one, bytes
//! out of range read 0 and are not written.

use spirdna_isa::launch::{PRIVATE_APERTURE, SHARED_APERTURE};
use spirdna_isa::{AtomicOp, Encoding, Flat, Inst, MemData, Operand, Target, Ty, Width};

use super::Lift;
use super::ds::Space;
use super::memory::{Words, data_bytes, data_items};
use super::scratch::Scratch;
use crate::error::Reason;
use crate::ir::{Area, Input, Value};

/// Where the lanes of an access go.
struct Places {
    /// Guest address: I64.
    address: Value,
    /// Lanes that go there.
    guard: Value,
    /// Low bits of the address that are zero.
    zeros: u32,
    /// LDS address (I32) and lanes that go there.
    lds: Option<(Value, Value)>,
    /// Byte of the lane's own scratch (I32), lanes that go there, and whether it is a multiple of 4.
    scratch: Option<(Value, Value, bool)>,
    /// Whether no other lane reaches it.
    own: bool,
}

impl Lift<'_> {
    /// An instruction of the FLAT family.
    pub(super) fn flat(&mut self, inst: &Inst, sem: Flat) -> Result<(), Reason> {
        let mods = inst.mem_mods();
        if mods.lds {
            return Err(Reason::Modifier("lds"));
        }
        if inst.encoding() == Encoding::Flat
            && mods.offset != 0
            && self.launch.target != Target::Gfx1030
        {
            // The silicon of gfx10.1 ignores it; compilers never use it there.
            return Err(Reason::Modifier("an offset of FLAT on gfx10.1"));
        }
        match sem {
            Flat::Load(data) => {
                let to = self.vector_dst(inst, 0)?;
                let places = self.flat_places(inst, 1, data_bytes(data)?)?;
                let ptr = self.flat_place(&places, data_bytes(data)?);
                let guards = vec![places.guard; data_items(data) as usize];
                let mut words = self.load_data(ptr, &guards, data, places.zeros >= 2)?;
                if let Some((at, guard)) = places.lds {
                    let more = self.lds_load_data(Space::Lds, at, data, guard)?;
                    // Of each lane one is 0.
                    for (word, more) in words.iter_mut().zip(more) {
                        *word = self.b.or(*word, more);
                    }
                }
                if let Some(scratch) = places.scratch {
                    let more = self.scratch_load_data(scratch, data, data_items(data))?;
                    for (word, more) in words.iter_mut().zip(more) {
                        *word = self.b.or(*word, more);
                    }
                }
                self.write_loaded(to, data, &words)
            }
            Flat::Store(data) => {
                let from = self.vector_src(inst, 1)?;
                let active = self.active();
                let words = self.stored(from, data, active)?;
                let places = self.flat_places(inst, 2, data_bytes(data)?)?;
                let ptr = self.flat_place(&places, data_bytes(data)?);
                let guards = vec![places.guard; words.len()];
                self.store_data(ptr, &guards, &words, data, places.zeros >= 2)?;
                if let Some(scratch) = places.scratch {
                    self.scratch_store_data(scratch, data, &words)?;
                }
                match places.lds {
                    Some((at, guard)) => self.lds_store_data(Space::Lds, at, data, &words, guard),
                    None => Ok(()),
                }
            }
            Flat::Atomic(op, width) => self.flat_atomic(inst, op, width),
            Flat::LoadAddTid => {
                let to = self.vector_dst(inst, 0)?;
                let address = self.addtid_address(inst, 0)?;
                let active = self.active();
                let ptr = self.place(address, 4, active);
                let aligned = self.low_zeros(address) >= 2;
                let data = MemData::Dwords(1);
                let words = self.load_data(ptr, &[active], data, aligned)?;
                self.write_loaded(to, data, &words)
            }
            Flat::StoreAddTid => {
                let from = self.vector_src(inst, 0)?;
                let address = self.addtid_address(inst, 1)?;
                let active = self.active();
                let data = MemData::Dwords(1);
                let words = self.stored(from, data, active)?;
                let ptr = self.place(address, 4, active);
                let aligned = self.low_zeros(address) >= 2;
                self.store_data(ptr, &[active], &words, data, aligned)
            }
        }
    }

    fn flat_place(&mut self, places: &Places, bytes: u32) -> Value {
        if places.own {
            let ptr = self.b.own_ptr(places.address, bytes);
            return self.place_checked(ptr, places.address, places.guard);
        }
        self.place(places.address, bytes, places.guard)
    }

    fn flat_atomic(&mut self, inst: &Inst, op: AtomicOp, width: Width) -> Result<(), Reason> {
        let from = self.vector_src(inst, 1)?;
        let bytes = match width {
            Width::B32 => 4,
            Width::B64 => 8,
        };
        let mut places = self.flat_places(inst, 2, bytes)?;
        if inst.encoding() == Encoding::Flat {
            // No hardware has atomics on scratch: such lanes fault.
            let high = self.flat_aperture(inst)?;
            let scratch = self.b.eq32(high, PRIVATE_APERTURE);
            let bad = match places.scratch {
                Some((_, guard, _)) => guard,
                None => self.b.and(places.guard, scratch),
            };
            self.fault(places.address, bad);
            let good = self.b.not(scratch);
            places.guard = self.b.and(places.guard, good);
        }
        let aligned = places.zeros >= 2;
        let address = places.address;
        let mut old = self.memory_atomic_old(op, width, from, address, places.guard, aligned)?;
        if let Some((at, guard)) = places.lds {
            let ir = self.ds_atomic_op(op, width)?;
            let active = self.active();
            let mut data = Words::new();
            for i in 0..ir.data_args() as u32 {
                data.push(self.atomic_item(from, i * bytes / 4, width, active)?);
            }
            let more = self.lds_atomic(Space::Lds, ir, width, at, &data, guard);
            old = self.b.or(old, more);
        }
        self.write_old_of(inst, width, old)
    }

    /// Where an access of `bytes` bytes goes; SADDR is source role `saddr`.
    fn flat_places(&mut self, inst: &Inst, saddr: usize, bytes: u32) -> Result<Places, Reason> {
        let active = self.active();
        let offset = self.b.const64(i64::from(inst.mem_mods().offset) as u64);
        match inst.encoding() {
            Encoding::Scratch => {
                let base = self.scratch_base(inst, saddr, active)?;
                let at = self.b.add(base, offset);
                Ok(match self.scratch_places(at, bytes, active) {
                    Scratch::Own { at, guard, aligned } => Places {
                        address: self.b.const64(0),
                        guard: self.b.const_bool(false),
                        zeros: 0,
                        lds: None,
                        scratch: Some((at, guard, aligned)),
                        own: true,
                    },
                    Scratch::Lent {
                        address,
                        guard,
                        zeros,
                    } => Places {
                        address,
                        guard,
                        zeros,
                        lds: None,
                        scratch: None,
                        own: true,
                    },
                })
            }
            Encoding::Flat => {
                let base = self.flat_base(inst, saddr, active)?;
                let low = self.b.lo(base);
                let low = self.b.zext(low);
                let within = self.b.add(low, offset);
                let high = self.b.hi(base);
                let shared = self.b.eq32(high, SHARED_APERTURE);
                let private = self.b.eq32(high, PRIVATE_APERTURE);
                let address = self.b.add(base, offset);
                let in_scratch = self.b.and(active, private);
                let elsewhere = self.b.or(shared, private);
                let elsewhere = self.b.not(elsewhere);
                let memory = self.b.and(active, elsewhere);
                let zeros = self.low_zeros(address);
                let (address, guard, zeros, scratch) =
                    match self.scratch_places(within, bytes, in_scratch) {
                        Scratch::Own { at, guard, aligned } => {
                            (address, memory, zeros, Some((at, guard, aligned)))
                        }
                        Scratch::Lent {
                            address: lent,
                            guard,
                            zeros: lent_zeros,
                        } => {
                            let address = self.b.select(private, lent, address);
                            let guard = self.b.or(memory, guard);
                            (address, guard, zeros.min(lent_zeros), None)
                        }
                    };
                let (at, carry) = (self.b.lo(within), self.b.hi(within));
                let whole = self.is_zero(carry);
                let lds = self.b.and(active, shared);
                let lds = self.b.and(lds, whole);
                Ok(Places {
                    address,
                    guard,
                    zeros,
                    lds: Some((at, lds)),
                    scratch,
                    own: false,
                })
            }
            _ => {
                let base = self.flat_base(inst, saddr, active)?;
                let address = self.b.add(base, offset);
                Ok(Places {
                    zeros: self.low_zeros(address),
                    address,
                    guard: active,
                    lds: None,
                    scratch: None,
                    own: false,
                })
            }
        }
    }

    /// Bits 63:32 of FLAT's address before the offset is added.
    fn flat_aperture(&mut self, inst: &Inst) -> Result<Value, Reason> {
        let active = self.active();
        let base = self.flat_base(inst, 2, active)?;
        Ok(self.b.hi(base))
    }

    /// VGPR pair, or SGPR pair (role `saddr`) plus VGPR.
    fn flat_base(&mut self, inst: &Inst, saddr: usize, active: Value) -> Result<Value, Reason> {
        let reg = self.vector_src(inst, 0)?;
        match self.src(inst, saddr)? {
            (Operand::Off, _) => self.atomic_item(reg, 0, Width::B64, active),
            (operand, _) => {
                let base = self.read64((operand, Ty::U64))?;
                let offset = self.active_vreg(reg, active);
                let offset = self.b.zext(offset);
                Ok(self.b.add(base, offset))
            }
        }
    }

    /// VGPR and SGPR of a SCRATCH instruction, each where it has one, as I64.
    fn scratch_base(&mut self, inst: &Inst, saddr: usize, active: Value) -> Result<Value, Reason> {
        let mut base = self.b.const64(0);
        if let (Operand::V(reg), _) = self.src(inst, 0)? {
            let offset = self.active_vreg(reg, active);
            base = self.b.zext(offset);
        }
        match self.src(inst, saddr)? {
            (Operand::Off, _) => {}
            operand => {
                let offset = self.read32(operand)?;
                let offset = self.b.zext(offset);
                base = self.b.add(base, offset);
            }
        }
        Ok(base)
    }

    /// The number of the wave in the grid: uniform I32.
    pub(super) fn wave_number(&mut self) -> Value {
        let group = self.b.input(Input::GroupNumber);
        let waves = self.b.const32(self.launch.waves() as u32);
        let first = self.b.mul(group, waves);
        let wave = self.b.input(Input::WaveInGroup);
        self.b.add(first, wave)
    }

    /// Guest address of a memory that the caller lends: uniform I64.
    pub(super) fn area_base(&mut self, area: Area) -> Value {
        let low = self.b.input(Input::Base { area, high: false });
        let high = self.b.input(Input::Base { area, high: true });
        self.b.pack(low, high)
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

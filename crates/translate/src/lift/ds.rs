//! LDS, GDS, and the lane exchanges that share their encoding.
//!
//! An address is the VGPR plus the offset modulo 2^32. An item whose bytes do not all lie in the LDS
//! reads 0 and is not written; the two items of a two-address instruction are apart. The hardware runs
//! in its unaligned mode: an item may lie at any byte, an atomic excepted (a fault).
//!
//! GDS lies in guest memory, where the caller put it. M0 says which part of it an instruction sees: the
//! base in bits 31:16, the size in bits 15:0.

use spirdna_isa::launch::{Denorm, GDS_BYTES, Round};
use spirdna_isa::{AtomicOp as Guest, Ds, Inst, MemData, MemMods, SReg, WaveSize, Width};

use super::Lift;
use super::float_add::add_f32;
use super::memory::{Words, atomic_op, data_bytes, data_items, item_width};
use crate::error::Reason;
use crate::ir::{Area, AtomicOp, Input, Kind, MemWidth, Shape, Value};

/// The memory that an instruction works on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Space {
    Lds,
    /// Base and size of what is seen of the GDS: uniform I32.
    Gds {
        base: Value,
        size: Value,
    },
}

impl Lift<'_> {
    /// An instruction of the DS encoding.
    pub(super) fn ds(&mut self, inst: &Inst, sem: Ds) -> Result<(), Reason> {
        let mods = inst.mem_mods();
        let space = self.ds_space(mods.gds);
        let offset = mods.offset as u32;
        let active = self.active();
        match sem {
            Ds::Nop => Ok(()),
            Ds::Read(data) => {
                let to = self.vector_dst(inst, 0)?;
                let at = self.lds_address(inst, offset, active)?;
                let words = self.lds_load_data(space, at, data, active)?;
                self.write_loaded(to, data, &words)
            }
            Ds::Write(data) => {
                let from = self.vector_src(inst, 1)?;
                let at = self.lds_address(inst, offset, active)?;
                let words = self.stored(from, data, active)?;
                self.lds_store_data(space, at, data, &words, active)
            }
            Ds::Read2(width, strided) => {
                let to = self.vector_dst(inst, 0)?;
                let item = MemData::Dwords(dwords(width));
                let mut words = Words::new();
                let base = self.lds_address(inst, 0, active)?;
                for offset in pair(&mods, width, strided) {
                    let at = self.plus(base, offset);
                    words.extend_from_slice(&self.lds_load_data(space, at, item, active)?);
                }
                self.write_loaded(to, MemData::Dwords(2 * dwords(width)), &words)
            }
            Ds::Write2(width, strided) => {
                let item = MemData::Dwords(dwords(width));
                let base = self.lds_address(inst, 0, active)?;
                for (i, offset) in (1..).zip(pair(&mods, width, strided)) {
                    let from = self.vector_src(inst, i)?;
                    let at = self.plus(base, offset);
                    let words = self.stored(from, item, active)?;
                    self.lds_store_data(space, at, item, &words, active)?;
                }
                Ok(())
            }
            Ds::Atomic { op, width, rtn } => self.ds_atomic(inst, space, op, width, rtn, active),
            Ds::WrXchg2(width, strided) => {
                let to = self.vector_dst(inst, 0)?;
                let mut old = Words::new();
                for (i, offset) in (1..).zip(pair(&mods, width, strided)) {
                    let from = self.vector_src(inst, i)?;
                    let data = self.atomic_item(from, 0, width, active)?;
                    let at = self.lds_address(inst, offset, active)?;
                    if i > 1 {
                        // Every lane's first exchange comes before any second one.
                        self.b.wave_sync();
                    }
                    let value = self.lds_atomic(space, AtomicOp::Swap, width, at, &[data], active);
                    match width {
                        Width::B32 => old.push(value),
                        Width::B64 => {
                            old.push(self.b.lo(value));
                            old.push(self.b.hi(value));
                        }
                    }
                }
                self.write_loaded(to, MemData::Dwords(2 * dwords(width)), &old)
            }
            Ds::CondXchg32 => {
                let to = self.vector_dst(inst, 0)?;
                let from = self.vector_src(inst, 1)?;
                let data = self.stored(from, MemData::Dwords(2), active)?;
                let at = self.lds_address(inst, offset, active)?;
                let inside = self.lds_inside(space, at, 8, active);
                let inside = self.guard_aligned(at, 4, inside);
                let mut old = Words::new();
                for (i, &word) in (0..).zip(&data) {
                    let at = self.b.add32(at, 4 * i);
                    let top = self.b.field_u(word, 31, 1);
                    let exchanges = self.b.eq32(top, 1);
                    let new = self.b.and32(word, 0x7fff_ffff);
                    let guard = self.b.and(inside, exchanges);
                    let swapped =
                        self.lds_atomic(space, AtomicOp::Swap, Width::B32, at, &[new], guard);
                    let keeps = self.b.not(exchanges);
                    let guard = self.b.and(inside, keeps);
                    let read = self.lds_load_data(space, at, MemData::Dwords(1), guard)?;
                    let read = read.first().copied().unwrap_or(swapped);
                    old.push(self.b.select(exchanges, swapped, read));
                }
                self.write_loaded(to, MemData::Dwords(2), &old)
            }
            Ds::AtomicSrc2(op, width) => self.ds_src2(inst, space, Some(op), width, active),
            Ds::WriteSrc2(width) => self.ds_src2(inst, space, None, width, active),
            Ds::Permute => self.ds_permute(inst, offset, active),
            Ds::BPermute => {
                let to = self.vector_dst(inst, 0)?;
                let data = self.vector_src(inst, 1)?;
                let data = self.active_vreg(data, active);
                let at = self.lds_address(inst, offset, active)?;
                let within = self.b.field_u(at, 2, 5);
                let value = self.fetch(data, within);
                self.set_vreg(to, value);
                Ok(())
            }
            Ds::Swizzle => {
                let to = self.vector_dst(inst, 0)?;
                let data = self.vector_src(inst, 0)?;
                let data = self.active_vreg(data, active);
                let within = self.swizzle_source(offset);
                let value = self.fetch(data, within);
                self.set_vreg(to, value);
                Ok(())
            }
            Ds::Append => self.ds_count(inst, space, offset, AtomicOp::Add),
            Ds::Consume => self.ds_count(inst, space, offset, AtomicOp::Sub),
            Ds::ReadAddTid => {
                let to = self.vector_dst(inst, 0)?;
                let at = self.addtid_lds_address(offset);
                let words = self.lds_load_data(space, at, MemData::Dwords(1), active)?;
                self.write_loaded(to, MemData::Dwords(1), &words)
            }
            Ds::WriteAddTid => {
                let from = self.vector_src(inst, 0)?;
                let at = self.addtid_lds_address(offset);
                let words = self.stored(from, MemData::Dwords(1), active)?;
                self.lds_store_data(space, at, MemData::Dwords(1), &words, active)
            }
            Ds::OrderedCount => Err(Reason::NoCounterpart("ordered counts")),
            Ds::Gws(_) => Err(Reason::NoCounterpart("global wave sync")),
        }
    }

    // ---- Addresses -------------------------------------------------------------------------------

    /// Source 0 plus an offset.
    fn lds_address(&mut self, inst: &Inst, offset: u32, active: Value) -> Result<Value, Reason> {
        let reg = self.vector_src(inst, 0)?;
        let base = self.active_vreg(reg, active);
        Ok(self.plus(base, offset))
    }

    /// M0[15:0] plus the offset plus four times the lane.
    fn addtid_lds_address(&mut self, offset: u32) -> Value {
        let m0 = self.sreg(SReg::M0);
        let base = self.b.and32(m0, 0xffff);
        let base = self.b.add32(base, offset);
        let lane = self.b.input(Input::LaneId);
        let lane = self.b.shl_by(lane, 2);
        self.b.add(base, lane)
    }

    /// LDS, or the part of GDS that M0 names.
    fn ds_space(&mut self, gds: bool) -> Space {
        if !gds {
            return Space::Lds;
        }
        let m0 = self.sreg(SReg::M0);
        Space::Gds {
            base: self.b.shr_by(m0, 16),
            size: self.b.and32(m0, 0xffff),
        }
    }

    /// The lanes of `guard` whose item of `bytes` bytes is in range.
    pub(super) fn lds_inside(
        &mut self,
        space: Space,
        at: Value,
        bytes: u32,
        guard: Value,
    ) -> Value {
        let last_of = |size: u32| size.checked_sub(bytes);
        match space {
            Space::Lds => match last_of(self.launch.lds_bytes) {
                None => self.b.const_bool(false),
                Some(last) => {
                    let last = self.b.const32(last);
                    let inside = self.b.ule(at, last);
                    self.b.and(guard, inside)
                }
            },
            Space::Gds { base, size } => {
                let bytes = self.b.const32(bytes);
                let some = self.b.ule(bytes, size);
                let last = self.b.sub(size, bytes);
                let within = self.b.ule(at, last);
                let within = self.b.and(some, within);
                // Both are below 2^16 here.
                let end = self.b.add(base, at);
                let end = self.b.add(end, bytes);
                let all = self.b.const32(GDS_BYTES);
                let inside = self.b.ule(end, all);
                let inside = self.b.and(within, inside);
                self.b.and(guard, inside)
            }
        }
    }

    /// Guest address of a place in GDS.
    fn gds_address(&mut self, base: Value, at: Value) -> Value {
        let at = self.b.add(base, at);
        let at = self.b.zext(at);
        let begin = self.area_base(Area::Gds);
        self.b.add(begin, at)
    }

    // ---- Plain data ------------------------------------------------------------------------------

    /// Loads one item.
    pub(super) fn lds_load_data(
        &mut self,
        space: Space,
        at: Value,
        data: MemData,
        active: Value,
    ) -> Result<Words, Reason> {
        let guard = self.lds_inside(space, at, data_bytes(data)?, active);
        if let Space::Gds { base, .. } = space {
            let address = self.gds_address(base, at);
            let ptr = self.place(address, data_bytes(data)?, guard);
            let guards = vec![guard; data_items(data) as usize];
            return self.load_data(ptr, &guards, data, false);
        }
        let mut words = Words::new();
        match (item_width(data)?, self.low_zeros(at)) {
            (MemWidth::B16, 0) => {
                let lo = self.b.lds_load(at, guard, MemWidth::B8);
                let next = self.b.add32(at, 1);
                let hi = self.b.lds_load(next, guard, MemWidth::B8);
                let hi = self.b.shl_by(hi, 8);
                words.push(self.b.or(lo, hi));
            }
            (MemWidth::B32, 0 | 1) => {
                let n = data_items(data);
                // The words that hold the bytes: one more where the item straddles.
                let rest = self.b.and32(at, 3);
                let base = self.b.and32(at, !3);
                let shift = self.b.shl_by(rest, 3);
                let ones = self.b.const32(31);
                let back = self.b.xor(shift, ones);
                let zero = self.b.const32(0);
                let straddles = self.b.ne(rest, zero);
                let last = self.b.and(guard, straddles);
                let mut read = Words::new();
                for i in 0..=n {
                    let at = self.b.add32(base, 4 * i);
                    let guard = if i == n { last } else { guard };
                    read.push(self.b.lds_load(at, guard, MemWidth::B32));
                }
                for two in read.windows(2) {
                    let lo = self.b.shr_u(two[0], shift);
                    let hi = self.b.shl_by(two[1], 1);
                    let hi = self.b.shl(hi, back);
                    words.push(self.b.or(lo, hi));
                }
            }
            (width, _) => {
                for i in 0..data_items(data) {
                    let at = self.plus(at, 4 * i);
                    words.push(self.b.lds_load(at, guard, width));
                }
            }
        }
        Ok(words)
    }

    /// Stores one item.
    pub(super) fn lds_store_data(
        &mut self,
        space: Space,
        at: Value,
        data: MemData,
        words: &[Value],
        active: Value,
    ) -> Result<(), Reason> {
        let guard = self.lds_inside(space, at, data_bytes(data)?, active);
        if let Space::Gds { base, .. } = space {
            let address = self.gds_address(base, at);
            let ptr = self.place(address, data_bytes(data)?, guard);
            let guards = vec![guard; words.len()];
            return self.store_data(ptr, &guards, words, data, false);
        }
        let width = item_width(data)?;
        let zeros = self.low_zeros(at);
        match (width, zeros) {
            (MemWidth::B16, 0) => {
                for &word in words {
                    self.lds_store_parts(at, word, guard, MemWidth::B8, 2);
                }
            }
            (MemWidth::B32, 0 | 1) => {
                let rest = self.b.and32(at, 3);
                let aligned = self.is_zero(rest);
                let whole = self.b.and(guard, aligned);
                let apart = self.b.not(aligned);
                let apart = self.b.and(guard, apart);
                for (i, &word) in (0..).zip(words) {
                    let at = self.b.add32(at, 4 * i);
                    self.b.lds_store(at, word, whole, MemWidth::B32);
                    if zeros == 0 {
                        self.lds_store_parts(at, word, apart, MemWidth::B8, 4);
                    } else {
                        self.lds_store_parts(at, word, apart, MemWidth::B16, 2);
                    }
                }
            }
            _ => {
                for (i, &word) in (0..).zip(words) {
                    let at = self.plus(at, 4 * i);
                    self.b.lds_store(at, word, guard, width);
                }
            }
        }
        Ok(())
    }

    /// Stores the low parts of a word one by one.
    fn lds_store_parts(
        &mut self,
        at: Value,
        word: Value,
        guard: Value,
        width: MemWidth,
        parts: u32,
    ) {
        let bytes = if width == MemWidth::B8 { 1 } else { 2 };
        for i in 0..parts {
            let at = self.b.add32(at, i * bytes);
            let part = self.b.shr_by(word, i * bytes * 8);
            self.b.lds_store(at, part, guard, width);
        }
    }

    // ---- Atomics ---------------------------------------------------------------------------------

    /// An atomic by each lane; gives the old value.
    pub(super) fn lds_atomic(
        &mut self,
        space: Space,
        op: AtomicOp,
        width: Width,
        at: Value,
        data: &[Value],
        active: Value,
    ) -> Value {
        self.lds_atomic_shaped(space, op, width, Shape::Lane, at, data, active)
    }

    #[allow(clippy::too_many_arguments, reason = "all that makes an atomic")]
    fn lds_atomic_shaped(
        &mut self,
        space: Space,
        op: AtomicOp,
        width: Width,
        shape: Shape,
        at: Value,
        data: &[Value],
        active: Value,
    ) -> Value {
        let (bits, bytes) = match width {
            Width::B32 => (MemWidth::B32, 4),
            Width::B64 => (MemWidth::B64, 8),
        };
        let guard = self.lds_inside(space, at, bytes, active);
        match space {
            Space::Lds => {
                let guard = self.guard_aligned(at, bytes, guard);
                self.b.lds_atomic(op, bits, shape, at, guard, data)
            }
            Space::Gds { base, .. } => {
                let place = self.b.add(base, at);
                let guard = self.guard_aligned(place, bytes, guard);
                let address = self.gds_address(base, at);
                let ptr = self.place(address, bytes, guard);
                self.b.atomic(op, bits, 0, shape, ptr, guard, data)
            }
        }
    }

    /// An atomic whose data is in the memory too: MEM\[A\] = op(MEM\[A\], MEM\[B\]), A the address, B so
    /// many dwords behind it as the offset says. All lanes read B before any changes A.
    fn ds_src2(
        &mut self,
        inst: &Inst,
        space: Space,
        op: Option<Guest>,
        width: Width,
        active: Value,
    ) -> Result<(), Reason> {
        let offset = inst.mem_mods().offset as u32;
        if offset & 0x8000 != 0 {
            // The distance would be in the address itself.
            return Err(Reason::Operand("offset1 from 128 on"));
        }
        let dwords_on = (offset as i32) << 17 >> 17;
        let at = self.lds_address(inst, 0, active)?;
        let other = self.b.add32(at, 4u32.wrapping_mul(dwords_on as u32));
        let item = MemData::Dwords(dwords(width));
        let words = self.lds_load_data(space, other, item, active)?;
        let data = match *words.as_slice() {
            [lo, hi] => self.b.pack(lo, hi),
            [word] => word,
            _ => return Err(Reason::MissingOperand(0)),
        };
        self.b.wave_sync();
        match op {
            Some(op) => {
                let ir = self.ds_atomic_op(op, width)?;
                self.lds_atomic(space, ir, width, at, &[data], active);
                Ok(())
            }
            None => self.lds_store_data(space, at, item, &words, active),
        }
    }

    /// The IR's atomic for an operation of the LDS unit, under MODE.
    pub(super) fn ds_atomic_op(&mut self, op: Guest, width: Width) -> Result<AtomicOp, Reason> {
        let denorm = match width {
            Width::B32 => self.mode.denorm32,
            Width::B64 => self.mode.denorm16_64,
        };
        if op != Guest::FAdd {
            return atomic_op(op, denorm.flushes_in());
        }
        // Nothing tells whether the unit obeys another rounding, or half of the denormal mode.
        let flush = match (width, self.mode.round32, denorm) {
            (Width::B32, Round::NearestEven, Denorm::FlushInOut) => true,
            (Width::B32, Round::NearestEven, Denorm::Allow) => false,
            _ => return Err(Reason::Float("an LDS float addition in this MODE")),
        };
        let name = if flush {
            "lds_add_f32_flush"
        } else {
            "lds_add_f32"
        };
        let helper = self.helper(name, &[Kind::I32; 2], |b, p| add_f32(b, p[0], p[1], flush));
        Ok(AtomicOp::Helper(helper))
    }

    fn ds_atomic(
        &mut self,
        inst: &Inst,
        space: Space,
        op: Guest,
        width: Width,
        rtn: bool,
        active: Value,
    ) -> Result<(), Reason> {
        let ir = self.ds_atomic_op(op, width)?;
        let to = if rtn {
            Some(self.vector_dst(inst, 0)?)
        } else {
            None
        };
        let mut data = Words::new();
        for i in 0..ir.data_args() {
            let from = self.vector_src(inst, 1 + i)?;
            data.push(self.atomic_item(from, 0, width, active)?);
        }
        if matches!(ir, AtomicOp::CmpSwap | AtomicOp::FCmpSwap { .. }) {
            // The LDS names the comparison value first.
            data.reverse();
        }
        let offset = inst.mem_mods().offset as u32;
        let at = self.lds_address(inst, offset, active)?;
        let old = self.lds_atomic(space, ir, width, at, &data, active);
        match to {
            Some(to) => self.write_old(to, width, old),
            None => Ok(()),
        }
    }

    /// Append and consume: the counter moves by the number of active lanes; each gets the old value.
    fn ds_count(
        &mut self,
        inst: &Inst,
        space: Space,
        offset: u32,
        op: AtomicOp,
    ) -> Result<(), Reason> {
        if !offset.is_multiple_of(4) {
            return Err(Reason::Operand("offset"));
        }
        let to = self.vector_dst(inst, 0)?;
        let exec = self.exec();
        let count = self.b.bit_count(exec);
        let none = self.is_zero(exec);
        let any = self.b.not(none);
        let at = self.b.const32(offset);
        let (width, once) = (Width::B32, Shape::Uniform);
        let old = self.lds_atomic_shaped(space, op, width, once, at, &[count], any);
        self.set_vreg(to, old);
        Ok(())
    }

    // ---- Lanes -----------------------------------------------------------------------------------

    /// EXEC's word for the 32 lanes that a lane belongs to.
    fn half_of(&mut self, mask: Value) -> Value {
        match self.launch.wave {
            WaveSize::W32 => mask,
            WaveSize::W64 => {
                let (lo, hi) = (self.b.lo(mask), self.b.hi(mask));
                let lane = self.b.input(Input::LaneId);
                let bit = self.b.const32(32);
                let low = self.b.ult(lane, bit);
                self.b.select(low, lo, hi)
            }
        }
    }

    /// The lane number of lane `within` of the same 32 lanes.
    fn in_half(&mut self, within: Value) -> Value {
        match self.launch.wave {
            WaveSize::W32 => within,
            WaveSize::W64 => {
                let lane = self.b.input(Input::LaneId);
                let half = self.b.and32(lane, 32);
                self.b.or(half, within)
            }
        }
    }

    /// What lane `within` of the same 32 lanes holds; 0 where it is off.
    fn fetch(&mut self, data: Value, within: Value) -> Value {
        let exec = self.exec();
        let half = self.half_of(exec);
        let bit = self.b.shr_u(half, within);
        let bit = self.b.and32(bit, 1);
        let on = self.b.eq32(bit, 1);
        let source = self.in_half(within);
        let value = self.b.shuffle(data, source);
        let zero = self.b.const32(0);
        self.b.select(on, value, zero)
    }

    /// Each lane gets what the highest active lane sent it, 0 where none did. The senders of a lane
    /// are those whose target has its number's bits.
    fn ds_permute(&mut self, inst: &Inst, offset: u32, active: Value) -> Result<(), Reason> {
        let to = self.vector_dst(inst, 0)?;
        let data = self.vector_src(inst, 1)?;
        let data = self.active_vreg(data, active);
        let at = self.lds_address(inst, offset, active)?;
        let lane = self.b.input(Input::LaneId);
        let exec = self.exec();
        let mut senders = self.half_of(exec);
        for i in 0..5 {
            let bit = self.b.field_u(at, 2 + i, 1);
            let bit = self.b.eq32(bit, 1);
            let sent = self.b.ballot(bit);
            let sent = self.half_of(sent);
            let own = self.b.field_s(lane, i, 1);
            let other = self.b.not(own);
            let same = self.b.xor(sent, other);
            senders = self.b.and(senders, same);
        }
        let source = self.b.find_umsb(senders);
        let none = self.is_zero(senders);
        let source = self.b.and32(source, 31);
        let source = self.in_half(source);
        let value = self.b.shuffle(data, source);
        let zero = self.b.const32(0);
        let value = self.b.select(none, zero, value);
        self.set_vreg(to, value);
        Ok(())
    }

    /// The source within 32 lanes that a swizzle pattern gives each lane.
    fn swizzle_source(&mut self, pattern: u32) -> Value {
        let lane = self.b.input(Input::LaneId);
        let within = self.b.and32(lane, 31);
        if pattern & 0x8000 == 0 {
            let (and, or, xor) = (pattern & 31, pattern >> 5 & 31, pattern >> 10 & 31);
            let x = self.b.and32(within, and);
            let or = self.b.const32(or);
            let x = self.b.or(x, or);
            let xor = self.b.const32(xor);
            return self.b.xor(x, xor);
        }
        if pattern & 0x4000 == 0 {
            // Four selects of two bits.
            let at = self.b.and32(within, 3);
            let at = self.b.shl_by(at, 1);
            let table = self.b.const32(pattern & 0xff);
            let pick = self.b.shr_u(table, at);
            let pick = self.b.and32(pick, 3);
            let quad = self.b.and32(within, !3);
            return self.b.or(quad, pick);
        }
        if pattern & 0x2000 == 0 {
            // Rotation of the lanes whose number differs in the bits that the mask leaves.
            let (keep, by) = (pattern & 31, pattern >> 5 & 31);
            let by = if pattern & 0x400 == 0 { by } else { 32 - by };
            let rotated = self.b.add32(within, by);
            let rotated = self.b.and32(rotated, !keep & 31);
            let kept = self.b.and32(within, keep);
            return self.b.or(kept, rotated);
        }
        // The orders of a fast Fourier transform: bits reversed, of as many as the mask has zeros.
        let keep = pattern & 31;
        let reversed = self.b.bit_reverse(within);
        let reversed = self.b.shr_by(reversed, 27);
        let reversed = self.b.shr_by(reversed, keep.count_ones());
        let kept = self.b.and32(within, keep);
        self.b.or(reversed, kept)
    }
}

fn dwords(width: Width) -> u8 {
    match width {
        Width::B32 => 1,
        Width::B64 => 2,
    }
}

/// The two byte offsets of a two-address instruction.
fn pair(mods: &MemMods, width: Width, strided: bool) -> [u32; 2] {
    let unit = u32::from(dwords(width)) * 4 * if strided { 64 } else { 1 };
    [mods.offset as u32 * unit, u32::from(mods.offset1) * unit]
}

//! Where a buffer access goes: index, offset, swizzle and the bounds rule of the V#. What is known of
//! the V# folds away; the rest is decided at run time by the same code.
//!
//! The offset is the offset VGPR plus the instruction's, modulo 2^32: compilers rely on a negative VGPR
//! that the instruction makes positive. SOFFSET is added to the address and not
//! checked. With a stride of 0 the structured rule looks at the index alone.
//!
//! What no fact covers is a fault at run time: a V# whose type is no buffer's, an item that would cross
//! the elements of a swizzled buffer.

use smallvec::SmallVec;
use spirdna_isa::descriptor::vsharp;
use spirdna_isa::{Inst, Operand};

use super::super::Lift;
use super::super::access::vector_at;
use super::super::memory::Words;
use super::descriptor::{BoundBuffer, VSharp};
use crate::error::Reason;
use crate::ir::{Block, Builder, Const, Input, Kind, Value};

/// The address operands of a buffer instruction, and its V#.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The V#.
    pub v: VSharp,
    /// Lanes that take part.
    pub active: Value,
    /// Where a load to LDS puts a lane's dword.
    pub lds: Option<Value>,
    /// The V# is none: uniform Bool.
    no_buffer: Value,
    /// Base plus SOFFSET: uniform I64. Of a bound buffer it is made where it is needed.
    base: Option<Value>,
    soffset: Value,
    /// Low bits of the base that are zero.
    base_zeros: u32,
    /// Record: I32.
    index: Value,
    /// The record may be another than 0.
    indexed: bool,
    /// The sum that makes the record carried out of 32 bits.
    carried: Value,
    /// Offset VGPR plus the instruction's offset modulo 2^32, or 0 without an offset VGPR: I32.
    offset: Value,
    /// Low bits of `offset` that are zero.
    offset_zeros: u32,
    /// The instruction's offset where it is not in `offset`.
    imm: u32,
    stride: Value,
    /// The buffer is swizzled: uniform Bool.
    swizzled: Value,
    /// Log2 of the records of a swizzle block; 0 where the buffer is not swizzled.
    block_shift: Value,
    limits: Limits,
}

/// What a V# says of every access by it.
#[derive(Clone, Copy, Debug)]
pub(in crate::lift) struct Described {
    no_buffer: Value,
    stride: Value,
    swizzled: Value,
    block_shift: Value,
    limits: Limits,
}

/// A block, and the words of a V# in it.
pub(in crate::lift) type DescribedBy = (Block, [Value; 4]);

/// What an access may not exceed; all ones is no limit.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Nothing is in range where this is false.
    live: Value,
    index: Value,
    offset: Value,
    /// The swizzled offset is checked: Bool.
    checks_swizzled: Value,
    /// The last one in range: I32.
    swizzled: Value,
    /// The same, where all of it is known of a buffer that is not swizzled.
    known: Option<KnownLimits>,
}

/// The limits of a linear buffer that is known.
#[derive(Clone, Copy, Debug)]
struct KnownLimits {
    live: bool,
    last_record: u32,
    index: u32,
    offset: u32,
}

impl KnownLimits {
    fn of(v: &VSharp) -> Option<KnownLimits> {
        let plain = [vsharp::TYPE, vsharp::SWIZZLE_ENABLE];
        if plain.into_iter().any(|field| v.known(field) != Some(0)) {
            return None;
        }
        let records = v.known(vsharp::NUM_RECORDS)?;
        let stride = v.known(vsharp::STRIDE)?;
        let rule = v.known(vsharp::OOB_SELECT)?;
        let last_record = records.wrapping_sub(1);
        Some(KnownLimits {
            live: records != 0,
            last_record,
            index: if rule < 2 { last_record } else { u32::MAX },
            offset: match rule {
                0 => stride.wrapping_sub(1),
                3 => last_record,
                _ => u32::MAX,
            },
        })
    }
}

/// The places of an access: of `items` dwords, or of one narrower item.
pub(super) struct Placed {
    /// A place for each item; the items of a linear buffer share one.
    ptrs: Words,
    /// Lanes that do item i.
    pub guards: SmallVec<[Value; 4]>,
    /// Whether the places are known to be multiples of 4.
    pub aligned: bool,
}

impl Placed {
    /// Place and byte offset of item `i`, a dword.
    pub fn item(&self, i: usize) -> Option<(Value, u32)> {
        match self.ptrs.as_slice() {
            &[shared] => Some((shared, 4 * i as u32)),
            apart => apart.get(i).map(|&ptr| (ptr, 0)),
        }
    }
}

/// What is to be placed.
pub(super) struct Item {
    /// Bytes (I32); of several dwords, all of them.
    pub bytes: Value,
    /// Dwords that it is moved in at most.
    pub dwords: u32,
    /// Alignment minus 1 (I32) that it must have.
    pub align_mask: Value,
    /// Uniform Bool: nothing is moved, every lane in range records a fault.
    pub refused: Value,
    /// Each dword is in range or not by itself; otherwise the first byte decides.
    pub apart: bool,
}

impl Lift<'_> {
    /// Reads the address operands: source roles `first` (VGPRs), `first + 1` (V#), `first + 2` (SOFFSET).
    pub(super) fn buffer_access(&mut self, inst: &Inst, first: usize) -> Result<Access, Reason> {
        let mods = inst.mem_mods();
        let (active, lds) = self.buffer_lanes(inst, &mods)?;
        let reg = match self.src(inst, first + 1)? {
            (Operand::S(reg), _) => reg,
            _ => return Err(Reason::Operand("descriptor")),
        };
        let v = self.vsharp(reg)?;
        let zero = self.b.const32(0);
        let (mut index, mut offset) = (zero, zero);
        let mut imm = mods.offset as u32;
        if mods.idxen || mods.offen {
            let reg = self.vector_src(inst, first)?;
            if mods.idxen {
                index = self.active_vreg(reg, active);
            }
            if mods.offen {
                let vgpr = self.active_vreg(vector_at(reg, u32::from(mods.idxen))?, active);
                offset = self.plus(vgpr, imm);
                imm = 0;
            }
        }
        let mut indexed = index != zero;
        let mut carried = self.b.const_bool(false);
        if v.known(vsharp::ADD_TID) != Some(0) {
            let add = v.field(&mut self.b, vsharp::ADD_TID);
            let mask = self.b.sub(zero, add);
            let lane = self.b.input(Input::LaneId);
            let lane = self.b.and(lane, mask);
            index = self.b.add(index, lane);
            carried = self.b.ult(index, lane);
            indexed = true;
        }
        let soffset = self.src32(inst, first + 2)?;
        let base = match v.bound() {
            Some(_) => None,
            None => Some(self.buffer_base(&v, soffset)),
        };
        let Described {
            no_buffer,
            stride,
            swizzled,
            block_shift,
            limits,
        } = self.described(&v);
        Ok(Access {
            base_zeros: v.base_zeros().min(self.low_zeros(soffset)),
            v,
            active,
            lds,
            no_buffer,
            base,
            soffset,
            index,
            indexed,
            carried,
            offset,
            offset_zeros: self.low_zeros(offset),
            imm,
            stride,
            swizzled,
            block_shift,
            limits,
        })
    }

    fn buffer_base(&mut self, v: &VSharp, soffset: Value) -> Value {
        if self.b.as_const(soffset) == Some(Const::I32(0)) {
            return v.base(&mut self.b);
        }
        let soffset = self.b.zext(soffset);
        let base = v.base(&mut self.b);
        self.b.add(base, soffset)
    }

    /// What a V# says, made once a block: most accesses of a block have few V#s.
    fn described(&mut self, v: &VSharp) -> Described {
        let key = (self.b.block(), v.values());
        if let Some((_, known)) = self.described.iter().rev().find(|(k, _)| *k == key) {
            return *known;
        }
        let made = match KnownLimits::of(v) {
            Some(known) => self.describe_known(v, known),
            None => self.describe(v),
        };
        self.described.push((key, made));
        made
    }

    fn describe_known(&mut self, v: &VSharp, known: KnownLimits) -> Described {
        let b = &mut self.b;
        let no = b.const_bool(false);
        Described {
            no_buffer: no,
            stride: v.stride(b),
            swizzled: no,
            block_shift: b.const32(0),
            limits: Limits {
                live: b.const_bool(known.live),
                index: b.const32(known.index),
                offset: b.const32(known.offset),
                checks_swizzled: no,
                swizzled: b.const32(known.last_record),
                known: Some(known),
            },
        }
    }

    fn describe(&mut self, v: &VSharp) -> Described {
        let zero = self.b.const32(0);
        let stride = v.stride(&mut self.b);
        let ty = v.field(&mut self.b, vsharp::TYPE);
        let no_buffer = self.b.ne(ty, zero);
        let swizzle = v.field(&mut self.b, vsharp::SWIZZLE_ENABLE);
        let swizzled = self.b.ne(swizzle, zero);
        let block_shift = self.block_shift(v, swizzled);
        let limits = self.buffer_limits(v, swizzled, no_buffer);
        Described {
            no_buffer,
            stride,
            swizzled,
            block_shift,
            limits,
        }
    }

    /// A swizzle block has 8 << INDEX_STRIDE records.
    fn block_shift(&mut self, v: &VSharp, swizzled: Value) -> Value {
        let b = &mut self.b;
        let stride = v.field(b, vsharp::INDEX_STRIDE);
        let shift = b.add32(stride, 3);
        let zero = b.const32(0);
        b.select(swizzled, shift, zero)
    }

    fn buffer_limits(&mut self, v: &VSharp, swizzled: Value, no_buffer: Value) -> Limits {
        let b = &mut self.b;
        let records = v.num_records(b);
        let stride = v.stride(b);
        let rule = v.field(b, vsharp::OOB_SELECT);
        let zero = b.const32(0);
        let ones = b.const32(u32::MAX);
        let two = b.const32(2);
        let structured = b.eq32(rule, 0);
        let by_index = b.ult(rule, two);
        let raw = b.eq32(rule, 3);
        let linear = b.not(swizzled);
        let last_record = b.add32(records, u32::MAX);
        // The stride minus 1; all ones, no limit, where the stride is 0.
        let last_byte = b.add32(stride, u32::MAX);
        let index = b.select(by_index, last_record, ones);
        let raw_linear = b.and(raw, linear);
        let offset = b.select(raw_linear, last_record, ones);
        let offset = b.select(structured, last_byte, offset);
        let some = b.ne(records, zero);
        let buffer = b.not(no_buffer);
        Limits {
            live: b.and(some, buffer),
            index,
            offset,
            checks_swizzled: b.and(raw, swizzled),
            swizzled: last_record,
            known: None,
        }
    }

    /// Whether the byte `at` bytes behind the access's offset is in range, the lane active. `swizzled` is
    /// its offset in a buffer that may be swizzled.
    fn in_range(&mut self, a: &Access, at: u32, swizzled: Option<Value>) -> Value {
        if let (Some(known), None) = (a.limits.known, swizzled) {
            return self.in_known_range(a, at, known);
        }
        let zeros = a.offset_zeros.min(31);
        let b = &mut self.b;
        let ones = b.const32(u32::MAX);
        let mut guard = b.and(a.limits.live, a.active);
        let limited = b.ne(a.limits.index, ones);
        let carried = b.and(limited, a.carried);
        let carried = b.not(carried);
        let index = b.ule(a.index, a.limits.index);
        let index = b.and(index, carried);
        guard = b.and(guard, index);
        // offset + imm + at <= limit, without a wrap.
        let limited = b.ne(a.limits.offset, ones);
        let step = b.const32(a.imm + at);
        let mut room = b.sub(a.limits.offset, step);
        if let Some(Const::I32(known)) = b.as_const(room) {
            // The greatest offset of its alignment: so that items that are in range together compare alike.
            room = b.const32(known & u32::MAX << zeros);
        }
        let fits = b.ule(step, a.limits.offset);
        let below = b.ule(a.offset, room);
        let below = b.and(fits, below);
        let unlimited = b.not(limited);
        let below = b.or(unlimited, below);
        guard = b.and(guard, below);
        if let Some(swizzled) = swizzled {
            let last = b.zext(a.limits.swizzled);
            let below = b.ule(swizzled, last);
            let unchecked = b.not(a.limits.checks_swizzled);
            let below = b.or(unchecked, below);
            guard = b.and(guard, below);
        }
        guard
    }

    /// The same of a linear buffer that is known.
    fn in_known_range(&mut self, a: &Access, at: u32, known: KnownLimits) -> Value {
        let step = a.imm + at;
        if !known.live || step > known.offset {
            return self.b.const_bool(false);
        }
        let b = &mut self.b;
        let mut guard = a.active;
        if known.index != u32::MAX {
            let carried = b.not(a.carried);
            let index = b.ule(a.index, a.limits.index);
            let index = b.and(index, carried);
            guard = b.and(guard, index);
        }
        if known.offset != u32::MAX {
            // The greatest offset of its alignment: so that items that are in range together compare alike.
            let room = (known.offset - step) & u32::MAX << a.offset_zeros.min(31);
            let room = b.const32(room);
            let below = b.ule(a.offset, room);
            guard = b.and(guard, below);
        }
        guard
    }

    fn is_linear(&self, a: &Access) -> bool {
        self.is_no(a.swizzled)
    }

    /// The address of the access in a linear buffer, and how many low bits of it are zero.
    fn linear_address(&mut self, a: &Access) -> (Value, u32) {
        let mut base = match a.base {
            Some(base) => base,
            None => self.buffer_base(&a.v, a.soffset),
        };
        let b = &mut self.b;
        let mut imm_zeros = 64;
        if a.imm != 0 {
            imm_zeros = a.imm.trailing_zeros();
            let imm = b.const64(u64::from(a.imm));
            base = b.add(base, imm);
        }
        let offset = b.zext(a.offset);
        let (offset, zeros) = if a.indexed {
            let lo = b.mul(a.index, a.stride);
            let hi = b.mul_hi_u(a.index, a.stride);
            let record = b.pack(lo, hi);
            let offset = b.add(record, offset);
            (offset, self.low_zeros(offset))
        } else {
            (offset, a.offset_zeros)
        };
        let address = self.b.add(base, offset);
        (address, zeros.min(imm_zeros).min(a.base_zeros))
    }

    /// The offset from the base of the byte `at` bytes on, in a buffer that may be swizzled.
    fn swizzled_offset(&mut self, a: &Access, at: u32) -> Value {
        let step = self.b.const32(a.imm + at);
        let args = [a.index, a.offset, step, a.stride, a.block_shift];
        if self.b.as_const(a.block_shift).is_some() {
            return swizzle(&mut self.b, &args);
        }
        let kinds = [Kind::I32; 5];
        let helper = self.helper("buffer_offset", &kinds, swizzle);
        self.b.call(helper, Kind::I64, &args)
    }

    fn swizzled_address(&mut self, a: &Access, offset: Value) -> Value {
        let base = match a.base {
            Some(base) => base,
            None => self.buffer_base(&a.v, a.soffset),
        };
        self.b.add(base, offset)
    }

    /// Places an item. The guards of what comes back are the lanes that move each dword.
    pub(super) fn place_item(&mut self, a: &Access, item: &Item) -> Placed {
        let none = self.both(a.active, a.no_buffer);
        if self.is_linear(a) {
            self.place_linear(a, item, none)
        } else {
            self.place_swizzled(a, item, none)
        }
    }

    /// The byte of a bound buffer that an access begins at.
    pub(super) fn bound_offset(&mut self, a: &Access) -> Value {
        let offset = if a.indexed {
            let record = self.b.mul(a.index, a.stride);
            let offset = self.plus(a.offset, a.imm);
            self.b.add(record, offset)
        } else {
            self.plus(a.offset, a.imm)
        };
        self.b.add(offset, a.soffset)
    }

    /// Whether so many bytes at an offset of a bound buffer, `zeros` low bits of which are zero, end inside
    /// it.
    pub(in crate::lift) fn inside_bound(
        &mut self,
        buffer: BoundBuffer,
        (at, zeros): (Value, u32),
        bytes: u32,
    ) -> Value {
        let zeros = zeros.min(31);
        match buffer.bytes.checked_sub(bytes) {
            Some(last) => {
                let last = self.b.const32(last & u32::MAX << zeros);
                self.b.ule(at, last)
            }
            None => self.b.const_bool(false),
        }
    }

    /// An item in a bound buffer. Nothing of it lies outside: that is what bound buffers promise.
    fn place_bound(&mut self, a: &Access, item: &Item, buffer: BoundBuffer, none: Value) -> Placed {
        let at = self.bound_offset(a);
        let zeros = self.low_zeros(at);
        let first = self.in_range(a, 0, None);
        let misaligned = if self.needs_no_alignment(item) {
            self.b.const_bool(false)
        } else if a.base_zeros >= 4 {
            let at = self.b.zext(at);
            self.misaligned(at, zeros, item.align_mask)
        } else {
            let (address, zeros) = self.linear_address(a);
            self.misaligned(address, zeros, item.align_mask)
        };
        let (first, refused) = self.refuse(first, item.refused, misaligned, none);
        if !self.is_no(refused) {
            let (address, _) = self.linear_address(a);
            self.fault(address, refused);
        }
        // Of an item of less than a dword its bytes, else a dword.
        let bytes = match self.b.as_const(item.bytes) {
            Some(Const::I32(bytes)) => bytes.min(4),
            _ => 4,
        };
        let mut guards = SmallVec::new();
        for i in 0..item.dwords {
            let guard = self.item_guard(a, item, i, first, refused);
            let inside = self.inside_bound(buffer, (at, zeros), 4 * i + bytes);
            guards.push(self.b.and(guard, inside));
        }
        let ptr = self.b.ptr_bound(buffer.number, at);
        Placed {
            ptrs: SmallVec::from_slice(&[ptr]),
            guards,
            aligned: zeros >= 2 || self.aligns_dwords(item),
        }
    }

    /// Whether nothing is asked of an item's alignment.
    fn needs_no_alignment(&self, item: &Item) -> bool {
        self.b.as_const(item.align_mask) == Some(Const::I32(0))
    }

    /// Whether an item has the alignment of a dword where it is moved at all.
    fn aligns_dwords(&self, item: &Item) -> bool {
        let mask = self.known_bits(item.align_mask);
        mask.bits & mask.mask & 3 == 3
    }

    /// The lanes that move dword `i` of an item in a linear buffer, of those that move the first.
    fn item_guard(
        &mut self,
        a: &Access,
        item: &Item,
        i: u32,
        first: Value,
        refused: Value,
    ) -> Value {
        if i == 0 {
            return first;
        }
        if !item.apart {
            return self.part_of(first, item.bytes, i);
        }
        let inside = self.in_range(a, 4 * i, None);
        if self.is_no(refused) {
            return inside;
        }
        let accepted = self.b.not(refused);
        self.b.and(inside, accepted)
    }

    fn place_linear(&mut self, a: &Access, item: &Item, none: Value) -> Placed {
        if let Some(buffer) = a.v.bound() {
            return self.place_bound(a, item, buffer, none);
        }
        let (address, zeros) = self.linear_address(a);
        let first = self.in_range(a, 0, None);
        let misaligned = self.misaligned(address, zeros, item.align_mask);
        let (first, refused) = self.refuse(first, item.refused, misaligned, none);
        let mut guards = SmallVec::new();
        guards.push(first);
        for i in 1..item.dwords {
            guards.push(self.item_guard(a, item, i, first, refused));
        }
        let bytes = if item.apart {
            self.bytes_in_range(&guards)
        } else {
            item.bytes
        };
        let ptr = self.place_bytes(address, bytes, first, refused);
        Placed {
            ptrs: SmallVec::from_slice(&[ptr]),
            guards,
            aligned: zeros >= 2 || self.aligns_dwords(item),
        }
    }

    fn place_swizzled(&mut self, a: &Access, item: &Item, none: Value) -> Placed {
        let mut placed = Placed {
            ptrs: SmallVec::new(),
            guards: SmallVec::new(),
            aligned: false,
        };
        let four = self.b.const32(4);
        let first_bytes = self.b.umin(item.bytes, four);
        let crosses = self.crosses(a, first_bytes);
        let mut accepted = None;
        for i in 0..item.dwords {
            let offset = self.swizzled_offset(a, 4 * i);
            let address = self.swizzled_address(a, offset);
            let (guard, refused) = match accepted {
                Some(first) if !item.apart => {
                    let guard = self.part_of(first, item.bytes, i);
                    (guard, self.b.const_bool(false))
                }
                _ => {
                    let guard = self.in_range(a, 4 * i, Some(offset));
                    let misaligned = self.misaligned(address, 0, item.align_mask);
                    let bad = self.b.or(misaligned, crosses);
                    self.refuse(guard, item.refused, bad, none)
                }
            };
            accepted.get_or_insert(guard);
            let bytes = if i == 0 { first_bytes } else { four };
            let ptr = self.place_bytes(address, bytes, guard, refused);
            placed.ptrs.push(ptr);
            placed.guards.push(guard);
        }
        placed
    }

    /// Takes the lanes that fault out of a guard: those in range where `refused` or `bad` holds, and
    /// `none`. Gives the rest and the faults.
    fn refuse(&mut self, guard: Value, refused: Value, bad: Value, none: Value) -> (Value, Value) {
        if self.is_no(refused) && self.is_no(bad) {
            return (guard, none);
        }
        let bad = self.b.or(refused, bad);
        let faults = self.b.and(guard, bad);
        let good = self.b.not(bad);
        let guard = self.b.and(guard, good);
        (guard, self.b.or(faults, none))
    }

    /// Lanes of `first` where an item has a dword `i`.
    fn part_of(&mut self, first: Value, bytes: Value, i: u32) -> Value {
        let before = self.b.const32(4 * i);
        let has = self.b.ult(before, bytes);
        self.b.and(first, has)
    }

    /// Whether an address, `zeros` low bits of which are zero, misses an alignment.
    fn misaligned(&mut self, address: Value, zeros: u32, align_mask: Value) -> Value {
        if self.b.as_const(align_mask) == Some(Const::I32(0)) {
            return self.b.const_bool(false);
        }
        let low = self.b.lo(address);
        let known = self
            .b
            .const32(if zeros >= 32 { 0 } else { u32::MAX << zeros });
        let mask = self.b.and(align_mask, known);
        let rest = self.b.and(low, mask);
        let zero = self.b.const32(0);
        self.b.ne(rest, zero)
    }

    /// Whether `bytes` (at most 4) from the offset on cross an element of a swizzled buffer.
    fn crosses(&mut self, a: &Access, bytes: Value) -> Value {
        let byte = self.b.add32(a.offset, a.imm);
        let byte = self.b.and32(byte, 3);
        let end = self.b.add(byte, bytes);
        let four = self.b.const32(4);
        let over = self.b.ult(four, end);
        self.b.and(over, a.swizzled)
    }

    /// The place and the lanes of an atomic of so many bytes in a bound buffer.
    pub(super) fn bound_atomic(&mut self, a: &Access, bytes: u32) -> Option<(Value, Value)> {
        let buffer = a.v.bound()?;
        let at = self.bound_offset(a);
        let aligned = self.low_zeros(at).min(a.base_zeros) >= bytes.trailing_zeros();
        if !aligned {
            return None;
        }
        let guard = self.in_range(a, 0, None);
        let inside = self.inside_bound(buffer, (at, self.low_zeros(at)), bytes);
        let guard = self.b.and(guard, inside);
        Some((self.b.ptr_bound(buffer.number, at), guard))
    }

    /// The address of an atomic and its lanes.
    pub(super) fn atomic_place(&mut self, a: &Access) -> (Value, Value, bool) {
        let none = self.both(a.active, a.no_buffer);
        let (address, guard, zeros) = if self.is_linear(a) {
            let (address, zeros) = self.linear_address(a);
            (address, self.in_range(a, 0, None), zeros)
        } else {
            let offset = self.swizzled_offset(a, 0);
            let guard = self.in_range(a, 0, Some(offset));
            (self.swizzled_address(a, offset), guard, 0)
        };
        self.fault(address, none);
        (address, guard, zeros >= 2)
    }
}

/// Offset of (index, offset VGPR, further offset, stride, log2 of a block's records): elements of 4 bytes of
/// a block's records side by side, then the next element of each.
fn swizzle(b: &mut Builder<'_>, args: &[Value]) -> Value {
    let &[index, offset, step, stride, shift] = args else {
        return b.const64(0);
    };
    let ones = b.const32(u32::MAX);
    let above = b.shl(ones, shift);
    let mask = b.not(above);
    let (offset, step) = (b.zext(offset), b.zext(step));
    let offset = b.add(offset, step);
    let rows = b.shr_u(index, shift);
    let lo = b.mul(rows, stride);
    let hi = b.mul_hi_u(rows, stride);
    let row = b.pack(lo, hi);
    let element_mask = b.const64(!3);
    let element = b.and(offset, element_mask);
    let block_start = b.add(row, element);
    let block_start = b.shl(block_start, shift);
    let within = b.and(index, mask);
    let within = b.shl_by(within, 2);
    let low = b.lo(offset);
    let byte = b.and32(low, 3);
    let within = b.add(within, byte);
    let within = b.zext(within);
    b.add(block_start, within)
}

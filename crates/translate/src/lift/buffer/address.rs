//! Where a buffer access goes: index, offset, swizzle and the bounds rule of the V#. What is known of
//! the V# folds away; the rest is decided at run time by the same code.
//!
//! The offset is the offset VGPR plus the instruction's, without a wrap at 32 bits: a compiler never
//! lets a negative VGPR be made positive by the instruction. SOFFSET is added to the address and not
//! checked.

use smallvec::SmallVec;
use spirdna_isa::descriptor::vsharp;
use spirdna_isa::{Inst, Operand};

use super::super::Lift;
use super::super::memory::Words;
use super::descriptor::VSharp;
use crate::error::Reason;
use crate::ir::{Builder, Input, Kind, Value};

/// The address operands of a buffer instruction, and its V#.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The V#.
    #[allow(dead_code, reason = "formatted accesses read it")]
    pub v: VSharp,
    /// Lanes that take part.
    pub active: Value,
    /// Base plus SOFFSET: uniform I64.
    base: Value,
    /// Low bits of `base` that are zero.
    base_zeros: u32,
    /// Record: I32.
    index: Value,
    /// Offset VGPR, or 0: I32.
    offset: Value,
    /// The instruction's offset.
    imm: u32,
    stride: Value,
    /// Records of a swizzle block; 1 where the buffer is not swizzled.
    block: Value,
    limits: Limits,
}

/// What an access may not exceed; all ones is no limit.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Nothing is in range where this is false.
    live: Value,
    index: Value,
    offset: Value,
    /// Of the swizzled offset: I64.
    swizzled: Value,
}

/// The place of one or more dwords, and which of them are in range.
pub(super) struct Placed {
    /// A place for each item; the items of a linear buffer share one, at multiples of 4.
    pub ptrs: Words,
    /// Whether lane and item are in range, item by item.
    pub guards: SmallVec<[Value; 4]>,
    /// Whether the places are known to be multiples of 4.
    pub aligned: bool,
    /// Whether all items share `ptrs[0]`.
    pub shared: bool,
}

impl Lift<'_> {
    /// Reads the address operands: source roles `first` (VGPRs), `first + 1` (V#), `first + 2` (SOFFSET).
    pub(super) fn buffer_access(&mut self, inst: &Inst, first: usize) -> Result<Access, Reason> {
        let mods = inst.mem_mods();
        if mods.tfe {
            return Err(Reason::Modifier("tfe"));
        }
        if mods.lds {
            return Err(Reason::Modifier("lds"));
        }
        let active = self.active();
        let reg = match self.src(inst, first + 1)? {
            (Operand::S(reg), _) => reg,
            _ => return Err(Reason::Operand("descriptor")),
        };
        let v = self.vsharp(reg)?;
        let zero = self.b.const32(0);
        let (mut index, mut offset) = (zero, zero);
        if mods.idxen || mods.offen {
            let reg = self.vector_src(inst, first)?;
            if mods.idxen {
                index = self.active_vreg(reg, active);
            }
            if mods.offen {
                let reg = super::super::access::vector_at(reg, u32::from(mods.idxen))?;
                offset = self.active_vreg(reg, active);
            }
        }
        if v.known(vsharp::ADD_TID) != Some(0) {
            let add = v.field(&mut self.b, vsharp::ADD_TID);
            let mask = self.b.sub(zero, add);
            let lane = self.b.input(Input::LaneId);
            let lane = self.b.and(lane, mask);
            index = self.b.add(index, lane);
        }
        let soffset = self.src32(inst, first + 2)?;
        let soffset64 = self.b.zext(soffset);
        let base = v.base(&mut self.b);
        let base = self.b.add(base, soffset64);
        let stride = v.stride(&mut self.b);
        let block = self.swizzle_block(&v);
        let limits = self.buffer_limits(&v, block);
        Ok(Access {
            base_zeros: v.base_zeros().min(self.low_zeros(soffset)),
            v,
            active,
            base,
            index,
            offset,
            imm: mods.offset as u32,
            stride,
            block,
            limits,
        })
    }

    /// Records of a swizzle block: 8 << INDEX_STRIDE, or 1 without swizzle.
    fn swizzle_block(&mut self, v: &VSharp) -> Value {
        let one = self.b.const32(1);
        if v.known(vsharp::SWIZZLE_ENABLE) == Some(0) {
            return one;
        }
        let on = v.field(&mut self.b, vsharp::SWIZZLE_ENABLE);
        let on = self.b.eq32(on, 1);
        let stride = v.field(&mut self.b, vsharp::INDEX_STRIDE);
        let eight = self.b.const32(8);
        let block = self.b.shl(eight, stride);
        self.b.select(on, block, one)
    }

    fn buffer_limits(&mut self, v: &VSharp, block: Value) -> Limits {
        let b = &mut self.b;
        let records = v.num_records(b);
        let stride = v.stride(b);
        let rule = v.field(b, vsharp::OOB_SELECT);
        let zero = b.const32(0);
        let (ones, ones64) = (b.const32(u32::MAX), b.const64(u64::MAX));
        let two = b.const32(2);
        let structured = b.eq32(rule, 0);
        let by_index = b.ult(rule, two);
        let raw = b.eq32(rule, 3);
        let swizzled = b.eq32(block, 1);
        let swizzled = b.not(swizzled);
        let last_record = b.add32(records, u32::MAX);
        let last_byte = b.add32(stride, u32::MAX);
        let index = b.select(by_index, last_record, ones);
        let linear = b.not(swizzled);
        let raw_linear = b.and(raw, linear);
        let offset = b.select(raw_linear, last_record, ones);
        let offset = b.select(structured, last_byte, offset);
        let raw_swizzled = b.and(raw, swizzled);
        let last64 = b.zext(last_record);
        let swizzled = b.select(raw_swizzled, last64, ones64);
        let some = b.ne(records, zero);
        let wide = b.ne(stride, zero);
        let unstructured = b.not(structured);
        let wide = b.or(unstructured, wide);
        Limits {
            live: b.and(some, wide),
            index,
            offset,
            swizzled,
        }
    }

    /// Whether the item `at` bytes behind the access's offset is in range, `guard` included. `swizzled`
    /// is its offset in a swizzled buffer.
    fn in_range(&mut self, a: &Access, at: u32, swizzled: Option<Value>) -> Value {
        let b = &mut self.b;
        let mut guard = b.and(a.limits.live, a.active);
        let index = b.ule(a.index, a.limits.index);
        guard = b.and(guard, index);
        // offset + imm + at <= limit, without a wrap. All ones is no limit.
        let ones = b.const32(u32::MAX);
        let limited = b.ne(a.limits.offset, ones);
        let step = b.const32(a.imm + at);
        let room = b.sub(a.limits.offset, step);
        let fits = b.ule(step, a.limits.offset);
        let below = b.ule(a.offset, room);
        let below = b.and(fits, below);
        let unlimited = b.not(limited);
        let below = b.or(unlimited, below);
        guard = b.and(guard, below);
        if let Some(swizzled) = swizzled {
            let below = b.ule(swizzled, a.limits.swizzled);
            guard = b.and(guard, below);
        }
        guard
    }

    fn is_linear(&self, a: &Access) -> bool {
        self.b.as_const(a.block) == Some(crate::ir::Const::I32(1))
    }

    /// The address of the access in a linear buffer.
    fn linear_address(&mut self, a: &Access) -> (Value, bool) {
        let b = &mut self.b;
        let imm = b.const64(u64::from(a.imm));
        let base = b.add(a.base, imm);
        let offset = b.zext(a.offset);
        let lo = b.mul(a.index, a.stride);
        let hi = b.mul_hi_u(a.index, a.stride);
        let record = b.pack(lo, hi);
        let offset = b.add(record, offset);
        let address = b.add(base, offset);
        let zeros = self
            .low_zeros(offset)
            .min(self.low_zeros(imm))
            .min(a.base_zeros);
        (address, zeros >= 2)
    }

    /// The offset from the base of the item `at` bytes on, in a buffer that may be swizzled.
    fn swizzled_offset(&mut self, a: &Access, at: u32) -> Value {
        let step = self.b.const32(a.imm + at);
        let args = [a.index, a.offset, step, a.stride, a.block];
        if self.b.as_const(a.block).is_some() {
            return swizzle(&mut self.b, &args);
        }
        let kinds = [Kind::I32; 5];
        let helper = self.helper("buffer_offset", &kinds, |b, p| swizzle(b, p));
        self.b.call(helper, Kind::I64, &args)
    }

    /// Places `items` items of 4 bytes, each of which may be out of range.
    pub(super) fn place_items(&mut self, a: &Access, items: u32) -> Placed {
        let mut placed = Placed {
            ptrs: Words::new(),
            guards: SmallVec::new(),
            aligned: false,
            shared: self.is_linear(a),
        };
        if placed.shared {
            let (address, aligned) = self.linear_address(a);
            for i in 0..items {
                let guard = self.in_range(a, 4 * i, None);
                placed.guards.push(guard);
            }
            let bytes = self.bytes_in_range(&placed.guards);
            let ptr = self.place_bytes(address, bytes, placed.guards[0]);
            placed.ptrs.push(ptr);
            placed.aligned = aligned;
            return placed;
        }
        for i in 0..items {
            let (guard, address) = self.swizzled_place(a, 4 * i);
            let ptr = self.place(address, 4, guard);
            placed.ptrs.push(ptr);
            placed.guards.push(guard);
        }
        placed
    }

    fn swizzled_place(&mut self, a: &Access, at: u32) -> (Value, Value) {
        let offset = self.swizzled_offset(a, at);
        let guard = self.in_range(a, at, Some(offset));
        (guard, self.b.add(a.base, offset))
    }

    /// The address of an access that is in range as a whole or not at all, its lanes in range, and
    /// whether the address is known to be a multiple of 4.
    pub(super) fn whole_address(&mut self, a: &Access) -> (Value, Value, bool) {
        if self.is_linear(a) {
            let (address, aligned) = self.linear_address(a);
            let guard = self.in_range(a, 0, None);
            return (address, guard, aligned);
        }
        let (guard, address) = self.swizzled_place(a, 0);
        (address, guard, false)
    }
}

/// Offset of (index, offset VGPR, further offset, stride, records of a block): elements of 4 bytes of
/// `block` records side by side, then the next element of each.
fn swizzle(b: &mut Builder<'_>, args: &[Value]) -> Value {
    let &[index, offset, step, stride, block] = args else {
        return b.const64(0);
    };
    let shift = b.find_lsb(block);
    let one = b.const32(1);
    let mask = b.sub(block, one);
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

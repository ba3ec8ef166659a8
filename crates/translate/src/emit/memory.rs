//! Loads, stores and atomics of guest memory, at the places that `places` makes of addresses.
//!
//! A load whose guard is false or whose place is invalid reads zeros that the caller lays aside, so that it
//! needs no branch. Bits of a word that belong to others are never written: a store of
//! less than a word exchanges the word until nobody came between, which leaves one of the values that
//! lanes stored (an `and` followed by an `or` would leave a mixture of two).

use spirv::Scope;

use super::atomic::{Cell, Target, replace_bits};
use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::module::Id;
use super::value::{Val, select};
use crate::ir::{AtomicOp, Kind, MemWidth, Shape};
use crate::options::MemoryModel;
use crate::reflect::POOL_RESERVED;
use crate::resources::DescriptorPlace;

/// A store of a run of them.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// The value.
    pub value: Val,
    /// Its width.
    pub width: MemWidth,
    /// Bytes behind the place.
    pub offset: u32,
    /// Whether the place is known to be a multiple of 4.
    pub aligned: bool,
}

impl Cx<'_> {
    /// Whether an access happens, and where.
    fn place(&mut self, b: &mut Open, ptr: Val, guard: Id, offset: u32) -> (Id, Val) {
        let valid = self.ptr_ok(b, ptr);
        let happens = if self.is_guarded(ptr, guard) {
            valid
        } else {
            self.m.band(b, guard, valid)
        };
        let place = self.place_add(b, ptr, offset);
        (happens, place)
    }

    /// Where a load of some bytes at an offset reads: zeros where there is no place or the guard is false.
    fn load_place(
        &mut self,
        b: &mut Open,
        ptr: Val,
        guard: Id,
        offset: u32,
        bytes: u32,
    ) -> Result<Val, Fail> {
        if self.target.is_some() {
            let first = Val::One(self.m.const_u32(0));
            let from = select(&mut self.m, b, Kind::I32, guard, ptr, first)?;
            return Ok(self.place_add(b, from, offset));
        }
        let near = offset.saturating_add(bytes) <= POOL_RESERVED;
        if self.options.memory != MemoryModel::Windows || !near {
            let (happens, place) = self.place(b, ptr, guard, offset);
            return self.place_or_zeros(b, happens, place);
        }
        // No place is where the zeros begin already.
        let from = if self.is_guarded(ptr, guard) {
            ptr
        } else {
            self.place_or_zeros(b, guard, ptr)?
        };
        Ok(self.place_add(b, from, offset))
    }

    /// The word that holds a byte.
    fn memory_word(&mut self, b: &mut Open, place: Val) -> Result<Id, Fail> {
        let pointer = self.memory_pointer(b, place)?;
        let word = self.m.u32();
        Ok(match place {
            Val::One(_) => self.m.load(b, word, pointer),
            Val::Two(..) => self.m.load_aligned(b, word, pointer, 4),
        })
    }

    /// Stores to the word that holds a byte.
    fn put_word(&mut self, b: &mut Open, place: Val, value: Id) -> Result<(), Fail> {
        let pointer = self.memory_pointer(b, place)?;
        match place {
            Val::One(_) => self.m.store(b, pointer, value),
            Val::Two(..) => self.m.store_aligned(b, pointer, value, 4),
        }
        Ok(())
    }

    /// Emits accesses by `emit` to what a place lies in: guest memory, or a bound buffer, where the place is
    /// a byte.
    pub fn at_target<T>(
        &mut self,
        target: Option<DescriptorPlace>,
        ptr: Val,
        emit: impl FnOnce(&mut Self, Val) -> T,
    ) -> T {
        let ptr = match target {
            Some(_) => Val::One(Self::place_low(ptr)),
            None => ptr,
        };
        let before = std::mem::replace(&mut self.target, target);
        let result = emit(self, ptr);
        self.target = before;
        result
    }

    /// A load. `once`: the wave does it once and every invocation gets the same.
    #[allow(clippy::too_many_arguments, reason = "the fields of `Op::Load`")]
    pub fn memory_load(
        &mut self,
        b: &mut Open,
        ptr: Val,
        guard: Id,
        width: MemWidth,
        offset: u32,
        aligned: bool,
        once: bool,
    ) -> Result<Val, Fail> {
        let at = self.load_place(b, ptr, guard, offset, width.bytes())?;
        let mut value = self.load_at(b, at, width, aligned)?;
        if self.target.is_some() {
            // No zeros lie aside there.
            let kind = if width == MemWidth::B64 {
                Kind::I64
            } else {
                Kind::I32
            };
            let zero = super::value::zero(&mut self.m, kind);
            value = select(&mut self.m, b, kind, guard, value, zero)?;
        }
        if !once {
            return Ok(value);
        }
        // All invocations load and the first one's word counts: the same as one load, without a branch.
        Ok(match value {
            Val::One(word) => Val::One(self.broadcast_first(b, word)),
            Val::Two(low, high) => {
                Val::Two(self.broadcast_first(b, low), self.broadcast_first(b, high))
            }
        })
    }

    fn load_at(
        &mut self,
        b: &mut Open,
        at: Val,
        width: MemWidth,
        aligned: bool,
    ) -> Result<Val, Fail> {
        let first = self.memory_word(b, at)?;
        if aligned {
            return Ok(match width {
                MemWidth::B8 => Val::One(self.m.mask(b, first, 0xff)),
                MemWidth::B16 => Val::One(self.m.mask(b, first, 0xffff)),
                MemWidth::B32 => Val::One(first),
                MemWidth::B64 => {
                    let next = self.place_add(b, at, 4);
                    Val::Two(first, self.memory_word(b, next)?)
                }
            });
        }
        let byte = self.m.mask(b, Self::place_low(at), 3);
        let shift = self.m.shl_by(b, byte, 3);
        // The last byte's word is the first word again where nothing straddles, so no word beyond the
        // access is touched.
        Ok(Val::One(match width {
            MemWidth::B8 => {
                let word = self.m.shr(b, first, shift);
                self.m.mask(b, word, 0xff)
            }
            MemWidth::B16 => {
                let last = self.place_add(b, at, 1);
                let second = self.memory_word(b, last)?;
                let word = self.straddle(b, first, second, shift);
                self.m.mask(b, word, 0xffff)
            }
            MemWidth::B32 => {
                let last = self.place_add(b, at, 3);
                let second = self.memory_word(b, last)?;
                self.straddle(b, first, second, shift)
            }
            MemWidth::B64 => {
                let middle = self.place_add(b, at, 4);
                let second = self.memory_word(b, middle)?;
                let last = self.place_add(b, at, 7);
                let third = self.memory_word(b, last)?;
                let low = self.straddle(b, first, second, shift);
                let high = self.straddle(b, second, third, shift);
                return Ok(Val::Two(low, high));
            }
        }))
    }

    /// 32 bits of (low, high) from bit `shift`, below 32.
    pub(super) fn straddle(&mut self, b: &mut Open, low: Id, high: Id, shift: Id) -> Id {
        let thirty_one = self.m.const_u32(31);
        let rest = self.m.xor(b, shift, thirty_one);
        let low = self.m.shr(b, low, shift);
        let high = self.m.shl_by(b, high, 1);
        let high = self.m.shl(b, high, rest);
        self.m.or(b, low, high)
    }

    /// Stores to one place. `once`: the wave does them once.
    pub fn memory_store(
        &mut self,
        b: &mut Open,
        ptr: Val,
        guard: Id,
        stores: &[Stored],
        once: bool,
    ) -> Result<(), Fail> {
        let (mut happens, _) = self.place(b, ptr, guard, 0);
        if once {
            let elected = self.elected(b);
            happens = self.m.band(b, elected, happens);
        }
        let branch = self.m.begin_if(b, happens);
        for store in stores {
            self.store_one(b, ptr, store)?;
        }
        self.m.end_if(b, branch);
        Ok(())
    }

    fn store_one(&mut self, b: &mut Open, ptr: Val, store: &Stored) -> Result<(), Fail> {
        let &Stored {
            value,
            width,
            offset,
            aligned,
        } = store;
        let place = self.place_add(b, ptr, offset);
        match width {
            MemWidth::B8 => self.store_narrow(b, place, value.one()?, 0xff)?,
            MemWidth::B16 => self.store_narrow(b, place, value.one()?, 0xffff)?,
            MemWidth::B32 => self.store_full(b, place, value.one()?, aligned)?,
            MemWidth::B64 => {
                let (low, high) = value.two()?;
                self.store_full(b, place, low, aligned)?;
                let next = self.place_add(b, place, 4);
                self.store_full(b, next, high, aligned)?;
            }
        }
        Ok(())
    }

    fn store_full(
        &mut self,
        b: &mut Open,
        place: Val,
        value: Id,
        aligned: bool,
    ) -> Result<(), Fail> {
        if !aligned {
            return self.store_narrow(b, place, value, u32::MAX);
        }
        self.put_word(b, place, value)
    }

    /// Stores the bits of `mask` of a value at any byte.
    fn store_narrow(&mut self, b: &mut Open, place: Val, value: Id, mask: u32) -> Result<(), Fail> {
        let function = self.store_bits_function()?;
        let value = self.m.mask(b, value, mask);
        let mask = self.m.const_u32(mask);
        let void = self.m.void();
        let place = self.place_argument(b, place);
        self.m.call(b, void, function, &[place, value, mask]);
        Ok(())
    }

    /// `store_bits(place, value, mask)`: a whole word at once where it is one, else bits of one or two.
    fn store_bits_function(&mut self) -> Result<Id, Fail> {
        if let Some(&id) = self.buffers.store_bits.get(&self.target) {
            return Ok(id);
        }
        let replace = self.replace_bits_function()?;
        let id = self.m.id();
        self.buffers.store_bits.insert(self.target, id);
        self.m.name(id, "store_bits");
        let (word, void) = (self.m.u32(), self.m.void());
        let at = self.place_type();
        let (frame, mut body) = self.m.begin_function(id, void, &[at, word, word]);
        let b = &mut body;
        let &[argument, value, mask] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let place = self.place_of_argument(b, argument);
        let m = &mut self.m;
        let shift = m.mask(b, Self::place_low(place), 3);
        let shift = m.shl_by(b, shift, 3);
        let (low_mask, low) = (m.shl(b, mask, shift), m.shl(b, value, shift));
        let ones = m.const_u32(u32::MAX);
        let whole = m.eq(b, low_mask, ones);
        let branch = m.begin_if(b, whole);
        self.put_word(b, place, low)?;
        let m = &mut self.m;
        let branch = m.begin_else(b, branch);
        m.call(b, void, replace, &[argument, low, low_mask]);
        m.end_else(b, branch);
        let thirty_one = m.const_u32(31);
        let rest = m.xor(b, shift, thirty_one);
        let (high_mask, high) = (m.shr_by(b, mask, 1), m.shr_by(b, value, 1));
        let (high_mask, high) = (m.shr(b, high_mask, rest), m.shr(b, high, rest));
        let more = m.nonzero(b, high_mask);
        let branch = m.begin_if(b, more);
        let next = self.place_add(b, place, 4);
        let next = self.place_argument(b, next);
        self.m.call(b, void, replace, &[next, high, high_mask]);
        self.m.end_if(b, branch);
        self.m.end_function(frame, body.ret());
        Ok(id)
    }

    /// `replace_bits(place, value, mask)` on the word of memory that holds a byte.
    fn replace_bits_function(&mut self) -> Result<Id, Fail> {
        if let Some(&id) = self.buffers.replace_bits.get(&self.target) {
            return Ok(id);
        }
        let id = self.m.id();
        self.buffers.replace_bits.insert(self.target, id);
        self.m.name(id, "replace_bits");
        let (word, void) = (self.m.u32(), self.m.void());
        let at = self.place_type();
        let (frame, mut body) = self.m.begin_function(id, void, &[at, word, word]);
        let &[argument, value, mask] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let place = self.place_of_argument(&mut body, argument);
        let pointer = self.memory_pointer(&mut body, place)?;
        let cell = Cell::word(pointer, Scope::Device);
        replace_bits(&mut self.m, &mut body, cell, value, mask)?;
        self.m.end_function(frame, body.ret());
        Ok(id)
    }

    /// An atomic on guest memory; gives the old value.
    #[allow(clippy::too_many_arguments, reason = "the fields of `Op::Atomic`")]
    pub fn memory_atomic(
        &mut self,
        b: &mut Open,
        op: AtomicOp,
        width: MemWidth,
        offset: u32,
        shape: Shape,
        ptr: Val,
        guard: Id,
        data: &[Val],
    ) -> Result<Val, Fail> {
        let (mut happens, place) = self.place(b, ptr, guard, offset);
        let wide = width == MemWidth::B64;
        // An unaligned atomic is undefined on the hardware; here nothing happens.
        let low = Self::place_low(place);
        let low_bits = self.m.mask(b, low, if wide { 7 } else { 3 });
        let zero = self.m.const_u32(0);
        let aligned = self.m.eq(b, low_bits, zero);
        happens = self.m.band(b, happens, aligned);
        self.guarded_atomic(
            b,
            op,
            if wide { Kind::I64 } else { Kind::I32 },
            shape,
            happens,
            data,
            |cx, b| {
                Ok(if cx.needs.locks {
                    Target::Locked(cx.locked_memory(b, place, wide)?)
                } else if wide {
                    let pointer = cx.memory_pointer64(b, place)?;
                    Target::Cell(Cell::pair(pointer, Scope::Device))
                } else {
                    let pointer = cx.memory_pointer(b, place)?;
                    Target::Cell(Cell::word(pointer, Scope::Device))
                })
            },
        )
    }
}

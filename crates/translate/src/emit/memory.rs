//! Guest memory through the window table: places, loads, stores; and the buffers that a module
//! binds. All are arrays of words in storage buffers; the layout of each is `reflect.rs`'s.
//!
//! A load whose guard is false or whose place is invalid reads byte 0 of the pool, which is reserved and
//! zero, so that it needs no branch. Bits of a word that belong to others are never written: a store of
//! less than a word exchanges the word until nobody came between, which leaves one of the values that
//! lanes stored (an `and` followed by an `or` would leave a mixture of two).

use spirv::{Decoration, Scope, StorageClass};

use super::atomic::{Cell, replace_bits};
use super::code::Open;
use super::context::Cx;
use super::error::EmitError;
use super::module::Id;
use super::pure::{sub64, ult64};
use super::value::Val;
use crate::ir::{AtomicOp, Kind, MemWidth, Shape};
use crate::reflect::{BufferBinding, BufferUse, FAULT_SLOTS};

/// The place that is none.
pub const INVALID: u32 = u32::MAX;

/// Buffers and shared functions, made when first used.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    variables: [Option<Id>; 5],
    /// Guest memory and the LDS buffer as 64-bit words.
    wide: [Option<Id>; 5],
    translate: Option<Id>,
    store_bits: Option<Id>,
    replace_bits: Option<Id>,
    /// Replaces bits of a word of LDS.
    pub(super) lds_replace_bits: Option<Id>,
    /// The LDS array.
    pub(super) lds: Option<Id>,
}

/// Descriptor set and binding of a buffer.
fn binding(usage: BufferUse) -> (u32, u32) {
    let binding = match usage {
        BufferUse::Memory => 0,
        BufferUse::Windows => 1,
        BufferUse::Faults => 2,
        BufferUse::Launch => 3,
        BufferUse::Lds => 4,
    };
    (0, binding)
}

const ALL_USES: [BufferUse; 5] = [
    BufferUse::Memory,
    BufferUse::Windows,
    BufferUse::Faults,
    BufferUse::Launch,
    BufferUse::Lds,
];

impl Cx<'_> {
    fn buffer(&mut self, usage: BufferUse) -> Id {
        let (set, number) = binding(usage);
        if let Some(id) = self.buffers.variables[number as usize] {
            return id;
        }
        let m = &mut self.m;
        let word = m.u32();
        let array = m.runtime_array(word, 4);
        let block = m.block(&[(array, 0)]);
        let id = m.global(StorageClass::StorageBuffer, block);
        m.decorate(id, Decoration::DescriptorSet, &[set]);
        m.decorate(id, Decoration::Binding, &[number]);
        match usage {
            BufferUse::Memory => {
                if self.needs.reads && self.needs.writes {
                    m.decorate(id, Decoration::Coherent, &[]);
                }
                if !self.needs.writes {
                    m.decorate(id, Decoration::NonWritable, &[]);
                }
                if self.needs.atomic64 {
                    m.decorate(id, Decoration::Aliased, &[]);
                }
            }
            BufferUse::Windows | BufferUse::Launch => m.decorate(id, Decoration::NonWritable, &[]),
            BufferUse::Lds => {
                m.decorate(id, Decoration::Coherent, &[]);
                if self.needs.lds_atomic64 {
                    m.decorate(id, Decoration::Aliased, &[]);
                }
            }
            BufferUse::Faults => {}
        }
        m.name(
            id,
            match usage {
                BufferUse::Memory => "memory",
                BufferUse::Windows => "windows",
                BufferUse::Faults => "faults",
                BufferUse::Launch => "launch",
                BufferUse::Lds => "lds",
            },
        );
        self.buffers.variables[number as usize] = Some(id);
        id
    }

    /// A buffer as 64-bit words, for atomics.
    fn wide(&mut self, usage: BufferUse) -> Result<Id, EmitError> {
        let (set, number) = binding(usage);
        if let Some(id) = self.buffers.wide[number as usize] {
            return Ok(id);
        }
        // The narrow view is what the caller is told of.
        self.buffer(usage);
        if !self.profile.buffer_atomic64 {
            return Err(EmitError::Missing("64-bit buffer atomics"));
        }
        if !self.profile.int64 {
            return Err(EmitError::Missing("Int64"));
        }
        let m = &mut self.m;
        m.need(spirv::Capability::Int64Atomics);
        let word = m.u64();
        let array = m.runtime_array(word, 8);
        let block = m.block(&[(array, 0)]);
        let id = m.global(StorageClass::StorageBuffer, block);
        m.decorate(id, Decoration::DescriptorSet, &[set]);
        m.decorate(id, Decoration::Binding, &[number]);
        m.decorate(id, Decoration::Coherent, &[]);
        m.decorate(id, Decoration::Aliased, &[]);
        self.buffers.wide[number as usize] = Some(id);
        Ok(id)
    }

    /// Pointer to 64-bit word `index` of a buffer.
    pub(super) fn pointer64(
        &mut self,
        b: &mut Open,
        usage: BufferUse,
        index: Id,
    ) -> Result<Id, EmitError> {
        let variable = self.wide(usage)?;
        let ty = self.m.u64();
        let first = self.m.const_u32(0);
        Ok(self.m.access(
            b,
            StorageClass::StorageBuffer,
            ty,
            variable,
            &[first, index],
        ))
    }

    /// The buffers used so far, with the least size of each.
    pub fn bindings(&self, launch_dwords: u32) -> Vec<BufferBinding> {
        ALL_USES
            .into_iter()
            .filter_map(|usage| {
                let (set, number) = binding(usage);
                self.buffers.variables[number as usize]?;
                let min_bytes = match usage {
                    BufferUse::Memory => 16,
                    BufferUse::Windows => 16 * (1 + u64::from(self.options.max_windows)),
                    BufferUse::Faults => 4 * (1 + 4 * u64::from(FAULT_SLOTS)),
                    BufferUse::Launch => 4 * u64::from(launch_dwords),
                    BufferUse::Lds => u64::from(self.lds_bytes()),
                };
                Some(BufferBinding {
                    usage,
                    set,
                    binding: number,
                    min_bytes,
                })
            })
            .collect()
    }

    pub(super) fn pointer(&mut self, b: &mut Open, usage: BufferUse, index: Id) -> Id {
        let variable = self.buffer(usage);
        let word = self.m.u32();
        let first = self.m.const_u32(0);
        self.m.access(
            b,
            StorageClass::StorageBuffer,
            word,
            variable,
            &[first, index],
        )
    }

    /// Word `index` of a buffer.
    pub fn load_word(
        &mut self,
        b: &mut Open,
        usage: BufferUse,
        index: Id,
    ) -> Result<Id, EmitError> {
        let pointer = self.pointer(b, usage, index);
        let word = self.m.u32();
        Ok(self.m.load(b, word, pointer))
    }

    /// A place of `bytes` bytes (a word) from a guest address.
    pub fn ptr(&mut self, b: &mut Open, address: Val, bytes: Id) -> Result<Id, EmitError> {
        let (low, high) = address.two()?;
        let function = self.translate_function()?;
        let word = self.m.u32();
        Ok(self.m.call(b, word, function, &[low, high, bytes]))
    }

    /// Whether a place is one.
    pub fn ptr_ok(&mut self, b: &mut Open, ptr: Id) -> Id {
        let invalid = self.m.const_u32(INVALID);
        self.m.ne(b, ptr, invalid)
    }

    /// `translate_address(low, high, bytes)`: byte index in the pool, or `INVALID`. The table is sorted;
    /// the search for the last window at or below the address is unrolled, so that it costs no back-edge.
    fn translate_function(&mut self) -> Result<Id, EmitError> {
        if let Some(id) = self.buffers.translate {
            return Ok(id);
        }
        let id = self.m.id();
        self.buffers.translate = Some(id);
        self.m.name(id, "translate_address");
        let word = self.m.u32();
        let (frame, mut body) = self.m.begin_function(id, word, &[word, word, word]);
        let b = &mut body;
        let &[low, high, bytes] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function"));
        };
        let high = self.m.mask(b, high, 0xffff);
        let address = (low, high);
        let max = self.options.max_windows.max(1);
        let zero = self.m.const_u32(0);
        let count = self.load_word(b, BufferUse::Windows, zero)?;
        let most = self.m.const_u32(max);
        let count = self
            .m
            .glsl_word(b, spirv::GlslStd450Op::UMin, &[count, most]);
        let mut found = zero;
        let mut step = 1 << max.ilog2();
        while step > 0 {
            let next = self.m.add_by(b, found, step);
            let inside = self.m.ule(b, next, count);
            let entry = self.m.select(b, inside, next, zero);
            let (base, _, _) = self.window(b, entry, false)?;
            let above = ult64(&mut self.m, b, address, base);
            let below = self.m.bnot(b, above);
            let take = self.m.band(b, inside, below);
            found = self.m.select(b, take, next, found);
            step /= 2;
        }
        let (base, size, place) = self.window(b, found, true)?;
        let (delta, far) = sub64(&mut self.m, b, address, base);
        let mut ok = self.m.nonzero(b, found);
        let near = self.m.eq(b, far, zero);
        ok = self.m.band(b, ok, near);
        let fits = self.m.ule(b, bytes, size);
        ok = self.m.band(b, ok, fits);
        let room = self.m.sub(b, size, bytes);
        let within = self.m.ule(b, delta, room);
        ok = self.m.band(b, ok, within);
        let place = self.m.add(b, place, delta);
        let invalid = self.m.const_u32(INVALID);
        let place = self.m.select(b, ok, place, invalid);
        self.m.end_function(frame, body.ret_value(place));
        Ok(id)
    }

    /// Base, size and place of a window, counted from 1 (0 reads the head of the table, whose content
    /// is then not used). Only the base is read unless `all`.
    fn window(
        &mut self,
        b: &mut Open,
        number: Id,
        all: bool,
    ) -> Result<((Id, Id), Id, Id), EmitError> {
        let first = self.m.shl_by(b, number, 2);
        let mut words = [first; 4];
        for (i, word) in words.iter_mut().enumerate() {
            if i < 2 || all {
                let index = self.m.add_by(b, first, i as u32);
                *word = self.load_word(b, BufferUse::Windows, index)?;
            }
        }
        let [low, high, size, place] = words;
        Ok(((low, high), size, place))
    }

    /// Whether an access happens, and its byte index in the pool.
    fn place(&mut self, b: &mut Open, ptr: Id, guard: Id, offset: u32) -> (Id, Id) {
        let valid = self.ptr_ok(b, ptr);
        let happens = self.m.band(b, guard, valid);
        let index = self.m.add_by(b, ptr, offset);
        (happens, index)
    }

    fn memory_word(&mut self, b: &mut Open, byte: Id) -> Result<Id, EmitError> {
        let index = self.m.shr_by(b, byte, 2);
        self.load_word(b, BufferUse::Memory, index)
    }

    /// A load. `once`: the wave does it once and every invocation gets the same.
    #[allow(clippy::too_many_arguments, reason = "the fields of `Op::Load`")]
    pub fn memory_load(
        &mut self,
        b: &mut Open,
        ptr: Id,
        guard: Id,
        width: MemWidth,
        offset: u32,
        aligned: bool,
        once: bool,
    ) -> Result<Val, EmitError> {
        let (happens, index) = self.place(b, ptr, guard, offset);
        let zero = self.m.const_u32(0);
        let at = self.m.select(b, happens, index, zero);
        let value = self.load_at(b, at, width, aligned)?;
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
        at: Id,
        width: MemWidth,
        aligned: bool,
    ) -> Result<Val, EmitError> {
        let first = self.memory_word(b, at)?;
        if aligned {
            return Ok(match width {
                MemWidth::B8 => Val::One(self.m.mask(b, first, 0xff)),
                MemWidth::B16 => Val::One(self.m.mask(b, first, 0xffff)),
                MemWidth::B32 => Val::One(first),
                MemWidth::B64 => {
                    let next = self.m.add_by(b, at, 4);
                    Val::Two(first, self.memory_word(b, next)?)
                }
            });
        }
        let byte = self.m.mask(b, at, 3);
        let shift = self.m.shl_by(b, byte, 3);
        // The last byte's word is the first word again where nothing straddles, so no word beyond the
        // access is touched.
        Ok(Val::One(match width {
            MemWidth::B8 => {
                let word = self.m.shr(b, first, shift);
                self.m.mask(b, word, 0xff)
            }
            MemWidth::B16 => {
                let last = self.m.add_by(b, at, 1);
                let second = self.memory_word(b, last)?;
                let word = self.straddle(b, first, second, shift);
                self.m.mask(b, word, 0xffff)
            }
            MemWidth::B32 => {
                let last = self.m.add_by(b, at, 3);
                let second = self.memory_word(b, last)?;
                self.straddle(b, first, second, shift)
            }
            MemWidth::B64 => {
                let middle = self.m.add_by(b, at, 4);
                let second = self.memory_word(b, middle)?;
                let last = self.m.add_by(b, at, 7);
                let third = self.memory_word(b, last)?;
                let low = self.straddle(b, first, second, shift);
                let high = self.straddle(b, second, third, shift);
                return Ok(Val::Two(low, high));
            }
        }))
    }

    /// 32 bits of (low, high) from bit `shift`, below 32.
    fn straddle(&mut self, b: &mut Open, low: Id, high: Id, shift: Id) -> Id {
        let thirty_one = self.m.const_u32(31);
        let rest = self.m.xor(b, shift, thirty_one);
        let low = self.m.shr(b, low, shift);
        let high = self.m.shl_by(b, high, 1);
        let high = self.m.shl(b, high, rest);
        self.m.or(b, low, high)
    }

    /// A store. `once`: the wave does it once.
    #[allow(clippy::too_many_arguments, reason = "the fields of `Op::Store`")]
    pub fn memory_store(
        &mut self,
        b: &mut Open,
        ptr: Id,
        value: Val,
        guard: Id,
        width: MemWidth,
        offset: u32,
        aligned: bool,
        once: bool,
    ) -> Result<(), EmitError> {
        let (mut happens, index) = self.place(b, ptr, guard, offset);
        if once {
            let elected = self.elected(b);
            happens = self.m.band(b, elected, happens);
        }
        let branch = self.m.begin_if(b, happens);
        match width {
            MemWidth::B8 => self.store_narrow(b, index, value.one()?, 0xff)?,
            MemWidth::B16 => self.store_narrow(b, index, value.one()?, 0xffff)?,
            MemWidth::B32 => self.store_full(b, index, value.one()?, aligned)?,
            MemWidth::B64 => {
                let (low, high) = value.two()?;
                self.store_full(b, index, low, aligned)?;
                let next = self.m.add_by(b, index, 4);
                self.store_full(b, next, high, aligned)?;
            }
        }
        self.m.end_if(b, branch);
        Ok(())
    }

    fn store_full(
        &mut self,
        b: &mut Open,
        byte: Id,
        value: Id,
        aligned: bool,
    ) -> Result<(), EmitError> {
        if !aligned {
            return self.store_narrow(b, byte, value, u32::MAX);
        }
        let index = self.m.shr_by(b, byte, 2);
        let pointer = self.pointer(b, BufferUse::Memory, index);
        self.m.store(b, pointer, value);
        Ok(())
    }

    /// Stores the bits of `mask` of a value at any byte.
    fn store_narrow(
        &mut self,
        b: &mut Open,
        byte: Id,
        value: Id,
        mask: u32,
    ) -> Result<(), EmitError> {
        let function = self.store_bits_function()?;
        let value = self.m.mask(b, value, mask);
        let mask = self.m.const_u32(mask);
        let void = self.m.void();
        self.m.call(b, void, function, &[byte, value, mask]);
        Ok(())
    }

    /// `store_bits(byte, value, mask)`: a whole word at once where it is one, else bits of one or two.
    fn store_bits_function(&mut self) -> Result<Id, EmitError> {
        if let Some(id) = self.buffers.store_bits {
            return Ok(id);
        }
        let replace = self.replace_bits_function()?;
        let id = self.m.id();
        self.buffers.store_bits = Some(id);
        self.m.name(id, "store_bits");
        let (word, void) = (self.m.u32(), self.m.void());
        let (frame, mut body) = self.m.begin_function(id, void, &[word, word, word]);
        let b = &mut body;
        let &[byte, value, mask] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function"));
        };
        let m = &mut self.m;
        let shift = m.mask(b, byte, 3);
        let shift = m.shl_by(b, shift, 3);
        let index = m.shr_by(b, byte, 2);
        let (low_mask, low) = (m.shl(b, mask, shift), m.shl(b, value, shift));
        let ones = m.const_u32(u32::MAX);
        let whole = m.eq(b, low_mask, ones);
        let branch = m.begin_if(b, whole);
        let pointer = self.pointer(b, BufferUse::Memory, index);
        self.m.store(b, pointer, low);
        let m = &mut self.m;
        let branch = m.begin_else(b, branch);
        m.call(b, void, replace, &[index, low, low_mask]);
        m.end_else(b, branch);
        let thirty_one = m.const_u32(31);
        let rest = m.xor(b, shift, thirty_one);
        let (high_mask, high) = (m.shr_by(b, mask, 1), m.shr_by(b, value, 1));
        let (high_mask, high) = (m.shr(b, high_mask, rest), m.shr(b, high, rest));
        let more = m.nonzero(b, high_mask);
        let branch = m.begin_if(b, more);
        let next = m.add_by(b, index, 1);
        m.call(b, void, replace, &[next, high, high_mask]);
        m.end_if(b, branch);
        m.end_function(frame, body.ret());
        Ok(id)
    }

    /// `replace_bits(index, value, mask)` on a word of memory.
    fn replace_bits_function(&mut self) -> Result<Id, EmitError> {
        if let Some(id) = self.buffers.replace_bits {
            return Ok(id);
        }
        let id = self.m.id();
        self.buffers.replace_bits = Some(id);
        self.m.name(id, "replace_bits");
        let (word, void) = (self.m.u32(), self.m.void());
        let (frame, mut body) = self.m.begin_function(id, void, &[word, word, word]);
        let &[index, value, mask] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function"));
        };
        let pointer = self.pointer(&mut body, BufferUse::Memory, index);
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
        ptr: Id,
        guard: Id,
        data: &[Val],
    ) -> Result<Val, EmitError> {
        let (mut happens, byte) = self.place(b, ptr, guard, offset);
        let wide = width == MemWidth::B64;
        // An unaligned atomic is undefined on the hardware; here nothing happens.
        let low_bits = self.m.mask(b, byte, if wide { 7 } else { 3 });
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
                if wide {
                    let index = cx.m.shr_by(b, byte, 3);
                    let pointer = cx.pointer64(b, BufferUse::Memory, index)?;
                    Ok(Cell::pair(pointer, Scope::Device))
                } else {
                    let index = cx.m.shr_by(b, byte, 2);
                    let pointer = cx.pointer(b, BufferUse::Memory, index);
                    Ok(Cell::word(pointer, Scope::Device))
                }
            },
        )
    }
}

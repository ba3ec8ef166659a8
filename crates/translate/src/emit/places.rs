//! From guest addresses to places on the host, by the memory model of the module: the part that a caller
//! chooses (`Options::memory`), behind `Op::Ptr`. What each model reads at run time is in buffers whose
//! layout is `reflect.rs`'s.
//!
//! A place is a value of one word where it is a byte of the pool (windows), of two where it is an address of
//! the device (offset) or a byte in a page and the page's entry in the table (pages). What follows a page in
//! the table follows it for the guest, and may lie anywhere on the device: so each word is looked up
//! in the table where it is accessed.

use spirv::Op;

use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::module::{Id, TypeId};
use super::notes::Note;
use super::pure::{add64, sub64, ult64};
use super::value::{Val, pack, select};
use crate::ir::{AtomicOp, Kind};
use crate::options::MemoryModel;
use crate::reflect::BufferUse;

/// The last word of a place that is none, where a place is two words.
const INVALID: u32 = u32::MAX;

/// The byte of the pool that a place is which is none: there and behind it lie reserved zeros.
const NOWHERE: u32 = 0;

/// First dword of `BufferUse::Pages` of what it says beside the spans.
mod page {
    pub const SHIFT: u32 = 0;
    pub const SPANS: u32 = 1;
    pub const ZEROS: u32 = 2;
    pub const TABLE: u32 = 4;
    pub const MISSED: u32 = 6;
    /// Entries before the first span, counted in spans: spans are counted from 1.
    pub const FIRST: u32 = 4;
}

/// First dword of what `BufferUse::Ranges` says, and in a range.
mod range {
    pub const COUNT: u32 = 0;
    pub const ZEROS: u32 = 2;
    pub const BYTES: u32 = 2;
    pub const DEVICE: u32 = 4;
}

/// A place at an offset behind the address of a window.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// The window: a place and the bytes from there on.
    pub window: Val,
    /// Its address.
    pub base: Val,
    /// Bytes behind it.
    pub offset: Id,
    /// Bytes of the place.
    pub bytes: u32,
}

impl Cx<'_> {
    /// The kind that a place stands as.
    fn place_kind(&self) -> Kind {
        match self.options.memory {
            _ if self.target.is_some() => Kind::I32,
            MemoryModel::Windows => Kind::I32,
            MemoryModel::Offset | MemoryModel::Pages => Kind::I64,
        }
    }

    /// A place in a bound buffer, as values of places stand: the byte.
    pub fn bound_place(&mut self, offset: Id) -> Val {
        match self.place_kind() {
            Kind::I64 => Val::Two(offset, self.m.const_u32(0)),
            _ => Val::One(offset),
        }
    }

    /// What the access under emission goes to.
    fn memory_use(&self) -> BufferUse {
        self.target.map_or(BufferUse::Memory, BufferUse::Bound)
    }

    /// The kind of words that a value of a kind is made of.
    pub(super) fn stands_as(&self, kind: Kind) -> Kind {
        if kind == Kind::Ptr {
            self.place_kind()
        } else {
            kind
        }
    }

    /// The type of a place as an argument.
    pub(super) fn place_type(&mut self) -> TypeId {
        let kind = self.place_kind();
        super::value::whole_type(&mut self.m, kind)
    }

    /// An argument of that type.
    pub(super) fn place_argument(&mut self, b: &mut Open, place: Val) -> Id {
        pack(&mut self.m, b, place)
    }

    /// The place that such an argument is.
    pub(super) fn place_of_argument(&mut self, b: &mut Open, id: Id) -> Val {
        let kind = self.place_kind();
        super::value::unpack(&mut self.m, b, kind, id)
    }

    /// A place of `bytes` bytes (a word) from a guest address.
    pub fn ptr(&mut self, b: &mut Open, address: Val, bytes: Id) -> Result<Val, Fail> {
        let (low, high) = address.two()?;
        let function = self.translate_function()?;
        let ty = self.place_type();
        let id = self.m.call(b, ty, function, &[low, high, bytes]);
        Ok(self.place_of_argument(b, id))
    }

    /// Whether a place is one.
    pub fn ptr_ok(&mut self, b: &mut Open, ptr: Val) -> Id {
        if self.target.is_some() {
            return self.m.const_bool(true);
        }
        let (word, none) = match ptr {
            Val::One(word) => (word, NOWHERE),
            Val::Two(_, word) => (word, INVALID),
        };
        let none = self.m.const_u32(none);
        self.m.ne(b, word, none)
    }

    /// A place as `ptr`, for a lane or the wave where `guard` holds; where there is none, a fault is
    /// remembered by those for which `first` holds. A byte of the pool is elsewhere none.
    #[allow(clippy::too_many_arguments, reason = "a place and its fault")]
    pub fn checked_ptr(
        &mut self,
        b: &mut Open,
        address: Val,
        bytes: Id,
        guard: Id,
        first: Id,
        pc: u32,
    ) -> Result<Val, Fail> {
        let (low, high) = address.two()?;
        let function = self.checked_function()?;
        let ty = self.place_type();
        let pc = self.m.const_u32(pc);
        let args = [low, high, bytes, guard, first, pc];
        let id = self.m.call(b, ty, function, &args);
        if self.options.memory == MemoryModel::Windows {
            self.m.notes.set(id, Note::Guarded(guard));
        }
        Ok(self.place_of_argument(b, id))
    }

    /// A byte of the pool and how many follow it in the window of an address; 0 where there is none.
    pub fn window_of(&mut self, b: &mut Open, address: Val) -> Result<Val, Fail> {
        if self.options.memory != MemoryModel::Windows {
            return Err(EmitError::Malformed("a window where there are none").into());
        }
        let (low, high) = address.two()?;
        let function = self.open_window_function()?;
        let pair = self.m.uvec2();
        let id = self.m.call(b, pair, function, &[low, high]);
        Ok(super::value::unpack(&mut self.m, b, Kind::I64, id))
    }

    /// As `checked_ptr`, by way of a window.
    pub fn near_ptr(
        &mut self,
        b: &mut Open,
        near: Near,
        guard: Id,
        first: Id,
        pc: u32,
    ) -> Result<Val, Fail> {
        let (place, room) = near.window.two()?;
        let (low, high) = near.base.two()?;
        let function = self.near_function()?;
        let word = self.m.u32();
        let (bytes, pc) = (self.m.const_u32(near.bytes), self.m.const_u32(pc));
        let args = [place, room, low, high, near.offset, bytes, guard, first, pc];
        let id = self.m.call(b, word, function, &args);
        self.m.notes.set(id, Note::Guarded(guard));
        Ok(Val::One(id))
    }

    /// `near_address(place, room, low, high, offset, bytes, guard, first, pc)`.
    fn near_function(&mut self) -> Result<Id, Fail> {
        if let Some(id) = self.buffers.near {
            return Ok(id);
        }
        let checked = self.checked_function()?;
        let id = self.m.id();
        self.buffers.near = Some(id);
        self.m.name(id, "near_address");
        let (word, boolean) = (self.m.u32(), self.m.bool());
        let params = [word, word, word, word, word, word, boolean, boolean, word];
        let (frame, mut body) = self.m.begin_function(id, word, &params);
        let b = &mut body;
        let &[place, room, low, high, offset, bytes, guard, first, pc] = frame.params.as_slice()
        else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let enough = self.m.ule(b, bytes, room);
        let last = self.m.sub(b, room, bytes);
        let within = self.m.ule(b, offset, last);
        let fits = self.m.band(b, enough, within);
        let at = self.m.add(b, place, offset);
        let happens = self.m.band(b, guard, fits);
        let nowhere = self.m.const_u32(NOWHERE);
        let near = self.m.select(b, happens, at, nowhere);
        let beyond = self.m.bnot(b, fits);
        let beyond = self.m.band(b, guard, beyond);
        let branch = self.m.begin_if(b, beyond);
        let zero = self.m.const_u32(0);
        let (low, high) = add64(&mut self.m, b, (low, high), (offset, zero));
        let args = [low, high, bytes, guard, first, pc];
        let far = self.m.call(b, word, checked, &args);
        let both = self.m.end_if_values(b, branch, word, &[(far, near)]);
        let result = both.first().copied().unwrap_or(near);
        self.m.end_function(frame, body.ret_value(result));
        Ok(id)
    }

    /// `open_window(low, high)`.
    fn open_window_function(&mut self) -> Result<Id, Fail> {
        if let Some(id) = self.buffers.open_window {
            return Ok(id);
        }
        self.narrow_function()?;
        let id = self.m.id();
        self.buffers.open_window = Some(id);
        self.m.name(id, "open_window");
        let (word, pair) = (self.m.u32(), self.m.uvec2());
        let (frame, mut body) = self.m.begin_function(id, pair, &[word, word]);
        let b = &mut body;
        let &[low, high] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let zero = self.m.const_u32(0);
        let (delta, near, size, place) = self.last_window(b, low, high)?;
        let within = self.m.ult(b, delta, size);
        let inside = self.m.band(b, near, within);
        let left = self.m.sub(b, size, delta);
        let room = self.m.select(b, inside, left, zero);
        let at = self.m.add(b, place, delta);
        let result = self.m.join(b, at, room);
        self.m.end_function(frame, body.ret_value(result));
        Ok(id)
    }

    /// Whether a place is none wherever a guard is false.
    pub(super) fn is_guarded(&self, place: Val, guard: Id) -> bool {
        match place {
            Val::One(id) => self.m.notes.of(id) == Note::Guarded(guard),
            Val::Two(..) => false,
        }
    }

    /// `checked_address(low, high, bytes, guard, first, pc)`.
    fn checked_function(&mut self) -> Result<Id, Fail> {
        if let Some(id) = self.buffers.checked {
            return Ok(id);
        }
        // One look-up a module, in this function where no other needs it.
        let inside = self.options.memory == MemoryModel::Windows && !self.apart;
        if !inside {
            self.translate_function()?;
        }
        let id = self.m.id();
        self.buffers.checked = Some(id);
        self.m.name(id, "checked_address");
        let (word, boolean, ty) = (self.m.u32(), self.m.bool(), self.place_type());
        let params = [word, word, word, boolean, boolean, word];
        let (frame, mut body) = self.m.begin_function(id, ty, &params);
        let b = &mut body;
        let &[low, high, bytes, guard, first, pc] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let place = if inside {
            Val::One(self.window_place(b, low, high, bytes)?)
        } else {
            self.ptr(b, Val::Two(low, high), bytes)?
        };
        let ok = self.ptr_ok(b, place);
        let none = self.m.bnot(b, ok);
        let bad = self.m.band(b, guard, none);
        let bad = self.m.band(b, bad, first);
        if self.options.memory == MemoryModel::Pages {
            self.miss_page(b, Val::Two(low, high), bad)?;
        }
        self.remember(b, pc, low, high, bad)?;
        let place = match place {
            Val::One(at) => {
                let nowhere = self.m.const_u32(NOWHERE);
                Val::One(self.m.select(b, guard, at, nowhere))
            }
            Val::Two(..) => place,
        };
        let result = self.place_argument(b, place);
        self.m.end_function(frame, body.ret_value(result));
        Ok(id)
    }

    /// The place so many bytes behind one.
    pub(super) fn place_add(&mut self, b: &mut Open, place: Val, bytes: u32) -> Val {
        if bytes == 0 {
            return place;
        }
        match place {
            Val::One(at) => Val::One(self.m.place_add(b, at, bytes)),
            Val::Two(byte, entry) if self.options.memory == MemoryModel::Pages => {
                Val::Two(self.m.add_by(b, byte, bytes), entry)
            }
            Val::Two(low, high) => {
                let (bytes, zero) = (self.m.const_u32(bytes), self.m.const_u32(0));
                let (low, high) = add64(&mut self.m, b, (low, high), (bytes, zero));
                Val::Two(low, high)
            }
        }
    }

    /// Its low word: of it, the byte in a word counts.
    pub(super) fn place_low(place: Val) -> Id {
        match place {
            Val::One(at) => at,
            Val::Two(low, _) => low,
        }
    }

    /// The place where `happens` holds, elsewhere one of zeros.
    pub(super) fn place_or_zeros(
        &mut self,
        b: &mut Open,
        happens: Id,
        place: Val,
    ) -> Result<Val, Fail> {
        let kind = self.place_kind();
        let zeros = match self.options.memory {
            MemoryModel::Windows => Val::One(self.m.const_u32(NOWHERE)),
            MemoryModel::Offset => self.address_at(b, BufferUse::Ranges, range::ZEROS)?,
            // Entry 0 of the table is nobody's page.
            MemoryModel::Pages => Val::Two(self.m.const_u32(0), self.m.const_u32(0)),
        };
        select(&mut self.m, b, kind, happens, place, zeros)
    }

    /// Pointer to the word of guest memory that holds a byte.
    pub(super) fn memory_pointer(&mut self, b: &mut Open, place: Val) -> Result<Id, Fail> {
        match self.device_address(b, place, 3)? {
            Val::One(at) => {
                let index = self.m.word_index(b, at);
                Ok(self.pointer(b, self.memory_use(), index))
            }
            address @ Val::Two(..) => {
                let word = self.m.u32();
                self.physical_pointer(b, word, address)
            }
        }
    }

    /// Pointer to the 64-bit word that holds a byte.
    pub(super) fn memory_pointer64(&mut self, b: &mut Open, place: Val) -> Result<Id, Fail> {
        match self.device_address(b, place, 7)? {
            Val::One(at) => {
                let index = self.m.shr_by(b, at, 3);
                self.pointer64(b, self.memory_use(), index)
            }
            address @ Val::Two(..) => {
                self.need_atomic64()?;
                let word = self.m.u64();
                self.physical_pointer(b, word, address)
            }
        }
    }

    /// A place as the device has it, without its low bits where it is an address.
    fn device_address(&mut self, b: &mut Open, place: Val, low_bits: u32) -> Result<Val, Fail> {
        let Val::Two(low, high) = place else {
            return Ok(place);
        };
        let low = self.m.mask(b, low, !low_bits);
        if self.options.memory != MemoryModel::Pages {
            return Ok(Val::Two(low, high));
        }
        let shift = self.page_shift(b)?;
        let more = self.m.shr(b, low, shift);
        let entry = self.m.add(b, high, more);
        let device = self.page(b, entry)?;
        let (one, zero) = (self.m.const_u32(1), self.m.const_u32(0));
        let size = self.m.shl(b, one, shift);
        let mask = self.m.sub(b, size, one);
        let byte = self.m.and(b, low, mask);
        let there = self.is_there(b, device);
        let (l, h) = add64(&mut self.m, b, device, (byte, zero));
        let zeros = self.address_at(b, BufferUse::Pages, page::ZEROS)?;
        select(&mut self.m, b, Kind::I64, there, Val::Two(l, h), zeros)
    }

    /// A pointer from an address of the device.
    fn physical_pointer(&mut self, b: &mut Open, to: TypeId, address: Val) -> Result<Id, Fail> {
        if !self.profile.buffer_device_address {
            return Err(EmitError::Missing("buffer device addresses").into());
        }
        let coherent = self.needs.reads && self.needs.writes;
        let block = self.m.physical_block(to, coherent);
        let class = spirv::StorageClass::PhysicalStorageBuffer;
        let pointer = self.m.pointer(class, block);
        let pair = pack(&mut self.m, b, address);
        let base = self.m.op(b, Op::Bitcast, pointer, &[pair]);
        let member = self.m.const_u32(0);
        Ok(self.m.access(b, class, to, base, &[member]))
    }

    /// A 64-bit word at a dword of a buffer.
    fn address_at(&mut self, b: &mut Open, usage: BufferUse, dword: u32) -> Result<Val, Fail> {
        let (low, high) = (self.m.const_u32(dword), self.m.const_u32(dword + 1));
        let low = self.load_word(b, usage, low)?;
        Ok(Val::Two(low, self.load_word(b, usage, high)?))
    }

    /// The function that makes a place of (low, high, bytes).
    fn translate_function(&mut self) -> Result<Id, Fail> {
        if let Some(id) = self.buffers.translate {
            return Ok(id);
        }
        let id = self.m.id();
        self.buffers.translate = Some(id);
        self.m.name(id, "translate_address");
        match self.options.memory {
            MemoryModel::Windows => self.window_function(id)?,
            MemoryModel::Offset => self.offset_function(id)?,
            MemoryModel::Pages => self.pages_function(id)?,
        }
        Ok(id)
    }

    /// The last span of a sorted table that begins at or below `key`, counted from 1; 0: there is none.
    /// The search is unrolled, so that it costs no back-edge.
    fn last_span(
        &mut self,
        b: &mut Open,
        usage: BufferUse,
        count_at: u32,
        key: (Id, Id),
    ) -> Result<Id, Fail> {
        let max = self.options.max_windows.max(1);
        let zero = self.m.const_u32(0);
        let count_at = self.m.const_u32(count_at);
        let count = self.load_word(b, usage, count_at)?;
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
            let (base, _, _) = self.span(b, usage, entry, false)?;
            let above = ult64(&mut self.m, b, key, base);
            let below = self.m.bnot(b, above);
            let take = self.m.band(b, inside, below);
            found = self.m.select(b, take, next, found);
            step /= 2;
        }
        Ok(found)
    }

    /// Base, size and place of a span, counted from 1 (0 reads the head of the table, whose content
    /// is then not used). Only the base is read unless `all`, and of a range.
    fn span(
        &mut self,
        b: &mut Open,
        usage: BufferUse,
        number: Id,
        all: bool,
    ) -> Result<((Id, Id), Id, Id), Fail> {
        let wide = usage == BufferUse::Ranges;
        let mut first = self.m.shl_by(b, number, if wide { 3 } else { 2 });
        if usage == BufferUse::Pages {
            first = self.m.add_by(b, first, page::FIRST);
        }
        let mut words = [first; 4];
        for (i, word) in words.iter_mut().enumerate() {
            if i < 2 || all {
                let index = self.m.add_by(b, first, i as u32);
                *word = self.load_word(b, usage, index)?;
            }
        }
        let [low, high, size, place] = words;
        Ok(((low, high), size, place))
    }

    /// `translate_address` through windows: a byte of the pool.
    fn window_function(&mut self, id: Id) -> Result<(), Fail> {
        let word = self.m.u32();
        let (frame, mut body) = self.m.begin_function(id, word, &[word, word, word]);
        let &[low, high, bytes] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let place = self.window_place(&mut body, low, high, bytes)?;
        self.m.end_function(frame, body.ret_value(place));
        Ok(())
    }

    /// Entries of the table of windows, its head included: a power of two, so that the search needs no
    /// bounds.
    pub(super) fn window_entries(&self) -> u64 {
        (1 + u64::from(self.options.max_windows.max(1))).next_power_of_two()
    }

    /// The byte of the pool, or `NOWHERE`, of an address. The last window at or below it is searched in
    /// unrolled steps, so that this costs no back-edge; above all addresses lie the entries of no window,
    /// below all the head, of size 0.
    fn window_place(&mut self, b: &mut Open, low: Id, high: Id, bytes: Id) -> Result<Id, Fail> {
        let (delta, near, size, place) = self.last_window(b, low, high)?;
        let fits = self.m.ule(b, bytes, size);
        let mut ok = self.m.band(b, near, fits);
        let room = self.m.sub(b, size, bytes);
        let within = self.m.ule(b, delta, room);
        ok = self.m.band(b, ok, within);
        let place = self.m.add(b, place, delta);
        let nowhere = self.m.const_u32(NOWHERE);
        Ok(self.m.select(b, ok, place, nowhere))
    }

    /// Of the last window at or below an address: how far behind its base that lies, whether that is less than
    /// 2^32, its size and its place.
    fn last_window(&mut self, b: &mut Open, low: Id, high: Id) -> Result<(Id, Id, Id, Id), Fail> {
        let narrow = self.narrow_function()?;
        let word = self.m.u32();
        let high = self.m.mask(b, high, 0xffff);
        let zero = self.m.const_u32(0);
        let mut found = zero;
        let mut step = self.window_entries() as u32 / 2;
        while step > 0 {
            let by = self.m.const_u32(step);
            found = self.m.call(b, word, narrow, &[low, high, found, by]);
            step /= 2;
        }
        let [base_low, base_high, size, place] = self.window(b, found);
        let (delta, far) = sub64(&mut self.m, b, (low, high), (base_low, base_high));
        let near = self.m.eq(b, far, zero);
        Ok((delta, near, size, place))
    }

    /// `narrow(low, high, found, step)`: `found + step` where that window begins at or below the address,
    /// else `found`.
    fn narrow_function(&mut self) -> Result<Id, Fail> {
        if let Some(id) = self.buffers.narrow {
            return Ok(id);
        }
        let id = self.m.id();
        self.buffers.narrow = Some(id);
        self.m.name(id, "narrow");
        let word = self.m.u32();
        let (frame, mut body) = self.m.begin_function(id, word, &[word; 4]);
        let b = &mut body;
        let &[low, high, found, step] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let next = self.m.add(b, found, step);
        let [base_low, base_high, ..] = self.window(b, next);
        let above = ult64(&mut self.m, b, (low, high), (base_low, base_high));
        let result = self.m.select(b, above, found, next);
        self.m.end_function(frame, body.ret_value(result));
        Ok(id)
    }

    /// Base (low, high), size and place of a window, counted from 1; 0 is the head of the table.
    fn window(&mut self, b: &mut Open, number: Id) -> [Id; 4] {
        let pointer = self.entry_pointer(b, BufferUse::Windows, number);
        let four = self.m.uvec(4);
        let entry = self.m.load(b, four, pointer);
        [0, 1, 2, 3].map(|i| self.m.part(b, entry, i))
    }

    /// `translate_address` by a constant of each range: an address of the device.
    fn offset_function(&mut self, id: Id) -> Result<(), Fail> {
        let (word, pair) = (self.m.u32(), self.m.uvec2());
        let (frame, mut body) = self.m.begin_function(id, pair, &[word, word, word]);
        let b = &mut body;
        let &[low, high, bytes] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let high = self.m.mask(b, high, 0xffff);
        let found = self.last_span(b, BufferUse::Ranges, range::COUNT, (low, high))?;
        let (base, _, _) = self.span(b, BufferUse::Ranges, found, false)?;
        let size = self.range_word(b, found, range::BYTES)?;
        let device = self.range_word(b, found, range::DEVICE)?;
        let delta = sub64(&mut self.m, b, (low, high), base);
        let mut inside = ult64(&mut self.m, b, delta, size);
        let known = self.m.nonzero(b, found);
        inside = self.m.band(b, known, inside);
        let left = sub64(&mut self.m, b, size, delta);
        let zero = self.m.const_u32(0);
        let short = ult64(&mut self.m, b, left, (bytes, zero));
        let fits = self.m.bnot(b, short);
        let ok = self.m.band(b, inside, fits);
        let (low, high) = add64(&mut self.m, b, device, delta);
        self.end_place_function(frame, body, ok, (low, high));
        Ok(())
    }

    /// `translate_address` through pages: the byte in its page and the page's entry, if the pages of the
    /// first and the last byte are there.
    fn pages_function(&mut self, id: Id) -> Result<(), Fail> {
        let (word, pair) = (self.m.u32(), self.m.uvec2());
        let (frame, mut body) = self.m.begin_function(id, pair, &[word, word, word]);
        let b = &mut body;
        let &[low, high, bytes] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let high = self.m.mask(b, high, 0xffff);
        let shift = self.page_shift(b)?;
        let one = self.m.const_u32(1);
        let size = self.m.shl(b, one, shift);
        let mask = self.m.sub(b, size, one);
        let byte = self.m.and(b, low, mask);
        let last = self.m.add(b, byte, bytes);
        let last = self.m.sub(b, last, one);
        let more = self.m.shr(b, last, shift);
        let (entry, left) = self.page_entry(b, (low, high), shift)?;
        // The entry is 0, of no page, where there is none.
        let mut ok = self.m.ult(b, more, left);
        let last = self.m.add(b, entry, more);
        let zero = self.m.const_u32(0);
        let last = self.m.select(b, ok, last, zero);
        for entry in [entry, last] {
            let device = self.page(b, entry)?;
            let there = self.is_there(b, device);
            ok = self.m.band(b, ok, there);
        }
        self.end_place_function(frame, body, ok, (byte, entry));
        Ok(())
    }

    /// A 64-bit number of a range.
    fn range_word(&mut self, b: &mut Open, range: Id, dword: u32) -> Result<(Id, Id), Fail> {
        let first = self.m.shl_by(b, range, 3);
        let (low, high) = (
            self.m.add_by(b, first, dword),
            self.m.add_by(b, first, dword + 1),
        );
        let low = self.load_word(b, BufferUse::Ranges, low)?;
        Ok((low, self.load_word(b, BufferUse::Ranges, high)?))
    }

    fn end_place_function(
        &mut self,
        frame: super::module::Frame,
        mut body: Open,
        ok: Id,
        place: (Id, Id),
    ) {
        let b = &mut body;
        let invalid = self.m.const_u32(INVALID);
        let low = self.m.select(b, ok, place.0, invalid);
        let high = self.m.select(b, ok, place.1, invalid);
        let pair = self.m.join(b, low, high);
        self.m.end_function(frame, body.ret_value(pair));
    }

    fn page_shift(&mut self, b: &mut Open) -> Result<Id, Fail> {
        let at = self.m.const_u32(page::SHIFT);
        let shift = self.load_word(b, BufferUse::Pages, at)?;
        // A count above 31 has no meaning to the host.
        Ok(self.m.mask(b, shift, 31))
    }

    /// What an entry of the page table holds.
    fn page(&mut self, b: &mut Open, entry: Id) -> Result<(Id, Id), Fail> {
        let table = self.address_at(b, BufferUse::Pages, page::TABLE)?.two()?;
        // 8 bytes an entry.
        let (by, beyond) = (self.m.shl_by(b, entry, 3), self.m.shr_by(b, entry, 29));
        let (l, h) = add64(&mut self.m, b, table, (by, beyond));
        let pair = self.m.uvec2();
        let pointer = self.physical_pointer(b, pair, Val::Two(l, h))?;
        let device = self.m.load_aligned(b, pair, pointer, 8);
        Ok((self.m.part(b, device, 0), self.m.part(b, device, 1)))
    }

    /// Whether what an entry holds is a page.
    fn is_there(&mut self, b: &mut Open, (low, high): (Id, Id)) -> Id {
        let either = self.m.or(b, low, high);
        self.m.nonzero(b, either)
    }

    /// The entry of the page of an address, and how many pages its span has from there on; 0 and 0 where
    /// no span has it.
    fn page_entry(
        &mut self,
        b: &mut Open,
        (low, high): (Id, Id),
        shift: Id,
    ) -> Result<(Id, Id), Fail> {
        let m = &mut self.m;
        let number = {
            let low = m.shr(b, low, shift);
            // 32 - shift in two steps, so that no count reaches 32.
            let thirty_one = m.const_u32(31);
            let rest = m.xor(b, shift, thirty_one);
            let upper = m.shl_by(b, high, 1);
            let upper = m.shl(b, upper, rest);
            (m.or(b, low, upper), m.shr(b, high, shift))
        };
        let found = self.last_span(b, BufferUse::Pages, page::SPANS, number)?;
        let (base, pages, first) = self.span(b, BufferUse::Pages, found, true)?;
        let (delta, far) = sub64(&mut self.m, b, number, base);
        let zero = self.m.const_u32(0);
        let near = self.m.eq(b, far, zero);
        let within = self.m.ult(b, delta, pages);
        let mut known = self.m.nonzero(b, found);
        known = self.m.band(b, known, near);
        known = self.m.band(b, known, within);
        let (entry, left) = (self.m.add(b, first, delta), self.m.sub(b, pages, delta));
        Ok((
            self.m.select(b, known, entry, zero),
            self.m.select(b, known, left, zero),
        ))
    }

    /// Notes that lanes missed a page.
    pub(super) fn miss_page(
        &mut self,
        b: &mut Open,
        address: Val,
        happens: Id,
    ) -> Result<(), Fail> {
        let (low, high) = address.two()?;
        let function = self.page_missed_function()?;
        let void = self.m.void();
        let branch = self.m.begin_if(b, happens);
        let high = self.m.mask(b, high, 0xffff);
        self.m.call(b, void, function, &[low, high]);
        self.m.end_if(b, branch);
        Ok(())
    }

    /// `page_missed(low, high)`: sets the bit of the page that an access at this address missed: its own,
    /// or, where that is there, the next one of its span; no bit where both are there.
    fn page_missed_function(&mut self) -> Result<Id, Fail> {
        if let Some(id) = self.buffers.page_missed {
            return Ok(id);
        }
        let id = self.m.id();
        self.buffers.page_missed = Some(id);
        self.m.name(id, "page_missed");
        let (word, void) = (self.m.u32(), self.m.void());
        let (frame, mut body) = self.m.begin_function(id, void, &[word, word]);
        let b = &mut body;
        let &[low, high] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let shift = self.page_shift(b)?;
        let (entry, left) = self.page_entry(b, (low, high), shift)?;
        let device = self.page(b, entry)?;
        let there = self.is_there(b, device);
        let next = self.m.bool_word(b, there);
        let known = self.m.ult(b, next, left);
        let entry = self.m.add(b, entry, next);
        let zero = self.m.const_u32(0);
        let entry = self.m.select(b, known, entry, zero);
        let device = self.page(b, entry)?;
        let there = self.is_there(b, device);
        let missing = self.m.bnot(b, there);
        let missed = self.m.band(b, known, missing);
        let branch = self.m.begin_if(b, missed);
        let bits = self.address_at(b, BufferUse::Pages, page::MISSED)?.two()?;
        let dword = self.m.shr_by(b, entry, 5);
        let by = self.m.shl_by(b, dword, 2);
        let (l, h) = add64(&mut self.m, b, bits, (by, zero));
        let pointer = self.physical_pointer(b, word, Val::Two(l, h))?;
        let one = self.m.const_u32(1);
        let low_bits = self.m.mask(b, entry, 31);
        let bit = self.m.shl(b, one, low_bits);
        let cell = super::atomic::Cell::word(pointer, spirv::Scope::Device);
        super::atomic::atomic(&mut self.m, b, AtomicOp::Or, cell, &[Val::One(bit)])?;
        self.m.end_if(b, branch);
        self.m.end_function(frame, body.ret());
        Ok(id)
    }
}

//! LDS in workgroup memory: an array of words, or of 64-bit words where the module has 64-bit atomics on
//! it (then everything narrower works on halves of those). Or, where the host has no room or no such
//! atomics there, as a slice of a buffer for each workgroup. Knows nothing of guest memory.

use spirv::{Capability, Scope, StorageClass};

use super::atomic::{Cell, Target, load, replace_bits, store};
use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::module::Id;
use super::value::Val;
use crate::ir::{AtomicOp, Kind, MemWidth, Shape};
use crate::reflect::BufferUse;

impl Cx<'_> {
    /// Words of LDS: at least one, so that the array exists where every guard is false.
    fn lds_words(&self) -> u32 {
        self.ir.lds_bytes.div_ceil(4).max(1)
    }

    /// Bytes from one cell to the next, as what holds the LDS is declared; a slice of a buffer keeps the
    /// alignment of any access.
    fn lds_grain(&self) -> u32 {
        if self.needs.lds_buffer {
            16
        } else if self.lds_is_wide() {
            8
        } else {
            4
        }
    }

    /// Bytes of a workgroup's LDS as declared, with a cell behind it where there is room.
    pub fn lds_bytes(&self) -> u32 {
        self.lds_spare().map_or_else(
            || self.lds_own_bytes(),
            |spare| spare.saturating_add(self.lds_grain()),
        )
    }

    fn lds_own_bytes(&self) -> u32 {
        let bytes = self.lds_words().saturating_mul(4);
        bytes
            .checked_next_multiple_of(self.lds_grain())
            .unwrap_or(bytes)
    }

    /// The byte address of a cell behind the LDS that nobody writes: what must not be loaded is read
    /// there, so that no other lane's store meets it.
    fn lds_spare(&self) -> Option<u32> {
        let own = self.lds_own_bytes();
        let beside = self.votes_bytes() + self.lds_lock_bytes() + self.lds_grain();
        let room = u64::from(own) + u64::from(beside);
        let most = u64::from(self.profile.max_workgroup_memory);
        (self.needs.lds_buffer || room <= most).then_some(own)
    }

    /// Bytes of workgroup memory that the module declares.
    pub fn workgroup_bytes(&self) -> u32 {
        let lds = if self.buffers.lds.is_some() {
            self.lds_bytes()
        } else {
            0
        };
        lds + self.votes_bytes() + self.lds_lock_bytes()
    }

    fn lds_variable(&mut self) -> Result<Id, Fail> {
        if let Some(id) = self.buffers.lds {
            return Ok(id);
        }
        let needed = u64::from(self.lds_bytes())
            + u64::from(self.votes_bytes())
            + u64::from(self.lds_lock_bytes());
        let available = u64::from(self.profile.max_workgroup_memory);
        if needed > available {
            return Err(EmitError::Limit {
                what: "bytes of workgroup memory",
                needed,
                available,
            }
            .into());
        }
        let array = if self.lds_is_wide() {
            if !self.profile.shared_atomic64 {
                return Err(EmitError::Missing("64-bit atomics on workgroup memory").into());
            }
            if !self.profile.int64 {
                return Err(EmitError::Missing("Int64").into());
            }
            self.m.need(Capability::Int64Atomics);
            let pair = self.m.u64();
            self.m.array(pair, self.lds_bytes() / 8)
        } else {
            let word = self.m.u32();
            self.m.array(word, self.lds_bytes() / 4)
        };
        let id = self.m.global(StorageClass::Workgroup, array);
        self.m.name(id, "lds");
        self.buffers.lds = Some(id);
        Ok(id)
    }

    /// The byte address in what holds the LDS.
    fn lds_place(&mut self, b: &mut Open, address: Id) -> Id {
        match self.entry.lds_slice {
            Some(slice) => self.m.add(b, address, slice),
            None => address,
        }
    }

    /// Whether LDS is declared as 64-bit words.
    fn lds_is_wide(&self) -> bool {
        self.needs.lds_atomic64 && !self.needs.lds_locks && !self.needs.lds_buffer
    }

    /// Pointer to the word of a placed byte address that is in range, where words are declared.
    fn lds_word(&mut self, b: &mut Open, address: Id) -> Result<Id, Fail> {
        let index = self.m.shr_by(b, address, 2);
        if self.needs.lds_buffer {
            return Ok(self.pointer(b, BufferUse::Lds, index));
        }
        let variable = self.lds_variable()?;
        let word = self.m.u32();
        Ok(self
            .m
            .access(b, StorageClass::Workgroup, word, variable, &[index]))
    }

    /// The word of a placed byte address that is in range.
    fn lds_cell(&mut self, b: &mut Open, address: Id) -> Result<Cell, Fail> {
        if self.lds_is_wide() {
            let pointer = self.lds_pair(b, address)?;
            let bit = self.m.mask(b, address, 4);
            let high = self.m.nonzero(b, bit);
            return Ok(Cell::half(pointer, Scope::Workgroup, high));
        }
        Ok(Cell::word(self.lds_word(b, address)?, Scope::Workgroup))
    }

    /// Pointer to the 64-bit word of a placed byte address that is in range.
    fn lds_pair(&mut self, b: &mut Open, address: Id) -> Result<Id, Fail> {
        if self.needs.lds_buffer {
            let index = self.m.shr_by(b, address, 3);
            return self.pointer64(b, BufferUse::Lds, index);
        }
        let variable = self.lds_variable()?;
        let pair = self.m.u64();
        let index = self.m.shr_by(b, address, 3);
        Ok(self
            .m
            .access(b, StorageClass::Workgroup, pair, variable, &[index]))
    }

    /// Bit position of a byte address in its word.
    fn lds_shift(&mut self, b: &mut Open, address: Id) -> Id {
        let byte = self.m.mask(b, address, 3);
        self.m.shl_by(b, byte, 3)
    }

    /// A load; `once`: the wave does it once.
    pub fn lds_load(
        &mut self,
        b: &mut Open,
        address: Id,
        guard: Id,
        width: MemWidth,
        once: bool,
    ) -> Result<Id, Fail> {
        let zero = self.m.const_u32(0);
        let elsewhere = self.m.const_u32(self.lds_spare().unwrap_or(0));
        let at = self.m.select(b, guard, address, elsewhere);
        let at = self.lds_place(b, at);
        let cell = self.lds_cell(b, at)?;
        let mut word = load(&mut self.m, b, cell).one()?;
        let narrow = match width {
            MemWidth::B8 => Some(0xff),
            MemWidth::B16 => Some(0xffff),
            MemWidth::B32 => None,
            MemWidth::B64 => return Err(EmitError::Malformed("a 64-bit load from LDS").into()),
        };
        if let Some(mask) = narrow {
            let shift = self.lds_shift(b, at);
            word = self.m.shr(b, word, shift);
            word = self.m.mask(b, word, mask);
        }
        word = self.m.select(b, guard, word, zero);
        Ok(if once {
            self.broadcast_first(b, word)
        } else {
            word
        })
    }

    /// A store; `once`: the wave does it once.
    pub fn lds_store(
        &mut self,
        b: &mut Open,
        address: Id,
        value: Id,
        guard: Id,
        width: MemWidth,
        once: bool,
    ) -> Result<(), Fail> {
        let mut happens = guard;
        if once {
            let elected = self.elected(b);
            happens = self.m.band(b, elected, happens);
        }
        let branch = self.m.begin_if(b, happens);
        let address = self.lds_place(b, address);
        let mask = match width {
            MemWidth::B8 => Some(0xff),
            MemWidth::B16 => Some(0xffff),
            MemWidth::B32 => None,
            MemWidth::B64 => return Err(EmitError::Malformed("a 64-bit store to LDS").into()),
        };
        match mask {
            None => {
                let cell = self.lds_cell(b, address)?;
                store(&mut self.m, b, cell, value)?;
            }
            Some(mask) => {
                let function = self.lds_replace_function()?;
                let value = self.m.mask(b, value, mask);
                let mask = self.m.const_u32(mask);
                let void = self.m.void();
                self.m.call(b, void, function, &[address, value, mask]);
            }
        }
        self.m.end_if(b, branch);
        Ok(())
    }

    /// `lds_replace(address, value, mask)`: bits of the word that holds the byte.
    fn lds_replace_function(&mut self) -> Result<Id, Fail> {
        if let Some(id) = self.buffers.lds_replace_bits {
            return Ok(id);
        }
        let id = self.m.id();
        self.buffers.lds_replace_bits = Some(id);
        self.m.name(id, "lds_replace");
        let (word, void) = (self.m.u32(), self.m.void());
        let (frame, mut body) = self.m.begin_function(id, void, &[word, word, word]);
        let &[address, value, mask] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        let b = &mut body;
        let shift = self.lds_shift(b, address);
        let (value, mask) = (self.m.shl(b, value, shift), self.m.shl(b, mask, shift));
        let cell = self.lds_cell(b, address)?;
        replace_bits(&mut self.m, b, cell, value, mask)?;
        self.m.end_function(frame, body.ret());
        Ok(id)
    }

    /// An atomic; gives the old value.
    #[allow(clippy::too_many_arguments, reason = "the fields of `Op::LdsAtomic`")]
    pub fn lds_atomic(
        &mut self,
        b: &mut Open,
        op: AtomicOp,
        width: MemWidth,
        shape: Shape,
        address: Id,
        guard: Id,
        data: &[Val],
    ) -> Result<Val, Fail> {
        let kind = match width {
            MemWidth::B32 => Kind::I32,
            MemWidth::B64 => Kind::I64,
            MemWidth::B8 | MemWidth::B16 => {
                return Err(EmitError::Malformed("a narrow atomic").into());
            }
        };
        self.guarded_atomic(b, op, kind, shape, guard, data, |cx, b| {
            let address = cx.lds_place(b, address);
            if cx.needs.lds_locks {
                let low = cx.lds_word(b, address)?;
                let high = if kind == Kind::I64 {
                    let next = cx.m.add_by(b, address, 4);
                    Some(cx.lds_word(b, next)?)
                } else {
                    None
                };
                return Ok(Target::Locked(cx.locked_lds(b, address, (low, high))?));
            }
            Ok(Target::Cell(if kind == Kind::I64 {
                Cell::pair(cx.lds_pair(b, address)?, Scope::Workgroup)
            } else {
                cx.lds_cell(b, address)?
            }))
        })
    }
}

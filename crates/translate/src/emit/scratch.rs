//! Scratch as an array of the invocation's own: the words of each of its lanes, one lane behind the other, then
//! two words beside them. What must not be loaded is read from the first, which stays zero; what must not be
//! stored goes to the second. Knows nothing of guest memory, and needs no branch.

use super::code::Open;
use super::context::{Cx, Slot};
use super::error::{EmitError, Fail};
use super::module::Id;
use crate::ir::{self, MemWidth, Value};

/// How a module reaches scratch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScratchNeed {
    /// Not at all.
    #[default]
    None,
    /// At constant bytes only: a host's compiler can keep what stands there in registers.
    Fixed,
    /// At bytes known at run time.
    Indexed,
}

impl ScratchNeed {
    /// What an access with these arguments needs.
    pub fn of(module: &ir::Module, args: &[Value]) -> ScratchNeed {
        let byte = args.first().and_then(|&at| module.func.as_const(at));
        if byte.is_some() {
            ScratchNeed::Fixed
        } else {
            ScratchNeed::Indexed
        }
    }
}

/// An access of a lane's scratch.
#[derive(Clone, Copy, Debug)]
pub struct ScratchAccess {
    /// Byte, in range where the guard holds.
    pub at: Id,
    /// Further bytes.
    pub offset: u32,
    /// Whether it happens.
    pub guard: Id,
    /// Bits, at most 32.
    pub width: MemWidth,
    /// The byte is known to be a multiple of 4.
    pub aligned: bool,
}

impl ScratchAccess {
    /// Bytes, and the mask of as many bits.
    fn size(&self) -> Result<(u32, u32), Fail> {
        match self.width {
            MemWidth::B8 => Ok((1, 0xff)),
            MemWidth::B16 => Ok((2, 0xffff)),
            MemWidth::B32 => Ok((4, u32::MAX)),
            MemWidth::B64 => Err(EmitError::Malformed("64 bits of scratch at once").into()),
        }
    }
}

/// Words that are set to zero in a trip of the loop that does so.
const ZEROED_A_TRIP: u32 = 8;

impl Cx<'_> {
    /// Words of a lane.
    fn scratch_words(&self) -> u32 {
        self.ir.scratch_bytes.div_ceil(4)
    }

    /// Words of all lanes of an invocation: the index of the word that stays zero.
    fn scratch_end(&self) -> u32 {
        self.scratch_words().saturating_mul(self.geo.slots)
    }

    /// Declares the array and makes it zero.
    pub fn begin_scratch(&mut self, b: &mut Open) {
        if self.needs.scratch == ScratchNeed::None {
            return;
        }
        let words = self.scratch_end().saturating_add(2);
        let words = words.next_multiple_of(ZEROED_A_TRIP);
        let word = self.m.u32();
        let array = self.m.array(word, words);
        // Where no number of a word is made at run time, no loop shall stand in the way of registers either.
        if self.needs.scratch == ScratchNeed::Fixed && self.unrolled() {
            let zeros = self.m.null(array);
            let variable = self.m.local_with(&mut self.frame, array, Some(zeros));
            self.entry.scratch = Some(variable);
        } else {
            let variable = self.m.local(&mut self.frame, array);
            self.entry.scratch = Some(variable);
            let zero = self.m.const_u32(0);
            let trip = self.m.begin_count(b, words, ZEROED_A_TRIP);
            for i in 0..ZEROED_A_TRIP {
                let index = self.m.add_by(b, trip.counter, i);
                let pointer = self.scratch_pointer(b, variable, index);
                self.m.store(b, pointer, zero);
            }
            self.m.end_count(b, trip);
        }
        if let Some(variable) = self.entry.scratch {
            self.m.name(variable, "scratch");
        }
    }

    fn scratch_pointer(&mut self, b: &mut Open, variable: Id, index: Id) -> Id {
        let word = self.m.u32();
        let class = spirv::StorageClass::Function;
        self.m.access(b, class, word, variable, &[index])
    }

    /// Pointer to the word of a byte; to word `aside` behind those of lanes where `guard`, if there is one, is false.
    fn scratch_cell(
        &mut self,
        b: &mut Open,
        slot: Slot,
        byte: Id,
        aside: u32,
        guard: Option<Id>,
    ) -> Result<Id, Fail> {
        let variable = self.entry.scratch.ok_or(EmitError::Malformed(
            "scratch that the prologue has not declared",
        ))?;
        let words = self.m.const_u32(self.scratch_words());
        let first = self.m.mul(b, slot.number, words);
        let index = self.m.word_index(b, byte);
        let mut index = self.m.add(b, first, index);
        if let Some(guard) = guard {
            let elsewhere = self.scratch_end().saturating_add(aside);
            let elsewhere = self.m.const_u32(elsewhere);
            index = self.m.select(b, guard, index, elsewhere);
        }
        Ok(self.scratch_pointer(b, variable, index))
    }

    /// Whether an access at a byte can happen: one that is known to leave the scratch cannot.
    fn scratch_reaches(&self, byte: Id, bytes: u32) -> bool {
        let last = self.ir.scratch_bytes.checked_sub(bytes);
        match self.m.value(byte) {
            Some(byte) => last.is_some_and(|last| byte <= u64::from(last)),
            None => last.is_some(),
        }
    }

    /// Whether the bytes may lie in two words.
    fn scratch_straddles(&self, access: &ScratchAccess, byte: Id, bytes: u32) -> bool {
        !access.aligned
            && bytes > 1
            && self
                .m
                .value(byte)
                .is_none_or(|byte| byte % 4 + u64::from(bytes) > 4)
    }

    /// Bit position of a byte in its word.
    fn scratch_shift(&mut self, b: &mut Open, access: &ScratchAccess, byte: Id) -> Id {
        if access.aligned {
            return self.m.const_u32(0);
        }
        let rest = self.m.mask(b, byte, 3);
        self.m.shl_by(b, rest, 3)
    }

    /// A load; `slot`: whose, if the invocation has several lanes.
    pub fn scratch_load(
        &mut self,
        b: &mut Open,
        slot: Option<Slot>,
        access: &ScratchAccess,
    ) -> Result<Id, Fail> {
        let slot = slot.unwrap_or_else(|| Slot::none(&mut self.m));
        let (bytes, mask) = access.size()?;
        let byte = self.m.place_add(b, access.at, access.offset);
        if !self.scratch_reaches(byte, bytes) {
            return Ok(self.m.const_u32(0));
        }
        let word = self.m.u32();
        let known = self.m.value(byte).is_some();
        let guard = (!known).then_some(access.guard);
        let pointer = self.scratch_cell(b, slot, byte, 0, guard)?;
        let mut value = self.m.load(b, word, pointer);
        let shift = self.scratch_shift(b, access, byte);
        if self.scratch_straddles(access, byte, bytes) {
            let last = self.m.add_by(b, byte, bytes - 1);
            let pointer = self.scratch_cell(b, slot, last, 0, guard)?;
            let next = self.m.load(b, word, pointer);
            value = self.straddle(b, value, next, shift);
        } else {
            value = self.m.shr(b, value, shift);
        }
        value = self.m.mask(b, value, mask);
        if known {
            let zero = self.m.const_u32(0);
            value = self.m.select(b, access.guard, value, zero);
        }
        Ok(value)
    }

    /// A store.
    pub fn scratch_store(
        &mut self,
        b: &mut Open,
        slot: Option<Slot>,
        access: &ScratchAccess,
        value: Id,
    ) -> Result<(), Fail> {
        let slot = slot.unwrap_or_else(|| Slot::none(&mut self.m));
        let (bytes, mask) = access.size()?;
        let byte = self.m.place_add(b, access.at, access.offset);
        if !self.scratch_reaches(byte, bytes) {
            return Ok(());
        }
        let shift = self.scratch_shift(b, access, byte);
        let value = self.m.mask(b, value, mask);
        let mask = self.m.const_u32(mask);
        let low_mask = self.m.shl(b, mask, shift);
        let low = self.m.shl(b, value, shift);
        self.scratch_replace(b, slot, access, byte, (low, low_mask))?;
        if self.scratch_straddles(access, byte, bytes) {
            // The last byte's word is the first one where nothing straddles: then no bit of it is replaced.
            let thirty_one = self.m.const_u32(31);
            let rest = self.m.xor(b, shift, thirty_one);
            let (high_mask, high) = (self.m.shr_by(b, mask, 1), self.m.shr_by(b, value, 1));
            let high_mask = self.m.shr(b, high_mask, rest);
            let high = self.m.shr(b, high, rest);
            let last = self.m.add_by(b, byte, bytes - 1);
            self.scratch_replace(b, slot, access, last, (high, high_mask))?;
        }
        Ok(())
    }

    /// Replaces the bits of a mask in the word of a byte.
    fn scratch_replace(
        &mut self,
        b: &mut Open,
        slot: Slot,
        access: &ScratchAccess,
        byte: Id,
        (bits, mask): (Id, Id),
    ) -> Result<(), Fail> {
        let word = self.m.u32();
        // At constant bytes alone the guard chooses what is stored, elsewhere where.
        let keeps = self.needs.scratch == ScratchNeed::Fixed;
        let guard = (!keeps).then_some(access.guard);
        let pointer = self.scratch_cell(b, slot, byte, 1, guard)?;
        let whole = self.m.value(mask) == Some(u64::from(u32::MAX));
        let always = self.m.value(access.guard) == Some(1);
        let mut new = bits;
        if !whole || (keeps && !always) {
            let old = self.m.load(b, word, pointer);
            if !whole {
                let others = self.m.not(b, mask);
                let kept = self.m.and(b, old, others);
                new = self.m.or(b, kept, bits);
            }
            if keeps {
                new = self.m.select(b, access.guard, new, old);
            }
        }
        self.m.store(b, pointer, new);
        Ok(())
    }
}

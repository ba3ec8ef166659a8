//! 64-bit atomics on hosts without them: a lock around loads and stores of both halves.
//!
//! A lock is a word: 0 free, 1 taken. Whoever takes it gives it back in the same trip of the loop, so that an
//! invocation that waits in step with it does not keep it from going on; and the invocations of a
//! subgroup come one after another, so that no two of them want a lock at once. The host must let a subgroup
//! that has a lock go on while others wait, as all do for subgroups that have begun.
//!
//! On a host where memory barriers make subgroups meet, the lock has no memory semantics: drivers make
//! barriers of them.
//!
//! It holds among the atomics of modules with the same locks: in a module with locks, 32-bit atomics on
//! the same memory take them too. A plain store to a word that another lane changes atomically at that
//! time may be lost, as on a host with such atomics the order of the two is not known.

use spirv::{MemorySemantics, Op, Scope, StorageClass};

use super::atomic::{Cell, atomic, modified};
use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::module::Id;
use super::value::Val;
use crate::ir::AtomicOp;
use crate::options::MemoryModel;
use crate::reflect::{BufferUse, LOCKS};

/// Words under a lock.
#[derive(Clone, Copy)]
pub struct Locked {
    /// The lock.
    lock: Id,
    /// Who shares lock and words.
    scope: Scope,
    /// The class of memory that the lock orders, for barriers.
    memory: MemorySemantics,
    /// The word, or the low half.
    low: Id,
    /// The high half.
    high: Option<Id>,
}

/// Bytes of the lock of LDS in workgroup memory.
pub(super) const LDS_LOCK_BYTES: u32 = 4;

impl Cx<'_> {
    /// A word of guest memory, or a pair of them, under its lock.
    pub(super) fn locked_memory(
        &mut self,
        b: &mut Open,
        place: Val,
        wide: bool,
    ) -> Result<Locked, Fail> {
        let low = self.memory_pointer(b, place)?;
        let high = if wide {
            let next = self.place_add(b, place, 4);
            Some(self.memory_pointer(b, next)?)
        } else {
            None
        };
        // Of pages, only the byte in its page is the same for all who access it.
        let locks = match self.options.memory {
            MemoryModel::Pages => 16,
            MemoryModel::Windows | MemoryModel::Offset => LOCKS,
        };
        let lock = self.lock_of(b, Self::place_low(place), locks);
        Ok(Locked {
            lock,
            scope: Scope::Device,
            memory: MemorySemantics::UNIFORM_MEMORY,
            low,
            high,
        })
    }

    /// A lock of the buffer of locks, by a byte address.
    fn lock_of(&mut self, b: &mut Open, byte: Id, locks: u32) -> Id {
        let number = self.m.shr_by(b, byte, 3);
        let number = self.m.mask(b, number, locks - 1);
        self.pointer(b, BufferUse::Locks, number)
    }

    /// A word of LDS, or a pair, under its lock: in workgroup memory there is one lock.
    pub(super) fn locked_lds(
        &mut self,
        b: &mut Open,
        address: Id,
        words: (Id, Option<Id>),
    ) -> Result<Locked, Fail> {
        let (low, high) = words;
        if self.needs.lds_buffer {
            let lock = self.lock_of(b, address, LOCKS);
            return Ok(Locked {
                lock,
                scope: Scope::Workgroup,
                memory: MemorySemantics::UNIFORM_MEMORY,
                low,
                high,
            });
        }
        let array = self
            .entry
            .lds_lock
            .ok_or(EmitError::Malformed("a lock that was not expected"))?;
        let (word, zero) = (self.m.u32(), self.m.const_u32(0));
        let lock = self
            .m
            .access(b, StorageClass::Workgroup, word, array, &[zero]);
        Ok(Locked {
            lock,
            scope: Scope::Workgroup,
            memory: MemorySemantics::WORKGROUP_MEMORY,
            low,
            high,
        })
    }

    /// Bytes of workgroup memory that the lock takes.
    pub fn lds_lock_bytes(&self) -> u32 {
        if self.needs.lds_locks && !self.needs.lds_buffer {
            LDS_LOCK_BYTES
        } else {
            0
        }
    }

    /// Prepares the lock of LDS, if there is one: it is free before anybody comes.
    pub fn begin_lds_lock(&mut self, b: &mut Open) -> Result<(), Fail> {
        if self.lds_lock_bytes() == 0 {
            return Ok(());
        }
        let word = self.m.u32();
        let array = self.m.array(word, 1);
        let id = self.m.global(StorageClass::Workgroup, array);
        self.m.name(id, "lds_lock");
        self.entry.lds_lock = Some(id);
        let zero = self.m.const_u32(0);
        let pointer = self.m.access(b, StorageClass::Workgroup, word, id, &[zero]);
        let happens = self.elected(b);
        let branch = self.m.begin_if(b, happens);
        let cell = Cell::word(pointer, Scope::Workgroup);
        atomic(&mut self.m, b, AtomicOp::And, cell, &[Val::One(zero)])?;
        self.m.end_if(b, branch);
        self.barrier(b, true);
        Ok(())
    }

    /// An atomic under a lock; gives the old content. Where it stands each invocation does it that comes
    /// there.
    pub(super) fn locked_atomic(
        &mut self,
        b: &mut Open,
        op: AtomicOp,
        at: Locked,
        data: &[Val],
    ) -> Result<Val, Fail> {
        let word = self.m.u32();
        let parts = 1 + usize::from(at.high.is_some());
        let olds: Vec<Id> = (0..parts)
            .map(|_| self.m.local(&mut self.frame, word))
            .collect();
        let turns = self.entry.invocation.map(|invocation| {
            let trip = self.m.begin_count(b, self.geo.subgroup, 1);
            let mine = self.m.eq(b, trip.counter, invocation);
            (trip, self.m.begin_if(b, mine))
        });
        self.under_lock(b, op, at, data, &olds)?;
        if let Some((trip, branch)) = turns {
            self.m.end_if(b, branch);
            self.m.end_count(b, trip);
        }
        let olds: Vec<Id> = olds.iter().map(|&old| self.m.load(b, word, old)).collect();
        Val::from_ids(&olds)
    }

    fn under_lock(
        &mut self,
        b: &mut Open,
        op: AtomicOp,
        at: Locked,
        data: &[Val],
        olds: &[Id],
    ) -> Result<(), Fail> {
        let word = self.m.u32();
        let (zero, one) = (self.m.const_u32(0), self.m.const_u32(1));
        let scope = self.m.const_u32(at.scope as u32);
        let semantics = |kind: MemorySemantics| {
            if self.profile.memory_barriers_meet {
                MemorySemantics::empty()
            } else {
                kind | at.memory
            }
        };
        let acquire = semantics(MemorySemantics::ACQUIRE).bits();
        let release = semantics(MemorySemantics::RELEASE).bits();
        let (acquire, release) = (self.m.const_u32(acquire), self.m.const_u32(release));
        let trip = self.m.begin_until(b, word, one);
        let got = self.m.op(
            b,
            Op::AtomicCompareExchange,
            word,
            &[at.lock, scope, acquire, zero, one, zero],
        );
        let free = self.m.eq(b, got, zero);
        let branch = self.m.begin_if(b, free);
        let pointers: Vec<Id> = [Some(at.low), at.high].into_iter().flatten().collect();
        let mut seen = Vec::new();
        for &pointer in &pointers {
            seen.push(self.m.op(b, Op::AtomicLoad, word, &[pointer, scope, zero]));
        }
        for (&old, &value) in olds.iter().zip(&seen) {
            self.m.store(b, old, value);
        }
        let new = match (op, data) {
            (AtomicOp::Helper(helper), &[data]) => {
                let function = *self
                    .helpers
                    .get(helper.0 as usize)
                    .ok_or(EmitError::Malformed("an atomic with an unknown helper"))?;
                let old = Val::from_ids(&seen)?.one()?;
                Val::One(self.m.call(b, word, function, &[old, data.one()?]))
            }
            (_, &[first]) => modified(&mut self.m, b, op, Val::from_ids(&seen)?, first, None)?,
            (_, &[first, second]) => {
                let old = Val::from_ids(&seen)?;
                modified(&mut self.m, b, op, old, first, Some(second))?
            }
            _ => {
                return Err(EmitError::Malformed(
                    "an atomic with a wrong number of data arguments",
                )
                .into());
            }
        };
        for (&pointer, value) in pointers.iter().zip(new.ids()) {
            let args = [pointer, scope, zero, value];
            self.m.effect(b, Op::AtomicStore, &args);
        }
        let args = [at.lock, scope, release, zero];
        self.m.effect(b, Op::AtomicStore, &args);
        self.m.end_if(b, branch);
        self.m.end_until(b, trip, free, got);
        Ok(())
    }
}

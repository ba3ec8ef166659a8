//! Synchronisation: between the lanes of a wave (subgroup barriers, only where a wave is more than one
//! invocation) and between the waves of a workgroup, with their votes. Memory model GLSL450.

use spirv::{MemorySemantics, Op, Scope, StorageClass};

use super::atomic::{Cell, atomic, load};
use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::module::Id;
use super::value::Val;
use crate::ir::AtomicOp;

/// Ballot boxes of `AnyWave`. One vote is cast while the last one's box may still be read and the next
/// one's is emptied, so there are three, taken in turn: one barrier a vote suffices.
pub(super) const BOXES: u32 = 3;

/// Where the waves of a workgroup vote.
#[derive(Clone, Copy, Debug)]
pub struct Votes {
    /// `BOXES` words of workgroup memory.
    boxes: Id,
    /// The invocation's variable with the box of the vote to come.
    turn: Id,
}

impl Cx<'_> {
    /// `memory`: it orders guest memory too.
    fn control_barrier(&mut self, b: &mut Open, scope: Scope, memory: bool) {
        let mut semantics = MemorySemantics::ACQUIRE_RELEASE;
        if (self.needs.lds && !self.needs.lds_buffer) || self.needs.votes {
            semantics |= MemorySemantics::WORKGROUP_MEMORY;
        }
        let memory = memory || self.needs.locks;
        if memory && (self.needs.reads || self.needs.writes) || self.needs.lds_buffer {
            semantics |= MemorySemantics::UNIFORM_MEMORY;
        }
        if self.needs.image_writes {
            semantics |= MemorySemantics::IMAGE_MEMORY;
        }
        if semantics == MemorySemantics::ACQUIRE_RELEASE {
            semantics = MemorySemantics::empty();
        }
        let scope = self.m.const_u32(scope as u32);
        let semantics = self.m.const_u32(semantics.bits());
        self.m
            .effect(b, Op::ControlBarrier, &[scope, scope, semantics]);
    }

    /// Later accesses of the wave's lanes see what its lanes wrote before.
    pub fn wave_sync(&mut self, b: &mut Open) {
        if !self.geo.alone() && (self.needs.lds || self.needs.writes || self.needs.image_writes) {
            self.m.need(spirv::Capability::GroupNonUniform);
            self.control_barrier(b, Scope::Subgroup, self.memory_waits);
        }
    }

    /// All waves of the workgroup meet; whether what they did to guest memory is ordered.
    pub fn barrier(&mut self, b: &mut Open, memory: bool) {
        if self.geo.waves * self.geo.subgroup > 1 {
            self.control_barrier(b, Scope::Workgroup, memory);
        }
    }

    /// Bytes of workgroup memory that votes take.
    pub fn votes_bytes(&self) -> u32 {
        if self.needs.votes { 4 * BOXES } else { 0 }
    }

    /// Prepares the boxes, if the waves vote: the first one is empty before anybody votes.
    pub fn begin_votes(&mut self, b: &mut Open) -> Result<(), Fail> {
        if !self.needs.votes {
            return Ok(());
        }
        let (needed, available) = (self.votes_bytes(), self.profile.max_workgroup_memory);
        if needed > available {
            return Err(EmitError::Limit {
                what: "bytes of workgroup memory",
                needed: needed.into(),
                available: available.into(),
            }
            .into());
        }
        let word = self.m.u32();
        let array = self.m.array(word, BOXES);
        let boxes = self.m.global(StorageClass::Workgroup, array);
        self.m.name(boxes, "votes");
        let turn = self.m.local(&mut self.frame, word);
        let zero = self.m.const_u32(0);
        self.m.store(b, turn, zero);
        self.entry.votes = Some(Votes { boxes, turn });
        let cell = self.vote_cell(b, boxes, zero);
        self.put_vote(b, cell, AtomicOp::And, 0, None)?;
        self.barrier(b, true);
        Ok(())
    }

    fn vote_cell(&mut self, b: &mut Open, boxes: Id, number: Id) -> Cell {
        let word = self.m.u32();
        let pointer = self
            .m
            .access(b, StorageClass::Workgroup, word, boxes, &[number]);
        Cell::word(pointer, Scope::Workgroup)
    }

    /// An invocation of each wave changes a box, where `cond` holds.
    fn put_vote(
        &mut self,
        b: &mut Open,
        cell: Cell,
        op: AtomicOp,
        operand: u32,
        cond: Option<Id>,
    ) -> Result<(), Fail> {
        let mut happens = self.elected(b);
        if let Some(cond) = cond {
            happens = self.m.band(b, happens, cond);
        }
        let operand = self.m.const_u32(operand);
        let branch = self.m.begin_if(b, happens);
        atomic(&mut self.m, b, op, cell, &[Val::One(operand)])?;
        self.m.end_if(b, branch);
        Ok(())
    }

    /// All waves meet; whether `x` held in any of them.
    pub fn any_wave(&mut self, b: &mut Open, x: Id) -> Result<Id, Fail> {
        let Votes { boxes, turn } = self
            .entry
            .votes
            .ok_or(EmitError::Malformed("a vote that was not expected"))?;
        let word = self.m.u32();
        let now = self.m.load(b, word, turn);
        let last = self.m.const_u32(BOXES - 1);
        let wraps = self.m.eq(b, now, last);
        let zero = self.m.const_u32(0);
        let following = self.m.add_by(b, now, 1);
        let next = self.m.select(b, wraps, zero, following);
        let cell = self.vote_cell(b, boxes, now);
        self.put_vote(b, cell, AtomicOp::Or, 1, Some(x))?;
        let emptied = self.vote_cell(b, boxes, next);
        self.put_vote(b, emptied, AtomicOp::And, 0, None)?;
        self.barrier(b, true);
        let cell = self.vote_cell(b, boxes, now);
        let any = load(&mut self.m, b, cell).one()?;
        self.m.store(b, turn, next);
        Ok(self.m.nonzero(b, any))
    }
}

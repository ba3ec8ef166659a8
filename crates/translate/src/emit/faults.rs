//! Faults of memory: an invocation remembers its first one and records it when it ends, so that the
//! places where a fault may happen stay short. The layout of the buffer is `reflect.rs`'s.

use spirv::{Op, Scope, StorageClass};

use super::atomic::{Cell, atomic};
use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::module::Id;
use super::value::Val;
use crate::ir::AtomicOp;
use crate::options::MemoryModel;
use crate::reflect::{BufferUse, FAULT_SLOTS};

/// The variable that holds the first fault: four words, pc, address (low, high), and whether there was one.
/// The functions that make places write it too, so it belongs to the invocation and not to the entry point.
#[derive(Clone, Copy, Debug)]
pub struct FirstFault {
    variable: Id,
}

impl Cx<'_> {
    /// Prepares the variable, if the module has faults to record.
    pub fn begin_faults(&mut self, b: &mut Open) {
        if !self.needs.faults {
            return;
        }
        let four = self.m.uvec(4);
        let variable = self.m.global(StorageClass::Private, four);
        let none = self.m.null(four);
        self.m.store(b, variable, none);
        self.entry.first_fault = Some(FirstFault { variable });
    }

    /// Remembers a fault of the first of these lanes whose guard holds, unless there was one before;
    /// `once`: the lanes' invocation answers for the whole wave.
    pub fn fault(
        &mut self,
        b: &mut Open,
        pc: u32,
        lanes: &[(Val, Id)],
        once: bool,
    ) -> Result<(), Fail> {
        let (zero, mut happens) = (self.m.const_u32(0), self.m.const_bool(false));
        let (mut low, mut high) = (zero, zero);
        for (i, &(address, guard)) in lanes.iter().rev().enumerate() {
            let (l, h) = address.two()?;
            // What stands for no lane does not count.
            (low, high) = if i == 0 {
                (l, h)
            } else {
                (
                    self.m.select(b, guard, l, low),
                    self.m.select(b, guard, h, high),
                )
            };
            happens = self.m.bor(b, guard, happens);
        }
        if once {
            let elected = self.elected(b);
            happens = self.m.band(b, elected, happens);
        }
        if self.options.memory == MemoryModel::Pages {
            self.miss_pages(b, lanes, happens)?;
        }
        let function = self.remember_function()?;
        let (void, pc) = (self.m.void(), self.m.const_u32(pc));
        self.m.call(b, void, function, &[pc, low, high, happens]);
        Ok(())
    }

    /// `remember_fault(pc, low, high, happens)`.
    fn remember_function(&mut self) -> Result<Id, Fail> {
        if let Some(id) = self.buffers.remember {
            return Ok(id);
        }
        let id = self.m.id();
        self.buffers.remember = Some(id);
        self.m.name(id, "remember_fault");
        let (word, boolean, void) = (self.m.u32(), self.m.bool(), self.m.void());
        let params = [word, word, word, boolean];
        let (frame, mut body) = self.m.begin_function(id, void, &params);
        let &[pc, low, high, happens] = frame.params.as_slice() else {
            return Err(EmitError::Malformed("parameters of a function").into());
        };
        self.remember(&mut body, pc, low, high, happens)?;
        self.m.end_function(frame, body.ret());
        Ok(id)
    }

    /// Remembers a fault where `happens` holds, unless there was one before.
    pub(super) fn remember(
        &mut self,
        b: &mut Open,
        pc: Id,
        low: Id,
        high: Id,
        happens: Id,
    ) -> Result<(), Fail> {
        let FirstFault { variable } = self
            .entry
            .first_fault
            .ok_or(EmitError::Malformed("a fault that was not expected"))?;
        let m = &mut self.m;
        let four = m.uvec(4);
        let old = m.load(b, four, variable);
        let seen = m.part(b, old, 3);
        let (zero, one) = (m.const_u32(0), m.const_u32(1));
        let fresh = m.eq(b, seen, zero);
        let happens = m.band(b, fresh, happens);
        let branch = m.begin_if(b, happens);
        let new = m.op(b, Op::CompositeConstruct, four, &[pc, low, high, one]);
        m.store(b, variable, new);
        m.end_if(b, branch);
        Ok(())
    }

    /// Notes the pages that lanes missed, where any did: lane after lane in a loop, because a host that
    /// puts functions where they are called would else compile the look-up for each.
    fn miss_pages(&mut self, b: &mut Open, lanes: &[(Val, Id)], any: Id) -> Result<(), Fail> {
        let branch = self.m.begin_if(b, any);
        match *lanes {
            [(address, _)] => self.miss_page(b, address, any)?,
            _ => {
                let trip = self.m.begin_count(b, lanes.len() as u32, 1);
                let (zero, mut happens) = (self.m.const_u32(0), self.m.const_bool(false));
                let (mut low, mut high) = (zero, zero);
                for (i, &(address, guard)) in (0..).zip(lanes) {
                    let (l, h) = address.two()?;
                    let number = self.m.const_u32(i);
                    let this = self.m.eq(b, trip.counter, number);
                    low = self.m.select(b, this, l, low);
                    high = self.m.select(b, this, h, high);
                    let here = self.m.band(b, this, guard);
                    happens = self.m.bor(b, here, happens);
                }
                self.miss_page(b, Val::Two(low, high), happens)?;
                self.m.end_count(b, trip);
            }
        }
        self.m.end_if(b, branch);
        Ok(())
    }

    /// Records the remembered fault: at every end of the program.
    pub fn end_faults(&mut self, b: &mut Open) -> Result<(), Fail> {
        let Some(FirstFault { variable }) = self.entry.first_fault else {
            return Ok(());
        };
        let four = self.m.uvec(4);
        let record = self.m.load(b, four, variable);
        let seen = self.m.part(b, record, 3);
        let happened = self.m.nonzero(b, seen);
        let branch = self.m.begin_if(b, happened);
        let (zero, word) = (self.m.const_u32(0), self.m.u32());
        let buffer = self.buffer(BufferUse::Faults);
        let class = StorageClass::StorageBuffer;
        let pointer = self.m.access(b, class, word, buffer, &[zero, zero, zero]);
        let one = self.m.const_u32(1);
        let count = Cell::word(pointer, Scope::Device);
        let number = atomic(&mut self.m, b, AtomicOp::Add, count, &[Val::One(one)])?.one()?;
        let slots = self.m.const_u32(FAULT_SLOTS);
        let room = self.m.ult(b, number, slots);
        let inner = self.m.begin_if(b, room);
        let at = self.m.add_by(b, number, 1);
        let pointer = self.entry_pointer(b, BufferUse::Faults, at);
        self.m.store(b, pointer, record);
        self.m.end_if(b, inner);
        self.m.end_if(b, branch);
        Ok(())
    }
}

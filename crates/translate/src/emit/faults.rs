//! Faults of memory: an invocation remembers its first one and records it when it ends, so that the
//! places where a fault may happen stay short. The layout of the buffer is `reflect.rs`'s.

use spirv::Scope;

use super::atomic::{Cell, atomic};
use super::code::Open;
use super::context::Cx;
use super::error::EmitError;
use super::module::Id;
use super::value::Val;
use crate::ir::AtomicOp;
use crate::options::MemoryModel;
use crate::reflect::{BufferUse, FAULT_SLOTS};

/// Variables for the first fault: whether there was one (a word), pc, address.
#[derive(Clone, Copy, Debug)]
pub struct FirstFault {
    seen: Id,
    what: [Id; 3],
}

impl Cx<'_> {
    /// Prepares the variables, if the module has faults to record.
    pub fn begin_faults(&mut self, b: &mut Open) {
        if !self.needs.faults {
            return;
        }
        let word = self.m.u32();
        let mut variable = || self.m.local(&mut self.frame, word);
        let first = FirstFault {
            seen: variable(),
            what: [variable(), variable(), variable()],
        };
        let zero = self.m.const_u32(0);
        self.m.store(b, first.seen, zero);
        self.entry.first_fault = Some(first);
    }

    /// Remembers a fault of the first of these lanes whose guard holds, unless there was one before;
    /// `once`: the lanes' invocation answers for the whole wave.
    pub fn fault(
        &mut self,
        b: &mut Open,
        pc: u32,
        lanes: &[(Val, Id)],
        once: bool,
    ) -> Result<(), EmitError> {
        let first = self
            .entry
            .first_fault
            .ok_or(EmitError::Malformed("a fault that was not expected"))?;
        let (zero, mut happens) = (self.m.const_u32(0), self.m.const_bool(false));
        let (mut low, mut high) = (zero, zero);
        for &(address, guard) in lanes.iter().rev() {
            let (l, h) = address.two()?;
            low = self.m.select(b, guard, l, low);
            high = self.m.select(b, guard, h, high);
            happens = self.m.bor(b, guard, happens);
        }
        if once {
            let elected = self.elected(b);
            happens = self.m.band(b, elected, happens);
        }
        if self.options.memory == MemoryModel::Pages {
            self.miss_pages(b, lanes, happens)?;
        }
        let word = self.m.u32();
        let seen = self.m.load(b, word, first.seen);
        let fresh = self.m.eq(b, seen, zero);
        let happens = self.m.band(b, fresh, happens);
        let branch = self.m.begin_if(b, happens);
        let one = self.m.const_u32(1);
        self.m.store(b, first.seen, one);
        let pc = self.m.const_u32(pc);
        for (variable, value) in first.what.into_iter().zip([pc, low, high]) {
            self.m.store(b, variable, value);
        }
        self.m.end_if(b, branch);
        Ok(())
    }

    /// Notes the pages that lanes missed, where any did: lane after lane in a loop, because a host that
    /// puts functions where they are called would else compile the look-up for each.
    fn miss_pages(&mut self, b: &mut Open, lanes: &[(Val, Id)], any: Id) -> Result<(), EmitError> {
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
    pub fn end_faults(&mut self, b: &mut Open) -> Result<(), EmitError> {
        let Some(first) = self.entry.first_fault else {
            return Ok(());
        };
        let word = self.m.u32();
        let seen = self.m.load(b, word, first.seen);
        let seen = self.m.nonzero(b, seen);
        let branch = self.m.begin_if(b, seen);
        let zero = self.m.const_u32(0);
        let pointer = self.pointer(b, BufferUse::Faults, zero);
        let one = self.m.const_u32(1);
        let count = Cell::word(pointer, Scope::Device);
        let number = atomic(&mut self.m, b, AtomicOp::Add, count, &[Val::One(one)])?.one()?;
        let slots = self.m.const_u32(FAULT_SLOTS);
        let room = self.m.ult(b, number, slots);
        let inner = self.m.begin_if(b, room);
        let at = self.m.shl_by(b, number, 2);
        let mut words = Vec::new();
        for variable in first.what {
            words.push(self.m.load(b, word, variable));
        }
        words.push(zero);
        for (i, word) in (1..).zip(words) {
            let index = self.m.add_by(b, at, i);
            let pointer = self.pointer(b, BufferUse::Faults, index);
            self.m.store(b, pointer, word);
        }
        self.m.end_if(b, inner);
        self.m.end_if(b, branch);
        Ok(())
    }
}

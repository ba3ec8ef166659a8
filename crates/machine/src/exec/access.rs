//! An invocation's accesses of memory, plain and atomic: bounds, what nobody wrote, what nothing orders.

use spirv::StorageClass;

use super::Invocation;
use crate::code::{Line, Step};
use crate::error::{FindingKind, RunError};
use crate::memory::{BUFFER_SHIFT, Cell, NOWHERE, PUSH, Stamp, own, split};
use crate::types::Place;
use crate::world::{INVALID, Passed, World};

impl Invocation {
    pub(super) fn access(
        &self,
        world: &World<'_>,
        base: u32,
        pointer: u64,
        offset: u64,
        steps: &[Step],
    ) -> u64 {
        if pointer == NOWHERE {
            return NOWHERE;
        }
        let mut sum = offset;
        for step in steps {
            let index = self.get(world, base, step.index) & 0xffff_ffff;
            if step.limit.is_some_and(|limit| index >= limit.into()) {
                return NOWHERE;
            }
            sum = sum.saturating_add(index.saturating_mul(step.stride));
        }
        let (_, at) = split(pointer);
        if sum >> BUFFER_SHIFT != 0 || (at + sum) >> BUFFER_SHIFT != 0 {
            return NOWHERE;
        }
        pointer + sum
    }

    pub(super) fn outside(&self, world: &mut World<'_>, line: &Line, pointer: u64) -> RunError {
        let text = if pointer == NOWHERE {
            "past the end of an array".to_owned()
        } else {
            let (buffer, at) = split(pointer);
            format!("buffer {buffer}, at {at}")
        };
        match world.find(FindingKind::Outside, line, self.number, text) {
            Err(error) => error,
            Ok(()) => INVALID,
        }
    }

    pub(super) fn stamp(&self, world: &World<'_>, workgroup: bool, atomic: bool) -> Stamp {
        let steps = world.steps.get(self.subgroup as usize);
        let steps = steps.copied().unwrap_or_default();
        let pick = |passed: Passed| {
            if workgroup {
                passed.workgroup
            } else {
                passed.buffers
            }
        };
        Stamp {
            who: world.group_number * u64::from(world.group_size) + u64::from(self.number) + 1,
            group: world.group_number,
            subgroup: self.subgroup,
            phase: pick(world.phases),
            step: pick(steps),
            atomic,
        }
    }

    pub(super) fn cell<'s>(
        &'s mut self,
        world: &'s mut World<'_>,
        class: StorageClass,
        at: u64,
    ) -> Option<&'s mut Cell> {
        let at = usize::try_from(at).ok()?;
        match class {
            StorageClass::Function => self.locals.get_mut(at),
            StorageClass::Workgroup => world.shared.workgroup.get_mut(at),
            _ if own(class) => self.private.get_mut(at),
            _ => None,
        }
    }

    pub(super) fn load(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        class: StorageClass,
        pointer: u64,
        i: u32,
    ) -> Result<u64, RunError> {
        let at = pointer.saturating_add(i.into());
        let Some(&mut cell) = self.cell(world, class, at) else {
            return Err(self.outside(world, line, pointer));
        };
        if class == StorageClass::Workgroup {
            let stamp = self.stamp(world, true, false);
            let shadow = world.shared.workgroup_shadow.get_mut(at as usize);
            if shadow.is_some_and(|s| s.read(stamp)) {
                let text = format!("a read of workgroup cell {}", world.in_variable(at));
                world.find(FindingKind::Race, line, self.number, text)?;
            }
        }
        if !cell.written {
            let kind = if class == StorageClass::Workgroup {
                FindingKind::UndefinedWorkgroup
            } else {
                FindingKind::Undefined
            };
            let mut text = format!("cell {at}");
            if class == StorageClass::Workgroup && world.is_last(at) {
                text.push_str(", the last of its variable");
            }
            world.find(kind, line, self.number, text)?;
        }
        Ok(cell.value)
    }

    pub(super) fn store(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        class: StorageClass,
        pointer: u64,
        i: u32,
        value: u64,
    ) -> Result<(), RunError> {
        let at = pointer.saturating_add(i.into());
        let Some(cell) = self.cell(world, class, at) else {
            return Err(self.outside(world, line, pointer));
        };
        let changes = !cell.written || cell.value != value;
        *cell = Cell {
            value,
            written: true,
        };
        if class == StorageClass::Workgroup && changes {
            let stamp = self.stamp(world, true, false);
            let shadow = world.shared.workgroup_shadow.get_mut(at as usize);
            if shadow.is_some_and(|s| s.write(stamp)) {
                let text = format!("a write of workgroup cell {}", world.in_variable(at));
                world.find(FindingKind::Race, line, self.number, text)?;
            }
        }
        Ok(())
    }

    pub(super) fn read(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        pointer: u64,
        place: Place,
    ) -> Result<u64, RunError> {
        let (number, at) = split(pointer);
        let at = at + place.offset;
        if number == PUSH && pointer != NOWHERE {
            let from = at as usize;
            let part = world.shared.push.get(from..from + usize::from(place.bytes));
            let Some(part) = part else {
                return Err(self.outside(world, line, pointer));
            };
            let value = part.iter().rev();
            return Ok(value.fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
        }
        let stamp = self.stamp(world, false, false);
        let buffer = world.shared.buffers.get_mut(number as usize);
        let Some(buffer) = buffer.filter(|_| pointer != NOWHERE) else {
            return Err(self.outside(world, line, pointer));
        };
        let Some(value) = buffer.get(at, place.bytes) else {
            return Err(self.outside(world, line, pointer));
        };
        let mut race = false;
        for shadow in buffer.shadows(at, place.bytes) {
            race |= shadow.read(stamp);
        }
        if race {
            let text = format!("a read of buffer {number} at {at}");
            world.find(FindingKind::Race, line, self.number, text)?;
        }
        Ok(value)
    }

    pub(super) fn write(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        pointer: u64,
        place: Place,
        value: u64,
    ) -> Result<(), RunError> {
        let (number, at) = split(pointer);
        let at = at + place.offset;
        let stamp = self.stamp(world, false, false);
        let buffer = world.shared.buffers.get_mut(number as usize);
        let Some(buffer) = buffer.filter(|_| pointer != NOWHERE) else {
            return Err(self.outside(world, line, pointer));
        };
        let Some(old) = buffer.get(at, place.bytes) else {
            return Err(self.outside(world, line, pointer));
        };
        let mut race = false;
        if old != value {
            buffer.put(at, place.bytes, value);
            for shadow in buffer.shadows(at, place.bytes) {
                race |= shadow.write(stamp);
            }
        }
        if race {
            let text = format!("a write of buffer {number} at {at}");
            world.find(FindingKind::Race, line, self.number, text)?;
        }
        Ok(())
    }

    pub(super) fn atomic(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        class: StorageClass,
        pointer: u64,
        bits: u8,
        new: &dyn Fn(u64) -> u64,
    ) -> Result<u64, RunError> {
        let workgroup = class == StorageClass::Workgroup;
        let stamp = self.stamp(world, workgroup, true);
        let (number, at) = split(pointer);
        if workgroup {
            let Some(cell) = self.cell(world, class, pointer) else {
                return Err(self.outside(world, line, pointer));
            };
            let (old, written) = (cell.value, cell.written);
            let value = new(old);
            *cell = Cell {
                value,
                written: true,
            };
            let shadow = world.shared.workgroup_shadow.get_mut(pointer as usize);
            let race = shadow.is_some_and(|s| {
                if value == old && written {
                    s.read(stamp)
                } else {
                    s.write(stamp)
                }
            });
            if race {
                let text = format!("an atomic on workgroup cell {}", world.in_variable(pointer));
                world.find(FindingKind::Race, line, self.number, text)?;
            }
            return Ok(old);
        }
        let buffer = world.shared.buffers.get_mut(number as usize);
        let Some(buffer) = buffer.filter(|_| pointer != NOWHERE) else {
            return Err(self.outside(world, line, pointer));
        };
        let Some(old) = buffer.get(at, bits / 8) else {
            return Err(self.outside(world, line, pointer));
        };
        let value = new(old);
        buffer.put(at, bits / 8, value);
        let mut race = false;
        for shadow in buffer.shadows(at, bits / 8) {
            race |= if value == old {
                shadow.read(stamp)
            } else {
                shadow.write(stamp)
            };
        }
        if race {
            let text = format!("an atomic on buffer {number} at {at}");
            world.find(FindingKind::Race, line, self.number, text)?;
        }
        Ok(old)
    }
}

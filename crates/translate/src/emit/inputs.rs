//! What the wave finds at entry: the prologue of the entry point, push constants, the launch buffer,
//! and the lane inputs of a slot. The layout of push constants and of the launch buffer is
//! `reflect.rs`'s.

use spirv::{BuiltIn, Capability, Op, StorageClass};

use super::code::Open;
use super::context::{Cx, Needs, Slot};
use super::error::{EmitError, Fail};
use super::module::{Id, Module};
use crate::ir::Input;
use crate::options::Grid;
use crate::reflect::{BufferUse, LaunchLayout, PushLayout};

/// Bytes of the push constants before the user SGPRs: base of the grid, threads in the grid.
const PUSH_HEAD: u32 = 24;

/// The push-constant block of a module with so many user SGPRs, and where these are.
pub fn push_layout(
    user_data: u32,
    max_push_constants: u32,
    graphics: bool,
    grid: Grid,
) -> PushLayout {
    let group_base = grid == Grid::Parts && !graphics;
    if graphics {
        // The push constants are shared by the stages of a pipeline: none of them takes any.
        return PushLayout {
            bytes: 0,
            user_data: 0,
            group_base,
        };
    }
    let bytes = PUSH_HEAD.saturating_add(user_data.saturating_mul(4));
    if bytes <= max_push_constants {
        PushLayout {
            bytes,
            user_data,
            group_base,
        }
    } else {
        PushLayout {
            bytes: PUSH_HEAD,
            user_data: 0,
            group_base,
        }
    }
}

/// The launch buffer of a module: user SGPRs if the push constants do not hold them, addresses of
/// memories that the caller lends, then per-lane data.
pub fn launch_layout(push: PushLayout, needs: &Needs, vgprs: &[u32], wave: u32) -> LaunchLayout {
    let mut dwords = 0;
    let mut layout = LaunchLayout::default();
    if push.user_data < needs.user_data {
        layout.user_data = Some(0);
        dwords = needs.user_data;
    }
    let [scratch, gds] = needs.areas;
    for (used, place) in [(scratch, &mut layout.scratch), (gds, &mut layout.gds)] {
        if used {
            *place = Some(dwords);
            dwords += 2;
        }
    }
    for &index in vgprs {
        layout.vgprs.push((index, dwords));
        dwords += wave;
    }
    layout.dwords = dwords;
    layout
}

/// The push-constant variable, with a word at every offset.
fn push_variable(m: &mut Module, layout: PushLayout) -> Id {
    let word = m.u32();
    let block = m.block(word, layout.bytes / 4, 4);
    let variable = m.global(StorageClass::PushConstant, block);
    m.name(variable, "push");
    variable
}

fn push_word(m: &mut Module, b: &mut Open, variable: Id, index: u32) -> Id {
    let word = m.u32();
    let index = m.const_u32(index);
    let pointer = m.access(b, StorageClass::PushConstant, word, variable, &[index]);
    m.load(b, word, pointer)
}

fn builtin_word(m: &mut Module, b: &mut Open, builtin: BuiltIn) -> Id {
    let word = m.u32();
    let variable = m.builtin(builtin, word);
    m.load(b, word, variable)
}

impl Cx<'_> {
    /// Writes the prologue: everything that the module asks of `Entry`, with the user SGPRs of these numbers.
    pub fn prologue(
        &mut self,
        b: &mut Open,
        push: PushLayout,
        launch: &LaunchLayout,
        user_data: &[u32],
    ) -> Result<(), Fail> {
        self.invocation(b);
        self.wave(b);
        self.push_inputs(b, push, launch, user_data)?;
        self.begin_faults(b);
        self.begin_stage(b)?;
        self.begin_votes(b)?;
        self.begin_lds_lock(b)?;
        self.begin_scratch(b);
        if self.unrolled() {
            for number in 0..self.geo.slots {
                let slot = self.fixed_slot(b, number);
                self.entry.slots.push(slot);
            }
        }
        Ok(())
    }

    fn invocation(&mut self, b: &mut Open) {
        if !self.geo.alone() {
            self.m.need(Capability::GroupNonUniform);
            let id = builtin_word(&mut self.m, b, BuiltIn::SubgroupLocalInvocationId);
            self.entry.invocation = Some(id);
        }
    }

    fn wave(&mut self, b: &mut Open) {
        if !self.needs.wave {
            return;
        }
        let m = &mut self.m;
        let wave = if self.geo.waves == 1 {
            m.const_u32(0)
        } else if self.geo.subgroup == 1 {
            builtin_word(m, b, BuiltIn::LocalInvocationIndex)
        } else {
            builtin_word(m, b, BuiltIn::SubgroupId)
        };
        let lanes = m.const_u32(self.geo.wave);
        self.entry.wave = Some(wave);
        self.entry.first_thread = Some(m.mul(b, wave, lanes));
    }

    fn push_inputs(
        &mut self,
        b: &mut Open,
        push: PushLayout,
        launch: &LaunchLayout,
        user_data: &[u32],
    ) -> Result<(), Fail> {
        let variable = if push.bytes > 0 {
            push_variable(&mut self.m, push)
        } else {
            // Nothing below reads it: what would is refused in graphics stages.
            self.m.const_u32(0)
        };
        if self.needs.group.contains(&true) {
            let m = &mut self.m;
            let ids = m.uvec(3);
            let builtin = m.builtin(BuiltIn::WorkgroupId, ids);
            let loaded = m.load(b, ids, builtin);
            for axis in 0..3u32 {
                if !self.needs.group[axis as usize] {
                    continue;
                }
                let mut group = m.part(b, loaded, axis);
                if push.group_base {
                    let base = push_word(m, b, variable, axis);
                    group = m.add(b, group, base);
                }
                self.entry.group[axis as usize] = Some(group);
            }
            if self.ir.partial_groups {
                self.partial_size(b, variable);
            }
        }
        if self.needs.group_number {
            self.group_number(b, variable);
        }
        for (i, first) in [launch.scratch, launch.gds].into_iter().enumerate() {
            if let Some(first) = first {
                let (low, high) = (self.m.const_u32(first), self.m.const_u32(first + 1));
                let low = self.load_word(b, BufferUse::Launch, low)?;
                let high = self.load_word(b, BufferUse::Launch, high)?;
                self.entry.areas[i] = Some([low, high]);
            }
        }
        for &n in user_data {
            let id = match launch.user_data {
                Some(first) => {
                    let index = self.m.const_u32(first + n);
                    self.load_word(b, BufferUse::Launch, index)?
                }
                None => push_word(&mut self.m, b, variable, PUSH_HEAD / 4 + n),
            };
            self.entry.user_data.push((n, id));
        }
        Ok(())
    }

    /// The size of a workgroup that may be partial, and the waves that hardware starts of it: its threads are
    /// packed, x fastest.
    fn partial_size(&mut self, b: &mut Open, push: Id) {
        let m = &mut self.m;
        let mut size = [m.const_u32(1); 3];
        let mut threads = size[0];
        for axis in 0..3u32 {
            let local = m.const_u32(self.ir.local[axis as usize]);
            let Some(group) = self.entry.group[axis as usize] else {
                continue;
            };
            let grid = push_word(m, b, push, 3 + axis);
            let before = m.mul(b, group, local);
            let left = m.sub(b, grid, before);
            let partial = m.ult(b, left, local);
            size[axis as usize] = m.select(b, partial, left, local);
            threads = m.mul(b, threads, size[axis as usize]);
        }
        let up = m.add_by(b, threads, self.geo.wave - 1);
        let lanes = m.const_u32(self.geo.wave);
        self.entry.size = Some(size);
        self.entry.threads = Some(threads);
        self.entry.waves = Some(m.div(b, up, lanes));
    }

    /// The number of the workgroup, x fastest, and what begins there.
    fn group_number(&mut self, b: &mut Open, push: Id) {
        let m = &mut self.m;
        let mut number = m.const_u32(0);
        for axis in [2, 1, 0] {
            let local = self.ir.local[axis as usize];
            let threads = push_word(m, b, push, 3 + axis);
            let threads = m.add_by(b, threads, local.saturating_sub(1));
            let local = m.const_u32(local.max(1));
            let groups = m.div(b, threads, local);
            number = m.mul(b, number, groups);
            if let Some(id) = self.entry.group[axis as usize] {
                number = m.add(b, number, id);
            }
        }
        self.entry.group_number = Some(number);
        if self.needs.lds_buffer {
            let bytes = self.lds_bytes();
            let bytes = self.m.const_u32(bytes);
            self.entry.lds_slice = Some(self.m.mul(b, number, bytes));
        }
    }

    /// The slot of a number known here.
    pub fn fixed_slot(&mut self, b: &mut Open, number: u32) -> Slot {
        let id = self.m.const_u32(number);
        let slot = self.slot(b, id);
        Slot {
            fixed: Some(number),
            ..slot
        }
    }

    /// The slot of a number known at run time.
    pub fn slot(&mut self, b: &mut Open, number: Id) -> Slot {
        let m = &mut self.m;
        let size = m.const_u32(self.geo.subgroup);
        let first = m.mul(b, number, size);
        let lane = match self.entry.invocation {
            Some(invocation) => m.add(b, first, invocation),
            None => first,
        };
        let low = if self.geo.wave == 32 && !self.geo.idles() {
            lane
        } else {
            m.mask(b, lane, 31)
        };
        let one = m.const_u32(1);
        let mut bit = m.shl(b, one, low);
        let inside = self.geo.idles().then(|| {
            let lanes = m.const_u32(self.geo.wave);
            m.ult(b, lane, lanes)
        });
        if let Some(inside) = inside {
            let zero = m.const_u32(0);
            bit = m.select(b, inside, bit, zero);
        }
        Slot {
            fixed: None,
            number,
            lane,
            bit,
            inside,
        }
    }

    /// A lane input in a slot.
    pub fn lane_input(
        &mut self,
        b: &mut Open,
        input: Input,
        slot: Slot,
        launch: &LaunchLayout,
    ) -> Result<Id, Fail> {
        match input {
            Input::LaneId => Ok(slot.lane),
            Input::LocalId(axis) => {
                let thread = self.thread(b, slot)?;
                Ok(self.local_id(b, thread, axis))
            }
            Input::LaneLive => self.lane_live(b, slot),
            Input::LaunchVgpr(n) => {
                let first = launch
                    .vgprs
                    .iter()
                    .find(|&&(index, _)| index == n)
                    .map(|&(_, first)| first)
                    .ok_or(EmitError::Malformed(
                        "initial VGPR data that the launch does not have",
                    ))?;
                let lane = if self.geo.idles() {
                    self.m.mask(b, slot.lane, self.geo.wave - 1)
                } else {
                    slot.lane
                };
                let index = self.m.add_by(b, lane, first);
                self.load_word(b, BufferUse::Launch, index)
            }
            Input::UserData(_)
            | Input::GroupId(_)
            | Input::WaveInGroup
            | Input::WavesInGroup
            | Input::GroupNumber
            | Input::Base { .. }
            | Input::Stage(_) => Ok(self.uniform_input(input)?.one()?),
        }
    }

    /// The thread of a slot, counted over the workgroup.
    fn thread(&mut self, b: &mut Open, slot: Slot) -> Result<Id, Fail> {
        let first = self
            .entry
            .first_thread
            .ok_or(EmitError::Malformed("the wave is not loaded"))?;
        Ok(self.m.add(b, first, slot.lane))
    }

    fn local_id(&mut self, b: &mut Open, thread: Id, axis: u8) -> Id {
        let [x, y, z] = self.ir.local;
        let m = &mut self.m;
        if let Some([x, y, z]) = self.entry.size {
            // Lanes past the end have some id of the workgroup.
            let one = m.const_u32(1);
            let (inner, size) = match axis {
                0 => (one, x),
                1 => (x, y),
                _ => (m.mul(b, x, y), z),
            };
            let id = m.div(b, thread, inner);
            return m.rem(b, id, size);
        }
        let (inner, size, outer) = match axis {
            0 => (1, x, y.saturating_mul(z)),
            1 => (x, y, z),
            _ => (x.saturating_mul(y), z, 1),
        };
        if size <= 1 {
            return m.const_u32(0);
        }
        let inner = m.const_u32(inner);
        let id = m.div(b, thread, inner);
        if outer == 1 {
            // Lanes past the end have ids past the end; `LaneLive` is false for them.
            return id;
        }
        let size = m.const_u32(size);
        m.rem(b, id, size)
    }

    fn lane_live(&mut self, b: &mut Open, slot: Slot) -> Result<Id, Fail> {
        let mut live = match slot.inside {
            Some(inside) => inside,
            None => self.m.const_bool(true),
        };
        if !self.geo.threads.is_multiple_of(self.geo.wave) {
            let thread = self.thread(b, slot)?;
            let threads = self.m.const_u32(self.geo.threads);
            let within = self.m.ult(b, thread, threads);
            live = self.m.band(b, live, within);
        }
        if let Some(threads) = self.entry.threads {
            let thread = self.thread(b, slot)?;
            let within = self.m.ult(b, thread, threads);
            live = self.m.band(b, live, within);
        }
        Ok(live)
    }

    /// A word as the wave's: what the first invocation has, in every invocation.
    pub fn broadcast_first(&mut self, b: &mut Open, word: Id) -> Id {
        if self.geo.alone() || self.m.value(word).is_some() {
            return word;
        }
        self.m.need(Capability::GroupNonUniformBallot);
        let ty = self.m.u32();
        let scope = self.m.const_u32(spirv::Scope::Subgroup as u32);
        self.m
            .op(b, Op::GroupNonUniformBroadcastFirst, ty, &[scope, word])
    }

    /// Whether this invocation does what the wave does once.
    pub fn elected(&mut self, b: &mut Open) -> Id {
        match self.entry.invocation {
            // Where the first one may not be, whoever is there does it: only faults come here so.
            Some(_) if self.apart_from_others => self.m.const_bool(true),
            Some(invocation) => {
                let zero = self.m.const_u32(0);
                self.m.eq(b, invocation, zero)
            }
            None => self.m.const_bool(true),
        }
    }
}

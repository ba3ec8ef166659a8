//! What every part of emission shares: the module, the geometry of waves over invocations, the host
//! profile, and the values that the prologue of the entry point loads.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::EmitOptions;
use super::buffers::Buffers;
use super::checked::Found;
use super::error::{EmitError, Fail};
use super::faults::FirstFault;
use super::image::Images;
use super::locked::LDS_LOCK_BYTES;
use super::module::{Frame, Id, Module};
use super::order::Orders;
use super::scratch::ScratchNeed;
use super::stage::StageIo;
use super::sync::{BOXES, Votes};
use super::value::Val;
use crate::ir;
use crate::ir::{Area, Input, Op};
use crate::profile::HostProfile;
use crate::resources::DescriptorPlace;

/// How guest lanes lie over host invocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// W: lanes of a wave.
    pub wave: u32,
    /// S: invocations of a subgroup. It divides W, or W divides it: then the invocations from W on have
    /// no lane.
    pub subgroup: u32,
    /// k: lanes of an invocation, at least 1.
    pub slots: u32,
    /// Waves of a workgroup.
    pub waves: u32,
    /// Threads of a full workgroup.
    pub threads: u32,
}

impl Geometry {
    /// The layout of a module over a host.
    pub fn new(module: &ir::Module, profile: &HostProfile) -> Result<Geometry, Fail> {
        if module.func.is_one_lane() {
            // The host puts invocations together as it likes; none looks at another.
            return Ok(Geometry {
                wave: module.wave.lanes(),
                subgroup: 1,
                slots: 1,
                waves: 1,
                threads: 1,
            });
        }
        let (wave, subgroup) = (module.wave.lanes(), profile.subgroup_size);
        if subgroup == 0 || !wave.is_multiple_of(subgroup) && !subgroup.is_multiple_of(wave) {
            return Err(EmitError::Lanes { wave, subgroup }.into());
        }
        let (threads, waves) = (module.threads(), module.waves());
        let limit = u64::from(profile.max_workgroup_invocations);
        let needed = waves.saturating_mul(u64::from(subgroup));
        if threads == 0 || needed > limit {
            return Err(EmitError::Limit {
                what: "invocations of a workgroup",
                needed,
                available: limit,
            }
            .into());
        }
        Ok(Geometry {
            wave,
            subgroup,
            slots: (wave / subgroup).max(1),
            waves: waves as u32,
            threads: threads as u32,
        })
    }

    /// Whether an invocation is a whole wave, so that no subgroup operation is used.
    pub fn alone(&self) -> bool {
        self.subgroup == 1
    }

    /// Whether some invocations have no lane.
    pub fn idles(&self) -> bool {
        self.subgroup > self.wave
    }
}

/// The slot that a lane instruction is emitted for.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its number, if known.
    pub fixed: Option<u32>,
    /// Its number as a word.
    pub number: Id,
    /// The lane: number * S + invocation.
    pub lane: Id,
    /// 1 << (lane & 31); 0 where there is no lane.
    pub bit: Id,
    /// Whether there is a lane, where some invocations have none.
    pub inside: Option<Id>,
}

impl Slot {
    /// Stands for the wave, where what is done does not depend on a slot.
    pub fn none(m: &mut Module) -> Slot {
        let zero = m.const_u32(0);
        Slot {
            fixed: Some(0),
            number: zero,
            lane: zero,
            bit: zero,
            inside: None,
        }
    }
}

/// What the module does that declarations depend on; found by one look over the IR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Guest memory is written.
    pub writes: bool,
    /// Guest memory is read where somebody may write it.
    pub reads: bool,
    /// 64-bit atomics on guest memory.
    pub atomic64: bool,
    /// LDS is used.
    pub lds: bool,
    /// 64-bit atomics on LDS.
    pub lds_atomic64: bool,
    /// Dwords of the launch buffer are read.
    pub launch: bool,
    /// Number of user SGPRs read (highest + 1).
    pub user_data: u32,
    /// Faults are recorded.
    pub faults: bool,
    /// Something needs the number of the wave.
    pub wave: bool,
    /// Workgroup ids, by axis.
    pub group: [bool; 3],
    /// The number of the workgroup.
    pub group_number: bool,
    /// Guest addresses of memories that the caller lends: scratch, GDS.
    pub areas: [bool; 2],
    /// LDS is a slice of a buffer: it does not fit the host's workgroup memory, or has atomics that
    /// only buffers have there.
    pub lds_buffer: bool,
    /// Atomics on guest memory are made under locks: some have 64 bits, and the host has none.
    pub locks: bool,
    /// The same of LDS.
    pub lds_locks: bool,
    /// Waves of a workgroup vote.
    pub votes: bool,
    /// Lanes of a wave wait for each other.
    pub waits: bool,
    /// Images are written.
    pub image_writes: bool,
    /// How scratch is reached.
    pub scratch: ScratchNeed,
}

/// What a look over the program's instructions finds.
#[derive(Debug, Default)]
pub struct Survey {
    /// What the module does.
    pub needs: Needs,
    /// User SGPRs that are read, ascending.
    pub user_data: SmallVec<[u32; 16]>,
    /// Entries of `Launch::vgprs` that are read, ascending.
    pub launch_vgprs: SmallVec<[u32; 4]>,
    /// By the number of a bound buffer.
    pub bound: SmallVec<[Access; 8]>,
}

/// What the program does to a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// It writes.
    pub writes: bool,
    /// It reads, other than so that it may be repeated.
    pub reads: bool,
}

impl Survey {
    /// Looks over a module; what concerns faults goes to `found`, what concerns the order of memory to `orders`.
    pub fn of(
        module: &ir::Module,
        profile: &HostProfile,
        found: &mut Found,
        orders: &mut Orders,
    ) -> Survey {
        let mut survey = Survey::default();
        survey.bound.resize(module.bound.len(), Access::default());
        found.begin();
        orders.begin();
        for block in module.func.blocks() {
            orders.block();
            for &inst in &module.func.block(block).insts {
                let data = module.func.inst(inst);
                match &data.op {
                    Op::Pure(_) | Op::ConstBool(_) | Op::Const32(_) | Op::Const64(_) => {}
                    Op::Ptr { .. } | Op::PtrBytes => found.place(inst),
                    Op::Fault { pc } => {
                        found.fault(inst, *pc, &data.args);
                        survey.needs.faults = true;
                    }
                    Op::Input(Input::UserData(n)) => survey.user_data.push(*n),
                    Op::Input(Input::LaunchVgpr(n)) => {
                        survey.launch_vgprs.push(*n);
                        survey.needs.launch = true;
                    }
                    op => {
                        if let Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } = op {
                            survey.access(&module.func, data, orders);
                        }
                        survey.needs.note(op, &data.args, module);
                    }
                }
            }
        }
        for numbers in [&mut survey.user_data[..], &mut survey.launch_vgprs[..]] {
            numbers.sort_unstable();
        }
        survey.user_data.dedup();
        survey.launch_vgprs.dedup();
        let highest = survey.user_data.last();
        survey.needs.user_data = highest.map_or(0, |n| n.saturating_add(1));
        survey.needs = survey.needs.on(module, profile);
        survey
    }

    /// Notes an access of memory.
    fn access(&mut self, func: &ir::Func, data: &ir::InstData, orders: &mut Orders) {
        let place = data.args.first().and_then(|&place| func.def_inst(place));
        let maker = place.map(|made| &made.op);
        let (writes, reads) = match data.op {
            Op::Load { read_only, .. } => (false, !read_only),
            Op::Store { .. } => (true, false),
            _ => (true, true),
        };
        if let Some(Op::PtrBound { buffer }) = maker
            && let Some(access) = self.bound.get_mut(*buffer as usize)
        {
            access.writes |= writes;
            access.reads |= reads;
        }
        // Nobody else touches a lane's own memory; but atomics are for others.
        let own = matches!(maker, Some(Op::Ptr { own: true, .. }));
        if (writes || reads) && (!own || writes && reads) {
            orders.touch();
        }
    }
}

impl Needs {
    /// The same, with what follows of the host.
    fn on(self, module: &ir::Module, profile: &HostProfile) -> Needs {
        let mut needs = self;
        let buffer64 = profile.buffer_atomic64 && profile.int64;
        let shared64 = profile.shared_atomic64 && profile.int64;
        needs.locks = needs.atomic64 && !buffer64;
        let wide = needs.lds_atomic64 && !shared64 && buffer64;
        // What stands beside it in workgroup memory must fit too: boxes of votes, a lock.
        let lock = if needs.lds_atomic64 && !shared64 {
            LDS_LOCK_BYTES
        } else {
            0
        };
        let boxes = if needs.votes { 4 * BOXES } else { 0 };
        let own = u64::from(module.lds_bytes.div_ceil(4)) * 4;
        let large = own + u64::from(lock + boxes) > u64::from(profile.max_workgroup_memory);
        needs.lds_buffer = needs.lds && (wide || large);
        let native = if needs.lds_buffer { buffer64 } else { shared64 };
        needs.lds_locks = needs.lds_atomic64 && !native;
        needs.group_number |= needs.lds_buffer;
        if needs.group_number {
            needs.group = [true; 3];
        }
        needs
    }

    fn note(&mut self, op: &Op, args: &[ir::Value], module: &ir::Module) {
        match op {
            Op::Load { read_only, .. } => self.reads |= !read_only,
            Op::Store { .. } => self.writes = true,
            Op::Atomic { width, .. } => {
                self.writes = true;
                self.reads = true;
                self.atomic64 |= *width == ir::MemWidth::B64;
            }
            Op::LdsLoad { .. } | Op::LdsStore { .. } => self.lds = true,
            Op::LdsAtomic { width, .. } => {
                self.lds = true;
                self.lds_atomic64 |= *width == ir::MemWidth::B64;
            }
            Op::ScratchLoad { .. } | Op::ScratchStore { .. } => {
                self.scratch = self.scratch.max(ScratchNeed::of(module, args));
            }
            Op::Fault { .. } => self.faults = true,
            Op::Input(input) => match input {
                // The survey collects them.
                Input::UserData(_) | Input::LaunchVgpr(_) => {}
                Input::GroupId(axis) => {
                    if let Some(group) = self.group.get_mut(usize::from(*axis)) {
                        *group = true;
                    }
                }
                Input::WaveInGroup => self.wave = true,
                Input::LocalId(_) => {
                    self.wave = true;
                    self.sizes(module);
                }
                Input::LaneId | Input::Stage(_) => {}
                Input::LaneLive => {
                    self.wave = true;
                    self.sizes(module);
                }
                Input::WavesInGroup => self.sizes(module),
                Input::GroupNumber => self.group_number = true,
                Input::Base { area, .. } => {
                    self.launch = true;
                    self.areas[area_index(*area)] = true;
                }
            },
            Op::ConstBool(_)
            | Op::Const32(_)
            | Op::Const64(_)
            | Op::Pure(_)
            | Op::Float(..)
            | Op::Host(..)
            | Op::Call(_)
            | Op::Ballot
            | Op::LaneBit
            | Op::ReadLane
            | Op::Shuffle
            | Op::Table(_)
            | Op::Window
            | Op::Ptr { .. }
            | Op::PtrBytes
            | Op::PtrBound { .. }
            | Op::PtrOk
            | Op::InterpFirst { .. }
            | Op::Quad { .. }
            | Op::Output { .. }
            | Op::Valid => {}
            Op::Image(access) => self.image_writes |= access.op.writes(),
            Op::WaveSync => self.waits = true,
            Op::AnyWave => self.votes = true,
        }
    }

    /// The size of a workgroup that may be partial.
    fn sizes(&mut self, module: &ir::Module) {
        if module.partial_groups {
            for (axis, group) in self.group.iter_mut().enumerate() {
                *group |= module.local.get(axis).is_some_and(|&n| n > 1);
            }
        }
    }
}

/// Number of an area, for tables.
pub const fn area_index(area: Area) -> usize {
    match area {
        Area::Scratch => 0,
        Area::Gds => 1,
    }
}

/// Values that the prologue loads.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// `SubgroupLocalInvocationId`; none where an invocation is a wave.
    pub invocation: Option<Id>,
    /// The wave in the workgroup.
    pub wave: Option<Id>,
    /// The first lane's thread: wave * W.
    pub first_thread: Option<Id>,
    /// Workgroup ids with the base of a split grid.
    pub group: [Option<Id>; 3],
    /// The number of the workgroup in the grid.
    pub group_number: Option<Id>,
    /// Guest addresses of scratch and GDS: low and high.
    pub areas: [Option<[Id; 2]>; 2],
    /// First byte of the workgroup's slice of the LDS buffer.
    pub lds_slice: Option<Id>,
    /// Threads of the workgroup along the axes, where groups may be partial.
    pub size: Option<[Id; 3]>,
    /// All of them.
    pub threads: Option<Id>,
    /// Waves of the workgroup with a thread, where groups may be partial.
    pub waves: Option<Id>,
    /// User SGPRs.
    pub user_data: SmallVec<[(u32, Id); 16]>,
    /// The invocation's first fault, if the module has any.
    pub first_fault: Option<FirstFault>,
    /// The slots, where their number is small enough to unroll.
    pub slots: SmallVec<[Slot; 4]>,
    /// Where waves vote, if they do.
    pub votes: Option<Votes>,
    /// The lock of LDS in workgroup memory, if there is one.
    pub lds_lock: Option<Id>,
    /// The array that holds the scratch of all slots, if there is one.
    pub scratch: Option<Id>,
}

/// State of emission.
pub struct Cx<'a> {
    /// The module under construction.
    pub m: Box<Module>,
    /// The IR.
    pub ir: &'a ir::Module,
    /// The host.
    pub profile: &'a HostProfile,
    /// Options.
    pub options: &'a EmitOptions,
    /// Layout of lanes.
    pub geo: Geometry,
    /// What the module does.
    pub needs: Needs,
    /// What it does to each bound buffer.
    pub bound: SmallVec<[Access; 8]>,
    /// Whether per-lane values are emitted side by side.
    pub unrolled: bool,
    /// The entry point's frame.
    pub frame: Frame,
    /// Buffers and shared functions that access them.
    pub buffers: Buffers,
    /// Prologue values.
    pub entry: Entry,
    /// Inputs and outputs of a graphics stage.
    pub stage: StageIo,
    /// Images and samplers.
    pub images: Images,
    /// The bound buffer that the access under emission goes to; `None`: guest memory.
    pub target: Option<DescriptorPlace>,
    /// Which barriers order guest memory.
    pub orders: Orders,
    /// Barriers between lanes in the block under emission order guest memory.
    pub memory_waits: bool,
    /// In the block under emission lanes go their own ways.
    pub apart_from_others: bool,
    /// Some places are made apart from their faults.
    pub apart: bool,
    /// Variables of the IR's tables, by number, as far as they are declared.
    pub tables: FxHashMap<u32, Id>,
    /// Helpers of the IR as functions, by number.
    pub helpers: Vec<Id>,
    /// About how many host instructions each is.
    pub helper_weights: Vec<u32>,
}

impl Cx<'_> {
    /// Whether per-lane values are emitted once a slot, side by side.
    pub fn unrolled(&self) -> bool {
        self.unrolled
    }

    /// A uniform value from the prologue.
    pub fn uniform_input(&mut self, input: Input) -> Result<Val, Fail> {
        let found = match input {
            Input::UserData(n) => {
                let known = &self.entry.user_data;
                let at = known.binary_search_by_key(&n, |&(number, _)| number);
                at.ok().and_then(|at| known.get(at)).map(|&(_, id)| id)
            }
            Input::GroupId(axis) => self.entry.group.get(usize::from(axis)).copied().flatten(),
            Input::WaveInGroup => self.entry.wave,
            Input::WavesInGroup => self.entry.waves,
            Input::GroupNumber => self.entry.group_number,
            Input::Base { area, high } => {
                self.entry.areas[area_index(area)].map(|halves| halves[usize::from(high)])
            }
            Input::Stage(input) => self.loaded_stage_input(input),
            Input::LaneId | Input::LocalId(_) | Input::LaneLive | Input::LaunchVgpr(_) => None,
        };
        found
            .map(Val::One)
            .ok_or_else(|| EmitError::Malformed("an input that the prologue has not loaded").into())
    }
}

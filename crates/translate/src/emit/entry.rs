//! The entry point: from an IR module and its structured tree to finished words, and what a caller must
//! know of them.

use rustc_hash::FxHashMap;
use spirv::{Capability, ExecutionMode};

use super::buffers::Buffers;
use super::checked::Found;
use super::context::{Cx, Entry, Geometry, Survey};
use super::error::{EmitError, Fail};
use super::function::body;
use super::helpers::helpers;
use super::image::Images;
use super::inputs::{launch_layout, push_layout};
use super::lanes::Body;
use super::module::{MAX_IDS, Module};
use super::order::Orders;
use super::segments::{helper_weights, weight};
use super::stage::{StageIo, model};
use super::value::Val;
use crate::graph::{self, BlockId, Graph};
use crate::ir::{self, FloatModes};
use crate::options::{Grid, MemoryModel};
use crate::profile::HostProfile;
use crate::reflect::{BufferBinding, LaunchLayout, PushLayout};
use crate::structurize::Structured;

/// Name of the entry point.
pub const ENTRY: &str = "main";

/// Choices of emission.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmitOptions {
    /// How guest addresses become places on the host.
    pub memory: MemoryModel,
    /// Windows, ranges, or spans of pages, that a lookup distinguishes at most.
    pub max_windows: u32,
    /// Slots up to which per-lane values are emitted side by side; above, as loops over the slots.
    pub max_unrolled_slots: u32,
    /// Debug names.
    pub names: bool,
    /// Descriptor set of the module's buffers.
    pub descriptor_set: u32,
    /// Whether the grid comes in parts.
    pub grid: Grid,
}

impl Default for EmitOptions {
    fn default() -> Self {
        EmitOptions {
            memory: MemoryModel::Windows,
            max_windows: 16,
            max_unrolled_slots: 4,
            names: false,
            descriptor_set: 0,
            grid: Grid::Whole,
        }
    }
}

/// A finished module and what a caller must supply to run it (see `Reflection`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The words.
    pub words: Vec<u32>,
    /// Entry point.
    pub entry: &'static str,
    /// Host workgroup size.
    pub local_size: [u32; 3],
    /// Subgroup size that the pipeline must require; `None`: any.
    pub subgroup_size: Option<u32>,
    /// Guest lanes in an invocation.
    pub lanes_per_invocation: u32,
    /// Buffers to bind.
    pub buffers: Vec<BufferBinding>,
    /// Push constants.
    pub push: PushLayout,
    /// Launch buffer.
    pub launch_layout: LaunchLayout,
    /// Windows looked up at most.
    pub max_windows: u32,
    /// Capabilities declared, by name.
    pub capabilities: Vec<String>,
    /// Extensions declared.
    pub extensions: Vec<String>,
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// Locations that a fragment shader reads.
    pub inputs: Vec<u32>,
    /// Locations that a graphics stage writes.
    pub outputs: Vec<u32>,
}

/// Above this weight of all slots together, a module of few slots is emitted as slot loops too, on hosts
/// of narrow subgroups: those run on a CPU or have few registers, and compile long code slowly.
const UNROLLED_WEIGHT: u32 = 8_000;

/// Whether per-lane values are emitted side by side.
fn unrolls(module: &ir::Module, geo: Geometry, options: &EmitOptions, helpers: &[u32]) -> bool {
    if geo.slots == 1 {
        return true;
    }
    if geo.slots > options.max_unrolled_slots {
        return false;
    }
    if geo.subgroup >= 32 {
        return true;
    }
    let func = &module.func;
    let weight = func
        .blocks()
        .flat_map(|block| func.block(block).insts.iter())
        .fold(0u32, |sum, &inst| {
            sum.saturating_add(weight(func, inst, helpers))
        });
    weight.saturating_mul(geo.slots) <= UNROLLED_WEIGHT
}

/// Emits a module; `tree` structures the flow of its program (see [`flow_graph`]).
///
/// # Errors
/// Where the module needs what the profile does not offer, and where the IR is malformed (a bug).
pub fn emit(
    module: &ir::Module,
    tree: &Structured,
    profile: &HostProfile,
    options: &EmitOptions,
) -> Result<Emitted, EmitError> {
    emit_in(&mut Room::default(), module, tree, profile, options)
}

/// What emission needs room for, kept from one module to the next.
#[derive(Default)]
pub struct Room {
    // In a box, since it is large and goes from hand to hand.
    module: Option<Box<Module>>,
    found: Found,
    orders: Orders,
    at_hand: Vec<Option<Val>>,
}

/// As [`emit`], in room that is there.
///
/// # Errors
/// As [`emit`].
pub fn emit_in(
    room: &mut Room,
    module: &ir::Module,
    tree: &Structured,
    profile: &HostProfile,
    options: &EmitOptions,
) -> Result<Emitted, EmitError> {
    emitted(room, module, tree, profile, options).map_err(|fail| *fail)
}

fn emitted(
    room: &mut Room,
    module: &ir::Module,
    tree: &Structured,
    profile: &HostProfile,
    options: &EmitOptions,
) -> Result<Emitted, Fail> {
    let geo = Geometry::new(module, profile)?;
    if profile.spirv < (1, 3) {
        return Err(EmitError::Missing("SPIR-V 1.3").into());
    }
    let survey = Survey::of(module, profile, &mut room.found, &mut room.orders);
    let needs = survey.needs;
    let func = &module.func;
    let meets = |block| matches!(func.block(block).term, Some(ir::Terminator::Barrier(_)));
    if (needs.reads || needs.writes) && (needs.waits || func.blocks().any(meets)) {
        room.orders.settle(func);
    }
    let graphics = module.stage.is_graphics();
    let push = push_layout(
        needs.user_data,
        profile.max_push_constants,
        graphics,
        options.grid,
    );
    let launch = launch_layout(push, &needs, &survey.launch_vgprs, geo.wave);

    // It is given back at the end; where that is not reached, the next one makes its own.
    let mut m = room.module.take().unwrap_or_default();
    m.begin(profile.spirv.min((1, 6)), options.names);
    let entry = m.id();
    let void = m.void();
    let (frame, mut open) = m.begin_function(entry, void, &[]);
    let helper_weights = helper_weights(module);
    let mut cx = Cx {
        m,
        ir: module,
        profile,
        options,
        geo,
        needs,
        bound: survey.bound,
        unrolled: unrolls(module, geo, options, &helper_weights),
        frame,
        buffers: Buffers::default(),
        entry: Entry::default(),
        stage: StageIo::default(),
        images: Images::default(),
        tables: FxHashMap::default(),
        target: None,
        orders: std::mem::take(&mut room.orders),
        memory_waits: true,
        apart_from_others: false,
        apart: false,
        helpers: Vec::new(),
        helper_weights,
    };
    helpers(&mut cx)?;
    cx.prologue(&mut open, push, &launch, &survey.user_data)?;
    let checks = room.found.plan(&module.func);
    let at_hand = std::mem::take(&mut room.at_hand);
    let mut program = Body::new(&mut cx, &launch, checks, at_hand);
    let closed = body(&mut program, tree, open)?;
    room.at_hand = program.into_room();

    modes(&mut cx, module.float_modes)?;
    let buffers = cx.bindings(launch.dwords);
    let workgroup_bytes = cx.workgroup_bytes();
    let (inputs, outputs) = cx.locations();
    let Cx {
        mut m,
        frame,
        orders,
        ..
    } = cx;
    room.orders = orders;
    m.end_function(frame, closed);
    if m.ids() > MAX_IDS {
        return Err(EmitError::TooLarge(MAX_IDS).into());
    }
    let local_size = [geo.waves * geo.subgroup, 1, 1];
    let assembled = m.finish(model(&module.stage), entry, ENTRY, local_size);
    room.module = Some(m);
    Ok(Emitted {
        words: assembled.words,
        entry: ENTRY,
        local_size,
        subgroup_size: (!geo.alone()).then_some(geo.subgroup),
        lanes_per_invocation: geo.slots,
        buffers,
        push,
        launch_layout: launch,
        max_windows: options.max_windows.max(1),
        capabilities: assembled.capabilities,
        extensions: assembled.extensions,
        workgroup_bytes,
        inputs,
        outputs,
    })
}

/// The program's control flow as the graph that is structured: block i is node i.
///
/// # Errors
/// Where the IR is malformed (a bug).
pub fn flow_graph(func: &ir::Func) -> Result<Graph, EmitError> {
    let node = |target: &ir::Target| BlockId(target.block.0);
    let mut ends = Vec::with_capacity(func.block_count());
    for block in func.blocks() {
        ends.push(match &func.block(block).term {
            Some(ir::Terminator::Jump(target) | ir::Terminator::Barrier(target)) => {
                graph::Terminator::Jump(node(target))
            }
            Some(ir::Terminator::Branch { then, els, .. }) => {
                graph::Terminator::Branch(node(then), node(els))
            }
            Some(ir::Terminator::Switch { targets, .. }) => {
                graph::Terminator::Switch(targets.iter().map(node).collect())
            }
            Some(ir::Terminator::Return) => graph::Terminator::Return,
            None => return Err(EmitError::Malformed("a block without a terminator")),
        });
    }
    Graph::new(BlockId(func.entry().0), ends)
        .map_err(|_| EmitError::Malformed("a target that does not exist"))
}

/// Execution modes: reconvergence where subgroups are used, float behaviour where the lowering relied on
/// it.
fn modes(cx: &mut Cx<'_>, float: FloatModes) -> Result<(), Fail> {
    let profile = cx.profile;
    if !cx.geo.alone() {
        if profile.maximal_reconvergence {
            cx.m.need_extension("SPV_KHR_maximal_reconvergence");
            cx.m.mode(ExecutionMode::MaximallyReconvergesKHR, &[]);
        }
        if profile.subgroup_uniform_control_flow {
            cx.m.need_extension("SPV_KHR_subgroup_uniform_control_flow");
            cx.m.mode(ExecutionMode::SubgroupUniformControlFlowKHR, &[]);
        }
    }
    let widths = [
        (16, float.f16, profile.f16),
        (32, float.f32, profile.f32),
        (64, float.f64, profile.f64),
    ];
    for (bits, asked, host) in widths {
        let wanted = [
            (
                asked.denorm_preserve,
                host.denorm_preserve,
                Capability::DenormPreserve,
                ExecutionMode::DenormPreserve,
                "DenormPreserve",
            ),
            (
                asked.denorm_flush,
                host.denorm_flush,
                Capability::DenormFlushToZero,
                ExecutionMode::DenormFlushToZero,
                "DenormFlushToZero",
            ),
            (
                asked.rte,
                host.rte,
                Capability::RoundingModeRTE,
                ExecutionMode::RoundingModeRTE,
                "RoundingModeRTE",
            ),
            (
                asked.signed_zero_inf_nan,
                host.signed_zero_inf_nan,
                Capability::SignedZeroInfNanPreserve,
                ExecutionMode::SignedZeroInfNanPreserve,
                "SignedZeroInfNanPreserve",
            ),
        ];
        for (asked, offered, capability, mode, name) in wanted {
            if !asked {
                continue;
            }
            if !offered {
                return Err(EmitError::Missing(name).into());
            }
            cx.m.need(capability);
            cx.m.mode(mode, &[bits]);
            if cx.m.version() < (1, 4) {
                cx.m.need_extension("SPV_KHR_float_controls");
            }
            // A mode for a width is legal only with the type's capability.
            cx.m.float(bits);
        }
    }
    Ok(())
}

//! Dispatches: workgroups one after the other; in each, every subgroup runs until all its invocations
//! have ended or wait at a barrier of the workgroup, then the barrier opens.

use std::time::{Duration, Instant};

use spirv::{BuiltIn, StorageClass};

use crate::code::{Code, Line};
use crate::cross::together;
use crate::error::{Finding, FindingKind, RunError};
use crate::exec::{Invocation, Stop};
use crate::load::Module;
use crate::memory::{BUFFER_SHIFT, Buffer, Cell, PUSH, Shadow, Shared};
use crate::world::{Passed, World};

/// A buffer and where it is bound.
pub struct Binding<'a> {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Its bytes; changed by the run.
    pub bytes: &'a mut Vec<u8>,
}

impl<'a> Binding<'a> {
    /// A buffer that no variable names: only its address reaches it.
    pub fn by_address(bytes: &'a mut Vec<u8>) -> Binding<'a> {
        Binding {
            set: u32::MAX,
            binding: u32::MAX,
            bytes,
        }
    }
}

/// The address of byte 0 of buffer `index` of a dispatch. No buffer is at address 0.
pub const fn device_address(index: usize) -> u64 {
    (index as u64 + 1) << BUFFER_SHIFT
}

/// What is run.
pub struct Dispatch<'a> {
    /// Workgroups along x, y and z.
    pub groups: [u32; 3],
    /// Invocations of a subgroup, 1 to 128.
    pub subgroup_size: u32,
    /// Push constants.
    pub push: &'a [u8],
    /// Storage and uniform buffers.
    pub buffers: Vec<Binding<'a>>,
}

/// How strictly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Instructions of all invocations together, at most.
    pub budget: u64,
    /// Time that the run may take.
    pub time: Option<Duration>,
    /// Whether part of a subgroup may do a subgroup operation or end before the others, as a shader
    /// written for divergent flow does; the innermost flow then goes first.
    pub partial_subgroups: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            budget: 20_000_000_000,
            time: None,
            partial_subgroups: false,
        }
    }
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What drivers hide: each kind once an instruction.
    pub findings: Vec<Finding>,
    /// Instructions executed.
    pub instructions: u64,
    /// Branches back to an earlier block (trips of loops) of the invocation that took the most.
    pub back_edges: u64,
}

/// Bytes of all buffers of a dispatch at most: 30 bytes of account for each are 4 GiB.
pub const MAX_BUFFER_BYTES: u64 = 128 << 20;

/// Runs a dispatch.
///
/// # Errors
/// The module did what has no meaning, or did not end.
pub fn run(module: &Module, dispatch: Dispatch<'_>, options: &Options) -> Result<Report, RunError> {
    let size = module
        .local
        .iter()
        .try_fold(1u32, |product, &n| product.checked_mul(n))
        .filter(|&n| (1..=65_536).contains(&n))
        .ok_or(RunError::Dispatch(
            "no or too many invocations in a workgroup",
        ))?;
    let subgroup_size = dispatch.subgroup_size;
    if !(1..=128).contains(&subgroup_size) {
        return Err(RunError::Dispatch("a subgroup has 1 to 128 invocations"));
    }
    let lengths = dispatch.buffers.iter().map(|b| b.bytes.len() as u64);
    let bytes: u64 = lengths.sum();
    if bytes > MAX_BUFFER_BYTES {
        return Err(RunError::Memory(bytes));
    }
    let mut layout = Layout::new(module, &dispatch.buffers)?;
    let buffers = dispatch.buffers.into_iter().map(|binding| Buffer {
        shadow: vec![Shadow::default(); binding.bytes.len().div_ceil(4)],
        bytes: binding.bytes,
    });
    let mut constants = module.cells.clone();
    constants.append(&mut layout.pointers);
    let mut world = World {
        module,
        constants,
        shared: Shared {
            buffers: buffers.collect(),
            push: dispatch.push.to_vec(),
            workgroup: Vec::new(),
            workgroup_shadow: Vec::new(),
        },
        options,
        left: options.budget,
        begin: Instant::now(),
        findings: Vec::new(),
        group: [0; 3],
        group_number: 0,
        group_size: size,
        phases: Passed::default(),
        steps: Vec::new(),
        workgroup_starts: layout.workgroup_starts.clone(),
        back_edges: 0,
    };
    let [nx, ny, nz] = dispatch.groups;
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                world.group = [x, y, z];
                workgroup(&mut world, &layout, dispatch.groups, subgroup_size)?;
                world.group_number += 1;
            }
        }
    }
    Ok(Report {
        findings: world.findings,
        instructions: options.budget - world.left,
        back_edges: world.back_edges,
    })
}

/// Where global variables stand.
struct Layout {
    pointers: Vec<u64>,
    /// Cells of variables that each invocation has, with what they hold at first.
    private: Vec<Cell>,
    builtins: Vec<(BuiltIn, usize)>,
    workgroup_cells: usize,
    workgroup_starts: Vec<u64>,
}

impl Layout {
    fn new(module: &Module, buffers: &[Binding<'_>]) -> Result<Layout, RunError> {
        let invalid = |_| RunError::Invalid("a global variable of an unknown type");
        let mut layout = Layout {
            pointers: Vec::new(),
            private: Vec::new(),
            builtins: Vec::new(),
            workgroup_cells: 0,
            workgroup_starts: Vec::new(),
        };
        for (id, global) in &module.globals {
            let pointer = match global.class {
                StorageClass::StorageBuffer | StorageClass::Uniform => {
                    let set = module.sets.get(id).copied().unwrap_or_default();
                    let binding = module.bindings.get(id).copied().unwrap_or_default();
                    let at = buffers
                        .iter()
                        .position(|b| b.set == set && b.binding == binding)
                        .ok_or(RunError::Binding { set, binding })?;
                    (at as u64) << BUFFER_SHIFT
                }
                StorageClass::PushConstant => PUSH << BUFFER_SHIFT,
                StorageClass::Workgroup => {
                    let first = layout.workgroup_cells;
                    layout.workgroup_starts.push(first as u64);
                    layout.workgroup_cells += module.cells(global.ty).map_err(invalid)? as usize;
                    first as u64
                }
                StorageClass::Private | StorageClass::Input => {
                    let first = layout.private.len();
                    let cells = module.cells(global.ty).map_err(invalid)? as usize;
                    layout.private.resize(first + cells, Cell::default());
                    if let Some(&builtin) = module.builtins.get(id) {
                        layout.builtins.push((builtin, first));
                    }
                    let constant = global.initial.and_then(|id| module.constants.get(&id));
                    if let Some(&(_, from)) = constant {
                        let values = module.cells.get(from as usize..).unwrap_or_default();
                        for (cell, &value) in layout.private[first..].iter_mut().zip(values) {
                            *cell = Cell {
                                value,
                                written: true,
                            };
                        }
                    }
                    first as u64
                }
                _ => {
                    return Err(RunError::Invalid(
                        "a variable of a class that compute lacks",
                    ));
                }
            };
            layout.pointers.push(pointer);
        }
        Ok(layout)
    }

    /// What an invocation's own variables hold at first.
    fn private(&self, values: &dyn Fn(BuiltIn) -> Vec<u32>) -> Vec<Cell> {
        let mut private = self.private.clone();
        for &(builtin, first) in &self.builtins {
            let place = private.get_mut(first..).unwrap_or_default();
            for (cell, value) in place.iter_mut().zip(values(builtin)) {
                *cell = Cell {
                    value: value.into(),
                    written: true,
                };
            }
        }
        private
    }
}

/// Lanes of a mask built-in as words.
fn lanes(of: impl Fn(u32) -> bool) -> Vec<u32> {
    let word = |w: u32| (0..32).fold(0, |sum, i| sum | u32::from(of(32 * w + i)) << i);
    (0..4).map(word).collect()
}

fn workgroup(
    world: &mut World<'_>,
    layout: &Layout,
    groups: [u32; 3],
    subgroup_size: u32,
) -> Result<(), RunError> {
    let cells = layout.workgroup_cells;
    world.shared.workgroup = vec![Cell::default(); cells];
    world.shared.workgroup_shadow = vec![Shadow::default(); cells];
    world.phases = Passed::default();
    let (size, local, group) = (world.group_size, world.module.local, world.group);
    let subgroups = size.div_ceil(subgroup_size);
    world.steps = vec![Passed::default(); subgroups as usize];
    let mut invocations = Vec::with_capacity(size as usize);
    for number in 0..size {
        let (subgroup, lane) = (number / subgroup_size, number % subgroup_size);
        let [lx, ly, _] = local;
        let id = [number % lx, number / lx % ly, number / lx / ly];
        let values = |builtin: BuiltIn| match builtin {
            BuiltIn::WorkgroupId => group.to_vec(),
            BuiltIn::NumWorkgroups => groups.to_vec(),
            BuiltIn::WorkgroupSize => local.to_vec(),
            BuiltIn::LocalInvocationId => id.to_vec(),
            BuiltIn::LocalInvocationIndex => vec![number],
            BuiltIn::GlobalInvocationId => (0..3)
                .map(|i| group[i].wrapping_mul(local[i]).wrapping_add(id[i]))
                .collect(),
            BuiltIn::SubgroupSize => vec![subgroup_size],
            BuiltIn::NumSubgroups => vec![subgroups],
            BuiltIn::SubgroupId => vec![subgroup],
            BuiltIn::SubgroupLocalInvocationId => vec![lane],
            BuiltIn::SubgroupEqMask => lanes(|l| l == lane),
            BuiltIn::SubgroupGeMask => lanes(|l| l >= lane && l < subgroup_size),
            BuiltIn::SubgroupGtMask => lanes(|l| l > lane && l < subgroup_size),
            BuiltIn::SubgroupLeMask => lanes(|l| l <= lane),
            BuiltIn::SubgroupLtMask => lanes(|l| l < lane),
            _ => Vec::new(),
        };
        let private = layout.private(&values);
        invocations.push(Invocation::new(world, number, subgroup, lane, private)?);
    }
    loop {
        for subgroup in invocations.chunks_mut(subgroup_size as usize) {
            run_subgroup(world, subgroup)?;
        }
        let waiting = invocations
            .iter()
            .filter(|i| i.stop != Some(Stop::Ended))
            .count();
        if waiting == 0 {
            return Ok(());
        }
        let some = invocations.iter().find(|i| i.stop != Some(Stop::Ended));
        let Some(some) = some else { return Ok(()) };
        let (line, _) = some.at(world.module)?;
        let together = invocations
            .iter()
            .all(|i| i.stop != Some(Stop::Ended) && i.place().eq(some.place()));
        if !together {
            let text = format!("{waiting} of {size} invocations wait, not all at one place");
            world.find(FindingKind::PartialBarrier, line, some.number, text)?;
        }
        open(line, &mut world.phases);
        for invocation in &mut invocations {
            invocation.go_on();
        }
    }
}

/// What a barrier orders.
fn open(line: &Line, passed: &mut Passed) {
    if let Code::Barrier {
        orders_workgroup,
        orders_buffers,
        ..
    } = line.code
    {
        passed.workgroup += u32::from(orders_workgroup);
        passed.buffers += u32::from(orders_buffers);
    }
}

/// Runs a subgroup until all its invocations have ended or wait for the workgroup.
fn run_subgroup(world: &mut World<'_>, subgroup: &mut [Invocation]) -> Result<(), RunError> {
    loop {
        for invocation in subgroup.iter_mut() {
            if invocation.stop.is_none() {
                invocation.run(world)?;
            }
        }
        let at_own = |i: &&Invocation| {
            matches!(
                i.stop,
                Some(Stop::Together | Stop::Barrier { workgroup: false })
            )
        };
        // Code stands so that what is inside of a construct comes before what follows it.
        let least = subgroup.iter().filter(at_own).min_by(|a, b| {
            let (a, b) = (a.place(), b.place());
            a.cmp(b)
        });
        let Some(least) = least else {
            return Ok(());
        };
        let place: Vec<(u32, u32)> = least.place().collect();
        let (number, stop) = (least.number, least.stop);
        let (line, _) = least.at(world.module)?;
        let who: Vec<usize> = subgroup
            .iter()
            .enumerate()
            .filter(|(_, i)| i.stop == stop && i.place().eq(place.iter().copied()))
            .map(|(i, _)| i)
            .collect();
        if who.len() < subgroup.len() && !world.options.partial_subgroups {
            let text = format!("{} of {} invocations", who.len(), subgroup.len());
            world.find(FindingKind::PartialSubgroup, line, number, text)?;
        }
        if stop == Some(Stop::Together) {
            together(world, subgroup, &who)?;
        } else {
            let index = subgroup.first().map_or(0, |i| i.subgroup) as usize;
            if let Some(steps) = world.steps.get_mut(index) {
                open(line, steps);
            }
            for i in who {
                if let Some(invocation) = subgroup.get_mut(i) {
                    invocation.go_on();
                }
            }
        }
    }
}

//! The order of the phases, and nothing else. A pure function: the same arguments give the same words.

use spirdna_isa::launch::{Launch, Stage};

use crate::bindings::Resource;
use crate::emit::{self, EmitOptions};
use crate::error::{Reason, TranslateError, Unsupported};
use crate::ir::{self, Func, Module, Terminator};
use crate::lift::{self, lift, lift_private, listed, private};
use crate::options::{Barriers, Divergence, Fidelity, MemoryModel, Nans, Options};
use crate::passes;
use crate::profile::HostProfile;
use crate::program::Program;
use crate::reflect::{LaneFidelity, Reflection};
use crate::resources::DescriptorFacts;
use crate::structurize::{PartReport, structurize};

/// A finished translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The SPIR-V module.
    pub words: Vec<u32>,
    /// What the caller must supply to run it.
    pub reflection: Reflection,
}

/// Translates a shader.
///
/// `code` is its little-endian dwords; what control cannot reach from the entry is not looked at.
///
/// # Errors
/// [`TranslateError::Unsupported`] lists every instruction without a translation;
/// [`TranslateError::Host`] says what `profile` lacks.
pub fn translate(
    code: &[u32],
    launch: &Launch,
    profile: &HostProfile,
    options: &Options,
    resources: &DescriptorFacts,
) -> Result<Translation, TranslateError> {
    Context::default().translate(code, launch, profile, options, resources)
}

/// Translates a decoded shader: for callers that decode before, to make its [`CacheKey`].
///
/// # Errors
/// As [`translate`], and [`TranslateError::Target`] where `launch` is for another target.
///
/// [`CacheKey`]: crate::key::CacheKey
pub fn translate_program(
    program: &Program,
    launch: &Launch,
    profile: &HostProfile,
    options: &Options,
    resources: &DescriptorFacts,
) -> Result<Translation, TranslateError> {
    Context::default().translate_program(program, launch, profile, options, resources)
}

/// The room that a translation needs: who translates many shaders keeps one (a thread its own), so that it
/// is not allocated each time. A translation does not depend on what was translated before.
#[derive(Default)]
pub struct Context {
    lift: lift::Room,
    passes: passes::Room,
    emit: emit::Room,
}

impl Context {
    /// Room that grows with what is translated.
    pub fn new() -> Context {
        Context::default()
    }

    /// As [`translate`].
    ///
    /// # Errors
    /// As [`translate`].
    pub fn translate(
        &mut self,
        code: &[u32],
        launch: &Launch,
        profile: &HostProfile,
        options: &Options,
        resources: &DescriptorFacts,
    ) -> Result<Translation, TranslateError> {
        let program = Program::decode_at(launch.target, code, launch.code_address, launch.entry)
            .map_err(TranslateError::Unsupported)?;
        self.translate_program(&program, launch, profile, options, resources)
    }

    /// As [`translate_program`].
    ///
    /// # Errors
    /// As [`translate_program`].
    pub fn translate_program(
        &mut self,
        program: &Program,
        launch: &Launch,
        profile: &HostProfile,
        options: &Options,
        resources: &DescriptorFacts,
    ) -> Result<Translation, TranslateError> {
        translate_watched(
            self,
            program,
            launch,
            profile,
            options,
            resources,
            &mut |_| {},
        )
    }
}

/// As [`Context::translate_program`]; `watch` hears the name of each phase when it is done, so that its time
/// can be taken.
///
/// # Errors
/// As [`translate_program`].
pub fn translate_watched(
    context: &mut Context,
    program: &Program,
    launch: &Launch,
    profile: &HostProfile,
    options: &Options,
    resources: &DescriptorFacts,
    watch: &mut dyn FnMut(&'static str),
) -> Result<Translation, TranslateError> {
    if program.target() != launch.target {
        return Err(TranslateError::Target {
            decoded: program.target(),
            launched: launch.target,
        });
    }
    let profile = &profile.of_stage(&launch.stage);
    let (lift, room) = (&mut context.lift, &mut context.passes);
    let module = optimised_watched(
        lift, room, program, launch, profile, options, resources, watch,
    )?;
    let emit_options = EmitOptions {
        memory: options.memory,
        max_windows: options.max_windows,
        descriptor_set: options.descriptor_set,
        grid: options.grid,
        ..EmitOptions::default()
    };
    let tree = structurize(&emit::flow_graph(&module.func)?)?;
    watch("structurize");
    let emitted = emit::emit_in(&mut context.emit, &module, &tree, profile, &emit_options)?;
    watch("emit");
    let Module {
        func,
        resources,
        images,
        ..
    } = module;
    let images = images.into_iter().map(|(resource, _)| resource);
    let reflection = Reflection {
        entry: emitted.entry.to_owned(),
        local_size: emitted.local_size,
        subgroup_size: emitted.subgroup_size,
        lanes_per_invocation: emitted.lanes_per_invocation,
        fidelity: options.fidelity,
        nans: match options.fidelity {
            Fidelity::Exact => options.nans,
            Fidelity::Fast => Nans::Any,
        },
        lanes: if func.is_one_lane() {
            LaneFidelity::LaneWise
        } else {
            LaneFidelity::WaveExact
        },
        resources: resources.into_iter().chain(images).collect(),
        inputs: emitted.inputs,
        outputs: emitted.outputs,
        buffers: emitted.buffers,
        push: emitted.push,
        launch_layout: emitted.launch_layout,
        max_windows: emitted.max_windows,
        capabilities: emitted.capabilities,
        extensions: emitted.extensions,
        workgroup_bytes: emitted.workgroup_bytes,
        code_address: program.names_code().then_some(launch.code_address),
        guest_instructions: program.inst_count() as u32,
        spirv_words: emitted.words.len() as u32,
        strategies: tree
            .report
            .iter()
            .map(strategy)
            .chain(parted(&func))
            .collect(),
    };
    context.lift.take(func);
    Ok(Translation {
        words: emitted.words,
        reflection,
    })
}

/// The descriptors that a shader uses, before anything is known of them: for callers that map them
/// (`DescriptorFacts::map`) and then translate. Those that cannot be traced to user SGPRs are left out.
///
/// # Errors
/// What cannot be lifted, as [`translate`] says it; what only a later phase finds is not looked for.
pub fn resources(
    program: &Program,
    launch: &Launch,
    facts: &DescriptorFacts,
) -> Result<Vec<Resource>, TranslateError> {
    let module = listed(&mut lift::Room::default(), program, launch, facts)
        .map_err(TranslateError::Unsupported)?;
    let images = module.images.into_iter().map(|(resource, _)| resource);
    Ok(module.resources.into_iter().chain(images).collect())
}

/// The IR of a shader as emission gets it.
///
/// # Errors
/// As [`translate`], without what only emission finds.
pub fn optimised(
    program: &Program,
    launch: &Launch,
    profile: &HostProfile,
    options: &Options,
    resources: &DescriptorFacts,
) -> Result<Module, TranslateError> {
    let profile = &profile.of_stage(&launch.stage);
    let (lift, room) = (&mut lift::Room::default(), &mut passes::Room::default());
    optimised_watched(
        lift,
        room,
        program,
        launch,
        profile,
        options,
        resources,
        &mut |_| {},
    )
}

#[allow(
    clippy::too_many_arguments,
    reason = "what a translation takes, and its room"
)]
fn optimised_watched(
    lift: &mut lift::Room,
    room: &mut passes::Room,
    program: &Program,
    launch: &Launch,
    profile: &HostProfile,
    options: &Options,
    resources: &DescriptorFacts,
    watch: &mut dyn FnMut(&'static str),
) -> Result<Module, TranslateError> {
    let passes::Room {
        doms,
        bounds,
        cancel_ballots,
        cse,
        dce,
        edge_facts,
        near,
        place_sync,
        simplify_params,
        unmask,
    } = room;
    let mut module = lifted(lift, program, launch, options, resources)?;
    watch("lift");
    // Anew wherever a pass changes the flow.
    doms.take_from(&module.func);
    passes::simplify_params::run_in(simplify_params, &mut module.func, doms);
    if !module.bound.is_empty() {
        let mut fewer: Option<DescriptorFacts> = None;
        // Buffers whose addresses the program needs are not bound: it is lifted again without them, until no
        // bound one's is.
        loop {
            passes::dce::run_in(dce, &mut module.func, &[]);
            let needed = module.bound_by_address(|value| dce.needs(value));
            if needed.is_empty() {
                break;
            }
            let facts = fewer.get_or_insert_with(|| resources.clone());
            facts.bound.retain(|place| !needed.contains(place));
            lift.take(module.func);
            module = lifted(lift, program, launch, options, facts)?;
            doms.take_from(&module.func);
            passes::simplify_params::run_in(simplify_params, &mut module.func, doms);
        }
        passes::read_only::run(&mut module.func, module.bound.len());
    }
    watch("simplify_params");
    passes::quads::run(&mut module.func);
    passes::cancel_ballots::find_in(cancel_ballots, &mut module.func, doms);
    watch("cancel_ballots");
    let limits = passes::bounds::Limits::of(&module);
    let replaced = cancel_ballots.replaced();
    passes::bounds::run_in(bounds, &mut module.func, doms, &limits, replaced);
    passes::fold_flow::run(&mut module.func, doms);
    watch("bounds");
    // Whether more changes than that instructions go.
    let mut changes = passes::edge_facts::run_in(edge_facts, &mut module.func, doms) > 0;
    watch("edge_facts");
    if options.loop_budget.is_none() && passes::unroll::run(&mut module.func, doms) {
        doms.take_from(&module.func);
        passes::simplify_params::run_in(simplify_params, &mut module.func, doms);
        passes::cse::run_in(cse, &mut module.func, doms);
        changes = true;
        check(&module, "unroll")?;
    }
    watch("unroll");
    if lanes_may_part(&module, profile, options) {
        // Masks that nobody needs any more would stand in the way.
        passes::dce::run_in(dce, &mut module.func, &[]);
        if passes::unread::run(&mut module.func, doms) > 0 {
            changes = true;
            passes::simplify_params::run_in(simplify_params, &mut module.func, doms);
            passes::dce::run_in(dce, &mut module.func, &[]);
            check(&module, "unread")?;
        }
        passes::diverge::find(&mut module.func, doms);
        watch("diverge");
    }
    let unmasked = passes::unmask::find_in(unmask, &module.func, doms);
    if unmasked > 0 {
        // A choice gone, an address is what its making says.
        let replaced = unmask.replaced();
        if changes {
            passes::bounds::run_in(bounds, &mut module.func, doms, &limits, replaced);
        } else {
            passes::bounds::run_again_in(bounds, &mut module.func, doms, &limits, replaced);
        }
    }
    if module.func.is_one_lane() {
        passes::narrow::run(&mut module.func);
    }
    watch("unmask");
    passes::dce::run_in(dce, &mut module.func, &[]);
    watch("dce");
    let lowered = passes::lower_float::run(&mut module, profile, options.fidelity, options.nans);
    let lowered = lowered.map_err(|refused| {
        let sites = refused
            .iter()
            .map(|r| site(program, r.loc.0, Reason::Float(r.what())));
        TranslateError::Unsupported(sites.collect())
    })?;
    watch("lower_float");
    passes::hoist::run(&mut module.func, doms);
    // What folds zeros is llvmpipe, where a branch that no lane takes costs as much as one that is taken.
    if options.memory == MemoryModel::Windows && !profile.folds_zeros {
        passes::near::run_in(near, &mut module.func, doms);
    }
    watch("hoist and near");
    // Once, when all that makes instructions equal is done.
    passes::cse::run_in(cse, &mut module.func, doms);
    watch("cse");
    // What had its use in what is gone.
    if lowered > 0 || cse.leaves_unused() {
        passes::dce::run_in(dce, &mut module.func, &[]);
    }
    watch("dce");
    check(&module, "clean-up and lower_float")?;
    debug_assert!(doms.are_of(&module.func), "a pass changed the flow");
    if let Some(budget) = options.loop_budget {
        passes::loop_budget::run(&mut module.func, budget);
        check(&module, "loop_budget")?;
        doms.take_from(&module.func);
        passes::simplify_params::run_in(simplify_params, &mut module.func, doms);
        passes::dce::run_in(dce, &mut module.func, &[]);
    }
    if module.func.is_one_lane() {
        passes::one_lane::settle(&mut module.func);
        passes::dce::run_in(dce, &mut module.func, &[]);
        let mut found = passes::one_lane::run(&module.func, profile.fragment_barycentrics);
        if let Stage::Pixel(env) = &module.stage {
            found.extend(passes::depth_order::run(&module.func, env));
        }
        if !found.is_empty() {
            let mut sites: Vec<Unsupported> = found
                .into_iter()
                .map(|(loc, reason)| site(program, loc.0, reason))
                .collect();
            sites.sort_by_key(|site| site.pc);
            sites.dedup();
            return Err(TranslateError::Unsupported(sites));
        }
        return Ok(module);
    }
    let meets = |f: &Func| {
        let mut terms = f.blocks().map(|b| &f.block(b).term);
        terms.any(|term| matches!(term, Some(Terminator::Barrier(_))))
    };
    if options.barriers == Barriers::Exact
        && meets(&module.func)
        && passes::uniform::run(&module.func, module.waves(), doms).is_err()
    {
        passes::phases::run(&mut module.func);
        check(&module, "phases")?;
        doms.take_from(&module.func);
        passes::simplify_params::run_in(simplify_params, &mut module.func, doms);
        passes::cse::run_in(cse, &mut module.func, doms);
        passes::dce::run_in(dce, &mut module.func, &[]);
    }
    watch("uniform and phases");
    let group = passes::shares::Group {
        local: module.local,
        lanes: module.wave.lanes(),
        partial: module.partial_groups,
    };
    passes::place_sync::run_in(place_sync, &mut module.func, doms, group);
    watch("place_sync");
    check(&module, "place_sync")?;
    debug_assert!(doms.are_of(&module.func), "a pass changed the flow");
    if passes::diverge::settle(&mut module.func, doms) > 0 {
        doms.take_from(&module.func);
        // What is known of Bools folds, also round loops.
        for _ in 0..MAX_FOLDS {
            let folded = passes::diverge::refold(&mut module.func, doms);
            let params = passes::simplify_params::run_in(simplify_params, &mut module.func, doms);
            if folded + params == 0 {
                break;
            }
        }
        passes::dce::run_in(dce, &mut module.func, &[]);
        check(&module, "diverge")?;
        watch("diverge");
    }
    let divisions = match profile.int64 {
        true => passes::division::run(&mut module.func),
        false => 0,
    };
    let arrays = passes::arrays::run(&mut module, &mut |func| {
        passes::dce::run_in(dce, func, &[]);
    });
    if arrays + divisions > 0 {
        passes::dce::run_in(dce, &mut module.func, &[]);
        check(&module, "division and arrays")?;
    }
    watch("division and arrays");
    Ok(module)
}

/// Rounds of folding what parted lanes know.
const MAX_FOLDS: u32 = 6;

/// Whether an invocation is a lane, and lanes that part are promised to meet again.
fn lanes_may_part(module: &Module, profile: &HostProfile, options: &Options) -> bool {
    options.divergence == Divergence::Branches
        && !module.func.is_one_lane()
        && options.loop_budget.is_none()
        && profile.subgroup_size == module.wave.lanes()
        && (profile.maximal_reconvergence || profile.subgroup_uniform_control_flow)
}

/// The program as it was lifted, with what stands between the waves of partial workgroups.
fn lifted(
    room: &mut lift::Room,
    program: &Program,
    launch: &Launch,
    options: &Options,
    resources: &DescriptorFacts,
) -> Result<Module, TranslateError> {
    let own = private::may_own(program, launch);
    let own = own.then(|| lift_private(room, program, launch, resources));
    let own = own.transpose().map_err(TranslateError::Unsupported)?;
    let own = own.and_then(|mut module| {
        passes::dce::run(&mut module.func);
        (!private::keeps_address(&module.func, launch)).then_some(module)
    });
    let mut module = match own {
        Some(module) => module,
        None => lift(room, program, launch, resources).map_err(TranslateError::Unsupported)?,
    };
    check(&module, "lift")?;
    if launch.partial_groups && launch.waves() > 1 && options.barriers == Barriers::Exact {
        passes::empty_waves::run(&mut module.func);
        check(&module, "empty_waves")?;
    }
    Ok(module)
}

/// How a part of the flow was structured, in words.
fn strategy(part: &PartReport) -> String {
    match part {
        PartReport::Regions { blocks } => format!("regions: {blocks} blocks"),
        PartReport::Dispatch { blocks, entries } => {
            format!("dispatch: {blocks} blocks, {} entries", entries.len())
        }
    }
}

/// Where lanes part, in words.
fn parted(func: &Func) -> Option<String> {
    func.has_apart().then(|| {
        let blocks = func.blocks().filter(|&b| func.is_apart(b)).count();
        format!("lanes apart: {blocks} blocks")
    })
}

/// A refusal of the instruction at `pc`.
fn site(program: &Program, pc: u32, reason: Reason) -> Unsupported {
    match program.at(pc) {
        Some(inst) => Unsupported::of(inst, reason),
        None => Unsupported::nothing(pc, reason),
    }
}

/// Verifies between phases, in debug builds: release builds trust the tests.
fn check(module: &Module, after: &'static str) -> Result<(), TranslateError> {
    if cfg!(debug_assertions) {
        ir::verify::verify_module(module).map_err(|error| TranslateError::Bug { after, error })?;
    }
    Ok(())
}

//! Whether a pixel program does what `DB_SHADER_CONTROL` says of it. The state says when depth and stencil are
//! tested, and what the program may do that bears on it: discard pixels, export depth or a mask of samples.
//! Where both agree the order is one that Vulkan has: late, or early (`EarlyFragmentTests`).
//!
//! `run` changes nothing. Before and after: a pixel program of one lane, cleaned up. What is found: state that
//! contradicts the program or has no counterpart, and effects on memory of pixels of which the state leaves
//! open whether they run.

use spirdna_isa::stage::{PixelEnv, PixelsRun};

use crate::error::Reason;
use crate::ir::{Func, Input, Loc, Op, Output, StageInput};

/// Everything that the state and the program do not agree on, by place; what no instruction does stands at
/// the program's start.
pub fn run(func: &Func, env: &PixelEnv) -> Vec<(Loc, Reason)> {
    let mut found = Vec::new();
    if let Some(what) = env.control_without_translation() {
        found.push((Loc::default(), Reason::NoCounterpart(what)));
    }
    let (mut depth, mut mask) = (false, false);
    for block in func.blocks() {
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            let mut refuse = |reason| found.push((data.loc, reason));
            match data.op {
                Op::Output {
                    to: Output::Depth, ..
                } => {
                    depth = true;
                    if !env.exports_depth() {
                        refuse(Reason::Export("depth where Z_EXPORT_ENABLE is off"));
                    } else if env.tests_first() {
                        refuse(Reason::Unsettled("what depth behind its own test does"));
                    }
                }
                Op::Output {
                    to: Output::SampleMask,
                    ..
                } => {
                    mask = true;
                    if !env.exports_mask() {
                        refuse(Reason::Export(
                            "a sample mask where MASK_EXPORT_ENABLE is off",
                        ));
                    } else if env.tests_first() {
                        refuse(Reason::Unsettled(
                            "what a sample mask behind the depth test does",
                        ));
                    }
                }
                Op::Valid => {
                    let always = data
                        .args
                        .first()
                        .is_some_and(|&v| func.as_const(v).is_some_and(|c| !c.is_zero()));
                    if !always && !env.kills() {
                        refuse(Reason::Export("discarded pixels where KILL_ENABLE is off"));
                    }
                }
                Op::Input(Input::Stage(StageInput::SampleMask)) if env.coverage_behind_tests() => {
                    refuse(Reason::NoCounterpart("the samples that pass, as coverage"));
                }
                op if writes_memory(&op) => match env.pixels_run() {
                    PixelsRun::Passing | PixelsRun::All => {}
                    PixelsRun::Either => refuse(Reason::Unsettled(
                        "which pixels write memory: neither DEPTH_BEFORE_SHADER nor LATE_Z with EXEC_ON_HIER_FAIL",
                    )),
                    PixelsRun::PassingAndNeeded => refuse(Reason::Unsettled(
                        "which pixels write memory: DEPTH_BEFORE_SHADER without EXEC_ON_NOOP",
                    )),
                },
                _ => {}
            }
        }
    }
    // What is promised and does not come is undefined where it is tested.
    if env.exports_depth() && !depth {
        let reason = Reason::Export("Z_EXPORT_ENABLE is on, and no depth is exported");
        found.push((Loc::default(), reason));
    }
    if env.exports_mask() && !mask {
        let reason = Reason::Export("MASK_EXPORT_ENABLE is on, and no sample mask is exported");
        found.push((Loc::default(), reason));
    }
    if env.exports_stencil() {
        found.push((
            Loc::default(),
            Reason::Export("stencil from a pixel shader"),
        ));
    }
    found
}

/// Whether somebody else can tell that the program ran, but by its exports.
fn writes_memory(op: &Op) -> bool {
    match op {
        Op::Store { .. } | Op::Atomic { .. } => true,
        Op::Image(access) => access.op.writes(),
        _ => false,
    }
}

//! Vertex and pixel waves: what the rasteriser hands over (registers at entry, attributes) comes from the
//! caller, what the wave exports goes back to him. Interpolation is the hardware's two steps over the given
//! barycentrics.

use spirdna_isa::launch::{Launch, Stage};
use spirdna_isa::stage::StageVgpr;
use spirdna_isa::{FloatTy, Inst, Interp, Operand, ValuMods};

use crate::error::ExecError;
use crate::float::Fpu;
use crate::memory::Memory;
use crate::state::Wave;
use crate::trace::{NoObserver, Observer};
use crate::workgroup::{Options, Report, run_stage_with};

/// An attribute's component over a primitive: what it is at its first vertex, and how far the second and
/// third are from that (bits of f32).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// P0.
    pub p0: u32,
    /// P10.
    pub p10: u32,
    /// P20.
    pub p20: u32,
}

/// What a graphics wave is given.
#[derive(Clone, Debug, Default)]
pub struct StageInputs {
    /// EXEC at entry.
    pub exec: u64,
    /// Values of VGPRs, one a lane.
    pub vgprs: Vec<(StageVgpr, Vec<u32>)>,
    /// Attributes by number, each of four components.
    pub attributes: Vec<[Component; 4]>,
}

/// An export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Target number.
    pub target: u8,
    /// Enabled components.
    pub en: u8,
    /// Two halves in each register.
    pub compr: bool,
    /// The last of its kind.
    pub done: bool,
    /// EXEC says which pixels are valid.
    pub vm: bool,
    /// EXEC.
    pub exec: u64,
    /// The four components of each lane, as they lie in the registers (halves: their 16 bits); 0 where not
    /// enabled or not active.
    pub values: Vec<[u32; 4]>,
}

/// What a wave carries of its stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct StageState {
    pub(crate) attributes: Vec<[Component; 4]>,
    pub(crate) exports: Vec<Export>,
}

/// Runs one wave of a vertex or pixel shader; gives what it exported, in order.
///
/// # Errors
/// The launch is none of such a stage, or the program cannot be executed.
pub fn run_stage(
    code: &[u32],
    launch: &Launch,
    user_sgprs: &[u32],
    inputs: &StageInputs,
    memory: &mut dyn Memory,
    options: &Options,
) -> Result<(Vec<Export>, Report), ExecError> {
    let mut nobody = NoObserver;
    run_stage_observed(
        code,
        launch,
        user_sgprs,
        inputs,
        memory,
        options,
        &mut nobody,
    )
}

/// As [`run_stage`], and shows each instruction to an observer.
///
/// # Errors
/// As [`run_stage`].
pub fn run_stage_observed<O: Observer>(
    code: &[u32],
    launch: &Launch,
    user_sgprs: &[u32],
    inputs: &StageInputs,
    memory: &mut dyn Memory,
    options: &Options,
    observer: &mut O,
) -> Result<(Vec<Export>, Report), ExecError> {
    if !launch.stage.is_graphics() {
        return Err(ExecError::Launch("a compute shader as a stage".into()));
    }
    let lanes = launch.wave.lanes() as usize;
    if inputs.vgprs.iter().any(|(_, values)| values.len() != lanes) {
        return Err(ExecError::Launch(format!("values for {lanes} lanes")));
    }
    run_stage_with(code, launch, user_sgprs, inputs, memory, options, observer)
}

/// An interpolation.
pub(crate) fn interpolate(wave: &mut Wave, inst: &Inst, sem: Interp) -> Result<(), ExecError> {
    let mods = inst.valu_mods();
    if mods != ValuMods::default() {
        return Err(wave.refuse("modifiers of an interpolation"));
    }
    let (Some((Operand::V(dst), _)), Some((Operand::Imm(attribute), _))) =
        (inst.dst(0), inst.src(1))
    else {
        return Err(wave.refuse("operands of an interpolation"));
    };
    let component = wave
        .stage
        .as_ref()
        .and_then(|s| s.attributes.get((attribute >> 2) as usize))
        .and_then(|a| a.get((attribute & 3) as usize))
        .copied()
        .ok_or_else(|| wave.refuse(format!("attribute {}", attribute >> 2)))?;
    let source = inst.src(0);
    let fpu = Fpu::new(FloatTy::F32, &wave.mode);
    for lane in wave.active_lanes() {
        let coordinate = || match source {
            Some((Operand::V(n), _)) => Ok(u64::from(wave.vgpr(n, lane))),
            _ => Err(wave.refuse("the coordinate of an interpolation")),
        };
        let value = match sem {
            Interp::P1F32 => {
                let i = coordinate()?;
                fpu.fma(component.p10.into(), i, component.p0.into())
            }
            Interp::P2F32 => {
                let j = coordinate()?;
                fpu.fma(component.p20.into(), j, wave.vgpr(dst, lane).into())
            }
            Interp::MovF32 => match source {
                Some((Operand::Imm(0), _)) => component.p10.into(),
                Some((Operand::Imm(1), _)) => component.p20.into(),
                Some((Operand::Imm(2), _)) => component.p0.into(),
                _ => return Err(wave.refuse("the point of an interpolation")),
            },
            Interp::P1llF16 | Interp::P1lvF16 | Interp::P2F16 => {
                return Err(wave.refuse("interpolation of halves"));
            }
        };
        wave.set_vgpr(dst, lane, value as u32);
    }
    Ok(())
}

/// An export.
pub(crate) fn export(wave: &mut Wave, inst: &Inst) -> Result<(), ExecError> {
    let Some((Operand::Imm(target), _)) = inst.src(0) else {
        return Err(wave.refuse("the target of an export"));
    };
    let mods = inst.export_mods();
    let mut values = vec![[0; 4]; wave.lanes()];
    for lane in wave.active_lanes() {
        for n in 0..4u8 {
            if mods.en >> n & 1 == 0 {
                continue;
            }
            let Some((Operand::V(register), _)) = inst.src(1 + usize::from(n)) else {
                return Err(wave.refuse("a component of an export"));
            };
            let word = wave.vgpr(register, lane);
            let value = if mods.compr {
                word >> (16 * u32::from(n & 1)) & 0xffff
            } else {
                word
            };
            if let Some(place) = values.get_mut(lane).and_then(|v| v.get_mut(usize::from(n))) {
                *place = value;
            }
        }
    }
    let export = Export {
        target: target as u8,
        en: mods.en,
        compr: mods.compr,
        done: mods.done,
        vm: mods.vm,
        exec: wave.exec(),
        values,
    };
    match &mut wave.stage {
        Some(stage) => {
            stage.exports.push(export);
            Ok(())
        }
        None => Err(wave.refuse("an export in a compute shader")),
    }
}

/// Whether a message is the one by which merged vertex stages ask for room.
pub(crate) fn allocates(launch_stage: &Stage, simm16: u16) -> bool {
    const GS_ALLOC_REQ: u16 = 9;
    matches!(launch_stage, Stage::Vertex(env) if env.merged) && simm16 & 15 == GS_ALLOC_REQ
}

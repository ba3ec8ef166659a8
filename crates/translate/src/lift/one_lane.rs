//! Graphics stages, in which the rasteriser puts lanes into waves as it likes: the program is lifted as
//! one lane of a wave whose lanes all hold the same (`docs/ir.md`). Here stand the stage's inputs, and
//! what such a program may not do.

use spirdna_isa::stage::StageVgpr;
use spirdna_isa::{Inst, SReg, Sem, Valu, Width};

use super::Lift;
use super::export::fixed_function;
use crate::error::Reason;
use crate::ir::{FOp, FTy, Input, StageInput, Value};

impl Lift<'_> {
    /// Whether the program is lifted as one lane.
    pub(super) fn one_lane(&self) -> bool {
        self.b.func().is_one_lane()
    }

    /// An input of a graphics stage.
    pub(super) fn stage_input(&mut self, input: StageInput) -> Value {
        self.b.input(Input::Stage(input))
    }

    /// What a VGPR holds at entry.
    pub(super) fn stage_vgpr(&mut self, what: StageVgpr) -> Value {
        match what {
            StageVgpr::VertexIndex => self.stage_input(StageInput::VertexIndex),
            StageVgpr::InstanceIndex => self.stage_input(StageInput::InstanceIndex),
            StageVgpr::Barycentric(which, j) => {
                self.stage_input(StageInput::Barycentric { which, j })
            }
            // The hardware hands over w, the host its reciprocal.
            StageVgpr::FragCoord(3) => {
                let inverse = self.stage_input(StageInput::FragCoord(3));
                self.b
                    .float(FOp::Rcp, FTy::F32, fixed_function(), &[inverse])
            }
            StageVgpr::FragCoord(n) => self.stage_input(StageInput::FragCoord(n)),
            StageVgpr::FrontFace => {
                let float = match &self.launch.stage {
                    spirdna_isa::launch::Stage::Pixel(env) => env.front_face_float,
                    _ => false,
                };
                let front = self.stage_input(StageInput::FrontFacing);
                let (yes, no) = if float {
                    (1.0_f32.to_bits(), (-1.0_f32).to_bits())
                } else {
                    (u32::MAX, 0)
                };
                let (yes, no) = (self.b.const32(yes), self.b.const32(no));
                self.b.select(front, yes, no)
            }
            StageVgpr::Ancillary => {
                let sample = self.stage_input(StageInput::SampleId);
                let layer = self.stage_input(StageInput::Layer);
                let (sample, layer) = (self.b.shl_by(sample, 8), self.b.shl_by(layer, 16));
                self.b.or(sample, layer)
            }
            StageVgpr::SampleCoverage => self.stage_input(StageInput::SampleMask),
            StageVgpr::FixedPosition => {
                let x = self.whole_pixel(0);
                let y = self.whole_pixel(1);
                let y = self.b.shl_by(y, 16);
                self.b.or(x, y)
            }
            StageVgpr::Unavailable(what) => self.stage_input(StageInput::Unavailable(what)),
        }
    }

    fn whole_pixel(&mut self, axis: u8) -> Value {
        let at = self.stage_input(StageInput::FragCoord(axis));
        let op = FOp::ToInt { signed: false };
        self.b.float(op, FTy::F32, fixed_function(), &[at])
    }

    /// S_WQM: whole quads. A lane that the whole of its quad is off for may as well go on as a helper, so
    /// for EXEC the mask is full, where it was.
    pub(super) fn whole_quads(&mut self, inst: &Inst, w: Width) -> Result<(), Reason> {
        let x = self.swide(inst, 0, w)?;
        let full = self.b.as_const(x).is_some_and(|c| c.is_ones());
        if !full || self.scalar_dst(inst, 0)? != SReg::EXEC_LO {
            return Err(Reason::OtherLanes("whole quads of a mask that is not full"));
        }
        self.set_sdst_nz(inst, w, x)
    }
}

/// What an instruction does with lanes other than its own, if it does.
pub(super) fn other_lanes(inst: &Inst) -> Option<&'static str> {
    match inst.sem() {
        Sem::Valu(valu) => match valu {
            Valu::ReadLane | Valu::WriteLane => Some("a lane read or written by its number"),
            Valu::PermLane16 | Valu::PermLaneX16 => Some("a permutation of lanes"),
            _ => inst.valu_mods().dpp.map(|_| "DPP"),
        },
        Sem::Ds(_) => Some("LDS in a graphics stage"),
        _ => None,
    }
}

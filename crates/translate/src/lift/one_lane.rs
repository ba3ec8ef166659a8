//! Graphics stages, in which the rasteriser puts lanes into waves as it likes: the program is lifted as
//! one lane of a wave whose lanes all hold the same (`docs/ir.md`). Here stand the stage's inputs, and
//! what such a program may not do.

use spirdna_isa::launch::Stage;
use spirdna_isa::stage::{Hostless, StageVgpr};
use spirdna_isa::{Dpp, Ds, Inst, MemData, Sem, Valu, WaveSize, Width};

use super::Lift;
use super::export::fixed_function;
use crate::error::Reason;
use crate::ir::{FOp, FTy, Input, Output, QUAD_BELOW, QUAD_BESIDE, StageInput, Value};

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
                    Stage::Pixel(env) => env.front_face_float,
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

    /// LDS in a merged vertex stage: primitives leave their numbers to their vertices there, which export
    /// them where the launch says so. Nothing else is stored, so that what is loaded is such a number.
    pub(super) fn handed_over(&mut self, inst: &Inst, sem: Ds) -> Result<(), Reason> {
        const OTHER: Reason = Reason::OtherLanes("LDS in a graphics stage");
        let handed = match &self.launch.stage {
            Stage::Vertex(env) => env.merged && env.primitive_number.is_some(),
            _ => false,
        };
        if !handed || inst.mem_mods().gds {
            return Err(OTHER);
        }
        match sem {
            Ds::Write(MemData::Dwords(1)) => {
                let number = self.src32(inst, 1)?;
                let active = self.active();
                self.b.output(Output::PrimitiveNumber, 0, number, active);
                Ok(())
            }
            Ds::Read(MemData::Dwords(1)) => {
                let to = self.vector_dst(inst, 0)?;
                let number = self.stage_input(StageInput::Unavailable(Hostless::PrimitiveNumber));
                self.set_vreg(to, number);
                Ok(())
            }
            _ => Err(OTHER),
        }
    }

    fn whole_pixel(&mut self, axis: u8) -> Value {
        let at = self.stage_input(StageInput::FragCoord(axis));
        let op = FOp::ToInt { signed: false };
        self.b.float(op, FTy::F32, fixed_function(), &[at])
    }

    /// S_WQM: whole quads. A full mask stays full; of another each lane asks its neighbours, which pixels
    /// have.
    pub(super) fn whole_quads(&mut self, inst: &Inst, w: Width) -> Result<(), Reason> {
        let x = self.swide(inst, 0, w)?;
        if self
            .b
            .as_const(x)
            .is_some_and(|c| c.is_ones() || c.is_zero())
        {
            return self.set_sdst_nz(inst, w, x);
        }
        let wave = match w {
            Width::B32 => WaveSize::W32,
            Width::B64 => WaveSize::W64,
        };
        if !matches!(self.launch.stage, Stage::Pixel(_)) || wave != self.launch.wave {
            return Err(Reason::OtherLanes("whole quads of a mask that is not full"));
        }
        let own = self.b.lane_bit(x);
        let own = self.b.bool_int(own);
        let beside = self.b.quad(own, QUAD_BESIDE, true);
        let row = self.b.or(own, beside);
        let below = self.b.quad(row, QUAD_BELOW, true);
        let any = self.b.or(row, below);
        let any = self.b.eq32(any, 1);
        let mask = self.b.ballot(any);
        self.set_sdst_nz(inst, w, mask)
    }
}

/// What an instruction does with lanes other than its own, if it does.
pub(super) fn other_lanes(inst: &Inst, stage: &Stage) -> Option<&'static str> {
    match inst.sem() {
        Sem::Valu(valu) => match valu {
            Valu::ReadLane | Valu::WriteLane => Some("a lane read or written by its number"),
            Valu::PermLane16 | Valu::PermLaneX16 => Some("a permutation of lanes"),
            _ => match inst.valu_mods().dpp? {
                // A permutation of quads, which pixels know.
                Dpp::Dpp16 {
                    ctrl: 0..=0xff,
                    row_mask: 15,
                    bank_mask: 15,
                    ..
                } if matches!(stage, Stage::Pixel(_)) => None,
                _ => Some("DPP"),
            },
        },
        _ => None,
    }
}

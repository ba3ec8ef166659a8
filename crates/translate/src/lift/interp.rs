//! Interpolation of attributes. The two halves of one interpolation, with the barycentrics that the wave
//! started with, are one input that the host interpolates; anything else is refused.

use spirdna_isa::launch::Stage;
use spirdna_isa::stage::{Barycentric, PixelInput};
use spirdna_isa::{Inst, Interp, Omod, Operand};

use super::Lift;
use crate::error::Reason;
use crate::ir::{Input, Interpolation, Op, StageInput, Value};

/// `V_INTERP_MOV`'s number for the provoking vertex' value.
const P0: i32 = 2;

impl Lift<'_> {
    /// An interpolation.
    pub(super) fn interp(&mut self, inst: &Inst, sem: Interp) -> Result<(), Reason> {
        let mods = inst.valu_mods();
        if mods.omod != Omod::None || mods.clamp || mods.abs != 0 || mods.neg != 0 {
            return Err(Reason::Modifier("of an interpolation"));
        }
        let Stage::Pixel(env) = &self.launch.stage else {
            return Err(Reason::Stage("an interpolation outside a pixel shader"));
        };
        let (Operand::Imm(attribute), _) = self.src(inst, 1)? else {
            return Err(Reason::Operand("attribute"));
        };
        let (number, component) = ((attribute >> 2) as usize, (attribute & 3) as u8);
        let input = env
            .inputs
            .get(number)
            .copied()
            .ok_or(Reason::Interpolation(
                "an attribute without SPI_PS_INPUT_CNTL",
            ))?;
        let (location, flat) = match input {
            PixelInput::Param { index, flat } => (index, flat),
            PixelInput::Default(bits) => {
                let bits = bits.get(usize::from(component)).copied().unwrap_or(0);
                let value = self.b.const32(bits);
                return self.set_interpolated(inst, value);
            }
            PixelInput::Unsupported(what) => return Err(Reason::Interpolation(what)),
        };
        let value = match sem {
            Interp::P1F32 => {
                let i = self.coordinate(inst)?;
                self.b.interp_first(attribute as u8, i)
            }
            Interp::P2F32 => {
                let j = self.coordinate(inst)?;
                let first = self.src32(inst, 2)?;
                let active = self.active();
                let first = self.where_active(first, active);
                let which = self.pair(first, attribute as u8, j)?;
                let interpolation = if flat {
                    Interpolation::Flat
                } else {
                    Interpolation::At(which)
                };
                self.b.input(Input::Stage(StageInput::Attribute {
                    location,
                    component,
                    interpolation,
                }))
            }
            Interp::MovF32 => {
                let (Operand::Imm(point), _) = self.src(inst, 0)? else {
                    return Err(Reason::Operand("point"));
                };
                match (point, flat) {
                    (P0, true) => self.b.input(Input::Stage(StageInput::Attribute {
                        location,
                        component,
                        interpolation: Interpolation::Flat,
                    })),
                    // A flat attribute does not change over the primitive.
                    (_, true) => self.b.const32(0),
                    (_, false) => {
                        return Err(Reason::Interpolation(
                            "a vertex' own value of an attribute that is not flat",
                        ));
                    }
                }
            }
            Interp::P1llF16 | Interp::P1lvF16 | Interp::P2F16 => {
                return Err(Reason::Interpolation("of halves"));
            }
        };
        self.set_interpolated(inst, value)
    }

    fn set_interpolated(&mut self, inst: &Inst, value: Value) -> Result<(), Reason> {
        let n = self.vector_dst(inst, 0)?;
        self.set_vreg(n, value);
        Ok(())
    }

    /// The barycentric that an interpolation takes in active lanes.
    fn coordinate(&mut self, inst: &Inst) -> Result<Value, Reason> {
        let x = self.src32(inst, 0)?;
        let active = self.active();
        Ok(self.where_active(x, active))
    }

    /// The pair of barycentrics of two halves that belong together.
    fn pair(&self, first: Value, attribute: u8, j: Value) -> Result<Barycentric, Reason> {
        const APART: Reason = Reason::Interpolation(
            "the two halves of an interpolation do not belong together, or take other barycentrics than the wave's",
        );
        let func = self.b.func();
        let data = func.def_inst(first).ok_or(APART)?;
        let (Op::InterpFirst { attribute: a }, &[i]) = (data.op, data.args.as_slice()) else {
            return Err(APART);
        };
        let barycentric = |v: Value| match func.def_inst(v)?.op {
            Op::Input(Input::Stage(StageInput::Barycentric { which, j })) => Some((which, j)),
            _ => None,
        };
        match (barycentric(i), barycentric(j)) {
            (Some((first, false)), Some((second, true))) if first == second && a == attribute => {
                Ok(first)
            }
            _ => Err(APART),
        }
    }
}

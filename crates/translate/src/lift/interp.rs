//! Interpolation of attributes. The two halves of one interpolation, with the barycentrics that the wave
//! started with, are one input that the host interpolates; other barycentrics, and attributes of a vertex,
//! are computed from what hosts with fragment barycentrics have.

use spirdna_isa::launch::Stage;
use spirdna_isa::stage::{Barycentric, PixelInput, Place, PointSprite};
use spirdna_isa::{Inst, Interp, Omod, Operand};

use super::Lift;
use super::export::fixed_function;
use crate::error::Reason;
use crate::ir::{FOp, FTy, Input, Interpolation, Op, StageInput, Value};

/// `V_INTERP_MOV`'s number for the provoking vertex' value.
const P0: i32 = 2;

/// Why two halves are no interpolation.
const APART: Reason =
    Reason::Interpolation("the two halves of an interpolation do not belong together");

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
            PixelInput::PointSprite(selects) => {
                let select = selects.get(usize::from(component)).copied();
                let select = select.unwrap_or(PointSprite::Zero);
                return self.point_sprite(inst, sem, attribute as u8, select);
            }
            PixelInput::Unsupported(what) => return Err(Reason::Interpolation(what)),
        };
        let number = env
            .primitive_number
            .is_some_and(|number| (number.param, number.component) == (location, component));
        if number && !(flat && sem == Interp::MovF32) {
            return Err(Reason::Interpolation("the primitive's number interpolated"));
        }
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
                let i = self.first_half(first, attribute as u8)?;
                let interpolation = match self.own_pair(i, j) {
                    _ if flat => Some(Interpolation::Flat),
                    Some(which) => Some(Interpolation::At(which)),
                    None => None,
                };
                match interpolation {
                    Some(interpolation) => self.b.input(Input::Stage(StageInput::Attribute {
                        location,
                        component,
                        interpolation,
                    })),
                    None => self.interpolated(location, component, [i, j]),
                }
            }
            Interp::MovF32 => {
                let (Operand::Imm(point), _) = self.src(inst, 0)? else {
                    return Err(Reason::Operand("point"));
                };
                match (point, flat) {
                    (P0, true) if number => self.b.input(Input::Stage(StageInput::PrimitiveId)),
                    (P0, true) => self.b.input(Input::Stage(StageInput::Attribute {
                        location,
                        component,
                        interpolation: Interpolation::Flat,
                    })),
                    // A flat attribute does not change over the primitive.
                    (_, true) => self.b.const32(0),
                    (P0, false) => self.of_vertex(location, component, 0),
                    (p, false) => self.past_first(location, component, (p + 1) as u8),
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

    /// The barycentric of a first half of an interpolation of this attribute's component.
    fn first_half(&self, first: Value, attribute: u8) -> Result<Value, Reason> {
        let data = self.b.func().def_inst(first).ok_or(APART)?;
        match (data.op, data.args.as_slice()) {
            (Op::InterpFirst { attribute: a }, &[i]) if a == attribute => Ok(i),
            _ => Err(APART),
        }
    }

    /// Which of the wave's own pairs of barycentrics this is.
    fn own_pair(&self, i: Value, j: Value) -> Option<Barycentric> {
        let barycentric = |v: Value| match self.b.func().def_inst(v)?.op {
            Op::Input(Input::Stage(StageInput::Barycentric { which, j })) => Some((which, j)),
            _ => None,
        };
        match (barycentric(i)?, barycentric(j)?) {
            ((first, false), (second, true)) if first == second => Some(first),
            _ => None,
        }
    }

    /// The attribute at barycentrics that the shader computed: the hardware's two steps.
    fn interpolated(&mut self, location: u8, component: u8, at: [Value; 2]) -> Value {
        let mut value = self.of_vertex(location, component, 0);
        for (vertex, weight) in (1..).zip(at) {
            let along = self.past_first(location, component, vertex);
            let args = [along, weight, value];
            value = self.b.float(FOp::Fma, FTy::F32, fixed_function(), &args);
        }
        value
    }

    /// What an attribute is at a vertex.
    fn of_vertex(&mut self, location: u8, component: u8, vertex: u8) -> Value {
        self.stage_input(StageInput::VertexAttribute {
            location,
            component,
            vertex,
        })
    }

    /// How far an attribute at a vertex is from that at the first one.
    fn past_first(&mut self, location: u8, component: u8, vertex: u8) -> Value {
        let first = self.of_vertex(location, component, 0);
        let other = self.of_vertex(location, component, vertex);
        let sign = self.b.const32(1 << 31);
        let minus = self.b.xor(first, sign);
        let args = [other, minus];
        self.b.float(FOp::Add, FTy::F32, fixed_function(), &args)
    }

    /// A component of the place in a point.
    fn point_sprite(
        &mut self,
        inst: &Inst,
        sem: Interp,
        attribute: u8,
        select: PointSprite,
    ) -> Result<(), Reason> {
        let value = match sem {
            Interp::P1F32 => {
                let i = self.coordinate(inst)?;
                self.b.interp_first(attribute, i)
            }
            Interp::P2F32 => {
                let j = self.coordinate(inst)?;
                let first = self.src32(inst, 2)?;
                let active = self.active();
                let first = self.where_active(first, active);
                let i = self.first_half(first, attribute)?;
                let which = self.own_pair(i, j);
                if which.is_none_or(|which| which.place != Place::Center) {
                    return Err(Reason::Interpolation(
                        "point sprite coordinates elsewhere than in the pixel's middle",
                    ));
                }
                match select {
                    PointSprite::Zero => self.b.const32(0),
                    PointSprite::One => self.b.const32(1.0_f32.to_bits()),
                    PointSprite::S => self.stage_input(StageInput::PointCoord(0)),
                    PointSprite::T => self.stage_input(StageInput::PointCoord(1)),
                }
            }
            Interp::MovF32 | Interp::P1llF16 | Interp::P1lvF16 | Interp::P2F16 => {
                return Err(Reason::Interpolation("parts of point sprite coordinates"));
            }
        };
        self.set_interpolated(inst, value)
    }
}

//! Exports: what each target of a vertex or pixel shader is, and how its components are packed.

use spirdna_isa::launch::Stage;
use spirdna_isa::stage::{ColorClass, ExportFormat, PixelEnv, PositionVector, VertexEnv};
use spirdna_isa::{ExportMods, Inst, Operand};

use super::Lift;
use crate::error::Reason;
use crate::ir::{FMode, FOp, FTy, Output, Value};

/// Export targets, by number.
mod target {
    pub const MRT_LAST: u32 = 7;
    pub const MRTZ: u32 = 8;
    pub const NULL: u32 = 9;
    pub const POS: u32 = 12;
    pub const POS_LAST: u32 = 16;
    pub const PRIM: u32 = 20;
    pub const PARAM: u32 = 32;
    pub const PARAM_LAST: u32 = 63;
}

impl Lift<'_> {
    /// An export.
    pub(super) fn export(&mut self, inst: &Inst) -> Result<(), Reason> {
        let (Operand::Imm(number), _) = self.src(inst, 0)? else {
            return Err(Reason::Operand("export target"));
        };
        let mods = inst.export_mods();
        let active = self.active();
        match &self.launch.stage {
            Stage::Compute => Err(Reason::Stage("an export in a compute shader")),
            Stage::Vertex(env) => self.vertex_export(inst, number as u32, mods, active, env),
            Stage::Pixel(env) => self.pixel_export(inst, number as u32, mods, active, env),
        }
    }

    /// Component `n` as it lies in its register, if it is enabled: 32 bits, or one half.
    fn exported(&mut self, inst: &Inst, mods: ExportMods, n: u8) -> Result<Option<Value>, Reason> {
        if mods.en >> n & 1 == 0 {
            return Ok(None);
        }
        let operand = self.src(inst, 1 + usize::from(n))?;
        let word = self.read32(operand)?;
        Ok(Some(if mods.compr {
            self.b.field_u(word, 16 * u32::from(n & 1), 16)
        } else {
            word
        }))
    }

    fn vertex_export(
        &mut self,
        inst: &Inst,
        number: u32,
        mods: ExportMods,
        active: Value,
        env: &VertexEnv,
    ) -> Result<(), Reason> {
        match number {
            // Primitives are the host's to make.
            target::PRIM if env.merged => Ok(()),
            _ if mods.compr => Err(Reason::Export("halves from a vertex shader")),
            target::PARAM..=target::PARAM_LAST => {
                let index = (number - target::PARAM) as u8;
                let primitive = env.primitive_number.filter(|p| p.param == index);
                let primitive = primitive.map(|p| p.component);
                for n in 0..4 {
                    let Some(value) = self.exported(inst, mods, n)? else {
                        continue;
                    };
                    let (to, n) = match primitive == Some(n) {
                        true => (Output::PrimitiveNumber, 0),
                        false => (Output::Param(index), n),
                    };
                    self.b.output(to, n, value, active);
                }
                Ok(())
            }
            target::POS..=target::POS_LAST => {
                let vector = env
                    .vector((number - target::POS) as u8)
                    .ok_or(Reason::Export(
                        "a position vector that PA_CL_VS_OUT_CNTL does not name",
                    ))?;
                for n in 0..4 {
                    if let Some(value) = self.exported(inst, mods, n)? {
                        self.position(vector, n, value, active, env)?;
                    }
                }
                Ok(())
            }
            _ => Err(Reason::Export(
                "a target that a vertex shader does not have",
            )),
        }
    }

    fn position(
        &mut self,
        vector: PositionVector,
        n: u8,
        value: Value,
        active: Value,
        env: &VertexEnv,
    ) -> Result<(), Reason> {
        match (vector, n) {
            (PositionVector::Position, _) => self.b.output(Output::Position, n, value, active),
            (PositionVector::Misc, 0) if env.point_size() => {
                self.b.output(Output::PointSize, 0, value, active);
            }
            (PositionVector::Misc, 1) if env.out_cntl >> 17 & 1 == 1 => {
                return Err(Reason::Export("edge flags"));
            }
            // Since gfx9 both are in the third component: the layer in bits 10:0, the viewport in 19:16.
            (PositionVector::Misc, 2) => {
                if env.layer() {
                    let layer = self.b.and32(value, 0x7ff);
                    self.b.output(Output::Layer, 0, layer, active);
                }
                if env.viewport() {
                    let viewport = self.b.field_u(value, 16, 4);
                    self.b.output(Output::Viewport, 0, viewport, active);
                }
            }
            // Components that PA_CL_VS_OUT_CNTL does not switch on are ignored.
            (PositionVector::Misc, _) => {}
            (PositionVector::Distances(high), _) => {
                let index = n + 4 * u8::from(high);
                let before = |mask: u8| (mask & ((1u16 << index) - 1) as u8).count_ones() as u8;
                let (clip, cull) = (env.clip_mask(), env.cull_mask());
                if clip >> index & 1 == 1 {
                    self.b.output(Output::Clip, before(clip), value, active);
                }
                if cull >> index & 1 == 1 {
                    self.b.output(Output::Cull, before(cull), value, active);
                }
            }
        }
        Ok(())
    }

    fn pixel_export(
        &mut self,
        inst: &Inst,
        number: u32,
        mods: ExportMods,
        active: Value,
        env: &PixelEnv,
    ) -> Result<(), Reason> {
        match number {
            0..=target::MRT_LAST => {
                let format = env.format(number as u8);
                let format = format.ok_or(Reason::Export("a format that does not exist"))?;
                let class = env.colors.get(number as usize).copied().unwrap_or_default();
                self.color(inst, number as u8, mods, active, format, class)?;
            }
            target::MRTZ => self.depth(inst, mods, active, env)?,
            target::NULL => {}
            _ => return Err(Reason::Export("a target that a pixel shader does not have")),
        }
        if mods.vm {
            self.b.valid(active);
        }
        Ok(())
    }

    fn color(
        &mut self,
        inst: &Inst,
        target: u8,
        mods: ExportMods,
        active: Value,
        format: ExportFormat,
        class: ColorClass,
    ) -> Result<(), Reason> {
        let halves = match format {
            ExportFormat::Zero => return Ok(()),
            ExportFormat::R32 | ExportFormat::Gr32 | ExportFormat::Ar32 | ExportFormat::Abgr32 => {
                false
            }
            ExportFormat::Fp16Abgr
            | ExportFormat::Unorm16Abgr
            | ExportFormat::Snorm16Abgr
            | ExportFormat::Uint16Abgr
            | ExportFormat::Sint16Abgr => true,
        };
        if halves != mods.compr {
            return Err(Reason::Export(
                "halves where SPI_SHADER_COL_FORMAT has words, or the reverse",
            ));
        }
        let wanted = match format {
            ExportFormat::Fp16Abgr | ExportFormat::Unorm16Abgr | ExportFormat::Snorm16Abgr => {
                Some(ColorClass::Float)
            }
            ExportFormat::Uint16Abgr => Some(ColorClass::Uint),
            ExportFormat::Sint16Abgr => Some(ColorClass::Sint),
            _ => None,
        };
        if wanted.is_some_and(|wanted| wanted != class) {
            return Err(Reason::Export(
                "a SPI_SHADER_COL_FORMAT of another class than the target's",
            ));
        }
        for n in 0..4 {
            let Some(value) = self.exported(inst, mods, n)? else {
                continue;
            };
            // Which component of the target the n-th one is.
            let at = match (format, n) {
                (ExportFormat::R32, 0) | (ExportFormat::Gr32, 0 | 1) => n,
                (ExportFormat::Ar32, 0) => 0,
                // Alpha is the second component.
                (ExportFormat::Ar32, 1) => 3,
                (ExportFormat::R32 | ExportFormat::Gr32 | ExportFormat::Ar32, _) => continue,
                _ => n,
            };
            let value = match format {
                ExportFormat::Fp16Abgr => self.widen(value),
                ExportFormat::Unorm16Abgr => self.normalised(value, false),
                ExportFormat::Snorm16Abgr => self.normalised(value, true),
                ExportFormat::Sint16Abgr => self.b.field_s(value, 0, 16),
                _ => value,
            };
            self.b
                .output(Output::Color(target, class), at, value, active);
        }
        Ok(())
    }

    /// A half as f32, whatever MODE says: the colour unit reads it.
    fn widen(&mut self, half: Value) -> Value {
        let mode = fixed_function();
        self.b
            .float(FOp::FromFloat(FTy::F16), FTy::F32, mode, &[half])
    }

    /// A normalised 16-bit integer as the nearest f32.
    fn normalised(&mut self, value: Value, signed: bool) -> Value {
        let (value, most) = if signed {
            let value = self.b.field_s(value, 0, 16);
            let least = self.b.const32(-32767_i32 as u32);
            (self.b.smax(value, least), 32767.0_f32)
        } else {
            (value, 65535.0)
        };
        let mode = fixed_function();
        let value = self
            .b
            .float(FOp::FromInt { signed }, FTy::F32, mode, &[value]);
        // Two roundings leave it far within half a step of 16 bits, so a target of 16 bits gets the
        // integer back.
        let by = self.b.const32((1.0 / most).to_bits());
        self.b.float(FOp::Mul, FTy::F32, mode, &[value, by])
    }

    fn depth(
        &mut self,
        inst: &Inst,
        mods: ExportMods,
        active: Value,
        env: &PixelEnv,
    ) -> Result<(), Reason> {
        let format = ExportFormat::from_number(env.z_format & 15);
        // Stencil and sample mask without depth are 16 bits each: the halves of the components that would
        // be x and z.
        if mods.compr != (format == Some(ExportFormat::Uint16Abgr)) {
            return Err(Reason::Export(
                "halves where SPI_SHADER_Z_FORMAT has words, or the reverse",
            ));
        }
        for n in 0..4 {
            let Some(value) = self.exported(inst, mods, n)? else {
                continue;
            };
            match (format, n) {
                (Some(ExportFormat::Zero), _) => {}
                // The high half of the sample mask's word is nothing.
                (Some(ExportFormat::Uint16Abgr), 3) => {}
                (Some(ExportFormat::Uint16Abgr), 0 | 1) => {
                    return Err(Reason::Export("stencil from a pixel shader"));
                }
                (_, 0) => self.b.output(Output::Depth, 0, value, active),
                (_, 1) => return Err(Reason::Export("stencil from a pixel shader")),
                (_, 2) => self.b.output(Output::SampleMask, 0, value, active),
                _ => return Err(Reason::Export("alpha to a depth target")),
            }
        }
        Ok(())
    }
}

/// How fixed function treats floats: nothing is flushed, whatever MODE says.
pub(super) const fn fixed_function() -> FMode {
    use spirdna_isa::launch::{Denorm, Round};
    FMode {
        round: Round::NearestEven,
        denorm: Denorm::Allow,
        ieee: false,
    }
}

//! Vertex and fragment entry points: inputs of the stage, outputs, and the end of a pixel that is not
//! valid. The layout of locations is the guest's: parameter n of the vertex stage is location n.

use rustc_hash::FxHashMap;
use spirdna_isa::launch::Stage;
use spirdna_isa::stage::{Barycentric, ColorClass, Hostless, Place};
use spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, GlslStd450Op, Op, StorageClass,
};

use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::module::{Id, TypeId};
use super::value::Val;
use crate::ir::{Input, Interpolation, Op as IrOp, Output, StageInput};

/// What a graphics module has declared.
#[derive(Clone, Debug, Default)]
pub struct StageIo {
    /// Inputs, loaded by the prologue.
    inputs: FxHashMap<StageInput, Id>,
    /// Attributes as they are declared, by location.
    attributes: FxHashMap<u8, (Interpolation, Id)>,
    /// Attributes of which vertices' own values are needed, by location.
    of_vertices: FxHashMap<u8, Option<Id>>,
    /// Attributes that are declared to be interpolated in the middle of pixels.
    declared: FxHashMap<u8, Barycentric>,
    /// Outputs.
    outputs: FxHashMap<Output, Id>,
    /// A word: the pixel is not valid.
    killed: Option<Id>,
    /// Clip and cull distances that are written.
    distances: [u32; 2],
}

/// How an output stands in SPIR-V.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    Float,
    Uint,
    Sint,
}

fn component(to: Output) -> Component {
    match to {
        Output::Layer | Output::Viewport | Output::SampleMask => Component::Uint,
        Output::Color(_, ColorClass::Uint) => Component::Uint,
        Output::Color(_, ColorClass::Sint) => Component::Sint,
        Output::Color(_, ColorClass::Float)
        | Output::Position
        | Output::PointSize
        | Output::Clip
        | Output::Cull
        | Output::Param(_)
        | Output::PrimitiveNumber
        | Output::Depth => Component::Float,
    }
}

/// Whether an input makes the host run a pixel shader once a sample.
fn by_samples(input: StageInput) -> bool {
    match input {
        StageInput::SampleId => true,
        StageInput::Attribute {
            interpolation: Interpolation::At(which),
            ..
        }
        | StageInput::Barycentric { which, .. } => which.place == Place::Sample,
        _ => false,
    }
}

/// The entry point's model.
pub fn model(stage: &Stage) -> ExecutionModel {
    match stage {
        Stage::Compute => ExecutionModel::GLCompute,
        Stage::Vertex(_) => ExecutionModel::Vertex,
        Stage::Pixel(_) => ExecutionModel::Fragment,
    }
}

impl Cx<'_> {
    /// Declares and loads what a graphics program uses; declares what it writes.
    pub fn begin_stage(&mut self, b: &mut Open) -> Result<(), Fail> {
        let ir = self.ir;
        if !ir.stage.is_graphics() {
            return Ok(());
        }
        let func = &ir.func;
        let ops = || {
            let insts = func
                .blocks()
                .flat_map(|block| func.block(block).insts.iter());
            insts.map(|&inst| (func.inst(inst).op, inst))
        };
        let (mut points, mut samples) = (false, false);
        for (op, _) in ops() {
            if let IrOp::Input(Input::Stage(input)) = op {
                points |= matches!(input, StageInput::PointCoord(_));
                samples |= by_samples(input);
            }
            match op {
                IrOp::Output {
                    to: Output::Clip,
                    component,
                } => {
                    self.stage.distances[0] = self.stage.distances[0].max(u32::from(component) + 1)
                }
                IrOp::Output {
                    to: Output::Cull,
                    component,
                } => {
                    self.stage.distances[1] = self.stage.distances[1].max(u32::from(component) + 1)
                }
                IrOp::Input(Input::Stage(StageInput::VertexAttribute { location, .. })) => {
                    self.stage.of_vertices.insert(location, None);
                }
                IrOp::Input(Input::Stage(StageInput::Attribute {
                    location,
                    interpolation: Interpolation::At(which),
                    ..
                })) if which.place == Place::Center => {
                    // What is declared; other places of the same attribute are asked for.
                    self.stage.declared.insert(location, which);
                }
                _ => {}
            }
        }
        if points && samples {
            // Where in the point the host then says to be is not the pixel's middle.
            return Err(
                EmitError::Unsupported("the place of a pixel in a point, by samples").into(),
            );
        }
        for (op, inst) in ops() {
            match op {
                IrOp::Input(Input::Stage(input)) => {
                    let id = self.stage_input(b, input)?;
                    self.stage.inputs.insert(input, id);
                }
                IrOp::Output {
                    to: Output::PrimitiveNumber,
                    ..
                } => {}
                IrOp::Output { to, .. } => {
                    self.output_variable(to)?;
                }
                IrOp::Valid if self.stage.killed.is_none() => {
                    let always = func
                        .inst(inst)
                        .args
                        .first()
                        .is_some_and(|&v| func.as_const(v).is_some_and(|c| !c.is_zero()));
                    if !always {
                        let word = self.m.u32();
                        let variable = self.m.local(&mut self.frame, word);
                        let zero = self.m.const_u32(0);
                        self.m.store(b, variable, zero);
                        self.stage.killed = Some(variable);
                    }
                }
                _ => {}
            }
        }
        if let Stage::Pixel(env) = &ir.stage {
            self.m.mode(ExecutionMode::OriginUpperLeft, &[]);
            if env.tests_first() {
                self.m.mode(ExecutionMode::EarlyFragmentTests, &[]);
            }
            if self.stage.outputs.contains_key(&Output::Depth) {
                self.m.mode(ExecutionMode::DepthReplacing, &[]);
            }
        }
        Ok(())
    }

    /// An input that the prologue loaded.
    pub fn loaded_stage_input(&self, input: StageInput) -> Option<Id> {
        self.stage.inputs.get(&input).copied()
    }

    fn stage_input(&mut self, b: &mut Open, input: StageInput) -> Result<Id, Fail> {
        match input {
            StageInput::VertexIndex => {
                Ok(self.counted_from(b, BuiltIn::VertexIndex, BuiltIn::BaseVertex))
            }
            StageInput::InstanceIndex => {
                Ok(self.counted_from(b, BuiltIn::InstanceIndex, BuiltIn::BaseInstance))
            }
            StageInput::Attribute {
                location,
                component,
                interpolation,
            } => self.attribute(b, location, component, interpolation),
            StageInput::FragCoord(n) => {
                let ty = self.float_vector();
                let variable = self.m.builtin(BuiltIn::FragCoord, ty);
                Ok(self.float_component(b, variable, n))
            }
            StageInput::FrontFacing => {
                let ty = self.m.bool();
                let variable = self.m.builtin(BuiltIn::FrontFacing, ty);
                Ok(self.m.load(b, ty, variable))
            }
            StageInput::SampleId => {
                self.m.need(Capability::SampleRateShading);
                Ok(self.flat_builtin(b, BuiltIn::SampleId))
            }
            StageInput::Layer => {
                self.m.need(Capability::Geometry);
                Ok(self.flat_builtin(b, BuiltIn::Layer))
            }
            StageInput::SampleMask => {
                let word = self.m.u32();
                let array = self.m.array(word, 1);
                let variable = self.m.builtin(BuiltIn::SampleMask, array);
                self.m.decorate(variable, Decoration::Flat, &[]);
                let zero = self.m.const_u32(0);
                let pointer = self
                    .m
                    .access(b, StorageClass::Input, word, variable, &[zero]);
                Ok(self.m.load(b, word, pointer))
            }
            StageInput::PointCoord(n) => {
                let float = self.m.float(32);
                let ty = self.m.vector(float, 2);
                let variable = self.m.builtin(BuiltIn::PointCoord, ty);
                Ok(self.float_component(b, variable, n))
            }
            StageInput::PrimitiveId => {
                self.m.need(Capability::Geometry);
                Ok(self.flat_builtin(b, BuiltIn::PrimitiveId))
            }
            StageInput::Barycentric { which, j } => {
                let value = self.barycentric(b, which, j)?;
                Ok(self.m.unary(b, Op::Bitcast, value))
            }
            StageInput::VertexAttribute {
                location,
                component,
                vertex,
            } => {
                let value = self.of_vertex(b, location, component, vertex)?;
                Ok(self.m.unary(b, Op::Bitcast, value))
            }
            // Only handed on to the pixel stage, which has its own: nothing reads it.
            StageInput::Unavailable(Hostless::PrimitiveNumber) => Ok(self.m.const_u32(0)),
            StageInput::Unavailable(_) => Err(EmitError::Malformed(
                "an input without a counterpart that was not refused",
            )
            .into()),
        }
    }

    /// The host's number counts from zero, the guest's from the draw's first one.
    fn counted_from(&mut self, b: &mut Open, number: BuiltIn, base: BuiltIn) -> Id {
        self.m.need(Capability::DrawParameters);
        let word = self.m.u32();
        let (number, base) = (self.m.builtin(number, word), self.m.builtin(base, word));
        let (number, base) = (self.m.load(b, word, number), self.m.load(b, word, base));
        self.m.sub(b, number, base)
    }

    fn flat_builtin(&mut self, b: &mut Open, builtin: BuiltIn) -> Id {
        let word = self.m.u32();
        let variable = self.m.builtin(builtin, word);
        self.m.decorate(variable, Decoration::Flat, &[]);
        self.m.load(b, word, variable)
    }

    fn float_vector(&mut self) -> TypeId {
        let float = self.m.float(32);
        self.m.vector(float, 4)
    }

    /// Bits of a component of a vector input.
    fn float_component(&mut self, b: &mut Open, variable: Id, n: u8) -> Id {
        let float = self.m.float(32);
        let index = self.m.const_u32(u32::from(n));
        let pointer = self
            .m
            .access(b, StorageClass::Input, float, variable, &[index]);
        let value = self.m.load(b, float, pointer);
        self.m.unary(b, Op::Bitcast, value)
    }

    fn attribute(
        &mut self,
        b: &mut Open,
        location: u8,
        component: u8,
        interpolation: Interpolation,
    ) -> Result<Id, Fail> {
        if self.stage.of_vertices.contains_key(&location) {
            let value = self.computed(b, location, component, interpolation)?;
            return Ok(self.m.unary(b, Op::Bitcast, value));
        }
        if let (Interpolation::At(which), Some(&middle)) =
            (interpolation, self.stage.declared.get(&location))
            && which != middle
            && which.perspective == middle.perspective
        {
            let declared = Interpolation::At(middle);
            self.attribute(b, location, component, declared)?;
            let Some(&(_, variable)) = self.stage.attributes.get(&location) else {
                return Err(EmitError::Interpolations(location).into());
            };
            let ty = self.float_vector();
            let vector = self.interpolate_at(b, variable, ty, which.place);
            let value = self.float_of(b, vector, u32::from(component));
            return Ok(self.m.unary(b, Op::Bitcast, value));
        }
        let variable = match self.stage.attributes.get(&location) {
            Some(&(as_declared, variable)) if as_declared == interpolation => variable,
            Some(_) => return Err(EmitError::Interpolations(location).into()),
            None => {
                let ty = self.float_vector();
                let variable = self.m.global(StorageClass::Input, ty);
                self.m
                    .decorate(variable, Decoration::Location, &[u32::from(location)]);
                match interpolation {
                    Interpolation::Flat => self.m.decorate(variable, Decoration::Flat, &[]),
                    Interpolation::At(which) => {
                        if !which.perspective {
                            self.m.decorate(variable, Decoration::NoPerspective, &[]);
                        }
                        match which.place {
                            Place::Center => {}
                            Place::Centroid => {
                                self.m.decorate(variable, Decoration::Centroid, &[]);
                            }
                            Place::Sample => {
                                self.m.need(Capability::SampleRateShading);
                                self.m.decorate(variable, Decoration::Sample, &[]);
                            }
                        }
                    }
                }
                self.stage
                    .attributes
                    .insert(location, (interpolation, variable));
                variable
            }
        };
        Ok(self.float_component(b, variable, component))
    }

    /// A component of a vector of floats.
    fn float_of(&mut self, b: &mut Open, vector: Id, n: u32) -> Id {
        let float = self.m.float(32);
        let words = [vector.word(), n];
        self.m.op_listed(b, Op::CompositeExtract, float, &words)
    }

    /// An input that is declared to be interpolated in the middle of pixels, elsewhere.
    fn interpolate_at(&mut self, b: &mut Open, variable: Id, ty: TypeId, place: Place) -> Id {
        match place {
            Place::Center => self.m.load(b, ty, variable),
            Place::Centroid => {
                self.m.need(Capability::InterpolationFunction);
                let op = GlslStd450Op::InterpolateAtCentroid;
                self.m.glsl(b, op, ty, &[variable])
            }
            Place::Sample => {
                self.m.need(Capability::InterpolationFunction);
                self.m.need(Capability::SampleRateShading);
                let sample = self.flat_builtin(b, BuiltIn::SampleId);
                let op = GlslStd450Op::InterpolateAtSample;
                self.m.glsl(b, op, ty, &[variable, sample])
            }
        }
    }

    /// I or J of a pair of barycentrics, as a float: the weights of the second and the third vertex.
    fn barycentric(&mut self, b: &mut Open, which: Barycentric, j: bool) -> Result<Id, Fail> {
        self.need_barycentrics()?;
        let builtin = match which.perspective {
            true => BuiltIn::BaryCoordKHR,
            false => BuiltIn::BaryCoordNoPerspKHR,
        };
        let float = self.m.float(32);
        let ty = self.m.vector(float, 3);
        let variable = self.m.builtin(builtin, ty);
        let weights = self.interpolate_at(b, variable, ty, which.place);
        Ok(self.float_of(b, weights, 1 + u32::from(j)))
    }

    fn need_barycentrics(&mut self) -> Result<(), Fail> {
        if !self.profile.fragment_barycentrics {
            return Err(EmitError::Missing("fragment barycentrics").into());
        }
        self.m.need(Capability::FragmentBarycentricKHR);
        self.m.need_extension("SPV_KHR_fragment_shader_barycentric");
        Ok(())
    }

    /// What an attribute is at a vertex, as a float.
    fn of_vertex(
        &mut self,
        b: &mut Open,
        location: u8,
        component: u8,
        vertex: u8,
    ) -> Result<Id, Fail> {
        self.need_barycentrics()?;
        let variable = match self.stage.of_vertices.get(&location).copied().flatten() {
            Some(variable) => variable,
            None => {
                let vector = self.float_vector();
                let ty = self.m.array(vector, 3);
                let variable = self.m.global(StorageClass::Input, ty);
                self.m
                    .decorate(variable, Decoration::Location, &[u32::from(location)]);
                self.m.decorate(variable, Decoration::PerVertexKHR, &[]);
                self.stage.of_vertices.insert(location, Some(variable));
                variable
            }
        };
        let float = self.m.float(32);
        let vertex = self.m.const_u32(u32::from(vertex));
        let component = self.m.const_u32(u32::from(component));
        let at = [vertex, component];
        let pointer = self.m.access(b, StorageClass::Input, float, variable, &at);
        Ok(self.m.load(b, float, pointer))
    }

    /// An interpolation of an attribute that is declared by vertices, as a float.
    fn computed(
        &mut self,
        b: &mut Open,
        location: u8,
        component: u8,
        interpolation: Interpolation,
    ) -> Result<Id, Fail> {
        let first = self.of_vertex(b, location, component, 0)?;
        let Interpolation::At(which) = interpolation else {
            return Ok(first);
        };
        let float = self.m.float(32);
        let mut value = first;
        for j in [false, true] {
            let weight = self.barycentric(b, which, j)?;
            let other = self.of_vertex(b, location, component, 1 + u8::from(j))?;
            let along = self.m.op(b, Op::FSub, float, &[other, first]);
            let args = [along, weight, value];
            value = self.m.glsl(b, GlslStd450Op::Fma, float, &args);
        }
        Ok(value)
    }

    fn component_type(&mut self, to: Output) -> TypeId {
        match component(to) {
            Component::Float => self.m.float(32),
            Component::Uint => self.m.u32(),
            Component::Sint => self.m.i32(),
        }
    }

    fn output_variable(&mut self, to: Output) -> Result<Id, Fail> {
        if let Some(&id) = self.stage.outputs.get(&to) {
            return Ok(id);
        }
        let scalar = self.component_type(to);
        let ty = match to {
            Output::Position | Output::Param(_) | Output::Color(..) => self.m.vector(scalar, 4),
            Output::Clip => self.m.array(scalar, self.stage.distances[0]),
            Output::Cull => self.m.array(scalar, self.stage.distances[1]),
            Output::SampleMask => self.m.array(scalar, 1),
            Output::PointSize | Output::Layer | Output::Viewport | Output::Depth => scalar,
            Output::PrimitiveNumber => {
                return Err(EmitError::Malformed("a number as an output").into());
            }
        };
        let id = self.m.global(StorageClass::Output, ty);
        let m = &mut self.m;
        let builtin = match to {
            Output::Position => BuiltIn::Position,
            Output::PointSize => BuiltIn::PointSize,
            Output::Layer => {
                m.need(Capability::ShaderViewportIndexLayerEXT);
                m.need_extension("SPV_EXT_shader_viewport_index_layer");
                BuiltIn::Layer
            }
            Output::Viewport => {
                m.need(Capability::ShaderViewportIndexLayerEXT);
                m.need_extension("SPV_EXT_shader_viewport_index_layer");
                BuiltIn::ViewportIndex
            }
            Output::Clip => {
                m.need(Capability::ClipDistance);
                BuiltIn::ClipDistance
            }
            Output::Cull => {
                m.need(Capability::CullDistance);
                BuiltIn::CullDistance
            }
            Output::Depth => BuiltIn::FragDepth,
            Output::SampleMask => BuiltIn::SampleMask,
            Output::PrimitiveNumber => {
                return Err(EmitError::Malformed("a number as an output").into());
            }
            Output::Param(location) | Output::Color(location, _) => {
                m.decorate(id, Decoration::Location, &[u32::from(location)]);
                self.stage.outputs.insert(to, id);
                return Ok(id);
            }
        };
        if matches!(to, Output::Layer | Output::Viewport) && m.version() < (1, 5) {
            return Err(EmitError::Missing("SPIR-V 1.5 for array and viewport indices").into());
        }
        m.decorate(id, Decoration::BuiltIn, &[builtin as u32]);
        self.stage.outputs.insert(to, id);
        Ok(id)
    }

    /// Writes a component of an output.
    pub fn output(
        &mut self,
        b: &mut Open,
        to: Output,
        at: u8,
        value: Id,
        guard: Id,
    ) -> Result<(), Fail> {
        if to == Output::PrimitiveNumber {
            return Ok(());
        }
        let variable = self.output_variable(to)?;
        let scalar = self.component_type(to);
        let always = self.m.value(guard) == Some(1);
        let branch = (!always).then(|| self.m.begin_if(b, guard));
        let value = match component(to) {
            Component::Uint => value,
            Component::Float | Component::Sint => self.m.op(b, Op::Bitcast, scalar, &[value]),
        };
        let pointer = match to {
            Output::PointSize | Output::Layer | Output::Viewport | Output::Depth => variable,
            _ => {
                let index = self.m.const_u32(u32::from(at));
                self.m
                    .access(b, StorageClass::Output, scalar, variable, &[index])
            }
        };
        self.m.store(b, pointer, value);
        if let Some(branch) = branch {
            self.m.end_if(b, branch);
        }
        Ok(())
    }

    /// Notes whether the pixel is valid.
    pub fn valid(&mut self, b: &mut Open, valid: Id) {
        if let Some(killed) = self.stage.killed {
            let no = self.m.bnot(b, valid);
            let no = self.m.bool_word(b, no);
            self.m.store(b, killed, no);
        }
    }

    /// Ends a pixel that is not valid, at every end of the program.
    pub fn end_stage(&mut self, mut b: Open) -> Open {
        let Some(killed) = self.stage.killed else {
            return b;
        };
        let word = self.m.u32();
        let killed = self.m.load(&mut b, word, killed);
        let killed = self.m.nonzero(&mut b, killed);
        let (kill, keep) = (self.m.label(), self.m.label());
        b.select_branch(killed, kill, keep, keep)
            .open(kill)
            .kill()
            .open(keep)
    }

    /// Locations of the inputs and outputs.
    pub fn locations(&self) -> (Vec<u32>, Vec<u32>) {
        let mut inputs: Vec<u32> = self
            .stage
            .attributes
            .keys()
            .chain(self.stage.of_vertices.keys())
            .map(|&l| u32::from(l))
            .collect();
        let mut outputs: Vec<u32> = self
            .stage
            .outputs
            .keys()
            .filter_map(|to| match to {
                Output::Param(location) | Output::Color(location, _) => Some(u32::from(*location)),
                _ => None,
            })
            .collect();
        inputs.sort_unstable();
        outputs.sort_unstable();
        (inputs, outputs)
    }

    /// The own bit of a mask, in a function of one lane.
    pub fn even_mask(&mut self, b: &mut Open, mask: Val) -> Id {
        match mask {
            Val::One(word) => self.m.nonzero(b, word),
            // Both words are alike.
            Val::Two(low, _) => self.m.nonzero(b, low),
        }
    }
}

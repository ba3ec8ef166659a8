//! Images and samplers: their variables, and what one lane does with them. Each image and each sampler is a
//! binding of its own. Texels outside an image are looked for here, since hosts promise nothing of them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirdna_isa::descriptor::DstSel;
use spirdna_isa::image::ImageDim;
use spirdna_isa::stage::ColorClass;
use spirv::{
    Capability, Decoration, Dim, GlslStd450Op, ImageFormat, ImageOperands, Op, StorageClass,
};

use super::code::Open;
use super::context::Cx;
use super::error::EmitError;
use super::module::{Id, TypeId};
use crate::bindings::{ImageFact, Place, Resource, ResourceKind};
use crate::ir::image::{
    ImageAccess, ImageOp, Lod, SampleForm, TexelAtomic, gradient, sample_coordinates,
    texel_coordinates,
};

/// Variables of images and samplers, by number, made when first used.
#[derive(Clone, Debug, Default)]
pub struct Images {
    variables: FxHashMap<u8, (Id, TypeId)>,
}

const UNDECLARED: EmitError = EmitError::Malformed("an image that is not declared");

/// An image that is at hand.
#[derive(Clone, Copy)]
struct Image {
    id: Id,
    dim: ImageDim,
    storage: bool,
    fact: ImageFact,
}

impl Cx<'_> {
    fn resource(&self, number: u8) -> Result<(Resource, ImageFact), EmitError> {
        let found = self.ir.images.get(usize::from(number));
        found.cloned().ok_or(UNDECLARED)
    }

    /// The type of a component as SPIR-V has it.
    fn component_of(&mut self, class: ColorClass) -> TypeId {
        match class {
            ColorClass::Float => self.m.float(32),
            ColorClass::Uint => self.m.u32(),
            ColorClass::Sint => self.m.i32(),
        }
    }

    /// `OpTypeImage` of a resource.
    fn image_type(
        &mut self,
        kind: ResourceKind,
        resource: &Resource,
        fact: ImageFact,
    ) -> Result<TypeId, EmitError> {
        let (dim, storage) = match kind {
            ResourceKind::Sampled { dim } => (dim, false),
            ResourceKind::Storage { dim } => (dim, true),
            ResourceKind::Buffer | ResourceKind::Sampler { .. } => return Err(UNDECLARED),
        };
        let m = &mut self.m;
        let shape = match dim {
            ImageDim::D1 | ImageDim::D1Array => {
                m.need(if storage {
                    Capability::Image1D
                } else {
                    Capability::Sampled1D
                });
                Dim::Dim1D
            }
            ImageDim::D2 | ImageDim::D2Array => Dim::Dim2D,
            ImageDim::D3 => Dim::Dim3D,
            ImageDim::Cube => {
                m.need(Capability::SampledCubeArray);
                Dim::DimCube
            }
            ImageDim::D2Msaa | ImageDim::D2MsaaArray => {
                if storage {
                    m.need(Capability::StorageImageMultisample);
                }
                if dim.is_array() {
                    m.need(Capability::ImageMSArray);
                }
                Dim::Dim2D
            }
        };
        let format = if storage && fact.format != 0 {
            declared_format(fact.format)?
        } else {
            ImageFormat::Unknown
        };
        if storage && format == ImageFormat::Unknown {
            if resource.read {
                m.need(Capability::StorageImageReadWithoutFormat);
            }
            if resource.write {
                m.need(Capability::StorageImageWriteWithoutFormat);
            }
        }
        if is_extended(format) {
            m.need(Capability::StorageImageExtendedFormats);
        }
        let component = self.component_of(fact.class);
        // Whether it is a depth image nobody says; a cube is always one of an array.
        let arrayed = dim.is_array() || dim == ImageDim::Cube;
        Ok(self.m.image_type(&[
            component.word(),
            shape as u32,
            2,
            arrayed.into(),
            dim.is_multisampled().into(),
            if storage { 2 } else { 1 },
            format as u32,
        ]))
    }

    /// The variable of an image or sampler, and the type of what is bound there.
    fn bound(&mut self, number: u8) -> Result<(Id, TypeId, Place, Resource, ImageFact), EmitError> {
        let (resource, fact) = self.resource(number)?;
        let place = resource.place.ok_or(UNDECLARED)?;
        if let Some(&(id, ty)) = self.images.variables.get(&number) {
            return Ok((id, ty, place, resource, fact));
        }
        let ty = match resource.kind {
            ResourceKind::Sampler { .. } => self.m.sampler_type(),
            kind => self.image_type(kind, &resource, fact)?,
        };
        let whole = if place.count > 1 {
            self.m.array(ty, place.count)
        } else {
            ty
        };
        let id = self.m.global(StorageClass::UniformConstant, whole);
        self.m.decorate(id, Decoration::DescriptorSet, &[place.set]);
        self.m.decorate(id, Decoration::Binding, &[place.binding]);
        let name = match resource.kind {
            ResourceKind::Sampler { .. } => "sampler",
            ResourceKind::Storage { .. } => {
                match (resource.read, resource.write) {
                    (true, true) => self.m.decorate(id, Decoration::Coherent, &[]),
                    (true, false) => self.m.decorate(id, Decoration::NonWritable, &[]),
                    (false, _) => self.m.decorate(id, Decoration::NonReadable, &[]),
                }
                "image"
            }
            _ => "texture",
        };
        self.m.name(id, name);
        self.images.variables.insert(number, (id, ty));
        Ok((id, ty, place, resource, fact))
    }

    /// A pointer to an image or sampler, and whether lanes may name different ones.
    fn descriptor_pointer(
        &mut self,
        b: &mut Open,
        number: u8,
        index: Option<Id>,
    ) -> Result<(Id, TypeId, bool), EmitError> {
        let (variable, ty, place, resource, _) = self.bound(number)?;
        if place.count <= 1 {
            return Ok((variable, ty, false));
        }
        let m = &mut self.m;
        let index = index.unwrap_or_else(|| m.const_u32(0));
        let last = m.const_u32(place.count - 1);
        let index = m.glsl_word(b, GlslStd450Op::UMin, &[index, last]);
        let known = m.value(index).is_some();
        let storage = matches!(resource.kind, ResourceKind::Storage { .. });
        if !known {
            m.need(if storage {
                Capability::StorageImageArrayDynamicIndexing
            } else {
                Capability::SampledImageArrayDynamicIndexing
            });
        }
        // Invocations of a graphics stage may differ in what is one value for the guest's wave.
        let differs = !known && self.ir.func.is_one_lane();
        if differs {
            if m.version() < (1, 5) {
                m.need_extension("SPV_EXT_descriptor_indexing");
            }
            m.need(Capability::ShaderNonUniform);
            m.need(if storage {
                Capability::StorageImageArrayNonUniformIndexing
            } else {
                Capability::SampledImageArrayNonUniformIndexing
            });
        }
        let pointer = m.access(b, StorageClass::UniformConstant, ty, variable, &[index]);
        if differs {
            m.decorate(pointer, Decoration::NonUniform, &[]);
        }
        Ok((pointer, ty, differs))
    }

    fn load_descriptor(
        &mut self,
        b: &mut Open,
        number: u8,
        index: Option<Id>,
    ) -> Result<(Id, TypeId, bool), EmitError> {
        let (pointer, ty, differs) = self.descriptor_pointer(b, number, index)?;
        let key = [pointer.word()];
        if let Some(id) = self.m.remembered(b, Op::Load, &key) {
            return Ok((id, ty, differs));
        }
        let id = self.m.load(b, ty, pointer);
        self.m.remember(b, Op::Load, &key, id);
        if differs {
            self.m.decorate(id, Decoration::NonUniform, &[]);
        }
        Ok((id, ty, differs))
    }

    fn image_at(
        &mut self,
        b: &mut Open,
        number: u8,
        index: Option<Id>,
    ) -> Result<Image, EmitError> {
        let (resource, fact) = self.resource(number)?;
        let (dim, storage) = match resource.kind {
            ResourceKind::Sampled { dim } => (dim, false),
            ResourceKind::Storage { dim } => (dim, true),
            ResourceKind::Buffer | ResourceKind::Sampler { .. } => return Err(UNDECLARED),
        };
        let (id, _, _) = self.load_descriptor(b, number, index)?;
        Ok(Image {
            id,
            dim,
            storage,
            fact,
        })
    }

    /// An image operation of one lane, or of the wave (`once`); what it gives, if it does.
    pub fn image(
        &mut self,
        b: &mut Open,
        access: &ImageAccess,
        args: &[Id],
        once: bool,
    ) -> Result<Option<Id>, EmitError> {
        let short = EmitError::Malformed("an image operation with too few arguments");
        let (guard, args) = if access.op.is_guarded() {
            let (&guard, args) = args.split_first().ok_or(short.clone())?;
            (Some(guard), args)
        } else {
            (None, args)
        };
        let (operands, names) = args.split_at_checked(access.operands()).ok_or(short)?;
        let number = access.image.ok_or(UNDECLARED)?;
        let mut names = names.iter().copied();
        let image_index = if access.image_index {
            names.next()
        } else {
            None
        };
        let sampler_index = if access.sampler_index {
            names.next()
        } else {
            None
        };
        let guard = guard.unwrap_or_else(|| self.m.const_bool(true));
        // The components of one access are one instruction of the host.
        let mut key: SmallVec<[u32; 8]> = SmallVec::new();
        key.extend([
            u32::from(number),
            u32::from(access.sampler.unwrap_or(u8::MAX)),
        ]);
        key.extend(image_index.iter().chain(&sampler_index).map(|id| id.word()));
        key.push(guard.word());
        key.extend(operands.iter().map(|id| id.word()));
        Ok(Some(match access.op {
            ImageOp::Sample { form, component } => {
                key.push(form_number(form));
                let vector = match self.m.remembered(b, Op::ImageSampleImplicitLod, &key) {
                    Some(id) => id,
                    None => {
                        let sampler = (access.sampler.ok_or(UNDECLARED)?, sampler_index);
                        let id = self.sample(b, form, (number, image_index), sampler, operands)?;
                        self.m.remember(b, Op::ImageSampleImplicitLod, &key, id);
                        id
                    }
                };
                let (_, fact) = self.resource(number)?;
                if form.compare {
                    self.m.unary(b, Op::Bitcast, vector)
                } else {
                    self.component(b, fact.class, vector, component)
                }
            }
            ImageOp::Gather {
                form,
                component,
                texel,
            } => {
                key.push(component.into());
                let vector = match self.m.remembered(b, Op::ImageGather, &key) {
                    Some(id) => id,
                    None => {
                        let sampler = (access.sampler.ok_or(UNDECLARED)?, sampler_index);
                        let image = (number, image_index);
                        let id =
                            self.gather_texels(b, form, component, image, sampler, operands)?;
                        self.m.remember(b, Op::ImageGather, &key, id);
                        id
                    }
                };
                let (_, fact) = self.resource(number)?;
                let class = if form.compare {
                    ColorClass::Float
                } else {
                    fact.class
                };
                self.component(b, class, vector, texel)
            }
            ImageOp::Load {
                level,
                component,
                read_only,
            } => {
                key.push(level.into());
                let image = self.image_at(b, number, image_index)?;
                let known = match read_only {
                    true => self.m.remembered(b, Op::ImageFetch, &key),
                    false => None,
                };
                let inside = self.inside(b, &image, operands, level, guard)?;
                let vector = match known {
                    Some(id) => id,
                    None => {
                        let id = self.fetch(b, &image, operands, level, inside)?;
                        if read_only {
                            self.m.remember(b, Op::ImageFetch, &key, id);
                        }
                        id
                    }
                };
                self.selected(b, &image, vector, component, inside)
            }
            ImageOp::Store => {
                let guard = if once {
                    let first = self.elected(b);
                    self.m.band(b, first, guard)
                } else {
                    guard
                };
                self.store_texel(b, number, image_index, operands, guard)?;
                return Ok(None);
            }
            ImageOp::Atomic { op, .. } => {
                let guard = if once {
                    let first = self.elected(b);
                    self.m.band(b, first, guard)
                } else {
                    guard
                };
                if once && !self.geo.alone() {
                    return Err(EmitError::Malformed("an atomic of the wave on an image"));
                }
                self.texel_atomic(b, op, (number, image_index), operands, guard)?
            }
            ImageOp::Size { component } => {
                let image = self.image_at(b, number, image_index)?;
                let level = operands.first().copied();
                self.size_of_level(b, &image, level, component)?
            }
            ImageOp::Lod { component } => {
                let pair = match self.m.remembered(b, Op::ImageQueryLod, &key) {
                    Some(id) => id,
                    None => {
                        let sampler = (access.sampler.ok_or(UNDECLARED)?, sampler_index);
                        let (both, _) = self.sampled_image(b, (number, image_index), sampler)?;
                        let place = self.floats(b, operands);
                        self.m.need(Capability::ImageQuery);
                        let float = self.m.float(32);
                        let pair = self.m.vector(float, 2);
                        let id = self.m.op(b, Op::ImageQueryLod, pair, &[both, place]);
                        self.m.remember(b, Op::ImageQueryLod, &key, id);
                        id
                    }
                };
                self.component(b, ColorClass::Float, pair, component)
            }
        }))
    }

    // ---- Components ------------------------------------------------------------------------------

    /// Bits of a component of a vector.
    fn component(&mut self, b: &mut Open, class: ColorClass, vector: Id, n: u8) -> Id {
        let ty = self.component_of(class);
        let words = [vector.word(), u32::from(n)];
        let value = self.m.op_words(b, Op::CompositeExtract, ty, &words);
        match class {
            ColorClass::Uint => value,
            ColorClass::Float | ColorClass::Sint => self.m.unary(b, Op::Bitcast, value),
        }
    }

    /// Words as one float, or a vector of them.
    fn floats(&mut self, b: &mut Open, words: &[Id]) -> Id {
        let float = self.m.float(32);
        let mut all: SmallVec<[Id; 4]> = SmallVec::new();
        for &word in words {
            all.push(self.m.op(b, Op::Bitcast, float, &[word]));
        }
        self.together(b, float, &all)
    }

    fn together(&mut self, b: &mut Open, of: TypeId, all: &[Id]) -> Id {
        match *all {
            [one] => one,
            _ => {
                let vector = self.m.vector(of, all.len() as u32);
                self.m.op(b, Op::CompositeConstruct, vector, all)
            }
        }
    }

    /// A component of a loaded texel as the T# selects it: of one outside the image components are 0.
    fn selected(&mut self, b: &mut Open, image: &Image, texel: Id, n: u8, inside: Id) -> Id {
        let one = match image.fact.class {
            ColorClass::Float => 1.0_f32.to_bits(),
            ColorClass::Uint | ColorClass::Sint => 1,
        };
        let (zero, one) = (self.m.const_u32(0), self.m.const_u32(one));
        let from = image.fact.dst_sel.get(usize::from(n)).copied();
        let from = from.unwrap_or(DstSel::Zero);
        let (value, outside) = match (from, image.storage) {
            (DstSel::Component(c), true) => {
                (self.component(b, image.fact.class, texel, c & 3), zero)
            }
            // The view selects.
            (DstSel::Component(_), false) => (self.component(b, image.fact.class, texel, n), zero),
            (DstSel::One, true) => (one, one),
            (DstSel::One, false) => (self.component(b, image.fact.class, texel, n), one),
            (_, true) => (zero, zero),
            (_, false) => (self.component(b, image.fact.class, texel, n), zero),
        };
        self.m.select(b, inside, value, outside)
    }

    // ---- Sampling --------------------------------------------------------------------------------

    fn sampled_image(
        &mut self,
        b: &mut Open,
        (image, image_index): (u8, Option<Id>),
        (sampler, sampler_index): (u8, Option<Id>),
    ) -> Result<(Id, ImageFact), EmitError> {
        let (texture, ty, one) = self.load_descriptor(b, image, image_index)?;
        let (sampler, _, other) = self.load_descriptor(b, sampler, sampler_index)?;
        let whole = self.m.sampled_image_type(ty);
        let both = self.m.op(b, Op::SampledImage, whole, &[texture, sampler]);
        if one || other {
            self.m.decorate(both, Decoration::NonUniform, &[]);
        }
        let (_, fact) = self.resource(image)?;
        Ok((both, fact))
    }

    fn sample(
        &mut self,
        b: &mut Open,
        form: SampleForm,
        image: (u8, Option<Id>),
        sampler: (u8, Option<Id>),
        operands: &[Id],
    ) -> Result<Id, EmitError> {
        let (resource, _) = self.resource(image.0)?;
        let ResourceKind::Sampled { dim } = resource.kind else {
            return Err(UNDECLARED);
        };
        let mut rest = operands;
        let mut take = |n: usize| {
            let (taken, left) = rest.split_at(n.min(rest.len()));
            rest = left;
            taken
        };
        let place = take(sample_coordinates(dim));
        let level = take(usize::from(matches!(form.lod, Lod::Bias | Lod::Level)));
        let along = match form.lod {
            Lod::Gradient => gradient(dim),
            _ => 0,
        };
        let (x, y) = (take(along), take(along));
        let reference = take(form.compare.into());
        let least = take(form.clamp.into());
        let offset = take(if form.offset { dim.axes() as usize } else { 0 });

        let (both, fact) = self.sampled_image(b, image, sampler)?;
        if form.compare && fact.class != ColorClass::Float {
            return Err(EmitError::Unsupported("comparisons with integers"));
        }
        let place = self.floats(b, place);
        let mut words = vec![both.word(), place.word()];
        if form.compare {
            words.push(self.floats(b, reference).word());
        }
        let mut mask = ImageOperands::empty();
        let mut extra = Vec::new();
        match form.lod {
            Lod::Implicit => {}
            Lod::Bias => {
                mask |= ImageOperands::BIAS;
                extra.push(self.floats(b, level));
            }
            Lod::Level => {
                mask |= ImageOperands::LOD;
                extra.push(self.floats(b, level));
            }
            Lod::Zero => {
                mask |= ImageOperands::LOD;
                let float = self.m.float(32);
                extra.push(self.m.const_float(float, 0));
            }
            Lod::Gradient => {
                mask |= ImageOperands::GRAD;
                extra.push(self.floats(b, x));
                extra.push(self.floats(b, y));
            }
        }
        if !offset.is_empty() {
            mask |= ImageOperands::CONST_OFFSET;
            extra.push(self.const_offset(offset)?);
        }
        if form.clamp {
            self.m.need(Capability::MinLod);
            mask |= ImageOperands::MIN_LOD;
            extra.push(self.floats(b, least));
        }
        if !mask.is_empty() {
            words.push(mask.bits());
            words.extend(extra.iter().map(|id| id.word()));
        }
        let explicit = !matches!(form.lod, Lod::Implicit | Lod::Bias);
        let component = self.component_of(fact.class);
        let (op, ty) = match (form.compare, explicit) {
            (false, false) => (Op::ImageSampleImplicitLod, self.m.vector(component, 4)),
            (false, true) => (Op::ImageSampleExplicitLod, self.m.vector(component, 4)),
            (true, false) => (Op::ImageSampleDrefImplicitLod, component),
            (true, true) => (Op::ImageSampleDrefExplicitLod, component),
        };
        Ok(self.m.op_words(b, op, ty, &words))
    }

    /// A constant offset of signed integers.
    fn const_offset(&mut self, offset: &[Id]) -> Result<Id, EmitError> {
        let mut parts = Vec::new();
        for &id in offset {
            let value = self.m.value(id);
            let value = value.ok_or(EmitError::Malformed("an offset that is no constant"))?;
            parts.push(self.m.const_i32(value as u32));
        }
        let of = self.m.i32();
        Ok(match *parts.as_slice() {
            [one] => one,
            _ => {
                let ty = self.m.vector(of, parts.len() as u32);
                self.m.const_vector(ty, &parts)
            }
        })
    }

    fn gather_texels(
        &mut self,
        b: &mut Open,
        form: SampleForm,
        component: u8,
        image: (u8, Option<Id>),
        sampler: (u8, Option<Id>),
        operands: &[Id],
    ) -> Result<Id, EmitError> {
        let (resource, _) = self.resource(image.0)?;
        let ResourceKind::Sampled { dim } = resource.kind else {
            return Err(UNDECLARED);
        };
        let at = sample_coordinates(dim).min(operands.len());
        let (place, rest) = operands.split_at(at);
        let (reference, offset) = rest.split_at(usize::from(form.compare).min(rest.len()));
        let (both, fact) = self.sampled_image(b, image, sampler)?;
        let place = self.floats(b, place);
        let (op, which, of) = if form.compare {
            (
                Op::ImageDrefGather,
                self.floats(b, reference),
                self.m.float(32),
            )
        } else {
            (
                Op::ImageGather,
                self.m.const_u32(component.into()),
                self.component_of(fact.class),
            )
        };
        let mut words = vec![both.word(), place.word(), which.word()];
        if !offset.is_empty() {
            let constant = offset.iter().all(|&id| self.m.value(id).is_some());
            let (mask, id) = if constant {
                (ImageOperands::CONST_OFFSET, self.const_offset(offset)?)
            } else {
                self.m.need(Capability::ImageGatherExtended);
                let i32_ = self.m.i32();
                let mut parts: SmallVec<[Id; 4]> = SmallVec::new();
                for &id in offset {
                    parts.push(self.m.op(b, Op::Bitcast, i32_, &[id]));
                }
                (ImageOperands::OFFSET, self.together(b, i32_, &parts))
            };
            words.extend([mask.bits(), id.word()]);
        }
        let ty = self.m.vector(of, 4);
        Ok(self.m.op_words(b, op, ty, &words))
    }

    // ---- Texels ----------------------------------------------------------------------------------

    /// Sizes along the coordinates but the sample, of a level where images have such.
    fn sizes(
        &mut self,
        b: &mut Open,
        image: &Image,
        level: Id,
    ) -> Result<SmallVec<[Id; 4]>, EmitError> {
        self.m.need(Capability::ImageQuery);
        let count = match image.dim {
            // The faces are one size; cubes are counted.
            ImageDim::Cube => 3,
            dim => texel_coordinates(dim) - usize::from(dim.is_multisampled()),
        };
        let word = self.m.u32();
        let ty = match count {
            1 => word,
            n => self.m.vector(word, n as u32),
        };
        let size = if image.storage || image.dim.is_multisampled() {
            self.m.op(b, Op::ImageQuerySize, ty, &[image.id])
        } else {
            self.m.op(b, Op::ImageQuerySizeLod, ty, &[image.id, level])
        };
        let mut sizes = SmallVec::new();
        for n in 0..count {
            sizes.push(match count {
                1 => size,
                _ => self.m.part(b, size, n as u32),
            });
        }
        Ok(sizes)
    }

    fn levels(&mut self, b: &mut Open, image: &Image) -> Id {
        self.m.need(Capability::ImageQuery);
        let word = self.m.u32();
        self.m.op(b, Op::ImageQueryLevels, word, &[image.id])
    }

    /// Whether a texel lies in the image, where the guard holds.
    fn inside(
        &mut self,
        b: &mut Open,
        image: &Image,
        operands: &[Id],
        level: bool,
        guard: Id,
    ) -> Result<Id, EmitError> {
        let mut inside = guard;
        let coordinates = texel_coordinates(image.dim);
        let zero = self.m.const_u32(0);
        let mut at = zero;
        if level {
            at = operands.get(coordinates).copied().unwrap_or(zero);
            let levels = self.levels(b, image);
            let there = self.m.ult(b, at, levels);
            inside = self.m.band(b, inside, there);
            at = self.m.select(b, there, at, zero);
        }
        let sizes = self.sizes(b, image, at)?;
        for (&coordinate, &size) in operands.iter().zip(&sizes) {
            let there = self.m.ult(b, coordinate, size);
            inside = self.m.band(b, inside, there);
        }
        if image.dim.is_multisampled() {
            let word = self.m.u32();
            let samples = self.m.op(b, Op::ImageQuerySamples, word, &[image.id]);
            let sample = operands.get(coordinates - 1).copied().unwrap_or(zero);
            let there = self.m.ult(b, sample, samples);
            inside = self.m.band(b, inside, there);
        }
        Ok(inside)
    }

    /// The coordinates of a texel, the first one's where it is not inside; and its sample.
    fn texel_place(
        &mut self,
        b: &mut Open,
        image: &Image,
        operands: &[Id],
        inside: Id,
    ) -> (Id, Option<Id>) {
        let zero = self.m.const_u32(0);
        let mut place: SmallVec<[Id; 4]> = SmallVec::new();
        for &coordinate in operands.iter().take(texel_coordinates(image.dim)) {
            place.push(self.m.select(b, inside, coordinate, zero));
        }
        let sample = match image.dim.is_multisampled() {
            true => place.pop(),
            false => None,
        };
        let word = self.m.u32();
        (self.together(b, word, &place), sample)
    }

    fn fetch(
        &mut self,
        b: &mut Open,
        image: &Image,
        operands: &[Id],
        level: bool,
        inside: Id,
    ) -> Result<Id, EmitError> {
        let (place, sample) = self.texel_place(b, image, operands, inside);
        let zero = self.m.const_u32(0);
        let component = self.component_of(image.fact.class);
        let ty = self.m.vector(component, 4);
        let mut words = vec![image.id.word(), place.word()];
        if let Some(sample) = sample {
            words.extend([ImageOperands::SAMPLE.bits(), sample.word()]);
        } else if !image.storage {
            let at = match level {
                true => {
                    let given = operands.get(texel_coordinates(image.dim)).copied();
                    let given = given.unwrap_or(zero);
                    self.m.select(b, inside, given, zero)
                }
                false => zero,
            };
            words.extend([ImageOperands::LOD.bits(), at.word()]);
        }
        let op = if image.storage {
            Op::ImageRead
        } else {
            Op::ImageFetch
        };
        Ok(self.m.op_words(b, op, ty, &words))
    }

    fn store_texel(
        &mut self,
        b: &mut Open,
        number: u8,
        index: Option<Id>,
        operands: &[Id],
        guard: Id,
    ) -> Result<(), EmitError> {
        let image = self.image_at(b, number, index)?;
        let inside = self.inside(b, &image, operands, false, guard)?;
        let branch = self.m.begin_if(b, inside);
        let yes = self.m.const_bool(true);
        let (place, sample) = self.texel_place(b, &image, operands, yes);
        let of = self.component_of(image.fact.class);
        let mut texel: SmallVec<[Id; 4]> = SmallVec::new();
        for &word in operands.iter().skip(texel_coordinates(image.dim)).take(4) {
            texel.push(match image.fact.class {
                ColorClass::Uint => word,
                ColorClass::Float | ColorClass::Sint => self.m.op(b, Op::Bitcast, of, &[word]),
            });
        }
        let texel = self.together(b, of, &texel);
        match sample {
            Some(sample) => {
                let words = [
                    image.id.word(),
                    place.word(),
                    texel.word(),
                    ImageOperands::SAMPLE.bits(),
                    sample.word(),
                ];
                self.m.effect_words(b, Op::ImageWrite, &words);
            }
            None => self.m.effect(b, Op::ImageWrite, &[image.id, place, texel]),
        }
        self.m.end_if(b, branch);
        Ok(())
    }

    fn texel_atomic(
        &mut self,
        b: &mut Open,
        op: TexelAtomic,
        (number, index): (u8, Option<Id>),
        operands: &[Id],
        guard: Id,
    ) -> Result<Id, EmitError> {
        let image = self.image_at(b, number, index)?;
        let of = match image.fact.class {
            ColorClass::Uint => self.m.u32(),
            ColorClass::Sint => self.m.i32(),
            ColorClass::Float => return Err(EmitError::Unsupported("atomics on float images")),
        };
        if !matches!(image.fact.format, R32_UINT | R32_SINT) {
            return Err(EmitError::Unsupported(
                "atomics on an image whose format is not promised as one word",
            ));
        }
        let inside = self.inside(b, &image, operands, false, guard)?;
        let zero = self.m.const_u32(0);
        let branch = self.m.begin_if(b, inside);
        let yes = self.m.const_bool(true);
        let (place, sample) = self.texel_place(b, &image, operands, yes);
        let (variable, ..) = self.descriptor_pointer(b, number, index)?;
        let pointer = self.m.pointer(StorageClass::Image, of);
        let sample = sample.unwrap_or(zero);
        let words = [variable, place, sample];
        let pointer = self.m.op(b, Op::ImageTexelPointer, pointer, &words);
        let mut data: SmallVec<[Id; 2]> = SmallVec::new();
        for &word in operands.iter().skip(texel_coordinates(image.dim)) {
            data.push(match image.fact.class {
                ColorClass::Sint => self.m.op(b, Op::Bitcast, of, &[word]),
                _ => word,
            });
        }
        let device = self.m.const_u32(spirv::Scope::Device as u32);
        let op = match op {
            TexelAtomic::Swap => Op::AtomicExchange,
            TexelAtomic::CmpSwap => Op::AtomicCompareExchange,
            TexelAtomic::Add => Op::AtomicIAdd,
            TexelAtomic::Sub => Op::AtomicISub,
            TexelAtomic::SMin => Op::AtomicSMin,
            TexelAtomic::UMin => Op::AtomicUMin,
            TexelAtomic::SMax => Op::AtomicSMax,
            TexelAtomic::UMax => Op::AtomicUMax,
            TexelAtomic::And => Op::AtomicAnd,
            TexelAtomic::Or => Op::AtomicOr,
            TexelAtomic::Xor => Op::AtomicXor,
        };
        let mut args: SmallVec<[Id; 6]> = SmallVec::from_slice(&[pointer, device, zero]);
        if op == Op::AtomicCompareExchange {
            args.push(zero);
        }
        // Of a compare-and-swap: the new value, then what is compared.
        args.extend(data);
        let old = self.m.op(b, op, of, &args);
        let old = match image.fact.class {
            ColorClass::Sint => self.m.unary(b, Op::Bitcast, old),
            _ => old,
        };
        let word = self.m.u32();
        let both = self.m.end_if_values(b, branch, word, &[(old, zero)]);
        both.first().copied().ok_or(UNDECLARED)
    }

    /// Component `n` of the size of a level, as the guest counts.
    fn size_of_level(
        &mut self,
        b: &mut Open,
        image: &Image,
        level: Option<Id>,
        n: u8,
    ) -> Result<Id, EmitError> {
        let zero = self.m.const_u32(0);
        let one = self.m.const_u32(1);
        if n >= 3 {
            return Ok(if image.storage {
                one
            } else {
                self.levels(b, image)
            });
        }
        let level = level.unwrap_or(zero);
        let levels = if image.storage {
            one
        } else {
            self.levels(b, image)
        };
        let there = self.m.ult(b, level, levels);
        let at = self.m.select(b, there, level, zero);
        let sizes = self.sizes(b, image, at)?;
        let mut size = match sizes.get(usize::from(n)) {
            Some(&size) => size,
            None => return Ok(one),
        };
        if image.dim == ImageDim::Cube && n == 2 {
            let six = self.m.const_u32(6);
            let word = self.m.u32();
            size = self.m.op(b, Op::IMul, word, &[size, six]);
        }
        Ok(self.m.select(b, there, size, zero))
    }
}

/// A number for a form, apart from other forms with as many operands.
fn form_number(form: SampleForm) -> u32 {
    let lod = match form.lod {
        Lod::Implicit => 0,
        Lod::Bias => 1,
        Lod::Level => 2,
        Lod::Zero => 3,
        Lod::Gradient => 4,
    };
    lod | u32::from(form.compare) << 3 | u32::from(form.clamp) << 4 | u32::from(form.offset) << 5
}

/// Unified formats of one word.
const R32_UINT: u32 = 20;
const R32_SINT: u32 = 21;

/// The SPIR-V format that a T#'s unified format is, of those that storage images have.
fn declared_format(code: u32) -> Result<ImageFormat, EmitError> {
    Ok(match code {
        1 => ImageFormat::R8,
        2 => ImageFormat::R8Snorm,
        5 => ImageFormat::R8ui,
        6 => ImageFormat::R8i,
        7 => ImageFormat::R16,
        8 => ImageFormat::R16Snorm,
        11 => ImageFormat::R16ui,
        12 => ImageFormat::R16i,
        13 => ImageFormat::R16f,
        14 => ImageFormat::Rg8,
        15 => ImageFormat::Rg8Snorm,
        18 => ImageFormat::Rg8ui,
        19 => ImageFormat::Rg8i,
        R32_UINT => ImageFormat::R32ui,
        R32_SINT => ImageFormat::R32i,
        22 => ImageFormat::R32f,
        23 => ImageFormat::Rg16,
        24 => ImageFormat::Rg16Snorm,
        27 => ImageFormat::Rg16ui,
        28 => ImageFormat::Rg16i,
        29 => ImageFormat::Rg16f,
        36 => ImageFormat::R11fG11fB10f,
        50 => ImageFormat::Rgb10A2,
        54 => ImageFormat::Rgb10a2ui,
        56 => ImageFormat::Rgba8,
        57 => ImageFormat::Rgba8Snorm,
        60 => ImageFormat::Rgba8ui,
        61 => ImageFormat::Rgba8i,
        62 => ImageFormat::Rg32ui,
        63 => ImageFormat::Rg32i,
        64 => ImageFormat::Rg32f,
        65 => ImageFormat::Rgba16,
        66 => ImageFormat::Rgba16Snorm,
        69 => ImageFormat::Rgba16ui,
        70 => ImageFormat::Rgba16i,
        71 => ImageFormat::Rgba16f,
        75 => ImageFormat::Rgba32ui,
        76 => ImageFormat::Rgba32i,
        77 => ImageFormat::Rgba32f,
        _ => return Err(EmitError::Unsupported("storage images of this format")),
    })
}

/// Formats beyond those that every host has.
fn is_extended(format: ImageFormat) -> bool {
    !matches!(
        format,
        ImageFormat::Unknown
            | ImageFormat::Rgba32f
            | ImageFormat::Rgba16f
            | ImageFormat::R32f
            | ImageFormat::Rgba8
            | ImageFormat::Rgba8Snorm
            | ImageFormat::Rgba32i
            | ImageFormat::Rgba16i
            | ImageFormat::Rgba8i
            | ImageFormat::R32i
            | ImageFormat::Rgba32ui
            | ImageFormat::Rgba16ui
            | ImageFormat::Rgba8ui
            | ImageFormat::R32ui
    )
}

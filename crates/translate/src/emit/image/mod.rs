//! Images and samplers: their variables, and which host operation each access of one lane becomes. Each image
//! and each sampler is a binding of its own. What is filtered, what is done with texels by number and how
//! formats are called have files of their own.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirdna_isa::descriptor::DstSel;
use spirdna_isa::image::ImageDim;
use spirdna_isa::stage::ColorClass;
use spirv::{Capability, Decoration, Dim, GlslStd450Op, ImageFormat, Op, StorageClass};

use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::module::{Id, TypeId};
use crate::bindings::{ImageFact, Place, Resource, ResourceKind};
use crate::ir::Loc;
use crate::ir::image::{ImageAccess, ImageOp};

mod format;
mod sample;
mod texel;

use format::{declared_format, is_extended};
use sample::form_number;

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
    fn resource(&self, number: u8) -> Result<(Resource, ImageFact), Fail> {
        let found = self.ir.images.get(usize::from(number));
        found.cloned().ok_or_else(|| UNDECLARED.into())
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
    ) -> Result<TypeId, Fail> {
        let (dim, storage) = match kind {
            ResourceKind::Sampled { dim } => (dim, false),
            ResourceKind::Storage { dim } => (dim, true),
            ResourceKind::Buffer | ResourceKind::Sampler { .. } => return Err(UNDECLARED.into()),
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
    fn bound(&mut self, number: u8) -> Result<(Id, TypeId, Place, Resource, ImageFact), Fail> {
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
    ) -> Result<(Id, TypeId, bool), Fail> {
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
    ) -> Result<(Id, TypeId, bool), Fail> {
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

    fn image_at(&mut self, b: &mut Open, number: u8, index: Option<Id>) -> Result<Image, Fail> {
        let (resource, fact) = self.resource(number)?;
        let (dim, storage) = match resource.kind {
            ResourceKind::Sampled { dim } => (dim, false),
            ResourceKind::Storage { dim } => (dim, true),
            ResourceKind::Buffer | ResourceKind::Sampler { .. } => return Err(UNDECLARED.into()),
        };
        let (id, _, _) = self.load_descriptor(b, number, index)?;
        Ok(Image {
            id,
            dim,
            storage,
            fact,
        })
    }

    /// An image operation of one lane, or of the wave (`once`), of the guest instruction at `loc`; what it
    /// gives, if it does.
    pub fn image(
        &mut self,
        b: &mut Open,
        access: &ImageAccess,
        args: &[Id],
        once: bool,
        loc: Loc,
    ) -> Result<Option<Id>, Fail> {
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
                if !read_only {
                    // What another instruction reads may be newer.
                    key.extend([loc.0, b.label().word()]);
                }
                let known = self.m.remembered(b, Op::ImageFetch, &key);
                let inside = self.inside(b, &image, operands, level, guard)?;
                let vector = match known {
                    Some(id) => id,
                    None => {
                        let id = self.fetch(b, &image, operands, level, inside)?;
                        self.m.remember(b, Op::ImageFetch, &key, id);
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
                    return Err(EmitError::Malformed("an atomic of the wave on an image").into());
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
        let value = self.m.op_listed(b, Op::CompositeExtract, ty, &words);
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
}

//! What a sampler filters: samples and gathers, with every operand that an instruction adds.

use smallvec::SmallVec;
use spirdna_isa::image::ImageDim;
use spirdna_isa::stage::ColorClass;
use spirv::{Capability, Decoration, ImageOperands, Op};

use super::UNDECLARED;
use crate::bindings::{ImageFact, ResourceKind};
use crate::emit::code::Open;
use crate::emit::context::Cx;
use crate::emit::error::{EmitError, Fail};
use crate::emit::module::Id;
use crate::ir::image::{Lod, SampleForm, gradient, sample_coordinates};

impl Cx<'_> {
    pub(super) fn sampled_image(
        &mut self,
        b: &mut Open,
        (image, image_index): (u8, Option<Id>),
        (sampler, sampler_index): (u8, Option<Id>),
    ) -> Result<(Id, ImageFact), Fail> {
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

    fn sampled_dim(&self, image: u8) -> Result<ImageDim, Fail> {
        match self.resource(image)?.0.kind {
            ResourceKind::Sampled { dim } => Ok(dim),
            _ => Err(UNDECLARED.into()),
        }
    }

    pub(super) fn sample(
        &mut self,
        b: &mut Open,
        form: SampleForm,
        image: (u8, Option<Id>),
        sampler: (u8, Option<Id>),
        operands: &[Id],
    ) -> Result<Id, Fail> {
        let dim = self.sampled_dim(image.0)?;
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
            return Err(EmitError::Unsupported("comparisons with integers").into());
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
        Ok(self.m.op_listed(b, op, ty, &words))
    }

    /// A constant offset of signed integers.
    fn const_offset(&mut self, offset: &[Id]) -> Result<Id, Fail> {
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

    pub(super) fn gather_texels(
        &mut self,
        b: &mut Open,
        form: SampleForm,
        component: u8,
        image: (u8, Option<Id>),
        sampler: (u8, Option<Id>),
        operands: &[Id],
    ) -> Result<Id, Fail> {
        let dim = self.sampled_dim(image.0)?;
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
        Ok(self.m.op_listed(b, op, ty, &words))
    }
}

/// A number for a form, apart from other forms with as many operands.
pub(super) fn form_number(form: SampleForm) -> u32 {
    let lod = match form.lod {
        Lod::Implicit => 0,
        Lod::Bias => 1,
        Lod::Level => 2,
        Lod::Zero => 3,
        Lod::Gradient => 4,
    };
    lod | u32::from(form.compare) << 3 | u32::from(form.clamp) << 4 | u32::from(form.offset) << 5
}

//! Texels by number: loads, stores and atomics, and the sizes that they are looked for in. Hosts promise
//! nothing of texels outside an image, so they are looked for here.

use smallvec::SmallVec;
use spirdna_isa::image::ImageDim;
use spirdna_isa::stage::ColorClass;
use spirv::{Capability, ImageOperands, Op, StorageClass};

use super::format::{R32_SINT, R32_UINT};
use super::{Image, UNDECLARED};
use crate::emit::atomic::{Cell, atomic};
use crate::emit::code::Open;
use crate::emit::context::Cx;
use crate::emit::error::{EmitError, Fail};
use crate::emit::module::Id;
use crate::emit::value::Val;
use crate::ir::image::{TexelAtomic, texel_coordinates};

impl Cx<'_> {
    /// Sizes along the coordinates but the sample, of a level where images have such.
    fn sizes(&mut self, b: &mut Open, image: &Image, level: Id) -> Result<SmallVec<[Id; 4]>, Fail> {
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

    pub(super) fn levels(&mut self, b: &mut Open, image: &Image) -> Id {
        self.m.need(Capability::ImageQuery);
        let word = self.m.u32();
        self.m.op(b, Op::ImageQueryLevels, word, &[image.id])
    }

    /// Whether a texel lies in the image, where the guard holds.
    pub(super) fn inside(
        &mut self,
        b: &mut Open,
        image: &Image,
        operands: &[Id],
        level: bool,
        guard: Id,
    ) -> Result<Id, Fail> {
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

    pub(super) fn fetch(
        &mut self,
        b: &mut Open,
        image: &Image,
        operands: &[Id],
        level: bool,
        inside: Id,
    ) -> Result<Id, Fail> {
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
        Ok(self.m.op_listed(b, op, ty, &words))
    }

    pub(super) fn store_texel(
        &mut self,
        b: &mut Open,
        number: u8,
        index: Option<Id>,
        operands: &[Id],
        guard: Id,
    ) -> Result<(), Fail> {
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

    pub(super) fn texel_atomic(
        &mut self,
        b: &mut Open,
        op: TexelAtomic,
        (number, index): (u8, Option<Id>),
        operands: &[Id],
        guard: Id,
    ) -> Result<Id, Fail> {
        let image = self.image_at(b, number, index)?;
        let of = match image.fact.class {
            ColorClass::Uint => self.m.u32(),
            ColorClass::Sint => self.m.i32(),
            ColorClass::Float => {
                return Err(EmitError::Unsupported("atomics on float images").into());
            }
        };
        if !matches!(image.fact.format, R32_UINT | R32_SINT) {
            return Err(EmitError::Unsupported(
                "atomics on an image whose format is not promised as one word",
            )
            .into());
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
        let cell = match image.fact.class {
            ColorClass::Sint => Cell::signed(pointer, spirv::Scope::Device),
            _ => Cell::word(pointer, spirv::Scope::Device),
        };
        let data = operands.iter().skip(texel_coordinates(image.dim));
        let data: SmallVec<[Val; 2]> = data.map(|&word| Val::One(word)).collect();
        let old = atomic(&mut self.m, b, op.on_memory(), cell, &data)?.one()?;
        let word = self.m.u32();
        let both = self.m.end_if_values(b, branch, word, &[(old, zero)]);
        both.first().copied().ok_or_else(|| UNDECLARED.into())
    }

    /// Component `n` of the size of a level, as the guest counts.
    pub(super) fn size_of_level(
        &mut self,
        b: &mut Open,
        image: &Image,
        level: Option<Id>,
        n: u8,
    ) -> Result<Id, Fail> {
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

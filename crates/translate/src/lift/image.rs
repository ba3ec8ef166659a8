//! Image instructions: address registers to coordinates, descriptor registers as they are (`bind` finds out
//! which resource they are), components to data registers.
//!
//! A sample's coordinates in lanes that are switched off may be anything: its result is not written there.

use spirdna_isa::image::ImageDim;
use spirdna_isa::launch::{Round, Stage};
use spirdna_isa::{AtomicOp as Guest, Image, ImageMods, Inst, Operand, SampleLod, SampleMods};

use super::Lift;
use super::access::{scalar_at, vector_at};
use super::export::fixed_function;
use super::smem::check_range;
use crate::error::Reason;
use crate::ir::image::{ImageAccess, ImageOp, Lod, SampleForm, TexelAtomic};
use crate::ir::{FMode, FOp, FTy, HostOp, Loc, Shape, Value};

/// Address registers, taken in order.
struct Addresses<'i> {
    inst: &'i Inst,
    mods: ImageMods,
    next: usize,
}

impl Addresses<'_> {
    /// The next whole register, as its active lanes have it.
    fn whole(&mut self, lift: &mut Lift<'_>) -> Result<Value, Reason> {
        let missing = Reason::Operand("image address");
        let k = self.next;
        self.next += 1;
        let n = if self.mods.nsa == 0 {
            let first = self.inst.nsa_addresses().next().ok_or(missing)?;
            vector_at(first, k as u32)?
        } else {
            self.inst.nsa_addresses().nth(k).ok_or(missing)?
        };
        let active = lift.active();
        Ok(lift.active_vreg(n, active))
    }

    /// The next `count` whole registers.
    fn many(&mut self, lift: &mut Lift<'_>, count: usize) -> Result<Vec<Value>, Reason> {
        (0..count).map(|_| self.whole(lift)).collect()
    }

    /// The last `count` components: registers, or with A16 halves of them, which `widen` makes whole.
    fn packed(
        &mut self,
        lift: &mut Lift<'_>,
        count: usize,
        widen: impl Fn(&mut Lift<'_>, Value) -> Value,
    ) -> Result<Vec<Value>, Reason> {
        if !self.mods.a16 {
            return self.many(lift, count);
        }
        let mut components = Vec::new();
        let mut word = None;
        for i in 0..count {
            let register = match word {
                Some(word) if i % 2 == 1 => word,
                _ => self.whole(lift)?,
            };
            word = Some(register);
            let half = lift.b.field_u(register, 16 * (i as u32 % 2), 16);
            components.push(widen(lift, half));
        }
        Ok(components)
    }
}

fn integer(_: &mut Lift<'_>, half: Value) -> Value {
    half
}

fn float(lift: &mut Lift<'_>, half: Value) -> Value {
    let op = FOp::FromFloat(FTy::F16);
    lift.b.float(op, FTy::F32, fixed_function(), &[half])
}

/// A component of a texel as a half. Source: Mesa's drivers fold a conversion into a load where it rounds toward
/// zero, and no other.
fn narrow(lift: &mut Lift<'_>, word: Value) -> Value {
    let mode = FMode {
        round: Round::TowardZero,
        ..fixed_function()
    };
    let op = FOp::FromFloat(FTy::F32);
    lift.b.float(op, FTy::F16, mode, &[word])
}

impl Lift<'_> {
    /// An image instruction.
    pub(super) fn image(&mut self, inst: &Inst, sem: Image) -> Result<(), Reason> {
        let mods = inst.image_mods();
        let memory = inst.mem_mods();
        let refused = [(mods.r128, "r128"), (mods.lwe, "lwe"), (memory.tfe, "tfe")];
        for (on, name) in refused {
            if on {
                return Err(Reason::Modifier(name));
            }
        }
        if mods.d16 {
            match sem {
                Image::Sample(_) | Image::Gather4(_) => {}
                Image::Load { pck: None, .. } | Image::Store { pck: false, .. } => {}
                _ => return Err(Reason::Modifier("d16")),
            }
            self.halves.push(Loc(inst.pc()));
        }
        match sem {
            Image::Sample(form) => self.sample(inst, mods, form, false),
            Image::Gather4(form) => self.sample(inst, mods, form, true),
            Image::Load { mip, pck: None } => self.image_load(inst, mods, mip),
            Image::Store { mip, pck: false } => self.image_store(inst, mods, mip),
            Image::Atomic(op) => self.image_atomic(inst, mods, op),
            Image::GetResInfo => self.image_size(inst, mods),
            Image::GetLod => self.image_lod(inst, mods),
            Image::Load { pck: Some(_), .. } | Image::Store { pck: true, .. } => {
                Err(Reason::Image("texels as they lie in memory"))
            }
            Image::MsaaLoad => Err(Reason::Image("four samples at once")),
            Image::Block { .. } | Image::GatherH { .. } => {
                Err(Reason::Unsettled("what this image instruction does"))
            }
            Image::BvhIntersect(_) => Err(Reason::Image("rays")),
        }
    }

    // ---- Operands --------------------------------------------------------------------------------

    /// The words of the descriptor in source `i`.
    fn descriptor(&mut self, inst: &Inst, i: usize, n: u8) -> Result<Vec<Value>, Reason> {
        let (Operand::S(first), _) = self.src(inst, i)? else {
            return Err(Reason::Operand("descriptor"));
        };
        check_range(first, u32::from(n))?;
        (0..n)
            .map(|k| Ok(self.sreg(scalar_at(first, k)?)))
            .collect()
    }

    /// Writes the components that DMASK names, each made by `make`, to the data registers: as words, or with D16
    /// as halves, two a register. Nobody says what the half behind an odd number of them holds, and compilers
    /// take it for undefined; here it is zero.
    fn set_components(
        &mut self,
        inst: &Inst,
        dmask: u8,
        mut make: impl FnMut(&mut Self, u8) -> Value,
    ) -> Result<(), Reason> {
        if dmask == 0 {
            return Err(Reason::Modifier("dmask 0"));
        }
        let first = self.vector_dst(inst, 0)?;
        let wanted = (0..4u8).filter(|n| dmask >> n & 1 == 1);
        let mut values: Vec<Value> = wanted.map(|n| make(self, n)).collect();
        if inst.image_mods().d16 {
            let halves: Vec<Value> = values.iter().map(|&value| narrow(self, value)).collect();
            values = halves
                .chunks(2)
                .map(|pair| match *pair {
                    [low, high] => {
                        let high = self.b.shl_by(high, 16);
                        self.b.or(low, high)
                    }
                    [low] => low,
                    _ => self.b.const32(0),
                })
                .collect();
        }
        for (k, value) in (0..).zip(values) {
            self.set_vreg_at(first, k, value)?;
        }
        Ok(())
    }

    /// An operation that gives a value.
    fn image_value(&mut self, op: ImageOp, dim: ImageDim, args: &[Value]) -> Value {
        self.image_texels(op, dim, false, args)
    }

    fn image_texels(&mut self, op: ImageOp, dim: ImageDim, texels: bool, args: &[Value]) -> Value {
        let access = ImageAccess {
            op,
            dim,
            texels,
            image: None,
            sampler: None,
            image_index: false,
            sampler_index: false,
        };
        let value = self.b.image(access, args);
        value.unwrap_or_else(|| self.b.const32(0))
    }

    fn needs_quad(&self) -> Result<(), Reason> {
        match self.launch.stage {
            Stage::Pixel(_) => Ok(()),
            _ => Err(Reason::Image("derivatives outside a pixel shader")),
        }
    }

    // ---- Sampling --------------------------------------------------------------------------------

    fn sample(
        &mut self,
        inst: &Inst,
        mods: ImageMods,
        form: SampleMods,
        gathers: bool,
    ) -> Result<(), Reason> {
        let dim = ImageDim::from_number(mods.dim);
        if form.a {
            return Err(Reason::Unsettled("what the _a forms of samples do"));
        }
        if dim.is_multisampled() {
            return Err(Reason::Image("several samples filtered"));
        }
        let lod = match form.lod {
            SampleLod::Implicit => Lod::Implicit,
            SampleLod::Level => Lod::Level,
            SampleLod::Bias => Lod::Bias,
            SampleLod::Zero => Lod::Zero,
            SampleLod::Derivatives | SampleLod::Derivatives16 => Lod::Gradient,
            SampleLod::Coarse | SampleLod::Coarse16 => {
                return Err(Reason::Image("coarse derivatives"));
            }
        };
        if matches!(lod, Lod::Implicit | Lod::Bias) {
            self.needs_quad()?;
        }
        if gathers && (lod != Lod::Zero || form.clamp) {
            return Err(Reason::Image("a gather at another level than the first"));
        }
        if gathers && !matches!(dim, ImageDim::D2 | ImageDim::D2Array | ImageDim::Cube) {
            return Err(Reason::Image("a gather of this dimension"));
        }
        if form.clamp && matches!(lod, Lod::Level | Lod::Zero) {
            return Err(Reason::Image("a clamp of a given level"));
        }
        let mut from = Addresses {
            inst,
            mods,
            next: 0,
        };
        let offset = match form.offset {
            true => Some(from.whole(self)?),
            false => None,
        };
        let mut bias = from.many(self, usize::from(lod == Lod::Bias))?;
        if mods.a16 {
            // A half, but with a register of its own.
            for bias in &mut bias {
                let half = self.b.and32(*bias, 0xffff);
                *bias = float(self, half);
            }
        }
        let reference = from.many(self, usize::from(form.compare))?;
        let gradients = match lod {
            Lod::Gradient if form.lod == SampleLod::Derivatives16 => {
                // Two halves a register; the second direction of the screen begins a new one.
                let mut all = Vec::new();
                for _ in 0..2 {
                    let words = from.many(self, dim.axes().div_ceil(2) as usize)?;
                    for axis in 0..dim.axes() {
                        if let Some(&word) = words.get(axis as usize / 2) {
                            let half = self.b.field_u(word, 16 * (axis % 2), 16);
                            all.push(float(self, half));
                        }
                    }
                }
                all
            }
            Lod::Gradient => {
                let count = spirdna_isa::image::derivatives(mods.dim);
                from.many(self, count as usize)?
            }
            _ => Vec::new(),
        };
        let coordinates = spirdna_isa::image::coordinates(mods.dim) as usize;
        let level = usize::from(lod == Lod::Level || form.clamp);
        let mut place = from.packed(self, coordinates + level, float)?;
        let level = place.split_off(coordinates);
        let (mut args, gradients) = if dim == ImageDim::Cube {
            self.cube_direction(&place, &gradients)?
        } else {
            (place, gradients)
        };
        args.extend(bias);
        if lod == Lod::Level {
            args.extend(&level);
        }
        args.extend(gradients);
        args.extend(reference);
        if form.clamp {
            args.extend(&level);
        }
        let offset = match offset {
            // Coordinates that count texels take it themselves, which the host has no operand for.
            Some(offset) if mods.unorm && !gathers => {
                self.add_offset(offset, dim, &mut args)?;
                Vec::new()
            }
            Some(offset) => self.offsets(offset, dim, gathers)?,
            None => Vec::new(),
        };
        let form = SampleForm {
            lod,
            compare: form.compare,
            clamp: form.clamp,
            offset: !offset.is_empty(),
        };
        args.extend(offset);
        args.extend(self.descriptor(inst, 1, 8)?);
        args.extend(self.descriptor(inst, 2, 4)?);
        if form.compare && mods.dmask != 1 {
            return Err(Reason::Modifier("dmask of a comparison"));
        }
        if !gathers {
            return self.set_components(inst, mods.dmask, |lift, component| {
                lift.image_texels(ImageOp::Sample { form, component }, dim, mods.unorm, &args)
            });
        }
        if mods.dmask.count_ones() != 1 {
            return Err(Reason::Modifier("dmask of a gather"));
        }
        let component = mods.dmask.trailing_zeros() as u8;
        self.set_components(inst, 15, |lift, texel| {
            let op = ImageOp::Gather {
                form,
                component,
                texel,
            };
            lift.image_texels(op, dim, mods.unorm, &args)
        })
    }

    /// Adds texel offsets to coordinates that count texels.
    fn add_offset(
        &mut self,
        word: Value,
        dim: ImageDim,
        place: &mut [Value],
    ) -> Result<(), Reason> {
        if dim == ImageDim::Cube {
            return Err(Reason::Image("texel offsets of a cube"));
        }
        for (axis, coordinate) in (0..dim.axes()).zip(place) {
            let offset = self.b.field_s(word, 8 * axis, 6);
            let offset = self.b.host(HostOp::FromS32, FTy::F32, &[offset]);
            *coordinate = self.b.host(HostOp::FAdd, FTy::F32, &[*coordinate, offset]);
        }
        Ok(())
    }

    /// Texel offsets: six bits with sign for each axis, in bytes of a register. Zero everywhere: none.
    fn offsets(&mut self, word: Value, dim: ImageDim, gathers: bool) -> Result<Vec<Value>, Reason> {
        if dim == ImageDim::Cube {
            return Err(Reason::Image("texel offsets of a cube"));
        }
        if self.b.as_const(word).is_none() && !gathers {
            return Err(Reason::Image("a texel offset that is computed"));
        }
        let axes = 0..dim.axes();
        let each: Vec<Value> = axes.map(|i| self.b.field_s(word, 8 * i, 6)).collect();
        let zero = |v: &Value| self.b.as_const(*v).is_some_and(|c| c.is_zero());
        Ok(if each.iter().all(zero) {
            Vec::new()
        } else {
            each
        })
    }

    /// A place on a cube's face, as the instructions that prepare it leave it (v_cubesc, v_cubetc and
    /// v_cubema, moved to 1 to 2; the face and 8 times the cube), as a direction to that place and the
    /// cube's number; and derivatives on the face as derivatives of the direction.
    fn cube_direction(
        &mut self,
        place: &[Value],
        gradients: &[Value],
    ) -> Result<(Vec<Value>, Vec<Value>), Reason> {
        let &[s, t, face] = place else {
            return Err(Reason::Bug("a cube without three coordinates"));
        };
        let number = self.b.host(HostOp::FRoundEven, FTy::F32, &[face]);
        let number = self.b.host(HostOp::ToU32, FTy::F32, &[number]);
        let cube = self.b.shr_by(number, 3);
        let cube = self.b.host(HostOp::FromU32, FTy::F32, &[cube]);
        let face = self.b.and32(number, 7);
        let middle = self.b.const32(1.5_f32.to_bits());
        let s = self.b.host(HostOp::FSub, FTy::F32, &[s, middle]);
        let t = self.b.host(HostOp::FSub, FTy::F32, &[t, middle]);
        let half = self.b.const32(0.5_f32.to_bits());
        let mut args = self.on_face(face, s, t, half);
        args.push(cube);
        let mut derivatives = Vec::new();
        let zero = self.b.const32(0);
        for pair in gradients.chunks_exact(2) {
            if let &[s, t] = pair {
                derivatives.extend(self.on_face(face, s, t, zero));
            }
        }
        Ok((args, derivatives))
    }

    /// A vector of which s and t are the parts along a face and `major` the one across it.
    fn on_face(&mut self, face: Value, s: Value, t: Value, major: Value) -> Vec<Value> {
        let sign = self.b.const32(1 << 31);
        let minus = |lift: &mut Self, x: Value| lift.b.xor(x, sign);
        let (ms, mt, mm) = (minus(self, s), minus(self, t), minus(self, major));
        // +x, -x, +y, -y, +z, -z.
        let faces = [
            [major, mt, ms],
            [mm, mt, s],
            [s, major, t],
            [s, mm, mt],
            [s, mt, major],
            [ms, mt, mm],
        ];
        (0..3)
            .map(|axis| {
                let items: Vec<Value> = faces
                    .iter()
                    .filter_map(|of| of.get(axis).copied())
                    .collect();
                self.pick(face, &items, mm)
            })
            .collect()
    }

    fn image_lod(&mut self, inst: &Inst, mods: ImageMods) -> Result<(), Reason> {
        let dim = ImageDim::from_number(mods.dim);
        self.needs_quad()?;
        if dim.is_multisampled() || mods.unorm {
            return Err(Reason::Image("the level of an image without levels"));
        }
        if mods.dmask & !3 != 0 {
            return Err(Reason::Modifier("dmask of a level"));
        }
        let mut from = Addresses {
            inst,
            mods,
            next: 0,
        };
        let count = spirdna_isa::image::coordinates(mods.dim) as usize;
        let mut args = from.packed(self, count, float)?;
        if dim == ImageDim::Cube {
            args = self.cube_direction(&args, &[])?.0;
            args.truncate(3);
        } else {
            args.truncate(dim.axes() as usize);
        }
        args.extend(self.descriptor(inst, 1, 8)?);
        args.extend(self.descriptor(inst, 2, 4)?);
        self.set_components(inst, mods.dmask, |lift, component| {
            lift.image_value(ImageOp::Lod { component }, dim, &args)
        })
    }

    // ---- Texels ----------------------------------------------------------------------------------

    /// Integer coordinates, and the level behind them.
    fn texel(
        &mut self,
        inst: &Inst,
        mods: ImageMods,
        level: bool,
    ) -> Result<(ImageDim, Vec<Value>), Reason> {
        let dim = ImageDim::from_number(mods.dim);
        if dim == ImageDim::Cube {
            return Err(Reason::Image("a texel of a cube"));
        }
        let mut from = Addresses {
            inst,
            mods,
            next: 0,
        };
        let count = spirdna_isa::image::coordinates(mods.dim) as usize + usize::from(level);
        Ok((dim, from.packed(self, count, integer)?))
    }

    fn image_load(&mut self, inst: &Inst, mods: ImageMods, level: bool) -> Result<(), Reason> {
        let (dim, place) = self.texel(inst, mods, level)?;
        if level && dim.is_multisampled() {
            return Err(Reason::Image("a level of several samples"));
        }
        let mut args = vec![self.active()];
        args.extend(place);
        args.extend(self.descriptor(inst, 1, 8)?);
        self.set_components(inst, mods.dmask, |lift, component| {
            let op = ImageOp::Load {
                level,
                component,
                read_only: false,
            };
            lift.image_value(op, dim, &args)
        })
    }

    fn image_store(&mut self, inst: &Inst, mods: ImageMods, level: bool) -> Result<(), Reason> {
        if level {
            return Err(Reason::Image("a store to a level"));
        }
        let data = self.vector_src(inst, 0)?;
        let (dim, place) = self.texel(inst, mods, false)?;
        let active = self.active();
        let mut args = vec![active];
        args.extend(place);
        // A format has no component behind the first one that DMASK leaves out, or it is refused.
        let count = mods.dmask.trailing_ones();
        if count == 0 || mods.dmask >> count != 0 {
            return Err(Reason::Modifier(
                "dmask of a store that leaves out a component",
            ));
        }
        for n in 0..4 {
            args.push(if n < count && mods.d16 {
                let register = vector_at(data, n / 2)?;
                let pair = self.active_vreg(register, active);
                let half = self.b.field_u(pair, 16 * (n % 2), 16);
                float(self, half)
            } else if n < count {
                let register = vector_at(data, n)?;
                self.active_vreg(register, active)
            } else {
                self.b.const32(0)
            });
        }
        args.extend(self.descriptor(inst, 2, 8)?);
        self.image_value(ImageOp::Store, dim, &args);
        Ok(())
    }

    fn image_atomic(&mut self, inst: &Inst, mods: ImageMods, op: Guest) -> Result<(), Reason> {
        let ir = match op {
            Guest::Swap => TexelAtomic::Swap,
            Guest::CmpSwap => TexelAtomic::CmpSwap,
            Guest::Add => TexelAtomic::Add,
            Guest::Sub => TexelAtomic::Sub,
            Guest::SMin => TexelAtomic::SMin,
            Guest::UMin => TexelAtomic::UMin,
            Guest::SMax => TexelAtomic::SMax,
            Guest::UMax => TexelAtomic::UMax,
            Guest::And => TexelAtomic::And,
            Guest::Or => TexelAtomic::Or,
            Guest::Xor => TexelAtomic::Xor,
            Guest::Inc => TexelAtomic::Inc,
            Guest::Dec => TexelAtomic::Dec,
            Guest::FMin => TexelAtomic::FMin,
            Guest::FMax => TexelAtomic::FMax,
            Guest::FCmpSwap => TexelAtomic::FCmpSwap,
            Guest::RSub | Guest::CSub | Guest::MskOr | Guest::Wrap | Guest::FAdd => {
                return Err(Reason::Image("an atomic that images do not have"));
            }
        };
        let count = ir.data_args() as u32;
        if mods.dmask.count_ones() != count || mods.dmask & 1 == 0 {
            return Err(Reason::Image("an atomic of 64 bits"));
        }
        let data = self.vector_src(inst, 0)?;
        let (dim, place) = self.texel(inst, mods, false)?;
        let active = self.active();
        let mut args = vec![active];
        args.extend(place);
        for n in 0..count {
            let register = vector_at(data, n)?;
            args.push(self.active_vreg(register, active));
        }
        args.extend(self.descriptor(inst, 2, 8)?);
        let op = ImageOp::Atomic {
            op: ir,
            shape: Shape::Lane,
        };
        let old = self.image_value(op, dim, &args);
        match inst.dst(0) {
            Some((Operand::V(n), _)) => self.set_vreg(n, old),
            Some(_) => return Err(Reason::Operand("destination")),
            None => {}
        }
        Ok(())
    }

    fn image_size(&mut self, inst: &Inst, mods: ImageMods) -> Result<(), Reason> {
        let dim = ImageDim::from_number(mods.dim);
        if dim.is_multisampled() {
            return Err(Reason::Image("the size of an image of several samples"));
        }
        let mut from = Addresses {
            inst,
            mods,
            next: 0,
        };
        let mut args = from.packed(self, 1, integer)?;
        args.extend(self.descriptor(inst, 1, 8)?);
        self.set_components(inst, mods.dmask, |lift, component| {
            lift.image_value(ImageOp::Size { component }, dim, &args)
        })
    }
}

//! Images and samplers get their numbers: the words of each descriptor are traced to where they come from,
//! and the caller's map says where that is bound. Before: image operations name descriptors by words. After:
//! by number, with the index of a table's entry behind the operands; or the reason why not is noted. May not
//! touch: anything else.

use spirdna_isa::image::ImageDim;
use spirdna_isa::stage::ColorClass;

use super::trace::{Traced, Tracer};
use crate::bindings::{ImageFact, Resource, ResourceKind, ResourceMap};
use crate::error::Reason;
use crate::ir::image::{ImageAccess, ImageOp, Lod};
use crate::ir::{Func, Inst, Loc, Op, Value};
use crate::recipe::Recipe;

const BUILT: Reason = Reason::Descriptor(
    "it does not come from user SGPRs and loads at known offsets or entries of a table",
);

/// What an image operation uses.
struct Use {
    inst: Inst,
    loc: Loc,
    access: ImageAccess,
    image: Traced,
    sampler: Option<Traced>,
}

/// What was found.
#[derive(Default)]
pub(super) struct Bound {
    /// Images and samplers, by number.
    pub images: Vec<(Resource, ImageFact)>,
    /// What could not be bound, by place.
    pub refused: Vec<(Loc, Reason)>,
}

/// Binds the images of a program. `halves`: where components are halves, which lift has taken for floats.
/// `listing`: what is not in the map is listed, and nothing is changed.
pub(super) fn run(func: &mut Func, map: &ResourceMap, halves: &[Loc], listing: bool) -> Bound {
    let mut bound = Bound::default();
    let uses = uses(func, &mut bound.refused);
    for used in &uses {
        let number = bind(func, map, listing, used, &uses, &mut bound);
        let class = number.map(|n| bound.images.get(usize::from(n)).map(|(_, fact)| fact.class));
        let reason = match class {
            Ok(Some(ColorClass::Uint | ColorClass::Sint)) if halves.contains(&used.loc) => {
                Reason::Unsettled("what becomes of an integer texel's upper half with d16")
            }
            Ok(_) => continue,
            Err(reason) => reason,
        };
        bound.refused.push((used.loc, reason));
    }
    bound
}

/// Every image operation with its descriptors.
fn uses(func: &Func, refused: &mut Vec<(Loc, Reason)>) -> Vec<Use> {
    let mut uses = Vec::new();
    let mut tracer: Option<Tracer<'_>> = None;
    let mut known: Vec<(Vec<Value>, Option<Traced>)> = Vec::new();
    for block in func.blocks() {
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            let Op::Image(access) = data.op else { continue };
            let tracer = tracer.get_or_insert_with(|| Tracer::new(func));
            let mut trace = |words: &[Value]| {
                if let Some((_, traced)) = known.iter().find(|(of, _)| of == words) {
                    return traced.clone();
                }
                let traced = tracer.recipe(words);
                known.push((words.to_vec(), traced.clone()));
                traced
            };
            let first = usize::from(access.op.is_guarded()) + access.operands();
            let words = data.args.get(first..).unwrap_or_default();
            let (image, sampler) = words.split_at(words.len().min(8));
            let image = trace(image);
            let sampled = access.op.is_sampled();
            let sampler = if sampled { trace(sampler) } else { None };
            match (image, sampler) {
                (Some(image), sampler) if sampler.is_some() == sampled => uses.push(Use {
                    inst,
                    loc: data.loc,
                    access,
                    image,
                    sampler,
                }),
                _ => refused.push((data.loc, BUILT)),
            }
        }
    }
    uses
}

fn bind(
    func: &mut Func,
    map: &ResourceMap,
    listing: bool,
    used: &Use,
    all: &[Use],
    bound: &mut Bound,
) -> Result<u8, Reason> {
    let Use {
        inst,
        mut access,
        ref image,
        ref sampler,
        ..
    } = *used;
    let written = all
        .iter()
        .any(|other| other.access.op.writes() && other.image.recipe == image.recipe);
    let kind = image_kind(access, &image.recipe, written, all, map);
    if let ImageOp::Load {
        level, read_only, ..
    } = &mut access.op
    {
        let storage = matches!(kind, ResourceKind::Storage { .. });
        if storage && *level {
            return Err(Reason::Image("a level of a storage image"));
        }
        *read_only = !written;
    }
    let writes = access.op.writes();
    let reads = access.op != ImageOp::Store;
    let number = number(bound, map, listing, &image.recipe, kind, (reads, writes))?;
    access.image = Some(number);
    access.image_index = image.index.is_some();
    if let Some(sampler) = sampler {
        let compare = match access.op {
            ImageOp::Sample { form, .. } | ImageOp::Gather { form, .. } => form.compare,
            _ => false,
        };
        // The instruction says so, or the S# does.
        let in_texels = ResourceKind::Sampler {
            compare,
            unnormalized: true,
        };
        let unnormalized = access.texels || map.find(&sampler.recipe, in_texels).is_some();
        if unnormalized && !samples_in_texels(access) {
            return Err(Reason::Image(
                "coordinates in texels, but of a 1D or 2D image at a given level",
            ));
        }
        let kind = ResourceKind::Sampler {
            compare,
            unnormalized,
        };
        let number = self::number(bound, map, listing, &sampler.recipe, kind, (true, false))?;
        access.sampler = Some(number);
        access.sampler_index = sampler.index.is_some();
    }
    if listing {
        return Ok(number);
    }
    let data = func.inst_mut(inst);
    let operands = usize::from(access.op.is_guarded()) + access.operands();
    data.args.truncate(operands);
    data.args.extend(image.index);
    data.args.extend(sampler.as_ref().and_then(|s| s.index));
    data.op = Op::Image(access);
    Ok(number)
}

/// Whether Vulkan has such a sample with coordinates in texels.
fn samples_in_texels(access: ImageAccess) -> bool {
    match access.op {
        ImageOp::Sample { form, .. } => {
            matches!(form.lod, Lod::Zero | Lod::Level)
                && !form.compare
                && !form.offset
                && !form.clamp
                && matches!(access.dim, ImageDim::D1 | ImageDim::D2)
        }
        _ => false,
    }
}

/// What an image is used as.
fn image_kind(
    access: ImageAccess,
    recipe: &Recipe,
    written: bool,
    all: &[Use],
    map: &ResourceMap,
) -> ResourceKind {
    let dim = access.dim;
    let (sampled, storage) = (ResourceKind::Sampled { dim }, ResourceKind::Storage { dim });
    let has = |kind| map.find(recipe, kind).is_some();
    match access.op {
        ImageOp::Sample { .. } | ImageOp::Gather { .. } | ImageOp::Lod { .. } => sampled,
        ImageOp::Store | ImageOp::Atomic { .. } => storage,
        ImageOp::Load { level: true, .. } => sampled,
        ImageOp::Load { .. } if written || has(storage) => storage,
        ImageOp::Load { .. } => sampled,
        ImageOp::Size { .. } => {
            let samples =
                |other: &Use| other.access.op.is_sampled() && other.image.recipe == *recipe;
            if (written || has(storage)) && !all.iter().any(samples) {
                storage
            } else {
                sampled
            }
        }
    }
}

/// The number of a resource, which is added where it is new.
fn number(
    bound: &mut Bound,
    map: &ResourceMap,
    listing: bool,
    recipe: &Recipe,
    kind: ResourceKind,
    (reads, writes): (bool, bool),
) -> Result<u8, Reason> {
    let images = &mut bound.images;
    let known = images
        .iter()
        .position(|(r, _)| r.kind == kind && r.recipe == *recipe);
    let at = match known {
        Some(at) => at,
        None => {
            let entry = map.find(recipe, kind);
            if entry.is_none() && !listing {
                return Err(Reason::Descriptor("nobody has bound it"));
            }
            if let ResourceKind::Storage {
                dim: ImageDim::Cube,
            } = kind
            {
                return Err(Reason::Image("a storage image of a cube"));
            }
            let resource = Resource {
                recipe: recipe.clone(),
                kind,
                read: false,
                write: false,
                place: entry.map(|entry| entry.place),
            };
            let fact = entry.map(|entry| entry.fact).unwrap_or_default();
            images.push((resource, fact));
            images.len() - 1
        }
    };
    if let Some((resource, _)) = images.get_mut(at) {
        resource.read |= reads;
        resource.write |= writes;
    }
    u8::try_from(at).map_err(|_| Reason::Descriptor("too many of them"))
}

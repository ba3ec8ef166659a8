//! The images and samplers that a translated shader uses: its recipes evaluated over the case's memory, and
//! what the descriptors' words say made into what the device binds. Knows a texture only by the address that
//! its descriptor has.

use spirdna_isa::descriptor::DstSel;
use spirdna_isa::image::ImageDim;
use spirdna_isa::image_descriptor::{ImageDescriptor, SamplerDescriptor};
use spirdna_isa::stage::ColorClass;
use spirdna_translate::bindings::{ImageFact, Mapped, Place, ResourceKind, ResourceMap};
use spirdna_translate::pipeline::resources;
use spirdna_translate::program::Program;
use spirdna_translate::resources::DescriptorFacts;
use spirdna_vulkan::draw::{
    Border, Component, FormatClass, IDENTITY, Sampler, Texture, TextureShape, TextureUse, Wrap,
};

use super::DrawCase;
use super::textures::format_code;
use crate::case::Dispatch;
use crate::exec::RunError;
use crate::memory::GuestMemory;

/// First binding of images and samplers in a shader's set, behind the module's own buffers.
const FIRST_BINDING: u32 = 32;

/// What a shader's images and samplers are bound to.
pub(super) struct Bound {
    /// What the translator is told.
    pub(super) map: ResourceMap,
    /// What the device is given.
    pub(super) textures: Vec<Texture>,
}

/// Binds all images and samplers of a shader in descriptor set `set`.
///
/// # Errors
/// A descriptor cannot be evaluated, names no texture of the case, or says what has no counterpart.
pub(super) fn bind(
    case: &DrawCase,
    shader: &Dispatch,
    facts: &DescriptorFacts,
    set: u32,
) -> Result<Bound, RunError> {
    let mut bound = Bound {
        map: ResourceMap::default(),
        textures: Vec::new(),
    };
    let launch = &shader.launch;
    // What cannot be decoded or lifted is refused when it is translated.
    let decoded = Program::decode_at(
        launch.target,
        &shader.code,
        launch.code_address,
        launch.entry,
    );
    let Ok(Ok(all)) = decoded.map(|program| resources(&program, launch, facts)) else {
        return Ok(bound);
    };
    for resource in all {
        if resource.kind == ResourceKind::Buffer {
            continue;
        }
        if resource.recipe.is_table() {
            return Err(RunError::Unsupported(format!(
                "{}: a table of images or samplers",
                resource.recipe
            )));
        }
        let mut read = |address| dword(&case.memory, address);
        let words = resource
            .recipe
            .evaluate(&shader.user_sgprs, 0, &mut read)
            .map_err(|e| RunError::BadShader(format!("{}: {e}", resource.recipe)))?;
        let place = Place {
            set,
            binding: FIRST_BINDING + bound.textures.len() as u32,
            count: 1,
        };
        let (texture, fact) = match resource.kind {
            ResourceKind::Sampler { compare, .. } => {
                let words = words_of(&words)?;
                let sampler = sampler(SamplerDescriptor { words }, compare)?;
                let texture = Texture {
                    set,
                    binding: place.binding,
                    usage: TextureUse::SamplerOnly(sampler),
                    image: None,
                    shape: TextureShape::D2,
                    components: IDENTITY,
                };
                (texture, ImageFact::default())
            }
            ResourceKind::Sampled { dim } => {
                let descriptor = ImageDescriptor {
                    words: words_of(&words)?,
                };
                view(case, descriptor, dim, place, false)?
            }
            ResourceKind::Storage { dim } => {
                let descriptor = ImageDescriptor {
                    words: words_of(&words)?,
                };
                view(case, descriptor, dim, place, true)?
            }
            ResourceKind::Buffer => continue,
        };
        bound.textures.push(texture);
        bound.map.entries.push(Mapped {
            recipe: resource.recipe,
            kind: resource.kind,
            place,
            fact,
        });
    }
    Ok(bound)
}

fn dword(memory: &GuestMemory, address: u64) -> Option<u32> {
    let mut bytes = [0; 4];
    memory.read(address, &mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}

fn words_of<const N: usize>(words: &[u32]) -> Result<[u32; N], RunError> {
    words
        .try_into()
        .map_err(|_| RunError::Internal(format!("a descriptor of {} words", words.len())))
}

/// The view of a T#, and what the translator is told of it.
fn view(
    case: &DrawCase,
    descriptor: ImageDescriptor,
    dim: ImageDim,
    place: Place,
    storage: bool,
) -> Result<(Texture, ImageFact), RunError> {
    let bad = |text: String| RunError::BadShader(format!("T# {:08x?}: {text}", descriptor.words));
    let found = case.textures.iter().position(|texture| {
        let region = case.memory.get(texture.region);
        region.is_some_and(|region| region.base() == descriptor.base())
    });
    let image = found.ok_or_else(|| bad("its address is no texture's".to_owned()))?;
    let texture = case.textures.get(image);
    let texture = texture.ok_or_else(|| bad("no texture".to_owned()))?;
    let [width, height, _] = texture.size;
    let (_, last) = descriptor.levels();
    if format_code(texture.format) != Some(descriptor.format_code())
        || (descriptor.width(), descriptor.height()) != (width, height)
        || last + 1 != texture.levels
    {
        return Err(bad(format!("it is not the texture {texture:?}")));
    }
    let shape = match (dim, storage) {
        (ImageDim::D1, _) => TextureShape::D1,
        (ImageDim::D2, _) => TextureShape::D2,
        (ImageDim::D3, _) => TextureShape::D3,
        (ImageDim::Cube, false) => TextureShape::CubeArray,
        (ImageDim::Cube, true) | (ImageDim::D2Array, _) => TextureShape::D2Array,
        (ImageDim::D1Array, _) => TextureShape::D1Array,
        (ImageDim::D2Msaa | ImageDim::D2MsaaArray, _) => {
            return Err(RunError::Unsupported(
                "textures of several samples".to_owned(),
            ));
        }
    };
    let selects = descriptor.selects();
    let fact = ImageFact {
        class: match texture.format.class() {
            FormatClass::Uint => ColorClass::Uint,
            FormatClass::Sint => ColorClass::Sint,
            FormatClass::Float | FormatClass::Depth => ColorClass::Float,
        },
        dst_sel: selects,
        // Atomics want it declared, and loads where the device needs it.
        format: if storage { descriptor.format_code() } else { 0 },
    };
    let texture = Texture {
        set: place.set,
        binding: place.binding,
        usage: if storage {
            TextureUse::Storage
        } else {
            TextureUse::Sampled
        },
        image: Some(image),
        shape,
        components: if storage {
            IDENTITY
        } else {
            selects.map(component)
        },
    };
    Ok((texture, fact))
}

fn component(select: DstSel) -> Component {
    match select {
        DstSel::One => Component::One,
        DstSel::Component(0) => Component::R,
        DstSel::Component(1) => Component::G,
        DstSel::Component(2) => Component::B,
        DstSel::Component(3) => Component::A,
        _ => Component::Zero,
    }
}

/// The sampler of an S#.
fn sampler(descriptor: SamplerDescriptor, compare: bool) -> Result<Sampler, RunError> {
    let bad = |text: &str| RunError::Unsupported(format!("S# {:08x?}: {text}", descriptor.words));
    let mut wrap = [Wrap::Repeat; 3];
    for (to, clamp) in wrap.iter_mut().zip(descriptor.clamp()) {
        *to = match clamp {
            0 => Wrap::Repeat,
            1 => Wrap::Mirror,
            2 => Wrap::ClampEdge,
            6 => Wrap::ClampBorder,
            _ => return Err(bad("clamping that Vulkan does not have")),
        };
    }
    let linear = match descriptor.filters() {
        (0, 0) => false,
        (1, 1) => true,
        _ => return Err(bad("filters that differ, or are anisotropic")),
    };
    let fixed = |n: u32| n as f32 / 256.0;
    let (least, most) = descriptor.lod();
    Ok(Sampler {
        linear,
        linear_mip: match descriptor.mip_filter() {
            1 => false,
            2 => true,
            _ => return Err(bad("no filter between levels")),
        },
        wrap,
        lod_bias: descriptor.lod_bias() as f32 / 256.0,
        lod: [fixed(least), fixed(most)],
        compare: compare.then(|| descriptor.compare()),
        unnormalized: descriptor.unnormalized(),
        border: match descriptor.border() {
            0 => Border::TransparentBlack,
            1 => Border::OpaqueBlack,
            2 => Border::OpaqueWhite,
            _ => return Err(bad("a border colour from a table")),
        },
    })
}

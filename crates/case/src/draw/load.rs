//! Reads a draw file and what it names, checks it, and resolves it to a [`DrawCase`]. Knows no device.

use std::path::Path;

use spirdna_isa::stage::{ColorClass, PixelRegisters, PrimitiveNumber, VertexRegisters};
use spirdna_isa::{Target as Isa, WaveSize};
use spirdna_vulkan::draw::{Attribute, Format, FormatClass, Topology};

use super::format::{
    ColorSpec, DrawFile, FormsFile, IndexSpec, OriginalDrawSpec, PixelSpec, TopologySpec,
    VertexSpec,
};
use super::{Depth, DrawCase, OriginalDraw, Target};
use super::{sets, textures};
use crate::case::Dispatch;
use crate::code::{MAX_CODE_BYTES, read_file, spirv_words};
use crate::error::{CaseError, Problem};
use crate::format::{Int64, ScratchVia, SgprSpec};
use crate::launch::{read_words, user_sgprs};
use crate::load::{Loader, MAX_CASE_BYTES};
use crate::memory::RegionId;

/// Width and height of targets at most.
const MAX_EXTENT: u32 = 4096;
/// Vertices and instances at most.
const MAX_COUNT: u32 = 1 << 20;
/// User SGPRs of a stage.
const MAX_USER_SGPRS: u64 = 32;

impl DrawCase {
    /// Reads and resolves a draw file: a draw, or one for each form of its shaders.
    ///
    /// # Errors
    /// The file, or one that it names, cannot be used; the error names file and key.
    pub fn load(path: &Path) -> Result<Vec<DrawCase>, CaseError> {
        let file: DrawFile = parse(path)?;
        let name = path.file_name().map_or_else(String::new, |n| {
            let name = n.to_string_lossy();
            let name = name.strip_suffix(".toml").unwrap_or(&name);
            name.strip_suffix(".draw").unwrap_or(name).to_owned()
        });
        let loader = Loader::new(path);
        match (&file.target, &file.vertex, &file.pixel, &file.forms) {
            (Some(target), Some(vertex), Some(pixel), None) => {
                let shaders = Shaders {
                    target,
                    vertex,
                    pixel,
                    primitive_number: file.primitive_number,
                };
                Ok(vec![resolve(path, name, &file, &shaders)?])
            }
            (None, None, None, Some(forms)) => {
                let forms: FormsFile = parse(&loader.beside(forms))?;
                forms
                    .form
                    .iter()
                    .map(|form| {
                        let shaders = Shaders {
                            target: &form.target,
                            vertex: &form.vertex,
                            pixel: &form.pixel,
                            primitive_number: form.primitive_number,
                        };
                        resolve(path, format!("{name}.{}", form.name), &file, &shaders)
                    })
                    .collect()
            }
            _ => {
                let of = "forms, and target, vertex and pixel";
                Err(loader.error("", Problem::OneOf { of, have: 2 }))
            }
        }
    }
}

/// The topology that a file names.
pub fn topology(spec: TopologySpec) -> Topology {
    match spec {
        TopologySpec::Points => Topology::PointList,
        TopologySpec::Lines => Topology::LineList,
        TopologySpec::Triangles => Topology::TriangleList,
        TopologySpec::Strip => Topology::TriangleStrip,
    }
}

fn parse<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, CaseError> {
    let bytes = read_file(path, MAX_CASE_BYTES)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Problem::NotText.at(path, ""))?;
    toml::from_str(text)
        .map_err(|e| Problem::Toml(e.to_string().trim_end().to_owned()).at(path, ""))
}

/// A form of a draw's shaders.
struct Shaders<'f> {
    target: &'f str,
    vertex: &'f VertexSpec,
    pixel: &'f PixelSpec,
    primitive_number: Option<[u8; 2]>,
}

/// A draw with one form of its shaders.
fn resolve(
    path: &Path,
    name: String,
    file: &DrawFile,
    shaders: &Shaders<'_>,
) -> Result<DrawCase, CaseError> {
    let mut loader = Loader::new(path);
    loader.regions(&file.memory)?;
    sets::place(&mut loader, file)?;
    let target = Isa::from_name(shaders.target).ok_or_else(|| {
        let problem = Problem::Unknown {
            value: shaders.target.to_owned(),
            known: Isa::ALL.map(Isa::name).join(", "),
        };
        loader.error("target", problem)
    })?;
    let mut colors = Vec::new();
    for (i, spec) in file.color.iter().enumerate() {
        colors.push(color(&loader, spec, &format!("color[{i}]"))?);
    }
    let vertex = vertex(&mut loader, shaders, target)?;
    let pixel = pixel(&mut loader, shaders, target, &colors)?;
    let draw = &file.draw;
    for (name, value, limit) in [
        ("draw.size", draw.size[0], MAX_EXTENT),
        ("draw.size", draw.size[1], MAX_EXTENT),
        ("draw.layers", draw.layers, 16),
        ("draw.viewports", draw.viewports.len() as u32, 16),
        ("draw.vertices", draw.vertices, MAX_COUNT),
        ("draw.instances", draw.instances, MAX_COUNT),
        ("color", file.color.len() as u32, 8),
    ] {
        if value > limit {
            let (value, limit) = (value.into(), limit.into());
            return Err(loader.error(name, Problem::Limit { value, limit }));
        }
    }
    let indices = match &draw.indices {
        Some(spec) => Some(indices(&loader, spec)?),
        None => None,
    };
    let mut all_textures = Vec::new();
    for (i, spec) in file.texture.iter().enumerate() {
        all_textures.push(textures::load(&loader, spec, &format!("texture[{i}]"))?);
    }
    let original = match &file.original {
        Some(spec) => Some(original(&loader, spec)?),
        None => None,
    };
    Ok(DrawCase {
        path: path.to_owned(),
        name,
        vertex,
        pixel,
        memory: loader.memory,
        size: draw.size,
        samples: draw.samples,
        layers: draw.layers,
        viewports: draw.viewports.clone(),
        topology: topology(draw.topology),
        vertices: (draw.first_vertex, draw.vertices),
        indices,
        instances: (draw.first_instance, draw.instances),
        colors,
        depth: file.depth.as_ref().map(|spec| Depth {
            clear: spec.clear,
            compare: spec.compare,
            step: spec.step,
        }),
        textures: all_textures,
        samplers: file
            .sampler
            .iter()
            .map(|spec| (spec.binding, textures::sampler(&spec.sampler)))
            .collect(),
        original,
    })
}

fn indices(loader: &Loader, spec: &IndexSpec) -> Result<(RegionId, bool), CaseError> {
    let (region, _) = loader.region(&spec.memory, "draw.indices.memory")?;
    match spec.bits {
        16 => Ok((region, false)),
        32 => Ok((region, true)),
        bits => {
            let (value, known) = (bits.to_string(), "16, 32".to_owned());
            Err(loader.error("draw.indices.bits", Problem::Unknown { value, known }))
        }
    }
}

pub(super) fn format(loader: &Loader, name: &str, key: &str) -> Result<Format, CaseError> {
    Format::from_name(name).ok_or_else(|| {
        let problem = Problem::Unknown {
            value: name.to_owned(),
            known: "Vulkan's names, as `R8G8B8A8Unorm`".to_owned(),
        };
        loader.error(format!("{key}.format"), problem)
    })
}

fn color(loader: &Loader, spec: &ColorSpec, key: &str) -> Result<Target, CaseError> {
    let format = format(loader, &spec.format, key)?;
    let bytes = format.bytes() as usize;
    let pixels = spec.pixels.iter().map(|pixel| {
        let mut value: Vec<u8> = pixel.bits.iter().flat_map(|w| w.to_le_bytes()).collect();
        value.resize(bytes, 0);
        (pixel.at, value)
    });
    Ok(Target {
        format,
        clear: spec.clear,
        step: spec.step,
        within: spec.within,
        off: spec.off,
        pixels: pixels.collect(),
    })
}

/// A register's value.
fn word(loader: &Loader, value: Int64, key: &str) -> Result<u32, CaseError> {
    u32::try_from(value.0).map_err(|_| {
        let problem = Problem::Limit {
            value: value.0,
            limit: u32::MAX.into(),
        };
        loader.error(key, problem)
    })
}

fn wave_size(loader: &Loader, lanes: u32, key: &str) -> Result<WaveSize, CaseError> {
    WaveSize::from_lanes(lanes).ok_or_else(|| {
        let problem = Problem::Unknown {
            value: lanes.to_string(),
            known: "32, 64".to_owned(),
        };
        loader.error(format!("{key}.wave"), problem)
    })
}

/// What is alike in both stages.
struct Stage<'s> {
    key: &'static str,
    lanes: u32,
    code: &'s Option<String>,
    asm: &'s Option<String>,
    sgprs: &'s [SgprSpec],
}

/// A dispatch without its launch, which the stage's registers make with RSRC2's count of user SGPRs.
fn dispatch(
    loader: &mut Loader,
    stage: &Stage<'_>,
    target: Isa,
    launch: impl FnOnce(&Loader, WaveSize, u32) -> Result<spirdna_isa::launch::Launch, CaseError>,
) -> Result<Dispatch, CaseError> {
    let key = stage.key;
    let wave = wave_size(loader, stage.lanes, key)?;
    let (code, asm) = (stage.code.as_deref(), stage.asm.as_deref());
    if code.is_some() == asm.is_some() {
        let have = usize::from(code.is_some()) + usize::from(asm.is_some());
        let of = "code and asm";
        return Err(loader.error(key, Problem::OneOf { of, have }));
    }
    let words = read_words(loader, target, wave, code, asm, key)?;
    let (user, pointers) = user_sgprs(loader, stage.sgprs, key)?;
    let count = user.len() as u64;
    if count > MAX_USER_SGPRS {
        let problem = Problem::Limit {
            value: count,
            limit: MAX_USER_SGPRS,
        };
        return Err(loader.error(format!("{key}.sgprs"), problem));
    }
    let count = count as u32;
    let rsrc2 = (count & 31) << 1 | (count >> 5 & 1) << 27;
    let launch = launch(loader, wave, rsrc2)?;
    Ok(Dispatch {
        code: words,
        launch,
        user_sgprs: user,
        pointers,
        groups: [1, 1, 1],
        threads: [1, 1, 1],
        scratch_via: ScratchVia::FlatScratch,
    })
}

/// Where the primitive's number goes from stage to stage.
fn primitive_number(shaders: &Shaders<'_>) -> Option<PrimitiveNumber> {
    let [param, component] = shaders.primitive_number?;
    Some(PrimitiveNumber { param, component })
}

fn vertex(loader: &mut Loader, shaders: &Shaders<'_>, target: Isa) -> Result<Dispatch, CaseError> {
    let spec = shaders.vertex;
    let stage = Stage {
        key: "vertex",
        lanes: spec.wave,
        code: &spec.code,
        asm: &spec.asm,
        sgprs: &spec.sgprs,
    };
    dispatch(loader, &stage, target, |loader, wave, rsrc2| {
        let registers = VertexRegisters {
            rsrc1: word(loader, spec.rsrc1, "vertex.rsrc1")?,
            rsrc2,
            out_cntl: word(loader, spec.out_cntl, "vertex.out_cntl")?,
            merged: spec.merged,
            primitive_number: primitive_number(shaders),
        };
        registers
            .launch(target, wave)
            .map_err(|e| loader.error("vertex", Problem::Registers(e)))
    })
}

fn pixel(
    loader: &mut Loader,
    shaders: &Shaders<'_>,
    target: Isa,
    colors: &[Target],
) -> Result<Dispatch, CaseError> {
    let spec = shaders.pixel;
    let stage = Stage {
        key: "pixel",
        lanes: spec.wave,
        code: &spec.code,
        asm: &spec.asm,
        sgprs: &spec.sgprs,
    };
    let mut classes = [ColorClass::Float; 8];
    for (class, target) in classes.iter_mut().zip(colors) {
        *class = match target.format.class() {
            FormatClass::Uint => ColorClass::Uint,
            FormatClass::Sint => ColorClass::Sint,
            FormatClass::Float | FormatClass::Depth => ColorClass::Float,
        };
    }
    dispatch(loader, &stage, target, |loader, wave, rsrc2| {
        let get = |value, key| word(loader, value, key);
        let cntl = spec.input_cntl.iter();
        let registers = PixelRegisters {
            rsrc1: get(spec.rsrc1, "pixel.rsrc1")?,
            rsrc2,
            input_ena: get(spec.input_ena, "pixel.input_ena")?,
            input_addr: get(spec.input_addr, "pixel.input_addr")?,
            input_cntl: cntl
                .map(|&v| get(v, "pixel.input_cntl"))
                .collect::<Result<_, _>>()?,
            baryc_cntl: get(spec.baryc_cntl, "pixel.baryc_cntl")?,
            col_format: get(spec.col_format, "pixel.col_format")?,
            z_format: get(spec.z_format, "pixel.z_format")?,
            interp_control: get(spec.interp_control, "pixel.interp_control")?,
            primitive_number: primitive_number(shaders),
            colors: classes,
            db_shader_control: get(spec.db_shader_control, "pixel.db_shader_control")?,
        };
        registers
            .launch(target, wave)
            .map_err(|e| loader.error("pixel", Problem::Registers(e)))
    })
}

fn module(loader: &Loader, name: &str) -> Result<Vec<u32>, CaseError> {
    let path = loader.beside(name);
    let bytes = read_file(&path, MAX_CODE_BYTES)?;
    spirv_words(&bytes).map_err(|p| p.at(&path, ""))
}

fn original(loader: &Loader, spec: &OriginalDrawSpec) -> Result<OriginalDraw, CaseError> {
    let mut bindings = Vec::new();
    for (i, binding) in spec.bindings.iter().enumerate() {
        let key = format!("original.bindings[{i}].memory");
        let (id, _) = loader.region(&binding.memory, &key)?;
        bindings.push((id, binding.clone()));
    }
    let mut vertex_buffers = Vec::new();
    for (i, buffer) in spec.vertex_buffers.iter().enumerate() {
        let key = format!("original.vertex_buffers[{i}].memory");
        let (id, _) = loader.region(&buffer.memory, &key)?;
        vertex_buffers.push((id, buffer.binding, buffer.stride, buffer.per_instance));
    }
    let mut attributes = Vec::new();
    for (i, a) in spec.attributes.iter().enumerate() {
        attributes.push(Attribute {
            location: a.location,
            binding: a.binding,
            format: format(loader, &a.format, &format!("original.attributes[{i}]"))?,
            offset: a.offset,
        });
    }
    Ok(OriginalDraw {
        vertex: module(loader, &spec.vertex)?,
        fragment: module(loader, &spec.fragment)?,
        push: spec.push.clone(),
        bindings,
        vertex_buffers,
        attributes,
    })
}

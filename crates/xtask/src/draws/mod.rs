//! `cargo xtask draws`: makes the modules, the code and the forms of every draw file under
//! `seeds/lab/graphics/` again: GLSL to SPIR-V, and RADV's compiler on its null device to machine code, in
//! each form. Owns the order of the tools and what files are called; the draw files themselves are written by
//! hand.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use spirdna_case::draw::format::{DrawFile, TopologySpec};
use spirdna_case::draw::{sampler, shape, topology};
use spirdna_isa::Target;
use spirdna_lab::radv;
use spirdna_vulkan::BufferKind;
use spirdna_vulkan::draw::{
    Attachment, Attribute, DepthState, Draw, DrawBuffer, Format, IDENTITY, StageModule, Texture,
    TextureShape, TextureUse, VertexBuffer,
};
use spirdna_vulkan::listing::Compiler;

use entry::{Pixel, Sgpr, Texts, Vertex};

mod entry;
mod knot;

/// The texts that the driver gives of a stage.
const TEXTS: [&str; 3] = ["NIR Shader(s)", "ACO IR", "Assembly"];

/// How RADV makes shaders.
#[derive(Clone, Copy)]
struct Form {
    target: Target,
    family: &'static str,
    /// `nongg`: the VS stage; `nonggc`: NGG; `ngg`: NGG with culling.
    stage: &'static str,
    wave: u32,
}

impl Form {
    /// All of them. On gfx10.1 RADV culls in no NGG shader.
    fn all() -> Vec<Form> {
        let mut all = Vec::new();
        for &(_, family, target) in &radv::FAMILIES {
            for stage in ["nongg", "nonggc", "ngg"] {
                for wave in [32, 64] {
                    if stage != "ngg" || target == Target::Gfx1030 {
                        all.push(Form {
                            target,
                            family,
                            stage,
                            wave,
                        });
                    }
                }
            }
        }
        all
    }

    fn name(&self) -> String {
        format!("{}.{}.w{}", self.target.name(), self.stage, self.wave)
    }

    fn environment(&self, command: &mut Command) {
        radv::environment(command, self.family);
        let debug = if self.stage == "ngg" { "" } else { self.stage };
        let wave32 = "pswave32,gewave32";
        command
            .env("RADV_DEBUG", debug)
            .env("RADV_PERFTEST", if self.wave == 32 { wave32 } else { "" });
    }
}

/// Makes the draws in the folders of these names (all when empty).
pub fn run(root: &Path, only: &[String]) -> Result<()> {
    let graphics = root.join("seeds/lab/graphics");
    let mut folders: Vec<PathBuf> = fs::read_dir(&graphics)
        .with_context(|| graphics.display().to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    for folder in folders {
        let name = file_name(&folder);
        if only.is_empty() || only.contains(&name) {
            make(&folder).with_context(|| name.clone())?;
            eprintln!("draws: {name}");
        }
    }
    Ok(())
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

fn make(folder: &Path) -> Result<()> {
    if file_name(folder) == "knot" {
        knot::write(folder)?;
    }
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    for source in &files {
        if source
            .extension()
            .is_some_and(|e| e == "vert" || e == "frag")
        {
            let mut spirv = source.clone().into_os_string();
            spirv.push(".spv");
            tool(
                Command::new("glslangValidator")
                    .args(["-V", "--target-env", "vulkan1.1", "-o"])
                    .arg(&spirv)
                    .arg(source),
            )?;
        }
    }
    // Draws that differ in nothing that the driver compiles or programs may share their forms.
    let mut shared: HashMap<String, String> = HashMap::new();
    for draw in &files {
        if !file_name(draw).ends_with(".draw.toml") {
            continue;
        }
        let file = parse(draw)?;
        let Some(forms) = &file.forms else { continue };
        let name = forms.strip_suffix(".forms.toml");
        let name = name.with_context(|| format!("{forms} is no *.forms.toml"))?;
        let text = make_forms(folder, name, draw, &file)?;
        fs::write(folder.join(forms), &text)?;
        let before = shared.insert(forms.clone(), text.clone());
        ensure!(
            before.is_none_or(|before| before == text),
            "{} has other forms than the draw before it",
            draw.display()
        );
    }
    Ok(())
}

fn read_module(path: &Path) -> Result<Vec<u32>> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let words = bytes.chunks_exact(4);
    Ok(words
        .filter_map(|c| c.try_into().ok().map(u32::from_le_bytes))
        .collect())
}

fn parse(path: &Path) -> Result<DrawFile> {
    let text = fs::read_to_string(path)?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

/// Writes the code of a draw's forms and gives the file of forms.
fn make_forms(folder: &Path, name: &str, draw: &Path, file: &DrawFile) -> Result<String> {
    for old in fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())) {
        let old_name = file_name(&old);
        if old_name.starts_with(&format!("{name}.")) && old_name.ends_with(".bin") {
            fs::remove_file(&old)?;
        }
    }
    let original = file.original.as_ref().context("no [original]")?;
    let module = read_module(&folder.join(&original.fragment))?;
    let mut written: HashMap<Vec<u32>, String> = HashMap::new();
    let mut text = "# Written by `cargo xtask draws`.\n".to_owned();
    for form in Form::all() {
        let mut command = Command::new(std::env::current_exe()?);
        form.environment(command.arg("radv-draw").arg(draw));
        let output = tool(&mut command)?;
        let texts = |stage| -> Result<Texts<'_>> {
            let [nir, aco, assembly] = TEXTS.map(|text| section(&output, stage, text));
            Ok(Texts {
                nir: nir?,
                aco: aco?,
                assembly: assembly?,
            })
        };
        let (merged, culling) = (form.stage != "nongg", form.stage == "ngg");
        let made = || -> Result<(Vertex, Pixel, Option<usize>)> {
            let (vertex, pixel) = (texts("vertex")?, texts("fragment")?);
            let params = entry::params(vertex.nir, pixel.nir)?;
            Ok((
                entry::vertex(&vertex, file, merged, culling)?,
                entry::pixel(&pixel, file, &module, form.target, &params)?,
                entry::primitive_number(&params),
            ))
        };
        let (vertex, pixel, primitive) = made().with_context(|| form.name())?;
        // Not every shader is culled.
        if culling && written.contains_key(&vertex.words) {
            continue;
        }
        let mut code = |words: &[u32], stage: &str| -> Result<String> {
            if let Some(name) = written.get(words) {
                return Ok(name.clone());
            }
            let name = format!("{name}.{}.{stage}.bin", form.name());
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            fs::write(folder.join(&name), bytes)?;
            written.insert(words.to_vec(), name.clone());
            Ok(name)
        };
        let (vertex_code, pixel_code) = (code(&vertex.words, "vert")?, code(&pixel.words, "frag")?);
        let wave = form.wave;
        write!(
            text,
            "\n[[form]]\nname = \"{}\"\ntarget = \"{}\"\n{}\n\
             [form.vertex]\nwave = {wave}\ncode = \"{vertex_code}\"\nmerged = {merged}\n\
             sgprs = [{}]\nout_cntl = 0x{:x}\n\n\
             [form.pixel]\nwave = {wave}\ncode = \"{pixel_code}\"\nsgprs = [{}]\n\
             input_ena = 0x{:x}\ninput_addr = 0x{:x}\ninput_cntl = [{}]\n\
             baryc_cntl = 0x{:x}\ncol_format = 0x{:x}\nz_format = 0x{:x}\n\
             db_shader_control = 0x{:x}\n",
            form.name(),
            form.target.name(),
            primitive.map_or_else(String::new, |n| format!("primitive_number = [{n}, 0]\n")),
            sgprs(&vertex.sgprs),
            vertex.out_cntl,
            sgprs(&pixel.sgprs),
            pixel.input,
            pixel.input,
            list(pixel.input_cntl.iter().map(|w| format!("0x{w:x}"))),
            pixel.baryc_cntl,
            pixel.col_format,
            pixel.z_format,
            pixel.db_shader_control,
        )?;
        if file.draw.topology == TopologySpec::Points {
            writeln!(text, "interp_control = 0x{:x}", entry::INTERP_CONTROL)?;
        }
    }
    Ok(text)
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn sgprs(all: &[Sgpr]) -> String {
    list(all.iter().map(|sgpr| match sgpr {
        Sgpr::Value(value) => format!("0x{value:x}"),
        Sgpr::Low(region) => format!("{{ lo = \"{region}\" }}"),
    }))
}

/// A text of a stage in what `radv_draw` prints.
fn section<'t>(output: &'t str, stage: &str, text: &str) -> Result<&'t str> {
    let marker = format!("== {stage} {text}\n");
    let (_, rest) = output
        .split_once(&marker)
        .with_context(|| format!("the driver gives no {text} of the {stage} shader"))?;
    Ok(rest.split("\n== ").next().unwrap_or_default())
}

/// Prints what the first device's driver makes of a draw's original modules: each text of a stage behind a
/// line that names both.
pub fn radv_draw(path: &Path) -> Result<()> {
    let file = parse(path)?;
    let original = file.original.as_ref().context("no [original]")?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let module = |name: &str| read_module(&folder.join(name));
    let (vertex, fragment) = (module(&original.vertex)?, module(&original.fragment)?);
    let stage = |spirv| StageModule {
        spirv,
        entry: "main",
    };
    let format =
        |name: &str| Format::from_name(name).with_context(|| format!("no format is called {name}"));
    let mut draw = Draw::new(stage(&vertex), stage(&fragment), Format::R8Uint);
    draw.size = file.draw.size;
    draw.samples = file.draw.samples;
    draw.layers = file.draw.layers;
    draw.viewports = file.draw.viewports.clone();
    draw.topology = topology(file.draw.topology);
    draw.push = vec![0; 4 * original.push.len()];
    draw.colors.clear();
    let attachment = |format| Attachment {
        format,
        clear: [0; 4],
        data: Vec::new(),
    };
    for color in &file.color {
        draw.colors.push(attachment(format(&color.format)?));
    }
    draw.depth = file.depth.as_ref().map(|depth| DepthState {
        attachment: attachment(Format::D32Sfloat),
        compare: depth.compare,
        write: true,
    });
    for binding in &original.bindings {
        draw.buffers.push(DrawBuffer {
            set: binding.set,
            binding: binding.binding,
            kind: if binding.uniform {
                BufferKind::Uniform
            } else {
                BufferKind::Storage
            },
            data: Vec::new(),
        });
    }
    for texture in &file.texture {
        draw.textures.push(Texture {
            set: 0,
            binding: texture.binding,
            usage: match (&texture.sampler, texture.storage) {
                (Some(spec), _) => TextureUse::Combined(sampler(spec)),
                (None, true) => TextureUse::Storage,
                (None, false) => TextureUse::Sampled,
            },
            image: None,
            shape: shape(&texture.shape).context("no such shape")?,
            components: IDENTITY,
        });
    }
    for spec in &file.sampler {
        draw.textures.push(Texture {
            set: 0,
            binding: spec.binding,
            usage: TextureUse::SamplerOnly(sampler(&spec.sampler)),
            image: None,
            shape: TextureShape::D2,
            components: IDENTITY,
        });
    }
    for buffer in &original.vertex_buffers {
        draw.vertex_buffers.push(VertexBuffer {
            binding: buffer.binding,
            stride: buffer.stride,
            per_instance: buffer.per_instance,
            data: Vec::new(),
        });
    }
    for a in &original.attributes {
        draw.attributes.push(Attribute {
            location: a.location,
            binding: a.binding,
            format: format(&a.format)?,
            offset: a.offset,
        });
    }
    let compiler = Compiler::open("NAVI").context("run `cargo xtask setup` first")?;
    let mut out = String::new();
    for executable in compiler.graphics(&draw)? {
        let stage = match (executable.vertex, executable.fragment) {
            (true, false) => "vertex",
            (false, true) => "fragment",
            _ => continue,
        };
        for name in TEXTS {
            let texts = &executable.listing.texts;
            let (_, text) = texts
                .iter()
                .find(|(n, _)| n == name)
                .with_context(|| format!("no {name}"))?;
            writeln!(out, "== {stage} {name}\n{text}")?;
        }
    }
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())?;
    Ok(())
}

/// Runs a tool and gives its standard output; a failure shows what it said.
fn tool(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot run {name}: `cargo xtask setup` installs it"))?;
    ensure!(
        output.status.success(),
        "{name} failed ({}):\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

//! `cargo xtask draws`: makes the modules and the code of every draw file under `seeds/lab/graphics/` again:
//! GLSL to SPIR-V, and RADV's compiler on its null device to machine code. Owns the order of the tools and
//! how RADV's listing becomes a code file; the draw files themselves are written by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use spirdna_case::draw::format::DrawFile;
use spirdna_vulkan::BufferKind;
use spirdna_vulkan::draw::{
    Attachment, Attribute, DepthState, Draw, DrawBuffer, Format, Sampler, StageModule, Texture,
    TextureShape, TextureUse, VertexBuffer,
};
use spirdna_vulkan::listing::Compiler;

mod listing;

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
                    .args(["-V", "--target-env", "vulkan1.3", "-o"])
                    .arg(&spirv)
                    .arg(source),
            )?;
        }
    }
    for draw in files
        .iter()
        .filter(|f| file_name(f).ends_with(".draw.toml"))
    {
        let file = parse(draw)?;
        let (Some(vertex), Some(pixel)) = (&file.vertex.code, &file.pixel.code) else {
            continue;
        };
        let text = tool(
            Command::new(std::env::current_exe()?)
                .arg("radv-draw")
                .arg(draw)
                .envs(environment(&file, vertex)?),
        )?;
        for (marker, code) in [("== vertex", vertex), ("== fragment", pixel)] {
            let part = text
                .split_once(marker)
                .with_context(|| format!("no {marker} in RADV's listing"))?
                .1;
            let part = part.split("\n== ").next().unwrap_or_default();
            let part = part.split_once('\n').map_or("", |(_, rest)| rest);
            let words = listing::code_words(part)?;
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            fs::write(folder.join(code), bytes)?;
        }
    }
    Ok(())
}

fn parse(path: &Path) -> Result<DrawFile> {
    let text = fs::read_to_string(path)?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

/// RADV's environment for a draw, whose code file's name says how it is made: `.nongg.`, `.nonggc.` or
/// `.ngg.`, and `.w32.` or `.w64.`.
fn environment(file: &DrawFile, code: &str) -> Result<Vec<(&'static str, &'static str)>> {
    let family = match file.target.as_str() {
        "gfx1030" => "navi21",
        "gfx1010" => "navi10",
        other => anyhow::bail!("no family of RADV for {other}"),
    };
    let mut all = vec![
        (
            "VK_ICD_FILENAMES",
            "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json",
        ),
        ("RADV_FORCE_FAMILY", family),
        ("MESA_SHADER_CACHE_DISABLE", "true"),
    ];
    let has = |part: &str| code.contains(part);
    let debug = match (has(".nongg."), has(".nonggc."), has(".ngg.")) {
        (true, false, false) => "nongg",
        (false, true, false) => "nonggc",
        (false, false, true) => "",
        _ => anyhow::bail!("{code}: which of nongg, nonggc and ngg?"),
    };
    all.push(("RADV_DEBUG", debug));
    ensure!(
        has(".w32.") != has(".w64."),
        "{code}: which of w32 and w64?"
    );
    all.push((
        "RADV_PERFTEST",
        if has(".w32.") {
            "pswave32,gewave32"
        } else {
            ""
        },
    ));
    Ok(all)
}

/// Prints what the first device's driver makes of a draw's original modules: each stage behind a line
/// `== vertex` or `== fragment`.
pub fn radv_draw(path: &Path) -> Result<()> {
    let file = parse(path)?;
    let original = file.original.as_ref().context("no [original]")?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let module = |name: &str| -> Result<Vec<u32>> {
        let bytes = fs::read(folder.join(name)).with_context(|| name.to_owned())?;
        let words = bytes.chunks_exact(4);
        Ok(words
            .filter_map(|c| c.try_into().ok().map(u32::from_le_bytes))
            .collect())
    };
    let (vertex, fragment) = (module(&original.vertex)?, module(&original.fragment)?);
    let stage = |spirv| StageModule {
        spirv,
        entry: "main",
    };
    let format =
        |name: &str| Format::from_name(name).with_context(|| format!("no format is called {name}"));
    let mut draw = Draw::new(stage(&vertex), stage(&fragment), Format::R8Uint);
    draw.size = file.draw.size;
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
            usage: if texture.storage {
                TextureUse::Storage
            } else {
                TextureUse::Combined(Sampler::default())
            },
            shape: TextureShape::D2,
            format: format(&texture.format)?,
            size: [1; 3],
            layers: 1,
            levels: 1,
            data: Vec::new(),
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
    let texts = compiler.graphics(&draw)?;
    let mut out = String::new();
    for text in texts {
        let stage = match (text.vertex, text.fragment) {
            (true, false) => "vertex",
            (false, true) => "fragment",
            _ => continue,
        };
        let assembly = text
            .listing
            .texts
            .iter()
            .find(|(name, _)| name == "Assembly");
        let (_, assembly) = assembly.context("no assembly")?;
        out.push_str(&format!("== {stage} wave{}\n{assembly}\n", text.wave));
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

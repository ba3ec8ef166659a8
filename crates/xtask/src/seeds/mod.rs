//! `cargo xtask seeds`: makes everything under `seeds/shaders/` again. Owns the order of the tools and
//! which files come out; the shaders' meaning is in [`models`], the case text in [`case_file`].

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

mod case_file;
mod half;
mod kernels;
mod models;
mod seed;
#[cfg(test)]
mod tests;

pub use seed::noise;
use seed::{Seed, Source};
use spirdna_lab::radv::{Answer, Request, compile_all, environment};

/// The part that RADV's null device stands for.
const FAMILY: &str = "navi21";

/// Every seed, by name, for the wave sizes that it is built for.
fn all() -> Vec<Seed> {
    let mut seeds = models::all();
    seeds.extend(kernels::all());
    seeds
}

/// Makes the seeds whose names are in `only` (all when empty) below `root`/seeds/shaders.
pub fn run(root: &Path, only: &[String]) -> Result<()> {
    let shaders = root.join("seeds/shaders");
    let seeds = all();
    for name in only {
        ensure!(
            seeds.iter().any(|s| s.name == name),
            "no seed is called {name}"
        );
    }
    for seed in &seeds {
        if only.is_empty() || only.iter().any(|name| name == seed.name) {
            make(&shaders, seed).with_context(|| format!("{} wave{}", seed.name, seed.wave))?;
            eprintln!("seeds: {} wave{}", seed.name, seed.wave);
        }
    }
    write(&shaders.join("PROVENANCE.toml"), provenance()?.as_bytes())
}

fn make(shaders: &Path, seed: &Seed) -> Result<()> {
    let folder = shaders.join(seed.name);
    match &seed.source {
        Source::Glsl { push, .. } => {
            let spirv = folder.join(format!("{}.spv", seed.name));
            tool(Command::new("glslangValidator").args(glslang_arguments(seed.name, &folder)))?;
            let request = Request {
                spirv: spirv.clone(),
                entry: "main".to_owned(),
                buffers: (0..seed.buffers.len() as u32)
                    .map(|binding| (0, binding, false))
                    .collect(),
                push_bytes: 4 * push.len() as u32,
                wave: seed.wave,
            };
            let program = std::env::current_exe()?;
            let answers = compile_all(FAMILY, &[request], &std::env::temp_dir(), &|| {
                let mut command = Command::new(&program);
                command.arg("lab-compile");
                command
            })?;
            let words = match answers.as_slice() {
                [Answer::Code(code)] => code.words.clone(),
                other => bail!("RADV: {other:?}"),
            };
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            write(&folder.join(seed.code_file()), &bytes)?;
        }
        Source::OpenCl { .. } => {
            tool(Command::new("clang-19").args(clang_arguments(seed, &folder)))?;
            // The linker marks its output executable; no host runs this file.
            let object = folder.join(seed.code_file());
            let bytes = fs::read(&object)?;
            fs::remove_file(&object)?;
            write(&object, &bytes)?;
        }
    }
    let case = folder.join(format!("{}.w{}.case.toml", seed.name, seed.wave));
    write(&case, case_file::text(seed).as_bytes())
}

fn glslang_arguments(name: &str, folder: &Path) -> Vec<PathBuf> {
    vec![
        "-V".into(),
        "--target-env".into(),
        "vulkan1.3".into(),
        "-o".into(),
        folder.join(format!("{name}.spv")),
        folder.join(format!("{name}.comp")),
    ]
}

fn clang_arguments(seed: &Seed, folder: &Path) -> Vec<PathBuf> {
    let mut arguments: Vec<PathBuf> = [
        "-x",
        "cl",
        "-cl-std=CL2.0",
        "-target",
        "amdgcn-amd-amdhsa",
        "-mcpu=gfx1030",
        "-nogpulib",
        "-O3",
        "-ffp-contract=off",
    ]
    .map(PathBuf::from)
    .to_vec();
    if seed.wave == 64 {
        arguments.push("-mwavefrontsize64".into());
    }
    arguments.push("-o".into());
    arguments.push(folder.join(seed.code_file()));
    arguments.push(folder.join(format!("{}.cl", seed.name)));
    arguments
}

/// Runs a tool and gives its standard output; a failure shows what it said.
fn tool(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot run {name}: `cargo xtask setup` installs it"))?;
    if !output.status.success() {
        bail!(
            "{name} failed ({}):\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// What made the committed files: tool versions and the command lines, in the order run.
fn provenance() -> Result<String> {
    let glslang = tool(Command::new("glslangValidator").arg("--version"))?;
    let clang = tool(Command::new("clang-19").arg("--version"))?;
    let mesa =
        tool(Command::new("dpkg-query").args(["-W", "-f=${Version}", "mesa-vulkan-drivers"]))
            .unwrap_or_else(|_| "unknown".to_owned());
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let mut command = Command::new("");
    environment(&mut command, FAMILY);
    let environment: Vec<String> = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.to_str()?, value?.to_str()?)))
        .collect();
    Ok(format!(
        "# Written by `cargo xtask seeds`, which makes every file beside the sources again.\n\
         # Sources (.comp, .cl) are this project's own, under its licence.\n\
         \n\
         [tools]\n\
         glslang = \"{}\"\n\
         mesa-vulkan-drivers = \"{}\"\n\
         clang = \"{}\"\n\
         \n\
         [glsl]\n\
         compile = \"glslangValidator -V --target-env vulkan1.3 -o NAME.spv NAME.comp\"\n\
         code = \"RADV null device, target gfx1030: the code words of the Assembly representation (VK_KHR_pipeline_executable_properties) of a compute pipeline with the required subgroup size 32 or 64\"\n\
         environment = \"{}\"\n\
         \n\
         [opencl]\n\
         compile = \"clang-19 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx1030 -nogpulib -O3 -ffp-contract=off [-mwavefrontsize64] -o NAME.wN.co NAME.cl\"\n\
         \n\
         [expectations]\n\
         source = \"plain Rust models of the sources, crates/xtask/src/seeds/models.rs and kernels.rs; never a translation\"\n",
        first(&glslang),
        mesa,
        first(&clang),
        environment.join(" "),
    ))
}

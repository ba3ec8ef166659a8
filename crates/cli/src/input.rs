//! Code from a file: raw words, a kernel of a code object, or the code of a case file.

use std::path::Path;

use spirdna_case::code::{self, MAX_CODE_BYTES};
use spirdna_case::elf::{self, CodeObject, ElfError, Kernel};
use spirdna_case::{Case, Problem};
use spirdna_isa::{Target, WaveSize};

use crate::error::CliError;

/// Code of a file.
pub(crate) struct CodeInput {
    /// The words.
    pub(crate) words: Vec<u32>,
    /// The target.
    pub(crate) target: Target,
    /// The wave size.
    pub(crate) wave: WaveSize,
    /// The kernel that they are of, in a code object.
    pub(crate) kernel: Option<Kernel>,
}

impl CodeInput {
    /// The words from which the launch's entry counts.
    pub(crate) fn image(self) -> Vec<u32> {
        match self.kernel.and_then(|kernel| kernel.image) {
            Some(image) => image.words,
            None => self.words,
        }
    }
}

/// What the command line says of a file.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The target; needed for raw words.
    pub(crate) target: Option<Target>,
    /// The wave size; 64 for raw words when absent, as for LLVM.
    pub(crate) wave: Option<WaveSize>,
    /// The kernel of a code object.
    pub(crate) kernel: Option<&'a str>,
}

/// A `--wave` argument.
pub(crate) fn parse_wave(text: &str) -> Result<WaveSize, String> {
    text.parse()
        .ok()
        .and_then(WaveSize::from_lanes)
        .ok_or_else(|| "a wave has 32 or 64 lanes".to_owned())
}

/// Whether a file is a case file, by its name.
pub(crate) fn is_case(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".case.toml")
}

/// Checks that a file's own target and wave size are those of the command line, where it has them.
pub(crate) fn agree(path: &Path, wanted: Wanted<'_>, input: &CodeInput) -> Result<(), CliError> {
    let disagrees = |have: String, want: String| {
        let problem = Problem::Disagrees { have, want };
        Err(problem.at(path, "").into())
    };
    if let Some(target) = wanted.target.filter(|&t| t != input.target) {
        return disagrees(input.target.name().to_owned(), target.name().to_owned());
    }
    if let Some(wave) = wanted.wave.filter(|&w| w != input.wave) {
        let text = |w: WaveSize| format!("waves of {}", w.lanes());
        return disagrees(text(input.wave), text(wave));
    }
    Ok(())
}

/// Reads the code of a file.
pub(crate) fn read_code(path: &Path, wanted: Wanted<'_>) -> Result<CodeInput, CliError> {
    if is_case(path) {
        let case = Case::load(path)?;
        return match case.dispatches.into_iter().next() {
            Some(mut d) => Ok(CodeInput {
                words: d.code.split_off((d.launch.entry / 4) as usize),
                target: d.launch.target,
                wave: d.launch.wave,
                kernel: None,
            }),
            None => Err(Problem::Missing.at(path, "shader").into()),
        };
    }
    let bytes = code::read_file(path, MAX_CODE_BYTES)?;
    if code::is_elf(&bytes) {
        let kernel = elf::kernel(&bytes, wanted.kernel);
        return of_kernel(path, wanted, kernel);
    }
    if wanted.kernel.is_some() {
        let text = format!("{}: --kernel needs a code object", path.display());
        return Err(CliError::Usage(text));
    }
    let words = code::words(&bytes).map_err(|p| p.at(path, ""))?;
    let target = wanted
        .target
        .ok_or_else(|| CliError::Usage(format!("{}: raw code needs --target", path.display())))?;
    Ok(CodeInput {
        words,
        target,
        wave: wanted.wave.unwrap_or(WaveSize::W64),
        kernel: None,
    })
}

/// Reads the code of a file; of a code object that has several kernels where none is named, all, each
/// with its name.
pub(crate) fn read_codes(
    path: &Path,
    wanted: Wanted<'_>,
) -> Result<Vec<(Option<String>, Result<CodeInput, CliError>)>, CliError> {
    if wanted.kernel.is_none() && !is_case(path) {
        let bytes = code::read_file(path, MAX_CODE_BYTES)?;
        if code::is_elf(&bytes) {
            let object = CodeObject::parse(&bytes).map_err(|e| Problem::Elf(e).at(path, ""))?;
            let names = object.kernels();
            if names.len() > 1 {
                return Ok(names
                    .into_iter()
                    .map(|name| {
                        let code = of_kernel(path, wanted, object.kernel(&name));
                        (Some(name), code)
                    })
                    .collect());
            }
        }
    }
    Ok(vec![(None, read_code(path, wanted))])
}

fn of_kernel(
    path: &Path,
    wanted: Wanted<'_>,
    kernel: Result<Kernel, ElfError>,
) -> Result<CodeInput, CliError> {
    let kernel = kernel.map_err(|e| Problem::Elf(e).at(path, ""))?;
    if let Some(target) = wanted.target.filter(|&t| t != kernel.target) {
        let problem = Problem::Disagrees {
            have: kernel.target.name().to_owned(),
            want: target.name().to_owned(),
        };
        return Err(problem.at(path, "").into());
    }
    Ok(CodeInput {
        words: kernel.code.clone(),
        target: kernel.target,
        wave: kernel.wave,
        kernel: Some(kernel),
    })
}

//! A prepared case: a case file with its data, and beside it what the lab knows of the shader and how its
//! results are compared. Whoever has these files needs no compiler. Knows how they are written and read,
//! and not how they are run.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::data::Place;
use crate::error::LabError;

/// Ends a case's sheet, beside its `.case.toml`.
pub const SHEET: &str = ".lab.json";

/// What the lab knows of a prepared case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sheet {
    /// The shader: its path below the folder that was given, without extension.
    pub shader: String,
    /// What it is for.
    pub point: String,
    /// `glsl` or `opencl`.
    pub language: String,
    /// The target's name.
    pub target: String,
    /// Lanes of a wave.
    pub wave: u32,
    /// Its case file, beside the sheet; `None`: it did not come so far.
    pub case: Option<String>,
    /// What ended it before it could be run.
    pub ended: Option<Ended>,
    /// Instructions of the machine code, as its compiler counts them.
    pub instructions: u64,
    /// What the AMD compiler took, in microseconds.
    pub compile_us: Option<u64>,
    /// Words of the source module.
    pub original_words: Option<usize>,
    /// Whether the source module has loops.
    pub loops: bool,
    /// The regions that are compared, with the places in them.
    pub regions: Vec<Compared>,
    /// How floats are compared: for the table.
    pub rule: String,
    /// What a rule that nobody stated comes from.
    #[serde(default)]
    pub why: String,
    /// Whether the result depends on the subgroup size.
    pub subgroup_dependent: bool,
}

/// Why a shader has no case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The source's own compiler refuses it.
    Source(String),
    /// Its head says that it is not run.
    Skip(String),
    /// The lab cannot make it.
    Lab(String),
}

/// A region that is compared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// Its name in the case.
    pub region: String,
    /// Its elements; bytes between them are compared bit for bit.
    pub places: Vec<Place>,
    /// A file of what it holds after the run, beside the sheet, where no module says it.
    pub expected: Option<String>,
}

impl Sheet {
    /// A sheet of a shader that has no case yet.
    pub fn new(shader: &str, point: &str, language: &str, target: &str, wave: u32) -> Sheet {
        Sheet {
            shader: shader.to_owned(),
            point: point.to_owned(),
            language: language.to_owned(),
            target: target.to_owned(),
            wave,
            case: None,
            ended: None,
            instructions: 0,
            compile_us: None,
            original_words: None,
            loops: false,
            regions: Vec::new(),
            rule: String::new(),
            why: String::new(),
            subgroup_dependent: false,
        }
    }

    /// The name of its files: shader, target and wave.
    pub fn stem(&self) -> String {
        let shader = self.shader.replace(['/', '\\'], ".");
        match (self.target.as_str(), self.wave) {
            ("", _) => shader,
            (target, wave) => format!("{shader}.{target}.w{wave}"),
        }
    }

    /// Writes it into a folder.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, LabError> {
        let path = folder.join(format!("{}{SHEET}", self.stem()));
        let text =
            serde_json::to_string_pretty(self).map_err(|e| LabError::Unclear(e.to_string()))?;
        write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Reads one.
    ///
    /// # Errors
    /// It cannot be read, or is none.
    pub fn read(path: &Path) -> Result<Sheet, LabError> {
        let text = std::fs::read_to_string(path).map_err(LabError::file(path))?;
        serde_json::from_str(&text)
            .map_err(|e| LabError::Unclear(format!("{}: {e}", path.display())))
    }
}

/// The sheets in a folder, in the order of their names.
///
/// # Errors
/// It cannot be read.
pub fn sheets(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let entries = std::fs::read_dir(folder).map_err(LabError::file(folder))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.to_string_lossy().ends_with(SHEET))
        .collect();
    found.sort();
    Ok(found)
}

/// Writes a file.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    std::fs::write(path, bytes).map_err(LabError::file(path))
}

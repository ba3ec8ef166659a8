//! Graphics pairs in the lab: draw files, whose shaders stand beside them in the forms that RADV makes, rendered
//! next to the modules that they were compiled from. Owns how a form is named to a child and what its row says;
//! rendering and comparing are the case's.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use spirdna_case::draw::{DrawCase, DrawRunner, Picture, judge};
use spirdna_case::exec::RunError;

use crate::error::LabError;
use crate::measure;
use crate::prepared::Sheet;
use crate::row::{Row, Verdict};

/// Ends a draw file's name.
const DRAW: &str = ".draw.toml";

/// Stands between a draw file and its form, where a child is told of both.
const FORM: char = '#';

/// A form of a draw: what a child is told, and what it is chosen by.
#[derive(Clone, Debug)]
pub struct Form {
    /// The draw's name: the file's without its end.
    pub draw: String,
    /// The target's name.
    pub target: String,
    /// Lanes of a wave.
    pub wave: u32,
    /// The draw file and the form's name.
    pub path: PathBuf,
}

/// All forms of the draw files below paths, by draw.
///
/// # Errors
/// A path or a draw file cannot be read.
pub fn forms(paths: &[PathBuf]) -> Result<Vec<Vec<Form>>, LabError> {
    let mut files = Vec::new();
    for path in paths {
        below(path, &mut files)?;
    }
    let all = files.iter().map(|file| {
        let cases = load(file)?;
        Ok(cases.iter().map(|case| form(file, case)).collect())
    });
    all.collect()
}

fn below(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), LabError> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(LabError::file(path))?;
        let mut inside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        inside.sort();
        for path in inside {
            below(&path, files)?;
        }
    } else if path.to_string_lossy().ends_with(DRAW) {
        files.push(path.to_owned());
    }
    Ok(())
}

fn load(file: &Path) -> Result<Vec<DrawCase>, LabError> {
    DrawCase::load(file).map_err(|e| LabError::Unclear(e.to_string()))
}

fn form(file: &Path, case: &DrawCase) -> Form {
    let name = file
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let draw = name.strip_suffix(DRAW).unwrap_or(&name).to_owned();
    let launch = &case.pixel.launch;
    Form {
        target: launch.target.name().to_owned(),
        wave: launch.wave.lanes(),
        path: PathBuf::from(format!("{}{FORM}{}", file.display(), case.name)),
        draw,
    }
}

/// The draw file and the name in what a child is told, if it is told of a form.
fn parts(path: &Path) -> Option<(PathBuf, String)> {
    let text = path.to_string_lossy();
    let (file, name) = text.rsplit_once(FORM)?;
    file.ends_with(DRAW)
        .then(|| (PathBuf::from(file), name.to_owned()))
}

/// Whether a child is told of a form of a draw.
pub fn is_form(path: &Path) -> bool {
    parts(path).is_some()
}

/// Runs forms on a device.
pub struct Drawer {
    runner: DrawRunner,
    /// The last file's forms, and the picture of its original modules.
    last: Option<(PathBuf, Vec<DrawCase>, Option<Picture>)>,
}

impl Drawer {
    /// Renders with this.
    pub fn new(runner: DrawRunner) -> Drawer {
        Drawer { runner, last: None }
    }

    /// The row of a form.
    pub fn row(&mut self, path: &Path) -> Row {
        let failed = |row: Row, text: String| Row {
            verdict: Verdict::Failed(text),
            ..row
        };
        let Some((file, name)) = parts(path) else {
            let row = measure::row(&Sheet::new("?", "", "graphics", "", 0), path);
            return failed(row, "no form of a draw".to_owned());
        };
        if self.last.as_ref().is_none_or(|(of, ..)| *of != file) {
            match load(&file) {
                Ok(cases) => self.last = Some((file.clone(), cases, None)),
                Err(error) => return failed(empty(&name, "", 0), error.to_string()),
            }
        }
        let found = self.last.as_mut().and_then(|(_, cases, original)| {
            let case = cases.iter().find(|case| case.name == name)?;
            Some((case, original))
        });
        match found {
            Some((case, original)) => row(&mut self.runner, &form(&file, case), case, original),
            None => failed(empty(&name, "", 0), "no such form".to_owned()),
        }
    }
}

fn empty(name: &str, target: &str, wave: u32) -> Row {
    let sheet = Sheet::new(name, "", "graphics", target, wave);
    measure::row(&sheet, Path::new(name))
}

fn row(
    runner: &mut DrawRunner,
    form: &Form,
    case: &DrawCase,
    original: &mut Option<Picture>,
) -> Row {
    let mut row = empty(&form.draw, &form.target, form.wave);
    row.case.clone_from(&case.name);
    // What stands between the target and the wave: how the vertex stage was made.
    let rest = case
        .name
        .strip_prefix(&format!("{}.{}.", form.draw, form.target));
    let stage = rest.and_then(|rest| rest.rsplit_once('.')).map(|(s, _)| s);
    row.stage = stage.map(str::to_owned);
    row.rule = rule(case);
    row.place = runner.device().info().name.clone();
    row.original_on.clone_from(&row.place);
    row.strategy = "a lane".to_owned();
    row.verdict = match render(runner, case, original, &mut row) {
        Ok(found) if found.is_empty() => Verdict::Equal,
        Ok(found) => Verdict::Differs(found.join("; ")),
        Err(RunError::Unsupported(text)) => Verdict::Refused(first(&text).to_owned()),
        Err(error) => Verdict::Failed(error.to_string()),
    };
    row
}

fn render(
    runner: &mut DrawRunner,
    case: &DrawCase,
    original: &mut Option<Picture>,
    row: &mut Row,
) -> Result<Vec<String>, RunError> {
    let (mut words, mut took) = (0, Duration::ZERO);
    for (shader, set) in [(&case.vertex, 0), (&case.pixel, 1)] {
        let begin = Instant::now();
        let (made, _) = runner.translate(case, shader, set)?;
        took += begin.elapsed();
        words += made.words.len();
        row.instructions += u64::from(made.reflection.guest_instructions);
    }
    row.words = Some(words);
    row.translate_us = u64::try_from(took.as_micros()).ok();
    let modules = case.original.as_ref();
    row.original_words = modules.map(|o| o.vertex.len() + o.fragment.len());
    let picture = runner.run(case)?;
    if original.is_none() && case.original.is_some() {
        *original = Some(runner.run_original(case)?);
    }
    row.pixels = original.as_ref().map(|other| differing(&picture, other));
    Ok(judge(case, &picture, original.as_ref()))
}

/// How many texels of all targets are other bits than the original's.
fn differing(a: &Picture, b: &Picture) -> u64 {
    let targets = a.colors.iter().chain(&a.depth);
    let pairs = targets.zip(b.colors.iter().chain(&b.depth));
    let counts = pairs.map(|(a, b)| {
        let each = a.format.bytes() as usize;
        let texels = a.data.chunks(each).zip(b.data.chunks(each));
        texels.filter(|(a, b)| a != b).count() as u64
    });
    counts.sum()
}

/// The first of the places that are refused, without where it is: what counts together.
fn first(text: &str) -> &str {
    let site = text.split("; pc 0x").next().unwrap_or(text);
    site.split_once("] ").map_or(site, |(_, reason)| reason)
}

/// How the file lets targets differ.
fn rule(case: &DrawCase) -> String {
    let steps = case.colors.iter().map(|c| c.step).max().unwrap_or(0);
    let within = case.colors.iter().flat_map(|c| c.within);
    let within = within.fold(0.0_f32, f32::max);
    let mut parts = Vec::new();
    if steps > 0 {
        parts.push(format!("{steps} steps"));
    }
    if within > 0.0 {
        parts.push(format!("{within:e}"));
    }
    match parts.as_slice() {
        [] => "bits".to_owned(),
        some => some.join(" or "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_count_by_their_first_reason() {
        let text =
            "2 unsupported: pc 0x0010 [d834000c 00000204] ds_write_b32: LDS; pc 0x0020 [0] x: y";
        assert_eq!(first(text), "ds_write_b32: LDS");
        assert_eq!(first("a table of images"), "a table of images");
    }

    #[test]
    fn a_child_is_told_of_a_file_and_a_form() {
        let told = Path::new("a/b#c.draw.toml#b.gfx1030.nongg.w32");
        let (file, name) = ("a/b#c.draw.toml".into(), "b.gfx1030.nongg.w32".to_owned());
        assert_eq!(parts(told), Some((file, name)));
        assert!(!is_form(Path::new("a/b.lab.json")));
    }
}

//! The search for the first step at which a device and the reference differ in a case, and the case file
//! that shows it. Owns names of files and the texts; how the search goes is `spirdna-case`'s.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use spirdna_case::Case;
use spirdna_case::bisect::{Finding, Search};
use spirdna_case::exec::{Executor, ReferenceExecutor};
use spirdna_case::write::write;

use crate::error::LabError;
use crate::fault::{Fault, Faulty};

/// What a search gave.
#[derive(Clone, Debug)]
pub struct Answer {
    /// It in words.
    pub text: String,
    /// Whether the device does what the machine code says.
    pub alike: bool,
    /// The case file that shows the difference.
    pub case: Option<PathBuf>,
}

/// Searches a case on a device, and writes `NAME.bisect.case.toml` with its files into a folder where there
/// is something to show.
///
/// # Errors
/// The case cannot be read, stopped or run, or files cannot be written.
pub fn bisect(
    path: &Path,
    device: &mut dyn Executor,
    fault: Option<Fault>,
    folder: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Answer, LabError> {
    let case = Case::load(path).map_err(|e| LabError::Search(e.to_string()))?;
    let place = device.name();
    let mut device = Faulty { device, fault };
    let mut search = Search {
        device: &mut device,
        reference: ReferenceExecutor::default(),
        progress,
    };
    let finding = search.run(&case);
    let finding = finding.map_err(|e| LabError::Search(format!("{}: {e}", path.display())))?;
    let mut text = finding.to_string();
    let Finding::First(first) = &finding else {
        return Ok(Answer {
            text,
            alike: matches!(finding, Finding::Alike),
            case: None,
        });
    };
    std::fs::create_dir_all(folder).map_err(LabError::file(folder))?;
    let about = format!(
        "Cut out of {} by a search on {place}.\nIt ends behind the step that is the first to differ there, and \
         expects what the reference leaves.\n{text}",
        case.name
    );
    let stem = format!("{}.bisect", case.name);
    let file = write(&first.case, folder, &stem, about.trim_end());
    let file = file.map_err(|e| LabError::Search(e.to_string()))?;
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}", file.display());
    Ok(Answer {
        text,
        alike: false,
        case: Some(file),
    })
}

//! Why a shader of the lab did not become a prepared case, or a prepared case could not be read.

use std::io;
use std::path::{Path, PathBuf};

/// Why a shader of the lab is not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A tool is not installed.
    #[error("cannot run {tool}: {error} (`cargo xtask setup` installs it)")]
    Tool {
        /// The program.
        tool: String,
        /// Why.
        error: io::Error,
    },
    /// The source's own compiler refuses it.
    #[error("{tool}: {text}")]
    Source {
        /// The compiler.
        tool: String,
        /// What it says.
        text: String,
    },
    /// The directives at the shader's head are wrong.
    #[error("directives: {0}")]
    Directive(String),
    /// The shader asks for what the lab does not do.
    #[error("the lab does not do this: {0}")]
    Unsupported(String),
    /// A search for the first difference has no answer.
    #[error("{0}")]
    Search(String),
    /// What a compiler printed is not what the lab knows.
    #[error("unclear: {0}")]
    Unclear(String),
}

impl LabError {
    /// A file's error.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> LabError {
        let path = path.to_owned();
        move |error| LabError::File { path, error }
    }

    /// Whether the source's own compiler is the one that refuses.
    pub fn is_source(&self) -> bool {
        matches!(self, LabError::Source { .. })
    }
}

//! Exit statuses, and errors that end a command.

use std::io;
use std::path::PathBuf;

use spirdna_case::CaseError;
use spirdna_case::exec::RunError;
use spirdna_case::profile::ProfileError;
use spirdna_translate::error::TranslateError;
use spirdna_vulkan::VulkanError;

/// The exit status: scripts depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All holds.
    Success,
    /// An expectation or a check failed.
    Failed,
    /// Unusable input.
    Unusable,
    /// The shader is refused as unsupported.
    Refused,
    /// The device is missing or lost.
    Device,
}

impl Exit {
    /// The number that the process ends with.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failed => 1,
            Exit::Unusable => 2,
            Exit::Refused => 3,
            Exit::Device => 4,
        }
    }

    /// The status of a number.
    pub const fn from_code(code: i32) -> Option<Exit> {
        match code {
            0 => Some(Exit::Success),
            1 => Some(Exit::Failed),
            2 => Some(Exit::Unusable),
            3 => Some(Exit::Refused),
            4 => Some(Exit::Device),
            _ => None,
        }
    }

    /// The status of several inputs together: a failed check weighs most, then the larger number.
    #[must_use]
    pub fn and(self, other: Exit) -> Exit {
        let weight = |e: Exit| match e {
            Exit::Failed => 5,
            e => e.code(),
        };
        if weight(other) > weight(self) {
            other
        } else {
            self
        }
    }
}

/// An error that ends a command, or the work on one of its inputs.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// A case file or a code file is unusable.
    #[error("{0}")]
    Case(#[from] CaseError),
    /// A case did not run to its end.
    #[error("{}: {error}", path.display())]
    Run {
        /// The case.
        path: PathBuf,
        /// Why.
        #[source]
        error: RunError,
    },
    /// The lab's files or tools are unusable.
    #[error("{0}")]
    Lab(#[from] spirdna_lab::LabError),
    /// A shader is refused.
    #[error("{}: {}{error}", path.display(), part.as_ref().map_or(String::new(), |p| format!("{p}: ")))]
    Translate {
        /// The file of the shader.
        path: PathBuf,
        /// Which of the file's kernels or dispatches, where it has several.
        part: Option<String>,
        /// Why.
        #[source]
        error: TranslateError,
    },
    /// A profile file is unusable.
    #[error("{}: {error}", path.display())]
    Profile {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: ProfileError,
    },
    /// What the command line asks for is not supported.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// A file cannot be written.
    #[error("{}: cannot be written: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The command line asks for what the input does not have.
    #[error("{0}")]
    Usage(String),
    /// The device is missing, refused or lost.
    #[error("{0}")]
    Vulkan(#[from] VulkanError),
    /// The device's process was lost.
    #[error("{0}")]
    Child(String),
    /// A proof file is unusable.
    #[error("{0}")]
    Proof(#[from] spirdna_proof::record::RecordError),
    /// The results cannot be written.
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
}

impl CliError {
    /// Whether the reader of the output went away.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, CliError::Output(e) if e.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The exit status.
    pub fn exit(&self) -> Exit {
        match self {
            CliError::Case(e) if e.problem.is_unsupported() => Exit::Refused,
            CliError::Translate {
                error: TranslateError::Bug { .. },
                ..
            } => Exit::Failed,
            CliError::Translate { .. } | CliError::Unsupported(_) => Exit::Refused,
            CliError::Case(_)
            | CliError::Profile { .. }
            | CliError::Write { .. }
            | CliError::Usage(_)
            | CliError::Proof(_)
            | CliError::Lab(_)
            | CliError::Output(_) => Exit::Unusable,
            CliError::Run { error, .. } => run_exit(error),
            CliError::Vulkan(e) if e.is_unsupported() => Exit::Refused,
            CliError::Vulkan(_) | CliError::Child(_) => Exit::Device,
        }
    }
}

/// The exit status of a case that did not run to its end.
pub(crate) fn run_exit(error: &RunError) -> Exit {
    match error {
        RunError::Unsupported(_) => Exit::Refused,
        RunError::Device(_) => Exit::Device,
        RunError::BadShader(_) => Exit::Unusable,
        _ => Exit::Failed,
    }
}

//! What can be wrong with a case file or with a file that it names. Knows no executor.

use std::io;
use std::path::PathBuf;

use spirdna_isa::Target;

use crate::elf::ElfError;
use crate::random::BoundsError;

/// A case that cannot be used, by file and key.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}{problem}", file.display(), prefix(key))]
pub struct CaseError {
    /// The file that is wrong: the case file, or one that it names.
    pub file: PathBuf,
    /// The key of the case file (`memory.in.address`), empty when the file as a whole is meant.
    pub key: String,
    /// What is wrong.
    #[source]
    pub problem: Problem,
}

fn prefix(key: &str) -> String {
    if key.is_empty() {
        String::new()
    } else {
        format!("{key}: ")
    }
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The file is larger than any use of it.
    #[error("has {bytes} bytes, and the limit is {limit}")]
    FileTooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The file is empty.
    #[error("is empty")]
    Empty,
    /// Registers that describe no launch.
    #[error("{0}")]
    Registers(spirdna_isa::stage::EnvError),
    /// The case file is not text.
    #[error("is not UTF-8 text")]
    NotText,
    /// The text is not TOML, a key is unknown, or a value has the wrong shape.
    #[error("{0}")]
    Toml(String),
    /// A key that is needed is missing.
    #[error("is missing")]
    Missing,
    /// Exactly one of several keys must be there.
    #[error("needs exactly one of {of}, and has {have}")]
    OneOf {
        /// The keys.
        of: &'static str,
        /// How many are there.
        have: usize,
    },
    /// Two keys contradict each other.
    #[error("does not go with `{other}`")]
    Conflict {
        /// The other key.
        other: &'static str,
    },
    /// A value is not among those that are known.
    #[error("`{value}` is not known; there are {known}")]
    Unknown {
        /// The value.
        value: String,
        /// What there is.
        known: String,
    },
    /// A number is out of its range.
    #[error("{value} is not in {least} to {most}")]
    Range {
        /// The number.
        value: u64,
        /// Least value.
        least: u64,
        /// Greatest value.
        most: u64,
    },
    /// A list or a region is larger than the bounds of a case.
    #[error("{value} exceeds the limit of {limit}")]
    Limit {
        /// The number.
        value: u64,
        /// The limit.
        limit: u64,
    },
    /// The bounds of random content are unusable.
    #[error("{0}")]
    Random(#[from] BoundsError),
    /// A name is given twice.
    #[error("the name `{0}` is given twice")]
    Duplicate(String),
    /// There is no region of that name.
    #[error("there is no memory region `{0}`")]
    NoRegion(String),
    /// Two regions share bytes.
    #[error("overlaps with the region `{other}` (addresses count modulo 2^48)")]
    Overlap {
        /// The other region.
        other: String,
    },
    /// An address is not a multiple of 4.
    #[error("{0:#x} is not a multiple of 4")]
    Unaligned(u64),
    /// A region runs past the end of the 48-bit address space.
    #[error("runs past the end of the 48-bit address space")]
    Wraps,
    /// An expectation leaves its region.
    #[error("bytes {offset} to {end} leave the region, which has {bytes}")]
    Outside {
        /// First byte.
        offset: u64,
        /// One past the last byte.
        end: u64,
        /// Bytes of the region.
        bytes: u64,
    },
    /// A comparison that the elements do not have.
    #[error("`{compare}` needs elements of {needs}")]
    Compare {
        /// The comparison.
        compare: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// The code is no whole number of words.
    #[error("has {0} bytes: code is a whole number of 4-byte words")]
    OddCode(u64),
    /// The code is text.
    #[error("is text, not machine code; assemble it first, or use `asm`")]
    TextCode,
    /// The code is an ELF file.
    #[error("is an ELF file; use `elf`")]
    ElfCode,
    /// The code object is wrong.
    #[error("{0}")]
    Elf(#[from] ElfError),
    /// The code is for another target or wave size than was asked for.
    #[error("the code is for {have}, and not for {want}")]
    Disagrees {
        /// The code's.
        have: String,
        /// What was asked for.
        want: String,
    },
    /// The assembly text is wrong.
    #[error("for {}: {messages}", target.name())]
    Asm {
        /// The target.
        target: Target,
        /// Line, column and reason of each error.
        messages: String,
    },
    /// The SPIR-V file is no whole number of words.
    #[error("is not a SPIR-V module")]
    NotSpirv,
    /// Known, and not supported yet.
    #[error("{0} is not supported")]
    Unsupported(&'static str),
    /// An argument does not fit the kernel's parameter.
    #[error("does not fit the kernel's parameter of {bytes} bytes")]
    ArgumentSize {
        /// Bytes of the parameter.
        bytes: u64,
    },
    /// The number of arguments is not the kernel's.
    #[error("has {have} arguments, and the kernel takes {want}")]
    ArgumentCount {
        /// Arguments given.
        have: usize,
        /// Parameters of the kernel.
        want: usize,
    },
}

impl Problem {
    /// The error of this problem at a key of a file.
    pub fn at(self, file: impl Into<PathBuf>, key: impl Into<String>) -> CaseError {
        CaseError {
            file: file.into(),
            key: key.into(),
            problem: self,
        }
    }

    /// Whether it is something that the case asks for and this program does not do (and not a
    /// mistake in the case).
    pub fn is_unsupported(&self) -> bool {
        matches!(self, Problem::Unsupported(_))
    }
}

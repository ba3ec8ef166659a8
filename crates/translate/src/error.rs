//! Why a translation was refused. Every unsupported site is collected before the translation returns.

use spirdna_isa::{DecodeError, Inst, Target};

use crate::emit::EmitError;
use crate::ir::VerifyError;
use crate::structurize::StructurizeError;

/// Why a translation failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranslateError {
    /// Instructions that have no translation: all of them, by pc.
    #[error("{} unsupported: {}", .0.len(), List(.0))]
    Unsupported(Vec<Unsupported>),
    /// The host lacks what the module needs.
    #[error("the host: {0}")]
    Host(#[from] EmitError),
    /// The program was decoded for one target and is launched on another.
    #[error("decoded for {decoded:?}, launched on {launched:?}")]
    Target {
        /// The program's.
        decoded: Target,
        /// The launch's.
        launched: Target,
    },
    /// The program's flow was not structured: always a bug of this crate.
    #[error(transparent)]
    Structurize(#[from] StructurizeError),
    /// A broken invariant: always a bug of this crate.
    #[error("a bug of the translator: {after} left malformed IR: {error}")]
    Bug {
        /// The phase after which it was found.
        after: &'static str,
        /// What is malformed.
        error: VerifyError,
    },
}

struct List<'a>(&'a [Unsupported]);

impl std::fmt::Display for List<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, site) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{site}")?;
        }
        Ok(())
    }
}

/// What about an instruction cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The words are no instruction of the target.
    #[error("{0}")]
    Decode(DecodeError),
    /// The meaning is decoded but has no translation.
    #[error("this instruction has no translation")]
    Meaning,
    /// What has no meaning on hardware either.
    #[error("no meaning: {0}")]
    NoMeaning(&'static str),
    /// Hardware that Vulkan has no counterpart of.
    #[error("no Vulkan counterpart: {0}")]
    NoCounterpart(&'static str),
    /// A meaning that nobody has written down or measured.
    #[error("no document and no measurement says {0}")]
    Unsettled(&'static str),
    /// A hardware register that Vulkan has no counterpart of.
    #[error("no Vulkan counterpart: hardware register {0}")]
    HardwareRegister(&'static str),
    /// A modifier that this instruction's translation does not cover.
    #[error("modifier {0} is not translated here")]
    Modifier(&'static str),
    /// An operand that this instruction's translation does not cover.
    #[error("operand {0} is not translated here")]
    Operand(&'static str),
    /// An operand that the row promises is absent.
    #[error("operand {0} is missing")]
    MissingOperand(usize),
    /// A register range that leaves its register file.
    #[error("the register range leaves the register file")]
    RegisterRange,
    /// A branch whose target lies outside the code or between instructions that were decoded otherwise.
    #[error("the branch target 0x{0:x} lies outside the code")]
    BranchTarget(u32),
    /// Control reaches the end of the code without an end of program.
    #[error("control runs past the end of the code")]
    RunsOff,
    /// A branch to a place that is not known at translate time.
    #[error("the branch target is not known at translate time")]
    IndirectBranch,
    /// MODE differs between the ways that lead here.
    #[error("MODE differs between the ways that lead here")]
    ModeMerge,
    /// Something that the stage does not have.
    #[error("not in this stage: {0}")]
    Stage(&'static str),
    /// A value depends on other lanes than the invocation's own.
    #[error("needs the wave's other lanes: {0}")]
    OtherLanes(&'static str),
    /// An interpolation that is no plain one.
    #[error("interpolation: {0}")]
    Interpolation(&'static str),
    /// An export that the stage or its state has no place for.
    #[error("export: {0}")]
    Export(&'static str),
    /// A descriptor that the translation needs to know where it comes from.
    #[error("descriptor: {0}")]
    Descriptor(&'static str),
    /// A form of image instruction that is not translated.
    #[error("image: {0}")]
    Image(&'static str),
    /// A float operation that the fidelity asked for has no exact lowering of on this host.
    #[error("no exact lowering of {0} for this host")]
    Float(&'static str),
    /// A broken invariant of ours.
    #[error("a bug of the translator: {0}")]
    Bug(&'static str),
}

/// A place that was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("pc 0x{pc:04x} [{}] {mnemonic}: {reason}", Words(.words))]
pub struct Unsupported {
    /// Byte offset in the code.
    pub pc: u32,
    /// The instruction's words.
    pub words: Vec<u32>,
    /// Mnemonic, or `.long` for words that do not decode.
    pub mnemonic: String,
    /// Why.
    pub reason: Reason,
}

impl Unsupported {
    /// A refusal of a decoded instruction.
    pub fn of(inst: &Inst, reason: Reason) -> Unsupported {
        Unsupported {
            pc: inst.pc(),
            words: inst.words().to_vec(),
            mnemonic: inst.opcode().name().to_ascii_lowercase(),
            reason,
        }
    }

    /// A refusal of a place that holds no instruction.
    pub fn nothing(pc: u32, reason: Reason) -> Unsupported {
        Unsupported {
            pc,
            words: Vec::new(),
            mnemonic: String::new(),
            reason,
        }
    }

    /// A refusal of words that do not decode.
    pub fn undecoded(error: DecodeError) -> Unsupported {
        Unsupported {
            pc: error.pc(),
            words: error.words().to_vec(),
            mnemonic: ".long".to_owned(),
            reason: Reason::Decode(error),
        }
    }
}

struct Words<'a>(&'a [u32]);

impl std::fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, word) in self.0.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{word:08x}")?;
        }
        Ok(())
    }
}

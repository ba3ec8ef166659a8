//! What can be wrong with assembly text.

use thiserror::Error;

use crate::encode::EncodeError;
use crate::legality::Breach;

/// An error of the assembler, at its place in the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {kind}")]
pub struct AsmError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub kind: AsmErrorKind,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AsmErrorKind {
    /// No row has this name.
    #[error("unknown instruction")]
    UnknownMnemonic,
    /// The row does not exist on the target, or not in the encoding that the suffix asks for.
    #[error("the instruction has no such form on this target")]
    NoForm,
    /// A directive other than `.long`, and those that say nothing about code.
    #[error("unknown directive")]
    UnknownDirective,
    /// `/*` without `*/`.
    #[error("comment without end")]
    OpenComment,
    /// A character that belongs there is missing.
    #[error("expected '{0}'")]
    Expected(char),
    /// Text that is none of the things that may stand there.
    #[error("cannot be read here")]
    Unexpected,
    /// Not a number, or one too large to read.
    #[error("not a number")]
    BadNumber,
    /// A number outside the range of its field.
    #[error("out of range")]
    OutOfRange,
    /// No register has this name or number.
    #[error("no such register")]
    BadRegister,
    /// A register list whose members do not follow each other.
    #[error("registers do not follow each other")]
    BrokenRun,
    /// An operand is missing.
    #[error("too few operands")]
    TooFewOperands,
    /// An operand too many.
    #[error("too many operands")]
    TooManyOperands,
    /// An operand of a kind that its place does not take.
    #[error("operand of the wrong kind")]
    OperandKind,
    /// A register range of the wrong length.
    #[error("operand has {got} registers instead of {want}")]
    OperandWidth {
        /// Registers that the place takes.
        want: u32,
        /// Registers that were written.
        got: u32,
    },
    /// A scalar range that does not begin at a multiple of its alignment.
    #[error("scalar registers must begin at a multiple of {0}")]
    Misaligned(u8),
    /// A constant that neither an inline constant nor a literal can be.
    #[error("constant does not fit")]
    ConstantRange,
    /// `-`, `|…|` or `sext` on an operand that takes none.
    #[error("the operand takes no such modifier")]
    OperandModifier,
    /// A modifier that no instruction has.
    #[error("unknown modifier")]
    UnknownModifier,
    /// A modifier that this instruction does not take.
    #[error("the instruction takes no such modifier")]
    ModifierNotTaken,
    /// A modifier that stands there already.
    #[error("the modifier is there twice")]
    RepeatedModifier,
    /// An image instruction without `dim`.
    #[error("an image instruction says its dimension")]
    NoDimension,
    /// A label that is not defined.
    #[error("undefined label")]
    UndefinedLabel,
    /// A label that is defined twice.
    #[error("label is defined twice")]
    DuplicateLabel,
    /// A branch farther than 16 bits of words.
    #[error("branch target is too far")]
    BranchRange,
    /// The instruction breaks a rule of the hardware.
    #[error("{0}")]
    Illegal(Breach),
    /// The encoding refuses what the text asks for.
    #[error("{0}")]
    Encode(EncodeError),
}

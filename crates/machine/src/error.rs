//! What can be wrong with a module, and with what it does.

use std::fmt;
use std::time::Duration;

/// Why words are no module that this machine runs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The words are not SPIR-V, or are cut off.
    #[error("not a SPIR-V module: {0}")]
    Malformed(&'static str),
    /// An instruction that this machine does not execute.
    #[error("no meaning for {0}")]
    Unsupported(String),
    /// An id that nothing defines, or of another sort than its use wants.
    #[error("id %{0} is not what its use wants")]
    Id(u32),
    /// No entry point of that name.
    #[error("no entry point `{0}`")]
    Entry(String),
}

/// Why a dispatch did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// More instructions than the budget: an endless loop.
    #[error("not ended after {0} instructions")]
    Budget(u64),
    /// It took longer than it may.
    #[error("not ended after {0:?}")]
    Time(Duration),
    /// The module did what has no meaning.
    #[error("{0}")]
    Finding(Finding),
    /// The module wants a binding that is not there.
    #[error("no buffer at set {set}, binding {binding}")]
    Binding {
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
    },
    /// The dispatch is not usable.
    #[error("{0}")]
    Dispatch(&'static str),
    /// More buffer memory than the machine, which keeps account of every dword, takes.
    #[error("{0} bytes of buffers are more than the machine takes")]
    Memory(u64),
    /// The module is not what its loading promised: it does not validate.
    #[error("the module does not validate: {0}")]
    Invalid(&'static str),
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingKind {
    /// A barrier that part of the workgroup does not reach.
    PartialBarrier,
    /// A subgroup operation that part of the subgroup does not reach.
    PartialSubgroup,
    /// A read of a variable that nobody wrote.
    Undefined,
    /// A read of workgroup memory that nobody wrote.
    UndefinedWorkgroup,
    /// An access outside of an object.
    Outside,
    /// Two accesses of one place, not both atomic, that nothing orders, and one changes it.
    Race,
    /// A lane read of an invocation that is not there, or by different ids where they must agree.
    Lane,
    /// Control reached `OpUnreachable`.
    Unreachable,
    /// An operand outside of what its operation defines: a division by zero, a shift too far.
    Operand,
}

impl FindingKind {
    /// Whether execution cannot go on.
    pub const fn is_fatal(self) -> bool {
        matches!(
            self,
            FindingKind::PartialBarrier
                | FindingKind::PartialSubgroup
                | FindingKind::Outside
                | FindingKind::Unreachable
        )
    }
}

/// Something that drivers hide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// Word of the instruction in the module.
    pub word: u32,
    /// Result id or first operand of the instruction.
    pub id: u32,
    /// Workgroup.
    pub group: [u32; 3],
    /// Invocation in the workgroup.
    pub invocation: u32,
    /// More, in words.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            FindingKind::PartialBarrier => "a barrier that part of the workgroup does not reach",
            FindingKind::PartialSubgroup => {
                "a subgroup operation that part of the subgroup does not reach"
            }
            FindingKind::Undefined => "a read of what nobody wrote",
            FindingKind::UndefinedWorkgroup => "a read of workgroup memory that nobody wrote",
            FindingKind::Outside => "an access outside of its object",
            FindingKind::Race => "accesses that nothing orders",
            FindingKind::Lane => "a lane read without a lane",
            FindingKind::Unreachable => "control reached OpUnreachable",
            FindingKind::Operand => "an operand outside of what its operation defines",
        };
        let [x, y, z] = self.group;
        write!(
            f,
            "{what} at word {} (%{}), workgroup ({x}, {y}, {z}), invocation {}",
            self.word, self.id, self.invocation
        )?;
        if !self.text.is_empty() {
            write!(f, ": {}", self.text)?;
        }
        Ok(())
    }
}

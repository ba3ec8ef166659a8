//! Why a module was not emitted.

/// Why a module was not emitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// The module needs something that the host profile does not offer.
    #[error("the host profile lacks {0}")]
    Missing(&'static str),
    /// The module needs more than the host profile offers.
    #[error("{what}: {needed} needed, the host profile has {available}")]
    Limit {
        /// Of what.
        what: &'static str,
        /// How much the module needs.
        needed: u64,
        /// How much there is.
        available: u64,
    },
    /// The wave cannot be laid over subgroups of that size.
    #[error("a wave of {wave} lanes cannot be laid over subgroups of {subgroup}")]
    Lanes {
        /// W.
        wave: u32,
        /// S.
        subgroup: u32,
    },
    /// An attribute is interpolated in more than one way.
    #[error("attribute {0} is interpolated in more than one way")]
    Interpolations(u8),
    /// No host operation has this meaning.
    #[error("no host operation for {0}")]
    Unsupported(&'static str),
    /// The module would be larger than SPIR-V allows.
    #[error("the module needs more than {0} ids")]
    TooLarge(u32),
    /// The IR is not what its verifier promises. A bug of ours.
    #[error("malformed IR (a bug of this translator): {0}")]
    Malformed(&'static str),
}

/// The same in a box: results stay small enough for registers.
pub(super) type Fail = Box<EmitError>;

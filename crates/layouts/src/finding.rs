//! What the solver has to say beside its results. Owns the wording.

use std::fmt;

/// A failure or a warning; [`Finding::is_error`] tells them apart.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// Names that the value table does not know.
    Unread {
        /// The opcode.
        opcode: String,
        /// The operand.
        operand: String,
        /// Each sample with the name and, where the field is known, what the field holds in it.
        samples: Vec<(String, String, Option<u64>)>,
    },
    /// No field explains every sample: a probe or the value table is wrong.
    NoField {
        /// The opcode.
        opcode: String,
        /// The operand.
        operand: String,
        /// The field that explains the most, as `lowest bit, width`.
        nearest: Option<(u8, u8)>,
        /// The samples with no reading in it: text, value by the value table, what the field holds.
        against: Vec<(String, i64, Option<u64>)>,
    },
    /// Several fields explain every sample: more extremes are needed.
    Several {
        /// The opcode.
        opcode: String,
        /// The operand.
        operand: String,
        /// Where the candidates begin, or the readings that are possible.
        candidates: Vec<String>,
        /// What to add.
        add: Vec<String>,
    },
    /// Bits that differ between samples though no operand that differs explains them.
    Unexplained {
        /// The opcode.
        opcode: String,
        /// The bits.
        bits: Vec<u8>,
        /// Two samples that differ in the first of them.
        samples: (String, String),
    },
    /// The field may be wider than what was seen of it.
    TooNarrow {
        /// The opcode.
        opcode: String,
        /// The operand.
        operand: String,
        /// Bits of the value that were exercised.
        seen: u8,
        /// The bit of the instruction that may belong to the field too.
        next: u8,
        /// What its neighbours in the encoding have.
        neighbours: Option<u8>,
        /// What to add.
        add: Vec<String>,
    },
    /// The field was never exercised at an extreme, or a bit in its middle never was.
    Extremes {
        /// The opcode.
        opcode: String,
        /// The operand.
        operand: String,
        /// What to add.
        add: Vec<String>,
    },
    /// Opcodes of one encoding put the same operand in different places.
    Disagree {
        /// The encoding.
        encoding: String,
        /// The operand.
        operand: String,
        /// Each layout with the opcodes that have it.
        layouts: Vec<(String, Vec<String>)>,
    },
    /// An opcode without a single accepted text.
    NoSamples {
        /// The opcode.
        opcode: String,
        /// Texts that were refused.
        refused: Vec<String>,
    },
}

impl Finding {
    /// Whether the layout cannot be trusted; the others are warnings.
    pub fn is_error(&self) -> bool {
        !matches!(self, Finding::TooNarrow { .. } | Finding::Extremes { .. })
    }
}

/// At most this many samples, opcodes or texts are written out; the rest is counted.
const SHOWN: usize = 6;

fn list(f: &mut fmt::Formatter<'_>, items: &[String]) -> fmt::Result {
    for (i, item) in items.iter().take(SHOWN).enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        write!(f, "{separator}{item}")?;
    }
    more(f, items.len())
}

fn more(f: &mut fmt::Formatter<'_>, n: usize) -> fmt::Result {
    if n > SHOWN {
        write!(f, " and {} more", n - SHOWN)
    } else {
        Ok(())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Unread {
                opcode,
                operand,
                samples,
            } => {
                write!(f, "error: {opcode}: {operand}: names with no reading: ")?;
                for (i, (text, name, holds)) in samples.iter().take(SHOWN).enumerate() {
                    let separator = if i == 0 { "" } else { "; " };
                    write!(f, "{separator}`{name}` in `{text}`")?;
                    if let Some(value) = holds {
                        write!(f, " (the field holds {value})")?;
                    }
                }
                more(f, samples.len())
            }
            Finding::NoField {
                opcode,
                operand,
                nearest,
                against,
            } => {
                write!(
                    f,
                    "error: {opcode}: {operand}: no field explains every sample; a probe or the \
                     value table is wrong. "
                )?;
                match nearest {
                    Some((lo, width)) => write!(
                        f,
                        "The nearest is bits {lo}..{}; with no reading in it: ",
                        u32::from(*lo) + u32::from(*width) - 1
                    )?,
                    None => f.write_str("No field explains half of them: ")?,
                }
                for (i, (text, value, holds)) in against.iter().take(SHOWN).enumerate() {
                    let separator = if i == 0 { "" } else { "; " };
                    write!(f, "{separator}`{text}` (value {value}")?;
                    match holds {
                        Some(h) => write!(f, ", the field holds {h})")?,
                        None => f.write_str(")")?,
                    }
                }
                more(f, against.len())
            }
            Finding::Several {
                opcode,
                operand,
                candidates,
                add,
            } => {
                write!(
                    f,
                    "error: {opcode}: {operand}: several fields explain every sample: "
                )?;
                list(f, candidates)?;
                f.write_str("; add ")?;
                list(f, add)
            }
            Finding::Unexplained {
                opcode,
                bits,
                samples,
            } => {
                let bits: Vec<String> = bits.iter().map(ToString::to_string).collect();
                write!(f, "error: {opcode}: no operand explains why bits ")?;
                list(f, &bits)?;
                write!(f, " differ, as in `{}` and `{}`", samples.0, samples.1)
            }
            Finding::TooNarrow {
                opcode,
                operand,
                seen,
                neighbours,
                add,
                ..
            } => {
                write!(
                    f,
                    "warning: {opcode}: {operand}: perhaps too narrow: {seen} bits were exercised"
                )?;
                match neighbours {
                    Some(n) => write!(f, " and other opcodes of the encoding have {n}; add ")?,
                    None => f.write_str(" and nothing ends the field there; add ")?,
                }
                list(f, add)
            }
            Finding::Extremes {
                opcode,
                operand,
                add,
            } => {
                write!(
                    f,
                    "warning: {opcode}: {operand}: not exercised at its extremes; add "
                )?;
                list(f, add)
            }
            Finding::Disagree {
                encoding,
                operand,
                layouts,
            } => {
                write!(f, "error: {encoding}: opcodes disagree about {operand}: ")?;
                for (i, (layout, opcodes)) in layouts.iter().enumerate() {
                    let separator = if i == 0 { "" } else { "; " };
                    write!(f, "{separator}{layout} in ")?;
                    list(f, opcodes)?;
                }
                Ok(())
            }
            Finding::NoSamples { opcode, refused } => {
                write!(
                    f,
                    "error: {opcode}: no text was accepted; refused, among others: "
                )?;
                list(f, refused)
            }
        }
    }
}

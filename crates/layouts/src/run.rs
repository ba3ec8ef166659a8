//! One section from the rows to the page: probe, assemble, solve, compare. Owns the order of these
//! steps alone.

use std::sync::Arc;

use spirdna_isa::{Encoding, Target};
use thiserror::Error;

use crate::compare::{Comparison, Verdict, compare};
use crate::encoding::{EncodingLayout, solve_encoding};
use crate::llvm::{Assembler, LlvmError};
use crate::probe::{Probe, Section, Text, bases, probes};
use crate::sample::{OpcodeSamples, Sample};
use crate::values::ValueTable;

/// Why a section could not be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The assembler failed.
    #[error(transparent)]
    Assembler(#[from] LlvmError),
}

/// What came of a section.
#[derive(Clone, Debug)]
pub struct Report {
    /// Encoding and extension.
    pub section: Section,
    /// The target.
    pub target: Target,
    /// The derived layout.
    pub layout: EncodingLayout,
    /// Beside the table.
    pub comparisons: Vec<Comparison>,
}

impl Report {
    /// Errors and warnings of the solver, and differences from the table.
    pub fn faults(&self) -> usize {
        let different = |c: &&Comparison| matches!(c.verdict, Verdict::Different(_));
        self.layout.findings.len() + self.comparisons.iter().filter(different).count()
    }
}

/// Samples, solves and compares a section.
///
/// # Errors
/// See [`RunError`].
pub fn check_section(
    values: &ValueTable,
    assembler: &Assembler,
    section: Section,
    target: Target,
) -> Result<Report, RunError> {
    let opcodes = sample_section(assembler, section, target)?;
    let layout = solve_encoding(values, &section.name(), &opcodes);
    let comparisons = compare(section, &layout);
    Ok(Report {
        section,
        target,
        layout,
        comparisons,
    })
}

/// Samples of every opcode of a section: two runs of the assembler, the first to find a text that each
/// opcode takes.
///
/// # Errors
/// See [`RunError`].
pub fn sample_section(
    assembler: &Assembler,
    section: Section,
    target: Target,
) -> Result<Vec<OpcodeSamples>, RunError> {
    let rows = section.rows(target);
    let candidates: Vec<Probe> = rows
        .iter()
        .map(|(row, _)| Probe(bases(row, section, target)))
        .collect();
    let found = assemble(assembler, &candidates)?;
    let mut opcodes: Vec<OpcodeSamples> = Vec::new();
    let mut all = Vec::new();
    for (((row, number), candidates), found) in rows.iter().zip(&candidates).zip(found) {
        let mut opcode = OpcodeSamples {
            name: row.name.to_string(),
            number: Some(*number),
            ..OpcodeSamples::default()
        };
        // A text without a suffix may have become another encoding.
        let own = |words: &[u32]| {
            words.first().and_then(|&w| Encoding::of_word(w)) == Some(section.encoding)
        };
        match found.filter(|(_, words)| own(words)) {
            Some((base, _)) => {
                let of = opcodes.len();
                all.extend(probes(row, section, base).into_iter().map(|p| (of, p)));
            }
            None => opcode
                .refused
                .extend(candidates.0.iter().map(|t| sample(t, Vec::new()))),
        }
        opcodes.push(opcode);
    }
    let (owners, all): (Vec<usize>, Vec<Probe>) = all.into_iter().unzip();
    let answers = assemble(assembler, &all)?;
    for ((owner, probe), answer) in owners.into_iter().zip(&all).zip(answers) {
        let Some(opcode) = opcodes.get_mut(owner) else {
            continue;
        };
        match (answer, probe.0.first()) {
            (Some((text, words)), _) => opcode.samples.push(sample(text, words)),
            (None, Some(first)) => opcode.refused.push(sample(first, Vec::new())),
            (None, None) => {}
        }
    }
    Ok(opcodes)
}

fn sample(text: &Text, words: Vec<u32>) -> Sample {
    Sample {
        text: text.text(),
        words,
        form: Arc::clone(&text.form()),
    }
}

/// An accepted text with its words.
type Accepted<'a> = Option<(&'a Text, Vec<u32>)>;

/// The first accepted text of each probe.
fn assemble<'a>(assembler: &Assembler, probes: &'a [Probe]) -> Result<Vec<Accepted<'a>>, RunError> {
    let texts: Vec<String> = probes.iter().flat_map(|p| &p.0).map(Text::text).collect();
    let mut answers = assembler.assemble(&texts)?.into_iter();
    Ok(probes
        .iter()
        .map(|probe| {
            let answers = answers.by_ref().take(probe.0.len());
            let all: Vec<Option<Vec<u32>>> = answers.collect();
            let accepted = probe.0.iter().zip(all);
            accepted
                .into_iter()
                .find_map(|(text, words)| Some((text, words?)))
        })
        .collect())
}

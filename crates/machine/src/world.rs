//! What all invocations of a workgroup run in, and what was found there. Knows no instruction's meaning.

use std::time::Instant;

use crate::code::{Function, Line};
use crate::error::{Finding, FindingKind, RunError};
use crate::group::Options;
use crate::load::Module;
use crate::memory::Shared;

/// Barriers passed that ordered workgroup memory, and buffers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passed {
    pub(crate) workgroup: u32,
    pub(crate) buffers: u32,
}

/// What all invocations of a workgroup run in.
pub(crate) struct World<'a> {
    pub(crate) module: &'a Module,
    /// Constants, then pointers of globals.
    pub(crate) constants: Vec<u64>,
    pub(crate) shared: Shared<'a>,
    pub(crate) options: &'a Options,
    pub(crate) left: u64,
    pub(crate) begin: Instant,
    pub(crate) findings: Vec<Finding>,
    pub(crate) group: [u32; 3],
    pub(crate) group_number: u64,
    pub(crate) group_size: u32,
    pub(crate) phases: Passed,
    /// By subgroup.
    pub(crate) steps: Vec<Passed>,
    /// First cell of each variable in workgroup memory, ascending.
    pub(crate) workgroup_starts: Vec<u64>,
    /// Branches back of the invocation that took the most.
    pub(crate) back_edges: u64,
}

/// Findings kept at most.
const MAX_FINDINGS: usize = 256;

/// What loading a module rules out.
pub(crate) const INVALID: RunError = RunError::Invalid("a value that is not where it should be");

impl World<'_> {
    /// Whether there is time left.
    #[cold]
    pub(crate) fn in_time(&self) -> Result<(), RunError> {
        match self.options.time {
            Some(limit) if self.begin.elapsed() > limit => Err(RunError::Time(limit)),
            _ => Ok(()),
        }
    }

    /// The number of a cell of workgroup memory in its variable.
    pub(crate) fn in_variable(&self, at: u64) -> u64 {
        let start = self.workgroup_starts.iter().rev().find(|&&s| s <= at);
        at - start.copied().unwrap_or_default()
    }

    /// Whether a cell of workgroup memory is the last of its variable.
    pub(crate) fn is_last(&self, at: u64) -> bool {
        let next = at + 1;
        next == self.shared.workgroup.len() as u64 || self.workgroup_starts.contains(&next)
    }

    /// Notes a finding; each kind once an instruction. A fatal one ends the run.
    pub(crate) fn find(
        &mut self,
        kind: FindingKind,
        line: &Line,
        invocation: u32,
        text: String,
    ) -> Result<(), RunError> {
        let finding = Finding {
            kind,
            word: line.word,
            id: line.id,
            group: self.group,
            invocation,
            text,
        };
        if kind.is_fatal() {
            return Err(RunError::Finding(finding));
        }
        let known = |f: &Finding| f.kind == kind && f.word == line.word;
        if self.findings.len() < MAX_FINDINGS && !self.findings.iter().any(known) {
            self.findings.push(finding);
        }
        Ok(())
    }

    pub(crate) fn function(&self, number: u32) -> Result<&'_ Function, RunError> {
        self.module.functions.get(number as usize).ok_or(INVALID)
    }
}

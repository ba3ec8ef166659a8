//! Running a case and judging what it left in memory. An [`Executor`] is a place where shaders run;
//! it knows the case as plain data. Only this module knows what makes a case pass.

mod addressed;
pub(crate) mod bound;
pub mod facts;
mod host;
mod lent;
pub mod machine;
pub mod pool;
mod reference;
pub mod vulkan;

use std::fmt;

use crate::case::{Case, Expect, FaultKind};
use crate::compare::{Mismatch, compare};
use crate::format::{CompareSpec, ElementType};
use crate::memory::{GuestMemory, RegionId};

pub use host::Host;
pub use machine::{MachineExecutor, MachineSetup, may_be_dropped};
pub use reference::ReferenceExecutor;
pub use vulkan::{VulkanExecutor, VulkanOptions};

/// A place where a case can run.
pub trait Executor {
    /// What it is, for messages.
    fn name(&self) -> String;

    /// Runs the dispatches of a case, in order, over a copy of its memory.
    ///
    /// # Errors
    /// The case cannot be run there. A fault of the shader is no error: it is in the outcome.
    fn run(&mut self, case: &Case) -> Result<Outcome, RunError>;
}

/// What a run left.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Memory after the last dispatch.
    pub memory: GuestMemory,
    /// Accesses outside every region, in the order in which they were recorded.
    pub faults: Vec<GuestFault>,
    /// Faults in all; more than `faults` holds where the executor keeps only the first.
    pub fault_count: u64,
    /// Guest addresses of pages that were missed, where memory has pages there and they are known; once a
    /// dispatch.
    pub missed_pages: Vec<u64>,
    /// Reads of registers that nothing has written, where the executor sees them.
    pub undefined: Vec<String>,
    /// Remarks that are no failure: warnings of a validation layer, findings of the machine.
    pub notes: Vec<String>,
}

/// An access outside every region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestFault {
    /// Byte offset of the instruction in its code.
    pub pc: u32,
    /// The lane, where it is known and there is one.
    pub lane: Option<u8>,
    /// The address, 48 bits.
    pub address: u64,
    /// The executor's own words.
    pub text: String,
}

impl fmt::Display for GuestFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a case did not run to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The case asks for what this program does not do.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// The shader or its launch is not usable: it leaves its code, leaves the registers.
    #[error("{0}")]
    BadShader(String),
    /// The device is missing, refused, or lost.
    #[error("device: {0}")]
    Device(String),
    /// It was given up: it took longer than it may.
    #[error("{0}")]
    Time(String),
    /// What should never happen: a broken invariant of ours, or a module that a device refuses.
    #[error("internal: {0}")]
    Internal(String),
}

/// Where a result differs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// Memory is not what the case expects.
    Memory {
        /// The region's name.
        region: String,
        /// What it is compared with.
        against: &'static str,
        /// The difference.
        mismatch: Mismatch,
    },
    /// A fault that the case does not expect.
    Fault(GuestFault),
    /// The case expects a fault, and none happened.
    NoFault,
    /// A read of a register that nothing has written, and how many there are.
    Undefined(String, usize),
    /// A fault of the other executor that did not happen here.
    FaultLost {
        /// The other executor.
        against: &'static str,
        /// Its fault.
        fault: GuestFault,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Memory {
                region,
                against,
                mismatch,
            } => write!(f, "memory `{region}` against {against}: {mismatch}"),
            Failure::Fault(fault) => write!(f, "fault: {fault}"),
            Failure::Undefined(read, count) => write!(f, "{read} ({count} such reads)"),
            Failure::NoFault => f.write_str("the expected fault did not happen"),
            Failure::FaultLost { against, fault } => {
                write!(f, "no fault, and {against} has one: {fault}")
            }
        }
    }
}

/// Compares an outcome with what the case expects; empty where all holds.
pub fn judge(case: &Case, outcome: &Outcome) -> Vec<Failure> {
    let mut failures = Vec::new();
    failures.extend(undefined(case, outcome));
    match (case.expect_fault, outcome.faults.first()) {
        (Some(FaultKind::Unmapped), None) => failures.push(Failure::NoFault),
        (None, Some(fault)) => failures.push(Failure::Fault(fault.clone())),
        _ => {}
    }
    for expect in &case.expects {
        failures.extend(differs(
            &outcome.memory,
            expect,
            &expect.bytes,
            "the expectation",
        ));
    }
    failures
}

/// Reads of undefined registers that the case does not allow.
fn undefined(case: &Case, outcome: &Outcome) -> Option<Failure> {
    let first = outcome
        .undefined
        .first()
        .filter(|_| !case.undefined_reads)?;
    Some(Failure::Undefined(first.clone(), outcome.undefined.len()))
}

/// Compares an outcome with another executor's: memory bit for bit, in every region, where what the case
/// expects as a multiset may stand in another order. A fault of the other must have happened here too, and
/// it must have read no undefined register that the case does not allow.
pub fn same_memory(
    case: &Case,
    outcome: &Outcome,
    other: &Outcome,
    against: &'static str,
) -> Vec<Failure> {
    let lost = match (outcome.faults.first(), other.faults.first()) {
        (None, Some(fault)) => Some(Failure::FaultLost {
            against,
            fault: fault.clone(),
        }),
        _ => None,
    };
    let regions = other.memory.regions().iter().enumerate();
    // What begins with a dot is the executors' own: scratch, which a translation may keep elsewhere.
    let seen = regions.filter(|(_, region)| !region.name.starts_with('.'));
    let memory = seen.flat_map(|(i, region)| {
        let keep = |e: &Expect| match e.compare {
            CompareSpec::Multiset => CompareSpec::Multiset,
            _ => CompareSpec::Bits,
        };
        same_region(case, outcome, RegionId(i), &region.bytes, &keep, against)
    });
    let undefined = undefined(case, other);
    undefined.into_iter().chain(lost).chain(memory).collect()
}

/// Compares the original module's result with a translation's: each expectation's place in its own
/// way (or the way that `[original]` names), what else the bindings hold bit for bit.
pub fn same_as_original(case: &Case, outcome: &Outcome, original: &Outcome) -> Vec<Failure> {
    let Some(spec) = &case.original else {
        return Vec::new();
    };
    let bound = spec.bindings.iter().filter_map(|&(id, _)| {
        let region = original.memory.get(id)?;
        Some((id, region))
    });
    bound
        .flat_map(|(id, region)| {
            let how = |e: &Expect| spec.compare.unwrap_or(e.compare);
            same_region(case, outcome, id, &region.bytes, &how, "the original")
        })
        .collect()
}

/// Compares a region with what it should hold: each expectation's place as `how` says, the rest bit
/// for bit.
fn same_region(
    case: &Case,
    outcome: &Outcome,
    id: RegionId,
    expected: &[u8],
    how: &dyn Fn(&Expect) -> CompareSpec,
    against: &'static str,
) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut rest = expected.to_vec();
    for expect in case.expects.iter().filter(|e| e.region == id) {
        let end = expect.offset + expect.bytes.len();
        let part = expected.get(expect.offset..end).unwrap_or_default();
        let place = Expect {
            compare: how(expect),
            ..expect.clone()
        };
        failures.extend(differs(&outcome.memory, &place, part, against));
        // What was compared in its own way is left out of the comparison of the rest.
        let ours = outcome.memory.get(id).map(|r| r.bytes.as_slice());
        let ours = ours.and_then(|b| b.get(expect.offset..end));
        if let (Some(to), Some(from)) = (rest.get_mut(expect.offset..end), ours) {
            to.copy_from_slice(from);
        }
    }
    let whole = Expect {
        region: id,
        offset: 0,
        bytes: Vec::new(),
        element: if expected.len().is_multiple_of(4) {
            ElementType::U32
        } else {
            ElementType::U8
        },
        compare: CompareSpec::Bits,
    };
    failures.extend(differs(&outcome.memory, &whole, &rest, against));
    failures
}

/// The difference between memory at an expectation's place and `expected`.
fn differs(
    memory: &GuestMemory,
    place: &Expect,
    expected: &[u8],
    against: &'static str,
) -> Option<Failure> {
    let region = memory.get(place.region);
    let got = region.and_then(|r| r.bytes.get(place.offset..place.offset + expected.len()));
    let mismatch = compare(
        expected,
        got.unwrap_or_default(),
        place.element,
        place.compare,
        place.offset as u64,
    )?;
    Some(Failure::Memory {
        region: region.map_or_else(String::new, |r| r.name.clone()),
        against,
        mismatch,
    })
}

//! A batch: one case that proves several instructions, and which bytes of its memory are whose. Owns the
//! interface between generators and the rest; knows no instruction.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use spirdna_case::{Case, RegionId};
use spirdna_isa::launch::Launch;
use spirdna_isa::{Encoding, Form, Opcode, Target, TargetSet, WaveSize};

use crate::lowering::Refused;
use crate::plan::Selection;

/// What a proof is about: a row of the table in an encoding, on the targets where that number is that
/// row, at a wave size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The row.
    pub opcode: Opcode,
    /// Its encoding; SDWA and DPP forms belong to the encoding that they extend.
    pub encoding: Encoding,
    /// The targets.
    pub targets: TargetSet,
    /// The wave size.
    pub wave: WaveSize,
}

impl Key {
    /// The key of a form.
    pub fn of(opcode: Opcode, form: &Form, wave: WaveSize) -> Key {
        Key {
            opcode,
            encoding: form.encoding,
            targets: form.targets,
            wave,
        }
    }

    /// The targets in ascending order.
    pub fn targets(&self) -> impl Iterator<Item = Target> + use<> {
        let set = self.targets;
        Target::ALL
            .into_iter()
            .filter(move |t| set.contains(t.set()))
    }

    /// The target that is run: the newest. For the others the translation must be the same words.
    pub fn target(&self) -> Target {
        self.targets().last().unwrap_or(Target::Gfx1030)
    }

    /// What orders rows in a file.
    pub fn order(&self) -> (Encoding, &'static str, u8, WaveSize) {
        (
            self.encoding,
            self.opcode.name(),
            self.targets.bits(),
            self.wave,
        )
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, encoding) = (self.opcode.name(), self.encoding.name());
        write!(f, "{name} {encoding} wave{}", self.wave.lanes())
    }
}

/// Bytes that repeat: `count` runs of `bytes`, `step` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stripe {
    /// The region.
    pub region: RegionId,
    /// Offset of the first run.
    pub first: usize,
    /// Bytes of a run.
    pub bytes: usize,
    /// From the start of a run to the next one's.
    pub step: usize,
    /// Runs.
    pub count: usize,
}

impl Stripe {
    /// The run that a byte of a region lies in.
    pub fn run_of(&self, region: RegionId, offset: usize) -> Option<usize> {
        let from = offset.checked_sub(self.first)?;
        let run = from.checked_div(self.step).unwrap_or(0);
        let inside = from - run * self.step < self.bytes;
        (region == self.region && run < self.count && inside).then_some(run)
    }
}

/// An instruction that a batch executes.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What it is an instance of.
    pub key: Key,
    /// The instruction, for messages.
    pub text: String,
    /// Operand tuples that it is executed with.
    pub tuples: u64,
    /// Its results.
    pub stripes: Vec<Stripe>,
}

/// A case and what it proves. Every byte that a run may change belongs to a claim, or its difference
/// counts against all of them.
#[derive(Clone, Debug)]
pub struct Batch {
    /// A name that is unique in the plan.
    pub name: String,
    /// The case, for the newest of `targets`; without expectations: the reference says what is right.
    pub case: Case,
    /// The targets it holds for; the code has the same words on all.
    pub targets: TargetSet,
    /// What it executes.
    pub claims: Vec<Claim>,
    /// A guess at its compile time: lines of lowered IR.
    pub weight: usize,
    /// How a part of it is made, for a batch that does not run as a whole.
    pub remake: Option<Remake>,
}

impl Batch {
    /// Some of its claims in a batch of their own, as far as it has them; nothing where it cannot be made in
    /// part.
    pub fn part(&self, claims: Range<usize>) -> Option<Batch> {
        let Remake(remake) = self.remake.as_ref()?;
        let end = claims.end.min(self.claims.len());
        let name = format!("{}[{}..{end}]", self.name, claims.start);
        (claims.start < end).then(|| remake(name, claims.start..end))?
    }

    /// Its two halves, named after it; nothing where it has one claim or cannot be made in part.
    pub fn halves(&self) -> Option<[Batch; 2]> {
        let Remake(remake) = self.remake.as_ref()?;
        let (count, middle) = (self.claims.len(), self.claims.len() / 2);
        if count < 2 {
            return None;
        }
        let half = |letter: &str, claims| remake(format!("{}{letter}", self.name), claims);
        Some([half("a", 0..middle)?, half("b", middle..count)?])
    }
}

/// Makes a batch of a name and of a range of the claims of another.
#[derive(Clone)]
pub struct Remake(pub Arc<dyn Fn(String, Range<usize>) -> Option<Batch> + Send + Sync>);

impl fmt::Debug for Remake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remake")
    }
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A fixed small set: the plain instruction, and one of the other instances in turn.
    Ci,
    /// Every instance, at least 4,096 operand tuples a key.
    Long,
}

/// A program with one instruction in its frame, of which the lowering is hashed.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// The code.
    pub code: Vec<u32>,
    /// Its launch.
    pub launch: Launch,
}

/// What a generator makes of a selection.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// Batches.
    pub batches: Vec<Batch>,
    /// Instances in all, by key, those that are refused included.
    pub instances: Vec<(Key, usize)>,
    /// Instances that are not in the batches.
    pub refused: Vec<Refused>,
}

/// A family of instructions that it knows how to execute and to observe.
pub trait Generator: Sync {
    /// A short name; it begins the names of the batches.
    fn name(&self) -> &'static str;

    /// Whether a form is this generator's.
    fn covers(&self, opcode: Opcode, form: &Form) -> bool;

    /// Whether its modules take so long to compile that a check takes few of its keys.
    fn is_slow(&self) -> bool {
        false
    }

    /// The program of the plain instance of a key on a target; `None` where it makes none.
    fn canonical(&self, key: &Key, target: Target) -> Option<Canonical>;

    /// Batches for the keys of a selection that are this generator's ([`Selection::keys`]).
    fn plan(&self, selection: &Selection) -> Planned;
}

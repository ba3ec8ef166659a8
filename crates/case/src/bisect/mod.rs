//! Where a device's run of a case first differs from the reference's. The reference gives the instructions
//! that a wave executes; between two of them [`stop`] cuts the program, and both sides run it up to there and
//! leave registers and memory, which are alike or not. A binary search finds two neighbouring cuts of
//! which the first is alike and the second is not: what stands between them is the answer, whether or not
//! earlier differences had gone again.
//!
//! What LDS holds shows only where it is read. A program whose registers depend on the order of its waves
//! (what an atomic returns) differs for that reason too.

pub mod stop;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use spirdna_isa::{Sem, TextOptions, inst_to_string};
use spirdna_reference::{Change, Observer, Step};

use crate::case::{Case, Expect};
use crate::exec::{Executor, Outcome, ReferenceExecutor, RunError, same_memory};
use crate::format::{CompareSpec, ElementType};
use crate::memory::RegionId;
use stop::{REGION, Registers, Source, Stoppable};

/// Instructions of all waves that are followed at most.
const MAX_STEPS: usize = 4 << 20;

/// Waves whose steps are searched at most: those of the longest paths, one of each kind.
const MAX_WAVES: usize = 8;

/// Registers that an answer names at most.
const MAX_NAMED: usize = 16;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BisectError {
    /// The reference or the device does not run the case.
    #[error("{place}: {error}")]
    Run {
        /// Which of them.
        place: String,
        /// Why.
        #[source]
        error: RunError,
    },
    /// The case is none that can be stopped.
    #[error("a search in {0} is not supported")]
    Unsupported(String),
    /// What should never happen: a broken invariant of ours.
    #[error("internal: {0}")]
    Internal(String),
}

/// The answer.
#[derive(Debug)]
pub enum Finding {
    /// The device leaves what the reference leaves: it does what the machine code says.
    Alike,
    /// The first difference.
    First(Box<First>),
    /// The whole run differs, but no run that stops does: the difference goes when the program is changed.
    Hidden {
        /// How the whole run differs.
        differences: Vec<String>,
        /// Steps that were looked at.
        steps: usize,
    },
}

/// The first difference.
#[derive(Debug)]
pub struct First {
    /// The wave, counted over the grid as `spirdna trace --wave-id` does.
    pub wave: u64,
    /// Its workgroup.
    pub group: [u32; 3],
    /// Its number there.
    pub index: u32,
    /// The step of the wave, from 0, after which the device differs; `None`: at entry.
    pub step: Option<usize>,
    /// Steps of the wave in all.
    pub of: usize,
    /// The instructions between the last stop that is alike and the first that is not: pc and text. One,
    /// but where an instruction cannot be stopped at.
    pub instructions: Vec<(u32, String)>,
    /// Which visit of the last of them it is, from 1.
    pub visit: u32,
    /// Registers of the wave and memory that differ.
    pub differences: Vec<String>,
    /// The case that shows it: it ends behind the step and expects what the reference leaves.
    pub case: Case,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Alike => {
                writeln!(f, "the device leaves what the reference leaves")
            }
            Finding::First(first) => write!(f, "{first}"),
            Finding::Hidden { differences, steps } => {
                writeln!(
                    f,
                    "the whole run differs, but none of those that stop at one of {steps} steps:"
                )?;
                differences.iter().try_for_each(|d| writeln!(f, "    {d}"))
            }
        }
    }
}

impl fmt::Display for First {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.group;
        let (wave, index, of) = (self.wave, self.index, self.of);
        write!(f, "wave {wave} (wave {index} of workgroup {x}, {y}, {z}): ")?;
        match self.step {
            None => writeln!(f, "the registers at entry differ")?,
            Some(step) => writeln!(
                f,
                "step {step} of {of} is the first whose result differs (visit {}):",
                self.visit
            )?,
        }
        for (pc, text) in &self.instructions {
            writeln!(f, "  {pc:6x}: {text}")?;
        }
        self.differences
            .iter()
            .try_for_each(|d| writeln!(f, "    {d}"))
    }
}

/// What the waves execute.
#[derive(Default)]
struct Recorder {
    waves: Vec<Path>,
    known: HashMap<([u32; 3], u32), usize>,
    changed: Registers,
    steps: usize,
}

/// A wave's way.
struct Path {
    group: [u32; 3],
    index: u32,
    pcs: Vec<u32>,
}

impl Observer for Recorder {
    fn step(&mut self, step: &Step<'_>) {
        if self.steps >= MAX_STEPS {
            return;
        }
        self.steps += 1;
        let key = (step.group, step.after.index());
        let wave = *self.known.entry(key).or_insert_with(|| {
            self.waves.push(Path {
                group: key.0,
                index: key.1,
                pcs: Vec::new(),
            });
            self.waves.len() - 1
        });
        if let Some(path) = self.waves.get_mut(wave) {
            path.pcs.push(step.inst.pc());
        }
        for change in step.changes() {
            match change {
                Change::Scalar(reg, _) => self.changed.scalar(reg, 1),
                Change::Vector(reg, _) => self.changed.vector(reg, 1),
                Change::Scc(_) => {}
            }
        }
    }
}

/// The search.
pub struct Search<'a> {
    /// The device.
    pub device: &'a mut dyn Executor,
    /// The reference.
    pub reference: ReferenceExecutor,
    /// Told of each run, before it.
    pub progress: &'a mut dyn FnMut(&str),
}

/// A stop of a wave: where, and behind how many of its steps.
#[derive(Clone, Copy)]
struct Stop {
    pc: u32,
    visit: u32,
    step: usize,
}

/// A stopped run on both sides.
struct Run {
    case: Case,
    reference: Outcome,
    device: Result<Outcome, String>,
    alike: bool,
}

impl Search<'_> {
    /// Searches a case.
    ///
    /// # Errors
    /// See [`BisectError`].
    pub fn run(&mut self, case: &Case) -> Result<Finding, BisectError> {
        (self.progress)("the whole run");
        let whole = self.both(case.clone())?;
        if whole.alike {
            return Ok(Finding::Alike);
        }
        let mut recorder = Recorder::default();
        let traced = self.reference.run_observed(case, &mut recorder);
        traced.map_err(|error| self.reference_failed(error))?;
        if recorder.steps >= MAX_STEPS {
            return Err(BisectError::Unsupported(format!(
                "a run of more than {MAX_STEPS} steps"
            )));
        }
        let pcs: BTreeSet<u32> = recorder
            .waves
            .iter()
            .flat_map(|w| w.pcs.iter().copied())
            .collect();
        let stoppable = Stoppable::new(case, pcs.into_iter(), &recorder.changed)?;
        let mut looked_at = 0;
        let mut kept = None;
        for wave in candidates(&recorder.waves) {
            let Some(path) = recorder.waves.get(wave) else {
                continue;
            };
            let stops = stops(path, &stoppable);
            looked_at += stops.len();
            if let Some((found, own)) = self.wave(&stoppable, wave, path, &stops)? {
                if own {
                    return Ok(Finding::First(Box::new(found)));
                }
                // What differs may be another wave's, which had gone further by then.
                kept.get_or_insert(found);
            }
        }
        if let Some(found) = kept {
            return Ok(Finding::First(Box::new(found)));
        }
        Ok(Finding::Hidden {
            differences: memory_differences(&whole),
            steps: looked_at,
        })
    }

    /// Searches a wave's stops; `None` where the last is alike. The answer comes with whether it is this
    /// wave's own: registers of it differ, or it accessed memory.
    fn wave(
        &mut self,
        stoppable: &Stoppable<'_>,
        wave: usize,
        path: &Path,
        stops: &[Stop],
    ) -> Result<Option<(First, bool)>, BisectError> {
        let Some((&end, _)) = stops.split_last() else {
            return Ok(None);
        };
        let mut different = self.stopped(stoppable, end)?;
        if different.alike {
            return Ok(None);
        }
        // Alike up to `low`, which is no stop where it is 0; different at `high`.
        let (mut low, mut high) = (0, stops.len() - 1);
        while low < high {
            let middle = low + (high - low) / 2;
            let Some(&stop) = stops.get(middle) else {
                break;
            };
            let run = self.stopped(stoppable, stop)?;
            if run.alike {
                low = middle + 1;
            } else {
                (high, different) = (middle, run);
            }
        }
        let stop = stops.get(high).copied().unwrap_or(end);
        let before = high.checked_sub(1).and_then(|n| stops.get(n));
        let from = before.map_or(0, |s| s.step);
        let text = TextOptions::llvm(launch_wave(&different.case));
        let instructions: Vec<(u32, String)> = path
            .pcs
            .get(from..stop.step)
            .unwrap_or_default()
            .iter()
            .filter_map(|pc| {
                let inst = stoppable.instructions.get(pc)?;
                Some((*pc, inst_to_string(inst, text)))
            })
            .collect();
        let last = stop.step.checked_sub(1);
        let visit = last.map_or(1, |last| {
            let pc = path.pcs.get(last);
            let before = path.pcs.iter().take(stop.step);
            before.filter(|p| Some(*p) == pc).count() as u32
        });
        let mut differences = register_differences(&different, stoppable, path);
        let accesses = path.pcs.get(from..stop.step).unwrap_or_default().iter();
        let own = !differences.is_empty()
            || stop.step == 0
            || accesses
                .filter_map(|pc| stoppable.instructions.get(pc))
                .any(|inst| {
                    matches!(
                        inst.sem(),
                        Sem::Smem(_) | Sem::Ds(_) | Sem::Buffer(_) | Sem::Flat(_) | Sem::Image(_)
                    )
                });
        differences.extend(memory_differences(&different));
        let case = expecting(&different);
        let first = First {
            wave: wave as u64,
            group: path.group,
            index: path.index,
            step: last,
            of: path.pcs.len(),
            instructions,
            visit,
            differences,
            case,
        };
        Ok(Some((first, own)))
    }

    fn stopped(&mut self, stoppable: &Stoppable<'_>, stop: Stop) -> Result<Run, BisectError> {
        let Stop { pc, visit, step } = stop;
        (self.progress)(&format!(
            "behind step {step}: before {pc:#x}, visit {visit}"
        ));
        self.both(stoppable.stopped(pc, visit)?)
    }

    /// Runs a case on both sides. A device that does not come to an end differs.
    fn both(&mut self, mut case: Case) -> Result<Run, BisectError> {
        // Cut short, a program stores registers that it had not come to write.
        case.undefined_reads = true;
        let reference = self.reference.run(&case);
        let reference = reference.map_err(|error| self.reference_failed(error))?;
        let device = match self.device.run(&case) {
            Ok(outcome) => Ok(outcome),
            Err(RunError::Time(text)) => Err(text),
            Err(error) => {
                let place = self.device.name();
                return Err(BisectError::Run { place, error });
            }
        };
        let alike = device.as_ref().is_ok_and(|device| {
            device.faults.is_empty() == reference.faults.is_empty()
                && same_memory(&case, device, &reference, "the reference").is_empty()
        });
        Ok(Run {
            case,
            reference,
            device,
            alike,
        })
    }

    fn reference_failed(&self, error: RunError) -> BisectError {
        let place = self.reference.name();
        BisectError::Run { place, error }
    }
}

fn launch_wave(case: &Case) -> spirdna_isa::WaveSize {
    let first = case.dispatches.first();
    first.map_or(spirdna_isa::WaveSize::W32, |d| d.launch.wave)
}

/// Waves to search: the longest way first, each way once.
fn candidates(waves: &[Path]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..waves.len()).collect();
    let pcs = |n: usize| waves.get(n).map_or(&[][..], |w| w.pcs.as_slice());
    order.sort_by_key(|&n| std::cmp::Reverse(pcs(n).len()));
    let mut ways: BTreeSet<&[u32]> = BTreeSet::new();
    order.retain(|&n| ways.insert(pcs(n)));
    order.truncate(MAX_WAVES);
    order
}

/// Where a wave's way can be cut.
fn stops(path: &Path, stoppable: &Stoppable<'_>) -> Vec<Stop> {
    let mut visits: BTreeMap<u32, u32> = BTreeMap::new();
    let mut stops = Vec::new();
    for (step, &pc) in path.pcs.iter().enumerate() {
        let visit = visits.entry(pc).or_default();
        *visit += 1;
        if stoppable.can_stop(pc) {
            let visit = *visit;
            stops.push(Stop { pc, visit, step });
        }
    }
    stops
}

/// A case with what the reference leaves as its expectations.
fn expecting(run: &Run) -> Case {
    let regions = run.reference.memory.regions().iter().enumerate();
    let expects = regions
        .filter(|(_, region)| !region.bytes.is_empty())
        .map(|(index, region)| Expect {
            region: RegionId(index),
            offset: 0,
            bytes: region.bytes.clone(),
            element: ElementType::U8,
            compare: CompareSpec::Bits,
        })
        .collect();
    Case {
        expects,
        ..run.case.clone()
    }
}

/// Registers of a wave that differ.
fn register_differences(run: &Run, stoppable: &Stoppable<'_>, path: &Path) -> Vec<String> {
    let Ok(device) = &run.device else {
        return Vec::new();
    };
    let Some(dispatch) = run.case.dispatches.first() else {
        return Vec::new();
    };
    let id = Stoppable::region(&run.case);
    let ([nx, ny, _], [x, y, z]) = (dispatch.groups.map(u64::from), path.group.map(u64::from));
    let wave = ((z * ny + y) * nx + x) * dispatch.launch.waves() + u64::from(path.index);
    let (block, lanes) = (stoppable.block(), dispatch.launch.wave.lanes() as usize);
    let of = |outcome: &'_ Outcome| {
        let bytes = outcome.memory.get(id).map_or(&[][..], |r| &r.bytes);
        let at = wave as usize * block;
        bytes.get(at..at + block).unwrap_or_default().to_vec()
    };
    let (expected, got) = (of(&run.reference), of(device));
    let mut all = Vec::new();
    for (row, source) in stoppable.rows.iter().enumerate() {
        let values = |lane| {
            let a = stoppable.value(&expected, row, lane)?;
            let b = stoppable.value(&got, row, lane)?;
            Some((lane, (a, b)))
        };
        let differ: Vec<_> = (0..lanes)
            .filter_map(values)
            .filter(|(_, (a, b))| a != b)
            .collect();
        let Some((lane, (a, b))) = differ.first() else {
            continue;
        };
        all.push(match source {
            Source::Vector(_) => format!(
                "{} lane {lane}: {b:#010x} instead of {a:#010x} ({} lanes differ)",
                source.name(),
                differ.len()
            ),
            _ => format!("{}: {b:#010x} instead of {a:#010x}", source.name()),
        });
    }
    if all.len() > MAX_NAMED {
        let more = all.len() - MAX_NAMED;
        all.truncate(MAX_NAMED);
        all.push(format!("and {more} more registers"));
    }
    all
}

/// Memory that differs, but for the registers' own; or that the device did not come to an end.
fn memory_differences(run: &Run) -> Vec<String> {
    let device = match &run.device {
        Ok(device) => device,
        Err(text) => return vec![format!("the device: {text}")],
    };
    let failures = same_memory(&run.case, device, &run.reference, "the reference");
    let registers = format!("memory `{REGION}`");
    let faults = device.faults.iter().map(|f| format!("fault: {f}"));
    failures
        .iter()
        .map(ToString::to_string)
        .filter(|text| !text.starts_with(&registers))
        .chain(faults)
        .collect()
}

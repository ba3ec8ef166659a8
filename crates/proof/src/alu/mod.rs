//! The generator of scalar and vector arithmetic: SOP1, SOP2, SOPC, SOPK, SOPP, VOP1, VOP2, VOPC, VOP3
//! and VOP3P. Owns which forms those are and how instances share batches.
//!
//! - [`instances`]: what is tried of a row: modifiers, extension words, operand classes.
//! - [`program`]: the program around instances, and which registers they can write.
//! - [`data`]: the values that they read.

pub mod data;
pub mod instances;
pub mod program;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use spirdna_case::{Case, RegionId};
use spirdna_isa::launch::{InitialVgpr, Launch, Mode, SystemSgpr};
use spirdna_isa::{Encoding, Flow, Form, Opcode, Sem, Target, WaveSize};

use crate::batch::{Batch, Canonical, Claim, Depth, Generator, Key, Planned, Remake, Stripe};
use crate::lowering::{Refused, lowered};
use crate::pack::{self, Limits, packed};
use crate::plan::Selection;
use crate::runner::reference;
use data::{Signature, modes};
use instances::{Item, items};
use program::{Kind, Program, build};

const LIMITS: Limits = Limits {
    weight: 6_000,
    items: 32,
};

/// The generator.
pub struct Alu;

impl Generator for Alu {
    fn name(&self) -> &'static str {
        "alu"
    }

    fn covers(&self, opcode: Opcode, form: &Form) -> bool {
        let encoding = matches!(
            form.encoding,
            Encoding::Sop1
                | Encoding::Sop2
                | Encoding::Sopc
                | Encoding::Sopk
                | Encoding::Sopp
                | Encoding::Vop1
                | Encoding::Vop2
                | Encoding::Vopc
                | Encoding::Vop3
                | Encoding::Vop3p
        );
        encoding && !matches!(opcode.row().sem, Sem::Interp(_))
    }

    fn canonical(&self, key: &Key, target: Target) -> Option<Canonical> {
        let item = items(key, target).into_iter().next()?;
        let program = build(&[&item], key.wave).ok()?;
        let launch = launch(target, key.wave, Mode::default());
        let code = program.code;
        Some(Canonical { code, launch })
    }

    fn plan(&self, selection: &Selection) -> Planned {
        let mut planned = Planned::default();
        let mut groups: BTreeMap<String, Vec<(Item, usize)>> = BTreeMap::new();
        for (number, key) in selection.keys(self) {
            let all = items(&key, key.target());
            let chosen = chosen(all, number, key.wave, selection.depth);
            if chosen.is_empty() {
                continue;
            }
            planned.instances.push((key, chosen.len()));
            for item in chosen {
                match weight(&item) {
                    Ok(weight) => groups
                        .entry(group_name(&item))
                        .or_default()
                        .push((item, weight)),
                    Err(reason) => planned.refused.push(Refused {
                        key: item.key,
                        text: item.text,
                        reason,
                    }),
                }
            }
        }
        let (shard, _) = selection.shard;
        for (name, items) in groups {
            let limits = LIMITS.and_items(selection.items);
            for (i, items) in packed(items, limits).into_iter().enumerate() {
                let items = Arc::new(items);
                let name = format!("alu/{name}/{shard}.{i}");
                let made = batch(name, &items, 0..items.len(), selection.depth);
                match made {
                    Ok(batch) => planned.batches.push(batch),
                    Err(reason) => planned
                        .refused
                        .extend(items.iter().map(|(item, _)| Refused {
                            key: item.key,
                            text: item.text.clone(),
                            reason: reason.clone(),
                        })),
                }
            }
        }
        planned
    }
}

/// The instances of a key that a depth takes: all; or the plain one and, in wave32 always and in wave64
/// for a quarter of the keys, one of the others in turn; the ends of immediates always.
fn chosen(all: Vec<Item>, number: usize, wave: WaveSize, depth: Depth) -> Vec<Item> {
    match depth {
        Depth::Long => all,
        Depth::Ci => {
            let others = all.len().saturating_sub(1).max(1);
            let extra = wave == WaveSize::W32 || number % 4 == 3;
            let turn = if extra { 1 + number * 7 % others } else { 0 };
            let list = all.into_iter().enumerate();
            let list = list.filter(|(i, item)| *i == 0 || *i == turn || item.extreme);
            // One mode a wave size: what shares a module shares MODE.
            let mode = if wave == WaveSize::W64 { 3 } else { 0 };
            list.map(|(_, item)| Item {
                mode: if item.float { mode } else { 0 },
                ..item
            })
            .collect()
        }
    }
}

/// The batch group of an instance: what shares a module must share launch, data and targets.
fn group_name(item: &Item) -> String {
    let kind = match item.kind {
        Kind::Scalar => "s",
        Kind::Vector => "v",
    };
    // What ends the program is alone.
    let kind = match item.inst.sem() {
        Sem::Flow(Flow::EndPgm) => format!("end{:x}-", item.inst.simm16()),
        _ => kind.to_owned(),
    };
    let targets = item.key.targets.bits();
    let (wave, mode) = (item.key.wave.lanes(), item.mode);
    format!("{kind}{wave}.{}.m{mode}.t{targets}", item.signature)
}

/// Lines of IR of an instance alone in its frame; or why it is refused.
fn weight(item: &Item) -> Result<usize, String> {
    let program = build(&[item], item.key.wave)?;
    let mode = modes(item.mode);
    let launch = launch(item.key.target(), item.key.wave, mode);
    let text = lowered(&program.code, &launch)?;
    let case = case(String::new(), &program, &[item], 1);
    reference(&case)?;
    Ok(text.lines().count())
}

fn launch(target: Target, wave: WaveSize, mode: Mode) -> Launch {
    let mut launch = Launch::compute(target, wave, [wave.lanes(), 1, 1]);
    launch.user_sgprs = 4;
    launch.system_sgprs = vec![SystemSgpr::GroupId(0)];
    launch.vgprs = vec![(0, InitialVgpr::LocalId(0))];
    launch.mode = mode;
    launch
}

/// Workgroups of a batch: each gives a tuple to a scalar instruction and one a lane to a vector one.
fn groups(kind: Kind, depth: Depth) -> usize {
    match (kind, depth) {
        (Kind::Vector, Depth::Ci) => 8,
        (Kind::Scalar, Depth::Ci) => 64,
        (Kind::Vector, Depth::Long) => 64,
        (Kind::Scalar, Depth::Long) => 1024,
    }
}

/// The batch of a range of instances with their weights.
fn batch(
    name: String,
    all: &Arc<Vec<(Item, usize)>>,
    range: Range<usize>,
    depth: Depth,
) -> Result<Batch, String> {
    let from = range.start;
    let part = all.get(range).unwrap_or_default();
    let weight = part.iter().map(|(_, w)| w).sum();
    let items: Vec<&Item> = part.iter().map(|(item, _)| item).collect();
    let items = items.as_slice();
    let remake = {
        let all = Arc::clone(all);
        move |name, claims: Range<usize>| {
            batch(name, &all, from + claims.start..from + claims.end, depth).ok()
        }
    };
    let first = items.first().ok_or("an empty batch")?;
    let (wave, kind) = (first.key.wave, first.kind);
    let program = build(items, wave)?;
    let groups = groups(kind, depth);
    let tuples = match kind {
        Kind::Scalar => groups as u64,
        Kind::Vector => (0..groups)
            .map(|g| u64::from(data::exec(g, wave).count_ones()))
            .sum(),
    };
    let claims = items.iter().zip(&program.results);
    let claims = claims
        .map(|(item, results)| Claim {
            key: item.key,
            text: item.text.clone(),
            tuples,
            stripes: vec![Stripe {
                region: RegionId(1),
                first: 4 * results.start,
                bytes: 4 * results.len(),
                step: program.run_bytes,
                count: groups * program.runs,
            }],
        })
        .collect();
    Ok(Batch {
        case: case(name.clone(), &program, items, groups),
        name,
        targets: first.key.targets,
        claims,
        weight,
        remake: Some(Remake(Arc::new(remake))),
    })
}

fn case(name: String, program: &Program, items: &[&Item], groups: usize) -> Case {
    let first = items.first();
    let (wave, kind) = first.map_or((WaveSize::W32, Kind::Scalar), |i| (i.key.wave, i.kind));
    let mode = first.map_or(0, |i| i.mode);
    let target = first.map_or(Target::Gfx1030, |i| i.key.target());
    let signature = first.map_or_else(Signature::default, |i| i.signature);
    let input = data::input(&signature, kind, wave, groups);
    let out = vec![0xcd; program.run_bytes * program.runs * groups];
    pack::case(
        name,
        program.code.clone(),
        launch(target, wave, modes(mode)),
        [("in", input), ("out", out)],
        groups,
    )
}

//! The generator of memory instructions: SMEM, MUBUF, MTBUF, FLAT, GLOBAL, SCRATCH and DS. Owns which
//! forms those are, the data, and how instances share batches.
//!
//! - [`instances`]: what is tried of a row: addressing modes, bounds rules, formats, offsets.
//! - [`program`]: the program around instances.
//! - [`contended`]: atomics of many lanes on one address, and what their old values must be.
//!
//! An instance has an arena of memory of its own in each workgroup, and stores the registers that it may
//! write. Lanes that write have addresses of their own, so that no order of lanes shows.

pub mod contended;
pub mod instances;
pub mod program;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use spirdna_case::{Case, RegionId};
use spirdna_isa::launch::{InitialVgpr, Launch, Mode, SystemSgpr};
use spirdna_isa::{Form, Opcode, Sem, Target, WaveSize};
use spirdna_values::Random;

use crate::batch::{Batch, Canonical, Claim, Depth, Generator, Key, Planned, Remake, Stripe};
use crate::lowering::{Refused, lowered};
use crate::pack::{self, Limits, packed};
use crate::plan::Selection;
use crate::runner::reference;
use instances::{Item, items};
use program::{Layout, Program, build};

const LIMITS: Limits = Limits {
    weight: 9_000,
    items: 24,
};

/// The generator.
pub struct Memory;

impl Generator for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn covers(&self, opcode: Opcode, _: &Form) -> bool {
        matches!(
            opcode.row().sem,
            Sem::Smem(_) | Sem::Buffer(_) | Sem::Flat(_) | Sem::Ds(_)
        )
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn canonical(&self, key: &Key, target: Target) -> Option<Canonical> {
        let item = items(key, target).into_iter().next()?;
        let code = build(&[&item], key.wave).ok()?.code;
        let launch = launch(target, key.wave);
        Some(Canonical { code, launch })
    }

    fn plan(&self, selection: &Selection) -> Planned {
        let mut planned = Planned::default();
        let mut groups: BTreeMap<String, Vec<(Item, usize)>> = BTreeMap::new();
        for (number, key) in selection.keys(self) {
            let chosen = chosen(items(&key, key.target()), number, selection.depth);
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
                let weight = items.iter().map(|(_, w)| w).sum();
                let items: Vec<&Item> = items.iter().map(|(item, _)| item).collect();
                let name = format!("memory/{name}/{shard}.{i}");
                match batch(name, &items, weight, selection.depth) {
                    Ok(batch) => planned.batches.push(batch),
                    Err(reason) => planned.refused.extend(items.iter().map(|item| Refused {
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

/// The instances of a key that a depth takes: all; or the plain one and one of the others in turn.
fn chosen(all: Vec<Item>, number: usize, depth: Depth) -> Vec<Item> {
    match depth {
        Depth::Long => all,
        Depth::Ci => {
            let others = all.len().saturating_sub(1).max(1);
            let turn = 1 + number * 7 % others;
            let list = all.into_iter().enumerate();
            let list = list.filter(|&(i, _)| i == 0 || i == turn);
            list.map(|(_, item)| item).collect()
        }
    }
}

/// What shares a module must share wave size and targets.
fn group_name(item: &Item) -> String {
    let targets = item.key.targets.bits();
    let lanes = item.key.wave.lanes();
    format!("w{lanes}.t{targets}")
}

/// Lines of IR of an instance alone in its frame; or why it is refused.
fn weight(item: &Item) -> Result<usize, String> {
    let program = build(&[item], item.key.wave)?;
    let text = lowered(&program.code, &launch(item.key.target(), item.key.wave))?;
    reference(&case(String::new(), &program, &[item], 1))?;
    Ok(text.lines().count())
}

fn launch(target: Target, wave: WaveSize) -> Launch {
    let mut launch = Launch::compute(target, wave, [wave.lanes(), 1, 1]);
    launch.user_sgprs = 6;
    launch.system_sgprs = vec![SystemSgpr::GroupId(0)];
    launch.vgprs = vec![(0, InitialVgpr::LocalId(0))];
    launch.lds_bytes = 16 * wave.lanes();
    launch.scratch_bytes = program::SCRATCH;
    // Float atomics of LDS see subnormals.
    launch.mode = Mode {
        denorm32: spirdna_isa::launch::Denorm::Allow,
        ..Mode::default()
    };
    launch
}

/// Workgroups of a batch.
fn groups(depth: Depth) -> usize {
    match depth {
        Depth::Ci => 4,
        Depth::Long => 16,
    }
}

/// EXEC of a workgroup.
fn exec(group: usize, wave: WaveSize) -> u64 {
    let mask = match group {
        0 => u64::MAX,
        1 => 0x5a3c_e1f0_a5c3_1e0f,
        2 => 0x7fff_0fff_fffe_7ffe,
        3 => 1 << 17 | 1 << 40,
        4 => 0,
        _ => Random::new(group as u64).bits(),
    };
    mask & wave.full_mask()
}

/// A word of memory: floats, halves and integers, edges among them.
fn word(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => random.single(),
        1 => random.half() | random.half() << 16,
        2 => random.word(),
        _ => random.bits() as u32,
    }
}

fn input(layout: &Layout, groups: usize) -> Vec<u8> {
    let lanes = u64::from(layout.lanes);
    let mut random = Random::new(5);
    let mut words = Vec::new();
    for group in 0..groups {
        let mask = exec(group, layout.wave());
        let mut head = [0u32; program::HEAD];
        head[0] = mask as u32;
        head[1] = (mask >> 32) as u32;
        for word_at in &mut head[4..8] {
            *word_at = word(&mut random);
        }
        words.extend(head);
        for _ in 0..lanes {
            let offset = 4 * random.below(4 * lanes + 6) as u32;
            let index = random.below(lanes + 4) as u32;
            let unaligned = random.below(16 * lanes - 16) as u32;
            let outside = u32::from(random.below(8) == 0);
            words.extend([offset, index, unaligned, outside]);
            words.extend([0; 4].map(|_: u32| word(&mut random)));
        }
    }
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn arena(bytes: usize) -> Vec<u8> {
    let mut random = Random::new(6);
    let words = (0..bytes / 4).map(|_| word(&mut random));
    words.flat_map(u32::to_le_bytes).collect()
}

fn batch(name: String, items: &[&Item], weight: usize, depth: Depth) -> Result<Batch, String> {
    let own: Vec<Item> = items.iter().map(|&item| item.clone()).collect();
    let remake = move |name: String, claims: Range<usize>| {
        let part: Vec<&Item> = own.get(claims)?.iter().collect();
        batch(name, &part, weight / 2, depth).ok()
    };
    let first = items.first().ok_or("an empty batch")?;
    let wave = first.key.wave;
    let groups = groups(depth);
    let program = build(items, wave)?;
    let lanes: u32 = (0..groups).map(|g| exec(g, wave).count_ones()).sum();
    let layout = program.layout;
    let claims = items.iter().zip(&program.results).enumerate();
    let claims = claims
        .map(|(i, (item, results))| Claim {
            key: item.key,
            text: item.text.clone(),
            tuples: u64::from(lanes),
            stripes: vec![
                Stripe {
                    region: RegionId(1),
                    first: i * layout.arena,
                    bytes: layout.arena,
                    step: items.len() * layout.arena,
                    count: groups,
                },
                Stripe {
                    region: RegionId(2),
                    first: results.start,
                    bytes: results.len(),
                    step: program.group_results,
                    count: groups,
                },
            ],
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
    let wave = first.map_or(WaveSize::W32, |i| i.key.wave);
    let target = first.map_or(Target::Gfx1030, |i| i.key.target());
    let input = input(&program.layout, groups);
    let arena = arena(groups * items.len() * program.layout.arena);
    let out = vec![0xcd; program.group_results * groups];
    pack::case(
        name,
        program.code.clone(),
        launch(target, wave),
        [("in", input), ("arena", arena), ("out", out)],
        groups,
    )
}

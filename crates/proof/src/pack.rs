//! How generators make cases of instances: which share a batch, and a case in memory around a program.
//! Knows no instruction.

use spirdna_case::case::{Case, Dispatch};
use spirdna_case::format::ScratchVia;
use spirdna_case::{GuestMemory, Region};
use spirdna_isa::launch::Launch;

/// Where a case's regions begin; they follow each other without a gap, so that one window holds all.
pub const FIRST: u64 = 0x1_0000_0000;

/// What a batch holds at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Lines of lowered IR.
    pub weight: usize,
    /// Instances.
    pub items: usize,
}

impl Limits {
    /// These limits, and at most so many instances.
    pub fn and_items(self, items: usize) -> Limits {
        Limits {
            items: self.items.min(items),
            ..self
        }
    }
}

/// Instances with their weights, in the order given, cut where a batch is full.
pub fn packed<T>(items: Vec<(T, usize)>, most: Limits) -> Vec<Vec<(T, usize)>> {
    let mut batches: Vec<Vec<(T, usize)>> = Vec::new();
    let mut weight = 0;
    for (item, w) in items {
        match batches.last_mut() {
            Some(last) if last.len() < most.items && weight + w <= most.weight => {
                weight += w;
                last.push((item, w));
            }
            _ => {
                weight = w;
                batches.push(vec![(item, w)]);
            }
        }
    }
    batches
}

/// A case of one dispatch of `groups` workgroups over regions whose addresses are its user SGPRs, a pair
/// each; without expectations.
pub fn case(
    name: String,
    code: Vec<u32>,
    launch: Launch,
    regions: impl IntoIterator<Item = (&'static str, Vec<u8>)>,
    groups: usize,
) -> Case {
    let mut memory = GuestMemory::new();
    let mut user_sgprs = Vec::new();
    let mut address = FIRST;
    for (name, bytes) in regions {
        user_sgprs.extend([address as u32, (address >> 32) as u32]);
        let next = address + bytes.len() as u64;
        // Regions at addresses that do not overlap: this cannot fail.
        let _ = memory.add(Region {
            name: name.to_owned(),
            address,
            bytes,
        });
        address = next;
    }
    let groups = groups as u32;
    let [local, ..] = launch.local;
    Case {
        path: name.clone().into(),
        name,
        dispatches: vec![Dispatch {
            code,
            launch,
            user_sgprs,
            pointers: Vec::new(),
            groups: [groups, 1, 1],
            threads: [groups * local, 1, 1],
            scratch_via: ScratchVia::default(),
        }],
        memory,
        expects: Vec::new(),
        undefined_reads: false,
        expect_fault: None,
        original: None,
    }
}

//! Atomics under contention: every lane of several waves and workgroups (of a scalar atomic: every wave) does the
//! same atomic on one address of memory, LDS or GDS, and stores the old value that it gets. Whatever order the lanes came in, there must be one: the
//! old values and what the operation makes of them are edges of a graph of values, and a path from the
//! first content to the last one takes each edge once. Such a path exists where in- and out-degrees match
//! and all edges hang together (Euler).
//!
//! What an operation makes of a value is said by the reference's arithmetic. Knows no device.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use spirdna_case::{Case, GuestMemory, RegionId};
use spirdna_isa::fields::FieldId;
use spirdna_isa::launch::{Denorm, InitialVgpr, Launch, Mode, SystemSgpr};
use spirdna_isa::{
    AtomicOp, Buffer, Ds, Encoding, Flat, Sem, Smem, Target, WaveSize, Width, assemble,
};
use spirdna_reference::atomic::{Operands, Unit, apply};
use spirdna_values::Random;

use super::instances::{Draft, Dump, Item, finish};
use crate::batch::Key;
use crate::pack;
use crate::plan::Selection;

/// Workgroups.
const GROUPS: usize = 6;
/// Threads of a workgroup: several waves.
const LOCAL: usize = 128;
const THREADS: usize = GROUPS * LOCAL;

/// An atomic whose old values are looked at.
#[derive(Clone, Debug)]
pub struct Contended {
    item: Item,
    op: AtomicOp,
    width: Width,
    space: Space,
    /// A wave does it once.
    scalar: bool,
    /// Data 0 is the comparison value.
    compares_first: bool,
}

/// Where the address lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    /// One address for all.
    Memory,
    /// One in each workgroup.
    Lds,
    /// One for all. It is 0 at first, and nobody reads it in the end.
    Gds,
}

/// A case of several atomics.
#[derive(Debug)]
pub struct Contention {
    /// The case, without expectations.
    pub case: Case,
    atomics: Vec<Contended>,
    /// Lanes of a wave.
    lanes: usize,
}

/// The atomics of a selection's keys in one wave size and for one target that give back the old value.
pub fn atomics(selection: &Selection, wave: WaveSize) -> Vec<Contended> {
    let keys = selection.keys(&super::Memory);
    keys.into_iter()
        .filter(|(_, key)| key.wave == wave)
        .flat_map(|(_, key)| {
            let spaces = [Space::Memory, Space::Lds, Space::Gds];
            spaces.into_iter().filter_map(move |s| contended(&key, s))
        })
        .collect()
}

fn contended(key: &Key, space: Space) -> Option<Contended> {
    let row = key.opcode.row();
    let (op, width, local, scalar) = match row.sem {
        Sem::Buffer(Buffer::Atomic(op, width)) => (op, width, false, false),
        Sem::Flat(Flat::Atomic(op, width)) => (op, width, false, false),
        Sem::Smem(Smem::Atomic(op, width) | Smem::BufferAtomic(op, width)) => {
            (op, width, false, true)
        }
        Sem::Ds(Ds::Atomic {
            op,
            width,
            rtn: true,
        }) => (op, width, true, false),
        _ => return None,
    };
    if local != (space != Space::Memory) {
        return None;
    }
    let compares_first = local && matches!(op, AtomicOp::CmpSwap | AtomicOp::FCmpSwap);
    let target = key.target();
    let form = row.forms.iter();
    let mut form = form.filter(|f| f.encoding == key.encoding && f.targets == key.targets);
    let fields = [
        (FieldId::Glc, 1),
        (FieldId::Addr, 16),
        (FieldId::Data0, if local { 20 } else { 28 }),
        (FieldId::Data1, 24),
        (FieldId::Vdst, 28),
        (FieldId::Vdata, 28),
        (FieldId::Vaddr, 16),
        (FieldId::Srsrc, 3),
        (FieldId::Soffset, if scalar { 0x7d } else { 128 }),
        (FieldId::Saddr, 0x7d),
        (FieldId::Sdata, 24),
        (FieldId::Sbase, 6),
        (FieldId::Gds, u32::from(space == Space::Gds)),
    ];
    let item = finish(
        key,
        target,
        form.next()?,
        Draft::new(Dump::Vector).with(&fields, ""),
    )?;
    Some(Contended {
        item,
        op,
        width,
        space,
        scalar,
        compares_first,
    })
}

impl Contended {
    /// Its text.
    pub fn text(&self) -> &str {
        &self.item.text
    }

    /// Whether a case may hold both.
    pub fn goes_with(&self, other: &Contended) -> bool {
        self.item.key.targets == other.item.key.targets && self.space == other.space
    }

    /// Whether values are compared: data then are few, so that some meet.
    fn compares(&self) -> bool {
        matches!(self.op, AtomicOp::CmpSwap | AtomicOp::FCmpSwap)
    }

    fn target(&self) -> Target {
        self.item.key.target()
    }
}

/// Data of a thread: four dwords of any bits, four small ones.
fn data() -> Vec<[u32; 8]> {
    let mut random = Random::new(11);
    (0..THREADS)
        .map(|_| {
            let mut words = [0; 8];
            for (i, word) in words.iter_mut().enumerate() {
                *word = match i {
                    0..4 => super::word(&mut random),
                    // Pairs with a high half that is the same.
                    4 | 6 => random.below(4) as u32,
                    _ => 0,
                };
            }
            words
        })
        .collect()
}

/// What each atomic finds first: not 0, so that what subtracts goes on for a while.
const FIRST: u32 = 3;

fn bytes<'a>(words: impl IntoIterator<Item = &'a u32>) -> Vec<u8> {
    words.into_iter().flat_map(|w| w.to_le_bytes()).collect()
}

impl Contention {
    /// A case of atomics of one target and wave size.
    ///
    /// # Errors
    /// It does not assemble: a reason in words.
    pub fn new(
        name: String,
        atomics: Vec<Contended>,
        wave: WaveSize,
    ) -> Result<Contention, String> {
        let target = atomics.first().map_or(Target::Gfx1030, Contended::target);
        let mut text = String::from(
            "s_mul_i32 s7, s8, 0x80\n\
             v_add_nc_u32_e32 v1, s7, v0\n\
             v_lshlrev_b32_e32 v2, 5, v1\n\
             global_load_dwordx4 v[8:11], v2, s[2:3]\n\
             global_load_dwordx4 v[12:15], v2, s[2:3] offset:16\n\
             v_lshlrev_b32_e32 v3, 3, v1\n\
             s_mov_b32 s14, -1\n\
             s_mov_b32 s15, 0x31016fac\n\
             s_waitcnt vmcnt(0)\n",
        );
        for (i, atomic) in atomics.iter().enumerate() {
            // Writing to a String does not fail.
            let _ = writeln!(
                text,
                "s_add_u32 s12, s0, {:#x}\ns_addc_u32 s13, s1, 0\n\
                 s_add_u32 s18, s4, {:#x}\ns_addc_u32 s19, s5, 0",
                16 * i,
                8 * THREADS * i,
            );
            let from = if atomic.compares() { 12 } else { 8 };
            let second = match atomic.width {
                Width::B32 => 1,
                Width::B64 => 2,
            };
            for k in 0..4 {
                // A 32-bit pair of small values is the low halves of two.
                let other = if atomic.compares() && second == 1 {
                    from + 2 * (k % 2)
                } else {
                    from + k
                };
                let _ = writeln!(text, "v_mov_b32_e32 v{}, v{other}", 28 + k);
            }
            let after = if atomic.compares() { 2 } else { second };
            for k in 0..2 {
                let _ = writeln!(
                    text,
                    "v_mov_b32_e32 v{}, v{}\nv_mov_b32_e32 v{}, v{}",
                    20 + k,
                    from + k,
                    24 + k,
                    from + after + k
                );
            }
            if atomic.scalar {
                for k in 0..4 {
                    let _ = writeln!(text, "v_readfirstlane_b32 s{}, v{}", 24 + k, 28 + k);
                }
            } else if atomic.space == Space::Gds {
                let _ = writeln!(
                    text,
                    "s_mov_b32 m0, {:#x}\nv_mov_b32_e32 v16, 0",
                    (16 * i) << 16 | 16
                );
            } else if atomic.space == Space::Lds {
                let _ = writeln!(
                    text,
                    "v_mov_b32_e32 v16, 0\nv_mov_b32_e32 v32, {FIRST}\nv_mov_b32_e32 v33, 0\n\
                     ds_write_b64 v16, v[32:33]\ns_waitcnt lgkmcnt(0)\ns_barrier"
                );
            } else if matches!(atomic.item.key.encoding, Encoding::Mubuf | Encoding::Mtbuf) {
                text.push_str("v_mov_b32_e32 v16, 0\nv_mov_b32_e32 v17, 0\n");
            } else {
                text.push_str("v_mov_b32_e32 v16, s12\nv_mov_b32_e32 v17, s13\n");
            }
            for word in &atomic.item.words {
                let _ = writeln!(text, ".long {word:#x}");
            }
            text.push_str("s_waitcnt vmcnt(0) lgkmcnt(0)\n");
            if atomic.scalar {
                text.push_str("v_mov_b32_e32 v28, s24\nv_mov_b32_e32 v29, s25\n");
            }
            text.push_str("global_store_dwordx2 v3, v[28:29], s[18:19]\n");
            if atomic.space == Space::Lds {
                // What it holds in the end, once a workgroup.
                let _ = writeln!(
                    text,
                    "s_barrier\nds_read_b64 v[32:33], v16\ns_waitcnt lgkmcnt(0)\n\
                     v_mov_b32_e32 v34, s8\nv_lshlrev_b32_e32 v34, 3, v34\n\
                     global_store_dwordx2 v34, v[32:33], s[6:7] offset:0\n\
                     s_add_u32 s6, s6, {:#x}\ns_addc_u32 s7, s7, 0\ns_barrier",
                    8 * GROUPS
                );
            }
        }
        text.push_str("s_endpgm\n");
        // The result pointer moves: it must not share a register with the scratch of the head.
        let text = text.replace(
            "s_mul_i32 s7, s8, 0x80\nv_add_nc_u32_e32 v1, s7, v0",
            "s_mul_i32 s20, s8, 0x80\nv_add_nc_u32_e32 v1, s20, v0",
        );
        let code = assemble(target, wave, &text).map_err(|errors| {
            let error = errors.first().map_or_else(String::new, ToString::to_string);
            format!("{name} does not assemble: {error}")
        })?;
        let mut launch = Launch::compute(target, wave, [LOCAL as u32, 1, 1]);
        launch.user_sgprs = 8;
        launch.system_sgprs = vec![SystemSgpr::GroupId(0)];
        launch.vgprs = vec![(0, InitialVgpr::LocalId(0))];
        launch.lds_bytes = 16;
        launch.mode = Mode {
            denorm32: Denorm::Allow,
            ..Mode::default()
        };
        let cells: Vec<u32> = atomics.iter().flat_map(|_| [FIRST, 0, 0, 0]).collect();
        let data = data();
        let regions = [
            ("cells", bytes(&cells)),
            ("data", bytes(data.iter().flatten())),
            ("olds", vec![0xcd; 8 * THREADS * atomics.len()]),
            ("lds", vec![0xcd; 8 * GROUPS * atomics.len()]),
        ];
        Ok(Contention {
            case: pack::case(name, code, launch, regions, GROUPS),
            atomics,
            lanes: wave.lanes() as usize,
        })
    }

    /// What is wrong with the memory that a run left, atomic by atomic.
    pub fn judge(&self, memory: &GuestMemory) -> Vec<String> {
        let word = |region: usize, at: usize| {
            let region = memory.get(RegionId(region));
            let part = region.and_then(|r| r.bytes.get(at..at + 8));
            part.and_then(|b| b.try_into().ok())
                .map_or(0, u64::from_le_bytes)
        };
        let data = data();
        let mut wrong = Vec::new();
        let mut in_lds = 0;
        for (i, atomic) in self.atomics.iter().enumerate() {
            let mask = match atomic.width {
                Width::B32 => 0xffff_ffff,
                Width::B64 => u64::MAX,
            };
            let (first, parts) = match atomic.space {
                Space::Memory => (FIRST, vec![(0..THREADS, Some(word(0, 16 * i)))]),
                Space::Gds => (0, vec![(0..THREADS, None)]),
                Space::Lds => {
                    let at = 8 * GROUPS * in_lds;
                    in_lds += 1;
                    let group = |g| (g * LOCAL..(g + 1) * LOCAL, Some(word(3, at + 8 * g)));
                    (FIRST, (0..GROUPS).map(group).collect())
                }
            };
            let old_of = |thread: usize| word(2, 8 * (THREADS * i + thread)) & mask;
            let lanes = if atomic.scalar { self.lanes } else { 1 };
            for (threads, last) in parts {
                let mut edges = Vec::new();
                for thread in threads.step_by(lanes) {
                    let old = old_of(thread);
                    if (thread..thread + lanes).any(|lane| old_of(lane) != old) {
                        wrong.push(format!("{}: lanes of a wave differ", atomic.text()));
                    }
                    let words = data.get(thread).copied().unwrap_or_default();
                    match atomic.new_value(old, words) {
                        Ok(new) => edges.push((old, new)),
                        Err(reason) => wrong.push(format!("{}: {reason}", atomic.text())),
                    }
                }
                let last = last.map(|last| last & mask);
                if let Some(why) = no_order(u64::from(first), last, &edges) {
                    wrong.push(format!("{}: {why}", atomic.text()));
                }
            }
        }
        wrong
    }
}

impl Contended {
    /// What it makes of an old value with a thread's data.
    fn new_value(&self, old: u64, words: [u32; 8]) -> Result<u64, &'static str> {
        let join = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let [a, b, c, d, e, f, g, h] = words;
        let (x, y) = match (self.width, self.compares()) {
            (Width::B32, false) => (a.into(), b.into()),
            (Width::B64, false) => (join(a, b), join(c, d)),
            (Width::B32, true) => (e.into(), g.into()),
            (Width::B64, true) => (join(e, f), join(g, h)),
        };
        let (data, other) = if self.compares_first { (y, x) } else { (x, y) };
        let unit = if self.space != Space::Memory {
            Unit::Lds(Mode {
                denorm32: Denorm::Allow,
                ..Mode::default()
            })
        } else {
            Unit::Memory
        };
        let new = apply(self.op, self.width, old, Operands { data, other }, unit)?;
        Ok(new.unwrap_or(old))
    }
}

/// Why no order of the edges leads from `first` to `last` (anywhere, where it is not known); `None` where one does.
pub fn no_order(first: u64, last: Option<u64>, edges: &[(u64, u64)]) -> Option<String> {
    let mut balance: BTreeMap<u64, i64> = BTreeMap::new();
    let mut next: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for &(from, to) in edges {
        *balance.entry(from).or_default() += 1;
        *balance.entry(to).or_default() -= 1;
        next.entry(from).or_default().push(to);
        next.entry(to).or_default().push(from);
    }
    *balance.entry(first).or_default() -= 1;
    // What is made once more than it is found comes last.
    let made = |balance: &BTreeMap<u64, i64>| balance.iter().find(|&(_, &b)| b == -1).map(|b| *b.0);
    let last = last.or_else(|| made(&balance)).unwrap_or(first);
    *balance.entry(last).or_default() += 1;
    if let Some((value, by)) = balance.iter().find(|&(_, &by)| by != 0) {
        return Some(format!(
            "no order of the lanes: {value:#x} is found {by} times more often than it is made"
        ));
    }
    let mut seen = BTreeSet::from([first]);
    let mut left = vec![first];
    while let Some(value) = left.pop() {
        for &to in next.get(&value).into_iter().flatten() {
            if seen.insert(to) {
                left.push(to);
            }
        }
    }
    let lost = edges.iter().find(|(from, _)| !seen.contains(from));
    lost.map(|(from, _)| format!("no order of the lanes: {from:#x} is never reached"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_found_and_missed() {
        // Three lanes add 1, 2 and 4 in the order 2, 1, 4.
        assert_eq!(no_order(3, Some(10), &[(5, 6), (3, 5), (6, 10)]), None);
        // Two saw the same value: one addition is lost.
        assert!(no_order(3, Some(9), &[(3, 4), (3, 5), (5, 9)]).is_some());
        // The last content is another.
        assert!(no_order(3, Some(11), &[(5, 6), (3, 5), (6, 10)]).is_some());
        // A circle that nothing leads into.
        assert!(no_order(3, Some(4), &[(3, 4), (7, 8), (8, 7)]).is_some());
        // Lanes that change nothing.
        assert_eq!(no_order(3, Some(9), &[(3, 9), (9, 9), (3, 3)]), None);
        assert!(no_order(3, Some(9), &[(3, 9), (8, 8)]).is_some());
        // Nobody knows the last content.
        assert_eq!(no_order(3, None, &[(5, 6), (3, 5), (6, 10)]), None);
        assert_eq!(no_order(3, None, &[(5, 3), (3, 5)]), None);
        assert!(no_order(3, None, &[(3, 4), (3, 5), (5, 9)]).is_some());
        assert!(no_order(3, None, &[(4, 5)]).is_some());
    }
}

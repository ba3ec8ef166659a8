//! Places `WaveSync`: the guest's lanes run in step, the host's invocations need not.
//!
//! Before: accesses stand in program order, without a `WaveSync`. After: between two accesses of one
//! space (LDS, or guest memory) that may touch the same place from different lanes, and of which one
//! writes, there is a `WaveSync` or a workgroup barrier on every way from the first to the second.
//! The accesses of one guest instruction count as one, in one trip of a loop. Touches nothing else.

use crate::ir::dom::Dominators;
use crate::ir::{Args, Block, Func, InstData, Loc, Op, Terminator};

/// What accesses have happened since the last `WaveSync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Since {
    lds_read: By,
    lds_written: By,
    memory_read: By,
    memory_written: By,
}

/// Which guest instructions did something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum By {
    #[default]
    Nobody,
    One(Loc),
    Several,
}

impl By {
    fn or(self, other: By) -> By {
        match (self, other) {
            (By::Nobody, by) | (by, By::Nobody) => by,
            (a, b) if a == b => a,
            _ => By::Several,
        }
    }

    /// The same, seen from another trip of a loop: no instruction is the same any more.
    fn aged(self) -> By {
        if self == By::Nobody {
            By::Nobody
        } else {
            By::Several
        }
    }

    /// Whether an instruction other than `loc` did it.
    fn another(self, loc: Loc) -> bool {
        match self {
            By::Nobody => false,
            By::One(by) => by != loc,
            By::Several => true,
        }
    }
}

/// What an operation does to memory that other lanes reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    LdsRead,
    LdsWrite,
    MemoryRead,
    MemoryWrite,
    /// Orders everything.
    Sync,
}

fn access(op: &Op) -> Option<Access> {
    Some(match op {
        Op::LdsLoad { .. } => Access::LdsRead,
        Op::LdsStore { .. } | Op::LdsAtomic { .. } => Access::LdsWrite,
        Op::Load {
            read_only: false, ..
        } => Access::MemoryRead,
        Op::Store { .. } | Op::Atomic { .. } => Access::MemoryWrite,
        Op::Image(access) if access.op.is_pure() => return None,
        Op::Image(access) if access.op.writes() => Access::MemoryWrite,
        Op::Image(_) => Access::MemoryRead,
        Op::Load {
            read_only: true, ..
        }
        | Op::ConstBool(_)
        | Op::Const32(_)
        | Op::Const64(_)
        | Op::Input(_)
        | Op::Pure(_)
        | Op::Float(..)
        | Op::Host(..)
        | Op::Call(_)
        | Op::Ballot
        | Op::LaneBit
        | Op::ReadLane
        | Op::Shuffle
        | Op::Table(_)
        | Op::Window
        | Op::Ptr { .. }
        | Op::PtrBytes
        | Op::PtrBound { .. }
        | Op::PtrOk
        | Op::ScratchLoad { .. }
        | Op::ScratchStore { .. }
        | Op::Fault { .. }
        | Op::WaveSync
        | Op::InterpFirst { .. }
        | Op::Quad { .. }
        | Op::Output { .. }
        | Op::Valid => return None,
        Op::AnyWave => Access::Sync,
    })
}

/// Whether an access is to what no other lane reaches.
fn reaches_own(f: &Func, inst: &InstData) -> bool {
    let accesses = matches!(inst.op, Op::Load { .. } | Op::Store { .. });
    let place = inst.args.first().filter(|_| accesses);
    let made = place.and_then(|&place| f.def_inst(place));
    made.is_some_and(|made| matches!(made.op, Op::Ptr { own: true, .. }))
}

impl Since {
    fn or(self, other: Since) -> Since {
        Since {
            lds_read: self.lds_read.or(other.lds_read),
            lds_written: self.lds_written.or(other.lds_written),
            memory_read: self.memory_read.or(other.memory_read),
            memory_written: self.memory_written.or(other.memory_written),
        }
    }

    fn aged(self) -> Since {
        Since {
            lds_read: self.lds_read.aged(),
            lds_written: self.lds_written.aged(),
            memory_read: self.memory_read.aged(),
            memory_written: self.memory_written.aged(),
        }
    }

    /// Does an access; whether a `WaveSync` must come before it.
    fn step(&mut self, access: Access, loc: Loc) -> bool {
        let conflict = match access {
            Access::Sync => false,
            Access::LdsRead => self.lds_written.another(loc),
            Access::LdsWrite => self.lds_read.another(loc) || self.lds_written.another(loc),
            Access::MemoryRead => self.memory_written.another(loc),
            Access::MemoryWrite => {
                self.memory_read.another(loc) || self.memory_written.another(loc)
            }
        };
        if conflict {
            *self = Since::default();
        }
        let by = By::One(loc);
        match access {
            Access::Sync => *self = Since::default(),
            Access::LdsRead => self.lds_read = self.lds_read.or(by),
            Access::LdsWrite => self.lds_written = self.lds_written.or(by),
            Access::MemoryRead => self.memory_read = self.memory_read.or(by),
            Access::MemoryWrite => self.memory_written = self.memory_written.or(by),
        }
        conflict
    }
}

/// An access.
#[derive(Clone, Copy, Debug)]
struct Place {
    access: Access,
    loc: Loc,
    /// Its position in its block.
    at: u32,
}

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    /// The accesses of the blocks, in their order.
    places: Vec<Place>,
    /// By position in the order: where the block's accesses end.
    ends: Vec<u32>,
    /// By block: its position in the order.
    position: Vec<u32>,
    /// By position: what has happened where the block begins.
    entry: Vec<Since>,
    /// Positions in a block of accesses that need a `WaveSync` before them.
    before: Vec<u32>,
}

/// Runs the pass; whether anything was placed.
pub fn run(f: &mut Func, doms: &Dominators) -> bool {
    run_in(&mut Room::default(), f, doms)
}

/// As [`run`].
pub fn run_in(room: &mut Room, f: &mut Func, doms: &Dominators) -> bool {
    let order = doms.order();
    // Nothing conflicts where nobody writes.
    if !room.collect(f, order) {
        return false;
    }
    let Room {
        places,
        ends,
        position,
        entry,
        before,
    } = room;
    position.clear();
    position.resize(f.block_count(), 0);
    for (i, block) in (0..).zip(order) {
        position[block.index()] = i;
    }
    entry.clear();
    entry.resize(order.len(), Since::default());
    let accesses = |i: usize| {
        let start = i.checked_sub(1).map_or(0, |before| ends[before]);
        &places[start as usize..ends[i] as usize]
    };
    let mut again = true;
    while again {
        again = false;
        for (i, &block) in order.iter().enumerate() {
            let mut since = entry[i];
            for place in accesses(i) {
                since.step(place.access, place.loc);
            }
            let Some(term) = &f.block(block).term else {
                continue;
            };
            // A barrier orders everything.
            if matches!(term, Terminator::Barrier(_)) {
                since = Since::default();
            }
            for target in term.ways() {
                let next = position[target.block.index()] as usize;
                let back = next <= i;
                let since = if back { since.aged() } else { since };
                let joined = entry[next].or(since);
                if joined != entry[next] {
                    entry[next] = joined;
                    // What comes later is still to be looked at in this round.
                    again |= back;
                }
            }
        }
    }
    let mut placed = false;
    for (i, &block) in order.iter().enumerate() {
        let mut since = entry[i];
        before.clear();
        let waits = accesses(i).iter().filter(|p| since.step(p.access, p.loc));
        before.extend(waits.map(|place| place.at));
        if before.is_empty() {
            continue;
        }
        placed = true;
        let old = std::mem::take(&mut f.block_mut(block).insts);
        let mut new = Vec::with_capacity(old.len() + before.len());
        let mut from = 0;
        for &at in &*before {
            new.extend_from_slice(&old[from..at as usize]);
            new.push(f.new_inst(Op::WaveSync, Args::new(), None));
            from = at as usize;
        }
        new.extend_from_slice(&old[from..]);
        f.block_mut(block).insts = new;
    }
    placed
}

impl Room {
    /// Finds the accesses of blocks; whether one of them writes.
    fn collect(&mut self, f: &Func, order: &[Block]) -> bool {
        let mut writes = false;
        self.places.clear();
        self.ends.clear();
        for &block in order {
            let head = if block == f.entry() { f.head_len() } else { 0 };
            for (at, &inst) in (0..).zip(&f.block(block).insts).skip(head) {
                let data = f.inst(inst);
                let Some(access) = access(&data.op) else {
                    continue;
                };
                if !reaches_own(f, data) {
                    writes |= matches!(access, Access::LdsWrite | Access::MemoryWrite);
                    let loc = data.loc;
                    self.places.push(Place { access, loc, at });
                }
            }
            self.ends.push(self.places.len() as u32);
        }
        writes
    }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a failed test")]
mod tests {
    use spirdna_isa::WaveSize;

    use super::*;
    use crate::ir::{Builder, Input, MemWidth, Target, Value};

    fn at(b: &mut Builder<'_>, pc: u32) {
        b.func_mut().set_loc(Loc(pc));
    }

    fn store(b: &mut Builder<'_>, address: Value) {
        let (value, yes) = (b.const32(1), b.const_bool(true));
        b.lds_store(address, value, yes, MemWidth::B32);
    }

    fn load(b: &mut Builder<'_>, address: Value) {
        let yes = b.const_bool(true);
        b.lds_load(address, yes, MemWidth::B32);
    }

    fn run_alone(f: &mut Func) -> bool {
        let doms = Dominators::new(f);
        run(f, &doms)
    }

    fn syncs(f: &Func) -> Vec<usize> {
        f.blocks()
            .map(|b| {
                let insts = &f.block(b).insts;
                insts
                    .iter()
                    .filter(|&&i| f.inst(i).op == Op::WaveSync)
                    .count()
            })
            .collect()
    }

    #[test]
    fn a_load_after_another_instructions_store_waits() {
        let mut f = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut f);
        let lane = b.input(Input::LaneId);
        at(&mut b, 0);
        store(&mut b, lane);
        at(&mut b, 4);
        load(&mut b, lane);
        load(&mut b, lane);
        b.ret();
        assert!(run_alone(&mut f));
        assert_eq!(syncs(&f), [1]);
    }

    /// Stores and loads of memory, of places that are the lane's own or not.
    fn stored_and_loaded(own: bool) -> Func {
        let mut f = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut f);
        let (lane, yes) = (b.input(Input::LaneId), b.const_bool(true));
        let address = b.zext(lane);
        let place = if own {
            b.own_ptr(address, 4)
        } else {
            b.ptr(address, 4)
        };
        at(&mut b, 0);
        b.store(place, lane, yes, MemWidth::B32, 0, true);
        at(&mut b, 4);
        b.load(place, yes, MemWidth::B32, 0, true, false);
        b.ret();
        f
    }

    #[test]
    fn what_no_other_lane_reaches_waits_for_nothing() {
        assert!(run_alone(&mut stored_and_loaded(false)));
        assert!(!run_alone(&mut stored_and_loaded(true)));
    }

    #[test]
    fn the_stores_of_one_instruction_are_one_access() {
        let mut f = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut f);
        let lane = b.input(Input::LaneId);
        at(&mut b, 0);
        store(&mut b, lane);
        store(&mut b, lane);
        b.ret();
        assert!(!run_alone(&mut f));
    }

    #[test]
    fn a_store_meets_the_load_of_the_last_trip() {
        // loop { store; load }: the store of the next trip waits for the load, the load for the store.
        let mut f = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut f);
        let lane = b.input(Input::LaneId);
        let body = b.new_block();
        let end = b.new_block();
        let again = b.input(Input::UserData(0));
        let again = b.eq32(again, 0);
        b.jump(body, Vec::new());
        b.switch_to(body);
        at(&mut b, 0);
        store(&mut b, lane);
        at(&mut b, 4);
        load(&mut b, lane);
        b.branch(
            again,
            Target::new(body, Vec::new()),
            Target::new(end, Vec::new()),
        );
        b.switch_to(end);
        b.ret();
        assert!(run_alone(&mut f));
        assert_eq!(syncs(&f), [0, 2, 0]);
    }

    #[test]
    fn a_store_meets_itself_in_the_next_trip() {
        let mut f = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut f);
        let lane = b.input(Input::LaneId);
        let (body, end) = (b.new_block(), b.new_block());
        let again = b.input(Input::UserData(0));
        let again = b.eq32(again, 0);
        b.jump(body, Vec::new());
        b.switch_to(body);
        at(&mut b, 0);
        store(&mut b, lane);
        store(&mut b, lane);
        b.branch(
            again,
            Target::new(body, Vec::new()),
            Target::new(end, Vec::new()),
        );
        b.switch_to(end);
        b.ret();
        assert!(run_alone(&mut f));
        assert_eq!(syncs(&f), [0, 1, 0]);
    }

    #[test]
    fn a_barrier_orders_as_well() {
        let mut f = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut f);
        let lane = b.input(Input::LaneId);
        at(&mut b, 0);
        store(&mut b, lane);
        let next = b.new_block();
        b.barrier(next, Vec::new());
        b.switch_to(next);
        at(&mut b, 8);
        load(&mut b, lane);
        b.ret();
        assert!(!run_alone(&mut f));
    }
}

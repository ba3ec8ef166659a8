//! Places `WaveSync`: the guest's lanes run in step, the host's invocations need not.
//!
//! Before: accesses stand in program order, without a `WaveSync`. After: between two accesses of one
//! space (LDS, or guest memory) that may touch the same place from different lanes, and of which one
//! writes, there is a `WaveSync` or a workgroup barrier on every way from the first to the second.
//! The accesses of one guest instruction count as one, in one trip of a loop. Accesses wait for none with which
//! they have one of these in common: lanes keep to their own shares of LDS (`shares`); only one lane, the same,
//! does them; they are the same atomic operation, whose order does not show and whose results nobody takes.
//! Touches nothing else.

use crate::ir::dom::Dominators;
use crate::ir::{Args, AtomicOp, Block, Func, InstData, Loc, MemWidth, Op, Terminator, Value};
use crate::passes::shares::{Bounds, Group, Shares, lane_of};

/// A guest instruction where it stands: copies of it in other blocks are other trips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Site {
    loc: Loc,
    block: Block,
}

/// What accesses have in common. Two that have anything in common do not wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Common {
    /// The guest instruction, in this trip of a loop.
    site: Option<Site>,
    /// What a lane keeps to, and the first and last byte of all.
    bounds: Bounds,
    /// A condition that they all ask for, and that holds for one lane of the wave at most.
    lane: Option<Value>,
    /// An atomic operation whose order does not show.
    op: Option<(AtomicOp, MemWidth)>,
}

/// What is known of accesses: of those that did something together, and of one to come.
trait Mark: Copy + PartialEq {
    /// Whether what must wait in one space makes the accesses of the other space wait too, as a `WaveSync` does:
    /// otherwise it is found for each space whether anything must.
    const TOGETHER: bool;
    /// Of both.
    fn both(self, other: Self) -> Self;
    /// Whether one of those may meet an access, in the wrong order, of another lane.
    fn meets(self, access: Self) -> bool;
    /// The same, seen from another trip of a loop: no instruction is the same any more.
    fn aged(self) -> Self;
}

/// What both have, if it is the same.
fn same<T: PartialEq>(a: Option<T>, b: Option<T>) -> Option<T> {
    a.filter(|a| b.is_some_and(|b| b == *a))
}

/// The guest instruction alone, if it is one.
type Only = Option<Site>;

impl Mark for Only {
    const TOGETHER: bool = false;

    fn both(self, other: Only) -> Only {
        self.filter(|_| self == other)
    }

    fn meets(self, access: Only) -> bool {
        self.both(access).is_none()
    }

    fn aged(self) -> Only {
        None
    }
}

impl Mark for Common {
    const TOGETHER: bool = true;

    fn both(self, other: Common) -> Common {
        Common {
            site: same(self.site, other.site),
            bounds: self.bounds.joined(other.bounds),
            lane: same(self.lane, other.lane),
            op: same(self.op, other.op),
        }
    }

    fn meets(self, access: Common) -> bool {
        // What is cheap to see first.
        let same = same(self.site, access.site).is_some()
            || same(self.lane, access.lane).is_some()
            || same(self.op, access.op).is_some();
        !(same
            || self.bounds.is_apart(access.bounds)
            || self.bounds.share_with(access.bounds).is_some())
    }

    fn aged(self) -> Common {
        Common { site: None, ..self }
    }
}

fn either<M: Mark>(a: Option<M>, b: Option<M>) -> Option<M> {
    match (a, b) {
        (None, by) | (by, None) => by,
        (Some(a), Some(b)) => Some(a.both(b)),
    }
}

/// What accesses have happened since the last `WaveSync`; `None`: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Since<M> {
    lds_read: Option<M>,
    lds_written: Option<M>,
    memory_read: Option<M>,
    memory_written: Option<M>,
}

/// In which spaces something waits, or may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spaces {
    lds: bool,
    memory: bool,
}

impl Spaces {
    fn any(self) -> bool {
        self.lds || self.memory
    }

    /// Whether an access is in one of them; what orders everything is in all.
    fn have(self, access: Access) -> bool {
        match access {
            Access::LdsRead | Access::LdsWrite => self.lds,
            Access::MemoryRead | Access::MemoryWrite => self.memory,
            Access::Sync => true,
        }
    }

    /// Adds that of an access.
    fn add(&mut self, access: Access) {
        match access {
            Access::LdsRead | Access::LdsWrite => self.lds = true,
            Access::MemoryRead | Access::MemoryWrite => self.memory = true,
            Access::Sync => {}
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

impl<M: Mark> Since<M> {
    const NOTHING: Since<M> = Since {
        lds_read: None,
        lds_written: None,
        memory_read: None,
        memory_written: None,
    };

    fn or(self, other: Since<M>) -> Since<M> {
        Since {
            lds_read: either(self.lds_read, other.lds_read),
            lds_written: either(self.lds_written, other.lds_written),
            memory_read: either(self.memory_read, other.memory_read),
            memory_written: either(self.memory_written, other.memory_written),
        }
    }

    fn aged(self) -> Since<M> {
        Since {
            lds_read: self.lds_read.map(M::aged),
            lds_written: self.lds_written.map(M::aged),
            memory_read: self.memory_read.map(M::aged),
            memory_written: self.memory_written.map(M::aged),
        }
    }

    fn is_nothing(&self) -> bool {
        self.lds_read.is_none()
            && self.lds_written.is_none()
            && self.memory_read.is_none()
            && self.memory_written.is_none()
    }

    /// What was before an access that must wait is ordered.
    fn forget(&mut self, access: Access) {
        let lds = matches!(access, Access::LdsRead | Access::LdsWrite);
        if M::TOGETHER || lds {
            (self.lds_read, self.lds_written) = (None, None);
        }
        if M::TOGETHER || !lds {
            (self.memory_read, self.memory_written) = (None, None);
        }
    }

    /// Whether a `WaveSync` must come before an access.
    fn meets(&self, place: &Place<M>) -> bool {
        let met = |by: &Option<M>| by.is_some_and(|by| by.meets(place.mark));
        match place.access {
            Access::Sync => false,
            Access::LdsRead => met(&self.lds_written),
            Access::LdsWrite => met(&self.lds_read) || met(&self.lds_written),
            Access::MemoryRead => met(&self.memory_written),
            Access::MemoryWrite => met(&self.memory_read) || met(&self.memory_written),
        }
    }

    /// Does an access; whether a `WaveSync` must come before it.
    fn step(&mut self, place: &Place<M>) -> bool {
        let conflict = self.meets(place);
        if conflict {
            self.forget(place.access);
        }
        let by = Some(place.mark);
        match place.access {
            Access::Sync => *self = Since::NOTHING,
            Access::LdsRead => self.lds_read = either(self.lds_read, by),
            Access::LdsWrite => self.lds_written = either(self.lds_written, by),
            Access::MemoryRead => self.memory_read = either(self.memory_read, by),
            Access::MemoryWrite => self.memory_written = either(self.memory_written, by),
        }
        conflict
    }
}

/// An access.
#[derive(Clone, Copy, Debug)]
struct Place<M> {
    access: Access,
    mark: M,
    /// Its position in its block.
    at: u32,
}

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    /// The accesses of the blocks, in their order.
    places: Vec<Place<Only>>,
    /// By position in the order: where the block's accesses end.
    ends: Vec<u32>,
    /// By block: its position in the order.
    position: Vec<u32>,
    /// By position: what has happened where the block begins.
    entry: Vec<Since<Only>>,
    /// By position: whether that is something else than when the block was last looked at.
    stale: Vec<bool>,
    /// Positions in a block of accesses that need a `WaveSync` before them.
    before: Vec<u32>,
}

/// The accesses of the block at a position in the order.
fn part<'a, M>(places: &'a [Place<M>], ends: &[u32], i: usize) -> &'a [Place<M>] {
    let start = i.checked_sub(1).map_or(0, |before| ends[before]);
    &places[start as usize..ends[i] as usize]
}

/// What has happened before each block of the order; where something must wait.
fn flow<M: Mark>(
    f: &Func,
    order: &[Block],
    position: &[u32],
    accesses: (&[Place<M>], &[u32]),
    entry: &mut Vec<Since<M>>,
    stale: &mut Vec<bool>,
) -> Spaces {
    let (places, ends) = accesses;
    entry.clear();
    entry.resize(order.len(), Since::NOTHING);
    stale.clear();
    stale.resize(order.len(), true);
    let (mut again, mut waits) = (true, Spaces::default());
    while again {
        again = false;
        for (i, &block) in order.iter().enumerate() {
            if !std::mem::replace(&mut stale[i], false) {
                continue;
            }
            let mut since = entry[i];
            for place in part(places, ends, i) {
                if since.step(place) {
                    waits.add(place.access);
                }
            }
            let Some(term) = &f.block(block).term else {
                continue;
            };
            // A barrier orders everything.
            if matches!(term, Terminator::Barrier(_)) {
                since = Since::NOTHING;
            }
            for target in term.ways() {
                if since.is_nothing() {
                    continue;
                }
                let next = position[target.block.index()] as usize;
                let back = next <= i;
                let since = if back { since.aged() } else { since };
                let before = &mut entry[next];
                let joined = if before.is_nothing() {
                    since
                } else {
                    before.or(since)
                };
                if joined != *before {
                    *before = joined;
                    stale[next] = true;
                    // What comes later is still to be looked at in this round.
                    again |= back;
                }
            }
        }
    }
    waits
}

/// Whether the order of such operations shows only in their results.
fn commutes(op: AtomicOp) -> bool {
    matches!(
        op,
        AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::SMin
            | AtomicOp::UMin
            | AtomicOp::SMax
            | AtomicOp::UMax
    )
}

/// Whether somebody takes each value.
fn taken(f: &Func, order: &[Block]) -> Vec<bool> {
    let mut taken = vec![false; f.value_count()];
    for &block in order {
        let data = f.block(block);
        for &inst in &data.insts {
            for &arg in &f.inst(inst).args {
                taken[arg.index()] = true;
            }
        }
        if let Some(term) = &data.term {
            term.for_each_value(|v| taken[v.index()] = true);
        }
    }
    taken
}

/// The accesses of some spaces with what they have besides the guest instruction that they are of, and by position in
/// the order where the block's accesses end.
fn refined(
    f: &Func,
    doms: &Dominators,
    group: Group,
    room: &Room,
    spaces: Spaces,
) -> (Vec<Place<Common>>, Vec<u32>) {
    let order = doms.order();
    // Of memory nobody asks for shares.
    let shares = spaces.lds.then(|| Shares::new(f, doms, group));
    // Asked for where there is an operation whose order does not show.
    let mut all_taken = None;
    let mut refined = Vec::with_capacity(room.places.len());
    let mut ends = Vec::with_capacity(order.len());
    for (i, &block) in order.iter().enumerate() {
        for place in part(&room.places, &room.ends, i) {
            if !spaces.have(place.access) {
                continue;
            }
            let data = f.inst(f.block(block).insts[place.at as usize]);
            let mut mark = Common {
                site: place.mark,
                bounds: Bounds::UNKNOWN,
                lane: None,
                op: None,
            };
            match (data.op, data.args.as_slice()) {
                (Op::LdsLoad { width }, &[address, guard])
                | (Op::LdsStore { width }, &[address, _, guard])
                | (Op::LdsAtomic { width, .. }, &[address, guard, ..]) => {
                    if let Some(shares) = &shares {
                        mark.bounds = shares.of(block, address, guard, width);
                    }
                    mark.lane = lane_of(f, group, guard);
                }
                (Op::Load { .. }, &[_, guard])
                | (Op::Store { .. }, &[_, _, guard])
                | (Op::Atomic { .. }, &[_, guard, ..]) => mark.lane = lane_of(f, group, guard),
                _ => {}
            }
            if let Op::Atomic { op, width, .. } | Op::LdsAtomic { op, width, .. } = data.op
                && commutes(op)
                && data.result.is_none_or(|v| {
                    let taken = all_taken.get_or_insert_with(|| taken(f, order));
                    !taken[v.index()]
                })
            {
                mark.op = Some((op, width));
            }
            refined.push(Place {
                access: place.access,
                mark,
                at: place.at,
            });
        }
        ends.push(refined.len() as u32);
    }
    (refined, ends)
}

/// Runs the pass; whether anything was placed.
pub fn run(f: &mut Func, doms: &Dominators, group: Group) -> bool {
    run_in(&mut Room::default(), f, doms, group)
}

/// As [`run`].
pub fn run_in(room: &mut Room, f: &mut Func, doms: &Dominators, group: Group) -> bool {
    let order = doms.order();
    // Nothing conflicts where nobody writes.
    if !room.collect(f, order) {
        return false;
    }
    room.position.clear();
    room.position.resize(f.block_count(), 0);
    for (i, block) in (0..).zip(order) {
        room.position[block.index()] = i;
    }
    let accesses = (room.places.as_slice(), room.ends.as_slice());
    let (entry, stale) = (&mut room.entry, &mut room.stale);
    let spaces = flow(f, order, &room.position, accesses, entry, stale);
    if !spaces.any() {
        return false;
    }
    // Something seems to wait: it pays to look closer, where it does.
    let (places, ends) = refined(f, doms, group, room, spaces);
    let mut entry = Vec::new();
    let accesses = (places.as_slice(), ends.as_slice());
    let stale = &mut room.stale;
    if !flow(f, order, &room.position, accesses, &mut entry, stale).any() {
        return false;
    }
    let before = &mut room.before;
    let mut placed = false;
    for (i, &block) in order.iter().enumerate() {
        let mut since = entry[i];
        before.clear();
        let waits = part(&places, &ends, i).iter();
        before.extend(waits.filter(|p| since.step(p)).map(|place| place.at));
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
            let insts = &f.block(block).insts;
            let head = f.head_of(block);
            for (at, &inst) in (head as u32..).zip(&insts[head..]) {
                let data = f.inst(inst);
                let Some(access) = access(&data.op) else {
                    continue;
                };
                if !reaches_own(f, data) {
                    writes |= matches!(access, Access::LdsWrite | Access::MemoryWrite);
                    let loc = data.loc;
                    let mark = Some(Site { loc, block });
                    self.places.push(Place { access, mark, at });
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
    use crate::ir::{Builder, Input, Shape, Target};

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
        let group = Group {
            local: [64, 1, 1],
            lanes: 32,
            partial: false,
        };
        run(f, &doms, group)
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

    /// A loop of what `body` does.
    fn looped(body: impl Fn(&mut Builder<'_>)) -> Func {
        let mut f = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut f);
        let (inside, end) = (b.new_block(), b.new_block());
        let again = b.input(Input::UserData(0));
        let again = b.eq32(again, 0);
        b.jump(inside, Vec::new());
        b.switch_to(inside);
        body(&mut b);
        b.branch(
            again,
            Target::new(inside, Vec::new()),
            Target::new(end, Vec::new()),
        );
        b.switch_to(end);
        b.ret();
        f
    }

    #[test]
    fn lanes_that_keep_to_their_words_wait_for_nothing() {
        let mut own = looped(|b| {
            let id = b.input(Input::LocalId(0));
            let word = b.shl_by(id, 2);
            at(b, 0);
            store(b, word);
            at(b, 4);
            load(b, word);
        });
        assert!(!run_alone(&mut own));
        let mut neighbours = looped(|b| {
            let id = b.input(Input::LocalId(0));
            let word = b.shl_by(id, 2);
            let next = b.add32(word, 4);
            at(b, 0);
            store(b, word);
            at(b, 4);
            load(b, next);
        });
        assert!(run_alone(&mut neighbours));
        assert_eq!(syncs(&neighbours), [0, 2, 0]);
    }

    #[test]
    fn bytes_apart_wait_for_nothing() {
        let aside = |by: u32| {
            let mut f = looped(|b| {
                let id = b.input(Input::LocalId(0));
                let word = b.shl_by(id, 2);
                let (one, yes) = (b.const32(by), b.const_bool(true));
                at(b, 0);
                store(b, word);
                at(b, 4);
                // Another lane's word, or behind the last one's (63).
                b.lds_load(one, yes, MemWidth::B32);
            });
            run_alone(&mut f);
            syncs(&f)
        };
        assert_eq!(aside(252), [0, 2, 0]);
        assert_eq!(aside(256), [0, 0, 0]);
    }

    #[test]
    fn one_lane_waits_for_nothing() {
        let guarded = |second: u32| {
            let mut f = looped(|b| {
                let (id, place) = (b.input(Input::LocalId(0)), b.input(Input::UserData(1)));
                let value = b.const32(7);
                let lanes = [0, second].map(|n| b.eq32(id, n));
                at(b, 0);
                b.lds_store(place, value, lanes[0], MemWidth::B32);
                at(b, 4);
                b.lds_load(place, lanes[1], MemWidth::B32);
            });
            run_alone(&mut f);
            syncs(&f)
        };
        assert_eq!(guarded(0), [0, 0, 0]);
        assert_eq!(guarded(1), [0, 2, 0]);
    }

    #[test]
    fn atomics_whose_order_does_not_show_wait_for_nothing() {
        let atomics = |op, other, shown: bool| {
            let mut f = looped(|b| {
                let (place, yes) = (b.input(Input::UserData(1)), b.const_bool(true));
                let one = b.const32(1);
                at(b, 0);
                let old = b.lds_atomic(op, MemWidth::B32, Shape::Lane, place, yes, &[one]);
                at(b, 4);
                b.lds_atomic(other, MemWidth::B32, Shape::Lane, place, yes, &[one]);
                if shown {
                    let address = b.zext(old);
                    b.fault(8, address, yes);
                }
            });
            run_alone(&mut f);
            syncs(&f)
        };
        assert_eq!(atomics(AtomicOp::Or, AtomicOp::Or, false), [0, 0, 0]);
        assert_eq!(atomics(AtomicOp::Or, AtomicOp::Or, true), [0, 2, 0]);
        assert_eq!(atomics(AtomicOp::Or, AtomicOp::Add, false), [0, 2, 0]);
        assert_eq!(atomics(AtomicOp::Swap, AtomicOp::Swap, false), [0, 2, 0]);
    }
}

//! Slot loops: the segments of a block over the slots of an invocation, the arrays that carry values
//! between them, and cross-lane operations on values in arrays.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::code::Open;
use super::context::Slot;
use super::error::{EmitError, Fail};
use super::lanes::{Body, Home, Parts, PerSlot};
use super::module::Id;
use super::patterns::Pattern;
use super::segments::{self, Class, Segment};
use super::value::Val;
use crate::ir::{Block, Func, Inst, Value};

/// Slots that one trip of a slot loop handles inside a loop of the program, unless it is short or long:
/// fewer back-edges, of which some hosts allow an invocation only so many. Outside, where a slot loop
/// runs once, a trip is one slot: hosts that run on a CPU compile that in half the time.
const SLOTS_A_TRIP: u32 = 4;
/// Instructions up to which a trip is made longer.
const SHORT: u32 = 32;
/// Instructions above which a trip is made shorter.
const LONG: u32 = 400;

/// Slots a trip: a power of two, at most `slots` (a power of two), so that trips come out even.
fn slots_a_trip(slots: u32, weight: u32, repeated: bool) -> u32 {
    if !repeated {
        return 1;
    }
    let mut step = SLOTS_A_TRIP.min(slots);
    while step < slots && weight.saturating_mul(2 * step) <= SHORT {
        step *= 2;
    }
    while step > 1 && weight.saturating_mul(step) > LONG {
        step /= 2;
    }
    step
}

impl Body<'_, '_> {
    /// Gives arrays to the per-lane values that leave the slot loop that makes them, and to per-lane
    /// parameters. Values whose time does not overlap share arrays: where a value is used in one block
    /// alone, by the segments of the block, otherwise by blocks.
    pub fn give_arrays(&mut self) {
        if self.cx.unrolled() {
            return;
        }
        let func = self.func;
        // (block, segment) of each definition, and the last segment of that block that uses it; the
        // index past the last segment where another block or the terminator does.
        let mut home_of: FxHashMap<Value, (Block, usize)> = FxHashMap::default();
        for (&block, plan) in &self.plans {
            for (index, segment) in plan.iter().enumerate() {
                for &inst in &segment.lanes {
                    let result = func.inst(inst).result;
                    let kept = |v: &Value| func.is_lane(*v) && !self.remade.contains(v);
                    if let Some(value) = result.filter(kept) {
                        home_of.insert(value, (block, index));
                    }
                }
            }
        }
        let mut last_use: FxHashMap<Value, usize> = FxHashMap::default();
        let mut note = |value: Value, block: Block, at: usize, complete: bool| {
            if let Some(&(home, made)) = home_of.get(&value) {
                if home != block {
                    last_use.insert(value, usize::MAX);
                } else if at > made || complete {
                    let last = last_use.entry(value).or_insert(at);
                    *last = (*last).max(at);
                }
            }
        };
        for (&block, plan) in &self.plans {
            for (index, segment) in plan.iter().enumerate() {
                for &inst in segment.before.iter().chain(&segment.after) {
                    segments::needed(func, inst, &mut |value| note(value, block, index, true));
                }
                for &inst in &segment.lanes {
                    segments::needed(func, inst, &mut |value| note(value, block, index, false));
                }
            }
            if let Some(term) = &func.block(block).term {
                term.for_each_value(|value| note(value, block, usize::MAX, true));
            }
        }
        let mut whole = Vec::new();
        let mut starts: FxHashMap<(Block, usize), Vec<Value>> = FxHashMap::default();
        let mut ends: FxHashMap<(Block, usize), Vec<Value>> = FxHashMap::default();
        for value in sorted(last_use.keys().copied()) {
            let (Some(&last), Some(&(block, made))) = (last_use.get(&value), home_of.get(&value))
            else {
                continue;
            };
            if last == usize::MAX {
                whole.push(value);
            } else {
                starts.entry((block, made)).or_default().push(value);
                ends.entry((block, last)).or_default().push(value);
            }
        }
        for block in func.blocks() {
            let params = func.block(block).params.iter().copied();
            whole.extend(params.filter(|&v| func.is_lane(v)));
        }
        let taken = self.share_by_blocks(&whole);
        // Arrays of values within blocks: those of no value across blocks, and in each block those of
        // values that it does not hold.
        let mut pool: [Vec<Parts>; 2] = [Vec::new(), Vec::new()];
        for block in func.blocks() {
            self.free = pool.clone();
            for (free, taken) in self.free.iter_mut().zip(&taken) {
                let bit = |bits: &Vec<u64>| bits.get(block.index() / 64).copied().unwrap_or(0);
                let idle = taken
                    .iter()
                    .filter(|(_, bits)| bit(bits) >> (block.index() % 64) & 1 == 0);
                free.extend(idle.map(|(arrays, _)| arrays.clone()));
            }
            let known = self.free.clone();
            for at in 0..self.plans.get(&block).map_or(0, Vec::len) {
                for &value in starts.get(&(block, at)).into_iter().flatten() {
                    self.give_home(value);
                }
                for value in ends.get(&(block, at)).into_iter().flatten() {
                    if let Some(Home::Arrays(arrays)) = self.homes.get(value).cloned()
                        && let Some(free) = self.free.get_mut(arrays.len() - 1)
                    {
                        free.push(arrays);
                    }
                }
            }
            // What the block added is free again, for the next one too.
            for ((pool, known), free) in pool.iter_mut().zip(known).zip(&self.free) {
                pool.extend(free.iter().filter(|a| !known.contains(a)).cloned());
            }
        }
        // Homes given from here on must not be shared.
        self.free = [Vec::new(), Vec::new()];
    }

    /// Gives arrays to values that live across blocks: two may share theirs where no block holds both.
    fn share_by_blocks(&mut self, values: &[Value]) -> [Vec<(Parts, Vec<u64>)>; 2] {
        let func = self.func;
        let held = blocks_that_hold(func, values);
        // Arrays given so far, by whether they hold pairs, with the blocks in which they are taken.
        let mut taken: [Vec<(Parts, Vec<u64>)>; 2] = [Vec::new(), Vec::new()];
        for value in values {
            let kind = func.kind(*value);
            let Some(blocks) = held.get(value) else {
                continue;
            };
            let Some(list) = taken.get_mut(super::value::parts(self.cx.stands_as(kind)) - 1) else {
                continue;
            };
            let apart = |other: &Vec<u64>| other.iter().zip(blocks).all(|(a, b)| a & b == 0);
            let arrays = match list.iter_mut().find(|(_, other)| apart(other)) {
                Some((arrays, other)) => {
                    for (a, b) in other.iter_mut().zip(blocks) {
                        *a |= b;
                    }
                    arrays.clone()
                }
                None => {
                    let arrays = self.arrays(kind);
                    list.push((arrays.clone(), blocks.clone()));
                    arrays
                }
            };
            self.homes.insert(*value, Home::Arrays(arrays));
        }
        taken
    }

    /// Emits something for all slots: in a loop over them, several a trip, or at once where it is short.
    /// `weight` is about the number of instructions for one slot.
    pub(super) fn slot_loop(
        &mut self,
        b: &mut Open,
        weight: u32,
        emit: impl FnOnce(&mut Self, &mut Open, &[Slot]) -> Result<(), Fail>,
    ) -> Result<(), Fail> {
        let count = self.cx.geo.slots;
        let step = slots_a_trip(count, weight, self.repeated);
        let mut slots: SmallVec<[Slot; 4]> = SmallVec::new();
        self.trip.clear();
        if step == count {
            for number in 0..count {
                slots.push(self.cx.fixed_slot(b, number));
            }
            emit(self, b, &slots)?;
        } else {
            let trip = self.cx.m.begin_count(b, count, step);
            for i in 0..step {
                let number = self.cx.m.add_by(b, trip.counter, i);
                slots.push(self.cx.slot(b, number));
            }
            emit(self, b, &slots)?;
            self.cx.m.end_count(b, trip);
        }
        self.trip.clear();
        Ok(())
    }

    pub(super) fn segments(&mut self, b: &mut Open, block: Block) -> Result<(), Fail> {
        // Each block is emitted once.
        let plan = self.plans.remove(&block).unwrap_or_default();
        for segment in &plan {
            for &inst in &segment.before {
                self.outside(b, inst)?;
            }
            if !segment.lanes.is_empty() {
                self.segment(b, segment)?;
            }
            for &inst in &segment.after {
                self.outside(b, inst)?;
            }
        }
        Ok(())
    }

    /// A uniform instruction outside slot loops.
    fn outside(&mut self, b: &mut Open, inst: Inst) -> Result<(), Fail> {
        if segments::class(self.func, inst) != Class::ReadLane {
            return self.uniform_inst(b, inst);
        }
        let data = self.func.inst(inst);
        let lane = self.uniform(b, data.args[1])?.one()?;
        let (number, invocation) = self.cx.split_lane(b, lane);
        let slot = self.cx.slot(b, number);
        self.trip.clear();
        let word = self.words(b, data.args[0], &[slot])?;
        self.trip.clear();
        let value = self.cx.read_invocation(b, word[0], invocation);
        if let Some(result) = data.result {
            self.define(result, Val::One(value));
        }
        Ok(())
    }

    fn segment(&mut self, b: &mut Open, segment: &Segment) -> Result<(), Fail> {
        let func = self.func;
        let ballots: Vec<Inst> = segment
            .lanes
            .iter()
            .copied()
            .filter(|&i| segments::class(func, i) == Class::Ballot)
            .collect();
        let words = if self.cx.geo.wave == 32 { 1 } else { 2 };
        let word = self.cx.m.u32();
        while self.accumulators.len() < ballots.len() * words {
            let variable = self.cx.m.local(&mut self.cx.frame, word);
            self.accumulators.push(variable);
        }
        let zero = self.cx.m.const_u32(0);
        for &variable in self.accumulators.clone().iter().take(ballots.len() * words) {
            self.cx.m.store(b, variable, zero);
        }
        // Uniform arguments are brought before the loop, where their loads dominate what follows.
        for &inst in &segment.lanes {
            let mut uniform = Vec::new();
            segments::needed(func, inst, &mut |value| {
                if !func.is_lane(value) {
                    uniform.push(value);
                }
            });
            for value in uniform {
                self.uniform(b, value)?;
            }
        }
        let helpers = &self.cx.helper_weights;
        let weight = segment.lanes.iter().fold(0u32, |sum, &inst| {
            sum.saturating_add(segments::weight(func, inst, helpers))
        });
        self.slot_loop(b, weight, |body, b, slots| {
            let mut ballot = 0;
            for &inst in &segment.lanes {
                match segments::class(func, inst) {
                    Class::Ballot => {
                        let accumulators: Parts = body
                            .accumulators
                            .iter()
                            .skip(ballot * words)
                            .take(words)
                            .copied()
                            .collect();
                        body.accumulate(b, inst, slots, &accumulators)?;
                        ballot += 1;
                    }
                    Class::Shuffle => body.shuffle_in_loop(b, inst, slots)?,
                    _ => body.lane_inst(b, inst, slots)?,
                }
            }
            Ok(())
        })?;
        for (i, &inst) in ballots.iter().enumerate() {
            let variables: Parts = self
                .accumulators
                .iter()
                .skip(i * words)
                .take(words)
                .copied()
                .collect();
            let value = self.load_parts(b, func.mask_kind(), &variables)?;
            if let Some(result) = func.inst(inst).result {
                self.define(result, value);
            }
        }
        Ok(())
    }

    fn accumulate(
        &mut self,
        b: &mut Open,
        inst: Inst,
        slots: &[Slot],
        accumulators: &Parts,
    ) -> Result<(), Fail> {
        let conds = self.words(b, self.func.inst(inst).args[0], slots)?;
        let zero = self.cx.m.const_u32(0);
        let mut sums = [zero, zero];
        for (&cond, &slot) in conds.iter().zip(slots) {
            let (low, high) = self.cx.ballot_part(b, cond, slot);
            sums = [
                self.cx.m.or(b, sums[0], low),
                self.cx.m.or(b, sums[1], high),
            ];
        }
        let word = self.cx.m.u32();
        for (&variable, sum) in accumulators.iter().zip(sums) {
            let old = self.cx.m.load(b, word, variable);
            let new = self.cx.m.or(b, old, sum);
            self.cx.m.store(b, variable, new);
        }
        Ok(())
    }

    /// A shuffle of a value that stands in an array.
    fn shuffle_in_loop(&mut self, b: &mut Open, inst: Inst, slots: &[Slot]) -> Result<(), Fail> {
        let data = self.func.inst(inst);
        let value = data.args[0];
        let lanes = self.words(b, data.args[1], slots)?;
        let pattern = self.pattern(data.args[1]);
        let mut all = None;
        let mut results = PerSlot::new();
        for (&slot, lane) in slots.iter().zip(lanes) {
            let word = if self.cx.geo.alone() {
                let (number, _) = self.cx.split_lane(b, lane);
                self.word_of_slot(b, value, number)?
            } else if let Some(sources) = self.known_sources(b, value, pattern.as_ref(), slot)? {
                let stays = pattern.as_ref().is_some_and(|pattern| pattern.stays);
                self.cx.shuffle(b, &sources, stays, lane)?
            } else {
                if all.is_none() {
                    all = Some(self.all_sources(b, value)?);
                }
                self.cx
                    .shuffle(b, all.as_deref().unwrap_or_default(), false, lane)?
            };
            results.push(Val::One(word));
        }
        if let Some(value) = data.result {
            self.define_lanes(b, value, results, slots);
        }
        Ok(())
    }

    /// A value's word in a slot given by number, inside a loop whose trip has other slots.
    fn word_of_slot(&mut self, b: &mut Open, value: Value, number: Id) -> Result<Id, Fail> {
        let slot = self.cx.slot(b, number);
        let words = self.apart(|body| body.words(b, value, &[slot]))?;
        words
            .first()
            .copied()
            .ok_or_else(|| EmitError::Malformed("a value without slots").into())
    }

    /// The slots that a known pattern takes from, for one slot.
    fn known_sources(
        &mut self,
        b: &mut Open,
        value: Value,
        pattern: Option<&Pattern>,
        slot: Slot,
    ) -> Result<Option<Vec<(Id, Id)>>, Fail> {
        let Some(pattern) = pattern else {
            return Ok(None);
        };
        let mut sources = Vec::new();
        for index in 0..pattern.width() {
            let Some(number) = self.cx.slot_table(b, &pattern.column(index), slot.number) else {
                return Ok(None);
            };
            sources.push((number, self.word_of_slot(b, value, number)?));
        }
        Ok(Some(sources))
    }

    /// Every slot of a value.
    fn all_sources(&mut self, b: &mut Open, value: Value) -> Result<Vec<(Id, Id)>, Fail> {
        let mut sources = Vec::new();
        for number in 0..self.cx.geo.slots {
            let number = self.cx.m.const_u32(number);
            sources.push((number, self.word_of_slot(b, value, number)?));
        }
        Ok(sources)
    }

    /// Runs `read` without the values of the trip under emission.
    fn apart<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let trip = std::mem::take(&mut self.trip);
        let result = read(self);
        self.trip = trip;
        result
    }
}

/// The blocks in which each value's home is written or still needed, as bits: where it is made (a
/// parameter: where its arguments are handed over, too), where it is used, and on the way between.
fn blocks_that_hold(func: &Func, values: &[Value]) -> FxHashMap<Value, Vec<u64>> {
    let words = func.block_count().div_ceil(64);
    let mut held: FxHashMap<Value, Vec<u64>> =
        values.iter().map(|&v| (v, vec![0; words])).collect();
    let mut preds: Vec<Vec<Block>> = vec![Vec::new(); func.block_count()];
    let mut made: FxHashMap<Value, Block> = FxHashMap::default();
    for block in func.blocks() {
        for next in func.successors(block) {
            if let Some(list) = preds.get_mut(next.index()) {
                list.push(block);
            }
        }
        let data = func.block(block);
        let results = data.insts.iter().filter_map(|&i| func.inst(i).result);
        for value in data.params.iter().copied().chain(results) {
            made.insert(value, block);
        }
    }
    let mut hold = |value: Value, block: Block| -> bool {
        let word = held
            .get_mut(&value)
            .and_then(|bits| bits.get_mut(block.index() / 64));
        let bit = 1u64 << (block.index() % 64);
        word.is_some_and(|word| std::mem::replace(word, *word | bit) & bit == 0)
    };
    let wanted: FxHashSet<Value> = values.iter().copied().collect();
    let mut walked: FxHashSet<(Value, Block)> = FxHashSet::default();
    let mut work: Vec<(Value, Block)> = Vec::new();
    for block in func.blocks() {
        let data = func.block(block);
        for &inst in &data.insts {
            segments::needed(func, inst, &mut |value| work.push((value, block)));
        }
        if let Some(term) = &data.term {
            term.for_each_value(|value| work.push((value, block)));
        }
        for &param in &data.params {
            for &pred in preds.get(block.index()).into_iter().flatten() {
                hold(param, pred);
            }
        }
    }
    for &value in values {
        if let Some(&block) = made.get(&value) {
            hold(value, block);
        }
    }
    while let Some((value, block)) = work.pop() {
        if !wanted.contains(&value) || made.get(&value) == Some(&block) {
            continue;
        }
        hold(value, block);
        // A block may be held without having been walked through: one before a parameter's.
        if !walked.insert((value, block)) {
            continue;
        }
        let before = preds.get(block.index()).into_iter().flatten();
        work.extend(before.map(|&pred| (value, pred)));
    }
    held
}

fn sorted(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut values: Vec<Value> = values.collect();
    values.sort_unstable();
    values
}

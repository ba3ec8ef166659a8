//! Loops that choose by their own counter become their trips, one behind the other.
//!
//! A compiler that keeps a small array in registers picks its elements by comparisons of the index with
//! constants. Where the index is a counter that starts at a constant and goes on by one, every trip knows its
//! element, and all of that folds; a driver does so for the array that the source had, not for the comparisons.
//!
//! Before: any function; the dominators are its own. After: a natural loop whose counter decides when it ends, and
//! in which at least half of what its trips would do folds, stands as that many copies of what is left of it; loops
//! in it likewise, or as they were. Nothing that writes, waits or asks other waves is copied: the loop stays. May
//! not touch: what stands outside such loops, but for the ways into them and the values that come out.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::dom::Dominators;
use crate::ir::{Block, Builder, Func, Op, Pure, Target, Terminator, Value};

/// Comparisons of counters with constants that a loop has at least: those of an array, not just its end.
const COMPARISONS: usize = 8;

/// Instructions that the copies of a loop have at most.
const MADE: usize = 4096;

/// Trips of a loop and those in it at most.
const TRIPS: usize = 1024;

/// Instructions that all trials of a function look at, and so many times those that the function has: what does not
/// pay must not cost much.
const LOOKS: usize = 1 << 16;
const WALKS: usize = 4;

/// A natural loop.
struct Loop {
    header: Block,
    /// In reverse postorder; the header is the first.
    blocks: Vec<Block>,
    inside: FxHashSet<Block>,
    /// The parameters of the header to which each way back adds a constant.
    counters: Vec<usize>,
    /// Instructions of its blocks that are in no loop in it.
    size: usize,
}

/// The loops of a function, outer ones first.
struct Loops {
    loops: Vec<Loop>,
    /// By block: the number of the loop that it is the header of.
    headed: FxHashMap<Block, usize>,
}

impl Loops {
    /// `None`: there are none, or they are many.
    fn of(func: &Func, doms: &Dominators) -> Option<Loops> {
        let mut latches: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for &block in doms.order() {
            for next in func.successors(block) {
                if doms.dominates(next, block) {
                    latches.entry(next).or_default().push(block);
                }
            }
        }
        if latches.is_empty() {
            return None;
        }
        let mut position = vec![0; func.block_count()];
        let mut before: Vec<Vec<Block>> = vec![Vec::new(); func.block_count()];
        for (i, &block) in doms.order().iter().enumerate() {
            position[block.index()] = i;
            for next in func.successors(block) {
                before[next.index()].push(block);
            }
        }
        let mut loops = Vec::new();
        let mut headed = FxHashMap::default();
        let mut left = 16 * func.block_count();
        for &header in doms.order() {
            let Some(latches) = latches.get(&header) else {
                continue;
            };
            let mut inside = FxHashSet::default();
            inside.insert(header);
            let mut work = latches.clone();
            while let Some(block) = work.pop() {
                if inside.insert(block) {
                    left = left.checked_sub(1)?;
                    work.extend(&before[block.index()]);
                }
            }
            let mut blocks: Vec<Block> = inside.iter().copied().collect();
            blocks.sort_by_key(|block| position[block.index()]);
            headed.insert(header, loops.len());
            loops.push(Loop {
                header,
                counters: counters(func, header, latches),
                blocks,
                inside,
                size: 0,
            });
        }
        // A block's innermost loop is the last one that has it.
        let mut home = vec![None; func.block_count()];
        for (number, one) in loops.iter().enumerate() {
            for block in &one.blocks {
                home[block.index()] = Some(number);
            }
        }
        for block in func.blocks() {
            if let Some(one) = home[block.index()].and_then(|n: usize| loops.get_mut(n)) {
                one.size += func.block(block).insts.len();
            }
        }
        Some(Loops { loops, headed })
    }
}

/// The parameters of a header that each way back raises by a constant.
fn counters(func: &Func, header: Block, latches: &[Block]) -> Vec<usize> {
    let params = &func.block(header).params;
    let raised = |index: usize, param: Value| {
        let mut terms = latches.iter().filter_map(|&b| func.block(b).term.as_ref());
        terms.all(|term| {
            let targets = term.targets();
            let mut back = targets.iter().filter(|t| t.block == header);
            back.all(|t| {
                let arg = t.args.get(index).copied();
                arg.is_some_and(|arg| arg != param && moved(func, arg) == Some(param))
            })
        })
    };
    let indexed = params.iter().copied().enumerate();
    indexed
        .filter(|&(index, param)| !func.is_lane(param) && raised(index, param))
        .map(|(index, _)| index)
        .collect()
}

/// What a value is but for a constant that is added to it.
fn moved(func: &Func, value: Value) -> Option<Value> {
    let inst = func.def_inst(value)?;
    match (inst.op, inst.args.as_slice()) {
        (Op::Pure(Pure::Add | Pure::Sub), &[x, c]) if func.as_const(c).is_some() => Some(x),
        _ => None,
    }
}

/// Whether a copy of it in the same order is as good: nothing of it is told apart by trips.
fn may_copy(op: Op) -> bool {
    op.is_pure()
        || matches!(
            op,
            Op::Load { .. } | Op::LdsLoad { .. } | Op::ScratchLoad { .. } | Op::Fault { .. }
        )
}

/// A way to a block that has no copy yet.
#[derive(Clone)]
struct Way {
    from: Block,
    /// Number of the target.
    slot: usize,
    args: Vec<Value>,
}

/// A loop that is being copied.
struct Frame {
    number: usize,
    /// Ways to blocks of this trip.
    pending: FxHashMap<Block, Vec<Way>>,
    /// Blocks of this trip that were copied.
    done: FxHashSet<Block>,
    /// Ways to the next trip.
    next: Vec<Way>,
    /// Values of it that are used outside, with what they are where it is left: nothing before that.
    leave: Vec<Value>,
    left: Option<Vec<Option<Value>>>,
    /// Whether its trips are told apart.
    unrolled: bool,
}

/// It does not pay, or cannot be done.
struct Stays;

/// Copies of a loop.
struct Copier<'a> {
    func: &'a mut Func,
    loops: &'a Loops,
    map: FxHashMap<Value, Value>,
    frames: Vec<Frame>,
    /// Ways out of the outermost loop, to blocks that have no copies.
    out: Vec<(Way, Block)>,
    blocks: Vec<Block>,
    made: usize,
    /// What the trips would have been.
    would: usize,
    trips: usize,
    /// Instructions that may still be looked at.
    looks: usize,
}

impl Copier<'_> {
    fn mapped(&self, value: Value) -> Value {
        self.map.get(&value).copied().unwrap_or(value)
    }

    fn is_const(&self, value: Value) -> bool {
        self.func.as_const(self.mapped(value)).is_some()
    }

    /// Whether a counter that starts at a constant decides when the loop ends.
    fn is_counted(&self, one: &Loop, ways: &[Way]) -> bool {
        let starts = |&index: &usize| {
            ways.iter().all(|way| {
                let arg = way.args.get(index);
                arg.is_some_and(|&arg| self.func.as_const(arg).is_some())
            })
        };
        let params = &self.func.block(one.header).params;
        let counters: Vec<Value> = one
            .counters
            .iter()
            .filter(|&index| starts(index))
            .filter_map(|&index| params.get(index).copied())
            .collect();
        let counts = |value: Value| {
            counters.contains(&value)
                || moved(self.func, value).is_some_and(|v| counters.contains(&v))
        };
        one.blocks.iter().any(|&block| {
            let Some(Terminator::Branch { cond, then, els }) = &self.func.block(block).term else {
                return false;
            };
            let ends = one.inside.contains(&then.block) != one.inside.contains(&els.block);
            ends && comparison(self.func, *cond).is_some_and(|[x, y]| {
                counts(x) && self.is_const(y) || counts(y) && self.is_const(x)
            })
        })
    }

    fn copy(&mut self, number: usize, ways: Vec<Way>) -> Result<(), Stays> {
        let loops = self.loops;
        let one = loops.loops.get(number).ok_or(Stays)?;
        let unrolled = self.is_counted(one, &ways);
        if !unrolled && self.frames.is_empty() {
            return Err(Stays);
        }
        self.frames.push(Frame {
            number,
            pending: FxHashMap::default(),
            done: FxHashSet::default(),
            next: Vec::new(),
            leave: if unrolled {
                used_outside(self.func, one)
            } else {
                Vec::new()
            },
            left: None,
            unrolled,
        });
        let mut ways = ways;
        loop {
            self.trips += 1;
            self.would += one.size;
            if self.trips > TRIPS || self.made > MADE || self.made > self.would / 2 + 64 {
                return Err(Stays);
            }
            let head = self.begin(one.header, ways, !unrolled);
            self.fill(one.header, head)?;
            for &block in one.blocks.iter().skip(1) {
                let Some(frame) = self.frames.last_mut() else {
                    return Err(Stays);
                };
                let Some(ways) = frame.pending.remove(&block) else {
                    continue;
                };
                match loops.headed.get(&block) {
                    Some(&inner) => {
                        frame.done.insert(block);
                        self.copy(inner, ways)?;
                    }
                    None => {
                        let copy = self.begin(block, ways, false);
                        self.fill(block, copy)?;
                    }
                }
            }
            let frame = self.frames.last_mut().ok_or(Stays)?;
            if !frame.pending.is_empty() {
                return Err(Stays);
            }
            frame.done.clear();
            ways = std::mem::take(&mut frame.next);
            if !unrolled {
                for way in ways {
                    self.lead(&way, head, way.args.clone());
                }
                break;
            }
            if ways.is_empty() {
                break;
            }
        }
        let frame = self.frames.pop().ok_or(Stays)?;
        let left = frame.left.into_iter().flatten();
        for (value, is) in frame.leave.into_iter().zip(left) {
            match is {
                Some(is) => self.map.insert(value, is),
                None => self.map.remove(&value),
            };
        }
        Ok(())
    }

    /// Where a block's copy begins.
    fn begin(&mut self, block: Block, ways: Vec<Way>, params: bool) -> Block {
        let old = self.func.block(block).params.clone();
        if let ([way], false) = (ways.as_slice(), params) {
            for (&param, &arg) in old.iter().zip(&way.args) {
                self.map.insert(param, arg);
            }
            if matches!(self.func.block(way.from).term, Some(Terminator::Jump(_)))
                && self.blocks.contains(&way.from)
            {
                self.func.block_mut(way.from).term = None;
                return way.from;
            }
        }
        let copy = self.func.new_block();
        self.blocks.push(copy);
        let mut kept = Vec::new();
        for (i, &param) in old.iter().enumerate() {
            let mut args = ways.iter().filter_map(|way| way.args.get(i).copied());
            let first = args.next();
            match first.filter(|&first| !params && args.all(|arg| arg == first)) {
                Some(same) => {
                    self.map.insert(param, same);
                }
                None => {
                    let ty = self.func.ty(param);
                    let new = self.func.add_param(copy, ty);
                    self.map.insert(param, new);
                    kept.push(i);
                }
            }
        }
        for way in &ways {
            let args = kept.iter().filter_map(|&i| way.args.get(i).copied());
            let args = args.collect();
            self.lead(way, copy, args);
        }
        copy
    }

    /// A way leads to a block from now on.
    fn lead(&mut self, way: &Way, to: Block, args: Vec<Value>) {
        set(self.func, way, Target::new(to, args));
    }

    /// Copies what a block does, and routes its ways.
    fn fill(&mut self, block: Block, copy: Block) -> Result<(), Stays> {
        let insts = self.func.block(block).insts.clone();
        // A block without instructions is looked at too.
        self.looks = self.looks.checked_sub(insts.len() + 1).ok_or(Stays)?;
        let before = self.func.block(copy).insts.len();
        for inst in insts {
            let data = self.func.inst(inst).clone();
            if !may_copy(data.op) {
                return Err(Stays);
            }
            let args: Vec<Value> = data.args.iter().map(|&v| self.mapped(v)).collect();
            let kind = data.result.map(|v| self.func.kind(v));
            self.func.set_loc(data.loc);
            let made = Builder::at(self.func, copy).rebuild(data.op, &args, kind);
            if let (Some(result), Some(made)) = (data.result, made) {
                self.map.insert(result, made);
            }
        }
        self.made += self.func.block(copy).insts.len() - before;
        let Some(term) = self.func.block(block).term.clone() else {
            return Err(Stays);
        };
        let constant = |v: Value| self.func.as_const(self.mapped(v));
        let term = match term {
            Terminator::Jump(target) => Terminator::Jump(target),
            Terminator::Branch { cond, then, els } => match constant(cond) {
                Some(c) => Terminator::Jump(if c.is_zero() { els } else { then }),
                None => Terminator::Branch { cond, then, els },
            },
            Terminator::Switch { value, targets } => match constant(value) {
                Some(c) => {
                    let last = targets.len().saturating_sub(1);
                    let index = usize::try_from(c.bits()).unwrap_or(last).min(last);
                    Terminator::Jump(targets.get(index).cloned().ok_or(Stays)?)
                }
                None => Terminator::Switch { value, targets },
            },
            Terminator::Return | Terminator::Barrier(_) => return Err(Stays),
        };
        let mut mapped = term.clone();
        mapped.map_values(|v| self.mapped(v));
        let ways: Vec<(Way, Block)> = mapped
            .targets()
            .into_iter()
            .enumerate()
            .map(|(slot, target)| {
                let args = target.args.clone();
                let from = copy;
                (Way { from, slot, args }, target.block)
            })
            .collect();
        self.func.block_mut(copy).term = Some(mapped);
        if let Some(frame) = self.frames.last_mut() {
            frame.done.insert(block);
        }
        for (way, to) in ways {
            self.route(way, to)?;
        }
        Ok(())
    }

    fn route(&mut self, way: Way, to: Block) -> Result<(), Stays> {
        let loops = self.loops;
        for depth in (0..self.frames.len()).rev() {
            let Some(frame) = self.frames.get_mut(depth) else {
                return Err(Stays);
            };
            let one = loops.loops.get(frame.number).ok_or(Stays)?;
            if one.inside.contains(&to) {
                if to == one.header {
                    frame.next.push(way);
                } else if frame.done.contains(&to) {
                    return Err(Stays);
                } else {
                    frame.pending.entry(to).or_default().push(way);
                }
                return Ok(());
            }
            // Left: what is used outside is what it is now, on every way out.
            if frame.unrolled {
                let map = &self.map;
                let now = frame.leave.iter().map(|v| map.get(v).copied());
                let now: Vec<Option<Value>> = now.collect();
                if frame.left.get_or_insert_with(|| now.clone()) != &now {
                    return Err(Stays);
                }
            }
        }
        self.out.push((way, to));
        Ok(())
    }
}

/// The arguments of a comparison, also of one that must not hold.
fn comparison(func: &Func, cond: Value) -> Option<[Value; 2]> {
    let inst = func.def_inst(cond)?;
    match (inst.op, inst.args.as_slice()) {
        (Op::Pure(Pure::Not), &[x]) => comparison(func, x),
        (
            Op::Pure(Pure::Eq | Pure::Ne | Pure::ULt | Pure::ULe | Pure::SLt | Pure::SLe),
            &[x, y],
        ) => Some([x, y]),
        _ => None,
    }
}

/// Values that a loop makes and that are used outside it.
fn used_outside(func: &Func, one: &Loop) -> Vec<Value> {
    let mut made = FxHashSet::default();
    for &block in &one.blocks {
        let data = func.block(block);
        made.extend(data.params.iter().copied());
        made.extend(data.insts.iter().filter_map(|&i| func.inst(i).result));
    }
    let mut used = Vec::new();
    let mut seen = FxHashSet::default();
    let mut note = |value: Value| {
        if made.contains(&value) && seen.insert(value) {
            used.push(value);
        }
    };
    for block in func.blocks().filter(|block| !one.inside.contains(block)) {
        let data = func.block(block);
        for &inst in &data.insts {
            func.inst(inst).args.iter().for_each(|&v| note(v));
        }
        if let Some(term) = &data.term {
            term.for_each_value(&mut note);
        }
    }
    used
}

/// Whether a loop compares counters with constants as often as arrays in registers ask for, and does nothing that
/// must not be copied.
fn picks(func: &Func, loops: &Loops, one: &Loop) -> bool {
    let mut counts = FxHashSet::default();
    let mut found = 0;
    for block in &one.blocks {
        let data = func.block(*block);
        if matches!(
            data.term,
            None | Some(Terminator::Return | Terminator::Barrier(_))
        ) {
            return false;
        }
        if let Some(inner) = loops.headed.get(block).and_then(|&n| loops.loops.get(n)) {
            let indices = inner.counters.iter();
            counts.extend(indices.filter_map(|&i| data.params.get(i).copied()));
        }
        for &inst in &data.insts {
            let inst = func.inst(inst);
            if !may_copy(inst.op) {
                return false;
            }
            let (Op::Pure(op), Some(result)) = (inst.op, inst.result) else {
                continue;
            };
            let mut args = inst.args.iter();
            let known = |v: &Value| counts.contains(v) || func.as_const(*v).is_some();
            if !args.all(known) {
                continue;
            }
            match op {
                Pure::Add | Pure::Sub | Pure::Shl | Pure::ShrU | Pure::Mul | Pure::And => {
                    counts.insert(result);
                }
                _ if is_comparison(inst.op) => found += 1,
                _ => {}
            }
        }
    }
    found >= COMPARISONS
}

/// Whether there is a way back, and as many comparisons as a loop needs: what is seen before anything is collected. A
/// comparison of counters and constants is uniform.
fn may_pick(func: &Func, doms: &Dominators) -> bool {
    if !doms.returns() {
        return false;
    }
    let insts = doms.order().iter().flat_map(|&b| &func.block(b).insts);
    let compares = insts.filter(|&&inst| {
        let data = func.inst(inst);
        is_comparison(data.op) && data.result.is_some_and(|result| !func.is_lane(result))
    });
    compares.take(COMPARISONS).count() == COMPARISONS
}

const fn is_comparison(op: Op) -> bool {
    use Pure::{Eq, Ne, SLe, SLt, ULe, ULt};
    matches!(op, Op::Pure(Eq | Ne | ULt | ULe | SLt | SLe))
}

/// Runs the pass; whether it made blocks (also where the loop stayed after all).
pub fn run(func: &mut Func, doms: &Dominators) -> bool {
    if !may_pick(func, doms) {
        return false;
    }
    let Some(loops) = Loops::of(func, doms) else {
        return false;
    };
    let mut gone: FxHashSet<Block> = FxHashSet::default();
    let before = func.block_count();
    let all: usize = func.blocks().map(|b| func.block(b).insts.len() + 1).sum();
    let mut looks = LOOKS + WALKS * all;
    for (number, one) in loops.loops.iter().enumerate() {
        if one.counters.is_empty() || gone.contains(&one.header) || !picks(func, &loops, one) {
            continue;
        }
        // The walks below.
        let Some(left) = looks.checked_sub(all) else {
            break;
        };
        let mut ways = Vec::new();
        for block in func.blocks() {
            let term = func.block(block).term.iter();
            let targets = term.flat_map(|t| t.targets()).enumerate();
            for (slot, target) in targets {
                if target.block == one.header && !one.inside.contains(&block) {
                    let args = target.args.clone();
                    let from = block;
                    ways.push(Way { from, slot, args });
                }
            }
        }
        let entries = ways.clone();
        let leave = used_outside(func, one);
        let mut copier = Copier {
            func,
            loops: &loops,
            map: FxHashMap::default(),
            frames: Vec::new(),
            out: Vec::new(),
            blocks: Vec::new(),
            made: 0,
            would: 0,
            trips: 0,
            looks: left,
        };
        let done = copier.copy(number, ways).is_ok() && copier.made <= copier.would / 2;
        looks = copier.looks;
        let Copier {
            map, out, blocks, ..
        } = copier;
        if !done {
            for way in entries {
                set(func, &way, Target::new(one.header, way.args.clone()));
            }
            blocks.into_iter().for_each(|block| clear(func, block));
            continue;
        }
        for (way, to) in out {
            set(func, &way, Target::new(to, way.args.clone()));
        }
        one.blocks.iter().for_each(|&block| clear(func, block));
        if !leave.is_empty() {
            func.map_uses(|v| match map.get(&v) {
                Some(&is) if leave.contains(&v) => is,
                _ => v,
            });
        }
        gone.extend(&one.blocks);
    }
    func.block_count() > before
}

fn set(func: &mut Func, way: &Way, to: Target) {
    if let Some(term) = &mut func.block_mut(way.from).term
        && let Some(target) = term.targets_mut().into_iter().nth(way.slot)
    {
        *target = to;
    }
}

/// Nothing reaches it any more.
fn clear(func: &mut Func, block: Block) {
    let data = func.block_mut(block);
    data.insts.clear();
    data.term = Some(Terminator::Return);
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]
mod tests {
    use spirdna_isa::WaveSize;

    use super::*;
    use crate::ir::random::{Rng, World};
    use crate::ir::{Input, Kind, MemWidth, Ty, eval, print, verify};

    /// Makes nests of loops that keep an array in values.
    struct Maker<'f> {
        b: Builder<'f>,
        rng: Rng,
        /// What the wave branches on besides counters.
        data: Vec<Value>,
        effects: bool,
    }

    impl Maker<'_> {
        fn index(&mut self, counters: &[Value]) -> Value {
            let n = counters.len();
            let counter = counters[self.rng.below(n)];
            let by = [0, 1, u32::MAX][self.rng.below(3)];
            self.b.add32(counter, by)
        }

        /// An element by comparisons, half of them branches.
        fn pick(&mut self, array: &[Value], index: Value) -> Value {
            let half = array.len() / 2;
            let at = self.b.const32(half as u32);
            let low = self.b.slt(index, at);
            let ends = [self.b.new_block(), self.b.new_block()];
            let meet = self.b.new_block();
            let got = self.b.param(meet, Ty::lane(Kind::I32));
            let [then, els] = ends.map(|end| Target::new(end, Vec::new()));
            self.b.branch(low, then, els);
            for (end, part, first) in [
                (ends[0], &array[..half], 0),
                (ends[1], &array[half..], half),
            ] {
                self.b.switch_to(end);
                let mut value = part[part.len() - 1];
                for (i, &other) in part.iter().enumerate().rev() {
                    let at = self.b.const32((first + i + 1) as u32);
                    let here = self.b.slt(index, at);
                    value = self.b.select(here, other, value);
                }
                self.b.jump(meet, vec![value]);
            }
            self.b.switch_to(meet);
            got
        }

        fn put(&mut self, array: &mut [Value], index: Value, value: Value) {
            for (i, place) in array.iter_mut().enumerate() {
                let here = self.b.eq32(index, i as u32);
                *place = self.b.select(here, value, *place);
            }
        }

        fn step(
            &mut self,
            array: &mut Vec<Value>,
            sum: &mut Value,
            counters: &[Value],
            depth: u32,
        ) {
            match self.rng.below(6) {
                0..2 => {
                    let index = self.index(counters);
                    let got = self.pick(array, index);
                    *sum = self.b.add(*sum, got);
                }
                2 => {
                    let index = self.index(counters);
                    self.put(array, index, *sum);
                }
                3 => {
                    // What the counters do not decide.
                    let n = self.data.len();
                    let cond = self.data[self.rng.below(n)];
                    let (then, meet) = (self.b.new_block(), self.b.new_block());
                    let old = array[0];
                    let new = self.b.param(meet, Ty::lane(Kind::I32));
                    self.b.branch(
                        cond,
                        Target::new(then, vec![]),
                        Target::new(meet, vec![old]),
                    );
                    self.b.switch_to(then);
                    let other = self.b.xor(old, *sum);
                    self.b.jump(meet, vec![other]);
                    self.b.switch_to(meet);
                    array[0] = new;
                }
                _ if depth > 0 => self.trips(array, sum, counters, depth - 1),
                _ => *sum = self.b.mul(*sum, counters[0]),
            }
        }

        fn trips(&mut self, array: &mut Vec<Value>, sum: &mut Value, outer: &[Value], depth: u32) {
            let (head, body, end) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
            let counter = self.b.param(head, Ty::uniform(Kind::I32));
            let mut inside: Vec<Value> = array
                .iter()
                .map(|_| self.b.param(head, Ty::lane(Kind::I32)))
                .collect();
            let mut acc = self.b.param(head, Ty::lane(Kind::I32));
            let start = self.b.const32(self.rng.below(3) as u32);
            let mut args = vec![start];
            args.extend(array.iter().copied());
            args.push(*sum);
            self.b.jump(head, args);
            self.b.switch_to(head);
            let limit = match outer {
                [.., last] if self.rng.below(2) == 0 => self.b.add32(*last, 1),
                _ => self.b.const32(2 + self.rng.below(6) as u32),
            };
            let mut over = self.b.ule(limit, counter);
            if self.rng.below(6) == 0 {
                // No counter decides: some trips, as data says.
                let n = self.data.len();
                let data = self.data[self.rng.below(n)];
                over = self.b.or(over, data);
            }
            let (head_inside, head_acc) = (inside.clone(), acc);
            self.b
                .branch(over, Target::new(end, vec![]), Target::new(body, vec![]));
            self.b.switch_to(body);
            let mut counters = outer.to_vec();
            counters.push(counter);
            for _ in 0..2 + self.rng.below(3) {
                self.step(&mut inside, &mut acc, &counters, depth);
            }
            if self.effects {
                let (lane, yes) = (self.b.input(Input::LaneId), self.b.const_bool(true));
                let at = self.b.shl_by(lane, 2);
                self.b.lds_store(at, acc, yes, MemWidth::B32);
            }
            let by = 1 + self.rng.below(2) as u32;
            let mut back = vec![self.b.add32(counter, by)];
            back.extend(inside.iter().copied());
            back.push(acc);
            if self.rng.below(4) == 0 {
                let n = self.data.len();
                let leave = self.data[self.rng.below(n)];
                let late = self.b.new_block();
                self.b
                    .branch(leave, Target::new(end, vec![]), Target::new(late, vec![]));
                self.b.switch_to(late);
            }
            self.b.jump(head, back);
            // What the loop makes is used behind it as it is.
            self.b.switch_to(end);
            *array = head_inside;
            *sum = self.b.add(head_acc, counter);
        }
    }

    fn nest(seed: u64, wave: WaveSize, effects: bool) -> Func {
        let mut func = Func::new(wave);
        let mut b = Builder::new(&mut func);
        let lane = b.input(Input::LaneId);
        let mut array: Vec<Value> = (0..6).map(|n| b.input(Input::LaunchVgpr(n))).collect();
        let words: Vec<Value> = (0..2).map(|n| b.input(Input::UserData(n))).collect();
        let first = b.new_block();
        b.jump(first, Vec::new());
        b.switch_to(first);
        let data = words.iter().map(|&w| b.slt(w, words[0])).collect();
        let mut maker = Maker {
            b,
            rng: Rng::new(seed),
            data,
            effects,
        };
        let mut sum = lane;
        maker.trips(&mut array, &mut sum, &[], 2);
        maker.trips(&mut array, &mut sum, &[], 1);
        let mut b = maker.b;
        let yes = b.const_bool(true);
        for (i, value) in array.into_iter().chain([sum]).enumerate() {
            let at = b.add32(lane, 4096 + 1024 * i as u32);
            b.lds_store(at, value, yes, MemWidth::B32);
        }
        b.ret();
        func
    }

    fn shown(func: &Func, seed: u64) -> Vec<(u32, u64)> {
        let mut world = World {
            seed,
            writes: Vec::new(),
        };
        eval::run(func, &[], &mut world, 1 << 20).expect("it ends");
        world.writes
    }

    fn backs(func: &Func) -> usize {
        let doms = Dominators::new(func);
        let order = doms.order().iter();
        order
            .flat_map(|&block| {
                func.successors(block)
                    .into_iter()
                    .map(move |to| (block, to))
            })
            .filter(|&(from, to)| doms.dominates(to, from))
            .count()
    }

    #[test]
    fn nests_of_loops_keep_their_meaning() {
        let mut gone = 0;
        for seed in 0..120 {
            let wave = [WaveSize::W32, WaveSize::W64][seed as usize % 2];
            let before = nest(seed, wave, false);
            let mut after = before.clone();
            let doms = Dominators::new(&before);
            run(&mut after, &doms);
            let text = || {
                let texts = [&before, &after].map(print::func_text);
                format!("seed {seed}\n{}\n---\n{}", texts[0], texts[1])
            };
            verify(&after, wave).unwrap_or_else(|e| panic!("{e}\n{}", text()));
            assert!(shown(&before, seed) == shown(&after, seed), "{}", text());
            gone += usize::from(backs(&after) < backs(&before));
        }
        assert!(gone > 40, "{gone}");
    }

    #[test]
    fn what_writes_stays() {
        for seed in 0..40 {
            let mut func = nest(seed, WaveSize::W32, true);
            let (doms, blocks) = (Dominators::new(&func), func.block_count());
            assert!(!run(&mut func, &doms));
            assert_eq!(func.block_count(), blocks);
        }
    }

    /// Sums elements of an array of `len` values by a counter, `trips` times.
    fn sums(len: u32, trips: u32) -> Func {
        let mut func = Func::new(WaveSize::W32);
        let b = Builder::new(&mut func);
        let mut maker = Maker {
            b,
            rng: Rng::new(0),
            data: Vec::new(),
            effects: false,
        };
        let inputs = (0..len).map(|n| maker.b.input(Input::LaunchVgpr(n)));
        let array: Vec<Value> = inputs.collect();
        let (head, body, end) = (
            maker.b.new_block(),
            maker.b.new_block(),
            maker.b.new_block(),
        );
        let counter = maker.b.param(head, Ty::uniform(Kind::I32));
        let sum = maker.b.param(head, Ty::lane(Kind::I32));
        let zero = maker.b.const32(0);
        maker.b.jump(head, vec![zero, zero]);
        maker.b.switch_to(head);
        let limit = maker.b.const32(trips);
        let over = maker.b.ule(limit, counter);
        maker
            .b
            .branch(over, Target::new(end, vec![]), Target::new(body, vec![]));
        maker.b.switch_to(body);
        let got = maker.pick(&array, counter);
        let (next, more) = (maker.b.add32(counter, 1), maker.b.add(sum, got));
        maker.b.jump(head, vec![next, more]);
        maker.b.switch_to(end);
        let (lane, yes) = (maker.b.input(Input::LaneId), maker.b.const_bool(true));
        maker.b.lds_store(lane, sum, yes, MemWidth::B32);
        maker.b.ret();
        func
    }

    #[test]
    fn picks_by_a_counter_fold() {
        let mut func = sums(8, 8);
        let doms = Dominators::new(&func);
        assert!(run(&mut func, &doms));
        let doms = Dominators::new(&func);
        let insts = doms.order().iter().flat_map(|&b| &func.block(b).insts);
        let count = |op| {
            insts
                .clone()
                .filter(|&&i| func.inst(i).op == Op::Pure(op))
                .count()
        };
        // Element 0 is the first sum.
        assert_eq!(count(Pure::Add), 7);
        assert_eq!(count(Pure::SLt) + count(Pure::Select), 0);
        assert_eq!(backs(&func), 0);
    }

    #[test]
    fn few_comparisons_and_many_trips_stay() {
        for (len, trips) in [(2, 8), (8, 5000)] {
            let mut func = sums(len, trips);
            let doms = Dominators::new(&func);
            run(&mut func, &doms);
            assert_eq!(backs(&func), 1);
        }
    }

    #[test]
    fn trials_of_many_loops_are_bounded() {
        let mut func = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut func);
        let x = b.input(Input::LaneId);
        for _ in 0..40 {
            let (body, end) = (b.new_block(), b.new_block());
            let counter = b.param(body, Ty::uniform(Kind::I32));
            let zero = b.const32(0);
            b.jump(body, vec![zero]);
            b.switch_to(body);
            // All of it folds in each trip, and there are too many trips.
            let mut value = x;
            for i in 0..16 {
                let here = b.eq32(counter, i);
                let other = b.add32(x, i + 1);
                value = b.select(here, other, value);
            }
            let next = b.add32(counter, 1);
            let limit = b.const32(5000);
            let again = b.ult(next, limit);
            let (again_to, out) = (Target::new(body, vec![next]), Target::new(end, vec![]));
            b.branch(again, again_to, out);
            b.switch_to(end);
        }
        b.ret();
        let before = func.inst_count();
        let doms = Dominators::new(&func);
        run(&mut func, &doms);
        let made = func.inst_count() - before;
        // It was tried, and not for each of them.
        assert!(made > 1000, "{made}");
        assert!(made < LOOKS + WALKS * before, "{made}");
    }
}

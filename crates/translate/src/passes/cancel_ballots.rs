//! Lane bits of masks that are made of ballots become the booleans that were balloted.
//!
//! Before: any function. After: no `LaneBit` reads a mask that is made only of ballots and constants by
//! complement, and, or, xor, select and block parameters; each such mask has a per-lane Bool beside it,
//! carried through the same blocks by parameters of its own. In wave64 a mask kept as two halves (a pair
//! of I32 made by the same operations, or two parameters of one block) counts as one. May not touch: the
//! masks themselves (`dce` removes those that nobody needs any more), effects, the flow. Whether such a mask is
//! zero is asked of one ballot of those Bools.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ir::dom::Dominators;
use crate::ir::{Args, Block, Const, Def, Func, Inst, Kind, Op, Pure, Ty, Value};
use crate::passes::replaced::Replaced;

/// A lane mask: a value of the mask kind, or the two halves of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mask {
    Whole(Value),
    Halves(Value, Value),
}

/// How a mask is made of others.
#[derive(Clone, Debug)]
enum Made {
    /// From the Bool of each lane.
    Ballot(Value),
    /// A constant.
    Const(u64),
    /// By a complement, and, or, xor of masks.
    Logic(Pure, SmallVec<[Mask; 2]>),
    /// By a uniform choice.
    Select(Value, Mask, Mask),
    /// By what flows into parameters of a block: from which block, by which of its targets.
    Params(Block, SmallVec<[(Block, u32, Mask); 2]>),
    /// Anything else.
    Other,
}

/// Where a value stands: block, and position of its instruction (0: parameters).
type Place = (Block, usize);

/// A number of a mask, in the order in which they were found.
type Number = u32;

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    reads: Vec<(Value, Mask)>,
    tests: Vec<ZeroTest>,
    /// Numbers of masks from 1 on: of whole ones by value.
    whole: Vec<Number>,
    halves: FxHashMap<(Value, Value), Number>,
    /// By number.
    made: Vec<(Mask, Made)>,
    /// By number: whether it is made of ballots and constants alone.
    good: Vec<bool>,
    /// By number: its Bool.
    lane: Vec<Option<Value>>,
    /// Numbers, those that logic and selects use before what they make.
    order: Vec<Number>,
    /// By value, where something is to be put behind values.
    place: Vec<Option<Place>>,
    /// New instructions by the place that they follow.
    new: Vec<(Place, Inst)>,
    same: Replaced,
}

struct Pass<'f> {
    func: &'f mut Func,
    doms: &'f Dominators,
    room: &'f mut Room,
}

/// Runs the pass; gives the number of `LaneBit` instructions replaced.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    let mut room = Room::default();
    let found = find_in(&mut room, func, doms);
    room.same.settle(func);
    found
}

/// As [`run`], but that [`Room::replaced`] is still to be put into the function.
pub fn find_in(room: &mut Room, func: &mut Func, doms: &Dominators) -> usize {
    room.same.clear();
    room.find(func, doms);
    if room.reads.is_empty() && room.tests.is_empty() {
        return 0;
    }
    room.whole.clear();
    room.whole.resize(func.value_count(), 0);
    room.halves.clear();
    room.made.clear();
    room.order.clear();
    room.place.clear();
    let values = func.value_count();
    let mut pass = Pass { func, doms, room };
    pass.explore();
    pass.convertible();
    pass.convert();
    let asked = pass.ask();
    place_new(func, &mut room.new);
    for &(read, mask) in &room.reads {
        if let Some(bool) = room.lane(mask)
            && bool != read
        {
            room.same.insert(read, bool, values);
        }
    }
    // The reads have no use left; when they are gone, a second run finds nothing to do.
    room.same.len() + asked
}

/// A question whether a mask that is no ballot itself is zero.
#[derive(Clone, Copy, Debug)]
struct ZeroTest {
    place: Place,
    inst: Inst,
    mask: Value,
}

impl Room {
    /// What values have become in the last run.
    pub(crate) fn replaced(&self) -> &Replaced {
        &self.same
    }

    /// Finds what asks for masks.
    fn find(&mut self, func: &Func, doms: &Dominators) {
        self.reads.clear();
        self.tests.clear();
        for &block in doms.order() {
            let (in_entry, head) = (block == func.entry(), func.head_of(block));
            for (position, &inst) in func.block(block).insts.iter().enumerate().skip(head) {
                let data = func.inst(inst);
                match (&data.op, data.args.as_slice()) {
                    (Op::LaneBit, &[mask]) => {
                        if let Some(result) = data.result
                            && func
                                .as_const(mask)
                                .is_none_or(|c| c.is_zero() || c.is_ones())
                        {
                            self.reads.push((result, Mask::Whole(mask)));
                        }
                    }
                    (Op::Pure(Pure::Eq | Pure::Ne), &[mask, zero])
                        if !in_entry
                            && func.kind(mask) == func.mask_kind()
                            && !func.is_lane(mask)
                            && func.as_const(zero).is_some_and(|c| c.is_zero())
                            && func.as_const(mask).is_none()
                            && func
                                .def_inst(mask)
                                .is_none_or(|made| !matches!(made.op, Op::Ballot)) =>
                    {
                        let place = (block, position);
                        self.tests.push(ZeroTest { place, inst, mask });
                    }
                    _ => {}
                }
            }
        }
    }

    fn number(&self, mask: Mask) -> Option<usize> {
        let number = match mask {
            Mask::Whole(v) => self.whole.get(v.index()).copied(),
            Mask::Halves(lo, hi) => self.halves.get(&(lo, hi)).copied(),
        };
        (number.unwrap_or(0) as usize).checked_sub(1)
    }

    /// The Bool of a mask.
    fn lane(&self, mask: Mask) -> Option<Value> {
        self.lane.get(self.number(mask)?).copied().flatten()
    }

    fn add(&mut self, mask: Mask, made: Made) {
        self.made.push((mask, made));
        let number = self.made.len() as Number;
        match mask {
            Mask::Whole(v) => {
                if let Some(place) = self.whole.get_mut(v.index()) {
                    *place = number;
                }
            }
            Mask::Halves(lo, hi) => {
                self.halves.insert((lo, hi), number);
            }
        }
    }

    /// Finds where values stand.
    fn find_places(&mut self, func: &Func, doms: &Dominators) {
        self.place.resize(func.value_count(), None);
        for &block in doms.order() {
            let data = func.block(block);
            for &param in &data.params {
                self.place[param.index()] = Some((block, 0));
            }
            for (i, &inst) in data.insts.iter().enumerate() {
                if let Some(result) = func.inst(inst).result {
                    self.place[result.index()] = Some((block, i + 1));
                }
            }
        }
    }
}

/// Puts new instructions behind the places that they follow, in the order they were made.
fn place_new(func: &mut Func, new: &mut Vec<(Place, Inst)>) {
    // Nothing but constants and inputs stands at the head of the entry block.
    let (entry, head) = (func.entry(), func.head_len());
    for ((block, position), _) in new.iter_mut() {
        if *block == entry {
            *position = head.max(*position);
        }
    }
    new.sort_by_key(|&(place, inst)| (place, inst));
    let mut at = 0;
    while let Some(&((block, _), _)) = new.get(at) {
        let old = std::mem::take(&mut func.block_mut(block).insts);
        let mut insts = Vec::with_capacity(old.len() + 4);
        for position in 0..=old.len() {
            if position > 0 {
                insts.push(old[position - 1]);
            }
            while let Some(&((b, p), inst)) = new.get(at)
                && b == block
                && p <= position
            {
                insts.push(inst);
                at += 1;
            }
        }
        // A place past the end cannot be; should one be, its instructions follow at the end.
        while let Some(&((b, _), inst)) = new.get(at)
            && b == block
        {
            insts.push(inst);
            at += 1;
        }
        func.block_mut(block).insts = insts;
    }
    new.clear();
}

impl Pass<'_> {
    /// Finds how every mask that is asked for is made, and those that it is made of.
    fn explore(&mut self) {
        let asked = self.room.tests.iter().map(|test| Mask::Whole(test.mask));
        let roots = self.room.reads.iter().map(|(_, mask)| *mask).chain(asked);
        let mut stack: SmallVec<[(Mask, bool); 16]> = roots.map(|m| (m, false)).collect();
        let mut later: SmallVec<[Mask; 16]> = SmallVec::new();
        loop {
            while let Some((mask, done)) = stack.pop() {
                let known = self.room.number(mask);
                if done {
                    self.room.order.extend(known.map(|number| number as Number));
                    continue;
                }
                if known.is_some() {
                    continue;
                }
                let made = self.how(mask);
                stack.push((mask, true));
                match &made {
                    Made::Logic(_, of) => stack.extend(of.iter().map(|&m| (m, false))),
                    Made::Select(_, a, b) => stack.extend([(*a, false), (*b, false)]),
                    // Not now: what flows in may be made of the parameter itself.
                    Made::Params(_, from) => later.extend(from.iter().map(|f| f.2)),
                    Made::Ballot(_) | Made::Const(_) | Made::Other => {}
                }
                self.room.add(mask, made);
            }
            match later.pop() {
                Some(mask) => stack.push((mask, false)),
                None => return,
            }
        }
    }

    fn how(&self, mask: Mask) -> Made {
        match mask {
            Mask::Whole(v) => self.how_whole(v),
            Mask::Halves(lo, hi) => self.how_halves(lo, hi),
        }
    }

    fn how_whole(&self, value: Value) -> Made {
        if let Some(c) = self.func.as_const(value) {
            return Made::Const(c.bits());
        }
        let inst = match self.func.def(value) {
            Def::Param(block, i) => {
                return self.params(block, |args| args.get(i as usize).map(|&v| Mask::Whole(v)));
            }
            Def::Inst(inst) => self.func.inst(inst),
        };
        match (inst.op, inst.args.as_slice()) {
            (Op::Ballot, &[x]) => Made::Ballot(x),
            (Op::Pure(op @ (Pure::Not | Pure::And | Pure::Or | Pure::Xor)), args) => {
                Made::Logic(op, args.iter().map(|&v| Mask::Whole(v)).collect())
            }
            (Op::Pure(Pure::Select), &[c, a, b]) => Made::Select(c, Mask::Whole(a), Mask::Whole(b)),
            (Op::Pure(Pure::Pack), &[lo, hi]) => self.how_halves(lo, hi),
            _ => Made::Other,
        }
    }

    fn how_halves(&self, lo: Value, hi: Value) -> Made {
        let func = &self.func;
        if let (Some(Const::I32(lo)), Some(Const::I32(hi))) = (func.as_const(lo), func.as_const(hi))
        {
            return Made::Const(u64::from(hi) << 32 | u64::from(lo));
        }
        match (func.def(lo), func.def(hi)) {
            (Def::Param(a, i), Def::Param(b, j)) if a == b => self.params(a, |args| {
                Some(Mask::Halves(*args.get(i as usize)?, *args.get(j as usize)?))
            }),
            (Def::Inst(a), Def::Inst(b)) => {
                let (a, b) = (func.inst(a), func.inst(b));
                match (a.op, b.op, a.args.as_slice(), b.args.as_slice()) {
                    (Op::Pure(Pure::Lo), Op::Pure(Pure::Hi), &[x], &[y]) if x == y => {
                        self.how_whole(x)
                    }
                    (
                        Op::Pure(op @ (Pure::Not | Pure::And | Pure::Or | Pure::Xor)),
                        Op::Pure(op_hi),
                        a,
                        b,
                    ) if op == op_hi => self.logic_halves(op, a, b),
                    (Op::Pure(Pure::Select), Op::Pure(Pure::Select), &[c, x, y], &[d, z, w])
                        if c == d =>
                    {
                        Made::Select(c, Mask::Halves(x, z), Mask::Halves(y, w))
                    }
                    _ => Made::Other,
                }
            }
            _ => Made::Other,
        }
    }

    /// Logic on halves. The builder orders arguments of each half by itself, so they are matched up:
    /// only pairs that have a meaning as a mask count.
    fn logic_halves(&self, op: Pure, lo: &[Value], hi: &[Value]) -> Made {
        let straight: SmallVec<[Mask; 2]> = lo
            .iter()
            .zip(hi)
            .map(|(&a, &b)| Mask::Halves(a, b))
            .collect();
        let crossed: SmallVec<[Mask; 2]> = lo
            .iter()
            .zip(hi.iter().rev())
            .map(|(&a, &b)| Mask::Halves(a, b))
            .collect();
        let known = |masks: &[Mask]| masks.iter().all(|m| self.pairs(*m, 4));
        if known(&straight) {
            Made::Logic(op, straight)
        } else if known(&crossed) {
            Made::Logic(op, crossed)
        } else {
            Made::Other
        }
    }

    /// Whether two halves look like one mask, as far as `depth` steps show.
    fn pairs(&self, mask: Mask, depth: u32) -> bool {
        let Mask::Halves(lo, hi) = mask else {
            return true;
        };
        let func = &self.func;
        if lo == hi {
            return true;
        }
        if func.as_const(lo).is_some() && func.as_const(hi).is_some() {
            return true;
        }
        match (func.def(lo), func.def(hi)) {
            (Def::Param(a, i), Def::Param(b, j)) => a == b && j == i + 1,
            (Def::Inst(a), Def::Inst(b)) => {
                let (a, b) = (func.inst(a), func.inst(b));
                match (a.op, b.op) {
                    (Op::Pure(Pure::Lo), Op::Pure(Pure::Hi)) => a.args == b.args,
                    (Op::Pure(x), Op::Pure(y)) if x == y && depth > 0 => {
                        let pair =
                            |(&a, &b): (&Value, &Value)| self.pairs(Mask::Halves(a, b), depth - 1);
                        a.args.iter().zip(&b.args).all(pair)
                            || a.args.iter().zip(b.args.iter().rev()).all(pair)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn params(&self, block: Block, mask: impl Fn(&[Value]) -> Option<Mask>) -> Made {
        let mut from = SmallVec::new();
        let mut last = None;
        for pred in self.doms.ways_in(block) {
            // One that names it twice is one of the ways twice.
            if last.replace(pred) == Some(pred) {
                continue;
            }
            let term = self.func.block(pred).term.iter();
            for (which, target) in (0..).zip(term.flat_map(|term| term.ways())) {
                if target.block != block {
                    continue;
                }
                match mask(&target.args) {
                    Some(mask) => from.push((pred, which, mask)),
                    None => return Made::Other,
                }
            }
        }
        if from.is_empty() {
            Made::Other
        } else {
            Made::Params(block, from)
        }
    }

    /// Finds which masks are made of ballots and constants alone.
    fn convertible(&mut self) {
        let count = self.room.made.len();
        self.room.good.clear();
        self.room.good.resize(count, true);
        let others = self.room.made.iter().enumerate();
        let others = others.filter(|(_, (_, made))| matches!(made, Made::Other));
        let mut work: SmallVec<[usize; 16]> = others.map(|(number, _)| number).collect();
        if work.is_empty() {
            return;
        }
        // Who uses each mask: the last one found, and of each the one before.
        let mut last: SmallVec<[usize; 32]> = SmallVec::from_elem(0, count);
        let mut users: SmallVec<[(usize, usize); 32]> = SmallVec::new();
        for (user, (_, made)) in self.room.made.iter().enumerate() {
            let mut uses = |mask: Mask| {
                if let Some(of) = self.room.number(mask) {
                    users.push((user, last[of]));
                    last[of] = users.len();
                }
            };
            match made {
                Made::Logic(_, of) => of.iter().for_each(|&m| uses(m)),
                Made::Select(_, a, b) => [*a, *b].into_iter().for_each(uses),
                Made::Params(_, from) => from.iter().for_each(|f| uses(f.2)),
                Made::Ballot(_) | Made::Const(_) | Made::Other => {}
            }
        }
        while let Some(number) = work.pop() {
            if std::mem::replace(&mut self.room.good[number], false) {
                let mut way = last[number];
                while let Some(&(user, before)) = way.checked_sub(1).and_then(|at| users.get(at)) {
                    work.push(user);
                    way = before;
                }
            }
        }
    }

    /// The masks that become Bools, in their order.
    fn good(&self) -> SmallVec<[usize; 16]> {
        let order = self.room.order.iter().map(|&number| number as usize);
        order.filter(|&number| self.room.good[number]).collect()
    }

    /// Makes the Bools of the good masks.
    fn convert(&mut self) {
        let good = self.good();
        self.room.lane.clear();
        self.room.lane.resize(self.room.made.len(), None);
        // Parameters first: anything may be made of them.
        for &number in &good {
            if let (_, Made::Params(block, _)) = self.room.made[number] {
                let param = self.func.add_param(block, Ty::lane(Kind::Bool));
                self.room.lane[number] = Some(param);
            }
        }
        let made = |number: &usize| &self.room.made[*number].1;
        let is_new = |made: &Made| matches!(made, Made::Logic(..) | Made::Select(..));
        if good.iter().map(made).any(is_new) {
            self.room.find_places(self.func, self.doms);
        }
        for &number in &good {
            let (mask, made) = self.room.made[number].clone();
            let lane = match made {
                Made::Ballot(x) => x,
                Made::Const(bits) => self.constant(bits),
                Made::Logic(op, of) => {
                    let args: Option<Args> = of.iter().map(|&m| self.room.lane(m)).collect();
                    match args {
                        Some(args) => self.insert(Op::Pure(op), args, mask),
                        None => continue,
                    }
                }
                Made::Select(c, a, b) => match (self.room.lane(a), self.room.lane(b)) {
                    (Some(a), Some(b)) => {
                        self.insert(Op::Pure(Pure::Select), Args::from_slice(&[c, a, b]), mask)
                    }
                    _ => continue,
                },
                Made::Params(..) | Made::Other => continue,
            };
            self.room.lane[number] = Some(lane);
        }
        // What flows into the new parameters, in the order in which they were added.
        for &number in &good {
            let (_, Made::Params(block, from)) = self.room.made[number].clone() else {
                continue;
            };
            let absent = self.constant(0);
            for (pred, which, mask) in from {
                let arg = self.room.lane(mask).unwrap_or(absent);
                self.feed(pred, which as usize, arg);
            }
            // Blocks that cannot be reached hand over something too.
            for pred in self.func.blocks().filter(|&b| !self.doms.reachable(b)) {
                for (which, succ) in self.func.successors(pred).into_iter().enumerate() {
                    if succ == block {
                        self.feed(pred, which, absent);
                    }
                }
            }
        }
    }

    /// Lets tests ask a ballot of their own; gives their number.
    fn ask(&mut self) -> usize {
        let kind = self.func.mask_kind();
        let mut asked = 0;
        for test in &self.room.tests {
            let lane = self.room.lane(Mask::Whole(test.mask));
            let Some(lane) = lane.filter(|&v| self.func.is_lane(v)) else {
                continue;
            };
            let ty = Some(Ty::uniform(kind));
            let args = Args::from_slice(&[lane]);
            let ballot = self.func.new_inst(Op::Ballot, args, ty);
            self.room.new.push((test.place, ballot));
            let ballot = self.func.inst(ballot).result.unwrap_or(test.mask);
            if let Some(arg) = self.func.inst_mut(test.inst).args.first_mut() {
                *arg = ballot;
                asked += 1;
            }
        }
        asked
    }

    fn feed(&mut self, pred: Block, which: usize, arg: Value) {
        if let Some(term) = &mut self.func.block_mut(pred).term
            && let Some(target) = term.targets_mut().get_mut(which)
        {
            target.args.push(arg);
        }
    }

    /// The Bool of a constant mask.
    fn constant(&mut self, bits: u64) -> Value {
        let kind = self.func.mask_kind();
        let all = if kind == Kind::I64 {
            u64::MAX
        } else {
            u64::from(u32::MAX)
        };
        let before = self.func.head_len();
        let uniform = match bits {
            0 => self
                .func
                .head_value(Op::ConstBool(false), Ty::uniform(Kind::Bool)),
            b if b == all => self
                .func
                .head_value(Op::ConstBool(true), Ty::uniform(Kind::Bool)),
            b if kind == Kind::I64 => self.func.head_value(Op::Const64(b), Ty::uniform(kind)),
            b => self
                .func
                .head_value(Op::Const32(b as u32), Ty::uniform(kind)),
        };
        if self.func.head_len() > before {
            // The entry's other instructions moved one on.
            let entry = self.func.entry();
            let places = self.room.place.iter_mut().flatten();
            let new = self.room.new.iter_mut().map(|(place, _)| place);
            for (block, position) in places.chain(new) {
                if *block == entry && *position > before {
                    *position += 1;
                }
            }
            let place = (entry, self.func.head_len());
            self.set_place(uniform, place);
        }
        if bits == 0 || bits == all {
            return uniform;
        }
        let ty = Some(Ty::lane(Kind::Bool));
        let inst = self
            .func
            .new_inst(Op::LaneBit, Args::from_slice(&[uniform]), ty);
        let place = (self.func.entry(), self.func.head_len());
        self.room.new.push((place, inst));
        self.made_at(inst, place, uniform)
    }

    fn made_at(&mut self, inst: Inst, place: Place, or: Value) -> Value {
        let value = self.func.inst(inst).result.unwrap_or(or);
        self.set_place(value, place);
        value
    }

    /// Says where a new value stands, if anybody wants to know.
    fn set_place(&mut self, value: Value, place: Place) {
        if !self.room.place.is_empty() {
            self.room.place.resize(self.func.value_count(), None);
            self.room.place[value.index()] = Some(place);
        }
    }

    /// A new instruction behind everything it uses.
    fn insert(&mut self, op: Op, args: Args, mask: Mask) -> Value {
        let own: &[Value] = match &mask {
            Mask::Whole(v) => &[*v],
            Mask::Halves(a, b) => &[*a, *b],
        };
        let mut place = (self.func.entry(), self.func.head_len());
        for value in args.iter().chain(own) {
            let Some(at) = self.room.place.get(value.index()).copied().flatten() else {
                continue;
            };
            let later = if at.0 == place.0 {
                at.1 > place.1
            } else {
                self.doms.dominates(place.0, at.0)
            };
            if later {
                place = at;
            }
        }
        let lane = args.iter().any(|&v| self.func.is_lane(v));
        let ty = if lane {
            Ty::lane(Kind::Bool)
        } else {
            Ty::uniform(Kind::Bool)
        };
        let fallback = args[0];
        let inst = self.func.new_inst(op, args, Some(ty));
        self.room.new.push((place, inst));
        self.made_at(inst, place, fallback)
    }
}

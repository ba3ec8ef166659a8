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
use crate::passes::replaced::resolve;

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
    /// By what flows into parameters of a block.
    Params(Block, Vec<(Block, usize, Mask)>),
    /// Anything else.
    Other,
}

/// Where a value stands: block, and position of its instruction (0: parameters).
type Place = (Block, usize);

struct Pass<'f> {
    func: &'f mut Func,
    doms: &'f Dominators,
    place: Vec<Option<Place>>,
    /// Predecessor edges of each reachable block: (block, which of its targets).
    preds: Vec<Vec<(Block, usize)>>,
    made: FxHashMap<Mask, Made>,
    lane: FxHashMap<Mask, Value>,
    /// New instructions by the place that they follow.
    new: Vec<(Place, Inst)>,
}

/// Runs the pass; gives the number of `LaneBit` instructions replaced.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    let mut reads = Vec::new();
    for &block in doms.order() {
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            if data.op == Op::LaneBit
                && let (Some(result), Some(&mask)) = (data.result, data.args.first())
                && func
                    .as_const(mask)
                    .is_none_or(|c| c.is_zero() || c.is_ones())
            {
                reads.push((result, Mask::Whole(mask)));
            }
        }
    }
    let tests = zero_tests(func, doms);
    if reads.is_empty() && tests.is_empty() {
        return 0;
    }
    let mut place = vec![None; func.value_count()];
    let mut preds = vec![Vec::new(); func.block_count()];
    for &block in doms.order() {
        let data = func.block(block);
        for &param in &data.params {
            place[param.index()] = Some((block, 0));
        }
        for (i, &inst) in data.insts.iter().enumerate() {
            if let Some(result) = func.inst(inst).result {
                place[result.index()] = Some((block, i + 1));
            }
        }
        for (i, succ) in func.successors(block).into_iter().enumerate() {
            preds[succ.index()].push((block, i));
        }
    }
    let mut pass = Pass {
        func,
        doms,
        place,
        preds,
        made: FxHashMap::default(),
        lane: FxHashMap::default(),
        new: Vec::new(),
    };
    let asked = tests.iter().map(|test| Mask::Whole(test.mask));
    let order = pass.explore(reads.iter().map(|(_, mask)| *mask).chain(asked));
    let good = pass.convertible(&order);
    pass.convert(&order, &good);
    let asked = pass.ask(&tests);
    let lane = std::mem::take(&mut pass.lane);
    let new = std::mem::take(&mut pass.new);
    place_new(func, new);
    let mut same = FxHashMap::default();
    for (read, mask) in reads {
        if let Some(&bool) = lane.get(&mask)
            && bool != read
        {
            same.insert(read, bool);
        }
    }
    if same.is_empty() {
        return asked;
    }
    func.map_uses(|v| resolve(&same, v));
    // The reads have no use left; they go, so that a second run finds nothing to do.
    for block in func.blocks() {
        let mut insts = std::mem::take(&mut func.block_mut(block).insts);
        insts.retain(|&inst| {
            !func
                .inst(inst)
                .result
                .is_some_and(|v| same.contains_key(&v))
        });
        func.block_mut(block).insts = insts;
    }
    same.len() + asked
}

/// A question whether a mask that is no ballot itself is zero.
struct ZeroTest {
    place: Place,
    inst: Inst,
    mask: Value,
}

fn zero_tests(func: &Func, doms: &Dominators) -> Vec<ZeroTest> {
    let mut tests = Vec::new();
    for &block in doms.order().iter().filter(|b| **b != func.entry()) {
        for (position, &inst) in func.block(block).insts.iter().enumerate() {
            let data = func.inst(inst);
            if let (Op::Pure(Pure::Eq | Pure::Ne), &[mask, zero]) = (data.op, data.args.as_slice())
                && func.kind(mask) == func.mask_kind()
                && !func.is_lane(mask)
                && func.as_const(zero).is_some_and(|c| c.is_zero())
                && func.as_const(mask).is_none()
                && func.def_inst(mask).is_none_or(|made| made.op != Op::Ballot)
            {
                let place = (block, position);
                tests.push(ZeroTest { place, inst, mask });
            }
        }
    }
    tests
}

/// Puts new instructions behind the places that they follow, in the order they were made.
fn place_new(func: &mut Func, mut new: Vec<(Place, Inst)>) {
    // Nothing but constants and inputs stands at the head of the entry block.
    let (entry, head) = (func.entry(), func.head_len());
    for ((block, position), _) in &mut new {
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
}

impl Pass<'_> {
    /// Finds how every mask that the roots are made of is made; in an order where those that logic and
    /// selects use come first.
    fn explore(&mut self, roots: impl Iterator<Item = Mask>) -> Vec<Mask> {
        let mut order = Vec::new();
        let mut stack: Vec<(Mask, bool)> = roots.map(|m| (m, false)).collect();
        let mut later = Vec::new();
        loop {
            while let Some((mask, done)) = stack.pop() {
                if done {
                    order.push(mask);
                    continue;
                }
                if self.made.contains_key(&mask) {
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
                self.made.insert(mask, made);
            }
            match later.pop() {
                Some(mask) => stack.push((mask, false)),
                None => return order,
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
        let mut from = Vec::new();
        for &(pred, which) in self.preds.get(block.index()).into_iter().flatten() {
            let args = self.func.block(pred).term.as_ref().map(|t| t.targets());
            let args = args
                .as_ref()
                .and_then(|t| t.get(which))
                .map(|t| t.args.as_slice());
            match args.and_then(&mask) {
                Some(mask) => from.push((pred, which, mask)),
                None => return Made::Other,
            }
        }
        if from.is_empty() {
            Made::Other
        } else {
            Made::Params(block, from)
        }
    }

    /// Which masks are made of ballots and constants alone.
    fn convertible(&self, order: &[Mask]) -> FxHashMap<Mask, bool> {
        let mut users: FxHashMap<Mask, Vec<Mask>> = FxHashMap::default();
        let mut good: FxHashMap<Mask, bool> = order.iter().map(|&m| (m, true)).collect();
        let mut work = Vec::new();
        for &mask in order {
            match self.made.get(&mask) {
                Some(Made::Logic(_, of)) => of
                    .iter()
                    .for_each(|&m| users.entry(m).or_default().push(mask)),
                Some(Made::Select(_, a, b)) => {
                    users.entry(*a).or_default().push(mask);
                    users.entry(*b).or_default().push(mask);
                }
                Some(Made::Params(_, from)) => {
                    from.iter()
                        .for_each(|f| users.entry(f.2).or_default().push(mask));
                }
                Some(Made::Ballot(_) | Made::Const(_)) => {}
                Some(Made::Other) | None => work.push(mask),
            }
        }
        while let Some(mask) = work.pop() {
            if good.insert(mask, false) == Some(true) {
                work.extend(users.remove(&mask).unwrap_or_default());
            }
        }
        good
    }

    /// Makes the Bools of the good masks.
    fn convert(&mut self, order: &[Mask], good: &FxHashMap<Mask, bool>) {
        let is_good = |m: &Mask| good.get(m).copied().unwrap_or(false);
        // Parameters first: anything may be made of them.
        for mask in order.iter().filter(|m| is_good(m)) {
            if let Some(Made::Params(block, _)) = self.made.get(mask) {
                let block = *block;
                let param = self.func.add_param(block, Ty::lane(Kind::Bool));
                self.place.push(Some((block, 0)));
                self.lane.insert(*mask, param);
            }
        }
        for mask in order.iter().filter(|m| is_good(m)) {
            let made = self.made.get(mask).cloned().unwrap_or(Made::Other);
            let lane = match made {
                Made::Ballot(x) => x,
                Made::Const(bits) => self.constant(bits),
                Made::Logic(op, of) => {
                    let args: Option<Args> = of.iter().map(|m| self.lane.get(m).copied()).collect();
                    match args {
                        Some(args) => self.insert(Op::Pure(op), args, *mask),
                        None => continue,
                    }
                }
                Made::Select(c, a, b) => match (self.lane.get(&a), self.lane.get(&b)) {
                    (Some(&a), Some(&b)) => {
                        self.insert(Op::Pure(Pure::Select), Args::from_slice(&[c, a, b]), *mask)
                    }
                    _ => continue,
                },
                Made::Params(..) | Made::Other => continue,
            };
            self.lane.insert(*mask, lane);
        }
        let unreached: Vec<Block> = self
            .func
            .blocks()
            .filter(|&b| !self.doms.reachable(b))
            .collect();
        // What flows into the new parameters, in the order in which they were added.
        for mask in order.iter().filter(|m| is_good(m)) {
            let Some(Made::Params(block, from)) = self.made.get(mask).cloned() else {
                continue;
            };
            let args: Vec<(Block, usize, Option<Value>)> = from
                .iter()
                .map(|(b, w, m)| (*b, *w, self.lane.get(m).copied()))
                .collect();
            let absent = self.constant(0);
            for (pred, which, arg) in args {
                self.feed(pred, which, arg.unwrap_or(absent));
            }
            // Blocks that cannot be reached hand over something too.
            for &pred in &unreached {
                for (which, succ) in self.func.successors(pred).into_iter().enumerate() {
                    if succ == block {
                        self.feed(pred, which, absent);
                    }
                }
            }
        }
    }

    /// Lets tests ask a ballot of their own; gives their number.
    fn ask(&mut self, tests: &[ZeroTest]) -> usize {
        let kind = self.func.mask_kind();
        let mut asked = 0;
        for test in tests {
            let lane = self.lane.get(&Mask::Whole(test.mask)).copied();
            let Some(lane) = lane.filter(|&v| self.func.is_lane(v)) else {
                continue;
            };
            let ty = Some(Ty::uniform(kind));
            let ballot = self
                .func
                .new_inst(Op::Ballot, Args::from_slice(&[lane]), ty);
            self.new.push((test.place, ballot));
            let ballot = self.made_at(ballot, test.place, test.mask);
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
            self.place.resize(self.func.value_count(), None);
            let entry = self.func.entry();
            for (block, position) in self.place.iter_mut().flatten() {
                if *block == entry && *position > before {
                    *position += 1;
                }
            }
            for ((block, position), _) in &mut self.new {
                if *block == entry && *position > before {
                    *position += 1;
                }
            }
            self.place[uniform.index()] = Some((entry, self.func.head_len()));
        }
        if bits == 0 || bits == all {
            return uniform;
        }
        let ty = Some(Ty::lane(Kind::Bool));
        let inst = self
            .func
            .new_inst(Op::LaneBit, Args::from_slice(&[uniform]), ty);
        let place = (self.func.entry(), self.func.head_len());
        self.new.push((place, inst));
        self.made_at(inst, place, uniform)
    }

    fn made_at(&mut self, inst: Inst, place: Place, or: Value) -> Value {
        self.place.resize(self.func.value_count(), None);
        let value = self.func.inst(inst).result.unwrap_or(or);
        self.place[value.index()] = Some(place);
        value
    }

    /// A new instruction behind everything it uses.
    fn insert(&mut self, op: Op, args: Args, mask: Mask) -> Value {
        let own: &[Value] = match &mask {
            Mask::Whole(v) => &[*v],
            Mask::Halves(a, b) => &[*a, *b],
        };
        let mut place = (self.func.entry(), self.func.head_len());
        for value in args.iter().chain(own) {
            let Some(at) = self.place.get(value.index()).copied().flatten() else {
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
        self.new.push((place, inst));
        self.made_at(inst, place, fallback)
    }
}

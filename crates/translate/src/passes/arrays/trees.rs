//! Finds trees: blocks that decide by comparisons of one index with constants alone, walked for each element. Knows
//! nothing of what becomes of them.

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{Column, MOST_COLUMNS, Out, Tree};
use crate::ir::dom::Dominators;
use crate::ir::{Block, Const, Def, Func, Inst, Kind, Op, Pure, Terminator, Value};

/// Elements of an array, at least and at most.
const FEWEST: usize = 6;
const MOST: usize = 64;

/// Blocks of a tree on the way to one element.
const LONGEST: usize = 96;

/// Blocks that are walked and values that are looked at in all: as many as programs with dozens of trees need.
const STEPS: usize = 1 << 22;

fn pure(func: &Func, value: Value) -> Option<(Pure, &[Value])> {
    let data = func.def_inst(value)?;
    match data.op {
        Op::Pure(op) => Some((op, data.args.as_slice())),
        _ => None,
    }
}

/// A signed comparison of a value with a constant: the value, a bound, and whether it says that the value is below
/// the bound (else that it is not).
fn compare(func: &Func, value: Value) -> Option<(Value, i64, bool)> {
    let (op, &[x, y]) = pure(func, value)? else {
        return None;
    };
    let number = |v| match func.as_const(v)? {
        Const::I32(n) => Some(i64::from(n as i32)),
        _ => None,
    };
    match (op, number(x), number(y)) {
        (Pure::SLt, None, Some(c)) => Some((x, c, true)),
        (Pure::SLe, None, Some(c)) => Some((x, c + 1, true)),
        (Pure::SLt, Some(c), None) => Some((y, c + 1, false)),
        (Pure::SLe, Some(c), None) => Some((y, c, false)),
        _ => None,
    }
}

/// A value, or a number that a tree says without a value of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Value(Value),
    Number(u32),
}

/// A word that the index alone decides.
#[derive(Debug)]
struct Level {
    index: Value,
    first: i64,
    /// By element.
    numbers: Vec<u32>,
}

/// Depth of logic on comparisons.
const DEPTH: u32 = 4;

/// A way through a tree.
#[derive(Debug, Default)]
struct Walk {
    blocks: Vec<Block>,
    /// How many of them the last branch that the index decides has behind it: from there on is no tree.
    tree: usize,
    /// By block: what its parameters are, in values of before the tree.
    params: Vec<SmallVec<[Option<Known>; 4]>>,
}

impl Walk {
    fn place(&self, block: Block) -> Option<usize> {
        self.blocks.iter().position(|&b| b == block)
    }

    /// Ends before a block; gives what its parameters are. Blocks behind the tree may have made values of before it
    /// anew.
    fn end_before(&mut self, block: Block) -> Option<SmallVec<[Option<Known>; 4]>> {
        let place = self.place(block)?;
        self.blocks.truncate(place);
        self.params.truncate(place + 1);
        self.params.pop()
    }
}

#[derive(Debug)]
pub struct Search<'f> {
    func: &'f Func,
    /// By block: where it is come from, once for each way.
    from: Vec<Vec<Block>>,
    /// By value: the block that makes it.
    home: Vec<Block>,
    /// By value: blocks that use it, each once in a row.
    users: Vec<SmallVec<[Block; 2]>>,
    order: Vec<Block>,
    /// Bounds that values are compared with.
    bounds: FxHashMap<Value, Vec<i64>>,
    /// What trees have said of an index.
    levels: FxHashMap<Value, Level>,
    steps: Cell<usize>,
}

impl<'f> Search<'f> {
    pub fn new(func: &'f Func) -> Search<'f> {
        let mut bounds: FxHashMap<Value, Vec<i64>> = FxHashMap::default();
        let mut order = Vec::new();
        // Most programs compare less often.
        let insts = func.blocks().flat_map(|b| &func.block(b).insts);
        let compares =
            |&&inst: &&Inst| matches!(func.inst(inst).op, Op::Pure(Pure::SLt | Pure::SLe));
        if insts.filter(compares).nth(FEWEST - 2).is_some() {
            order = Dominators::new(func).order().to_vec();
        }
        for &block in &order {
            for &inst in &func.block(block).insts {
                if let Some(result) = func.inst(inst).result
                    && let Some((index, bound, _)) = compare(func, result)
                {
                    bounds.entry(index).or_default().push(bound);
                }
            }
        }
        for list in bounds.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        bounds.retain(|_, list| {
            let follows = list.windows(2).all(|w| w[0] + 1 == w[1]);
            // What the index is held between.
            let ends = [list.first().map(|b| b - 1), list.last().copied()];
            let fits = |end: Option<i64>| end.is_some_and(|end| i32::try_from(end).is_ok());
            (FEWEST..=MOST).contains(&(list.len() + 1)) && follows && ends.into_iter().all(fits)
        });
        let mut search = Search {
            func,
            from: Vec::new(),
            home: Vec::new(),
            users: Vec::new(),
            order,
            bounds,
            levels: FxHashMap::default(),
            steps: Cell::new(STEPS),
        };
        if !search.bounds.is_empty() {
            search.survey();
        }
        search
    }

    fn survey(&mut self) {
        let func = self.func;
        self.from.resize(func.block_count(), Vec::new());
        self.home.resize(func.value_count(), func.entry());
        self.users.resize(func.value_count(), SmallVec::new());
        for &block in &self.order {
            let data = func.block(block);
            let results = data.insts.iter().filter_map(|&i| func.inst(i).result);
            for value in data.params.iter().copied().chain(results) {
                self.home[value.index()] = block;
            }
            for to in func.successors(block) {
                self.from[to.index()].push(block);
            }
            let mut used = |value: Value| {
                let users = &mut self.users[value.index()];
                if users.last() != Some(&block) {
                    users.push(block);
                }
            };
            for &inst in &data.insts {
                func.inst(inst).args.iter().copied().for_each(&mut used);
            }
            if let Some(term) = &data.term {
                term.for_each_value(used);
            }
        }
    }

    /// All trees, none in another.
    pub fn trees(mut self) -> Vec<Tree> {
        let mut trees = Vec::new();
        if self.bounds.is_empty() {
            return trees;
        }
        let mut inside: FxHashSet<Block> = FxHashSet::default();
        for block in self.order.clone() {
            if inside.contains(&block) {
                continue;
            }
            let mut levels = Vec::new();
            if let Some(tree) = self.tree(block, &mut levels) {
                inside.extend(&tree.inside);
                trees.push(tree);
            }
            self.levels.extend(levels);
        }
        trees
    }

    /// A level, and whether a Bool says that it is that number.
    fn level(&self, value: Value) -> Option<(&Level, u32, bool)> {
        let (op, &[x, number]) = pure(self.func, value)? else {
            return None;
        };
        let is = match op {
            Pure::Eq => true,
            Pure::Ne => false,
            _ => return None,
        };
        let Const::I32(number) = self.func.as_const(number)? else {
            return None;
        };
        Some((self.levels.get(&x)?, number, is))
    }

    /// What a Bool is where the index is `at`.
    fn decide(&self, value: Value, index: Value, at: i64, depth: u32) -> Option<bool> {
        if let Some((of, bound, below)) = compare(self.func, value) {
            return (of == index).then_some((at < bound) == below);
        }
        if let Some((level, number, is)) = self.level(value) {
            let place = usize::try_from(at - level.first).ok()?;
            let now = level.numbers.get(place).filter(|_| level.index == index)?;
            return Some((*now == number) == is);
        }
        if depth == 0 {
            return None;
        }
        let known = |v| self.decide(v, index, at, depth - 1);
        match pure(self.func, value)? {
            (Pure::Not, &[x]) => Some(!known(x)?),
            (Pure::And, &[x, y]) => Some(known(x)? & known(y)?),
            (Pure::Or, &[x, y]) => Some(known(x)? | known(y)?),
            _ => None,
        }
    }

    /// The index that a Bool is about.
    fn index_of(&self, value: Value, depth: u32) -> Option<Value> {
        if let Some((index, ..)) = compare(self.func, value) {
            return Some(index);
        }
        if let Some((level, ..)) = self.level(value) {
            return Some(level.index);
        }
        match pure(self.func, value)? {
            (Pure::Not | Pure::And | Pure::Or, args) if depth > 0 => {
                self.index_of(*args.first()?, depth - 1)
            }
            _ => None,
        }
    }

    /// Takes a step, if there is one left.
    fn step(&self) -> Option<()> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        Some(())
    }

    /// What a value of a tree is where the index is `at`, in values of before the tree.
    fn resolve(&self, walk: &Walk, mut value: Value, index: Value, at: i64) -> Option<Known> {
        loop {
            self.step()?;
            let home = self.home.get(value.index())?;
            let Some(place) = walk.place(*home) else {
                return Some(Known::Value(value));
            };
            if let Def::Param(_, number) = self.func.def(value) {
                return *walk.params.get(place)?.get(number as usize)?;
            }
            match pure(self.func, value)? {
                (Pure::Select, &[cond, x, y]) => {
                    let holds = self.decide(cond, index, at, DEPTH)?;
                    value = if holds { x } else { y };
                }
                (Pure::BoolInt, &[x]) => {
                    let holds = self.decide(x, index, at, DEPTH)?;
                    return Some(Known::Number(u32::from(holds)));
                }
                _ => return None,
            }
        }
    }

    fn walk(&self, head: Block, index: Value, at: i64) -> Walk {
        let mut walk = Walk::default();
        let mut block = head;
        while walk.blocks.len() < LONGEST {
            let target = match &self.func.block(block).term {
                Some(Terminator::Jump(target)) => target,
                Some(Terminator::Branch { cond, then, els }) => {
                    match self.decide(*cond, index, at, DEPTH) {
                        Some(holds) => {
                            walk.tree = walk.blocks.len();
                            if holds { then } else { els }
                        }
                        None => break,
                    }
                }
                _ => break,
            };
            let next = target.block;
            if self.step().is_none() || next == head || walk.blocks.contains(&next) {
                break;
            }
            let known = target
                .args
                .iter()
                .map(|&arg| self.resolve(&walk, arg, index, at))
                .collect();
            walk.params.push(known);
            walk.blocks.push(next);
            block = next;
        }
        walk
    }

    fn tree(&self, head: Block, levels: &mut Vec<(Value, Level)>) -> Option<Tree> {
        let func = self.func;
        let Some(Terminator::Branch { cond, .. }) = &func.block(head).term else {
            return None;
        };
        let index = self.index_of(*cond, DEPTH)?;
        let bounds = self.bounds.get(&index)?;
        let first = bounds.first()? - 1;
        let count = bounds.len() + 1;
        let mut walks: Vec<Walk> = (0..count)
            .map(|k| self.walk(head, index, first + k as i64))
            .collect();
        let (shortest, others) = walks.split_first()?;
        let join = shortest.blocks.iter().skip(shortest.tree).find(|&join| {
            let behind = |w: &Walk| w.blocks.iter().skip(w.tree).any(|b| b == join);
            others.iter().all(behind)
        });
        let join = *join?;
        let mut inside: Vec<Block> = Vec::new();
        let mut handed = Vec::new();
        for walk in &mut walks {
            handed.push(walk.end_before(join)?);
            inside.extend(&walk.blocks);
        }
        inside.sort_unstable();
        inside.dedup();
        // Nobody else comes in, and nothing is done.
        let closed = inside.iter().all(|block| {
            let from = &self.from[block.index()];
            from.iter()
                .all(|b| *b == head || inside.binary_search(b).is_ok())
        });
        let mut ops = inside.iter().flat_map(|&b| &func.block(b).insts);
        if !closed || !ops.all(|&i| matches!(func.inst(i).op, Op::Pure(_))) {
            return None;
        }
        let mut tree = Tree {
            head,
            inside,
            join,
            index,
            first,
            count,
            columns: Vec::new(),
            handed: Vec::new(),
            used: Vec::new(),
        };
        // Whatever comes there comes out of the tree.
        let alone = self.from[join.index()]
            .iter()
            .all(|b| *b == head || tree.inside.binary_search(b).is_ok());
        for (number, &param) in func.block(join).params.iter().enumerate() {
            let all = handed.iter().map(|known| *known.get(number)?);
            let all: Option<Vec<Known>> = all.collect();
            if let Some(all) = all.as_ref().filter(|_| alone) {
                levels.extend(self.leveled(&tree, all, param));
            }
            let out = all.and_then(|all| self.out(&mut tree, &all, param));
            tree.handed.push(out.unwrap_or(Out::Unknown));
        }
        for value in self.used_behind(&tree) {
            let walks = walks.iter().enumerate();
            let all = walks.map(|(k, walk)| self.resolve(walk, value, index, first + k as i64));
            let all: Option<Vec<Known>> = all.collect();
            if let Some(all) = &all {
                levels.extend(self.leveled(&tree, all, value));
            }
            let out = all.and_then(|all| self.out(&mut tree, &all, value));
            let out = out.unwrap_or_else(|| self.moved(&tree, value));
            tree.used.push((value, out));
        }
        // Where no step is left, not all has been looked at.
        (!tree.columns.is_empty() && self.steps.get() > 0).then_some(tree)
    }

    /// Values that blocks of a tree make and others use.
    fn used_behind(&self, tree: &Tree) -> Vec<Value> {
        let func = self.func;
        let is_behind = |block: &Block| tree.inside.binary_search(block).is_err();
        let made = tree.inside.iter().flat_map(|&block| {
            let data = func.block(block);
            let results = data.insts.iter().filter_map(|&i| func.inst(i).result);
            data.params.iter().copied().chain(results)
        });
        let mut used: Vec<Value> = made
            .filter(|value| self.users[value.index()].iter().any(is_behind))
            .collect();
        used.sort_unstable();
        used
    }

    /// A value behind a tree that the index alone decides: `all` by element.
    fn leveled(&self, tree: &Tree, all: &[Known], value: Value) -> Option<(Value, Level)> {
        let number = |known: &Known| match *known {
            Known::Number(number) => Some(number),
            Known::Value(value) => match self.func.as_const(value)? {
                Const::I32(number) => Some(number),
                _ => None,
            },
        };
        let numbers: Option<Vec<u32>> = all.iter().map(number).collect();
        let level = Level {
            index: tree.index,
            first: tree.first,
            numbers: numbers?,
        };
        Some((value, level))
    }

    fn is_outside(&self, tree: &Tree, value: Value) -> bool {
        let home = self.home.get(value.index());
        home.is_some_and(|b| tree.inside.binary_search(b).is_err())
    }

    /// Comparisons that are asked again behind a tree, if this is one.
    fn moved(&self, tree: &Tree, value: Value) -> Out {
        let args = |inst| self.func.inst(inst).args.iter();
        match self.func.def(value) {
            Def::Inst(inst) if args(inst).all(|&arg| self.is_outside(tree, arg)) => {
                Out::Moved(inst)
            }
            _ => Out::Unknown,
        }
    }

    /// What comes out of a tree as a value that is each of `all` in turn; none where it cannot be said.
    fn out(&self, tree: &mut Tree, all: &[Known], value: Value) -> Option<Out> {
        let func = self.func;
        if tree.columns.len() == MOST_COLUMNS {
            return None;
        }
        let outside = |known: &Known| match *known {
            Known::Value(value) => self.is_outside(tree, value).then_some(value),
            Known::Number(_) => None,
        };
        let all: Option<Vec<Value>> = all.iter().map(outside).collect();
        let all = all?;
        let &[a, b, c, ..] = all.as_slice() else {
            return None;
        };
        if all.iter().all(|&v| v == a) {
            return Some(Out::Same(a));
        }
        if func.ty(value).kind != Kind::I32 || !func.is_lane(value) {
            return Some(Out::Unknown);
        }
        let usual = if a == b || a == c { a } else { b };
        let mut others = all.iter().enumerate().filter(|&(_, &v)| v != usual);
        if let (Some((place, &stored)), None) = (others.next(), others.next()) {
            let takes = |column: &Column| {
                column.stored.is_none_or(|s| s == stored) && column.fits(place, usual)
            };
            let number = tree.column(takes);
            if let Some(column) = tree.columns.get_mut(number) {
                column.stored = Some(stored);
                if let Some(element) = column.elements.get_mut(place) {
                    *element = Some(usual);
                }
            }
            return Some(Out::Store(number, place));
        }
        let different: FxHashSet<Value> = all.iter().copied().collect();
        if different.len() < all.len() {
            return Some(Out::Unknown);
        }
        let takes = |column: &Column| {
            let mut names = all.iter().enumerate();
            names.all(|(place, &name)| column.fits(place, name))
        };
        let number = tree.column(takes);
        if let Some(column) = tree.columns.get_mut(number) {
            column.elements = all.iter().copied().map(Some).collect();
            column.loads = true;
        }
        Some(Out::Load(number))
    }
}

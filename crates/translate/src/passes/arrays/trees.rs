//! Finds trees: blocks that decide by comparisons of one index with constants alone, walked for each element. Knows
//! nothing of what becomes of them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Column, Out, Tree};
use crate::ir::dom::Dominators;
use crate::ir::{Block, Const, Def, Func, Inst, Kind, Op, Pure, Terminator, Value};

/// Elements of an array, at least and at most.
const FEWEST: usize = 6;
const MOST: usize = 64;

/// Blocks of a tree on the way to one element.
const LONGEST: usize = 96;

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
    /// What parameters on the way are, in values of before the tree.
    params: FxHashMap<Value, Option<Known>>,
}

#[derive(Debug)]
pub struct Search<'f> {
    func: &'f Func,
    /// By block: where it is come from, once for each way.
    from: Vec<Vec<Block>>,
    /// By value: the block that makes it.
    home: Vec<Block>,
    order: Vec<Block>,
    /// Bounds that values are compared with.
    bounds: FxHashMap<Value, Vec<i64>>,
    /// What trees have said of an index.
    levels: FxHashMap<Value, Level>,
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
            (FEWEST..=MOST).contains(&(list.len() + 1)) && follows
        });
        let mut search = Search {
            func,
            from: Vec::new(),
            home: Vec::new(),
            order,
            bounds,
            levels: FxHashMap::default(),
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
        for &block in &self.order {
            let data = func.block(block);
            let results = data.insts.iter().filter_map(|&i| func.inst(i).result);
            for value in data.params.iter().copied().chain(results) {
                self.home[value.index()] = block;
            }
            for to in func.successors(block) {
                self.from[to.index()].push(block);
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

    /// What a value of a tree is where the index is `at`, in values of before the tree.
    fn resolve(&self, walk: &Walk, mut value: Value, index: Value, at: i64) -> Option<Known> {
        loop {
            if let Some(&known) = walk.params.get(&value) {
                return known;
            }
            let home = self.home.get(value.index())?;
            if !walk.blocks.contains(home) {
                return Some(Known::Value(value));
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
            if next == head || walk.blocks.contains(&next) {
                break;
            }
            let known: Vec<Option<Known>> = target
                .args
                .iter()
                .map(|&arg| self.resolve(&walk, arg, index, at))
                .collect();
            let params = &self.func.block(next).params;
            walk.params.extend(params.iter().copied().zip(known));
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
        let walks: Vec<Walk> = (0..count)
            .map(|k| self.walk(head, index, first + k as i64))
            .collect();
        let (shortest, others) = walks.split_first()?;
        let join = shortest.blocks.iter().skip(shortest.tree).find(|&join| {
            let behind = |w: &Walk| w.blocks.iter().skip(w.tree).any(|b| b == join);
            others.iter().all(behind)
        });
        let join = *join?;
        let mut inside: Vec<Block> = Vec::new();
        for walk in &walks {
            let before = walk.blocks.iter().take_while(|&&b| b != join);
            inside.extend(before);
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
        for &param in &func.block(join).params {
            if alone {
                levels.extend(self.leveled(&tree, &walks, param));
            }
            let out = self.out(&mut tree, &walks, param);
            let moved = matches!(out, Out::Moved(_));
            tree.handed.push(if moved { Out::Unknown } else { out });
        }
        for value in self.used_behind(&tree) {
            levels.extend(self.leveled(&tree, &walks, value));
            let out = self.out(&mut tree, &walks, value);
            tree.used.push((value, out));
        }
        (!tree.columns.is_empty()).then_some(tree)
    }

    /// Values that blocks of a tree make and others use.
    fn used_behind(&self, tree: &Tree) -> Vec<Value> {
        let func = self.func;
        let is_inside = |block: &Block| tree.inside.binary_search(block).is_ok();
        let mut used = Vec::new();
        let mut look = |value: Value| {
            if self.home.get(value.index()).is_some_and(is_inside) {
                used.push(value);
            }
        };
        for block in self.order.iter().filter(|b| !is_inside(b)) {
            let data = func.block(*block);
            for &inst in &data.insts {
                func.inst(inst).args.iter().copied().for_each(&mut look);
            }
            if let Some(term) = &data.term {
                term.for_each_value(&mut look);
            }
        }
        used.sort_unstable();
        used.dedup();
        used
    }

    /// A value behind a tree that the index alone decides.
    fn leveled(&self, tree: &Tree, walks: &[Walk], value: Value) -> Option<(Value, Level)> {
        let mut numbers = Vec::new();
        for (k, walk) in walks.iter().enumerate() {
            let at = tree.first + k as i64;
            let number = match self.resolve(walk, value, tree.index, at)? {
                Known::Number(number) => number,
                Known::Value(value) => match self.func.as_const(value)? {
                    Const::I32(number) => number,
                    _ => return None,
                },
            };
            numbers.push(number);
        }
        let level = Level {
            index: tree.index,
            first: tree.first,
            numbers,
        };
        Some((value, level))
    }

    /// What a value is behind a tree.
    fn out(&self, tree: &mut Tree, walks: &[Walk], value: Value) -> Out {
        let func = self.func;
        let at = |k: usize| tree.first + k as i64;
        let all: Option<Vec<Value>> = walks
            .iter()
            .enumerate()
            .map(
                |(k, walk)| match self.resolve(walk, value, tree.index, at(k))? {
                    Known::Value(value) => Some(value),
                    Known::Number(_) => None,
                },
            )
            .collect();
        let outside = |v: &Value| {
            let home = self.home.get(v.index());
            home.is_some_and(|b| tree.inside.binary_search(b).is_err())
        };
        let Some(all) = all.filter(|all| all.iter().all(outside)) else {
            // Comparisons that are asked again.
            return match func.def(value) {
                Def::Inst(inst) if func.inst(inst).args.iter().all(outside) => Out::Moved(inst),
                _ => Out::Unknown,
            };
        };
        let &[a, b, c, ..] = all.as_slice() else {
            return Out::Unknown;
        };
        if all.iter().all(|&v| v == a) {
            return Out::Same(a);
        }
        if func.ty(value).kind != Kind::I32 || !func.is_lane(value) {
            return Out::Unknown;
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
            return Out::Store(number, place);
        }
        let different: FxHashSet<Value> = all.iter().copied().collect();
        if different.len() < all.len() {
            return Out::Unknown;
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
        Out::Load(number)
    }
}

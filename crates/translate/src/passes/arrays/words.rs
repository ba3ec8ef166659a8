//! Keeps elements in words of scratch: which trees are of one array, which parameters are kept in which word, what
//! each word holds where, and the accesses that follow. Knows nothing of how trees are found.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{MOST_COLUMNS, Out, Tree};
use crate::ir::dom::Dominators;
use crate::ir::{
    Block, Builder, Const, Def, Func, Kind, MemWidth, Op, Pure, Target, Terminator, Value,
};

/// Bytes that scratch of an invocation's own has at most.
const MOST_BYTES: u32 = 2048;

/// Words of all blocks, and rounds of what is repeated until it stays: more than a compiler's program has, and few
/// enough for the time that any program may take.
const MOST_HELD: usize = 1 << 20;
const ROUNDS: usize = 64;

/// A value of the function before the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Zero,
    Value(Value),
    /// What a store of that tree leaves in the word of that number.
    Stored(usize, u32),
}

/// What a word holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// Nothing has come by yet.
    Anything,
    Is(Name),
    Unknown,
}

/// A word of scratch.
type Word = u32;

/// Repeats something until it changes nothing; none where it goes on for too long.
fn settle(mut round: impl FnMut() -> bool) -> Option<()> {
    (0..ROUNDS).any(|_| !round()).then_some(())
}

/// Columns whose elements flow into each other, also through other parameters, are of one array.
fn join_arrays(
    ways: &[(Value, Value)],
    places: &FxHashMap<Value, (usize, usize)>,
    counts: &[usize],
    array: &mut [usize],
) -> Option<()> {
    let mut reached = places.clone();
    settle(|| {
        let before = reached.len();
        for &(param, arg) in ways {
            if let Some(&at) = reached.get(&param) {
                reached.entry(arg).or_insert(at);
            }
        }
        reached.len() > before
    })?;
    for &(param, arg) in ways {
        let (Some(&(x, place)), Some(&(y, same))) = (reached.get(&param), reached.get(&arg)) else {
            continue;
        };
        let (Some(&a), Some(&b)) = (array.get(x), array.get(y)) else {
            continue;
        };
        if place == same && counts.get(x) == counts.get(y) && a != b {
            for entry in array.iter_mut() {
                if *entry == b {
                    *entry = a;
                }
            }
        }
    }
    Some(())
}

#[derive(Debug)]
pub struct Rebuild<'t> {
    trees: &'t [Tree],
    /// By block: the tree that begins at its end.
    at: FxHashMap<Block, usize>,
    inside: FxHashSet<Block>,
    order: Vec<Block>,
    /// By tree and column: where its array begins.
    arrays: Vec<Vec<Word>>,
    words: u32,
    /// Parameters that are kept in a word.
    kept: FxHashMap<Value, Word>,
    /// Values of trees that are the same as what a store leaves.
    alias: FxHashMap<Value, Name>,
}

impl<'t> Rebuild<'t> {
    pub fn new(func: &Func, trees: &'t [Tree]) -> Option<Rebuild<'t>> {
        let mut inside = FxHashSet::default();
        let mut at = FxHashMap::default();
        for (number, tree) in trees.iter().enumerate() {
            inside.extend(tree.inside.iter().copied());
            at.insert(tree.head, number);
        }
        let order = Dominators::new(func).order().to_vec();
        let mut plan = Rebuild {
            trees,
            at,
            inside,
            order,
            arrays: Vec::new(),
            words: 0,
            kept: FxHashMap::default(),
            alias: FxHashMap::default(),
        };
        plan.order.retain(|block| !plan.inside.contains(block));
        let ways = plan.ways(func);
        plan.find_arrays(func, &ways)?;
        plan.find_kept(func, &ways)?;
        plan.is_apart(func).then_some(plan)
    }

    /// Columns with an element in common are of one array.
    fn find_arrays(&mut self, func: &Func, ways: &[(Value, Value)]) -> Option<()> {
        // By column of all trees: a number of its array.
        let mut array: Vec<usize> = Vec::new();
        let mut counts: Vec<usize> = Vec::new();
        let mut begins_at: Vec<usize> = Vec::new();
        for tree in self.trees {
            begins_at.push(array.len());
            for _ in &tree.columns {
                array.push(array.len());
                counts.push(tree.count);
            }
        }
        if array.len() > MOST_COLUMNS {
            return None;
        }
        let mut places: FxHashMap<Value, (usize, usize)> = FxHashMap::default();
        for (tree, &first) in self.trees.iter().zip(&begins_at) {
            let params = &func.block(tree.join).params;
            let handed = params.iter().copied().zip(tree.handed.iter().copied());
            let outs = handed.chain(tree.used.iter().copied());
            let stored = outs.filter_map(|(value, out)| match out {
                Out::Store(column, place) => Some((first + column, place, value)),
                _ => None,
            });
            let columns = tree.columns.iter().enumerate();
            let elements = columns.flat_map(|(number, column)| {
                let elements = column.elements.iter().enumerate();
                elements.filter_map(move |(place, value)| Some((first + number, place, (*value)?)))
            });
            for (number, place, value) in elements.chain(stored) {
                if !matches!(func.def(value), Def::Param(..)) {
                    continue;
                }
                match places.get(&value) {
                    None => {
                        places.insert(value, (number, place));
                    }
                    Some(&(other, same)) => {
                        if same != place || counts.get(other) != counts.get(number) {
                            return None;
                        }
                        let (a, b) = (*array.get(other)?, *array.get(number)?);
                        for entry in &mut array {
                            if *entry == b {
                                *entry = a;
                            }
                        }
                    }
                }
            }
        }
        let ways = ways.iter().copied();
        let ways: Vec<(Value, Value)> = ways
            .filter(|&(_, arg)| matches!(func.def(arg), Def::Param(..)))
            .collect();
        join_arrays(&ways, &places, &counts, &mut array)?;
        let mut begins: FxHashMap<usize, Word> = FxHashMap::default();
        let mut of: Vec<Word> = Vec::new();
        for (array, &count) in array.iter().zip(&counts) {
            let begin = *begins.entry(*array).or_insert(self.words);
            if begin == self.words {
                self.words += count as u32;
            }
            of.push(begin);
        }
        for (&value, &(number, place)) in &places {
            self.kept.insert(value, *of.get(number)? + place as u32);
        }
        for (number, (tree, &first)) in self.trees.iter().zip(&begins_at).enumerate() {
            let begins: Vec<Word> = of
                .iter()
                .skip(first)
                .take(tree.columns.len())
                .copied()
                .collect();
            for &(value, out) in &tree.used {
                if let Out::Store(column, place) = out {
                    let name = Name::Stored(number, *begins.get(column)? + place as u32);
                    self.alias.insert(value, name);
                    self.kept.remove(&value);
                }
            }
            self.arrays.push(begins);
        }
        (self.words * 4 <= MOST_BYTES).then_some(())
    }

    /// Whether no two parameters of a block are kept in one word, and no two columns of a tree are of one array: a
    /// word holds one element at a time.
    fn is_apart(&self, func: &Func) -> bool {
        let once = |mut words: Vec<Word>| {
            words.sort_unstable();
            words.windows(2).all(|pair| pair[0] != pair[1])
        };
        let columns = self.arrays.iter().cloned();
        let kept = self.order.iter().map(|&block| {
            let params = func.block(block).params.iter();
            params.filter_map(|p| self.kept.get(p).copied()).collect()
        });
        columns.chain(kept).all(once)
    }

    /// Parameters that only hand elements on are kept where these are.
    fn find_kept(&mut self, func: &Func, ways: &[(Value, Value)]) -> Option<()> {
        // What a tree hands over otherwise is no word's.
        let mut never: FxHashSet<Value> = FxHashSet::default();
        for tree in self.trees {
            let params = func.block(tree.join).params.iter();
            let others = params
                .zip(&tree.handed)
                .filter(|(_, out)| matches!(out, Out::Load(_) | Out::Moved(_) | Out::Unknown));
            never.extend(others.map(|(&param, _)| param));
        }
        self.kept.retain(|value, _| !never.contains(value));
        let sure: FxHashSet<Value> = self.kept.keys().copied().collect();
        settle(|| {
            let before = self.kept.len();
            for &(param, arg) in ways {
                if let Some(&word) = self.kept.get(&param)
                    && matches!(func.def(arg), Def::Param(..))
                    && !self.alias.contains_key(&arg)
                    && !never.contains(&arg)
                {
                    self.kept.entry(arg).or_insert(word);
                }
            }
            self.kept.len() > before
        })?;
        let mut others: FxHashSet<Value> = FxHashSet::default();
        for &block in &self.order {
            let data = func.block(block);
            for &inst in &data.insts {
                others.extend(func.inst(inst).args.iter());
            }
            others.extend(data.term.as_ref().and_then(Terminator::decider));
        }
        for tree in self.trees {
            others.extend(tree.columns.iter().filter_map(|column| column.stored));
            others.insert(tree.index);
        }
        self.kept
            .retain(|value, _| sure.contains(value) || !others.contains(value));
        settle(|| {
            let before = self.kept.len();
            for &(param, arg) in ways {
                if self.kept.get(&param) != self.kept.get(&arg) && !sure.contains(&arg) {
                    self.kept.remove(&arg);
                }
            }
            self.kept.len() < before
        })
    }

    /// Every parameter and what a way gives it, but what trees make; the last blocks first, as what is known of a
    /// parameter says something of what it is given.
    fn ways(&self, func: &Func) -> Vec<(Value, Value)> {
        let mut ways = Vec::new();
        for &block in self.order.iter().rev() {
            if let Some(tree) = self.at.get(&block).and_then(|&n| self.trees.get(n)) {
                let params = &func.block(tree.join).params;
                for (&param, out) in params.iter().zip(&tree.handed) {
                    if let Out::Same(value) = *out {
                        ways.push((param, value));
                    }
                }
            } else if let Some(term) = &func.block(block).term {
                for target in term.ways() {
                    let params = &func.block(target.block).params;
                    ways.extend(params.iter().copied().zip(target.args.iter().copied()));
                }
            }
        }
        ways
    }

    fn name(&self, func: &Func, value: Value) -> Name {
        if let Some(&name) = self.alias.get(&value) {
            return name;
        }
        match func.as_const(value) {
            Some(Const::I32(0)) => Name::Zero,
            _ => Name::Value(value),
        }
    }

    /// Where a block goes.
    fn next(&self, func: &Func, block: Block) -> Vec<Block> {
        match self.at.get(&block).and_then(|&n| self.trees.get(n)) {
            Some(tree) => vec![tree.join],
            None => func.successors(block).to_vec(),
        }
    }

    /// What words hold at the end of a block; tells `before` each element that a tree there wants to be stored first.
    fn pass_through(
        &self,
        func: &Func,
        block: Block,
        held: &mut [Held],
        before: &mut dyn FnMut(Word, Value),
    ) {
        for param in &func.block(block).params {
            if let Some(&word) = self.kept.get(param) {
                held[word as usize] = Held::Is(Name::Value(*param));
            }
        }
        let Some(&number) = self.at.get(&block) else {
            return;
        };
        let (Some(tree), Some(begins)) = (self.trees.get(number), self.arrays.get(number)) else {
            return;
        };
        for (column, &begin) in tree.columns.iter().zip(begins) {
            for (place, element) in column.elements.iter().enumerate() {
                let Some(element) = *element else { continue };
                let word = begin + place as u32;
                let name = Held::Is(self.name(func, element));
                if held[word as usize] != name {
                    before(word, element);
                    held[word as usize] = name;
                }
            }
        }
        for (column, &begin) in tree.columns.iter().zip(begins) {
            if column.stored.is_some() {
                let array = held.iter_mut().skip(begin as usize);
                for word in array.take(tree.count) {
                    *word = Held::Unknown;
                }
            }
        }
        for out in tree.outs() {
            if let Out::Store(column, place) = out
                && let Some(&begin) = begins.get(column)
            {
                let word = begin + place as u32;
                held[word as usize] = Held::Is(Name::Stored(number, word));
            }
        }
    }

    /// By block: what words hold at its begin.
    fn held(&self, func: &Func) -> Option<Vec<Vec<Held>>> {
        if self.words as usize * func.block_count() > MOST_HELD {
            return None;
        }
        let mut begin = vec![vec![Held::Anything; self.words as usize]; func.block_count()];
        begin[func.entry().index()].fill(Held::Is(Name::Zero));
        settle(|| {
            let mut changed = false;
            for &block in &self.order {
                let mut held = begin[block.index()].clone();
                self.pass_through(func, block, &mut held, &mut |_, _| {});
                for next in self.next(func, block) {
                    for (old, &new) in begin[next.index()].iter_mut().zip(&held) {
                        let met = match (*old, new) {
                            (Held::Anything, new) => new,
                            (old, Held::Anything) => old,
                            (old, new) if old == new => old,
                            _ => Held::Unknown,
                        };
                        changed |= met != *old;
                        *old = met;
                    }
                }
            }
            changed
        })?;
        Some(begin)
    }

    /// Makes the accesses; gives the bytes that they need, and values that nobody must need. None where it does not
    /// pay, or cannot be done.
    pub fn make(&self, func: &mut Func) -> Option<(u32, FxHashSet<Value>)> {
        let begin = self.held(func)?;
        // Stores of elements before trees, at begins and at ends of blocks.
        let mut before: FxHashMap<Block, Vec<(Word, Value)>> = FxHashMap::default();
        let mut at_begin: FxHashMap<Block, Vec<(Word, Value)>> = FxHashMap::default();
        let mut at_end: FxHashMap<Block, Vec<(Word, Value)>> = FxHashMap::default();
        let mut from: FxHashMap<Block, u32> = FxHashMap::default();
        let mut stores = 0;
        for &block in &self.order {
            for next in self.next(func, block) {
                *from.entry(next).or_default() += 1;
            }
        }
        for &block in &self.order {
            let mut held = begin[block.index()].clone();
            self.pass_through(func, block, &mut held, &mut |word, value| {
                before.entry(block).or_default().push((word, value));
                stores += 1;
            });
            let ways: Vec<(Block, Vec<(Value, Value)>)> = match self.at.get(&block) {
                Some(&number) => {
                    let tree = self.trees.get(number)?;
                    let mut ways = Vec::new();
                    for (&param, &out) in func.block(tree.join).params.iter().zip(&tree.handed) {
                        let Some(&word) = self.kept.get(&param) else {
                            continue;
                        };
                        match out {
                            Out::Same(value) => ways.push((param, value)),
                            Out::Store(..)
                                if held[word as usize] == Held::Is(Name::Stored(number, word)) => {}
                            // What the tree loads, or what its store has left in another word.
                            _ => return None,
                        }
                    }
                    vec![(tree.join, ways)]
                }
                None => {
                    let term = func.block(block).term.as_ref()?;
                    let ways = term.ways().map(|target| {
                        let params = func.block(target.block).params.iter().copied();
                        let args = target.args.iter().copied();
                        (target.block, params.zip(args).collect())
                    });
                    ways.collect()
                }
            };
            let only = ways.len() == 1;
            for (next, args) in ways {
                for (param, arg) in args {
                    let Some(&word) = self.kept.get(&param) else {
                        continue;
                    };
                    if held[word as usize] == Held::Is(self.name(func, arg)) {
                        continue;
                    }
                    stores += 1;
                    if only {
                        at_end.entry(block).or_default().push((word, arg));
                    } else if from.get(&next) == Some(&1) {
                        at_begin.entry(next).or_default().push((word, arg));
                    } else {
                        return None;
                    }
                }
            }
        }
        if stores > self.words + self.trees.len() as u32 {
            return None;
        }
        let mut new: FxHashMap<Value, Value> = FxHashMap::default();
        let mut unknown: FxHashSet<Value> = FxHashSet::default();
        for &block in &self.order {
            let head = func.head_of(block);
            let insts = func.block_mut(block).insts.split_off(head);
            let kept: Vec<(Value, Word)> = {
                let params = func.block(block).params.iter();
                params
                    .filter_map(|p| Some((*p, *self.kept.get(p)?)))
                    .collect()
            };
            let mut b = Builder::at(func, block);
            let none = Vec::new();
            for &(word, value) in at_begin.get(&block).unwrap_or(&none) {
                Self::store(&mut b, word, value);
            }
            for (param, word) in kept {
                let loaded = Self::load(&mut b, word);
                new.insert(param, loaded);
            }
            b.func_mut().block_mut(block).insts.extend(insts);
            b.switch_to(block);
            for &(word, value) in before.get(&block).unwrap_or(&none) {
                Self::store(&mut b, word, value);
            }
            if let Some(&number) = self.at.get(&block) {
                self.access(&mut b, number, &mut new, &mut unknown)?;
            }
            for &(word, value) in at_end.get(&block).unwrap_or(&none) {
                Self::store(&mut b, word, value);
            }
        }
        for &block in &self.inside {
            let data = func.block_mut(block);
            data.insts.clear();
            data.term = Some(Terminator::Return);
        }
        // Names of names.
        let replaced = |mut value: Value| {
            while let Some(&by) = new.get(&value) {
                value = by;
            }
            value
        };
        if new
            .iter()
            .any(|(&old, &by)| func.is_lane(by) && !func.is_lane(old))
        {
            return None;
        }
        func.map_uses(replaced);
        func.retain_params(|_, param| !self.kept.contains_key(&param));
        Some((self.words * 4, unknown))
    }

    fn load(b: &mut Builder<'_>, word: Word) -> Value {
        let (at, always) = (b.const32(0), b.const_bool(true));
        b.scratch_load(at, always, MemWidth::B32, word * 4, true)
    }

    fn store(b: &mut Builder<'_>, word: Word, value: Value) {
        let (at, always) = (b.const32(0), b.const_bool(true));
        b.scratch_store(at, value, always, MemWidth::B32, word * 4, true);
    }

    /// Something that must have no use in the end, in the place of a value.
    fn unknown(&self, b: &mut Builder<'_>, value: Value, all: &mut FxHashSet<Value>) -> Value {
        let ty = b.ty(value);
        let block = b.block();
        let (op, args) = match ty.kind {
            Kind::Bool => {
                let zero = b.const32(0);
                (Op::Pure(Pure::Eq), vec![zero, zero])
            }
            Kind::I64 => {
                let zero = b.const64(0);
                (Op::Pure(Pure::Add), vec![zero, zero])
            }
            _ => {
                let zero = b.const32(0);
                (Op::Pure(Pure::Add), vec![zero, zero])
            }
        };
        let args = args.into_iter().collect();
        let made = b.func_mut().append_value(block, op, args, ty);
        all.insert(made);
        made
    }

    /// The accesses of a tree, and the way from it.
    fn access(
        &self,
        b: &mut Builder<'_>,
        number: usize,
        new: &mut FxHashMap<Value, Value>,
        unknown: &mut FxHashSet<Value>,
    ) -> Option<()> {
        let (tree, begins) = (self.trees.get(number)?, self.arrays.get(number)?);
        for &(value, out) in &tree.used {
            if let Out::Moved(inst) = out {
                let block = b.block();
                b.func_mut().block_mut(block).insts.push(inst);
                debug_assert!(b.func().inst(inst).result == Some(value));
            }
        }
        let always = b.const_bool(true);
        let first = b.const32(tree.first as u32);
        let last = b.const32((tree.first + tree.count as i64 - 1) as u32);
        let at = b.smax(tree.index, first);
        let at = b.smin(at, last);
        let at = b.sub(at, first);
        let two = b.const32(2);
        let at = b.shl(at, two);
        let mut loaded = Vec::new();
        for (column, &begin) in tree.columns.iter().zip(begins) {
            let offset = begin * 4;
            let load = column.loads;
            loaded.push(load.then(|| b.scratch_load(at, always, MemWidth::B32, offset, true)));
        }
        for (column, &begin) in tree.columns.iter().zip(begins) {
            if let Some(stored) = column.stored {
                let offset = begin * 4;
                b.scratch_store(at, stored, always, MemWidth::B32, offset, true);
            }
        }
        let params = b.func().block(tree.join).params.clone();
        let mut handed = Vec::new();
        for (&param, &out) in params.iter().zip(&tree.handed) {
            handed.push(match out {
                Out::Same(value) => value,
                Out::Load(column) => loaded.get(column).copied().flatten()?,
                Out::Store(column, place) => Self::load(b, begins.get(column)? + place as u32),
                Out::Moved(_) | Out::Unknown => self.unknown(b, param, unknown),
            });
        }
        for &(value, out) in &tree.used {
            let by = match out {
                Out::Same(by) => by,
                Out::Load(column) => loaded.get(column).copied().flatten()?,
                Out::Store(column, place) => Self::load(b, begins.get(column)? + place as u32),
                Out::Moved(_) => continue,
                Out::Unknown => self.unknown(b, value, unknown),
            };
            new.insert(value, by);
        }
        b.terminate(Terminator::Jump(Target::new(tree.join, handed)));
        Some(())
    }
}

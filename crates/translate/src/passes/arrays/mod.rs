//! Arrays that a compiler kept in registers become arrays in scratch.
//!
//! A compiler for a register file makes an element that data picks by a tree of comparisons of the index with
//! constants: branches, and selects at the leaves; writing one is such a tree that hands all elements on, one of them
//! new. Where lanes part, a host runs every leaf that a lane of it wants. A load or a store of a local array is one
//! access.
//!
//! Before: a function in which lanes may part, one invocation a lane, that has no scratch (whose bounds the bytes of
//! an array would move). After: where it pays, trees of one array are accesses of scratch, and parameters that only
//! hand elements on are gone.
//! May not touch: other memory, other flow.
//!
//! Why it is exact. A tree is not recognised by its form: its blocks decide by comparisons of one value with constants
//! alone, so they are walked for each element and what comes out is looked at. What it takes for an element is only a
//! name. For each word of the array, at each place of the program, the pass knows which value (of the function before
//! it) the word holds, if one: what every way in agrees on, what a store has just left there. A tree whose elements
//! are not what the words hold has them stored before it; a way to a parameter that is kept in a word stores there
//! what the word does not hold already. What else uses such a value uses a load that stands where the value was made.

mod trees;
mod words;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use crate::ir::{Block, Func, Inst, Module, Value};

use trees::Search;
use words::Rebuild;

/// Columns of a tree, and of all that become accesses: more than a compiler's program has, and few enough for the time
/// that any program may take.
const MOST_COLUMNS: usize = 256;

/// What comes out of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Out {
    /// This, whatever the index.
    Same(Value),
    /// The element that the index picks of that column.
    Load(usize),
    /// The element of that column and number, as a store at the index leaves it.
    Store(usize, usize),
    /// An instruction that needs nothing of the tree.
    Moved(Inst),
    /// Something else, which nobody must need.
    Unknown,
}

/// One of the arrays that a tree picks from.
#[derive(Debug)]
struct Column {
    /// Names of the elements at the head, as far as something comes of them.
    elements: Vec<Option<Value>>,
    /// What a store puts in the place of one.
    stored: Option<Value>,
    /// Something comes out that the index picks.
    loads: bool,
}

impl Column {
    fn new(count: usize) -> Column {
        Column {
            elements: vec![None; count],
            stored: None,
            loads: false,
        }
    }

    /// Whether an element may have this name.
    fn fits(&self, place: usize, name: Value) -> bool {
        let known = self.elements.get(place).copied().flatten();
        known.is_none_or(|known| known == name)
    }
}

/// A tree of comparisons of one index.
#[derive(Debug)]
struct Tree {
    head: Block,
    inside: Vec<Block>,
    join: Block,
    index: Value,
    /// The index of element 0, which smaller ones pick too.
    first: i64,
    /// Number of elements.
    count: usize,
    columns: Vec<Column>,
    /// For the parameters of the join.
    handed: Vec<Out>,
    /// Values of the tree that are used behind it.
    used: Vec<(Value, Out)>,
}

impl Tree {
    fn loads(&self) -> bool {
        self.columns.iter().any(|column| column.loads)
    }

    fn stores(&self) -> bool {
        self.columns.iter().any(|column| column.stored.is_some())
    }

    /// The number of a column that takes something, a new one if there is none.
    fn column(&mut self, takes: impl Fn(&Column) -> bool) -> usize {
        let known = self.columns.iter().position(takes);
        known.unwrap_or_else(|| {
            self.columns.push(Column::new(self.count));
            self.columns.len() - 1
        })
    }

    fn outs(&self) -> impl Iterator<Item = Out> + '_ {
        let handed = self.handed.iter().copied();
        handed.chain(self.used.iter().map(|&(_, out)| out))
    }
}

/// Runs the pass; gives the number of trees that became accesses. `tidy` removes what has no use.
pub fn run(module: &mut Module, tidy: &mut dyn FnMut(&mut Func)) -> usize {
    run_on(&mut module.func, &mut module.scratch_bytes, tidy)
}

/// As [`run`], on a program with this much scratch.
fn run_on(func: &mut Func, scratch_bytes: &mut u32, tidy: &mut dyn FnMut(&mut Func)) -> usize {
    if !func.has_apart() || *scratch_bytes > 0 {
        return 0;
    }
    let trees = Search::new(func).trees();
    if !trees.iter().any(Tree::stores) || !trees.iter().any(Tree::loads) {
        return 0;
    }
    let mut made = func.clone();
    let plan = Rebuild::new(func, &trees);
    let Some((bytes, unknown)) = plan.and_then(|plan| plan.make(&mut made)) else {
        return 0;
    };
    if !unknown.is_empty() {
        tidy(&mut made);
        let blocks = made.blocks();
        let mut insts = blocks.flat_map(|block| made.block(block).insts.iter());
        let needed = |inst: &Inst| {
            made.inst(*inst)
                .result
                .is_some_and(|v| unknown.contains(&v))
        };
        if insts.any(needed) {
            return 0;
        }
    }
    *func = made;
    *scratch_bytes = bytes;
    trees.len()
}

//! Parameters that are always the same value become that value.
//!
//! Before: any function. After: no reachable block has a parameter for which every way into it hands
//! over one value (or the parameter itself, or another such parameter, through any cycle). Unused
//! parameters stay: `dce` removes them. May not touch: instructions (but their arguments), blocks,
//! ways. A per-lane parameter may give way to a uniform value.
//!
//! Method: congruence by refinement. First all parameters are taken to have vanished into what flows into
//! them; where two different values meet, the parameter is one of its own; repeat until nothing meets.

use crate::ir::dom::Dominators;
use crate::ir::{Block, Func, Value};
use crate::passes::replaced::Replaced;

/// What a parameter is taken to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Not a parameter of a reachable block, or one with a value of its own.
    Itself,
    /// Nothing has flowed in yet.
    Nothing,
    /// That value.
    Is(Value),
}

/// A parameter of a reachable block that something flows into.
#[derive(Clone, Copy, Debug)]
struct Param {
    value: Value,
    /// Where the arguments for it end.
    end: u32,
}

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    /// In the order of the blocks.
    params: Vec<Param>,
    /// What flows into them, one after the other.
    args: Vec<Value>,
    /// By value.
    known: Vec<Known>,
    /// Parameters found to be their own in a round.
    split: Vec<Value>,
    same: Replaced,
}

/// Runs the pass; gives the number of parameters removed.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    run_in(&mut Room::default(), func, doms)
}

/// As [`run`].
pub fn run_in(room: &mut Room, func: &mut Func, doms: &Dominators) -> usize {
    room.collect(func, doms);
    if room.params.is_empty() {
        return 0;
    }
    room.refine(func.value_count());
    let Room {
        params,
        known,
        same,
        ..
    } = room;
    same.clear();
    for param in params {
        if let Known::Is(value) = known[param.value.index()]
            && value != param.value
        {
            same.insert(param.value, value, func.value_count());
        }
    }
    if same.is_empty() {
        return 0;
    }
    same.settle(func);
    func.retain_params(|_, v| !same.contains(v));
    same.len()
}

impl Room {
    /// Finds the parameters and what flows into them.
    fn collect(&mut self, func: &Func, doms: &Dominators) {
        self.params.clear();
        self.args.clear();
        for &block in doms.order() {
            for (i, &value) in func.block(block).params.iter().enumerate() {
                let before = self.args.len();
                let mut last: Option<Block> = None;
                for from in doms.ways_in(block) {
                    // A block that leads there twice is one of the ways twice.
                    if last.replace(from) == Some(from) {
                        continue;
                    }
                    let term = func.block(from).term.iter();
                    let targets = term.flat_map(|term| term.ways());
                    let here = targets.filter(|target| target.block == block);
                    self.args
                        .extend(here.filter_map(|target| target.args.get(i)));
                }
                if self.args.len() > before {
                    let end = self.args.len() as u32;
                    self.params.push(Param { value, end });
                }
            }
        }
    }

    /// Finds what each of them is.
    fn refine(&mut self, values: usize) {
        let Room {
            params,
            args,
            known,
            split,
            ..
        } = self;
        let feeds = || {
            let mut start = 0;
            params.iter().map(move |param| {
                let feed = start..param.end as usize;
                start = param.end as usize;
                (param.value, feed)
            })
        };
        known.clear();
        known.resize(values, Known::Itself);
        for param in &*params {
            known[param.value.index()] = Known::Nothing;
        }
        loop {
            // Reverse postorder: at least one way into each block has been seen when it is visited.
            for (param, feed) in feeds() {
                if known[param.index()] != Known::Itself {
                    known[param.index()] = meet(param, &args[feed], known);
                }
            }
            // Then the ways back. All are judged by the same state, so none is split without need.
            split.clear();
            split.extend(feeds().filter_map(|(param, feed)| {
                let is = known[param.index()];
                let splits = is != Known::Itself && meet(param, &args[feed], known) != is;
                splits.then_some(param)
            }));
            if split.is_empty() {
                break;
            }
            for param in &*params {
                let known = &mut known[param.value.index()];
                if *known != Known::Itself {
                    *known = Known::Nothing;
                }
            }
            for param in &*split {
                known[param.index()] = Known::Itself;
            }
        }
    }
}

/// What a parameter is for what flows into it.
fn meet(param: Value, feed: &[Value], known: &[Known]) -> Known {
    let mut all = Known::Nothing;
    for &arg in feed {
        let value = match known[arg.index()] {
            Known::Nothing => continue,
            Known::Itself => arg,
            Known::Is(value) => value,
        };
        match all {
            Known::Is(other) if other != value => return Known::Itself,
            _ if value == param => {}
            _ => all = Known::Is(value),
        }
    }
    all
}

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
use crate::ir::feeds::Feeds;
use crate::ir::{Func, Value};

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

/// Runs the pass; gives the number of parameters removed.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    if func.blocks().all(|b| func.block(b).params.is_empty()) {
        return 0;
    }
    let feeds = Feeds::new(func, doms.order());
    let params: Vec<(Value, &[Value])> = doms
        .order()
        .iter()
        .flat_map(|&block| {
            let params = func.block(block).params.iter().enumerate();
            let feeds = &feeds;
            params.map(move |(i, &param)| (param, feeds.of(block, i)))
        })
        .filter(|(_, feed)| !feed.is_empty())
        .collect();
    if params.is_empty() {
        return 0;
    }
    let mut known = vec![Known::Itself; func.value_count()];
    let mut own = vec![false; func.value_count()];
    loop {
        for &(param, _) in &params {
            known[param.index()] = if own[param.index()] {
                Known::Itself
            } else {
                Known::Nothing
            };
        }
        // Reverse postorder: at least one way into each block has been seen when it is visited.
        for &(param, feed) in &params {
            if !own[param.index()] {
                known[param.index()] = meet(param, feed, &known);
                own[param.index()] = known[param.index()] == Known::Itself;
            }
        }
        // Then the ways back. All are judged by the same state, so none is split without need.
        let split: Vec<Value> = params
            .iter()
            .filter(|(param, feed)| {
                !own[param.index()] && meet(*param, feed, &known) != known[param.index()]
            })
            .map(|(param, _)| *param)
            .collect();
        if split.is_empty() {
            break;
        }
        for param in split {
            own[param.index()] = true;
        }
    }
    let same = |v: Value| match known.get(v.index()) {
        Some(Known::Is(value)) => *value,
        _ => v,
    };
    func.map_uses(same);
    let mut removed = 0;
    func.retain_params(|_, v| {
        let stays = same(v) == v;
        removed += usize::from(!stays);
        stays
    });
    removed
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

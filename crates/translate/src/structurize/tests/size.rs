//! Large and deep graphs: no recursion, and work that grows with the size. Counts steps, not time.

use super::cases::graph;
use crate::graph::{BlockId, DomTree, Graph, Order, Terminator};
use crate::structurize::{Event, Structured, dot, structurize, text};

const N: u32 = 10_000;

fn build(terminators: impl Iterator<Item = Terminator>) -> Graph {
    Graph::new(BlockId(0), terminators.collect()).unwrap()
}

fn jump(to: u32) -> Terminator {
    Terminator::Jump(BlockId(to))
}

fn branch(then: u32, els: u32) -> Terminator {
    Terminator::Branch(BlockId(then), BlockId(els))
}

/// Structures it, walks and prints it, and holds the steps against the size.
#[track_caller]
fn bounded(g: &Graph) -> Structured {
    let tree = structurize(g).unwrap();
    let edges: usize = g.blocks().map(|b| g.successors(b).len()).sum();
    let size = (g.len() + edges) as u64;
    // Each of a few rounds takes a few steps per block and edge, times the logarithm in the dominators.
    let bound = 150 * size;
    assert!(
        tree.steps <= bound,
        "{} steps for a size of {size}",
        tree.steps
    );
    let enters = tree
        .events()
        .filter(|e| matches!(e, Event::Enter(_)))
        .count();
    let leaves = tree
        .events()
        .filter(|e| matches!(e, Event::Leave(_)))
        .count();
    assert_eq!(enters, leaves);
    assert!(dot(g, &tree, |b| b.0.to_string()).len() > g.len());
    tree
}

#[test]
fn a_chain() {
    let g = build((0..N).map(|i| {
        if i + 1 < N {
            jump(i + 1)
        } else {
            Terminator::Return
        }
    }));
    let tree = bounded(&g);
    assert_eq!(text(&tree).lines().count(), 2 * N as usize);
}

#[test]
fn diamonds_in_a_row() {
    bounded(&build((0..N).map(|i| match i % 4 {
        0 if i + 4 < N => branch(i + 1, i + 2),
        1 if i + 4 < N => jump(i + 2),
        2 if i + 4 < N => jump(i + 1),
        3 if i + 1 < N => jump(i + 1),
        _ => Terminator::Return,
    })));
}

/// Block i heads loop i; block N-1-i closes it and goes on to close the next outer one.
#[test]
fn loops_nested_to_half_the_depth() {
    let half = N / 2;
    let tree = bounded(&build((0..N).map(|i| match i {
        i if i < half => jump(i + 1),
        i if i + 1 < N => branch(N - 1 - i, i + 1),
        _ => Terminator::Return,
    })));
    assert_eq!(tree.labels, half - 1);
}

/// Block i heads loop i and may leave all loops; block n-1-i closes it.
fn breaks(n: u32) -> Graph {
    let half = n / 2;
    build((0..n).map(|i| match i {
        i if i < half => branch(i + 1, n - 1),
        i if i + 1 < n => branch(n - 1 - i, i + 1),
        _ => Terminator::Return,
    }))
}

/// As before, and every level may also leave all loops at once.
#[test]
fn breaks_out_of_everything_from_every_level() {
    bounded(&breaks(N));
}

/// As before, to a tail of its own for each level.
#[test]
fn returns_of_their_own_out_of_every_level() {
    let third = N / 3;
    bounded(&build((0..3 * third).map(|i| match i {
        i if i < third => branch(i + 1, 3 * third - 1 - i),
        i if i + 1 < 2 * third => branch(2 * third - 1 - i, i + 1),
        _ => Terminator::Return,
    })));
}

/// Continues of every outer loop from the innermost one.
#[test]
fn continues_of_every_level() {
    let half = N / 2;
    bounded(&build((0..N).map(|i| match i {
        i if i < half => jump(i + 1),
        i if i + 1 < N => branch(i + 1, i - half),
        _ => Terminator::Return,
    })));
}

#[test]
fn ifs_nested_to_half_the_depth() {
    let half = N / 2;
    bounded(&build((0..N).map(|i| match i {
        i if i < half => branch(i + 1, N - 1 - i),
        i if i + 1 < N => jump(i + 1),
        _ => Terminator::Return,
    })));
}

/// A chain where every block may leave to a common end: each leaves through what follows it.
#[test]
fn a_ladder() {
    bounded(&build((0..N).map(|i| {
        if i + 1 < N {
            branch(i + 1, N - 1)
        } else {
            Terminator::Return
        }
    })));
}

fn braid(n: u32) -> Graph {
    build((0..n).map(|i| {
        if i + 2 < n {
            branch(i + 1, i + 2)
        } else {
            Terminator::Return
        }
    }))
}

/// Each block leads to the next two: all are joins.
#[test]
fn a_braid() {
    bounded(&braid(N));
}

fn irreducible_ladder(n: u32) -> Graph {
    build((0..n).map(|i| match i {
        0 => branch(1, 2),
        i if i + 3 < n => branch(i + 2, if i % 2 == 0 { i - 1 } else { i + 1 }),
        _ => Terminator::Return,
    }))
}

/// Two chains that cross at every rung and go back: one cycle with many entries, or many.
#[test]
fn an_irreducible_ladder() {
    bounded(&irreducible_ladder(N));
}

/// For `docs/measurements.md`: milliseconds at a tenth, once and ten times the size. Times are no test.
#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout, reason = "what it is run for")]
fn milliseconds() {
    let shapes: [(&str, fn(u32) -> Graph); 3] = [
        ("nested loops with breaks out of all", breaks),
        ("braid", braid),
        ("irreducible ladder", irreducible_ladder),
    ];
    for (name, shape) in shapes {
        let times = [N / 10, N, 10 * N].map(|n| {
            let graph = shape(n);
            let best = (0..5).map(|_| {
                let start = std::time::Instant::now();
                assert!(structurize(&graph).unwrap().steps > u64::from(n));
                start.elapsed()
            });
            best.min().unwrap().as_secs_f64() * 1e3
        });
        println!("{name}: {:.2} {:.2} {:.2}", times[0], times[1], times[2]);
    }
}

/// Cycles of two blocks, each entered at both, one after the other.
#[test]
fn irreducible_pairs_in_a_row() {
    let tree = bounded(&build((0..N).map(|i| match i % 3 {
        _ if i + 4 > N => Terminator::Return,
        0 => branch(i + 1, i + 2),
        1 => branch(i + 1, i + 2),
        _ => branch(i - 1, i + 1),
    })));
    assert!(tree.state_vars > N / 4, "{}", tree.state_vars);
}

/// A cycle with two entries inside of each other's first entry, to a depth of thousands.
#[test]
fn irreducible_pairs_nested() {
    let half = N / 2;
    bounded(&build((0..N).map(|i| match i {
        i if i < half => branch(i + 1, N - 1 - i),
        i if i + 1 < N => branch(N - 1 - i, i + 1),
        _ => Terminator::Return,
    })));
}

#[test]
fn a_wide_switch_with_fall_through() {
    let arms = (1..N).map(BlockId).collect();
    bounded(&build((0..N).map(|i| match i {
        0 => Terminator::Switch(Vec::clone(&arms)),
        i if i + 1 < N => jump(i + 1),
        _ => Terminator::Return,
    })));
}

#[test]
fn everything_leads_everywhere() {
    let all: Vec<BlockId> = (0..200).map(BlockId).collect();
    bounded(&build((0..200).map(|_| Terminator::Switch(all.clone()))));
}

/// The iterative method of dominators takes quadratic time here.
#[test]
fn dominators_of_a_ladder_take_linear_work() {
    let g = build((0..N).map(|i| {
        if i + 1 < N {
            branch(i + 1, N - 1)
        } else {
            Terminator::Return
        }
    }));
    let flow = g.flow();
    let dom = DomTree::new(&flow, &Order::new(&flow));
    assert!(dom.work() < 10 * u64::from(N), "{}", dom.work());
    assert_eq!(dom.idom(N - 1), Some(0));
}

#[test]
fn steps_are_counted() {
    assert!(structurize(&graph("b1 2, j3, j3, r")).unwrap().steps > 8);
}

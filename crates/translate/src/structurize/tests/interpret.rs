//! Random walks of a graph and of its tree visit the same blocks and edges.

use proptest::prelude::*;

use crate::graph::{BlockId, EdgeRef, Graph, Terminator};
use crate::structurize::{Label, Node, Seq, Structured, structurize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visit {
    Block(BlockId),
    Edge(EdgeRef),
    End,
}

/// A stream of decisions; both walks ask it once per block with a choice, in the same order.
struct Decisions {
    state: u64,
}

impl Decisions {
    fn pick(&mut self, below: usize) -> usize {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below as u64) as usize
    }
}

/// The path of the graph itself.
pub(super) fn walk_graph(g: &Graph, seed: u64, limit: usize) -> Vec<Visit> {
    let mut decisions = Decisions { state: seed };
    let mut path = Vec::new();
    let mut at = g.entry();
    while path.len() < limit {
        path.push(Visit::Block(at));
        let successors = g.successors(at);
        if successors.is_empty() {
            path.push(Visit::End);
            break;
        }
        let index = match g.terminator(at) {
            Terminator::Jump(_) => 0,
            _ => decisions.pick(successors.len()),
        };
        path.push(Visit::Edge(EdgeRef {
            from: at,
            index: index as u32,
        }));
        at = successors[index];
    }
    path.truncate(limit);
    path
}

/// What an exit or continue looks for on the stack of open sequences.
enum Frame {
    Plain,
    Scope(Label),
    Loop(Label, Seq),
}

/// The path of the tree: a stack of (what opened the sequence, sequence, next node).
pub(super) fn walk_tree(g: &Graph, t: &Structured, seed: u64, limit: usize) -> Vec<Visit> {
    let mut decisions = Decisions { state: seed };
    let mut path = Vec::new();
    let mut states = vec![None; t.state_vars as usize];
    let mut stack = vec![(Frame::Plain, t.body, 0usize)];
    let mut fuel = 100 * limit;
    while path.len() < limit {
        fuel -= 1;
        assert!(fuel > 0, "the tree loops without visiting anything");
        let (frame, seq, next) = stack.last_mut().expect("control fell out of the tree");
        let Some(node) = t.nodes(*seq).get(*next) else {
            match frame {
                Frame::Loop(..) => *next = 0,
                _ => drop(stack.pop()),
            }
            continue;
        };
        *next += 1;
        match node {
            Node::Block(b) => path.push(Visit::Block(*b)),
            Node::Edge(e) => path.push(Visit::Edge(*e)),
            Node::If { block, then, els } => {
                assert_eq!(
                    path.last(),
                    Some(&Visit::Block(*block)),
                    "an if follows its block"
                );
                let arm = if decisions.pick(2) == 0 { *then } else { *els };
                stack.push((Frame::Plain, arm, 0));
            }
            Node::Switch { block, arms } => {
                assert_eq!(
                    path.last(),
                    Some(&Visit::Block(*block)),
                    "a switch follows its block"
                );
                assert_eq!(arms.len(), g.successors(*block).len());
                stack.push((Frame::Plain, arms[decisions.pick(arms.len())], 0));
            }
            Node::Scope { label, body } => stack.push((Frame::Scope(*label), *body, 0)),
            Node::Loop { label, body } => stack.push((Frame::Loop(*label, *body), *body, 0)),
            Node::Exit(label) => loop {
                match stack.pop().expect("an exit names an open construct").0 {
                    Frame::Scope(l) | Frame::Loop(l, _) if l == *label => break,
                    _ => {}
                }
            },
            Node::Continue(label) => loop {
                match stack.pop().expect("a continue names an open loop").0 {
                    Frame::Loop(l, body) if l == *label => {
                        stack.push((Frame::Loop(l, body), body, 0));
                        break;
                    }
                    _ => {}
                }
            },
            Node::Return => {
                path.push(Visit::End);
                break;
            }
            Node::SetState { var, value } => states[var.0 as usize] = Some(*value),
            Node::Dispatch { var, arms } => {
                let value = states[var.0 as usize]
                    .take()
                    .expect("a dispatch finds its variable set");
                stack.push((Frame::Plain, arms[value as usize], 0));
            }
        }
    }
    path.truncate(limit);
    path
}

/// Each reachable block once, and the same walks.
pub(super) fn check_paths(g: &Graph, t: &Structured, seeds: std::ops::Range<u64>) {
    let mut seen = vec![0; g.len()];
    for id in 0..t.len() as u32 {
        if let Node::Block(b) = t.node(crate::structurize::NodeId(id)) {
            seen[b.index()] += 1;
        }
    }
    let mut reachable = vec![0; g.len()];
    let mut pending = vec![g.entry()];
    while let Some(b) = pending.pop() {
        if std::mem::replace(&mut reachable[b.index()], 1) == 0 {
            pending.extend(g.successors(b));
        }
    }
    assert_eq!(
        seen, reachable,
        "each reachable block stands in the tree once"
    );
    for seed in seeds {
        assert_eq!(
            walk_graph(g, seed, 300),
            walk_tree(g, t, seed, 300),
            "paths of seed {seed}"
        );
    }
}

/// Any graph of up to `blocks` blocks.
pub(super) fn any_graph(blocks: usize) -> impl Strategy<Value = Graph> {
    (1..=blocks).prop_flat_map(|n| {
        let to = move || (0..n as u32).prop_map(BlockId);
        let terminator = prop_oneof![
            1 => Just(Terminator::Return),
            3 => to().prop_map(Terminator::Jump),
            6 => (to(), to()).prop_map(|(a, b)| Terminator::Branch(a, b)),
            1 => prop::collection::vec(to(), 1..5).prop_map(Terminator::Switch),
        ];
        prop::collection::vec(terminator, n).prop_map(|ts| Graph::new(BlockId(0), ts).unwrap())
    })
}

/// Mostly forward edges to near blocks with some going back: mostly reducible, deep and with many joins.
pub(super) fn local_graph(blocks: usize) -> impl Strategy<Value = Graph> {
    (2..=blocks).prop_flat_map(|n| {
        let step = prop_oneof![8 => 1i64..4, 2 => 4i64..12, 2 => -8i64..1, 1 => -30i64..-8];
        let kind = (0u32..12, prop::collection::vec(step, 4));
        prop::collection::vec(kind, n).prop_map(move |kinds| {
            let ts = kinds.iter().enumerate().map(|(i, (kind, steps))| {
                let to = |k: usize| BlockId((i as i64 + steps[k]).clamp(0, n as i64 - 1) as u32);
                match kind {
                    0 => Terminator::Return,
                    1..=3 => Terminator::Jump(to(0)),
                    4 => Terminator::Switch(vec![to(0), to(1), to(2), to(3)]),
                    _ => Terminator::Branch(to(0), to(1)),
                }
            });
            Graph::new(BlockId(0), ts.collect()).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_graphs_keep_their_paths(g in any_graph(60)) {
        check_paths(&g, &structurize(&g).unwrap(), 0..4);
    }

    #[test]
    fn small_random_graphs_keep_their_paths(g in any_graph(8)) {
        check_paths(&g, &structurize(&g).unwrap(), 0..8);
    }

    #[test]
    fn local_graphs_keep_their_paths(g in local_graph(60)) {
        check_paths(&g, &structurize(&g).unwrap(), 0..4);
    }
}

//! The facts against petgraph and against definitions by brute force.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a failed test stops by panicking

use std::collections::BTreeSet;

use petgraph::algo::{dominators, tarjan_scc};
use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::*;

use super::*;

fn graphs(blocks: usize) -> impl Strategy<Value = Graph> {
    (1..=blocks).prop_flat_map(|n| {
        let to = move || (0..n as u32).prop_map(BlockId);
        let terminator = prop_oneof![
            1 => Just(Terminator::Return),
            2 => to().prop_map(Terminator::Jump),
            4 => (to(), to()).prop_map(|(a, b)| Terminator::Branch(a, b)),
            1 => prop::collection::vec(to(), 1..5).prop_map(Terminator::Switch),
        ];
        prop::collection::vec(terminator, n).prop_map(|ts| Graph::new(BlockId(0), ts).unwrap())
    })
}

/// The same nodes and edges, and one exit more when asked, for petgraph.
fn oracle(g: &Graph, reversed: bool) -> DiGraph<(), ()> {
    let mut out = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..=g.len()).map(|_| out.add_node(())).collect();
    for from in g.blocks() {
        let ends = g.successors(from).is_empty().then_some(g.len());
        for to in g
            .successors(from)
            .iter()
            .map(|t| t.index())
            .chain(ends.filter(|_| reversed))
        {
            let (a, b) = if reversed {
                (to, from.index())
            } else {
                (from.index(), to)
            };
            out.add_edge(nodes[a], nodes[b], ());
        }
    }
    out
}

/// The nodes on a path from any of `from` without passing `closed`, along `next`.
fn reach(from: &[u32], closed: u32, next: impl Fn(u32) -> Vec<u32>) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut pending = from.to_vec();
    while let Some(node) = pending.pop() {
        if node != closed && seen.insert(node) {
            pending.extend(next(node));
        }
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 700, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dominators_agree_with_petgraph(g in graphs(40)) {
        let flow = g.flow();
        let dom = DomTree::new(&flow, &Order::new(&flow));
        let theirs = dominators::simple_fast(&oracle(&g, false), NodeIndex::new(0));
        for b in 0..g.len() as u32 {
            let want = theirs.immediate_dominator(NodeIndex::new(b as usize)).map(|d| d.index() as u32);
            prop_assert_eq!(dom.idom(b), want);
            let above: Option<BTreeSet<usize>> =
                theirs.dominators(NodeIndex::new(b as usize)).map(|all| all.map(|d| d.index()).collect());
            for a in 0..g.len() as u32 {
                let want = above.as_ref().is_some_and(|all| all.contains(&(a as usize)));
                prop_assert_eq!(dom.dominates(a, b), want);
            }
            prop_assert_eq!(dom.depth(b), above.map(|all| all.len() as u32 - 1));
        }
    }

    #[test]
    fn post_dominators_agree_with_petgraph(g in graphs(40)) {
        let dom = post_dominators(&g);
        let theirs = dominators::simple_fast(&oracle(&g, true), NodeIndex::new(g.len()));
        for b in 0..g.len() as u32 {
            let want = theirs.immediate_dominator(NodeIndex::new(b as usize)).map(|d| d.index() as u32);
            prop_assert_eq!(dom.idom(b), want);
        }
    }

    #[test]
    fn components_agree_with_petgraph(g in graphs(40)) {
        let parts = Components::new(&g.flow());
        let mut mine = vec![BTreeSet::new(); parts.count() as usize];
        for b in 0..g.len() as u32 {
            mine[parts.of(b) as usize].insert(b as usize);
            for to in g.successors(BlockId(b)) {
                prop_assert!(parts.of(to.0) <= parts.of(b), "targets have smaller numbers");
            }
        }
        let mine: BTreeSet<BTreeSet<usize>> = mine.into_iter().collect();
        let theirs: BTreeSet<BTreeSet<usize>> = tarjan_scc(&oracle(&g, false))
            .into_iter()
            .map(|part| part.into_iter().map(|n| n.index()).collect())
            .filter(|part: &BTreeSet<usize>| !part.contains(&g.len()))
            .collect();
        prop_assert_eq!(mine, theirs);
    }

    #[test]
    fn orders_follow_their_definition(g in graphs(30)) {
        let flow = g.flow();
        let order = Order::new(&flow);
        let reachable = reach(&[0], NONE, |n| flow.successors(n).to_vec());
        prop_assert_eq!(&order.rpo().iter().copied().collect::<BTreeSet<_>>(), &reachable);
        prop_assert_eq!(order.rpo().len(), reachable.len());
        let dom = DomTree::new(&flow, &order);
        for &n in &reachable {
            prop_assert_eq!(order.rpo()[order.position(n).unwrap() as usize], n);
            if let Some(up) = dom.idom(n) {
                prop_assert!(order.position(up) < order.position(n));
            }
            // A retreating edge closes a cycle.
            for &to in flow.successors(n) {
                if order.retreating(n, to) {
                    prop_assert!(reach(&[to], NONE, |n| flow.successors(n).to_vec()).contains(&n));
                }
            }
        }
    }

    #[test]
    fn loops_follow_their_definition(g in graphs(25)) {
        let flow = g.flow();
        let order = Order::new(&flow);
        let dom = DomTree::new(&flow, &order);
        let loops = LoopForest::new(&flow, &order, &dom);
        let mut sizes = vec![usize::MAX; g.len()];
        let mut best = vec![None; g.len()];
        for &h in order.rpo() {
            let latches: Vec<u32> = order
                .rpo()
                .iter()
                .copied()
                .filter(|n| flow.successors(*n).contains(&h) && dom.dominates(h, *n))
                .collect();
            prop_assert_eq!(loops.is_header(h), !latches.is_empty());
            if latches.is_empty() {
                continue;
            }
            let mut body = reach(&latches, h, |n| {
                flow.predecessors(n).iter().copied().filter(|p| order.reachable(*p)).collect()
            });
            body.insert(h);
            for n in 0..g.len() as u32 {
                prop_assert_eq!(loops.contains(h, n), body.contains(&n), "{} in the loop of {}", n, h);
                if body.contains(&n) && body.len() < sizes[n as usize] {
                    sizes[n as usize] = body.len();
                    best[n as usize] = Some(h);
                }
            }
        }
        for n in 0..g.len() as u32 {
            prop_assert_eq!(loops.innermost(n), best[n as usize]);
        }
    }
}

#[test]
fn bad_graphs_are_refused() {
    let one = |t| Graph::new(BlockId(0), vec![t]).map(|_| ());
    let missing = |block| Err(GraphError::NoSuchBlock { block, blocks: 1 });
    assert_eq!(one(Terminator::Jump(BlockId(1))), missing(1));
    assert_eq!(one(Terminator::Branch(BlockId(0), BlockId(7))), missing(7));
    assert_eq!(
        one(Terminator::Switch(vec![])),
        Err(GraphError::EmptySwitch { block: 0 })
    );
    assert_eq!(
        Graph::new(BlockId(0), vec![]).map(|_| ()),
        Err(GraphError::NoSuchBlock {
            block: 0,
            blocks: 0
        })
    );
    assert_eq!(
        Graph::new(BlockId(3), vec![Terminator::Return]).map(|_| ()),
        missing(3)
    );
}

#[test]
fn edges_lead_to_their_targets() {
    let g = Graph::new(
        BlockId(0),
        vec![
            Terminator::Branch(BlockId(1), BlockId(0)),
            Terminator::Return,
        ],
    )
    .unwrap();
    let edge = |from, index| EdgeRef {
        from: BlockId(from),
        index,
    };
    assert_eq!(g.target(edge(0, 0)), Some(BlockId(1)));
    assert_eq!(g.target(edge(0, 1)), Some(BlockId(0)));
    assert_eq!(g.target(edge(0, 2)), None);
    assert_eq!(g.target(edge(2, 0)), None);
}

//! The promise of dominance, by brute force: a second reading of the tree as SPIR-V control flow, written
//! from the promise's text and sharing no code with `check`.

use proptest::prelude::*;

use super::interpret::{any_graph, check_paths, local_graph};
use crate::graph::Graph;
use crate::structurize::{
    Crossing, Event, Label, Node, NodeId, Seq, Structured, crossings, structurize,
};
use crate::structurize::{build, check, place, reduce};

/// A sequence with its node and the steps before each of its nodes and at its end.
struct Part {
    seq: Seq,
    /// The node around it, and the part that holds that node at which index.
    around: Option<(NodeId, usize, usize)>,
    base: usize,
}

/// Steps of control: step `base + k` of a part is before its node k. Then a step for each node's merge.
struct Steps {
    next: Vec<Vec<usize>>,
    block: Vec<Option<u32>>,
}

fn label_of(node: &Node) -> Option<Label> {
    match node {
        Node::Scope { label, .. } | Node::Loop { label, .. } => Some(*label),
        _ => None,
    }
}

fn steps(tree: &Structured) -> Steps {
    let mut parts = vec![Part {
        seq: tree.body,
        around: None,
        base: 0,
    }];
    let mut total = tree.body.len() + 1;
    let mut i = 0;
    while i < parts.len() {
        for (k, id) in parts[i].seq.ids().enumerate() {
            let mut arm = 0;
            while let Some(seq) = tree.arm(id, arm) {
                parts.push(Part {
                    seq,
                    around: Some((id, i, k)),
                    base: total,
                });
                total += seq.len() + 1;
                arm += 1;
            }
        }
        i += 1;
    }
    let merge = |id: NodeId| total + id.0 as usize;
    let mut s = Steps {
        next: vec![Vec::new(); total + tree.len()],
        block: vec![None; total + tree.len()],
    };
    // The start of each node's parts.
    let mut inside = vec![Vec::new(); tree.len()];
    for part in &parts {
        if let Some((id, _, _)) = part.around {
            inside[id.0 as usize].push(part.base);
        }
    }
    for (i, part) in parts.iter().enumerate() {
        // The scopes and loops around this part, innermost first.
        let mut open = Vec::new();
        let mut up = i;
        while let Some((id, outer, _)) = parts[up].around {
            if let Some(label) = label_of(tree.node(id)) {
                open.push((id, label));
            }
            up = outer;
        }
        // Goes to what a label names: breaks level by level, each level tested after its merge.
        let mut leave = |from: usize, label: Label, start: Option<usize>| {
            let mut at = from;
            for (id, open) in &open {
                if *open == label {
                    s.next[at].push(start.unwrap_or(merge(*id)));
                    return;
                }
                s.next[at].push(merge(*id));
                at = merge(*id);
            }
            panic!("no construct of that label is open");
        };
        for (k, id) in part.seq.ids().enumerate() {
            let here = part.base + k;
            match tree.node(id) {
                Node::Exit(label) => leave(here, *label, None),
                Node::Continue(label) => {
                    let body = parts.iter().find(|p| {
                        p.around
                            .is_some_and(|(id, _, _)| label_of(tree.node(id)) == Some(*label))
                    });
                    leave(here, *label, Some(body.unwrap().base));
                }
                _ => {}
            }
        }
        for (k, id) in part.seq.ids().enumerate() {
            let here = part.base + k;
            match tree.node(id) {
                Node::Exit(_) | Node::Continue(_) | Node::Return => {}
                Node::Block(b) => {
                    s.block[here] = Some(b.0);
                    s.next[here].push(here + 1);
                }
                Node::Edge(_) | Node::SetState { .. } => s.next[here].push(here + 1),
                _ => {
                    s.next[here].extend(&inside[id.0 as usize]);
                    s.next[merge(id)].push(here + 1);
                }
            }
        }
        if let Some((id, _, _)) = part.around {
            let end = part.base + part.seq.len();
            match tree.node(id) {
                Node::Loop { .. } => s.next[end].push(part.base),
                _ => s.next[end].push(merge(id)),
            }
        }
    }
    s
}

/// The blocks reached when one is closed to control.
fn reached_without(
    closed: u32,
    blocks: usize,
    start: usize,
    next: &[Vec<usize>],
    block: &[Option<u32>],
) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut reached = vec![false; blocks];
    let mut pending = vec![start];
    while let Some(at) = pending.pop() {
        if block[at] == Some(closed) || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if let Some(b) = block[at] {
            reached[b as usize] = true;
        }
        pending.extend(&next[at]);
    }
    reached
}

/// Whatever a block dominates in the graph, it dominates in the tree.
pub(super) fn check_dominance(g: &Graph, tree: &Structured) {
    let s = steps(tree);
    let graph_next: Vec<Vec<usize>> = g
        .blocks()
        .map(|b| g.successors(b).iter().map(|t| t.index()).collect())
        .collect();
    let graph_block: Vec<Option<u32>> = g.blocks().map(|b| Some(b.0)).collect();
    for a in g.blocks() {
        let in_graph = reached_without(a.0, g.len(), g.entry().index(), &graph_next, &graph_block);
        let in_tree = reached_without(a.0, g.len(), 0, &s.next, &s.block);
        for b in g.blocks() {
            assert!(
                in_graph[b.index()] || !in_tree[b.index()],
                "block {} dominates block {} in the graph but not in the tree",
                a.0,
                b.0
            );
        }
    }
}

/// The crossings, by following each exit and continue outwards.
fn check_crossings(tree: &Structured) {
    let mut want = vec![Crossing::default(); tree.labels as usize];
    let mut open: Vec<Label> = Vec::new();
    for event in tree.events() {
        let (id, enter) = match event {
            Event::Enter(id) => (id, true),
            Event::Leave(id) => (id, false),
            Event::Leaf(id) => {
                let (Node::Exit(target) | Node::Continue(target)) = tree.node(id) else {
                    continue;
                };
                let mut at = open.len() - 1;
                while open[at] != *target {
                    let crossing = &mut want[open[at].0 as usize];
                    match tree.node(id) {
                        _ if open[at - 1] != *target => crossing.beyond = true,
                        Node::Exit(_) => crossing.exits = true,
                        _ => crossing.continues = true,
                    }
                    at -= 1;
                }
                continue;
            }
            Event::Arm(..) => continue,
        };
        if let Some(label) = label_of(tree.node(id)) {
            if enter {
                want[label.0 as usize].outer = open.last().copied();
                open.push(label);
            } else {
                assert_eq!(open.pop(), Some(label));
            }
        }
    }
    assert_eq!(crossings(tree), want);
}

/// Nothing stands where control cannot come, each scope's label is used, and no exit or continue only does
/// what falling out would.
pub(super) fn check_tidy(tree: &Structured) {
    let mut used = vec![0; tree.labels as usize];
    let mut defined = vec![0; tree.labels as usize];
    for id in (0..tree.len() as u32).map(NodeId) {
        match tree.node(id) {
            Node::Exit(l) => used[l.0 as usize] += 1,
            node => {
                if let Some(l) = label_of(node) {
                    defined[l.0 as usize] += 1;
                }
            }
        }
    }
    assert!(
        defined.iter().all(|n| *n == 1),
        "each label names one construct"
    );
    fn falls(tree: &Structured, used: &[i32], seq: Seq) -> bool {
        let mut falls_out = true;
        for id in seq.ids() {
            assert!(falls_out, "control never comes to {:?}", tree.node(id));
            let mut arms = 0;
            let mut some_arm = false;
            while let Some(arm) = tree.arm(id, arms) {
                some_arm |= falls(tree, used, arm);
                arms += 1;
            }
            falls_out = match tree.node(id) {
                Node::Exit(_) | Node::Continue(_) | Node::Return => false,
                Node::Scope { label, .. } => {
                    assert!(used[label.0 as usize] > 0, "a scope has an exit");
                    true
                }
                Node::Loop { label, .. } => used[label.0 as usize] > 0,
                Node::If { .. } | Node::Switch { .. } | Node::Dispatch { .. } => some_arm,
                _ => true,
            };
        }
        falls_out
    }
    assert!(
        !falls(tree, &used, tree.body),
        "control falls out of the tree"
    );
    // The last node of a body, also of the arms of a selection that stands last.
    fn no_exit_last(tree: &Structured, seq: Seq, redundant: &Node) {
        let Some(last) = seq.ids().next_back() else {
            return;
        };
        assert_ne!(tree.node(last), redundant, "falling out does the same");
        if let Node::If { .. } | Node::Switch { .. } | Node::Dispatch { .. } = tree.node(last) {
            let mut arms = 0;
            while let Some(arm) = tree.arm(last, arms) {
                no_exit_last(tree, arm, redundant);
                arms += 1;
            }
        }
    }
    for id in (0..tree.len() as u32).map(NodeId) {
        match tree.node(id) {
            Node::Scope { label, body } => no_exit_last(tree, *body, &Node::Exit(*label)),
            Node::Loop { label, body } => no_exit_last(tree, *body, &Node::Continue(*label)),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_graphs_keep_dominance(g in any_graph(30)) {
        let tree = structurize(&g).unwrap();
        check_dominance(&g, &tree);
        check_tidy(&tree);
        check_crossings(&tree);
    }

    #[test]
    fn small_graphs_keep_dominance(g in any_graph(9)) {
        let tree = structurize(&g).unwrap();
        check_dominance(&g, &tree);
        check_tidy(&tree);
        check_crossings(&tree);
    }

    #[test]
    fn local_graphs_keep_dominance(g in local_graph(40)) {
        let tree = structurize(&g).unwrap();
        check_dominance(&g, &tree);
        check_tidy(&tree);
        check_crossings(&tree);
    }
}

/// The tree when no tail is taken out but those of a loop's own header: the last resort of `structurize`.
fn with_tails_inside(g: &Graph) -> Structured {
    let reduced = reduce::reduce(g).unwrap();
    let mut limits = place::Limits::new(&reduced);
    limits.keep_tails_inside();
    let places = place::place(&reduced, &limits).expect("a few steps per node");
    assert!(!places.moved_deep);
    let tree = build::build(&reduced, &places).unwrap();
    assert_eq!(check::check(&reduced, &tree).broken, []);
    tree
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tails_may_all_stay_inside(g in any_graph(14), local in local_graph(30)) {
        for g in [g, local] {
            let tree = with_tails_inside(&g);
            check_paths(&g, &tree, 0..4);
            check_dominance(&g, &tree);
            check_tidy(&tree);
        check_crossings(&tree);
        }
    }
}

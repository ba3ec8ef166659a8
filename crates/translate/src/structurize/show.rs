//! The tree as text, and graph and tree as Graphviz input. Walks without recursion; changes nothing.

use std::fmt::Write as _;

use super::tree::{Event, Node, NodeId, Structured};
use crate::graph::{BlockId, Graph};

/// One line per node, indented by depth; what tests and dumps read.
pub fn text(tree: &Structured) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for event in tree.events() {
        let line = match event {
            Event::Leaf(id) => describe(tree, id, &|b| b.0.to_string()),
            Event::Enter(id) => {
                depth += 1;
                indent(&mut out, depth - 1);
                out.push_str(&describe(tree, id, &|b| b.0.to_string()));
                out.push('\n');
                continue;
            }
            Event::Arm(id, index) => match tree.node(id) {
                Node::If { .. } if index == 1 => "else".to_owned(),
                Node::Switch { .. } | Node::Dispatch { .. } => format!("arm {index}"),
                _ => continue,
            },
            Event::Leave(_) => {
                depth -= 1;
                continue;
            }
        };
        let back = usize::from(matches!(event, Event::Arm(..)));
        indent(&mut out, depth - back);
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

fn describe(tree: &Structured, id: NodeId, label: &dyn Fn(BlockId) -> String) -> String {
    match tree.node(id) {
        Node::Block(b) => label(*b),
        Node::Edge(e) => format!("edge {}.{}", e.from.0, e.index),
        Node::If { block, .. } => format!("if {}", block.0),
        Node::Switch { block, .. } => format!("switch {}", block.0),
        Node::Scope { label, .. } => format!("scope L{}", label.0),
        Node::Loop { label, .. } => format!("loop L{}", label.0),
        Node::Exit(l) => format!("exit L{}", l.0),
        Node::Continue(l) => format!("continue L{}", l.0),
        Node::Return => "return".to_owned(),
        Node::SetState { var, value } => format!("state s{} = {value}", var.0),
        Node::Dispatch { var, .. } => format!("dispatch s{}", var.0),
    }
}

/// Graphviz input: the graph's blocks and edges, drawn inside nested boxes for the scopes, loops and
/// selections of the tree. `label` names a block (several lines are fine). Unreachable blocks are left out.
pub fn dot(graph: &Graph, tree: &Structured, label: impl Fn(BlockId) -> String) -> String {
    let mut out =
        String::from("digraph cfg {\n  node [shape=box, fontname=monospace];\n  compound=true;\n");
    let mut shown = vec![false; graph.len()];
    let mut clusters = 0u32;
    for event in tree.events() {
        match event {
            Event::Leaf(id) => {
                if let Node::Block(block) = tree.node(id) {
                    shown[block.index()] = true;
                    let _ = writeln!(
                        out,
                        "  b{} [label=\"{}\"];",
                        block.0,
                        escape(&label(*block))
                    );
                }
            }
            Event::Enter(id) => {
                let style = match tree.node(id) {
                    Node::Loop { .. } => "color=blue",
                    Node::Scope { .. } => "color=gray40, style=dashed",
                    Node::Dispatch { .. } => "color=red",
                    _ => "color=gray80",
                };
                let title = describe(tree, id, &|b| b.0.to_string());
                let _ = writeln!(
                    out,
                    "  subgraph cluster_{clusters} {{ label=\"{title}\"; {style};"
                );
                clusters += 1;
            }
            Event::Arm(..) => {}
            Event::Leave(_) => out.push_str("  }\n"),
        }
    }
    for from in graph.blocks().filter(|b| shown[b.index()]) {
        let successors = graph.successors(from);
        for (index, to) in successors.iter().enumerate() {
            let name = match (successors.len(), index) {
                (1, _) => String::new(),
                (2, 0) => " [label=\"T\"]".to_owned(),
                (2, 1) => " [label=\"F\"]".to_owned(),
                _ => format!(" [label=\"{index}\"]"),
            };
            let _ = writeln!(out, "  b{} -> b{}{name};", from.0, to.0);
        }
    }
    out.push_str("}\n");
    out
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\l"),
            c => out.push(c),
        }
    }
    out
}

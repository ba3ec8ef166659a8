//! What leaves each scope and loop toward an outer one: the tests that code needs after a merge when it can
//! only break out of the innermost construct. Reads the finished tree.

use super::tree::{Event, Label, Node, Structured};

/// What an exit or continue inside a scope or loop may want beyond it: the tests directly after its merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossing {
    /// The scope or loop directly around this one.
    pub outer: Option<Label>,
    /// Something inside exits `outer`: here it breaks out of that and is done.
    pub exits: bool,
    /// Something inside continues the loop `outer`: here it does so and is done.
    pub continues: bool,
    /// Something inside is on its way farther out: here it breaks out of `outer` and is tested again.
    pub beyond: bool,
}

impl Crossing {
    /// Whether anything must be tested after the merge.
    pub fn any(self) -> bool {
        self.exits || self.continues || self.beyond
    }
}

/// One for each label, by its number. An exit or continue of the innermost open label crosses nothing.
pub fn crossings(tree: &Structured) -> Vec<Crossing> {
    let mut all = vec![Crossing::default(); tree.labels as usize];
    if all.is_empty() {
        return all;
    }
    // The labels of open constructs, and by label its height there.
    let mut open: Vec<Label> = Vec::new();
    let mut height = vec![0usize; tree.labels as usize];
    // By height: the least height of a construct that something inside is to reach the merge of, or go on in.
    let mut least: Vec<usize> = Vec::new();
    for event in tree.events() {
        match event {
            Event::Leaf(id) => {
                let (target, exit) = match tree.node(id) {
                    Node::Exit(label) => (*label, true),
                    Node::Continue(label) => (*label, false),
                    _ => continue,
                };
                let target = height[target.0 as usize];
                if let Some(last) = open.get(target + 1) {
                    let last = &mut all[last.0 as usize];
                    last.exits |= exit;
                    last.continues |= !exit;
                }
                if let Some(top) = least.last_mut() {
                    *top = (*top).min(target);
                }
            }
            Event::Enter(id) => {
                if let Node::Scope { label, .. } | Node::Loop { label, .. } = tree.node(id) {
                    all[label.0 as usize].outer = open.last().copied();
                    height[label.0 as usize] = open.len();
                    least.push(open.len());
                    open.push(*label);
                }
            }
            Event::Leave(id) => {
                if let Node::Scope { label, .. } | Node::Loop { label, .. } = tree.node(id) {
                    open.pop();
                    let reach = least.pop().unwrap_or(0);
                    // Leaving height h for h - 1 ends at the merge after h; for less, it goes on.
                    all[label.0 as usize].beyond = reach + 1 < open.len();
                    if let Some(top) = least.last_mut() {
                        *top = (*top).min(reach);
                    }
                }
            }
            Event::Arm(..) => {}
        }
    }
    all
}

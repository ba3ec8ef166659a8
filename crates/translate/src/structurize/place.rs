//! Decides where each node stands: in line at its only edge, or after a construct headed by a dominator.
//!
//! The rule of dominator trees puts a node somewhere in the code that its immediate dominator A heads. If
//! that is inside a loop and the node is not of the loop, it is a tail, and is better taken out to after the
//! loop. That is sound for SSA only where A dominates all that leaves the loop, since leaving passes the
//! loop's merge. So per loop the span of its leaving blocks is kept ([`Limits`]). Tails that end in `Return`
//! without meeting others need not leave and are not counted, unless nothing else leaves: then the largest
//! one is taken out.
//!
//! The rule is monotone, which keeps the tree whole: if a tail is taken out of a loop, then so is every
//! tail outside of the loop that it leads to, because that one's dominator also dominates the first's.
//!
//! Knows the reduced graph only.

use super::reduce::Reduced;
use crate::graph::{Lists, NONE};

/// What may be taken out of each loop, by header. All tables are empty where there is no loop.
pub(super) struct Limits {
    /// Least and greatest dominator-tree number of the blocks that leave the loop; empty when none does.
    leaving: Vec<(u32, u32)>,
    /// Dominators of this depth and below keep their tails inside.
    depth: Vec<u32>,
    /// By node: facts of its predecessors and of what it dominates.
    ends: Vec<End>,
    only_of_header: bool,
    steps: u64,
}

/// What decides whether a node is an end: nothing it dominates leads elsewhere.
#[derive(Clone, Copy)]
struct End {
    /// Nothing leaves the nodes that it dominates.
    closed: bool,
    /// Dominator-tree numbers of its predecessors.
    sources: (u32, u32),
    /// Loop-forest numbers of its predecessors.
    loops: (u32, u32),
}

const EMPTY: (u32, u32) = (NONE, 0);

fn widen(span: &mut (u32, u32), number: u32) {
    *span = (span.0.min(number), span.1.max(number));
}

fn within(inner: (u32, u32), outer: (u32, u32)) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

impl Limits {
    pub fn new(r: &Reduced<'_>) -> Limits {
        let nodes = r.flow.len();
        let steps = (nodes + r.edges.len()) as u64;
        if r.loops.headers().is_empty() {
            return Limits {
                leaving: Vec::new(),
                depth: Vec::new(),
                ends: Vec::new(),
                only_of_header: false,
                steps,
            };
        }
        let mut limits = Limits {
            leaving: vec![EMPTY; nodes],
            depth: vec![NONE; nodes],
            ends: ends(r),
            only_of_header: false,
            steps,
        };
        // Leaving n loops at once counts n times: bounded, since a nest may be as deep as the graph is long.
        let budget = 64 * (nodes + r.edges.len()) as u64;
        // By header: the ends that its loop leads to.
        let mut tails: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        for edge in &r.edges {
            let mut around = r.loops.innermost(edge.from);
            while let Some(header) = around.filter(|h| !r.loops.contains(*h, edge.to)) {
                limits.steps += 1;
                if limits.steps > budget {
                    limits.keep_tails_inside();
                    return limits;
                }
                if limits.is_end(r, edge.to, header) {
                    tails[header as usize].push(edge.to);
                } else {
                    let number = r.dom.interval(edge.from).unwrap_or(EMPTY).0;
                    widen(&mut limits.leaving[header as usize], number);
                }
                around = r.loops.parent(header);
            }
        }
        // Inner loops first: a tail that stays in one is no tail of the outer ones.
        let mut stays = vec![false; nodes];
        for &header in r.loops.headers().iter().rev() {
            let tails = &tails[header as usize];
            if limits.leaving[header as usize] == EMPTY {
                let size = |tail: u32| r.dom.interval(tail).map(|(first, last)| last - first);
                let largest = tails
                    .iter()
                    .filter(|t| !stays[**t as usize])
                    .max_by_key(|t| (size(**t), r.order.position(**t)));
                if let Some(tail) = largest {
                    limits.leaving[header as usize] = limits.ends[*tail as usize].sources;
                }
            }
            for &tail in tails {
                let may_leave = r
                    .dom
                    .idom(tail)
                    .is_some_and(|up| limits.may_leave(r, tail, up, header));
                stays[tail as usize] |= !may_leave;
            }
        }
        limits
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes out only what a loop's own header dominates, which is always sound.
    pub fn keep_tails_inside(&mut self) {
        self.only_of_header = true;
    }

    /// After `node` was found to lose its dominator where `places` put it: keeps it inside the outermost
    /// loop that it had been taken out of. False when it had not been.
    pub fn tighten(&mut self, r: &Reduced<'_>, places: &Places, node: u32) -> bool {
        let (Place::After(header), Some(up)) = (places.place[node as usize], r.dom.idom(node))
        else {
            return false;
        };
        let depth = r.dom.depth(up).unwrap_or(0);
        let limit = &mut self.depth[header as usize];
        *limit = (*limit).min(depth);
        true
    }

    /// Whether nothing leads from the node's part to elsewhere, and only the loop leads to it.
    fn is_end(&self, r: &Reduced<'_>, node: u32, header: u32) -> bool {
        let end = &self.ends[node as usize];
        end.closed && within(end.loops, r.loops.interval(header))
    }

    /// Whether a node outside of the loop, whose immediate dominator `up` is placed in it, may follow it.
    fn may_leave(&self, r: &Reduced<'_>, node: u32, up: u32, header: u32) -> bool {
        let leaving = self.leaving[header as usize];
        if self.is_end(r, node, header) && !within(self.ends[node as usize].sources, leaving) {
            return false;
        }
        let limit = self.depth[header as usize];
        up == header
            || !self.only_of_header
                && r.dom.depth(up).is_some_and(|depth| depth < limit)
                && r.dom.interval(up).is_some_and(|span| within(leaving, span))
    }
}

/// By node: see [`End`].
fn ends(r: &Reduced<'_>) -> Vec<End> {
    let nodes = r.flow.len();
    let mut ends = vec![
        End {
            closed: true,
            sources: EMPTY,
            loops: EMPTY,
        };
        nodes
    ];
    // The least depth of a dominator that still holds all targets of edges from below.
    let mut holds = vec![NONE; nodes];
    for edge in &r.edges {
        let holder = if r.is_back(edge) {
            Some(edge.to)
        } else {
            r.dom.idom(edge.to)
        };
        let depth = holder.and_then(|h| r.dom.depth(h)).unwrap_or(0);
        let from = &mut holds[edge.from as usize];
        *from = (*from).min(depth);
        let end = &mut ends[edge.to as usize];
        widen(
            &mut end.sources,
            r.dom.interval(edge.from).unwrap_or(EMPTY).0,
        );
        widen(&mut end.loops, r.loops.number(edge.from));
    }
    for &node in r.order.rpo().iter().rev() {
        let n = node as usize;
        ends[n].closed = r.dom.depth(node).is_some_and(|depth| depth <= holds[n]);
        if let Some(up) = r.dom.idom(node) {
            holds[up as usize] = holds[up as usize].min(holds[n]);
        }
    }
    ends
}

/// Where a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At its only forward edge.
    Inline,
    /// After a scope inside the construct of this node, its immediate dominator.
    Within(u32),
    /// After the loop of this header.
    After(u32),
}

/// Where all nodes stand. Followers are in reverse post-order, the innermost first.
pub(super) struct Places {
    pub place: Vec<Place>,
    /// By node: those placed [`Place::Within`] it.
    pub within: Lists,
    /// By header: those placed [`Place::After`] its loop. Empty where there is no loop.
    pub after: Lists,
    /// Whether a node was taken out of a loop whose header is not its dominator.
    pub moved_deep: bool,
    pub steps: u64,
}

/// Places all nodes; `None` when it takes more steps than the graph's size allows.
pub(super) fn place(r: &Reduced<'_>, limits: &Limits) -> Option<Places> {
    let nodes = r.flow.len();
    let loops = !r.loops.headers().is_empty();
    let mut joins = vec![0u32; nodes];
    for edge in &r.edges {
        if !r.is_back(edge) {
            joins[edge.to as usize] += 1;
        }
    }
    let mut place = vec![Place::Inline; nodes];
    let (mut moved_deep, mut steps) = (false, 0);
    let budget = 64 * (nodes + r.edges.len()) as u64;
    // The header of the loop construct around the node, and around what it heads.
    let mut outside = vec![NONE; if loops { nodes } else { 0 }];
    let mut inside = outside.clone();
    for &node in r.order.rpo() {
        let n = node as usize;
        if !loops {
            if let Some(up) = r.dom.idom(node).filter(|_| joins[n] > 1) {
                place[n] = Place::Within(up);
            }
            continue;
        }
        if let Some(up) = r.dom.idom(node) {
            let mut around = inside[up as usize];
            let mut left = NONE;
            while around != NONE
                && !r.loops.contains(around, node)
                && limits.may_leave(r, node, up, around)
            {
                left = around;
                around = outside[around as usize];
                steps += 1;
                if steps > budget {
                    return None;
                }
            }
            outside[n] = around;
            if left != NONE {
                moved_deep |= left != up;
                place[n] = Place::After(left);
            } else if joins[n] > 1 {
                place[n] = Place::Within(up);
            }
        }
        inside[n] = if r.loops.is_header(node) {
            node
        } else {
            outside[n]
        };
    }
    let order = || r.order.rpo().iter().copied();
    let within = Lists::new(nodes, || {
        order().filter_map(|node| match place[node as usize] {
            Place::Within(up) => Some((up, node)),
            Place::Inline | Place::After(_) => None,
        })
    });
    let after = Lists::new(nodes, || {
        order().filter_map(|node| match place[node as usize] {
            Place::After(header) => Some((header, node)),
            Place::Inline | Place::Within(_) => None,
        })
    });
    Some(Places {
        place,
        within,
        after,
        moved_deep,
        steps: steps + (nodes + r.edges.len()) as u64,
    })
}

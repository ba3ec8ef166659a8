//! Natural loops: one per header, nested. An edge is a back edge when its target dominates its source;
//! cycles with several entries have none and are no loops here.

use super::{DomTree, Flow, NONE, Order};

/// The natural loops of a graph. A loop is named by its header; back edges to one header make one loop. All tables
/// are empty where there is none.
#[derive(Clone, Debug, Default)]
pub struct LoopForest {
    innermost: Vec<u32>,
    parent: Vec<u32>,
    headers: Vec<u32>,
    pre: Vec<u32>,
    last: Vec<u32>,
}

impl LoopForest {
    /// Finds all loops, each node visited once: inner loops are collapsed into their header.
    pub fn new(flow: &Flow, order: &Order, dom: &DomTree) -> LoopForest {
        let goes_back = |&to: &u32| {
            let from = flow.predecessors(to).iter();
            let mut from = from.filter(|&&from| order.reachable(from));
            from.any(|&from| order.retreating(from, to))
        };
        if !order.rpo().iter().any(goes_back) {
            return LoopForest::default();
        }
        let nodes = flow.len();
        let mut innermost = vec![NONE; nodes];
        let mut parent = vec![NONE; nodes];
        let mut is_header = vec![false; nodes];
        let mut collapsed: Vec<u32> = (0..nodes as u32).collect();
        let mut pending = Vec::new();
        for &header in order.rpo().iter().rev() {
            let back = |from: &&u32| dom.dominates(header, **from);
            pending.extend(flow.predecessors(header).iter().filter(back).copied());
            if pending.is_empty() {
                continue;
            }
            is_header[header as usize] = true;
            innermost[header as usize] = header;
            while let Some(node) = pending.pop() {
                let node = find(&mut collapsed, node);
                if node == header {
                    continue;
                }
                if is_header[node as usize] {
                    parent[node as usize] = header;
                } else {
                    innermost[node as usize] = header;
                }
                collapsed[node as usize] = header;
                pending.extend(
                    flow.predecessors(node)
                        .iter()
                        .filter(|p| order.reachable(**p)),
                );
            }
        }
        let headers: Vec<u32> = order
            .rpo()
            .iter()
            .copied()
            .filter(|n| is_header[*n as usize])
            .collect();
        // Outer headers precede inner ones; numbers start at 1 so that 0 can stand for "in no loop".
        let mut size = vec![1u32; nodes];
        for h in headers.iter().rev() {
            let up = parent[*h as usize];
            if up != NONE {
                size[up as usize] += size[*h as usize];
            }
        }
        let mut pre = vec![0; nodes];
        let mut last = vec![0; nodes];
        let mut next = vec![0; nodes];
        let mut next_root = 1;
        for &h in &headers {
            let n = h as usize;
            let place = match parent[n] {
                NONE => &mut next_root,
                up => &mut next[up as usize],
            };
            pre[n] = *place;
            *place += size[n];
            next[n] = pre[n] + 1;
            last[n] = pre[n] + size[n] - 1;
        }
        LoopForest {
            innermost,
            parent,
            headers,
            pre,
            last,
        }
    }

    /// The headers in reverse post-order: outer before inner.
    pub fn headers(&self) -> &[u32] {
        &self.headers
    }

    /// The header of the innermost loop that holds the node (a header's is its own).
    pub fn innermost(&self, node: u32) -> Option<u32> {
        let header = self.innermost.get(node as usize).copied();
        header.filter(|&header| header != NONE)
    }

    /// The header of the loop directly around the loop of `header`.
    pub fn parent(&self, header: u32) -> Option<u32> {
        let up = self.parent[header as usize];
        (up != NONE).then_some(up)
    }

    /// Whether the node heads a loop.
    pub fn is_header(&self, node: u32) -> bool {
        self.innermost.get(node as usize) == Some(&node)
    }

    /// Whether the loop of `header` holds the node.
    pub fn contains(&self, header: u32, node: u32) -> bool {
        let number = self.number(node);
        let (first, last) = self.interval(header);
        first <= number && number <= last
    }

    /// The number of the innermost loop of a node in a preorder of the forest; 0 when in no loop.
    pub(crate) fn number(&self, node: u32) -> u32 {
        self.innermost(node)
            .map_or(0, |header| self.pre[header as usize])
    }

    /// The numbers of the loop of `header` and of the last loop inside it.
    pub(crate) fn interval(&self, header: u32) -> (u32, u32) {
        (self.pre[header as usize], self.last[header as usize])
    }
}

/// The representative of a node's collapsed set; halves the path on the way.
fn find(collapsed: &mut [u32], mut node: u32) -> u32 {
    loop {
        let up = collapsed[node as usize];
        if up == node {
            return node;
        }
        let over = collapsed[up as usize];
        collapsed[node as usize] = over;
        node = over;
    }
}

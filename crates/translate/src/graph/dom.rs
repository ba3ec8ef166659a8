//! Dominator trees by Lengauer and Tarjan's method with path compression: O(m log n) for every graph, also
//! for the ladders on which the iterative method is quadratic.

use super::{Flow, Graph, NONE, Order};

/// The dominator tree of the nodes that the entry reaches.
#[derive(Clone, Debug)]
pub struct DomTree {
    idom: Vec<u32>,
    depth: Vec<u32>,
    pre: Vec<u32>,
    last: Vec<u32>,
    preorder: Vec<u32>,
    work: u64,
}

impl DomTree {
    /// Dominators of `flow`, whose search is `order`.
    pub fn new(flow: &Flow, order: &Order) -> DomTree {
        let nodes = flow.len();
        let (by_pre, work) = immediate_dominators(flow, order);
        let mut idom = vec![NONE; nodes];
        for (i, node) in order.preorder.iter().enumerate().skip(1) {
            idom[*node as usize] = order.preorder[by_pre[i] as usize];
        }
        // Numbers a preorder of the tree without walking it: a dominator comes earlier in reverse
        // post-order, so sizes are summed backwards and places handed out forwards.
        let mut size = vec![1u32; nodes];
        for node in order.rpo().iter().rev() {
            let up = idom[*node as usize];
            if up != NONE {
                size[up as usize] += size[*node as usize];
            }
        }
        let mut depth = vec![NONE; nodes];
        let mut pre = vec![NONE; nodes];
        let mut last = vec![NONE; nodes];
        let mut next = vec![0u32; nodes];
        let mut preorder = vec![0; order.rpo().len()];
        for &node in order.rpo() {
            let n = node as usize;
            let up = idom[n];
            if up == NONE {
                depth[n] = 0;
                pre[n] = 0;
            } else {
                depth[n] = depth[up as usize] + 1;
                pre[n] = next[up as usize];
                next[up as usize] += size[n];
            }
            next[n] = pre[n] + 1;
            last[n] = pre[n] + size[n] - 1;
            preorder[pre[n] as usize] = node;
        }
        DomTree {
            idom,
            depth,
            pre,
            last,
            preorder,
            work,
        }
    }

    /// The immediate dominator; `None` for the entry and for unreachable nodes.
    pub fn idom(&self, node: u32) -> Option<u32> {
        let up = self.idom[node as usize];
        (up != NONE).then_some(up)
    }

    /// Whether every path from the entry to `b` passes `a`. True for `a == b` when reachable; false when
    /// either is unreachable.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.pre[a] != NONE
            && self.pre[b] != NONE
            && self.pre[a] <= self.pre[b]
            && self.pre[b] <= self.last[a]
    }

    /// Distance from the root of the tree; `None` for unreachable nodes.
    pub fn depth(&self, node: u32) -> Option<u32> {
        let depth = self.depth[node as usize];
        (depth != NONE).then_some(depth)
    }

    /// The numbers (in a preorder of the tree) of the node and of the last node that it dominates; `None`
    /// for unreachable nodes. The nodes it dominates are exactly those numbered between.
    pub fn interval(&self, node: u32) -> Option<(u32, u32)> {
        let n = node as usize;
        (self.pre[n] != NONE).then_some((self.pre[n], self.last[n]))
    }

    /// The reachable nodes in a preorder of the tree.
    pub fn preorder(&self) -> &[u32] {
        &self.preorder
    }

    /// Elementary steps taken to build the tree, for tests of complexity.
    pub fn work(&self) -> u64 {
        self.work
    }
}

/// By preorder position: preorder position of the immediate dominator (0 for the entry); and the steps taken.
fn immediate_dominators(flow: &Flow, order: &Order) -> (Vec<u32>, u64) {
    let count = order.preorder.len();
    let mut work = 0u64;
    let mut forest = Forest {
        ancestor: vec![NONE; count],
        label: (0..count as u32).collect(),
        semi: (0..count as u32).collect(),
        path: Vec::new(),
    };
    let mut idom = vec![0u32; count];
    // Buckets as linked lists: those whose semidominator is i.
    let mut bucket = vec![NONE; count];
    let mut bucket_next = vec![NONE; count];
    for w in (1..count).rev() {
        for p in flow.predecessors(order.preorder[w]) {
            work += 1;
            let p = order.pre[*p as usize];
            if p != NONE {
                let u = forest.eval(p, &mut work);
                forest.semi[w] = forest.semi[w].min(forest.semi[u as usize]);
            }
        }
        let semi = forest.semi[w] as usize;
        bucket_next[w] = bucket[semi];
        bucket[semi] = w as u32;
        let parent = order.parent[w];
        forest.ancestor[w] = parent;
        let mut v = std::mem::replace(&mut bucket[parent as usize], NONE);
        while v != NONE {
            let u = forest.eval(v, &mut work);
            idom[v as usize] = if forest.semi[u as usize] < forest.semi[v as usize] {
                u
            } else {
                parent
            };
            v = bucket_next[v as usize];
        }
    }
    for w in 1..count {
        if idom[w] != forest.semi[w] {
            idom[w] = idom[idom[w] as usize];
        }
    }
    (idom, work)
}

/// The forest of linked vertices; all numbers are preorder positions.
struct Forest {
    ancestor: Vec<u32>,
    label: Vec<u32>,
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// The vertex of least semidominator on the path from below the root of v's tree to v.
    fn eval(&mut self, v: u32, work: &mut u64) -> u32 {
        if self.ancestor[v as usize] == NONE {
            return v;
        }
        let mut x = v;
        self.path.clear();
        while self.ancestor[self.ancestor[x as usize] as usize] != NONE {
            self.path.push(x);
            x = self.ancestor[x as usize];
        }
        while let Some(x) = self.path.pop() {
            *work += 1;
            let x = x as usize;
            let up = self.ancestor[x] as usize;
            if self.semi[self.label[up] as usize] < self.semi[self.label[x] as usize] {
                self.label[x] = self.label[up];
            }
            self.ancestor[x] = self.ancestor[up];
        }
        self.label[v as usize]
    }
}

/// Post-dominators: the dominators of the reversed graph, whose root is a virtual exit numbered
/// `graph.len()` that every `Return` leads to. Blocks that reach no `Return` are not in the tree.
pub fn post_dominators(graph: &Graph) -> DomTree {
    let exit = graph.len() as u32;
    let flow = Flow::from_edges(exit, graph.len() + 1, || {
        graph.blocks().flat_map(move |from| {
            let successors = graph.successors(from);
            let ends = successors.is_empty().then_some((exit, from.0));
            successors.iter().map(move |to| (to.0, from.0)).chain(ends)
        })
    });
    DomTree::new(&flow, &Order::new(&flow))
}

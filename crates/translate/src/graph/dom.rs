//! Dominator trees by Lengauer and Tarjan's method with path compression: O(m log n) for every graph, also
//! for the ladders on which the iterative method is quadratic.

use super::{Flow, Graph, NONE, Order};

/// The dominator tree of the nodes that the entry reaches.
#[derive(Clone, Debug)]
pub struct DomTree {
    nodes: Vec<Node>,
    preorder: Vec<u32>,
    work: u64,
}

/// What is known of a node; `NONE` of an unreachable one.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// `NONE` of the root too.
    idom: u32,
    depth: u32,
    /// Its number in a preorder of the tree, and that of the last one that it dominates.
    pre: u32,
    last: u32,
}

impl DomTree {
    /// Dominators of `flow`, whose search is `order`.
    pub fn new(flow: &Flow, order: &Order) -> DomTree {
        let (vertices, work) = immediate_dominators(flow, order);
        let unknown = Node {
            idom: NONE,
            depth: NONE,
            pre: NONE,
            last: NONE,
        };
        let mut nodes = vec![unknown; flow.len()];
        // How many nodes each dominates, itself included, and the number of the next one that it does.
        let mut sizes = vec![(1u32, 0u32); flow.len()];
        for (i, &(node, _)) in order.preorder.iter().enumerate().skip(1) {
            nodes[node as usize].idom = order.preorder[vertices[i].idom as usize].0;
        }
        // Numbers a preorder of the tree without walking it: a dominator comes earlier in reverse
        // post-order, so sizes are summed backwards and places handed out forwards.
        for &node in order.rpo().iter().rev() {
            let up = nodes[node as usize].idom;
            if up != NONE {
                sizes[up as usize].0 += sizes[node as usize].0;
            }
        }
        let mut preorder = vec![0; order.rpo().len()];
        for &node in order.rpo() {
            let n = node as usize;
            let size = sizes[n].0;
            let up = nodes[n].idom;
            let (mut depth, mut pre) = (0, 0);
            if up != NONE {
                depth = nodes[up as usize].depth + 1;
                pre = sizes[up as usize].1;
                sizes[up as usize].1 += size;
            }
            sizes[n].1 = pre + 1;
            preorder[pre as usize] = node;
            nodes[n] = Node {
                idom: up,
                depth,
                pre,
                last: pre + size - 1,
            };
        }
        DomTree {
            nodes,
            preorder,
            work,
        }
    }

    /// The immediate dominator; `None` for the entry and for unreachable nodes.
    pub fn idom(&self, node: u32) -> Option<u32> {
        let up = self.nodes[node as usize].idom;
        (up != NONE).then_some(up)
    }

    /// Whether every path from the entry to `b` passes `a`. True for `a == b` when reachable; false when
    /// either is unreachable.
    #[inline]
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        a.pre != NONE && b.pre != NONE && a.pre <= b.pre && b.pre <= a.last
    }

    /// Distance from the root of the tree; `None` for unreachable nodes.
    pub fn depth(&self, node: u32) -> Option<u32> {
        let depth = self.nodes[node as usize].depth;
        (depth != NONE).then_some(depth)
    }

    /// The numbers (in a preorder of the tree) of the node and of the last node that it dominates; `None`
    /// for unreachable nodes. The nodes it dominates are exactly those numbered between.
    pub fn interval(&self, node: u32) -> Option<(u32, u32)> {
        let node = &self.nodes[node as usize];
        (node.pre != NONE).then_some((node.pre, node.last))
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

/// A node of the search; all numbers are preorder positions.
#[derive(Clone, Copy)]
struct Vertex {
    /// Of the forest of linked vertices; `NONE`: a root.
    ancestor: u32,
    label: u32,
    semi: u32,
    idom: u32,
    /// Buckets as linked lists: the first of those whose semidominator this is, and the next one beside this.
    bucket: u32,
    bucket_next: u32,
}

/// By preorder position: preorder position of the immediate dominator (0 for the entry); and the steps taken.
fn immediate_dominators(flow: &Flow, order: &Order) -> (Vec<Vertex>, u64) {
    let count = order.preorder.len();
    let mut work = 0u64;
    let mut forest = Forest {
        vertices: (0..count as u32)
            .map(|v| Vertex {
                ancestor: NONE,
                label: v,
                semi: v,
                idom: 0,
                bucket: NONE,
                bucket_next: NONE,
            })
            .collect(),
        path: Vec::new(),
    };
    for w in (1..count).rev() {
        let (node, parent) = order.preorder[w];
        let mut semi = forest.vertices[w].semi;
        for p in flow.predecessors(node) {
            work += 1;
            let p = order.pre(*p);
            if p != NONE {
                let u = forest.eval(p, &mut work);
                semi = semi.min(forest.vertices[u as usize].semi);
            }
        }
        let all = &mut forest.vertices;
        all[w].bucket_next = all[semi as usize].bucket;
        all[semi as usize].bucket = w as u32;
        all[w].semi = semi;
        all[w].ancestor = parent;
        let mut v = std::mem::replace(&mut all[parent as usize].bucket, NONE);
        while v != NONE {
            let u = forest.eval(v, &mut work);
            let all = &mut forest.vertices;
            all[v as usize].idom = if all[u as usize].semi < all[v as usize].semi {
                u
            } else {
                parent
            };
            v = all[v as usize].bucket_next;
        }
    }
    let mut vertices = forest.vertices;
    for w in 1..count {
        let Vertex { idom, semi, .. } = vertices[w];
        if idom != semi {
            vertices[w].idom = vertices[idom as usize].idom;
        }
    }
    (vertices, work)
}

/// The forest of linked vertices.
struct Forest {
    vertices: Vec<Vertex>,
    path: Vec<u32>,
}

impl Forest {
    /// The vertex of least semidominator on the path from below the root of v's tree to v.
    fn eval(&mut self, v: u32, work: &mut u64) -> u32 {
        let all = &mut self.vertices;
        let up = all[v as usize].ancestor;
        if up == NONE {
            return v;
        }
        if all[up as usize].ancestor == NONE {
            return all[v as usize].label;
        }
        let mut x = v;
        self.path.clear();
        while all[all[x as usize].ancestor as usize].ancestor != NONE {
            self.path.push(x);
            x = all[x as usize].ancestor;
        }
        while let Some(x) = self.path.pop() {
            *work += 1;
            let x = x as usize;
            let up = all[all[x].ancestor as usize];
            if all[up.label as usize].semi < all[all[x].label as usize].semi {
                all[x].label = up.label;
            }
            all[x].ancestor = up.ancestor;
        }
        all[v as usize].label
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

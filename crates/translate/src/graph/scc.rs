//! Strongly connected components by Tarjan's method, without recursion.

use super::{Flow, NONE};

/// The strongly connected components of all nodes, also those that the entry does not reach.
#[derive(Clone, Debug)]
pub struct Components {
    of: Vec<u32>,
    count: u32,
}

impl Components {
    /// Finds them; each node and edge is looked at once.
    pub fn new(flow: &Flow) -> Components {
        let nodes = flow.len();
        let mut of = vec![NONE; nodes];
        let mut count = 0;
        let mut number = vec![NONE; nodes];
        let mut low = vec![0u32; nodes];
        let mut next_number = 0;
        let mut open = Vec::new();
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for root in 0..nodes as u32 {
            if number[root as usize] != NONE {
                continue;
            }
            stack.push((root, 0));
            while let Some((node, next)) = stack.last_mut() {
                let n = *node as usize;
                if *next == 0 {
                    number[n] = next_number;
                    low[n] = next_number;
                    next_number += 1;
                    open.push(*node);
                }
                match flow.successors(*node).get(*next as usize) {
                    Some(&to) => {
                        *next += 1;
                        let t = to as usize;
                        if number[t] == NONE {
                            stack.push((to, 0));
                        } else if of[t] == NONE {
                            low[n] = low[n].min(number[t]);
                        }
                    }
                    None => {
                        if low[n] == number[n] {
                            while let Some(member) = open.pop() {
                                of[member as usize] = count;
                                if member as usize == n {
                                    break;
                                }
                            }
                            count += 1;
                        }
                        stack.pop();
                        if let Some((up, _)) = stack.last() {
                            let up = *up as usize;
                            low[up] = low[up].min(low[n]);
                        }
                    }
                }
            }
        }
        Components { of, count }
    }

    /// The component of a node, below [`Components::count`]. A component has a smaller number than those
    /// that lead to it.
    pub fn of(&self, node: u32) -> u32 {
        self.of[node as usize]
    }

    /// How many components there are; a node on no cycle is one of its own.
    pub fn count(&self) -> u32 {
        self.count
    }
}

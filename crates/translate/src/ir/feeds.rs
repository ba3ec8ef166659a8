//! What flows into the parameters of a function's blocks. A fact of the function as it is; knows no pass.

use super::func::{Block, Func, Value};

/// The arguments that blocks hand over to each parameter.
#[derive(Clone, Debug)]
pub struct Feeds {
    /// By block: the number of its first parameter.
    first: Vec<u32>,
    /// By number: where its arguments begin, and the end of all.
    starts: Vec<u32>,
    args: Vec<Value>,
}

impl Feeds {
    /// From the blocks of `from`, each parameter's arguments in their order.
    pub fn new(func: &Func, from: &[Block]) -> Feeds {
        let mut first = Vec::with_capacity(func.block_count());
        let mut count = 0;
        for block in func.blocks() {
            first.push(count);
            count += func.block(block).params.len() as u32;
        }
        let mut starts = vec![0; count as usize + 1];
        let each = |with: &mut dyn FnMut(usize, Value)| {
            for &block in from {
                let term = func.block(block).term.iter();
                for target in term.flat_map(|t| t.targets()) {
                    // Targets outside the function, and arguments without a parameter, are the verifier's.
                    let Some(&first) = first.get(target.block.index()) else {
                        continue;
                    };
                    let params = func.block(target.block).params.len();
                    for (i, &arg) in target.args.iter().take(params).enumerate() {
                        with(first as usize + i, arg);
                    }
                }
            }
        };
        each(&mut |number, _| starts[number + 1] += 1);
        for number in 0..count as usize {
            starts[number + 1] += starts[number];
        }
        let mut next = starts.clone();
        let mut args = vec![Value(0); starts[count as usize] as usize];
        each(&mut |number, arg| {
            let at = &mut next[number];
            args[*at as usize] = arg;
            *at += 1;
        });
        Feeds {
            first,
            starts,
            args,
        }
    }

    /// What flows into parameter `index` of a block.
    pub fn of(&self, block: Block, index: usize) -> &[Value] {
        let number = self.first[block.index()] as usize + index;
        &self.args[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

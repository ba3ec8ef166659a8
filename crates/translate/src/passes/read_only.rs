//! Loads of bound buffers that the program never writes are loads of what nobody writes: the caller promises
//! that a bound buffer is reached through its descriptor alone.
//!
//! Before: any function. After: each load through a place of a bound buffer is `read_only` where no store and
//! no atomic goes to a place of that buffer. May not touch: anything else.

use smallvec::{SmallVec, smallvec};

use crate::ir::{Func, Inst, Op};

/// The number of the bound buffer that an access goes to.
fn number(func: &Func, inst: Inst) -> Option<u32> {
    func.bound_buffer(*func.inst(inst).args.first()?)
}

/// Runs the pass for a module with so many bound buffers; gives the number of loads that it marked.
pub fn run(func: &mut Func, buffers: usize) -> usize {
    let mut written: SmallVec<[bool; 32]> = smallvec![false; buffers];
    let mut loads: SmallVec<[(Inst, u32); 32]> = SmallVec::new();
    for block in func.blocks() {
        // Constants and inputs access nothing.
        let head = func.head_of(block);
        for &inst in &func.block(block).insts[head..] {
            match func.inst(inst).op {
                Op::Store { .. } | Op::Atomic { .. } => {
                    let buffer = number(func, inst).and_then(|n| written.get_mut(n as usize));
                    if let Some(written) = buffer {
                        *written = true;
                    }
                }
                Op::Load {
                    read_only: false, ..
                } => loads.extend(number(func, inst).map(|n| (inst, n))),
                _ => {}
            }
        }
    }
    loads.retain(|&mut (_, n)| written.get(n as usize) == Some(&false));
    for &(inst, _) in &loads {
        if let Op::Load { read_only, .. } = &mut func.inst_mut(inst).op {
            *read_only = true;
        }
    }
    loads.len()
}

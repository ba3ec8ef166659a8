//! A wave none of whose lanes holds a thread ends at once: past the end of a partial workgroup hardware has
//! no such wave, whereas the host's workgroup is always whole.
//!
//! Before: any function. After: what the entry block went on to is reached by waves with a thread alone. May
//! not touch: anything else.

use crate::ir::{Block, Builder, Func, Input, Target, Terminator};

/// Runs the pass.
pub fn run(f: &mut Func) {
    let entry: Block = f.entry();
    let Some(term) = f.block_mut(entry).term.take() else {
        return;
    };
    let mut b = Builder::new(f);
    let (begin, none) = (b.new_block(), b.new_block());
    b.switch_to(none);
    b.ret();
    b.switch_to(begin);
    b.terminate(term);
    b.switch_to(entry);
    let live = b.input(Input::LaneLive);
    let live = b.ballot(live);
    let nobody = b.const_mask(0);
    let empty = b.eq(live, nobody);
    b.terminate(Terminator::Branch {
        cond: empty,
        then: Target::new(none, Vec::new()),
        els: Target::new(begin, Vec::new()),
    });
}

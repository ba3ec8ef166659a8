//! What nobody needs goes.
//!
//! Before: any function. After: every instruction has an effect or a use, every parameter a use that is
//! not only itself (through whatever cycle of blocks), every constant and input at the head a use. May
//! not touch: instructions with effects, terminators other than by removing arguments, unreachable
//! blocks' flow (their instructions and arguments count as uses only of what is reachable too).
//!
//! Method: one walk from the end to the beginning, in which a use comes before its definition but where flow
//! goes back. What turns out to be needed behind its definition is followed from there.

use crate::ir::{Block, Def, Func, Value};

/// What is known of a value on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// Nobody was seen to need it.
    Unseen,
    /// Nobody did up to its definition, whose arguments are not needed therefore.
    Passed,
    /// Somebody does.
    Needed,
}

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    /// By value.
    need: Vec<Need>,
    /// Values found to be needed whose definition was passed, and parameters.
    late: Vec<Value>,
    /// Ways with arguments that were passed, by the block they lead to: the last one of each, as a number
    /// from 1 on.
    last_way: Vec<u32>,
    ways: Vec<Way>,
    /// Blocks in which something was passed.
    touched: Vec<Block>,
}

/// A way with arguments that was passed.
#[derive(Clone, Copy, Debug)]
struct Way {
    from: Block,
    /// Which of its targets.
    which: u32,
    /// The way before it to the same block.
    before: u32,
}

/// Runs the pass; gives the number of instructions and parameters removed.
pub fn run(func: &mut Func) -> usize {
    run_in(&mut Room::default(), func, &[])
}

/// Runs the pass on a function outside which `kept` values have a use too (a helper's result). The
/// parameters of the entry block stay: they are a helper's.
pub fn run_in(room: &mut Room, func: &mut Func, kept: &[Value]) -> usize {
    room.need.clear();
    room.need.resize(func.value_count(), Need::Unseen);
    room.last_way.clear();
    room.last_way.resize(func.block_count(), 0);
    room.ways.clear();
    room.touched.clear();
    for &value in kept {
        room.need(value);
    }
    // Blocks stand about in the order in which flow passes them.
    for block in func.blocks().rev() {
        room.block(func, block);
        room.follow(func);
    }
    room.sweep(func)
}

impl Room {
    /// Whether a value has a use, after the pass.
    #[inline]
    pub fn needs(&self, value: Value) -> bool {
        self.need.get(value.index()) == Some(&Need::Needed)
    }

    #[inline]
    fn need(&mut self, value: Value) {
        if let Some(need) = self.need.get_mut(value.index())
            && std::mem::replace(need, Need::Needed) == Need::Passed
        {
            self.late.push(value);
        }
    }

    /// Needs what a block's end and its instructions need.
    fn block(&mut self, func: &Func, block: Block) {
        let data = func.block(block);
        if let Some(term) = &data.term {
            if let Some(decider) = term.decider() {
                self.need(decider);
            }
            for (which, target) in (0..).zip(term.ways()) {
                // Targets outside the function are the verifier's.
                let Some(last) = self.last_way.get_mut(target.block.index()) else {
                    continue;
                };
                if target.args.is_empty() {
                    continue;
                }
                let (from, before) = (block, *last);
                self.ways.push(Way {
                    from,
                    which,
                    before,
                });
                *last = self.ways.len() as u32;
                for (&param, &arg) in func.block(target.block).params.iter().zip(&target.args) {
                    if self.needs(param) {
                        self.need(arg);
                    }
                }
            }
        }
        // Constants and inputs at the head need nothing.
        let head = func.head_of(block);
        let mut passed = false;
        for &inst in data.insts[head..].iter().rev() {
            let data = func.inst(inst);
            let needed = match data.result {
                Some(result) if !self.needs(result) => {
                    let removable = data.op.is_removable();
                    if removable && let Some(need) = self.need.get_mut(result.index()) {
                        *need = Need::Passed;
                        passed = true;
                    }
                    !removable
                }
                Some(_) => true,
                None => !data.op.is_removable(),
            };
            if needed {
                for &arg in &data.args {
                    self.need(arg);
                }
            }
        }
        if passed {
            self.touched.push(block);
        }
        for &param in &data.params {
            // From now on ways to it that were passed wait for it.
            match self.need.get_mut(param.index()) {
                Some(Need::Needed) => self.late.push(param),
                Some(need) => *need = Need::Passed,
                None => {}
            }
        }
    }

    /// Needs what makes values whose definitions were passed.
    fn follow(&mut self, func: &Func) {
        while let Some(value) = self.late.pop() {
            match func.def(value) {
                Def::Inst(inst) => {
                    for &arg in &func.inst(inst).args {
                        self.need(arg);
                    }
                }
                Def::Param(block, i) => {
                    let mut way = self.last_way.get(block.index()).copied().unwrap_or(0);
                    while let Some(at) = (way as usize).checked_sub(1)
                        && let Some(&Way {
                            from,
                            which,
                            before,
                        }) = self.ways.get(at)
                    {
                        way = before;
                        let term = func.block(from).term.as_ref();
                        let target = term.and_then(|term| term.ways().nth(which as usize));
                        if let Some(&arg) = target.and_then(|target| target.args.get(i as usize)) {
                            self.need(arg);
                        }
                    }
                }
            }
        }
    }

    /// Takes out what is not needed; gives how much.
    fn sweep(&self, func: &mut Func) -> usize {
        let goes = |value: Value| self.need.get(value.index()) == Some(&Need::Passed);
        let entry = func.entry();
        let head = func.head_len();
        let mut removed = 0;
        let mut heads = func.block(entry).insts[..head].iter();
        if heads.any(|&inst| func.inst(inst).result.is_some_and(|v| !self.needs(v))) {
            func.retain_head(|v| self.needs(v));
            removed = head - func.head_len();
        }
        for &block in &self.touched {
            let head = func.head_of(block);
            let mut insts = std::mem::take(&mut func.block_mut(block).insts);
            let mut kept = head;
            for at in head..insts.len() {
                let inst = insts[at];
                insts[kept] = inst;
                kept += usize::from(!func.inst(inst).result.is_some_and(goes));
            }
            removed += insts.len() - kept;
            insts.truncate(kept);
            func.block_mut(block).insts = insts;
        }
        let mut blocks = func.blocks().filter(|&block| block != entry);
        let params = blocks.any(|block| func.block(block).params.iter().any(|&v| goes(v)));
        if params {
            removed += func.retain_params(|block, v| block == entry || !goes(v));
        }
        removed
    }
}

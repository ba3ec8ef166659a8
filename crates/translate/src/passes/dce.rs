//! What nobody needs goes.
//!
//! Before: any function. After: every instruction has an effect or a use, every parameter a use that is
//! not only itself (through whatever cycle of blocks), every constant and input at the head a use. May
//! not touch: instructions with effects, terminators other than by removing arguments, unreachable
//! blocks' flow (their instructions and arguments count as uses only of what is reachable too).

use crate::ir::feeds::Feeds;
use crate::ir::{Block, Def, Func, Inst, Value};

/// Runs the pass; gives the number of instructions and parameters removed.
pub fn run(func: &mut Func) -> usize {
    run_keeping(func, &[])
}

/// Runs the pass on a function outside which `kept` values have a use too (a helper's result). The
/// parameters of the entry block stay: they are a helper's.
pub fn run_keeping(func: &mut Func, kept: &[Value]) -> usize {
    let live = live_values(func, kept);
    let is_live = |v: Value| live.get(v.index()).copied().unwrap_or(true);
    let mut removed = 0;
    func.retain_head(|v| {
        removed += usize::from(!is_live(v));
        is_live(v)
    });
    for block in func.blocks() {
        let stays = |func: &Func, inst: Inst| {
            let data = func.inst(inst);
            data.result.is_some_and(is_live) || !data.op.is_removable()
        };
        let insts = &func.block(block).insts;
        let Some(first) = insts.iter().position(|&inst| !stays(func, inst)) else {
            continue;
        };
        let mut insts = std::mem::take(&mut func.block_mut(block).insts);
        let mut kept = first;
        for at in first..insts.len() {
            let inst = insts[at];
            if stays(func, inst) {
                insts[kept] = inst;
                kept += 1;
            }
        }
        removed += insts.len() - kept;
        insts.truncate(kept);
        func.block_mut(block).insts = insts;
    }
    let entry = func.entry();
    func.retain_params(|block, v| {
        if block == entry {
            return true;
        }
        removed += usize::from(!is_live(v));
        is_live(v)
    });
    removed
}

/// Whether each value is needed by an effect or a decision.
fn live_values(func: &Func, kept: &[Value]) -> Vec<bool> {
    let mut live = vec![false; func.value_count()];
    let mut work = Vec::new();
    // Few small functions have parameters that count.
    let mut feeds: Option<Feeds> = None;
    let need = |v: Value, live: &mut Vec<bool>, work: &mut Vec<Value>| {
        if let Some(flag) = live.get_mut(v.index())
            && !*flag
        {
            *flag = true;
            work.push(v);
        }
    };
    for &value in kept {
        need(value, &mut live, &mut work);
    }
    for block in func.blocks() {
        let data = func.block(block);
        for &inst in &data.insts {
            let inst = func.inst(inst);
            if !inst.op.is_removable() {
                for &arg in &inst.args {
                    need(arg, &mut live, &mut work);
                }
            }
        }
        let Some(term) = &data.term else { continue };
        if let Some(decider) = term.decider() {
            need(decider, &mut live, &mut work);
        }
    }
    while let Some(value) = work.pop() {
        match func.def(value) {
            Def::Inst(inst) => {
                for &arg in &func.inst(inst).args {
                    need(arg, &mut live, &mut work);
                }
            }
            Def::Param(block, i) => {
                let feeds = feeds.get_or_insert_with(|| {
                    let blocks: Vec<Block> = func.blocks().collect();
                    Feeds::new(func, &blocks)
                });
                for &arg in feeds.of(block, i as usize) {
                    need(arg, &mut live, &mut work);
                }
            }
        }
    }
    live
}

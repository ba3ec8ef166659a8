//! What every trip of a loop would compute anew for the wave stands before the loop.
//!
//! Before: any function; the dominators are its own. After: no uniform pure instruction (descriptors loaded from
//! what nobody writes, addresses, windows, places) stands in a natural loop that makes none of its
//! arguments: it stands at the end of the last block that is passed before the loop. May not touch: effects,
//! per-lane values, what lanes hand to one another, blocks, ways; places in bound buffers stay where they are used. A function of one lane is
//! left as it is.

use crate::ir::dom::{Dominators, innermost_loops};
use crate::ir::{Func, Op};

/// Runs the pass; gives the number of instructions moved.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    if func.is_one_lane() {
        return 0;
    }
    let Some(headers) = innermost_loops(func, doms) else {
        return 0;
    };
    // Where each value is made: in the first block, where no other is said.
    let mut homes = vec![func.entry(); func.value_count()];
    for &block in doms.order().iter().skip(1) {
        for &param in &func.block(block).params {
            homes[param.index()] = block;
        }
        for &inst in &func.block(block).insts {
            if let Some(result) = func.inst(inst).result {
                homes[result.index()] = block;
            }
        }
    }
    let mut moved = 0;
    for &block in doms.order() {
        if headers[block.index()].is_none() {
            continue;
        }
        let mut insts = std::mem::take(&mut func.block_mut(block).insts);
        insts.retain(|&inst| {
            let data = func.inst(inst);
            let Some(result) = data.result else {
                return true;
            };
            if !may_move(data.op) || func.is_lane(result) {
                return true;
            }
            let mut to = block;
            while let Some(header) = headers[to.index()]
                && let Some(before) = doms.idom(header)
                && data
                    .args
                    .iter()
                    .all(|arg| doms.dominates(homes[arg.index()], before))
            {
                to = before;
            }
            if to == block {
                return true;
            }
            homes[result.index()] = to;
            func.block_mut(to).insts.push(inst);
            moved += 1;
            false
        });
        func.block_mut(block).insts = insts;
    }
    moved
}

const fn may_move(op: Op) -> bool {
    match op {
        Op::PtrBound { .. } | Op::InterpFirst { .. } | Op::Input(_) => false,
        Op::ConstBool(_) | Op::Const32(_) | Op::Const64(_) => false,
        Op::Ballot | Op::LaneBit | Op::ReadLane | Op::Shuffle => false,
        op => op.is_pure(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // a test may stop

    use spirdna_isa::WaveSize;

    use super::*;
    use crate::ir::{Builder, Def, Kind, MemWidth, Target, Ty, Value, verify};

    /// Two loops in each other: what depends on the outer one's counter stops before the inner one, what
    /// depends on nothing leaves both, and what the inner one changes stays.
    #[test]
    fn values_leave_the_loops_that_do_not_make_them() {
        let mut func = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut func);
        let user = b.input(crate::ir::Input::UserData(0));
        let (zero, one, end) = (b.const32(0), b.const32(1), b.const32(4));
        let yes = b.const_bool(true);
        let [outer, inner, next, out] = [0; 4].map(|_| b.new_block());
        let i = b.param(outer, Ty::uniform(Kind::I32));
        let j = b.param(inner, Ty::uniform(Kind::I32));
        b.jump(outer, vec![zero]);
        b.switch_to(outer);
        b.jump(inner, vec![zero]);
        b.switch_to(inner);
        let address = b.zext(user);
        let ptr = b.ptr(address, 4);
        let fixed = b.load(ptr, yes, MemWidth::B32, 0, true, true);
        let of_outer = b.add(fixed, i);
        let of_inner = b.add(of_outer, j);
        let lane = b.input(crate::ir::Input::LaneId);
        let (lane, four) = (b.add(lane, user), b.const32(4));
        let at = b.mul(lane, four);
        b.lds_store(at, of_inner, yes, MemWidth::B32);
        let more = b.add(j, one);
        let done = b.eq(more, end);
        b.branch(
            done,
            Target::new(next, vec![]),
            Target::new(inner, vec![more]),
        );
        b.switch_to(next);
        let more = b.add(i, one);
        let done = b.eq(more, end);
        b.branch(
            done,
            Target::new(out, vec![]),
            Target::new(outer, vec![more]),
        );
        b.switch_to(out);
        b.ret();
        let entry = func.entry();
        let home = |func: &Func, value: Value| match func.def(value) {
            Def::Inst(inst) => {
                let mut blocks = func.blocks();
                blocks
                    .find(|&b| func.block(b).insts.contains(&inst))
                    .unwrap()
            }
            Def::Param(..) => panic!("a parameter"),
        };
        let doms = Dominators::new(&func);
        assert_eq!(home(&func, ptr), inner);
        assert_eq!(run(&mut func, &doms), 4);
        verify(&func, WaveSize::W32).unwrap();
        for value in [address, ptr, fixed] {
            assert_eq!(home(&func, value), entry, "{value}");
        }
        assert_eq!(home(&func, of_outer), outer);
        assert_eq!(home(&func, of_inner), inner);
        assert_eq!(home(&func, at), inner, "a per-lane value");
        assert_eq!(run(&mut func, &doms), 0);
    }
}

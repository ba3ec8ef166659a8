//! A pure instruction that equals a dominating one becomes it.
//!
//! Before: any function; the dominators are its own. After: no pure instruction, and no load of what nobody
//! writes, is dominated by one of the same operation on the same arguments (arguments of commutative
//! operations in either order); no fault by one of the same address and condition: of those only the first
//! one of a wave counts. A pure instruction that gives one of its arguments, by what is constant among them, is
//! that argument. May not touch: other effects, blocks, parameters. The replaced instructions are gone.

use crate::ir::dom::Dominators;
use crate::ir::numbering::{self, Numbering};
use crate::ir::{Const, Func, Kind, Op, Pure, Value};

/// No value: one that stays what it is.
const ITSELF: Value = Value(u32::MAX);

/// Runs the pass; gives the number of instructions removed.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    let insts: usize = func.blocks().map(|b| func.block(b).insts.len()).sum();
    let mut known = Numbering::with_room(insts);
    // Where the numbered instructions stand.
    let mut homes = vec![func.entry(); func.inst_count()];
    let mut same = vec![ITSELF; func.value_count()];
    let (mut replaced, mut repeated) = (0, 0);
    for &block in doms.order() {
        let mut insts = std::mem::take(&mut func.block_mut(block).insts);
        let head = if block == func.entry() {
            func.head_len()
        } else {
            0
        };
        let mut position = 0;
        insts.retain(|&inst| {
            position += 1;
            if replaced > 0 {
                for arg in &mut func.inst_mut(inst).args {
                    // A definition that dominates has been visited, and its replacement with it.
                    let new = same[arg.index()];
                    if new != ITSELF {
                        *arg = new;
                    }
                }
            }
            let data = func.inst(inst);
            if position <= head || !is_numbered(data.op) {
                return true;
            }
            if let (Op::Pure(pure), Some(result)) = (data.op, data.result)
                && let Some(value) = one_of(func, pure, &data.args)
            {
                same[result.index()] = value;
                replaced += 1;
                return false;
            }
            let turned;
            let (op, args) = match (data.op, data.args.as_slice()) {
                (Op::Pure(pure), &[a, b]) if pure.commutes() && a > b => {
                    turned = [b, a];
                    (data.op, turned.as_slice())
                }
                // Whichever instruction it is of.
                (Op::Fault { .. }, args) => (Op::Fault { pc: 0 }, args),
                (op, args) => (op, args),
            };
            let key = numbering::key(&op, args);
            let found = known.find(key, |other| {
                let other_data = func.inst(other);
                let same_op = match (other_data.op, op) {
                    (Op::Fault { .. }, Op::Fault { .. }) => true,
                    (a, b) => a == b,
                };
                // What was a lane's own before its arguments were found to be the wave's is no value for
                // who needs one of the wave.
                let fits = match (other_data.result, data.result) {
                    (Some(value), Some(result)) => !func.is_lane(value) || func.is_lane(result),
                    _ => true,
                };
                same_op
                    && fits
                    && (other_data.args.as_slice() == args || is_turned(&other_data.args, args, op))
                    && doms.dominates(homes[other.index()], block)
            });
            let Some(found) = found else {
                known.insert(key, inst);
                homes[inst.index()] = block;
                return true;
            };
            match (data.result, func.inst(found).result) {
                (Some(result), Some(value)) => {
                    same[result.index()] = value;
                    replaced += 1;
                }
                _ => repeated += 1,
            }
            false
        });
        func.block_mut(block).insts = insts;
    }
    if replaced > 0 {
        func.map_uses(|v| match same[v.index()] {
            ITSELF => v,
            new => new,
        });
    }
    replaced + repeated
}

/// The argument that a pure instruction gives, where constants among them say which.
fn one_of(func: &Func, op: Pure, args: &[Value]) -> Option<Value> {
    let is = |value: Value, zero: bool| {
        func.as_const(value).is_some_and(|c| match c {
            Const::Bool(x) => x != zero,
            Const::I32(x) => x == if zero { 0 } else { u32::MAX },
            Const::I64(x) => x == if zero { 0 } else { u64::MAX },
        })
    };
    match (op, args) {
        (Pure::Select, &[c, x, y]) => match func.as_const(c) {
            Some(Const::Bool(true)) => Some(x),
            Some(_) => Some(y),
            None if x == y => Some(x),
            None => {
                let same = func.kind(x) == Kind::Bool && is(x, false) && is(y, true);
                same.then_some(c)
            }
        },
        (Pure::And, &[x, y]) if x == y || is(x, true) || is(y, false) => Some(x),
        (Pure::And, &[x, y]) if is(y, true) || is(x, false) => Some(y),
        (Pure::Or, &[x, y]) if x == y || is(x, false) || is(y, true) => Some(x),
        (Pure::Or, &[x, y]) if is(y, false) || is(x, true) => Some(y),
        (Pure::Xor | Pure::Add, &[x, y]) if is(x, true) => Some(y),
        (Pure::Xor | Pure::Add | Pure::Sub | Pure::Shl | Pure::ShrU | Pure::ShrS, &[x, y])
            if is(y, true) =>
        {
            Some(x)
        }
        _ => None,
    }
}

/// Whether one of two instructions of this kind may go. A place in a bound buffer stays where it is used.
const fn is_numbered(op: Op) -> bool {
    match op {
        Op::PtrBound { .. } => false,
        Op::Fault { .. }
        | Op::Load {
            read_only: true, ..
        } => true,
        op => op.is_pure(),
    }
}

/// Whether an operation takes its arguments in either order, and has these in the other one.
fn is_turned(args: &[Value], other: &[Value], op: Op) -> bool {
    match (op, args, other) {
        (Op::Pure(pure), &[a, b], &[c, d]) => pure.commutes() && (a, b) == (d, c),
        _ => false,
    }
}

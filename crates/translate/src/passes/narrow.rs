//! Who looks at some bits of a word does not name what its other bits are made of.
//!
//! Instructions on halves keep the other half of their register, so that a register whose halves are written
//! one after the other names what it held before, though nobody looks at it. In a graphics stage that may be
//! an input that has no translation.
//!
//! Before: any function. After: a mask, a shift or a field of bits is not one of a word put together of a part
//! that it does not look at. May not touch: anything else.

use crate::ir::{Const, Func, Kind, Op, Pure, Value};

/// Runs the pass; gives how many operands it has changed.
pub fn run(func: &mut Func) -> usize {
    let mut changed = 0;
    for block in func.blocks() {
        for at in 0..func.block(block).insts.len() {
            let inst = func.block(block).insts[at];
            let data = func.inst(inst);
            let Op::Pure(op) = data.op else { continue };
            let Some(&word) = data.args.first() else {
                continue;
            };
            if func.kind(word) != Kind::I32 {
                continue;
            }
            let Some(looks_at) = bits(func, op, &data.args) else {
                continue;
            };
            let part = part(func, word, looks_at);
            if part != word {
                func.inst_mut(inst).args[0] = part;
                changed += 1;
            }
        }
    }
    changed
}

/// The bits of its first operand that an operation looks at, where these are not all.
fn bits(func: &Func, op: Pure, args: &[Value]) -> Option<u32> {
    match (op, args) {
        (Pure::And, &[_, mask]) => word(func, mask),
        (Pure::Shl, &[_, by]) => Some(u32::MAX >> (word(func, by)? & 31)),
        (Pure::ShrU | Pure::ShrS, &[_, by]) => Some(u32::MAX << (word(func, by)? & 31)),
        (Pure::BitsU | Pure::BitsS, &[_, at, count]) => {
            let ones = u32::MAX.checked_shr(32_u32.checked_sub(word(func, count)?)?)?;
            ones.checked_shl(word(func, at)?)
        }
        _ => None,
    }
}

/// What a word is as far as these bits of it go.
fn part(func: &Func, mut value: Value, looks_at: u32) -> Value {
    loop {
        let Some(data) = func.def_inst(value) else {
            return value;
        };
        value = match (data.op, data.args.as_slice()) {
            (Op::Pure(Pure::Or), &[x, y]) if elsewhere(func, x, looks_at) => y,
            (Op::Pure(Pure::Or), &[x, y]) if elsewhere(func, y, looks_at) => x,
            (Op::Pure(Pure::And), &[x, mask])
                if word(func, mask).is_some_and(|mask| mask & looks_at == looks_at) =>
            {
                x
            }
            _ => return value,
        };
    }
}

/// Whether a word has none of these bits.
fn elsewhere(func: &Func, value: Value, bits: u32) -> bool {
    let Some(data) = func.def_inst(value) else {
        return false;
    };
    let known = |v: Value| word(func, v);
    match (data.op, data.args.as_slice()) {
        (Op::Pure(Pure::And), &[_, mask]) => known(mask).is_some_and(|mask| mask & bits == 0),
        (Op::Pure(Pure::Shl), &[_, by]) => {
            known(by).is_some_and(|by| u32::MAX << (by & 31) & bits == 0)
        }
        (Op::Pure(Pure::ShrU), &[_, by]) => {
            known(by).is_some_and(|by| u32::MAX >> (by & 31) & bits == 0)
        }
        _ => false,
    }
}

fn word(func: &Func, value: Value) -> Option<u32> {
    match func.as_const(value)? {
        Const::I32(word) => Some(word),
        _ => None,
    }
}

//! Branches of pixel programs whose quads matter are taken by whole quads. What is a mask, `one_lane` knows.
//!
//! A pixel's wave is seen by one of its lanes, and what asks whether any lane is in a mask is answered by the
//! lane's own bit. Where the program looks at its quad (permutations of it, derivatives that a sample takes),
//! that would tear quads apart: a lane that is switched off would go elsewhere, and its neighbours would ask
//! nobody. So there the quad answers: it is in one wave whatever the rasteriser does.
//!
//! Before: a function of one lane, masks still being ballots. After: "any lane" of a mask is "any of the
//! quad" wherever it was compared with zero, if the function has such operations. May not touch: the flow,
//! anything else.

use super::one_lane;
use crate::ir::image::{ImageOp, Lod};
use crate::ir::{Args, Block, Func, Inst, Kind, Op, Pure, QUAD_BELOW, QUAD_BESIDE, Ty, Value};

/// Runs the pass; gives how many questions the quad answers now.
pub fn run(func: &mut Func) -> usize {
    if !func.is_one_lane() || !looks_at_quads(func) {
        return 0;
    }
    let masks = one_lane::masks(func);
    let mut asked: Vec<(Block, usize, Inst, Value)> = Vec::new();
    for block in func.blocks() {
        for (at, &inst) in func.block(block).insts.iter().enumerate() {
            let data = func.inst(inst);
            let (Op::Pure(Pure::Eq | Pure::Ne), &[mask, zero]) = (data.op, data.args.as_slice())
            else {
                continue;
            };
            let even = masks.get(mask.index()).is_some_and(|m| m.is_even_ballot());
            if even && func.as_const(zero).is_some_and(|c| c.is_zero()) {
                asked.push((block, at, inst, mask));
            }
        }
    }
    let count = asked.len();
    if count == 0 {
        return 0;
    }
    // Made before the places are used: a new constant moves what stands in the entry block.
    let before = func.head_len();
    let zero = func.head_value(Op::Const32(0), Ty::uniform(Kind::I32));
    let moved = func.head_len() - before;
    // The last first, so that positions stay true.
    for (block, at, inst, mask) in asked.into_iter().rev() {
        let at = if block == func.entry() {
            at + moved
        } else {
            at
        };
        let loc = func.inst(inst).loc;
        func.set_loc(loc);
        let word = Ty::uniform(Kind::I32);
        let mut made = Vec::new();
        let mut make = |func: &mut Func, op: Op, args: &[Value], ty: Ty| {
            let inst = func.new_inst(op, Args::from_slice(args), Some(ty));
            made.push(inst);
            func.inst(inst).result
        };
        let quad = |perm| Op::Quad { perm, narrow: true };
        let any = (|| {
            let own = make(func, Op::LaneBit, &[mask], Ty::uniform(Kind::Bool))?;
            let own = make(func, Op::Pure(Pure::BoolInt), &[own], word)?;
            let beside = make(func, quad(QUAD_BESIDE), &[own], word)?;
            let row = make(func, Op::Pure(Pure::Or), &[own, beside], word)?;
            let below = make(func, quad(QUAD_BELOW), &[row], word)?;
            make(func, Op::Pure(Pure::Or), &[row, below], word)
        })();
        let Some(any) = any else { continue };
        func.block_mut(block).insts.splice(at..at, made);
        func.inst_mut(inst).args = Args::from_slice(&[any, zero]);
    }
    count
}

/// Whether something looks at the pixel's quad.
fn looks_at_quads(func: &Func) -> bool {
    func.blocks().any(|block| {
        func.block(block)
            .insts
            .iter()
            .any(|&inst| match func.inst(inst).op {
                Op::Quad { .. } => true,
                Op::Image(access) => match access.op {
                    ImageOp::Sample { form, .. } => matches!(form.lod, Lod::Implicit | Lod::Bias),
                    ImageOp::Lod { .. } => true,
                    _ => false,
                },
                _ => false,
            })
    })
}

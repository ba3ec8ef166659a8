//! Helper functions of the IR as functions of the module: those that the program calls, once each.

use smallvec::SmallVec;

use super::context::Cx;
use super::error::{EmitError, Fail};
use super::lanes::call;
use super::value::{Val, pack, unpack, whole_type};
use super::{host_float, pure};
use crate::ir::{self, AtomicOp, Func, Kind, Op, Pure};

/// The helpers that a function calls.
fn called(func: &Func, used: &mut [bool]) {
    for block in func.blocks() {
        for &inst in &func.block(block).insts {
            let id = match func.inst(inst).op {
                Op::Call(id)
                | Op::Atomic {
                    op: AtomicOp::Helper(id),
                    ..
                }
                | Op::LdsAtomic {
                    op: AtomicOp::Helper(id),
                    ..
                } => id,
                _ => continue,
            };
            if let Some(used) = used.get_mut(id.0 as usize) {
                *used = true;
            }
        }
    }
}

/// Emits the helpers that are called; `Cx::helpers` has an id for each of the IR module's.
pub fn helpers(cx: &mut Cx<'_>) -> Result<(), Fail> {
    let module: &ir::Module = cx.ir;
    if module.helpers.is_empty() {
        return Ok(());
    }
    let mut used = vec![false; module.helpers.len()];
    called(&module.func, &mut used);
    // A helper calls only earlier ones, so one pass from the last finds all.
    for (index, helper) in module.helpers.iter().enumerate().rev() {
        if used.get(index).copied().unwrap_or(false) {
            called(&helper.func, &mut used);
            let other = helper.fallback.map(|f| f.helper.0 as usize);
            if let Some(used) = other.and_then(|at| used.get_mut(at)) {
                *used = true;
            }
        }
    }
    for (index, helper) in module.helpers.iter().enumerate() {
        let id = cx.m.id();
        cx.helpers.push(id);
        if used.get(index).copied().unwrap_or(false) {
            cx.m.name(id, &helper.name);
            emit(cx, id, helper)?;
        }
    }
    Ok(())
}

fn emit(cx: &mut Cx<'_>, id: super::module::Id, helper: &ir::Helper) -> Result<(), Fail> {
    let func = &helper.func;
    let result_ty = whole_type(&mut cx.m, helper.result_kind());
    let mut types = Vec::new();
    for kind in helper.params() {
        types.push(whole_type(&mut cx.m, kind));
    }
    let (frame, mut open) = cx.m.begin_function(id, result_ty, &types);
    let b = &mut open;
    let block = func.block(func.entry());
    let mut values: Vec<Option<Val>> = vec![None; func.value_count()];
    for (&param, &id) in block.params.iter().zip(&frame.params) {
        values[param.index()] = Some(unpack(&mut cx.m, b, func.kind(param), id));
    }
    for &inst in &block.insts {
        let data = func.inst(inst);
        let mut args: SmallVec<[Val; 4]> = SmallVec::new();
        for arg in &data.args {
            let value = values[arg.index()];
            args.push(value.ok_or(EmitError::Malformed("a value that is not at hand"))?);
        }
        let kind = |index: usize| {
            data.args
                .get(index)
                .map_or(Kind::I32, |&arg| func.kind(arg))
        };
        let value = match data.op {
            Op::ConstBool(x) => Val::One(cx.m.const_bool(x)),
            Op::Const32(x) => Val::One(cx.m.const_u32(x)),
            Op::Const64(x) => Val::Two(cx.m.const_u32(x as u32), cx.m.const_u32((x >> 32) as u32)),
            Op::Pure(op) => pure::emit(
                &mut cx.m,
                b,
                op,
                kind(usize::from(op == Pure::Select)),
                &args,
            )?,
            Op::Host(op, ty) => host_float::emit(&mut cx.m, b, cx.profile, op, ty, &args)?,
            Op::Call(callee) => {
                let function = *cx
                    .helpers
                    .get(callee.0 as usize)
                    .ok_or(EmitError::Malformed("a helper that calls a later one"))?;
                let kind = cx
                    .ir
                    .helper(callee)
                    .map(ir::Helper::result_kind)
                    .ok_or(EmitError::Malformed("a call of an unknown helper"))?;
                call(cx, b, function, kind, &args)
            }
            _ => {
                return Err(EmitError::Malformed("an operation that a helper may not have").into());
            }
        };
        if let Some(result) = data.result {
            values[result.index()] = Some(value);
        }
    }
    let result = values[helper.result.index()];
    let result = result.ok_or(EmitError::Malformed("a helper without its result"))?;
    let mut id = pack(&mut cx.m, b, result);
    if let Some(fallback) = helper.fallback {
        let missing = EmitError::Malformed("a helper without its fallback");
        let stands = values[fallback.stands.index()].ok_or(missing)?.one()?;
        let missing = EmitError::Malformed("a helper without its fallback");
        let function = *cx.helpers.get(fallback.helper.0 as usize).ok_or(missing)?;
        let fails = cx.m.bnot(b, stands);
        let branch = cx.m.begin_if(b, fails);
        let other = cx.m.call(b, result_ty, function, &frame.params);
        let both = cx.m.end_if_values(b, branch, result_ty, &[(other, id)]);
        id = both.first().copied().unwrap_or(id);
    }
    cx.m.end_function(frame, open.ret_value(id));
    Ok(())
}

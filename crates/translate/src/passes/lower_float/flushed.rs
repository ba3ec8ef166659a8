//! Which values are never subnormal as f32: results that the guest flushed, numbers made of integers, constants,
//! and what is picked from them. Knows no lowering.

use spirdna_isa::launch::Denorm;

use crate::ir::{Const, Def, FOp, FTy, Func, Op, Pure, Value};

/// The values of a function that are never subnormal as f32, in any lane.
pub(super) struct Flushed(Vec<bool>);

impl Flushed {
    /// Looks at all values. Parameters are taken for flushed until an argument says otherwise.
    pub fn new(func: &Func) -> Flushed {
        let mut flushed = Flushed(vec![false; func.value_count()]);
        for block in func.blocks() {
            for &param in &func.block(block).params {
                flushed.set(param, block != func.entry());
            }
        }
        // The first round only finds what may be flushed; from then on, less and less is.
        let mut first = true;
        loop {
            let mut changed = std::mem::take(&mut first);
            for block in func.blocks() {
                for &inst in &func.block(block).insts {
                    if let Some(result) = func.inst(inst).result {
                        let is = flushed.made(func, result);
                        changed |= flushed.has(result) && !is;
                        flushed.set(result, is);
                    }
                }
            }
            for block in func.blocks() {
                let Some(term) = &func.block(block).term else {
                    continue;
                };
                for target in term.targets() {
                    let params = &func.block(target.block).params;
                    for (&param, &arg) in params.iter().zip(&target.args) {
                        if flushed.has(param) && !flushed.has(arg) {
                            flushed.set(param, false);
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return flushed;
            }
        }
    }

    /// Whether a value is never subnormal.
    pub fn has(&self, value: Value) -> bool {
        self.0.get(value.index()).copied().unwrap_or(false)
    }

    fn set(&mut self, value: Value, is: bool) {
        if let Some(place) = self.0.get_mut(value.index()) {
            *place = is;
        }
    }

    fn made(&self, func: &Func, value: Value) -> bool {
        let Def::Inst(inst) = func.def(value) else {
            return false;
        };
        let data = func.inst(inst);
        let constant =
            |value: Value, is: u32| func.as_const(value).is_some_and(|c| c == Const::I32(is));
        match (data.op, data.args.as_slice()) {
            (Op::Const32(bits), _) => bits << 1 == 0 || bits & 0x7f80_0000 != 0,
            (Op::Float(op, FTy::F32, mode), args) => match op {
                FOp::Rcp | FOp::Rsq | FOp::Sqrt | FOp::FromInt { .. } | FOp::Mad => true,
                FOp::FromFloat(from) => from == FTy::F16,
                FOp::Add | FOp::Mul | FOp::MulLegacy | FOp::Fma | FOp::FmaLegacy => {
                    mode.denorm == Denorm::FlushInOut
                }
                FOp::Min | FOp::Max | FOp::Med3 => mode.denorm == Denorm::FlushInOut,
                FOp::Clamp { .. } => args.iter().all(|&arg| self.has(arg)),
                _ => false,
            },
            (Op::Pure(Pure::Xor | Pure::Or), &[x, y]) => {
                self.has(x) && constant(y, 1 << 31) || self.has(y) && constant(x, 1 << 31)
            }
            (Op::Pure(Pure::And), &[x, y]) => {
                self.has(x) && constant(y, u32::MAX >> 1)
                    || self.has(y) && constant(x, u32::MAX >> 1)
            }
            (Op::Pure(Pure::Select), &[_, x, y]) => self.has(x) && self.has(y),
            (Op::ReadLane | Op::Shuffle, &[x, _]) => self.has(x),
            _ => false,
        }
    }
}

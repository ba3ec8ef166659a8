//! Guest float operations become host operations and integer operations.
//!
//! Before: any module. After: no `Op::Float` stands in the program; short lowerings stand in place, long
//! ones are calls of helpers of the module, one a (operation, type, mode). Under `Fidelity::Exact` the
//! result has the hardware's bits on every host that keeps what its profile promises; under `Fast` it has
//! what the host's operation gives. What has no lowering is refused, all of it at once, and the module is
//! left as it was. May not touch: anything else.

mod arith;
mod convert;
mod dot;
mod fast;
mod flushed;
mod format;
mod host;
mod pick;
mod quick;
mod round;
mod transcendental;
mod wide;

#[cfg(test)]
mod captured;
#[cfg(test)]
mod model;
#[cfg(test)]
pub(crate) mod sim;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirdna_isa::WaveSize;
use spirdna_isa::launch::Denorm;
use thiserror::Error;

use self::flushed::Flushed;
use self::format::{Format, Fp};
use self::host::Needs;
use self::pick::Integral;
use super::dce;
use crate::ir::module::FloatModes;
use crate::ir::{
    Args, Builder, FMode, FOp, FTy, Fallback, Func, Helper, HelperId, Inst, Kind, Loc, Module, Op,
    Ty, Value, typing,
};
use crate::options::{Fidelity, Nans};
use crate::passes::replaced::Replaced;
use crate::profile::HostProfile;

/// A guest float operation that has no lowering for this host and fidelity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("pc 0x{:04x}: {op} has no exact lowering on this host", loc.0, op = Op::Float(*op, *ty, *mode))]
pub struct UnsupportedFloat {
    /// The guest instruction.
    pub loc: Loc,
    /// The operation.
    pub op: FOp,
    /// Its type.
    pub ty: FTy,
    /// Its mode.
    pub mode: FMode,
}

impl UnsupportedFloat {
    /// The operation in words.
    pub const fn what(&self) -> &'static str {
        match self.op {
            FOp::Rcp => "reciprocal",
            FOp::Rsq => "reciprocal square root",
            FOp::Sqrt => "square root",
            FOp::Exp2 => "exponential",
            FOp::Log2 => "logarithm",
            FOp::Sin => "sine",
            FOp::Cos => "cosine",
            _ => "float operation",
        }
    }
}

/// Instructions up to which a lowering stands in place of the operation.
const INLINE: usize = 12;

/// Runs the pass; gives the number of operations lowered.
///
/// # Errors
/// Every operation that has no lowering.
pub fn run(
    module: &mut Module,
    profile: &HostProfile,
    fidelity: Fidelity,
    nans: Nans,
) -> Result<usize, Vec<UnsupportedFloat>> {
    let target = Target {
        profile,
        fidelity,
        nans,
    };
    let mut plans: FxHashMap<(Op, Mask), Option<Plan>> = FxHashMap::default();
    // Looked for where an operation depends on it.
    let mut flushed: Option<Flushed> = None;
    let mut refused = Vec::new();
    let mut relied_on = Needs::default();
    let mut floats = 0;
    let func = &module.func;
    for block in func.blocks() {
        let head = func.head_of(block);
        for &inst in &func.block(block).insts[head..] {
            let data = func.inst(inst);
            let Op::Float(op, ty, mode) = data.op else {
                continue;
            };
            floats += 1;
            if target.is_short(op, ty, data.args.len()) {
                continue;
            }
            let flushed = flushed.get_or_insert_with(|| Flushed::new(func));
            let known = mask(flushed, op, ty, mode, &data.args);
            let plan = plans.entry((data.op, known)).or_insert_with(|| {
                let kinds: SmallVec<[Kind; 4]> = data.args.iter().map(|&v| func.kind(v)).collect();
                target.plan(op, ty, mode, &kinds, known, func.wave(), &mut relied_on)
            });
            if plan.is_none() {
                refused.push(UnsupportedFloat {
                    loc: data.loc,
                    op,
                    ty,
                    mode,
                });
            }
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    if floats == 0 {
        return Ok(0);
    }
    let values = module.func.value_count();
    let mut same = Replaced::default();
    for block in module.func.blocks() {
        let func = &module.func;
        let is_float = |&inst: &Inst| matches!(func.inst(inst).op, Op::Float(..));
        let Some(first) = func.block(block).insts.iter().position(is_float) else {
            continue;
        };
        let old = module.func.block_mut(block).insts.split_off(first);
        let helpers = &mut module.helpers;
        let mut b = Builder::at(&mut module.func, block);
        for inst in old {
            let data = b.func().inst(inst);
            let (Op::Float(op, ty, mode), Some(result)) = (data.op, data.result) else {
                b.func_mut().block_mut(block).insts.push(inst);
                continue;
            };
            let (full_op, loc) = (data.op, data.loc);
            let args: Args = data.args.iter().map(|&v| same.resolve(v)).collect();
            b.func_mut().set_loc(loc);
            let value = if target.is_short(op, ty, args.len()) {
                target.lower_known(&mut b, op, ty, mode, &args, 0, &mut relied_on)
            } else {
                let kind = b.ty(result).kind;
                let of = |flushed| mask(flushed, op, ty, mode, &b.func().inst(inst).args);
                let known = flushed.as_ref().map_or(0, of);
                match plans.get_mut(&(full_op, known)) {
                    Some(Some(Plan::Inline)) => {
                        target.lower_known(&mut b, op, ty, mode, &args, known, &mut relied_on)
                    }
                    Some(Some(plan @ Plan::Calls(_))) => {
                        let id = plan.place(helpers);
                        id.map(|id| b.call(id, kind, &args))
                    }
                    Some(Some(Plan::Call(id))) => Some(b.call(*id, kind, &args)),
                    Some(None) | None => None,
                }
            };
            if let Some(value) = value {
                same.insert(result, value, values);
            }
        }
    }
    module.func.map_uses(|v| same.resolve(v));
    let mut declared = Needs {
        f16: module.float_modes.f16,
        f32: module.float_modes.f32,
        f64: module.float_modes.f64,
    };
    declared.join(&relied_on);
    module.float_modes = FloatModes {
        f16: declared.f16,
        f32: declared.f32,
        f64: declared.f64,
    };
    Ok(floats)
}

/// Which operands are never subnormal, by bits: f32 ones that the operation would flush.
type Mask = u8;

fn mask(flushed: &Flushed, op: FOp, ty: FTy, mode: FMode, args: &[Value]) -> Mask {
    let floats = !matches!(
        op,
        FOp::FromInt { .. } | FOp::FromFloat(_) | FOp::Ldexp | FOp::Class | FOp::Dot2
    );
    if ty != FTy::F32 || !floats || !mode.denorm.flushes_in() {
        return 0;
    }
    let bits = args.iter().take(3).enumerate();
    bits.fold(0, |mask, (i, &arg)| mask | u8::from(flushed.has(arg)) << i)
}

/// How an operation is lowered.
enum Plan {
    /// In place.
    Inline,
    /// By a call of the last of these functions, which are not in the module yet; it falls back on the one
    /// before.
    Calls(Vec<Helper>),
    /// By a call.
    Call(HelperId),
}

impl Plan {
    /// Puts its functions into the module, unless ones of their names are there.
    fn place(&mut self, helpers: &mut Vec<Helper>) -> Option<HelperId> {
        let Plan::Calls(list) = self else {
            return None;
        };
        let mut last: Option<HelperId> = None;
        for mut helper in std::mem::take(list) {
            if let (Some(fallback), Some(before)) = (&mut helper.fallback, last) {
                fallback.helper = before;
            }
            let at = helpers.iter().position(|h| h.name == helper.name);
            let at = at.unwrap_or_else(|| {
                helpers.push(helper);
                helpers.len() - 1
            });
            last = Some(HelperId(at as u32));
        }
        if let Some(id) = last {
            *self = Plan::Call(id);
        }
        last
    }
}

/// A function of a helper, and its parameters.
fn taking(kinds: &[Kind], wave: WaveSize) -> (Func, Args) {
    let mut func = Func::new(wave);
    let entry = func.entry();
    let args = kinds
        .iter()
        .map(|&kind| func.add_param(entry, Ty::uniform(kind)))
        .collect();
    (func, args)
}

/// Instructions of a function.
fn len(helper: &Helper) -> usize {
    let func = &helper.func;
    func.block(func.entry()).insts.len() - func.head_len()
}

/// What is lowered for.
#[derive(Clone, Copy)]
struct Target<'a> {
    profile: &'a HostProfile,
    fidelity: Fidelity,
    nans: Nans,
}

impl Target<'_> {
    /// Whether an operation of so many arguments surely stands in place, whatever is known of them.
    fn is_short(&self, op: FOp, ty: FTy, args: usize) -> bool {
        self.fidelity == Fidelity::Fast && fast::is_short(self.profile, op, ty, args)
    }

    /// An operation as a helper function without a name, and what it relies on; `None` where it has no lowering.
    fn helper(
        &self,
        op: FOp,
        ty: FTy,
        mode: FMode,
        kinds: &[Kind],
        wave: WaveSize,
    ) -> Option<(Helper, Needs)> {
        self.known_helper(op, ty, mode, kinds, 0, wave)
    }

    /// The same, where some operands are known never to be subnormal.
    fn known_helper(
        &self,
        op: FOp,
        ty: FTy,
        mode: FMode,
        kinds: &[Kind],
        known: Mask,
        wave: WaveSize,
    ) -> Option<(Helper, Needs)> {
        let (mut func, args) = taking(kinds, wave);
        let mut b = Builder::new(&mut func);
        let mut needs = Needs::default();
        let result = self.lower_known(&mut b, op, ty, mode, &args, known, &mut needs)?;
        b.ret();
        dce::run_in(&mut dce::Room::default(), &mut func, &[result]);
        Some((
            Helper {
                name: String::new(),
                func,
                result,
                fallback: None,
            },
            needs,
        ))
    }

    /// Its short way, with a fallback that the caller fills in.
    fn quick(
        &self,
        op: FOp,
        ty: FTy,
        mode: FMode,
        kinds: &[Kind],
        known: Mask,
        wave: WaveSize,
    ) -> Option<(Helper, Needs)> {
        // What folds zeros is llvmpipe, where both sides of a branch are executed anyway.
        if self.fidelity != Fidelity::Exact || self.profile.folds_zeros {
            return None;
        }
        let (mut func, args) = taking(kinds, wave);
        let mut b = Builder::new(&mut func);
        let mut needs = Needs::default();
        let mut fp = self.fp(&mut b, ty, mode, &args, known);
        let (result, stands) = quick::lower(&mut fp, self.profile, op, &args, &mut needs)?;
        b.ret();
        dce::run_in(&mut dce::Room::default(), &mut func, &[result, stands]);
        let fallback = Some(Fallback {
            stands,
            helper: HelperId(0),
        });
        Some((
            Helper {
                name: String::new(),
                func,
                result,
                fallback,
            },
            needs,
        ))
    }

    /// How an operation is lowered; `None` where it cannot be.
    #[allow(
        clippy::too_many_arguments,
        reason = "an operation and what is known of it"
    )]
    fn plan(
        &self,
        op: FOp,
        ty: FTy,
        mode: FMode,
        kinds: &[Kind],
        known: Mask,
        wave: WaveSize,
        relied_on: &mut Needs,
    ) -> Option<Plan> {
        let (mut whole, needs) = self.known_helper(op, ty, mode, kinds, known, wave)?;
        if len(&whole) <= INLINE {
            relied_on.join(&needs);
            return Some(Plan::Inline);
        }
        let plain = name(op, ty, mode);
        let of = |known: Mask| match known {
            0 => String::new(),
            known => format!("_{known}"),
        };
        let quick = self.quick(op, ty, mode, kinds, known, wave);
        if let Some((mut quick, more)) = quick.filter(|(quick, _)| len(quick) + 2 < len(&whole)) {
            // The long way knows nothing of operands, so that there is one of it.
            let (mut long, needs) = self.helper(op, ty, mode, kinds, wave)?;
            relied_on.join(&needs);
            relied_on.join(&more);
            quick.name = format!("{plain}_quick{}", of(known));
            long.name = plain;
            return Some(Plan::Calls(vec![long, quick]));
        }
        // What is known of operands must save a quarter to be worth a function of its own.
        if known != 0 {
            let (mut general, needs) = self.helper(op, ty, mode, kinds, wave)?;
            if len(&whole) * 4 > len(&general) * 3 {
                relied_on.join(&needs);
                general.name = plain;
                return Some(Plan::Calls(vec![general]));
            }
        }
        relied_on.join(&needs);
        whole.name = plain + &of(known);
        Some(Plan::Calls(vec![whole]))
    }

    fn fp<'b, 'f>(
        &self,
        b: &'b mut Builder<'f>,
        ty: FTy,
        mode: FMode,
        args: &[Value],
        known: Mask,
    ) -> Fp<'b, 'f> {
        let mut fp = Fp::new(b, Format::of(ty), mode, self.nans);
        let flushed = args.iter().enumerate().filter(|(i, _)| known >> i & 1 != 0);
        fp.flushed = flushed.map(|(_, &arg)| arg).collect();
        fp.all_flushed = fp.flushed.len() == args.len();
        fp
    }

    /// An operation in place; `None` where it has no lowering.
    fn lower(
        &self,
        b: &mut Builder<'_>,
        op: FOp,
        ty: FTy,
        mode: FMode,
        args: &[Value],
        needs: &mut Needs,
    ) -> Option<Value> {
        self.lower_known(b, op, ty, mode, args, 0, needs)
    }

    /// The same, where some operands are known never to be subnormal.
    #[allow(
        clippy::too_many_arguments,
        reason = "an operation and what is known of it"
    )]
    fn lower_known(
        &self,
        b: &mut Builder<'_>,
        op: FOp,
        ty: FTy,
        mode: FMode,
        args: &[Value],
        known: Mask,
        needs: &mut Needs,
    ) -> Option<Value> {
        match self.fidelity {
            Fidelity::Fast => {
                let fast = fast::lower(b, self.profile, op, ty, mode, args, needs);
                fast.or_else(|| self.by_integers(b, op, ty, mode, args, known))
            }
            Fidelity::Exact => {
                let mut fp = self.fp(b, ty, mode, args, known);
                if op == FOp::Mad {
                    fp.mode.denorm = Denorm::FlushInOut;
                    let &[x, y, z] = args else { return None };
                    let mode = fp.mode;
                    let product = self.lower(b, FOp::Mul, ty, mode, &[x, y], needs)?;
                    return self.lower(b, FOp::Add, ty, mode, &[product, z], needs);
                }
                let host = host::lower(&mut fp, self.profile, op, args, needs);
                host.or_else(|| self.by_integers(b, op, ty, mode, args, known))
            }
        }
    }

    /// An operation by integers alone.
    fn by_integers(
        &self,
        b: &mut Builder<'_>,
        op: FOp,
        ty: FTy,
        mode: FMode,
        args: &[Value],
        known: Mask,
    ) -> Option<Value> {
        let f = Format::of(ty);
        let mut fp = self.fp(b, ty, mode, args, known);
        Some(match (op, args) {
            (FOp::Add, &[x, y]) => fp.add(x, y),
            (FOp::Mul, &[x, y]) => fp.mul(x, y, false),
            (FOp::MulLegacy, &[x, y]) => fp.mul(x, y, true),
            (FOp::Fma, &[x, y, z]) => fp.fma(x, y, z, false),
            (FOp::FmaLegacy, &[x, y, z]) => fp.fma(x, y, z, true),
            (FOp::Mad, &[x, y, z]) => {
                fp.mode.denorm = Denorm::FlushInOut;
                let product = fp.mul(x, y, false);
                fp.add(product, z)
            }
            (FOp::Min, &[x, y]) => fp.min_max(x, y, false),
            (FOp::Max, &[x, y]) => fp.min_max(x, y, true),
            (FOp::Med3, &[x, y, z]) => fp.med3(x, y, z),
            (FOp::Trunc, &[x]) => fp.integral(x, Integral::Trunc),
            (FOp::Ceil, &[x]) => fp.integral(x, Integral::Ceil),
            (FOp::Floor, &[x]) => fp.integral(x, Integral::Floor),
            (FOp::Rndne, &[x]) => fp.integral(x, Integral::Even),
            (FOp::Fract, &[x]) => fp.fract(x),
            (FOp::FrexpMant, &[x]) => fp.frexp_mant(x),
            (FOp::FrexpExp, &[x]) => fp.frexp_exp(x),
            (FOp::Ldexp, &[x, n]) => fp.ldexp(x, n),
            (FOp::Lt, &[x, y]) => fp.less(x, y, false),
            (FOp::Le, &[x, y]) => fp.less(x, y, true),
            (FOp::Eq, &[x, y]) => fp.equal(x, y),
            (FOp::Unordered, &[x, y]) => fp.unordered(x, y),
            (FOp::Class, &[x, mask]) => fp.class(x, mask),
            (FOp::Clamp { dx10 }, &[x]) => fp.clamp(x, dx10),
            (FOp::Omod(n), &[x]) => fp.omod(x, n),
            (FOp::FromFloat(from), &[x]) => convert::convert(b, Format::of(from), f, mode, x),
            (FOp::FromInt { signed }, &[x]) => fp.int_to_float(x, signed),
            (FOp::ToInt { signed }, &[x]) => fp.float_to_int(x, signed),
            (FOp::FmaScaled, &[x, y, z, n]) => fp.fma_scaled(x, y, z, Some(n), false),
            (FOp::Dot2, &[x, y, z]) if ty == FTy::F32 => fp.dot2(x, y, z),
            (FOp::Rcp, &[x]) => fp.rcp(x),
            (FOp::Sqrt, &[x]) => fp.sqrt(x),
            (FOp::Rsq, &[x]) => fp.rsq(x),
            (FOp::Exp2, &[x]) => return fp.exp2(x),
            (FOp::Log2, &[x]) => return fp.log2(x),
            (FOp::Sin, &[x]) => return fp.circle(x, false),
            (FOp::Cos, &[x]) => return fp.circle(x, true),
            // Arguments that do not fit: the verifier has refused the module.
            _ => return None,
        })
    }
}

/// A name for a helper, one for each operation, type and mode.
fn name(op: FOp, ty: FTy, mode: FMode) -> String {
    let text = Op::Float(op, ty, mode).to_string().to_lowercase();
    text.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}

/// Kinds of an operation's arguments, for tests and tools that call helpers directly.
pub fn arg_kinds(op: FOp, ty: FTy) -> SmallVec<[Kind; 4]> {
    let f = typing::float_kind(ty);
    match op {
        FOp::Add | FOp::Mul | FOp::MulLegacy | FOp::Min | FOp::Max => SmallVec::from_slice(&[f, f]),
        FOp::Lt | FOp::Eq | FOp::Le | FOp::Unordered => SmallVec::from_slice(&[f, f]),
        FOp::Fma | FOp::Mad | FOp::FmaLegacy | FOp::Med3 => SmallVec::from_slice(&[f, f, f]),
        FOp::Dot2 => SmallVec::from_slice(&[Kind::I32, Kind::I32, f]),
        FOp::FmaScaled => SmallVec::from_slice(&[f, f, f, Kind::I32]),
        FOp::Ldexp | FOp::Class => SmallVec::from_slice(&[f, Kind::I32]),
        FOp::FromFloat(from) => SmallVec::from_slice(&[typing::float_kind(from)]),
        FOp::FromInt { .. } => SmallVec::from_slice(&[Kind::I32]),
        FOp::Trunc
        | FOp::Ceil
        | FOp::Rndne
        | FOp::Floor
        | FOp::Fract
        | FOp::Rcp
        | FOp::Rsq
        | FOp::Sqrt
        | FOp::Exp2
        | FOp::Log2
        | FOp::Sin
        | FOp::Cos
        | FOp::FrexpMant
        | FOp::FrexpExp
        | FOp::Clamp { .. }
        | FOp::Omod(_)
        | FOp::ToInt { .. } => SmallVec::from_slice(&[f]),
    }
}

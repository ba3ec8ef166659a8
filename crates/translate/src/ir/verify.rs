//! Well-formedness. A function that fails here is our bug, never the guest's. Checked:
//!
//! 1. Every id (value, instruction, block) exists; an instruction stands in one place; a value's
//!    definition names the instruction or the parameter that makes it.
//! 2. Every block has a terminator; nothing goes to the entry block, which has no parameters (in a
//!    helper it has, and there is no other block). Constants and inputs stand at its head, and only
//!    they, and nowhere else.
//! 3. Every operation takes its arguments: number, kinds, shapes (`typing.rs`); its result has the type
//!    that the operation gives, or is per-lane where the operation gives a uniform one.
//! 4. A target has one argument a parameter, of its kind; a uniform parameter has uniform arguments.
//! 5. A branch condition is a uniform Bool, a switch value a uniform I32, a switch has a target. Where lanes
//!    part they may be per-lane.
//! 6. A value is used only where its definition dominates (in blocks that can be reached).
//! 7. A call names a helper of the module, in a helper an earlier one, with arguments of its kinds.
//!    A helper is one block of uniform values and of operations that need neither lanes nor memory.

use smallvec::SmallVec;
use spirdna_isa::WaveSize;
use thiserror::Error;

use super::dom::Dominators;
use super::func::{Block, Def, Func, Inst, Target, Terminator, Value};
use super::module::{Helper, Module};
use super::op::{HelperId, Op};
use super::types::{Kind, Ty};
use super::typing::{self, TypeError};

/// A broken rule. Always a bug of the translator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The function is for another wave size.
    #[error("function is for wave{found}, not wave{expected}")]
    Wave {
        /// Wave size asked for.
        expected: u32,
        /// The function's.
        found: u32,
    },
    /// An instruction id that does not exist, or a second place for an instruction.
    #[error("{block}: instruction {inst} is unknown or stands in two places")]
    Inst {
        /// Where.
        block: Block,
        /// The instruction.
        inst: Inst,
    },
    /// A constant or input that is not at the head of the entry block, or something else there.
    #[error(
        "{block}: {inst} is a constant or input outside the entry's head, or another operation in it"
    )]
    Head {
        /// Where.
        block: Block,
        /// The instruction.
        inst: Inst,
    },
    /// A value that does not exist.
    #[error("{block}: unknown value {value}")]
    UnknownValue {
        /// Where.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A value whose definition is not where it says.
    #[error("{block}: {value} is not defined where its record says")]
    Definition {
        /// Where it is made.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A block without a terminator.
    #[error("{0} has no terminator")]
    Open(Block),
    /// The entry block has parameters, or something goes to it.
    #[error("{0}: the entry block has parameters or is a target")]
    Entry(Block),
    /// A target that does not exist.
    #[error("{from}: unknown target {to}")]
    UnknownBlock {
        /// The block that ends so.
        from: Block,
        /// The target.
        to: Block,
    },
    /// Wrong number of arguments of a target.
    #[error("{from}: {to} takes {expected} arguments, has {found}")]
    TargetArity {
        /// The block that ends so.
        from: Block,
        /// The target.
        to: Block,
        /// Parameters.
        expected: usize,
        /// Arguments.
        found: usize,
    },
    /// An argument of a target that its parameter does not take.
    #[error("{from}: argument {index} of {to} is {found}, the parameter is {expected}")]
    TargetType {
        /// The block that ends so.
        from: Block,
        /// The target.
        to: Block,
        /// Argument, from 0.
        index: usize,
        /// The parameter's type.
        expected: Ty,
        /// The argument's type.
        found: Ty,
    },
    /// What decides the terminator has the wrong type.
    #[error("{block}: decided by {value}, which is {found}, not {expected}")]
    Decider {
        /// The block.
        block: Block,
        /// The value.
        value: Value,
        /// Type wanted.
        expected: Ty,
        /// Type found.
        found: Ty,
    },
    /// A switch without targets.
    #[error("{0}: switch without targets")]
    EmptySwitch(Block),
    /// An operation does not take its arguments.
    #[error("{block}: {inst} ({op}): {error}")]
    Type {
        /// The block.
        block: Block,
        /// The instruction.
        inst: Inst,
        /// Its operation.
        op: Op,
        /// The rule.
        error: TypeError,
    },
    /// A result of another type than the operation gives.
    #[error("{block}: {inst} ({op}) gives {expected:?}, its result is {found:?}")]
    Result {
        /// The block.
        block: Block,
        /// The instruction.
        inst: Inst,
        /// Its operation.
        op: Op,
        /// What the operation gives.
        expected: Option<Ty>,
        /// The result's type.
        found: Option<Ty>,
    },
    /// A use that the definition does not dominate.
    #[error("{block}: {value} is used where its definition does not dominate")]
    Dominance {
        /// The block of the use.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A call of a helper that is not there, or not before the calling helper.
    #[error("{block}: call of unknown helper h{}", helper.0)]
    Helper {
        /// The block.
        block: Block,
        /// The helper.
        helper: HelperId,
    },
    /// A helper that is more than one block of uniform values and plain operations.
    #[error("helper h{}: not one block of plain operations on uniform values", helper.0)]
    HelperForm {
        /// The helper.
        helper: HelperId,
    },
}

/// Verifies a function for a wave size. Calls are taken at their word: `verify_module` checks them.
///
/// # Errors
/// The first broken rule.
pub fn verify(func: &Func, wave: WaveSize) -> Result<(), VerifyError> {
    Checker {
        func,
        wave,
        helpers: None,
        is_helper: None,
    }
    .run()
}

/// Verifies a module: its helpers and its program.
///
/// # Errors
/// The first broken rule.
pub fn verify_module(module: &Module) -> Result<(), VerifyError> {
    for (i, helper) in module.helpers.iter().enumerate() {
        let id = HelperId(i as u32);
        Checker {
            func: &helper.func,
            wave: helper.func.wave(),
            helpers: Some((module, i)),
            is_helper: Some(id),
        }
        .run()?;
        if helper.result.index() >= helper.func.value_count() {
            return Err(VerifyError::HelperForm { helper: id });
        }
        if let Some(fallback) = helper.fallback {
            let same = |other: &Helper| {
                other.params().eq(helper.params()) && other.result_kind() == helper.result_kind()
            };
            let fits = fallback.stands.index() < helper.func.value_count()
                && helper.func.kind(fallback.stands) == Kind::Bool
                && fallback.helper < id
                && module.helper(fallback.helper).is_some_and(same);
            if !fits {
                return Err(VerifyError::HelperForm { helper: id });
            }
        }
    }
    let all = module.helpers.len();
    Checker {
        func: &module.func,
        wave: module.wave,
        helpers: Some((module, all)),
        is_helper: None,
    }
    .run()
}

struct Checker<'a> {
    func: &'a Func,
    wave: WaveSize,
    /// The module, and how many of its helpers may be called.
    helpers: Option<(&'a Module, usize)>,
    is_helper: Option<HelperId>,
}

impl Checker<'_> {
    fn run(&self) -> Result<(), VerifyError> {
        let func = self.func;
        if func.wave() != self.wave {
            return Err(VerifyError::Wave {
                expected: self.wave.lanes(),
                found: func.wave().lanes(),
            });
        }
        self.ids()?;
        let entry = func.entry();
        if self.is_helper.is_none() && !func.block(entry).params.is_empty() {
            return Err(VerifyError::Entry(entry));
        }
        for block in func.blocks() {
            for &inst in &func.block(block).insts {
                self.instruction(block, inst)?;
            }
            match &func.block(block).term {
                Some(term) => self.terminator(block, term)?,
                None => return Err(VerifyError::Open(block)),
            }
        }
        if let Some(helper) = self.is_helper {
            self.helper_form(helper)?;
        }
        self.dominance()
    }

    /// Ids exist, instructions stand once, definitions are where they say.
    fn ids(&self) -> Result<(), VerifyError> {
        let func = self.func;
        let mut placed = vec![false; func.inst_count()];
        let known = |block, value: Value| {
            if value.index() < func.value_count() {
                Ok(())
            } else {
                Err(VerifyError::UnknownValue { block, value })
            }
        };
        for block in func.blocks() {
            let data = func.block(block);
            for (i, &param) in data.params.iter().enumerate() {
                known(block, param)?;
                if func.def(param) != Def::Param(block, i as u32) {
                    return Err(VerifyError::Definition {
                        block,
                        value: param,
                    });
                }
            }
            for (i, &inst) in data.insts.iter().enumerate() {
                match placed.get_mut(inst.index()) {
                    Some(seen) if !*seen => *seen = true,
                    _ => return Err(VerifyError::Inst { block, inst }),
                }
                let data = func.inst(inst);
                let constant = matches!(
                    data.op,
                    Op::ConstBool(_) | Op::Const32(_) | Op::Const64(_) | Op::Input(_)
                );
                if constant != (block == func.entry() && i < func.head_len()) {
                    return Err(VerifyError::Head { block, inst });
                }
                for &arg in &data.args {
                    known(block, arg)?;
                }
                if let Some(result) = data.result {
                    known(block, result)?;
                    if func.def(result) != Def::Inst(inst) {
                        return Err(VerifyError::Definition {
                            block,
                            value: result,
                        });
                    }
                }
            }
            if let Some(term) = &data.term {
                let mut unknown = None;
                term.for_each_value(|v| {
                    if v.index() >= func.value_count() {
                        unknown.get_or_insert(v);
                    }
                });
                if let Some(value) = unknown {
                    return Err(VerifyError::UnknownValue { block, value });
                }
                for target in term.targets() {
                    if target.block.index() >= func.block_count() {
                        return Err(VerifyError::UnknownBlock {
                            from: block,
                            to: target.block,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    fn instruction(&self, block: Block, inst: Inst) -> Result<(), VerifyError> {
        let func = self.func;
        let data = func.inst(inst);
        let types: SmallVec<[Ty; 4]> = data.args.iter().map(|&v| func.ty(v)).collect();
        let found = data.result.map(|v| func.ty(v));
        let expected = match data.op {
            Op::Call(helper) => self.call(block, inst, helper, &types, found)?,
            op => typing::infer(&op, &types, self.wave).map_err(|error| VerifyError::Type {
                block,
                inst,
                op,
                error,
            })?,
        };
        let fits = match (expected, found) {
            (None, None) => true,
            // A pass may find out that a per-lane argument was uniform and keep the result per-lane.
            // In a function of one lane everything is uniform.
            (Some(e), Some(f)) => {
                e.kind == f.kind && (e.shape == f.shape || f.is_lane() || func.is_one_lane())
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(VerifyError::Result {
                block,
                inst,
                op: data.op,
                expected,
                found,
            })
        }
    }

    fn call(
        &self,
        block: Block,
        inst: Inst,
        helper: HelperId,
        types: &[Ty],
        found: Option<Ty>,
    ) -> Result<Option<Ty>, VerifyError> {
        let shape = typing::join(types);
        let Some((module, callable)) = self.helpers else {
            return Ok(found.map(|ty| Ty {
                kind: ty.kind,
                shape,
            }));
        };
        let callee = module
            .helper(helper)
            .filter(|_| (helper.0 as usize) < callable)
            .ok_or(VerifyError::Helper { block, helper })?;
        let op = Op::Call(helper);
        let params: Vec<Kind> = callee.params().collect();
        if params.len() != types.len() {
            let error = TypeError::Arity {
                expected: params.len(),
                found: types.len(),
            };
            return Err(VerifyError::Type {
                block,
                inst,
                op,
                error,
            });
        }
        for (index, (&expected, ty)) in params.iter().zip(types).enumerate() {
            if expected != ty.kind {
                let error = TypeError::Kind {
                    index,
                    expected,
                    found: ty.kind,
                };
                return Err(VerifyError::Type {
                    block,
                    inst,
                    op,
                    error,
                });
            }
        }
        Ok(Some(Ty {
            kind: callee.result_kind(),
            shape,
        }))
    }

    fn terminator(&self, block: Block, term: &Terminator) -> Result<(), VerifyError> {
        let decided = match term {
            Terminator::Branch { cond, .. } => Some((*cond, Ty::uniform(Kind::Bool))),
            Terminator::Switch { value, targets } => {
                if targets.is_empty() {
                    return Err(VerifyError::EmptySwitch(block));
                }
                Some((*value, Ty::uniform(Kind::I32)))
            }
            Terminator::Jump(_) | Terminator::Return | Terminator::Barrier(_) => None,
        };
        if let Some((value, expected)) = decided {
            let found = self.func.ty(value);
            let own = found.kind == expected.kind && self.func.has_apart();
            if found != expected && !own {
                return Err(VerifyError::Decider {
                    block,
                    value,
                    expected,
                    found,
                });
            }
        }
        for target in term.targets() {
            self.target(block, target)?;
        }
        Ok(())
    }

    fn target(&self, from: Block, target: &Target) -> Result<(), VerifyError> {
        let to = target.block;
        if to == self.func.entry() {
            return Err(VerifyError::Entry(from));
        }
        let params = &self.func.block(to).params;
        if params.len() != target.args.len() {
            return Err(VerifyError::TargetArity {
                from,
                to,
                expected: params.len(),
                found: target.args.len(),
            });
        }
        for (index, (&param, &arg)) in params.iter().zip(&target.args).enumerate() {
            let (expected, found) = (self.func.ty(param), self.func.ty(arg));
            if expected.kind != found.kind || (found.is_lane() && !expected.is_lane()) {
                return Err(VerifyError::TargetType {
                    from,
                    to,
                    index,
                    expected,
                    found,
                });
            }
        }
        Ok(())
    }

    fn helper_form(&self, helper: HelperId) -> Result<(), VerifyError> {
        let func = self.func;
        let data = func.block(func.entry());
        let plain = |op: &Op| {
            matches!(
                op,
                Op::ConstBool(_)
                    | Op::Const32(_)
                    | Op::Const64(_)
                    | Op::Pure(_)
                    | Op::Host(..)
                    | Op::Call(_)
            )
        };
        let uniform = data.params.iter().all(|&v| {
            let ty = func.ty(v);
            !ty.is_lane() && ty.kind != Kind::Ptr
        });
        let fits = func.block_count() == 1
            && data.term == Some(Terminator::Return)
            && uniform
            && data.insts.iter().all(|&inst| plain(&func.inst(inst).op));
        if fits {
            Ok(())
        } else {
            Err(VerifyError::HelperForm { helper })
        }
    }

    fn dominance(&self) -> Result<(), VerifyError> {
        let func = self.func;
        let doms = Dominators::new(func);
        // Where each value is made: block, and position in it (0 for parameters). A value made in no
        // block at all stays `None`.
        let mut made: Vec<Option<(Block, usize)>> = vec![None; func.value_count()];
        for block in func.blocks() {
            let data = func.block(block);
            for &param in &data.params {
                made[param.index()] = Some((block, 0));
            }
            for (i, &inst) in data.insts.iter().enumerate() {
                if let Some(result) = func.inst(inst).result {
                    made[result.index()] = Some((block, i + 1));
                }
            }
        }
        let check = |block: Block, position: usize, value: Value| match made[value.index()] {
            Some((home, at)) if home == block => at < position,
            Some((home, _)) => doms.dominates(home, block),
            None => false,
        };
        for &block in doms.order() {
            let data = func.block(block);
            for (i, &inst) in data.insts.iter().enumerate() {
                for &arg in &func.inst(inst).args {
                    if !check(block, i + 1, arg) {
                        return Err(VerifyError::Dominance { block, value: arg });
                    }
                }
            }
            let mut bad = None;
            if let Some(term) = &data.term {
                term.for_each_value(|v| {
                    if !check(block, usize::MAX, v) {
                        bad.get_or_insert(v);
                    }
                });
            }
            if let Some(value) = bad {
                return Err(VerifyError::Dominance { block, value });
            }
        }
        Ok(())
    }
}

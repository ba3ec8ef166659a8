//! Comparisons and masks that the greatest possible values and the low zeros decide become constants, and
//! what follows from them folds.
//!
//! Lift guards every access of LDS and every record of a buffer, and takes apart what may not be aligned;
//! thread ids, lane ids, shifts and masks often show that an offset is in range, and a multiple of four.
//!
//! Before: any module. After: no unsigned comparison, mask, bit field or minimum in the program is decided
//! by which bits its arguments can have (as far as one walk over their makings shows); pure instructions
//! whose arguments became simpler are as simple as the builder makes them; no access whose guard was found
//! false is left. May not touch: other effects but for their arguments, flow, helpers.

use crate::ir::dom::Dominators;
use crate::ir::{Args, Builder, Const, Func, Input, Inst, Kind, MemWidth, Module, Op, Pure, Value};
use crate::passes::replaced::Replaced;

/// What the launch says of inputs.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Threads of a workgroup by axis; `None`: lanes past the last thread have ids past the end.
    local: [Option<u32>; 3],
    /// Waves of a workgroup.
    waves: u32,
    lanes: u32,
}

impl Limits {
    /// Nothing is known of inputs but the lanes of a wave.
    pub const fn unknown(lanes: u32) -> Limits {
        Limits {
            local: [None; 3],
            waves: u32::MAX,
            lanes,
        }
    }

    /// Of a module.
    pub fn of(module: &Module) -> Limits {
        let lanes = module.wave.lanes();
        let full = module.threads().is_multiple_of(u64::from(lanes));
        let outer = |axis: usize| module.local.iter().skip(axis + 1).any(|&n| n > 1);
        Limits {
            local: [0, 1, 2].map(|axis| {
                let size = module.local[axis];
                (size > 0 && (full || outer(axis))).then_some(size)
            }),
            waves: u32::try_from(module.waves()).unwrap_or(u32::MAX),
            lanes,
        }
    }
}

/// All bits up to the highest one of x.
fn ones(x: u32) -> u32 {
    u32::MAX.checked_shr(x.leading_zeros()).unwrap_or(0)
}

/// What is known of an I32.
#[derive(Clone, Copy, Debug)]
struct Known {
    greatest: u32,
    /// Bits from the lowest on that are 0; of 0 all.
    zeros: u32,
}

impl Known {
    const NOTHING: Known = Known {
        greatest: u32::MAX,
        zeros: 0,
    };

    const fn exactly(x: u32) -> Known {
        Known {
            greatest: x,
            zeros: x.trailing_zeros(),
        }
    }

    const fn at_most(greatest: u32) -> Known {
        Known { greatest, zeros: 0 }
    }

    /// The bits that can be set.
    fn possible(self) -> u32 {
        ones(self.greatest) & u32::MAX.checked_shl(self.zeros).unwrap_or(0)
    }

    /// One of the two.
    fn either(self, other: Known) -> Known {
        Known {
            greatest: self.greatest.max(other.greatest),
            zeros: self.zeros.min(other.zeros),
        }
    }
}

/// What is known of I32s.
struct Values<'a> {
    limits: &'a Limits,
    known: Vec<Known>,
}

impl Values<'_> {
    fn of(&self, func: &Func, value: Value) -> Known {
        match func.as_const(value) {
            Some(Const::I32(x)) => Known::exactly(x),
            _ => self
                .known
                .get(value.index())
                .copied()
                .unwrap_or(Known::NOTHING),
        }
    }

    fn note(&mut self, func: &Func, value: Value) {
        if func.kind(value) != Kind::I32 {
            return;
        }
        let known = self.made(func, value);
        if self.known.len() <= value.index() {
            self.known.resize(value.index() + 1, Known::NOTHING);
        }
        self.known[value.index()] = known;
    }

    fn made(&self, func: &Func, value: Value) -> Known {
        let Some(data) = func.def_inst(value) else {
            return Known::NOTHING;
        };
        let of = |v: Value| self.of(func, v);
        let constant = |v: Value| func.as_const(v).map(|c| c.bits() as u32);
        match (&data.op, data.args.as_slice()) {
            (Op::Const32(x), _) => Known::exactly(*x),
            (Op::Input(input), _) => Known::at_most(self.input(*input)),
            (Op::LdsLoad { width } | Op::Load { width, .. } | Op::ScratchLoad { width, .. }, _) => {
                match width {
                    MemWidth::B8 => Known::at_most(0xff),
                    MemWidth::B16 => Known::at_most(0xffff),
                    MemWidth::B32 | MemWidth::B64 => Known::NOTHING,
                }
            }
            (Op::Shuffle | Op::ReadLane, &[x, _]) => of(x),
            (Op::Pure(Pure::BoolInt), _) => Known::at_most(1),
            (Op::Pure(Pure::BitCount), _) => Known::at_most(64),
            (Op::Pure(op), &[x, y]) if func.kind(x) == Kind::I32 => {
                binary(*op, of(x), of(y), constant(y))
            }
            (Op::Pure(Pure::Select), &[_, x, y]) if func.kind(x) == Kind::I32 => {
                of(x).either(of(y))
            }
            (Op::Pure(Pure::BitsU), &[x, at, n]) => {
                let x = of(x);
                let Some(n) = constant(n) else {
                    return Known::at_most(x.greatest);
                };
                let field = u32::MAX.checked_shr(32 - n.min(32)).unwrap_or(0);
                let Some(at) = constant(at) else {
                    return Known::at_most(field.min(x.greatest));
                };
                Known {
                    greatest: field.min(x.greatest.checked_shr(at).unwrap_or(0)),
                    zeros: x.zeros.saturating_sub(at),
                }
            }
            _ => Known::NOTHING,
        }
    }

    fn input(&self, input: Input) -> u32 {
        match input {
            Input::LaneId => self.limits.lanes.saturating_sub(1),
            Input::WaveInGroup => self.limits.waves.saturating_sub(1),
            Input::WavesInGroup => self.limits.waves,
            Input::LocalId(axis) => match self.limits.local.get(usize::from(axis)) {
                Some(Some(size)) => size.saturating_sub(1),
                _ => u32::MAX,
            },
            _ => u32::MAX,
        }
    }

    /// What an instruction is, where its arguments' sizes decide it.
    fn decided(&self, func: &Func, op: Pure, args: &[Value]) -> Option<Decided> {
        let &[x, y, ..] = args else { return None };
        if func.kind(x) != Kind::I32 {
            return None;
        }
        let (kx, ky) = (self.of(func, x), self.of(func, y));
        let (gx, gy) = (kx.greatest, ky.greatest);
        let constant = |v: Value| match func.as_const(v) {
            Some(Const::I32(c)) => Some(c),
            _ => None,
        };
        let (cx, cy) = (constant(x), constant(y));
        match op {
            Pure::ULt => {
                if cy.is_some_and(|c| gx < c) {
                    Some(Decided::Bool(true))
                } else if cx.is_some_and(|c| c >= gy) {
                    Some(Decided::Bool(false))
                } else {
                    None
                }
            }
            Pure::ULe => {
                if cy.is_some_and(|c| gx <= c) {
                    Some(Decided::Bool(true))
                } else if cx.is_some_and(|c| c > gy) {
                    Some(Decided::Bool(false))
                } else {
                    None
                }
            }
            Pure::Eq | Pure::Ne => {
                let never = cy.is_some_and(|c| c > gx) || cx.is_some_and(|c| c > gy);
                never.then_some(Decided::Bool(op == Pure::Ne))
            }
            Pure::And => {
                let (bx, by) = (kx.possible(), ky.possible());
                if bx & by == 0 {
                    Some(Decided::Zero)
                } else if cy.is_some_and(|c| c & bx == bx) {
                    Some(Decided::Is(x))
                } else if cx.is_some_and(|c| c & by == by) {
                    Some(Decided::Is(y))
                } else {
                    None
                }
            }
            Pure::UMin => {
                if cy.is_some_and(|c| gx <= c) {
                    Some(Decided::Is(x))
                } else if cx.is_some_and(|c| gy <= c) {
                    Some(Decided::Is(y))
                } else {
                    None
                }
            }
            Pure::BitsU => {
                let n = constant(*args.get(2)?)?;
                let field = u32::MAX.checked_shr(32 - n.min(32)).unwrap_or(0);
                (cy == Some(0) && gx <= field).then_some(Decided::Is(x))
            }
            _ => None,
        }
    }
}

/// What is known of the result of an operation on two I32s; `c`: the second one, where it is constant.
fn binary(op: Pure, x: Known, y: Known, c: Option<u32>) -> Known {
    let (gx, gy) = (x.greatest, y.greatest);
    let both = x.zeros.min(y.zeros);
    match op {
        Pure::And => Known {
            greatest: gx.min(gy),
            zeros: x.zeros.max(y.zeros),
        },
        Pure::Or | Pure::Xor => Known {
            greatest: ones(gx | gy),
            zeros: both,
        },
        Pure::Add => Known {
            greatest: gx.saturating_add(gy),
            zeros: both,
        },
        Pure::Sub => Known {
            greatest: u32::MAX,
            zeros: both,
        },
        Pure::Mul => Known {
            greatest: gx.saturating_mul(gy),
            zeros: (x.zeros + y.zeros).min(32),
        },
        Pure::MulHiU => Known::at_most((u64::from(gx) * u64::from(gy) >> 32) as u32),
        Pure::UMin => Known {
            greatest: gx.min(gy),
            zeros: both,
        },
        Pure::UMax => x.either(y),
        Pure::ShrU => match c {
            Some(n) => Known {
                greatest: gx >> (n & 31),
                zeros: x.zeros.saturating_sub(n & 31),
            },
            None => Known::at_most(gx),
        },
        Pure::Shl => match c {
            Some(n) => Known {
                greatest: if gx.leading_zeros() >= n & 31 {
                    gx << (n & 31)
                } else {
                    u32::MAX
                },
                zeros: (x.zeros + (n & 31)).min(32),
            },
            None => Known {
                greatest: u32::MAX,
                zeros: x.zeros,
            },
        },
        Pure::UDiv => match c {
            Some(n) if n > 0 => Known::at_most(gx / n),
            _ => Known::NOTHING,
        },
        Pure::URem => match c {
            Some(n) if n > 0 => Known::at_most(gx.min(n - 1)),
            _ => Known::at_most(gx),
        },
        _ => Known::NOTHING,
    }
}

/// What an instruction turns out to be.
enum Decided {
    Bool(bool),
    Zero,
    Is(Value),
}

/// Runs the pass; gives the number of instructions replaced. The dominators are the function's own.
pub fn run(func: &mut Func, doms: &Dominators, limits: &Limits) -> usize {
    let mut values = Values {
        limits,
        known: vec![Known::NOTHING; func.value_count()],
    };
    let count = func.value_count();
    let mut same = Replaced::default();
    for &block in doms.order() {
        let head = if block == func.entry() {
            func.head_len()
        } else {
            0
        };
        for &inst in &func.block(block).insts[..head] {
            if let Some(result) = func.inst(inst).result {
                values.note(func, result);
            }
        }
        let old = func.block_mut(block).insts.split_off(head);
        let mut b = Builder::at(func, block);
        for inst in old {
            let mut changed = false;
            if !same.is_empty() {
                for arg in &mut b.func_mut().inst_mut(inst).args {
                    let new = same.resolve(*arg);
                    changed |= new != *arg;
                    *arg = new;
                }
            }
            let data = b.func().inst(inst);
            let (op, loc, result) = (data.op, data.loc, data.result);
            if let (Op::Pure(op), Some(result)) = (op, result) {
                let made = match values.decided(b.func(), op, &data.args) {
                    None if changed => {
                        let args = Args::from_slice(&data.args);
                        b.func_mut().set_loc(loc);
                        let made = b.pure(op, &args);
                        values.note(b.func(), made);
                        // What is simpler may be decided.
                        let again = b.func().def_inst(made).and_then(|data| match data.op {
                            Op::Pure(op) => values.decided(b.func(), op, &data.args),
                            _ => None,
                        });
                        Some(again.unwrap_or(Decided::Is(made)))
                    }
                    decided => decided,
                };
                let value = match made {
                    Some(Decided::Bool(x)) => Some(b.const_bool(x)),
                    Some(Decided::Zero) => Some(b.const32(0)),
                    Some(Decided::Is(value)) => Some(value),
                    None => None,
                };
                if let Some(value) = value {
                    values.note(b.func(), value);
                    same.insert(result, value, count);
                    continue;
                }
            } else if changed && is_off(b.func(), op, inst) {
                let args: Args = b.func().inst(inst).args.clone();
                let kind = result.map(|result| b.func().kind(result));
                let value = b.rebuild(op, &args, kind);
                if let (Some(result), Some(value)) = (result, value) {
                    same.insert(result, value, count);
                }
                continue;
            }
            if let Some(result) = result {
                values.note(b.func(), result);
            }
            b.func_mut().block_mut(block).insts.push(inst);
        }
    }
    if !same.is_empty() {
        func.map_uses(|v| same.resolve(v));
    }
    same.len()
}

/// Whether an access never happens: its guard is false.
fn is_off(func: &Func, op: Op, inst: Inst) -> bool {
    let guard = match (op, func.inst(inst).args.as_slice()) {
        (
            Op::Load { .. }
            | Op::Atomic { .. }
            | Op::LdsLoad { .. }
            | Op::LdsAtomic { .. }
            | Op::ScratchLoad { .. }
            | Op::Fault { .. },
            &[_, guard, ..],
        )
        | (Op::Store { .. } | Op::LdsStore { .. } | Op::ScratchStore { .. }, &[_, _, guard]) => {
            guard
        }
        _ => return false,
    };
    func.as_const(guard) == Some(Const::Bool(false))
}

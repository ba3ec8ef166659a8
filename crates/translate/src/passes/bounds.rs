//! Comparisons that the greatest possible values decide become constants, and what follows from them folds.
//!
//! Lift guards every access of LDS and every record of a buffer; thread ids, lane ids, shifts and masks
//! often show that an offset is in range.
//!
//! Before: any module. After: no unsigned comparison, mask, bit field or minimum in the program is decided
//! by how large its arguments can be (as far as one look at their makings shows); pure instructions whose
//! arguments became simpler are as simple as the builder makes them. May not touch: effects other than
//! their arguments, flow, helpers.

use rustc_hash::FxHashMap;

use crate::ir::dom::Dominators;
use crate::ir::{Args, Builder, Const, Func, Input, Kind, MemWidth, Module, Op, Pure, Value};
use crate::passes::replaced::resolve;

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

/// The greatest values of I32s.
struct Greatest<'a> {
    limits: &'a Limits,
    known: Vec<Option<u32>>,
}

/// All bits up to the highest one of x.
fn ones(x: u32) -> u32 {
    u32::MAX.checked_shr(x.leading_zeros()).unwrap_or(0)
}

impl Greatest<'_> {
    fn of(&self, func: &Func, value: Value) -> u32 {
        match func.as_const(value) {
            Some(Const::I32(x)) => x,
            _ => self
                .known
                .get(value.index())
                .copied()
                .flatten()
                .unwrap_or(u32::MAX),
        }
    }

    fn note(&mut self, func: &Func, value: Value) {
        if func.kind(value) != Kind::I32 {
            return;
        }
        let greatest = self.made(func, value);
        if self.known.len() <= value.index() {
            self.known.resize(value.index() + 1, None);
        }
        self.known[value.index()] = Some(greatest);
    }

    fn made(&self, func: &Func, value: Value) -> u32 {
        let Some(data) = func.def_inst(value) else {
            return u32::MAX;
        };
        let of = |v: Value| self.of(func, v);
        let constant = |v: Value| func.as_const(v).map(|c| c.bits() as u32);
        match (&data.op, data.args.as_slice()) {
            (Op::Const32(x), _) => *x,
            (Op::Input(input), _) => self.input(*input),
            (Op::LdsLoad { width } | Op::Load { width, .. } | Op::ScratchLoad { width, .. }, _) => {
                match width {
                    MemWidth::B8 => 0xff,
                    MemWidth::B16 => 0xffff,
                    MemWidth::B32 | MemWidth::B64 => u32::MAX,
                }
            }
            (Op::Shuffle | Op::ReadLane, &[x, _]) => of(x),
            (Op::Pure(op), &[_]) => match op {
                Pure::BoolInt => 1,
                Pure::BitCount => 64,
                _ => u32::MAX,
            },
            (Op::Pure(op), &[x, y]) if func.kind(x) == Kind::I32 => match op {
                Pure::And => of(x).min(of(y)),
                Pure::Or | Pure::Xor => ones(of(x) | of(y)),
                Pure::Add => of(x).saturating_add(of(y)),
                Pure::Mul => of(x).saturating_mul(of(y)),
                Pure::MulHiU => (u64::from(of(x)) * u64::from(of(y)) >> 32) as u32,
                Pure::UMin => of(x).min(of(y)),
                Pure::UMax => of(x).max(of(y)),
                Pure::ShrU => match constant(y) {
                    Some(n) => of(x) >> (n & 31),
                    None => of(x),
                },
                Pure::Shl => match constant(y) {
                    Some(n) if of(x).leading_zeros() >= n & 31 => of(x) << (n & 31),
                    _ => u32::MAX,
                },
                Pure::UDiv => match constant(y) {
                    Some(n) if n > 0 => of(x) / n,
                    _ => u32::MAX,
                },
                Pure::URem => match constant(y) {
                    Some(n) if n > 0 => of(x).min(n - 1),
                    _ => of(x),
                },
                _ => u32::MAX,
            },
            (Op::Pure(Pure::Select), &[_, x, y]) if func.kind(x) == Kind::I32 => of(x).max(of(y)),
            (Op::Pure(Pure::BitsU), &[x, at, n]) => match constant(n) {
                Some(n) => {
                    let field = u32::MAX.checked_shr(32 - n.min(32)).unwrap_or(0);
                    let moved = constant(at).map_or(of(x), |at| of(x).checked_shr(at).unwrap_or(0));
                    field.min(moved)
                }
                None => of(x),
            },
            _ => u32::MAX,
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
        let (gx, gy) = (self.of(func, x), self.of(func, y));
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
                if cy.is_some_and(|c| c & ones(gx) == ones(gx)) {
                    Some(Decided::Is(x))
                } else if cx.is_some_and(|c| c & ones(gy) == ones(gy)) {
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

/// What an instruction turns out to be.
enum Decided {
    Bool(bool),
    Is(Value),
}

/// Rounds at most: what a round makes simpler may decide more.
const ROUNDS: usize = 4;

/// Runs the pass; gives the number of instructions replaced.
pub fn run(func: &mut Func, limits: &Limits) -> usize {
    let mut all = 0;
    for _ in 0..ROUNDS {
        let now = round(func, limits);
        all += now;
        if now == 0 {
            break;
        }
    }
    all
}

fn round(func: &mut Func, limits: &Limits) -> usize {
    let order: Vec<_> = Dominators::new(func).order().to_vec();
    let mut greatest = Greatest {
        limits,
        known: vec![None; func.value_count()],
    };
    let mut same: FxHashMap<Value, Value> = FxHashMap::default();
    for block in order {
        let head = if block == func.entry() {
            func.head_len()
        } else {
            0
        };
        for &inst in &func.block(block).insts[..head] {
            if let Some(result) = func.inst(inst).result {
                greatest.note(func, result);
            }
        }
        let old = func.block_mut(block).insts.split_off(head);
        let mut b = Builder::at(func, block);
        for inst in old {
            let data = b.func_mut().inst_mut(inst);
            let mut changed = false;
            for arg in &mut data.args {
                let new = resolve(&same, *arg);
                changed |= new != *arg;
                *arg = new;
            }
            let (op, loc) = (data.op, data.loc);
            let args: Args = data.args.clone();
            if let (Op::Pure(op), Some(result)) = (op, data.result) {
                let value = match greatest.decided(b.func(), op, &args) {
                    Some(Decided::Bool(x)) => Some(b.const_bool(x)),
                    Some(Decided::Is(value)) => Some(value),
                    None if changed => {
                        b.func_mut().set_loc(loc);
                        Some(b.pure(op, &args))
                    }
                    None => None,
                };
                if let Some(value) = value {
                    greatest.note(b.func(), value);
                    same.insert(result, value);
                    continue;
                }
            }
            if let Some(result) = b.func().inst(inst).result {
                greatest.note(b.func(), result);
            }
            b.func_mut().block_mut(block).insts.push(inst);
        }
    }
    if !same.is_empty() {
        func.map_uses(|v| resolve(&same, v));
    }
    same.len()
}

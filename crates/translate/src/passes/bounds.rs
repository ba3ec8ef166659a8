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
use crate::ir::{
    Args, Builder, Const, Func, Input, Inst, InstData, Kind, MemWidth, Module, Op, Pure, Value,
};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    greatest: u32,
    /// Bits from the lowest on that are 0; of 0 all.
    zeros: u8,
    /// It is a constant, `greatest`.
    constant: bool,
}

impl Known {
    const NOTHING: Known = Known::at_most(u32::MAX);

    const fn exactly(x: u32) -> Known {
        Known {
            greatest: x,
            zeros: x.trailing_zeros() as u8,
            constant: true,
        }
    }

    const fn at_most(greatest: u32) -> Known {
        Known::of(greatest, 0)
    }

    const fn of(greatest: u32, zeros: u8) -> Known {
        Known {
            greatest,
            zeros,
            constant: false,
        }
    }

    fn constant(self) -> Option<u32> {
        self.constant.then_some(self.greatest)
    }

    /// The bits that can be set.
    fn possible(self) -> u32 {
        ones(self.greatest) & u32::MAX.checked_shl(self.zeros.into()).unwrap_or(0)
    }

    /// One of the two.
    fn either(self, other: Known) -> Known {
        let greatest = self.greatest.max(other.greatest);
        Known::of(greatest, self.zeros.min(other.zeros))
    }
}

/// What is known of I32s.
struct Values<'a> {
    limits: &'a Limits,
    /// By value; of those behind the end it is what they are as constants.
    known: &'a mut Vec<Known>,
}

impl Values<'_> {
    #[inline]
    fn of(&self, func: &Func, value: Value) -> Known {
        match self.known.get(value.index()) {
            Some(&known) => known,
            None => as_constant(func, value),
        }
    }

    /// Keeps in mind what is known of the result of an instruction.
    #[inline]
    fn note(&mut self, func: &Func, data: &InstData) {
        if let Some(result) = data.result
            && func.kind(result) == Kind::I32
        {
            let known = self.made(func, data);
            if self.known.len() <= result.index() {
                let new = self.known.len() as u32..=result.0;
                self.known
                    .extend(new.map(|value| as_constant(func, Value(value))));
            }
            self.known[result.index()] = known;
        }
    }

    /// The same of a constant or input.
    #[inline]
    fn note_head(&mut self, data: &InstData) {
        let known = match data.op {
            Op::Const32(x) => Known::exactly(x),
            Op::Input(input) => Known::at_most(self.input(input)),
            _ => return,
        };
        let place = data.result.and_then(|v| self.known.get_mut(v.index()));
        if let Some(place) = place {
            *place = known;
        }
    }

    /// As [`Values::note`]; where not `all` instructions are looked at, whether that is something else than before
    /// is marked.
    #[inline]
    fn note_moved(&mut self, func: &Func, data: &InstData, marks: &mut Marks, all: bool) {
        match data.result {
            Some(result) if !all => {
                let old = self.of(func, result);
                self.note(func, data);
                if self.of(func, result) != old {
                    marks.set(result, Marks::MOVED);
                }
            }
            _ => self.note(func, data),
        }
    }

    fn made(&self, func: &Func, data: &InstData) -> Known {
        let of = |v: Value| self.of(func, v);
        match (&data.op, data.args.as_slice()) {
            (Op::Pure(Pure::BoolInt), _) => Known::at_most(1),
            (Op::Pure(Pure::BitCount), _) => Known::at_most(64),
            (Op::Pure(op), &[x, y]) if func.kind(x) == Kind::I32 => binary(*op, of(x), of(y)),
            (Op::Pure(Pure::Select), &[_, x, y]) => of(x).either(of(y)),
            (Op::Pure(Pure::BitsU), &[x, at, n]) => {
                let x = of(x);
                let Some(n) = of(n).constant() else {
                    return Known::at_most(x.greatest);
                };
                let field = u32::MAX.checked_shr(32 - n.min(32)).unwrap_or(0);
                let Some(at) = of(at).constant() else {
                    return Known::at_most(field.min(x.greatest));
                };
                let greatest = field.min(x.greatest.checked_shr(at).unwrap_or(0));
                Known::of(greatest, x.zeros.saturating_sub(at.min(32) as u8))
            }
            (Op::Const32(x), _) => Known::exactly(*x),
            (Op::Input(input), _) => Known::at_most(self.input(*input)),
            (Op::LdsLoad { width } | Op::Load { width, .. } | Op::ScratchLoad { width, .. }, _) => {
                match width {
                    MemWidth::B8 => Known::at_most(0xff),
                    MemWidth::B16 => Known::at_most(0xffff),
                    MemWidth::B32 | MemWidth::B64 => Known::NOTHING,
                }
            }
            (Op::Shuffle | Op::ReadLane, &[x, _]) => {
                let x = of(x);
                Known::of(x.greatest, x.zeros)
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
    #[inline]
    fn decided(&self, func: &Func, op: Pure, args: &[Value]) -> Option<Decided> {
        match op {
            Pure::ULt | Pure::ULe | Pure::Eq | Pure::Ne => self.decided_by(func, op, args),
            Pure::And | Pure::UMin | Pure::BitsU => self.decided_by(func, op, args),
            _ => None,
        }
    }

    fn decided_by(&self, func: &Func, op: Pure, args: &[Value]) -> Option<Decided> {
        let &[x, y, ..] = args else { return None };
        if func.kind(x) != Kind::I32 {
            return None;
        }
        let (kx, ky) = (self.of(func, x), self.of(func, y));
        let (gx, gy) = (kx.greatest, ky.greatest);
        let (cx, cy) = (kx.constant(), ky.constant());
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
                let n = self.of(func, *args.get(2)?).constant()?;
                let field = u32::MAX.checked_shr(32 - n.min(32)).unwrap_or(0);
                (cy == Some(0) && gx <= field).then_some(Decided::Is(x))
            }
            _ => None,
        }
    }
}

/// What a value is as a constant, if it is one.
fn as_constant(func: &Func, value: Value) -> Known {
    match func.as_const(value) {
        Some(Const::I32(x)) => Known::exactly(x),
        _ => Known::NOTHING,
    }
}

/// What is known of the result of an operation on two I32s.
fn binary(op: Pure, x: Known, y: Known) -> Known {
    let (gx, gy) = (x.greatest, y.greatest);
    let both = x.zeros.min(y.zeros);
    match op {
        Pure::And => Known::of(gx.min(gy), x.zeros.max(y.zeros)),
        Pure::Or | Pure::Xor => Known::of(ones(gx | gy), both),
        Pure::Add => Known::of(gx.saturating_add(gy), both),
        Pure::Sub => Known::of(u32::MAX, both),
        Pure::Mul => Known::of(gx.saturating_mul(gy), (x.zeros + y.zeros).min(32)),
        Pure::MulHiU => Known::at_most((u64::from(gx) * u64::from(gy) >> 32) as u32),
        Pure::UMin => Known::of(gx.min(gy), both),
        Pure::UMax => x.either(y),
        Pure::ShrU => match y.constant() {
            Some(n) => Known::of(gx >> (n & 31), x.zeros.saturating_sub((n & 31) as u8)),
            None => Known::at_most(gx),
        },
        Pure::Shl => match y.constant() {
            Some(n) => {
                let fits = gx.leading_zeros() >= n & 31;
                let greatest = if fits { gx << (n & 31) } else { u32::MAX };
                Known::of(greatest, (x.zeros + (n & 31) as u8).min(32))
            }
            None => Known::of(u32::MAX, x.zeros),
        },
        Pure::UDiv => match y.constant() {
            Some(n) if n > 0 => Known::at_most(gx / n),
            _ => Known::NOTHING,
        },
        Pure::URem => match y.constant() {
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

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    known: Vec<Known>,
    same: Replaced,
    /// Instructions of a block.
    insts: Vec<Inst>,
    /// Instructions of the function before the last run.
    before: usize,
    marks: Marks,
}

/// What there is to say of each value, so that one look at its mark says that there is nothing. New values have
/// none.
#[derive(Debug, Default)]
struct Marks(Vec<u8>);

impl Marks {
    /// It was replaced, before the pass or by it.
    const REPLACED: u8 = 1;
    /// Something else is known of it now.
    const MOVED: u8 = 2;

    /// For so many values, of which some were replaced.
    fn renew(&mut self, values: usize, replaced: &Replaced) {
        self.0.clear();
        self.0.resize(values, 0);
        if !replaced.is_empty() {
            for value in replaced.values() {
                self.set(value, Self::REPLACED);
            }
        }
    }

    #[inline]
    fn set(&mut self, value: Value, mark: u8) {
        if let Some(marks) = self.0.get_mut(value.index()) {
            *marks |= mark;
        }
    }

    /// All that is marked of a value.
    #[inline]
    fn of(&self, value: Value) -> u8 {
        self.0.get(value.index()).copied().unwrap_or(0)
    }

    /// All that is marked of any of some values.
    #[inline]
    fn of_any(&self, values: &[Value]) -> u8 {
        values
            .iter()
            .fold(0, |marks, &value| marks | self.of(value))
    }
}

/// Runs the pass; gives the number of instructions replaced. The dominators are the function's own.
pub fn run(func: &mut Func, doms: &Dominators, limits: &Limits) -> usize {
    let (room, none) = (&mut Room::default(), &Replaced::default());
    run_in(room, func, doms, limits, none)
}

/// As [`run`], on the function in which values were replaced, which is done on the way.
pub(crate) fn run_in(
    room: &mut Room,
    func: &mut Func,
    doms: &Dominators,
    limits: &Limits,
    replaced: &Replaced,
) -> usize {
    room.known.clear();
    room.known.resize(func.value_count(), Known::NOTHING);
    walk(room, func, doms, limits, replaced, true)
}

/// As [`run_in`], where nothing else has changed since this room was last used but that instructions went, or
/// became equal ones before them: what uses nothing new is not looked at.
pub(crate) fn run_again_in(
    room: &mut Room,
    func: &mut Func,
    doms: &Dominators,
    limits: &Limits,
    replaced: &Replaced,
) -> usize {
    walk(room, func, doms, limits, replaced, false)
}

fn walk(
    room: &mut Room,
    func: &mut Func,
    doms: &Dominators,
    limits: &Limits,
    replaced: &Replaced,
    all: bool,
) -> usize {
    let count = func.value_count();
    let Room {
        known,
        same,
        insts,
        before,
        marks,
    } = room;
    same.clear();
    marks.renew(count, replaced);
    let mut values = Values { limits, known };
    let before = std::mem::replace(before, func.inst_count());
    let is_new = |inst: Inst| all || inst.index() >= before;
    for &block in doms.order() {
        let mut list = std::mem::take(&mut func.block_mut(block).insts);
        let head = func.head_of(block);
        for &inst in &list[..head] {
            if is_new(inst) {
                values.note_head(func.inst(inst));
            }
        }
        // What stays moves up, as long as nothing is to be made.
        let (mut at, mut kept) = (head, head);
        let mut first = None;
        while let Some(&inst) = list.get(at) {
            let data = func.inst_mut(inst);
            if data.result.is_some_and(|v| replaced.contains(v)) {
                at += 1;
                continue;
            }
            let Uses { touched, changed } = settle(&mut data.args, replaced, same, marks);
            if touched || is_new(inst) {
                let data = func.inst(inst);
                if becomes_other(&values, func, data, changed) {
                    first = Some(changed);
                    break;
                }
                values.note_moved(func, data, marks, all);
            }
            list[kept] = inst;
            at += 1;
            kept += 1;
        }
        insts.clear();
        insts.extend_from_slice(&list[at..]);
        list.truncate(kept);
        func.block_mut(block).insts = list;
        if insts.is_empty() {
            continue;
        }
        let mut b = Builder::at(func, block);
        for &inst in &*insts {
            let data = b.func_mut().inst_mut(inst);
            let result = data.result;
            if result.is_some_and(|value| replaced.contains(value)) {
                continue;
            }
            let Uses { touched, changed } = settle(&mut data.args, replaced, same, marks);
            let first = first.take();
            let changed = changed || first == Some(true);
            if !(first.is_some() || touched || is_new(inst)) {
                b.func_mut().block_mut(block).insts.push(inst);
                continue;
            }
            let data = b.func().inst(inst);
            if let (&Op::Pure(op), Some(result)) = (&data.op, result) {
                let made = match values.decided(b.func(), op, &data.args) {
                    None if changed => {
                        let (args, loc) = (Args::from_slice(&data.args), data.loc);
                        b.func_mut().set_loc(loc);
                        let made = b.pure(op, &args);
                        note_made(&mut values, b.func(), made);
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
                    note_made(&mut values, b.func(), value);
                    same.insert(result, value, count);
                    marks.set(result, Marks::REPLACED);
                    continue;
                }
            } else if changed && is_off(b.func(), data) {
                let (op, args) = (data.op, data.args.clone());
                let kind = result.map(|result| b.func().kind(result));
                let value = b.rebuild(op, &args, kind);
                if let (Some(result), Some(value)) = (result, value) {
                    same.insert(result, value, count);
                    marks.set(result, Marks::REPLACED);
                }
                continue;
            }
            values.note_moved(b.func(), b.func().inst(inst), marks, all);
            b.func_mut().block_mut(block).insts.push(inst);
        }
    }
    replaced.resolve_rest(func, doms);
    same.resolve_rest(func, doms);
    same.len()
}

/// What has become of the arguments of an instruction.
#[derive(Clone, Copy)]
struct Uses {
    /// One was replaced, or something else is known of it.
    touched: bool,
    /// One was replaced by the pass.
    changed: bool,
}

/// Puts what values have become in their places in an instruction.
#[inline]
fn settle(args: &mut [Value], replaced: &Replaced, same: &Replaced, marks: &Marks) -> Uses {
    if marks.of_any(args) == 0 {
        return Uses {
            touched: false,
            changed: false,
        };
    }
    settle_marked(args, replaced, same, marks)
}

#[inline(never)]
fn settle_marked(args: &mut [Value], replaced: &Replaced, same: &Replaced, marks: &Marks) -> Uses {
    let (mut touched, mut changed) = (false, false);
    for arg in args {
        let before = replaced.resolve(*arg);
        let now = same.resolve(before);
        changed |= now != before;
        touched |= now != *arg || marks.of(now) & Marks::MOVED != 0;
        *arg = now;
    }
    Uses { touched, changed }
}

/// Whether an instruction is decided, or to be made anew since its arguments changed.
#[inline]
fn becomes_other(values: &Values<'_>, func: &Func, data: &InstData, changed: bool) -> bool {
    match (&data.op, data.result) {
        (Op::Pure(op), Some(_)) => changed || values.decided(func, *op, &data.args).is_some(),
        _ => changed && is_off(func, data),
    }
}

/// Keeps in mind what is known of a value that was made.
fn note_made(values: &mut Values<'_>, func: &Func, value: Value) {
    if let Some(data) = func.def_inst(value) {
        values.note(func, data);
    }
}

/// Whether an access never happens: its guard is false.
fn is_off(func: &Func, data: &InstData) -> bool {
    let guard = data.op.memory_guard().and_then(|at| data.args.get(at));
    guard.is_some_and(|&guard| func.as_const(guard) == Some(Const::Bool(false)))
}

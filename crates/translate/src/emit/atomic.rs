//! Atomics on a cell: a word, a 64-bit word, or half of one. What the host has no instruction for is a
//! loop of compare-and-exchange.

use smallvec::SmallVec;
use spirv::{Op, Scope};

use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::locked::Locked;
use super::module::{Id, Module, TypeId};
use super::value::Val;
use crate::ir::{AtomicOp, Kind, Pure, Shape};

/// What an atomic works on.
#[derive(Clone, Copy)]
pub struct Cell {
    pointer: Id,
    scope: Scope,
    form: Form,
}

/// A cell that the host has an instruction for, or words under a lock.
#[derive(Clone, Copy)]
pub enum Target {
    /// The cell.
    Cell(Cell),
    /// The words.
    Locked(Locked),
}

#[derive(Clone, Copy)]
enum Form {
    Word,
    /// A word that the host's type gives a sign.
    Signed,
    Pair,
    /// The high half of a 64-bit word where the boolean holds, else the low one.
    Half(Id),
}

impl Cell {
    /// A word that `scope` shares.
    pub fn word(pointer: Id, scope: Scope) -> Cell {
        Cell {
            pointer,
            scope,
            form: Form::Word,
        }
    }

    /// A word that `scope` shares, of an image whose texels have a sign.
    pub fn signed(pointer: Id, scope: Scope) -> Cell {
        Cell {
            pointer,
            scope,
            form: Form::Signed,
        }
    }

    /// A 64-bit word.
    pub fn pair(pointer: Id, scope: Scope) -> Cell {
        Cell {
            pointer,
            scope,
            form: Form::Pair,
        }
    }

    /// Half of a 64-bit word: the high one where `high` holds.
    pub fn half(pointer: Id, scope: Scope, high: Id) -> Cell {
        Cell {
            pointer,
            scope,
            form: Form::Half(high),
        }
    }

    /// The type of what the host's instruction works on.
    fn ty(self, m: &mut Module) -> TypeId {
        match self.form {
            Form::Word => m.u32(),
            Form::Signed => m.i32(),
            Form::Pair | Form::Half(_) => m.u64(),
        }
    }
}

impl Cx<'_> {
    /// An atomic where `happens` holds, by each lane or once for the wave; 0 elsewhere.
    #[allow(clippy::too_many_arguments, reason = "an atomic and its cell")]
    pub(super) fn guarded_atomic(
        &mut self,
        b: &mut Open,
        op: AtomicOp,
        kind: Kind,
        shape: Shape,
        mut happens: Id,
        data: &[Val],
        cell: impl FnOnce(&mut Self, &mut Open) -> Result<Target, Fail>,
    ) -> Result<Val, Fail> {
        if shape == Shape::Uniform {
            let elected = self.elected(b);
            happens = self.m.band(b, elected, happens);
        }
        let branch = self.m.begin_if(b, happens);
        let cell = cell(self, b)?;
        let old = match (cell, op) {
            (Target::Locked(at), _) => self.locked_atomic(b, op, at, data)?,
            (Target::Cell(cell), AtomicOp::Helper(helper)) => {
                let function = *self
                    .helpers
                    .get(helper.0 as usize)
                    .ok_or(EmitError::Malformed("an atomic with an unknown helper"))?;
                by_function(&mut self.m, b, cell, function, data)?
            }
            (Target::Cell(cell), _) => atomic(&mut self.m, b, op, cell, data)?,
        }
        .ids();
        let zero = self.m.const_u32(0);
        let word = self.m.u32();
        let values: SmallVec<[(Id, Id); 2]> = old.map(|old| (old, zero)).collect();
        let mut old = self.m.end_if_values(b, branch, word, &values);
        if shape == Shape::Uniform {
            for word in &mut old {
                *word = self.broadcast_first(b, *word);
            }
        }
        let old = Val::from_ids(&old)?;
        if super::value::parts(kind) != old.ids().count() {
            return Err(EmitError::Malformed("an atomic on data of another width").into());
        }
        Ok(old)
    }
}

/// A value as the cell's type.
fn widen(m: &mut Module, b: &mut Open, form: Form, value: Val) -> Id {
    match value {
        Val::One(word) if matches!(form, Form::Signed) => {
            let ty = m.i32();
            m.op(b, Op::Bitcast, ty, &[word])
        }
        Val::One(word) => word,
        Val::Two(low, high) => {
            let pair = m.join(b, low, high);
            let ty = m.u64();
            m.op(b, Op::Bitcast, ty, &[pair])
        }
    }
}

/// A 64-bit word's halves.
fn halves(m: &mut Module, b: &mut Open, value: Id) -> (Id, Id) {
    let ty = m.uvec2();
    let pair = m.op(b, Op::Bitcast, ty, &[value]);
    (m.part(b, pair, 0), m.part(b, pair, 1))
}

/// What a cell of this form holds, where its memory holds `value`.
fn content(m: &mut Module, b: &mut Open, form: Form, value: Id) -> Val {
    match form {
        Form::Word => Val::One(value),
        Form::Signed => Val::One(m.unary(b, Op::Bitcast, value)),
        Form::Pair => {
            let (low, high) = halves(m, b, value);
            Val::Two(low, high)
        }
        Form::Half(is_high) => {
            let (low, high) = halves(m, b, value);
            Val::One(m.select(b, is_high, high, low))
        }
    }
}

/// What the memory holds after `new` is put into a cell where it held `value`.
fn composed(m: &mut Module, b: &mut Open, form: Form, value: Id, new: Val) -> Result<Id, Fail> {
    Ok(match form {
        Form::Word | Form::Signed | Form::Pair => widen(m, b, form, new),
        Form::Half(is_high) => {
            let new = new.one()?;
            let (low, high) = halves(m, b, value);
            let (low, high) = (
                m.select(b, is_high, low, new),
                m.select(b, is_high, new, high),
            );
            widen(m, b, form, Val::Two(low, high))
        }
    })
}

/// The content of a cell that others change.
pub fn load(m: &mut Module, b: &mut Open, cell: Cell) -> Val {
    let ty = cell.ty(m);
    let value = m.load(b, ty, cell.pointer);
    content(m, b, cell.form, value)
}

/// Stores to a cell: with what the memory holds beside it left alone.
pub fn store(m: &mut Module, b: &mut Open, cell: Cell, value: Id) -> Result<(), Fail> {
    if let Form::Half(_) = cell.form {
        atomic(m, b, AtomicOp::Swap, cell, &[Val::One(value)])?;
    } else {
        m.store(b, cell.pointer, value);
    }
    Ok(())
}

/// The host's instruction for an operation.
fn host(op: AtomicOp) -> Option<Op> {
    Some(match op {
        AtomicOp::Swap => Op::AtomicExchange,
        AtomicOp::Add => Op::AtomicIAdd,
        AtomicOp::Sub => Op::AtomicISub,
        AtomicOp::SMin => Op::AtomicSMin,
        AtomicOp::UMin => Op::AtomicUMin,
        AtomicOp::SMax => Op::AtomicSMax,
        AtomicOp::UMax => Op::AtomicUMax,
        AtomicOp::And => Op::AtomicAnd,
        AtomicOp::Or => Op::AtomicOr,
        AtomicOp::Xor => Op::AtomicXor,
        AtomicOp::CmpSwap
        | AtomicOp::RSub
        | AtomicOp::Inc
        | AtomicOp::Dec
        | AtomicOp::CSub
        | AtomicOp::MskOr
        | AtomicOp::Wrap
        | AtomicOp::FMin { .. }
        | AtomicOp::FMax { .. }
        | AtomicOp::Helper(_)
        | AtomicOp::FCmpSwap { .. } => return None,
    })
}

/// An atomic on a cell; gives the old content.
pub fn atomic(
    m: &mut Module,
    b: &mut Open,
    op: AtomicOp,
    cell: Cell,
    data: &[Val],
) -> Result<Val, Fail> {
    let (first, second) = match data {
        [first] => (*first, None),
        [first, second] => (*first, Some(*second)),
        _ => {
            return Err(
                EmitError::Malformed("an atomic with a wrong number of data arguments").into(),
            );
        }
    };
    let ty = cell.ty(m);
    let (scope, relaxed) = (m.const_u32(cell.scope as u32), m.const_u32(0));
    let whole = !matches!(cell.form, Form::Half(_));
    if let (Some(host), true) = (host(op), whole) {
        let value = widen(m, b, cell.form, first);
        let old = m.op(b, host, ty, &[cell.pointer, scope, relaxed, value]);
        return Ok(content(m, b, cell.form, old));
    }
    if let (AtomicOp::CmpSwap, Some(second), true) = (op, second, whole) {
        let (value, comparison) = (
            widen(m, b, cell.form, first),
            widen(m, b, cell.form, second),
        );
        let old = exchange(m, b, cell, value, comparison);
        return Ok(content(m, b, cell.form, old));
    }
    replaced(m, b, cell, |m, b, seen| {
        modified(m, b, op, seen, first, second)
    })
}

/// An atomic whose new content a function of the module makes of (old, data), both words.
fn by_function(
    m: &mut Module,
    b: &mut Open,
    cell: Cell,
    function: Id,
    data: &[Val],
) -> Result<Val, Fail> {
    let &[data] = data else {
        return Err(EmitError::Malformed("an atomic with a wrong number of data arguments").into());
    };
    let data = data.one()?;
    replaced(m, b, cell, |m, b, seen| {
        let word = m.u32();
        Ok(Val::One(m.call(b, word, function, &[seen.one()?, data])))
    })
}

/// Replaces a cell's content by what is made of it, as often as somebody came between; gives the old one.
fn replaced(
    m: &mut Module,
    b: &mut Open,
    cell: Cell,
    make: impl FnOnce(&mut Module, &mut Open, Val) -> Result<Val, Fail>,
) -> Result<Val, Fail> {
    let ty = cell.ty(m);
    let (scope, relaxed) = (m.const_u32(cell.scope as u32), m.const_u32(0));
    let start = m.op(b, Op::AtomicLoad, ty, &[cell.pointer, scope, relaxed]);
    let trip = m.begin_until(b, ty, start);
    let old = trip.carried();
    let seen = content(m, b, cell.form, old);
    let new = make(m, b, seen)?;
    let new = composed(m, b, cell.form, old, new)?;
    let got = exchange(m, b, cell, new, old);
    let boolean = m.bool();
    let done = m.op(b, Op::IEqual, boolean, &[got, old]);
    m.end_until(b, trip, done, got);
    Ok(seen)
}

/// Puts `value` in the memory of a cell if it holds `comparison`; gives what it held.
fn exchange(m: &mut Module, b: &mut Open, cell: Cell, value: Id, comparison: Id) -> Id {
    let ty = cell.ty(m);
    let (scope, relaxed) = (m.const_u32(cell.scope as u32), m.const_u32(0));
    m.op(
        b,
        Op::AtomicCompareExchange,
        ty,
        &[cell.pointer, scope, relaxed, relaxed, value, comparison],
    )
}

/// What an operation makes of the old content.
pub(super) fn modified(
    m: &mut Module,
    b: &mut Open,
    op: AtomicOp,
    old: Val,
    data: Val,
    second: Option<Val>,
) -> Result<Val, Fail> {
    use crate::ir::Pure::{Add, And, Eq, Not, Or, SLt, Select, Sub, ULe, ULt, Xor};
    let (kind, one) = match old {
        Val::One(_) => (Kind::I32, Val::One(m.const_u32(1))),
        Val::Two(..) => (Kind::I64, Val::Two(m.const_u32(1), m.const_u32(0))),
    };
    match (op, second) {
        (AtomicOp::FMin { flush }, _) => return Floats { kind, flush }.pick(m, b, true, old, data),
        (AtomicOp::FMax { flush }, _) => {
            return Floats { kind, flush }.pick(m, b, false, old, data);
        }
        (AtomicOp::FCmpSwap { flush }, Some(second)) => {
            return Floats { kind, flush }.compare_swap(m, b, old, data, second);
        }
        _ => {}
    }
    let zero = super::value::zero(m, kind);
    let second = || {
        second.ok_or(EmitError::Malformed(
            "an atomic with one data argument too few",
        ))
    };
    let mut pure = |op, args: &[Val]| super::pure::emit(m, b, op, kind, args);
    match op {
        AtomicOp::Swap => Ok(data),
        AtomicOp::CmpSwap => {
            let equal = pure(Eq, &[old, second()?])?;
            pure(Select, &[equal, data, old])
        }
        AtomicOp::Add => pure(Add, &[old, data]),
        AtomicOp::Sub => pure(Sub, &[old, data]),
        AtomicOp::SMin => {
            let wins = pure(SLt, &[data, old])?;
            pure(Select, &[wins, data, old])
        }
        AtomicOp::UMin => {
            let wins = pure(ULt, &[data, old])?;
            pure(Select, &[wins, data, old])
        }
        AtomicOp::SMax => {
            let wins = pure(SLt, &[old, data])?;
            pure(Select, &[wins, data, old])
        }
        AtomicOp::UMax => {
            let wins = pure(ULt, &[old, data])?;
            pure(Select, &[wins, data, old])
        }
        AtomicOp::And => pure(And, &[old, data]),
        AtomicOp::Or => pure(Or, &[old, data]),
        AtomicOp::Xor => pure(Xor, &[old, data]),
        AtomicOp::RSub => pure(Sub, &[data, old]),
        AtomicOp::Inc => {
            let (wraps, more) = (pure(ULe, &[data, old])?, pure(Add, &[old, one])?);
            pure(Select, &[wraps, zero, more])
        }
        AtomicOp::Dec => {
            let (empty, above) = (pure(Eq, &[old, zero])?, pure(ULt, &[data, old])?);
            let less = pure(Sub, &[old, one])?;
            let less = pure(Select, &[above, data, less])?;
            pure(Select, &[empty, data, less])
        }
        AtomicOp::CSub => {
            let (short, rest) = (pure(ULt, &[old, data])?, pure(Sub, &[old, data])?);
            pure(Select, &[short, zero, rest])
        }
        AtomicOp::MskOr => {
            let keep = pure(Not, &[data])?;
            let kept = pure(And, &[old, keep])?;
            pure(Or, &[kept, second()?])
        }
        AtomicOp::Helper(_)
        | AtomicOp::FMin { .. }
        | AtomicOp::FMax { .. }
        | AtomicOp::FCmpSwap { .. } => {
            Err(EmitError::Malformed("an atomic with one data argument too few").into())
        }
        AtomicOp::Wrap => {
            let (reaches, down) = (pure(ULe, &[data, old])?, pure(Sub, &[old, data])?);
            let up = pure(Add, &[old, second()?])?;
            pure(Select, &[reaches, down, up])
        }
    }
}

/// Floats of a kind's width as integers: no host rounds, flushes or quiets them.
#[derive(Clone, Copy)]
struct Floats {
    kind: Kind,
    flush: bool,
}

impl Floats {
    /// A constant of the width.
    fn constant(self, m: &mut Module, single: u32, double: u64) -> Val {
        match self.kind {
            Kind::I64 => Val::Two(
                m.const_u32(double as u32),
                m.const_u32((double >> 32) as u32),
            ),
            _ => Val::One(m.const_u32(single)),
        }
    }

    fn pure(self, m: &mut Module, b: &mut Open, op: Pure, args: &[Val]) -> Result<Val, Fail> {
        super::pure::emit(m, b, op, self.kind, args)
    }

    fn test(self, m: &mut Module, b: &mut Open, op: Pure, x: Val, y: Val) -> Result<Id, Fail> {
        self.pure(m, b, op, &[x, y])?.one()
    }

    fn select(self, m: &mut Module, b: &mut Open, cond: Id, x: Val, y: Val) -> Result<Val, Fail> {
        self.pure(m, b, Pure::Select, &[Val::One(cond), x, y])
    }

    fn magnitude(self, m: &mut Module, b: &mut Open, x: Val) -> Result<Val, Fail> {
        let mask = self.constant(m, u32::MAX >> 1, u64::MAX >> 1);
        self.pure(m, b, Pure::And, &[x, mask])
    }

    /// A subnormal as a signed zero, if it is flushed.
    fn input(self, m: &mut Module, b: &mut Open, x: Val) -> Result<Val, Fail> {
        if !self.flush {
            return Ok(x);
        }
        let magnitude = self.magnitude(m, b, x)?;
        let smallest = self.constant(m, 1 << 23, 1 << 52);
        let small = self.test(m, b, Pure::ULt, magnitude, smallest)?;
        let sign = self.constant(m, 1 << 31, 1 << 63);
        let zero = self.pure(m, b, Pure::And, &[x, sign])?;
        self.select(m, b, small, zero, x)
    }

    /// Whether it is a NaN, and whether a signalling one.
    fn nan(self, m: &mut Module, b: &mut Open, x: Val) -> Result<(Id, Id), Fail> {
        let magnitude = self.magnitude(m, b, x)?;
        let infinity = self.constant(m, 0x7f80_0000, 0x7ff0_0000_0000_0000);
        let nan = self.test(m, b, Pure::ULt, infinity, magnitude)?;
        let quiet = self.quiet_bit(m);
        let bit = self.pure(m, b, Pure::And, &[x, quiet])?;
        let zero = self.constant(m, 0, 0);
        let signals = self.test(m, b, Pure::Eq, bit, zero)?;
        Ok((nan, m.band(b, nan, signals)))
    }

    fn quiet_bit(self, m: &mut Module) -> Val {
        self.constant(m, 1 << 22, 1 << 51)
    }

    /// A signed integer in the order of the numbers, -0 below +0.
    fn key(self, m: &mut Module, b: &mut Open, x: Val) -> Result<Val, Fail> {
        let last = Val::One(m.const_u32(if self.kind == Kind::I64 { 63 } else { 31 }));
        let one = Val::One(m.const_u32(1));
        let sign = self.pure(m, b, Pure::ShrS, &[x, last])?;
        let flip = self.pure(m, b, Pure::ShrU, &[sign, one])?;
        self.pure(m, b, Pure::Xor, &[x, flip])
    }

    /// Minimum (`less`) or maximum.
    fn pick(
        self,
        m: &mut Module,
        b: &mut Open,
        less: bool,
        old: Val,
        data: Val,
    ) -> Result<Val, Fail> {
        let (old, data) = (self.input(m, b, old)?, self.input(m, b, data)?);
        let (old_key, data_key) = (self.key(m, b, old)?, self.key(m, b, data)?);
        let (low, high) = if less {
            (data_key, old_key)
        } else {
            (old_key, data_key)
        };
        let wins = self.test(m, b, Pure::SLt, low, high)?;
        let (old_nan, old_signals) = self.nan(m, b, old)?;
        let (data_nan, data_signals) = self.nan(m, b, data)?;
        let quiet = self.quiet_bit(m);
        let mut new = self.select(m, b, wins, data, old)?;
        new = self.select(m, b, data_nan, old, new)?;
        new = self.select(m, b, old_nan, data, new)?;
        let quieted = self.pure(m, b, Pure::Or, &[old, quiet])?;
        new = self.select(m, b, old_signals, quieted, new)?;
        let quieted = self.pure(m, b, Pure::Or, &[data, quiet])?;
        self.select(m, b, data_signals, quieted, new)
    }

    /// `data` if the old content equals `comparison` as a number.
    fn compare_swap(
        self,
        m: &mut Module,
        b: &mut Open,
        old: Val,
        data: Val,
        comparison: Val,
    ) -> Result<Val, Fail> {
        let (x, y) = (self.input(m, b, old)?, self.input(m, b, comparison)?);
        let same = self.test(m, b, Pure::Eq, x, y)?;
        let either = self.pure(m, b, Pure::Or, &[x, y])?;
        let magnitude = self.magnitude(m, b, either)?;
        let zero = self.constant(m, 0, 0);
        let zeros = self.test(m, b, Pure::Eq, magnitude, zero)?;
        let (nan, _) = self.nan(m, b, x)?;
        let number = m.bnot(b, nan);
        let same = m.band(b, same, number);
        let equal = m.bor(b, same, zeros);
        self.select(m, b, equal, data, old)
    }
}

/// Puts the bits of `mask` of `value` (no others are set) into a cell.
pub fn replace_bits(
    m: &mut Module,
    b: &mut Open,
    cell: Cell,
    value: Id,
    mask: Id,
) -> Result<(), Fail> {
    atomic(
        m,
        b,
        AtomicOp::MskOr,
        cell,
        &[Val::One(mask), Val::One(value)],
    )?;
    Ok(())
}

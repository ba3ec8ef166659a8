//! What scalar registers may hold, as far as the code itself says: constants, addresses of the code, what
//! tables in the code hold, and indices with a known step. Enough to name the targets of indirect branches.
//! A value that is not understood may be anything; what is understood holds whatever is claimed for it.
//! Knows no IR.

use std::collections::BTreeMap;
use std::rc::Rc;

use spirdna_isa::{
    Flow, Inst, Logic, Operand, SReg, Salu, Sem, Sign, Smem, Special, Ty, Valu, Width,
};

use super::registers::{ANY_MASK, writes};

/// Values that a set holds at most.
const MAX_SET: usize = 64;

/// Rows of a table at most.
const MAX_ROWS: u32 = 4096;

/// What a dword may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Val {
    /// Anything.
    Any,
    /// One of these, ascending.
    Set(Rc<[u32]>),
    /// `base + i * step` modulo 2^32 for an i up to `last`.
    Steps { base: u32, step: u32, last: u32 },
    /// The value of the row that was taken of a table.
    Rows { table: usize, values: Rc<[u32]> },
}

impl Val {
    pub(super) fn one(value: u32) -> Val {
        Val::Set(Rc::from([value]))
    }

    fn bit() -> Val {
        Val::Set(Rc::from([0, 1]))
    }

    fn set(mut values: Vec<u32>) -> Val {
        values.sort_unstable();
        values.dedup();
        if values.len() > MAX_SET {
            return Val::Any;
        }
        Val::Set(values.into())
    }

    fn constant(&self) -> Option<u32> {
        match self {
            Val::Set(values) => match **values {
                [value] => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// The values where they are few.
    pub(super) fn values(&self) -> Option<Vec<u32>> {
        match self {
            Val::Set(values) => Some(values.to_vec()),
            Val::Steps { base, step, last } if (*last as usize) < MAX_SET => {
                let at = |i: u32| base.wrapping_add(step.wrapping_mul(i));
                Some((0..=*last).map(at).collect())
            }
            _ => None,
        }
    }

    /// Either of two.
    fn join(&self, other: &Val) -> Val {
        if self == other {
            return self.clone();
        }
        let few = |v: &Val| match v {
            Val::Set(values) => Some(values.clone()),
            Val::Rows { values, .. } => match Val::set(values.to_vec()) {
                Val::Set(values) => Some(values),
                _ => None,
            },
            _ => None,
        };
        match (few(self), few(other)) {
            (Some(a), Some(b)) => Val::set(a.iter().chain(b.iter()).copied().collect()),
            _ => Val::Any,
        }
    }
}

/// The registers at a place of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    scalar: Vec<Val>,
    scc: Val,
    /// Lanes of vector registers that `v_writelane` wrote.
    lanes: BTreeMap<(u8, u8), Val>,
}

impl State {
    /// Nothing is known.
    pub(super) fn any() -> State {
        State {
            scalar: vec![Val::Any; 128],
            scc: Val::bit(),
            lanes: BTreeMap::new(),
        }
    }

    /// Either of two.
    pub(super) fn join(&self, other: &State) -> State {
        let both = self.scalar.iter().zip(&other.scalar);
        let lanes = self.lanes.iter().filter_map(|(place, a)| {
            let b = other.lanes.get(place)?;
            Some((*place, a.join(b)))
        });
        State {
            scalar: both.map(|(a, b)| a.join(b)).collect(),
            scc: self.scc.join(&other.scc),
            lanes: lanes.collect(),
        }
    }

    /// What is left where this became `next`: what differs may be anything. A few such steps come to an end,
    /// whereas a counter's values go on.
    pub(super) fn widen(&self, next: &State) -> State {
        let same = |a: &Val, b: &Val| if a == b { a.clone() } else { Val::Any };
        let lanes = self
            .lanes
            .iter()
            .filter(|(place, a)| next.lanes.get(place) == Some(a));
        State {
            scalar: self
                .scalar
                .iter()
                .zip(&next.scalar)
                .map(|(a, b)| same(a, b))
                .collect(),
            scc: if self.scc == next.scc {
                self.scc.clone()
            } else {
                Val::bit()
            },
            lanes: lanes.map(|(place, a)| (*place, a.clone())).collect(),
        }
    }

    /// A scalar register. What EXEC holds is not followed.
    pub(super) fn sreg(&self, reg: SReg) -> Val {
        match reg {
            SReg::NULL => Val::one(0),
            SReg::EXEC_LO | SReg::EXEC_HI => Val::Any,
            _ => self.scalar.get(reg.index()).cloned().unwrap_or(Val::Any),
        }
    }

    /// Dword `half` of an operand.
    fn read(&self, (operand, ty): (Operand, Ty), half: u8) -> Val {
        match operand {
            Operand::S(SReg::NULL) => Val::one(0),
            Operand::S(reg) => reg.offset(half).map_or(Val::Any, |reg| self.sreg(reg)),
            Operand::Special(Special::Scc) if half == 0 => self.scc.clone(),
            Operand::Int(_) | Operand::Float(_) | Operand::Literal(_) | Operand::Imm(_) => {
                let bits = operand.constant_bits(ty);
                bits.map_or(Val::Any, |bits| Val::one((bits >> (32 * half)) as u32))
            }
            _ => Val::Any,
        }
    }
}

/// What an instruction gives: dwords of its scalar destination, SCC where it is understood.
#[derive(Default)]
struct Given {
    dwords: Vec<Val>,
    scc: Option<Val>,
}

impl Given {
    fn of(dwords: Vec<Val>) -> Given {
        Given { dwords, scc: None }
    }
}

/// Rows of the code that a load takes one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Table {
    pc: u32,
    first: u64,
    step: u32,
    rows: u32,
    /// The index is not known to stay in it: it ends before the first row that is no target.
    open: bool,
}

/// The analysis of one program.
pub(super) struct Known<'a> {
    /// The code's words.
    words: &'a [u32],
    /// Address of the first.
    base: u64,
    tables: Vec<Table>,
}

impl<'a> Known<'a> {
    pub(super) fn new(words: &'a [u32], base: u64) -> Known<'a> {
        Known {
            words,
            base,
            tables: Vec::new(),
        }
    }

    /// The pc of an address in the code.
    fn pc(&self, lo: u32, hi: u32) -> Option<u32> {
        let address = u64::from(hi) << 32 | u64::from(lo);
        let offset = address.checked_sub(self.base)?;
        let inside = offset < 4 * self.words.len() as u64 && offset.is_multiple_of(4);
        inside.then_some(offset as u32)
    }

    /// Where a branch to the address in two dwords may go; `None` where anything is possible.
    pub(super) fn targets(&self, lo: &Val, hi: &Val) -> Option<Vec<u32>> {
        let mut targets = Vec::new();
        match (lo, hi) {
            (
                Val::Rows { table, values },
                Val::Rows {
                    table: other,
                    values: high,
                },
            ) if table == other => {
                let pcs = values.iter().zip(high.iter()).map(|(&l, &h)| self.pc(l, h));
                self.rows(*table, pcs, &mut targets);
            }
            (Val::Rows { table, values }, _) => {
                let high = hi.values()?;
                let pcs = values
                    .iter()
                    .map(|&l| high.iter().find_map(|&h| self.pc(l, h)));
                self.rows(*table, pcs, &mut targets);
            }
            _ => {
                let (low, high) = (lo.values()?, hi.values()?);
                for &l in &low {
                    targets.extend(high.iter().filter_map(|&h| self.pc(l, h)));
                }
            }
        }
        targets.sort_unstable();
        targets.dedup();
        Some(targets)
    }

    fn rows(&self, table: usize, pcs: impl Iterator<Item = Option<u32>>, into: &mut Vec<u32>) {
        let open = self.tables.get(table).is_none_or(|t| t.open);
        for pc in pcs {
            match pc {
                Some(pc) => into.push(pc),
                None if open => break,
                None => {}
            }
        }
    }

    /// Executes an instruction.
    pub(super) fn step(&mut self, state: &mut State, inst: &Inst) {
        let given = match inst.sem() {
            Sem::Salu(sem) => salu(state, inst, sem, self.base),
            Sem::Flow(Flow::SwapPc | Flow::Call) => Given::of(self.address(inst.next_pc())),
            Sem::Smem(Smem::Load(n)) => self.load(state, inst, u32::from(n)),
            Sem::Valu(Valu::ReadLane) => Given::of(lane_of(state, inst)),
            _ => Given::default(),
        };
        let wrote = written_lane(state, inst);
        let written = writes(inst, ANY_MASK);
        for code in written.scalar_codes() {
            if let Some(val) = state.scalar.get_mut(usize::from(code)) {
                *val = Val::Any;
            }
        }
        if written.has_scc() {
            state.scc = given.scc.unwrap_or_else(Val::bit);
        }
        match wrote {
            Some((place, val)) => {
                state.lanes.insert(place, val);
            }
            None => state.lanes.retain(|(v, _), _| !written.has_vector(*v)),
        }
        if let Some((Operand::S(to), _)) = inst.dst(0) {
            for (i, val) in (0..).zip(given.dwords) {
                let reg = to.offset(i).map(SReg::index);
                if let Some(place) = reg.and_then(|reg| state.scalar.get_mut(reg)) {
                    *place = val;
                }
            }
        }
    }

    fn address(&self, pc: u32) -> Vec<Val> {
        address(self.base, pc)
    }

    /// A scalar load of `n` dwords from the code, which nothing changes.
    fn load(&mut self, state: &State, inst: &Inst, n: u32) -> Given {
        self.loaded(state, inst, n)
            .map(Given::of)
            .unwrap_or_default()
    }

    fn loaded(&mut self, state: &State, inst: &Inst, n: u32) -> Option<Vec<Val>> {
        let (Operand::S(base), _) = inst.src(0)? else {
            return None;
        };
        let (lo, hi) = (state.sreg(base), state.sreg(base.offset(1)?));
        let by = match inst.src(1)? {
            (Operand::Off, _) => Val::one(0),
            operand => state.read(operand, 0),
        };
        let immediate = i64::from(inst.mem_mods().offset & !3);
        let high = hi.values()?;
        // The low half, or the offset, may be one of many.
        let (fixed, steps) = match (&lo, &by) {
            (Val::Set(lows), Val::Set(offsets)) => {
                let mut words = vec![Vec::new(); n as usize];
                for &l in lows.iter() {
                    for &h in &high {
                        for &o in offsets.iter() {
                            let at = u64::from(h) << 32 | u64::from(l & !3);
                            let at = at.wrapping_add(u64::from(o & !3));
                            let at = at.wrapping_add(immediate as u64);
                            for (i, words) in (0..).zip(&mut words) {
                                words.push(self.word(at + 4 * i)?);
                            }
                        }
                    }
                }
                return Some(words.into_iter().map(Val::set).collect());
            }
            (Val::Steps { base, step, last }, offset) => {
                let offset = offset.constant()? & !3;
                (u64::from(*base & !3) + u64::from(offset), (*step, *last))
            }
            (low, Val::Steps { base, step, last }) => {
                let low = low.constant()? & !3;
                (u64::from(*base & !3) + u64::from(low), (*step, *last))
            }
            (low, Val::Any) => (u64::from(low.constant()? & !3), (1, u32::MAX)),
            _ => return None,
        };
        let (step, last) = match steps {
            (1 | 2, last) => (4, last),
            (step, last) if step.is_multiple_of(4) && step > 0 => (step, last),
            _ => return None,
        };
        let begins = high.iter().filter_map(|&h| {
            let at = (u64::from(h) << 32).wrapping_add(fixed);
            let at = at.wrapping_add(immediate as u64);
            self.word(at).map(|_| at)
        });
        let begins: Vec<u64> = begins.collect();
        let [first] = *begins else {
            return None;
        };
        let row = |i: u32| first + u64::from(i) * u64::from(step);
        let whole = |i: u32| self.word(row(i) + 4 * u64::from(n - 1)).is_some();
        let rows = (0..MAX_ROWS.min(last.saturating_add(1)))
            .take_while(|&i| whole(i))
            .count() as u32;
        if rows == MAX_ROWS && last >= MAX_ROWS && whole(last) {
            // A table that goes on behind what is looked at.
            return None;
        }
        let table = Table {
            pc: inst.pc(),
            first,
            step,
            rows,
            open: u64::from(rows) <= u64::from(last),
        };
        let dword = |i: u64| -> Rc<[u32]> {
            let words = (0..rows).map(|r| self.word(row(r) + 4 * i).unwrap_or_default());
            words.collect()
        };
        let dwords: Vec<Rc<[u32]>> = (0..u64::from(n)).map(dword).collect();
        let known = self.tables.iter().position(|t| *t == table);
        let table = known.unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        });
        let rows = |values| Val::Rows { table, values };
        Some(dwords.into_iter().map(rows).collect())
    }

    /// The word of the code at an address.
    fn word(&self, address: u64) -> Option<u32> {
        let offset = address.checked_sub(self.base)?;
        let index = usize::try_from(offset / 4).ok()?;
        self.words.get(index).copied()
    }
}

fn address(base: u64, pc: u32) -> Vec<Val> {
    let address = base + u64::from(pc);
    vec![Val::one(address as u32), Val::one((address >> 32) as u32)]
}

/// What `v_readlane` gives.
fn lane_of(state: &State, inst: &Inst) -> Vec<Val> {
    let lane = inst.src(1).and_then(|o| state.read(o, 0).constant());
    match (inst.src(0), lane) {
        (Some((Operand::V(v), _)), Some(lane @ 0..32)) => {
            let val = state.lanes.get(&(v, lane as u8));
            vec![val.cloned().unwrap_or(Val::Any)]
        }
        _ => Vec::new(),
    }
}

/// The lane that `v_writelane` writes, and what it holds then. Lanes from 32 on are others in wave32.
fn written_lane(state: &State, inst: &Inst) -> Option<((u8, u8), Val)> {
    if inst.sem() != Sem::Valu(Valu::WriteLane) {
        return None;
    }
    let (Operand::V(v), _) = inst.dst(0)? else {
        return None;
    };
    let lane = state.read(inst.src(1)?, 0).constant()?;
    let val = state.read(inst.src(0)?, 0);
    (lane < 32).then_some(((v, lane as u8), val))
}

/// What a function of dwords gives for all that its arguments may be together: `N` dwords.
fn all<const N: usize>(args: &[Val], f: impl Fn(&[u32]) -> [u32; N]) -> Option<[Val; N]> {
    let mut table = None;
    let mut ways = 1usize;
    for arg in args {
        match arg {
            Val::Any | Val::Steps { .. } => return None,
            Val::Set(values) => ways = ways.saturating_mul(values.len()),
            Val::Rows { table: t, values } => match table {
                Some((known, _)) if known != *t => return None,
                _ => table = Some((*t, values.len())),
            },
        }
    }
    let rows = match table {
        Some((_, rows)) if ways == 1 => rows,
        Some(_) => return None,
        None if ways <= MAX_SET => ways,
        None => return None,
    };
    let mut out: [Vec<u32>; N] = std::array::from_fn(|_| Vec::with_capacity(rows));
    for row in 0..rows {
        let mut rest = row;
        let given: Vec<u32> = args
            .iter()
            .map(|arg| match arg {
                Val::Set(values) if table.is_none() => {
                    let value = values.get(rest % values.len().max(1));
                    rest /= values.len().max(1);
                    value.copied().unwrap_or_default()
                }
                Val::Set(values) => values.first().copied().unwrap_or_default(),
                Val::Rows { values, .. } => values.get(row).copied().unwrap_or_default(),
                _ => 0,
            })
            .collect();
        for (out, value) in out.iter_mut().zip(f(&given)) {
            out.push(value);
        }
    }
    Some(out.map(|values| match table {
        Some((table, _)) => Val::Rows {
            table,
            values: values.into(),
        },
        None => Val::set(values),
    }))
}

fn wide(lo: u32, hi: u32) -> u64 {
    u64::from(hi) << 32 | u64::from(lo)
}

fn logic(op: Logic, a: u32, b: u32) -> u32 {
    match op {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
        Logic::AndN2 => a & !b,
        Logic::OrN2 => a | !b,
        Logic::Nand => !(a & b),
        Logic::Nor => !(a | b),
        Logic::Xnor => !(a ^ b),
        Logic::AndN1 => !a & b,
        Logic::OrN1 => !a | b,
    }
}

/// The scalar ALU, where addresses and indices pass through it.
fn salu(state: &State, inst: &Inst, sem: Salu, base: u64) -> Given {
    let read = |i: usize, half: u8| inst.src(i).map_or(Val::Any, |o| state.read(o, half));
    let (a, b) = (read(0, 0), read(1, 0));
    let pair = |i: usize| vec![read(i, 0), read(i, 1)];
    let source = |i: usize, w: Width| match w {
        Width::B32 => vec![read(i, 0)],
        Width::B64 => pair(i),
    };
    match sem {
        Salu::Mov(w) => Given::of(source(0, w)),
        Salu::GetPc => Given::of(address(base, inst.next_pc())),
        // Of S_CMOV the second source is what the destination held.
        Salu::Cmov(w) | Salu::Cselect(w) => {
            let (then, other) = (source(0, w), source(1, w));
            Given::of(match state.scc.constant() {
                Some(0) => other,
                Some(_) => then,
                None => then.iter().zip(&other).map(|(a, b)| a.join(b)).collect(),
            })
        }
        Salu::Not(Width::B32) => narrow(&[a], |v| nz(!v[0])),
        Salu::Not(Width::B64) => wider(&pair(0), |v| !wide(v[0], v[1])),
        Salu::Logic(op, Width::B32) => match (op, &a, &b) {
            (Logic::And, Val::Set(_), Val::Set(_)) => narrow(&[a, b], |v| nz(v[0] & v[1])),
            (Logic::And, x, m) | (Logic::And, m, x) if masked(x, m).is_some() => {
                Given::of(masked(x, m).into_iter().collect())
            }
            _ => narrow(&[a, b], |v| nz(logic(op, v[0], v[1]))),
        },
        Salu::Logic(op, Width::B64) => {
            let args = [pair(0), pair(1)].concat();
            wider(&args, |v| {
                wide(logic(op, v[0], v[2]), logic(op, v[1], v[3]))
            })
        }
        Salu::AddU32 | Salu::AddI32 => sum(a, b, Val::one(0), sem == Salu::AddU32),
        Salu::AddcU32 => sum(a, b, state.scc.clone(), true),
        Salu::SubU32 | Salu::SubI32 => match (&a, b.constant()) {
            (Val::Steps { base, step, last }, Some(c)) => Given::of(vec![Val::Steps {
                base: base.wrapping_sub(c),
                step: *step,
                last: *last,
            }]),
            _ => {
                let mut given = narrow(&[a, b], |v| {
                    [v[0].wrapping_sub(v[1]), u32::from(v[0] < v[1])]
                });
                given.scc = given.scc.filter(|_| sem == Salu::SubU32);
                given
            }
        },
        Salu::SubbU32 => narrow(&[a, b, state.scc.clone()], |v| {
            let by = u64::from(v[1]) + u64::from(v[2]);
            [
                u64::from(v[0]).wrapping_sub(by) as u32,
                u32::from(u64::from(v[0]) < by),
            ]
        }),
        Salu::Shl(Width::B32) => match b.constant() {
            Some(n) if !matches!(a, Val::Set(_) | Val::Rows { .. }) => scaled(&a, 1 << (n & 31)),
            _ => narrow(&[a, b], |v| nz(v[0] << (v[1] & 31))),
        },
        Salu::Shl(Width::B64) => match (b.constant(), read(0, 1).constant()) {
            (Some(n), Some(0)) if n & 63 < 32 && !matches!(a, Val::Set(_) | Val::Rows { .. }) => {
                let n = n & 31;
                let lo = scaled(&a, 1 << n).dwords;
                let over = match a {
                    Val::Steps { base, step, last } => {
                        (u64::from(base) + u64::from(step) * u64::from(last)) << n >> 32
                    }
                    _ => (1 << n) - 1,
                };
                let hi = match u32::try_from(over) {
                    Ok(0) => Val::one(0),
                    Ok(last) => Val::Steps {
                        base: 0,
                        step: 1,
                        last,
                    },
                    Err(_) => Val::Any,
                };
                Given::of(lo.into_iter().chain([hi]).collect())
            }
            _ => {
                let args = [pair(0), vec![b]].concat();
                wider(&args, |v| wide(v[0], v[1]) << (v[2] & 63))
            }
        },
        Salu::Shr(Width::B32) => match (&a, b.constant()) {
            (Val::Any | Val::Steps { .. }, Some(n)) => up_to(u32::MAX >> (n & 31)),
            _ => narrow(&[a, b], |v| nz(v[0] >> (v[1] & 31))),
        },
        Salu::Shr(Width::B64) => {
            let args = [pair(0), vec![b]].concat();
            wider(&args, |v| wide(v[0], v[1]) >> (v[2] & 63))
        }
        Salu::Ashr(Width::B32) => narrow(&[a, b], |v| nz((v[0] as i32 >> (v[1] & 31)) as u32)),
        Salu::Ashr(Width::B64) => {
            let args = [pair(0), vec![b]].concat();
            wider(&args, |v| (wide(v[0], v[1]) as i64 >> (v[2] & 63)) as u64)
        }
        Salu::Sext8 => narrow(&[a], |v| [v[0] as i8 as u32, 0]).without_scc(),
        Salu::Sext16 => narrow(&[a], |v| [v[0] as i16 as u32, 0]).without_scc(),
        Salu::Min(Sign::Unsigned) => match (a.constant(), b.constant()) {
            (Some(c), None) | (None, Some(c)) => up_to(c),
            _ => narrow(&[a, b], |v| [v[0].min(v[1]), 0]).without_scc(),
        },
        Salu::Bfe(Sign::Unsigned, Width::B32) => match (&a, b.constant()) {
            (Val::Any | Val::Steps { .. }, Some(field)) => {
                let width = (field >> 16 & 0x7f).min(32);
                up_to(((1u64 << width) - 1) as u32)
            }
            _ => Given::default(),
        },
        Salu::MulI32 => match (&a, a.constant(), &b, b.constant()) {
            (Val::Any | Val::Steps { .. }, _, _, Some(c)) => scaled(&a, c),
            (_, Some(c), Val::Any | Val::Steps { .. }, _) => scaled(&b, c),
            _ => narrow(&[a, b], |v| [v[0].wrapping_mul(v[1]), 0]).without_scc(),
        },
        Salu::LshlAdd(n) => {
            let shifted = match &a {
                Val::Any | Val::Steps { .. } => scaled(&a, 1 << n),
                _ => narrow(&[a], |v| [v[0] << n, 0]),
            };
            match shifted.dwords.into_iter().next() {
                Some(shifted) => sum(shifted, b, Val::one(0), false),
                None => Given::default(),
            }
        }
        _ => Given::default(),
    }
}

impl Given {
    fn without_scc(mut self) -> Given {
        self.scc = None;
        self
    }
}

/// A result and SCC = nz.
fn nz(v: u32) -> [u32; 2] {
    [v, u32::from(v != 0)]
}

/// A dword and SCC by a function.
fn narrow(args: &[Val], f: impl Fn(&[u32]) -> [u32; 2]) -> Given {
    all(args, f).map_or_else(Given::default, |[value, scc]| Given {
        dwords: vec![value],
        scc: Some(scc),
    })
}

/// Two dwords by a function; SCC = nz.
fn wider(args: &[Val], f: impl Fn(&[u32]) -> u64) -> Given {
    let parts = |v: u64| [v as u32, (v >> 32) as u32, u32::from(v != 0)];
    all(args, |v| parts(f(v))).map_or_else(Given::default, |[lo, hi, scc]| Given {
        dwords: vec![lo, hi],
        scc: Some(scc),
    })
}

fn up_to(last: u32) -> Given {
    Given::of(vec![Val::Steps {
        base: 0,
        step: 1,
        last,
    }])
}

/// Something times a constant.
fn scaled(v: &Val, by: u32) -> Given {
    let steps = match v {
        Val::Steps { base, step, last } => Val::Steps {
            base: base.wrapping_mul(by),
            step: step.wrapping_mul(by),
            last: *last,
        },
        // A product that wraps is a multiple of the constant's power of two.
        _ => Val::Steps {
            base: 0,
            step: if by.is_power_of_two() {
                by
            } else {
                1 << by.trailing_zeros().min(31)
            },
            last: u32::MAX,
        },
    };
    Given::of(vec![steps])
}

/// Something under a mask of contiguous bits.
fn masked(x: &Val, mask: &Val) -> Option<Val> {
    let mask = mask.constant().filter(|&m| m != 0)?;
    let step = 1 << mask.trailing_zeros();
    matches!(x, Val::Any | Val::Steps { .. }).then_some(Val::Steps {
        base: 0,
        step,
        last: mask / step,
    })
}

/// A sum; SCC is the carry, where `carries` says so.
fn sum(a: Val, b: Val, carry: Val, carries: bool) -> Given {
    let scc = |fits: bool| match (carries, fits) {
        (false, _) => None,
        (true, true) => Some(Val::one(0)),
        (true, false) => Some(Val::bit()),
    };
    let (steps, other) = match (&a, &b) {
        (Val::Steps { .. }, _) => (&a, b.constant()),
        (_, Val::Steps { .. }) => (&b, a.constant()),
        _ => {
            let mut given = narrow(&[a, b, carry], |v| {
                let sum = u64::from(v[0]) + u64::from(v[1]) + u64::from(v[2]);
                [sum as u32, (sum >> 32) as u32]
            });
            given.scc = given.scc.filter(|_| carries);
            return given;
        }
    };
    let (&Val::Steps { base, step, last }, Some(other)) = (steps, other) else {
        return Given::default();
    };
    let (more, last) = match carry.constant() {
        Some(carry) => (carry, last),
        None if step == 1 => (0, last.saturating_add(1)),
        None => return Given::default(),
    };
    let most = u64::from(base) + u64::from(step) * u64::from(last);
    let fits = most + u64::from(other) + u64::from(more) <= u64::from(u32::MAX);
    Given {
        dwords: vec![Val::Steps {
            base: base.wrapping_add(other).wrapping_add(more),
            step,
            last,
        }],
        scc: scc(fits),
    }
}

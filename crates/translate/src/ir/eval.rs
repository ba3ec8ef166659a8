//! An evaluator of IR functions for one wave: the meaning of `op.rs` executed, for tests and as the
//! oracle of passes. It states pure operations by plain arithmetic of its own (not `fold.rs`'s), and
//! asks an `Env` for inputs, memory and the host's floats. Slow; not the project's reference
//! interpreter, which executes decoded instructions.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thiserror::Error;

use super::func::{Block, Func, InstData, Terminator, Value};
use super::module::{Helper, Module};
use super::op::{AtomicOp, FTy, HelperId, HostOp, Input, MemWidth, Op, Pure};
use super::types::{Kind, Shape};

/// Why an evaluation stopped before the function returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EvalError {
    /// More blocks were entered than allowed.
    #[error("entered too many blocks")]
    Limit,
    /// An operation whose meaning is not the evaluator's (a guest float, a host float that the `Env`
    /// does not know).
    #[error("cannot evaluate {0}")]
    Op(Op),
    /// Arguments for which the operation defines no result.
    #[error("{0} is not defined on its arguments")]
    Undefined(Op),
    /// A value that was not computed, an unknown block or helper: the function does not verify.
    #[error("the function is not well formed")]
    Malformed,
}

/// What a wave finds around it.
pub trait Env {
    /// An input, as `lane` sees it (lane 0 for uniform ones).
    fn input(&mut self, input: Input, lane: u32) -> u64;
    /// Whether these bytes lie inside guest memory.
    fn contains(&mut self, address: u64, bytes: u32) -> bool;
    /// Reads guest memory inside it, zero-extended.
    fn load(&mut self, address: u64, width: MemWidth) -> u64;
    /// Writes guest memory inside it.
    fn store(&mut self, address: u64, width: MemWidth, value: u64);
    /// Reads LDS, zero-extended.
    fn lds_load(&mut self, address: u32, width: MemWidth) -> u64;
    /// Writes LDS.
    fn lds_store(&mut self, address: u32, width: MemWidth, value: u64);
    /// Records a fault.
    fn fault(&mut self, pc: u32, address: u64);
    /// A host float operation; `None` where the host is not modelled.
    fn host(&mut self, op: HostOp, ty: FTy, args: &[u64]) -> Option<u64>;
}

/// An `Env` with nothing in it: inputs are 0, no memory, no floats.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEnv;

impl Env for NoEnv {
    fn input(&mut self, _: Input, _: u32) -> u64 {
        0
    }
    fn contains(&mut self, _: u64, _: u32) -> bool {
        false
    }
    fn load(&mut self, _: u64, _: MemWidth) -> u64 {
        0
    }
    fn store(&mut self, _: u64, _: MemWidth, _: u64) {}
    fn lds_load(&mut self, _: u32, _: MemWidth) -> u64 {
        0
    }
    fn lds_store(&mut self, _: u32, _: MemWidth, _: u64) {}
    fn fault(&mut self, _: u32, _: u64) {}
    fn host(&mut self, _: HostOp, _: FTy, _: &[u64]) -> Option<u64> {
        None
    }
}

/// Bits of a value: one for the wave, or one a lane. A place is its address, bit 63 set where it is
/// outside guest memory.
type Bits = SmallVec<[u64; 1]>;

const OUTSIDE: u64 = 1 << 63;

/// The values of a function after a run; those not computed are absent.
#[derive(Clone, Debug)]
pub struct Values(Vec<Option<Bits>>);

impl Values {
    /// What a value is in a lane.
    pub fn get(&self, value: Value, lane: u32) -> Option<u64> {
        let bits = self.0.get(value.index())?.as_ref()?;
        bits.get(lane as usize)
            .or(bits.first().filter(|_| bits.len() == 1))
            .copied()
    }
}

/// Runs a function for one wave until it returns, entering at most `limit` blocks. A barrier is passed
/// at once. `helpers` are those of the module.
///
/// # Errors
/// See `EvalError`.
pub fn run(
    func: &Func,
    helpers: &[Helper],
    env: &mut dyn Env,
    limit: u64,
) -> Result<Values, EvalError> {
    let mut machine = Machine {
        func,
        helpers,
        env,
        lanes: func.wave().lanes(),
        values: vec![None; func.value_count()],
        scratch: FxHashMap::default(),
    };
    machine.run(limit)?;
    Ok(Values(machine.values))
}

/// The program of a module, as `run`.
///
/// # Errors
/// See `EvalError`.
pub fn run_module(module: &Module, env: &mut dyn Env, limit: u64) -> Result<Values, EvalError> {
    run(&module.func, &module.helpers, env, limit)
}

/// What a helper returns.
///
/// # Errors
/// See `EvalError`.
pub fn call(
    helpers: &[Helper],
    id: HelperId,
    env: &mut dyn Env,
    args: &[u64],
) -> Result<u64, EvalError> {
    let (before, helper) = match helpers.get(..=id.0 as usize) {
        Some([before @ .., helper]) => (before, helper),
        _ => return Err(EvalError::Malformed),
    };
    let func = &helper.func;
    let mut machine = Machine {
        func,
        helpers: before,
        env,
        lanes: 1,
        values: vec![None; func.value_count()],
        scratch: FxHashMap::default(),
    };
    let params = &func.block(func.entry()).params;
    if params.len() != args.len() {
        return Err(EvalError::Malformed);
    }
    for (&param, &arg) in params.iter().zip(args) {
        machine.set(param, SmallVec::from_slice(&[arg]))?;
    }
    machine.run(1)?;
    if let Some(fallback) = helper.fallback
        && machine.get(fallback.stands, 0)? == 0
    {
        return call(before, fallback.helper, machine.env, args);
    }
    machine.get(helper.result, 0)
}

struct Machine<'a> {
    func: &'a Func,
    helpers: &'a [Helper],
    env: &'a mut dyn Env,
    lanes: u32,
    values: Vec<Option<Bits>>,
    /// Bytes of the lanes' scratch that were stored, by lane and place.
    scratch: FxHashMap<(u32, u32), u8>,
}

impl Machine<'_> {
    fn get(&self, value: Value, lane: u32) -> Result<u64, EvalError> {
        let bits = self
            .values
            .get(value.index())
            .and_then(Option::as_ref)
            .ok_or(EvalError::Malformed)?;
        let index = if bits.len() == 1 { 0 } else { lane as usize };
        bits.get(index).copied().ok_or(EvalError::Malformed)
    }

    fn set(&mut self, value: Value, bits: Bits) -> Result<(), EvalError> {
        *self
            .values
            .get_mut(value.index())
            .ok_or(EvalError::Malformed)? = Some(bits);
        Ok(())
    }

    fn run(&mut self, limit: u64) -> Result<(), EvalError> {
        let func = self.func;
        let mut block = func.entry();
        for _ in 0..limit {
            for &inst in &func.block(block).insts {
                self.step(func.inst(inst))?;
            }
            match func
                .block(block)
                .term
                .as_ref()
                .ok_or(EvalError::Malformed)?
            {
                Terminator::Return => return Ok(()),
                Terminator::Jump(target) | Terminator::Barrier(target) => {
                    block = self.enter(target.block, &target.args)?;
                }
                Terminator::Branch { cond, then, els } => {
                    let target = if self.get(*cond, 0)? != 0 { then } else { els };
                    block = self.enter(target.block, &target.args)?;
                }
                Terminator::Switch { value, targets } => {
                    let index = self.get(*value, 0)? as usize;
                    let target = targets
                        .get(index)
                        .or(targets.last())
                        .ok_or(EvalError::Malformed)?;
                    block = self.enter(target.block, &target.args)?;
                }
            }
        }
        Err(EvalError::Limit)
    }

    /// Hands the arguments over, all at once.
    fn enter(&mut self, block: Block, args: &[Value]) -> Result<Block, EvalError> {
        let params = &self.func.block(block).params;
        let mut new = Vec::with_capacity(args.len());
        for (&param, &arg) in params.iter().zip(args) {
            let lanes = if self.func.is_lane(param) {
                self.lanes
            } else {
                1
            };
            let bits: Result<Bits, EvalError> =
                (0..lanes).map(|lane| self.get(arg, lane)).collect();
            new.push((param, bits?));
        }
        for (param, bits) in new {
            self.set(param, bits)?;
        }
        Ok(block)
    }

    fn step(&mut self, data: &InstData) -> Result<(), EvalError> {
        let per_lane = match (data.op, data.result) {
            (Op::Ballot | Op::ReadLane | Op::WaveSync | Op::AnyWave, _) => false,
            (Op::Atomic { shape, .. } | Op::LdsAtomic { shape, .. }, _) => shape == Shape::Lane,
            (Op::ScratchStore { .. }, _) => true,
            (_, Some(result)) => self.func.is_lane(result),
            (_, None) => data.args.iter().any(|&v| self.func.is_lane(v)),
        };
        let lanes = if per_lane { self.lanes } else { 1 };
        let mut out = Bits::new();
        for lane in 0..lanes {
            out.push(self.lane(data, lane)?);
        }
        match data.result {
            Some(result) => self.set(result, out),
            None => Ok(()),
        }
    }

    /// What the operation gives in one lane (0 where it yields nothing).
    fn lane(&mut self, data: &InstData, lane: u32) -> Result<u64, EvalError> {
        let op = data.op;
        let mut args: SmallVec<[u64; 4]> = SmallVec::new();
        for &arg in &data.args {
            args.push(self.get(arg, lane)?);
        }
        let arg = |i: usize| args.get(i).copied().ok_or(EvalError::Malformed);
        Ok(match op {
            Op::ConstBool(x) => u64::from(x),
            Op::Const32(x) => u64::from(x),
            Op::Const64(x) => x,
            Op::Input(input) => self.env.input(input, lane),
            Op::Pure(pure) => {
                let width = |v: Option<&Value>| v.map_or(32, |&v| bit_width(self.func.kind(v)));
                let of = if pure == Pure::Select {
                    data.args.get(1)
                } else {
                    data.args.first()
                };
                pure_bits(pure, width(of), &args).ok_or(EvalError::Undefined(op))?
            }
            Op::Float(..) => return Err(EvalError::Op(op)),
            Op::Host(host, ty) => self.env.host(host, ty, &args).ok_or(EvalError::Op(op))?,
            Op::Call(helper) => call(self.helpers, helper, self.env, &args)?,
            Op::Ballot => {
                let value = *data.args.first().ok_or(EvalError::Malformed)?;
                let mut mask = 0;
                for i in 0..self.lanes {
                    mask |= self.get(value, i)? << i;
                }
                mask
            }
            Op::LaneBit => (arg(0)? >> lane) & 1,
            Op::ReadLane | Op::Shuffle => {
                let from = arg(1)?;
                if from >= u64::from(self.lanes) {
                    return Err(EvalError::Undefined(op));
                }
                self.get(*data.args.first().ok_or(EvalError::Malformed)?, from as u32)?
            }
            Op::Table(number) => {
                let table = self.func.tables().get(number as usize);
                let table = table.ok_or(EvalError::Malformed)?;
                let index = usize::try_from(arg(0)?).map_err(|_| EvalError::Malformed)?;
                if index > table.len() {
                    return Err(EvalError::Undefined(op));
                }
                table.get(index).copied().unwrap_or(0).into()
            }
            Op::Window => arg(0)?,
            Op::Ptr { bytes, .. } => {
                let address = arg(0)? & ((1 << 48) - 1);
                if self.env.contains(address, bytes) {
                    address
                } else {
                    address | OUTSIDE
                }
            }
            // Above all addresses of the guest.
            Op::PtrBound { buffer } => 1 << 60 | u64::from(buffer) << 32 | arg(0)?,
            Op::PtrBytes => {
                let address = arg(0)? & ((1 << 48) - 1);
                if self.env.contains(address, arg(1)? as u32) {
                    address
                } else {
                    address | OUTSIDE
                }
            }
            Op::PtrOk => u64::from(arg(0)? & OUTSIDE == 0),
            Op::Load { width, offset, .. } => match place(arg(0)?, arg(1)?, offset) {
                Some(address) => self.env.load(address, width),
                None => 0,
            },
            Op::Store { width, offset, .. } => {
                if let Some(address) = place(arg(0)?, arg(2)?, offset) {
                    self.env.store(address, width, arg(1)?);
                }
                0
            }
            Op::Atomic {
                op, width, offset, ..
            } => match place(arg(0)?, arg(1)?, offset) {
                Some(address) => {
                    let old = self.env.load(address, width);
                    let new = self.updated(op, width, old, &args)?;
                    self.env.store(address, width, new);
                    old
                }
                None => 0,
            },
            Op::LdsLoad { width } if arg(1)? != 0 => self.env.lds_load(arg(0)? as u32, width),
            Op::LdsLoad { .. } => 0,
            Op::LdsStore { width } => {
                if arg(2)? != 0 {
                    self.env.lds_store(arg(0)? as u32, width, arg(1)?);
                }
                0
            }
            Op::ScratchLoad { width, offset, .. } => {
                if arg(1)? == 0 {
                    return Ok(0);
                }
                let first = (arg(0)? as u32).wrapping_add(offset);
                (0..width.bytes()).rev().fold(0, |word, i| {
                    let byte = self.scratch.get(&(lane, first.wrapping_add(i)));
                    word << 8 | u64::from(byte.copied().unwrap_or(0))
                })
            }
            Op::ScratchStore { width, offset, .. } => {
                let (first, word) = ((arg(0)? as u32).wrapping_add(offset), arg(1)?);
                if arg(2)? != 0 {
                    for i in 0..width.bytes() {
                        let place = (lane, first.wrapping_add(i));
                        self.scratch.insert(place, (word >> (8 * i)) as u8);
                    }
                }
                0
            }
            Op::LdsAtomic { op, width, .. } => {
                if arg(1)? == 0 {
                    return Ok(0);
                }
                let address = arg(0)? as u32;
                let old = self.env.lds_load(address, width);
                let new = self.updated(op, width, old, &args)?;
                self.env.lds_store(address, width, new);
                old
            }
            Op::Fault { pc } => {
                if arg(1)? != 0 {
                    self.env.fault(pc, arg(0)?);
                }
                0
            }
            Op::WaveSync => 0,
            // The wave is alone.
            Op::AnyWave => arg(0)?,
            // Who evaluates a wave has neither a rasteriser nor targets nor images.
            Op::InterpFirst { .. }
            | Op::Output { .. }
            | Op::Valid
            | Op::Quad { .. }
            | Op::Image(_) => {
                return Err(EvalError::Malformed);
            }
        })
    }

    /// What an atomic with (place, guard, data...) makes of the old content.
    fn updated(
        &mut self,
        op: AtomicOp,
        width: MemWidth,
        old: u64,
        args: &[u64],
    ) -> Result<u64, EvalError> {
        let data = *args.get(2).ok_or(EvalError::Malformed)?;
        if let AtomicOp::Helper(helper) = op {
            return call(self.helpers, helper, self.env, &[old, data]);
        }
        let second = args.get(3).copied().unwrap_or(0);
        Ok(atomic(op, width, old, data, second))
    }
}

/// The address of an access, if it is done.
fn place(ptr: u64, guard: u64, offset: u32) -> Option<u64> {
    (guard != 0 && ptr & OUTSIDE == 0).then(|| ptr + u64::from(offset))
}

fn bit_width(kind: Kind) -> u32 {
    match kind {
        Kind::Bool => 1,
        Kind::I32 => 32,
        Kind::I64 | Kind::Ptr => 64,
    }
}

fn ones(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// The number that `width` bits mean in two's complement.
fn signed(x: u64, width: u32) -> i128 {
    let x = i128::from(x & ones(width));
    if x >> (width - 1) != 0 {
        x - (1 << width)
    } else {
        x
    }
}

/// A pure operation on arguments of `width` bits (of a select: its arms).
fn pure_bits(op: Pure, width: u32, args: &[u64]) -> Option<u64> {
    let mask = ones(width);
    let bit = |x: u64, i: u32| (x >> i) & 1;
    let low = |x: u128| (x as u64) & mask;
    let from_signed = |x: i128| (x as u64) & mask;
    let absent = u64::from(u32::MAX);
    Some(match (op, args) {
        (Pure::Not, &[x]) => mask - x,
        (Pure::BitReverse, &[x]) => (0..width).map(|i| bit(x, i) << (width - 1 - i)).sum(),
        (Pure::BitCount, &[x]) => (0..width).map(|i| bit(x, i)).sum(),
        (Pure::FindLsb, &[x]) => (0..width)
            .find(|&i| bit(x, i) == 1)
            .map_or(absent, u64::from),
        (Pure::FindUMsb, &[x]) => (0..width)
            .rev()
            .find(|&i| bit(x, i) == 1)
            .map_or(absent, u64::from),
        (Pure::Add, &[x, y]) => low(u128::from(x) + u128::from(y)),
        (Pure::Sub, &[x, y]) => low(u128::from(x) + (1 << width) - u128::from(y)),
        (Pure::Mul, &[x, y]) => low(u128::from(x) * u128::from(y)),
        (Pure::MulHiU, &[x, y]) => (x * y) >> 32,
        (Pure::MulHiS, &[x, y]) => from_signed((signed(x, 32) * signed(y, 32)).div_euclid(1 << 32)),
        (Pure::UDiv, &[_, 0]) => mask,
        (Pure::UDiv, &[x, y]) => x / y,
        (Pure::URem, &[x, 0]) => x,
        (Pure::URem, &[x, y]) => x - x / y * y,
        // By counting: x + y = (x & y) + (x | y).
        (Pure::And, &[x, y]) => low(u128::from(x) + u128::from(y) - u128::from(x | y)),
        (Pure::Or, &[x, y]) => mask - ((mask - x) & (mask - y)),
        (Pure::Xor, &[x, y]) => (x | y) - (x & y),
        (Pure::Shl, &[x, n]) => low(u128::from(x) * (1 << (n % u64::from(width)))),
        (Pure::ShrU, &[x, n]) => low(u128::from(x) / (1 << (n % u64::from(width)))),
        (Pure::ShrS, &[x, n]) => {
            from_signed(signed(x, width).div_euclid(1 << (n % u64::from(width))))
        }
        (Pure::UMin, &[x, y]) => {
            if x < y {
                x
            } else {
                y
            }
        }
        (Pure::UMax, &[x, y]) => {
            if x < y {
                y
            } else {
                x
            }
        }
        (Pure::SMin, &[x, y]) => {
            if signed(x, width) < signed(y, width) {
                x
            } else {
                y
            }
        }
        (Pure::SMax, &[x, y]) => {
            if signed(x, width) < signed(y, width) {
                y
            } else {
                x
            }
        }
        (Pure::Eq, &[x, y]) => u64::from(x == y),
        (Pure::Ne, &[x, y]) => u64::from(x != y),
        (Pure::ULt, &[x, y]) => u64::from(x < y),
        (Pure::ULe, &[x, y]) => u64::from(x <= y),
        (Pure::SLt, &[x, y]) => u64::from(signed(x, width) < signed(y, width)),
        (Pure::SLe, &[x, y]) => u64::from(signed(x, width) <= signed(y, width)),
        (Pure::Select, &[c, y, z]) => {
            if c == 1 {
                y
            } else {
                z
            }
        }
        (Pure::BitsU | Pure::BitsS, &[x, at, n]) => {
            if at >= 32 || at + n > 32 {
                return None;
            }
            let field: u64 = (0..n as u32).map(|i| bit(x, at as u32 + i) << i).sum();
            match (op, n) {
                (_, 0) => 0,
                (Pure::BitsS, n) => from_signed(signed(field, n as u32)),
                _ => field,
            }
        }
        (Pure::ZExt, &[x]) => x,
        (Pure::SExt, &[x]) => signed(x, 32) as u64,
        (Pure::Lo, &[x]) => x % (1 << 32),
        (Pure::Hi, &[x]) => x / (1 << 32),
        (Pure::Pack, &[lo, hi]) => lo + (hi << 32),
        (Pure::BoolInt, &[x]) => x,
        _ => return None,
    })
}

/// What an atomic writes for what it found and its data.
fn atomic(op: AtomicOp, width: MemWidth, old: u64, data: u64, data1: u64) -> u64 {
    let bits = if width == MemWidth::B64 { 64 } else { 32 };
    let (s_old, s_data) = (signed(old, bits), signed(data, bits));
    let new = match op {
        AtomicOp::Swap => data,
        AtomicOp::CmpSwap => {
            if old == data1 {
                data
            } else {
                old
            }
        }
        AtomicOp::Add => old.wrapping_add(data),
        AtomicOp::Sub => old.wrapping_sub(data),
        AtomicOp::SMin => {
            if s_data < s_old {
                data
            } else {
                old
            }
        }
        AtomicOp::UMin => old.min(data),
        AtomicOp::SMax => {
            if s_data > s_old {
                data
            } else {
                old
            }
        }
        AtomicOp::UMax => old.max(data),
        AtomicOp::And => old & data,
        AtomicOp::Or => old | data,
        AtomicOp::Xor => old ^ data,
        AtomicOp::RSub => data.wrapping_sub(old),
        AtomicOp::Inc => {
            if old >= data {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > data {
                data
            } else {
                old - 1
            }
        }
        AtomicOp::CSub => old.saturating_sub(data),
        AtomicOp::FMin { flush } => float_pick(bits, flush, old, data, |x, y| x < y),
        AtomicOp::FMax { flush } => float_pick(bits, flush, old, data, |x, y| x > y),
        // The helper's own: see `updated`.
        AtomicOp::Helper(_) => old,
        AtomicOp::FCmpSwap { flush } => {
            let (x, y) = (
                float_input(bits, flush, old),
                float_input(bits, flush, data1),
            );
            if float_value(bits, x) == float_value(bits, y) {
                data
            } else {
                old
            }
        }
        AtomicOp::MskOr => (old & !data) | data1,
        AtomicOp::Wrap => {
            if old >= data {
                old - data
            } else {
                old.wrapping_add(data1)
            }
        }
    };
    new & ones(bits)
}

/// A float as the host's double; of f32 exact.
fn float_value(bits: u32, x: u64) -> f64 {
    if bits == 64 {
        f64::from_bits(x)
    } else {
        f64::from(f32::from_bits(x as u32))
    }
}

/// A subnormal as a signed zero, if it is flushed.
fn float_input(bits: u32, flush: bool, x: u64) -> u64 {
    let subnormal = if bits == 64 {
        f64::from_bits(x).is_subnormal()
    } else {
        f32::from_bits(x as u32).is_subnormal()
    };
    if flush && subnormal {
        x & 1 << (bits - 1)
    } else {
        x
    }
}

fn float_pick(bits: u32, flush: bool, old: u64, data: u64, wins: impl Fn(f64, f64) -> bool) -> u64 {
    let (old, data) = (
        float_input(bits, flush, old),
        float_input(bits, flush, data),
    );
    let quiet = 1 << if bits == 64 { 51 } else { 22 };
    let (x, y) = (float_value(bits, data), float_value(bits, old));
    if x.is_nan() && data & quiet == 0 {
        data | quiet
    } else if y.is_nan() && (old & quiet == 0 || !x.is_nan()) {
        if old & quiet == 0 { old | quiet } else { data }
    } else if y.is_nan() {
        data
    } else if x.is_nan() {
        old
    } else if x == 0.0 && y == 0.0 {
        let sign = |x: f64| if x.is_sign_negative() { -1.0 } else { 1.0 };
        if wins(sign(x), sign(y)) { data } else { old }
    } else if wins(x, y) {
        data
    } else {
        old
    }
}

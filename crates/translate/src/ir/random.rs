//! Random functions for tests: straight code over every pure and lane operation, and control flow
//! with block parameters. What a function computes is seen through its LDS stores.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use spirdna_isa::WaveSize;

use super::eval::{Env, EvalError};
use super::*;

/// xorshift64*: the same numbers on every machine and with every library version.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 32) as usize) % n
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A number that is an edge half of the time.
    pub fn edge(&mut self) -> u64 {
        let x = self.next();
        match x % 8 {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << ((x >> 8) % 64),
            3 => (1 << ((x >> 8) % 64)) - 1,
            4 => (x >> 8) % 70,
            _ => self.next(),
        }
    }
}

pub const PURE: [Pure; 40] = [
    Pure::Not,
    Pure::BitReverse,
    Pure::BitCount,
    Pure::FindLsb,
    Pure::FindUMsb,
    Pure::Add,
    Pure::Sub,
    Pure::Mul,
    Pure::MulHiU,
    Pure::MulHiS,
    Pure::UDiv,
    Pure::URem,
    Pure::And,
    Pure::Or,
    Pure::Xor,
    Pure::Shl,
    Pure::ShrU,
    Pure::ShrS,
    Pure::UMin,
    Pure::UMax,
    Pure::SMin,
    Pure::SMax,
    Pure::Eq,
    Pure::Ne,
    Pure::ULt,
    Pure::ULe,
    Pure::SLt,
    Pure::SLe,
    Pure::Select,
    Pure::BitsU,
    Pure::BitsS,
    Pure::ZExt,
    Pure::SExt,
    Pure::Lo,
    Pure::Hi,
    Pure::Pack,
    Pure::BoolInt,
    Pure::Select,
    Pure::And,
    Pure::Not,
];

/// The world of a random function: inputs from a hash of their name, LDS writes in order.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub seed: u64,
    pub writes: Vec<(u32, u64)>,
}

impl Env for World {
    fn input(&mut self, input: Input, lane: u32) -> u64 {
        let mut name = Rng::new(
            self.seed
                ^ (format!("{input:?}")
                    .bytes()
                    .fold(7u64, |h, c| h.wrapping_mul(31).wrapping_add(u64::from(c)))),
        );
        match input {
            Input::LaneId => u64::from(lane),
            Input::LaneLive => (name.next() >> (lane % 64)) & 1,
            Input::UserData(_)
            | Input::GroupId(_)
            | Input::WaveInGroup
            | Input::WavesInGroup
            | Input::GroupNumber
            | Input::Base { .. }
            | Input::Stage(_) => name.edge() & 0xffff_ffff,
            Input::LocalId(_) | Input::LaunchVgpr(_) => {
                Rng::new(name.next() ^ u64::from(lane)).edge() & 0xffff_ffff
            }
        }
    }
    fn contains(&mut self, _: u64, _: u32) -> bool {
        false
    }
    fn load(&mut self, _: u64, _: MemWidth) -> u64 {
        0
    }
    fn store(&mut self, _: u64, _: MemWidth, _: u64) {}
    fn lds_load(&mut self, address: u32, _: MemWidth) -> u64 {
        u64::from(address ^ 0x5a5a)
    }
    fn lds_store(&mut self, address: u32, _: MemWidth, value: u64) {
        self.writes.push((address, value));
    }
    fn fault(&mut self, _: u32, _: u64) {}
    fn host(&mut self, _: HostOp, _: FTy, _: &[u64]) -> Option<u64> {
        None
    }
}

/// Where a random function's instructions go: through the builder's constructors, or in as they are.
pub struct Maker<'f> {
    pub builder: Builder<'f>,
    pub raw: bool,
}

impl Maker<'_> {
    fn make(&mut self, op: Op, args: &[Value]) -> Option<Value> {
        if !self.raw
            || matches!(
                op,
                Op::ConstBool(_) | Op::Const32(_) | Op::Const64(_) | Op::Input(_)
            )
        {
            return self.builder.rebuild(op, args, None);
        }
        let block = self.builder.block();
        let func = self.builder.func_mut();
        let types: Vec<Ty> = args.iter().map(|&v| func.ty(v)).collect();
        let ty = typing::infer(&op, &types, func.wave()).expect("random operations are well typed");
        let inst = func.append_inst(block, op, Args::from_slice(args), ty);
        func.inst(inst).result
    }

    fn pick(&self, rng: &mut Rng, pool: &[Value], kind: Kind, uniform: bool) -> Option<Value> {
        let func = self.builder.func();
        let fits: Vec<Value> = pool
            .iter()
            .copied()
            .filter(|&v| func.kind(v) == kind && !(uniform && func.is_lane(v)))
            .collect();
        // Late values more often, so that chains grow.
        let n = fits.len();
        (n > 0).then(|| {
            if rng.below(2) == 0 {
                fits[rng.below(n)]
            } else {
                fits[n - 1 - rng.below(n.min(4))]
            }
        })
    }

    /// Appends one random operation whose arguments are in `pool` and puts its result there.
    pub fn random_op(&mut self, rng: &mut Rng, pool: &mut Vec<Value>) {
        let kinds = [Kind::Bool, Kind::I32, Kind::I64];
        let mask = self.builder.func().mask_kind();
        let (op, wanted): (Op, Vec<(Kind, bool)>) = match rng.below(20) {
            0 => (Op::Ballot, vec![(Kind::Bool, false)]),
            1 | 2 => (Op::LaneBit, vec![(mask, true)]),
            3 => {
                let lane = rng.below(self.builder.func().wave().lanes() as usize) as u32;
                let c = self.make(Op::Const32(lane), &[]).expect("constant");
                if let Some(x) = self.pick(rng, pool, Kind::I32, false) {
                    pool.extend(self.make(Op::ReadLane, &[x, c]));
                }
                return;
            }
            4 => {
                let last = self.builder.func().wave().lanes() - 1;
                let c = self.make(Op::Const32(last), &[]).expect("constant");
                let (Some(x), Some(y)) = (
                    self.pick(rng, pool, Kind::I32, false),
                    self.pick(rng, pool, Kind::I32, false),
                ) else {
                    return;
                };
                let lane = self.make(Op::Pure(Pure::And), &[y, c]).expect("and");
                pool.extend(self.make(Op::Shuffle, &[x, lane]));
                return;
            }
            5 => {
                let c = match rng.below(3) {
                    0 => Op::Const32(rng.edge() as u32),
                    1 => Op::Const64(rng.edge()),
                    _ => Op::ConstBool(rng.below(2) == 0),
                };
                pool.extend(self.make(c, &[]));
                return;
            }
            _ => {
                let op = rng.pick(&PURE);
                let any = rng.pick(&kinds);
                let int = if any == Kind::Bool { Kind::I32 } else { any };
                let kinds: Vec<Kind> = match op {
                    Pure::Not => vec![any],
                    Pure::BitReverse | Pure::ZExt | Pure::SExt => vec![Kind::I32],
                    Pure::BitCount | Pure::FindLsb | Pure::FindUMsb => vec![int],
                    Pure::Add | Pure::Sub | Pure::Mul => vec![int, int],
                    Pure::MulHiU
                    | Pure::MulHiS
                    | Pure::UDiv
                    | Pure::URem
                    | Pure::UMin
                    | Pure::UMax
                    | Pure::SMin
                    | Pure::SMax
                    | Pure::Pack => vec![Kind::I32, Kind::I32],
                    Pure::And | Pure::Or | Pure::Xor | Pure::Eq | Pure::Ne => vec![any, any],
                    Pure::Shl | Pure::ShrU | Pure::ShrS => vec![int, Kind::I32],
                    Pure::ULt | Pure::ULe | Pure::SLt | Pure::SLe => vec![int, int],
                    Pure::Select => vec![Kind::Bool, any, any],
                    Pure::BitsU | Pure::BitsS => {
                        let at = rng.below(32) as u32;
                        let n = rng.below(33 - at as usize) as u32;
                        let at = self.make(Op::Const32(at), &[]).expect("constant");
                        let n = self.make(Op::Const32(n), &[]).expect("constant");
                        if let Some(x) = self.pick(rng, pool, Kind::I32, false) {
                            pool.extend(self.make(Op::Pure(op), &[x, at, n]));
                        }
                        return;
                    }
                    Pure::Lo | Pure::Hi => vec![Kind::I64],
                    Pure::BoolInt => vec![Kind::Bool],
                };
                (
                    Op::Pure(op),
                    kinds.into_iter().map(|k| (k, false)).collect(),
                )
            }
        };
        let args: Option<Vec<Value>> = wanted
            .into_iter()
            .map(|(kind, uniform)| self.pick(rng, pool, kind, uniform))
            .collect();
        if let Some(args) = args {
            pool.extend(self.make(op, &args));
        }
    }

    /// Shows a value: stores it (in two halves, if it has them) to LDS.
    pub fn show(&mut self, at: u32, value: Value) {
        let t = self.builder.const_bool(true);
        let words = match self.builder.func().kind(value) {
            Kind::Bool => vec![self.make(Op::Pure(Pure::BoolInt), &[value]).expect("int")],
            Kind::I32 => vec![value],
            Kind::I64 => vec![
                self.make(Op::Pure(Pure::Lo), &[value]).expect("lo"),
                self.make(Op::Pure(Pure::Hi), &[value]).expect("hi"),
            ],
            Kind::Ptr => vec![],
        };
        // The lane id in the address makes the store one of each lane, whatever the value's shape.
        let lane = self.builder.input(Input::LaneId);
        for (i, word) in words.into_iter().enumerate() {
            let base = self.builder.const32((at * 2 + i as u32) * 1024);
            let block = self.builder.block();
            let func = self.builder.func_mut();
            let sum = func.append_inst(
                block,
                Op::Pure(Pure::Add),
                Args::from_slice(&[lane, base]),
                Some(Ty::lane(Kind::I32)),
            );
            let address = func.inst(sum).result.expect("a sum");
            let op = Op::LdsStore {
                width: MemWidth::B32,
            };
            func.append_inst(block, op, Args::from_slice(&[address, word, t]), None);
        }
    }
}

/// Values to begin with.
pub fn inputs(b: &mut Builder<'_>) -> Vec<Value> {
    vec![
        b.input(Input::UserData(0)),
        b.input(Input::UserData(1)),
        b.input(Input::LaneId),
        b.input(Input::LaneLive),
        b.input(Input::LaunchVgpr(0)),
        b.input(Input::LaunchVgpr(1)),
    ]
}

/// A straight function of `len` random operations.
pub fn straight(seed: u64, wave: WaveSize, len: usize, raw: bool) -> Func {
    let mut func = Func::new(wave);
    let mut maker = Maker {
        builder: Builder::new(&mut func),
        raw,
    };
    let mut rng = Rng::new(seed);
    let mut pool = inputs(&mut maker.builder);
    for _ in 0..len {
        maker.random_op(&mut rng, &mut pool);
    }
    for (i, &value) in pool.clone().iter().enumerate() {
        maker.show(i as u32, value);
    }
    maker.builder.ret();
    func
}

/// A function of several blocks with parameters and any flow, back edges too.
pub fn flow(seed: u64, wave: WaveSize) -> Func {
    let mut rng = Rng::new(seed);
    let mut func = Func::new(wave);
    let count = 2 + rng.below(7);
    let types: Vec<Ty> = (0..3 + rng.below(4))
        .map(|_| {
            let kind = rng.pick(&[Kind::Bool, Kind::I32, Kind::I32, Kind::I64]);
            if rng.below(3) == 0 {
                Ty::uniform(kind)
            } else {
                Ty::lane(kind)
            }
        })
        .collect();
    let mut maker = Maker {
        builder: Builder::new(&mut func),
        raw: true,
    };
    let entry_pool = inputs(&mut maker.builder);
    let mut blocks = Vec::new();
    for _ in 0..count {
        let block = maker.builder.new_block();
        let params: Vec<Value> = types
            .iter()
            .map(|&ty| maker.builder.param(block, ty))
            .collect();
        blocks.push((block, params));
    }
    let mut bodies = vec![(maker.builder.block(), vec![])];
    bodies.extend(blocks.iter().cloned());
    for (index, (block, params)) in bodies.into_iter().enumerate() {
        maker.builder.switch_to(block);
        let mut pool = entry_pool.clone();
        pool.extend(&params);
        for kind in [Kind::Bool, Kind::I32, Kind::I64] {
            let zero = maker.builder.zero(kind);
            pool.push(zero);
        }
        for _ in 0..rng.below(14) {
            maker.random_op(&mut rng, &mut pool);
        }
        if index > 0 {
            let shown = pool[pool.len() - 1];
            maker.show(index as u32, shown);
        }
        let target = |maker: &mut Maker<'_>, rng: &mut Rng| {
            let (to, to_params) = blocks[rng.below(blocks.len())].clone();
            let args = types
                .iter()
                .enumerate()
                .map(|(i, ty)| {
                    // Often the same parameter goes on unchanged, as registers do.
                    if index > 0 && rng.below(2) == 0 {
                        return if rng.below(8) == 0 && to == block {
                            to_params[i]
                        } else {
                            params[i]
                        };
                    }
                    maker
                        .pick(rng, &pool, ty.kind, !ty.is_lane())
                        .expect("there is a zero")
                })
                .collect();
            Target::new(to, args)
        };
        let cond = maker
            .pick(&mut rng, &pool, Kind::Bool, true)
            .expect("there is a zero");
        let term = match rng.below(10) {
            0 if index > 0 => Terminator::Return,
            1 | 2 => Terminator::Jump(target(&mut maker, &mut rng)),
            3 => Terminator::Barrier(target(&mut maker, &mut rng)),
            4 => Terminator::Switch {
                value: maker
                    .pick(&mut rng, &pool, Kind::I32, true)
                    .expect("there is a zero"),
                targets: (0..1 + rng.below(3))
                    .map(|_| target(&mut maker, &mut rng))
                    .collect(),
            },
            _ => Terminator::Branch {
                cond,
                then: target(&mut maker, &mut rng),
                els: target(&mut maker, &mut rng),
            },
        };
        maker.builder.terminate(term);
    }
    func
}

/// What a run shows: the stores, and how it ended. Passes keep the blocks that are entered, so a run
/// that reaches the limit shows the same too.
pub fn shown(func: &Func, seed: u64) -> (Vec<(u32, u64)>, Option<EvalError>) {
    verify(func, func.wave()).expect("the function verifies");
    let mut world = World {
        seed,
        writes: Vec::new(),
    };
    let end = eval::run(func, &[], &mut world, 40).err();
    assert!(matches!(end, None | Some(EvalError::Limit)), "{end:?}");
    (world.writes, end)
}

/// A function whose blocks carry lane masks made of ballots, constants and logic (in wave64 as two
/// halves), as EXEC and saved masks are, and show their lane bits.
pub fn masks(seed: u64, wave: WaveSize) -> Func {
    let mut rng = Rng::new(seed);
    let mut func = Func::new(wave);
    let mut maker = Maker {
        builder: Builder::new(&mut func),
        raw: false,
    };
    let count = 2 + rng.below(4);
    let carried = 1 + rng.below(3);
    let halves = if wave == WaveSize::W64 { 2 } else { 1 };
    let b = &mut maker.builder;
    let inputs = inputs(b);
    let blocks: Vec<(Block, Vec<Value>)> = (0..count)
        .map(|_| {
            let block = b.new_block();
            (
                block,
                (0..carried * halves)
                    .map(|_| b.param(block, Ty::uniform(Kind::I32)))
                    .collect(),
            )
        })
        .collect();
    let entry = b.block();
    for (index, (block, params)) in std::iter::once((entry, vec![]))
        .chain(blocks.iter().cloned())
        .enumerate()
    {
        let b = &mut maker.builder;
        b.switch_to(block);
        let live = b.ballot(inputs[3]);
        let below = b.ult(inputs[4], inputs[5]);
        let below = b.ballot(below);
        let odd = b.const_mask(0x5a5a_0ff0_1234_aaaa);
        let mut pool = vec![live, below, odd];
        for pair in params.chunks(halves) {
            pool.push(if let &[lo, hi] = pair {
                b.pack(lo, hi)
            } else {
                pair[0]
            });
        }
        for _ in 0..3 + rng.below(6) {
            let (x, y) = (rng.pick(&pool), rng.pick(&pool));
            let z = match rng.below(6) {
                0 => b.not(x),
                1 => b.and(x, y),
                2 => b.or(x, y),
                3 => b.xor(x, y),
                4 => {
                    let c = b.ult(inputs[0], inputs[1]);
                    b.select(c, x, y)
                }
                _ if halves == 2 => {
                    let (xl, xh, yl, yh) = (b.lo(x), b.hi(x), b.lo(y), b.hi(y));
                    let (lo, hi) = if rng.below(2) == 0 {
                        (b.and(xl, yl), b.and(yh, xh))
                    } else {
                        (b.xor(xl, yl), b.xor(xh, yh))
                    };
                    b.pack(lo, hi)
                }
                _ => b.ballot(inputs[3]),
            };
            pool.push(z);
        }
        if index > 0 {
            let shown = pool[pool.len() - 1];
            let bit = maker.builder.lane_bit(shown);
            maker.show(index as u32, bit);
        }
        let mut target = |b: &mut Builder<'_>| {
            let mut args = Vec::new();
            for _ in 0..carried {
                let mask = rng.pick(&pool);
                if halves == 2 {
                    args.extend([b.lo(mask), b.hi(mask)]);
                } else {
                    args.push(mask);
                }
            }
            Target::new(blocks[rng.below(blocks.len())].0, args)
        };
        let b = &mut maker.builder;
        let (then, els) = (target(b), target(b));
        let some = rng.pick(&pool);
        let zero = b.const_mask(0);
        let cond = b.eq(some, zero);
        if index > 0 && rng.below(4) == 0 {
            b.ret();
        } else {
            b.branch(cond, then, els);
        }
    }
    func
}

//! The programs: IR, input memory, and the memory that plain Rust says must come out.

use spirdna_isa::launch::{InitialVgpr, Launch};
use spirdna_isa::{Target, WaveSize};
use spirdna_translate::ir::{
    AtomicOp, Builder, Input, MemWidth, Module, Pure, Shape, Value, verify,
};

/// Where the output region lies.
pub const OUT: u64 = 0x1_0000_0000;
/// Where the input region lies: a sign-extended address, of which 48 bits count.
pub const IN: u64 = 0xffff_8000_0000_1000;

/// A program and all it needs.
pub struct Program {
    pub name: &'static str,
    pub module: Module,
    /// Threads in the grid.
    pub threads: [u32; 3],
    pub user: Vec<u32>,
    pub vgprs: Vec<Vec<u32>>,
    /// Regions: guest base, content.
    pub memory: Vec<(u64, Vec<u32>)>,
    /// The content of each afterwards.
    pub expected: Vec<Vec<u32>>,
    /// Checks the fault buffer (empty where the module has none).
    pub faults: fn(&[u32]) -> Result<(), String>,
    /// Programs that a device compiles slowly are executed at one subgroup size in three.
    pub turn: Option<u32>,
}

impl Program {
    /// Whether it is executed at a subgroup size.
    pub fn runs_at(&self, s: u32) -> bool {
        self.turn
            .is_none_or(|turn| (turn + s.ilog2()).is_multiple_of(3))
    }

    pub fn groups(&self) -> [u32; 3] {
        [0, 1, 2].map(|i| self.threads[i].div_ceil(self.module.local[i]))
    }
}

fn no_faults(faults: &[u32]) -> Result<(), String> {
    match faults.first() {
        None | Some(0) => Ok(()),
        Some(n) => Err(format!("{n} faults, the first {:x?}", &faults[1..5])),
    }
}

/// A launch and what builds the program in it.
pub struct Setup {
    pub launch: Launch,
    pub threads: [u32; 3],
    pub user: Vec<u32>,
    pub memory: Vec<(u64, Vec<u32>)>,
    pub expected: Vec<Vec<u32>>,
}

pub fn launch(wave: WaveSize, local: [u32; 3]) -> Launch {
    Launch::compute(Target::Gfx1030, wave, local)
}

pub fn finish(
    name: &'static str,
    mut setup: Setup,
    build: impl FnOnce(&mut Builder<'_>),
) -> Program {
    setup.launch.user_sgprs = setup.user.len() as u32;
    let mut module = Module::new(&setup.launch);
    build(&mut Builder::new(&mut module.func));
    verify(&module.func, setup.launch.wave).expect(name);
    let vgprs = setup
        .launch
        .vgprs
        .iter()
        .map(|(_, content)| match content {
            InitialVgpr::PerLane(words) => words.clone(),
            InitialVgpr::LocalId(_) => Vec::new(),
        })
        .collect();
    Program {
        name,
        module,
        threads: setup.threads,
        user: setup.user,
        vgprs,
        memory: setup.memory,
        expected: setup.expected,
        faults: no_faults,
        turn: None,
    }
}

/// The place of dword `index` (a word value) after `base`.
pub fn place(b: &mut Builder<'_>, base: u64, index: Value, dwords: u32) -> Value {
    let base = b.const64(base);
    let offset = b.shl_by(index, 2);
    let offset = b.zext(offset);
    let address = b.add(base, offset);
    b.ptr(address, 4 * dwords)
}

pub fn put(b: &mut Builder<'_>, index: Value, value: Value) {
    let yes = b.const_bool(true);
    put_if(b, index, value, yes);
}

fn put_if(b: &mut Builder<'_>, index: Value, value: Value, guard: Value) {
    let place = place(b, OUT, index, 1);
    b.store(place, value, guard, MemWidth::B32, 0, true);
}

/// Stores `values` from dword `index * values.len()` on.
pub fn put_all(b: &mut Builder<'_>, index: Value, values: &[Value]) {
    let n = b.const32(values.len() as u32);
    let index = b.mul(index, n);
    let place = place(b, OUT, index, values.len() as u32);
    let yes = b.const_bool(true);
    for (i, &value) in values.iter().enumerate() {
        b.store(place, value, yes, MemWidth::B32, 4 * i as u32, true);
    }
}

/// The thread's number in the grid, for one-dimensional launches.
fn thread(b: &mut Builder<'_>, local: u32) -> Value {
    let id = b.input(Input::LocalId(0));
    let group = b.input(Input::GroupId(0));
    let local = b.const32(local);
    let first = b.mul(group, local);
    b.add(first, id)
}

/// A generator of test data.
pub fn noise(seed: u32, n: usize) -> Vec<u32> {
    let mut state = u64::from(seed) << 32 | 0x9e37_79b9;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
        })
        .collect()
}

/// Values at the edges, then noise.
fn edges(seed: u32, n: usize) -> Vec<u32> {
    let special = [
        0,
        1,
        2,
        31,
        32,
        33,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_0001,
        u32::MAX,
        u32::MAX - 1,
        0x10000,
    ];
    let mut words = noise(seed, n);
    for (i, word) in words.iter_mut().enumerate() {
        match i % 5 {
            0 => *word = special[(i / 5 + seed as usize) % special.len()],
            1 => *word &= 0x3f,
            _ => {}
        }
    }
    words
}

/// Every program for a wave size.
pub fn programs(wave: WaveSize) -> Vec<Program> {
    let mut all = vec![
        words(wave),
        pairs(wave),
        lanes(wave),
        shuffles(wave),
        local_ids(wave),
        partial_groups(wave),
        launch_data(wave),
        unaligned(wave),
        narrow_stores(wave),
        lds(wave),
        faults(wave),
        uniform_memory(wave),
    ];
    all.extend(super::flow::programs(wave));
    all.extend(atomics(wave));
    all
}

const N: usize = 128;

/// 32-bit operations on two words a thread, in four waves or two.
fn words(wave: WaveSize) -> Program {
    let (x, y) = (edges(1, N), edges(2, N));
    let ops: [(Pure, fn(u32, u32) -> u32); 20] = [
        (Pure::Add, u32::wrapping_add),
        (Pure::Sub, u32::wrapping_sub),
        (Pure::Mul, u32::wrapping_mul),
        (Pure::MulHiU, |x, y| {
            ((u64::from(x) * u64::from(y)) >> 32) as u32
        }),
        (Pure::MulHiS, |x, y| {
            ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u32
        }),
        (Pure::UDiv, |x, y| x.checked_div(y).unwrap_or(u32::MAX)),
        (Pure::URem, |x, y| x.checked_rem(y).unwrap_or(x)),
        (Pure::And, |x, y| x & y),
        (Pure::Or, |x, y| x | y),
        (Pure::Xor, |x, y| x ^ y),
        (Pure::Shl, |x, y| x << (y % 32)),
        (Pure::ShrU, |x, y| x >> (y % 32)),
        (Pure::ShrS, |x, y| ((x as i32) >> (y % 32)) as u32),
        (Pure::UMin, u32::min),
        (Pure::UMax, u32::max),
        (Pure::SMin, |x, y| (x as i32).min(y as i32) as u32),
        (Pure::SMax, |x, y| (x as i32).max(y as i32) as u32),
        (Pure::BitCount, |x, _| x.count_ones()),
        (Pure::BitReverse, |x, _| x.reverse_bits()),
        (Pure::Not, |x, _| !x),
    ];
    let tests: [(Pure, fn(u32, u32) -> bool); 6] = [
        (Pure::Eq, |x, y| x == y),
        (Pure::Ne, |x, y| x != y),
        (Pure::ULt, |x, y| x < y),
        (Pure::ULe, |x, y| x <= y),
        (Pure::SLt, |x, y| (x as i32) < (y as i32)),
        (Pure::SLe, |x, y| (x as i32) <= (y as i32)),
    ];
    let each = |x: u32, y: u32| {
        let mut row: Vec<u32> = ops.iter().map(|(_, f)| f(x, y)).collect();
        row.push(if x == 0 { u32::MAX } else { x.trailing_zeros() });
        row.push(if x == 0 {
            u32::MAX
        } else {
            31 - x.leading_zeros()
        });
        row.push(
            tests
                .iter()
                .enumerate()
                .map(|(i, (_, f))| u32::from(f(x, y)) << i)
                .sum(),
        );
        let (from, count) = (y % 32, (x % 33).min(32 - y % 32));
        let field = if count == 0 {
            0
        } else {
            (x >> from) & (u32::MAX >> (32 - count))
        };
        row.push(field);
        row.push(if count == 0 {
            0
        } else {
            ((field << (32 - count)) as i32 >> (32 - count)) as u32
        });
        row.push(if x < y { x } else { !y });
        row
    };
    let expected: Vec<u32> = x.iter().zip(&y).flat_map(|(&x, &y)| each(x, y)).collect();
    let input = x.iter().chain(&y).copied().collect();
    let setup = Setup {
        launch: launch(wave, [N as u32, 1, 1]),
        threads: [N as u32, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0x5555_5555; expected.len()]), (IN, input)],
        expected: vec![expected],
    };
    finish("words", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let yes = b.const_bool(true);
        let at = place(b, IN, t, 1);
        let x = b.load(at, yes, MemWidth::B32, 0, true, true);
        let other = b.add32(t, N as u32);
        let at = place(b, IN, other, 1);
        let y = b.load(at, yes, MemWidth::B32, 0, true, true);
        let mut row = Vec::new();
        for (op, _) in ops {
            let args = [x, y];
            let unary = matches!(op, Pure::BitCount | Pure::BitReverse | Pure::Not);
            row.push(b.pure(op, &args[..if unary { 1 } else { 2 }]));
        }
        row.push(b.find_lsb(x));
        row.push(b.find_umsb(x));
        let mut bits = b.const32(0);
        for (i, (op, _)) in tests.iter().enumerate() {
            let bit = b.pure(*op, &[x, y]);
            let bit = b.bool_int(bit);
            let bit = b.shl_by(bit, i as u32);
            bits = b.or(bits, bit);
        }
        row.push(bits);
        let from = b.and32(y, 31);
        let thirty_three = b.const32(33);
        let count = b.urem(x, thirty_three);
        let thirty_two = b.const32(32);
        let room = b.sub(thirty_two, from);
        let count = b.umin(count, room);
        row.push(b.bits_u(x, from, count));
        row.push(b.bits_s(x, from, count));
        let less = b.ult(x, y);
        let not = b.not(y);
        row.push(b.select(less, x, not));
        put_all(b, t, &row);
        b.ret();
    })
}

/// 64-bit operations.
fn pairs(wave: WaveSize) -> Program {
    let data = edges(3, 4 * N);
    let ops: [(Pure, fn(u64, u64) -> u64); 8] = [
        (Pure::Add, u64::wrapping_add),
        (Pure::Sub, u64::wrapping_sub),
        (Pure::Mul, u64::wrapping_mul),
        (Pure::And, |x, y| x & y),
        (Pure::Or, |x, y| x | y),
        (Pure::Xor, |x, y| x ^ y),
        (Pure::Not, |x, _| !x),
        (Pure::Select, |x, y| if x & 1 == 1 { x } else { y }),
    ];
    let shifts: [(Pure, fn(u64, u32) -> u64); 3] = [
        (Pure::Shl, |x, n| x << (n % 64)),
        (Pure::ShrU, |x, n| x >> (n % 64)),
        (Pure::ShrS, |x, n| ((x as i64) >> (n % 64)) as u64),
    ];
    let tests: [(Pure, fn(u64, u64) -> bool); 6] = [
        (Pure::Eq, |x, y| x == y),
        (Pure::Ne, |x, y| x != y),
        (Pure::ULt, |x, y| x < y),
        (Pure::ULe, |x, y| x <= y),
        (Pure::SLt, |x, y| (x as i64) < (y as i64)),
        (Pure::SLe, |x, y| (x as i64) <= (y as i64)),
    ];
    let each = |x: u64, y: u64| {
        let mut row = Vec::new();
        let mut push = |v: u64| row.extend([v as u32, (v >> 32) as u32]);
        for (_, f) in ops {
            push(f(x, y));
        }
        for (_, f) in shifts {
            push(f(x, y as u32));
        }
        push(x as u32 as i32 as i64 as u64);
        row.push(x.count_ones());
        row.push(if x == 0 { u32::MAX } else { x.trailing_zeros() });
        row.push(if x == 0 {
            u32::MAX
        } else {
            63 - x.leading_zeros()
        });
        row.push(
            tests
                .iter()
                .enumerate()
                .map(|(i, (_, f))| u32::from(f(x, y)) << i)
                .sum(),
        );
        row
    };
    let pair = |at: usize| u64::from(data[at]) | u64::from(data[at + 1]) << 32;
    let expected: Vec<u32> = (0..N)
        .flat_map(|t| each(pair(4 * t), pair(4 * t + 2)))
        .collect();
    let setup = Setup {
        launch: launch(wave, [N as u32 / 2, 1, 1]),
        threads: [N as u32, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; expected.len()]), (IN, data)],
        expected: vec![expected],
    };
    finish("pairs", setup, |b| {
        let t = thread(b, N as u32 / 2);
        let yes = b.const_bool(true);
        let at = b.shl_by(t, 2);
        let at = place(b, IN, at, 4);
        let x = b.load(at, yes, MemWidth::B64, 0, true, true);
        let y = b.load(at, yes, MemWidth::B64, 8, false, true);
        let mut row = Vec::new();
        let mut push = |b: &mut Builder<'_>, v: Value| {
            let (lo, hi) = (b.lo(v), b.hi(v));
            row.extend([lo, hi]);
        };
        for (op, _) in ops {
            let v = match op {
                Pure::Not => b.not(x),
                Pure::Select => {
                    let low = b.lo(x);
                    let bit = b.and32(low, 1);
                    let odd = b.eq32(bit, 1);
                    b.select(odd, x, y)
                }
                _ => b.pure(op, &[x, y]),
            };
            push(b, v);
        }
        let count = b.lo(y);
        for (op, _) in shifts {
            let v = b.pure(op, &[x, count]);
            push(b, v);
        }
        let low = b.lo(x);
        let extended = b.sext(low);
        push(b, extended);
        row.push(b.bit_count(x));
        row.push(b.find_lsb(x));
        row.push(b.find_umsb(x));
        let mut bits = b.const32(0);
        for (i, (op, _)) in tests.iter().enumerate() {
            let bit = b.pure(*op, &[x, y]);
            let bit = b.bool_int(bit);
            let bit = b.shl_by(bit, i as u32);
            bits = b.or(bits, bit);
        }
        row.push(bits);
        put_all(b, t, &row);
        b.ret();
    })
}

/// Stores a mask's words (the high one is 0 in wave32) as one uniform value each.
fn mask_words(b: &mut Builder<'_>, wave: WaveSize, mask: Value) -> [Value; 2] {
    match wave {
        WaveSize::W32 => [mask, b.const32(0)],
        WaveSize::W64 => [b.lo(mask), b.hi(mask)],
    }
}

/// Ballots, lane bits and lane reads.
fn lanes(wave: WaveSize) -> Program {
    let w = wave.lanes() as usize;
    let threads = 2 * w;
    let data = noise(4, threads);
    let (select, key) = (13u32, 0x9abc_def0u32);
    let mut expected = Vec::new();
    for waves in data.chunks(w) {
        let odd: u64 = waves
            .iter()
            .enumerate()
            .map(|(i, x)| u64::from(x & 1) << i)
            .sum();
        let low: u64 = waves
            .iter()
            .enumerate()
            .map(|(i, x)| u64::from(*x < key) << i)
            .sum();
        let both = odd & !low;
        let first = both.trailing_zeros() % w as u32;
        for (lane, x) in waves.iter().enumerate() {
            expected.extend([
                both as u32,
                (both >> 32) as u32,
                u32::from(both >> lane & 1 == 1),
                waves[first as usize],
                waves[select as usize].wrapping_add(*x),
                waves[w - 1],
                low.count_ones().wrapping_mul(*x),
                u32::from(odd ^ 0x0f0f_1234_5678_9abc & (u64::MAX >> (64 - w)) != 0),
            ]);
        }
    }
    let setup = Setup {
        launch: launch(wave, [threads as u32, 1, 1]),
        threads: [threads as u32, 1, 1],
        user: vec![select, key],
        memory: vec![(OUT, vec![0; expected.len()]), (IN, data)],
        expected: vec![expected],
    };
    finish("lanes", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let yes = b.const_bool(true);
        let at = place(b, IN, t, 1);
        let x = b.load(at, yes, MemWidth::B32, 0, true, true);
        let bit = b.and32(x, 1);
        let odd = b.eq32(bit, 1);
        let odd = b.ballot(odd);
        let key = b.input(Input::UserData(1));
        let low = b.ult(x, key);
        let low = b.ballot(low);
        let not_low = b.not(low);
        let both = b.and(odd, not_low);
        let [both_low, both_high] = mask_words(b, wave, both);
        let mine = b.lane_bit(both);
        let mine = b.bool_int(mine);
        let first = b.find_lsb(both);
        let first = b.and32(first, wave.lanes() - 1);
        let of_first = b.read_lane(x, first);
        let select = b.input(Input::UserData(0));
        let selected = b.read_lane(x, select);
        let sum = b.add(selected, x);
        let last = b.const32(wave.lanes() - 1);
        let last = b.read_lane(x, last);
        let count = b.bit_count(low);
        let product = b.mul(count, x);
        let pattern = b.const_mask(0x0f0f_1234_5678_9abc);
        let differ = b.xor(odd, pattern);
        let none = b.const_mask(0);
        let any = b.ne(differ, none);
        let any = b.bool_int(any);
        put_all(
            b,
            t,
            &[both_low, both_high, mine, of_first, sum, last, product, any],
        );
        b.ret();
    })
}

/// Shuffles: by a run-time pattern, by fixed ones.
fn shuffles(wave: WaveSize) -> Program {
    let w = wave.lanes() as usize;
    let threads = 2 * w;
    let (data, pattern) = (noise(5, threads), noise(6, threads));
    let mut expected = Vec::new();
    for first in [0, w] {
        for lane in 0..w {
            let x = |i: usize| data[first + i % w];
            expected.extend([
                x(pattern[first + lane] as usize % w),
                x(lane ^ 1),
                x(w - 1 - lane),
                x(lane & !15 | (lane + 3) & 15).wrapping_add(x(lane ^ 16)),
            ]);
        }
    }
    let input = data.iter().chain(&pattern).copied().collect();
    let setup = Setup {
        launch: launch(wave, [threads as u32, 1, 1]),
        threads: [threads as u32, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; expected.len()]), (IN, input)],
        expected: vec![expected],
    };
    finish("shuffles", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let lane = b.input(Input::LaneId);
        let yes = b.const_bool(true);
        let at = place(b, IN, t, 1);
        let x = b.load(at, yes, MemWidth::B32, 0, true, true);
        let other = b.add32(t, threads as u32);
        let at = place(b, IN, other, 1);
        let pattern = b.load(at, yes, MemWidth::B32, 0, true, true);
        let pattern = b.and32(pattern, w as u32 - 1);
        let first = b.shuffle(x, pattern);
        let one = b.const32(1);
        let neighbour = b.xor(lane, one);
        let second = b.shuffle(x, neighbour);
        let last = b.const32(w as u32 - 1);
        let mirrored = b.sub(last, lane);
        let third = b.shuffle(x, mirrored);
        let moved = b.add32(lane, 3);
        let moved = b.and32(moved, 15);
        let row = b.and32(lane, !15);
        let rotated = b.or(row, moved);
        let rotated = b.shuffle(x, rotated);
        let sixteen = b.const32(16);
        let crossed = b.xor(lane, sixteen);
        let crossed = b.shuffle(x, crossed);
        let fourth = b.add(rotated, crossed);
        put_all(b, t, &[first, second, third, fourth]);
        b.ret();
    })
}

/// Ids of threads in a three-dimensional workgroup, over a grid of several.
fn local_ids(wave: WaveSize) -> Program {
    let local = [5u32, 3, 4];
    let groups = [2u32, 1, 3];
    let per_group = local.iter().product::<u32>();
    let mut expected = Vec::new();
    for gz in 0..groups[2] {
        for gx in 0..groups[0] {
            for z in 0..local[2] {
                for y in 0..local[1] {
                    for x in 0..local[0] {
                        expected.extend([
                            x | y << 8 | z << 16,
                            gx | gz << 16,
                            (x + 5 * y + 15 * z) / wave.lanes(),
                        ]);
                    }
                }
            }
        }
    }
    let setup = Setup {
        launch: launch(wave, local),
        threads: [0, 1, 2].map(|i| local[i] * groups[i]),
        user: vec![],
        memory: vec![(OUT, vec![0xeeee_eeee; expected.len()])],
        expected: vec![expected],
    };
    finish("local_ids", setup, |b| {
        let [x, y, z] = [0, 1, 2].map(|i| b.input(Input::LocalId(i)));
        let live = b.input(Input::LaneLive);
        let (gx, gz) = (b.input(Input::GroupId(0)), b.input(Input::GroupId(2)));
        let five = b.const32(5);
        let fifteen = b.const32(15);
        let (row, plane) = (b.mul(y, five), b.mul(z, fifteen));
        let inside = b.add(x, row);
        let inside = b.add(inside, plane);
        let two = b.const32(2);
        let group = b.mul(gz, two);
        let group = b.add(group, gx);
        let size = b.const32(per_group);
        let first = b.mul(group, size);
        let index = b.add(first, inside);
        let (y, z) = (b.shl_by(y, 8), b.shl_by(z, 16));
        let id = b.or(x, y);
        let id = b.or(id, z);
        let gz = b.shl_by(gz, 16);
        let groups = b.or(gx, gz);
        let wave = b.input(Input::WaveInGroup);
        let three = b.const32(3);
        let index = b.mul(index, three);
        let place = place(b, OUT, index, 3);
        for (i, value) in [id, groups, wave].into_iter().enumerate() {
            b.store(place, value, live, MemWidth::B32, 4 * i as u32, true);
        }
        b.ret();
    })
}

/// A grid that does not fill its last workgroup, along two axes.
fn partial_groups(wave: WaveSize) -> Program {
    let (local, threads) = ([16u32, 5, 1], [37u32, 7, 1]);
    let mut setup = Setup {
        launch: launch(wave, local),
        threads,
        user: vec![],
        memory: vec![(OUT, vec![0; 48 * 10])],
        expected: vec![
            (0..480)
                .map(|i| u32::from(i % 48 < 37 && i / 48 < 7))
                .collect(),
        ],
    };
    setup.launch.partial_groups = true;
    finish("partial_groups", setup, |b| {
        let live = b.input(Input::LaneLive);
        let [x, y] = [0, 1].map(|axis| {
            let (id, group) = (b.input(Input::LocalId(axis)), b.input(Input::GroupId(axis)));
            let size = b.const32(local[usize::from(axis)]);
            let first = b.mul(group, size);
            b.add(first, id)
        });
        let width = b.const32(48);
        let row = b.mul(y, width);
        let index = b.add(row, x);
        let one = b.const32(1);
        put_if(b, index, one, live);
        b.ret();
    })
}

/// User SGPRs, more than the push constants hold, and initial VGPR data.
fn launch_data(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let user = noise(7, 70);
    let given = noise(8, w as usize);
    let expected = (0..w)
        .flat_map(|i| [given[i as usize], user[0], user[69], user[40]])
        .collect();
    let mut setup = Setup {
        launch: launch(wave, [w, 1, 1]),
        threads: [w, 1, 1],
        user,
        memory: vec![(OUT, vec![0; 4 * w as usize])],
        expected: vec![expected],
    };
    setup.launch.vgprs = vec![
        (0, InitialVgpr::LocalId(0)),
        (7, InitialVgpr::PerLane(given)),
    ];
    finish("launch_data", setup, |b| {
        let t = b.input(Input::LaneId);
        let given = b.input(Input::LaunchVgpr(1));
        let [u0, u69, u40] = [0, 69, 40].map(|n| b.input(Input::UserData(n)));
        put_all(b, t, &[given, u0, u69, u40]);
        b.ret();
    })
}

/// Loads and stores of every width at every alignment, some of them guarded away.
fn unaligned(wave: WaveSize) -> Program {
    let data = noise(9, 200);
    let bytes: Vec<u8> = data.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut out = vec![0x7777_7777u32; 64 * 5 + 64 * 6];
    let number = |at: usize, n: usize| {
        (0..n)
            .map(|i| u64::from(bytes[at + i]) << (8 * i))
            .sum::<u64>()
    };
    let mut stored: Vec<u8> = vec![0x77; 64 * 24];
    for t in 0..64usize {
        let at = 7 * t;
        let active = t % 3 != 1;
        let keep = |v: u64| if active { v } else { 0 };
        let wide = keep(number(at + 1, 8));
        out[5 * t..5 * t + 5].copy_from_slice(&[
            keep(number(at, 1)) as u32,
            keep(number(at + 3, 2)) as u32,
            keep(number(at + 2, 4)) as u32,
            wide as u32,
            (wide >> 32) as u32,
        ]);
        // 23 bytes a thread: 1, 2, 4 and 8 of them written with gaps.
        if active {
            let to = 23 * t;
            stored[to] = number(at, 1) as u8;
            stored[to + 1..to + 3].copy_from_slice(&(number(at + 3, 2) as u16).to_le_bytes());
            stored[to + 5..to + 9].copy_from_slice(&(number(at + 2, 4) as u32).to_le_bytes());
            stored[to + 10..to + 18].copy_from_slice(&wide.to_le_bytes());
        }
    }
    for (i, word) in stored.chunks_exact(4).enumerate() {
        out[64 * 5 + i] = u32::from_le_bytes(word.try_into().unwrap());
    }
    let setup = Setup {
        launch: launch(wave, [64, 1, 1]),
        threads: [64, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0x7777_7777; out.len()]), (IN, data)],
        expected: vec![out],
    };
    finish("unaligned", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let three = b.const32(3);
        let rest = b.urem(t, three);
        let one = b.const32(1);
        let active = b.ne(rest, one);
        let at = |b: &mut Builder<'_>, base: u64, stride: u32, bytes: u32| {
            let stride = b.const32(stride);
            let offset = b.mul(t, stride);
            let offset = b.zext(offset);
            let base = b.const64(base);
            let address = b.add(base, offset);
            b.ptr(address, bytes)
        };
        let from = at(b, IN, 7, 9);
        let byte = b.load(from, active, MemWidth::B8, 0, false, true);
        let short = b.load(from, active, MemWidth::B16, 3, false, true);
        let word = b.load(from, active, MemWidth::B32, 2, false, true);
        let wide = b.load(from, active, MemWidth::B64, 1, false, true);
        let (low, high) = (b.lo(wide), b.hi(wide));
        put_all(b, t, &[byte, short, word, low, high]);
        let to = at(b, OUT + 64 * 20, 23, 23);
        b.store(to, byte, active, MemWidth::B8, 0, false);
        b.store(to, short, active, MemWidth::B16, 1, false);
        b.store(to, word, active, MemWidth::B32, 5, false);
        b.store(to, wide, active, MemWidth::B64, 10, false);
        b.ret();
    })
}

/// Byte stores of all lanes to neighbouring bytes, and of all lanes to one byte: one of the values.
fn narrow_stores(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let mut out: Vec<u32> = (0..w / 4)
        .map(|i| u32::from_le_bytes([0, 1, 2, 3].map(|j| (4 * i + j) as u8 ^ 0x5a)))
        .collect();
    out.extend([1, 0x7777_7777]);
    let setup = Setup {
        launch: launch(wave, [w, 1, 1]),
        threads: [w, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0x7777_7777; out.len()])],
        expected: vec![out],
    };
    finish("narrow_stores", setup, |b| {
        let t = b.input(Input::LaneId);
        let yes = b.const_bool(true);
        let base = b.const64(OUT);
        let offset = b.zext(t);
        let address = b.add(base, offset);
        let mine = b.ptr(address, 1);
        let pattern = b.const32(0x5a);
        let value = b.xor(t, pattern);
        b.store(mine, value, yes, MemWidth::B8, 0, false);
        // Every lane stores a byte with one bit set to the same place; afterwards one bit is set.
        let address = b.const64(OUT + u64::from(w));
        let shared = b.ptr(address, 4);
        let one = b.const32(1);
        let which = b.and32(t, 7);
        let bit = b.shl(one, which);
        b.store(shared, bit, yes, MemWidth::B8, 0, false);
        b.wave_sync();
        let found = b.load(shared, yes, MemWidth::B8, 0, false, false);
        let bits = b.bit_count(found);
        b.store(shared, bits, yes, MemWidth::B32, 0, true);
        b.ret();
    })
}

/// Lanes exchange words, halves and bytes through LDS.
fn lds(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let n = 2 * w;
    let x = |i: u32| (i * 0x0101_0101).rotate_left(i % 32) ^ 0x1234_5678;
    let expected = (0..n)
        .flat_map(|t| {
            let first = t / w * w;
            let other = first + (t + 5) % w;
            [x(other), x(other) & 0xffff, x(other) >> 8 & 0xff]
        })
        .collect();
    let mut setup = Setup {
        launch: launch(wave, [n, 1, 1]),
        threads: [n, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; 3 * n as usize])],
        expected: vec![expected],
    };
    setup.launch.lds_bytes = 7 * n;
    finish("lds", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let yes = b.const_bool(true);
        let factor = b.const32(0x0101_0101);
        let x = b.mul(t, factor);
        let count = b.and32(t, 31);
        let thirty_two = b.const32(32);
        let back = b.sub(thirty_two, count);
        let back = b.and32(back, 31);
        let (up, down) = (b.shl(x, count), b.shr_u(x, back));
        let x = b.or(up, down);
        let key = b.const32(0x1234_5678);
        let x = b.xor(x, key);
        let (at, half, byte) = (b.shl_by(t, 2), b.shl_by(t, 1), t);
        let (half, byte) = (b.add32(half, 4 * n), b.add32(byte, 6 * n));
        b.lds_store(at, x, yes, MemWidth::B32);
        b.lds_store(half, x, yes, MemWidth::B16);
        let second = b.shr_by(x, 8);
        b.lds_store(byte, second, yes, MemWidth::B8);
        b.wave_sync();
        let moved = b.add32(t, 5);
        let within = b.and32(moved, w - 1);
        let first = b.and32(t, !(w - 1));
        let other = b.or(first, within);
        let (at, half) = (b.shl_by(other, 2), b.shl_by(other, 1));
        let (half, byte) = (b.add32(half, 4 * n), b.add32(other, 6 * n));
        let a = b.lds_load(at, yes, MemWidth::B32);
        let c = b.lds_load(half, yes, MemWidth::B16);
        let d = b.lds_load(byte, yes, MemWidth::B8);
        put_all(b, t, &[a, c, d]);
        b.ret();
    })
}

/// Accesses outside every window, across the end of one, and guarded away.
fn faults(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let n = w as usize;
    let content: Vec<u32> = (0..16).map(|i| 100 + i).collect();
    // Thread t reads 8 bytes at IN + 4t: inside while 4t + 8 <= 64.
    let mut expected: Vec<u32> = (0..w)
        .flat_map(|t| {
            if t < 15 {
                [100 + t, 101 + t, 1]
            } else {
                [0, 0, 0]
            }
        })
        .collect();
    expected.push(0x4444_4444);
    let setup = Setup {
        launch: launch(wave, [w, 1, 1]),
        threads: [w, 1, 1],
        user: vec![],
        memory: vec![
            (OUT, [vec![0; 3 * n], vec![0x4444_4444]].concat()),
            (IN, content.clone()),
            (IN + 64 + 4096, vec![9; 4]),
            (0x10, vec![8; 4]),
        ],
        expected: vec![expected, content, vec![9; 4], vec![8; 4]],
    };
    let mut program = finish("faults", setup, |b| {
        let t = b.input(Input::LaneId);
        let yes = b.const_bool(true);
        let from = place(b, IN, t, 2);
        let ok = b.ptr_ok(from);
        let (x, y) = (
            b.load(from, yes, MemWidth::B32, 0, true, false),
            b.load(from, yes, MemWidth::B32, 4, true, false),
        );
        let good = b.bool_int(ok);
        put_all(b, t, &[x, y, good]);
        // Stores outside do nothing, inside with a false guard neither.
        let missed = b.not(ok);
        b.store(from, t, missed, MemWidth::B32, 0, true);
        let offset = b.shl_by(t, 2);
        let offset = b.zext(offset);
        let base = b.const64(IN);
        let address = b.add(base, offset);
        let thirteen = b.const32(13);
        let few = b.ult(thirteen, t);
        let eighteen = b.const32(18);
        let below = b.ult(t, eighteen);
        let few = b.and(few, below);
        let guard = b.and(few, missed);
        b.fault(0x1234, address, guard);
        b.ret();
    });
    program.faults = |faults| {
        if faults[0] != 3 {
            return Err(format!("{} faults", faults[0]));
        }
        let mut found: Vec<[u32; 4]> = (0..3)
            .map(|i| faults[1 + 4 * i..5 + 4 * i].try_into().unwrap())
            .collect();
        found.sort_unstable();
        let expected: Vec<[u32; 4]> = (15..18)
            .map(|t| [0x1234, 0x1000 + 4 * t, 0xffff_8000, 0])
            .collect();
        if found == expected {
            Ok(())
        } else {
            Err(format!("{found:x?}"))
        }
    };
    program
}

/// Uniform loads, stores and atomics: once for the wave.
fn uniform_memory(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let n = 3 * w;
    // Each of three waves adds 5 to a counter once, then each lane adds the wave's scalar data.
    let mut expected: Vec<u32> = (0..n).map(|t| 1000 + t / w).collect();
    expected.extend([15, 7, 8, 9]);
    let mut before = vec![0; n as usize];
    before.extend([0; 4]);
    let setup = Setup {
        launch: launch(wave, [n, 1, 1]),
        threads: [n, 1, 1],
        user: vec![],
        memory: vec![(OUT, before), (IN, vec![1000, 1001, 1002])],
        expected: vec![expected],
    };
    finish("uniform_memory", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let wave = b.input(Input::WaveInGroup);
        let yes = b.const_bool(true);
        let counter = b.const32(n);
        let counter = place(b, OUT, counter, 1);
        let five = b.const32(5);
        let _ = b.atomic(
            AtomicOp::Add,
            MemWidth::B32,
            0,
            Shape::Uniform,
            counter,
            yes,
            &[five],
        );
        let at = b.add32(wave, n + 1);
        let at = place(b, OUT, at, 1);
        let value = b.add32(wave, 7);
        b.store(at, value, yes, MemWidth::B32, 0, true);
        let from = place(b, IN, wave, 1);
        let scalar = b.load(from, yes, MemWidth::B32, 0, false, false);
        assert!(!b.ty(scalar).is_lane());
        put(b, t, scalar);
        b.ret();
    })
}

/// Every atomic, by each lane to its own cell and by all lanes to one, in memory and in LDS.
fn atomics(wave: WaveSize) -> Vec<Program> {
    let all: [(AtomicOp, fn(u64, u64, u64, u64) -> u64); 17] = [
        (AtomicOp::Swap, |_, x, _, _| x),
        (
            AtomicOp::CmpSwap,
            |old, x, y, _| if old == y { x } else { old },
        ),
        (AtomicOp::Add, |old, x, _, m| old.wrapping_add(x) & m),
        (AtomicOp::Sub, |old, x, _, m| old.wrapping_sub(x) & m),
        (AtomicOp::SMin, |old, x, _, m| {
            let s = |v: u64| {
                if m == u64::MAX {
                    v as i64
                } else {
                    i64::from(v as u32 as i32)
                }
            };
            if s(x) < s(old) { x } else { old }
        }),
        (AtomicOp::UMin, |old, x, _, _| old.min(x)),
        (AtomicOp::SMax, |old, x, _, m| {
            let s = |v: u64| {
                if m == u64::MAX {
                    v as i64
                } else {
                    i64::from(v as u32 as i32)
                }
            };
            if s(x) > s(old) { x } else { old }
        }),
        (AtomicOp::UMax, |old, x, _, _| old.max(x)),
        (AtomicOp::And, |old, x, _, _| old & x),
        (AtomicOp::Or, |old, x, _, _| old | x),
        (AtomicOp::Xor, |old, x, _, _| old ^ x),
        (AtomicOp::RSub, |old, x, _, m| x.wrapping_sub(old) & m),
        (AtomicOp::Inc, |old, x, _, m| {
            if old >= x { 0 } else { old.wrapping_add(1) & m }
        }),
        (
            AtomicOp::Dec,
            |old, x, _, _| if old == 0 || old > x { x } else { old - 1 },
        ),
        (AtomicOp::CSub, |old, x, _, _| old.saturating_sub(x)),
        (AtomicOp::MskOr, |old, x, y, _| (old & !x) | y),
        (AtomicOp::Wrap, |old, x, y, m| {
            if old >= x {
                old - x
            } else {
                old.wrapping_add(y) & m
            }
        }),
    ];
    // A few operations a program: lavapipe compiles an atomic slowly, and many of them very slowly.
    let mut programs = vec![shared_cells(wave)];
    for (i, few) in all.chunks(4).enumerate() {
        let name = |names: [&'static str; 5]| names[i];
        let cells = [
            (
                name([
                    "atomics32a",
                    "atomics32b",
                    "atomics32c",
                    "atomics32d",
                    "atomics32e",
                ]),
                MemWidth::B32,
                false,
            ),
            (
                name([
                    "atomics64a",
                    "atomics64b",
                    "atomics64c",
                    "atomics64d",
                    "atomics64e",
                ]),
                MemWidth::B64,
                false,
            ),
            (
                name([
                    "lds_atomics_a",
                    "lds_atomics_b",
                    "lds_atomics_c",
                    "lds_atomics_d",
                    "lds_atomics_e",
                ]),
                MemWidth::B32,
                true,
            ),
        ];
        for (turn, (name, width, in_lds)) in cells.into_iter().enumerate() {
            let mut program = own_cells(wave, name, few, width, in_lds);
            program.turn = Some((turn + i) as u32 + u32::from(wave == WaveSize::W64));
            programs.push(program);
        }
    }
    programs
}

type AtomicRow = (AtomicOp, fn(u64, u64, u64, u64) -> u64);

/// Each lane does each operation on cells of its own: old and new value must be right.
fn own_cells(
    wave: WaveSize,
    name: &'static str,
    all: &[AtomicRow],
    width: MemWidth,
    in_lds: bool,
) -> Program {
    let w = wave.lanes();
    let words = if width == MemWidth::B64 { 2 } else { 1 };
    let mask = if words == 2 {
        u64::MAX
    } else {
        u64::from(u32::MAX)
    };
    let ops = all.len();
    let n = w as usize * ops;
    let wide = |data: &[u32], i: usize| {
        if words == 2 {
            u64::from(data[2 * i]) | u64::from(data[2 * i + 1]) << 32
        } else {
            u64::from(data[i])
        }
    };
    let mut cells = edges(10, n * words);
    let (xs, ys) = (edges(11, n * words), edges(12, n * words));
    for i in (0..n * words).step_by(3) {
        // Equal ones, for comparisons.
        cells[i] = if i % 2 == 0 { ys[i] } else { xs[i] };
    }
    let (mut olds, mut news) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (old, x, y) = (wide(&cells, i), wide(&xs, i), wide(&ys, i));
        let new = all[i % ops].1(old, x, y, mask);
        olds.extend([old as u32, (old >> 32) as u32].into_iter().take(words));
        news.extend([new as u32, (new >> 32) as u32].into_iter().take(words));
    }
    let out = [olds, news].concat();
    let mut before = vec![0; n * words];
    before.extend(&cells);
    let mut setup = Setup {
        launch: launch(wave, [w, 1, 1]),
        threads: [w, 1, 1],
        user: vec![],
        memory: vec![(OUT, before), (IN, [xs, ys].concat())],
        expected: vec![out],
    };
    setup.launch.lds_bytes = if in_lds { 4 * n as u32 } else { 0 };
    finish(name, setup, |b| {
        let t = b.input(Input::LaneId);
        let yes = b.const_bool(true);
        let count = b.const32(ops as u32);
        let first = b.mul(t, count);
        let words = words as u32;
        for (i, (op, _)) in all.iter().enumerate() {
            let index = b.add32(first, i as u32);
            let scale = b.const32(words);
            let index = b.mul(index, scale);
            let from = place(b, IN, index, words);
            let x = b.load(from, yes, width, 0, true, true);
            let second = b.add32(index, n as u32 * words);
            let from = place(b, IN, second, words);
            let y = b.load(from, yes, width, 0, true, true);
            let data = [x, y];
            let data = &data[..op.data_args()];
            let cell_index = b.add32(index, n as u32 * words);
            let cell = place(b, OUT, cell_index, words);
            let to = place(b, OUT, index, words);
            if in_lds {
                let start = b.load(cell, yes, width, 0, true, false);
                let at = b.shl_by(index, 2);
                b.lds_store(at, start, yes, MemWidth::B32);
                let old = b.lds_atomic(*op, width, Shape::Lane, at, yes, data);
                let new = b.lds_load(at, yes, MemWidth::B32);
                b.store(to, old, yes, width, 0, true);
                b.store(cell, new, yes, width, 0, true);
            } else {
                let old = b.atomic(*op, width, 0, Shape::Lane, cell, yes, data);
                b.store(to, old, yes, width, 0, true);
            }
        }
        b.ret();
    })
}

/// All lanes of all waves on one cell: the sum, the maximum and a wrapped count must be right.
fn shared_cells(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let n = 2 * w;
    let sum: u32 = (0..n).map(|t| t * 3 + 1).sum();
    let odd = n / 2;
    let expected = vec![sum, n - 1, n % 11, odd, n];
    let mut setup = Setup {
        launch: launch(wave, [n, 1, 1]),
        threads: [n, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; 5])],
        expected: vec![expected],
    };
    setup.launch.lds_bytes = 4;
    finish("shared_cells", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let yes = b.const_bool(true);
        let base = b.const64(OUT);
        let cell = b.ptr(base, 20);
        let three = b.const32(3);
        let x = b.mul(t, three);
        let x = b.add32(x, 1);
        let atomic = |b: &mut Builder<'_>, op, offset, guard, data: &[Value]| {
            b.atomic(op, MemWidth::B32, offset, Shape::Lane, cell, guard, data)
        };
        atomic(b, AtomicOp::Add, 0, yes, &[x]);
        atomic(b, AtomicOp::UMax, 4, yes, &[t]);
        let ten = b.const32(10);
        atomic(b, AtomicOp::Inc, 8, yes, &[ten]);
        let bit = b.and32(t, 1);
        let odd = b.eq32(bit, 1);
        let one = b.const32(1);
        atomic(b, AtomicOp::Add, 12, odd, &[one]);
        // All arguments uniform, but each lane does it.
        let old = atomic(b, AtomicOp::Add, 16, yes, &[one]);
        assert!(b.ty(old).is_lane());
        b.ret();
    })
}

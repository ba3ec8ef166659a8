//! Programs of pure operations on words and pairs of words.

use spirdna_isa::WaveSize;
use spirdna_translate::ir::{Builder, Input, MemWidth, Pure, Value};

use super::programs::{IN, OUT, Program, Setup, edges, finish, launch, place, put_all, thread};

const N: usize = 128;

/// Every program of this file for a wave size.
pub fn programs(wave: WaveSize) -> Vec<Program> {
    vec![words(wave), pairs(wave)]
}

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

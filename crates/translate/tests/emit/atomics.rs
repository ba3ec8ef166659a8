//! Programs of every atomic.

use spirdna_isa::WaveSize;
use spirdna_translate::ir::{AtomicOp, Builder, Input, MemWidth, Shape, Value};

use super::programs::{IN, OUT, Program, Setup, edges, finish, launch, place};

/// Every atomic, by each lane to its own cell and by all lanes to one, in memory and in LDS.
pub fn programs(wave: WaveSize) -> Vec<Program> {
    let all: [(AtomicOp, fn(u64, u64, u64, u64) -> u64); 20] = [
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
        (AtomicOp::FMin { flush: true }, |old, x, _, m| {
            picked(m, flushed(m, old), flushed(m, x), |a, b| a < b)
        }),
        (AtomicOp::FMax { flush: false }, |old, x, _, m| {
            picked(m, old, x, |a, b| a > b)
        }),
        (AtomicOp::FCmpSwap { flush: true }, |old, x, y, m| {
            if number(m, flushed(m, old)) == number(m, flushed(m, y)) {
                x
            } else {
                old
            }
        }),
    ];
    // A few operations a program: lavapipe compiles an atomic slowly, and many of them very slowly.
    let mut programs = vec![shared_cells(wave)];
    for (i, few) in all.chunks(2).enumerate() {
        let name = |names: [&'static str; 10]| names[i];
        let cells = [
            (
                name([
                    "atomics32a",
                    "atomics32b",
                    "atomics32c",
                    "atomics32d",
                    "atomics32e",
                    "atomics32f",
                    "atomics32g",
                    "atomics32h",
                    "atomics32i",
                    "atomics32j",
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
                    "atomics64f",
                    "atomics64g",
                    "atomics64h",
                    "atomics64i",
                    "atomics64j",
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
                    "lds_atomics_f",
                    "lds_atomics_g",
                    "lds_atomics_h",
                    "lds_atomics_i",
                    "lds_atomics_j",
                ]),
                MemWidth::B32,
                true,
            ),
        ];
        for (turn, (name, width, in_lds)) in cells.into_iter().enumerate() {
            let mut program = own_cells(wave, name, few, width, in_lds);
            program.turn = Some((turn + i) as u32 + 2 * u32::from(wave == WaveSize::W64));
            programs.push(program);
        }
    }
    // Everything on LDS is a loop of exchanges there, so one operation a program.
    let wide = [
        ("lds_atomics64_cmpswap", 1),
        ("lds_atomics64_smin", 4),
        ("lds_atomics64_wrap", 16),
        ("lds_atomics64_fmin", 17),
    ];
    for (turn, (name, i)) in (0..).zip(wide) {
        let mut program = own_cells(wave, name, &all[i..=i], MemWidth::B64, true);
        program.turn = Some(turn + 2 * u32::from(wave == WaveSize::W64));
        programs.push(program);
    }
    programs
}

/// A float of the width that `mask` tells.
fn number(mask: u64, x: u64) -> f64 {
    if mask == u64::MAX {
        f64::from_bits(x)
    } else {
        f64::from(f32::from_bits(x as u32))
    }
}

/// A subnormal as a signed zero.
fn flushed(mask: u64, x: u64) -> u64 {
    let subnormal = if mask == u64::MAX {
        f64::from_bits(x).is_subnormal()
    } else {
        f32::from_bits(x as u32).is_subnormal()
    };
    if subnormal { x & (mask ^ mask >> 1) } else { x }
}

/// The minimum or maximum by the rules of the memory's atomics.
fn picked(mask: u64, old: u64, data: u64, wins: fn(f64, f64) -> bool) -> u64 {
    let quiet = if mask == u64::MAX { 1 << 51 } else { 1 << 22 };
    let (a, b) = (number(mask, data), number(mask, old));
    match (a.is_nan(), b.is_nan()) {
        (true, _) if data & quiet == 0 => data | quiet,
        (_, true) if old & quiet == 0 => old | quiet,
        (_, true) => data,
        (true, false) => old,
        (false, false) if a == 0.0 && b == 0.0 => {
            let unit = |x: f64| 1f64.copysign(x);
            if wins(unit(a), unit(b)) { data } else { old }
        }
        (false, false) => {
            if wins(a, b) {
                data
            } else {
                old
            }
        }
    }
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
    for i in (0..n).step_by(3).flat_map(|i| i * words..(i + 1) * words) {
        // Equal ones, for comparisons.
        cells[i] = if i / words % 2 == 0 { ys[i] } else { xs[i] };
    }
    let (mut olds, mut news) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (old, x, y) = (wide(&cells, i), wide(&xs, i), wide(&ys, i));
        let mut new = all[i % ops].1(old, x, y, mask);
        if in_lds && words == 2 {
            // A narrower atomic and a byte store on the halves of the same cell.
            new = new & 0xffff_ffff | u64::from(((new >> 32) as u32).wrapping_add(x as u32)) << 32;
            new = new & !0xff00 | (y & 0xff) << 8;
        }
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
    setup.launch.lds_bytes = if in_lds { 4 * (n * words) as u32 } else { 0 };
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
                let upper = b.add32(at, 4);
                if width == MemWidth::B64 {
                    let (low, high) = (b.lo(start), b.hi(start));
                    b.lds_store(at, low, yes, MemWidth::B32);
                    b.lds_store(upper, high, yes, MemWidth::B32);
                } else {
                    b.lds_store(at, start, yes, MemWidth::B32);
                }
                let old = b.lds_atomic(*op, width, Shape::Lane, at, yes, data);
                let mut new = b.lds_load(at, yes, MemWidth::B32);
                if width == MemWidth::B64 {
                    let (more, byte) = (b.lo(x), b.lo(y));
                    let _ = b.lds_atomic(
                        AtomicOp::Add,
                        MemWidth::B32,
                        Shape::Lane,
                        upper,
                        yes,
                        &[more],
                    );
                    let second = b.add32(at, 1);
                    b.lds_store(second, byte, yes, MemWidth::B8);
                    let low = b.lds_load(at, yes, MemWidth::B32);
                    let high = b.lds_load(upper, yes, MemWidth::B32);
                    new = b.pack(low, high);
                }
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

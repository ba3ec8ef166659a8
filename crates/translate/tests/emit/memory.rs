//! Programs that access guest memory and LDS.

use spirdna_isa::WaveSize;
use spirdna_translate::ir::{AtomicOp, Builder, Input, MemWidth, Shape};

use super::programs::{IN, OUT, Program, Setup, finish, launch, noise, place, put, put_all};

/// Every program of this file for a wave size.
pub fn programs(wave: WaveSize) -> Vec<Program> {
    vec![
        unaligned(wave),
        narrow_stores(wave),
        lds(wave),
        faults(wave),
        uniform_memory(wave),
    ]
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
    // Lanes 15 to 17 miss: three invocations, or one that carries them all and records the first.
    program.faults = |faults, s| {
        let count = if s == 1 { 1 } else { 3 };
        if faults[0] != count {
            return Err(format!("{} faults", faults[0]));
        }
        let mut found: Vec<[u32; 4]> = (0..count as usize)
            .map(|i| faults[4 + 4 * i..8 + 4 * i].try_into().unwrap())
            .collect();
        found.sort_unstable();
        let expected: Vec<[u32; 4]> = (15..15 + count)
            .map(|t| [0x1234, 0x1000 + 4 * t, 0xffff_8000, 1])
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

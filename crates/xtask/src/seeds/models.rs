//! The GLSL seeds: launch, data, and what each source says the result is, as a plain Rust model written
//! from the source alone. Knows no machine code and no translator.

use super::half;
use super::seed::{Buffer, Contents, Seed, Source, noise};

/// Every GLSL seed at every wave size that it is built for.
pub fn all() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for wave in [32, 64] {
        for make in [
            axpy, hash, reduce, collatz, histogram, scan, half_math, matmul, control, ids,
        ] {
            seeds.push(make(wave));
        }
    }
    seeds.push(shuffle(32));
    seeds
}

/// A GLSL seed in one dimension: one workgroup id, one local id.
fn linear(
    name: &'static str,
    wave: u32,
    groups: u32,
    local: u32,
    lds: u32,
    push: Vec<u32>,
    buffers: Vec<Buffer>,
) -> Seed {
    Seed {
        name,
        wave,
        source: Source::Glsl {
            push,
            grid_size: false,
            group_ids: 1,
            tg_size: false,
            local_ids: 1,
            wave_dependent: matches!(name, "scan" | "shuffle"),
        },
        groups: [groups, 1, 1],
        local: [local, 1, 1],
        lds,
        buffers,
    }
}

/// Multiples of 1/256 in [-128, 128).
fn small_floats(seed: u64, count: usize) -> Vec<f32> {
    noise(seed, count)
        .iter()
        .map(|&v| (f32_of(v & 0xffff) - 32768.0) / 256.0)
        .collect()
}

/// A number below 2^16 as a float.
fn f32_of(value: u32) -> f32 {
    u16::try_from(value).map_or(0.0, f32::from)
}

fn axpy(wave: u32) -> Seed {
    const N: u32 = 150;
    let (a, b) = (1.7_f32, -0.3_f32);
    let x = small_floats(1, 160);
    let y = small_floats(2, 160);
    let after: Vec<u32> = (0_u32..)
        .zip(x.iter().zip(&y))
        .map(|(i, (&x, &y))| {
            if i >= N {
                return y.to_bits();
            }
            let r = a * x;
            let r = r + y;
            let r = r * b - x * 0.5;
            let m = r.abs().min(1024.0).max(-y);
            (m - r).to_bits()
        })
        .collect();
    let push = vec![a.to_bits(), b.to_bits(), N];
    let buffers = vec![
        Buffer::input("x", 0x1_0000_0000, Contents::F32(x)),
        Buffer::changed("y", 0x7f12_3456_7000, Contents::F32(y), after),
    ];
    linear("axpy", wave, 3, 64, 0, push, buffers)
}

fn hash(wave: u32) -> Seed {
    let mut src = noise(3, 192);
    // The edges of the bit-finding operations.
    src.splice(0..6, [0, 1, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff, 0x20]);
    let mut after = Vec::new();
    for (i, &v) in (0_u32..).zip(&src) {
        let mut h = v ^ (v >> 16);
        h = h.wrapping_mul(0x85eb_ca6b);
        h ^= h >> 13;
        h = h.wrapping_mul(0xc2b2_ae35);
        h ^= h >> 16;
        let product = u64::from(v) * u64::from(h);
        let (hi, lo) = ((product >> 32) as u32, product as u32);
        let field = ((v << 16) as i32) >> 21;
        let inserted = (h & !0xff80) | ((v << 7) & 0xff80);
        let find_msb = |v: u32| v.checked_ilog2().unwrap_or(u32::MAX);
        let find_lsb = |v: u32| if v == 0 { u32::MAX } else { v.trailing_zeros() };
        // findMSB of a signed value looks for the highest bit that differs from the sign.
        let signed_msb = find_msb(if (h as i32) < 0 { !h } else { h });
        let counts = v.count_ones() | (find_msb(v) << 8) | (find_lsb(v) << 16) | (signed_msb << 24);
        let rot = v
            .rotate_left(h & 31)
            .wrapping_add(h.reverse_bits())
            .wrapping_sub((field as u32) >> 3);
        let last = rot ^ (field.wrapping_mul(i as i32).wrapping_sub(77) as u32);
        after.extend([h ^ hi, inserted.wrapping_add(lo), counts, last]);
    }
    let buffers = vec![
        Buffer::input("src", 0x2_0000_0100, Contents::U32(src)),
        Buffer::output("dst", 0x9_8765_4000, after),
    ];
    linear("hash", wave, 3, 64, 0, vec![], buffers)
}

fn reduce(wave: u32) -> Seed {
    let src = noise(4, 512);
    let after = src
        .chunks(256)
        .flat_map(|group| {
            let sum = group.iter().fold(0_u32, |sum, &v| sum.wrapping_add(v));
            [sum, group.iter().copied().max().unwrap_or_default()]
        })
        .collect();
    let buffers = vec![
        Buffer::input("src", 0x1_0000_0000, Contents::U32(src)),
        Buffer::output("dst", 0x5500_0000_1000, after),
    ];
    linear("reduce", wave, 2, 256, 2048, vec![], buffers)
}

fn collatz(wave: u32) -> Seed {
    let mut src: Vec<u32> = noise(5, 128).iter().map(|v| v % 120).collect();
    // 0 and 1 leave at once; 27 is cut off by the limit of 60 steps.
    src.splice(0..4, [0, 1, 27, 2]);
    let at = |i: u32| src.get((i & 127) as usize).copied().unwrap_or_default();
    let after = (0_u32..)
        .zip(&src)
        .flat_map(|(i, &start)| {
            let (mut n, mut steps, mut peak) = (start, 0_u32, start);
            while n > 1 && steps != 60 {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                peak = peak.max(n);
                steps += 1;
            }
            let kind = match (steps < 10, peak & 4 != 0, n > 1) {
                (true, true, _) => peak * 3,
                (true, false, _) => at(i + 1),
                (false, _, true) => n + 0x1000,
                (false, _, false) => peak ^ at(i * 7),
            };
            [steps, kind]
        })
        .collect();
    let buffers = vec![
        Buffer::input("src", 0x1_0000_0000, Contents::U32(src.clone())),
        Buffer::output("dst", 0x3_0000_0010, after),
    ];
    linear("collatz", wave, 2, 64, 0, vec![], buffers)
}

fn histogram(wave: u32) -> Seed {
    let src = noise(6, 384);
    // bins[16], low, high, bits, tickets
    let mut before: Vec<u32> = (0..16).map(|bin| bin * 1000).collect();
    before.extend([0xffff_ffff, 3, 0, 5]);
    let mut after: Vec<u32> = (0_u32..16)
        .map(|bin| {
            let hits = src.iter().filter(|&&v| v >> 28 == bin).count();
            bin * 1000 + u32::try_from(hits).unwrap_or_default()
        })
        .collect();
    after.extend([
        src.iter().copied().min().unwrap_or_default(),
        src.iter().copied().max().unwrap_or_default(),
        src.iter().fold(0, |bits, v| bits | (1 << (v & 31))),
        5 + 384,
    ]);
    let buffers = vec![
        Buffer::input("src", 0x1_0000_0000, Contents::U32(src)),
        Buffer::changed("result", 0x1_4000_0000, Contents::U32(before), after),
    ];
    linear("histogram", wave, 3, 128, 512, vec![], buffers)
}

fn scan(wave: u32) -> Seed {
    // Most waves stay below 1000; the second group has larger values, and one lane holds 77.
    let mut src: Vec<u32> = noise(7, 384).iter().map(|v| v % 1000).collect();
    if let Some(v) = src.get_mut(130) {
        *v = 1234;
    }
    if let Some(v) = src.get_mut(300) {
        *v = 77;
    }
    let mut after = Vec::new();
    for lanes in src.chunks(wave as usize) {
        let mut running = 0_u32;
        let mut odd_before = 0_u32;
        let odd: u32 = lanes.iter().map(|v| v & 1).sum();
        let flags =
            u32::from(lanes.contains(&77)) | (u32::from(lanes.iter().all(|&v| v < 1000)) << 1);
        let twos: u32 = lanes.iter().filter(|&&v| v & 3 == 2).sum();
        for &v in lanes {
            running += v;
            let prefix = if v & 3 == 2 {
                running ^ (twos << 16)
            } else {
                running
            };
            after.extend([
                prefix,
                odd_before | (odd << 8) | (flags << 24),
                lanes.first().copied().unwrap_or_default(),
                lanes.get(21).copied().unwrap_or_default(),
            ]);
            odd_before += v & 1;
        }
    }
    let buffers = vec![
        Buffer::input("src", 0x1_0000_0000, Contents::U32(src)),
        Buffer::output("dst", 0x2_0000_0000, after),
    ];
    linear("scan", wave, 3, 128, 0, vec![], buffers)
}

fn shuffle(wave: u32) -> Seed {
    let src = noise(8, 192);
    let mut after = Vec::new();
    for lanes in src.chunks(wave as usize) {
        let at = |lane: u32| lanes.get(lane as usize).copied().unwrap_or_default();
        for (lane, &v) in (0_u32..).zip(lanes) {
            let far = at((lane * 7).wrapping_add(v) & 31);
            let near = at(lane ^ 5).wrapping_add(at(lane ^ 16).wrapping_mul(3));
            let quad = at(lane ^ 1).wrapping_sub(at((lane & !3) | 2));
            let down = if lane < 24 { at(lane + 8) } else { v };
            after.extend([far, near, quad, down]);
        }
    }
    let buffers = vec![
        Buffer::input("src", 0x1_0000_0000, Contents::U32(src)),
        Buffer::output("dst", 0x2_0000_0000, after),
    ];
    linear("shuffle", wave, 3, 64, 0, vec![], buffers)
}

fn half_math(wave: u32) -> Seed {
    const COUNT: usize = 128;
    // Halves in (-16, 16) with all their digits in use, as pairs in a dword.
    let a: Vec<u32> = noise(9, COUNT)
        .iter()
        .map(|v| {
            let of = |v: u32| half::from_f32((f32_of(v & 0xffff) - 32768.0) / 2050.0);
            u32::from(of(*v)) | (u32::from(of(v >> 16)) << 16)
        })
        .collect();
    // Floats in (-6, 6) that a half cannot hold: the conversion rounds.
    let b: Vec<f32> = noise(10, COUNT)
        .iter()
        .map(|v| (f32_of(v >> 16) - 32768.0) / 5461.0 + 0.001)
        .collect();
    let (mut packed, mut narrow, mut wide) = (Vec::new(), Vec::new(), Vec::new());
    for (v, &b) in a.iter().zip(&b) {
        let v = [(v & 0xffff) as u16, (v >> 16) as u16];
        let h = half::from_f32(b);
        let p = [half::mul(v[0], h), half::mul(v[1], half::from_f32(0.5))];
        let q = [half::add(p[0], v[1]), half::add(p[1], v[0])];
        let q = q.map(|q| half::max(q, half::from_f32(-8.0)));
        let limit = v.map(|v| half::add(half::neg(v), half::from_f32(100.0)));
        let q = [half::min(q[0], limit[0]), half::min(q[1], limit[1])];
        packed.push(u32::from(q[0]) | (u32::from(q[1]) << 16));
        let s = half::add(half::abs(q[0]), half::neg(q[1]));
        narrow.push(s);
        let w = half::to_f32(s) * b;
        wide.push((w + half::to_f32(q[1]).trunc()).to_bits());
    }
    let narrow = narrow
        .chunks(2)
        .map(|pair| {
            pair.iter()
                .rev()
                .fold(0, |dword, &half| (dword << 16) | u32::from(half))
        })
        .collect();
    let buffers = vec![
        Buffer::input("a", 0x1_0000_0000, Contents::U32(a)),
        Buffer::input("b", 0x1_0001_0000, Contents::F32(b)),
        Buffer::output("packed", 0x2_0000_0000, packed),
        Buffer::output("narrow", 0x2_8000_0000, narrow),
        Buffer::output("wide", 0x6000_0000_0000, wide),
    ];
    linear("half", wave, 2, 64, 0, vec![], buffers)
}

fn matmul(wave: u32) -> Seed {
    const SIDE: usize = 32;
    let matrix = |seed| -> Vec<i32> {
        noise(seed, SIDE * SIDE)
            .iter()
            .map(|v| (*v as i32) >> 18)
            .collect()
    };
    let (a, b) = (matrix(11), matrix(12));
    let mut after = Vec::new();
    for row in a.chunks(SIDE) {
        for column in 0..SIDE {
            let below = b.iter().skip(column).step_by(SIDE);
            let sum = row
                .iter()
                .zip(below)
                .fold(0_i32, |sum, (&x, &y)| sum.wrapping_add(x.wrapping_mul(y)));
            after.push(sum as u32);
        }
    }
    let words = |m: Vec<i32>| Contents::U32(m.into_iter().map(|v| v as u32).collect());
    Seed {
        name: "matmul",
        wave,
        source: Source::Glsl {
            push: vec![],
            grid_size: false,
            group_ids: 2,
            tg_size: false,
            local_ids: 2,
            wave_dependent: false,
        },
        groups: [2, 2, 1],
        local: [16, 16, 1],
        lds: 2048,
        buffers: vec![
            Buffer::input("a", 0x1_0000_0000, words(a)),
            Buffer::input("b", 0x1_1000_0000, words(b)),
            Buffer::output("c", 0x2_0000_0000, after),
        ],
    }
}

fn control(wave: u32) -> Seed {
    const ROUNDS: u32 = 9;
    let src = noise(13, 128);
    let after = (0_u32..)
        .zip(&src)
        .map(|(i, &v)| control_lane(i, v, ROUNDS))
        .collect();
    let buffers = vec![
        Buffer::input("src", 0x1_0000_0000, Contents::U32(src)),
        Buffer::output("dst", 0x2_0000_0000, after),
    ];
    linear("control", wave, 2, 64, 0, vec![ROUNDS], buffers)
}

fn control_lane(i: u32, v: u32, rounds: u32) -> u32 {
    let mut acc = i;
    for outer in 0..rounds {
        if (v >> outer) & 3 == 1 {
            continue;
        }
        let mut inner = v & 7;
        while inner != 0 {
            inner -= 1;
            if acc & 3 == 2 {
                acc = acc.wrapping_add(5);
                continue;
            }
            if acc > 0x00ff_ffff {
                break;
            }
            acc = acc.wrapping_mul(3).wrapping_add(inner);
        }
        acc = match (acc ^ v) & 7 {
            0 => acc.wrapping_add(11),
            1 => (acc ^ 0x55).wrapping_sub(3),
            2 => acc.wrapping_sub(3),
            5 => acc << 1,
            _ => acc.wrapping_add(outer),
        };
        if acc > 0x7fff_ffff {
            acc ^= 0xffff_0000;
            break;
        }
    }
    acc
}

fn ids(wave: u32) -> Seed {
    const LOCAL: [u32; 3] = [5, 7, 2];
    const THREADS: u32 = 70;
    let groups = [2, 3, 2];
    let waves = THREADS.div_ceil(wave);
    // What thread `index` puts into its slot: its wave and its lane there.
    let slot = |index: u32| (index / wave) * 64 + index % wave;
    let mut after = Vec::new();
    for group in 0..groups.iter().product::<u32>() {
        for index in 0..THREADS {
            let [x, y, z] = [
                index % LOCAL[0],
                index / LOCAL[0] % LOCAL[1],
                index / (LOCAL[0] * LOCAL[1]),
            ];
            let other = slot(THREADS - 1 - index);
            after.push((group << 27) ^ (x | (y << 4) | (z << 8) | (other << 12) | (waves << 24)));
        }
    }
    Seed {
        name: "ids",
        wave,
        source: Source::Glsl {
            push: vec![],
            grid_size: true,
            group_ids: 3,
            tg_size: true,
            local_ids: 3,
            wave_dependent: true,
        },
        groups,
        local: LOCAL,
        lds: 512,
        buffers: vec![Buffer::output("dst", 0x1_0000_0000, after)],
    }
}

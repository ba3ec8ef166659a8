//! rocRAND's generator kernels: each leaves the stream that its algorithm's publication defines. The
//! models follow the publications; they know no machine code.

use super::{LibrarySeed, Region};
use crate::seeds::noise;

/// The generators' seeds.
pub fn all() -> Vec<LibrarySeed> {
    vec![
        philox("rocrand_philox_uniform", 0),
        philox("rocrand_philox_unaligned", 1),
        xorwow(),
        mrg32k3a(),
        sobol(),
    ]
}

/// Ten rounds of Philox 4x32 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3,
/// SC 2011).
pub fn philox4x32_10(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut a, mut b, mut c, mut d], [mut k0, mut k1]) = (counter, key);
    for _ in 0..10 {
        let p = u64::from(a) * 0xd251_1f53;
        let q = u64::from(c) * 0xcd9e_8d57;
        (a, b, c, d) = (high(q) ^ b ^ k0, low(q), high(p) ^ d ^ k1, low(p));
        k0 = k0.wrapping_add(0x9e37_79b9);
        k1 = k1.wrapping_add(0xbb67_ae85);
    }
    [a, b, c, d]
}

fn low(value: u64) -> u32 {
    (value & 0xffff_ffff) as u32
}

fn high(value: u64) -> u32 {
    (value >> 32) as u32
}

/// The engine comes by value: counter, its output, key, how much of the output is used. A counter near
/// 2^32 carries. Where the output array does not begin at 16 bytes, its first elements are stored singly.
fn philox(name: &'static str, skip: usize) -> LibrarySeed {
    const COUNT: usize = 1203;
    let key = [0x89ab_cdef_u32, 0x0123_4567];
    let first = 0x7_0000_0000_ffff_fff0_u128;
    let counter = |k: u128| {
        let c = first + k;
        [0, 32, 64, 96].map(|bit| (c >> bit) as u32)
    };
    let stream: Vec<u32> = (0..)
        .flat_map(|k| philox4x32_10(counter(k), key))
        .take(COUNT)
        .collect();
    let mut engine = counter(0).to_vec();
    engine.extend(philox4x32_10(counter(0), key));
    engine.extend(key);
    engine.extend([0, 0]);
    let mut data = vec![0xdead_beef; skip];
    data.extend(stream);
    LibrarySeed {
        name,
        about: "Raw Philox 4x32-10 words: the publication's function of counter and key.",
        library: "rand",
        symbol: "_ZN12rocrand_host6detailL15generate_kernelIj20uniform_distributionIjEEEvNS0_27philox4x32_10_device_engineEPT_mT0_",
        groups: 2,
        local: 64,
        arguments: vec![
            format!("{{ u32 = {engine:?} }}"),
            format!("{{ memory = \"data\", add = {} }}", 4 * skip),
            COUNT.to_string(),
            "0".into(),
        ],
        regions: vec![Region::filled("data", data)],
    }
}

/// Element i comes from engine i modulo the number of threads.
fn from_engines<E>(engines: &mut [E], count: usize, next: impl Fn(&mut E) -> u32) -> Vec<u32> {
    let threads = engines.len();
    (0..count)
        .filter_map(|i| engines.get_mut(i % threads).map(&next))
        .collect()
}

/// A launch of 64 engines that give words in turn; what it is called stands open.
fn engines_in_turn(before: Vec<u32>, after: Vec<u32>, stream: Vec<u32>) -> LibrarySeed {
    LibrarySeed {
        name: "",
        about: "",
        library: "rand",
        symbol: "",
        groups: 1,
        local: 64,
        arguments: vec![
            "{ memory = \"engines\" }".into(),
            "0".into(),
            "{ memory = \"data\" }".into(),
            stream.len().to_string(),
            "0".into(),
        ],
        regions: vec![
            Region::changed("engines", before, after),
            Region::filled("data", stream),
        ],
    }
}

/// XORWOW (Marsaglia: Xorshift RNGs, Journal of Statistical Software 8/14, 2003): five words and a
/// Weyl sequence, which is the engine's first word here.
fn xorwow() -> LibrarySeed {
    const THREADS: usize = 64;
    const COUNT: usize = 333;
    let before = noise(41, 6 * THREADS);
    let mut engines: Vec<Vec<u32>> = before.chunks(6).map(<[u32]>::to_vec).collect();
    let stream = from_engines(&mut engines, COUNT, |engine| {
        let [d, x, y, z, w, v] = engine[..] else {
            return 0;
        };
        let t = x ^ (x >> 2);
        let v2 = (v ^ (v << 4)) ^ (t ^ (t << 1));
        let d2 = d.wrapping_add(362_437);
        engine.copy_from_slice(&[d2, y, z, w, v, v2]);
        d2.wrapping_add(v2)
    });
    LibrarySeed {
        name: "rocrand_xorwow_uniform",
        about: "XORWOW words of 64 engines in turn, and the engines' states after them.",
        symbol: "_ZN12rocrand_host6detailL15generate_kernelIj20uniform_distributionIjEEEvPN14rocrand_device13xorwow_engineEjPT_mT0_",
        ..engines_in_turn(before, engines.concat(), stream)
    }
}

/// MRG32k3a (L'Ecuyer: Good Parameters and Implementations for Combined Multiple Recursive Random Number
/// Generators, Operations Research 47/1, 1999), scaled to 32 bits by the library: (z - 1) times the
/// double nearest to (2^32 - 1) / (m1 - 1), truncated.
fn mrg32k3a() -> LibrarySeed {
    const THREADS: usize = 64;
    const COUNT: usize = 200;
    const M1: i64 = 4_294_967_087;
    const M2: i64 = 4_294_944_443;
    const SCALE: f64 = 1.000_000_048_661_607;
    let before: Vec<u32> = noise(42, 6 * THREADS).iter().map(|v| v >> 1 | 1).collect();
    let mut engines: Vec<Vec<u32>> = before.chunks(6).map(<[u32]>::to_vec).collect();
    let stream = from_engines(&mut engines, COUNT, |engine| {
        let [x0, x1, x2, y0, y1, y2] = engine[..] else {
            return 0;
        };
        let p = (1_403_580 * i64::from(x1) - 810_728 * i64::from(x0)).rem_euclid(M1);
        let q = (527_612 * i64::from(y2) - 1_370_589 * i64::from(y0)).rem_euclid(M2);
        let state = [x1, x2, p as u32, y1, y2, q as u32];
        engine.copy_from_slice(&state);
        let z = if p > q { p - q } else { p - q + M1 };
        ((z - 1) as f64 * SCALE) as u32
    });
    LibrarySeed {
        name: "rocrand_mrg32k3a_uniform",
        about: "MRG32k3a words of 64 engines in turn, and the engines' states after them.",
        symbol: "_ZN12rocrand_host6detailL15generate_kernelIj24mrg_uniform_distributionIjEEEvPN14rocrand_device15mrg32k3a_engineEjPT_mT0_",
        ..engines_in_turn(before, engines.concat(), stream)
    }
}

/// A Sobol sequence of one dimension in Gray code order (Antonov and Saleev, 1979): element i is the sum
/// modulo 2 of the direction numbers at the ones of i's Gray code. The direction numbers are random here.
fn sobol() -> LibrarySeed {
    const COUNT: u32 = 300;
    const OFFSET: u32 = 12_345;
    let directions = noise(43, 32);
    let stream = (OFFSET..OFFSET + COUNT)
        .map(|i| {
            let gray = i ^ (i >> 1);
            (0..)
                .zip(&directions)
                .filter(|(bit, _)| gray >> bit & 1 == 1)
                .fold(0, |sum, (_, v)| sum ^ v)
        })
        .collect();
    LibrarySeed {
        name: "rocrand_sobol32_uniform",
        about: "A Sobol sequence in Gray code order from an offset on.",
        library: "rand",
        symbol: "_ZN12rocrand_host6detailL15generate_kernelILj1Ej26sobol_uniform_distributionIjEEEvPT0_mPKjjT1_",
        groups: 1,
        local: 64,
        arguments: vec![
            "{ memory = \"data\" }".into(),
            COUNT.to_string(),
            "{ memory = \"directions\" }".into(),
            OFFSET.to_string(),
            "0".into(),
        ],
        regions: vec![
            Region::input("directions", directions),
            Region::filled("data", stream),
        ],
    }
}

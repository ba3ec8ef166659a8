//! The OpenCL C seeds: arguments, data, and a plain Rust model of each source. Knows no machine code.

use super::seed::{Buffer, Contents, Seed, Source, noise};

/// Every OpenCL C seed at both wave sizes.
pub fn all() -> Vec<Seed> {
    [32, 64]
        .into_iter()
        .flat_map(|wave| [saxpy(wave), dotsum(wave)])
        .collect()
}

fn saxpy(wave: u32) -> Seed {
    const N: usize = 150;
    let (a, b) = (2.375_f32, -7_i64);
    let floats = |seed| -> Vec<f32> {
        noise(seed, N)
            .iter()
            .map(|v| f32::from((v >> 16) as u16) / 64.0 - 500.0)
            .collect()
    };
    let (x, y) = (floats(21), floats(22));
    let p = noise(23, N);
    let q = noise(24, 2 * N);
    let y_after = x
        .iter()
        .zip(&y)
        .map(|(&x, &y)| {
            let r = a * x;
            (r + y).to_bits()
        })
        .collect();
    let q_after = p
        .iter()
        .zip(q.chunks(2))
        .flat_map(|(&p, q)| {
            let q = q.iter().rev().fold(0_u64, |q, &d| (q << 32) | u64::from(d));
            let r = i64::from(p as i32).wrapping_mul(b).wrapping_add(q as i64);
            [r as u32, (r >> 32) as u32]
        })
        .collect();
    Seed {
        name: "saxpy",
        wave,
        source: Source::OpenCl {
            scalars: vec!["2.375".into(), "-7".into(), N.to_string()],
        },
        groups: [3, 1, 1],
        local: [64, 1, 1],
        lds: 0,
        buffers: vec![
            Buffer::input("x", 0x1_0000_0000, Contents::F32(x)),
            Buffer::changed("y", 0x1_ffff_fc00, Contents::F32(y), y_after),
            Buffer::input("p", 0x4000_0000_0000, Contents::U32(p)),
            Buffer::changed("q", 0x2_0000_0800, Contents::U32(q), q_after),
        ],
    }
}

fn dotsum(wave: u32) -> Seed {
    let x = noise(25, 256);
    let y: Vec<u16> = noise(26, 256).iter().map(|v| (v >> 16) as u16).collect();
    let products: Vec<u32> = x
        .iter()
        .zip(&y)
        .map(|(&x, &y)| x.wrapping_mul(u32::from(y)))
        .collect();
    let sum = products.iter().fold(10_u32, |sum, &v| sum.wrapping_add(v));
    let peak = products.iter().copied().max().unwrap_or_default();
    Seed {
        name: "dotsum",
        wave,
        source: Source::OpenCl { scalars: vec![] },
        groups: [2, 1, 1],
        local: [128, 1, 1],
        lds: 512,
        buffers: vec![
            Buffer::input("x", 0x1_0000_0000, Contents::U32(x)),
            Buffer::input("y", 0x2_0000_0000, Contents::U16(y)),
            Buffer::changed("total", 0x3_0000_0000, Contents::U32(vec![10]), vec![sum]),
            Buffer::changed("peak", 0x4_0000_0000, Contents::U32(vec![0]), vec![peak]),
        ],
    }
}

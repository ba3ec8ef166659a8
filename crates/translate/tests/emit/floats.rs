//! Programs of host float operations, on data for which a host that keeps to IEEE gives one result (an
//! f32 division need not be rounded correctly, and is not on every GPU).

use spirdna_isa::WaveSize;
use spirdna_translate::ir::{Builder, FTy, HostOp, Input, MemWidth, Value};

use super::programs::{IN, OUT, Program, Setup, finish, launch, noise, place, put_all};

/// Every program of this file for a wave size.
pub fn programs(wave: WaveSize) -> Vec<Program> {
    let mut all = vec![singles(wave), doubles(wave), halves(wave)];
    for (turn, program) in (0..).zip(&mut all) {
        program.turn = Some(turn + 2 * (wave.lanes() / 64));
    }
    all
}

const N: usize = 64;

/// An f32 of moderate size.
fn moderate(x: u32) -> f32 {
    f32::from_bits(x & 0x807f_ffff | (118 + (x >> 8) % 18) << 23)
}

/// The f16 nearest to an f32 that is normal as an f16; ties to even.
fn to_half(x: f32) -> u32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
    assert!((1..30).contains(&exponent), "{x}");
    let fraction = bits & 0x7f_ffff;
    let mut half = (exponent as u32) << 10 | fraction >> 13;
    let rest = fraction & 0x1fff;
    if rest > 0x1000 || rest == 0x1000 && half & 1 == 1 {
        half += 1;
    }
    bits >> 16 & 0x8000 | half
}

/// The f32 of a normal f16.
fn from_half(x: u32) -> f32 {
    f32::from_bits((x & 0x8000) << 16 | (((x & 0x7fff) << 13) + (112 << 23)))
}

fn loads(b: &mut Builder<'_>, n: u32, width: MemWidth) -> Vec<Value> {
    let t = b.input(Input::LocalId(0));
    let yes = b.const_bool(true);
    let words = if width == MemWidth::B64 { 2 } else { 1 };
    let scale = b.const32(n * words);
    let first = b.mul(t, scale);
    let from = place(b, IN, first, n * words);
    (0..n)
        .map(|i| b.load(from, yes, width, 4 * i * words, true, true))
        .collect()
}

fn setup(wave: WaveSize, input: Vec<u32>, expected: Vec<u32>) -> Setup {
    Setup {
        launch: launch(wave, [N as u32, 1, 1]),
        threads: [N as u32, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; expected.len()]), (IN, input)],
        expected: vec![expected],
    }
}

fn singles(wave: WaveSize) -> Program {
    let raw = noise(30, 3 * N);
    let input: Vec<u32> = raw.iter().map(|&x| moderate(x).to_bits()).collect();
    let mut expected = Vec::new();
    for row in input.chunks(3) {
        let [x, y, z] = [0, 1, 2].map(|i| f32::from_bits(row[i]));
        let number = row[2] >> 4;
        expected.extend([
            (x + y).to_bits(),
            (x - y).to_bits(),
            (x * y).to_bits(),
            // Two roundings: the host must not fuse a product and a sum.
            (x * y + z).to_bits(),
            x.min(y).to_bits(),
            x.max(y).to_bits(),
            x.trunc().to_bits(),
            x.ceil().to_bits(),
            x.floor().to_bits(),
            x.round_ties_even().to_bits(),
            x.abs().sqrt().to_bits(),
            u32::from(x < y) | u32::from(x <= y) << 1 | u32::from(x == y) << 2 | 1 << 3,
            (number as i32 as f32).to_bits(),
            (!number as f32).to_bits(),
            (x as i32) as u32,
            x.abs() as u32,
        ]);
    }
    finish("singles", setup(wave, input, expected), |b| {
        let t = b.input(Input::LocalId(0));
        let data = loads(b, 3, MemWidth::B32);
        let (x, y, z) = (data[0], data[1], data[2]);
        let number = b.shr_by(z, 4);
        let other = b.not(number);
        let positive = b.and32(x, 0x7fff_ffff);
        let nan = b.const32(0x7f80_0001);
        let infinity = b.const32(0xff80_0000);
        let f = |b: &mut Builder<'_>, op, args: &[Value]| b.host(op, FTy::F32, args);
        let product = f(b, HostOp::FMul, &[x, y]);
        let mut flags = b.const32(0);
        let is_nan = f(b, HostOp::FIsNan, &[nan]);
        let is_not = f(b, HostOp::FIsNan, &[infinity]);
        let right = b.not(is_not);
        let right = b.and(is_nan, right);
        let tests = [
            f(b, HostOp::FLt, &[x, y]),
            f(b, HostOp::FLe, &[x, y]),
            f(b, HostOp::FEq, &[x, y]),
            right,
        ];
        for (i, test) in (0..).zip(tests) {
            let bit = b.bool_int(test);
            let bit = b.shl_by(bit, i);
            flags = b.or(flags, bit);
        }
        let row = [
            f(b, HostOp::FAdd, &[x, y]),
            f(b, HostOp::FSub, &[x, y]),
            product,
            f(b, HostOp::FAdd, &[product, z]),
            f(b, HostOp::FMin, &[x, y]),
            f(b, HostOp::FMax, &[x, y]),
            f(b, HostOp::FTrunc, &[x]),
            f(b, HostOp::FCeil, &[x]),
            f(b, HostOp::FFloor, &[x]),
            f(b, HostOp::FRoundEven, &[x]),
            f(b, HostOp::FSqrt, &[positive]),
            flags,
            f(b, HostOp::FromS32, &[number]),
            f(b, HostOp::FromU32, &[other]),
            f(b, HostOp::ToS32, &[x]),
            f(b, HostOp::ToU32, &[positive]),
        ];
        put_all(b, t, &row);
        b.ret();
    })
}

fn doubles(wave: WaveSize) -> Program {
    let raw = noise(31, 6 * N);
    let data: Vec<f64> = raw
        .chunks(2)
        .map(|w| {
            f64::from_bits(
                u64::from(w[0])
                    | u64::from(w[1] & 0x800f_ffff | (1000 + (w[1] >> 4) % 40) << 20) << 32,
            )
        })
        .collect();
    let input = data
        .iter()
        .flat_map(|x| [x.to_bits() as u32, (x.to_bits() >> 32) as u32])
        .collect();
    let mut expected = Vec::new();
    for row in data.chunks(3) {
        let (x, y, z) = (row[0], row[1], row[2]);
        for v in [x + y, x * y + z, x / y, f64::from(x as f32)] {
            expected.extend([v.to_bits() as u32, (v.to_bits() >> 32) as u32]);
        }
        expected.push(u32::from(x < y) | 2);
    }
    finish("doubles", setup(wave, input, expected), |b| {
        let t = b.input(Input::LocalId(0));
        let data = loads(b, 3, MemWidth::B64);
        let (x, y, z) = (data[0], data[1], data[2]);
        let f = |b: &mut Builder<'_>, op, args: &[Value]| b.host(op, FTy::F64, args);
        let product = f(b, HostOp::FMul, &[x, y]);
        let single = b.host(HostOp::FromFloat(FTy::F64), FTy::F32, &[x]);
        let results = [
            f(b, HostOp::FAdd, &[x, y]),
            f(b, HostOp::FAdd, &[product, z]),
            f(b, HostOp::FDiv, &[x, y]),
            f(b, HostOp::FromFloat(FTy::F32), &[single]),
        ];
        let mut row = Vec::new();
        for v in results {
            let (low, high) = (b.lo(v), b.hi(v));
            row.extend([low, high]);
        }
        let less = f(b, HostOp::FLt, &[x, y]);
        let nan = b.const64(0x7ff0_0000_0000_0001);
        let nan = f(b, HostOp::FIsNan, &[nan]);
        let (less, nan) = (b.bool_int(less), b.bool_int(nan));
        let nan = b.shl_by(nan, 1);
        row.push(b.or(less, nan));
        put_all(b, t, &row);
        b.ret();
    })
}

fn halves(wave: WaveSize) -> Program {
    let raw = noise(32, 2 * N);
    // Normal numbers whose sums and products are normal.
    let input: Vec<u32> = raw
        .iter()
        .map(|&x| x & 0x83ff | (12 + (x >> 20) % 6) << 10 & 0x7c00)
        .collect();
    let input: Vec<u32> = input
        .chunks(2)
        .flat_map(|r| [r[0] & 0x7fff, r[1] & 0x7fff | r[0] & 0x8000])
        .collect();
    let mut expected = Vec::new();
    for row in input.chunks(2) {
        let (x, y) = (from_half(row[0]), from_half(row[1]));
        let third = y.abs();
        expected.extend([
            // f32 has more than twice the digits and one, so rounding twice is rounding once.
            to_half(x + third),
            to_half(x * y),
            x.to_bits(),
            to_half(x * 1.0009),
            u32::from(x < third),
        ]);
    }
    finish("halves", setup(wave, input, expected), |b| {
        let t = b.input(Input::LocalId(0));
        let data = loads(b, 2, MemWidth::B32);
        let (x, y) = (data[0], data[1]);
        let positive = b.and32(y, 0x7fff);
        let f = |b: &mut Builder<'_>, op, args: &[Value]| b.host(op, FTy::F16, args);
        let wide = b.host(HostOp::FromFloat(FTy::F16), FTy::F32, &[x]);
        let factor = b.const32(1.0009f32.to_bits());
        let product = b.host(HostOp::FMul, FTy::F32, &[wide, factor]);
        let less = f(b, HostOp::FLt, &[x, positive]);
        let row = [
            f(b, HostOp::FAdd, &[x, positive]),
            f(b, HostOp::FMul, &[x, y]),
            wide,
            f(b, HostOp::FromFloat(FTy::F32), &[product]),
            b.bool_int(less),
        ];
        put_all(b, t, &row);
        b.ret();
    })
}

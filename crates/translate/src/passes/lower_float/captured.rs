//! Rows of hardware results (the captured tables that tests may read from beside the repository) against
//! the lowerings. Skipped, with a line that says so, where the tables are absent.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]
#![allow(clippy::print_stderr, reason = "a skip is said")]

use std::path::Path;

use spirdna_isa::WaveSize;
use spirdna_isa::launch::{Denorm, Round};

use super::*;
use crate::ir::eval::{self, NoEnv};

/// An operand of a row.
#[derive(Clone, Copy)]
enum Arg {
    /// Input dword n (f16: its low half; f64: n and n + 1).
    X(usize),
    /// Its high half.
    Hi(usize),
    Neg(usize),
    Abs(usize),
    NegAbs(usize),
    Bits(u64),
    /// The result of the column that was computed last, or its negative.
    Last,
}
use Arg::{Abs, Bits, Hi, Last, Neg, NegAbs, X};

struct Table {
    rows: Vec<(Vec<u32>, Vec<u32>)>,
    mode32: FMode,
    mode16: FMode,
}

fn words(text: &str) -> Vec<u32> {
    let body = text.split(']').next().unwrap();
    body.split(|c: char| c == ',' || c.is_whitespace())
        .filter_map(|w| w.strip_prefix("0x"))
        .map(|w| u32::from_str_radix(w, 16).unwrap())
        .collect()
}

fn read(name: &str, in_dwords: usize, out_dwords: usize) -> Option<Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/captured");
    let Ok(text) = std::fs::read_to_string(folder.join(format!("{name}.case.toml"))) else {
        let mut err = std::io::stderr();
        let _ = std::io::Write::write_fmt(
            &mut err,
            format_args!("SKIPPED: captured table {name} is not here\n"),
        );
        return None;
    };
    let part = |after: &str| {
        let rest = &text[text.find(after).unwrap()..];
        words(&rest[rest.find("u32 = [").unwrap()..])
    };
    let (input, output) = (part("name = \"in\""), part("[[expect]]"));
    let mode = text.lines().find(|l| l.starts_with("mode = ")).unwrap();
    let denorm = |key: &str| match mode.split(key).nth(1).unwrap().split('"').nth(1).unwrap() {
        "flush" => Denorm::FlushInOut,
        "allow" => Denorm::Allow,
        other => panic!("{other}"),
    };
    let ieee = mode.contains("ieee = true");
    let of = |key| FMode {
        round: Round::NearestEven,
        denorm: denorm(key),
        ieee,
    };
    let rows = input.chunks(in_dwords).zip(output.chunks(out_dwords));
    Some(Table {
        rows: rows.map(|(a, b)| (a.to_vec(), b.to_vec())).collect(),
        mode32: of("denorm32"),
        mode16: of("denorm16_64"),
    })
}

/// One column: result dword, type, operations (each on the arguments given; later ones may name the
/// result so far).
type Column<'a> = (usize, FTy, &'a [(FOp, &'a [Arg])]);

/// Compares columns; where `loose`, a NaN or infinity in the table stands for any.
fn compare(name: &str, in_dwords: usize, out_dwords: usize, loose: bool, columns: &[Column<'_>]) {
    let Some(table) = read(name, in_dwords, out_dwords) else {
        return;
    };
    let profile = HostProfile::portable(1);
    let target = Target {
        profile: &profile,
        fidelity: Fidelity::Exact,
        nans: Nans::Payload,
    };
    assert!(table.rows.len() >= 32);
    for &(at, ty, ops) in columns {
        let f = Format::of(ty);
        let mode = if ty == FTy::F32 {
            table.mode32
        } else {
            table.mode16
        };
        let mut compiled = Vec::new();
        for (op, args) in ops {
            let helper = target
                .helper(*op, ty, mode, &arg_kinds(*op, ty), WaveSize::W32)
                .unwrap()
                .0;
            compiled.push(([helper], *args));
        }
        for (row, (input, output)) in table.rows.iter().enumerate() {
            let raw = |n: usize| match ty {
                FTy::F16 => u64::from(input[n] & 0xffff),
                FTy::F32 => u64::from(input[n]),
                FTy::F64 => u64::from(input[n]) | u64::from(input[n + 1]) << 32,
            };
            let mut last = 0;
            for (helper, args) in &compiled {
                let args: Vec<u64> = args
                    .iter()
                    .map(|arg| match *arg {
                        X(n) => raw(n),
                        Hi(n) => u64::from(input[n] >> 16),
                        Neg(n) => raw(n) ^ f.sign(),
                        Abs(n) => raw(n) & f.abs_mask(),
                        NegAbs(n) => raw(n) | f.sign(),
                        Bits(x) => x,
                        Last => last,
                    })
                    .collect();
                last = eval::call(helper, HelperId(0), &mut NoEnv, &args).unwrap();
            }
            let want = match ty {
                FTy::F16 => u64::from(output[at] & 0xffff),
                FTy::F32 => u64::from(output[at]),
                FTy::F64 => u64::from(output[at]) | u64::from(output[at + 1]) << 32,
            };
            if loose && want & f.abs_mask() >= f.infinity() {
                continue;
            }
            assert!(
                last == want,
                "{name} row {row} dword {at} {ops:?}: {last:x}, hardware gives {want:x} for {input:x?}",
                ops = ops.iter().map(|o| o.0).collect::<Vec<_>>()
            );
        }
    }
}

const F: FTy = FTy::F32;
const H: FTy = FTy::F16;
const D: FTy = FTy::F64;
const XY: &[Arg] = &[X(0), X(1)];
const XYZ: &[Arg] = &[X(0), X(1), X(2)];
const CLAMP: (FOp, &[Arg]) = (FOp::Clamp { dx10: true }, &[Last]);

#[test]
fn minima_and_maxima() {
    for name in ["f32_min_max_nan", "f32_min_max_nan_ieee"] {
        compare(
            name,
            4,
            16,
            false,
            &[
                (0, F, &[(FOp::Min, XY)]),
                (1, F, &[(FOp::Max, XY)]),
                (2, F, &[(FOp::Min, XY), (FOp::Min, &[Last, X(2)])]),
                (3, F, &[(FOp::Max, XY), (FOp::Max, &[Last, X(2)])]),
                (4, F, &[(FOp::Med3, XYZ)]),
            ],
        );
    }
}

#[test]
fn nans_of_arithmetic() {
    compare(
        "f32_arithmetic_nan",
        4,
        16,
        false,
        &[
            (0, F, &[(FOp::Add, XY)]),
            (1, F, &[(FOp::Add, &[X(0), Neg(1)])]),
            (2, F, &[(FOp::Add, &[Neg(0), X(1)])]),
            (3, F, &[(FOp::Mul, XY)]),
            (4, F, &[(FOp::Fma, XYZ)]),
            (6, F, &[(FOp::MulLegacy, XY)]),
            (7, F, &[(FOp::FmaLegacy, XYZ)]),
            (8, F, &[(FOp::Fma, &[X(0), Bits(0x7f81_2345), X(1)])]),
            (9, F, &[(FOp::Fma, &[X(0), X(1), Bits(0xffc1_2345)])]),
            (11, F, &[(FOp::Add, &[Neg(0), Abs(1)])]),
            (12, F, &[(FOp::Mul, XY), (FOp::Omod(1), &[Last])]),
            (13, F, &[(FOp::Fma, &[Neg(0), X(1), Neg(2)])]),
            (15, F, &[(FOp::Add, XY), CLAMP]),
        ],
    );
}

#[test]
fn flushed_denormals() {
    compare(
        "f32_denormal_flush",
        4,
        16,
        true,
        &[
            (0, F, &[(FOp::Add, XY)]),
            (1, F, &[(FOp::Add, &[X(1), Neg(0)])]),
            (2, F, &[(FOp::Mul, XY)]),
            (3, F, &[(FOp::MulLegacy, XY)]),
            (4, F, &[(FOp::Fma, XYZ)]),
            (6, F, &[(FOp::Min, XY)]),
            (7, F, &[(FOp::Max, XY), (FOp::Max, &[Last, X(2)])]),
            (8, F, &[(FOp::Med3, XYZ)]),
            (9, F, &[(FOp::Floor, &[X(0)])]),
            (10, F, &[(FOp::Ceil, &[X(1)])]),
            (11, F, &[(FOp::FrexpMant, &[X(0)])]),
            (12, F, &[(FOp::Lt, XY)]),
            (14, F, &[(FOp::FrexpExp, &[X(1)])]),
            (15, F, &[(FOp::Mul, &[Abs(0), Neg(1)])]),
        ],
    );
}

#[test]
fn output_modifiers() {
    compare(
        "f32_output_modifier",
        4,
        16,
        true,
        &[
            (0, F, &[(FOp::Mul, XY), (FOp::Omod(1), &[Last])]),
            (1, F, &[(FOp::Mul, XY), (FOp::Omod(-1), &[Last])]),
            (2, F, &[(FOp::Mul, XY), (FOp::Omod(2), &[Last])]),
            (3, F, &[(FOp::Add, XY), (FOp::Omod(1), &[Last])]),
            (
                5,
                F,
                &[(FOp::Add, &[Neg(0), Neg(1)]), (FOp::Omod(2), &[Last])],
            ),
            (6, F, &[(FOp::Fma, XYZ), (FOp::Omod(1), &[Last])]),
            (8, F, &[(FOp::Min, XY), (FOp::Omod(-1), &[Last])]),
            (10, F, &[(FOp::Floor, &[X(0)]), (FOp::Omod(-1), &[Last])]),
            (12, F, &[(FOp::Mul, XY), (FOp::Omod(1), &[Last]), CLAMP]),
        ],
    );
    compare(
        "f32_output_modifier_ieee",
        4,
        16,
        true,
        &[
            (0, F, &[(FOp::Mul, XY)]),
            (6, F, &[(FOp::Fma, XYZ)]),
            (12, F, &[(FOp::Mul, XY), CLAMP]),
        ],
    );
}

#[test]
fn clamps_and_quieting() {
    compare(
        "dx10_clamp",
        4,
        16,
        false,
        &[
            (0, F, &[(FOp::Add, XY), CLAMP]),
            (1, F, &[(FOp::Mul, XY), CLAMP]),
            (2, F, &[(FOp::Fma, XYZ), CLAMP]),
            (3, F, &[(FOp::Max, XY), CLAMP]),
            (4, F, &[(FOp::Med3, XYZ), CLAMP]),
            (5, F, &[(FOp::Fract, &[X(0)]), CLAMP]),
            (8, H, &[(FOp::Add, &[X(3), Hi(3)]), CLAMP]),
            (9, H, &[(FOp::Max, &[X(3), Hi(3)]), CLAMP]),
        ],
    );
    compare(
        "nan_quieting",
        4,
        16,
        false,
        &[
            (2, F, &[(FOp::Fract, &[X(0)])]),
            (3, F, &[(FOp::Floor, &[X(0)])]),
            (4, F, &[(FOp::FrexpMant, &[X(0)])]),
            (5, F, &[(FOp::Ldexp, &[X(0), Bits(1)])]),
            (10, H, &[(FOp::Fract, &[X(3)])]),
            (11, H, &[(FOp::Ldexp, &[X(3), Bits(1)])]),
            (12, H, &[(FOp::FrexpMant, &[X(3)])]),
            (14, F, &[(FOp::Trunc, &[X(1)])]),
            (15, H, &[(FOp::Rndne, &[Hi(3)])]),
        ],
    );
}

#[test]
fn halves_and_doubles() {
    compare(
        "float16_rounding",
        4,
        16,
        false,
        &[
            (1, H, &[(FOp::Add, &[X(1), X(2)])]),
            (2, H, &[(FOp::Mul, &[X(1), X(2)])]),
        ],
    );
    compare(
        "f64_arithmetic",
        4,
        16,
        false,
        &[
            (0, D, &[(FOp::Add, &[X(0), X(2)])]),
            (2, D, &[(FOp::Mul, &[X(0), X(2)])]),
            (4, D, &[(FOp::Fma, &[X(0), X(2), X(2)])]),
            (8, D, &[(FOp::Min, &[X(0), X(2)])]),
            (10, D, &[(FOp::Max, &[X(0), X(2)])]),
            (14, D, &[(FOp::Add, &[NegAbs(0), Abs(2)])]),
        ],
    );
}

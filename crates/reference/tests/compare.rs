//! Every comparison by its name alone: what the condition and the type in the mnemonic say, with integers
//! and the host's comparisons of doubles, which hold every other type.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod common;

use std::cmp::Ordering;

use common::Test;
use spirdna_isa::launch::{Denorm, Mode};
use spirdna_isa::{Opcode, Target, WaveSize, assemble};

/// Values of a type, as bits.
fn edges(ty: &str) -> Vec<u64> {
    let (bits, frac) = match ty {
        "F16" => (16, 10),
        "F32" => (32, 23),
        "F64" => (64, 52),
        _ => (ty[1..].parse().unwrap(), 0),
    };
    let top = 1u64 << (bits - 1);
    if frac == 0 {
        return vec![
            0,
            1,
            2,
            top - 1,
            top,
            top + 1,
            top | (top - 1),
            0x1234 & (top - 1),
        ];
    }
    let inf = (top - 1) >> frac << frac;
    let one = (inf >> 1) & !((1 << frac) - 1) & inf;
    let mut all = vec![0, 1, (1 << frac) - 1, 1 << frac, one, one + 1, inf - 1, inf];
    // A signalling NaN and a quiet one.
    all.extend([inf + 1, inf + (1 << (frac - 1)) + 3]);
    let negative: Vec<u64> = all.iter().map(|x| x | top).collect();
    all.extend(negative);
    all
}

fn half(bits: u64) -> f64 {
    let (exp, frac) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
    let magnitude = match exp {
        0 => frac * 2f64.powi(-24),
        31 if frac == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + frac) * 2f64.powi(exp - 25),
    };
    if bits >> 15 & 1 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// How two values of a type relate; `None` where one is a NaN.
fn relation(ty: &str, a: u64, b: u64) -> Option<Ordering> {
    let float = |to: fn(u64) -> f64| to(a).partial_cmp(&to(b));
    match ty {
        "F16" => float(half),
        "F32" => float(|x| f64::from(f32::from_bits(x as u32))),
        "F64" => float(f64::from_bits),
        "I16" => Some((a as i16).cmp(&(b as i16))),
        "U16" => Some((a as u16).cmp(&(b as u16))),
        "I32" => Some((a as i32).cmp(&(b as i32))),
        "U32" => Some((a as u32).cmp(&(b as u32))),
        "I64" => Some((a as i64).cmp(&(b as i64))),
        "U64" => Some(a.cmp(&b)),
        _ => panic!("{ty}"),
    }
}

/// What a condition says of a relation. Those that begin with N hold where what follows does not, so
/// with a NaN too.
fn holds(cond: &str, relation: Option<Ordering>) -> bool {
    let is = |list: &[Ordering]| relation.is_some_and(|r| list.contains(&r));
    use Ordering::{Equal, Greater, Less};
    match cond {
        "F" => false,
        "LT" => is(&[Less]),
        "EQ" => is(&[Equal]),
        "LE" => is(&[Less, Equal]),
        "GT" => is(&[Greater]),
        "LG" => is(&[Less, Greater]),
        "GE" => is(&[Greater, Equal]),
        "O" => relation.is_some(),
        "U" => relation.is_none(),
        "T" | "TRU" => true,
        // Of integers, and of floats.
        "NE" | "NEQ" => !is(&[Equal]),
        _ => !holds(cond.strip_prefix('N').unwrap(), relation),
    }
}

// source: V_CMP_*_F16 V_CMP_*_F32 V_CMP_*_F64 V_CMP_*_I16 V_CMP_*_U16 V_CMP_*_I32 V_CMP_*_U32 V_CMP_*_I64
// source: V_CMP_*_U64 V_CMPX_*_F16 V_CMPX_*_F32 V_CMPX_*_F64 V_CMPX_*_I16 V_CMPX_*_U16 V_CMPX_*_I32
// source: V_CMPX_*_U32 V_CMPX_*_I64 V_CMPX_*_U64
#[test]
fn vector_comparisons_mean_what_they_are_called() {
    let exec = 0xffff_7fff_ffff_fffeu64;
    let mut count = 0;
    for &opcode in Opcode::ALL {
        let name = opcode.row().name;
        let (writes_exec, rest) = match (name.strip_prefix("V_CMPX_"), name.strip_prefix("V_CMP_"))
        {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            _ => continue,
        };
        let (cond, ty) = rest.rsplit_once('_').unwrap();
        if cond == "CLASS" {
            continue;
        }
        count += 1;
        let values = edges(ty);
        let pairs: Vec<(u64, u64)> = values
            .iter()
            .flat_map(|&a| values.iter().map(move |&b| (a, b)))
            .collect();
        let wide = ty.ends_with("64");
        let (a, b) = if wide {
            ("v[2:3]", "v[4:5]")
        } else {
            ("v2", "v4")
        };
        let text = if writes_exec {
            format!("{} {a}, {b}", name.to_lowercase())
        } else {
            // What a disabled lane left there goes.
            format!(
                "s_mov_b64 s[10:11], -1\n{} s[10:11], {a}, {b}",
                name.to_lowercase()
            )
        };
        let words = assemble(Target::Gfx1030, WaveSize::W64, &text).unwrap();
        for chunk in pairs.chunks(64) {
            let pair = |l: u32| chunk[l as usize % chunk.len()];
            let mut test = Test::new(WaveSize::W64, &words)
                .vgpr(2, |l| pair(l).0 as u32)
                .vgpr(3, |l| (pair(l).0 >> 32) as u32)
                .vgpr(4, |l| pair(l).1 as u32)
                .vgpr(5, |l| (pair(l).1 >> 32) as u32)
                .exec(exec);
            test.launch.mode = Mode {
                denorm32: Denorm::Allow,
                ..Mode::default()
            };
            let test = test.run();
            let want = (0..64)
                .filter(|&l| {
                    let (a, b) = pair(l);
                    exec >> l & 1 == 1 && holds(cond, relation(ty, a, b))
                })
                .fold(0u64, |m, l| m | 1 << l);
            let got = if writes_exec {
                test.wave().exec()
            } else {
                u64::from(test.s(10)) | u64::from(test.s(11)) << 32
            };
            assert_eq!(got, want, "{text} of {chunk:x?}");
        }
    }
    assert!(count > 180, "{count}");
}

// source: S_CMP_*_I32 S_CMP_*_U32 S_CMP_*_U64 S_CMPK_*
#[test]
fn scalar_comparisons_mean_what_they_are_called() {
    let mut count = 0;
    for &opcode in Opcode::ALL {
        let name = opcode.row().name;
        let constant = name.starts_with("S_CMPK_");
        let Some(rest) = name.strip_prefix("S_CMP_").or(name.strip_prefix("S_CMPK_")) else {
            continue;
        };
        let (cond, ty) = rest.rsplit_once('_').unwrap();
        count += 1;
        for a in edges(ty) {
            for b in edges(if constant { "U16" } else { ty }) {
                let b_is = match (constant, ty) {
                    (true, "I32") => i64::from(b as i16) as u64,
                    _ => b,
                };
                let text = match (constant, ty) {
                    (true, _) => format!("{} s0, {b:#x}", name.to_lowercase()),
                    (false, "U64") => format!("{} s[0:1], s[2:3]", name.to_lowercase()),
                    (false, _) => format!("{} s0, s2", name.to_lowercase()),
                };
                let words = assemble(Target::Gfx1030, WaveSize::W32, &text).unwrap();
                let test = Test::wave32(&words)
                    .sgprs(&[a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32])
                    .run();
                let want = holds(cond, relation(ty, a, b_is));
                assert_eq!(test.wave().scc(), want, "{text} of {a:x}, {b:x}");
            }
        }
    }
    assert_eq!(count, 26);
}

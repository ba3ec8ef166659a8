//! Scalar bit logic by its name alone, with the forms that go through EXEC.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod common;

use common::Test;
use spirdna_isa::{Opcode, Target, WaveSize, assemble};

/// What the name says of the first operand and the second.
fn logic(name: &str, a: u64, b: u64) -> u64 {
    match name {
        "AND" => a & b,
        "OR" => a | b,
        "XOR" => a ^ b,
        "NAND" => !(a & b),
        "NOR" => !(a | b),
        "XNOR" => !(a ^ b),
        "ANDN1" => !a & b,
        "ANDN2" => a & !b,
        "ORN1" => !a | b,
        "ORN2" => a | !b,
        _ => panic!("{name}"),
    }
}

const PAIRS: [(u64, u64); 5] = [
    (0x0123_4567_89ab_cdef, 0xff00_ff00_f0f0_cccc),
    (0, 0),
    (u64::MAX, u64::MAX),
    (0xffff_0000_ffff_0000, 0x0000_ffff_0000_ffff),
    (0xffff_0000_0000_0000, 0x8000_0000_0000_0000),
];

fn run(wave: WaveSize, text: &str, a: u64, b: u64, exec: u64) -> Test {
    let words = assemble(Target::Gfx1030, wave, text).unwrap();
    let sgprs = [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32];
    Test::new(wave, &words).sgprs(&sgprs).exec(exec).run()
}

// source: S_AND_B* S_OR_B* S_XOR_B* S_NAND_B* S_NOR_B* S_XNOR_B* S_ANDN2_B* S_ORN2_B* S_*_SAVEEXEC_* S_*_WREXEC_*
#[test]
fn logic_means_what_it_is_called() {
    let mut count = 0;
    for &opcode in Opcode::ALL {
        let name = opcode.row().name;
        let Some((stem, width)) = name
            .strip_prefix("S_")
            .and_then(|rest| rest.rsplit_once("_B"))
        else {
            continue;
        };
        let (which, form) = match stem.rsplit_once('_') {
            Some((which, form @ ("SAVEEXEC" | "WREXEC"))) => (which, form),
            _ => (stem, ""),
        };
        let plain = ["AND", "OR", "XOR", "NAND", "NOR", "XNOR", "ANDN2", "ORN2"];
        if form.is_empty() && !plain.contains(&which) {
            continue;
        }
        count += 1;
        let (wave, dst, a_reg, b_reg, mask) = if width == "64" {
            (WaveSize::W64, "s[8:9]", "s[0:1]", "s[2:3]", u64::MAX)
        } else {
            (WaveSize::W32, "s8", "s0", "s2", u64::from(u32::MAX))
        };
        for (a, b) in PAIRS {
            let (a, b) = (a & mask, b & mask);
            // EXEC is the second operand of the forms that go through it.
            let (text, exec) = if form.is_empty() {
                (
                    format!("{} {dst}, {a_reg}, {b_reg}", name.to_lowercase()),
                    mask,
                )
            } else {
                (format!("{} {dst}, {a_reg}", name.to_lowercase()), b)
            };
            let test = run(wave, &text, a, b, exec);
            let want = logic(which, a, b) & mask;
            let got = (u64::from(test.s(8)) | u64::from(test.s(9)) << 32) & mask;
            let new = test.wave().exec();
            match form {
                "SAVEEXEC" => assert_eq!((got, new), (b, want), "{text} of {a:x}, {b:x}"),
                "WREXEC" => assert_eq!((got, new), (want, want), "{text} of {a:x}, {b:x}"),
                _ => assert_eq!((got, new), (want, exec), "{text} of {a:x}, {b:x}"),
            }
            assert_eq!(test.wave().scc(), want != 0, "{text} of {a:x}, {b:x}");
        }
    }
    assert_eq!(count, 16 + 20 + 4);
}

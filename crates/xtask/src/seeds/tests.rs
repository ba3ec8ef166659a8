//! Checks on the generator that need no tool: the committed case files are what it writes, and the half
//! conversions round as IEEE says.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::Path;

use super::{all, case_file, half};

fn shaders() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds/shaders")
}

#[test]
fn committed_case_files_are_current() {
    for seed in all() {
        let file = format!("{0}/{0}.w{1}.case.toml", seed.name, seed.wave);
        let committed = std::fs::read_to_string(shaders().join(&file)).unwrap();
        assert!(
            committed == case_file::text(&seed),
            "{file} differs: run `cargo xtask seeds {}`",
            seed.name
        );
        assert!(
            shaders()
                .join(seed.name)
                .join(seed.code_file())
                .metadata()
                .unwrap()
                .len()
                > 0
        );
    }
}

#[test]
fn every_expectation_differs_from_what_is_there_before() {
    for seed in all() {
        assert!(seed.buffers.iter().any(|b| b.after.is_some()));
        for buffer in &seed.buffers {
            let Some(after) = &buffer.after else { continue };
            assert_eq!(buffer.before.bytes(), 4 * after.len(), "{}", seed.name);
            if let super::seed::Contents::U32(before) = &buffer.before {
                assert_ne!(before, after, "{}", seed.name);
            }
        }
    }
}

#[test]
fn halves_round_to_nearest_even() {
    for bits in 0..=u16::MAX {
        let value = half::to_f32(bits);
        if !value.is_nan() {
            assert_eq!(half::from_f32(value), bits);
        }
    }
    // Midpoints go to the even neighbour, subnormal and normal; the last finite midpoint overflows.
    for (value, half) in [
        (2.980_232_2e-8_f32, 0x0000), // 2^-25
        (8.940_697e-8, 0x0002),       // 3 * 2^-25
        (1.000_488_3, 0x3c00),        // 1 + 2^-11
        (1.001_464_8, 0x3c02),        // 1 + 3 * 2^-11
        (65519.0, 0x7bff),
        (65520.0, 0x7c00),
        (-65520.0, 0xfc00),
    ] {
        assert_eq!(half::from_f32(value), half, "{value}");
    }
}

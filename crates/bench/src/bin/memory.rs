//! `memory`: the most memory that a translation holds, in bytes for each byte of guest code. A program of
//! its own, because counting costs time.

use std::io::Write as _;

use anyhow::Result;
use peak_alloc::PeakAlloc;
use spirdna_bench::{Way, seeds, synthetic};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() -> Result<()> {
    let mut out = std::io::stdout().lock();
    let mut shaders = seeds()?;
    for length in [1_000, 10_000, 100_000] {
        shaders.push(synthetic(length)?);
    }
    writeln!(
        out,
        "\nMost memory held, Fast, S = wave:\n\n| shader | bytes of code | KiB | bytes a byte |\n|---|---|---|---|"
    )?;
    for shader in &shaders {
        // Once for what is made at the first use.
        drop(Way::FAST.translate(shader)?);
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let made = Way::FAST.translate(shader)?;
        let peak = ALLOCATOR.peak_usage().saturating_sub(before);
        drop(made);
        let code = shader.code.len() * 4;
        let (kib, each) = (peak.div_ceil(1024), peak / code.max(1));
        writeln!(out, "| {} | {code} | {kib} | {each} |", shader.name)?;
    }
    Ok(())
}

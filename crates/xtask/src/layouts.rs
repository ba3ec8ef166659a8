//! `cargo xtask layouts`: derives every encoding's layout from llvm-mc's words and prints it beside the
//! ISA table. Knows nothing of how it is derived.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use spirdna_isa::Target;
use spirdna_layouts::{Assembler, ValueTable, check_section, page, sections};

/// Runs the sections whose name starts with one of `names` (all where there is none) on every target;
/// fails on an error, a warning or a difference from the table.
pub fn run(names: &[String]) -> Result<ExitCode> {
    let values = ValueTable::rdna();
    let chosen: Vec<_> = sections()
        .into_iter()
        .filter(|s| {
            names.is_empty()
                || names
                    .iter()
                    .any(|n| s.name().starts_with(&n.to_uppercase()))
        })
        .collect();
    if chosen.is_empty() {
        bail!("no section is called so");
    }
    let mut out = std::io::stdout().lock();
    let (mut faults, mut texts) = (0, 0);
    for target in Target::ALL {
        let assembler = Assembler::new(target.name()).context("the source of samples")?;
        for &section in &chosen {
            let report = check_section(&values, &assembler, section, target)?;
            out.write_all(page(&report).as_bytes())?;
            faults += report.faults();
            texts += report.layout.samples;
        }
    }
    writeln!(out, "{faults} faults in {texts} texts")?;
    Ok(if faults == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

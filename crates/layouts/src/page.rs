//! The page: field by field, derived beside declared. Owns the wording of the result.

use std::fmt::Write;

use crate::compare::{Verdict, kinds_text};
use crate::encoding::MergedField;
use crate::run::Report;
use crate::solve::bits_text;

/// The page of a section.
pub fn page(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_page(&mut out, report);
    out
}

fn write_page(out: &mut String, report: &Report) -> std::fmt::Result {
    let layout = &report.layout;
    writeln!(
        out,
        "{} on {}: {} opcodes, {} texts accepted, {} refused",
        layout.name,
        report.target.name(),
        layout.opcodes.len(),
        layout.samples,
        layout.refused
    )?;
    for comparison in &report.comparisons {
        let derived = layout.field(&comparison.operand);
        let derived = derived.map_or_else(String::new, field_text);
        let verdict = match &comparison.verdict {
            Verdict::Equal => "ok".to_string(),
            Verdict::Unreached(reason) => format!("ok; not reached: {reason}"),
            Verdict::Different(reason) => format!("DIFFERENT: {reason}"),
        };
        writeln!(
            out,
            "  {:<16} {derived:<62} | {:<30} {verdict}",
            comparison.operand, comparison.table
        )?;
    }
    for finding in &layout.findings {
        writeln!(out, "  {finding}")?;
    }
    Ok(())
}

fn field_text(field: &MergedField) -> String {
    let mut text = format!("{} {}", bits_text(&field.places), kinds_text(&field.kinds));
    // A value that is always a multiple sits shifted down.
    let low = field.places.keys().next().copied().unwrap_or(0);
    if low > 0 {
        let _ = write!(text, " / {}", 1u32 << low.min(31));
    }
    let [unsigned, signed, either] = field.signs;
    if signed > 0 && unsigned + either == 0 {
        text.push_str(", signed");
    } else if signed > 0 {
        let _ = write!(text, ", signed in {signed}");
    } else if either > 0 {
        text.push_str(", either sign");
    }
    if let Some(idle) = field.idle.iter().next().filter(|_| field.idle.len() == 1)
        && *idle != 0
    {
        let _ = write!(text, ", left out {idle:#x}");
    }
    let plural = if field.opcodes == 1 { "" } else { "s" };
    let _ = write!(text, " ({} opcode{plural})", field.opcodes);
    text
}

//! A few encodings solved from llvm-mc's words; what was derived equals the ISA table. The others are
//! the business of `cargo xtask layouts`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::sync::atomic::{AtomicUsize, Ordering};

use spirdna_isa::{Encoding, Target};
use spirdna_layouts::{
    Assembler, Extension, LlvmError, Report, Section, ValueTable, Verdict, check_section, compare,
    page,
};

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

fn solved(encoding: Encoding) -> Option<Report> {
    let assembler = match Assembler::new("gfx1030") {
        Ok(assembler) => assembler,
        Err(LlvmError::Absent) => {
            let required = std::env::var_os("SPIRDNA_REQUIRE_VULKAN").is_some_and(|v| v == "1");
            assert!(!required, "llvm-mc is not installed");
            let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
            let name = encoding.name();
            let mut err = std::io::stderr();
            let line = format_args!(
                "SKIPPED ({count} so far): {name} against llvm-mc: it is not installed\n"
            );
            let _ = std::io::Write::write_fmt(&mut err, line);
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    let section = Section {
        encoding,
        extension: Extension::None,
        vop3b: false,
    };
    let report = check_section(&ValueTable::rdna(), &assembler, section, Target::Gfx1030);
    let report = report.expect("llvm-mc runs");
    assert_eq!(report.faults(), 0, "{}", page(&report));
    Some(report)
}

/// The bits of a derived field, lowest bit of the value first.
fn bits(report: &Report, operand: &str) -> Vec<u8> {
    let field = report.layout.field(operand).expect(operand);
    field.places.values().map(|p| p.bit).collect()
}

#[test]
fn smem() {
    let Some(report) = solved(Encoding::Smem) else {
        return;
    };
    // As the RDNA2 document prints them.
    assert_eq!(bits(&report, "sdata"), (6..=12).collect::<Vec<_>>());
    assert_eq!(bits(&report, "smemoffset"), (57..=63).collect::<Vec<_>>());
    assert_eq!(bits(&report, "offset"), (32..=52).collect::<Vec<_>>());
    assert_eq!(report.layout.samples.min(1000), 1000);
}

#[test]
fn vintrp() {
    solved(Encoding::Vintrp);
}

#[test]
fn mtbuf() {
    let Some(report) = solved(Encoding::Mtbuf) else {
        return;
    };
    assert_eq!(bits(&report, "op"), [16, 17, 18, 53]);
}

#[test]
fn sopk() {
    solved(Encoding::Sopk);
}

#[test]
fn exp() {
    solved(Encoding::Exp);
}

#[test]
fn a_table_that_differs_is_told() {
    let Some(report) = solved(Encoding::Sopc) else {
        return;
    };
    // Instead of a wrong table, a wrong derivation: one bit further up, and a bit too few.
    let mut shifted = report.layout.clone();
    for field in shifted.fields.iter_mut().filter(|f| f.operand == "ssrc1") {
        for place in field.places.values_mut() {
            place.bit += 1;
        }
    }
    let mut short = report.layout.clone();
    for field in short.fields.iter_mut().filter(|f| f.operand == "ssrc1") {
        field.places.remove(&7);
    }
    for layout in [shifted, short] {
        let different: Vec<_> = compare(report.section, &layout)
            .into_iter()
            .filter(|c| matches!(c.verdict, Verdict::Different(_)))
            .map(|c| c.operand)
            .collect();
        assert_eq!(different, ["ssrc1"]);
    }
}

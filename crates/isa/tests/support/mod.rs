//! What the tests against LLVM share: whether it is there, the list of opcodes read from it, and legal
//! instructions derived from the table.
#![allow(dead_code)] // each test binary uses a part

pub mod generate;

use std::sync::atomic::{AtomicUsize, Ordering};

use spirdna_isa::{Access, Operand, Parts, Slot, Target};

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

fn skipped(test: &str, reason: &str) {
    let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
    let mut err = std::io::stderr();
    let _ = std::io::Write::write_fmt(
        &mut err,
        format_args!("SKIPPED ({count} so far): {test}: {reason}\n"),
    );
}

/// Whether the oracle is installed; says so, once a test, where it is not and need not be.
pub fn have_llvm(test: &str) -> bool {
    let found = spirdna_oracle::installed();
    if !found {
        let required = std::env::var_os("SPIRDNA_REQUIRE_VULKAN").is_some_and(|v| v == "1");
        assert!(!required, "{test}: llvm-mc-19 is not installed");
        skipped(test, "llvm-mc-19 is not installed");
    }
    found
}

/// The opcode list read from LLVM, where the shared folder is: (target, encoding, number, mnemonic).
pub fn opcode_list(test: &str) -> Option<Vec<(Target, String, u16, String)>> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/reference/llvm19_gfx10_opcodes.tsv"
    );
    let Ok(text) = std::fs::read_to_string(path) else {
        skipped(test, "../shared/reference is absent");
        return None;
    };
    let rows = text.lines().filter(|l| !l.starts_with('#')).map(|l| {
        let f: Vec<&str> = l.split('\t').collect();
        let target = Target::from_name(f[0]).expect("a known target");
        let number = f[2].parse().expect("a number");
        (target, f[1].to_owned(), number, f[3].to_owned())
    });
    Some(rows.collect())
}

/// Parts without what the words do not hold: operands that are implicit or repeat another's field.
pub fn visible(p: &Parts) -> Parts {
    let mut q = *p;
    for (o, spec) in q.operands.iter_mut().zip(p.opcode.row().operands) {
        if spec.hidden {
            *o = Operand::Off;
        }
        if spec.access == Access::DstIfGlc && !p.mem.glc {
            *o = Operand::Off;
        }
        let lds_data = matches!(spec.slot, Slot::Vdata | Slot::Vdst);
        if p.mem.lds && lds_data {
            *o = Operand::Off;
        }
    }
    for o in q.operands.iter_mut().skip(p.opcode.row().operands.len()) {
        *o = Operand::Off;
    }
    // EN follows from the sources; unused NSA bytes are 0.
    q.export.en = 0;
    q
}

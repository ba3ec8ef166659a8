//! Buffer formats on a Vulkan device against exact rational arithmetic: one of the 77 each day, all of its values
//! through all formatted instructions, by turns with a V# that the translator knows and one that it does not.
//! `spirdna formats` runs all on any device; what it found is `seeds/formats/` and `docs/formats.md`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::path::PathBuf;

use spirdna_cli::{Exit, main_with};

/// The formats, one a day.
const FORMATS: u64 = 77;

fn spirdna(line: &[&str]) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = main_with(line, None, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (exit, text(out), text(err))
}

/// `SPIRDNA_FORMATS_DAY` picks a day; `SPIRDNA_ALL=1` takes all formats.
#[test]
fn formats_on_a_device() {
    let day = skips::day("SPIRDNA_FORMATS_DAY");
    let turn = format!("{}/{FORMATS}", day % FORMATS);
    let vsharp = ["known", "run-time"][(day + day / FORMATS) as usize % 2];
    let mut line = vec!["spirdna", "formats", "--device", "vulkan"];
    if std::env::var_os("SPIRDNA_ALL").is_none_or(|v| v != "1") {
        line.extend(["--turn", &turn, "--vsharp", vsharp]);
    }
    let (exit, out, err) = spirdna(&line);
    if exit == Exit::Device {
        assert!(!skips::required(), "{err}");
        return skips::skipped("formats on a device", &err);
    }
    assert_eq!(exit, Exit::Success, "{line:?}: {out}{err}");
}

#[test]
fn the_page_of_formats_is_up_to_date() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let rows = root.join("seeds/formats");
    let rows = rows.to_str().unwrap();
    let (exit, page, err) = spirdna(&["spirdna", "formats", "--markdown", "--rows", rows]);
    assert_eq!(exit, Exit::Success, "{err}");
    let path = root.join("docs/formats.md");
    if std::env::var_os("SPIRDNA_WRITE_PROOF").is_some_and(|v| v == "1") {
        std::fs::write(&path, &page).unwrap();
        return;
    }
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = page.lines().zip(old.lines()).find(|(a, b)| a != b);
    assert!(
        page == old,
        "docs/formats.md is not what holds now; where the change is meant, SPIRDNA_WRITE_PROOF=1 \
         writes it.\nfirst difference (now, then in the file): {differs:?}"
    );
}

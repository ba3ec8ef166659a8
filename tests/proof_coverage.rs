//! `docs/coverage.md` is what the ISA table, the reference, the translator and the proof files say today.
//! `SPIRDNA_WRITE_PROOF=1` writes it. (Cargo runs this after `proof`, which writes the proof files.)
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::path::PathBuf;

#[test]
fn the_coverage_page_is_up_to_date() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let proof = root.join("seeds/proof");
    let arguments = ["spirdna", "coverage", "--markdown", "--proof"].map(std::ffi::OsString::from);
    let arguments = arguments.into_iter().chain([proof.into_os_string()]);
    let exit = spirdna_cli::main_with(arguments, None, &mut out, &mut err);
    assert_eq!(exit.code(), 0, "{}", String::from_utf8_lossy(&err));
    let page = String::from_utf8(out).unwrap();
    let path = root.join("docs/coverage.md");
    if std::env::var_os("SPIRDNA_WRITE_PROOF").is_some_and(|v| v == "1") {
        std::fs::write(&path, &page).unwrap();
        return;
    }
    let file = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = page.lines().zip(file.lines()).find(|(a, b)| a != b);
    assert!(
        page == file,
        "docs/coverage.md is not what holds now; where the change is meant, SPIRDNA_WRITE_PROOF=1 \
         writes it.\nfirst difference (now, then in the file): {differs:?}"
    );
}

//! `docs/coverage.md` and `docs/d16.md` are what the ISA table, the reference, the translator and the proof files say today.
//! `SPIRDNA_WRITE_PROOF=1` writes them. (Cargo runs this after `proof`, which writes the proof files.)
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::path::PathBuf;

#[test]
fn the_coverage_page_is_up_to_date() {
    check("--markdown", "docs/coverage.md");
}

/// The instructions that the founders named are on their page.
#[test]
fn the_page_of_d16_is_up_to_date() {
    let page = check("--d16", "docs/d16.md");
    let mut names = Vec::new();
    for half in ["D16", "D16_HI"] {
        for data in ["I8", "U8", "U16"] {
            names.push(format!("DS_READ_{data}_{half}"));
        }
        for unit in ["FLAT", "GLOBAL", "SCRATCH", "BUFFER"] {
            for data in ["SBYTE", "UBYTE", "SHORT"] {
                names.push(format!("{unit}_LOAD_{data}_{half}"));
            }
        }
    }
    for unit in ["FLAT", "GLOBAL", "SCRATCH", "BUFFER"] {
        for data in ["BYTE", "SHORT"] {
            names.push(format!("{unit}_STORE_{data}_D16_HI"));
        }
    }
    for components in ["X", "XY", "XYZ", "XYZW"] {
        for unit in ["BUFFER", "TBUFFER"] {
            names.push(format!("{unit}_LOAD_FORMAT_D16_{components}"));
        }
    }
    names.extend(
        [
            "BUFFER_LOAD_FORMAT_D16_HI_X",
            "DS_WRITE_B8_D16_HI",
            "DS_WRITE_B16_D16_HI",
        ]
        .map(str::to_owned),
    );
    for name in names {
        assert!(page.contains(&format!("| {name} |")), "{name}");
    }
}

/// The page that the command makes today, which must be the file.
fn check(option: &str, file: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let proof = root.join("seeds/proof");
    let arguments = ["spirdna", "coverage", option, "--proof"].map(std::ffi::OsString::from);
    let arguments = arguments.into_iter().chain([proof.into_os_string()]);
    let exit = spirdna_cli::main_with(arguments, None, &mut out, &mut err);
    assert_eq!(exit.code(), 0, "{}", String::from_utf8_lossy(&err));
    let page = String::from_utf8(out).unwrap();
    let path = root.join(file);
    if std::env::var_os("SPIRDNA_WRITE_PROOF").is_some_and(|v| v == "1") {
        std::fs::write(&path, &page).unwrap();
        return page;
    }
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = page.lines().zip(old.lines()).find(|(a, b)| a != b);
    assert!(
        page == old,
        "{file} is not what holds now; where the change is meant, SPIRDNA_WRITE_PROOF=1 \
         writes it.\nfirst difference (now, then in the file): {differs:?}"
    );
    page
}

//! The `spirdna` command on bad input: an exit status and a message that names file and cause, never
//! a panic. And what it prints on good input.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::fs;
use std::path::{Path, PathBuf};

use spirdna_case::random::SplitMix64;
use spirdna_cli::{Exit, main_with};

/// A folder of files for one test.
struct Folder(tempfile::TempDir);

/// Runs the command in this process: status, output, errors.
fn spirdna(arguments: &[&str]) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let all = std::iter::once("spirdna").chain(arguments.iter().copied());
    let exit = main_with(all, None, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (exit, text(out), text(err))
}

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and gives its path.
    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name).display().to_string()
    }

    /// A case over a code file, with more text.
    fn case(&self, code: &str, more: &str) -> String {
        let text = format!(
            "[shader]\ntarget = \"gfx1030\"\nwave = 32\ncode = \"{code}\"\n\
             [launch]\ngroups = [1, 1, 1]\nlocal = [32, 1, 1]\n{more}"
        );
        self.file("t.case.toml", text)
    }
}

/// `run` must refuse the case with the status, and say all of `parts`.
fn run_refused(case: &str, exit: Exit, parts: &[&str]) {
    let (got, out, err) = spirdna(&["run", case]);
    assert_eq!(got, exit, "{out}{err}");
    for part in parts {
        assert!(err.contains(part), "`{part}` is not in: {err}");
    }
}

fn seed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds/shaders")
        .join(name)
}

const END: [u8; 4] = [0, 0, 0x81, 0xbf];

#[test]
fn files_that_are_no_code() {
    let dir = Folder::new();
    let disasm = |name: &str, bytes: &[u8], part: &str| {
        let path = dir.file(name, bytes);
        let (exit, out, err) = spirdna(&["disasm", &path, "--target", "gfx1030"]);
        assert_eq!(exit, Exit::Unusable, "{out}{err}");
        assert!(err.contains(name) && err.contains(part), "{err}");
        let case = dir.case(name, "");
        run_refused(&case, Exit::Unusable, &[name, part]);
    };
    disasm("empty.bin", b"", "is empty");
    disasm("odd.bin", &[0, 0, 0x81, 0xbf, 0], "5 bytes");
    disasm("text.bin", b"s_endpgm\n", "is text");
    let (exit, _, err) = spirdna(&["disasm", "no-such-file", "--target", "gfx1030"]);
    assert_eq!(exit, Exit::Unusable);
    assert!(err.contains("no-such-file: cannot be read"), "{err}");
    let raw = dir.file("raw.bin", END);
    let (exit, _, err) = spirdna(&["disasm", &raw]);
    assert_eq!(exit, Exit::Unusable);
    assert!(err.contains("raw.bin: raw code needs --target"), "{err}");
}

#[test]
fn random_bytes() {
    let dir = Folder::new();
    let mut rng = SplitMix64::new(2);
    for _ in 0..200 {
        let words = 1 + rng.draw() % 64;
        let bytes: Vec<u8> = (0..words)
            .flat_map(|_| (rng.draw() as u32).to_le_bytes())
            .collect();
        let path = dir.file("random.bin", &bytes);
        for target in ["gfx1010", "gfx1013", "gfx1030"] {
            let (exit, out, _) = spirdna(&["disasm", &path, "--target", target, "--plain"]);
            assert_eq!(exit, Exit::Success);
            assert!(!out.is_empty());
        }
        let case = dir.case("random.bin", "");
        let (exit, out, err) = spirdna(&["run", &case]);
        let fine = [Exit::Success, Exit::Unusable, Exit::Refused].contains(&exit);
        assert!(fine, "{exit:?} {out}{err}");
        if exit != Exit::Success {
            assert!(
                err.contains("t.case.toml") && err.contains("pc 0x"),
                "{err}"
            );
        }
    }
}

#[test]
fn damaged_code_objects() {
    let dir = Folder::new();
    let good = fs::read(seed("saxpy/saxpy.w32.co")).unwrap();
    let damaged = |name: &str, at: usize, bytes: &[u8], part: &str| {
        let mut data = good.clone();
        data[at..at + bytes.len()].copy_from_slice(bytes);
        let path = dir.file(name, &data);
        let (exit, out, err) = spirdna(&["disasm", &path]);
        assert_eq!(exit, Exit::Unusable, "{out}");
        assert!(err.contains(name) && err.contains(part), "{err}");
        let case = dir.file(
            "elf.case.toml",
            format!("[shader]\nelf = \"{name}\"\n[launch]\ngroups = [1,1,1]\nlocal = [32,1,1]\n"),
        );
        run_refused(&case, Exit::Unusable, &[name, part]);
    };
    // e_machine: x86-64.
    damaged("x86.co", 18, &62u16.to_le_bytes(), "machine 62");
    // e_shoff and e_shnum: a section table that does not lie in the file.
    damaged(
        "table.co",
        40,
        &u64::MAX.to_le_bytes(),
        "not a sound ELF file",
    );
    damaged(
        "count.co",
        60,
        &u16::MAX.to_le_bytes(),
        "not a sound ELF file",
    );
    // The offset of the section that holds the code.
    let table = u64::from_le_bytes(good[40..48].try_into().unwrap()) as usize;
    let far = (good.len() as u64).to_le_bytes();
    damaged(
        "section.co",
        table + 7 * 64 + 24,
        &far,
        "not a sound ELF file",
    );
}

#[test]
fn case_files_that_contradict_themselves() {
    let dir = Folder::new();
    dir.file("k.bin", END);
    let overlap = "[[memory]]\nname = \"a\"\naddress = \"0x1000\"\nu32 = [1, 2]\n\
                   [[memory]]\nname = \"b\"\naddress = \"0x1004\"\nu32 = [1, 2]\n";
    let parts = [
        "t.case.toml",
        "memory.b.address",
        "overlaps with the region `a`",
    ];
    run_refused(&dir.case("k.bin", overlap), Exit::Unusable, &parts);
    let parts = ["t.case.toml", "line 8", "unknown field `grups`"];
    run_refused(&dir.case("k.bin", "grups = 1\n"), Exit::Unusable, &parts);
    let parts = ["none.bin: cannot be read"];
    run_refused(&dir.case("none.bin", ""), Exit::Unusable, &parts);
    run_refused(
        "no-such.case.toml",
        Exit::Unusable,
        &["no-such.case.toml: cannot be read"],
    );
}

/// v[0:1] = 0x5_00001000; lane 4 alone stores v2 there: nothing is mapped.
#[test]
fn an_access_outside_every_region_names_pc_lane_and_address() {
    let dir = Folder::new();
    let words: [u32; 9] = [
        0x7e00_02ff,
        0x0000_1000,
        0x7e02_0285,
        0x7e04_0287,
        0xbefe_0390,
        0xdc70_8000,
        0x007d_0200,
        0xbf81_0000,
        0xbf81_0000,
    ];
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    dir.file("store.bin", bytes);
    let parts = ["t.case.toml", "pc 0x14", "lane 4", "0x500001000"];
    run_refused(&dir.case("store.bin", ""), Exit::Unusable, &parts);
    let expected = dir.case("store.bin", "[expect_fault]\nkind = \"unmapped\"\n");
    assert_eq!(spirdna(&["run", &expected]).0, Exit::Success);
    dir.file("k.bin", END);
    let missing = dir.case("k.bin", "[expect_fault]\nkind = \"unmapped\"\n");
    run_refused(&missing, Exit::Failed, &["expected fault did not happen"]);
}

#[test]
fn a_failed_expectation_shows_the_first_difference() {
    let dir = Folder::new();
    dir.file("k.bin", END);
    let text = "[[memory]]\nname = \"a\"\nu32 = [1, 2, 3]\n\
                [[expect]]\nmemory = \"a\"\noffset = 4\nu32 = [2, 4]\n";
    let parts = [
        "memory `a`",
        "1 of 2 elements",
        "at 0x8: expected 0x00000004, got 0x00000003",
    ];
    run_refused(&dir.case("k.bin", text), Exit::Failed, &parts);
}

#[test]
fn command_lines() {
    assert_eq!(spirdna(&["--help"]).0, Exit::Success);
    assert_eq!(spirdna(&[]).0, Exit::Unusable);
    assert_eq!(spirdna(&["fly"]).0, Exit::Unusable);
    assert_eq!(
        spirdna(&["disasm", "x", "--target", "gfx900"]).0,
        Exit::Unusable
    );
    assert_eq!(spirdna(&["run", "x", "--device", "moon"]).0, Exit::Unusable);
    assert_eq!(
        spirdna(&["run", "x", "--device", "vulkan:no such device"]).0,
        Exit::Device
    );
}

#[test]
fn a_real_shader_runs_on_the_reference() {
    let case = seed("reduce/reduce.w64.case.toml").display().to_string();
    let (exit, out, err) = spirdna(&["run", &case]);
    assert_eq!(exit, Exit::Success, "{out}{err}");
    assert!(out.starts_with("pass") && out.lines().count() == 1, "{out}");
}

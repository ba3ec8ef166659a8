//! The `spirdna` command on bad input: an exit status and a message that names file and cause, never
//! a panic. And what it prints on good input.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

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
        let fine = [Exit::Success, Exit::Failed, Exit::Unusable, Exit::Refused];
        assert!(fine.contains(&exit), "{exit:?} {out}{err}");
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

/// The launch of a case over `k.bin`, for what `Folder::case` fixes.
fn launch_case(dir: &Folder, launch: &str, more: &str) -> String {
    let text = format!(
        "[shader]\ntarget = \"gfx1030\"\nwave = 32\ncode = \"k.bin\"\n[launch]\n{launch}\n{more}"
    );
    dir.file("t.case.toml", text)
}

/// What a case may ask for has bounds; without them each of these ran for minutes or more.
#[test]
fn absurd_sizes_end_at_once() {
    let dir = Folder::new();
    dir.file("k.bin", END);
    let launch = |launch: &str| launch_case(&dir, launch, "");
    for (text, part) in [
        (
            "groups = [4000000000, 1, 1]\nlocal = [1, 1, 1]",
            "launch.groups",
        ),
        (
            "groups = [4294967295, 4294967295, 4294967295]\nlocal = [1, 1, 1]",
            "launch.groups",
        ),
        (
            "threads = [4294967295, 4294967295, 1]\nlocal = [1024, 1, 1]",
            "launch.threads",
        ),
        ("groups = [1, 1, 1]\nlocal = [0, 1, 1]", "launch.local"),
        (
            "groups = [1, 1, 1]\nlocal = [1, 1, 1]\nlds = 4294967295",
            "launch.lds",
        ),
        (
            "groups = [1, 1, 1]\nlocal = [1, 1, 1]\nscratch = 4294967295",
            "scratch",
        ),
    ] {
        run_refused(&launch(text), Exit::Unusable, &["t.case.toml", part]);
    }
    // No workgroup at all, along axes that would take for ever to walk.
    let none = launch("groups = [0, 4294967295, 4294967295]\nlocal = [1, 1, 1]");
    assert_eq!(spirdna(&["run", &none]).0, Exit::Success);
    let small = "groups = [1, 1, 1]\nlocal = [1, 1, 1]";
    let refused = |more: &str, part: &str| {
        run_refused(
            &launch_case(&dir, small, more),
            Exit::Unusable,
            &["t.case.toml", part],
        );
    };
    let size = |size: &str| format!("[[memory]]\nname = \"a\"\nsize = {size}\n");
    refused(&size("1099511627776"), "memory.a.size");
    let regions: String = (0..5000)
        .map(|i| format!("[[memory]]\nname = \"r{i}\"\nu8 = [1]\n"))
        .collect();
    refused(&regions, "memory: 5000 exceeds the limit of 4096");
    let expects = "[[expect]]\nmemory = \"a\"\nu8 = []\n".repeat(70_000);
    refused(&(size("4") + &expects), "expect: 70000 exceeds");
    let random = "[[memory]]\nname = \"a\"\nrandom = { seed = \"1\", type = \"f64\", \
                  min = -1.7e308, max = 1.7e308, count = 4 }\n";
    refused(random, "memory.a.random");
}

/// Code that every dispatch reads again counts each time.
#[test]
fn code_has_a_bound_over_all_dispatches() {
    let dir = Folder::new();
    let mut code = vec![0; 16 << 20];
    code[..4].copy_from_slice(&END);
    dir.file("k.bin", code);
    let dispatches = "[[dispatch]]\n".repeat(70);
    let small = "groups = [0, 1, 1]\nlocal = [1, 1, 1]";
    let case = launch_case(&dir, small, &dispatches);
    run_refused(
        &case,
        Exit::Unusable,
        &["dispatch[63].shader.code", "exceeds the limit"],
    );
}

/// A code object whose section table names one long string many times.
#[test]
fn a_code_object_that_takes_for_ever_to_name_its_sections() {
    let dir = Folder::new();
    let good = fs::read(seed("saxpy/saxpy.w32.co")).unwrap();
    let file = |sections: u64, name_bytes: usize| {
        let mut data = good[..64].to_vec();
        data.resize(64 + name_bytes, b'a');
        data.resize(data.len().next_multiple_of(8) + 8, 0);
        let table = data.len() as u64;
        data[40..48].copy_from_slice(&table.to_le_bytes());
        data[60..62].copy_from_slice(&0u16.to_le_bytes()); // the count is in section 0
        data[62..64].copy_from_slice(&1u16.to_le_bytes());
        let mut section = |ty: u32, offset: u64, size: u64| {
            for word in [0, ty] {
                data.extend_from_slice(&word.to_le_bytes());
            }
            for word in [0, 0, offset, size, 0, 1, 0u64] {
                data.extend_from_slice(&word.to_le_bytes());
            }
        };
        section(0, 0, sections);
        for _ in 1..sections {
            section(3, 64, name_bytes as u64 + 1);
        }
        dir.file("long.co", data)
    };
    for (sections, name_bytes, part) in [
        (100_000, 8, "has too many sections"),
        (4000, 1 << 20, "has too many names"),
    ] {
        let path = file(sections, name_bytes);
        let (exit, _, err) = spirdna(&["disasm", &path]);
        assert_eq!(exit, Exit::Unusable);
        assert!(err.contains("long.co") && err.contains(part), "{err}");
    }
}

#[test]
fn a_failed_multiset_of_many_elements_is_told_at_once() {
    let dir = Folder::new();
    dir.file("k.bin", END);
    let list = |from: u32| {
        let values: Vec<String> = (from..from + 200_000).map(|v| v.to_string()).collect();
        values.join(",")
    };
    let text = format!(
        "[[memory]]\nname = \"a\"\nu32 = [{}]\n\
         [[expect]]\nmemory = \"a\"\nu32 = [{}]\ncompare = \"multiset\"\n",
        list(0),
        list(200_000)
    );
    let parts = ["200000 of 200000 elements"];
    run_refused(&dir.case("k.bin", &text), Exit::Failed, &parts);
}

/// V_FMA_F32 of three SGPRs decodes, as for LLVM, whose assembler takes two at most.
#[test]
fn a_check_names_the_rule_that_an_instruction_breaks() {
    let dir = Folder::new();
    let words: [u32; 3] = [0xd54b_0000, 0x0008_0200, 0xbf81_0000];
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let code = dir.file("fma.bin", bytes);
    let plain = ["disasm", &code, "--target", "gfx1030"];
    let (exit, out, _) = spirdna(&plain);
    assert_eq!(exit, Exit::Success);
    assert!(out.contains("v_fma_f32 v0, s0, s1, s2"), "{out}");
    let (exit, _, err) = spirdna(&[&plain[..], &["--check"]].concat());
    assert_eq!(exit, Exit::Failed);
    assert!(
        err.contains("pc 0x0000") && err.contains("3 scalar values are read, the limit is 2"),
        "{err}"
    );
}

#[test]
fn what_contradicts_the_file_is_told() {
    let dir = Folder::new();
    dir.file("k.bin", END);
    let case = dir.case("k.bin", "");
    let co = seed("saxpy/saxpy.w32.co").display().to_string();
    let refused = |arguments: &[&str], part: &str| {
        let (exit, _, err) = spirdna(arguments);
        assert_eq!(exit, Exit::Unusable, "{arguments:?}");
        assert!(err.contains(part), "{err}");
    };
    refused(
        &["disasm", &case, "--target", "gfx1010"],
        "for gfx1030, and not for gfx1010",
    );
    refused(
        &["disasm", &case, "--wave", "64"],
        "for waves of 32, and not for waves of 64",
    );
    refused(&["disasm", &case, "--kernel", "k"], "names its kernel");
    refused(
        &["disasm", &co, "--target", "gfx1010"],
        "for gfx1030, and not for gfx1010",
    );
    refused(
        &["disasm", &co, "--wave", "64"],
        "for waves of 32, and not for waves of 64",
    );
    let junk = dir.file("junk.toml", "garbage\n");
    refused(&["run", &case, "--profile", &junk], "junk.toml");
    let (exit, _, err) = spirdna(&["run", &case, "--memory", "pool"]);
    assert_eq!(exit, Exit::Unusable, "{err}");
    let many = dir.file("many.s", "zzz\n".repeat(1000));
    let out = dir.path("o.bin").display().to_string();
    let asm = ["asm", &many, "--target", "gfx1030", "-o", &out];
    refused(&asm, "and 950 more");
}

/// More memory than the device binds is the device's limit, not a mistake of ours.
#[test]
fn memory_beyond_the_limit_of_a_device_is_refused() {
    let dir = Folder::new();
    // v_mov_b32 v0, 0; global_store_dword v0, v0, s[0:1]; s_endpgm
    let words: [u32; 4] = [0x7e00_0280, 0xdc70_8000, 0x0000_0000, 0xbf81_0000];
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    dir.file("store.bin", bytes);
    let case = dir.case(
        "store.bin",
        "sgprs = [{ lo = \"a\" }, { hi = \"a\" }]\n[[memory]]\nname = \"a\"\nsize = 140000000\n",
    );
    let (exit, out, err) = spirdna(&["run", &case, "--device", "vulkan", "--no-reference"]);
    match exit {
        // lavapipe binds 128 MiB; most GPUs 4 GiB.
        Exit::Success if !out.contains("llvmpipe") => {}
        Exit::Refused => assert!(err.contains("a buffer of the device has"), "{err}"),
        Exit::Device if !skips::required() => {
            skips::skipped("memory beyond the limit of a device", &err);
        }
        _ => panic!("{exit:?} {out}{err}"),
    }
}

/// A pipe whose reader is gone.
struct Gone;

impl std::io::Write for Gone {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_goes_away_is_no_success_and_no_message() {
    let dir = Folder::new();
    let path = dir.file("k.bin", END);
    let mut err = Vec::new();
    let arguments = ["spirdna", "disasm", &path, "--target", "gfx1030"];
    let exit = main_with(arguments, None, &mut Gone, &mut err);
    assert_eq!((exit, err.as_slice()), (Exit::Unusable, b"".as_slice()));
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
        spirdna(&["run", "x", "--device", "vulkan:"]).0,
        Exit::Unusable
    );
    for seconds in ["0", "nan", "inf", "1e300", "x"] {
        let (exit, _, err) = spirdna(&["run", "x", "--timeout", seconds]);
        assert_eq!(exit, Exit::Unusable);
        assert!(err.contains("timeout"), "{err}");
    }
    assert_eq!(
        spirdna(&["run", "x", "--device", "vulkan:no such device"]).0,
        Exit::Device
    );
}

/// A shader without an end is given up: after a time anywhere, after its budget of loops in a translation.
#[test]
fn endless_loops_end() {
    let dir = Folder::new();
    // s_nop 0; s_branch to it; s_endpgm
    let mut words = vec![0, 0, 0x80, 0xbf, 0xfe, 0xff, 0x82, 0xbf];
    words.extend(END);
    dir.file("endless.bin", words);
    let case = dir.case("endless.bin", "");
    for device in ["reference", "machine"] {
        let (exit, out, err) = spirdna(&["run", &case, "--device", device, "--timeout", "0.2"]);
        assert_eq!(exit, Exit::Failed, "{out}{err}");
        assert!(err.contains("not ended after 200ms"), "{err}");
    }
    let budget = ["run", &case, "--device", "machine", "--loop-budget", "1000"];
    let (exit, out, err) = spirdna(&budget);
    assert_eq!(exit, Exit::Unusable, "{out}{err}");
    assert!(err.contains("the loop budget is used up"), "{err}");
}

/// The budget ends no loop that stays in it.
/// A register that nothing has written: a failure, unless the case says that it may be read.
#[test]
fn undefined_registers_fail() {
    let dir = Folder::new();
    let case = |name: &str, key: &str| {
        let text = format!(
            "{key}\n[shader]\ntarget = \"gfx1030\"\nwave = 32\nasm = \"\"\"\n\
             v_lshlrev_b32_e32 v1, 2, v0\nglobal_store_dword v1, v9, s[0:1]\ns_endpgm\n\"\"\"\n\
             [launch]\ngroups = [1, 1, 1]\nlocal = [32, 1, 1]\n\
             sgprs = [{{ lo = \"out\" }}, {{ hi = \"out\" }}]\n\
             [[memory]]\nname = \"out\"\nsize = 128\nfill = 0\n"
        );
        dir.file(name, text)
    };
    let (read, may) = (
        case("read.case.toml", ""),
        case("may.case.toml", "undefined_reads = true"),
    );
    for device in ["reference", "machine"] {
        let (exit, out, err) = spirdna(&["run", &read, "--device", device]);
        assert_eq!(exit, Exit::Failed, "{out}{err}");
        assert!(err.contains("which nothing has written"), "{err}");
        let (exit, out, err) = spirdna(&["run", &may, "--device", device]);
        assert_eq!(exit, Exit::Success, "{out}{err}");
    }
}

#[test]
fn a_loop_budget_that_is_enough_changes_nothing() {
    let case = seed("collatz/collatz.w32.case.toml");
    let case = case.to_str().unwrap();
    let run = |budget: &str| {
        let size = ["--subgroup-size", "32", "--loop-budget", budget];
        spirdna(&[&["run", case, "--device", "machine"][..], &size].concat())
    };
    let (exit, out, err) = run("100000");
    assert_eq!(exit, Exit::Success, "{out}{err}");
    let (exit, out, err) = run("3");
    assert_eq!(exit, Exit::Unusable, "{out}{err}");
    assert!(err.contains("the loop budget is used up"), "{err}");
}

#[test]
fn a_real_shader_runs_on_the_reference() {
    let case = seed("reduce/reduce.w64.case.toml").display().to_string();
    let (exit, out, err) = spirdna(&["run", &case]);
    assert_eq!(exit, Exit::Success, "{out}{err}");
    assert!(out.starts_with("pass") && out.lines().count() == 1, "{out}");
}

/// The picture in the docs is what the command draws: blocks with disassembly, regions, strategy.
#[test]
fn control_flow_is_drawn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let case = root.join("seeds/shaders/collatz/collatz.w32.case.toml");
    let output = std::env::temp_dir().join(format!("spirdna-dot-{}.spv", std::process::id()));
    let (case, output) = (case.display().to_string(), output.display().to_string());
    let (exit, out, err) = spirdna(&["translate", &case, "-o", &output, "--emit", "cfg-dot"]);
    assert_eq!(exit, Exit::Success, "{err}");
    let _ = fs::remove_file(&output);
    assert_eq!(
        out,
        fs::read_to_string(root.join("docs/control-flow.dot")).unwrap()
    );
    for part in [
        "label=\"regions: ",
        "subgraph cluster_0 { label=\"",
        "s_endpgm",
    ] {
        assert!(out.contains(part), "{part}");
    }
    // The rendered one (`dot -Tsvg`) shows the same instructions, regions and ways.
    let picture = fs::read_to_string(root.join("docs/control-flow.svg")).unwrap();
    let picture = picture.replace("&#160;", " ").replace("&#45;", "-");
    let mut shown = 0;
    for line in out.split(['"', '\n']).flat_map(|part| part.split("\\l")) {
        if line.starts_with("0x") || line.starts_with("loop L") || line.starts_with("if ") {
            assert!(picture.contains(&format!(">{line}<")), "{line}");
            shown += 1;
        }
    }
    assert!(shown > 70, "{shown}");
    assert_eq!(
        picture.matches("class=\"edge\"").count(),
        out.matches(" -> ").count()
    );
}

/// A device with a wrong word is found out: which step differs first, and a case that shows it.
#[test]
fn bisect_names_the_first_difference() {
    let folder = Folder::new();
    let out = folder.path("out").display().to_string();
    let case = seed("collatz/collatz.w32.case.toml").display().to_string();
    let bisect = |fault: &[&str]| {
        let all = [
            "bisect",
            &case,
            "--device",
            "machine",
            "--subgroup-size",
            "8",
            "-o",
            &out,
        ];
        spirdna(&[&all[..], fault].concat())
    };
    let (exit, text, err) = bisect(&[]);
    assert_eq!(exit, Exit::Success, "{text}{err}");
    assert!(!folder.path("out").exists());
    // `v_max_u32 v2, v2, v1` becomes `v_min_u32`: the first step that differs is its first visit.
    let (exit, text, err) = bisect(&["--fault", "28040302=26040302"]);
    assert_eq!(exit, Exit::Failed, "{text}{err}");
    assert!(text.contains("6c: v_max_u32_e32 v2, v2, v1"), "{text}");
    assert!(text.contains("(visit 1)"), "{text}");
    let cut = folder.path("out/collatz.w32.bisect.case.toml");
    let cut = cut.display().to_string();
    for device in ["reference", "machine"] {
        let (exit, text, err) = spirdna(&["run", &cut, "--device", device]);
        assert_eq!(exit, Exit::Success, "{text}{err}");
    }
}

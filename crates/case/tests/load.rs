//! Loading case files: what resolves to what, and what is refused by file and key.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::fs;
use std::path::Path;

use spirdna_case::{Case, Problem};
use spirdna_isa::launch::{InitialVgpr, SystemSgpr};
use spirdna_isa::{Target, WaveSize};

const HEAD: &str = r#"
[shader]
target = "gfx1030"
wave = 32
code = "k.bin"
"#;

/// A folder with `k.bin` (s_endpgm), and the case file of a text.
fn load(text: &str) -> Result<Case, String> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("k.bin"), [0, 0, 0x81, 0xbf]).unwrap();
    fs::write(dir.path().join("odd.bin"), [0, 0, 0x81, 0xbf, 0]).unwrap();
    fs::write(dir.path().join("text.bin"), "s_endpgm\n").unwrap();
    fs::write(dir.path().join("empty.bin"), "").unwrap();
    let path = dir.path().join("t.case.toml");
    fs::write(&path, text).unwrap();
    // Messages without the temporary folder.
    let dir = format!("{}/", dir.path().display());
    Case::load(&path).map_err(|e| e.to_string().replace(&dir, ""))
}

fn launch(rest: &str) -> String {
    format!("{HEAD}[launch]\ngroups = [1, 1, 1]\nlocal = [32, 1, 1]\n{rest}\n")
}

fn refused(text: &str, parts: &[&str]) {
    let message = load(text).expect_err("the case must be refused");
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

#[test]
fn registers_memory_and_placement() {
    let case = load(&launch(
        r#"
sgprs = [0x5, -1, { lo = "in", add = "0x10" }, { hi = "in" }, { lo = "far" }, { hi = "far" }, { vsharp = { memory = "in", offset = 8, stride = 8, format = "BUF_FMT_8_8_8_8_UNORM", dst_sel = "x011" } }]
system_sgprs = ["group_id_y", "tg_size"]
vgprs = ["local_id_y", { reg = 7, u32 = [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31] }, "local_id_x"]
init = { exec = "0xf", vcc = "0xffffffff00000000", m0 = 3 }
[[memory]]
name = "in"
address = "0x1fffffff8"
u16 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
[[memory]]
name = "far"
random = { seed = "0x7", type = "u32", count = 64 }
[[memory]]
name = "out"
size = 8
[[expect]]
memory = "out"
u32 = [0xcdcd0000, 1]
"#,
    ))
    .unwrap();
    let d = &case.dispatches[0];
    assert_eq!(case.name, "t");
    assert_eq!(d.code, [0xbf81_0000]);
    let far = case.memory.get(case.memory.find("far").unwrap()).unwrap();
    assert_eq!(far.address % 256, 0);
    assert_eq!(far.bytes.len(), 256);
    let high = (far.address >> 32) as u32;
    assert_eq!(
        d.user_sgprs,
        [
            5,
            u32::MAX,
            0x0000_0008,
            1,
            far.address as u32,
            high,
            // base 0x2_0000_0000, stride 8, 3 records, dst_sel 4 0 1 1, format 56, resource level
            0,
            2 | 8 << 16,
            3,
            4 | 1 << 6 | 1 << 9 | 56 << 12 | 1 << 24,
        ]
    );
    assert_eq!(d.launch.user_sgprs, 10);
    assert_eq!(
        d.launch.system_sgprs,
        [SystemSgpr::GroupId(1), SystemSgpr::TgSize]
    );
    assert_eq!(d.launch.vgprs[0], (0, InitialVgpr::LocalId(1)));
    assert_eq!(d.launch.vgprs[1].0, 7);
    assert_eq!(d.launch.vgprs[2], (1, InitialVgpr::LocalId(0)));
    assert_eq!(
        (d.launch.exec, d.launch.vcc),
        (Some(15), Some(0xffff_ffff_0000_0000))
    );
    assert_eq!((d.groups, d.threads), ([1, 1, 1], [32, 1, 1]));
    // The content of `out` is undefined: no byte of it is what is expected there.
    let out = case.memory.find("out").unwrap();
    let bytes = &case.memory.get(out).unwrap().bytes;
    assert!(
        bytes
            .iter()
            .zip(&case.expects[0].bytes)
            .all(|(a, b)| a != b)
    );
}

#[test]
fn threads_make_partial_groups() {
    let text = format!("{HEAD}[launch]\nthreads = [70, 3, 1]\nlocal = [32, 2, 1]\n");
    let d = load(&text).unwrap().dispatches.remove(0);
    assert_eq!((d.groups, d.threads), ([3, 2, 1], [70, 3, 1]));
    assert!(d.launch.partial_groups);
}

#[test]
fn dispatches_follow_the_first() {
    let more = "[[dispatch]]\nlaunch = { groups = [2, 1, 1], local = [64, 1, 1] }\n[[dispatch]]\n";
    let case = load(&launch(more)).unwrap();
    let groups: Vec<u32> = case.dispatches.iter().map(|d| d.groups[0]).collect();
    assert_eq!(groups, [1, 2, 1]);
    let only = format!("{HEAD}{more}");
    refused(&only, &["dispatch[1].launch", "is missing"]);
}

#[test]
fn bad_cases_name_file_key_and_reason() {
    refused("", &["t.case.toml: is empty"]);
    refused("x = 1", &["t.case.toml", "line 1", "unknown field `x`"]);
    refused(HEAD, &["t.case.toml: launch: is missing"]);
    refused(&launch("warp = 3"), &["line 9", "unknown field `warp`"]);
    refused(
        &launch("mode = { round32 = \"up\" }"),
        &["unknown variant `up`"],
    );
    refused(&launch("sgprs = [0x100000000]"), &["32-bit integer"]);
    refused(
        &launch("sgprs = [{ lo = \"a\", hi = \"a\" }]"),
        &["one of `lo`"],
    );
    refused(
        &launch("sgprs = [{ lo = \"a\" }]"),
        &["launch.sgprs[0]", "no memory region `a`"],
    );
    refused(
        &launch("kernarg = [1]"),
        &["launch.kernarg", "does not go with"],
    );
    refused(
        &launch("lds = 65537"),
        &["launch.lds: 65537 exceeds the limit of 65536"],
    );
    refused(
        &launch("threads = [1, 1, 1]"),
        &["launch", "groups and threads"],
    );
    let swap = |from: &str, to: &str| launch("").replace(from, to);
    refused(
        &swap("gfx1030", "gfx900"),
        &["shader.target", "gfx900", "gfx1013"],
    );
    refused(&swap("wave = 32", "wave = 16"), &["shader.wave", "16"]);
    refused(&swap("k.bin", "none.bin"), &["none.bin: cannot be read"]);
    refused(&swap("k.bin", "odd.bin"), &["odd.bin: has 5 bytes"]);
    refused(&swap("k.bin", "text.bin"), &["text.bin: is text"]);
    refused(&swap("k.bin", "empty.bin"), &["empty.bin: is empty"]);
    refused(&swap("code", "elf"), &["k.bin: is not a sound ELF file"]);
    refused(
        &swap("32, 1, 1]", "32, 64, 1]"),
        &["launch.local: 2048 exceeds"],
    );
    refused(
        &swap("32, 1, 1]", "0, 1, 1]"),
        &["launch.local: 0 is not in 1"],
    );
    let memory = |rest: &str| launch(&format!("[[memory]]\nname = \"m\"\n{rest}"));
    refused(&memory(""), &["memory.m: needs exactly one of"]);
    refused(
        &memory("u32 = [1]\nsize = 4"),
        &["memory.m: needs exactly one of"],
    );
    refused(
        &memory("u32 = [1]\nfill = 4"),
        &["memory.m.fill: does not go with"],
    );
    refused(
        &memory("u32 = [1]\naddress = \"0x2\""),
        &["memory.m.address: 0x2 is not a multiple"],
    );
    refused(
        &memory("size = 1073741825"),
        &["memory.m.size: 1073741825 exceeds"],
    );
    refused(
        &memory("random = { seed = \"0\", type = \"u64\", count = 9000000000000000000 }"),
        &["memory.m.random.count", "exceeds"],
    );
    refused(&memory("u8 = [256]"), &["256", "u8"]);
    refused(&memory("file = \"none\""), &["none: cannot be read"]);
    let two = "u32 = [1]\n[[memory]]\nname = \"m\"\nu32 = [1]";
    refused(
        &memory(two),
        &["memory.m.name: the name `m` is given twice"],
    );
    let overlap = "address = \"0xffff800000000000\"\nsize = 8\n[[memory]]\nname = \"n\"\naddress = \"0x800000000004\"\nu32 = [1]";
    refused(
        &memory(overlap),
        &["memory.n.address: overlaps with the region `m`"],
    );
    let wraps = "address = \"0xfffffffffffc\"\nsize = 8\nfill = 0";
    refused(&memory(wraps), &["memory.m.address: runs past the end"]);
    let expect = |rest: &str| memory(&format!("u32 = [1, 2]\n[[expect]]\nmemory = \"m\"\n{rest}"));
    refused(&expect(""), &["expect[0]: needs exactly one of"]);
    refused(
        &expect("offset = 4\nu32 = [1, 2]"),
        &["expect[0]: bytes 4 to 12 leave"],
    );
    refused(
        &expect("u32 = [1]\ncompare = { ulp = 1 }"),
        &["expect[0].compare: `ulp` needs"],
    );
    refused(&expect("u32 = [1]\ncompare = \"close\""), &["close"]);
    refused(
        &launch("[original]\nspirv = \"k.bin\""),
        &["k.bin: is not a SPIR-V module"],
    );
}

fn seeds() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds/shaders"))
}

/// What `llvm-readobj` prints of the same file.
#[test]
fn a_code_object_gives_its_launch() {
    let case = Case::load(&seeds().join("saxpy/saxpy.w32.case.toml")).unwrap();
    let d = &case.dispatches[0];
    assert_eq!(
        (d.launch.target, d.launch.wave),
        (Target::Gfx1030, WaveSize::W32)
    );
    assert_eq!(d.code.last(), Some(&0xbf81_0000));
    assert!(
        d.code.len() <= 48,
        "the code is 192 bytes, padding included"
    );
    assert_eq!(d.launch.system_sgprs, [SystemSgpr::GroupId(0)]);
    assert_eq!(d.launch.vgprs, [(0, InitialVgpr::LocalId(0))]);
    assert!(d.launch.mode.ieee && d.launch.mode.dx10_clamp);
    let kernarg = case
        .memory
        .get(case.memory.find(".kernarg0").unwrap())
        .unwrap();
    assert_eq!(
        d.user_sgprs,
        [
            0,
            0,
            0,
            0,
            kernarg.address as u32,
            (kernarg.address >> 32) as u32
        ]
    );
    let mut want = Vec::new();
    for address in [
        0x1_0000_0000u64,
        0x1_ffff_fc00,
        0x4000_0000_0000,
        0x2_0000_0800,
    ] {
        want.extend(address.to_le_bytes());
    }
    want.extend(2.375f32.to_le_bytes());
    want.extend((-7i32).to_le_bytes());
    want.extend(150i32.to_le_bytes());
    assert_eq!(kernarg.bytes[..want.len()], want);
    assert!(kernarg.bytes[want.len()..].iter().all(|&b| b == 0));
}

#[test]
fn every_seed_loads() {
    let mut loaded = 0;
    for folder in fs::read_dir(seeds()).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.to_string_lossy().ends_with(".case.toml") {
                let case = Case::load(&path).unwrap();
                assert!(!case.expects.is_empty(), "{}", path.display());
                loaded += 1;
            }
        }
    }
    assert!(loaded >= 24, "{loaded}");
}

/// No damage to a code object does more than an error.
#[test]
fn damaged_code_objects_are_errors() {
    let good = fs::read(seeds().join("saxpy/saxpy.w32.co")).unwrap();
    let object = spirdna_case::elf::CodeObject::parse(&good).unwrap();
    assert_eq!(object.kernels(), ["saxpy"]);
    let read = |data: &[u8]| spirdna_case::elf::kernel(data, Some("saxpy"));
    let at = |offset: usize, bytes: &[u8]| {
        let mut data = good.clone();
        data[offset..offset + bytes.len()].copy_from_slice(bytes);
        read(&data).unwrap_err().to_string()
    };
    assert!(at(18, &62u16.to_le_bytes()).contains("machine 62"));
    assert!(at(7, &[66]).contains("OS/ABI 66"));
    assert!(at(48, &0x35u32.to_le_bytes()).contains("0x35"));
    assert!(at(40, &u64::MAX.to_le_bytes()).contains("not a sound ELF"));
    assert!(at(60, &u16::MAX.to_le_bytes()).contains("not a sound ELF"));
    // The size of the eighth section (.text) in the section table.
    let table = u64::from_le_bytes(good[40..48].try_into().unwrap()) as usize;
    assert!(at(table + 7 * 64 + 32, &0x10000u64.to_le_bytes()).contains("not a sound ELF"));
    let error = spirdna_case::elf::kernel(&good, Some("none")).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("has no kernel `none`; there are: saxpy")
    );
    for length in 0..good.len() {
        let _ = read(&good[..length]);
    }
    let mut rng = spirdna_case::random::SplitMix64::new(1);
    for _ in 0..20_000 {
        let mut data = good.clone();
        for _ in 0..1 + rng.draw() % 4 {
            let place = rng.draw() as usize % data.len();
            data[place] = rng.draw() as u8;
        }
        let _ = read(&data);
    }
}

#[test]
fn unsupported_is_told_apart() {
    assert!(Problem::Unsupported("x").is_unsupported());
    assert!(!Problem::Empty.is_unsupported());
}

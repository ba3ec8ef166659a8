//! `llvm-mc` agrees with the disassembler and the assembler on every committed binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use spirdna_cli::{Exit, main_with};

const LLVM_MC: &str = "llvm-mc-19";

/// Runs llvm-mc with some input; `None` where it is not installed.
fn llvm_mc(arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let child = Command::new(LLVM_MC)
        .args(["-triple=amdgcn", "-mcpu=gfx1030"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(_) if !skips::required() => return None,
        Err(e) => panic!("{LLVM_MC}: {e}"),
    };
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    Some(output.stdout)
}

fn skip() {
    skips::skipped(LLVM_MC, "it is not installed");
}

/// Every shader binary under `seeds`, raw words and code objects, with the wave size that its name tells.
fn binaries() -> Vec<(PathBuf, u32)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".w32.bin") || name.ends_with(".w32.co") {
                found.push((path, 32));
            } else if name.ends_with(".w64.bin") || name.ends_with(".w64.co") {
                found.push((path, 64));
            }
        }
    }
    found.sort();
    found
}

/// The code of a binary: of a code object, what its one function symbol spans.
fn code(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if path.extension().is_none_or(|e| e != "co") {
        return bytes;
    }
    let elf = object::File::parse(bytes.as_slice()).unwrap();
    let kernels: Vec<_> = elf
        .symbols()
        .filter(|s| s.kind() == SymbolKind::Text && s.size() > 0)
        .collect();
    let [kernel] = kernels.as_slice() else {
        panic!("{}: {} kernels", path.display(), kernels.len());
    };
    let section = elf
        .section_by_index(kernel.section_index().unwrap())
        .unwrap();
    let code = section.data_range(kernel.address(), kernel.size()).unwrap();
    code.unwrap().to_vec()
}

fn spirdna(arguments: &[&str]) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let all = std::iter::once("spirdna").chain(arguments.iter().copied());
    let exit = main_with(all, None, &mut out, &mut err);
    assert_eq!(exit, Exit::Success, "{}", String::from_utf8_lossy(&err));
    String::from_utf8(out).unwrap()
}

fn features(wave: u32) -> String {
    format!("-mattr=+wavefrontsize{wave},-wavefrontsize{}", 96 - wave)
}

#[test]
fn disassembly_is_llvms() {
    let (mut lines, mut objects) = (0, 0);
    for (path, wave) in binaries() {
        let bytes = code(&path);
        let hex: Vec<String> = bytes.iter().map(|b| format!("{b:#04x}")).collect();
        let Some(theirs) = llvm_mc(&["-disassemble", &features(wave)], hex.join(" ").as_bytes())
        else {
            skip();
            return;
        };
        let theirs = String::from_utf8(theirs).unwrap();
        let file = path.display().to_string();
        let wave = wave.to_string();
        let ours = spirdna(&[
            "disasm", &file, "--target", "gfx1030", "--wave", &wave, "--plain",
        ]);
        let theirs = theirs
            .lines()
            .filter(|l| !l.trim_start().starts_with(".text"));
        let theirs: Vec<&str> = theirs
            .map(|l| l.split(" ;").next().unwrap().trim())
            .collect();
        let ours: Vec<&str> = ours.lines().map(str::trim).collect();
        assert_eq!(ours, theirs, "{file}");
        lines += ours.len();
        objects += usize::from(path.extension().is_some_and(|e| e == "co"));
    }
    assert!(lines > 1000 && objects > 0, "{lines} {objects}");
}

/// The bytes of `; encoding: [0x82,0x00,…]` comments.
fn encodings(text: &str) -> Vec<u8> {
    let lists = text.lines().filter_map(|l| l.split("encoding: [").nth(1));
    lists
        .flat_map(|l| l.split(']').next().unwrap().split(','))
        .map(|b| u8::from_str_radix(b.trim().trim_start_matches("0x"), 16).unwrap())
        .collect()
}

#[test]
fn assembly_is_llvms() {
    let dir = tempfile::tempdir().unwrap();
    let (text_file, code_file) = (dir.path().join("code.s"), dir.path().join("code.bin"));
    let text_name = text_file.display().to_string();
    let code_name = code_file.display().to_string();
    for (path, wave) in binaries() {
        let file = path.display().to_string();
        let size = wave.to_string();
        let text = spirdna(&[
            "disasm", &file, "--target", "gfx1030", "--wave", &size, "--plain",
        ]);
        let Some(theirs) = llvm_mc(&["-show-encoding", &features(wave)], text.as_bytes()) else {
            skip();
            return;
        };
        let theirs = encodings(&String::from_utf8(theirs).unwrap());
        fs::write(&text_file, text).unwrap();
        let target = ["--target", "gfx1030", "--wave", size.as_str()];
        spirdna(&[&["asm", &text_name, "-o", &code_name], &target[..]].concat());
        assert_eq!(fs::read(&code_file).unwrap(), theirs, "{file}");
    }
}

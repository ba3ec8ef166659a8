//! What the tests against LLVM share: running `llvm-mc-19` over many instructions at once, a fixed
//! random generator, and legal instructions derived from the table.
#![allow(dead_code)] // each test binary uses a part

pub mod generate;
pub mod words;

use std::io::Write;
use std::process::{Command, Stdio};

use spirdna_isa::{Target, WaveSize};

/// An instruction that separates answers in LLVM's output.
const MARK_TEXT: &str = "s_nop 0xbeef";
const MARK_WORD: u32 = 0xbf80_beef;

/// Whether the oracle is installed; says so, once a test, where it is not.
pub fn have_llvm(test: &str) -> bool {
    let found = Command::new("llvm-mc-19")
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success());
    if !found {
        eprintln!("SKIPPED 1 test: {test} needs llvm-mc-19");
    }
    found
}

fn llvm(target: Target, wave: WaveSize, mode: &str, input: &str) -> String {
    let mattr = match wave {
        WaveSize::W32 => "-mattr=+wavefrontsize32,-wavefrontsize64",
        WaveSize::W64 => "-mattr=+wavefrontsize64,-wavefrontsize32",
    };
    let mut child = Command::new("llvm-mc-19")
        .args(["-triple=amdgcn", mattr, mode])
        .arg(format!("-mcpu={}", target.name()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("llvm-mc-19 starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A broken pipe shows in the number of answers.
        let _ = stdin.write_all(input.as_bytes());
    });
    let out = child.wait_with_output().expect("llvm-mc-19 runs");
    writer.join().expect("writer ends");
    String::from_utf8(out.stdout).expect("LLVM writes UTF-8")
}

/// LLVM's text of each instruction, `None` where it refuses it. White space in runs is one blank.
/// What LLVM marks with a comment (a register of the wrong class) counts as refused.
pub fn disassemble(target: Target, wave: WaveSize, items: &[Vec<u32>]) -> Vec<Option<String>> {
    let mut input = String::new();
    let bytes = |words: &[u32]| {
        let list: Vec<String> = words
            .iter()
            .flat_map(|w| w.to_le_bytes())
            .map(|b| format!("{b:#04x}"))
            .collect();
        list.join(",")
    };
    for words in items {
        input += &format!("[{}]\n[{}]\n", bytes(words), bytes(&[MARK_WORD]));
    }
    let out = llvm(target, wave, "-disassemble", &input);
    let mut answers = Vec::new();
    let mut current = Vec::new();
    for line in out.lines() {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line == MARK_TEXT {
            let text = current.join(" | ");
            current.clear();
            let refused = text.is_empty() || text.contains("/*");
            answers.push((!refused).then_some(text));
        } else if !line.is_empty() && !line.starts_with('.') {
            current.push(line);
        }
    }
    assert_eq!(answers.len(), items.len(), "LLVM stopped early");
    answers
}

/// LLVM's words of each line, `None` where it refuses it.
pub fn assemble(target: Target, wave: WaveSize, lines: &[String]) -> Vec<Option<Vec<u32>>> {
    let mut input = String::new();
    for line in lines {
        input += &format!("{line}\n{MARK_TEXT}\n");
    }
    let out = llvm(target, wave, "-show-encoding", &input);
    let mut answers = Vec::new();
    let mut current: Vec<u32> = Vec::new();
    for line in out.lines() {
        let Some((_, rest)) = line.split_once("encoding: [") else {
            continue;
        };
        if line.trim_start().starts_with(MARK_TEXT) {
            answers.push((!current.is_empty()).then(|| std::mem::take(&mut current)));
            continue;
        }
        let list = rest.split(']').next().unwrap_or("");
        let bytes: Vec<u8> = list
            .split(',')
            .filter_map(|b| u8::from_str_radix(b.trim_start_matches("0x"), 16).ok())
            .collect();
        let word = |c: &[u8]| u32::from_le_bytes(c.try_into().expect("four bytes"));
        current.extend(bytes.chunks_exact(4).map(word));
    }
    assert_eq!(answers.len(), lines.len(), "LLVM stopped early");
    answers
}

/// SplitMix64: the project's own generator, so that no upgrade changes the samples.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The opcode list read from LLVM, where the shared folder is: (target, encoding, number, mnemonic).
pub fn opcode_list(test: &str) -> Option<Vec<(Target, String, u16, String)>> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/reference/llvm19_gfx10_opcodes.tsv"
    );
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("SKIPPED 1 test: {test} needs ../shared/reference");
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

//! RADV's compiler through its null device: the machine code of a module, and what its registers hold at
//! entry, read from the texts that the driver gives of a pipeline (`NIR Shader(s)`, `ACO IR`, `Assembly`).
//! Knows no source language and no case file. What a text leaves open is an error, never a guess.
//!
//! Source: Mesa's public `radv_shader_args.c` (the order of arguments), `aco_print_asm` (the listing and
//! the constants behind it).

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use spirdna_isa::Target;
use spirdna_vulkan::BufferKind;
use spirdna_vulkan::listing::{Compiler, Interface, Listing};

use crate::error::LabError;

/// The GPUs that RADV's null device can stand for here: the part of its name, its family, its target.
pub const FAMILIES: [(&str, &str, Target); 2] = [
    ("NAVI21", "navi21", Target::Gfx1030),
    ("NAVI10", "navi10", Target::Gfx1010),
];

/// The environment that makes the loader open RADV's null device.
pub fn environment(command: &mut Command, family: &str) {
    command
        .env(
            "VK_ICD_FILENAMES",
            "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json",
        )
        .env("RADV_FORCE_FAMILY", family)
        .env("MESA_SHADER_CACHE_DISABLE", "true");
}

/// A user SGPR of RADV's compute shaders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sgpr {
    /// Low half of the address of descriptor set 0; the high half is [`SET_HIGH`].
    Set,
    /// Low half of the address of the push constants, likewise.
    PushPointer,
    /// A push constant dword, by its index.
    Push(u32),
    /// The grid's size in workgroups along an axis.
    Grid(u8),
    /// Low and high half of the address of the grid's size.
    GridLow,
    /// See [`Sgpr::GridLow`].
    GridHigh,
}

/// A compiled shader with its launch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Code {
    /// The code, with the constants behind it where it has some.
    pub words: Vec<u32>,
    /// User SGPRs from s2 on; s[0:1] hold the address of the ring table.
    pub sgprs: Vec<Sgpr>,
    /// Workgroup ids that follow: x, y, z.
    pub group_ids: [bool; 3],
    /// Whether TG_SIZE follows.
    pub tg_size: bool,
    /// LDS in bytes.
    pub lds: u32,
    /// Scratch bytes of a lane.
    pub scratch: u32,
    /// Instructions, as the driver counts them.
    pub instructions: u64,
    /// What the driver took to compile it, in microseconds.
    pub compile_us: u64,
}

/// The high half of the addresses that the code extends from 32 bits.
pub const SET_HIGH: u64 = 0xffff_8000;

/// A module to compile: what the compiling process is told.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The module's file.
    pub spirv: std::path::PathBuf,
    /// Its entry point.
    pub entry: String,
    /// Its buffers: set, binding, whether uniform.
    pub buffers: Vec<(u32, u32, bool)>,
    /// Bytes of push constants.
    pub push_bytes: u32,
    /// Lanes of a wave.
    pub wave: u32,
}

/// What the compiling process answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The code.
    Code(Code),
    /// The driver refuses the shader.
    Refused(String),
    /// The driver's texts are not what the lab knows.
    Unclear(String),
}

/// Compiles in this process, whose environment [`environment`] has made.
pub fn compile(compiler: &Compiler, request: &Request) -> Answer {
    let bytes = match std::fs::read(&request.spirv) {
        Ok(bytes) => bytes,
        Err(error) => return Answer::Refused(error.to_string()),
    };
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .filter_map(|c| c.try_into().ok().map(u32::from_le_bytes))
        .collect();
    let kind = |uniform| match uniform {
        true => BufferKind::Uniform,
        false => BufferKind::Storage,
    };
    let interface = Interface {
        entry: request.entry.clone(),
        buffers: request
            .buffers
            .iter()
            .map(|&(set, binding, uniform)| (set, binding, kind(uniform)))
            .collect(),
        push_bytes: request.push_bytes,
        wave: request.wave,
    };
    let grid_in_sgprs = compiler.name().contains("NAVI21");
    match compiler.compile(&words, &interface) {
        Err(error) => Answer::Refused(error.to_string()),
        Ok(listing) => match read(&listing, request.wave, grid_in_sgprs) {
            Ok(code) => Answer::Code(code),
            Err(error) => Answer::Unclear(error.to_string()),
        },
    }
}

/// Reads what the driver says. `grid_in_sgprs`: gfx10.3 has the grid's size in SGPRs, gfx10.1 its address.
///
/// # Errors
/// A text is missing, or not what is known.
pub fn read(listing: &Listing, wave: u32, grid_in_sgprs: bool) -> Result<Code, LabError> {
    let text = |name: &str| {
        let found = listing.texts.iter().find(|(n, _)| n.starts_with(name));
        found
            .map(|(_, text)| text.as_str())
            .ok_or_else(|| unclear(format!("the driver gives no text named {name}")))
    };
    let figure = |name: &str| {
        let found = listing.statistics.iter().find(|(n, _)| n == name);
        found
            .map(|&(_, value)| value)
            .ok_or_else(|| unclear(format!("the driver gives no figure named {name}")))
    };
    let nir = Nir::read(text("NIR")?)?;
    let sizes = arguments(text("ACO")?)?;
    let (sgprs, group_ids, tg_size) = layout(&nir, &sizes, grid_in_sgprs)?;
    Ok(Code {
        words: code_words(text("Assembly")?)?,
        sgprs,
        group_ids,
        tg_size,
        lds: figure("LDS size")? as u32,
        scratch: figure("Scratch size")? as u32 / wave,
        instructions: figure("Instructions")?,
        compile_us: listing.compile.min(Duration::from_secs(3600)).as_micros() as u64,
    })
}

fn unclear(text: String) -> LabError {
    LabError::Unclear(text)
}

/// What of the final NIR decides on the arguments.
#[derive(Debug, Default, PartialEq)]
struct Nir {
    set: bool,
    grid: bool,
    group_ids: [bool; 3],
    tg_size: bool,
    /// Push constant dwords at constant offsets.
    push: BTreeSet<u32>,
    /// Push constants at other offsets, or of other widths.
    push_indirect: bool,
}

impl Nir {
    fn read(text: &str) -> Result<Nir, LabError> {
        let mut nir = Nir::default();
        let mut constants = std::collections::HashMap::new();
        let mut group_ids = Vec::new();
        for line in text.lines() {
            let line = line.trim();
            let Some((left, right)) = line.split_once(" = ") else {
                continue;
            };
            // `vec2 32 con ssa_924 = intrinsic load_push_constant (ssa_12) (base=0, range=56)`
            let mut words = left.split_whitespace();
            let components = words
                .next()
                .and_then(|w| w.strip_prefix("vec"))
                .and_then(|n| n.parse::<u32>().ok());
            let bits = words.next().and_then(|w| w.parse::<u32>().ok());
            let (Some(components), Some(bits)) = (components, bits) else {
                continue;
            };
            let name = left.split_whitespace().last().unwrap_or_default();
            if let Some(list) = right.strip_prefix("load_const (") {
                let first = list.split([' ', ',', ')']).next().unwrap_or_default();
                let value = first.strip_prefix("0x").unwrap_or(first);
                if let Ok(value) = u64::from_str_radix(value, 16) {
                    constants.insert(name.to_owned(), value);
                }
                continue;
            }
            let Some(call) = right.strip_prefix("intrinsic ") else {
                continue;
            };
            let intrinsic = call.split([' ', '(']).next().unwrap_or_default();
            match intrinsic {
                "load_scalar_arg_amd" => nir.set = true,
                "load_num_workgroups" => nir.grid = true,
                "load_workgroup_id" => group_ids.push((name.to_owned(), components)),
                "load_local_invocation_index" | "load_subgroup_id" | "load_num_subgroups" => {
                    nir.tg_size = true;
                }
                "load_push_constant" => {
                    let operand = call.split(['(', ')']).nth(1).unwrap_or_default();
                    let base = field(call, "base")?;
                    match constants.get(operand.trim()) {
                        Some(&offset) if bits == 32 && (offset + base) % 4 == 0 => {
                            let first = ((offset + base) / 4) as u32;
                            nir.push.extend(first..first + components);
                        }
                        _ => nir.push_indirect = true,
                    }
                }
                _ => {}
            }
        }
        for (name, components) in group_ids {
            let read = components_read(text, &name, components);
            for (axis, read) in nir.group_ids.iter_mut().zip(read) {
                *axis |= read;
            }
        }
        Ok(nir)
    }
}

/// The push constant dwords that a shader's final NIR loads at constant offsets, and whether it loads others.
///
/// # Errors
/// The text is not what is known.
pub fn push_constants(nir: &str) -> Result<(BTreeSet<u32>, bool), LabError> {
    let nir = Nir::read(nir)?;
    Ok((nir.push, nir.push_indirect))
}

/// The number behind `name=` in an intrinsic's indices.
fn field(call: &str, name: &str) -> Result<u64, LabError> {
    let pattern = format!("{name}=");
    call.split(['(', ',', ')', ' '])
        .find_map(|part| part.strip_prefix(&pattern))
        .and_then(|n| n.parse().ok())
        .ok_or_else(|| unclear(format!("no {name} in {call:?}")))
}

/// The components of a value that some other line reads: `ssa_7.y`, or all where it is read whole.
fn components_read(text: &str, name: &str, components: u32) -> [bool; 3] {
    let mut read = [false; 3];
    for (at, _) in text.match_indices(name) {
        let rest = text.get(at + name.len()..).unwrap_or_default();
        if rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with(" = ") {
            continue;
        }
        match rest.strip_prefix('.') {
            Some(swizzle) => {
                let letters = swizzle.chars().take_while(char::is_ascii_lowercase);
                for letter in letters {
                    if let Some(axis) = "xyz".find(letter).and_then(|i| read.get_mut(i)) {
                        *axis = true;
                    }
                }
            }
            None => {
                for axis in read.iter_mut().take(components as usize) {
                    *axis = true;
                }
            }
        }
    }
    read
}

/// The sizes of the SGPR arguments, in registers, in order: from `s2: %1:s[0-1],  s1: …  = p_startpgm`.
fn arguments(text: &str) -> Result<Vec<u32>, LabError> {
    let line = text.lines().find(|l| l.contains("= p_startpgm"));
    let line = line.ok_or_else(|| unclear("no p_startpgm in the ACO IR".to_owned()))?;
    let (list, _) = line.split_once("= p_startpgm").unwrap_or_default();
    let mut sizes = Vec::new();
    for argument in list.split(',') {
        let kind = argument.trim().split(':').next().unwrap_or_default();
        if let Some(size) = kind.strip_prefix('s') {
            let size = size
                .parse()
                .map_err(|_| unclear(format!("the argument {argument:?}")))?;
            sizes.push(size);
        }
    }
    Ok(sizes)
}

/// Which argument each SGPR is. The order is RADV's: ring table, sets, push constants (their address, then
/// the inlined ones), the grid's size, workgroup ids, TG_SIZE, scratch offset.
fn layout(
    nir: &Nir,
    sizes: &[u32],
    grid_in_sgprs: bool,
) -> Result<(Vec<Sgpr>, [bool; 3], bool), LabError> {
    let odd = || {
        let text = format!("the arguments {sizes:?} are not those of {nir:?}");
        unclear(text)
    };
    let [2, rest @ .., 1] = sizes else {
        return Err(odd());
    };
    let mut rest = rest.to_vec();
    let ids = nir.group_ids.iter().filter(|&&used| used).count();
    let mut sgprs = Vec::new();
    let mut take = |size: u32| {
        let first = rest.first().copied().filter(|&s| s == size);
        first.map(|_| rest.remove(0)).ok_or_else(odd)
    };
    if nir.set {
        take(1)?;
        sgprs.push(Sgpr::Set);
    }
    // What is behind the push constants is known, and so is how many those are: in registers, because an
    // argument of several that does not begin at a multiple of them is printed register by register.
    let grid: u32 = match (nir.grid, grid_in_sgprs) {
        (false, _) => 0,
        (true, true) => 3,
        (true, false) => 2,
    };
    let behind = grid + ids as u32 + u32::from(nir.tg_size);
    let registers: u32 = rest.iter().sum();
    let push = registers.checked_sub(behind).ok_or_else(odd)? as usize;
    let mut singles = 0..push;
    let inline = match (nir.push_indirect, nir.push.len()) {
        (false, n) if n == push => n,
        // Some are not inlined: their address comes first.
        (indirect, n) if push > 0 && (indirect || push - 1 < n) && push - 1 <= n => {
            singles.next();
            sgprs.push(Sgpr::PushPointer);
            push - 1
        }
        _ => return Err(odd()),
    };
    if rest.iter().take(push).any(|&size| size != 1) {
        return Err(odd());
    }
    sgprs.extend(nir.push.iter().take(inline).map(|&dword| Sgpr::Push(dword)));
    let rest = rest.get(push..).unwrap_or_default();
    match (nir.grid, grid_in_sgprs) {
        (true, true) => sgprs.extend((0..3).map(Sgpr::Grid)),
        (true, false) => sgprs.extend([Sgpr::GridLow, Sgpr::GridHigh]),
        (false, _) => {}
    }
    if rest.iter().sum::<u32>() != behind {
        return Err(odd());
    }
    Ok((sgprs, nir.group_ids, nir.tg_size))
}

/// How often the instruction before `(then repeated N times)` follows again.
fn repeated(line: &str) -> Option<usize> {
    let times = line.trim().strip_prefix("(then repeated ")?;
    times.strip_suffix(" times)")?.parse().ok()
}

/// The code words of an assembly listing, in order: each instruction line ends in `; ` and its words in
/// hex; other lines are labels. The constants that stand behind them are put where the code finds them.
///
/// # Errors
/// It is no listing.
pub fn code_words(text: &str) -> Result<Vec<u32>, LabError> {
    /// What RADV pads code with: `s_code_end`.
    const PAD: u32 = 0xbf9f_0000;
    let mut words: Vec<u32> = Vec::new();
    // Where the last instruction begins.
    let mut last = 0;
    let mut lines = text.lines().enumerate();
    for (number, line) in lines.by_ref() {
        let line = line.trim_end();
        if let Some(times) = repeated(line) {
            let instruction = words.get(last..).unwrap_or_default().to_vec();
            for _ in 0..times {
                words.extend(&instruction);
            }
            continue;
        }
        let odd = |what: &str| unclear(format!("line {}: {what}: {line:?}", number + 1));
        if line == "/* constant data */" {
            break;
        }
        let Some((_, hex)) = line.rsplit_once(';') else {
            if line.is_empty() || line.ends_with(':') {
                continue;
            }
            return Err(odd("neither a label nor an instruction with its words"));
        };
        let before = words.len();
        for word in hex.split_whitespace() {
            let value = u32::from_str_radix(word, 16);
            words.push(
                value
                    .ok()
                    .filter(|_| word.len() == 8)
                    .ok_or_else(|| odd("no word"))?,
            );
        }
        if words.len() == before {
            return Err(odd("no words"));
        }
        last = before;
    }
    if words.is_empty() {
        return Err(unclear("no code words in the listing".to_owned()));
    }
    let mut constants = Vec::new();
    for (number, line) in lines {
        // `[000032] 00000017 …`
        let (offset, list) = line.split_once(']').unwrap_or_default();
        let offset = offset.strip_prefix('[').and_then(|n| n.parse().ok());
        if offset != Some(4 * constants.len()) {
            if line.is_empty() {
                continue;
            }
            return Err(unclear(format!(
                "line {}: no constants: {line:?}",
                number + 1
            )));
        }
        for word in list.split_whitespace() {
            let value = u32::from_str_radix(word, 16);
            constants.push(value.map_err(|_| unclear(format!("line {}: {word:?}", number + 1)))?);
        }
    }
    if !constants.is_empty() {
        // The prefetcher's padding: to a multiple of 16 words, at least 48.
        let begin = (words.len() + 48).next_multiple_of(16);
        words.resize(begin, PAD);
        words.extend(constants);
    }
    Ok(words)
}

/// Runs the compiling process over requests; `command` makes that process, which reads the file of requests
/// named last and writes answers to its standard output, a line each. A shader that takes the process down
/// is refused, and the rest go on in a new one.
///
/// # Errors
/// The process cannot be started.
pub fn compile_all(
    family: &str,
    requests: &[Request],
    folder: &Path,
    command: &dyn Fn() -> Command,
) -> Result<Vec<Answer>, LabError> {
    let mut answers: Vec<Answer> = Vec::new();
    while answers.len() < requests.len() {
        let left = requests.get(answers.len()..).unwrap_or_default();
        let path = folder.join(format!("{family}.{}.requests.json", std::process::id()));
        let text = serde_json::to_string(left).map_err(|e| unclear(e.to_string()))?;
        std::fs::write(&path, text).map_err(LabError::file(&path))?;
        let mut child = command();
        environment(&mut child, family);
        child.arg(&path);
        let limit = Duration::from_secs(30 + 10 * left.len() as u64);
        let output = spirdna_vulkan::child::run_in_child(child, limit);
        let _ = std::fs::remove_file(&path);
        let (stdout, end) = match output {
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                (output.stdout, format!("{}: {said}", output.status))
            }
            Err(spirdna_vulkan::child::ChildError::Timeout { stdout, .. }) => {
                (stdout, "no answer in time".to_owned())
            }
            Err(error) => return Err(unclear(error.to_string())),
        };
        let before = answers.len();
        for line in String::from_utf8_lossy(&stdout).lines() {
            match serde_json::from_str(line) {
                Ok(answer) if answers.len() < requests.len() => answers.push(answer),
                _ => break,
            }
        }
        if answers.len() < requests.len() {
            // It ended at this one; where it gave none at all, it may not have started.
            if answers.len() == before && end.contains("Vulkan loader") {
                return Err(unclear(end));
            }
            answers.push(Answer::Refused(format!("the compiler ended: {end}")));
        }
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // a test may stop

    use super::*;

    const STARTPGM: &str = " s2: %1:s[0-1],  s1: %2:s[2],  s1: (kill)%3:s[3],  s1: %4:s[4],  v3: %9:v[0-2] = p_startpgm\n";

    #[test]
    fn arguments_in_order() {
        assert_eq!(arguments(STARTPGM).unwrap(), [2, 1, 1, 1]);
        assert!(arguments("s_endpgm").is_err());
    }

    #[test]
    fn push_constants_take_what_is_left() {
        let push = "vec1 32 con ssa_1 = load_const (0x00000008 = 0.0)\n\
                    vec2 32 con ssa_2 = intrinsic load_push_constant (ssa_1) (base=4, range=8)\n\
                    vec3 32 ssa_7 = intrinsic load_workgroup_id () ()\n\
                    vec1 32 ssa_8 = iadd ssa_7.y, ssa_70\n\
                    vec1 32 ssa_9 = intrinsic load_scalar_arg_amd () (base=1)\n";
        let nir = Nir::read(push).unwrap();
        assert_eq!(nir.push.iter().copied().collect::<Vec<_>>(), [3, 4]);
        assert_eq!((nir.group_ids, nir.set), ([false, true, false], true));
        let (sgprs, ..) = layout(&nir, &[2, 1, 1, 1, 1, 1], true).unwrap();
        assert_eq!(sgprs, [Sgpr::Set, Sgpr::Push(3), Sgpr::Push(4)]);
        // One fewer: its address and the first.
        let (sgprs, ..) = layout(&nir, &[2, 1, 1, 1, 1], true).unwrap();
        assert_eq!(sgprs, [Sgpr::Set, Sgpr::PushPointer]);
        // More than it uses is not understood.
        assert!(layout(&nir, &[2, 1, 1, 1, 1, 1, 1, 1], true).is_err());
    }

    #[test]
    fn the_grid_s_size_lies_in_registers_or_behind_an_address() {
        let nir = Nir {
            set: true,
            grid: true,
            group_ids: [true, false, false],
            ..Nir::default()
        };
        let address = [Sgpr::Set, Sgpr::GridLow, Sgpr::GridHigh];
        // An address that begins at an odd register is printed as two arguments.
        for sizes in [&[2, 1, 1, 1, 1, 1][..], &[2, 1, 2, 1, 1]] {
            assert_eq!(layout(&nir, sizes, false).unwrap().0, address);
        }
        let count = [Sgpr::Set, Sgpr::Grid(0), Sgpr::Grid(1), Sgpr::Grid(2)];
        for sizes in [&[2, 1, 1, 1, 1, 1, 1][..], &[2, 1, 3, 1, 1]] {
            assert_eq!(layout(&nir, sizes, true).unwrap().0, count);
        }
        assert!(layout(&nir, &[2, 1, 1, 1, 1, 1, 1], false).is_err());
    }

    #[test]
    fn the_listing_reader_takes_words_and_refuses_the_rest() {
        let text = "BB0:\n\ts_load_dwordx4 s[4:7], s[2:3], 0x10 ; f4080101 fa000010\n\ts_endpgm  ; bf810000\n";
        let code = [0xf408_0101, 0xfa00_0010, 0xbf81_0000];
        assert_eq!(code_words(text).unwrap(), code);
        let nops = "\ts_nop 0 ; bf800000\n\t(then repeated 2 times)\n\ts_endpgm ; bf810000\n";
        let code_nops = [0xbf80_0000, 0xbf80_0000, 0xbf80_0000, 0xbf81_0000];
        assert_eq!(code_words(nops).unwrap(), code_nops);
        let with = format!("{text}\n/* constant data */\n[000000] 00000001 00000005\n");
        let words = code_words(&with).unwrap();
        assert_eq!(words.len(), 66);
        assert_eq!(words[..3], code);
        assert_eq!(words[64..], [1, 5]);
        for bad in ["", "BB0:\n", "s_endpgm\n", "s_endpgm ; bf81\n", "x ;\n"] {
            assert!(code_words(bad).is_err(), "{bad:?}");
        }
    }
}

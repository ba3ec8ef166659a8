//! `spirdna coverage`: how many opcodes of each encoding are in the ISA table, decode, are executed by
//! the reference, and translate. Nothing here is a list: each opcode is tried, as a program of the
//! instruction and `s_endpgm`. What is proven on a device is read from `seeds/proof`, which the tests
//! write.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use spirdna_isa::fields::FieldId;
use spirdna_isa::launch::Launch;
use spirdna_isa::stage::{ColorClass, PixelRegisters};
use spirdna_isa::{
    DecodeError, DecodeOptions, Decoder, Encoding, Form, Interp, Opcode, Sem, Target, WaveSize,
    assemble,
};
use spirdna_proof::plan::{generator, key_hash};
use spirdna_proof::{Key, ProofFile};
use spirdna_reference::{
    Component, ExecError, Grid, Memory, Options, StageInputs, Unmapped, run_dispatch, run_stage,
};
use spirdna_translate::bindings::{ImageFact, Mapped, Place, ResourceKind};
use spirdna_translate::error::{Reason, TranslateError};
use spirdna_translate::pipeline::{resources, translate};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::program::Program;
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
    /// JSON, with the names of the opcodes that are missing and why.
    #[arg(long)]
    json: bool,
    /// The page of all targets, `docs/coverage.md`.
    #[arg(long, conflicts_with_all = ["json", "target"])]
    markdown: bool,
    /// The page of the instructions on halves of registers in memory, `docs/d16.md`.
    #[arg(long, conflicts_with_all = ["json", "target", "markdown"])]
    d16: bool,
    /// The folder with the proofs.
    #[arg(long, default_value = "seeds/proof")]
    proof: PathBuf,
}

/// The stages of support, in order.
const STAGES: [&str; 5] = ["isa", "decoded", "executed", "translated", "proven"];

/// An encoding's counts, and the opcodes that are missing from each stage, each with the reason.
#[derive(Default)]
struct Row {
    counts: [usize; STAGES.len()],
    missing: [Vec<(&'static str, String)>; STAGES.len()],
}

/// The rows of a target by encoding.
type Rows = BTreeMap<Encoding, Row>;

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let proofs = Proofs::load(&a.proof)?;
    if a.markdown {
        let proofs = &proofs;
        let sections = std::thread::scope(|scope| {
            let threads = Target::ALL
                .map(|target| scope.spawn(move || section(target, &rows(target, proofs))));
            threads.map(|thread| thread.join().unwrap_or_default())
        });
        let page = sections.into_iter().rev().collect::<String>();
        write!(streams.out, "{HEAD}")?;
        write!(streams.out, "{page}")?;
        return Ok(Exit::Success);
    }
    if a.d16 {
        write!(streams.out, "{}", d16_page(&proofs))?;
        return Ok(Exit::Success);
    }
    let target = Target::from(a.target);
    let rows = rows(target, &proofs);
    let total = total(&rows);
    if a.json {
        writeln!(streams.out, "{:#}", as_json(target, &rows, &total))?;
        return Ok(Exit::Success);
    }
    writeln!(streams.out, "{:<8}{}", target.name(), heads())?;
    for (encoding, row) in &rows {
        writeln!(streams.out, "{:<8}{}", encoding.name(), cells(&row.counts))?;
    }
    writeln!(streams.out, "{:<8}{}", "all", cells(&total))?;
    Ok(Exit::Success)
}

fn rows(target: Target, proofs: &Proofs) -> Rows {
    let mut rows = Rows::new();
    for &opcode in Opcode::ALL {
        for form in opcode.row().forms {
            if form.targets.contains(target.set()) {
                let row = rows.entry(form.encoding).or_default();
                let stages = tried(target, opcode, form, proofs);
                let cells = row.counts.iter_mut().zip(&mut row.missing);
                for (stage, (count, missing)) in stages.into_iter().zip(cells) {
                    match stage {
                        Ok(()) => *count += 1,
                        Err(reason) => missing.push((opcode.name(), reason)),
                    }
                }
            }
        }
    }
    rows
}

fn total(rows: &Rows) -> [usize; STAGES.len()] {
    let mut total = [0; STAGES.len()];
    for row in rows.values() {
        for (sum, n) in total.iter_mut().zip(row.counts) {
            *sum += n;
        }
    }
    total
}

fn as_json(target: Target, rows: &Rows, total: &[usize; STAGES.len()]) -> Value {
    let counts = |counts: &[usize]| -> Value {
        let pairs = STAGES.iter().zip(counts);
        Value::Object(pairs.map(|(s, n)| ((*s).to_owned(), json!(n))).collect())
    };
    let encodings: Vec<Value> = rows
        .iter()
        .map(|(encoding, row)| {
            let missing = STAGES.iter().zip(&row.missing);
            let missing = missing.filter(|(_, opcodes)| !opcodes.is_empty());
            let by_stage = |value: fn(&[(&'static str, String)]) -> Value| -> Value {
                let pairs = missing.clone();
                Value::Object(pairs.map(|(s, o)| ((*s).to_owned(), value(o))).collect())
            };
            let names = |opcodes: &[(&'static str, String)]| -> Value {
                opcodes.iter().map(|(name, _)| json!(name)).collect()
            };
            let reasons = |opcodes: &[(&'static str, String)]| -> Value {
                let pairs = opcodes.iter();
                Value::Object(pairs.map(|(n, r)| ((*n).to_owned(), json!(r))).collect())
            };
            json!({
                "encoding": encoding.name(),
                "counts": counts(&row.counts),
                "missing": by_stage(names),
                "reasons": by_stage(reasons),
            })
        })
        .collect();
    json!({
        "target": target.name(),
        "total": counts(total),
        "encodings": encodings,
    })
}

fn heads() -> String {
    STAGES.iter().map(|s| format!("{s:>12}")).collect()
}

fn cells(counts: &[usize]) -> String {
    counts.iter().map(|n| format!("{n:>12}")).collect()
}

/// The page's beginning.
const HEAD: &str = "\
# Coverage

Made by `spirdna coverage --markdown`; `tests/proof_coverage.rs` makes it again and compares
(`SPIRDNA_WRITE_PROOF=1` writes it). An opcode counts once in each of its encodings.

- **isa**: it is in the table for the target. **decoded**: a word of it decodes.
- **executed**: the reference runs it. **translated**: the translator takes it, in at least one form of its
  operands.
- **proven**: a row of a file under `seeds/proof/` says that it gives on a Vulkan device what it gives on
  the reference, and its hash is that of today's table row and lowering.
";

/// A target's part of the page.
fn section(target: Target, rows: &Rows) -> String {
    let mut out = format!("\n## {}\n\n| encoding |", target.name());
    for stage in STAGES {
        out.push_str(&format!(" {stage} |"));
    }
    out.push_str(&format!("\n|---|{}\n", "---:|".repeat(STAGES.len())));
    let all = total(rows);
    let lines = rows.iter().map(|(e, row)| (e.name(), &row.counts));
    for (name, counts) in lines.chain([("all", &all)]) {
        let counts: String = counts.iter().map(|n| format!(" {n} |")).collect();
        out.push_str(&format!("| {name} |{counts}\n"));
    }
    for (i, stage) in STAGES.iter().enumerate().skip(1) {
        // By reason: many opcodes share one.
        let mut by_reason: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
        for (encoding, row) in rows {
            for (name, reason) in row.missing.get(i).into_iter().flatten() {
                let opcodes = by_reason.entry(reason).or_default();
                opcodes.entry(encoding.name()).or_default().push(name);
            }
        }
        if by_reason.is_empty() {
            continue;
        }
        out.push_str(&format!("\nNot {stage}:\n\n"));
        for (reason, encodings) in by_reason {
            out.push_str(&format!("- {reason}\n"));
            for (encoding, names) in encodings {
                out.push_str(&format!("  - {encoding}: {}\n", names.join(", ")));
            }
        }
    }
    out
}

/// The page of memory instructions whose data are halves of registers: how far each comes on each target.
fn d16_page(proofs: &Proofs) -> String {
    // By encoding; an opcode has a form for each number that it has on some targets.
    let mut rows: BTreeMap<Encoding, BTreeMap<&str, [String; Target::ALL.len()]>> = BTreeMap::new();
    for &opcode in Opcode::ALL {
        let row = opcode.row();
        if !matches!(row.sem, Sem::Buffer(_) | Sem::Flat(_) | Sem::Ds(_))
            || !opcode.name().contains("D16")
        {
            continue;
        }
        for form in row.forms {
            let cells = rows.entry(form.encoding).or_default().entry(opcode.name());
            let cells = cells.or_insert_with(|| Target::ALL.map(|_| "–".to_owned()));
            for (target, cell) in Target::ALL.into_iter().zip(cells) {
                if form.targets.contains(target.set()) {
                    let stages = tried(target, opcode, form, proofs);
                    let reached = stages.iter().zip(STAGES).take_while(|(s, _)| s.is_ok());
                    let last = reached.last().map_or("", |(_, name)| name);
                    *cell = match stages.iter().find_map(|s| s.as_ref().err()) {
                        Some(reason) => format!("{last}; {reason}"),
                        None => last.to_owned(),
                    };
                }
            }
        }
    }
    let count: usize = rows.values().map(BTreeMap::len).sum();
    let mut out = format!(
        "# D16\n\nMade by `spirdna coverage --d16`; `tests/proof_coverage.rs` makes it again and compares.\n\n\
         The {count} memory instructions whose data are 16-bit halves of registers, and how far each comes:\n\
         **proven** is a row of `seeds/proof/` of today's table row and lowering ([`coverage.md`](coverage.md)). The\n\
         unwritten half of a register is kept; formatted ones convert all values exactly ([`formats.md`](formats.md)).\n"
    );
    for (encoding, opcodes) in rows {
        out.push_str(&format!("\n## {}\n\n| instruction |", encoding.name()));
        for target in Target::ALL {
            out.push_str(&format!(" {} |", target.name()));
        }
        out.push_str(&format!("\n|---|{}\n", "---|".repeat(Target::ALL.len())));
        for (name, cells) in opcodes {
            out.push_str(&format!("| {name} | {} |\n", cells.join(" | ")));
        }
    }
    out
}

/// For each stage, whether an opcode reaches it in one of its encodings, or why not: with the program of
/// the proofs, or with any of the operands that are tried.
fn tried(
    target: Target,
    opcode: Opcode,
    form: &Form,
    proofs: &Proofs,
) -> [Result<(), String>; STAGES.len()] {
    let before = || Err("not decoded".to_owned());
    let (mut decoded, mut executed, mut translated) = (before(), before(), before());
    let key = |wave| Key::of(opcode, form, wave);
    let canonical = [WaveSize::W32, WaveSize::W64].into_iter().filter_map(|w| {
        let canonical = generator(&key(w))?.canonical(&key(w), target)?;
        Some((canonical.code, canonical.launch))
    });
    let launches = launches(target, opcode.row().sem);
    let programs = OPERANDS
        .iter()
        .map(|operands| program(form, operands))
        .chain(pair(target, opcode))
        .flat_map(|code| {
            launches
                .iter()
                .map(move |launch| (code.clone(), launch.clone()))
        });
    for (code, launch) in canonical.chain(programs) {
        let decoder = Decoder::with_options(DECODE, target, &code);
        let places: Vec<u32> = decoder
            .filter_map(|inst| inst.ok().filter(|inst| inst.opcode() == opcode))
            .map(|inst| inst.pc())
            .collect();
        if places.is_empty() {
            continue;
        }
        decoded = Ok(());
        if executed.is_err() {
            let now = executes(&code, &launch, &places);
            // A refusal says more than that the program did not come so far.
            if now.is_ok() || executed == before() || executed == Err(BEFORE.to_owned()) {
                executed = now;
            }
        }
        if translated.is_err() {
            let first = translates(&code, &launch);
            // The first reason is that of the plainest operands.
            if first.is_ok() || translated == before() {
                translated = first;
            }
        }
        if executed.is_ok() && translated.is_ok() {
            break;
        }
    }
    let waves = [WaveSize::W32, WaveSize::W64];
    let proven = match &translated {
        _ if waves.into_iter().any(|wave| proofs.hold(&key(wave))) => Ok(()),
        Ok(()) => Err("no proof yet".to_owned()),
        Err(_) => Err("not translated".to_owned()),
    };
    [Ok(()), decoded, executed, translated, proven]
}

/// Operands that are tried; every other field is 0 (s0, v0, no offset). Some opcodes take VGPRs
/// alone, exist for GDS alone, name a hardware register, need a format, or a number of components.
const OPERANDS: [&[(FieldId, u32)]; 10] = [
    &[(FieldId::Dmask, 1), (FieldId::Format, 22)],
    &[(FieldId::Dmask, 3)],
    &[(FieldId::Dmask, 15)],
    // What a ray says of itself.
    &[
        (FieldId::Dmask, 15),
        (FieldId::Unorm, 1),
        (FieldId::R128, 1),
    ],
    &[(FieldId::Src0, 256)],
    &[(FieldId::Src1, 256)],
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

/// The launches of the stage in which a meaning lives: a pixel shader with one attribute, smooth or flat, and
/// a target of 32-bit floats, or a compute shader.
fn launches(target: Target, sem: Sem) -> Vec<Launch> {
    if !matches!(sem, Sem::Interp(_) | Sem::Export | Sem::Image(_)) {
        return vec![launch(target)];
    }
    let pixel = |input_cntl| {
        let registers = PixelRegisters {
            rsrc1: 0x002c_0000,
            rsrc2: (USER_SGPRS.len() as u32) << 1,
            input_ena: 2,
            input_addr: 2,
            input_cntl: vec![input_cntl],
            baryc_cntl: 0,
            col_format: 9,
            z_format: 0,
            colors: [ColorClass::Float; 8],
            // LATE_Z, EXEC_ON_HIER_FAIL.
            db_shader_control: 1 << 9,
            ..PixelRegisters::default()
        };
        registers.launch(target, WaveSize::W32).ok()
    };
    const FLAT: u32 = 1 << 10;
    [0, FLAT].into_iter().filter_map(pixel).collect()
}

/// What stands only with another instruction before it: the second half of an interpolation.
fn pair(target: Target, opcode: Opcode) -> Option<Vec<u32>> {
    if !matches!(opcode.row().sem, Sem::Interp(Interp::P2F32)) {
        return None;
    }
    let text = "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x\ns_endpgm";
    assemble(target, WaveSize::W32, text).ok()
}

fn launch(target: Target) -> Launch {
    let mut launch = Launch::compute(target, WaveSize::W32, [32, 1, 1]);
    launch.lds_bytes = 0x4000;
    launch.scratch_bytes = 64;
    launch.user_sgprs = 16;
    launch
}

/// Memory everywhere, all ones: a program of the proofs comes to its instruction, with lanes.
struct Ones;

impl Memory for Ones {
    fn load(&mut self, _: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        bytes.fill(0xff);
        Ok(())
    }

    fn store(&mut self, _: u64, _: &[u8]) -> Result<(), Unmapped> {
        Ok(())
    }
}

/// Where a program did not come to its instruction.
const BEFORE: &str = "a fault before it";

/// Whether the reference runs the instruction that stands at these places of a program.
fn executes(code: &[u32], launch: &Launch, places: &[u32]) -> Result<(), String> {
    let options = Options {
        step_limit: 10_000,
        decode: DECODE,
        ..Options::default()
    };
    let user = USER_SGPRS.get(..launch.user_sgprs as usize);
    let user = user.unwrap_or(&USER_SGPRS);
    let grid = Grid::groups([1, 1, 1]);
    let run = if launch.stage.is_graphics() {
        let inputs = StageInputs {
            exec: 0xffff_ffff,
            attributes: vec![[Component::default(); 4]],
            ..StageInputs::default()
        };
        run_stage(code, launch, user, &inputs, &mut Ones, &options).map(|_| ())
    } else {
        run_dispatch(code, launch, user, grid, &mut Ones, &options).map(|_| ())
    };
    match run {
        Err(ExecError::Unsupported(u)) => Err(u.reason),
        Err(ExecError::Decode(e @ DecodeError::Unsupported { .. })) => Err(e.to_string()),
        Err(ExecError::Fault(fault)) if !places.contains(&fault.pc) => Err(BEFORE.to_owned()),
        // A fault, a jump out of the code and the like are what the instruction does.
        _ => Ok(()),
    }
}

/// What the program uses, bound: as words where that is what is asked for.
fn mapped(code: &[u32], launch: &Launch) -> DescriptorFacts {
    let mut facts = DescriptorFacts::default();
    let program = Program::decode_at(launch.target, code, launch.code_address, launch.entry);
    let Ok(found) = program.map(|program| resources(&program, launch, &facts)) else {
        return facts;
    };
    for (binding, resource) in (16..).zip(found.unwrap_or_default()) {
        facts.map.entries.push(Mapped {
            recipe: resource.recipe,
            kind: resource.kind,
            place: Place {
                set: 0,
                binding,
                count: 1,
            },
            fact: match resource.kind {
                ResourceKind::Storage { .. } => ImageFact {
                    class: ColorClass::Uint,
                    format: 20,
                    ..ImageFact::default()
                },
                _ => ImageFact::default(),
            },
        });
    }
    facts
}

fn translates(code: &[u32], launch: &Launch) -> Result<(), String> {
    // 64-bit atomics are the one thing that no other instruction can stand in for.
    let profile = HostProfile {
        int64: true,
        buffer_atomic64: true,
        shared_atomic64: true,
        ..default_profile(32)
    };
    let facts = mapped(code, launch);
    match translate(code, launch, &profile, &Default::default(), &facts) {
        Ok(_) => Ok(()),
        Err(TranslateError::Unsupported(sites)) => {
            let reason = sites.first().map(|site| match &site.reason {
                Reason::Decode(_) => {
                    "the translator does not admit the overlay's opcodes".to_owned()
                }
                reason => reason.to_string(),
            });
            Err(reason.unwrap_or_default())
        }
        Err(e) => Err(e.to_string()),
    }
}

/// The keys that a proof holds for today.
struct Proofs(HashSet<Key>);

impl Proofs {
    /// Reads a folder's rows and compares the hashes with those of today's lowerings.
    fn load(folder: &Path) -> Result<Proofs, CliError> {
        let mut hashes: HashMap<Key, Vec<u64>> = HashMap::new();
        for row in ProofFile::load_folder(folder)?.rows {
            hashes.entry(row.key).or_default().push(row.hash);
        }
        let hashes: Vec<(Key, Vec<u64>)> = hashes.into_iter().collect();
        let held = |(key, hashes): &(Key, Vec<u64>)| {
            let today = generator(key).and_then(|g| key_hash(g, key, key.target()).ok());
            today
                .is_some_and(|today| hashes.contains(&today))
                .then_some(*key)
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let part = hashes.len().div_ceil(threads).max(1);
        let held = std::thread::scope(|scope| {
            let parts = hashes.chunks(part);
            let threads: Vec<_> = parts
                .map(|part| scope.spawn(move || part.iter().filter_map(held).collect::<Vec<Key>>()))
                .collect();
            let parts = threads.into_iter().map(|t| t.join().unwrap_or_default());
            parts.flatten().collect()
        });
        Ok(Proofs(held))
    }

    /// Whether there is a proof of a key with the hash of today's lowering.
    fn hold(&self, key: &Key) -> bool {
        let Proofs(held) = self;
        held.contains(key)
    }
}

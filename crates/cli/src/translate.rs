//! `spirdna translate`: shaders to SPIR-V, one or a folder of them.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use spirdna_case::exec::facts::{promise, promise_bound};
use spirdna_case::exec::pool::Pool;
use spirdna_case::{Case, Problem};
use spirdna_isa::WaveSize;
use spirdna_isa::launch::{Launch, SystemSgpr};
use spirdna_translate::error::{TranslateError, Unsupported};
use spirdna_translate::ir::print::module_text;
use spirdna_translate::key::CacheKey;
use spirdna_translate::options::Options;
use spirdna_translate::pipeline::{Translation, optimised, translate};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::program::Program;
use spirdna_translate::reflect::Reflection;
use spirdna_translate::resources::DescriptorFacts;

use crate::error::{CliError, Exit};
use crate::input::{CodeInput, Wanted, is_case, parse_wave, read_codes};
use crate::options::{self, default_profile};
use crate::{Streams, TargetName};

/// Translations that `--time` makes at least, and for how long it goes on.
const TIMES: u32 = 5;
const TIME: Duration = Duration::from_millis(300);

#[derive(Args)]
pub(crate) struct Arguments {
    /// Case files, raw words, code objects (all kernels), or folders of them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The kernel of a code object.
    #[arg(long)]
    kernel: Option<String>,
    /// The target of raw words.
    #[arg(long, value_enum)]
    target: Option<TargetName>,
    /// The stage of raw words.
    #[arg(long, value_enum, default_value = "compute")]
    stage: StageName,
    /// Lanes of a wave of raw words: 32 or 64 (64 when absent).
    #[arg(long, value_parser = parse_wave)]
    wave: Option<WaveSize>,
    /// Threads in a workgroup, where no case file says it.
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_local)]
    local: Option<[u32; 3]>,
    /// User SGPRs of raw words.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=100))]
    user_sgprs: u32,
    /// LDS bytes of raw words.
    #[arg(long, value_name = "BYTES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=65536))]
    lds: u32,
    /// The subgroup size of the host; the wave size when absent.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=128))]
    subgroup_size: Option<u32>,
    #[command(flatten)]
    translation: options::Translation,
    /// The file to write; for several inputs the folder.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Write the reflection as JSON; for several inputs to this folder.
    #[arg(long, value_name = "OUT.json")]
    reflect: Option<PathBuf>,
    /// Print an intermediate form instead of nothing.
    #[arg(long, value_enum)]
    emit: Option<Form>,
    /// Print the cache key of each shader, the same wherever its code and buffers lie.
    #[arg(long)]
    key: bool,
    /// Print how long a translation takes, from decode to finished words: the best of several.
    #[arg(long)]
    time: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StageName {
    Compute,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The IR as emission gets it.
    Ir,
    /// The control flow of the machine code, for Graphviz.
    CfgDot,
    /// The SPIR-V, disassembled.
    Spvasm,
}

fn parse_local(text: &str) -> Result<[u32; 3], String> {
    let sizes: Result<Vec<u32>, _> = text.split(',').map(|n| n.trim().parse()).collect();
    sizes
        .ok()
        .and_then(|s| <[u32; 3]>::try_from(s).ok())
        .filter(|s| (1..=1024).contains(&s.iter().map(|&n| u64::from(n)).product::<u64>()))
        .ok_or_else(|| "needs three numbers, at most 1024 threads in all".to_owned())
}

/// A shader to translate.
struct Input {
    /// Its file.
    path: PathBuf,
    /// Which of the file's kernels or dispatches, where it has several.
    part: Option<String>,
    code: Vec<u32>,
    launch: Launch,
    windows: u32,
    facts: DescriptorFacts,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let mut files = Vec::new();
    for path in &a.paths {
        collect(path, &mut files)?;
    }
    if let ([file], [path]) = (files.as_slice(), a.paths.as_slice())
        && !path.is_dir()
    {
        let mut inputs = read(a, file)?;
        if inputs.len() == 1
            && let Some(input) = inputs.pop()
        {
            one(a, &input?, a.output.clone(), a.reflect.clone(), streams)?;
            return Ok(Exit::Success);
        }
    }
    for folder in [&a.output, &a.reflect].into_iter().flatten() {
        fs::create_dir_all(folder).map_err(|error| write_error(folder, error))?;
    }
    batch(a, &files, streams)
}

/// Translates every shader of the files and ends in a table of refusals.
fn batch(a: &Arguments, files: &[PathBuf], streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let mut summary = Summary::default();
    let mut exit = Exit::Success;
    for file in files {
        let stem = stem(file);
        let inputs = read(a, file).unwrap_or_else(|e| vec![Err(e)]);
        let several = inputs.len() > 1;
        for (number, input) in inputs.into_iter().enumerate() {
            // A kernel's own name may be too long for a file.
            let name = match several {
                true => format!("{stem}.{number}"),
                false => stem.clone(),
            };
            let spv = a.output.as_ref().map(|o| o.join(format!("{name}.spv")));
            let json = a.reflect.as_ref().map(|o| o.join(format!("{name}.json")));
            match input.and_then(|input| one(a, &input, spv, json, streams)) {
                Ok(()) => summary.done += 1,
                Err(e @ (CliError::Output(_) | CliError::Write { .. })) => return Err(e),
                Err(e) => {
                    writeln!(streams.err, "{e}")?;
                    exit = exit.and(e.exit());
                    summary.failed(&e);
                }
            }
        }
    }
    write!(streams.out, "{summary}")?;
    Ok(exit)
}

/// What became of the shaders of a batch.
#[derive(Default)]
struct Summary {
    done: usize,
    refused: usize,
    unusable: usize,
    /// How many shaders each reason stops.
    reasons: BTreeMap<String, usize>,
}

impl Summary {
    fn failed(&mut self, error: &CliError) {
        let CliError::Translate { error, .. } = error else {
            self.unusable += 1;
            return;
        };
        self.refused += 1;
        let mut own: Vec<String> = match error {
            TranslateError::Unsupported(sites) => sites
                .iter()
                .map(|s| format!("{}: {}", s.mnemonic, s.reason))
                .collect(),
            other => vec![other.to_string()],
        };
        own.sort();
        own.dedup();
        for reason in own {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            done,
            refused,
            unusable,
            ..
        } = self;
        writeln!(
            f,
            "{done} translated, {refused} refused, {unusable} unusable"
        )?;
        let mut table: Vec<(&String, &usize)> = self.reasons.iter().collect();
        table.sort_by(|(a, n), (b, m)| m.cmp(n).then(a.cmp(b)));
        for (reason, count) in table {
            writeln!(f, "{count:>6}  {reason}")?;
        }
        Ok(())
    }
}

/// The name of a file without what tells its kind.
fn stem(file: &Path) -> String {
    let name = file
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    for end in [".case.toml", ".bin", ".co"] {
        if let Some(stem) = name.strip_suffix(end) {
            return stem.to_owned();
        }
    }
    name
}

/// The shaders of a path: itself, or everything under a folder. A folder's binaries are left out
/// where it has case files, which name them.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), CliError> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|e| Problem::Read(e).at(path, ""))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|e| Problem::Read(e).at(path, ""))?.path());
    }
    paths.sort();
    let cases = paths.iter().any(|p| is_case(p));
    for path in paths {
        let binary = path.extension().is_some_and(|e| e == "bin" || e == "co");
        if path.is_dir() {
            collect(&path, files)?;
        } else if is_case(&path) || (binary && !cases) {
            files.push(path);
        }
    }
    Ok(())
}

fn write_error(path: &Path, error: std::io::Error) -> CliError {
    CliError::Write {
        path: path.to_owned(),
        error,
    }
}

/// Translates one shader and writes what is asked for.
fn one(
    a: &Arguments,
    input: &Input,
    output: Option<PathBuf>,
    reflect: Option<PathBuf>,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    let refused = |error: TranslateError| CliError::Translate {
        path: input.path.clone(),
        part: input.part.clone(),
        error,
    };
    let size = a.subgroup_size.unwrap_or(input.launch.wave.lanes());
    let mut profile = match a.translation.profile()? {
        Some(profile) => profile,
        None => default_profile(size),
    };
    if a.subgroup_size.is_some() {
        profile.subgroup_size = size;
    }
    let options = Options {
        max_windows: input.windows,
        ..a.translation.options()?
    };
    let mut key: Option<CacheKey> = None;
    match a.emit {
        Some(Form::Ir) => {
            let program =
                decode(input).map_err(|sites| refused(TranslateError::Unsupported(sites)))?;
            let module = optimised(&program, &input.launch, &profile, &options, &input.facts);
            write!(streams.out, "{}", module_text(&module.map_err(refused)?))?;
        }
        Some(Form::CfgDot) => {
            let program =
                decode(input).map_err(|sites| refused(TranslateError::Unsupported(sites)))?;
            write!(streams.out, "{}", dot(&program, input.launch.wave)?)?;
        }
        Some(Form::Spvasm) | None => {}
    }
    if a.key || reflect.is_some() {
        let program = decode(input).map_err(|sites| refused(TranslateError::Unsupported(sites)))?;
        let code = program.code_hash();
        key = Some(CacheKey::new(
            code,
            &input.launch,
            &profile,
            &options,
            &input.facts,
        ));
    }
    if let (true, Some(key)) = (a.key, key) {
        let file = input.path.display();
        match &input.part {
            Some(part) => writeln!(streams.out, "{key}  {file}, {part}")?,
            None => writeln!(streams.out, "{key}  {file}")?,
        }
    }
    let translation = translated(input, &profile, &options).map_err(refused)?;
    if a.emit == Some(Form::Spvasm) {
        writeln!(streams.out, "{}", spvasm(&translation.words))?;
    }
    if let Some(path) = output {
        let bytes: Vec<u8> = translation
            .words
            .iter()
            .flat_map(|w| w.to_le_bytes())
            .collect();
        fs::write(&path, bytes).map_err(|e| write_error(&path, e))?;
    }
    if let Some(path) = reflect {
        let mut json = reflection_json(&translation.reflection);
        if let (Some(key), Some(map)) = (key, json.as_object_mut()) {
            map.insert("key".to_owned(), json!(key.to_string()));
        }
        if let (Some(name), Some(map)) = (&input.part, json.as_object_mut()) {
            map.insert("part".to_owned(), json!(name));
        }
        let text = format!("{json:#}\n");
        fs::write(&path, text).map_err(|e| write_error(&path, e))?;
    }
    if a.time {
        let mut best = Duration::MAX;
        let begin = Instant::now();
        let mut n = 0;
        while n < TIMES || begin.elapsed() < TIME {
            let start = Instant::now();
            translated(input, &profile, &options).map_err(refused)?;
            best = best.min(start.elapsed());
            n += 1;
        }
        writeln!(streams.out, "translate_us {}", best.as_micros())?;
    }
    Ok(())
}

fn translated(
    input: &Input,
    profile: &HostProfile,
    options: &Options,
) -> Result<Translation, TranslateError> {
    translate(&input.code, &input.launch, profile, options, &input.facts)
}

/// Reads the shaders of a file; raw words and kernels get the launch of the command line.
fn read(a: &Arguments, file: &Path) -> Result<Vec<Result<Input, CliError>>, CliError> {
    if is_case(file) {
        let case = Case::load(file)?;
        let windows = Pool::windows(&case.memory).max(1) as u32;
        let several = case.dispatches.len() > 1;
        let inputs = case.dispatches.into_iter().enumerate().map(|(number, d)| {
            Ok(Input {
                path: file.to_owned(),
                part: several.then(|| format!("dispatch {number}")),
                facts: if a.translation.no_facts {
                    DescriptorFacts::default()
                } else {
                    let promise = if a.translation.bind {
                        promise_bound(&d, &case.memory)
                    } else {
                        promise(&d, &case.memory)
                    };
                    promise.facts
                },
                code: d.code,
                launch: d.launch,
                windows,
            })
        });
        return Ok(inputs.collect());
    }
    let StageName::Compute = a.stage;
    let codes = read_codes(
        file,
        Wanted {
            target: a.target.map(Into::into),
            wave: a.wave,
            kernel: a.kernel.as_deref(),
        },
    )?;
    Ok(codes
        .into_iter()
        .map(|(kernel, code)| {
            let code = code?;
            Ok(Input {
                path: file.to_owned(),
                part: kernel.map(|name| format!("kernel `{name}`")),
                launch: launch(a, &code),
                code: code.image(),
                windows: Options::default().max_windows,
                facts: DescriptorFacts::default(),
            })
        })
        .collect())
}

fn launch(a: &Arguments, code: &CodeInput) -> Launch {
    let kernel = code.kernel.as_ref();
    let local = a
        .local
        .or(kernel.and_then(|k| k.required_local))
        .unwrap_or([code.wave.lanes(), 1, 1]);
    if let Some(kernel) = kernel {
        return kernel.launch(local);
    }
    let mut launch = Launch::compute(code.target, code.wave, local);
    launch.lds_bytes = a.lds;
    launch.user_sgprs = a.user_sgprs;
    launch.system_sgprs = (0..3).map(SystemSgpr::GroupId).collect();
    launch
}

/// The blocks of an input.
fn decode(input: &Input) -> Result<Program, Vec<Unsupported>> {
    let launch = &input.launch;
    Program::decode_at(
        launch.target,
        &input.code,
        launch.code_address,
        launch.entry,
    )
}

/// The guest's control flow as a Graphviz graph: blocks with their disassembly, inside the regions that
/// they are structured into, under what was done with each part.
fn dot(program: &Program, wave: WaveSize) -> Result<String, CliError> {
    let options = spirdna_isa::TextOptions::llvm(wave);
    use spirdna_translate::graph::{BlockId, Graph, Terminator};
    use spirdna_translate::program::{End, GuestBlock};
    use spirdna_translate::structurize::{self, PartReport};
    let node = |block: GuestBlock| BlockId(block.0);
    let ends = program.blocks().iter().map(|block| match &block.exit {
        End::EndPgm => Terminator::Return,
        End::Jump(to) => Terminator::Jump(node(*to)),
        End::Branch { taken, next, .. } => Terminator::Branch(node(*taken), node(*next)),
        End::Indirect(to) => Terminator::Switch(to.iter().map(|&to| node(to)).collect()),
    });
    let refused = |what: String| CliError::Unsupported(format!("a graph: {what}"));
    let graph = Graph::new(BlockId(0), ends.collect()).map_err(|e| refused(e.to_string()))?;
    let tree = structurize::structurize(&graph).map_err(|e| refused(e.to_string()))?;
    let label = |block: BlockId| {
        let mut text = String::new();
        for inst in program.insts(GuestBlock(block.0)) {
            let line = spirdna_isa::inst_to_string(inst, options);
            text.push_str(&format!("{:#06x}  {line}\n", inst.pc()));
        }
        text
    };
    let mut text = structurize::dot(&graph, &tree, label);
    let parts: Vec<String> = tree
        .report
        .iter()
        .map(|part| match part {
            PartReport::Regions { blocks } => format!("regions: {blocks} blocks"),
            PartReport::Dispatch { blocks, entries } => {
                format!("dispatch: {blocks} blocks, {} entries", entries.len())
            }
            _ => "another strategy".to_owned(),
        })
        .collect();
    let title = format!("{{\n  label=\"{}\"; labelloc=t;\n", parts.join("\\n"));
    text = text.replacen("{\n", &title, 1);
    Ok(text)
}

/// The words as text.
fn spvasm(words: &[u32]) -> String {
    use rspirv::binary::Disassemble;
    match rspirv::dr::load_words(words) {
        Ok(module) => module.disassemble(),
        Err(e) => format!("; cannot be read back: {e}"),
    }
}

/// The reflection as JSON.
fn reflection_json(r: &Reflection) -> Value {
    let buffers: Vec<Value> = r
        .buffers
        .iter()
        .map(|b| {
            json!({
                "usage": format!("{:?}", b.usage).to_lowercase(),
                "set": b.set,
                "binding": b.binding,
                "min_bytes": b.min_bytes,
            })
        })
        .collect();
    json!({
        "entry": r.entry,
        "local_size": r.local_size,
        "subgroup_size": r.subgroup_size,
        "lanes_per_invocation": r.lanes_per_invocation,
        "lanes": match r.lanes {
            spirdna_translate::reflect::LaneFidelity::WaveExact => "wave_exact",
            spirdna_translate::reflect::LaneFidelity::LaneWise => "lane_wise",
        },
        "fidelity": format!("{:?}", r.fidelity).to_lowercase(),
        "nan": format!("{:?}", r.nans).to_lowercase(),
        "buffers": buffers,
        "push": { "bytes": r.push.bytes, "user_data": r.push.user_data, "group_base": r.push.group_base },
        "launch_layout": {
            "user_data": r.launch_layout.user_data,
            "scratch": r.launch_layout.scratch,
            "gds": r.launch_layout.gds,
            "vgprs": r.launch_layout.vgprs,
            "dwords": r.launch_layout.dwords,
        },
        "max_windows": r.max_windows,
        "capabilities": r.capabilities,
        "extensions": r.extensions,
        "workgroup_bytes": r.workgroup_bytes,
        "code_address": r.code_address,
        "guest_instructions": r.guest_instructions,
        "spirv_words": r.spirv_words,
        "strategies": r.strategies,
    })
}

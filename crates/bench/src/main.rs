//! `spirdna-bench`: how long translations take. `cargo xtask bench` runs it, as shipped.
//!
//! - without arguments: the tables;
//! - `counts`: the table of processor instructions alone;
//! - `radv`: how long RADV's compiler takes for each seed, a line each, in an environment that opens its
//!   null device;
//! - `modules FOLDER`: writes each seed's modules there, as `spirdna translate` makes them, so that two
//!   translators can be compared;
//! - `repeat NAME MILLISECONDS`: one shader again and again, for a profiler;
//! - `rounds NAME N`: one shader N times, for counts of processor instructions.

mod counts;

use std::collections::HashMap;
use std::io::{Write, stdout};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use spirdna_bench::{Shader, Way, empty, least, seeds, synthetic, wall};
use spirdna_translate::key::{CacheKey, KnownCode};
use spirdna_translate::options::Options;
use spirdna_translate::pipeline::{Context as Translator, translate};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::program::Program;
use spirdna_translate::resources::DescriptorFacts;
use spirdna_vulkan::listing::{Compiler, Interface};

/// The environment that makes the loader open RADV's null device as an RDNA2 part, which keeps nothing of
/// what it compiled.
const RADV: [(&str, &str); 4] = [
    (
        "VK_ICD_FILENAMES",
        "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json",
    ),
    ("RADV_FORCE_FAMILY", "navi21"),
    ("MESA_SHADER_CACHE_DISABLE", "true"),
    // Nor in memory.
    ("RADV_DEBUG", "nocache"),
];
/// A part of the name of that device.
const NULL_DEVICE: &str = "NAVI21";
/// Rounds over all shaders, of which the least times count.
const ROUNDS: u32 = 4;
/// Short things are done so often between two looks at the clock.
const MANY: u32 = 64;
/// Lengths of the programs that show the growth, in instructions.
const LENGTHS: [usize; 3] = [1_000, 10_000, 100_000];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => tables(),
        ["counts"] => counts::table(&mut stdout().lock()),
        ["radv"] => radv(),
        ["modules", folder] => modules(Path::new(folder)),
        ["repeat", name, milliseconds] => repeat(name, milliseconds.parse()?),
        ["rounds", name, count] => rounds(name, count.parse()?),
        _ => bail!(
            "arguments: none, `counts`, `radv`, `modules FOLDER`, `repeat NAME MILLISECONDS` or `rounds NAME N`"
        ),
    }
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The geometric mean.
fn mean(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().map(|v| v.ln()).sum();
    (sum / values.len().max(1) as f64).exp()
}

fn tables() -> Result<()> {
    let shaders = seeds()?;
    let mut out = stdout().lock();
    shader_table(&mut out, &shaders)?;
    pass_table(&mut out, &shaders)?;
    growth_table(&mut out)?;
    key_table(&mut out, &shaders)?;
    counts::table(&mut out)
}

/// Times of a shader: ours by the way, and RADV's.
#[derive(Clone, Copy)]
struct Times {
    ours: [Duration; Way::ALL.len()],
    radv: Option<Duration>,
}

/// The least times of some rounds, ours and RADV's in turn: the machine is not equally fast all the time.
fn shader_times(shaders: &[Shader]) -> Result<(Vec<Times>, Option<anyhow::Error>)> {
    let none = Times {
        ours: [Duration::MAX; Way::ALL.len()],
        radv: None,
    };
    let mut times = vec![none; shaders.len()];
    let mut refused = None;
    let mut context = Translator::new();
    for _ in 0..ROUNDS {
        let radv = match radv_times() {
            Ok(radv) => radv,
            Err(error) => {
                refused = Some(error);
                HashMap::new()
            }
        };
        for (shader, times) in shaders.iter().zip(&mut times) {
            let radv = radv.get(&shader.name).copied();
            times.radv = radv.map(|time| times.radv.map_or(time, |least| least.min(time)));
            for (way, best) in Way::ALL.into_iter().zip(&mut times.ours) {
                let time = least(Duration::from_millis(30), 5, || {
                    way.translate_in(&mut context, shader)
                })?;
                *best = time.min(*best);
            }
        }
    }
    Ok((times, refused))
}

fn shader_table(out: &mut impl Write, shaders: &[Shader]) -> Result<()> {
    writeln!(
        out,
        "Translation, microseconds (nanoseconds a byte of code):\n"
    )?;
    write!(out, "| shader | bytes |")?;
    for way in Way::ALL {
        write!(out, " {} |", way.name())?;
    }
    writeln!(out, " RADV | RADV / ours, bound | not bound |")?;
    writeln!(
        out,
        "|---|---|{}---|---|---|",
        "---|".repeat(Way::ALL.len())
    )?;
    let (times, refused) = shader_times(shaders)?;
    let (mut bound, mut not) = (Vec::new(), Vec::new());
    let mut per_byte = [const { Vec::new() }; Way::ALL.len()];
    for (shader, times) in shaders.iter().zip(times) {
        let bytes = shader.code.len() * 4;
        let each = |time: Duration| time.as_secs_f64() * 1e9 / bytes as f64;
        write!(out, "| {} | {bytes} |", shader.name)?;
        for (time, all) in times.ours.into_iter().zip(&mut per_byte) {
            write!(out, " {:.0} ({:.0}) |", microseconds(time), each(time))?;
            all.push(each(time));
        }
        let Some(radv) = times.radv else {
            writeln!(out, " | | |")?;
            continue;
        };
        let [ours_bound, ours, ..] = times.ours;
        let ratio = |ours: Duration| radv.as_secs_f64() / ours.as_secs_f64();
        let (with, without) = (ratio(ours_bound), ratio(ours));
        bound.push(with);
        not.push(without);
        let us = microseconds(radv);
        writeln!(
            out,
            " {us:.0} ({:.0}) | {with:.1} | {without:.1} |",
            each(radv)
        )?;
    }
    write!(out, "| geometric mean | |")?;
    for all in &per_byte {
        let ns = mean(all);
        write!(out, " {ns:.0} ns a byte, {:.2} MB/s |", 1e3 / ns)?;
    }
    match refused {
        None => writeln!(out, " | {:.1} | {:.1} |", mean(&bound), mean(&not))?,
        Some(error) => writeln!(out, " | | |\n\nRADV was not measured: {error:#}")?,
    }
    Ok(())
}

/// Each phase's share of the time, over all seeds.
fn pass_table(out: &mut impl Write, shaders: &[Shader]) -> Result<()> {
    let rounds = 50;
    let mut context = Translator::new();
    let mut order: Vec<&'static str> = Vec::new();
    let mut times: HashMap<&'static str, Duration> = HashMap::new();
    for _ in 0..rounds {
        for shader in shaders {
            let mut last = std::time::Instant::now();
            Way::BOUND.translate_watched(&mut context, shader, &mut |phase| {
                let now = std::time::Instant::now();
                if !times.contains_key(phase) {
                    order.push(phase);
                }
                *times.entry(phase).or_default() += now.duration_since(last);
                last = std::time::Instant::now();
            })?;
        }
    }
    let all: Duration = times.values().sum();
    writeln!(
        out,
        "\nShares of the phases, {}:\n\n| phase | % |\n|---|---|",
        Way::BOUND.name()
    )?;
    for phase in order {
        let time = times.get(phase).copied().unwrap_or_default();
        let share = 100.0 * time.as_secs_f64() / all.as_secs_f64();
        writeln!(out, "| {phase} | {share:.1} |")?;
    }
    Ok(())
}

fn growth_table(out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "\nPrograms of any length, Fast:\n\n| program | bytes | bound, S = wave | S = wave | S = 8 |\n|---|---|---|---|---|"
    )?;
    let mut context = Translator::new();
    for length in LENGTHS {
        let shader = synthetic(length)?;
        let bytes = shader.code.len() * 4;
        write!(out, "| {} | {bytes} |", shader.name)?;
        for way in [Way::BOUND, Way::FAST, Way::FAST_8] {
            let time = least(Duration::from_millis(400), 3, || {
                way.translate_in(&mut context, &shader)
            })?;
            let ns = time.as_secs_f64() * 1e9 / bytes as f64;
            write!(
                out,
                " {:.1} ms ({ns:.0} ns a byte) |",
                microseconds(time) / 1e3
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn key_table(out: &mut impl Write, shaders: &[Shader]) -> Result<()> {
    let mut known = KnownCode::new(1000);
    let (mut shares, mut look_ups) = (Vec::new(), Vec::new());
    let mut decodes = Vec::new();
    let mut context = Translator::new();
    for shader in shaders {
        let target = shader.launch.target;
        let (host, options) = (Way::FAST.host(shader), Way::FAST.options());
        let time = Duration::from_millis(20);
        let translation = least(time, 5, || Way::FAST.translate_in(&mut context, shader))?;
        let refused = |_| anyhow::anyhow!("{} does not decode", shader.name);
        let program = Program::decode(target, &shader.code).map_err(refused)?;
        // The wall's clock is too coarse for one.
        let key = least(time, 5, || {
            let facts = &shader.facts;
            let keys = (0..MANY).map(|_| {
                let code = program.code_hash();
                CacheKey::new(code, &shader.launch, &host, &options, facts).value()
            });
            anyhow::Ok(keys.fold(0, u128::wrapping_add))
        })? / MANY;
        let decode = least(time, 5, || {
            Program::decode(target, &shader.code).map_err(refused)
        })?;
        known.code_hash(target, &shader.code).map_err(refused)?;
        let look_up = least(time, 5, || {
            let found = (0..MANY).filter(|_| known.look_up(target, &shader.code).is_some());
            anyhow::Ok(found.count())
        })? / MANY;
        let part = |time: Duration| 100.0 * time.as_secs_f64() / translation.as_secs_f64();
        shares.push(part(key));
        decodes.push(part(decode));
        let kib = shader.code.len() as f64 * 4.0 / 1024.0;
        look_ups.push(microseconds(look_up) / kib);
    }
    writeln!(
        out,
        "\nKeys: {:.2} % of a translation for the key of a decoded shader, {:.2} % for decoding it; a known \
         span is found in {:.2} microseconds a KiB (geometric means).",
        mean(&shares),
        mean(&decodes),
        mean(&look_ups)
    )?;
    Ok(())
}

/// RADV's times by the seed's name, measured in a process of its own.
fn radv_times() -> Result<HashMap<String, Duration>> {
    let output = Command::new(std::env::current_exe()?)
        .arg("radv")
        .envs(RADV)
        .output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let text = String::from_utf8(output.stdout)?;
    let times = text.lines().map(|line| {
        let (name, time) = line.split_once(' ').context("a name and a time")?;
        Ok((name.to_owned(), Duration::from_nanos(time.parse()?)))
    });
    times.collect()
}

fn radv() -> Result<()> {
    let shaders = seeds()?;
    let with = shaders
        .iter()
        .filter_map(|s| s.original.as_ref().map(|o| (s, o)));
    let (names, originals): (Vec<&str>, Vec<&(Vec<u32>, Interface)>) =
        with.map(|(s, o)| (s.name.as_str(), o)).unzip();
    let compiler = Compiler::open(NULL_DEVICE)?;
    let times: Vec<Duration> = originals
        .iter()
        .map(|(words, interface)| compiler.time(words, interface, 30, wall))
        .collect::<Result<_, _>>()?;
    let mut out = stdout().lock();
    for (name, time) in names.iter().zip(times) {
        writeln!(out, "{name} {}", time.as_nanos())?;
    }
    Ok(())
}

fn modules(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut shaders = seeds()?;
    shaders.push(synthetic(2_000)?);
    for shader in &shaders {
        for way in Way::ALL {
            let options = Options {
                max_windows: shader.windows,
                ..way.options()
            };
            let host = HostProfile {
                max_workgroup_memory: 32 << 10,
                max_workgroup_invocations: 1024,
                ..HostProfile::portable(way.host(shader).subgroup_size)
            };
            let none = DescriptorFacts::default();
            let kinds = [("", way.facts(shader)), ("-no-facts", &none)];
            // Without facts nothing is bound.
            for (kind, facts) in kinds.into_iter().take(if way.bound { 1 } else { 2 }) {
                let made = translate(&shader.code, &shader.launch, &host, &options, facts)?;
                let bytes: Vec<u8> = made.words.iter().flat_map(|w| w.to_le_bytes()).collect();
                let name = format!("{}, {}{kind}.spv", shader.name, way.name());
                std::fs::write(folder.join(name.replace([' ', '=', ','], "")), bytes)?;
            }
        }
    }
    Ok(())
}

/// The shaders of a name: the seeds that begin with it (`all`: every one), a program of so many instructions, or
/// `empty`, a program that ends at once; with `/bound` behind it with bound buffers, with `/S` at subgroup
/// size S.
fn named(name: &str) -> Result<(Way, Vec<Shader>)> {
    let (name, way) = match name.split_once('/') {
        Some((name, "bound")) => (name, Way::BOUND),
        Some((name, s)) => {
            let subgroup = Some(s.parse()?);
            (
                name,
                Way {
                    subgroup,
                    ..Way::FAST
                },
            )
        }
        None => (name, Way::FAST),
    };
    let shaders = match (name, name.parse()) {
        ("empty", _) => vec![empty()?],
        (_, Ok(length)) => vec![synthetic(length)?],
        _ => {
            let mut seeds = seeds()?;
            seeds.retain(|s| name == "all" || s.name.starts_with(name));
            seeds
        }
    };
    Ok((way, shaders))
}

fn repeat(name: &str, milliseconds: u64) -> Result<()> {
    let (way, shaders) = named(name)?;
    let mut context = Translator::new();
    let begin = wall();
    let mut rounds = 0u32;
    while wall().saturating_sub(begin) < Duration::from_millis(milliseconds) {
        for shader in &shaders {
            std::hint::black_box(way.translate_in(&mut context, shader)?);
        }
        rounds += 1;
    }
    let took = wall().saturating_sub(begin) / rounds.max(1);
    writeln!(stdout(), "{:.1} microseconds a round", microseconds(took))?;
    Ok(())
}

fn rounds(name: &str, count: u32) -> Result<()> {
    let (way, shaders) = named(name)?;
    let mut context = Translator::new();
    for _ in 0..count {
        for shader in &shaders {
            std::hint::black_box(way.translate_in(&mut context, shader)?);
        }
    }
    Ok(())
}

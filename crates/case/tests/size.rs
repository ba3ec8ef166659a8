//! How many instructions the translations of the seeds have, beside the SPIR-V that the seeds were compiled
//! from: `docs/size.md` says it, and no seed may grow over what stands there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::fmt::Write;
use std::path::{Path, PathBuf};

use spirdna_case::Case;
use spirdna_case::exec::facts;
use spirdna_translate::options::{Fidelity, Options};
use spirdna_translate::pipeline::translate;
use spirdna_translate::profile::HostProfile;
use spirdna_translate::resources::DescriptorFacts;

/// A count may be above the page's by so many hundredths before it is a failure, so that a lowering may
/// change by an instruction or two without everybody's rewriting the page.
const SLACK: usize = 2;

/// Instructions of a module without those that only name, describe or decorate; and of these, the ones in
/// functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count {
    all: usize,
    code: usize,
}

fn count(words: &[u32]) -> Count {
    // OpSourceContinued to OpMemberName, OpString, OpLine, OpDecorate to OpGroupMemberDecorate, OpNoLine,
    // OpModuleProcessed, OpDecorateId, OpDecorateString, OpMemberDecorateString; OpNop and OpUndef stay.
    let describes = |op: u32| matches!(op, 2..=8 | 71..=75 | 317 | 330 | 332 | 5632 | 5633);
    let mut count = Count { all: 0, code: 0 };
    let (mut at, mut inside) = (5, false);
    while let Some(&first) = words.get(at) {
        let op = first & 0xffff;
        inside |= op == 54;
        if !describes(op) {
            count.all += 1;
            count.code += usize::from(inside);
        }
        inside &= op != 56;
        at += (first >> 16).max(1) as usize;
    }
    count
}

struct Row {
    name: String,
    original: Count,
    bound: Count,
    facts: Count,
    none: Count,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let seeds = root().join("seeds/shaders");
    let mut folders: Vec<_> = std::fs::read_dir(seeds)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        // Kernels in OpenCL C have no SPIR-V of their own.
        let Ok(bytes) = std::fs::read(folder.join(format!("{name}.spv"))) else {
            continue;
        };
        let (words, _) = bytes.as_chunks::<4>();
        let original: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
        for wave in [32, 64] {
            let path = folder.join(format!("{name}.w{wave}.case.toml"));
            if !path.exists() {
                continue;
            }
            let case = Case::load(&path).unwrap_or_else(|e| panic!("{e}"));
            let dispatch = &case.dispatches[0];
            let options = Options {
                fidelity: Fidelity::Fast,
                ..Options::default()
            };
            let size = |facts: &DescriptorFacts| {
                let profile = HostProfile::desktop(wave);
                let done = translate(&dispatch.code, &dispatch.launch, &profile, &options, facts);
                let words = done.unwrap_or_else(|e| panic!("{name}: {e}")).words;
                if let Some(folder) = std::env::var_os("SPIRDNA_SIZE_OUT") {
                    let which = if !facts.bound.is_empty() {
                        "bound"
                    } else if facts.buffers.is_empty() {
                        "none"
                    } else {
                        "facts"
                    };
                    let file = Path::new(&folder).join(format!("{name}.w{wave}.{which}.spv"));
                    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                    std::fs::write(file, bytes).unwrap();
                }
                count(&words)
            };
            rows.push(Row {
                name: format!("{name}.w{wave}"),
                original: count(&original),
                bound: size(&facts::promise_bound(dispatch, &case.memory).facts),
                facts: size(&facts::promise(dispatch, &case.memory).facts),
                none: size(&DescriptorFacts::default()),
            });
        }
    }
    rows
}

fn ratio(a: usize, b: usize) -> f64 {
    a as f64 / b as f64
}

/// Geometric mean and greatest.
fn summary(ratios: &[f64]) -> String {
    let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let most = ratios.iter().copied().fold(0.0, f64::max);
    format!("{mean:.2} ({most:.2})")
}

fn page(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Size of translations\n\n\
         SPIR-V instructions of the seeds (`seeds/shaders`), written by `SPIRDNA_WRITE_SIZE=1 cargo test -p\n\
         spirdna-case --test size`, which otherwise fails where a seed has more. Names, sources and decorations\n\
         are not counted, on either side; types, constants and shared functions are. *Original* is what glslang\n\
         made of the GLSL, from which the guest code was compiled. Translations are of `Fidelity::Fast`, with one\n\
         lane an invocation, for a host with every feature; *bound*: with what a case knows of its V#s, whose\n\
         buffers are bound by themselves where only their V# leads to them, *facts*: the same with all memory\n\
         behind windows, *none*: with nothing known of them. The ratio is that of all instructions to the original's, in brackets of\n\
         those in functions alone.\n\n\
         | seed | original | bound | ratio | facts | ratio | none | ratio |\n|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let ratios = |c: Count| {
            format!(
                "{:.2} ({:.2})",
                ratio(c.all, row.original.all),
                ratio(c.code, row.original.code)
            )
        };
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            row.name,
            row.original.all,
            row.bound.all,
            ratios(row.bound),
            row.facts.all,
            ratios(row.facts),
            row.none.all,
            ratios(row.none)
        )
        .unwrap();
    }
    let of = |pick: fn(&Row) -> (Count, Count), part: fn(Count) -> usize| {
        let ratios: Vec<f64> = rows
            .iter()
            .map(|row| ratio(part(pick(row).0), part(pick(row).1)))
            .collect();
        summary(&ratios)
    };
    write!(
        text,
        "\nGeometric mean (greatest): of all instructions {} with buffers bound, {} with facts, {} without; of\n\
         those in functions {}, {} and {}.\n",
        of(|r| (r.bound, r.original), |c| c.all),
        of(|r| (r.facts, r.original), |c| c.all),
        of(|r| (r.none, r.original), |c| c.all),
        of(|r| (r.bound, r.original), |c| c.code),
        of(|r| (r.facts, r.original), |c| c.code),
        of(|r| (r.none, r.original), |c| c.code),
    )
    .unwrap();
    text
}

/// Name, original, with buffers bound, with facts, without, of a row of the page.
fn parse(line: &str) -> Option<(String, [usize; 4])> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let number = |i: usize| cells.get(i)?.parse().ok();
    Some((
        (*cells.get(1)?).to_owned(),
        [number(2)?, number(3)?, number(5)?, number(7)?],
    ))
}

#[test]
fn no_seed_is_larger_than_the_page_says() {
    let rows = rows();
    let text = page(&rows);
    let path = root().join("docs/size.md");
    if std::env::var_os("SPIRDNA_WRITE_SIZE").is_some() {
        std::fs::write(&path, &text).unwrap();
        eprintln!("{text}");
    }
    let page = std::fs::read_to_string(&path).unwrap();
    let stated: Vec<_> = page.lines().filter_map(parse).collect();
    assert_eq!(stated.len(), rows.len(), "the page has every seed");
    let mut grown = String::new();
    for row in &rows {
        let (_, [original, bound, facts, none]) = stated
            .iter()
            .find(|(name, _)| *name == row.name)
            .unwrap_or_else(|| panic!("{} is not on the page", row.name));
        assert_eq!(*original, row.original.all, "{}: the original", row.name);
        for (what, now, then) in [
            ("bound", row.bound.all, *bound),
            ("facts", row.facts.all, *facts),
            ("none", row.none.all, *none),
        ] {
            if now * 100 > then * (100 + SLACK) {
                writeln!(
                    grown,
                    "{} ({what}): {then} on the page, {now} now",
                    row.name
                )
                .unwrap();
            }
        }
    }
    assert!(grown.is_empty(), "larger than docs/size.md says:\n{grown}");
}

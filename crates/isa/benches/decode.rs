//! How fast a stream of real code decodes, on one core: the committed shaders, one after the other,
//! repeated to some megabytes. `cargo xtask bench-decode` sets llvm-mc beside it.
#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a bench may stop, and criterion's macros make undocumented items"
)]

use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use criterion::{Bencher, Criterion, Throughput, criterion_group, criterion_main};
use spirdna_isa::{Decoder, Target, TextOptions, WaveSize, format_inst};

/// Bytes to decode at least.
const BYTES: usize = 4 << 20;

/// Where the stream's bytes are written, if anywhere.
const STREAM: &str = "SPIRDNA_BENCH_STREAM";

/// Every `seeds/shaders/*/*.bin` in the order of the names, repeated whole.
fn stream() -> Vec<u32> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds/shaders");
    let list = |dir: &Path| {
        let entries = std::fs::read_dir(dir).expect("seeds/shaders is committed");
        let mut paths: Vec<_> = entries.map(|e| e.expect("readable").path()).collect();
        paths.sort();
        paths
    };
    let mut once = Vec::new();
    for folder in list(&seeds).iter().filter(|p| p.is_dir()) {
        for file in list(folder) {
            if file.extension().is_some_and(|e| e == "bin") {
                once.extend(std::fs::read(file).expect("readable"));
            }
        }
    }
    assert!(!once.is_empty(), "no binaries under seeds/shaders");
    let times = BYTES.div_ceil(once.len());
    let bytes = once.repeat(times);
    if let Some(path) = std::env::var_os(STREAM) {
        std::fs::write(path, &bytes).expect("writable");
    }
    bytes
        .chunks_exact(4)
        .filter_map(|c| c.try_into().ok().map(u32::from_le_bytes))
        .collect()
}

/// Time that this thread has had on a core, so that other processes do not show in the figures; the
/// wall's where the system does not say.
fn on_core() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|t| t.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Runs a body as often as criterion asks, on the clock of [`on_core`].
fn timed<T>(b: &mut Bencher<'_>, mut body: impl FnMut() -> T) {
    b.iter_custom(|times| {
        let start = on_core();
        for _ in 0..times {
            std::hint::black_box(body());
        }
        on_core().saturating_sub(start)
    });
}

fn bench(c: &mut Criterion) {
    let words = stream();
    let target = Target::Gfx1030;
    let instructions = Decoder::new(target, &words).filter(Result::is_ok).count();
    let errors = Decoder::new(target, &words).filter(Result::is_err).count();
    assert_eq!(errors, 0, "the committed shaders decode");
    let mut group = c.benchmark_group("shaders");
    group.sample_size(20);
    let bytes = words.len() as u64 * 4;
    let elements = instructions as u64;
    group.throughput(Throughput::ElementsAndBytes { elements, bytes });
    group.bench_function("decode", |b| {
        timed(b, || {
            // What a reader of the code touches at least: where each instruction ends and what it is.
            Decoder::new(target, &words)
                .flatten()
                .fold(0u64, |sum, inst| {
                    sum.wrapping_add(u64::from(inst.next_pc()) ^ inst.opcode() as u64)
                })
        });
    });
    group.bench_function("decode and print", |b| {
        let options = TextOptions::llvm(WaveSize::W32);
        let mut text = String::new();
        timed(b, || {
            let mut length = 0;
            for inst in Decoder::new(target, &words).flatten() {
                text.clear();
                format_inst(&inst, options, &mut text).expect("a String takes all");
                length += text.len();
            }
            length
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);

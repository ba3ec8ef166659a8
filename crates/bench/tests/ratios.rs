//! What may not get worse, as ratios within one run: growth with the length of a program, memory, and the
//! cost of a key. The bounds are wide enough for a build that is not optimised and checks itself between
//! phases; `cargo xtask bench` prints the figures of a release build.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::convert::Infallible;
use std::time::Duration;

use peak_alloc::PeakAlloc;
use spirdna_bench::{Way, synthetic};
use spirdna_translate::key::{CacheKey, KnownCode};
use spirdna_translate::program::Program;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The least time of some runs.
fn least(runs: u32, mut body: impl FnMut()) -> Duration {
    let body = || {
        body();
        Ok::<(), Infallible>(())
    };
    spirdna_bench::least(Duration::ZERO, runs, body).unwrap()
}

// One test: the allocator counts for the whole process.
#[test]
fn growth_memory_and_keys() {
    const TIMES: usize = 8;
    let (short, long) = (synthetic(1000).unwrap(), synthetic(1000 * TIMES).unwrap());
    // At S = 8 short programs are emitted without slot loops: both are long.
    let (middle, longer) = (synthetic(2000).unwrap(), synthetic(2000 * TIMES).unwrap());
    for (way, few, many) in [(Way::FAST, &short, &long), (Way::FAST_8, &middle, &longer)] {
        let small = least(5, || drop(way.translate(few).unwrap()));
        let large = least(2, || drop(way.translate(many).unwrap()));
        let ratio = large.as_secs_f64() / small.as_secs_f64();
        eprintln!(
            "{}: {TIMES} times the code takes {ratio:.1} times as long",
            way.name()
        );
        // n log n: 8 * log(8000) / log(1000) = 10.4; n * sqrt(n) 22.6. Other processes cost some.
        assert!(ratio < 20.0, "{}: {ratio}", way.name());
    }

    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    drop(Way::FAST.translate(&long).unwrap());
    let peak = ALLOCATOR.peak_usage() - before;
    let per_byte = peak as f64 / (long.code.len() * 4) as f64;
    eprintln!("{per_byte:.0} bytes for each byte of code");
    assert!(per_byte < MEMORY, "{per_byte}");

    let translation = least(3, || drop(Way::FAST.translate(&short).unwrap()));
    let program = Program::decode(short.launch.target, &short.code).unwrap();
    let (host, options) = (Way::FAST.host(&short), Way::FAST.options());
    let key = least(20, || {
        let code = program.code_hash();
        std::hint::black_box(CacheKey::new(
            code,
            &short.launch,
            &host,
            &options,
            &short.facts,
        ));
    });
    let mut known = KnownCode::new(10);
    known.code_hash(short.launch.target, &short.code).unwrap();
    let look_up = least(20, || {
        std::hint::black_box(known.look_up(short.launch.target, &short.code));
    });
    let share = |time: Duration| time.as_secs_f64() / translation.as_secs_f64();
    eprintln!(
        "a key: {:.4} of a translation; a look-up: {:.4}",
        share(key),
        share(look_up)
    );
    assert!(share(key) < 0.02, "{}", share(key));
    assert!(share(look_up) < 0.02, "{}", share(look_up));
}

/// Bytes for each byte of code.
const MEMORY: f64 = 200.0;

//! The clock of the benches.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Time since the first call.
pub fn wall() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Time that this thread has had on a core, in steps of milliseconds; the wall's where the system does not
/// say.
fn on_core() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|t| t.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(wall, Duration::from_nanos)
}

/// What the core's clock can tell apart well enough.
const COARSE: Duration = Duration::from_millis(40);

/// The least time of a body, over `time` and at least `runs` runs, so that other processes show little: the
/// wall's where it is short, since some run goes undisturbed, otherwise that on the core.
///
/// # Errors
/// As the body's.
pub fn least<T, E>(
    time: Duration,
    runs: u32,
    mut body: impl FnMut() -> Result<T, E>,
) -> Result<Duration, E> {
    let (mut best, mut done) = (Duration::MAX, 0);
    let begin = wall();
    while done < runs || wall().saturating_sub(begin) < time {
        let start_on_core = on_core();
        let start = wall();
        let made = body()?;
        let mut took = wall().saturating_sub(start);
        if took > COARSE {
            took = took.min(on_core().saturating_sub(start_on_core));
        }
        // What is made is dropped outside.
        drop(std::hint::black_box(made));
        best = best.min(took);
        done += 1;
    }
    Ok(best)
}

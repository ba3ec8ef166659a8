//! Skips of tests: printed, counted, and no skips where the machine must have everything; and the day by which
//! parts of a test take turns.
#![allow(dead_code)] // each test binary uses a part

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Prints a skip, past what a test that passes keeps to itself, and counts it.
pub fn skipped(what: &str, reason: &str) {
    let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
    let _ = writeln!(
        std::io::stderr(),
        "SKIPPED ({count} so far): {what}: {reason}"
    );
}

/// The day by which parts take turns: days since 1970, or what the environment variable says.
pub fn day(variable: &str) -> u64 {
    let given = std::env::var(variable).ok();
    let given = given.map(|day| {
        day.parse()
            .unwrap_or_else(|_| panic!("{variable} is a number"))
    });
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    given.unwrap_or(since.map_or(0, |time| time.as_secs() / 86_400))
}

/// Whether a missing device or tool is a failure.
pub fn required() -> bool {
    std::env::var_os("SPIRDNA_REQUIRE_VULKAN").is_some_and(|v| v == "1")
}

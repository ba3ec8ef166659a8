//! Skips of tests: printed, counted, and no skips where the machine must have everything.
#![allow(dead_code)] // each test binary uses a part

use std::sync::atomic::{AtomicUsize, Ordering};

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Prints a skip and counts it.
pub fn skipped(what: &str, reason: &str) {
    let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
    eprintln!("SKIPPED ({count} so far): {what}: {reason}");
}

/// Whether a missing device or tool is a failure.
pub fn required() -> bool {
    std::env::var_os("SPIRDNA_REQUIRE_VULKAN").is_some_and(|v| v == "1")
}

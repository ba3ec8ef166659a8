//! Checks of the region tree.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a failed test stops by panicking

mod cases;
mod interpret;
mod size;
mod statics;

//! Lifted programs of memory instructions, executed by the IR's evaluator. Expected values come from
//! hardware tables and from models of the tests' own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop
#![allow(clippy::print_stdout)] // skips are printed

mod addressing;
mod alu;
mod captured;
mod forms;
mod loops;
mod private;
mod refusals;
mod rows;
mod runtime;
mod seeds;
mod world;

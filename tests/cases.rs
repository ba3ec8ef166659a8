//! Every case file, one test each on the reference and on each device configuration. `build.rs`
//! lists the files; `cases_harness` runs them; `known-failures.toml` names what fails, and why.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod cases_harness;
mod skips;

use cases_harness as harness;

/// The tests of one case file.
macro_rules! case {
    ($test:ident, $name:literal, $path:literal) => {
        mod $test {
            use super::harness::{self, Config};

            #[test]
            fn reference() {
                harness::reference($name, $path);
            }
            #[test]
            fn s1() {
                harness::device($name, Config::S1);
            }
            #[test]
            fn s4() {
                harness::device($name, Config::S4);
            }
            #[test]
            fn s8() {
                harness::device($name, Config::S8);
            }
            #[test]
            fn s16() {
                harness::device($name, Config::S16);
            }
            #[test]
            fn wave() {
                harness::device($name, Config::Wave);
            }
            #[test]
            fn no_facts() {
                harness::device($name, Config::NoFacts);
            }
            #[test]
            fn offset() {
                harness::device($name, Config::Offset);
            }
            #[test]
            fn pages() {
                harness::device($name, Config::Pages);
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// Every case file by name and path.
const ALL: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/list.rs"));

/// The captured cases lie beside the checkout; without them their tests do not exist.
#[test]
fn captured_cases_are_present() {
    let captured = ALL.iter().filter(|(name, _)| name.starts_with("captured/"));
    if captured.count() == 0 {
        skips::skipped("the captured cases", "../shared/captured is absent");
    }
}

/// Every entry of the list names a case and a configuration.
#[test]
fn known_failures_name_cases() {
    harness::check_known_failures();
}

/// Not a test: the process in which a device works. It is started by the tests above.
#[test]
#[ignore = "the device process of the other tests"]
fn device_child() {
    harness::child();
}

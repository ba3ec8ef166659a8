//! Runs case files for the test binary. The reference runs in the test's own thread; a device works
//! in a child process a configuration, which runs all selected cases in one go, because a driver may
//! hang or crash and takes a while to start. A case that takes the child down fails alone: the rest
//! goes on in a new one.

mod known;
mod process;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use spirdna_case::Case;
use spirdna_case::exec::{
    Executor, Host, ReferenceExecutor, VulkanExecutor, VulkanOptions, judge, same_as_original,
    same_memory,
};
use spirdna_translate::options::MemoryModel;
use spirdna_vulkan::{Device, DeviceChoice, Options, VulkanError};

pub use known::check_known_failures;
pub use process::child;

use crate::skips::{day, required, skipped};

/// A device configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Config {
    /// No subgroup operation at all.
    S1,
    /// lavapipe with subgroups of 4.
    S4,
    /// lavapipe with subgroups of 8.
    S8,
    /// lavapipe with subgroups of 16.
    S16,
    /// Subgroups as wide as the wave: a GPU.
    Wave,
    /// lavapipe with subgroups of 8, with nothing promised of descriptors.
    NoFacts,
    /// The same with facts, and memory behind addresses of the device, by a constant of each range.
    Offset,
    /// The same through a page table.
    Pages,
}

impl Config {
    pub const ALL: [Config; 8] = [
        Config::S1,
        Config::S4,
        Config::S8,
        Config::S16,
        Config::Wave,
        Config::NoFacts,
        Config::Offset,
        Config::Pages,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Config::S1 => "s1",
            Config::S4 => "s4",
            Config::S8 => "s8",
            Config::S16 => "s16",
            Config::Wave => "wave",
            Config::NoFacts => "no_facts",
            Config::Offset => "offset",
            Config::Pages => "pages",
        }
    }

    /// The subgroup size that translations are made for; `None`: the wave's.
    const fn size(self) -> Option<u32> {
        match self {
            Config::S1 => Some(1),
            Config::S4 => Some(4),
            Config::S8 | Config::NoFacts | Config::Offset | Config::Pages => Some(8),
            Config::S16 => Some(16),
            Config::Wave => None,
        }
    }

    /// How guest addresses become places.
    const fn memory(self) -> MemoryModel {
        match self {
            Config::Offset => MemoryModel::Offset,
            Config::Pages => MemoryModel::Pages,
            _ => MemoryModel::Windows,
        }
    }

    /// `LP_NATIVE_VECTOR_WIDTH`, by which lavapipe chooses its subgroup size.
    const fn vector_width(self) -> Option<&'static str> {
        match self {
            // Without subgroup operations any width does; the narrowest compiles in half the time.
            Config::S1 | Config::S4 => Some("128"),
            Config::S8 | Config::NoFacts | Config::Offset | Config::Pages => Some("256"),
            Config::S16 => Some("512"),
            Config::Wave => None,
        }
    }
}

/// What became of a case in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Result {
    Pass,
    Fail(String),
    /// What it needs is not there.
    Skip(String),
}

/// The verdict of a test, with the list of known failures applied.
fn conclude(name: &str, device: &str, result: Result) {
    match (result, known::reason(name, device)) {
        (Result::Skip(reason), _) => skipped(&format!("{name} on {device}"), &reason),
        (Result::Pass, None) => {}
        (Result::Fail(message), None) => panic!("{name} on {device}: {message}"),
        (Result::Fail(message), Some(reason)) => {
            eprintln!("known failure: {name} on {device}: {reason}\n{message}");
        }
        (Result::Pass, Some(reason)) => panic!(
            "{name} on {device} passes, and tests/known-failures.toml says that it fails: {reason}"
        ),
    }
}

/// The test of a case on the reference.
pub fn reference(name: &str, path: &str) {
    let run = || {
        let case = Case::load(Path::new(path)).map_err(|e| e.to_string())?;
        let outcome = ReferenceExecutor::default()
            .run(&case)
            .map_err(|e| e.to_string())?;
        let failures = judge(&case, &outcome);
        failures.first().map_or(Ok(()), |f| Err(f.to_string()))
    };
    let result = match run() {
        Ok(()) => Result::Pass,
        Err(message) => Result::Fail(message),
    };
    conclude(name, "reference", result);
}

/// Of the cases, one in so many runs with a memory model with addresses, others each day; all of them do on
/// the machine (tests/machine.rs).
const MODEL_TURNS: usize = 24;

/// Whether a case runs in a configuration. The captured cases, the vectors and the library kernels
/// take turns at the configurations of lavapipe, one each, and the captured ones at the days too: compiling
/// them all for all takes longer than a check may.
/// `SPIRDNA_ALL=1` runs all of them.
fn selected(name: &str, config: Config) -> bool {
    let all = std::env::var_os("SPIRDNA_ALL").is_some_and(|v| v == "1");
    let turns = [
        Config::S8,
        Config::S4,
        Config::S16,
        Config::S1,
        Config::NoFacts,
    ];
    let in_turn = |name: &str| {
        ["captured/", "seeds/vectors/", "seeds/library/"]
            .iter()
            .any(|folder| name.starts_with(folder))
    };
    if all || config == Config::Wave {
        return true;
    }
    let others = crate::ALL
        .iter()
        .filter(|(n, _)| in_turn(n) == in_turn(name));
    let number = others.take_while(|(n, _)| *n != name).count();
    match config {
        Config::Offset => return (number + today() as usize).is_multiple_of(MODEL_TURNS),
        Config::Pages => return (number + today() as usize) % MODEL_TURNS == 12,
        _ if !in_turn(name) => return true,
        _ => {}
    }
    // Each captured case comes to every configuration as the days go by.
    let day = today() as usize;
    let (turn, number) = match name.strip_prefix("captured/") {
        Some(_) => (
            number % CAPTURED_DAYS == day % CAPTURED_DAYS,
            number + day / CAPTURED_DAYS,
        ),
        None => (true, number),
    };
    turn && turns.get(number % turns.len()) == Some(&config)
}

/// Days in which every captured case runs on a device once.
const CAPTURED_DAYS: usize = 8;

/// Days since 1970; `SPIRDNA_CASES_DAY` is another.
fn today() -> u64 {
    day("SPIRDNA_CASES_DAY")
}

/// Says how many cases are not in turn, and how to have all.
fn turns(config: Config) {
    let all = crate::ALL.len();
    let some = crate::ALL.iter().filter(|(name, _)| selected(name, config));
    let some = some.count();
    if some < all {
        let (what, name) = (format!("{} of {all} cases", all - some), config.name());
        let reason = format!(
            "not in turn today (day {}); SPIRDNA_ALL=1 runs all",
            today()
        );
        skipped(&format!("{what} on {name}"), &reason);
    }
}

/// The test of a case on a device.
pub fn device(name: &str, config: Config) {
    if !selected(name, config) {
        return;
    }
    static RESULTS: [OnceLock<BTreeMap<String, Result>>; Config::ALL.len()] =
        [const { OnceLock::new() }; Config::ALL.len()];
    let results = RESULTS[config as usize].get_or_init(|| {
        turns(config);
        process::run_all(config)
    });
    let result = results.get(name).cloned();
    let missing = || Result::Fail("the device process does not know it".to_owned());
    conclude(name, config.name(), result.unwrap_or_else(missing));
}

/// The device of a configuration, open; or why its cases are skipped or fail.
fn open(config: Config) -> std::result::Result<VulkanExecutor, Result> {
    let options = Options {
        validation: true,
        timeout: process::PATIENCE / 2,
        ..Options::default()
    };
    let opened = match Device::open(DeviceChoice::Default, options.clone()) {
        // Validation layers are required in CI and used elsewhere where they are.
        Err(VulkanError::LayerMissing { .. }) if !required() => {
            let validation = false;
            Device::open(
                DeviceChoice::Default,
                Options {
                    validation,
                    ..options
                },
            )
        }
        other => other,
    };
    let device = match opened {
        Ok(device) => device,
        Err(e) if e.is_device_missing() && !required() => return Err(Result::Skip(e.to_string())),
        Err(e) => return Err(Result::Fail(e.to_string())),
    };
    let measured = device.measured_subgroup_size();
    let info = device.info();
    let can = |s: u32| {
        s == measured
            || (info.features.required_subgroup_compute
                && (info.min_subgroup_size..=info.max_subgroup_size).contains(&s))
    };
    let lavapipe = info.name.contains("llvmpipe");
    let (has, what) = match config.size() {
        Some(1) => (true, String::new()),
        Some(s) => (can(s), format!("subgroups of {s}")),
        None => (can(32) || can(64), "subgroups as wide as a wave".to_owned()),
    };
    if !has {
        let text = format!("{} has no {what}", info.name);
        // lavapipe takes the size that it is told: not to have it is a fault of the set-up.
        let fault = lavapipe && config != Config::Wave && required();
        return Err(if fault {
            Result::Fail(text)
        } else {
            Result::Skip(text)
        });
    }
    let options = VulkanOptions {
        subgroup_size: config.size(),
        no_facts: config == Config::NoFacts,
        translate: spirdna_translate::options::Options {
            memory: config.memory(),
            ..Default::default()
        },
        ..VulkanOptions::default()
    };
    Ok(VulkanExecutor::new(device, options))
}

/// A case on a device: what it expects, the reference's memory bit for bit, and the original's.
fn on_device(executor: &mut VulkanExecutor, config: Config, path: &str) -> Result {
    let mut run = || {
        let case = Case::load(Path::new(path)).map_err(|e| e.to_string())?;
        if config == Config::Wave {
            let wave = case.dispatches.first().map_or(0, |d| d.launch.wave.lanes());
            if executor.subgroup_size(wave) != wave {
                return Ok(Result::Skip(format!("no subgroups of {wave}")));
            }
        }
        let outcome = executor.run(&case).map_err(|e| e.to_string())?;
        let mut failures = judge(&case, &outcome);
        let reference = ReferenceExecutor::default().run(&case);
        let reference = reference.map_err(|e| format!("reference: {e}"))?;
        failures.extend(same_memory(&case, &outcome, &reference, "the reference"));
        if executor.can_compare_original(&case) {
            let original = executor.run_original(&case);
            let original = original.map_err(|e| format!("original: {e}"))?;
            failures.extend(same_as_original(&case, &outcome, &original));
        }
        match failures.first() {
            None => Ok(Result::Pass),
            Some(f) => Err(f.to_string()),
        }
    };
    run().unwrap_or_else(Result::Fail)
}

//! `tests/known-failures.toml`: cases that fail for a stated reason. A pass of one of them fails its
//! test, so that the list cannot go stale.

use std::sync::OnceLock;

use serde::Deserialize;

use super::Config;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    known: Vec<Known>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    /// The case's name.
    case: String,
    /// `reference`, a configuration, or `vulkan` for all of them.
    device: String,
    reason: String,
}

fn list() -> &'static [Known] {
    static LIST: OnceLock<Vec<Known>> = OnceLock::new();
    LIST.get_or_init(|| {
        let text = include_str!("../known-failures.toml");
        toml::from_str::<File>(text)
            .expect("known-failures.toml")
            .known
    })
}

/// Why a case is known to fail on a device.
pub fn reason(case: &str, device: &str) -> Option<&'static str> {
    list()
        .iter()
        .find(|k| {
            let all = k.device == "vulkan" && device != "reference";
            k.case == case && (k.device == device || all)
        })
        .map(|k| k.reason.as_str())
}

/// Fails for an entry that names nothing.
pub fn check_known_failures() {
    for known in list() {
        let captured = known.case.starts_with("captured/");
        let absent = !crate::ALL
            .iter()
            .any(|(name, _)| name.starts_with("captured/"));
        assert!(
            (captured && absent) || crate::ALL.iter().any(|(name, _)| *name == known.case),
            "known-failures.toml: there is no case {}",
            known.case
        );
        assert!(
            ["reference", "vulkan"].contains(&known.device.as_str())
                || Config::ALL.iter().any(|c| c.name() == known.device),
            "known-failures.toml: there is no device {}",
            known.device
        );
        assert!(!known.reason.is_empty());
    }
}

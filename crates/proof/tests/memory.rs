//! The memory generator's plans: what is made of every row runs on the reference without a fault and is
//! translated, except what is refused by name. `SPIRDNA_ALL=1` looks at every instance.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use spirdna_isa::WaveSize;
use spirdna_proof::memory::Memory;
use spirdna_proof::{Depth, Generator, Selection};

/// Reasons of refusals that are meant.
const NAMED: [&str; 10] = [
    "a clock has no exact value",
    "clocks of the guest's device",
    "address translation probe",
    "data cache discard",
    "scalar scratch",
    "where scalar scratch lies",
    "probes of address translation",
    "what a data cache loses",
    "ordered count",
    "global wave sync",
];

#[test]
fn every_instance_is_sound() {
    let all = std::env::var_os("SPIRDNA_ALL").is_some_and(|v| v == "1");
    let filter = std::env::var("SPIRDNA_FILTER").ok();
    let depth = if all { Depth::Long } else { Depth::Ci };
    let selection = Selection {
        waves: vec![WaveSize::W32],
        filter: filter.into_iter().collect(),
        // All keys take a minute.
        slow: if all { (0, 1) } else { (0, 4) },
        ..Selection::all(depth)
    };
    let planned = Memory.plan(&selection);
    let mut strange = Vec::new();
    for refused in &planned.refused {
        if !NAMED.iter().any(|n| refused.reason.contains(n)) {
            strange.push(format!("{}: {}", refused.text, refused.reason));
        }
    }
    let bare: Vec<String> = selection
        .keys(&Memory)
        .iter()
        .filter(|(_, key)| !planned.instances.iter().any(|(k, n)| k == key && *n > 0))
        .map(|(_, key)| key.to_string())
        .collect();
    let instances: usize = planned.instances.iter().map(|(_, n)| n).sum();
    eprintln!(
        "{instances} instances of {} keys, {} refused",
        planned.instances.len(),
        planned.refused.len()
    );
    assert!(bare.is_empty(), "without an instance: {bare:#?}");
    assert!(
        strange.is_empty(),
        "{} refused: {strange:#?}",
        strange.len()
    );
}

//! Subgroup operations in loops that invocations leave at different times: those in one trip meet.
//! `trips.spv` is `glslangValidator -V --target-env vulkan1.3 -o trips.spv trips.comp`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use spirdna_machine::{Binding, Dispatch, Module, Options, run};

/// Each turn serves the invocations whose value is the first one's: two of the eight.
#[test]
fn invocations_meet_in_the_same_trip() {
    let words: Vec<u32> = include_bytes!("trips.spv")
        .chunks_exact(4)
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect();
    let module = Module::load(&words, "main").unwrap();
    let mut bytes = vec![0; 32];
    let dispatch = Dispatch {
        groups: [1, 1, 1],
        subgroup_size: 8,
        push: &[],
        buffers: vec![Binding {
            set: 0,
            binding: 0,
            bytes: &mut bytes,
        }],
    };
    let options = Options {
        partial_subgroups: true,
        ..Options::default()
    };
    run(&module, dispatch, &options).unwrap();
    let found: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect();
    // Two in each ballot, in turns 1 to 4.
    assert_eq!(found, [33, 34, 35, 36, 33, 34, 35, 36]);
}

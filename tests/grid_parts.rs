//! Grids that a device takes in parts: workgroup ids must be the guest's all the same. Knows no instruction.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::path::Path;

use spirdna_case::Case;
use spirdna_case::exec::{Executor, VulkanExecutor, VulkanOptions, judge};
use spirdna_vulkan::{Device, DeviceChoice, Options};

/// A shader that stores all its ids, over 2 x 3 x 2 workgroups, where one dispatch takes 2 x 1 x 1. What it
/// expects is in its file.
#[test]
fn ids_are_the_guests_in_every_part() {
    let options = Options {
        max_workgroup_count: Some([2, 1, 1]),
        ..Options::default()
    };
    let device = match Device::open(DeviceChoice::Default, options) {
        Ok(device) => device,
        Err(e) if e.is_device_missing() && !skips::required() => {
            return skips::skipped("grids in parts", &e.to_string());
        }
        Err(e) => panic!("{e}"),
    };
    let mut place = VulkanExecutor::new(device, VulkanOptions::default());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/shaders/ids/ids.w32.case.toml");
    let case = Case::load(&path).unwrap();
    let outcome = place.run(&case).unwrap();
    assert!(outcome.faults.is_empty());
    let failures = judge(&case, &outcome);
    assert!(failures.is_empty(), "{}", failures[0]);
}

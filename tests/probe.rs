//! `spirdna probe` on a device: its profile loads, says what is known of lavapipe, and translations by it
//! give the reference's bits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::fs;
use std::path::Path;

use spirdna_case::profile::profile_from_toml;
use spirdna_cli::{Exit, main_with};
use spirdna_vulkan::{Device, DeviceChoice};

fn command(arguments: &[&str]) -> (Exit, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let list = ["spirdna"].iter().chain(arguments);
    let exit = main_with(list, None, &mut out, &mut err);
    out.extend(err);
    (exit, String::from_utf8(out).unwrap())
}

#[test]
fn the_profile_of_a_device_loads_and_holds() {
    let size = match Device::open(DeviceChoice::Default, spirdna_vulkan::Options::default()) {
        Ok(device) => device.measured_subgroup_size(),
        Err(e) => {
            assert!(!skips::required(), "{e}");
            return skips::skipped("a measured profile", &e.to_string());
        }
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("host.toml");
    let path = file.to_str().unwrap();
    let (exit, text) = command(&["probe", "-o", path]);
    assert_eq!(exit, Exit::Success, "{text}");
    let text = fs::read_to_string(&file).unwrap();
    let profile = profile_from_toml(&text).unwrap();
    assert_eq!(profile.subgroup_size, size);
    // Facts measured with other shaders (known of Mesa 22.3.6).
    if text.starts_with("# llvmpipe") {
        for (name, host) in [
            ("f16", profile.f16),
            ("f32", profile.f32),
            ("f64", profile.f64),
        ] {
            assert!(
                host.keeps_denorms && !host.flushes_denorms,
                "{name}: {host:?}"
            );
            assert!(
                !host.denorm_preserve && !host.denorm_flush,
                "{name}: {host:?}"
            );
            assert!(host.rte && host.signed_zero_inf_nan, "{name}: {host:?}");
        }
        assert!(!profile.f16.fused_fma && !profile.f32.fused_fma);
        let features = [
            profile.int16,
            profile.float16,
            profile.int64,
            profile.float64,
        ];
        assert_eq!(features, [true; 4]);
        assert!(profile.buffer_atomic64 && profile.shared_atomic64);
        assert_eq!(profile.max_workgroup_memory, 32 << 10);
    }
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/known-faults");
    for name in ["vector", "mad", "sdwa"] {
        let case = case.join(format!("{name}.case.toml"));
        let case = case.to_str().unwrap();
        let (exit, text) = command(&["run", case, "--device", "vulkan", "--profile", path]);
        assert_eq!(exit, Exit::Success, "{text}");
    }
    // Another size, and what is no device.
    let (exit, text) = command(&["probe", "--subgroup-size", "4"]);
    assert_eq!(exit, Exit::Success, "{text}");
    assert_eq!(profile_from_toml(&text).unwrap().subgroup_size, 4);
    assert_eq!(command(&["probe", "--device", "machine"]).0, Exit::Unusable);
    assert_eq!(
        command(&["probe", "--subgroup-size", "6"]).0,
        Exit::Unusable
    );
}

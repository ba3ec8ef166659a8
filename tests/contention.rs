//! Atomics of many lanes on one address: the old values that they get are those of some order of the lanes.
//! On the machine at several subgroup sizes, all of them; on a device, where lanes do come at once, part
//! of them. With the host's 64-bit atomics, and under locks on a host that has none.
//!
//! `spirdna contend` runs all on any device.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use spirdna_case::exec::machine::machine_profile;
use spirdna_case::exec::{Executor, MachineExecutor, MachineSetup, VulkanExecutor, VulkanOptions};
use spirdna_case::profile::profile_from_device;
use spirdna_isa::WaveSize;
use spirdna_proof::memory::contended::{Contended, Contention, atomics};
use spirdna_proof::{Depth, Selection};
use spirdna_translate::options::MemoryModel;
use spirdna_translate::profile::HostProfile;
use spirdna_vulkan::{Device, DeviceChoice};

/// The atomics whose names contain one of these, in modules of at most so many.
fn modules(filter: &[&str], wave: WaveSize, together: usize) -> Vec<Contention> {
    let mut selection = Selection::all(Depth::Long);
    selection.filter = filter.iter().map(|f| (*f).to_owned()).collect();
    let mut groups: Vec<Vec<Contended>> = Vec::new();
    for atomic in atomics(&selection, wave) {
        let fits = |g: &&mut Vec<Contended>| g.len() < together && atomic.goes_with(&g[0]);
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(atomic),
            None => groups.push(vec![atomic]),
        }
    }
    let groups = groups.into_iter().enumerate();
    groups
        .map(|(i, g)| Contention::new(format!("contention {i}"), g, wave).unwrap())
        .collect()
}

/// Without 64-bit atomics.
fn poor(profile: HostProfile) -> HostProfile {
    HostProfile {
        buffer_atomic64: false,
        shared_atomic64: false,
        ..profile
    }
}

fn hold(place: &mut dyn Executor, modules: &[Contention]) {
    assert!(!modules.is_empty());
    for module in modules {
        let outcome = place.run(&module.case).unwrap();
        assert_eq!(module.judge(&outcome.memory), Vec::<String>::new());
    }
}

#[test]
fn an_order_on_the_machine() {
    for (s, wave) in [(1, WaveSize::W32), (8, WaveSize::W64), (32, WaveSize::W32)] {
        let mut machine = MachineExecutor::new(MachineSetup {
            subgroup_size: Some(s),
            profile: (s != 32).then(|| poor(machine_profile(s))),
            ..MachineSetup::default()
        });
        hold(&mut machine, &modules(&[], wave, 16));
    }
}

/// Wide atomics of memory and of LDS, and what locks put beside them.
#[test]
fn an_order_on_a_device() {
    on_a_device(
        &[
            "ds_max_rtn_u64",
            "ds_dec_rtn_u64",
            "ds_add_rtn_u32",
            "global_atomic_umax",
            "global_atomic_cmpswap_x2",
            "s_atomic_sub_x2",
        ],
        MemoryModel::Windows,
        usize::MAX,
    );
}

/// One module each behind device addresses: they compile slowly.
#[test]
fn an_order_behind_addresses() {
    on_a_device(&["global_atomic_sub"], MemoryModel::Offset, 1);
    on_a_device(&["buffer_atomic_umin"], MemoryModel::Pages, 1);
}

fn on_a_device(filter: &[&str], memory: MemoryModel, most: usize) {
    let device = match Device::open(DeviceChoice::Default, spirdna_vulkan::Options::default()) {
        Ok(device) => device,
        Err(e) if e.is_device_missing() && !skips::required() => {
            return skips::skipped("contention on a device", &e.to_string());
        }
        Err(e) => panic!("{e}"),
    };
    let s = device.measured_subgroup_size();
    let poor = poor(profile_from_device(device.info(), s));
    let mut modules = modules(filter, WaveSize::W32, if most == 1 { 2 } else { 8 });
    modules.truncate(most);
    let mut place = VulkanExecutor::new(
        device,
        VulkanOptions {
            subgroup_size: Some(s),
            profile: Some(poor),
            translate: spirdna_translate::options::Options {
                memory,
                ..Default::default()
            },
            ..VulkanOptions::default()
        },
    );
    hold(&mut place, &modules);
}

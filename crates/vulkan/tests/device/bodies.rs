//! What the device tests do inside their child processes. Each body is an ignored test, started by
//! name by its parent in `device.rs`, which sets the environment.

use std::time::Duration;

use spirdna_vulkan::{
    AddressPatch, Buffer, Device, DeviceChoice, Job, JobError, ModuleError, Options, PatchTarget,
    ProbeFault, Report, VulkanError, devices,
};

use super::{SKIP, is_required};

macro_rules! shader {
    ($name:literal) => {
        words(include_bytes!(concat!("../shaders/", $name, ".spv")))
    };
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

fn bytes(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Opens the default device with validation; without a device, or without the layer, says so.
fn open(options: Options) -> Option<Device> {
    let mut options = Options {
        validation: true,
        ..options
    };
    let mut result = Device::open(DeviceChoice::Default, options.clone());
    if matches!(result, Err(VulkanError::LayerMissing { .. })) && !is_required() {
        options.validation = false;
        result = Device::open(DeviceChoice::Default, options);
    }
    match result {
        Ok(device) => Some(device),
        Err(error) if error.is_device_missing() && !is_required() => {
            println!("\n{SKIP}{error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn prints_the_subgroup_size() {
    if let Some(device) = open(Options::default()) {
        assert_eq!(device.measured_subgroup_size(), device.info().subgroup_size);
        println!("{:#?}", device.info());
        println!("S = {}", device.measured_subgroup_size());
    }
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn the_size_is_a_lie() {
    let error = Device::open(DeviceChoice::Default, Options::default()).unwrap_err();
    assert!(
        matches!(
            error,
            VulkanError::Probe {
                fault: ProbeFault::SubgroupSize { .. },
                ..
            }
        ),
        "{error}"
    );
    assert!(error.is_device_fault());
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn the_device_is_null() {
    let all = devices().unwrap();
    assert!(!all.is_empty(), "RADV offers no device");
    for device in all {
        assert!(device.null_device, "{device:?}");
        for choice in [
            DeviceChoice::Default,
            DeviceChoice::Index(device.index),
            DeviceChoice::Name(device.name.clone()),
        ] {
            let error = Device::open(choice, Options::default()).unwrap_err();
            assert!(matches!(error, VulkanError::NullDevice { .. }), "{error}");
        }
    }
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn there_is_no_device() {
    match devices() {
        Ok(all) => assert_eq!(all, []),
        Err(error) => assert!(matches!(error, VulkanError::LoaderMissing { .. })),
    }
    let error = Device::open(DeviceChoice::Default, Options::default()).unwrap_err();
    assert!(
        error.is_device_missing() && error.is_device_fault(),
        "{error}"
    );
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn wishes_are_heard() {
    let all = devices().unwrap();
    let Some(first) = all.first() else {
        println!("\n{SKIP}no device");
        return;
    };
    let part = first.name.get(..4).unwrap().to_uppercase();
    let device = Device::open(DeviceChoice::Name(part), Options::default()).unwrap();
    assert_eq!(device.info(), first);
    drop(device);
    for choice in [
        DeviceChoice::Name("no such device".to_owned()),
        DeviceChoice::Index(all.len()),
    ] {
        let error = Device::open(choice, Options::default()).unwrap_err();
        assert!(
            matches!(&error, VulkanError::NoSuchDevice { have, .. } if have.contains(&first.name)),
            "{error}"
        );
    }
}

fn double(
    device: &mut Device,
    data: &mut Vec<u8>,
    visits: &mut Vec<u8>,
    groups: [u32; 3],
    repeat: u32,
) -> Result<Report, VulkanError> {
    let words = shader!("double");
    let mut job = Job::new(&words, "main", groups);
    job.buffers = vec![Buffer::storage(0, 0, data), Buffer::storage(0, 2, visits)];
    // A base that the device must overwrite.
    job.push = bytes([groups[0], groups[1], 7, 99, 99, 99, 99]);
    job.group_base_push_offset = Some(16);
    job.repeat = repeat;
    device.run(&mut job)
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn splits_a_grid() {
    for (max, dispatches, copy_memory) in [
        (None, 1, false),
        (Some([3, 2, 1]), 2 * 2 * 3, false),
        (Some([3, 2, 1]), 2 * 2 * 3, true),
    ] {
        let Some(mut device) = open(Options {
            max_workgroup_count: max,
            copy_memory,
            ..Options::default()
        }) else {
            return;
        };
        let before: Vec<u32> = (0..5 * 3 * 3 * 4).map(|i| i * 0x0101).collect();
        for repeat in [1, 2] {
            let mut data = bytes(before.clone());
            let mut visits = bytes(vec![0; before.len()]);
            let report = double(&mut device, &mut data, &mut visits, [5, 3, 3], repeat).unwrap();
            assert_eq!(report.dispatches, dispatches * repeat);
            assert!(report.seconds > 0.0);
            assert!(
                report
                    .device_seconds
                    .is_none_or(|s| (0.0..60.0).contains(&s))
            );
            assert!(words(&visits).iter().all(|&n| n == repeat));
            let once = |x: u32| x * 2 + 7;
            for (after, &before) in words(&data).into_iter().zip(&before) {
                let expected = if repeat == 1 {
                    once(before)
                } else {
                    once(once(before))
                };
                assert_eq!(after, expected);
            }
        }
        if max.is_some() {
            let words = shader!("double");
            let (mut data, mut visits) = (vec![0; 64], vec![0; 64]);
            let mut job = Job::new(&words, "main", [4, 1, 1]);
            job.buffers = vec![
                Buffer::storage(0, 0, &mut data),
                Buffer::storage(0, 2, &mut visits),
            ];
            job.push = vec![0; 28];
            let error = device.run(&mut job).unwrap_err();
            assert!(
                matches!(error, VulkanError::Job(JobError::GroupBase { .. })),
                "{error}"
            );
        }
    }
}

/// More parts than one command buffer takes.
#[test]
#[ignore = "run by a parent test in a child process"]
fn runs_a_thousand_jobs() {
    let Some(mut device) = open(Options {
        max_workgroup_count: Some([1, 1, 1]),
        ..Options::default()
    }) else {
        return;
    };
    let mut data = bytes(vec![1; 2500 * 4]);
    let mut visits = bytes(vec![0; 2500 * 4]);
    let report = double(&mut device, &mut data, &mut visits, [2500, 1, 1], 1).unwrap();
    assert_eq!(report.dispatches, 2500);
    assert!(words(&visits).iter().all(|&n| n == 1));
    assert!(words(&data).iter().all(|&n| n == 9));

    let mut x = 1u32;
    let mut data = bytes([x; 4]);
    for _ in 0..1000 {
        let mut visits = bytes([0; 4]);
        double(&mut device, &mut data, &mut visits, [1, 1, 1], 1).unwrap();
        x = x.wrapping_mul(2).wrapping_add(7);
    }
    assert_eq!(words(&data), [x; 4]);
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn runs_an_empty_grid() {
    let Some(mut device) = open(Options::default()) else {
        return;
    };
    for groups in [[0, 1, 1], [1, 0, 1], [1, 1, 0], [u32::MAX, 0, u32::MAX]] {
        let (mut data, mut visits) = (vec![3; 16], vec![4; 16]);
        let report = double(&mut device, &mut data, &mut visits, groups, 1).unwrap();
        assert_eq!(report.dispatches, 0);
        assert_eq!((data, visits), (vec![3; 16], vec![4; 16]));
    }
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn reads_a_uniform_buffer() {
    for copy_memory in [false, true] {
        let Some(mut device) = open(Options {
            copy_memory,
            ..Options::default()
        }) else {
            return;
        };
        let words_of_shader = shader!("uniform");
        let mut factors = bytes([11, 12, 13, 14]);
        // Not a whole number of words: the shader sees five, the caller keeps 18 bytes.
        let mut data = vec![0xee; 18];
        let mut empty = Vec::new();
        let mut job = Job::new(&words_of_shader, "main", [1, 1, 1]);
        job.buffers = vec![
            Buffer::uniform(2, 5, &mut factors),
            Buffer::storage(0, 1, &mut data),
            Buffer::storage(1, 0, &mut empty),
        ];
        device.run(&mut job).unwrap();
        assert_eq!(words(&data), [11, 12 * 13, 5, 0xeeee_eeee]);
        assert_eq!(data.len(), 18);
        assert_eq!(words(&factors), [11, 12, 13, 14]);
        assert!(empty.is_empty());
    }
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn follows_addresses() {
    for copy_memory in [false, true] {
        let Some(mut device) = open(Options {
            copy_memory,
            ..Options::default()
        }) else {
            return;
        };
        if !device.info().features.buffer_device_address {
            println!("\n{SKIP}no device addresses");
            return;
        }
        let words_of_shader = shader!("address");
        let mut table = vec![0; 24];
        let mut target = bytes([1, 2, 3, 4]);
        let mut job = Job::new(&words_of_shader, "main", [1, 1, 1]);
        job.push = vec![0; 16];
        job.buffers = vec![
            Buffer::by_address(&mut table),
            Buffer::by_address(&mut target),
        ];
        job.addresses = vec![
            AddressPatch {
                target: PatchTarget::Push(8),
                buffer: 0,
                add: 16,
            },
            AddressPatch {
                target: PatchTarget::Buffer {
                    index: 0,
                    offset: 16,
                },
                buffer: 1,
                add: 4,
            },
        ];
        device.run(&mut job).unwrap();
        assert_eq!(words(&target), [1, 2, 7, 4]);
    }
}

fn subgroup(device: &mut Device, size: u32) -> Result<Vec<u32>, VulkanError> {
    let words_of_shader = shader!("subgroup");
    let mut data = vec![0; 64 * 4];
    let mut job = Job::new(&words_of_shader, "main", [1, 1, 1]);
    job.required_subgroup_size = Some(size);
    job.buffers.push(Buffer::storage(0, 0, &mut data));
    device.run(&mut job)?;
    Ok(words(&data))
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn requires_a_subgroup_size() {
    let Some(mut device) = open(Options::default()) else {
        return;
    };
    let info = device.info().clone();
    let mut met = 0;
    for size in [2u32, 3, 4, 8, 12, 16, 32, 64, 128] {
        let expected = size.is_power_of_two()
            && (info.min_subgroup_size..=info.max_subgroup_size).contains(&size)
            && 64 % size == 0;
        match subgroup(&mut device, size) {
            Ok(found) => {
                assert!(expected, "{size}");
                let right: Vec<u32> = (0..64).map(|i| (i ^ 1) | size << 16).collect();
                assert_eq!(found, right);
                met += 1;
            }
            Err(VulkanError::SubgroupSize { wanted, .. }) => {
                assert!(!expected && wanted == size, "{size}");
            }
            Err(VulkanError::Job(JobError::PartialSubgroup { .. })) => assert_eq!(size, 128),
            Err(error) => panic!("{size}: {error}"),
        }
    }
    assert!(met > 0, "not even {} is met", info.subgroup_size);
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn refuses_invalid_words() {
    let Some(mut device) = open(Options::default()) else {
        return;
    };
    if !device.is_validated() {
        println!("\n{SKIP}no validation layer");
        return;
    }
    let mut broken = shader!("uniform");
    // OpIAdd and OpIMul of the main function become operations on an id that does not exist.
    let multiply = broken
        .iter()
        .position(|&word| word == 5 << 16 | 132)
        .unwrap();
    broken[multiply + 3] = broken[3] - 1;
    let mut run = |words: &[u32]| {
        let (mut factors, mut data) = (vec![0; 16], vec![0; 16]);
        let mut job = Job::new(words, "main", [1, 1, 1]);
        job.buffers = vec![
            Buffer::uniform(2, 5, &mut factors),
            Buffer::storage(0, 1, &mut data),
        ];
        device.run(&mut job)
    };
    let error = run(&broken).unwrap_err();
    assert!(
        matches!(&error, VulkanError::Validation { messages } if !messages.is_empty()),
        "{error}"
    );
    // The device is none the worse for it.
    run(&shader!("uniform")).unwrap();
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn refuses_bad_jobs() {
    let Some(mut device) = open(Options::default()) else {
        return;
    };
    let limits = device.info().limits;
    let words_of_shader = shader!("uniform");
    let mut refuse = |change: &dyn Fn(&mut Job<'_>)| {
        let (mut factors, mut data) = (vec![0; 16], vec![0; 16]);
        let mut job = Job::new(&words_of_shader, "main", [1, 1, 1]);
        job.buffers = vec![
            Buffer::uniform(2, 5, &mut factors),
            Buffer::storage(0, 1, &mut data),
        ];
        change(&mut job);
        device.run(&mut job).unwrap_err()
    };
    let job_error = |error| match error {
        VulkanError::Job(error) => error,
        other => panic!("{other}"),
    };
    assert_eq!(
        job_error(refuse(&|job| job.buffers.truncate(1))),
        JobError::MissingBinding { set: 0, binding: 1 }
    );
    assert_eq!(
        job_error(refuse(&|job| {
            job.buffers[0].set = 0;
            job.buffers[0].binding = 1;
        })),
        JobError::DuplicateBinding { set: 0, binding: 1 }
    );
    assert_eq!(
        job_error(refuse(
            &|job| job.buffers[1].kind = spirdna_vulkan::BufferKind::Uniform
        )),
        JobError::BindingKind { set: 0, binding: 1 }
    );
    assert!(matches!(
        job_error(refuse(&|job| job.buffers[0].set = limits.max_bound_sets)),
        JobError::Limit { .. }
    ));
    assert!(matches!(
        job_error(refuse(
            &|job| job.push = vec![0; limits.max_push_constants as usize + 4]
        )),
        JobError::Limit { .. }
    ));
    assert_eq!(
        job_error(refuse(&|job| job.push = vec![0; 5])),
        JobError::PushLength { bytes: 5 }
    );
    assert!(matches!(
        job_error(refuse(&|job| {
            job.push = vec![0; 16];
            job.group_base_push_offset = Some(8);
        })),
        JobError::Patch { offset: 8, .. }
    ));
    assert_eq!(
        job_error(refuse(&|job| job.addresses.push(AddressPatch {
            target: PatchTarget::Push(0),
            buffer: 0,
            add: 0,
        }))),
        JobError::NoAddress { index: 0 }
    );
    assert!(matches!(
        refuse(&|job| job.entry = "other"),
        VulkanError::Module(ModuleError::EntryPoint { .. })
    ));
    // Capability Kernel, which no Vulkan device has, in place of Shader.
    let mut kernel = words_of_shader.clone();
    let capability = kernel
        .iter()
        .position(|&word| word == 2 << 16 | 17)
        .unwrap();
    kernel[capability + 1] = 6;
    let mut job = Job::new(&kernel, "main", [1, 1, 1]);
    let error = device.run(&mut job).unwrap_err();
    assert!(
        matches!(error, VulkanError::MissingFeature { .. }) && error.is_unsupported(),
        "{error}"
    );
}

#[test]
#[ignore = "run by a parent test in a child process"]
fn runs_out_of_time() {
    let Some(mut device) = open(Options {
        timeout: Duration::from_secs(1),
        ..Options::default()
    }) else {
        return;
    };
    let words_of_shader = shader!("long");
    let mut data = vec![1; 64 * 4];
    let mut job = Job::new(&words_of_shader, "main", [60000, 1000, 1]);
    job.buffers.push(Buffer::storage(0, 0, &mut data));
    let start = std::time::Instant::now();
    let error = device.run(&mut job).unwrap_err();
    assert!(matches!(error, VulkanError::Timeout { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(30));
    let error = device.run(&mut job).unwrap_err();
    assert!(matches!(error, VulkanError::Unusable), "{error}");
}

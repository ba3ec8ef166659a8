//! Emits, validates and executes the programs of `programs.rs`. Knows the layout of buffers from
//! `reflect.rs`, nothing of what the programs compute.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use spirdna_isa::WaveSize;
use spirdna_translate::emit::{EmitError, EmitOptions, Emitted, emit, flow_graph};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::reflect::{BufferUse, FAULT_SLOTS, POOL_RESERVED};
use spirdna_translate::structurize::structurize;
use spirdna_vulkan::child::run_in_child;
use spirdna_vulkan::{Buffer, Device, DeviceChoice, Job, Options, VulkanError};

use super::programs::{Program, programs};

/// What a child prints, at the start of a line, instead of testing.
const SKIP: &str = "SKIP: ";

static SKIPS: AtomicUsize = AtomicUsize::new(0);

fn is_required() -> bool {
    std::env::var("SPIRDNA_REQUIRE_VULKAN").is_ok_and(|value| value == "1")
}

/// Says past the test runner's capture that a test was not done, or fails where it must be.
fn skip(test: &str, reason: &str) {
    assert!(!is_required(), "{test}: {reason}");
    let count = SKIPS.fetch_add(1, Ordering::Relaxed) + 1;
    let _ = writeln!(std::io::stderr(), "skipped ({count}): {test}: {reason}");
}

/// What lavapipe offers, at a subgroup size. At 4 there is no workgroup memory, nor are there 64-bit
/// atomics on it: LDS lies in a buffer.
pub fn profile(s: u32) -> HostProfile {
    let workgroup_memory = s != 4;
    HostProfile {
        spirv: (1, 6),
        int16: true,
        float16: true,
        int64: true,
        float64: true,
        buffer_atomic64: true,
        shared_atomic64: workgroup_memory,
        max_push_constants: 256,
        max_workgroup_memory: if workgroup_memory { 32768 } else { 0 },
        max_workgroup_invocations: 1024,
        ..HostProfile::portable(s)
    }
}

/// The module of a program.
pub fn emit_program(program: &Program, profile: &HostProfile) -> Result<Emitted, EmitError> {
    let options = EmitOptions {
        names: true,
        // The most that a program has: lavapipe compiles each lookup inline.
        max_windows: 4,
        ..EmitOptions::default()
    };
    let tree = structurize(&flow_graph(&program.module.func)?).expect(program.name);
    emit(&program.module, &tree, profile, &options)
}

/// Validates modules with one run of `spirv-val` each, a few at a time.
pub fn spirv_val(environment: &str, modules: &[(String, Vec<u32>)]) {
    let folder =
        std::env::temp_dir().join(format!("spirdna-emit-{environment}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut failures = Vec::new();
    for (name, words) in modules {
        let path = folder.join(format!("{name}.spv"));
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        std::fs::write(&path, bytes).unwrap();
        let output = Command::new("spirv-val")
            .args(["--target-env", environment])
            .arg(&path)
            .output();
        match output {
            Ok(output) if output.status.success() => {}
            Ok(output) => failures.push(format!(
                "{name}: {}",
                String::from_utf8_lossy(&output.stderr)
            )),
            Err(error) => {
                skip("spirv-val", &error.to_string());
                break;
            }
        }
    }
    if failures.is_empty() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    assert!(
        failures.is_empty(),
        "{} in {folder:?}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
        .collect()
}

/// Dwords at the begin of the pool that stay zero.
const RESERVED: usize = POOL_RESERVED as usize / 4;

/// Runs a program and gives the content of each of its regions, and the faults.
fn run(device: &mut Device, program: &Program, emitted: &Emitted) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut pool = vec![0u32; RESERVED];
    let mut order: Vec<usize> = (0..program.memory.len()).collect();
    order.sort_by_key(|&i| program.memory[i].0 & 0xffff_ffff_ffff);
    let mut windows = vec![program.memory.len() as u32, 0, 0, 0];
    let mut places = vec![0; program.memory.len()];
    for i in order {
        let (base, content) = &program.memory[i];
        // A pool offset is congruent to its base modulo 16.
        while (pool.len() as u64 * 4) % 16 != base % 16 {
            pool.push(0xdead_beef);
        }
        places[i] = pool.len();
        windows.extend([
            *base as u32,
            (base >> 32) as u32 & 0xffff,
            content.len() as u32 * 4,
            pool.len() as u32 * 4,
        ]);
        pool.extend(content);
        pool.push(0xdead_beef);
    }
    // As many as the search steps over.
    windows.resize(4 * 32, 0xffff_ffff);
    let mut launch = vec![0u32; emitted.launch_layout.dwords.max(1) as usize];
    if let Some(first) = emitted.launch_layout.user_data {
        let used = emitted
            .launch_layout
            .vgprs
            .first()
            .map_or(launch.len(), |v| v.1 as usize);
        let count = used - first as usize;
        launch[first as usize..used].copy_from_slice(&program.user[..count]);
    }
    for &(index, first) in &emitted.launch_layout.vgprs {
        for (i, &word) in program.vgprs[index as usize].iter().enumerate() {
            launch[first as usize + i] = word;
        }
    }
    let mut push = vec![0u32; 6];
    push[3..6].copy_from_slice(&program.threads);
    push.extend(&program.user[..emitted.push.user_data as usize]);
    assert_eq!(push.len() * 4, emitted.push.bytes as usize);

    let mut data: Vec<(u32, BufferUse, Vec<u8>)> = emitted
        .buffers
        .iter()
        .map(|buffer| {
            let content = match buffer.usage {
                BufferUse::Memory => bytes(&pool),
                BufferUse::Windows => bytes(&windows),
                BufferUse::Faults => vec![0; 16 * (1 + FAULT_SLOTS as usize)],
                BufferUse::Launch => bytes(&launch),
                BufferUse::Bound(_) => panic!("{}: nothing is bound here", program.name),
                BufferUse::Lds => {
                    let groups: u32 = program.groups().iter().product();
                    vec![0; groups as usize * buffer.min_bytes as usize]
                }
                BufferUse::Locks => vec![0; buffer.min_bytes as usize],
                BufferUse::Ranges | BufferUse::Pages => panic!("programs here have windows"),
            };
            assert!(content.len() as u64 >= buffer.min_bytes);
            (buffer.binding, buffer.usage, content)
        })
        .collect();
    let mut job = Job::new(&emitted.words, emitted.entry, program.groups());
    job.required_subgroup_size = emitted.subgroup_size;
    job.push = bytes(&push);
    for (binding, _, content) in &mut data {
        job.buffers.push(Buffer::storage(0, *binding, content));
    }
    device
        .run(&mut job)
        .unwrap_or_else(|e| panic!("{}: {e}", program.name));
    drop(job);
    let mut regions = Vec::new();
    let mut faults = Vec::new();
    for (_, usage, content) in &data {
        match usage {
            BufferUse::Memory => {
                let pool = words(content);
                assert_eq!(
                    pool[..RESERVED],
                    [0; RESERVED],
                    "{}: the reserved bytes were written",
                    program.name
                );
                for (i, (_, content)) in program.memory.iter().enumerate() {
                    regions.push(pool[places[i]..places[i] + content.len()].to_vec());
                    assert_eq!(
                        pool[places[i] + content.len()],
                        0xdead_beef,
                        "{}: past the end",
                        program.name
                    );
                }
            }
            BufferUse::Faults => faults = words(content),
            _ => {}
        }
    }
    (regions, faults)
}

fn open() -> Option<Device> {
    let mut options = Options {
        validation: true,
        timeout: Duration::from_secs(240),
        ..Options::default()
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

/// Runs every program for both wave sizes at these subgroup sizes, on the device of the environment.
/// `SPIRDNA_PROGRAM` restricts it to programs whose name contains it.
pub fn execute_all(sizes: &[u32]) {
    let Some(mut device) = open() else { return };
    let only = std::env::var("SPIRDNA_PROGRAM").unwrap_or_default();
    let mut failures = Vec::new();
    for &s in sizes {
        assert!(s == 1 || s == device.measured_subgroup_size(), "S = {s}");
        for wave in [WaveSize::W32, WaveSize::W64] {
            for program in programs(wave) {
                if program.runs_at(s) && program.name.contains(&only) {
                    check(&mut device, &program, s, &mut failures);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(device: &mut Device, program: &Program, s: u32, failures: &mut Vec<String>) {
    let emitted = emit_program(program, &profile(s)).expect(program.name);
    let start = std::time::Instant::now();
    let (regions, faults) = run(device, program, &emitted);
    println!(
        "{} w{} s{s}: {} words, {:.2} s",
        program.name,
        program.module.wave.lanes(),
        emitted.words.len(),
        start.elapsed().as_secs_f64()
    );
    for (i, (found, expected)) in regions.iter().zip(&program.expected).enumerate() {
        assert_eq!(found.len(), expected.len());
        let wrong: Vec<String> = found
            .iter()
            .zip(expected)
            .enumerate()
            .filter(|(_, (f, e))| f != e)
            .take(4)
            .map(|(at, (f, e))| format!("[{at}] {f:#x}, not {e:#x}"))
            .collect();
        if !wrong.is_empty() {
            failures.push(format!(
                "{} w{} s{s} region {i}: {}",
                program.name,
                program.module.wave.lanes(),
                wrong.join("; ")
            ));
        }
    }
    if let Err(reason) = (program.faults)(&faults, s) {
        failures.push(format!("{} s{s}: faults: {reason}", program.name));
    }
}

/// A driver's file in the places where the loader looks, by the start of its name.
fn driver_file(start: &str) -> Option<PathBuf> {
    ["/usr/share", "/usr/local/share", "/etc", "/usr/local/etc"]
        .iter()
        .filter_map(|root| std::fs::read_dir(format!("{root}/vulkan/icd.d")).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| {
            path.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.starts_with(start) && name.ends_with(".json"))
        })
}

/// Runs a test body in a child process on lavapipe with vectors of so many bits.
pub fn on_lavapipe(body: &str, width: u32) {
    let Some(file) = driver_file("lvp_icd") else {
        skip(body, "there is no lavapipe");
        return;
    };
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", body, "--ignored", "--nocapture"])
        .env("VK_ICD_FILENAMES", &file)
        .env("VK_DRIVER_FILES", &file)
        .env("SPIRDNA_DEVICE", "")
        .env("LP_NATIVE_VECTOR_WIDTH", width.to_string());
    let output = run_in_child(command, Duration::from_secs(500)).unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{body} {width}: {:?}\n{text}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    if let Some(reason) = text.lines().find_map(|line| line.strip_prefix(SKIP)) {
        skip(body, reason);
    }
}

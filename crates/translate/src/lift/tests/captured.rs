//! Tables of RDNA2 hardware tests: every file of memory instructions that needs no float.

use std::path::PathBuf;

use spirdna_isa::WaveSize;
use spirdna_isa::launch::Denorm;
use toml::Value;

use super::world::World;

const FILES: &[&str] = &[
    "buffer_atomic_csub",
    "buffer_atomics_float",
    "buffer_atomics_inc_dec64",
    "buffer_format",
    "buffer_load_store",
    "buffer_unaligned_base_view1_store2",
    "buffer_unaligned_base_view2_store1",
    "buffer_unaligned_format16",
    "d16_memory",
    "ds_append_consume",
    "ds_condxchg32_b64",
    "ds_permute",
    "ds_swizzle",
    "ds_wrxchg2",
    "format_d16",
    "format_d16_store",
    "formatted_store",
    "global_load_addtid",
    "global_load_addtid_wave64",
    "lds_addtid",
    "lds_atomics64",
    "lds_condxchg",
    "lds_condxchg_offset",
    "lds_float_atomic_modes",
    "lds_float_atomic_modes_flush_in",
    "lds_float_atomic_modes_flush_out",
    "lds_read_write",
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/captured")
}

fn number(v: &Value) -> u64 {
    match v {
        Value::Integer(i) => *i as u64,
        Value::String(s) => u64::from_str_radix(s.trim_start_matches("0x"), 16).unwrap(),
        other => panic!("{other}"),
    }
}

fn numbers(v: &Value) -> Vec<u32> {
    v.as_array()
        .unwrap()
        .iter()
        .map(|v| number(v) as u32)
        .collect()
}

fn text<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap()
}

fn denorm(name: &str) -> Denorm {
    match name {
        "flush" => Denorm::FlushInOut,
        "flush_in" => Denorm::FlushIn,
        "flush_out" => Denorm::FlushOut,
        "allow" => Denorm::Allow,
        other => panic!("denorm {other}"),
    }
}

/// The world of a case, and (region, offset, words) that it expects.
fn load(name: &str) -> Option<(World, Vec<(usize, usize, Vec<u32>)>)> {
    let path = folder().join(format!("{name}.case.toml"));
    let file = std::fs::read_to_string(&path).ok()?;
    let case: Value = toml::from_str(&file).unwrap();
    let (shader, launch) = (&case["shader"], &case["launch"]);
    let wave = match number(&shader["wave"]) {
        32 => WaveSize::W32,
        _ => WaveSize::W64,
    };
    let mut world = World::new(wave, text(shader, "asm"), &numbers(&launch["sgprs"]));
    let [x, y, z] = numbers(&launch["local"])[..] else {
        panic!("local")
    };
    world.launch.local = [x, y, z];
    world.launch.lds_bytes = number(&launch["lds"]) as u32;
    if let Some(mode) = launch.get("mode") {
        world.launch.mode.denorm32 = denorm(text(mode, "denorm32"));
        world.launch.mode.denorm16_64 = denorm(text(mode, "denorm16_64"));
    }
    let mut names = Vec::new();
    for memory in case["memory"].as_array().unwrap() {
        names.push(text(memory, "name").to_owned());
        let words = match memory.get("u32") {
            Some(words) => numbers(words),
            None => {
                let words = number(&memory["size"]) as usize / 4;
                vec![memory.get("fill").map_or(0, number) as u32; words]
            }
        };
        world = world.words(number(&memory["address"]), &words);
    }
    let expects = case["expect"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| {
            let region = names.iter().position(|n| n == text(e, "memory")).unwrap();
            (region, number(&e["offset"]) as usize, numbers(&e["u32"]))
        })
        .collect();
    Some((world, expects))
}

#[test]
fn tables_hold() {
    let mut skipped = 0;
    let mut wrong = Vec::new();
    for name in FILES {
        let Some((mut world, expects)) = load(name) else {
            skipped += 1;
            continue;
        };
        let module = match world.module() {
            Ok(module) => module,
            Err(e) => {
                wrong.push(format!("{name}: {}", e[0]));
                continue;
            }
        };
        if let Err(e) = world.run_module(&module) {
            wrong.push(format!("{name}: {e}"));
            continue;
        }
        if let Some((pc, address)) = world.faults.first() {
            wrong.push(format!(
                "{name}: a fault at pc {pc:#x}, address {address:#x}"
            ));
        }
        for (region, offset, words) in expects {
            let found = world.dwords(region);
            let bad: Vec<_> = (0..words.len())
                .filter(|i| found[offset / 4 + i] != words[*i])
                .collect();
            if let Some(&i) = bad.first() {
                wrong.push(format!(
                    "{name}: {} of {} words, first at {:#x}: {:#010x} instead of {:#010x}",
                    bad.len(),
                    words.len(),
                    offset + 4 * i,
                    found[offset / 4 + i],
                    words[i]
                ));
            }
        }
    }
    if skipped > 0 {
        let mut err = std::io::stderr();
        let _ = std::io::Write::write_fmt(
            &mut err,
            format_args!("skipped: {skipped} tables that are not here\n"),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

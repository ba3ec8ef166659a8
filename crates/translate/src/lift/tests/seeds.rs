//! Real shaders lift whole.

use std::path::PathBuf;

use spirdna_isa::launch::Launch;
use spirdna_isa::{Target, WaveSize};

use crate::ir::verify::verify_module;
use crate::lift::{Room, lift};
use crate::program::Program;
use crate::resources::DescriptorFacts;

#[test]
fn every_raw_seed_lifts() {
    let seeds = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../seeds/shaders");
    let mut lifted = 0;
    let mut wrong = Vec::new();
    for folder in std::fs::read_dir(seeds).unwrap().flatten() {
        let Ok(files) = std::fs::read_dir(folder.path()) else {
            continue;
        };
        for file in files.flatten() {
            let path = file.path();
            let name = file.file_name().into_string().unwrap();
            if !name.ends_with(".bin") {
                continue;
            }
            let wave = if name.contains("w64") {
                WaveSize::W64
            } else {
                WaveSize::W32
            };
            let code: Vec<u32> = std::fs::read(&path)
                .unwrap()
                .chunks_exact(4)
                .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
                .collect();
            let mut launch = Launch::compute(Target::Gfx1030, wave, [64, 1, 1]);
            launch.user_sgprs = 8;
            launch.lds_bytes = 0x8000;
            let program = Program::decode(launch.target, &code).unwrap();
            let facts = DescriptorFacts::default();
            match lift(&mut Room::default(), &program, &launch, &facts) {
                Ok(l) => {
                    if let Err(e) = verify_module(&l) {
                        wrong.push(format!("{name}: {e}"));
                    }
                    lifted += 1;
                }
                Err(e) => wrong.extend(e.iter().map(|e| format!("{name}: {e}"))),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(lifted >= 20, "{lifted} seeds");
}

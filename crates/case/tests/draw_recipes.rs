//! Recipes of descriptors of every draw's shaders, evaluated over the draw's memory and user SGPRs, against the
//! descriptors that the shaders' instructions hold when the reference interpreter runs a wave of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop
#![allow(clippy::print_stdout)] // counts

#[path = "../../../tests/skips/mod.rs"]
mod skips;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use spirdna_case::case::Dispatch;
use spirdna_case::draw::DrawCase;
use spirdna_case::memory::GuestMemory;
use spirdna_isa::launch::{InitialVgpr, Stage};
use spirdna_isa::stage::StageVgpr;
use spirdna_isa::{Inst, Operand, SReg, Sem, Smem, Ty, decode};
use spirdna_reference::{Component, Observer, Options, StageInputs, Step, run_stage_observed};
use spirdna_translate::bindings::ResourceKind;
use spirdna_translate::pipeline::resources;
use spirdna_translate::program::Program;
use spirdna_translate::resources::DescriptorFacts;

/// Entries of a table of descriptors that a draw has at most.
const ENTRIES: u32 = 8;

/// The descriptors that instructions held, and those of image instructions, which the reference does not
/// execute: no-operations stand in their places.
struct Held {
    images: BTreeMap<u32, Inst>,
    words: BTreeSet<Vec<u32>>,
}

impl Observer for Held {
    fn step(&mut self, step: &Step<'_>) {
        let image = self.images.get(&step.inst.pc());
        let inst = image.unwrap_or(step.inst);
        let used = match inst.sem() {
            Sem::Buffer(_) | Sem::Image(_) => true,
            Sem::Smem(smem) => matches!(
                smem,
                Smem::BufferLoad(_) | Smem::BufferStore(_) | Smem::BufferAtomic(..)
            ),
            _ => false,
        };
        for (operand, ty) in (0..5).filter_map(|i| inst.src(i)) {
            let count = match ty {
                Ty::B128 => 4,
                Ty::B256 => 8,
                _ => continue,
            };
            if let (true, Operand::S(first)) = (used, operand) {
                let word = |i: u8| step.before.sgpr(SReg::from_code(first.code() + i));
                self.words.insert((0..count).map(word).collect());
            }
        }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.to_string_lossy().ends_with(".draw.toml") {
            found.push(path);
        }
    }
}

fn read(memory: &GuestMemory, address: u64) -> Option<u32> {
    let mut bytes = [0; 4];
    memory.read(address, &mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}

/// The code with no-operations for its image instructions, and these by pc.
fn without_images(shader: &Dispatch) -> (Vec<u32>, BTreeMap<u32, Inst>) {
    const S_NOP: u32 = 0xbf80_0000;
    let (mut code, mut images) = (shader.code.clone(), BTreeMap::new());
    let mut at = 0;
    while at < shader.code.len() {
        let Ok(inst) = decode(shader.launch.target, &shader.code, at) else {
            break;
        };
        let next = at + inst.len() as usize;
        if let Sem::Image(_) = inst.sem() {
            code[at..next].fill(S_NOP);
            images.insert(inst.pc(), inst);
        }
        at = next;
    }
    (code, images)
}

/// Some wave: lanes that differ, in the middle of the picture.
fn inputs(shader: &Dispatch) -> StageInputs {
    let lanes = shader.launch.wave.lanes();
    let float = |x: f32| x.to_bits();
    let given = shader.launch.vgprs.iter();
    let vgprs = given.filter_map(|(_, what)| match what {
        InitialVgpr::Stage(what) => Some(*what),
        _ => None,
    });
    let value = |what: StageVgpr, lane: u32| match what {
        StageVgpr::VertexIndex => lane % 3,
        StageVgpr::InstanceIndex => lane % 2,
        StageVgpr::Barycentric(..) => float(0.25),
        StageVgpr::FragCoord(3) => float(1.0),
        StageVgpr::FragCoord(_) => float((lane % 8) as f32 + 8.5),
        StageVgpr::FixedPosition => lane % 8 + 8 | (lane / 8 + 8) << 16,
        _ => 0,
    };
    let vgprs = vgprs.map(|what| (what, (0..lanes).map(|lane| value(what, lane)).collect()));
    let component = Component {
        p0: float(0.25),
        p10: float(0.5),
        p20: float(-0.125),
    };
    StageInputs {
        exec: if lanes == 64 {
            u64::MAX
        } else {
            u32::MAX.into()
        },
        vgprs: vgprs.collect(),
        attributes: vec![[component; 4]; 32],
    }
}

#[test]
fn recipes_of_draws_give_the_descriptors_that_their_shaders_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    files(&root.join("seeds/lab/graphics"), &mut all);
    // By what is bound: descriptors that a shader held, and of these such that a recipe gives.
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let (mut waves, mut own) = (0, 0);
    let mut missing = Vec::new();
    // Each day another third of the forms.
    let day = skips::day("SPIRDNA_DRAWS_DAY") as usize;
    let every = std::env::var_os("SPIRDNA_ALL").is_some();
    let cases = all.iter().flat_map(|path| DrawCase::load(path).unwrap());
    let turn = |n: usize| every || n % 3 == day % 3;
    for (_, case) in cases.enumerate().filter(|(n, _)| turn(*n)) {
        for shader in [&case.vertex, &case.pixel] {
            let launch = &shader.launch;
            let stage = match launch.stage {
                Stage::Pixel(_) => "pixel",
                _ => "vertex",
            };
            let decoded = Program::decode_at(
                launch.target,
                &shader.code,
                launch.code_address,
                launch.entry,
            );
            // What is refused is named elsewhere.
            let Ok(listed) = resources(&decoded.unwrap(), launch, &DescriptorFacts::default())
            else {
                continue;
            };
            let (code, images) = without_images(shader);
            let mut held = Held {
                images,
                words: BTreeSet::new(),
            };
            let mut memory = case.memory.clone();
            let options = Options::default();
            run_stage_observed(
                &code,
                launch,
                &shader.user_sgprs,
                &inputs(shader),
                &mut memory,
                &options,
                &mut held,
            )
            .unwrap_or_else(|e| panic!("{} {stage}: {e}", case.name));
            waves += 1;
            let mut given: BTreeSet<Vec<u32>> = BTreeSet::new();
            for resource in &listed {
                let entries = if resource.recipe.is_table() {
                    ENTRIES
                } else {
                    1
                };
                for entry in 0..entries {
                    let mut at = |address| read(&case.memory, address);
                    let words = resource.recipe.evaluate(&shader.user_sgprs, entry, &mut at);
                    given.extend(words);
                }
                let kind = match resource.kind {
                    ResourceKind::Buffer => "buffers",
                    ResourceKind::Sampled { .. } => "sampled images",
                    ResourceKind::Storage { .. } => "storage images",
                    ResourceKind::Sampler { .. } => "samplers",
                };
                let entry = counts.entry(kind).or_default();
                entry[0] += 1;
                let mut at = |address| read(&case.memory, address);
                let seen = (0..entries).any(|i| {
                    let words = resource.recipe.evaluate(&shader.user_sgprs, i, &mut at);
                    words.is_ok_and(|words| held.words.contains(&words))
                });
                entry[1] += usize::from(seen);
                if !seen {
                    println!("{} {stage}: {} is not used", case.name, resource.recipe);
                }
            }
            for words in held.words.difference(&given) {
                // Of constants behind the code the shader makes the V# itself.
                let base = u64::from(words[0]) | u64::from(words[1] & 0xffff) << 32;
                let end = launch.code_address + 4 * shader.code.len() as u64;
                if words.len() == 4 && (launch.code_address..end).contains(&base) {
                    own += 1;
                    continue;
                }
                missing.push(format!("{} {stage}: {words:08x?}", case.name));
            }
        }
    }
    println!(
        "{waves} waves; recipes, and such whose descriptor the wave used: {counts:?}; {own} V#s of the code's own"
    );
    assert!(
        missing.is_empty(),
        "no recipe gives\n{}",
        missing.join("\n")
    );
    assert!(
        counts.values().all(|[all, seen]| seen * 10 >= all * 9),
        "{counts:?}"
    );
    assert_eq!(counts.len(), 4, "{counts:?}");
}

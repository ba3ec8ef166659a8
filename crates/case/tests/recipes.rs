//! Recipes of descriptors, evaluated over the memory and user SGPRs of a capture, against the descriptors
//! that the shader's instructions hold in the reference interpreter.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop
#![allow(clippy::print_stdout)] // counts

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use spirdna_case::Case;
use spirdna_case::exec::ReferenceExecutor;
use spirdna_case::memory::GuestMemory;
use spirdna_isa::{Operand, SReg, Sem, Smem, Ty};
use spirdna_reference::{Observer, Step};
use spirdna_translate::bindings::ResourceKind;
use spirdna_translate::pipeline::resources;
use spirdna_translate::program::Program;
use spirdna_translate::resources::DescriptorFacts;

/// The V#s that instructions held.
#[derive(Default)]
struct Held(BTreeSet<[u32; 4]>);

impl Observer for Held {
    fn step(&mut self, step: &Step<'_>) {
        let uses = match step.inst.sem() {
            Sem::Buffer(_) => true,
            Sem::Smem(smem) => matches!(
                smem,
                Smem::BufferLoad(_) | Smem::BufferStore(_) | Smem::BufferAtomic(..)
            ),
            _ => false,
        };
        let sources = (0..4).filter_map(|i| step.inst.src(i));
        for (operand, ty) in sources {
            if let (true, Operand::S(first), Ty::B128) = (uses, operand, ty) {
                let word = |i: u8| step.before.sgpr(SReg::from_code(first.code() + i));
                self.0.insert([0, 1, 2, 3].map(word));
            }
        }
    }
}

/// A dword of a case's memory.
fn read(memory: &GuestMemory, address: u64) -> Option<u32> {
    let mut bytes = [0; 4];
    memory.read(address, &mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}

fn case_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("tests/cases/memory/recipes.case.toml")];
    for folder in std::fs::read_dir(root.join("seeds/shaders")).unwrap() {
        let folder = folder.unwrap().path();
        if folder.is_dir() {
            let inside = std::fs::read_dir(folder).unwrap();
            files.extend(inside.map(|f| f.unwrap().path()));
        }
    }
    files.retain(|p| p.to_string_lossy().ends_with(".case.toml"));
    files.sort();
    files
}

#[test]
fn recipes_give_the_descriptors_that_the_shader_holds() {
    let (mut held, mut listed) = (0, 0);
    for path in case_files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let case = Case::load(&path).unwrap();
        let [dispatch] = case.dispatches.as_slice() else {
            continue;
        };
        let launch = &dispatch.launch;
        let program = Program::decode_at(
            launch.target,
            &dispatch.code,
            launch.code_address,
            launch.entry,
        );
        let program = program.unwrap();
        let uses = resources(&program, launch, &DescriptorFacts::default()).unwrap();
        let mut seen = Held::default();
        ReferenceExecutor::default()
            .run_observed(&case, &mut seen)
            .unwrap();
        let mut evaluated = BTreeSet::new();
        for resource in uses {
            assert_eq!(resource.kind, ResourceKind::Buffer, "{name}");
            // Which entry of its table the shader takes is not the recipe's to know.
            let entries = if resource.recipe.is_table() {
                0..4
            } else {
                0..1
            };
            let words: Vec<[u32; 4]> = entries
                .filter_map(|i| {
                    let mut memory = |address| read(&case.memory, address);
                    let words = resource
                        .recipe
                        .evaluate(&dispatch.user_sgprs, i, &mut memory);
                    words.ok()?.try_into().ok()
                })
                .collect();
            let right: Vec<_> = words.iter().filter(|w| seen.0.contains(*w)).collect();
            assert_eq!(
                right.len(),
                1,
                "{name}: {} gives {words:x?}; the shader holds {:x?}",
                resource.recipe,
                seen.0
            );
            evaluated.insert(*right[0]);
        }
        assert_eq!(evaluated, seen.0, "{name}: a V# without a recipe");
        held += seen.0.len();
        listed += evaluated.len();
    }
    println!("{listed} of {held} descriptors have recipes");
    assert!(held >= 50, "{held}");
}

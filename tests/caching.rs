//! Keys and stored translations: what a key depends on and what not, that it is the same everywhere, that
//! stored bytes come back or give an error; and that a translation is the same on every thread, every time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use spirdna::isa::descriptor::BufferDescriptor;
use spirdna::isa::launch::{Denorm, InitialVgpr, Launch, Round, SystemSgpr};
use spirdna::isa::{Target, WaveSize, assemble};
use spirdna::{
    Barriers, BufferFact, CacheKey, Context, DescriptorFacts, DescriptorPlace, Divergence,
    Fidelity, Grid, HostProfile, KnownCode, MemoryModel, Nans, Options, Program, StoredError,
    TranslateError, Translation, translate, translate_program,
};
use spirdna_case::Case;
use spirdna_case::exec::facts::promise;
use spirdna_case::flow::{FlowSpec, flow_case};

/// A shader of a seed, as a translation takes it.
struct Seed {
    name: String,
    code: Vec<u32>,
    launch: Launch,
    facts: DescriptorFacts,
}

fn seeds() -> Vec<Seed> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/shaders");
    for folder in std::fs::read_dir(root).unwrap() {
        let folder = folder.unwrap().path();
        if folder.is_dir() {
            let files = std::fs::read_dir(folder).unwrap();
            paths.extend(files.map(|f| f.unwrap().path()));
        }
    }
    paths.retain(|p| p.to_string_lossy().ends_with(".case.toml"));
    paths.sort();
    assert!(paths.len() >= 25, "seeds/shaders is committed");
    let mut seeds = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy();
        seeds.extend(shaders(&name, &Case::load(&path).unwrap()));
    }
    seeds
}

fn shaders(name: &str, case: &Case) -> Vec<Seed> {
    let dispatches = case.dispatches.iter();
    dispatches
        .map(|dispatch| Seed {
            name: name.to_owned(),
            code: dispatch.code.clone(),
            launch: dispatch.launch.clone(),
            facts: promise(dispatch, &case.memory).facts,
        })
        .collect()
}

fn host(s: u32) -> HostProfile {
    HostProfile {
        max_workgroup_memory: 65536,
        max_workgroup_invocations: 1024,
        int16: true,
        float16: true,
        ..HostProfile::portable(s)
    }
}

fn program(text: &str) -> Vec<u32> {
    assemble(Target::Gfx1030, WaveSize::W32, text).unwrap()
}

/// A shader, and everything that its key depends on.
struct Asked {
    code: Vec<u32>,
    launch: Launch,
    profile: HostProfile,
    options: Options,
    facts: DescriptorFacts,
}

impl Asked {
    fn new() -> Asked {
        let mut launch = Launch::compute(Target::Gfx1030, WaveSize::W32, [64, 1, 1]);
        launch.user_sgprs = 8;
        launch.vgprs.push((3, InitialVgpr::PerLane(vec![1; 32])));
        let known = [0, 0xffff_0000, 0, u32::MAX];
        let value = [0, 0x0010_0000, 0, 0x0004_dfac];
        Asked {
            code: program(
                "v_add_nc_u32_e32 v0, 1, v0\nbuffer_store_dword v0, v1, s[4:7], 0 idxen\ns_endpgm\n",
            ),
            launch,
            profile: HostProfile::portable(32),
            options: Options::default(),
            facts: DescriptorFacts {
                buffers: vec![(DescriptorPlace::UserSgprs(4), BufferFact { known, value })],
                ..DescriptorFacts::default()
            },
        }
    }

    fn key(&self) -> CacheKey {
        let program = Program::decode(self.launch.target, &self.code).unwrap();
        CacheKey::new(
            program.code_hash(),
            &self.launch,
            &self.profile,
            &self.options,
            &self.facts,
        )
    }

    fn with(change: impl FnOnce(&mut Asked)) -> Asked {
        let mut asked = Asked::new();
        change(&mut asked);
        asked
    }
}

#[test]
fn everything_that_words_depend_on_changes_the_key() {
    let changes: Vec<Box<dyn FnOnce(&mut Asked)>> = vec![
        Box::new(|_| {}),
        Box::new(|a| a.code[0] ^= 1 << 17),
        Box::new(|a| a.code.splice(0..0, program("s_nop 0")).for_each(drop)),
        Box::new(|a| a.launch.target = Target::Gfx1010),
        Box::new(|a| a.launch.wave = WaveSize::W64),
        Box::new(|a| a.launch.local = [1, 64, 1]),
        Box::new(|a| a.launch.local = [1, 1, 64]),
        Box::new(|a| a.launch.partial_groups = true),
        Box::new(|a| a.launch.lds_bytes = 64),
        Box::new(|a| a.launch.scratch_bytes = 64),
        Box::new(|a| a.launch.user_sgprs = 9),
        Box::new(|a| a.launch.system_sgprs.push(SystemSgpr::GroupId(0))),
        Box::new(|a| a.launch.system_sgprs.push(SystemSgpr::GroupId(1))),
        Box::new(|a| a.launch.system_sgprs.push(SystemSgpr::TgSize)),
        Box::new(|a| a.launch.system_sgprs.push(SystemSgpr::ScratchOffset)),
        Box::new(|a| a.launch.vgprs.truncate(3)),
        Box::new(|a| a.launch.vgprs[3].0 = 4),
        Box::new(|a| a.launch.vgprs[3].1 = InitialVgpr::LocalId(0)),
        Box::new(|a| a.launch.mode.round32 = Round::TowardZero),
        Box::new(|a| a.launch.mode.round16_64 = Round::TowardZero),
        Box::new(|a| a.launch.mode.denorm32 = Denorm::Allow),
        Box::new(|a| a.launch.mode.denorm16_64 = Denorm::FlushInOut),
        Box::new(|a| a.launch.mode.ieee = true),
        Box::new(|a| a.launch.mode.dx10_clamp = false),
        Box::new(|a| a.launch.mode.fp16_ovfl = true),
        Box::new(|a| a.launch.exec = Some(0)),
        Box::new(|a| a.launch.exec = Some(1)),
        Box::new(|a| a.launch.vcc = Some(0)),
        Box::new(|a| a.launch.m0 = Some(0)),
        Box::new(|a| a.profile.subgroup_size = 8),
        Box::new(|a| a.profile.spirv = (1, 6)),
        Box::new(|a| a.profile.spirv = (2, 3)),
        Box::new(|a| a.profile.int16 = true),
        Box::new(|a| a.profile.float16 = true),
        Box::new(|a| a.profile.int64 = true),
        Box::new(|a| a.profile.float64 = true),
        Box::new(|a| a.profile.f16.rte = true),
        Box::new(|a| a.profile.f32.rte = true),
        Box::new(|a| a.profile.f64.rte = true),
        Box::new(|a| a.profile.f32.keeps_denorms = true),
        Box::new(|a| a.profile.f32.flushes_denorms = true),
        Box::new(|a| a.profile.f32.denorm_preserve = true),
        Box::new(|a| a.profile.f32.denorm_flush = true),
        Box::new(|a| a.profile.f32.signed_zero_inf_nan = true),
        Box::new(|a| a.profile.f32.fused_fma = true),
        Box::new(|a| a.profile.f32.keeps_nan_payload = true),
        Box::new(|a| a.profile.subgroup_uniform_control_flow = true),
        Box::new(|a| a.profile.maximal_reconvergence = true),
        Box::new(|a| a.profile.vulkan_memory_model = true),
        Box::new(|a| a.profile.buffer_atomic64 = true),
        Box::new(|a| a.profile.shared_atomic64 = true),
        Box::new(|a| a.launch.vgpr_count = 24),
        Box::new(|a| a.profile.memory_barriers_meet = true),
        Box::new(|a| a.profile.folds_zeros = true),
        Box::new(|a| a.profile.fragment_barycentrics = true),
        Box::new(|a| a.profile.buffer_device_address = true),
        Box::new(|a| a.profile.max_push_constants += 1),
        Box::new(|a| a.profile.max_workgroup_memory += 1),
        Box::new(|a| a.profile.max_workgroup_invocations += 1),
        Box::new(|a| a.options.fidelity = Fidelity::Fast),
        Box::new(|a| a.options.nans = Nans::Any),
        Box::new(|a| a.options.memory = MemoryModel::Offset),
        Box::new(|a| a.options.memory = MemoryModel::Pages),
        Box::new(|a| a.options.barriers = Barriers::AssumeUniform),
        Box::new(|a| a.options.max_windows += 1),
        Box::new(|a| a.options.loop_budget = Some(0)),
        Box::new(|a| a.options.loop_budget = Some(1)),
        Box::new(|a| a.options.descriptor_set = 1),
        Box::new(|a| a.options.divergence = Divergence::Branches),
        Box::new(|a| a.options.grid = Grid::Parts),
        Box::new(|a| a.facts.bound.push(DescriptorPlace::UserSgprs(0))),
        Box::new(|a| a.facts.bound.push(DescriptorPlace::UserSgprs(4))),
        Box::new(|a| a.facts.buffers.clear()),
        Box::new(|a| a.facts.buffers[0].0 = DescriptorPlace::UserSgprs(0)),
        Box::new(|a| {
            a.facts.buffers[0].0 = DescriptorPlace::Memory {
                pointer: 4,
                offset: 0,
            };
        }),
        Box::new(|a| {
            a.facts.buffers[0].0 = DescriptorPlace::Memory {
                pointer: 4,
                offset: 16,
            };
        }),
        Box::new(|a| a.facts.buffers[0].1.known[2] = u32::MAX),
        Box::new(|a| a.facts.buffers[0].1.value[3] ^= 1),
    ];
    let mut seen: HashMap<CacheKey, usize> = HashMap::new();
    for (i, change) in changes.into_iter().enumerate() {
        let key = Asked::with(change).key();
        if let Some(other) = seen.insert(key, i) {
            panic!("changes {other} and {i} give one key");
        }
    }
}

/// A program that takes an address of its code depends on where that lies and on all of it; others do not.
#[test]
fn the_place_of_the_code_counts_where_it_is_taken() {
    let taking = |a: &mut Asked| {
        a.code
            .splice(0..0, program("s_getpc_b64 s[2:3]"))
            .for_each(drop)
    };
    let key = Asked::with(taking).key();
    let elsewhere = Asked::with(|a| {
        taking(a);
        a.launch.code_address += 0x1000;
    });
    assert_ne!(elsewhere.key(), key);
    let behind = Asked::with(|a| {
        taking(a);
        a.code.push(7);
    });
    assert_ne!(behind.key(), key);
    let not_taken = Asked::with(|a| a.launch.code_address += 0x1000);
    assert_eq!(not_taken.key(), Asked::new().key());
}

#[test]
fn data_of_a_dispatch_leaves_the_key() {
    let key = Asked::new().key();
    let values = Asked::with(|a| a.launch.vgprs[3].1 = InitialVgpr::PerLane(vec![9; 32]));
    assert_eq!(values.key(), key);
    let behind = Asked::with(|a| a.code.extend([0xffff_ffff, 7]));
    assert_eq!(behind.key(), key);
    let unknown = Asked::with(|a| a.facts.buffers[0].1.value[0] = 77);
    assert_eq!(unknown.key(), key);
    // A jump over words that nobody executes.
    let over = |word: u32| {
        let mut code = program("s_branch over\ns_nop 0\nover:\ns_endpgm\n");
        code[1] = word;
        Program::decode(Target::Gfx1030, &code).unwrap().code_hash()
    };
    assert_eq!(over(0), over(u32::MAX));
    // Where a buffer lies and how long it is.
    let fact = |base: u64, records: u32| {
        let words = [
            base as u32,
            (base >> 32) as u32 & 0xffff | 16 << 16,
            records,
            0x0004_dfac,
        ];
        BufferFact::all_but_place(&BufferDescriptor::from_words(words))
    };
    assert_eq!(fact(0x1000, 10), fact(0x7f_1234_5000, 99));
    assert_ne!(fact(0, 1).known[2], u32::MAX);
    assert_eq!(fact(0, 1).value[1], 16 << 16);
}

/// Keys are kept by callers for years: these change only with `SCHEMA`. The numbers are what the xxhash
/// library makes of the same bytes, written down by hand.
#[test]
fn keys_are_the_same_on_every_host() {
    let asked = Asked::new();
    let program = Program::decode(Target::Gfx1030, &asked.code).unwrap();
    assert_eq!(
        program.code_hash().to_string(),
        "68866afcf7570a6173b13290a70c48dd"
    );
    let key = asked.key();
    assert_eq!(key.to_string(), "bf5798ee946a045b1899258488cc92f9");
    assert_eq!(key.to_string().parse(), Ok(key));
    assert_eq!(CacheKey::from_value(key.value()), key);
    for bad in ["", "1", "+0000000000000000000000000000001", "0x"] {
        assert!(bad.parse::<CacheKey>().is_err(), "{bad:?}");
    }
}

#[test]
fn known_code_is_found_by_its_span() {
    let mut known = KnownCode::new(2);
    let code = Asked::new().code;
    assert_eq!(known.look_up(Target::Gfx1030, &code), None);
    let hash = known.code_hash(Target::Gfx1030, &code).unwrap();
    assert_eq!(known.look_up(Target::Gfx1030, &code), Some(hash));
    assert_eq!(known.look_up(Target::Gfx1010, &code), None);
    assert_eq!(known.look_up(Target::Gfx1030, &code[1..]), None);
    let mut longer = code.clone();
    longer.push(1);
    assert_eq!(known.code_hash(Target::Gfx1030, &longer), Ok(hash));
    assert_eq!(known.len(), 2);
    longer.push(1);
    assert_eq!(known.code_hash(Target::Gfx1030, &longer), Ok(hash));
    assert_eq!(known.len(), 1, "one more than the limit forgets the rest");
    assert!(known.code_hash(Target::Gfx1030, &code[..1]).is_err());
}

#[test]
fn a_program_is_translated_for_its_own_target_only() {
    let asked = Asked::new();
    let program = Program::decode(Target::Gfx1010, &asked.code).unwrap();
    let made = translate_program(
        &program,
        &asked.launch,
        &asked.profile,
        &asked.options,
        &asked.facts,
    );
    let (decoded, launched) = (Target::Gfx1010, Target::Gfx1030);
    assert_eq!(made, Err(TranslateError::Target { decoded, launched }));
}

#[test]
fn stored_translations_come_back_or_give_an_error() {
    for seed in seeds() {
        let options = Options::default();
        let made = translate(&seed.code, &seed.launch, &host(8), &options, &seed.facts).unwrap();
        let bytes = made.to_bytes();
        assert_eq!(Translation::from_bytes(&bytes), Ok(made), "{}", seed.name);
    }
    let asked = Asked::new();
    let made = translate(
        &asked.code,
        &asked.launch,
        &asked.profile,
        &asked.options,
        &asked.facts,
    );
    let bytes = made.unwrap().to_bytes();
    for length in 0..bytes.len() {
        assert!(
            Translation::from_bytes(&bytes[..length]).is_err(),
            "{length}"
        );
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(
        Translation::from_bytes(&longer),
        Err(StoredError::Length { .. })
    ));
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        let error = Translation::from_bytes(&changed).expect_err("a changed byte");
        let right = match at {
            0..4 => error == StoredError::Magic,
            4..8 => matches!(error, StoredError::Format { .. }),
            8..24 => matches!(error, StoredError::OtherTranslator { .. }),
            24..32 => matches!(error, StoredError::Length { .. }),
            _ => error == StoredError::Checksum,
        };
        assert!(right, "byte {at}: {error}");
    }
}

/// What one request says with an option, another with a list: their bytes are not the same.
#[test]
fn lists_and_choices_are_apart() {
    let code = program("s_endpgm\n");
    let code = Program::decode(Target::Gfx1030, &code).unwrap().code_hash();
    let launch = Launch::compute(Target::Gfx1030, WaveSize::W32, [64, 1, 1]);
    let key = |divergence, facts: &DescriptorFacts| {
        let options = Options {
            divergence,
            ..Options::default()
        };
        CacheKey::new(code, &launch, &host(32), &options, facts)
    };
    let nothing = BufferFact {
        known: [0; 4],
        value: [0; 4],
    };
    let place = DescriptorPlace::UserSgprs(0);
    let known = DescriptorFacts {
        buffers: vec![(place, nothing); 2],
        ..DescriptorFacts::default()
    };
    let mut bound = vec![place; 8];
    bound[0] = DescriptorPlace::Memory {
        pointer: 2,
        offset: 0,
    };
    let bound = DescriptorFacts {
        bound,
        ..DescriptorFacts::default()
    };
    assert_ne!(
        key(Divergence::Branches, &known),
        key(Divergence::Uniform, &bound)
    );
}

/// What callers move between threads.
#[test]
fn values_may_move_between_threads() {
    fn moves<T: Send + Sync>() {}
    moves::<Program>();
    moves::<Translation>();
    moves::<TranslateError>();
    moves::<KnownCode>();
    moves::<Context>();
}

/// In room of its own, and in room that other translations have used; as the wave's flow, and with lanes that part.
#[test]
fn a_translation_is_the_same_on_every_thread_every_time() {
    const THREADS: usize = 4;
    const TIMES: usize = 4;
    let mut all = seeds();
    for spec in (0..32).map(FlowSpec::arrays) {
        all.extend(shaders(&spec.name(), &flow_case(spec).unwrap()));
    }
    let made = |divergence| {
        let mut made = Vec::new();
        let mut context = Context::new();
        let options = Options {
            fidelity: Fidelity::Fast,
            divergence,
            ..Options::default()
        };
        for seed in &all {
            let host = match divergence {
                Divergence::Uniform => host(8),
                Divergence::Branches => HostProfile {
                    int64: true,
                    maximal_reconvergence: true,
                    ..host(seed.launch.wave.lanes())
                },
            };
            for time in 0..TIMES {
                let (code, launch, facts) = (&seed.code, &seed.launch, &seed.facts);
                let made_now = if time == 0 {
                    translate(code, launch, &host, &options, facts)
                } else {
                    context.translate(code, launch, &host, &options, facts)
                };
                made.push(made_now.unwrap().to_bytes());
            }
        }
        made
    };
    for divergence in [Divergence::Uniform, Divergence::Branches] {
        let results: Vec<Vec<Vec<u8>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|_| scope.spawn(|| made(divergence)))
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        for (i, seed) in all.iter().enumerate() {
            let first = &results[0][i * TIMES];
            for made in &results {
                for again in &made[i * TIMES..(i + 1) * TIMES] {
                    assert!(again == first, "{}", seed.name);
                }
            }
        }
    }
}

//! The search for the first difference: stops leave the registers that the trace of the unchanged program
//! has, a device with a wrong word is caught at its instruction and visit, and what is written shows it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::path::{Path, PathBuf};

use spirdna_case::Case;
use spirdna_case::bisect::stop::{Registers, Source, Stoppable};
use spirdna_case::bisect::{Finding, First, Search};
use spirdna_case::exec::{
    Executor, MachineExecutor, MachineSetup, Outcome, ReferenceExecutor, RunError, judge,
};
use spirdna_case::write::write;
use spirdna_isa::SReg;
use spirdna_reference::{Observer, Step, Wave};

/// A device whose translator takes one word for another.
struct Wrong {
    device: MachineExecutor,
    word: u32,
    instead: u32,
}

impl Executor for Wrong {
    fn name(&self) -> String {
        "a wrong device".to_owned()
    }

    fn run(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let mut case = case.clone();
        for word in &mut case.dispatches[0].code {
            if *word == self.word {
                *word = self.instead;
            }
        }
        self.device.run(&case)
    }
}

fn machine(subgroup_size: u32) -> MachineExecutor {
    MachineExecutor::new(MachineSetup {
        subgroup_size: Some(subgroup_size),
        ..MachineSetup::default()
    })
}

fn search(case: &Case, device: &mut dyn Executor) -> Finding {
    let mut search = Search {
        device,
        reference: ReferenceExecutor::default(),
        progress: &mut |_| {},
    };
    search.run(case).unwrap()
}

/// Four trips: `v1 += s5`, `v2 ^= v1`, and v2 stored at the end; the second wave of a group makes one more.
const PROGRAM: &str = r#"
v_lshl_add_u32 v3, s2, 6, v0
v_lshlrev_b32_e32 v3, 2, v3
v_mov_b32_e32 v1, v0
v_mov_b32_e32 v2, 0
v_readfirstlane_b32 s6, v0
s_lshr_b32 s6, s6, 5
s_add_u32 s6, s6, 4
s_mov_b32 s5, 0
trip:
v_add_nc_u32_e32 v1, s5, v1
v_xor_b32_e32 v2, v2, v1
s_add_u32 s5, s5, 1
s_cmp_lt_u32 s5, s6
s_cbranch_scc1 trip
global_store_dword v3, v2, s[0:1]
s_endpgm
"#;

fn program(wave: u32) -> Case {
    let text = format!(
        "[shader]\ntarget = \"gfx1030\"\nwave = {wave}\nasm = '''{PROGRAM}'''\n\
         [launch]\ngroups = [2, 1, 1]\nlocal = [64, 1, 1]\n\
         sgprs = [{{ lo = \"out\" }}, {{ hi = \"out\" }}]\nsystem_sgprs = [\"group_id_x\"]\n\
         [[memory]]\nname = \"out\"\nsize = 512\nfill = 0\n"
    );
    Case::parse(Path::new("program.case.toml"), &text).unwrap()
}

/// The word of an instruction.
fn word(text: &str) -> u32 {
    let words = spirdna_isa::assemble(
        spirdna_isa::Target::Gfx1030,
        spirdna_isa::WaveSize::W32,
        text,
    );
    words.unwrap()[0]
}

fn first(finding: Finding) -> First {
    match finding {
        Finding::First(first) => *first,
        other => panic!("{other}"),
    }
}

#[test]
fn a_right_device_is_alike() {
    for wave in [32, 64] {
        let found = search(&program(wave), &mut machine(8));
        assert!(matches!(found, Finding::Alike), "{found}");
    }
}

#[test]
fn the_first_wrong_step_is_named() {
    for (wave, subgroup) in [(32, 32), (32, 8), (64, 32)] {
        let case = program(wave);
        // Right while s5 is 0: the second visit is the first whose result differs.
        let mut wrong = Wrong {
            device: machine(subgroup),
            word: word("v_add_nc_u32_e32 v1, s5, v1"),
            instead: word("v_subrev_nc_u32_e32 v1, s5, v1"),
        };
        let found = first(search(&case, &mut wrong));
        let text = found.to_string();
        assert_eq!(found.visit, 2, "{text}");
        assert_eq!(found.instructions.len(), 1, "{text}");
        assert!(
            found.instructions[0].1.starts_with("v_add_nc_u32"),
            "{text}"
        );
        // The longest way is the last wave's of a group. Its lane 0 is thread 32 or 0: plus and minus 1.
        let lane = match wave {
            32 => "v1 lane 0: 0x0000001f instead of 0x00000021 (32 lanes differ)",
            _ => "v1 lane 0: 0xffffffff instead of 0x00000001 (64 lanes differ)",
        };
        assert!(
            found.differences.iter().any(|d| d.starts_with(lane)),
            "{text}"
        );

        // A store of another register: registers are alike to the end, memory is not.
        let mut wrong = Wrong {
            device: machine(subgroup),
            word: case.dispatches[0].code[case.dispatches[0].code.len() - 2],
            instead: case.dispatches[0].code[case.dispatches[0].code.len() - 2] ^ 3 << 8,
        };
        let found = first(search(&case, &mut wrong));
        let text = found.to_string();
        assert!(
            found.instructions[0].1.starts_with("global_store_dword"),
            "{text}"
        );
        assert!(found.differences[0].contains("memory `out`"), "{text}");
    }
}

#[test]
fn what_is_written_shows_the_difference() {
    let case = program(32);
    let mut wrong = Wrong {
        device: machine(32),
        word: word("v_xor_b32_e32 v2, v2, v1"),
        instead: word("v_or_b32_e32 v2, v2, v1"),
    };
    let found = first(search(&case, &mut wrong));
    let folder = tempfile::tempdir().unwrap();
    let path = write(&found.case, folder.path(), "cut", "about\nit").unwrap();
    let read = Case::load(&path).unwrap();
    let (ours, theirs) = (&found.case.dispatches[0], &read.dispatches[0]);
    assert_eq!(ours.code, theirs.code);
    assert_eq!(ours.launch, theirs.launch);
    assert_eq!(ours.user_sgprs, theirs.user_sgprs);
    assert_eq!(found.case.memory, read.memory);
    let judged = |device: &mut dyn Executor| judge(&read, &device.run(&read).unwrap()).len();
    assert_eq!(judged(&mut ReferenceExecutor::default()), 0);
    assert_eq!(judged(&mut machine(8)), 0);
    assert!(judged(&mut wrong) > 0);
}

/// The state of each wave before a step of it.
struct Before {
    pc: u32,
    visit: u32,
    visits: std::collections::HashMap<([u32; 3], u32), u32>,
    waves: Vec<([u32; 3], Wave)>,
}

impl Observer for Before {
    fn step(&mut self, step: &Step<'_>) {
        if step.inst.pc() == self.pc {
            let visits = self
                .visits
                .entry((step.group, step.before.index()))
                .or_default();
            *visits += 1;
            if *visits == self.visit {
                self.waves.push((step.group, step.before.clone()));
            }
        }
    }
}

/// Steps of the whole grid, by pc.
#[derive(Default)]
struct Pcs(Vec<u32>);

impl Observer for Pcs {
    fn step(&mut self, step: &Step<'_>) {
        self.0.push(step.inst.pc());
    }
}

fn seeds() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds/shaders");
    let named = [
        "control/control.w32",
        "control/control.w64",
        "reduce/reduce.w64",
        "../../tests/cases/flow/functions.w32",
        "ids/ids.w32",
    ];
    named
        .iter()
        .map(|name| root.join(format!("{name}.case.toml")))
        .collect()
}

#[test]
fn stops_leave_the_registers_that_the_trace_has() {
    for path in seeds() {
        let case = Case::load(&path).unwrap();
        let mut pcs = Pcs::default();
        let mut reference = ReferenceExecutor::default();
        reference.run_observed(&case, &mut pcs).unwrap();
        let stoppable =
            Stoppable::new(&case, pcs.0.iter().copied(), &Registers::default()).unwrap();
        let mut all = pcs.0.clone();
        all.sort_unstable();
        all.dedup();
        all.retain(|&pc| stoppable.can_stop(pc));
        // A few, spread over the program.
        for &pc in all.iter().step_by(all.len().div_ceil(6)) {
            for visit in [1, 2] {
                let mut before = Before {
                    pc,
                    visit,
                    visits: Default::default(),
                    waves: Vec::new(),
                };
                reference.run_observed(&case, &mut before).unwrap();
                let stopped = stoppable.stopped(pc, visit).unwrap();
                let outcome = ReferenceExecutor::default().run(&stopped).unwrap();
                assert!(outcome.faults.is_empty(), "{}", path.display());
                let region = outcome.memory.get(Stoppable::region(&stopped)).unwrap();
                for (group, wave) in &before.waves {
                    compare(&case, &stoppable, &region.bytes, *group, wave);
                }
            }
        }
    }
}

fn compare(case: &Case, stoppable: &Stoppable<'_>, bytes: &[u8], group: [u32; 3], wave: &Wave) {
    let dispatch = &case.dispatches[0];
    let [nx, ny, _] = dispatch.groups;
    let number = (group[2] * ny + group[1]) * nx + group[0];
    let number = u64::from(number) * dispatch.launch.waves() + u64::from(wave.index());
    let block = &bytes[number as usize * stoppable.block()..][..stoppable.block()];
    let lanes = wave.lanes();
    // Lanes that live: those of the workgroup's threads, which the seeds leave on at entry.
    let threads = dispatch.launch.threads() - u64::from(wave.index()) * lanes as u64;
    let live = (threads as usize).min(lanes);
    for (row, source) in stoppable.rows.iter().enumerate() {
        for lane in 0..live {
            let got = stoppable.value(block, row, lane).unwrap();
            let expected = match source {
                Source::Scalar(code) => wave.sgpr(SReg::from_code(*code)),
                Source::Scc => u32::from(wave.scc()),
                Source::Vector(v) => wave.vgpr_raw(*v, lane),
            };
            let name = source.name();
            assert_eq!(got, expected, "{name} lane {lane} of wave {number}");
        }
    }
}

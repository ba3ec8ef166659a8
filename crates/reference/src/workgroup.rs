//! Runs dispatches: initial state from the launch description, waves of a workgroup in turn,
//! barriers, limits. Knows no meaning of an instruction but which unit executes it.

use std::time::{Duration, Instant};

use spirdna_isa::launch::{InitialVgpr, Launch, SystemSgpr};
use spirdna_isa::stage::FixedSgpr;
use spirdna_isa::{
    DecodeOptions, Flow, Inst, Operand, SReg, Sem, Special, Target, WaveSize, decode_with,
};

use crate::buffer;
use crate::ds;
use crate::env::{Env, GDS_BYTES, Local, Scratch};
use crate::error::ExecError;
use crate::flat;
use crate::flow;
use crate::memory::Memory;
use crate::salu;
use crate::smem;
use crate::stage::{self, Export, StageInputs, StageState};
use crate::state::{Finding, Wave};
use crate::trace::{NoObserver, Observer, Step};
use crate::valu;

/// What a caller may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Lane-instructions in all after which the dispatch is given up: an instruction counts as one
    /// for each active lane, a scalar one as one.
    pub step_limit: u64,
    /// Time after which the dispatch is given up.
    pub time_limit: Option<Duration>,
    /// Instructions of a wave before the next one has its turn.
    pub turn: u32,
    /// How words are decoded.
    pub decode: DecodeOptions,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            step_limit: 200_000_000,
            time_limit: None,
            turn: 256,
            decode: DecodeOptions::default(),
        }
    }
}

/// The grid of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Workgroups along x, y and z.
    pub groups: [u32; 3],
    /// Threads along x, y and z where the last workgroups are partial; the threads of a partial
    /// workgroup are packed, x fastest.
    pub threads: Option<[u32; 3]>,
}

impl Grid {
    /// Whole workgroups.
    pub const fn groups(groups: [u32; 3]) -> Grid {
        Grid {
            groups,
            threads: None,
        }
    }

    /// As many threads; the last workgroups are as large as what is left.
    pub fn threads(threads: [u32; 3], local: [u32; 3]) -> Grid {
        let mut groups = [0; 3];
        for ((g, t), l) in groups.iter_mut().zip(threads).zip(local) {
            *g = t.div_ceil(l.max(1));
        }
        Grid {
            groups,
            threads: Some(threads),
        }
    }
}

/// What a dispatch did.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Reads of undefined registers: the first workgroup's of each instruction and register.
    pub findings: Vec<Finding>,
    /// Instructions of waves.
    pub instructions: u64,
    /// Lane-instructions.
    pub lane_instructions: u64,
}

/// Instructions between two looks at the clock.
const CLOCK: u64 = 1 << 14;

/// Findings that a report keeps.
const MAX_FINDINGS: usize = 1024;

/// Runs a dispatch: every workgroup of the grid, x fastest, one after the other.
///
/// `code` is the program's words, entered where the launch says. `user_sgprs` are the values of s0 on, as many
/// as the launch says.
pub fn run_dispatch(
    code: &[u32],
    launch: &Launch,
    user_sgprs: &[u32],
    grid: Grid,
    memory: &mut dyn Memory,
    options: &Options,
) -> Result<Report, ExecError> {
    run_dispatch_with(
        code,
        launch,
        user_sgprs,
        grid,
        memory,
        options,
        &mut NoObserver,
    )
}

/// Runs a dispatch and shows each instruction to an observer.
pub fn run_dispatch_with<O: Observer>(
    code: &[u32],
    launch: &Launch,
    user_sgprs: &[u32],
    grid: Grid,
    memory: &mut dyn Memory,
    options: &Options,
    observer: &mut O,
) -> Result<Report, ExecError> {
    if launch.stage.is_graphics() {
        return Err(ExecError::Launch("a graphics stage as a dispatch".into()));
    }
    check_launch(launch, user_sgprs, grid)?;
    let mut run = Run {
        launch,
        user_sgprs,
        grid,
        options,
        program: Program {
            target: launch.target,
            options: options.decode,
            words: code,
            decoded: vec![None; code.len()],
        },
        memory,
        gds: Local::new(GDS_BYTES),
        report: Report::default(),
        begin: Instant::now(),
        stage: None,
        exports: Vec::new(),
        observer,
    };
    let [nx, ny, nz] = grid.groups;
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                run.workgroup([x, y, z])?;
            }
        }
    }
    Ok(run.report)
}

/// Runs the only wave of a graphics stage.
pub(crate) fn run_stage_with<O: Observer>(
    code: &[u32],
    launch: &Launch,
    user_sgprs: &[u32],
    inputs: &StageInputs,
    memory: &mut dyn Memory,
    options: &Options,
    observer: &mut O,
) -> Result<(Vec<Export>, Report), ExecError> {
    let grid = Grid::groups([1, 1, 1]);
    check_launch(launch, user_sgprs, grid)?;
    let mut run = Run {
        launch,
        user_sgprs,
        grid,
        options,
        program: Program {
            target: launch.target,
            options: options.decode,
            words: code,
            decoded: vec![None; code.len()],
        },
        memory,
        gds: Local::new(0),
        report: Report::default(),
        begin: Instant::now(),
        stage: Some(inputs),
        exports: Vec::new(),
        observer,
    };
    run.workgroup([0, 0, 0])?;
    Ok((run.exports, run.report))
}

fn check_launch(launch: &Launch, user_sgprs: &[u32], grid: Grid) -> Result<(), ExecError> {
    let fail = |s: String| Err(ExecError::Launch(s));
    if user_sgprs.len() as u64 != u64::from(launch.user_sgprs) {
        return fail(format!(
            "{} user SGPR values for {} user SGPRs",
            user_sgprs.len(),
            launch.user_sgprs
        ));
    }
    if user_sgprs.len() + launch.system_sgprs.len() > usize::from(SReg::SGPRS) {
        return fail("more SGPRs than there are".into());
    }
    if launch.threads() == 0 || launch.threads() > 1024 {
        return fail(format!("{} threads in a workgroup", launch.threads()));
    }
    if launch.lds_bytes > 0x1_0000 {
        return fail(format!("{} bytes of LDS", launch.lds_bytes));
    }
    // 2^23 bytes for a wave is what the hardware's scratch size field can say.
    if launch.scratch_bytes > 0x80_0000 / launch.wave.lanes() {
        return fail(format!("{} bytes of scratch", launch.scratch_bytes));
    }
    if let Some(threads) = grid.threads {
        let whole = threads
            .iter()
            .zip(launch.local)
            .zip(grid.groups)
            .all(|((&t, l), g)| t.div_ceil(l) == g);
        if !whole {
            return fail(format!(
                "{threads:?} threads are not {:?} workgroups",
                grid.groups
            ));
        }
    }
    for (_, content) in &launch.vgprs {
        match content {
            InitialVgpr::LocalId(0..=2) => {}
            InitialVgpr::LocalId(n) => return fail(format!("local id {n}")),
            InitialVgpr::PerLane(v) if v.len() == launch.wave.lanes() as usize => {}
            InitialVgpr::PerLane(v) => {
                return fail(format!("{} initial values for a wave", v.len()));
            }
            InitialVgpr::Stage(_) if launch.stage.is_graphics() => {}
            InitialVgpr::Stage(what) => return fail(format!("{what:?} in a compute shader")),
        }
    }
    Ok(())
}

/// An instruction, and what would be costly to ask of it each time.
#[derive(Clone, Copy)]
struct Decoded {
    inst: Inst,
    reads_lds_direct: bool,
}

/// The code, decoded as it is reached.
struct Program<'a> {
    target: Target,
    options: DecodeOptions,
    words: &'a [u32],
    decoded: Vec<Option<Decoded>>,
}

impl Program<'_> {
    /// The instruction at a pc that control reached from `from`.
    fn fetch(&mut self, pc: u32, from: u32) -> Result<Decoded, ExecError> {
        let index = (pc / 4) as usize;
        let left = ExecError::LeftCode {
            pc: from,
            target: u64::from(pc),
        };
        if !pc.is_multiple_of(4) {
            return Err(left);
        }
        match self.decoded.get_mut(index) {
            None => Err(left),
            Some(Some(decoded)) => Ok(*decoded),
            Some(slot) => {
                let inst = decode_with(self.options, self.target, self.words, index)?;
                let direct = Operand::Special(Special::LdsDirect);
                let decoded = Decoded {
                    inst,
                    reads_lds_direct: inst.srcs().any(|(o, _)| o == direct),
                };
                *slot = Some(decoded);
                Ok(decoded)
            }
        }
    }
}

struct Run<'a, O> {
    launch: &'a Launch,
    user_sgprs: &'a [u32],
    grid: Grid,
    options: &'a Options,
    program: Program<'a>,
    memory: &'a mut dyn Memory,
    gds: Local,
    report: Report,
    begin: Instant,
    /// What a graphics wave is given.
    stage: Option<&'a StageInputs>,
    /// What it exported.
    exports: Vec<Export>,
    observer: &'a mut O,
}

/// What a step left the wave doing.
enum Pause {
    Ended,
    Barrier,
    Turn,
}

impl<O: Observer> Run<'_, O> {
    fn workgroup(&mut self, group: [u32; 3]) -> Result<(), ExecError> {
        let mut lds = Local::new(self.launch.lds_bytes as usize);
        let mut waves: Vec<(Wave, Scratch)> = self
            .waves(group)
            .into_iter()
            .map(|w| {
                let scratch = Scratch::new(self.launch.scratch_bytes, w.lanes());
                (w, scratch)
            })
            .collect();
        while waves.iter().any(|(w, _)| !w.ended) {
            for (wave, scratch) in &mut waves {
                if !wave.ended && !wave.at_barrier {
                    let pause = self.turn(group, wave, scratch, &mut lds)?;
                    match pause {
                        Pause::Ended => {
                            self.keep_findings(wave);
                            if let Some(stage) = wave.stage.take() {
                                self.exports.extend(stage.exports);
                            }
                        }
                        Pause::Barrier | Pause::Turn => {}
                    }
                }
            }
            // A barrier waits for the waves that are still alive.
            if waves.iter().all(|(w, _)| w.ended || w.at_barrier) {
                for (w, _) in &mut waves {
                    w.at_barrier = false;
                }
            }
        }
        Ok(())
    }

    fn keep_findings(&mut self, wave: &Wave) {
        for f in wave.findings() {
            let known = |k: &Finding| (k.pc, k.register) == (f.pc, f.register);
            if self.report.findings.len() < MAX_FINDINGS && !self.report.findings.iter().any(known)
            {
                self.report.findings.push(f);
            }
        }
    }

    /// Runs a wave until its turn is over.
    fn turn(
        &mut self,
        group: [u32; 3],
        wave: &mut Wave,
        scratch: &mut Scratch,
        lds: &mut Local,
    ) -> Result<Pause, ExecError> {
        for _ in 0..self.options.turn.max(1) {
            let Decoded {
                inst,
                reads_lds_direct,
            } = self.program.fetch(wave.next_pc, wave.pc)?;
            wave.pc = inst.pc();
            wave.next_pc = inst.next_pc();
            self.charge(wave, &inst)?;
            let before = O::ENABLED.then(|| wave.clone());
            let mut env = Env {
                memory: &mut *self.memory,
                code: self.program.words,
                lds: &mut *lds,
                gds: &mut self.gds,
                scratch: &mut *scratch,
            };
            if reads_lds_direct {
                let value = lds_direct(wave, &env).map_err(|e| describe(e, &inst))?;
                wave.lds_direct = Some(value);
            }
            if matches!(inst.sem(), Sem::Flow(Flow::SendMsg))
                && stage::allocates(&self.launch.stage, inst.simm16())
            {
                continue;
            }
            execute(wave, &mut env, &inst).map_err(|e| describe(e, &inst))?;
            if let Some(before) = before {
                self.observer.step(&Step {
                    group,
                    inst: &inst,
                    before: &before,
                    after: wave,
                });
            }
            if wave.ended {
                return Ok(Pause::Ended);
            }
            if wave.at_barrier {
                return Ok(Pause::Barrier);
            }
        }
        Ok(Pause::Turn)
    }

    fn charge(&mut self, wave: &Wave, inst: &Inst) -> Result<(), ExecError> {
        let lanes = match inst.sem() {
            Sem::Salu(_) | Sem::Flow(_) | Sem::Smem(_) => 1,
            Sem::Valu(_)
            | Sem::Interp(_)
            | Sem::Ds(_)
            | Sem::Buffer(_)
            | Sem::Flat(_)
            | Sem::Image(_)
            | Sem::Export => u64::from(wave.exec().count_ones().max(1)),
        };
        self.report.instructions += 1;
        self.report.lane_instructions += lanes;
        if self.report.lane_instructions > self.options.step_limit {
            return Err(ExecError::StepLimit {
                pc: wave.pc,
                limit: self.options.step_limit,
            });
        }
        if let Some(limit) = self.options.time_limit
            && self.report.instructions.is_multiple_of(CLOCK)
            && self.begin.elapsed() > limit
        {
            return Err(ExecError::TimeLimit { pc: wave.pc, limit });
        }
        Ok(())
    }

    /// The waves of a workgroup as the dispatcher leaves them.
    fn waves(&self, group: [u32; 3]) -> Vec<Wave> {
        let launch = self.launch;
        let mut size = launch.local;
        if let Some(threads) = self.grid.threads {
            for ((s, t), g) in size.iter_mut().zip(threads).zip(group) {
                *s = (*s).min(t.saturating_sub(g.saturating_mul(*s)));
            }
        }
        let [sx, sy, sz] = size;
        let threads = sx * sy * sz;
        let lanes = launch.wave.lanes();
        let count = threads.div_ceil(lanes);
        (0..count)
            .map(|index| {
                let mut wave = Wave::new(launch.target, launch.wave, launch.mode, index);
                wave.vgpr_count = launch.vgpr_count;
                wave.code_address = launch.code_address;
                (wave.pc, wave.next_pc) = (launch.entry, launch.entry);
                let first = index * lanes;
                let live = match (threads - first).min(lanes) {
                    64 => u64::MAX,
                    n => (1 << n) - 1,
                };
                wave.set_exec(live & launch.exec.unwrap_or(u64::MAX));
                if let Some(stage) = self.stage {
                    wave.set_exec(stage.exec);
                    wave.stage = Some(Box::new(StageState {
                        attributes: stage.attributes.clone(),
                        exports: Vec::new(),
                    }));
                }
                self.set_scalars(&mut wave, group, index, count);
                for (reg, content) in &launch.vgprs {
                    for lane in 0..lanes {
                        let thread = first + lane;
                        let value = match content {
                            InitialVgpr::PerLane(v) => v.get(lane as usize).copied(),
                            InitialVgpr::LocalId(_) if thread >= threads => None,
                            InitialVgpr::LocalId(0) => Some(thread % sx),
                            InitialVgpr::LocalId(1) => Some(thread / sx % sy),
                            InitialVgpr::LocalId(_) => Some(thread / sx / sy),
                            InitialVgpr::Stage(what) => self.stage.and_then(|stage| {
                                let given = stage.vgprs.iter().find(|(given, _)| given == what);
                                given
                                    .and_then(|(_, values)| values.get(lane as usize))
                                    .copied()
                            }),
                        };
                        if let Some(v) = value {
                            wave.set_vgpr(*reg, lane as usize, v);
                        }
                    }
                }
                wave
            })
            .collect()
    }

    fn set_scalars(&self, wave: &mut Wave, group: [u32; 3], index: u32, count: u32) {
        let launch = self.launch;
        if let Some(vcc) = launch.vcc {
            wave.set_sgpr(SReg::VCC_LO, vcc as u32);
            wave.set_sgpr(SReg::VCC_HI, (vcc >> 32) as u32);
        }
        if let Some(exec) = launch.exec
            && launch.wave == WaveSize::W32
            && exec >> 32 != 0
        {
            // An ordinary register in wave32.
            wave.set_sgpr(SReg::EXEC_HI, (exec >> 32) as u32);
        }
        if let Some(m0) = launch.m0 {
            wave.set_sgpr(SReg::M0, m0);
        }
        let system = launch.system_sgprs.iter().map(|s| match s {
            SystemSgpr::GroupId(axis) => group.get(usize::from(*axis)).copied().unwrap_or(0),
            SystemSgpr::TgSize => {
                // Both places: a production compiler reads bits 11:6 on gfx1030 too.
                let id = index << 20 | index << 6;
                count | id | u32::from(index == 0) << 31
            }
            SystemSgpr::ScratchOffset => self.scratch_offset(group, index),
        });
        let values = self.user_sgprs.iter().copied().chain(system);
        for (code, v) in (launch.first_user_sgpr..SReg::SGPRS).zip(values) {
            wave.set_sgpr(SReg::from_code(code), v);
        }
        for &(code, content) in &launch.fixed_sgprs {
            if let FixedSgpr::Value(value) = content {
                wave.set_sgpr(SReg::from_code(code), value);
            }
        }
    }

    /// Byte offset of a wave's scratch where the scratch of all waves lies one after the other.
    fn scratch_offset(&self, [x, y, z]: [u32; 3], index: u32) -> u32 {
        let [nx, ny, _] = self.grid.groups;
        let group = (z.wrapping_mul(ny).wrapping_add(y))
            .wrapping_mul(nx)
            .wrapping_add(x);
        let waves = self.launch.waves() as u32;
        let wave = group.wrapping_mul(waves).wrapping_add(index);
        wave.wrapping_mul(self.launch.scratch_bytes)
            .wrapping_mul(self.launch.wave.lanes())
    }
}

/// Executes one instruction; `wave.pc` and `wave.next_pc` are set.
fn execute(wave: &mut Wave, env: &mut Env<'_>, inst: &Inst) -> Result<(), ExecError> {
    match inst.sem() {
        Sem::Salu(s) => salu::execute(wave, inst, s),
        Sem::Flow(f) => flow::execute(wave, inst, f),
        Sem::Smem(s) => smem::execute(wave, env, inst, s),
        Sem::Valu(_) => valu::execute(wave, inst),
        Sem::Interp(sem) => stage::interpolate(wave, inst, sem),
        Sem::Ds(d) => ds::execute(wave, env, inst, d),
        Sem::Buffer(b) => buffer::execute(wave, env, inst, b),
        Sem::Flat(f) => flat::execute(wave, env, inst, f),
        Sem::Image(_) => Err(wave.refuse("images")),
        Sem::Export => stage::export(wave, inst),
    }
}

/// What LDS_DIRECT reads: LDS at M0\[15:0\], as the type in M0\[18:16\] says.
fn lds_direct(wave: &Wave, env: &Env<'_>) -> Result<u32, ExecError> {
    let m0 = wave.m0();
    let at = u64::from(m0 & 0xffff);
    let byte = || env.lds.load(at).map_or(0, |[b]: [u8; 1]| b);
    let short = || env.lds.load(at).map_or(0, u16::from_le_bytes);
    match m0 >> 16 & 7 {
        0 => Ok(u32::from(byte())),
        1 => Ok(u32::from(short())),
        2 => Ok(env.lds.load(at).map_or(0, u32::from_le_bytes)),
        4 => Ok(byte() as i8 as u32),
        5 => Ok(short() as i16 as u32),
        n => Err(wave.refuse(format!("LDS_DIRECT type {n}"))),
    }
}

/// Adds what a refusal inside a unit does not know.
fn describe(mut e: ExecError, inst: &Inst) -> ExecError {
    if let ExecError::Unsupported(u) = &mut e {
        u.words = inst.words().to_vec();
        u.mnemonic = inst.opcode().name();
    }
    e
}

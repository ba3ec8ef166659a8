//! What the tests of whole programs share: a runner that keeps the last state of each wave.

#![allow(dead_code)] // each test binary uses its part
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::collections::BTreeMap;

use spirdna_isa::launch::{InitialVgpr, Launch};
use spirdna_isa::{SReg, Target, WaveSize};
use spirdna_reference::{
    ExecError, Grid, Observer, Options, Regions, Report, Step, Wave, run_dispatch_with,
};

/// `s_endpgm`.
pub const END: u32 = 0xbf81_0000;

/// A program, its launch and its memory, and what it left behind.
pub struct Test {
    pub code: Vec<u32>,
    pub launch: Launch,
    pub sgprs: Vec<u32>,
    pub grid: Grid,
    pub memory: Regions,
    pub options: Options,
    /// The last state of each wave of each workgroup.
    pub waves: BTreeMap<([u32; 3], u32), Wave>,
}

/// Keeps the last state of each wave.
struct Last<'a>(&'a mut BTreeMap<([u32; 3], u32), Wave>);

impl Observer for Last<'_> {
    fn step(&mut self, step: &Step<'_>) {
        self.0
            .insert((step.group, step.after.index()), step.after.clone());
    }
}

impl Test {
    /// One workgroup of one wave on gfx1030; `code` needs no end.
    pub fn new(wave: WaveSize, code: &[u32]) -> Test {
        let mut code = code.to_vec();
        code.push(END);
        let mut launch = Launch::compute(Target::Gfx1030, wave, [wave.lanes(), 1, 1]);
        launch.vgprs.clear();
        Test {
            code,
            launch,
            sgprs: Vec::new(),
            grid: Grid::groups([1, 1, 1]),
            memory: Regions::new(),
            options: Options::default(),
            waves: BTreeMap::new(),
        }
    }

    pub fn wave32(code: &[u32]) -> Test {
        Test::new(WaveSize::W32, code)
    }

    /// User SGPRs from s0 on.
    pub fn sgprs(mut self, values: &[u32]) -> Test {
        self.sgprs = values.to_vec();
        self.launch.user_sgprs = values.len() as u32;
        self
    }

    /// A VGPR's initial value in each lane.
    pub fn vgpr(mut self, reg: u8, value: impl Fn(u32) -> u32) -> Test {
        let lanes = self.launch.wave.lanes();
        let values = (0..lanes).map(value).collect();
        self.launch.vgprs.push((reg, InitialVgpr::PerLane(values)));
        self
    }

    pub fn exec(mut self, mask: u64) -> Test {
        self.launch.exec = Some(mask);
        self
    }

    pub fn m0(mut self, m0: u32) -> Test {
        self.launch.m0 = Some(m0);
        self
    }

    pub fn lds(mut self, bytes: u32) -> Test {
        self.launch.lds_bytes = bytes;
        self
    }

    /// Memory of dwords.
    pub fn memory(mut self, base: u64, dwords: &[u32]) -> Test {
        let bytes = dwords.iter().flat_map(|d| d.to_le_bytes()).collect();
        self.memory.map(base, bytes).unwrap();
        self
    }

    pub fn try_run(&mut self) -> Result<Report, ExecError> {
        run_dispatch_with(
            &self.code,
            &self.launch,
            &self.sgprs,
            self.grid,
            &mut self.memory,
            &self.options,
            &mut Last(&mut self.waves),
        )
    }

    pub fn run(mut self) -> Test {
        self.try_run().unwrap_or_else(|e| panic!("{e}"));
        self
    }

    /// The only wave.
    pub fn wave(&self) -> &Wave {
        &self.waves[&([0; 3], 0)]
    }

    pub fn s(&self, code: u8) -> u32 {
        self.wave().sgpr(SReg::from_code(code))
    }

    pub fn v(&self, reg: u8) -> Vec<u32> {
        (0..self.wave().lanes())
            .map(|l| self.wave().vgpr(reg, l))
            .collect()
    }

    pub fn dwords(&self, base: u64) -> Vec<u32> {
        let bytes = self.memory.region(base).unwrap();
        bytes
            .chunks_exact(4)
            .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
            .collect()
    }
}

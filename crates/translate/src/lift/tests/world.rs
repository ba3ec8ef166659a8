//! What lifted programs run in: regions of guest memory, LDS, launch values. One wave after the other.

use spirdna_isa::launch::{InitialVgpr, Launch};
use spirdna_isa::{Target, WaveSize, assemble};

use crate::error::Unsupported;
use crate::ir::eval::{Env, EvalError, run_module};
use crate::ir::{Area, FTy, HostOp, Input, MemWidth, Module, verify};
use crate::lift::{Room, lift};
use crate::passes::lower_float::sim::SimHost;
use crate::program::Program;
use crate::resources::DescriptorFacts;

/// A region of guest memory.
#[derive(Clone)]
pub struct Region {
    pub address: u64,
    pub bytes: Vec<u8>,
}

/// A program with what it runs on.
#[derive(Clone)]
pub struct World {
    pub launch: Launch,
    pub code: Vec<u32>,
    pub user: Vec<u32>,
    pub groups: [u32; 3],
    pub facts: DescriptorFacts,
    pub memory: Vec<Region>,
    /// (pc, address) of each fault.
    pub faults: Vec<(u32, u64)>,
    /// What executes host operations.
    pub host: Option<SimHost>,
    lds: Vec<u8>,
    group: [u32; 3],
    wave: u32,
}

/// Guest address of the scratch.
pub const SCRATCH: u64 = 0x6000_0000_0000;
/// Guest address of the GDS.
pub const GDS: u64 = 0x5000_0000_0000;

impl World {
    fn base(&self, area: Area) -> u64 {
        match area {
            Area::Scratch => SCRATCH,
            Area::Gds => GDS,
        }
    }

    pub fn new(wave: WaveSize, text: &str, user: &[u32]) -> World {
        let code = assemble(Target::Gfx1030, wave, text).unwrap_or_else(|e| panic!("{e:?}"));
        let mut launch = Launch::compute(Target::Gfx1030, wave, [wave.lanes(), 1, 1]);
        launch.user_sgprs = user.len() as u32;
        World {
            launch,
            code,
            user: user.to_vec(),
            groups: [1, 1, 1],
            facts: DescriptorFacts::default(),
            memory: Vec::new(),
            faults: Vec::new(),
            host: None,
            lds: Vec::new(),
            group: [0; 3],
            wave: 0,
        }
    }

    pub fn region(mut self, address: u64, bytes: Vec<u8>) -> World {
        self.memory.push(Region { address, bytes });
        self
    }

    pub fn words(self, address: u64, words: &[u32]) -> World {
        let bytes = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.region(address, bytes)
    }

    /// Gives a VGPR a value for each lane at entry.
    pub fn per_lane(&mut self, reg: u8, values: &[u32]) {
        self.launch
            .vgprs
            .push((reg, InitialVgpr::PerLane(values.to_vec())));
    }

    pub fn module(&self) -> Result<Module, Vec<Unsupported>> {
        let program = Program::decode(self.launch.target, &self.code)?;
        let lifted = lift(&mut Room::default(), &program, &self.launch, &self.facts)?;
        if let Err(e) = verify::verify_module(&lifted) {
            panic!("{e}");
        }
        Ok(lifted)
    }

    /// Lifts and runs, which both must succeed.
    pub fn run(&mut self) {
        let module = self.module().unwrap_or_else(|e| panic!("{e:#?}"));
        self.run_module(&module).unwrap();
    }

    pub fn run_module(&mut self, module: &Module) -> Result<(), EvalError> {
        let [x, y, z] = self.groups;
        for i in 0..x * y * z {
            self.group = [i % x, i / x % y, i / (x * y)];
            self.lds = vec![0; self.launch.lds_bytes as usize];
            for wave in 0..self.launch.waves() as u32 {
                self.wave = wave;
                run_module(module, self, 1 << 20)?;
            }
        }
        Ok(())
    }

    /// The dwords of a region.
    pub fn dwords(&self, region: usize) -> Vec<u32> {
        self.memory[region]
            .bytes
            .chunks_exact(4)
            .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
            .collect()
    }

    fn find(&self, address: u64, bytes: u32) -> Option<(usize, usize)> {
        self.memory.iter().enumerate().find_map(|(i, r)| {
            let at = address.checked_sub(r.address & ((1 << 48) - 1))?;
            (at + u64::from(bytes) <= r.bytes.len() as u64).then_some((i, at as usize))
        })
    }
}

fn bytes_of(width: MemWidth) -> usize {
    match width {
        MemWidth::B8 => 1,
        MemWidth::B16 => 2,
        MemWidth::B32 => 4,
        MemWidth::B64 => 8,
    }
}

fn get(from: &[u8]) -> u64 {
    from.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b))
}

impl Env for World {
    fn input(&mut self, input: Input, lane: u32) -> u64 {
        let lanes = self.launch.wave.lanes();
        let thread = self.wave * lanes + lane;
        let [x, y, _] = self.launch.local;
        u64::from(match input {
            Input::UserData(n) => self.user[n as usize],
            Input::GroupId(axis) => self.group[axis as usize],
            Input::WaveInGroup => self.wave,
            Input::WavesInGroup => self.launch.waves() as u32,
            Input::GroupNumber => {
                let ([x, y, _], [i, j, k]) = (self.groups, self.group);
                i + x * (j + y * k)
            }
            Input::Base { area, high } => (self.base(area) >> if high { 32 } else { 0 }) as u32,
            Input::LaneId => lane,
            Input::LocalId(axis) => [thread % x, thread / x % y, thread / (x * y)][axis as usize],
            Input::LaneLive => u32::from(u64::from(thread) < self.launch.threads()),
            Input::LaunchVgpr(i) => match &self.launch.vgprs[i as usize].1 {
                InitialVgpr::PerLane(values) => values[lane as usize],
                InitialVgpr::LocalId(_) | InitialVgpr::Stage(_) => panic!("not per lane"),
            },
            Input::Stage(_) => panic!("a graphics stage"),
        })
    }

    fn contains(&mut self, address: u64, bytes: u32) -> bool {
        self.find(address, bytes).is_some()
    }

    fn load(&mut self, address: u64, width: MemWidth) -> u64 {
        let n = bytes_of(width);
        let (i, at) = self.find(address, n as u32).expect("a load in memory");
        get(&self.memory[i].bytes[at..at + n])
    }

    fn store(&mut self, address: u64, width: MemWidth, value: u64) {
        let n = bytes_of(width);
        let (i, at) = self.find(address, n as u32).expect("a store in memory");
        self.memory[i].bytes[at..at + n].copy_from_slice(&value.to_le_bytes()[..n]);
    }

    fn lds_load(&mut self, address: u32, width: MemWidth) -> u64 {
        let (n, at) = (bytes_of(width), address as usize);
        assert!(at.is_multiple_of(n), "LDS address {at} of {n} bytes");
        get(&self.lds[at..at + n])
    }

    fn lds_store(&mut self, address: u32, width: MemWidth, value: u64) {
        let (n, at) = (bytes_of(width), address as usize);
        assert!(at.is_multiple_of(n), "LDS address {at} of {n} bytes");
        self.lds[at..at + n].copy_from_slice(&value.to_le_bytes()[..n]);
    }

    fn fault(&mut self, pc: u32, address: u64) {
        self.faults.push((pc, address));
    }

    fn host(&mut self, op: HostOp, ty: FTy, args: &[u64]) -> Option<u64> {
        self.host.as_mut()?.host(op, ty, args)
    }
}

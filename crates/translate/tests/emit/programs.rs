//! The programs: IR, input memory, and the memory that plain Rust says must come out.

use spirdna_isa::launch::{InitialVgpr, Launch};
use spirdna_isa::{Target, WaveSize};
use spirdna_translate::ir::{Builder, Input, MemWidth, Module, Value, verify};

/// Where the output region lies.
pub const OUT: u64 = 0x1_0000_0000;
/// Where the input region lies: a sign-extended address, of which 48 bits count.
pub const IN: u64 = 0xffff_8000_0000_1000;

/// A program and all it needs.
pub struct Program {
    pub name: &'static str,
    pub module: Module,
    /// Threads in the grid.
    pub threads: [u32; 3],
    pub user: Vec<u32>,
    pub vgprs: Vec<Vec<u32>>,
    /// Regions: guest base, content.
    pub memory: Vec<(u64, Vec<u32>)>,
    /// The content of each afterwards.
    pub expected: Vec<Vec<u32>>,
    /// Checks the fault buffer (empty where the module has none) at a subgroup size.
    pub faults: fn(&[u32], u32) -> Result<(), String>,
    /// Programs that a device compiles slowly are executed at one subgroup size in four.
    pub turn: Option<u32>,
}

impl Program {
    /// Whether it is executed at a subgroup size.
    pub fn runs_at(&self, s: u32) -> bool {
        self.turn
            .is_none_or(|turn| (turn + s.ilog2().div_ceil(2) + s.ilog2() / 4).is_multiple_of(4))
    }

    pub fn groups(&self) -> [u32; 3] {
        [0, 1, 2].map(|i| self.threads[i].div_ceil(self.module.local[i]))
    }
}

fn no_faults(faults: &[u32], _: u32) -> Result<(), String> {
    match faults.first() {
        None | Some(0) => Ok(()),
        Some(n) => Err(format!("{n} faults, the first {:x?}", &faults[4..8])),
    }
}

/// A launch and what builds the program in it.
pub struct Setup {
    pub launch: Launch,
    pub threads: [u32; 3],
    pub user: Vec<u32>,
    pub memory: Vec<(u64, Vec<u32>)>,
    pub expected: Vec<Vec<u32>>,
}

pub fn launch(wave: WaveSize, local: [u32; 3]) -> Launch {
    Launch::compute(Target::Gfx1030, wave, local)
}

pub fn finish(
    name: &'static str,
    mut setup: Setup,
    build: impl FnOnce(&mut Builder<'_>),
) -> Program {
    setup.launch.user_sgprs = setup.user.len() as u32;
    let mut module = Module::new(&setup.launch);
    build(&mut Builder::new(&mut module.func));
    verify(&module.func, setup.launch.wave).expect(name);
    let vgprs = setup
        .launch
        .vgprs
        .iter()
        .map(|(_, content)| match content {
            InitialVgpr::PerLane(words) => words.clone(),
            InitialVgpr::LocalId(_) | InitialVgpr::Stage(_) => Vec::new(),
        })
        .collect();
    Program {
        name,
        module,
        threads: setup.threads,
        user: setup.user,
        vgprs,
        memory: setup.memory,
        expected: setup.expected,
        faults: no_faults,
        turn: None,
    }
}

/// The place of dword `index` (a word value) after `base`.
pub fn place(b: &mut Builder<'_>, base: u64, index: Value, dwords: u32) -> Value {
    let base = b.const64(base);
    let offset = b.shl_by(index, 2);
    let offset = b.zext(offset);
    let address = b.add(base, offset);
    b.ptr(address, 4 * dwords)
}

pub fn put(b: &mut Builder<'_>, index: Value, value: Value) {
    let yes = b.const_bool(true);
    put_if(b, index, value, yes);
}

pub fn put_if(b: &mut Builder<'_>, index: Value, value: Value, guard: Value) {
    let place = place(b, OUT, index, 1);
    b.store(place, value, guard, MemWidth::B32, 0, true);
}

/// Stores `values` from dword `index * values.len()` on.
pub fn put_all(b: &mut Builder<'_>, index: Value, values: &[Value]) {
    let n = b.const32(values.len() as u32);
    let index = b.mul(index, n);
    let place = place(b, OUT, index, values.len() as u32);
    let yes = b.const_bool(true);
    for (i, &value) in values.iter().enumerate() {
        b.store(place, value, yes, MemWidth::B32, 4 * i as u32, true);
    }
}

/// The thread's number in the grid, for one-dimensional launches.
pub fn thread(b: &mut Builder<'_>, local: u32) -> Value {
    let id = b.input(Input::LocalId(0));
    let group = b.input(Input::GroupId(0));
    let local = b.const32(local);
    let first = b.mul(group, local);
    b.add(first, id)
}

/// A generator of test data.
pub fn noise(seed: u32, n: usize) -> Vec<u32> {
    let mut state = u64::from(seed) << 32 | 0x9e37_79b9;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
        })
        .collect()
}

/// Values at the edges, then noise.
pub fn edges(seed: u32, n: usize) -> Vec<u32> {
    let special = [
        0,
        1,
        2,
        31,
        32,
        33,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_0001,
        u32::MAX,
        u32::MAX - 1,
        0x10000,
    ];
    let mut words = noise(seed, n);
    for (i, word) in words.iter_mut().enumerate() {
        match i % 5 {
            0 => *word = special[(i / 5 + seed as usize) % special.len()],
            1 => *word &= 0x3f,
            _ => {}
        }
    }
    words
}

/// Every program for a wave size.
pub fn programs(wave: WaveSize) -> Vec<Program> {
    let mut all = super::values::programs(wave);
    all.extend(super::floats::programs(wave));
    all.extend(super::lanes::programs(wave));
    all.extend(super::memory::programs(wave));
    all.extend(super::flow::programs(wave));
    all.extend(super::atomics::programs(wave));
    all
}

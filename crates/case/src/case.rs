//! A case with everything resolved: code as words, regions with addresses and content, registers
//! with values. Plain data; `load` makes it, executors run it.

use std::path::PathBuf;

use spirdna_isa::launch::Launch;

use crate::format::{BindingSpec, CompareSpec, ElementType, ScratchVia};
use crate::memory::{GuestMemory, RegionId};

/// A case that can be run.
#[derive(Clone, Debug)]
pub struct Case {
    /// The case file.
    pub path: PathBuf,
    /// The file's name without `.case.toml`.
    pub name: String,
    /// Dispatches, in order, over the same memory.
    pub dispatches: Vec<Dispatch>,
    /// Memory before the first.
    pub memory: GuestMemory,
    /// What it must hold after the last.
    pub expects: Vec<Expect>,
    /// The shader may read registers that nothing has written.
    pub undefined_reads: bool,
    /// A fault that must happen.
    pub expect_fault: Option<FaultKind>,
    /// The module that the shader was compiled from.
    pub original: Option<Original>,
}

/// One dispatch.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The code, from the first instruction on.
    pub code: Vec<u32>,
    /// What a wave holds when it starts, but for the values of user SGPRs.
    pub launch: Launch,
    /// The user SGPRs, from s0 on; `launch.user_sgprs` of them.
    pub user_sgprs: Vec<u32>,
    /// User SGPRs that hold the low half of a region's address: SGPR, region, what was added to it.
    pub pointers: Vec<(u32, RegionId, u64)>,
    /// Workgroups in the grid, the partial ones included.
    pub groups: [u32; 3],
    /// Threads in the grid.
    pub threads: [u32; 3],
    /// How the shader reaches its scratch, if it has any.
    pub scratch_via: ScratchVia,
}

/// Workgroups of a grid, at most 2^64 - 1.
pub(crate) fn group_count(groups: [u32; 3]) -> u64 {
    let product: u128 = groups.iter().map(|&n| u128::from(n)).product();
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// What a part of memory must hold.
#[derive(Clone, Debug)]
pub struct Expect {
    /// The region.
    pub region: RegionId,
    /// Byte offset in it; offset and bytes lie in the region.
    pub offset: usize,
    /// The expected bytes, a whole number of elements.
    pub bytes: Vec<u8>,
    /// How the elements are read.
    pub element: ElementType,
    /// How they are compared.
    pub compare: CompareSpec,
}

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An access outside every region.
    Unmapped,
}

/// The module that a shader was compiled from.
#[derive(Clone, Debug)]
pub struct Original {
    /// Its file.
    pub path: PathBuf,
    /// Its words.
    pub words: Vec<u32>,
    /// Its entry point.
    pub entry: String,
    /// Its push constants, in dwords.
    pub push: Vec<u32>,
    /// Its buffers; the regions exist.
    pub bindings: Vec<(RegionId, BindingSpec)>,
    /// Addresses in its buffers: the region that holds it, the byte offset, the region that it points to.
    pub addresses: Vec<(RegionId, u64, RegionId)>,
    /// How its result is compared with the translation's, instead of each expectation's own way.
    pub compare: Option<CompareSpec>,
    /// Whether its result depends on the subgroup size.
    pub subgroup_dependent: bool,
}

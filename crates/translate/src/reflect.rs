//! What a caller must supply to run a translation: plain data, no Vulkan types.

use crate::bindings::Resource;
use crate::options::{Fidelity, Nans};

use crate::resources::DescriptorPlace;

/// A storage buffer that the caller binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferUse {
    /// Guest memory: the pool that the windows point into. Its first `POOL_RESERVED` bytes are reserved:
    /// zero, and in no window.
    Memory,
    /// Window table: the first dword is the number of windows n (at most `Reflection::max_windows`),
    /// three dwords of 0, then n entries of 4 dwords, sorted by base: base low, base high (16
    /// bits), bytes, byte offset in the pool (congruent to the base modulo 16). All bits behind them are
    /// set, up to the binding's `min_bytes` at least.
    Windows,
    /// Faults: dword 0 (start at 0) counts the invocations that had any; then, for the first
    /// `FAULT_SLOTS` of these, four dwords from dword 4 on: pc, address low, address high of the
    /// invocation's first fault, and 1. Written where the program ends.
    Faults,
    /// User SGPR values (where they do not fit the push constants), then per-lane initial VGPR data, at
    /// the dword offsets in `Reflection::launch_layout`.
    Launch,
    /// Offset model. Dword 0: number of ranges n (at most `Reflection::max_windows`); dwords 2 and 3: the
    /// device address (low dword first) of 16 zero bytes that nobody writes, where what must not be read
    /// is read. From dword 8 on n ranges of 8 dwords, sorted, that share no byte: three 64-bit numbers, low
    /// dword first: guest address of the first byte (48 bits), bytes, device address of the first byte
    /// (congruent to the guest's modulo 16); then two dwords of padding. With one range, the guest's address
    /// plus a constant is the device's.
    Ranges,
    /// Page model. Dword 0: page shift p, 7 to 31 (pages of 2^p bytes); dword 1: number of spans n (at most
    /// `Reflection::max_windows`); then three device addresses, low dword first: at dword 2 of 16 zero
    /// bytes, as in `Ranges`; at dword 4 of the page table: 8 bytes an entry, the device address of the page
    /// (a multiple of 16), or 0 where it is missing (entry 0 always is, and no span has it); at dword 6 of the bitmap of misses, one bit an entry (bit i
    /// of its dword k is entry 32 k + i), set by the module for each page that an active lane missed and
    /// never read by it. From dword 8 on n spans of 4 dwords, sorted, that neither share a page nor touch: number of the
    /// first page (guest address >> p), low and high dword; pages; number of the first one's entry.
    Pages,
    /// Where the host lacks 64-bit atomics: `LOCKS` dwords, 0 at the start and at the end.
    Locks,
    /// LDS slices, one for each workgroup of the grid in order, x fastest: where LDS does not fit the
    /// host's workgroup memory or has 64-bit atomics that only buffers have.
    Lds,
    /// The bytes of the buffer that a descriptor describes (`DescriptorFacts::bound`), from its base on: its
    /// NUM_RECORDS, times its stride where it is structured.
    Bound(DescriptorPlace),
}

/// Bytes at the begin of the pool that are zero: what has no place is read from there.
pub const POOL_RESERVED: u32 = 64;

/// Fault records that the fault buffer holds.
pub const FAULT_SLOTS: u32 = 64;

/// Dwords of `BufferUse::Locks`.
pub const LOCKS: u32 = 256;

/// The address in the fault record of a wave that used up `Options::loop_budget`; no guest address.
pub const LOOP_BUDGET_FAULT: u64 = u64::MAX;

/// A buffer binding of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferBinding {
    /// Purpose.
    pub usage: BufferUse,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Least size in bytes that the module needs; of `Lds`, for each workgroup of the grid.
    pub min_bytes: u64,
}

/// Push constants, in bytes. Offsets: 0 = group base x, y, z; 12 = threads in the grid x, y, z; 24 =
/// user SGPRs, one dword each, where `user_data` says that they are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PushLayout {
    /// Size of the block in bytes.
    pub bytes: u32,
    /// Number of user SGPRs in the block from byte 24 on (0: they are in the launch buffer).
    pub user_data: u32,
    /// Whether the module adds the group base ([`Grid::Parts`](crate::options::Grid)); otherwise nobody reads it.
    pub group_base: bool,
}

/// Where things lie in the launch buffer, in dwords.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct LaunchLayout {
    /// First dword of the user SGPRs, if they are here.
    pub user_data: Option<u32>,
    /// First of two dwords: the guest address (a multiple of 16, low dword first) of scratch, if the
    /// module uses it and has more than an array of the invocation's own holds. There lie
    /// `Launch::scratch_bytes`, rounded up to a multiple of 16, for each lane of each wave of each
    /// workgroup of the grid, in order, within a window.
    pub scratch: Option<u32>,
    /// As `scratch`: the guest address of the GDS' 64 KiB.
    pub gds: Option<u32>,
    /// (index into `Launch::vgprs`, first dword) of per-lane data; W dwords each.
    pub vgprs: Vec<(u32, u32)>,
    /// Dwords in all.
    pub dwords: u32,
}

/// How lanes are mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaneFidelity {
    /// One guest wave is one host subgroup with k lanes an invocation.
    WaveExact,
    /// Each invocation is a wave with one live lane.
    LaneWise,
}

/// What a translation needs and did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reflection {
    /// Entry point name.
    pub entry: String,
    /// Host workgroup size.
    pub local_size: [u32; 3],
    /// Subgroup size that the pipeline must require (with full subgroups); `None`: any.
    pub subgroup_size: Option<u32>,
    /// k: guest lanes in an invocation.
    pub lanes_per_invocation: u32,
    /// Mapping of lanes.
    pub lanes: LaneFidelity,
    /// Float results.
    pub fidelity: Fidelity,
    /// Which NaNs they are.
    pub nans: Nans,
    /// Buffers to bind.
    pub buffers: Vec<BufferBinding>,
    /// The descriptors that the shader uses, as far as they can be traced to user SGPRs: V#s with the memory
    /// behind them in `buffers`, images and samplers with the places that the caller gave them. A V# that
    /// the shader builds itself is not listed.
    pub resources: Vec<Resource>,
    /// Push constants.
    pub push: PushLayout,
    /// Launch buffer.
    pub launch_layout: LaunchLayout,
    /// Windows, ranges, or spans of pages, that the module looks up at most.
    pub max_windows: u32,
    /// SPIR-V capabilities declared, by name.
    pub capabilities: Vec<String>,
    /// SPIR-V extensions declared.
    pub extensions: Vec<String>,
    /// Workgroup memory in bytes.
    pub workgroup_bytes: u32,
    /// The guest address at which the code's bytes must lie in guest memory, if the program takes addresses
    /// of its code and so may read it; nothing may change them.
    pub code_address: Option<u64>,
    /// Instructions of guest code translated.
    pub guest_instructions: u32,
    /// Locations that a fragment shader reads.
    pub inputs: Vec<u32>,
    /// Locations that a graphics stage writes: parameters or colour targets.
    pub outputs: Vec<u32>,
    /// SPIR-V words.
    pub spirv_words: u32,
    /// Structurizer's strategy for each part, as text.
    pub strategies: Vec<String>,
}

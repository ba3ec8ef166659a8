//! What a caller chooses about a translation.

/// How float results relate to the hardware's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Fidelity {
    /// The bits that the hardware gives, on any host.
    #[default]
    Exact,
    /// The host's own operations.
    Fast,
}

/// Which NaN a float result is that is one. What is no NaN is the same either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Nans {
    /// The hardware's: the first NaN operand, quieted as MODE says, or the default NaN.
    #[default]
    Payload,
    /// Any: sign, payload and whether it signals are the host's, also in what is computed from them.
    /// Cheaper where the host's own operation is used.
    Any,
}

/// How guest addresses become places on the host; what the caller fills in stands in `reflect`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum MemoryModel {
    /// A table of windows into one storage buffer.
    #[default]
    Windows,
    /// Addresses of the device: the guest's plus a constant, of each range (of which there may be one).
    Offset,
    /// Addresses of the device through a page table, with a bitmap of the pages that were missed.
    Pages,
}

/// What is done with workgroup barriers that are not proven to be met by all waves alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Barriers {
    /// The program is cut at its barriers into one loop in which all waves meet.
    #[default]
    Exact,
    /// The caller promises that all waves meet every barrier alike, those of a partial workgroup that have
    /// no thread too: they run along without a lane.
    AssumeUniform,
}

/// What becomes of branches on whether any lane has something to do, where one invocation is one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Divergence {
    /// The wave's flow, with masks, as everywhere else.
    #[default]
    Uniform,
    /// Lanes part where nothing needs them together, on a host that promises that they meet again.
    Branches,
}

/// How the caller dispatches a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Grid {
    /// In one dispatch: the host's workgroup ids are the guest's.
    #[default]
    Whole,
    /// In parts, as a host's limits may ask: the push constants hold the id of a part's first workgroup.
    Parts,
}

/// Choices of a translation. `Default` is exact, with windows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Float results.
    pub fidelity: Fidelity,
    /// NaN results under [`Fidelity::Exact`].
    pub nans: Nans,
    /// Address translation.
    pub memory: MemoryModel,
    /// Barriers.
    pub barriers: Barriers,
    /// Windows, ranges, or spans of pages, that the module can look up at most.
    pub max_windows: u32,
    /// Times that a wave may go back in its loops, all together: then it records a fault at
    /// [`LOOP_BUDGET_FAULT`](crate::reflect::LOOP_BUDGET_FAULT) and ends. `None`: as often as it does.
    pub loop_budget: Option<u32>,
    /// Branches on masks where S = W.
    pub divergence: Divergence,
    /// Whether grids come in parts.
    pub grid: Grid,
    /// Descriptor set of the module's buffers: the stages of a pipeline may need different ones.
    pub descriptor_set: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fidelity: Fidelity::Exact,
            nans: Nans::Payload,
            memory: MemoryModel::Windows,
            barriers: Barriers::Exact,
            max_windows: 16,
            loop_budget: None,
            divergence: Divergence::Uniform,
            grid: Grid::Whole,
            descriptor_set: 0,
        }
    }
}

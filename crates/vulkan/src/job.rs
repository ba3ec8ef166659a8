//! The plain data that goes in and comes out: a job, its buffers, the report. Knows no Vulkan.

/// One compute dispatch over a list of buffers.
#[derive(Debug)]
pub struct Job<'a> {
    /// The module, in words of the host's byte order.
    pub spirv: &'a [u32],
    /// Name of a `GLCompute` entry point.
    pub entry: &'a str,
    /// The subgroup size that the module was made for. The device is told to use it where it can
    /// choose, and otherwise must have it; subgroups are full where the device can promise that,
    /// which needs a workgroup whose x size is a multiple of it. `None` leaves all to the device.
    pub required_subgroup_size: Option<u32>,
    /// The memory that the shader sees.
    pub buffers: Vec<Buffer<'a>>,
    /// The push constant block, from its offset 0 on: a whole number of words.
    pub push: Vec<u8>,
    /// Byte offset in `push` of three `u32` that receive the workgroup id (x, y, z) at which a
    /// dispatch starts: (0, 0, 0) unless the grid is split. Without it a grid above the device's
    /// limit is refused.
    pub group_base_push_offset: Option<u32>,
    /// Workgroups in the grid. A zero in any dimension makes it empty.
    pub groups: [u32; 3],
    /// How often the whole grid runs, one after the other, over the same memory.
    pub repeat: u32,
    /// Whether the whole grid runs once more before the clock starts, over memory that is then uploaded
    /// again: a driver may compile at the first dispatch.
    pub warm_up: bool,
    /// Device addresses to write before the run.
    pub addresses: Vec<AddressPatch>,
}

impl<'a> Job<'a> {
    /// A job that runs `entry` of `spirv` once over `groups` workgroups, as yet without memory.
    #[must_use]
    pub fn new(spirv: &'a [u32], entry: &'a str, groups: [u32; 3]) -> Self {
        Self {
            spirv,
            entry,
            required_subgroup_size: None,
            buffers: Vec::new(),
            push: Vec::new(),
            group_base_push_offset: None,
            groups,
            repeat: 1,
            warm_up: false,
            addresses: Vec::new(),
        }
    }
}

/// One region of memory that the shader sees.
#[derive(Debug)]
pub struct Buffer<'a> {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// Uploaded before the run and read back after it; its length does not change. An empty one
    /// stands as four bytes that nobody sees. The device's buffer is a whole number of words.
    pub data: &'a mut Vec<u8>,
    /// How the shader declares it.
    pub kind: BufferKind,
    /// Whether it also has a device address (for [`AddressPatch`]).
    pub device_address: bool,
}

impl<'a> Buffer<'a> {
    /// A storage buffer without a device address.
    #[must_use]
    pub fn storage(set: u32, binding: u32, data: &'a mut Vec<u8>) -> Self {
        Self {
            set,
            binding,
            data,
            kind: BufferKind::Storage,
            device_address: false,
        }
    }

    /// A uniform buffer without a device address.
    #[must_use]
    pub fn uniform(set: u32, binding: u32, data: &'a mut Vec<u8>) -> Self {
        Self {
            kind: BufferKind::Uniform,
            ..Self::storage(set, binding, data)
        }
    }

    /// A region that no binding names: only its device address reaches it.
    #[must_use]
    pub fn by_address(data: &'a mut Vec<u8>) -> Self {
        Self {
            kind: BufferKind::Unbound,
            device_address: true,
            ..Self::storage(0, 0, data)
        }
    }
}

/// How a shader declares a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferKind {
    /// A storage buffer.
    Storage,
    /// A uniform buffer: the device does not write it, and it is not read back.
    Uniform,
    /// No binding at all: `set` and `binding` mean nothing.
    Unbound,
}

/// Writes `address of a buffer + add` (modulo 2^64, little-endian) into the push constants or into
/// a buffer before the run. In a buffer that is read back the bytes come back as the shader left
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressPatch {
    /// Where the 64-bit value goes.
    pub target: PatchTarget,
    /// Index in [`Job::buffers`] of the buffer whose address is meant; it needs `device_address`.
    pub buffer: usize,
    /// Added to the address.
    pub add: u64,
}

/// Where an [`AddressPatch`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchTarget {
    /// Byte offset in [`Job::push`], a multiple of four.
    Push(u32),
    /// Byte offset in the buffer of that index in [`Job::buffers`].
    Buffer {
        /// Index in [`Job::buffers`].
        index: usize,
        /// Byte offset in its data.
        offset: u64,
    },
}

/// What a run was.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Dispatches made: more than one where the grid was split or repeated.
    pub dispatches: u32,
    /// Warnings of the validation layer; empty without validation. (Its errors fail the run.)
    pub validation_messages: Vec<String>,
    /// Host time from the first submission until the last dispatch was seen finished, in seconds,
    /// copies to and from the device included.
    pub seconds: f64,
    /// Device time between the start of the first dispatch and the end of the last, in seconds,
    /// where the queue keeps time.
    pub device_seconds: Option<f64>,
}

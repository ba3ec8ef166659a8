//! What a seed is: one shader at one wave size with the launch, memory and expected results of its case
//! file. Plain data; how it is compiled and written is elsewhere.

/// One shader, one wave size.
pub struct Seed {
    /// Folder and file stem.
    pub name: &'static str,
    /// Lanes of a wave: 32 or 64.
    pub wave: u32,
    /// Language, and what only that language's launch has.
    pub source: Source,
    /// Workgroups in the grid.
    pub groups: [u32; 3],
    /// Threads in a workgroup, as the source states.
    pub local: [u32; 3],
    /// Bytes of workgroup memory (from the ELF for OpenCL C).
    pub lds: u32,
    /// GLSL: bindings 0.. of set 0 in order. OpenCL C: the pointer arguments.
    pub buffers: Vec<Buffer>,
}

/// The language of a seed.
pub enum Source {
    /// GLSL, through SPIR-V and RADV's compiler.
    Glsl {
        /// Push constant words; RADV passes them in SGPRs from s3 on.
        push: Vec<u32>,
        /// Whether the grid's size in workgroups (x, y, z) follows them.
        grid_size: bool,
        /// How many workgroup ids the code reads: x, then y, then z, in the SGPRs behind those.
        group_ids: usize,
        /// Whether TG_SIZE follows them.
        tg_size: bool,
        /// How many local ids the code reads, in v0 on.
        local_ids: usize,
        /// Whether the result depends on the wave size: the original is then comparable only where the
        /// host's subgroup is as wide.
        wave_dependent: bool,
    },
    /// OpenCL C, through clang to a code object.
    OpenCl {
        /// Arguments behind the pointers, as TOML text.
        scalars: Vec<String>,
    },
}

/// One memory region.
pub struct Buffer {
    /// Region name.
    pub name: &'static str,
    /// Guest address.
    pub address: u64,
    /// What it holds before the dispatch.
    pub before: Contents,
    /// What its first dwords hold after it; `None`: not checked.
    pub after: Option<Vec<u32>>,
}

/// Initial contents of a region.
pub enum Contents {
    /// Dwords.
    U32(Vec<u32>),
    /// 16-bit elements.
    U16(Vec<u16>),
    /// Floats; every value prints and reads back exactly.
    F32(Vec<f32>),
    /// This many dwords of [`FILL`].
    Fill(usize),
}

/// What an output region holds before the dispatch.
pub const FILL: u32 = 0xdead_beef;

impl Contents {
    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::U32(values) => 4 * values.len(),
            Self::U16(values) => 2 * values.len(),
            Self::F32(values) => 4 * values.len(),
            Self::Fill(dwords) => 4 * dwords,
        }
    }
}

impl Buffer {
    /// A region that the shader only reads.
    pub fn input(name: &'static str, address: u64, before: Contents) -> Self {
        Self {
            name,
            address,
            before,
            after: None,
        }
    }

    /// A region that the shader fills whole.
    pub fn output(name: &'static str, address: u64, after: Vec<u32>) -> Self {
        Self {
            name,
            address,
            before: Contents::Fill(after.len()),
            after: Some(after),
        }
    }

    /// A region that the shader changes.
    pub fn changed(name: &'static str, address: u64, before: Contents, after: Vec<u32>) -> Self {
        Self {
            name,
            address,
            before,
            after: Some(after),
        }
    }
}

impl Seed {
    /// Name of the binary beside the case file.
    pub fn code_file(&self) -> String {
        match self.source {
            Source::Glsl { .. } => format!("{}.w{}.bin", self.name, self.wave),
            Source::OpenCl { .. } => format!("{}.w{}.co", self.name, self.wave),
        }
    }
}

/// Deterministic test data: the high bits of a 64-bit linear congruential generator.
pub fn noise(seed: u64, count: usize) -> Vec<u32> {
    let mut state = seed;
    (0..count)
        .map(|_| {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            u32::try_from(state >> 32).unwrap_or_default()
        })
        .collect()
}

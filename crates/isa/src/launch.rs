//! What a wave holds when it starts: the plain description that the reference and the translator
//! share. Knows nothing of how either realises it.
//!
//! Source: AMDGPU ABI "Initial Kernel Execution State"; `COMPUTE_PGM_RSRC1/2` for the order of
//! system SGPRs and for MODE.

use crate::stage::{FixedSgpr, PixelEnv, StageVgpr, VertexEnv};
use crate::{Target, WaveSize};

/// Address of the code's first byte where the launch says nothing else: what `s_getpc_b64` counts from.
/// Loads from there on read the code's words, so that constants behind a program can be reached.
pub const CODE_BASE: u64 = 0x7f00_0000_0000;

/// The stage a shader runs in, with the state beyond registers that only it has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// A compute shader or kernel.
    Compute,
    /// A vertex shader: of the VS stage, or of merged stages that do nothing else.
    Vertex(Box<VertexEnv>),
    /// A pixel shader.
    Pixel(Box<PixelEnv>),
}

impl Stage {
    /// Whether it is one of the rasteriser's, which puts lanes into waves as it likes.
    pub const fn is_graphics(&self) -> bool {
        !matches!(self, Stage::Compute)
    }
}

/// A system value that the dispatcher writes to the SGPR after the user SGPRs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SystemSgpr {
    /// Workgroup id along x, y or z (0, 1, 2).
    GroupId(u8),
    /// `TG_SIZE`: waves in the group (of a partial one those that it has) in bits 5:0, wave id in bits 24:20 and again in bits 11:6 (where
    /// RADV reads it, on gfx1030 too), first-wave flag in bit 31.
    TgSize,
    /// Byte offset of the wave's scratch.
    ScratchOffset,
}

/// What a VGPR holds at entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InitialVgpr {
    /// The thread's id in the workgroup along x, y or z (0, 1, 2).
    LocalId(u8),
    /// Values given by the caller, one a lane of the wave; the same for every wave.
    PerLane(Vec<u32>),
    /// What a graphics stage puts there.
    Stage(StageVgpr),
}

/// Rounding of float results (`FLOAT_MODE` round fields).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Round {
    /// To nearest, ties to even.
    NearestEven = 0,
    /// Toward +infinity.
    PlusInfinity = 1,
    /// Toward -infinity.
    MinusInfinity = 2,
    /// Toward zero.
    TowardZero = 3,
}

/// Treatment of denormals (`FLOAT_MODE` denorm fields).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Denorm {
    /// Inputs and results are flushed to signed zero.
    FlushInOut = 0,
    /// Inputs are kept, results flushed.
    FlushOut = 1,
    /// Inputs are flushed, results kept.
    FlushIn = 2,
    /// Kept.
    Allow = 3,
}

impl Denorm {
    /// Whether subnormal inputs count as signed zero.
    pub const fn flushes_in(self) -> bool {
        matches!(self, Denorm::FlushInOut | Denorm::FlushIn)
    }

    /// Whether subnormal results become signed zero.
    pub const fn flushes_out(self) -> bool {
        matches!(self, Denorm::FlushInOut | Denorm::FlushOut)
    }
}

/// The MODE register's part that changes what arithmetic means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mode {
    /// Rounding of f32.
    pub round32: Round,
    /// Rounding of f16 and f64.
    pub round16_64: Round,
    /// Denormals of f32.
    pub denorm32: Denorm,
    /// Denormals of f16 and f64.
    pub denorm16_64: Denorm,
    /// IEEE: signalling NaNs are quieted, output modifiers ignored.
    pub ieee: bool,
    /// Clamp turns NaN to +0.
    pub dx10_clamp: bool,
    /// f16 overflow saturates to the largest finite value.
    pub fp16_ovfl: bool,
}

impl Mode {
    /// MODE as a `*_PGM_RSRC1` register sets it: FLOAT_MODE in bits 19:12, DX10_CLAMP in 21, IEEE in 23;
    /// FP16_OVFL in bit `overflow`, which differs among stages.
    pub const fn from_rsrc1(rsrc1: u32, overflow: u32) -> Mode {
        Mode {
            round32: round(rsrc1 >> 12),
            round16_64: round(rsrc1 >> 14),
            denorm32: denorm(rsrc1 >> 16),
            denorm16_64: denorm(rsrc1 >> 18),
            ieee: rsrc1 >> 23 & 1 == 1,
            dx10_clamp: rsrc1 >> 21 & 1 == 1,
            fp16_ovfl: rsrc1 >> overflow & 1 == 1,
        }
    }
}

/// The rounding that the lowest two bits of `field` name.
const fn round(field: u32) -> Round {
    match field & 3 {
        0 => Round::NearestEven,
        1 => Round::PlusInfinity,
        2 => Round::MinusInfinity,
        _ => Round::TowardZero,
    }
}

/// What the lowest two bits of `field` say of denormals.
const fn denorm(field: u32) -> Denorm {
    match field & 3 {
        0 => Denorm::FlushInOut,
        1 => Denorm::FlushOut,
        2 => Denorm::FlushIn,
        _ => Denorm::Allow,
    }
}

impl Default for Mode {
    /// What graphics drivers and RADV compute set: `FLOAT_MODE` 0xc0, DX10_CLAMP.
    fn default() -> Self {
        Mode {
            round32: Round::NearestEven,
            round16_64: Round::NearestEven,
            denorm32: Denorm::FlushInOut,
            denorm16_64: Denorm::Allow,
            ieee: false,
            dx10_clamp: true,
            fp16_ovfl: false,
        }
    }
}

/// Bits 63:32 of an address in the LDS aperture of FLAT; the low half is the LDS offset.
pub const SHARED_APERTURE: u32 = 0x0001_0000;
/// Bits 63:32 of an address in the scratch aperture of FLAT; the low half is the lane's scratch offset.
pub const PRIVATE_APERTURE: u32 = 0x0002_0000;
/// Bytes of GDS.
pub const GDS_BYTES: u32 = 0x1_0000;

/// Everything a wave finds at entry, except the values of user SGPRs and memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Launch {
    /// The ISA the words are in.
    pub target: Target,
    /// The stage.
    pub stage: Stage,
    /// Lanes in a wave.
    pub wave: WaveSize,
    /// Threads in a workgroup.
    pub local: [u32; 3],
    /// Whether the grid's last workgroups may be partial (fewer threads than `local`).
    pub partial_groups: bool,
    /// LDS bytes of a workgroup.
    pub lds_bytes: u32,
    /// Scratch bytes of a lane.
    pub scratch_bytes: u32,
    /// The first of four user SGPRs, counted from the first one, that hold the V# of scratch as the driver of
    /// an HSA queue makes it: swizzled by dwords over the wave's lanes, without a stride, ADD_TID, INDEX_STRIDE
    /// of the wave's size, OOB_SELECT 2 and some records; a wave's scratch begins SCRATCH_OFFSET behind its
    /// base. Nothing else leads to that memory, of which nobody else sees anything, and a lane stays in its
    /// `scratch_bytes`.
    pub scratch_vsharp: Option<u32>,
    /// Number of user SGPRs. Their values are run-time data.
    pub user_sgprs: u32,
    /// First user SGPR: 0, or 8 where stages are merged.
    pub first_user_sgpr: u8,
    /// What other SGPRs of a graphics wave hold.
    pub fixed_sgprs: Vec<(u8, FixedSgpr)>,
    /// System SGPRs, following the user SGPRs in this order.
    pub system_sgprs: Vec<SystemSgpr>,
    /// What v0 on hold, as (register, content); others are undefined.
    pub vgprs: Vec<(u8, InitialVgpr)>,
    /// MODE at entry.
    pub mode: Mode,
    /// EXEC at entry where it is not the mask of live threads (it is still limited by it).
    pub exec: Option<u64>,
    /// VCC at entry; undefined when absent.
    pub vcc: Option<u64>,
    /// M0 at entry; undefined when absent.
    pub m0: Option<u32>,
    /// VGPRs that the wave has, 1 to 256: where a register that M0 indexes is out of range. What an
    /// instruction names itself is taken as being there.
    pub vgpr_count: u16,
    /// Guest address of the code's first byte, a multiple of 4.
    pub code_address: u64,
    /// Byte offset of the first instruction in the code, a multiple of 4: what is before it may be called or
    /// read.
    pub entry: u32,
}

impl Launch {
    /// A compute launch with the default MODE, ids of local threads in v0 to v2 and no system SGPR.
    pub fn compute(target: Target, wave: WaveSize, local: [u32; 3]) -> Launch {
        Launch {
            target,
            stage: Stage::Compute,
            wave,
            local,
            partial_groups: false,
            lds_bytes: 0,
            scratch_bytes: 0,
            scratch_vsharp: None,
            user_sgprs: 0,
            first_user_sgpr: 0,
            fixed_sgprs: Vec::new(),
            system_sgprs: Vec::new(),
            vgprs: (0..3).map(|i| (i, InitialVgpr::LocalId(i))).collect(),
            mode: Mode::default(),
            exec: None,
            vcc: None,
            m0: None,
            vgpr_count: 256,
            code_address: CODE_BASE,
            entry: 0,
        }
    }

    /// Threads in a full workgroup.
    pub fn threads(&self) -> u64 {
        self.local.iter().map(|&n| u64::from(n)).product()
    }

    /// Waves in a full workgroup.
    pub fn waves(&self) -> u64 {
        self.threads().div_ceil(u64::from(self.wave.lanes()))
    }
}

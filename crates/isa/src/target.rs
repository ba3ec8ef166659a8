//! Targets and wave sizes as values: the same word means different things on different targets.

use bitflags::bitflags;

/// A GPU target, named as LLVM names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// RDNA1.
    Gfx1010,
    /// RDNA1 with the BVH instructions: the console-like one.
    Gfx1013,
    /// RDNA2.
    Gfx1030,
}

impl Target {
    /// Every target, in ascending order.
    pub const ALL: [Target; 3] = [Target::Gfx1010, Target::Gfx1013, Target::Gfx1030];

    /// The name LLVM gives the target (`-mcpu`).
    pub const fn name(self) -> &'static str {
        match self {
            Target::Gfx1010 => "gfx1010",
            Target::Gfx1013 => "gfx1013",
            Target::Gfx1030 => "gfx1030",
        }
    }

    /// The target of a name, if there is one.
    pub fn from_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|t| t.name() == name)
    }

    /// The set that holds this target alone.
    pub const fn set(self) -> TargetSet {
        match self {
            Target::Gfx1010 => TargetSet::GFX1010,
            Target::Gfx1013 => TargetSet::GFX1013,
            Target::Gfx1030 => TargetSet::GFX1030,
        }
    }
}

bitflags! {
    /// A set of targets: where an encoding's number carries a row.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct TargetSet: u8 {
        /// RDNA1.
        const GFX1010 = 1;
        /// RDNA1 with BVH.
        const GFX1013 = 2;
        /// RDNA2.
        const GFX1030 = 4;
    }
}

/// Lanes in a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WaveSize {
    /// 32 lanes; masks are one SGPR.
    W32,
    /// 64 lanes; masks are an SGPR pair.
    W64,
}

impl WaveSize {
    /// The number of lanes.
    pub const fn lanes(self) -> u32 {
        match self {
            WaveSize::W32 => 32,
            WaveSize::W64 => 64,
        }
    }

    /// The wave size of a lane count, if there is one.
    pub const fn from_lanes(lanes: u32) -> Option<WaveSize> {
        match lanes {
            32 => Some(WaveSize::W32),
            64 => Some(WaveSize::W64),
            _ => None,
        }
    }

    /// The mask of all lanes.
    pub const fn full_mask(self) -> u64 {
        match self {
            WaveSize::W32 => 0xffff_ffff,
            WaveSize::W64 => u64::MAX,
        }
    }
}

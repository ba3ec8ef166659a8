//! Operations on images: what each takes and gives. Names no AMD opcode and no SPIR-V opcode.

use spirdna_isa::image::ImageDim;

use super::op::AtomicOp;
use super::types::Shape;

/// Where a filtered access takes its level from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lod {
    /// The derivatives over the pixel's quad.
    Implicit,
    /// The same plus a bias.
    Bias,
    /// A level that is given.
    Level,
    /// The first level.
    Zero,
    /// Derivatives that are given.
    Gradient,
}

/// A filtered access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SampleForm {
    /// Level.
    pub lod: Lod,
    /// What is filtered is whether texels compare with a value.
    pub compare: bool,
    /// No level below one that is given.
    pub clamp: bool,
    /// Texels are counted from an offset.
    pub offset: bool,
}

/// Read-modify-write operations of texels of one word, as `AtomicOp`'s of these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TexelAtomic {
    Swap,
    CmpSwap,
    Add,
    Sub,
    SMin,
    UMin,
    SMax,
    UMax,
    And,
    Or,
    Xor,
    Inc,
    Dec,
    /// Subnormals count as they stand.
    FMin,
    FMax,
    FCmpSwap,
}

impl TexelAtomic {
    /// The operation on memory.
    pub const fn on_memory(self) -> AtomicOp {
        match self {
            TexelAtomic::Swap => AtomicOp::Swap,
            TexelAtomic::CmpSwap => AtomicOp::CmpSwap,
            TexelAtomic::Add => AtomicOp::Add,
            TexelAtomic::Sub => AtomicOp::Sub,
            TexelAtomic::SMin => AtomicOp::SMin,
            TexelAtomic::UMin => AtomicOp::UMin,
            TexelAtomic::SMax => AtomicOp::SMax,
            TexelAtomic::UMax => AtomicOp::UMax,
            TexelAtomic::And => AtomicOp::And,
            TexelAtomic::Or => AtomicOp::Or,
            TexelAtomic::Xor => AtomicOp::Xor,
            TexelAtomic::Inc => AtomicOp::Inc,
            TexelAtomic::Dec => AtomicOp::Dec,
            TexelAtomic::FMin => AtomicOp::FMin { flush: false },
            TexelAtomic::FMax => AtomicOp::FMax { flush: false },
            TexelAtomic::FCmpSwap => AtomicOp::FCmpSwap { flush: false },
        }
    }

    /// Data operands.
    pub const fn data_args(self) -> usize {
        self.on_memory().data_args()
    }
}

/// What is done with an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageOp {
    /// A component of a filtered texel.
    Sample {
        /// How.
        form: SampleForm,
        /// Which component.
        component: u8,
    },
    /// A component of one of the four texels that would be filtered at the first level.
    Gather {
        /// How; `Lod::Zero`, no clamp.
        form: SampleForm,
        /// Which component.
        component: u8,
        /// Which texel: (0, 1), (1, 1), (1, 0), (0, 0).
        texel: u8,
    },
    /// A component of a texel; outside the image, or where the guard is false, its components are 0 (and
    /// ones are one).
    Load {
        /// The level is given; else it is the first.
        level: bool,
        /// Which component.
        component: u8,
        /// Nobody writes the image during the dispatch.
        read_only: bool,
    },
    /// Writes a texel; nothing outside the image or where the guard is false.
    Store,
    /// Changes a texel of one component to the old value; nothing (0) outside the image or where the guard
    /// is false.
    Atomic {
        /// Operation.
        op: TexelAtomic,
        /// As for `Op::Atomic`.
        shape: Shape,
    },
    /// Size of a level: x, y, z or layers, and the number of levels as the fourth.
    Size {
        /// Which.
        component: u8,
    },
    /// The level that sampling takes: with its clamps, or without.
    Lod {
        /// 0 with, 1 without.
        component: u8,
    },
}

/// An operation on an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageAccess {
    /// What is done.
    pub op: ImageOp,
    /// Dimension.
    pub dim: ImageDim,
    /// Coordinates count texels.
    pub texels: bool,
    /// The image among `Module::images`; `None`: its descriptor's eight words stand behind the operands.
    pub image: Option<u8>,
    /// The sampler among `Module::images`; `None`: none, or not bound yet.
    pub sampler: Option<u8>,
    /// The image is an entry of a table, whose number stands behind the operands.
    pub image_index: bool,
    /// The sampler is, whose number stands last.
    pub sampler_index: bool,
}

// Instructions are many, and image operations few of them.
const _: () = assert!(size_of::<ImageAccess>() <= 15);

impl ImageOp {
    /// Whether a sampler is used.
    pub const fn is_sampled(self) -> bool {
        matches!(
            self,
            ImageOp::Sample { .. } | ImageOp::Gather { .. } | ImageOp::Lod { .. }
        )
    }

    /// Whether the image is written.
    pub const fn writes(self) -> bool {
        matches!(self, ImageOp::Store | ImageOp::Atomic { .. })
    }

    /// Whether a guard comes before the operands.
    pub const fn is_guarded(self) -> bool {
        matches!(
            self,
            ImageOp::Load { .. } | ImageOp::Store | ImageOp::Atomic { .. }
        )
    }

    /// Whether the result is a function of the arguments.
    pub const fn is_pure(self) -> bool {
        match self {
            ImageOp::Sample { .. }
            | ImageOp::Gather { .. }
            | ImageOp::Size { .. }
            | ImageOp::Lod { .. } => true,
            ImageOp::Load { read_only, .. } => read_only,
            ImageOp::Store | ImageOp::Atomic { .. } => false,
        }
    }
}

/// Coordinates of a filtered access, as f32: of a cube a direction and the cube's number.
pub const fn sample_coordinates(dim: ImageDim) -> usize {
    match dim {
        ImageDim::Cube => 4,
        _ => dim.axes() as usize + dim.is_array() as usize,
    }
}

/// Components of a derivative along one axis of the screen.
pub const fn gradient(dim: ImageDim) -> usize {
    match dim {
        ImageDim::Cube => 3,
        _ => dim.axes() as usize,
    }
}

/// Integer coordinates of a texel, the sample included.
pub const fn texel_coordinates(dim: ImageDim) -> usize {
    dim.axes() as usize + dim.is_array() as usize + dim.is_multisampled() as usize
}

impl ImageAccess {
    /// Operands that are I32, in their order: coordinates; bias or level; derivatives along x, then y;
    /// comparison value; least level; offsets of the axes; of a store four components, of an atomic its
    /// data.
    pub const fn operands(&self) -> usize {
        match self.op {
            ImageOp::Sample { form, .. } | ImageOp::Gather { form, .. } => {
                let level = match form.lod {
                    Lod::Implicit | Lod::Zero => 0,
                    Lod::Bias | Lod::Level => 1,
                    Lod::Gradient => 2 * gradient(self.dim),
                };
                let offset = if form.offset {
                    self.dim.axes() as usize
                } else {
                    0
                };
                sample_coordinates(self.dim)
                    + level
                    + form.compare as usize
                    + form.clamp as usize
                    + offset
            }
            ImageOp::Load { level, .. } => texel_coordinates(self.dim) + level as usize,
            ImageOp::Store => texel_coordinates(self.dim) + 4,
            ImageOp::Atomic { op, .. } => texel_coordinates(self.dim) + op.data_args(),
            ImageOp::Size { .. } => 1,
            ImageOp::Lod { .. } => gradient(self.dim),
        }
    }

    /// I32s behind the operands: words of descriptors, or indexes.
    pub const fn descriptors(&self) -> usize {
        let image = match self.image {
            Some(_) => self.image_index as usize,
            None => 8,
        };
        let sampler = match (self.sampler, self.op.is_sampled()) {
            (Some(_), _) => self.sampler_index as usize,
            (None, true) => 4,
            (None, false) => 0,
        };
        image + sampler
    }
}

//! The descriptors that a shader uses and where the caller puts them: what a translation lists, and what a
//! caller answers. Plain data; knows no IR and no Vulkan type.

use spirdna_isa::descriptor::DstSel;
use spirdna_isa::image::ImageDim;
use spirdna_isa::stage::ColorClass;

use crate::recipe::Recipe;

/// What a descriptor is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResourceKind {
    /// A V#. Its memory is guest memory, or a binding of its own where the caller binds it
    /// (`DescriptorFacts::bound`).
    Buffer,
    /// A T# that is sampled, gathered, or fetched from: a sampled image.
    Sampled {
        /// As the instruction addresses it; the view's type follows it.
        dim: ImageDim,
    },
    /// A T# that is read, written or changed by texel: a storage image.
    Storage {
        /// As the instruction addresses it; a cube is an array of faces.
        dim: ImageDim,
    },
    /// An S#.
    Sampler {
        /// With comparison.
        compare: bool,
        /// Coordinates count texels.
        unnormalized: bool,
    },
}

/// Where a resource is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Descriptors in it: those of a table from its first entry on; 1 for others.
    pub count: u32,
}

/// A use of a descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resource {
    /// Where its words come from. Two resources of one recipe are one descriptor used in two ways.
    pub recipe: Recipe,
    /// What as.
    pub kind: ResourceKind,
    /// Something reads through it.
    pub read: bool,
    /// Something writes through it.
    pub write: bool,
    /// Where it is bound. `None`: nowhere; a buffer then is guest memory, everything else is not mapped yet.
    pub place: Option<Place>,
}

/// What the caller knows of a T#, as far as code depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageFact {
    /// What components are to the shader.
    pub class: ColorClass,
    /// Of a storage image: what the components of a load take. A sampled image's view does this itself, as
    /// its component mapping.
    pub dst_sel: [DstSel; 4],
    /// Of a storage image: the number of the T#'s unified format, where the module is to declare it; it must
    /// for atomics. 0: the module declares none.
    pub format: u32,
}

impl Default for ImageFact {
    fn default() -> ImageFact {
        ImageFact {
            class: ColorClass::Float,
            dst_sel: [0, 1, 2, 3].map(DstSel::Component),
            format: 0,
        }
    }
}

/// A resource that the caller has bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mapped {
    /// Which descriptor.
    pub recipe: Recipe,
    /// Used as what.
    pub kind: ResourceKind,
    /// Where.
    pub place: Place,
    /// What is known of it; counts for images only.
    pub fact: ImageFact,
}

/// Where the caller binds images and samplers, and what it promises of them. No two entries have one set
/// and binding, nor a set and binding of the module's own buffers. A texel that is loaded from an image that
/// nobody stores to may be mapped as either kind of image.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct ResourceMap {
    /// The resources.
    pub entries: Vec<Mapped>,
}

impl ResourceMap {
    /// The entry of a descriptor used as something.
    pub fn find(&self, recipe: &Recipe, kind: ResourceKind) -> Option<&Mapped> {
        let mut entries = self.entries.iter();
        entries.find(|entry| entry.kind == kind && entry.recipe == *recipe)
    }
}

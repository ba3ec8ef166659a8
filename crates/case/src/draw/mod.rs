//! Draw files: a vertex and a pixel shader rendered on a device, next to the modules that they were compiled
//! from. `load` resolves a file, `run` renders, `judge` compares images.

pub mod format;
mod judge;
mod load;
pub mod png;
mod resources;
mod run;
mod sets;
mod textures;

use std::path::PathBuf;

use spirdna_vulkan::draw::{
    Attribute, Component, Format, Sampler, TextureShape, TextureUse, Topology,
};

use crate::case::Dispatch;
use crate::format::BindingSpec;
use crate::memory::{GuestMemory, RegionId};

pub use judge::{Difference, judge};
pub use load::topology;
pub use run::{DrawRunner, Image, Picture};
pub use textures::{sampler, shape};

/// A draw that can be run.
#[derive(Clone, Debug)]
pub struct DrawCase {
    /// The draw file.
    pub path: PathBuf,
    /// The file's name without `.draw.toml`, and the form's.
    pub name: String,
    /// The vertex shader: its grid means nothing.
    pub vertex: Dispatch,
    /// The pixel shader.
    pub pixel: Dispatch,
    /// Memory before the draw.
    pub memory: GuestMemory,
    /// Width and height.
    pub size: [u32; 2],
    /// Samples of a pixel.
    pub samples: u32,
    /// Layers of the targets.
    pub layers: u32,
    /// Viewports.
    pub viewports: Vec<[f32; 4]>,
    /// How primitives are made.
    pub topology: Topology,
    /// First vertex, number of vertices.
    pub vertices: (u32, u32),
    /// The region of the vertices' numbers, and whether they have 32 bits and not 16.
    pub indices: Option<(RegionId, bool)>,
    /// First instance, number of instances.
    pub instances: (u32, u32),
    /// Colour targets.
    pub colors: Vec<Target>,
    /// Depth.
    pub depth: Option<Depth>,
    /// Textures.
    pub textures: Vec<CaseTexture>,
    /// Samplers with a binding of their own.
    pub samplers: Vec<(u32, Sampler)>,
    /// The modules that the shaders were compiled from.
    pub original: Option<OriginalDraw>,
}

/// A colour target.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its format.
    pub format: Format,
    /// Bits of the components that it is cleared to.
    pub clear: [u32; 4],
    /// Steps that components may be off.
    pub step: u32,
    /// How far x, y, z, w may be off in value, in 32-bit floats.
    pub within: [f32; 4],
    /// Pixels that may be off by more.
    pub off: u32,
    /// Pixels that must hold these bytes.
    pub pixels: Vec<([u32; 2], Vec<u8>)>,
}

/// Depth test.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// What it is cleared to.
    pub clear: f32,
    /// Comparison.
    pub compare: u32,
    /// Steps that a depth may be off.
    pub step: u32,
}

/// A texture.
#[derive(Clone, Debug)]
pub struct CaseTexture {
    /// Region of its texels.
    pub region: RegionId,
    /// Format.
    pub format: Format,
    /// Shape.
    pub shape: TextureShape,
    /// Width, height, depth.
    pub size: [u32; 3],
    /// Layers.
    pub layers: u32,
    /// Levels.
    pub levels: u32,
    /// What components are.
    pub components: [Component; 4],
    /// How it is used.
    pub usage: TextureUse,
    /// Binding of the original's descriptor.
    pub binding: u32,
}

/// The modules that a pair of shaders was compiled from.
#[derive(Clone, Debug)]
pub struct OriginalDraw {
    /// The vertex module's words.
    pub vertex: Vec<u32>,
    /// The fragment module's words.
    pub fragment: Vec<u32>,
    /// Push constants.
    pub push: Vec<u32>,
    /// Buffers.
    pub bindings: Vec<(RegionId, BindingSpec)>,
    /// Vertex buffers: region, binding, stride, per instance.
    pub vertex_buffers: Vec<(RegionId, u32, u32, bool)>,
    /// Vertex attributes.
    pub attributes: Vec<Attribute>,
}

//! The draw file as it is written: `*.draw.toml`. A vertex and a pixel shader with the registers that a
//! driver would program, memory, targets, and the modules that they were compiled from. The shaders stand in
//! the file itself, or in several forms in a file that `cargo xtask draws` writes.

use serde::Deserialize;

use crate::format::{BindingSpec, Int64, MemorySpec, SgprSpec};

/// A draw file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawFile {
    /// `gfx1010`, `gfx1013` or `gfx1030`.
    pub target: Option<String>,
    /// Where the vertex shader exports the primitive's number, which the pixel shader then takes from the
    /// host: `exp param<n>` and the component.
    pub primitive_number: Option<[u8; 2]>,
    /// The vertex shader.
    pub vertex: Option<VertexSpec>,
    /// The pixel shader.
    pub pixel: Option<PixelSpec>,
    /// Instead of these: a file with the shaders in their forms, beside this one.
    pub forms: Option<String>,
    /// The draw.
    pub draw: DrawSpec,
    /// Colour targets, by number.
    #[serde(default)]
    pub color: Vec<ColorSpec>,
    /// Depth.
    pub depth: Option<DepthSpec>,
    /// Memory regions.
    #[serde(default)]
    pub memory: Vec<MemorySpec>,
    /// Textures.
    #[serde(default)]
    pub texture: Vec<TextureSpec>,
    /// Samplers with a binding of their own.
    #[serde(default)]
    pub sampler: Vec<SamplerBindingSpec>,
    /// The modules that the shaders were compiled from.
    pub original: Option<OriginalDrawSpec>,
}

/// A file of forms: the same shaders as different compilations have them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormsFile {
    /// The forms.
    pub form: Vec<FormSpec>,
}

/// `[[form]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormSpec {
    /// Its name: what follows the draw's in a case's name.
    pub name: String,
    /// `gfx1010`, `gfx1013` or `gfx1030`.
    pub target: String,
    /// As in [`DrawFile`].
    pub primitive_number: Option<[u8; 2]>,
    /// The vertex shader.
    pub vertex: VertexSpec,
    /// The pixel shader.
    pub pixel: PixelSpec,
}

/// `[vertex]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VertexSpec {
    /// Lanes of a wave.
    pub wave: u32,
    /// Raw code beside the file.
    pub code: Option<String>,
    /// Or assembly.
    pub asm: Option<String>,
    /// User SGPRs: from s0 on, from s8 where stages are merged.
    #[serde(default)]
    pub sgprs: Vec<SgprSpec>,
    /// Whether the stages are merged (NGG).
    #[serde(default)]
    pub merged: bool,
    /// `SPI_SHADER_PGM_RSRC1_VS` or `_GS`; USER_SGPR of RSRC2 follows from `sgprs`.
    #[serde(default = "rsrc1")]
    pub rsrc1: Int64,
    /// `PA_CL_VS_OUT_CNTL`.
    #[serde(default)]
    pub out_cntl: Int64,
}

/// `[pixel]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PixelSpec {
    /// Lanes of a wave.
    pub wave: u32,
    /// Raw code beside the file.
    pub code: Option<String>,
    /// Or assembly.
    pub asm: Option<String>,
    /// User SGPRs, from s0 on.
    #[serde(default)]
    pub sgprs: Vec<SgprSpec>,
    /// `SPI_SHADER_PGM_RSRC1_PS`.
    #[serde(default = "rsrc1")]
    pub rsrc1: Int64,
    /// `SPI_PS_INPUT_ENA`.
    pub input_ena: Int64,
    /// `SPI_PS_INPUT_ADDR`.
    pub input_addr: Int64,
    /// `SPI_PS_INPUT_CNTL_0` on.
    #[serde(default)]
    pub input_cntl: Vec<Int64>,
    /// `SPI_INTERP_CONTROL_0`, which points need.
    #[serde(default)]
    pub interp_control: Int64,
    /// `SPI_BARYC_CNTL`.
    #[serde(default)]
    pub baryc_cntl: Int64,
    /// `SPI_SHADER_COL_FORMAT`.
    #[serde(default)]
    pub col_format: Int64,
    /// `SPI_SHADER_Z_FORMAT`.
    #[serde(default)]
    pub z_format: Int64,
    /// `DB_SHADER_CONTROL`.
    pub db_shader_control: Int64,
}

/// FLOAT_MODE 0xc0 and DX10_CLAMP: what graphics drivers program.
fn rsrc1() -> Int64 {
    Int64(0x002c_0000)
}

/// `[draw]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawSpec {
    /// Width and height of the targets.
    pub size: [u32; 2],
    /// Samples of a pixel: 1 or 4, resolved before they are compared.
    #[serde(default = "one")]
    pub samples: u32,
    /// Layers of the targets.
    #[serde(default = "one")]
    pub layers: u32,
    /// Viewports: x, y, width, height. Without any, the whole target.
    #[serde(default)]
    pub viewports: Vec<[f32; 4]>,
    /// `points`, `lines`, `triangles` or `strip`.
    #[serde(default)]
    pub topology: TopologySpec,
    /// First vertex.
    #[serde(default)]
    pub first_vertex: u32,
    /// Vertices.
    pub vertices: u32,
    /// Their numbers, to which the first vertex' is added; otherwise they follow each other.
    pub indices: Option<IndexSpec>,
    /// First instance.
    #[serde(default)]
    pub first_instance: u32,
    /// Instances.
    #[serde(default = "one")]
    pub instances: u32,
}

const fn one() -> u32 {
    1
}

/// Numbers of vertices.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexSpec {
    /// The region.
    pub memory: String,
    /// Bits of each: 16 or 32.
    pub bits: u32,
}

/// How primitives are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum TopologySpec {
    Points,
    Lines,
    #[default]
    Triangles,
    Strip,
}

/// `[[color]]`: a target.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColorSpec {
    /// Its format, by the name that `spirdna_vulkan::draw::Format` has.
    pub format: String,
    /// Bits of the components that it is cleared to.
    #[serde(default)]
    pub clear: [u32; 4],
    /// How far components may be from the original's, in steps of their integer representation.
    #[serde(default)]
    pub step: u32,
    /// How far x, y, z, w may be from the original's in value, whatever number of steps that is: of floats, where
    /// the host's precision is stated so, or where terms cancel.
    #[serde(default)]
    pub within: [f32; 4],
    /// How many pixels may be off by more.
    #[serde(default)]
    pub off: u32,
    /// Pixels that must hold these bits.
    #[serde(default)]
    pub pixels: Vec<PixelValue>,
}

/// What a pixel holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PixelValue {
    /// x and y.
    pub at: [u32; 2],
    /// Its bytes as dwords (the last one padded with zeros).
    pub bits: Vec<u32>,
}

/// `[depth]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DepthSpec {
    /// What it is cleared to.
    #[serde(default = "far")]
    pub clear: f32,
    /// never, less, equal, less or equal, greater, not equal, greater or equal, always: 0 to 7.
    #[serde(default = "less")]
    pub compare: u32,
    /// Steps of a float's bits.
    #[serde(default)]
    pub step: u32,
}

const fn far() -> f32 {
    1.0
}

const fn less() -> u32 {
    1
}

/// `[[texture]]`: an image, whose descriptors are put into the descriptor set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureSpec {
    /// Its format, by name.
    pub format: String,
    /// `1d`, `2d`, `3d`, `cube`, `1d_array`, `2d_array`, `cube_array`.
    pub shape: String,
    /// Width, height, depth.
    pub size: [u32; 3],
    /// Layers (six a cube).
    #[serde(default = "one")]
    pub layers: u32,
    /// Levels.
    #[serde(default = "one")]
    pub levels: u32,
    /// The region with its texels: level by level, in each layer by layer, tightly packed.
    pub memory: String,
    /// What components are to the shader: four of `0`, `1`, `x`, `y`, `z`, `w`.
    #[serde(default = "identity")]
    pub select: String,
    /// Binding in set 0 of the original.
    pub binding: u32,
    /// A storage image, which shaders store to.
    #[serde(default)]
    pub storage: bool,
    /// The sampler of the same binding; without one the image is only fetched, or sampled with another's.
    pub sampler: Option<SamplerSpec>,
}

fn identity() -> String {
    "xyzw".to_owned()
}

/// `[[sampler]]`: a sampler with a binding of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SamplerBindingSpec {
    /// Binding in set 0 of the original.
    pub binding: u32,
    /// The sampler.
    pub sampler: SamplerSpec,
}

/// A sampler.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SamplerSpec {
    /// Linear filter within a level.
    #[serde(default)]
    pub linear: bool,
    /// Linear filter between levels.
    #[serde(default)]
    pub linear_mip: bool,
    /// `repeat`, `mirror`, `clamp` or `border`.
    #[serde(default)]
    pub wrap: WrapSpec,
    /// `transparent_black`, `opaque_black` or `opaque_white`.
    #[serde(default)]
    pub border: BorderSpec,
    /// Comparison: 0 to 7.
    pub compare: Option<u32>,
    /// Added to the level.
    #[serde(default)]
    pub bias: f32,
    /// Least and greatest level.
    #[serde(default = "levels")]
    pub lod: [f32; 2],
    /// Coordinates count texels.
    #[serde(default)]
    pub unnormalized: bool,
}

const fn levels() -> [f32; 2] {
    [0.0, 15.0]
}

/// Border colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum BorderSpec {
    #[default]
    TransparentBlack,
    OpaqueBlack,
    OpaqueWhite,
}

/// How coordinates outside an image are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum WrapSpec {
    #[default]
    Repeat,
    Mirror,
    Clamp,
    Border,
}

/// `[original]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OriginalDrawSpec {
    /// The vertex module, beside the file.
    pub vertex: String,
    /// The fragment module.
    pub fragment: String,
    /// Clip and cull distances that the vertex shader writes: the driver's registers name them.
    #[serde(default)]
    pub distances: [u32; 2],
    /// Push constants, in dwords.
    #[serde(default)]
    pub push: Vec<u32>,
    /// Buffers.
    #[serde(default)]
    pub bindings: Vec<BindingSpec>,
    /// Vertex buffers.
    #[serde(default)]
    pub vertex_buffers: Vec<VertexBufferSpec>,
    /// Vertex attributes.
    #[serde(default)]
    pub attributes: Vec<AttributeSpec>,
}

/// A vertex buffer of the original.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VertexBufferSpec {
    /// Its binding.
    pub binding: u32,
    /// Bytes of an element.
    pub stride: u32,
    /// The region.
    pub memory: String,
    /// Whether it goes on with each instance.
    #[serde(default)]
    pub per_instance: bool,
}

/// A vertex attribute of the original.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeSpec {
    /// Location.
    pub location: u32,
    /// The vertex buffer's binding.
    #[serde(default)]
    pub binding: u32,
    /// Format, by name.
    pub format: String,
    /// Byte offset.
    #[serde(default)]
    pub offset: u32,
}

//! The plain data of a draw: two modules, what they see, what they write to. Knows no Vulkan call; format
//! numbers are Vulkan's.

use crate::job::BufferKind;

/// Formats of attachments and vertex attributes, by Vulkan's names and numbers.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $bytes:literal, $kind:ident;)*) => {
        /// A format of an attachment, a texture or a vertex attribute.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "Vulkan's own names")]
        pub enum Format {
            $($(#[$doc])* $name,)*
        }

        impl Format {
            /// Vulkan's number.
            #[must_use]
            pub const fn number(self) -> i32 {
                match self { $(Format::$name => $number,)* }
            }

            /// Bytes of a texel.
            #[must_use]
            pub const fn bytes(self) -> u32 {
                match self { $(Format::$name => $bytes,)* }
            }

            /// What shaders read and write.
            #[must_use]
            pub const fn class(self) -> FormatClass {
                match self { $(Format::$name => FormatClass::$kind,)* }
            }

            /// The format of that name, as it is spelled here.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Format> {
                match name { $(stringify!($name) => Some(Format::$name),)* _ => None }
            }

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Format::$name => stringify!($name),)* }
            }
        }
    };
}

/// What shaders read and write of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormatClass {
    /// Floats, normalised integers among them.
    Float,
    /// Integers without sign.
    Uint,
    /// Integers with sign.
    Sint,
    /// Depth.
    Depth,
}

formats! {
    R8Unorm = 9, 1, Float;
    R8Uint = 13, 1, Uint;
    R8G8Unorm = 16, 2, Float;
    R8G8B8A8Unorm = 37, 4, Float;
    R8G8B8A8Snorm = 38, 4, Float;
    R8G8B8A8Uint = 41, 4, Uint;
    R8G8B8A8Sint = 42, 4, Sint;
    R8G8B8A8Srgb = 43, 4, Float;
    R16Uint = 74, 2, Uint;
    R16Sfloat = 76, 2, Float;
    R16G16Unorm = 77, 4, Float;
    R16G16Snorm = 78, 4, Float;
    R16G16Uint = 81, 4, Uint;
    R16G16Sint = 82, 4, Sint;
    R16G16Sfloat = 83, 4, Float;
    R16G16B16A16Unorm = 91, 8, Float;
    R16G16B16A16Snorm = 92, 8, Float;
    R16G16B16A16Uint = 95, 8, Uint;
    R16G16B16A16Sint = 96, 8, Sint;
    R16G16B16A16Sfloat = 97, 8, Float;
    R32Uint = 98, 4, Uint;
    R32Sint = 99, 4, Sint;
    R32Sfloat = 100, 4, Float;
    R32G32Uint = 101, 8, Uint;
    R32G32Sint = 102, 8, Sint;
    R32G32Sfloat = 103, 8, Float;
    R32G32B32Sfloat = 106, 12, Float;
    R32G32B32A32Uint = 107, 16, Uint;
    R32G32B32A32Sint = 108, 16, Sint;
    R32G32B32A32Sfloat = 109, 16, Float;
    D32Sfloat = 126, 4, Depth;
}

/// A module and its entry point.
#[derive(Clone, Copy, Debug)]
pub struct StageModule<'a> {
    /// The words.
    pub spirv: &'a [u32],
    /// Name of the entry point.
    pub entry: &'a str,
}

/// How primitives are made of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "Vulkan's own names")]
pub enum Topology {
    PointList,
    LineList,
    #[default]
    TriangleList,
    TriangleStrip,
}

/// A vertex buffer.
#[derive(Clone, Debug)]
pub struct VertexBuffer {
    /// Vulkan's binding number.
    pub binding: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
    /// Whether it goes on with each instance and not with each vertex.
    pub per_instance: bool,
    /// What it holds.
    pub data: Vec<u8>,
}

/// A vertex attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Location of the shader's input.
    pub location: u32,
    /// The vertex buffer's binding.
    pub binding: u32,
    /// Format of the data.
    pub format: Format,
    /// Byte offset in an element.
    pub offset: u32,
}

/// Numbers of vertices, in the order in which primitives take them.
#[derive(Clone, Debug)]
pub struct Indices {
    /// 32 bits each, and not 16.
    pub wide: bool,
    /// The numbers.
    pub data: Vec<u8>,
}

impl Indices {
    /// Bytes of a number.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        if self.wide { 4 } else { 2 }
    }
}

/// A buffer that the shaders see.
#[derive(Clone, Debug)]
pub struct DrawBuffer {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// How the shaders declare it.
    pub kind: BufferKind,
    /// What it holds; read back after the draw where it is a storage buffer.
    pub data: Vec<u8>,
}

/// How a texture is shaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "Vulkan's own names")]
pub enum TextureShape {
    D1,
    D2,
    D3,
    Cube,
    D1Array,
    D2Array,
    CubeArray,
}

/// How shaders use a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TextureUse {
    /// With the sampler of the same binding.
    Combined(Sampler),
    /// A sampled image whose sampler is elsewhere, or that is only fetched.
    Sampled,
    /// A storage image; read back after the draw.
    Storage,
    /// A sampler without an image.
    SamplerOnly(Sampler),
}

/// How coordinates outside an image are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "Vulkan's own names")]
pub enum Wrap {
    #[default]
    Repeat,
    Mirror,
    ClampEdge,
    ClampBorder,
}

/// A sampler.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Sampler {
    /// Linear and not nearest, within a level and between levels.
    pub linear: bool,
    /// Linear between levels.
    pub linear_mip: bool,
    /// x, y, z.
    pub wrap: [Wrap; 3],
    /// Added to the level.
    pub lod_bias: f32,
    /// Least and greatest level.
    pub lod: [f32; 2],
    /// Comparison: never, less, equal, less or equal, greater, not equal, greater or equal, always.
    pub compare: Option<u32>,
    /// Coordinates count texels.
    pub unnormalized: bool,
    /// What lies outside with `Wrap::ClampBorder`.
    pub border: Border,
}

/// Border colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "Vulkan's own names")]
pub enum Border {
    #[default]
    TransparentBlack,
    OpaqueBlack,
    OpaqueWhite,
}

/// What a component of a view takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "Vulkan's own names")]
pub enum Component {
    Zero,
    One,
    R,
    G,
    B,
    A,
}

/// Each component its own.
pub const IDENTITY: [Component; 4] = [Component::R, Component::G, Component::B, Component::A];

/// An image, which textures are views of.
#[derive(Clone, Debug)]
pub struct DrawImage {
    /// Its shape.
    pub shape: TextureShape,
    /// Format.
    pub format: Format,
    /// Width, height, depth of level 0.
    pub size: [u32; 3],
    /// Array layers (six a cube).
    pub layers: u32,
    /// Levels.
    pub levels: u32,
    /// Whether shaders store to it; read back after the draw then.
    pub storage: bool,
    /// Texels: level by level, in each layer by layer, tightly packed.
    pub data: Vec<u8>,
}

/// A texture that the shaders see.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// How it is used.
    pub usage: TextureUse,
    /// Which of the draw's images; none for a sampler alone.
    pub image: Option<usize>,
    /// Shape of the view.
    pub shape: TextureShape,
    /// What the view's components take; storage images take their own.
    pub components: [Component; 4],
}

/// A colour or depth attachment.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Format.
    pub format: Format,
    /// What each texel's components are cleared to, as bits of the class of the format (depth: the first,
    /// a float).
    pub clear: [u32; 4],
    /// After the draw: its texels, tightly packed, row by row; before it: anything.
    pub data: Vec<u8>,
}

/// Depth test.
#[derive(Clone, Debug)]
pub struct DepthState {
    /// The attachment.
    pub attachment: Attachment,
    /// Comparison, numbered as `Sampler::compare`.
    pub compare: u32,
    /// Whether depth is written.
    pub write: bool,
}

/// One draw into fresh attachments.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    /// The vertex shader.
    pub vertex: StageModule<'a>,
    /// The fragment shader; without one only depth is made.
    pub fragment: Option<StageModule<'a>>,
    /// Buffers that the shaders see.
    pub buffers: Vec<DrawBuffer>,
    /// Images.
    pub images: Vec<DrawImage>,
    /// Textures that the shaders see.
    pub textures: Vec<Texture>,
    /// The push constants of both stages, from offset 0 on.
    pub push: Vec<u8>,
    /// Vertex buffers.
    pub vertex_buffers: Vec<VertexBuffer>,
    /// Attributes in them.
    pub attributes: Vec<Attribute>,
    /// Topology.
    pub topology: Topology,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples of a pixel: 1 or 4. More than one are resolved into what is read back (their average; of
    /// integers the first).
    pub samples: u32,
    /// Layers of the targets, read back one behind the other.
    pub layers: u32,
    /// Viewports: x, y, width, height. Without any, the whole target.
    pub viewports: Vec<[f32; 4]>,
    /// Colour attachments by location.
    pub colors: Vec<Attachment>,
    /// Depth, if there is any.
    pub depth: Option<DepthState>,
    /// First vertex and number of vertices; with indices: what is added to each, and how many are taken.
    pub vertices: (u32, u32),
    /// Numbers of the vertices, which otherwise follow each other.
    pub indices: Option<Indices>,
    /// First instance and number of instances.
    pub instances: (u32, u32),
}

impl<'a> Draw<'a> {
    /// One triangle into one attachment of 32 by 32 pixels, without memory.
    #[must_use]
    pub fn new(vertex: StageModule<'a>, fragment: StageModule<'a>, format: Format) -> Draw<'a> {
        Draw {
            vertex,
            fragment: Some(fragment),
            buffers: Vec::new(),
            images: Vec::new(),
            textures: Vec::new(),
            push: Vec::new(),
            vertex_buffers: Vec::new(),
            attributes: Vec::new(),
            topology: Topology::TriangleList,
            size: [32, 32],
            samples: 1,
            layers: 1,
            viewports: Vec::new(),
            colors: vec![Attachment {
                format,
                clear: [0; 4],
                data: Vec::new(),
            }],
            depth: None,
            vertices: (0, 3),
            indices: None,
            instances: (0, 1),
        }
    }
}

//! Renders a draw on a device: the translations of its shaders, or the modules that they were compiled from.

use spirdna_translate::options::Options;
use spirdna_translate::pipeline::{Translation, translate};
use spirdna_translate::profile::HostProfile;
use spirdna_vulkan::draw::{
    Attachment, DepthState, Draw, DrawBuffer, DrawImage, Format, IDENTITY, Indices, StageModule,
    Texture, TextureShape, TextureUse, VertexBuffer,
};
use spirdna_vulkan::{BufferKind, Device};

use super::{DrawCase, resources};
use crate::case::Dispatch;
use crate::exec::bound::Bound;
use crate::exec::facts::promise;
use crate::exec::pool::Pool;
use crate::exec::{Outcome, RunError};
use crate::memory::RegionId;
use crate::profile::profile_from_device;

/// An image that was rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its format.
    pub format: Format,
    /// Texels, row by row.
    pub data: Vec<u8>,
}

/// What a draw left.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Colour targets.
    pub colors: Vec<Image>,
    /// Depth.
    pub depth: Option<Image>,
    /// Memory, faults and notes.
    pub outcome: Outcome,
}

/// Renders draws on a device.
pub struct DrawRunner {
    device: Device,
    /// The translator's options.
    pub options: Options,
    /// The profile; what the device says of itself when `None`.
    pub profile: Option<HostProfile>,
}

impl DrawRunner {
    /// A runner on an open device.
    pub fn new(device: Device) -> DrawRunner {
        DrawRunner {
            device,
            options: Options::default(),
            profile: None,
        }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Translates one of a draw's shaders, whose buffers, images and samplers go to descriptor set `set`,
    /// and says what images and samplers are bound there.
    ///
    /// # Errors
    /// It is refused.
    pub fn translate(
        &self,
        case: &DrawCase,
        shader: &Dispatch,
        set: u32,
    ) -> Result<(Translation, Vec<Texture>), RunError> {
        let memory = &case.memory;
        let profile = match &self.profile {
            Some(profile) => profile.clone(),
            None => profile_from_device(self.device.info(), 1),
        };
        let options = Options {
            max_windows: (Pool::windows(memory) as u32).max(1),
            descriptor_set: set,
            ..self.options.clone()
        };
        let mut facts = promise(shader, memory).facts;
        let bound = resources::bind(case, shader, &facts, set)?;
        facts.map = bound.map;
        let made = translate(&shader.code, &shader.launch, &profile, &options, &facts)?;
        Ok((made, bound.textures))
    }

    /// Renders with the translations.
    ///
    /// # Errors
    /// A shader is refused, or the device refuses the draw or is lost.
    pub fn run(&mut self, case: &DrawCase) -> Result<Picture, RunError> {
        let most = self.device.info().limits.max_storage_buffer_range;
        let (vertex, vertex_textures) = self.translate(case, &case.vertex, 0)?;
        let (pixel, pixel_textures) = self.translate(case, &case.pixel, 1)?;
        let mut draw = frame(
            case,
            StageModule {
                spirv: &vertex.words,
                entry: &vertex.reflection.entry,
            },
            StageModule {
                spirv: &pixel.words,
                entry: &pixel.reflection.entry,
            },
        );
        draw.textures = vertex_textures;
        draw.textures.extend(pixel_textures);
        let mut bounds = Vec::new();
        for (made, shader) in [(&vertex, &case.vertex), (&pixel, &case.pixel)] {
            let mut bound = Bound::new(&made.reflection, shader, &case.memory, most)?;
            for (binding, data) in made.reflection.buffers.iter().zip(&mut bound.data) {
                draw.buffers.push(DrawBuffer {
                    set: binding.set,
                    binding: binding.binding,
                    kind: BufferKind::Storage,
                    data: std::mem::take(data),
                });
            }
            bounds.push((bound, &made.reflection));
        }
        let notes = self.device.draw(&mut draw)?;
        let mut picture = picture(&mut draw, case);
        picture.outcome.notes = notes;
        let images = std::mem::take(&mut draw.images);
        let mut buffers = draw.buffers.into_iter();
        for (mut bound, reflection) in bounds {
            for data in &mut bound.data {
                *data = buffers.next().map(|b| b.data).unwrap_or_default();
            }
            bound.finish(reflection, &mut picture.outcome);
        }
        stored(case, &images, &mut picture);
        Ok(picture)
    }

    /// Renders with the original modules.
    ///
    /// # Errors
    /// There are none, or the device refuses the draw or is lost.
    pub fn run_original(&mut self, case: &DrawCase) -> Result<Picture, RunError> {
        let Some(original) = &case.original else {
            return Err(RunError::Unsupported("no [original]".to_owned()));
        };
        let module = |spirv| StageModule {
            spirv,
            entry: "main",
        };
        let mut draw = frame(case, module(&original.vertex), module(&original.fragment));
        draw.push = original.push.iter().flat_map(|w| w.to_le_bytes()).collect();
        let bytes = |id: RegionId| {
            let region = case.memory.get(id);
            region.map_or_else(Vec::new, |r| r.bytes.clone())
        };
        for (id, binding) in &original.bindings {
            draw.buffers.push(DrawBuffer {
                set: binding.set,
                binding: binding.binding,
                kind: if binding.uniform {
                    BufferKind::Uniform
                } else {
                    BufferKind::Storage
                },
                data: bytes(*id),
            });
        }
        for &(id, binding, stride, per_instance) in &original.vertex_buffers {
            draw.vertex_buffers.push(VertexBuffer {
                binding,
                stride,
                per_instance,
                data: bytes(id),
            });
        }
        draw.attributes = original.attributes.clone();
        for (i, texture) in case.textures.iter().enumerate() {
            draw.textures.push(Texture {
                set: 0,
                binding: texture.binding,
                usage: texture.usage,
                image: Some(i),
                shape: texture.shape,
                components: texture.components,
            });
        }
        for &(binding, sampler) in &case.samplers {
            draw.textures.push(Texture {
                set: 0,
                binding,
                usage: TextureUse::SamplerOnly(sampler),
                image: None,
                shape: TextureShape::D2,
                components: IDENTITY,
            });
        }
        let notes = self.device.draw(&mut draw).map_err(|e| {
            // A module that cannot be run is the case's mistake, not ours.
            match RunError::from(e) {
                RunError::Internal(text) => RunError::BadShader(format!("original: {text}")),
                other => other,
            }
        })?;
        let mut picture = picture(&mut draw, case);
        picture.outcome.notes = notes;
        for ((id, _), buffer) in original.bindings.iter().zip(&draw.buffers) {
            if let Some(to) = picture.outcome.memory.bytes_mut(*id) {
                to.copy_from_slice(&buffer.data);
            }
        }
        stored(case, &draw.images, &mut picture);
        Ok(picture)
    }
}

/// The draw of a case, without memory.
fn frame<'a>(case: &DrawCase, vertex: StageModule<'a>, fragment: StageModule<'a>) -> Draw<'a> {
    let mut draw = Draw::new(vertex, fragment, Format::R8Uint);
    draw.topology = case.topology;
    draw.size = case.size;
    draw.samples = case.samples;
    draw.layers = case.layers;
    draw.viewports = case.viewports.clone();
    draw.vertices = case.vertices;
    draw.instances = case.instances;
    draw.indices = case.indices.map(|(region, wide)| Indices {
        wide,
        data: case
            .memory
            .get(region)
            .map_or_else(Vec::new, |r| r.bytes.clone()),
    });
    draw.images = case
        .textures
        .iter()
        .map(|texture| DrawImage {
            shape: texture.shape,
            format: texture.format,
            size: texture.size,
            layers: texture.layers,
            levels: texture.levels,
            storage: texture.usage == TextureUse::Storage,
            data: case
                .memory
                .get(texture.region)
                .map_or_else(Vec::new, |region| region.bytes.clone()),
        })
        .collect();
    draw.colors = case
        .colors
        .iter()
        .map(|target| Attachment {
            format: target.format,
            clear: target.clear,
            data: Vec::new(),
        })
        .collect();
    draw.depth = case.depth.map(|depth| DepthState {
        attachment: Attachment {
            format: Format::D32Sfloat,
            clear: [depth.clear.to_bits(), 0, 0, 0],
            data: Vec::new(),
        },
        compare: depth.compare,
        write: true,
    });
    draw
}

/// Puts the texels of storage images into memory.
fn stored(case: &DrawCase, images: &[DrawImage], picture: &mut Picture) {
    for (texture, image) in case.textures.iter().zip(images) {
        if let (true, Some(to)) = (
            image.storage,
            picture.outcome.memory.bytes_mut(texture.region),
        ) && to.len() == image.data.len()
        {
            to.copy_from_slice(&image.data);
        }
    }
}

fn picture(draw: &mut Draw<'_>, case: &DrawCase) -> Picture {
    let take = |attachment: &mut Attachment| Image {
        format: attachment.format,
        data: std::mem::take(&mut attachment.data),
    };
    Picture {
        colors: draw.colors.iter_mut().map(take).collect(),
        depth: draw.depth.as_mut().map(|state| take(&mut state.attachment)),
        outcome: Outcome {
            memory: case.memory.clone(),
            ..Outcome::default()
        },
    }
}

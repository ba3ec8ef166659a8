//! What a driver's compiler makes of a vertex and a fragment shader: the texts of each of the pipeline's
//! executables.

use std::ffi::CStr;

use ash::vk;

use super::{Compiler, Listing, ListingError, failed};
use crate::draw::Draw;
use crate::draw_objects::{Failed, PipelineObjects};

/// An executable of a pipeline, as the driver shows it.
#[derive(Clone, Debug)]
pub struct StageText {
    /// The driver's name of it.
    pub name: String,
    /// Whether the vertex shader is part of it.
    pub vertex: bool,
    /// Whether the fragment shader is part of it.
    pub fragment: bool,
    /// Lanes of a wave.
    pub wave: u32,
    /// Its texts and figures.
    pub listing: Listing,
}

impl Compiler {
    /// What the driver makes of a draw's pipeline, an entry an executable.
    ///
    /// # Errors
    /// A call fails: the driver refuses the shaders.
    pub fn graphics(&self, draw: &Draw<'_>) -> Result<Vec<StageText>, ListingError> {
        let mut objects = PipelineObjects::default();
        let flags = vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR
            | vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
        let result = objects
            .make(&self.device, draw, flags)
            .map_err(|Failed { call, result }| failed(call)(result))
            .and_then(|()| self.executables(objects.pipeline));
        objects.destroy(&self.device);
        result
    }

    fn executables(&self, pipeline: vk::Pipeline) -> Result<Vec<StageText>, ListingError> {
        let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
        // SAFETY: the pipeline is live.
        let found = unsafe { self.properties.get_pipeline_executable_properties(&info) }
            .map_err(failed("vkGetPipelineExecutablePropertiesKHR"))?;
        (0..)
            .zip(&found)
            .map(|(index, properties)| {
                let listing = self.read(pipeline, index)?;
                // SAFETY: `name` is a NUL-terminated array filled by the driver.
                let name = unsafe { CStr::from_ptr(properties.name.as_ptr()) };
                Ok(StageText {
                    name: name.to_string_lossy().into_owned(),
                    vertex: properties.stages.contains(vk::ShaderStageFlags::VERTEX),
                    fragment: properties.stages.contains(vk::ShaderStageFlags::FRAGMENT),
                    wave: properties.subgroup_size,
                    listing,
                })
            })
            .collect()
    }
}

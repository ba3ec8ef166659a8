//! What the benches translate: the committed seeds and programs of any length; the hosts and options that
//! they are translated for; the clock. Owns no measurement and knows nothing of how a translation is made.

mod clock;
mod seeds;
mod synthetic;

pub use clock::{least, wall};
pub use seeds::seeds;
pub use synthetic::{empty, synthetic};

use spirdna_isa::launch::Launch;
use spirdna_translate::error::TranslateError;
use spirdna_translate::options::{Fidelity, Options};
use spirdna_translate::pipeline::{Context, Translation, translate_watched};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::program::Program;
use spirdna_translate::resources::DescriptorFacts;
use spirdna_vulkan::listing::Interface;

/// A shader as a translation takes it.
pub struct Shader {
    /// Its name.
    pub name: String,
    /// Its words.
    pub code: Vec<u32>,
    /// Its launch.
    pub launch: Launch,
    /// What is promised of its descriptors.
    pub facts: DescriptorFacts,
    /// The same, and which of the buffers are bound.
    pub bound: DescriptorFacts,
    /// Windows of memory that it needs.
    pub windows: u32,
    /// The module that RADV compiled it from, if it did.
    pub original: Option<(Vec<u32>, Interface)>,
}

/// A way to translate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Float results.
    pub fidelity: Fidelity,
    /// Subgroup size; the wave's where absent.
    pub subgroup: Option<u32>,
    /// Buffers are bound where the caller knows that they may be; otherwise memory is behind windows.
    pub bound: bool,
}

impl Way {
    /// The way that the goals are stated for: the host's floats, one lane an invocation, all that a backend knows
    /// of its descriptors.
    pub const BOUND: Way = Way {
        bound: true,
        ..Way::FAST
    };
    /// The same with memory behind windows.
    pub const FAST: Way = Way {
        fidelity: Fidelity::Fast,
        subgroup: None,
        bound: false,
    };
    /// The same with several lanes an invocation.
    pub const FAST_8: Way = Way {
        subgroup: Some(8),
        ..Way::FAST
    };
    /// All, the first of them first.
    pub const ALL: [Way; 5] = [
        Way::BOUND,
        Way::FAST,
        Way::FAST_8,
        Way {
            fidelity: Fidelity::Exact,
            ..Way::FAST
        },
        Way {
            fidelity: Fidelity::Exact,
            ..Way::FAST_8
        },
    ];

    /// A name of few words.
    pub fn name(self) -> String {
        let fidelity = match self.fidelity {
            Fidelity::Fast => "Fast",
            Fidelity::Exact => "Exact",
        };
        let subgroup = self.subgroup.map_or("wave".into(), |s| s.to_string());
        let bound = if self.bound { ", bound" } else { "" };
        format!("{fidelity}, S = {subgroup}{bound}")
    }

    /// What is promised of a shader's descriptors.
    pub fn facts(self, shader: &Shader) -> &DescriptorFacts {
        if self.bound {
            &shader.bound
        } else {
            &shader.facts
        }
    }

    /// The options.
    pub fn options(self) -> Options {
        Options {
            fidelity: self.fidelity,
            ..Options::default()
        }
    }

    /// A host for a shader: a GPU with the optional features that most have.
    pub fn host(self, shader: &Shader) -> HostProfile {
        HostProfile {
            max_workgroup_memory: 65536,
            ..HostProfile::desktop(self.subgroup.unwrap_or(shader.launch.wave.lanes()))
        }
    }

    /// Translates.
    ///
    /// # Errors
    /// As [`Context::translate`].
    pub fn translate(self, shader: &Shader) -> Result<Translation, TranslateError> {
        self.translate_in(&mut Context::new(), shader)
    }

    /// Translates in room that is kept from one translation to the next.
    ///
    /// # Errors
    /// As [`Context::translate`].
    pub fn translate_in(
        self,
        context: &mut Context,
        shader: &Shader,
    ) -> Result<Translation, TranslateError> {
        context.translate(
            &shader.code,
            &shader.launch,
            &self.host(shader),
            &self.options(),
            self.facts(shader),
        )
    }

    /// Translates; `watch` hears of each phase when it is done.
    ///
    /// # Errors
    /// As [`Context::translate`].
    pub fn translate_watched(
        self,
        context: &mut Context,
        shader: &Shader,
        watch: &mut dyn FnMut(&'static str),
    ) -> Result<Translation, TranslateError> {
        let program = Program::decode(shader.launch.target, &shader.code)
            .map_err(TranslateError::Unsupported)?;
        watch("decode");
        translate_watched(
            context,
            &program,
            &shader.launch,
            &self.host(shader),
            &self.options(),
            self.facts(shader),
            watch,
        )
    }
}

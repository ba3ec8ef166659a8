//! Modules: a wave's program with its helpers and the launch facts that emission needs.

use crate::bindings::{ImageFact, Resource};
use crate::resources::DescriptorPlace;
use spirdna_isa::WaveSize;
use spirdna_isa::launch::{Launch, Stage};

use super::func::{Func, Value};
use super::op::HelperId;
use super::types::Kind;

/// A pure function of integers and booleans: one block, all values uniform (it is called once a
/// wave or once a lane, as the arguments of the call are), only `Pure`, `Host`, constants and calls of
/// helpers with a lower number.
#[derive(Clone, Debug)]
pub struct Helper {
    /// Name, unique in the module.
    pub name: String,
    /// The body; the entry block's parameters are the helper's.
    pub func: Func,
    /// What it returns.
    pub result: Value,
    /// Where it returns what another one does instead.
    pub fallback: Option<Fallback>,
}

/// What a helper returns where its own result does not stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// Bool of the body: whether the result stands.
    pub stands: Value,
    /// A helper before this one, of the same parameters and result, that is called where it does not.
    pub helper: HelperId,
}

impl Helper {
    /// Kinds of the parameters.
    pub fn params(&self) -> impl Iterator<Item = Kind> + '_ {
        self.func
            .block(self.func.entry())
            .params
            .iter()
            .map(|&v| self.func.kind(v))
    }

    /// Kind of the result.
    pub fn result_kind(&self) -> Kind {
        self.func.kind(self.result)
    }
}

/// Behaviour of one float width that must be declared, because the lowering relied on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FloatMode {
    /// Denormals are kept.
    pub denorm_preserve: bool,
    /// Denormals are flushed.
    pub denorm_flush: bool,
    /// Results are rounded to nearest even.
    pub rte: bool,
    /// Signed zeros, infinities and NaNs are kept.
    pub signed_zero_inf_nan: bool,
}

/// The same for each width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct FloatModes {
    pub f16: FloatMode,
    pub f32: FloatMode,
    pub f64: FloatMode,
}

/// A program of a wave, as passes and emission see it.
#[derive(Clone, Debug)]
pub struct Module {
    /// The stage; a graphics stage's program is a function of one lane.
    pub stage: Stage,
    /// Lanes of a wave.
    pub wave: WaveSize,
    /// Threads in a workgroup.
    pub local: [u32; 3],
    /// Whether workgroups at the end of the grid may be partial.
    pub partial_groups: bool,
    /// LDS bytes of a workgroup.
    pub lds_bytes: u32,
    /// Scratch bytes of a lane.
    pub scratch_bytes: u32,
    /// User SGPRs (`Input::UserData(n)`, n below it).
    pub user_sgprs: u32,
    /// Entries of `Launch::vgprs` (`Input::LaunchVgpr(n)`, n below it).
    pub launch_vgprs: u32,
    /// What the lowered float operations rely on.
    pub float_modes: FloatModes,
    /// Descriptors whose buffers are bound, by number (`Op::PtrBound`).
    pub bound: Vec<DescriptorPlace>,
    /// Values that are the base address of such a buffer (half of it), with its number: what needs one goes
    /// round the binding.
    pub bound_bases: Vec<(Value, u32)>,
    /// The V#s that it uses, as far as they could be traced.
    pub resources: Vec<Resource>,
    /// Its images and samplers, by the number that operations name, with what is known of each.
    pub images: Vec<(Resource, ImageFact)>,
    /// The program.
    pub func: Func,
    /// The helpers, by `HelperId`. A helper calls only helpers before it.
    pub helpers: Vec<Helper>,
}

impl Module {
    /// An empty module for a launch.
    pub fn new(launch: &Launch) -> Module {
        Module::new_in(Func::new(launch.wave), launch)
    }

    /// The same with the room of a function that is no more.
    pub fn new_in(func: Func, launch: &Launch) -> Module {
        let func = func.renewed(launch.wave, launch.stage.is_graphics());
        Module {
            stage: launch.stage.clone(),
            wave: launch.wave,
            local: launch.local,
            partial_groups: launch.partial_groups,
            lds_bytes: launch.lds_bytes,
            scratch_bytes: launch.scratch_bytes,
            user_sgprs: launch.user_sgprs,
            launch_vgprs: launch.vgprs.len() as u32,
            float_modes: FloatModes::default(),
            bound: Vec::new(),
            bound_bases: Vec::new(),
            resources: Vec::new(),
            images: Vec::new(),
            func,
            helpers: Vec::new(),
        }
    }

    /// The helper of that number, if there is one.
    pub fn helper(&self, id: HelperId) -> Option<&Helper> {
        self.helpers.get(id.0 as usize)
    }

    /// The number of the helper of that name.
    pub fn find_helper(&self, name: &str) -> Option<HelperId> {
        self.helpers
            .iter()
            .position(|h| h.name == name)
            .map(|i| HelperId(i as u32))
    }

    /// Adds a helper, unless one of its name is there.
    pub fn add_helper(&mut self, helper: Helper) -> HelperId {
        if let Some(id) = self.find_helper(&helper.name) {
            return id;
        }
        self.helpers.push(helper);
        HelperId(self.helpers.len() as u32 - 1)
    }

    /// Bound descriptors whose base address the program needs: of which values `needs` says what is needed.
    pub fn bound_by_address(&self, needs: impl Fn(Value) -> bool) -> Vec<DescriptorPlace> {
        let mut needed = Vec::new();
        for &(base, number) in &self.bound_bases {
            if needs(base)
                && let Some(place) = self.bound.get(number as usize)
                && !needed.contains(place)
            {
                needed.push(*place);
            }
        }
        needed
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

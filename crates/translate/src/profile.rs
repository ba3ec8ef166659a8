//! What a host offers or promises, as plain data. Knows no Vulkan call; `spirdna probe` or the caller
//! fills it in.

use spirdna_isa::launch::Stage;

/// What a host does with f32 (or f16, f64) in a compute stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatHost {
    /// Denormals are kept unless the module asks otherwise.
    pub keeps_denorms: bool,
    /// Denormals are flushed (inputs and results) unless the module asks otherwise.
    pub flushes_denorms: bool,
    /// `DenormPreserve` may be declared.
    pub denorm_preserve: bool,
    /// `DenormFlushToZero` may be declared.
    pub denorm_flush: bool,
    /// `RoundingModeRTE` may be declared.
    pub rte: bool,
    /// `SignedZeroInfNanPreserve` may be declared.
    pub signed_zero_inf_nan: bool,
    /// `Fma` rounds once.
    pub fused_fma: bool,
    /// A NaN result is the first NaN operand, quieted or not as stated by nobody: never relied on
    /// unless this is set.
    pub keeps_nan_payload: bool,
}

/// A host, as far as translations depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostProfile {
    /// S: invocations in a subgroup that the module may rely on. 1: no subgroup operation is used.
    pub subgroup_size: u32,
    /// SPIR-V version (major, minor) to claim, at most 1.6.
    pub spirv: (u8, u8),
    /// `Int16`.
    pub int16: bool,
    /// `Float16`.
    pub float16: bool,
    /// `Int64`.
    pub int64: bool,
    /// `Float64`.
    pub float64: bool,
    /// f16 behaviour.
    pub f16: FloatHost,
    /// f32 behaviour.
    pub f32: FloatHost,
    /// f64 behaviour.
    pub f64: FloatHost,
    /// `VK_KHR_shader_subgroup_uniform_control_flow`.
    pub subgroup_uniform_control_flow: bool,
    /// `VK_KHR_shader_maximal_reconvergence`.
    pub maximal_reconvergence: bool,
    /// The Vulkan memory model (with device scope).
    pub vulkan_memory_model: bool,
    /// Buffers have addresses (`bufferDeviceAddress`).
    pub buffer_device_address: bool,
    /// 64-bit buffer atomics.
    pub buffer_atomic64: bool,
    /// 64-bit shared atomics.
    pub shared_atomic64: bool,
    /// A memory barrier makes the subgroups of a workgroup meet, so that none may stand in divergent flow,
    /// and memory needs none there (lavapipe of Mesa 22).
    pub memory_barriers_meet: bool,
    /// Sums, products and fused sums whose operand is known to be zero become something else than they are
    /// computed to be, whatever is declared (llvmpipe, which also executes both sides of branches that lanes
    /// take differently, or not at all: there, a short way beside a long one costs both).
    pub folds_zeros: bool,
    /// `VK_KHR_fragment_shader_barycentric`.
    pub fragment_barycentrics: bool,
    /// Bytes of push constants.
    pub max_push_constants: u32,
    /// Bytes of workgroup memory.
    pub max_workgroup_memory: u32,
    /// Invocations in a workgroup.
    pub max_workgroup_invocations: u32,
}

impl FloatHost {
    /// What a module may declare, which a host says of all stages; not what was measured in compute shaders.
    const fn declared(self) -> FloatHost {
        FloatHost {
            denorm_preserve: self.denorm_preserve,
            denorm_flush: self.denorm_flush,
            rte: self.rte,
            signed_zero_inf_nan: self.signed_zero_inf_nan,
            ..FloatHost::UNKNOWN
        }
    }

    /// Nothing is promised.
    pub const UNKNOWN: FloatHost = FloatHost {
        keeps_denorms: false,
        flushes_denorms: false,
        denorm_preserve: false,
        denorm_flush: false,
        rte: false,
        signed_zero_inf_nan: false,
        fused_fma: false,
        keeps_nan_payload: false,
    };
}

impl HostProfile {
    /// What of it holds in a stage: what floats do unless a module declares it is measured in compute shaders,
    /// and graphics stages may do otherwise (llvmpipe's flush denormals).
    #[must_use]
    pub fn of_stage(&self, stage: &Stage) -> HostProfile {
        if !stage.is_graphics() {
            return self.clone();
        }
        HostProfile {
            f16: self.f16.declared(),
            f32: self.f32.declared(),
            f64: self.f64.declared(),
            ..self.clone()
        }
    }

    /// A desktop GPU at subgroup size `s` with the optional features that most have: fused, denormal-keeping
    /// floats of every width, 64-bit atomics, 48 KiB of workgroup memory. For measurements that need a host
    /// and no device.
    pub const fn desktop(s: u32) -> HostProfile {
        let float = FloatHost {
            keeps_denorms: true,
            denorm_preserve: true,
            rte: true,
            signed_zero_inf_nan: true,
            fused_fma: true,
            ..FloatHost::UNKNOWN
        };
        HostProfile {
            spirv: (1, 6),
            int16: true,
            float16: true,
            int64: true,
            float64: true,
            f16: float,
            f32: float,
            f64: float,
            buffer_atomic64: true,
            shared_atomic64: true,
            max_push_constants: 256,
            max_workgroup_memory: 49152,
            max_workgroup_invocations: 1024,
            ..HostProfile::portable(s)
        }
    }

    /// The least a Vulkan 1.1 host offers, at subgroup size `s`: nothing optional, no float promise.
    pub const fn portable(s: u32) -> HostProfile {
        HostProfile {
            subgroup_size: s,
            spirv: (1, 3),
            int16: false,
            float16: false,
            int64: false,
            float64: false,
            f16: FloatHost::UNKNOWN,
            f32: FloatHost::UNKNOWN,
            f64: FloatHost::UNKNOWN,
            subgroup_uniform_control_flow: false,
            maximal_reconvergence: false,
            vulkan_memory_model: false,
            buffer_device_address: false,
            buffer_atomic64: false,
            shared_atomic64: false,
            memory_barriers_meet: false,
            folds_zeros: false,
            fragment_barycentrics: false,
            max_push_constants: 128,
            max_workgroup_memory: 16384,
            max_workgroup_invocations: 128,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_in_compute_says_nothing_of_graphics() {
        let host = HostProfile::desktop(32);
        assert!(host.f32.keeps_denorms && host.f32.fused_fma);
        assert_eq!(host.of_stage(&Stage::Compute), host);
        let float = host.of_stage(&Stage::Vertex(Box::default())).f32;
        assert!(!float.keeps_denorms && !float.flushes_denorms && !float.fused_fma);
        assert_eq!(float.denorm_preserve, host.f32.denorm_preserve);
    }
}

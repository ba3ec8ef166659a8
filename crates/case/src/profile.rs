//! Host profiles from what a Vulkan device says of itself. Knows no translation.

use spirdna_translate::profile::{FloatHost, HostProfile};
use spirdna_vulkan::DeviceInfo;

/// The profile of a device at subgroup size `subgroup_size`: what it promises, and nothing that
/// only a measurement could tell.
pub fn profile_from_device(info: &DeviceInfo, subgroup_size: u32) -> HostProfile {
    let f = &info.features;
    let spirv = match info.api_version {
        (1, 0 | 1, _) => (1, 3),
        (1, 2, _) => (1, 5),
        _ => (1, 6),
    };
    let float = |denorm_preserve, denorm_flush, rte, signed_zero_inf_nan| FloatHost {
        denorm_preserve,
        denorm_flush,
        rte,
        signed_zero_inf_nan,
        ..FloatHost::UNKNOWN
    };
    HostProfile {
        subgroup_size,
        spirv,
        int16: f.shader_int16,
        float16: f.shader_float16,
        int64: f.shader_int64,
        float64: f.shader_float64,
        f16: float(
            f.denorm_preserve16,
            f.denorm_flush16,
            f.rte16,
            f.signed_zero_inf_nan16,
        ),
        f32: float(
            f.denorm_preserve32,
            f.denorm_flush32,
            f.rte32,
            f.signed_zero_inf_nan32,
        ),
        f64: float(
            f.denorm_preserve64,
            f.denorm_flush64,
            f.rte64,
            f.signed_zero_inf_nan64,
        ),
        subgroup_uniform_control_flow: f.subgroup_uniform_control_flow,
        maximal_reconvergence: f.maximal_reconvergence,
        vulkan_memory_model: f.vulkan_memory_model && f.vulkan_memory_model_device_scope,
        buffer_atomic64: f.buffer_int64_atomics,
        shared_atomic64: f.shared_int64_atomics,
        max_push_constants: info.limits.max_push_constants,
        max_workgroup_memory: info.limits.max_shared_memory,
        max_workgroup_invocations: info.limits.max_workgroup_invocations,
    }
}

//! Checks a job against its module and the device, and cuts its grid into dispatches. Calls no
//! Vulkan: everything here is arithmetic over plain data.

use std::collections::BTreeMap;

use spirv::{Capability, ExecutionMode};

use crate::error::{JobError, VulkanError};
use crate::features::Features;
use crate::info::DeviceInfo;
use crate::job::{BufferKind, Job, PatchTarget};
use crate::module::{Module, capability_name};

/// Bindings above this are refused: drivers keep tables as long as the highest number.
const MAX_BINDING: u32 = 4095;

/// What a checked job comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Subgroup size to require of the pipeline.
    pub(crate) required_subgroup_size: Option<u32>,
    /// Whether to ask for full subgroups.
    pub(crate) full_subgroups: bool,
    /// Descriptor sets from 0 on.
    pub(crate) sets: u32,
    /// Workgroups of one dispatch at most.
    pub(crate) max_groups: [u32; 3],
}

/// What the device can do, as far as a job depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Host<'a> {
    pub(crate) info: &'a DeviceInfo,
    /// Newest SPIR-V version that it takes.
    pub(crate) spirv: (u8, u8),
    /// The subgroup size that the probe saw.
    pub(crate) measured: u32,
    /// Workgroups of one dispatch at most; not above the device's limit.
    pub(crate) max_groups: [u32; 3],
}

/// Checks all that can be known before the device is asked.
pub(crate) fn check(job: &Job<'_>, module: &Module, host: Host<'_>) -> Result<Plan, VulkanError> {
    let limits = &host.info.limits;
    check_module(module, host)?;
    if job.entry.contains('\0') {
        return Err(JobError::EntryName.into());
    }
    let sets = check_buffers(job, module, host)?;
    check_push(job, limits.max_push_constants)?;
    check_addresses(job, &host.info.features)?;
    let local = module.local_size.unwrap_or([1; 3]);
    let invocations = local.iter().map(|&n| u64::from(n)).product();
    limit(
        "the number of invocations in a workgroup",
        invocations,
        limits.max_workgroup_invocations,
    )?;
    for (size, max) in local.into_iter().zip(limits.max_workgroup_size) {
        limit("a dimension of the workgroup", u64::from(size), max)?;
    }
    let (required_subgroup_size, full_subgroups) = check_subgroup(job, local, invocations, host)?;
    let is_empty = job.groups.contains(&0);
    let splits = job
        .groups
        .iter()
        .zip(host.max_groups)
        .any(|(&n, max)| n > max);
    if splits && !is_empty && job.group_base_push_offset.is_none() {
        return Err(JobError::GroupBase {
            groups: job.groups,
            limit: host.max_groups,
        }
        .into());
    }
    Ok(Plan {
        required_subgroup_size,
        full_subgroups,
        sets,
        max_groups: host.max_groups,
    })
}

pub(crate) fn check_module(module: &Module, host: Host<'_>) -> Result<(), VulkanError> {
    let missing = |feature| Err(VulkanError::MissingFeature { feature });
    if module.version > host.spirv {
        let (major, minor) = module.version;
        return missing(format!("SPIR-V {major}.{minor}"));
    }
    for &number in &module.capabilities {
        if !has_capability(number, host.info) {
            return missing(capability_name(number));
        }
    }
    let features = &host.info.features;
    for (mode, has, name) in [
        (
            ExecutionMode::SubgroupUniformControlFlowKHR,
            features.subgroup_uniform_control_flow,
            "shaderSubgroupUniformControlFlow",
        ),
        (
            ExecutionMode::MaximallyReconvergesKHR,
            features.maximal_reconvergence,
            "shaderMaximalReconvergence",
        ),
        (
            ExecutionMode::LocalSizeId,
            features.maintenance4,
            "maintenance4 (LocalSizeId)",
        ),
    ] {
        if module.modes.contains(&(mode as u32)) && !has {
            return missing(name.to_owned());
        }
    }
    for &(mode, width) in &module.float_modes {
        if !has_float_mode(mode, width, &host.info.features) {
            let name = ExecutionMode::from_u32(mode)
                .map_or_else(|| mode.to_string(), |mode| format!("{mode:?}"));
            return missing(format!("{name} for {width}-bit floats"));
        }
    }
    Ok(())
}

/// Whether a module may declare the capability. One that this room does not know is refused: the
/// device feature behind it would not be switched on.
fn has_capability(number: u32, info: &DeviceInfo) -> bool {
    let f = &info.features;
    let ops = &info.subgroup_ops;
    let any = |mode: ExecutionMode| {
        [16, 32, 64]
            .into_iter()
            .any(|width| has_float_mode(mode as u32, width, f))
    };
    match Capability::from_u32(number) {
        Some(
            Capability::Matrix
            | Capability::Shader
            | Capability::DeviceGroup
            | Capability::Sampled1D
            | Capability::Image1D
            | Capability::SampledBuffer
            | Capability::ImageQuery
            | Capability::DerivativeControl
            | Capability::InterpolationFunction,
        ) => true,
        Some(Capability::ClipDistance) => f.clip_distance,
        Some(Capability::CullDistance) => f.cull_distance,
        Some(Capability::SampleRateShading) => f.sample_rate_shading,
        Some(Capability::SampledCubeArray | Capability::ImageCubeArray) => f.image_cube_array,
        Some(Capability::ImageGatherExtended) => f.image_gather_extended,
        Some(Capability::FragmentBarycentricKHR) => f.fragment_barycentrics,
        Some(Capability::DrawParameters) => f.draw_parameters,
        Some(Capability::Geometry) => f.geometry,
        Some(Capability::MultiViewport) => f.multi_viewport,
        Some(
            Capability::ShaderLayer
            | Capability::ShaderViewportIndex
            | Capability::ShaderViewportIndexLayerEXT,
        ) => f.viewport_index_layer,
        Some(Capability::DemoteToHelperInvocation) => f.demote,
        Some(Capability::StorageImageReadWithoutFormat) => f.storage_read_without_format,
        Some(Capability::StorageImageWriteWithoutFormat) => f.storage_write_without_format,
        Some(Capability::StorageImageExtendedFormats) => f.storage_extended_formats,
        Some(Capability::Int8) => f.shader_int8,
        Some(Capability::Int16) => f.shader_int16,
        Some(Capability::Int64) => f.shader_int64,
        Some(Capability::Float16) => f.shader_float16,
        Some(Capability::Float64) => f.shader_float64,
        Some(Capability::Int64Atomics) => f.buffer_int64_atomics || f.shared_int64_atomics,
        Some(Capability::StorageBuffer8BitAccess) => f.storage8,
        Some(Capability::UniformAndStorageBuffer8BitAccess) => f.uniform8,
        Some(Capability::StoragePushConstant8) => f.push8,
        Some(Capability::StorageBuffer16BitAccess) => f.storage16,
        Some(Capability::UniformAndStorageBuffer16BitAccess) => f.uniform16,
        Some(Capability::StoragePushConstant16) => f.push16,
        Some(Capability::VariablePointersStorageBuffer) => f.variable_pointers_storage_buffer,
        Some(Capability::VariablePointers) => f.variable_pointers,
        Some(Capability::GroupNonUniform) => ops.basic,
        Some(Capability::GroupNonUniformVote) => ops.vote,
        Some(Capability::GroupNonUniformArithmetic) => ops.arithmetic,
        Some(Capability::GroupNonUniformBallot) => ops.ballot,
        Some(Capability::GroupNonUniformShuffle) => ops.shuffle,
        Some(Capability::GroupNonUniformShuffleRelative) => ops.shuffle_relative,
        Some(Capability::GroupNonUniformClustered) => ops.clustered,
        Some(Capability::GroupNonUniformQuad) => ops.quad,
        Some(Capability::GroupNonUniformRotateKHR) => f.subgroup_rotate,
        Some(Capability::VulkanMemoryModel) => f.vulkan_memory_model,
        Some(Capability::VulkanMemoryModelDeviceScope) => f.vulkan_memory_model_device_scope,
        Some(Capability::PhysicalStorageBufferAddresses) => f.buffer_device_address,
        Some(Capability::DenormPreserve) => any(ExecutionMode::DenormPreserve),
        Some(Capability::DenormFlushToZero) => any(ExecutionMode::DenormFlushToZero),
        Some(Capability::SignedZeroInfNanPreserve) => any(ExecutionMode::SignedZeroInfNanPreserve),
        Some(Capability::RoundingModeRTE) => any(ExecutionMode::RoundingModeRTE),
        Some(Capability::RoundingModeRTZ) => any(ExecutionMode::RoundingModeRTZ),
        Some(Capability::WorkgroupMemoryExplicitLayoutKHR) => f.workgroup_explicit_layout,
        Some(Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR) => {
            f.workgroup_explicit_layout8
        }
        Some(Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR) => {
            f.workgroup_explicit_layout16
        }
        Some(Capability::ShaderClockKHR) => f.subgroup_clock || f.device_clock,
        Some(Capability::AtomicFloat32AddEXT) => {
            f.buffer_float32_atomic_add || f.shared_float32_atomic_add
        }
        Some(Capability::AtomicFloat64AddEXT) => {
            f.buffer_float64_atomic_add || f.shared_float64_atomic_add
        }
        Some(
            Capability::DotProduct
            | Capability::DotProductInputAll
            | Capability::DotProductInput4x8Bit
            | Capability::DotProductInput4x8BitPacked,
        ) => f.integer_dot_product,
        _ => false,
    }
}

fn has_float_mode(mode: u32, width: u32, f: &Features) -> bool {
    let [at16, at32, at64] = match ExecutionMode::from_u32(mode) {
        Some(ExecutionMode::DenormPreserve) => [
            f.denorm_preserve16,
            f.denorm_preserve32,
            f.denorm_preserve64,
        ],
        Some(ExecutionMode::DenormFlushToZero) => {
            [f.denorm_flush16, f.denorm_flush32, f.denorm_flush64]
        }
        Some(ExecutionMode::SignedZeroInfNanPreserve) => [
            f.signed_zero_inf_nan16,
            f.signed_zero_inf_nan32,
            f.signed_zero_inf_nan64,
        ],
        Some(ExecutionMode::RoundingModeRTE) => [f.rte16, f.rte32, f.rte64],
        Some(ExecutionMode::RoundingModeRTZ) => [f.rtz16, f.rtz32, f.rtz64],
        _ => return false,
    };
    match width {
        16 => at16,
        32 => at32,
        64 => at64,
        _ => false,
    }
}

/// Gives the number of descriptor sets.
fn check_buffers(job: &Job<'_>, module: &Module, host: Host<'_>) -> Result<u32, VulkanError> {
    let limits = &host.info.limits;
    let mut bound = BTreeMap::new();
    let (mut storage, mut uniform) = (0, 0);
    for buffer in &job.buffers {
        let bytes = buffer.data.len() as u64;
        let (set, binding) = (buffer.set, buffer.binding);
        match buffer.kind {
            BufferKind::Storage => {
                limit(
                    "the length of a storage buffer",
                    bytes,
                    limits.max_storage_buffer_range,
                )?;
                storage += 1;
            }
            BufferKind::Uniform => {
                limit(
                    "the length of a uniform buffer",
                    bytes,
                    limits.max_uniform_buffer_range,
                )?;
                uniform += 1;
            }
            BufferKind::Unbound => continue,
        }
        limit("a binding", u64::from(binding), MAX_BINDING)?;
        limit(
            "a descriptor set",
            u64::from(set),
            limits.max_bound_sets.saturating_sub(1),
        )?;
        if bound.insert((set, binding), buffer.kind).is_some() {
            return Err(JobError::DuplicateBinding { set, binding }.into());
        }
    }
    limit(
        "the number of storage buffers",
        storage,
        limits.max_storage_buffers,
    )?;
    limit(
        "the number of uniform buffers",
        uniform,
        limits.max_uniform_buffers,
    )?;
    for (&(set, binding), kind) in &module.bindings {
        match bound.get(&(set, binding)) {
            None => return Err(JobError::MissingBinding { set, binding }.into()),
            Some(have) if have != kind => {
                return Err(JobError::BindingKind { set, binding }.into());
            }
            Some(_) => {}
        }
    }
    Ok(bound.keys().map(|(set, _)| set + 1).max().unwrap_or(0))
}

fn check_push(job: &Job<'_>, max: u32) -> Result<(), VulkanError> {
    let bytes = job.push.len();
    limit("the length of the push constants", bytes as u64, max)?;
    if !bytes.is_multiple_of(4) {
        return Err(JobError::PushLength { bytes }.into());
    }
    if let Some(offset) = job.group_base_push_offset {
        check_patch(u64::from(offset), 12, 4, bytes as u64)?;
    }
    Ok(())
}

fn check_addresses(job: &Job<'_>, features: &Features) -> Result<(), VulkanError> {
    let wanted = job.buffers.iter().any(|b| b.device_address);
    if wanted && !features.buffer_device_address {
        return Err(VulkanError::MissingFeature {
            feature: "bufferDeviceAddress".to_owned(),
        });
    }
    for patch in &job.addresses {
        if !job
            .buffers
            .get(patch.buffer)
            .is_some_and(|b| b.device_address)
        {
            return Err(JobError::NoAddress {
                index: patch.buffer,
            }
            .into());
        }
        match patch.target {
            PatchTarget::Push(offset) => {
                check_patch(u64::from(offset), 8, 4, job.push.len() as u64)?;
            }
            PatchTarget::Buffer { index, offset } => {
                let target = job
                    .buffers
                    .get(index)
                    .ok_or(JobError::NoAddress { index })?;
                check_patch(offset, 8, 1, target.data.len() as u64)?;
            }
        }
    }
    Ok(())
}

fn check_patch(offset: u64, bytes: u64, align: u64, length: u64) -> Result<(), JobError> {
    let inside = offset.checked_add(bytes).is_some_and(|end| end <= length);
    if inside && offset.is_multiple_of(align) {
        Ok(())
    } else {
        Err(JobError::Patch {
            offset,
            bytes,
            length,
        })
    }
}

/// Gives the size to require of the pipeline, and whether to ask for full subgroups.
fn check_subgroup(
    job: &Job<'_>,
    local: [u32; 3],
    invocations: u64,
    host: Host<'_>,
) -> Result<(Option<u32>, bool), VulkanError> {
    let Some(wanted) = job.required_subgroup_size else {
        return Ok((None, false));
    };
    let info = host.info;
    let choosable = info.features.required_subgroup_compute
        && wanted.is_power_of_two()
        && (info.min_subgroup_size..=info.max_subgroup_size).contains(&wanted);
    if !choosable && wanted != host.measured {
        let (min, max) = if info.features.required_subgroup_compute {
            (info.min_subgroup_size, info.max_subgroup_size)
        } else {
            (host.measured, host.measured)
        };
        return Err(VulkanError::SubgroupSize {
            wanted,
            min,
            max,
            measured: host.measured,
        });
    }
    if !local[0].is_multiple_of(wanted) {
        return Err(JobError::PartialSubgroup {
            local,
            size: wanted,
        }
        .into());
    }
    if choosable {
        limit(
            "the number of subgroups in a workgroup",
            invocations / u64::from(wanted),
            info.limits.max_workgroup_subgroups,
        )?;
    }
    Ok((
        choosable.then_some(wanted),
        info.features.compute_full_subgroups,
    ))
}

fn limit(what: &'static str, value: u64, limit: u32) -> Result<(), JobError> {
    let limit = u64::from(limit);
    if value > limit {
        return Err(JobError::Limit { what, value, limit });
    }
    Ok(())
}

/// One dispatch of a grid: the workgroup that it starts at, and its workgroups.
pub(crate) type Part = ([u32; 3], [u32; 3]);

/// Cuts a grid into parts of at most `max` workgroups a dimension; an empty grid has none.
pub(crate) fn split(groups: [u32; 3], max: [u32; 3]) -> impl Iterator<Item = Part> {
    let [nx, ny, nz] = groups;
    let [mx, my, mz] = max;
    let empty = groups.contains(&0);
    cuts(if empty { 0 } else { nz }, mz).flat_map(move |(z, dz)| {
        cuts(ny, my)
            .flat_map(move |(y, dy)| cuts(nx, mx).map(move |(x, dx)| ([x, y, z], [dx, dy, dz])))
    })
}

fn cuts(count: u32, max: u32) -> impl Iterator<Item = (u32, u32)> {
    let max = max.max(1);
    (0..count.div_ceil(max)).map(move |i| {
        let start = i * max;
        (start, max.min(count - start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_the_grid_once() {
        let groups = [7, 3, 2];
        let mut seen = std::collections::BTreeSet::new();
        for (base, count) in split(groups, [3, 2, 65535]) {
            for z in base[2]..base[2] + count[2] {
                for y in base[1]..base[1] + count[1] {
                    for x in base[0]..base[0] + count[0] {
                        assert!(x < 7 && y < 3 && z < 2);
                        assert!(seen.insert([x, y, z]), "{x} {y} {z} twice");
                    }
                }
            }
        }
        assert_eq!(seen.len(), 7 * 3 * 2);
    }

    #[test]
    fn empty_grids_have_no_part_and_huge_ones_do_not_overflow() {
        for groups in [[0, 1, 1], [1, 0, 1], [5, 5, 0]] {
            assert_eq!(split(groups, [1, 1, 1]).count(), 0);
        }
        let parts = split([u32::MAX, 1, 1], [65535, 65535, 65535]);
        assert_eq!(
            parts.last(),
            Some(([u32::MAX - 65535, 0, 0], [65535, 1, 1]))
        );
        assert_eq!(split([5, 1, 1], [65535; 3]).count(), 1);
    }
}

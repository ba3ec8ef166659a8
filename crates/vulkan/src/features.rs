//! The device features that compute modules may want, one row a Vulkan structure: how each is
//! found out, and how all that are present are switched on. Knows no job.

use std::ffi::CStr;

use ash::vk;

use crate::context::has;

/// Declares the chain of feature structures. A row has the field, its structure, the API version
/// from which the structure is core, the extension that offers it otherwise, and the version of the
/// specification that first has the structure.
macro_rules! feature_chain {
    ($($field:ident: $structure:ident, $core:expr, $extension:literal, since $since:expr;)*) => {
        /// The feature structures, filled by the device and handed back when it is created.
        #[derive(Default)]
        pub(crate) struct FeatureChain {
            base: vk::PhysicalDeviceFeatures,
            $($field: vk::$structure<'static>,)*
        }

        impl FeatureChain {
            /// Builds the chain of those structures that the device knows.
            fn link(&mut self, known: &Known<'_>) -> vk::PhysicalDeviceFeatures2<'_> {
                let mut head = vk::PhysicalDeviceFeatures2::default().features(self.base);
                $(
                    // A pointer left from an earlier chain would be followed.
                    self.$field.p_next = std::ptr::null_mut();
                    if known.layer >= $since && known.knows($core, $extension) {
                        head = head.push_next(&mut self.$field);
                    }
                )*
                head
            }

            /// The extensions that must be enabled for the chain.
            fn extensions(known: &Known<'_>) -> Vec<&'static CStr> {
                let mut names = Vec::new();
                $(
                    if known.layer >= $since
                        && known.version < $core
                        && known.knows($core, $extension)
                    {
                        names.push($extension);
                    }
                )*
                names
            }
        }
    };
}

/// Layer and viewport index from vertex shaders: an extension without a feature structure.
pub(crate) const VIEWPORT_INDEX_LAYER: &CStr = c"VK_EXT_shader_viewport_index_layer";

/// Stands for "in no core version".
const NEVER: u32 = u32::MAX;

/// Stands for structures that every validation layer in use knows.
const OLD: u32 = 0;

const V1_3_276: u32 = vk::make_api_version(0, 1, 3, 276);

feature_chain! {
    draw_parameters: PhysicalDeviceShaderDrawParametersFeatures, vk::API_VERSION_1_1, c"VK_KHR_shader_draw_parameters", since OLD;
    demote: PhysicalDeviceShaderDemoteToHelperInvocationFeatures, vk::API_VERSION_1_3, c"VK_EXT_shader_demote_to_helper_invocation", since OLD;
    storage16: PhysicalDevice16BitStorageFeatures, vk::API_VERSION_1_1, c"VK_KHR_16bit_storage", since OLD;
    variable_pointers: PhysicalDeviceVariablePointersFeatures, vk::API_VERSION_1_1, c"VK_KHR_variable_pointers", since OLD;
    storage8: PhysicalDevice8BitStorageFeatures, vk::API_VERSION_1_2, c"VK_KHR_8bit_storage", since OLD;
    small_types: PhysicalDeviceShaderFloat16Int8Features, vk::API_VERSION_1_2, c"VK_KHR_shader_float16_int8", since OLD;
    memory_model: PhysicalDeviceVulkanMemoryModelFeatures, vk::API_VERSION_1_2, c"VK_KHR_vulkan_memory_model", since OLD;
    device_address: PhysicalDeviceBufferDeviceAddressFeatures, vk::API_VERSION_1_2, c"VK_KHR_buffer_device_address", since OLD;
    atomic_int64: PhysicalDeviceShaderAtomicInt64Features, vk::API_VERSION_1_2, c"VK_KHR_shader_atomic_int64", since OLD;
    subgroup_types: PhysicalDeviceShaderSubgroupExtendedTypesFeatures, vk::API_VERSION_1_2, c"VK_KHR_shader_subgroup_extended_types", since OLD;
    scalar_layout: PhysicalDeviceScalarBlockLayoutFeatures, vk::API_VERSION_1_2, c"VK_EXT_scalar_block_layout", since OLD;
    uniform_layout: PhysicalDeviceUniformBufferStandardLayoutFeatures, vk::API_VERSION_1_2, c"VK_KHR_uniform_buffer_standard_layout", since OLD;
    subgroup_size: PhysicalDeviceSubgroupSizeControlFeatures, vk::API_VERSION_1_3, c"VK_EXT_subgroup_size_control", since OLD;
    maintenance4: PhysicalDeviceMaintenance4Features, vk::API_VERSION_1_3, c"VK_KHR_maintenance4", since OLD;
    zero_workgroup: PhysicalDeviceZeroInitializeWorkgroupMemoryFeatures, vk::API_VERSION_1_3, c"VK_KHR_zero_initialize_workgroup_memory", since OLD;
    dot_product: PhysicalDeviceShaderIntegerDotProductFeatures, vk::API_VERSION_1_3, c"VK_KHR_shader_integer_dot_product", since OLD;
    workgroup_layout: PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR, NEVER, c"VK_KHR_workgroup_memory_explicit_layout", since OLD;
    uniform_flow: PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR, NEVER, c"VK_KHR_shader_subgroup_uniform_control_flow", since OLD;
    maximal_reconvergence: PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR, NEVER, c"VK_KHR_shader_maximal_reconvergence", since V1_3_276;
    subgroup_rotate: PhysicalDeviceShaderSubgroupRotateFeaturesKHR, NEVER, c"VK_KHR_shader_subgroup_rotate", since V1_3_276;
    clock: PhysicalDeviceShaderClockFeaturesKHR, NEVER, c"VK_KHR_shader_clock", since OLD;
    barycentrics: PhysicalDeviceFragmentShaderBarycentricFeaturesKHR, NEVER, c"VK_KHR_fragment_shader_barycentric", since OLD;
    atomic_float: PhysicalDeviceShaderAtomicFloatFeaturesEXT, NEVER, c"VK_EXT_shader_atomic_float", since OLD;
}

/// Which structures a device knows.
pub(crate) struct Known<'a> {
    /// The API version in use with the device.
    pub(crate) version: u32,
    /// The version of the specification that the validation layer knows; without one, the newest.
    /// The layer calls what is newer an error, so it is left off.
    pub(crate) layer: u32,
    /// The extensions of the device.
    pub(crate) offered: &'a [vk::ExtensionProperties],
}

impl Known<'_> {
    pub(crate) fn knows(&self, core: u32, extension: &CStr) -> bool {
        self.version >= core || has(self.offered, extension)
    }
}

impl FeatureChain {
    /// Asks the device which features it has.
    pub(crate) fn query(
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        known: &Known<'_>,
    ) -> Self {
        let mut chain = Self::default();
        let mut head = chain.link(known);
        // SAFETY: `physical` belongs to `instance`; the chain holds only structures that the
        // device's version or extensions define, each once, and lives until after the call.
        unsafe { instance.get_physical_device_features2(physical, &mut head) };
        chain.base = head.features;
        chain
    }

    /// The chain and the extensions with which to create a device that has all of
    /// [`Features`] that it offers, and nothing else switched on.
    pub(crate) fn enable<'a>(
        &'a mut self,
        known: &Known<'_>,
    ) -> (vk::PhysicalDeviceFeatures2<'a>, Vec<&'static CStr>) {
        let have = self.base;
        self.base = vk::PhysicalDeviceFeatures {
            shader_int16: have.shader_int16,
            shader_int64: have.shader_int64,
            shader_float64: have.shader_float64,
            vertex_pipeline_stores_and_atomics: have.vertex_pipeline_stores_and_atomics,
            fragment_stores_and_atomics: have.fragment_stores_and_atomics,
            shader_clip_distance: have.shader_clip_distance,
            shader_cull_distance: have.shader_cull_distance,
            sample_rate_shading: have.sample_rate_shading,
            image_cube_array: have.image_cube_array,
            independent_blend: have.independent_blend,
            multi_viewport: have.multi_viewport,
            // For a primitive's number and layer in fragment shaders.
            geometry_shader: have.geometry_shader,
            large_points: have.large_points,
            shader_image_gather_extended: have.shader_image_gather_extended,
            shader_storage_image_read_without_format: have.shader_storage_image_read_without_format,
            shader_storage_image_write_without_format: have
                .shader_storage_image_write_without_format,
            shader_storage_image_extended_formats: have.shader_storage_image_extended_formats,
            ..vk::PhysicalDeviceFeatures::default()
        };
        self.storage16.storage_input_output16 = vk::FALSE;
        self.device_address.buffer_device_address_capture_replay = vk::FALSE;
        self.device_address.buffer_device_address_multi_device = vk::FALSE;
        self.atomic_float.shader_image_float32_atomics = vk::FALSE;
        self.atomic_float.shader_image_float32_atomic_add = vk::FALSE;
        self.atomic_float.sparse_image_float32_atomics = vk::FALSE;
        self.atomic_float.sparse_image_float32_atomic_add = vk::FALSE;
        let mut extensions = Self::extensions(known);
        // A module of SPIR-V 1.3 or 1.4 names these by extension, whatever the API version.
        for name in [
            c"VK_KHR_shader_float_controls",
            c"VK_KHR_spirv_1_4",
            c"VK_KHR_shader_non_semantic_info",
        ] {
            if known.version < vk::API_VERSION_1_2 && has(known.offered, name) {
                extensions.push(name);
            }
        }
        if has(known.offered, VIEWPORT_INDEX_LAYER) {
            extensions.push(VIEWPORT_INDEX_LAYER);
        }
        // A layered implementation must be used with this one.
        if has(known.offered, c"VK_KHR_portability_subset") {
            extensions.push(c"VK_KHR_portability_subset");
        }
        (self.link(known), extensions)
    }
}

macro_rules! features {
    ($($(#[$doc:meta])* $field:ident;)*) => {
        /// Features of a device that matter to modules; all that it has are switched on.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Features {
            $($(#[$doc])* pub $field: bool,)*
        }

        impl Features {
            /// Each feature with its name, in declaration order.
            #[must_use]
            pub fn entries(&self) -> Vec<(&'static str, bool)> {
                vec![$((stringify!($field), self.$field),)*]
            }
        }
    };
}

features! {
    /// 8-bit integers in arithmetic.
    shader_int8;
    /// 16-bit integers in arithmetic.
    shader_int16;
    /// 64-bit integers in arithmetic.
    shader_int64;
    /// 16-bit floats in arithmetic.
    shader_float16;
    /// 64-bit floats in arithmetic.
    shader_float64;
    /// 8-bit access to storage buffers.
    storage8;
    /// 8-bit access to uniform buffers.
    uniform8;
    /// 8-bit access to push constants.
    push8;
    /// 16-bit access to storage buffers.
    storage16;
    /// 16-bit access to uniform buffers.
    uniform16;
    /// 16-bit access to push constants.
    push16;
    /// A pipeline can have its own subgroup size.
    subgroup_size_control;
    /// Compute pipelines can ask for full subgroups.
    compute_full_subgroups;
    /// Compute pipelines can require a size between the device's least and largest.
    required_subgroup_compute;
    /// Subgroup operations on 8-, 16- and 64-bit integers and 16-bit floats.
    subgroup_extended_types;
    /// Rotation across a subgroup.
    subgroup_rotate;
    /// Rotation across clusters of a subgroup.
    subgroup_rotate_clustered;
    /// Subgroup-uniform control flow can be declared.
    subgroup_uniform_control_flow;
    /// Maximal reconvergence can be declared.
    maximal_reconvergence;
    /// The Vulkan memory model.
    vulkan_memory_model;
    /// Device scope in the Vulkan memory model.
    vulkan_memory_model_device_scope;
    /// Device addresses of buffers.
    buffer_device_address;
    /// Pointers into storage buffers as variables.
    variable_pointers_storage_buffer;
    /// Pointers into workgroup memory as variables.
    variable_pointers;
    /// Scalar block layout.
    scalar_block_layout;
    /// Standard layout in uniform buffers.
    uniform_buffer_standard_layout;
    /// Blocks with explicit layout in workgroup memory.
    workgroup_explicit_layout;
    /// The same, with scalar layout.
    workgroup_explicit_layout_scalar;
    /// The same, with 8-bit access.
    workgroup_explicit_layout8;
    /// The same, with 16-bit access.
    workgroup_explicit_layout16;
    /// Zero initialisers of workgroup memory.
    zero_initialize_workgroup_memory;
    /// 64-bit integer atomics on buffers.
    buffer_int64_atomics;
    /// 64-bit integer atomics on workgroup memory.
    shared_int64_atomics;
    /// 32-bit float exchange, load and store on buffers.
    buffer_float32_atomics;
    /// 32-bit float addition on buffers.
    buffer_float32_atomic_add;
    /// 64-bit float addition on buffers.
    buffer_float64_atomic_add;
    /// 32-bit float addition on workgroup memory.
    shared_float32_atomic_add;
    /// 64-bit float addition on workgroup memory.
    shared_float64_atomic_add;
    /// Integer dot products.
    integer_dot_product;
    /// The subgroup's clock.
    subgroup_clock;
    /// The device's clock.
    device_clock;
    /// Workgroup sizes by constant ids, and other relaxations of Vulkan 1.3.
    maintenance4;
    /// Vertex shaders may write buffers.
    vertex_stores;
    /// Fragment shaders may write buffers and images.
    fragment_stores;
    /// Clip distances.
    clip_distance;
    /// Cull distances.
    cull_distance;
    /// Fragment shaders run once a sample.
    sample_rate_shading;
    /// Arrays of cubes.
    image_cube_array;
    /// Gathers with offsets.
    image_gather_extended;
    /// Storage images are read without a format.
    storage_read_without_format;
    /// Storage images are written without a format.
    storage_write_without_format;
    /// More formats of storage images.
    storage_extended_formats;
    /// Several viewports.
    multi_viewport;
    /// Points greater than a pixel.
    large_points;
    /// Layer and viewport index from vertex shaders.
    viewport_index_layer;
    /// Geometry shaders, whose capability fragment shaders need for a primitive's number and layer.
    geometry;
    /// Barycentrics and attributes of vertices in fragment shaders.
    fragment_barycentrics;
    /// First vertex and instance as inputs.
    draw_parameters;
    /// A fragment may become a helper.
    demote;
    /// Denormals of 16-bit floats can be kept.
    denorm_preserve16;
    /// Denormals of 32-bit floats can be kept.
    denorm_preserve32;
    /// Denormals of 64-bit floats can be kept.
    denorm_preserve64;
    /// Denormals of 16-bit floats can be flushed.
    denorm_flush16;
    /// Denormals of 32-bit floats can be flushed.
    denorm_flush32;
    /// Denormals of 64-bit floats can be flushed.
    denorm_flush64;
    /// 16-bit floats can be rounded to the nearest, ties to even.
    rte16;
    /// 32-bit floats can be rounded to the nearest, ties to even.
    rte32;
    /// 64-bit floats can be rounded to the nearest, ties to even.
    rte64;
    /// 16-bit floats can be rounded towards zero.
    rtz16;
    /// 32-bit floats can be rounded towards zero.
    rtz32;
    /// 64-bit floats can be rounded towards zero.
    rtz64;
    /// Signed zeros, infinities and NaNs of 16-bit floats can be kept.
    signed_zero_inf_nan16;
    /// Signed zeros, infinities and NaNs of 32-bit floats can be kept.
    signed_zero_inf_nan32;
    /// Signed zeros, infinities and NaNs of 64-bit floats can be kept.
    signed_zero_inf_nan64;
    /// Denormal modes can be chosen for 32-bit floats apart from the other widths.
    denorm_independence32;
    /// Denormal modes can be chosen for each width.
    denorm_independence_all;
    /// Rounding modes can be chosen for 32-bit floats apart from the other widths.
    rounding_independence32;
    /// Rounding modes can be chosen for each width.
    rounding_independence_all;
}

impl Features {
    /// Joins what the feature chain and the two property structures say.
    pub(crate) fn new(
        chain: &FeatureChain,
        size: &vk::PhysicalDeviceSubgroupSizeControlProperties<'_>,
        float: &vk::PhysicalDeviceFloatControlsProperties<'_>,
        offered: &[vk::ExtensionProperties],
    ) -> Self {
        use vk::ShaderFloatControlsIndependence as Independence;
        let on = |flag: vk::Bool32| flag == vk::TRUE;
        let c = chain;
        let float32_apart =
            |i: Independence| matches!(i, Independence::TYPE_32_ONLY | Independence::ALL);
        Self {
            shader_int8: on(c.small_types.shader_int8),
            shader_int16: on(c.base.shader_int16),
            shader_int64: on(c.base.shader_int64),
            shader_float16: on(c.small_types.shader_float16),
            shader_float64: on(c.base.shader_float64),
            storage8: on(c.storage8.storage_buffer8_bit_access),
            uniform8: on(c.storage8.uniform_and_storage_buffer8_bit_access),
            push8: on(c.storage8.storage_push_constant8),
            storage16: on(c.storage16.storage_buffer16_bit_access),
            uniform16: on(c.storage16.uniform_and_storage_buffer16_bit_access),
            push16: on(c.storage16.storage_push_constant16),
            subgroup_size_control: on(c.subgroup_size.subgroup_size_control),
            compute_full_subgroups: on(c.subgroup_size.compute_full_subgroups),
            required_subgroup_compute: on(c.subgroup_size.subgroup_size_control)
                && size
                    .required_subgroup_size_stages
                    .contains(vk::ShaderStageFlags::COMPUTE),
            subgroup_extended_types: on(c.subgroup_types.shader_subgroup_extended_types),
            subgroup_rotate: on(c.subgroup_rotate.shader_subgroup_rotate),
            subgroup_rotate_clustered: on(c.subgroup_rotate.shader_subgroup_rotate_clustered),
            subgroup_uniform_control_flow: on(c.uniform_flow.shader_subgroup_uniform_control_flow),
            maximal_reconvergence: on(c.maximal_reconvergence.shader_maximal_reconvergence),
            vulkan_memory_model: on(c.memory_model.vulkan_memory_model),
            vulkan_memory_model_device_scope: on(c.memory_model.vulkan_memory_model_device_scope),
            buffer_device_address: on(c.device_address.buffer_device_address),
            variable_pointers_storage_buffer: on(c
                .variable_pointers
                .variable_pointers_storage_buffer),
            variable_pointers: on(c.variable_pointers.variable_pointers),
            scalar_block_layout: on(c.scalar_layout.scalar_block_layout),
            uniform_buffer_standard_layout: on(c.uniform_layout.uniform_buffer_standard_layout),
            workgroup_explicit_layout: on(c.workgroup_layout.workgroup_memory_explicit_layout),
            workgroup_explicit_layout_scalar: on(c
                .workgroup_layout
                .workgroup_memory_explicit_layout_scalar_block_layout),
            workgroup_explicit_layout8: on(c
                .workgroup_layout
                .workgroup_memory_explicit_layout8_bit_access),
            workgroup_explicit_layout16: on(c
                .workgroup_layout
                .workgroup_memory_explicit_layout16_bit_access),
            zero_initialize_workgroup_memory: on(c
                .zero_workgroup
                .shader_zero_initialize_workgroup_memory),
            buffer_int64_atomics: on(c.atomic_int64.shader_buffer_int64_atomics),
            shared_int64_atomics: on(c.atomic_int64.shader_shared_int64_atomics),
            buffer_float32_atomics: on(c.atomic_float.shader_buffer_float32_atomics),
            buffer_float32_atomic_add: on(c.atomic_float.shader_buffer_float32_atomic_add),
            buffer_float64_atomic_add: on(c.atomic_float.shader_buffer_float64_atomic_add),
            shared_float32_atomic_add: on(c.atomic_float.shader_shared_float32_atomic_add),
            shared_float64_atomic_add: on(c.atomic_float.shader_shared_float64_atomic_add),
            integer_dot_product: on(c.dot_product.shader_integer_dot_product),
            subgroup_clock: on(c.clock.shader_subgroup_clock),
            device_clock: on(c.clock.shader_device_clock),
            maintenance4: on(c.maintenance4.maintenance4),
            vertex_stores: on(c.base.vertex_pipeline_stores_and_atomics),
            fragment_stores: on(c.base.fragment_stores_and_atomics),
            clip_distance: on(c.base.shader_clip_distance),
            cull_distance: on(c.base.shader_cull_distance),
            sample_rate_shading: on(c.base.sample_rate_shading),
            image_cube_array: on(c.base.image_cube_array),
            image_gather_extended: on(c.base.shader_image_gather_extended),
            storage_read_without_format: on(c.base.shader_storage_image_read_without_format),
            storage_write_without_format: on(c.base.shader_storage_image_write_without_format),
            storage_extended_formats: on(c.base.shader_storage_image_extended_formats),
            multi_viewport: on(c.base.multi_viewport),
            large_points: on(c.base.large_points),
            viewport_index_layer: has(offered, VIEWPORT_INDEX_LAYER),
            geometry: on(c.base.geometry_shader),
            fragment_barycentrics: on(c.barycentrics.fragment_shader_barycentric),
            draw_parameters: on(c.draw_parameters.shader_draw_parameters),
            demote: on(c.demote.shader_demote_to_helper_invocation),
            denorm_preserve16: on(float.shader_denorm_preserve_float16),
            denorm_preserve32: on(float.shader_denorm_preserve_float32),
            denorm_preserve64: on(float.shader_denorm_preserve_float64),
            denorm_flush16: on(float.shader_denorm_flush_to_zero_float16),
            denorm_flush32: on(float.shader_denorm_flush_to_zero_float32),
            denorm_flush64: on(float.shader_denorm_flush_to_zero_float64),
            rte16: on(float.shader_rounding_mode_rte_float16),
            rte32: on(float.shader_rounding_mode_rte_float32),
            rte64: on(float.shader_rounding_mode_rte_float64),
            rtz16: on(float.shader_rounding_mode_rtz_float16),
            rtz32: on(float.shader_rounding_mode_rtz_float32),
            rtz64: on(float.shader_rounding_mode_rtz_float64),
            signed_zero_inf_nan16: on(float.shader_signed_zero_inf_nan_preserve_float16),
            signed_zero_inf_nan32: on(float.shader_signed_zero_inf_nan_preserve_float32),
            signed_zero_inf_nan64: on(float.shader_signed_zero_inf_nan_preserve_float64),
            denorm_independence32: float32_apart(float.denorm_behavior_independence),
            denorm_independence_all: float.denorm_behavior_independence == Independence::ALL,
            rounding_independence32: float32_apart(float.rounding_mode_independence),
            rounding_independence_all: float.rounding_mode_independence == Independence::ALL,
        }
    }
}

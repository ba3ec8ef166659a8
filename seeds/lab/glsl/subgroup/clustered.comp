//! Reductions of clusters of 2, 4, 8, 16 and 32 lanes.
//! lab: subgroup_dependent = true
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    r[i] = uvec4(subgroupClusteredAdd(x, 2u) ^ subgroupClusteredMax(x, 4u), subgroupClusteredXor(x, 8u), subgroupClusteredMin(x, 16u), subgroupClusteredAdd(x, 32u));
}

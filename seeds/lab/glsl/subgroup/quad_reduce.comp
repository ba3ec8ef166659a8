//! A reduction over quads, the result written by each first lane.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[32]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    x += subgroupQuadSwapHorizontal(x);
    x = max(x, subgroupQuadSwapVertical(x) ^ 1u);
    if ((gl_SubgroupInvocationID & 3u) == 0u) r[i >> 2] = x;
}

//! Quad broadcasts and swaps in all directions.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    r[i] = uvec4(subgroupQuadSwapHorizontal(x), subgroupQuadSwapVertical(x), subgroupQuadSwapDiagonal(x),
        subgroupQuadBroadcast(x, 0u) + 3u * subgroupQuadBroadcast(x, 1u) + 5u * subgroupQuadBroadcast(x, 2u) + 7u * subgroupQuadBroadcast(x, 3u));
}

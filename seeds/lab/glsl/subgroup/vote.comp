//! all, any and allEqual, in straight and in divergent code.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    uint k = uint(subgroupAll(x > 5u)) | uint(subgroupAny((x & 63u) == 5u)) << 1 | uint(subgroupAllEqual(i >> 5)) << 2 | uint(subgroupAllEqual(x)) << 3;
    if ((x & 1u) != 0u) k |= uint(subgroupAll((x & 1u) != 0u)) << 4 | uint(subgroupAny((x & 2u) == 0u)) << 5;
    r[i] = k;
}

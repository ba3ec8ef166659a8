//! Sums and scans over the lanes that took a branch, within a loop.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], s = 0u;
    for (uint k = 0u; k < 1u + (x & 3u); ++k) {
        s = s * 3u + subgroupAdd(x >> k);
        if ((x >> k & 4u) != 0u) s += subgroupExclusiveAdd(k + 1u);
    }
    r[i] = s;
}

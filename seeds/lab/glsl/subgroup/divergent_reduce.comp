//! Reductions in both arms of nested branches, lanes switched off differently.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], s;
    if ((x & 1u) != 0u) {
        if ((x & 2u) != 0u) s = subgroupAdd(x); else s = subgroupMax(x);
        s += subgroupAdd(1u);
    } else {
        s = subgroupMin(x);
        if ((x & 4u) != 0u) s ^= subgroupOr(x & 0xff00u);
    }
    r[i] = s + subgroupAdd(1u);
}

//! An election among the lanes that took a branch.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint e = 0u;
    if ((a[i] & 3u) == 1u) { if (subgroupElect()) e = 1u; }
    else if ((a[i] & 3u) == 2u) { if (subgroupElect()) e = 2u; }
    r[i] = e;
}

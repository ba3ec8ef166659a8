//! A loop that goes on while any lane wants to: all lanes stay in it.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 15u, n = 0u;
    while (subgroupAny(x != 0u)) {
        if (x != 0u) x -= 1u + (x >> 2 & 1u);
        ++n;
    }
    r[i] = n;
}

//! Broadcasts from a fixed lane, the first lane, and a lane picked at run time.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer B { uint b[4]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    uint f = subgroupBroadcastFirst(x), c = subgroupBroadcast(x, 7u), d = subgroupBroadcast(x, uint(b[0]) & 31u);
    if ((x & 1u) != 0u) f ^= subgroupBroadcastFirst(x);
    r[i] = f + c * 3u + d * 5u;
}

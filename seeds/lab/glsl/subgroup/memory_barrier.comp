//! Lanes of a subgroup exchange through shared memory behind subgroup barriers.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint base = gl_SubgroupID * gl_SubgroupSize, n = gl_SubgroupSize, id = gl_SubgroupInvocationID;
    t[base + id] = a[i];
    subgroupBarrier();
    uint x = t[base + ((id + 1u) & (n - 1u))];
    subgroupBarrier();
    t[base + (n - 1u - id)] = x * 3u;
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    r[i] = t[base + id];
}

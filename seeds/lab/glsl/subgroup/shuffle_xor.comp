//! Butterflies of every power of two, constant and at run time.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer B { uint b[4]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    x += subgroupShuffleXor(x, 1u); x ^= subgroupShuffleXor(x * 3u, 2u); x += subgroupShuffleXor(x, 4u);
    x ^= subgroupShuffleXor(x * 5u, 8u); x += subgroupShuffleXor(x, 16u); x ^= subgroupShuffleXor(x, b[0] & 31u);
    r[i] = x;
}

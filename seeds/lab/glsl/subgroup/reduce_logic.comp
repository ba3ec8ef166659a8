//! And, or and xor over the subgroup, words and booleans.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    r[i] = uvec4(subgroupAnd(x | 0xf0000000u >> (i & 15u)), subgroupOr(x & 0x11111111u << (i & 3u)), subgroupXor(x), uint(subgroupXor(int(x) >> 3)));
}

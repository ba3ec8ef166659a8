//! Each 32-bit atomic on shared memory.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[32]; };

shared uint t[16];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex, x = a[i];
    if (l < 16u) t[l] = l < 8u ? 0u : 0xffffffffu;
    barrier();
    atomicAdd(t[0], x); atomicOr(t[1], x & 0x01010101u << (l & 7u)); atomicXor(t[2], x); atomicMax(t[3], x);
    atomicAnd(t[8], x | 0xffff0000u); atomicMin(t[9], x); atomicAdd(t[4u + (x & 3u)], l);
    barrier();
    if (l < 16u) r[gl_WorkGroupID.x * 16u + l] = t[l];
}

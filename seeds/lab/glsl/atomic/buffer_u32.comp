//! Each 32-bit unsigned atomic on a buffer, without its result.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[16]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    atomicAdd(r[0], x); atomicAnd(r[1], x | 0xff000000u >> (i & 31u)); atomicOr(r[2], x & 0x11111111u << (i & 3u)); atomicXor(r[3], x);
    atomicMin(r[4], x); atomicMax(r[5], x);
    atomicAdd(r[8u + (x & 7u)], 1u);
}

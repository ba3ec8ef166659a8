//! Signed atomic minimum and maximum on a buffer.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { int r[16]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int x = int(a[i]);
    atomicMin(r[x & 3], x);
    atomicMax(r[4 + (x >> 2 & 3)], x);
    atomicAdd(r[8], -x);
}

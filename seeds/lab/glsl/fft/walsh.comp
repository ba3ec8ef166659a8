//! A Walsh-Hadamard transform of integers by butterflies.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { int r[128]; };

shared int t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = int(a[i]) >> 8;
    barrier();
    for (uint h = 1u; h < 64u; h <<= 1) {
        int x = t[l & ~h], y = t[l | h];
        barrier();
        t[l] = (l & h) == 0u ? x + y : x - y;
        barrier();
    }
    r[i] = t[l];
}

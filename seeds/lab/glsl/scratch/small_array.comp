//! A small private array: compilers choose selects or relative register moves.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint t[8] = uint[8](a[i], a[i ^ 1u], a[i ^ 2u], a[i ^ 3u], 5u, 6u, 7u, i);
    uint j = a[i ^ 4u];
    t[j & 7u] += t[(j >> 3) & 7u];
    t[(j >> 6) & 7u] ^= 0x55u;
    r[i] = t[(j >> 9) & 7u] + t[(j >> 12) & 7u] * 3u + t[0];
}

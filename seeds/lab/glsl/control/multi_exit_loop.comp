//! A loop with four exits, each with its own epilogue.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], k = 0u, s = 0u;
    for (;;) {
        x = x * 1664525u + 1013904223u;
        if ((x >> 28) == 1u) { s = x ^ 1u; break; }
        ++k;
        if (k > 40u) { s = 0xdeadu; break; }
        if ((x >> 20 & 63u) == 5u) { s = k * 77u; break; }
        s += x >> 16;
        if ((s & 0xffu) == 0xabu) { s = ~s; break; }
    }
    r[i] = s * 64u + k;
}

//! An odd-even transposition sort that stops when nothing moved.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[64], moved;

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = a[i] & 0xffffu;
    if (l == 0u) moved = 1u;
    barrier();
    for (uint k = 0u; k < 70u; k += 2u) {
        uint go = moved;
        barrier();
        if (go == 0u) break;
        if (l == 0u) moved = 0u;
        barrier();
        for (uint s = 0u; s < 2u; ++s) {
            uint x = 2u * l + s;
            if (x + 1u < 64u && t[x] > t[x + 1u]) {
                uint p = t[x];
                t[x] = t[x + 1u];
                t[x + 1u] = p;
                atomicOr(moved, 1u);
            }
            barrier();
        }
    }
    r[i] = t[l];
}

//! Open addressing in a shared table: inserts by compare and swap, then look-ups.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[128];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = 0u; t[l + 64u] = 0u;
    barrier();
    uint key = (a[i] & 0x3fffu) | 0x10000u;
    uint at = key * 2654435761u >> 25;
    for (uint k = 0u; k < 128u; ++k) {
        uint was = atomicCompSwap(t[at], 0u, key);
        if (was == 0u || was == key) break;
        at = (at + 1u) & 127u;
    }
    barrier();
    uint probe = (a[i ^ 1u] & 0x3fffu) | 0x10000u, found = 0u;
    at = probe * 2654435761u >> 25;
    for (uint k = 0u; k < 128u && t[at] != 0u; ++k) {
        if (t[at] == probe) { found = 1u; break; }
        at = (at + 1u) & 127u;
    }
    r[i] = found;
}

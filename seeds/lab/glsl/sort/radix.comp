//! A radix sort, two bits a pass, by shared counters and prefix sums.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint c[4][64], total[4], t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    uint x = a[i] & 0xffu;
    for (uint bit = 0u; bit < 8u; bit += 2u) {
        uint d = x >> bit & 3u;
        for (uint k = 0u; k < 4u; ++k) c[k][l] = uint(d == k);
        barrier();
        if (l < 4u) {
            uint s = 0u;
            for (uint k = 0u; k < 64u; ++k) { uint v = c[l][k]; c[l][k] = s; s += v; }
            total[l] = s;
        }
        barrier();
        uint at = c[d][l];
        for (uint k = 0u; k < d; ++k) at += total[k];
        t[at] = x;
        barrier();
        x = t[l];
        barrier();
    }
    r[i] = x;
}

//! Barriers behind uniform conditions, in nested uniform loops.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer B { uint b[4]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

shared uint t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = a[i];
    barrier();
    uint n = b[gl_WorkGroupID.x];
    for (uint p = 0u; p < (n & 3u) + 1u; ++p) {
        if ((n >> p & 4u) != 0u) {
            uint x = t[63u - l];
            barrier();
            t[l] = x + p;
            barrier();
        } else {
            for (uint q = 0u; q < (n >> 4 & 3u); ++q) {
                uint x = t[(l + 1u + q) & 63u];
                barrier();
                if ((x & 1u) != 0u) t[l] ^= x;
                barrier();
            }
        }
    }
    r[i] = t[l];
}

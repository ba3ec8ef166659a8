//! An exclusive scan by an up-sweep and a down-sweep.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[256]; };
layout(std430, binding = 1) buffer R { uint r[256]; };

shared uint t[128];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * 128u;
    t[2u * l] = a[base + 2u * l]; t[2u * l + 1u] = a[base + 2u * l + 1u];
    uint off = 1u;
    for (uint d = 64u; d > 0u; d >>= 1) {
        barrier();
        if (l < d) t[off * (2u * l + 2u) - 1u] += t[off * (2u * l + 1u) - 1u];
        off <<= 1;
    }
    if (l == 0u) t[127] = 0u;
    for (uint d = 1u; d < 128u; d <<= 1) {
        off >>= 1;
        barrier();
        if (l < d) {
            uint p = off * (2u * l + 1u) - 1u, q = off * (2u * l + 2u) - 1u;
            uint x = t[p];
            t[p] = t[q];
            t[q] += x;
        }
    }
    barrier();
    r[base + 2u * l] = t[2u * l]; r[base + 2u * l + 1u] = t[2u * l + 1u];
}

//! A segmented scan: sums start anew at flagged elements.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[64], h[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = a[i] & 0xffffu;
    h[l] = uint(l == 0u || (a[i] & 0x70000u) == 0u);
    barrier();
    for (uint d = 1u; d < 64u; d <<= 1) {
        uint x = 0u, g = 0u;
        if (l >= d) { x = t[l - d]; g = h[l - d]; }
        bool open = h[l] == 0u;
        barrier();
        if (l >= d && open) { t[l] += x; h[l] |= g; }
        barrier();
    }
    r[i] = t[l];
}

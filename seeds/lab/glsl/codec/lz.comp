//! LZ77 matches copied within a private window, overlaps repeated.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint win[128];
    uint n = 0u, at = i;
    while (n < 100u) {
        uint w = a[at++ & 127u];
        if ((w & 3u) == 0u || n == 0u) { win[n++] = w >> 8 & 255u; continue; }
        uint len = (w >> 2 & 15u) + 2u, dist = w >> 6 & 63u;
        dist = min(dist + 1u, n);
        for (uint k = 0u; k < len && n < 120u; ++k) { win[n] = win[n - dist]; ++n; }
    }
    uint h = 0u;
    for (uint k = 0u; k < n; ++k) h = (h ^ win[k]) * 16777619u;
    r[i] = h;
}

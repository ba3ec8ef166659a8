//! A binary heap in private memory: pushes, then pops in order.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint h[40];
    uint n = 0u;
    for (uint k = 0u; k < 16u; ++k) {
        uint c = n++;
        h[c] = a[(i + k * 7u) & 127u];
        while (c > 0u && h[(c - 1u) >> 1] > h[c]) {
            uint p = (c - 1u) >> 1, x = h[p];
            h[p] = h[c]; h[c] = x; c = p;
        }
    }
    uint s = 0u;
    while (n > 4u) {
        s = s * 17u + h[0];
        h[0] = h[--n];
        uint p = 0u;
        for (;;) {
            uint c = 2u * p + 1u;
            if (c >= n) break;
            if (c + 1u < n && h[c + 1u] < h[c]) ++c;
            if (h[p] <= h[c]) break;
            uint x = h[p];
            h[p] = h[c]; h[c] = x; p = c;
        }
    }
    r[i] = s;
}

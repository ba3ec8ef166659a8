//! Returns out of nested loops at three depths.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

uint work(uint i) {
    uint s = 0u;
    for (uint p = 0u; p < 6u; ++p) {
        uint x = a[(i + p) & 127u];
        if ((x & 31u) == 0u) return s | 0x10000000u;
        for (uint q = 0u; q < (x & 7u); ++q) {
            s = s * 3u + (x >> q);
            if ((s & 63u) == 9u) return s | 0x20000000u;
            for (uint t = 0u; t < (s & 3u); ++t) {
                s ^= x << t;
                if ((s & 127u) == 77u) return s | 0x30000000u;
            }
        }
    }
    return s;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = work(i);
}

//! Run lengths decoded: each lane walks its own stream.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint at = i * 3u & 127u, n = 0u, h = 0u;
    for (uint k = 0u; k < 6u; ++k) {
        uint w = a[(at + k) & 127u];
        uint run = (w & 7u) + 1u, v = w >> 8 & 255u;
        for (uint j = 0u; j < run; ++j) { h = h * 31u + v; ++n; }
    }
    r[i] = h ^ n << 24;
}

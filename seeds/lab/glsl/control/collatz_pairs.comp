//! Loops that end at different times in each lane, twice over.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = (a[i] & 0xfffu) + 1u, n = 0u;
    while (x != 1u && n < 150u) { x = (x & 1u) != 0u ? 3u * x + 1u : x >> 1; ++n; }
    uint y = (a[i] >> 12 & 0xfffu) + 1u, m = 0u;
    do { y = (y & 1u) != 0u ? 5u * y + 1u & 0xffffu : y >> 1; ++m; } while (y > 1u && m < n);
    r[i] = n | m << 16;
}

//! An 8x8 bit matrix transposed in two words.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 1u], t;
    t = (x ^ x >> 7) & 0x00aa00aau; x ^= t ^ t << 7;
    t = (y ^ y >> 7) & 0x00aa00aau; y ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000ccccu; x ^= t ^ t << 14;
    t = (y ^ y >> 14) & 0x0000ccccu; y ^= t ^ t << 14;
    t = (x & 0xf0f0f0f0u) | (y >> 4 & 0x0f0f0f0fu);
    y = (x << 4 & 0xf0f0f0f0u) | (y & 0x0f0f0f0fu);
    r[i] = uvec2(t, y);
}

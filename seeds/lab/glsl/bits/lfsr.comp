//! Galois and Fibonacci shift registers side by side.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] | 1u, y = x;
    for (uint k = 0u; k < 40u; ++k) {
        x = x >> 1 ^ (-(x & 1u) & 0xd0000001u);
        y = y << 1 | ((y >> 31 ^ y >> 21 ^ y >> 1 ^ y) & 1u);
    }
    r[i] = uvec2(x, y);
}

//! Octaves of value noise with exact halving of amplitudes.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], sum = 0u, amp = 1u << 15;
    for (uint o = 0u; o < 5u; ++o) {
        uint c = x >> (16u - o), f = x >> (8u - o) & 255u;
        uint h0 = (c * 0x9e3779b1u) >> 24, h1 = ((c + 1u) * 0x9e3779b1u) >> 24;
        sum += ((h0 * (256u - f) + h1 * f) >> 8) * amp;
        amp >>= 1;
    }
    r[i] = sum;
}

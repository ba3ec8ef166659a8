//! A binary arithmetic decoder with adaptive probabilities.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint low = 0u, range = 0xffffffffu, code = a[i], at = i + 1u, p = 2048u, h = 0u;
    for (uint k = 0u; k < 40u; ++k) {
        uint bound = (range >> 12) * p;
        uint bit;
        if (code < bound) { range = bound; p += (4096u - p) >> 5; bit = 0u; }
        else { code -= bound; range -= bound; p -= p >> 5; bit = 1u; }
        h = h << 1 ^ bit ^ (h >> 31) * 0x04c11db7u;
        while (range < 0x01000000u) { range <<= 8; code = code << 8 | (a[at & 127u] & 255u); ++at; }
    }
    r[i] = h ^ p << 20;
}

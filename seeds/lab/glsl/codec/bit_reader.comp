//! A DEFLATE-like bit reader: refills, variable widths, extra bits.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint pos = i * 2u, hold = 0u, have = 0u, h = 0u;
    for (uint k = 0u; k < 14u; ++k) {
        if (have < 16u) { hold |= (a[pos >> 1 & 127u] >> ((pos & 1u) * 16u) & 0xffffu) << have; have += 16u; ++pos; }
        uint code = hold & 15u;
        hold >>= 4; have -= 4u;
        uint extra = code < 4u ? 0u : (code >> 1) - 1u;
        uint v = hold & ((1u << extra) - 1u);
        hold >>= extra; have -= extra;
        h = h * 131u + (code << 8 | v);
    }
    r[i] = h ^ have << 27;
}

//! Arithmetic in the field of 256 elements: products, powers, inverses.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

uint mul(uint x, uint y) {
    uint p = 0u;
    for (uint k = 0u; k < 8u; ++k) {
        p ^= (y & 1u) != 0u ? x : 0u;
        x = (x & 128u) != 0u ? (x << 1 ^ 0x11bu) : x << 1;
        y >>= 1;
    }
    return p;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 255u, y = a[i] >> 8 & 255u;
    uint p = mul(x, y), inv = x;
    for (uint k = 0u; k < 6u; ++k) inv = mul(mul(inv, inv), x);
    inv = mul(inv, inv);
    r[i] = p | inv << 8 | mul(inv, x) << 16;
}

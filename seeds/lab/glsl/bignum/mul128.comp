//! 128-bit products of 64-bit parts by 32-bit limbs.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x[4] = uint[4](a[i], a[i ^ 1u], a[i ^ 2u], a[i ^ 3u]), y[4] = uint[4](a[i ^ 4u], a[i ^ 5u], a[i ^ 6u], a[i ^ 7u]);
    uint z[8] = uint[8](0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
    for (uint p = 0u; p < 4u; ++p) {
        uint carry = 0u;
        for (uint q = 0u; q < 4u; ++q) {
            uint hi, lo, c0, c1;
            umulExtended(x[p], y[q], hi, lo);
            lo = uaddCarry(lo, carry, c0);
            lo = uaddCarry(lo, z[p + q], c1);
            z[p + q] = lo;
            carry = hi + c0 + c1;
        }
        z[p + 4u] = carry;
    }
    r[i] = uvec4(z[0] ^ z[4], z[1] ^ z[5], z[2] ^ z[6], z[3] ^ z[7]);
}

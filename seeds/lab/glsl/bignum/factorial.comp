//! Factorials in limbs of seven decimal digits.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint d[5] = uint[5](1u, 0u, 0u, 0u, 0u);
    uint n = (a[i] & 15u) + 12u;
    for (uint k = 2u; k <= n; ++k) {
        uint carry = 0u;
        for (uint j = 0u; j < 5u; ++j) {
            uint v = d[j] * k + carry;
            d[j] = v % 10000000u;
            carry = v / 10000000u;
        }
    }
    r[i] = uvec4(d[0], d[1], d[2], d[3] ^ d[4] << 8);
}

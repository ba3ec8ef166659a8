//! Philox 4x32-10: a counter-based generator of wide products.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 c = uvec4(i, a[0], 0u, 0u);
    uvec2 k = uvec2(a[1], a[2]);
    for (uint round = 0u; round < 10u; ++round) {
        uint h0, l0, h1, l1;
        umulExtended(0xd2511f53u, c.x, h0, l0);
        umulExtended(0xcd9e8d57u, c.z, h1, l1);
        c = uvec4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
        k += uvec2(0x9e3779b9u, 0xbb67ae85u);
    }
    r[i] = c;
}

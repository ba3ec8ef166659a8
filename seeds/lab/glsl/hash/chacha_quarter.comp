//! ChaCha rounds on a state held in vectors.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

uvec4 rot(uvec4 v, int n) { return v << n | v >> (32 - n); }
void quarter(inout uvec4 x, inout uvec4 y, inout uvec4 z, inout uvec4 w) {
    x += y; w = rot(w ^ x, 16);
    z += w; y = rot(y ^ z, 12);
    x += y; w = rot(w ^ x, 8);
    z += w; y = rot(y ^ z, 7);
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 x = uvec4(0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u);
    uvec4 y = uvec4(a[i], a[i ^ 1u], a[i ^ 2u], a[i ^ 3u]), z = y.wzyx + 1u, w = uvec4(i, 0u, a[i ^ 4u], a[i ^ 5u]);
    for (uint k = 0u; k < 4u; ++k) {
        quarter(x, y, z, w);
        y = y.yzwx; z = z.zwxy; w = w.wxyz;
        quarter(x, y, z, w);
        y = y.wxyz; z = z.zwxy; w = w.yzwx;
    }
    r[i] = x + y ^ z - w;
}

//! Products of values known to be narrow: 24-bit multiplies and multiply-adds.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 0xffffffu, y = a[i ^ 1u] & 0xffffffu;
    int sx = int(a[i]) >> 8, sy = int(a[i ^ 1u]) >> 8;
    uint h = a[i] & 0xffffu, k = a[i ^ 3u] >> 16;
    r[i] = uvec4(x * y + 7u, uint(sx * sy) + a[i ^ 2u], h * k + a[i ^ 2u], (x & 0xfffu) * (y & 0xfffu));
}

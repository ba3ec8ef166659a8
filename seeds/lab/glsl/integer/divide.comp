//! Signed and unsigned division and remainder by variable divisors, all sign pairs.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int x = int(a[i]), y = int(a[i ^ 1u]) >> (i & 31u);
    if (y == 0 || y == -1) y = 3;
    uint v = uint(y) & 0xffffu | 1u;
    r[i] = uvec4(uint(x / y), uint(x - (x / y) * y), a[i] / v, a[i] % v);
}

//! Shifts left, right logical and right arithmetic by every count from 0 to 31.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint n = i & 31u, x = a[i];
    r[i] = uvec4(x << n, x >> n, uint(int(x) >> n), (x << n) | (x >> ((32u - n) & 31u)));
}

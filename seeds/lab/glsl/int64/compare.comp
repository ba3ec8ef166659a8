//! 64-bit comparisons, min, max and clamp, signed and unsigned.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[128]; };
layout(std430, binding = 2) buffer T { uint64_t t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = u[i], y = u[i ^ 1u];
    if ((i & 7u) == 2u) y = x;
    if ((i & 7u) == 3u) y = x ^ 1ul;
    int64_t s = int64_t(x), v = int64_t(y);
    uint k = uint(x < y) | uint(s < v) << 1 | uint(x == y) << 2 | uint(s >= v) << 3 | uint(x <= y) << 4 | uint(x != y) << 5;
    r[i] = max(min(x, y), uint64_t(k));
    t[i] = uint64_t(min(s, v)) + k;
}

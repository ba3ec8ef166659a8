//! A 64-bit number to decimal digits by repeated division.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = u[i] >> int(i & 63u);
    uint n = 0u, h = 0u;
    do {
        uint64_t q = x / 10ul;
        h = h * 11u + uint(x - q * 10ul);
        x = q;
        ++n;
    } while (x != 0ul);
    r[i] = h ^ n << 24;
}

//! A 64-bit linear congruential generator stepped a different number of times in each lane.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = u[i];
    uint n = uint(x & 15ul) + 1u;
    for (uint k = 0u; k < n; ++k) x = x * 6364136223846793005ul + 1442695040888963407ul;
    r[i] = x;
}

//! 64-bit division and remainder: long expansions without loops.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[128]; };
layout(std430, binding = 2) buffer T { uint64_t t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = u[i], y = (u[i ^ 1u] >> (i & 63u)) | 1ul;
    r[i] = x / y;
    t[i] = x % y;
}

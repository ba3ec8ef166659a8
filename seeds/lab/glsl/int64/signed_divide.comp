//! Signed 64-bit division, all pairs of signs.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { int64_t u[128]; };
layout(std430, binding = 1) buffer R { int64_t r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int64_t x = u[i], y = (u[i ^ 1u] >> int(i & 31u)) | 1l;
    if (y == -1l) y = 7l;
    r[i] = x / y;
}

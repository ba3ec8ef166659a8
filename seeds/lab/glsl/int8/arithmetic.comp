//! 8-bit arithmetic wraps at 8 bits, signs are extended.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { int8_t u[128]; };
layout(std430, binding = 1) buffer R { i8vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int8_t x = u[i], y = u[i ^ 1u];
    int8_t s = x + y, d = x - y, m = x * y;
    r[i] = i8vec4(s, d, m, x < y ? int8_t(x >> int8_t(i & 7u)) : -y);
}

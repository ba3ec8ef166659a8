//! Signed 16-bit min, max, arithmetic shift, compare and sign.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { int16_t u[128]; };
layout(std430, binding = 1) buffer R { i16vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int16_t x = u[i], y = u[i ^ 1u];
    r[i] = i16vec4(min(x, y), max(x, y), x >> int16_t(i & 15u), x < y ? x : -y);
}

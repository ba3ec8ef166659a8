//! 16-bit add, subtract, multiply wrap at 16 bits.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint16_t u[128]; };
layout(std430, binding = 1) buffer R { u16vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint16_t x = u[i], y = u[i ^ 1u];
    r[i] = u16vec4(x + y, x - y, x * y, x * uint16_t(5) + y);
}

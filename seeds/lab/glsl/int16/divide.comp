//! 16-bit division and remainder, signed and unsigned.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint16_t u[128]; };
layout(std430, binding = 1) buffer R { u16vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int16_t x = int16_t(u[i]), y = int16_t(u[i ^ 1u] | 1us);
    if (y == -1s) y = 5s;
    uint16_t w = u[i ^ 2u] >> 5us | 1us;
    r[i] = u16vec4(uint16_t(x / y), u[i] / w, u[i] % w, uint16_t(x - x / y * y));
}

//! 16-bit values widened with and without sign, narrowed, made floats.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint16_t u[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int16_t s = int16_t(u[i]);
    uint w = uint(u[i]) * 65537u;
    int t = int(s) * 3;
    r[i] = uvec4(w, uint(t), floatBitsToUint(float(s)), uint(uint16_t(w >> 7)));
}

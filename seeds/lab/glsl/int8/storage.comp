//! Bytes loaded, changed and stored one an invocation: four lanes share a word.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint8_t u[128]; };
layout(std430, binding = 1) buffer R { uint8_t r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = uint(u[i]), y = uint(u[i ^ 1u]);
    r[i] = uint8_t(x * 3u + y);
}

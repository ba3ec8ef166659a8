//! Bytes, shorts and halves through pointers.
//! lab: data."root.small" = { pointer = "A" }
//! lab: data."root.out_" = { pointer = "R" }
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Small { uint8_t b; uint8_t c; uint16_t s; };
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Shorts { uint16_t s[128]; };
layout(std430, binding = 0) readonly buffer Root { Small small; Shorts out_; } root;
layout(std430, binding = 1) readonly buffer A { uint a[128]; };
layout(std430, binding = 2) buffer R { uint16_t r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    Small p = root.small + i;
    root.out_.s[i] = uint16_t(uint(p.b) * 3u + uint(p.c)) + p.s;
}

//! Saturating adds of bytes by way of wider integers.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { u8vec4 u[128]; };
layout(std430, binding = 1) buffer R { u8vec4 r[128]; };
layout(std430, binding = 2) buffer T { i8vec4 t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    u8vec4 x = u[i], y = u[i ^ 3u];
    uvec4 s = min(uvec4(x) + uvec4(y), uvec4(255u));
    ivec4 d = clamp(ivec4(i8vec4(x)) - ivec4(i8vec4(y)), -128, 127);
    r[i] = u8vec4(s);
    t[i] = i8vec4(d);
}

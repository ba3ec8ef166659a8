//! u16vec2 arithmetic and shifts: packed instructions.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint16_t u[128]; };
layout(std430, binding = 1) buffer R { u16vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    u16vec2 x = u16vec2(u[i], u[i ^ 1u]), y = u16vec2(u[i ^ 2u], u[i ^ 3u]);
    u16vec2 s = x + y, m = x * y, l = x << u16vec2(i & 15u), g = max(min(x, y), u16vec2(7us));
    r[i] = u16vec4(s ^ m, l | g);
}

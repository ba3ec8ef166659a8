//! u8vec4 loads and stores, with components exchanged.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { u8vec4 u[128]; };
layout(std430, binding = 1) buffer R { u8vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    u8vec4 x = u[i], y = u[i ^ 1u];
    r[i] = u8vec4(x.w, y.x, x.y + y.z, max(x.z, y.w));
}

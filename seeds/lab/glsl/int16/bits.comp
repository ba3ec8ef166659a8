//! 16-bit logic, shifts, bit counts and packing of two into a word.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint16_t u[128]; };
layout(std430, binding = 1) buffer R { u16vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint16_t x = u[i], y = u[i ^ 1u];
    uint16_t z = (x & y) | (~x & uint16_t(0x0ff0)) ^ (y >> 3us);
    uint p = pack32(u16vec2(x, z));
    u16vec2 q = unpack16(p * 3u);
    r[i] = u16vec4(q, z, x << (y & 15us));
}

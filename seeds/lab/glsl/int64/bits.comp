//! Rotations, reversals and counts of 64-bit words by halves.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer U { uint64_t u[128]; };
layout(std430, binding = 1) buffer R { uint64_t r[128]; };
layout(std430, binding = 2) buffer T { uint64_t t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = u[i];
    int n = int(i & 63u);
    uint64_t rot = (x << n) | (x >> ((64 - n) & 63));
    uvec2 h = unpack32(x);
    uint64_t rev = pack64(uvec2(bitfieldReverse(h.y), bitfieldReverse(h.x)));
    int c = bitCount(h.x) + bitCount(h.y);
    r[i] = rot ^ rev;
    t[i] = uint64_t(c) << 32 | uint64_t(h.y != 0u ? 32 + findMSB(h.y) : findMSB(h.x));
}

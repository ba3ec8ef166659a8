//! unpackHalf2x16 of any finite bits, packHalf2x16 of values that halves hold exactly.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 0xbbffbbffu;
    vec2 h = unpackHalf2x16(x);
    r[i] = uvec2(packHalf2x16(h.yx), packHalf2x16(h * vec2(2.0, 1.0)));
}

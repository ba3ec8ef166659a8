//! Byte permutes: swap, rotate, interleave; compilers make v_perm and v_alignbyte of them.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 1u];
    uint swap = x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
    uint align = y << 24 | x >> 8;
    uint zip = (x & 0xffu) | (y & 0xffu) << 8 | (x & 0xff00u) << 8 | (y & 0xff00u) << 16;
    uint halves = (x & 0xffff0000u) | y >> 16;
    r[i] = uvec4(swap, align, zip, halves);
}

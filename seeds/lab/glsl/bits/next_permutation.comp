//! The next word with as many ones, by the usual tricks.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 0x3fffffffu | 4u;
    uint c = x & -x, q = x + c;
    r[i] = ((q ^ x) >> 2) / c | q;
}

//! Four bytes added, averaged and compared within a word.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 1u];
    uint add = ((x & 0x7f7f7f7fu) + (y & 0x7f7f7f7fu)) ^ ((x ^ y) & 0x80808080u);
    uint avg = (x & y) + (((x ^ y) & 0xfefefefeu) >> 1);
    uint zero = (x - 0x01010101u) & ~x & 0x80808080u;
    r[i] = uvec4(add, avg, zero, add ^ avg);
}

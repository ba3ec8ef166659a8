//! CRC-32 bit by bit over two words.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint c = 0xffffffffu;
    for (uint k = 0u; k < 2u; ++k) {
        c ^= a[i ^ k];
        for (uint b = 0u; b < 32u; ++b) c = c >> 1 ^ (-(c & 1u) & 0xedb88320u);
    }
    r[i] = ~c;
}

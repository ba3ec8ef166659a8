//! Canonical Huffman codes read bit by bit, first codes and counts in tables.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer B { uint b[2]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

const int COUNT[6] = int[6](0, 0, 1, 3, 4, 8);

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint h = 0u, bitpos = 0u, symbols = 6u + (b[0] & 7u);
    int most = 4 + int(b[1] & 1u);
    for (uint s = 0u; s < symbols; ++s) {
        int code = 0, first = 0, index = 0;
        uint sym = 255u;
        for (int len = 1; len <= most; ++len) {
            code |= int(a[(i + (bitpos >> 5)) & 127u] >> (bitpos & 31u) & 1u);
            ++bitpos;
            int n = COUNT[len];
            if (code - n < first) { sym = uint(index + code - first); break; }
            index += n;
            first = (first + n) << 1;
            code <<= 1;
        }
        h = h * 37u + sym;
        if (sym == 255u) break;
    }
    r[i] = h ^ bitpos << 24;
}

//! Little-endian base-128 numbers with a continuation bit, zigzag signs.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint pos = i & 31u;
    int sum = 0;
    for (uint k = 0u; k < 5u; ++k) {
        uint v = 0u, shift = 0u, byte_;
        do {
            byte_ = a[pos >> 2 & 127u] >> ((pos & 3u) * 8u) & 255u;
            ++pos;
            v |= (byte_ & 127u) << shift;
            shift += 7u;
        } while ((byte_ & 128u) != 0u && shift < 28u);
        sum = sum * 3 + (int(v >> 1) ^ -int(v & 1u));
    }
    r[i] = uint(sum);
}

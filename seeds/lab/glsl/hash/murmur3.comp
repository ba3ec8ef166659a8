//! MurmurHash3 of a variable number of words, with its finish.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint h = i, n = a[i] & 7u;
    for (uint k = 0u; k < n; ++k) {
        uint w = a[(i + k) & 127u] * 0xcc9e2d51u;
        w = (w << 15 | w >> 17) * 0x1b873593u;
        h ^= w;
        h = (h << 13 | h >> 19) * 5u + 0xe6546b64u;
    }
    h ^= n * 4u;
    h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
    r[i] = h;
}

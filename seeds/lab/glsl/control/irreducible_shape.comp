//! A loop that is entered in its middle, by a flag as C compilers would.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], s = 0u;
    bool mid = (x & 1u) != 0u;
    for (uint k = 0u; k < 30u; ++k) {
        if (!mid) {
            s += x & 255u;
            if ((s & 31u) == 7u) break;
        }
        mid = false;
        x = x * 69069u + 1u;
        if ((x >> 24) == 0x5au) { s ^= 0xff00u; mid = true; }
    }
    r[i] = s ^ x;
}

//! A uniform loop around divergent branches around uniform branches.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer B { uint b[16]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint s = a[i];
    for (uint k = 0u; k < (b[0] & 7u) + 2u; ++k) {
        if ((s & 1u) != 0u) {
            if ((b[k] & 1u) != 0u) s = s * 3u + 1u; else s ^= b[k];
            if ((s & 6u) == 6u) continue;
        }
        s = (b[k + 1u] & 2u) != 0u ? s >> 1 : s + k;
    }
    r[i] = s;
}

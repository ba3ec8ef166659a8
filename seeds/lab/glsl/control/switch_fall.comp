//! A switch with cases that fall through, share code, and a default in the middle.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], s = 1u;
    switch (x & 7u) {
    case 0u:
        s += 3u;
    case 1u:
        s *= 5u;
        break;
    default:
        s ^= x;
    case 2u:
    case 3u:
        s += x >> 3;
        if ((x & 64u) != 0u) break;
        s = s << 3 | 1u;
    case 6u:
        s ^= 0xffu;
    }
    r[i] = s;
}

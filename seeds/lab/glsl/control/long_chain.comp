//! An else-if chain of sixteen arms with different work in each.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], k = x & 15u, s = x >> 4;
    if (k == 0u) s += 1u; else if (k == 1u) s *= 3u; else if (k == 2u) s ^= s >> 5; else if (k == 3u) s = bitfieldReverse(s);
    else if (k == 4u) s = uint(bitCount(s)); else if (k == 5u) s = s % 1000u; else if (k == 6u) s <<= 3; else if (k == 7u) s = ~s;
    else if (k == 8u) s -= a[(i + 1u) & 127u]; else if (k == 9u) s = max(s, a[(i + 2u) & 127u]); else if (k == 10u) s = s / 7u;
    else if (k == 11u) s = uint(findMSB(s)); else if (k == 12u) s = s * s; else if (k == 13u) s |= 0x5555u; else if (k == 14u) s &= 0x33333u; else s = s >> 9 | s << 23;
    r[i] = s;
}

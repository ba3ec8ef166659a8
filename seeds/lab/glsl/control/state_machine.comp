//! A machine of six states, a jump table in a loop.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], state = x & 3u, s = 0u;
    for (uint k = 0u; k < 48u && state != 5u; ++k) {
        switch (state) {
        case 0u: s += x & 15u; state = (x & 16u) != 0u ? 1u : 2u; x = x >> 3 | x << 29; break;
        case 1u: s ^= x; state = 3u; x *= 3u; break;
        case 2u: s = s << 1 | s >> 31; state = (s & 1u) != 0u ? 0u : 4u; x += s; break;
        case 3u: state = (x & 0x300u) == 0u ? 5u : 2u; x ^= x >> 7; break;
        case 4u: s -= x; state = (x & 4u) != 0u ? 1u : 0u; x = x * 5u + 1u; break;
        }
    }
    r[i] = s ^ state << 29;
}

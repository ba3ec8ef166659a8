//! A switch in a loop: continue goes on with the loop, break leaves the switch.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint s = a[i], n = 0u;
    for (uint k = 0u; k < 20u; ++k) {
        switch (s & 3u) {
        case 0u: s = s * 5u + 1u; continue;
        case 1u: s >>= 1; break;
        case 2u: s ^= 0x1234567u; if ((s & 16u) != 0u) continue; break;
        default: s += k; if ((s & 255u) == 3u) { n += 1000u; k += 3u; } break;
        }
        n += s & 15u;
    }
    r[i] = s ^ n << 16;
}

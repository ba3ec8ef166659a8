//! do-while loops with continue: the condition is still tested.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], n = 0u, s = 0u;
    do {
        ++n;
        x = x * 22695477u + 1u;
        if ((x >> 16 & 1u) != 0u) continue;
        s += x >> 24;
        if ((s & 64u) != 0u) { s -= 3u; continue; }
        s ^= n;
    } while ((x >> 20 & 15u) != 0u && n < 60u);
    r[i] = s | n << 16;
}

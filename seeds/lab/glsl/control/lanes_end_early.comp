//! Lanes and whole waves that return before the others go on.
#version 450
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer A { uint a[256]; };
layout(std430, binding = 1) buffer R { uint r[256]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    r[i] = 1u;
    if ((x & 3u) == 0u) return;
    if (gl_LocalInvocationIndex >= 96u) { r[i] = 2u; return; }
    uint s = 0u;
    for (uint k = 0u; k < (x & 15u); ++k) {
        s += a[(i + k) & 255u] & 63u;
        if (s > 200u) { r[i] = s | 0x100000u; return; }
    }
    r[i] = s;
}

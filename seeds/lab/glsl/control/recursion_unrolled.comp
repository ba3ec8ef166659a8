//! A recursive function written as a loop with an explicit stack of states.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint sn[24], sm[24];
    uint top = 0u, ret = 0u, steps = 0u;
    sn[0] = a[i] & 1u; sm[0] = (a[i] >> 4 & 3u) + 1u; top = 1u;
    uint acc = sm[0], m = sn[0];
    while (top > 0u && steps < 300u) {
        ++steps;
        uint x = sn[--top];
        if (x == 0u) acc = acc + 1u;
        else if (acc == 0u) { acc = 1u; sn[top++] = x - 1u; }
        else if (top + 2u < 24u) { --acc; sn[top++] = x - 1u; sn[top++] = x; }
    }
    r[i] = acc | steps << 16 | m << 31;
}

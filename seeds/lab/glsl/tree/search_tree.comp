//! Look-ups by bisection with early returns of three kinds.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

uint find(uint x) {
    uint lo = 0u, hi = 256u, steps = 0u;
    x &= 0xffffu;
    while (lo < hi) {
        uint mid = (lo + hi) >> 1;
        uint k = mid * 257u;
        if (k == x) return mid | 0x80000000u;
        if (k < x) lo = mid + 1u; else hi = mid;
        if (++steps > 16u) return 0xffffffffu;
    }
    return lo | steps << 16;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    r[i] = find(a[i]);
}

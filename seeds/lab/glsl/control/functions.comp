//! Functions with out and inout parameters, called in divergent flow.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void order(uint x, uint y, out uint lo, out uint hi) { if (x < y) { lo = x; hi = y; } else { lo = y; hi = x; } }
void stepdown(inout uint lo, inout uint hi) { if ((hi & 1u) != 0u) { hi = hi - lo >> 1; } else { hi >>= 1; lo += 3u; } }

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 1u], lo, hi;
    order(x, y, lo, hi);
    if ((x & 1u) != 0u) order(hi - lo, x, lo, hi);
    uint n = 0u;
    while (lo < hi && n < 30u) { stepdown(lo, hi); ++n; }
    r[i] = lo ^ hi ^ n << 24;
}

//! Long chains of conditional selects over masks that mix with and, or and not.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 1u];
    bool p = x < y, q = (x & 1u) != 0u, t = int(x) < int(y), u = bitCount(y) > 15;
    uint v = p && q ? x : (t || !u ? y : x + y);
    v = p != q ? v * 3u : v;
    v = (p ^^ t) && (q || u) ? ~v : v;
    v += uint(p && t) + uint(q ^^ u) * 2u;
    r[i] = v;
}

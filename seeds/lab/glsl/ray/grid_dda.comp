//! A digital line walk through a bitmap grid that stops at the first wall.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer B { uint b[64]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 c = ivec2(a[i] & 31u, a[i] >> 5 & 31u), d = ivec2(int(a[i] >> 10 & 63u) - 32, int(a[i] >> 16 & 63u) - 32);
    ivec2 s = sign(d), n = abs(d);
    int e = n.x - n.y;
    uint steps = 0u;
    while (steps < 64u) {
        if (any(lessThan(c, ivec2(0))) || any(greaterThan(c, ivec2(31)))) { steps |= 0x80u; break; }
        if ((b[c.y] >> c.x & b[c.y + 32] >> c.x & 1u) != 0u) break;
        if (n == ivec2(0)) { steps |= 0x40u; break; }
        int e2 = 2 * e;
        if (e2 > -n.y) { e -= n.y; c.x += s.x; }
        if (e2 < n.x) { e += n.x; c.y += s.y; }
        ++steps;
    }
    r[i] = steps | uint(c.x & 63) << 8 | uint(c.y & 63) << 16;
}

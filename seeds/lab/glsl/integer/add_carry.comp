//! uaddCarry and usubBorrow chained into 96-bit sums.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint c0, c1, c2;
    uint x0 = a[i], x1 = a[i ^ 1u], x2 = a[i ^ 2u], y0 = a[i ^ 3u], y1 = a[127u - i], y2 = a[i ^ 64u];
    uint s0 = uaddCarry(x0, y0, c0);
    uint s1 = uaddCarry(x1, y1, c1);
    uint s1c = uaddCarry(s1, c0, c2);
    uint s2 = x2 + y2 + (c1 | c2);
    uint b0, b1, b2;
    uint d0 = usubBorrow(x0, y1, b0);
    uint d1 = usubBorrow(x1, y2, b1);
    uint d1b = usubBorrow(d1, b0, b2);
    r[i] = uvec4(s0 ^ (s2 << 7), s1c, s2 - d0, d1b + (b1 | b2));
}

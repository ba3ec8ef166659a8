//! Four-limb numbers compared and subtracted with borrows, the larger first.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x[4] = uint[4](a[i], a[i ^ 1u], a[i ^ 2u], a[i ^ 3u]), y[4] = uint[4](a[i ^ 8u], a[i ^ 9u], a[i ^ 10u], (i & 1u) != 0u ? a[i ^ 3u] : a[i ^ 11u]);
    bool less = false;
    for (int k = 3; k >= 0; --k) if (x[k] != y[k]) { less = x[k] < y[k]; break; }
    uint borrow = 0u, z[4];
    for (int k = 0; k < 4; ++k) {
        uint p = less ? y[k] : x[k], q = less ? x[k] : y[k], b0, b1;
        uint d = usubBorrow(p, q, b0);
        z[k] = usubBorrow(d, borrow, b1);
        borrow = b0 | b1;
    }
    r[i] = uvec4(z[0], z[1], z[2], z[3] ^ borrow << 31 ^ uint(less));
}

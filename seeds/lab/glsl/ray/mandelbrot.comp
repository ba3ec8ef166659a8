//! Escape times in fixed point with 64-bit products.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int cx = int(i & 15u) * 3072 - 32768, cy = int(i >> 4) * 4096 - 16384;
    int x = 0, y = 0;
    uint n = 0u;
    while (n < 48u) {
        int xx, yy, xy, hi;
        uint lo;
        int l0, l1, l2;
        imulExtended(x, x, hi, l0); xx = hi << 18 | int(uint(l0) >> 14);
        imulExtended(y, y, hi, l1); yy = hi << 18 | int(uint(l1) >> 14);
        if (xx + yy > 65536) break;
        imulExtended(x, y, hi, l2); xy = hi << 18 | int(uint(l2) >> 14);
        x = xx - yy + cx;
        y = 2 * xy + cy;
        ++n;
    }
    r[i] = n | uint(x & 0xffff) << 8;
}
